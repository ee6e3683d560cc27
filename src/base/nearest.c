/* Suggestions for mistyped words: the nearest by edits, within about a third of the length. */
#include "base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { WORD_MAX = 64 };

static int min2(int a, int b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, changes and swaps of neighbours (the restricted
 * Damerau-Levenshtein distance); case does not count. */
static int distance(const char *a, const char *b)
{
	int row[3][WORD_MAX + 1], n = (int)strlen(a), m = (int)strlen(b);
	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (int j = 0; j <= m; j++)
		row[0][j] = j;
	for (int i = 1; i <= n; i++) {
		int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
		now[0] = i;
		for (int j = 1; j <= m; j++) {
			int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
			now[j] = min2(last[j - 1] + (x != y), min2(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]))
				now[j] = min2(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

const char *nearest_word(const char *word, const char *const *list)
{
	const char *best = NULL;
	int length = (int)strlen(word), least = length > 3 ? length / 3 + 1 : 2;
	for (const char *const *w = list; *w; w++) {
		int d = distance(word, *w);
		if (d < least && d < length) {
			least = d;
			best = *w;
		}
	}
	/* Nothing close: perhaps only the beginning was typed. */
	for (const char *const *w = list; !best && *w && length > 1; w++)
		if (!strncmp(word, *w, (size_t)length))
			best = *w;
	return best;
}
