/* A small tournament and its standings. Needs the library macaw-full. */
#include <macaw/tournament.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool run(macaw_game *const *games, const char *file, macaw_error *error)
{
	const char *players[] = {"uct", "mc", "random"};
	macaw_tournament t = {.games = games,
	                      .game_count = 2,
	                      .players = players,
	                      .player_count = 3,
	                      .playouts = 100,
	                      .rounds = 2,
	                      .seed = 1};
	macaw_tournament_end end;
	if (!macaw_tournament_run(&t, file, &end, error))
		return false;
	macaw_standings *s = macaw_standings_read(file, error);
	for (size_t i = 0; s && i < macaw_standings_players(s); i++) {
		macaw_standing p = macaw_standings_player(s, i);
		printf("%-8s %5.1f points, Elo %+.0f ± %.0f\n", p.name, p.score, p.elo, p.elo_error);
	}
	macaw_standings_free(s);
	return s;
}

int main(void)
{
	macaw_error error = {0};
	macaw_game *games[] = {macaw_game_load("tictactoe", NULL, &error), macaw_game_load("connect_3x3_3", NULL, &error)};
	char file[] = "/tmp/macaw-example-XXXXXX";
	int fd = mkstemp(file);
	bool done = games[0] && games[1] && fd >= 0 && run(games, file, &error);
	if (!done)
		fprintf(stderr, "%s\n", error.text);
	if (fd >= 0) {
		close(fd);
		unlink(file);
	}
	macaw_game_free(games[0]);
	macaw_game_free(games[1]);
	return done ? 0 : 1;
}
