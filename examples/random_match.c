/* A random match with the library: who plays, what is played, who wins.
 *
 *     cc random_match.c $(pkg-config --cflags --libs macaw) -o random_match
 *     ./random_match tictactoe.kif 42
 */
#include <macaw.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char error[300];
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	if (argc < 2) {
		fprintf(stderr, "usage: random_match GAME [SEED]\n");
		return 2;
	}
	macaw_game *g = macaw_load(argv[1], error, sizeof error);
	if (!g) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	macaw_state *s = macaw_initial(g);
	int steps = 0;
	while (!macaw_terminal(s) && macaw_apply_random(s, &seed))
		printf("%d: %s\n", ++steps, macaw_state_text(s));
	for (unsigned r = 0; r < macaw_roles(g); r++)
		printf("%s: %d\n", macaw_role(g, r), macaw_goal(s, r));
	double mean[64];
	if (macaw_roles(g) <= 64) {
		uint64_t n = macaw_playouts(g, NULL, 100000, 1, seed, mean);
		printf("over %llu random matches:", (unsigned long long)n);
		for (unsigned r = 0; r < macaw_roles(g); r++)
			printf(" %s %.1f", macaw_role(g, r), mean[r]);
		printf("\n");
	}
	macaw_state_free(s);
	macaw_free(g);
	return 0;
}
