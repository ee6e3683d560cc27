/* Players, matches, records and tournaments that run out of memory at every place (faults.h); a thread or process that
 * was left behind shows as a hang. */
#include "test.h"

#include "faults.h"
#include "macaw/match.h"
#include "macaw/record.h"
#include "macaw/tournament.h"

#include <string.h>
#include <unistd.h>

static macaw_game *game, *hidden; /* made while memory lasts */
static char folder[] = "/tmp/macaw-memory-XXXXXX";
static char file[64];

static bool think(macaw_game *g, const char *word, macaw_error *e)
{
	macaw_thought t;
	macaw_player *p = macaw_player_new(g, 0, word, 1, e);
	if (!p)
		return false;
	bool done = macaw_player_start(p, &(macaw_budget){.playouts = 30}) &&
	            macaw_player_think(p, &(macaw_budget){.playouts = 100}, &t);
	*e = *macaw_player_error(p);
	macaw_player_free(p);
	return done;
}

static int set_up(void **state)
{
	game = macaw_game_load("tictactoe", NULL, NULL);
	hidden = macaw_game_load("kuhn_poker", NULL, NULL);
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof file, "%s/results", folder);
	return game && hidden ? 0 : -1; /* what is kept with them is made when players first ask for it */
}

static int tear_down(void **state)
{
	macaw_game_free(game);
	macaw_game_free(hidden);
	unlink(file);
	return rmdir(folder);
}

/* ---- players ---- */

static bool grave(macaw_error *e)
{
	return think(game, "grave", e);
}

static bool macaw(macaw_error *e)
{
	return think(game, "macaw", e);
}

static bool mac_ucb_sym(macaw_error *e)
{
	return think(game, "mac-ucb-sym", e);
}

static bool alphabeta(macaw_error *e)
{
	return think(game, "alphabeta", e);
}

static bool cfr(macaw_error *e)
{
	return think(hidden, "cfr", e);
}

static bool ismcts(macaw_error *e)
{
	return think(hidden, "ismcts", e);
}

static bool votes(macaw_error *e)
{
	return think(hidden, "uct", e);
}

static void players(void **state)
{
	static faulty_program *const programs[] = {grave, macaw, mac_ucb_sym, alphabeta, cfr, ismcts, votes};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		every_allocation(programs[i], 12);
}

/* ---- matches ---- */

static uint32_t first_move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	snprintf(why, room, "the first of %u", t->legal_count);
	return t->legal[0];
}

static bool play(bool together, bool isolated, macaw_error *e)
{
	macaw_seat seats[] = {{.move = first_move}, {.word = "uct"}};
	macaw_match_options o = {.playouts = 20, .start = 0.01, .together = together, .isolated = isolated, .max_steps = 3};
	macaw_match *m = macaw_match_play(game, seats, 2, &o, e);
	char *record = m ? macaw_match_record(m, true) : NULL;
	bool done = record;
	if (m && !record)
		e->status = MACAW_MEMORY;
	macaw_free(record);
	macaw_match_free(m);
	return done;
}

static bool match(macaw_error *e)
{
	return play(false, false, e);
}

static bool match_together(macaw_error *e)
{
	return play(true, false, e);
}

static bool match_isolated(macaw_error *e)
{
	return play(false, true, e);
}

static void matches(void **state)
{
	every_allocation(match, 12);
	every_allocation(match_together, 12);
	every_allocation(match_isolated, 12);
}

/* ---- records and tournaments ---- */

static char *record_text;

static bool replay(macaw_error *e)
{
	macaw_record *r = macaw_record_parse(record_text, strlen(record_text), e);
	if (!r)
		return false;
	while (macaw_record_step(r, e))
		;
	bool done = !e->status && macaw_record_check(r, e);
	macaw_record_free(r);
	return done;
}

static void records(void **state)
{
	macaw_match *m = macaw_match_words(game, "legal,legal", &(macaw_match_options){.playouts = 1}, NULL);
	record_text = macaw_match_record(m, true);
	every_allocation(replay, 12);
	macaw_free(record_text);
	macaw_match_free(m);
}

static bool tournament(macaw_error *e)
{
	static const char *const words[] = {"mc", "random"};
	macaw_tournament t = {
		.games = &game, .game_count = 1, .players = words, .player_count = 2, .playouts = 20, .rounds = 1, .jobs = 2};
	macaw_tournament_end end;
	unlink(file);
	if (!macaw_tournament_run(&t, file, &end, e))
		return false;
	macaw_standings *s = macaw_standings_read(file, e);
	char *plot = s ? macaw_standings_plot(s, MACAW_PLOT_CROSS) : NULL;
	bool done = plot;
	if (s && !plot)
		e->status = MACAW_MEMORY;
	macaw_free(plot);
	macaw_standings_free(s);
	return done;
}

static void tournaments(void **state)
{
	every_allocation(tournament, 12);
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(players), cmocka_unit_test(matches), cmocka_unit_test(records),
	                                   cmocka_unit_test(tournaments)};
	return RUN_IN(cases, set_up, tear_down);
}
