/* What a player thinks of a position: think [GAME [PLAYER]]. */
#include <macaw/player.h>

#include <stdio.h>

static void show(const macaw_game *g, const macaw_thought *t)
{
	printf("%s: %s%s\n", macaw_game_move(g, t->move), t->why, t->proved ? " (proved)" : "");
	for (uint32_t i = 0; i < t->value_count && i < 5; i++)
		printf("\t%-16s value %5.1f in %3.0f..%3.0f, %llu visits\n", macaw_game_move(g, t->values[i].move),
		       t->values[i].value, t->values[i].low, t->values[i].high, (unsigned long long)t->values[i].visits);
	for (uint32_t i = 0; i < t->line_steps; i++) {
		printf("\tstep %u:", i + 1);
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			printf(" %s", macaw_game_move(g, t->line[i * macaw_game_roles(g) + r]));
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_player *p = g ? macaw_player_new(g, 0, argc > 2 ? argv[2] : "macaw", 1, &error) : NULL;
	if (!p) {
		fprintf(stderr, "%s\n", error.text);
		return error.status;
	}
	macaw_thought t;
	bool done = macaw_player_think(p, &(macaw_budget){.playouts = 20000}, &t);
	if (done)
		show(g, &t);
	else
		fprintf(stderr, "%s\n", macaw_player_error(p)->text);
	macaw_player_free(p);
	macaw_game_free(g);
	return done ? 0 : 1;
}
