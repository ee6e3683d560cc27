/* Plays one match between two players of the library and tells how it went.
 *
 *     cc match.c $(pkg-config --cflags --libs macaw) -o match
 *     ./match connect_four macaw uct:c=0.6 */
#include <macaw/match.h>

#include <stdio.h>

/* Called before the first step and after every one. */
static void watch(void *context, const macaw_match *m)
{
	const macaw_game *g = macaw_match_game(m);
	uint32_t step = macaw_match_steps(m);
	(void)context;
	if (!step)
		return;
	printf("%3u ", step);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		macaw_made made = macaw_match_made(m, step - 1, r);
		printf("  %s %s%s", macaw_game_role(g, r), macaw_game_move(g, made.move),
		       made.fault ? " (by the referee)" : "");
	}
	putchar('\n');
}

int main(int count, char **words)
{
	macaw_error error;
	if (count != 4) {
		fprintf(stderr, "usage: match GAME PLAYER PLAYER\n");
		return MACAW_USAGE;
	}
	macaw_game *g = macaw_game_load(words[1], NULL, &error);
	if (!g) {
		fprintf(stderr, "%s\n", error.text);
		return error.status;
	}
	macaw_seat seats[] = {{.word = words[2]}, {.word = words[3]}};
	macaw_match_options options = {.clock = 0.05, .start = 0.1, .seed = 1, .watch = watch};
	macaw_match *m = macaw_match_play(g, seats, 2, &options, &error);
	if (m) {
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			printf("%s, played by %s: %d\n", macaw_game_role(g, r), macaw_match_player(m, r), macaw_match_goal(m, r));
	} else {
		fprintf(stderr, "%s\n", error.text);
	}
	macaw_match_free(m);
	macaw_game_free(g);
	return error.status;
}
