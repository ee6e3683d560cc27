/* SEND + MORE = MONEY: every letter is a digit, different letters are different digits, no number begins with 0.
 *
 *     cc solve_csp.c $(pkg-config --cflags --libs macaw) && ./a.out */
#include <macaw/csp.h>

#include <stdio.h>
#include <string.h>

static const char letters[] = "SENDMORY";

/* The variable of a letter: they were made in the order of `letters`. */
static uint32_t variable(char letter)
{
	return (uint32_t)(strchr(letters, letter) - letters);
}

/* Adds what the letters of a word are worth, times `sign`. */
static void add_word(int64_t *worth, const char *word, int64_t sign)
{
	for (size_t n = strlen(word); n--; sign *= 10)
		worth[variable(word[n])] += sign;
}

/* Called for every solution, with one number per variable. */
static bool print(void *context, macaw_csp *n, const int32_t *values)
{
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		printf("%s=%d ", macaw_csp_name(n, x), values[x]);
	printf("\n");
	return true; /* go on */
}

int main(void)
{
	enum { LETTERS = sizeof letters - 1 };
	uint32_t all[LETTERS];
	int64_t worth[LETTERS] = {0};
	macaw_error error;

	macaw_csp *n = macaw_csp_new(&error);
	if (!n) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	for (int i = 0; i < LETTERS; i++) {
		char name[2] = {letters[i], 0};
		all[i] = macaw_csp_var_range(n, name, strchr("SM", letters[i]) ? 1 : 0, 9);
	}
	macaw_csp_add_alldiff(n, all, LETTERS, NULL, 0);
	add_word(worth, "SEND", 1);
	add_word(worth, "MORE", 1);
	add_word(worth, "MONEY", -1);
	macaw_csp_add_sum(n, all, worth, LETTERS, MACAW_CSP_EQ, 0);

	macaw_csp_options options = {.all = true, .solution = print};
	macaw_csp_stats stats;
	enum macaw_csp_status status = macaw_csp_solve(n, &options, &stats);
	printf("%llu solution, found and proved to be the only one in %llu nodes\n", (unsigned long long)stats.solutions,
	       (unsigned long long)stats.nodes);
	macaw_csp_free(n);
	return status == MACAW_CSP_SAT && stats.solutions == 1 ? 0 : 1;
}
