/* Intervals of 95 %: Wilson's for shares, the normal one for means. */
#include "base/stats.h"

#include <math.h>

struct interval stats_wilson(double share, double n)
{
	if (n <= 0)
		return (struct interval){0, 1};
	double z2 = STATS_Z95 * STATS_Z95, middle = share + z2 / (2 * n);
	double half = STATS_Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
	return (struct interval){fmax(0, (middle - half) / (1 + z2 / n)), fmin(1, (middle + half) / (1 + z2 / n))};
}

double stats_variance(double sum, double squares, double n)
{
	return n < 2 ? NAN : fmax(0, (squares - sum * (sum / n)) / (n - 1));
}

struct interval stats_mean(double sum, double squares, double n)
{
	if (n < 2)
		return (struct interval){0, 100};
	double mean = sum / n, half = STATS_Z95 * sqrt(stats_variance(sum, squares, n) / n);
	return (struct interval){mean - half, mean + half};
}
