/* The plan as settings of the store, and the agenda told everything that was played. */
#include "tournament/ranking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void print_games(const struct plan *p, struct text *out)
{
	for (size_t i = 0; i < p->game_count; i++)
		text_printf(out, "%s%s:%u:%llu:%g", i ? "," : "", p->games[i].name, p->games[i].seats,
		            (unsigned long long)p->games[i].matches, p->games[i].weight);
}

static void print_players(const struct plan *p, const char *const *players, struct text *out)
{
	for (uint32_t i = 0; i < p->players; i++)
		text_printf(out, "%s%s", i ? "," : "", players[i]);
}

bool ranking_keep(struct store *store, const struct plan *p, const char *const *players, struct text *error)
{
	struct text games = {0}, names = {0}, rest = {0};
	print_games(p, &games);
	print_players(p, players, &names);
	text_printf(&rest, "%u,%u,%.17g,%llu", p->final, p->wins, p->clocks[0], (unsigned long long)p->seed);
	bool fine = store_setting(store, "players", text_str(&names), error) &&
	            store_setting(store, "games", text_str(&games), error) &&
	            store_setting(store, "final,wins,clock,seed", text_str(&rest), error);
	text_free(&games);
	text_free(&names);
	text_free(&rest);
	return fine;
}

/* ---- reading ---- */

static size_t count_words(const char *list)
{
	size_t n = *list != 0;
	for (; *list; list++)
		n += *list == ',';
	return n;
}

static char *take_word(const char **at)
{
	size_t n = strcspn(*at, ",");
	char *word = text_copy(*at, n);
	*at += n + ((*at)[n] == ',');
	return word;
}

/* name:seats:matches:weight; the name may hold colons. */
static bool read_game(char *word, struct plan_game *g)
{
	char *parts[3];
	for (int i = 3; i--;) {
		parts[i] = strrchr(word, ':');
		if (!parts[i])
			return false;
		*parts[i]++ = 0;
	}
	*g = (struct plan_game){word, (uint32_t)strtoul(parts[0], NULL, 10), strtoull(parts[1], NULL, 10),
	                        strtod(parts[2], NULL)};
	return g->seats >= 1 && g->seats <= STORE_SEATS;
}

static bool read_plan(struct ranking *r, const char *games, const char *players, const char *rest)
{
	unsigned long long seed;
	bool fine = sscanf(rest, "%u,%u,%lf,%llu", &r->plan.final, &r->plan.wins, &r->clock, &seed) == 4;
	r->plan.seed = seed;
	r->plan.clocks = &r->clock;
	r->plan.clock_count = 1;
	r->plan.players = (uint32_t)count_words(players);
	r->players = NEW_ARRAY(char *, r->plan.players + 1);
	for (uint32_t i = 0; i < r->plan.players; i++)
		r->players[i] = take_word(&players);
	r->plan.game_count = count_words(games);
	r->plan.games = r->games = NEW_ARRAY(struct plan_game, r->plan.game_count + 1);
	for (size_t i = 0; i < r->plan.game_count; i++) {
		char *word = take_word(&games);
		r->games[i].name = word;
		fine &= read_game(word, &r->games[i]);
	}
	return fine;
}

static void replay(struct ranking *r, struct store *store)
{
	struct fixture f;
	int scores[STORE_SEATS];
	double seconds;
	while (agenda_take(r->agenda, &f) == AGENDA_PLAY) {
		struct text seating = {0};
		for (uint32_t i = 0; i < f.seats; i++)
			text_printf(&seating, "%s%s", i ? "," : "", r->players[f.players[i]]);
		struct store_match key = {
			.game = r->games[f.game].name, .seating = text_str(&seating), .clock = f.clock, .round = (int64_t)f.round};
		if (store_find(store, &key, scores, f.seats, &seconds))
			agenda_tell(r->agenda, &f, scores, seconds);
		text_free(&seating);
	}
}

static void read_order(struct ranking *r)
{
	uint32_t *order = NEW_ARRAY(uint32_t, r->plan.players + 1);
	if (r->plan.format == FORMAT_SWISS) {
		r->swiss = NEW_ARRAY(uint32_t, r->plan.players + 1);
		agenda_swiss_order(r->agenda, r->swiss);
	}
	if (agenda_ranks(r->agenda, order))
		r->ranks = order;
	else
		mem_free(order);
}

/* Where matches are missing the agenda waits for them, and the rest of the round is told all the same. */
bool ranking_read(struct ranking *r, struct store *store, struct text *error)
{
	struct text format = {0}, games = {0}, players = {0}, rest = {0};
	*r = (struct ranking){0};
	store_read_setting(store, "format", &format);
	bool swiss = !strcmp(text_str(&format), agenda_formats[FORMAT_SWISS]);
	bool fine = true;
	if (swiss || !strcmp(text_str(&format), agenda_formats[FORMAT_KNOCKOUT])) {
		r->plan.format = swiss ? FORMAT_SWISS : FORMAT_KNOCKOUT;
		fine = store_read_setting(store, "games", &games) && store_read_setting(store, "players", &players) &&
		       store_read_setting(store, "final,wins,clock,seed", &rest) &&
		       read_plan(r, text_str(&games), text_str(&players), text_str(&rest));
		if (!fine)
			text_puts(error, "its plan cannot be read");
		else
			fine = (r->agenda = agenda_new(&r->plan, error));
	}
	if (fine && r->agenda) {
		replay(r, store);
		read_order(r);
	}
	text_free(&format);
	text_free(&games);
	text_free(&players);
	text_free(&rest);
	return fine;
}

void ranking_free(struct ranking *r)
{
	agenda_free(r->agenda);
	for (size_t i = 0; r->games && i < r->plan.game_count; i++)
		mem_free(unconst(r->games[i].name));
	for (uint32_t i = 0; r->players && i < r->plan.players; i++)
		mem_free(r->players[i]);
	mem_free(r->games);
	mem_free(r->players);
	mem_free(r->swiss);
	mem_free(r->ranks);
}
