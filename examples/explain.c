/* Why a statement holds in the initial position of a game, or why not; and what goes wrong when the game is played.
 *
 *     explain tictactoe "(legal o (mark 1 1))" */
#include <macaw/macaw.h>

#include <stdio.h>

static int explain(macaw_game *g, const char *statement)
{
	macaw_error error;
	macaw_explanation *x = macaw_explain(g, &(macaw_question){.statement = statement}, &error);
	if (!x) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	for (size_t i = 0; i < macaw_explanation_steps(x); i++) {
		macaw_step s = macaw_explanation_step(x, i);
		printf("%*s%s%s%s", 2 * (int)s.depth, "", s.statement, s.note ? ": " : "", s.note ? s.note : "");
		if (s.rule.line)
			printf(" (line %u)", s.rule.line);
		putchar('\n');
	}
	macaw_explanation_free(x);
	return 0;
}

int main(int argc, char **argv)
{
	macaw_error error;
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	if (!g) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	int status = explain(g, argc > 2 ? argv[2] : "(legal o (mark 1 1))");
	macaw_defects *d = macaw_defects_find(g, &(macaw_defect_options){.playouts = 100}, &error);
	if (d)
		printf("%zu defects in %llu playouts\n", macaw_defects_count(d), (unsigned long long)macaw_defects_playouts(d));
	macaw_defects_free(d);
	macaw_game_free(g);
	return status;
}
