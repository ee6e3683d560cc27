/* Confidence intervals of means and shares. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

struct interval {
	double low, high;
};

#define STATS_Z95 1.959963984540054 /* 97.5% quantile of the normal distribution */

/* Wilson's 95% interval (1927) of a share of `n` trials: right near 0 and 1 too. */
struct interval stats_wilson(double share, double n);
/* 95% interval of a mean of values in 0 to 100, from the sums of values and squares; all of it below two values. */
struct interval stats_mean(double sum, double squares, double n);
/* Variance of a sample, from the same sums; NAN below two values. */
double stats_variance(double sum, double squares, double n);

#endif
