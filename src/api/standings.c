/* The standings in a store as data: players, cells, Swiss system and knock-out. */
#include "api/api_internal.h"
#include "api/tournament_internal.h"
#include "macaw/tournament.h"
#include "tournament/ranking.h"
#include "tournament/standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct setting {
	char *key, *value;
};

struct macaw_standings {
	struct handle handle;
	struct standing s;
	struct ranking ranking;
	VEC(struct setting) settings;
	double elo0, elo1; /* of the test; equal: there is none */
	size_t *order;     /* players, best mean score first */
};

static void sort_players(macaw_standings *s)
{
	const struct standing_player *players = s->s.players.at;
	s->order = NEW_ARRAY(size_t, s->s.players.n + 1);
	for (size_t i = 0; i < s->s.players.n; i++) {
		size_t j = i;
		for (; j && tally_mean(&players[s->order[j - 1]].scores) < tally_mean(&players[i].scores); j--)
			s->order[j] = s->order[j - 1];
		s->order[j] = i;
	}
}

static void read_settings(macaw_standings *s, struct store *store)
{
	static const char *const keys[] = {"setting", "format", "playouts", "clock-of", "start", "seed", "until", "sprt"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct text value = {0};
		if (store_read_setting(store, keys[i], &value) && value.n) {
			struct setting one = {text_copy(keys[i], strlen(keys[i])), text_copy(value.at, value.n)};
			vec_push(&s->settings, one);
		}
		text_free(&value);
	}
	const char *test = macaw_standings_setting(s, "sprt");
	if (!test || sscanf(test, "%lf,%lf", &s->elo0, &s->elo1) != 2)
		s->elo0 = s->elo1 = 0;
}

static bool read_store(macaw_standings *s, const char *file, macaw_error *e)
{
	struct text error = {0};
	struct store *store = store_open(file, false, &error);
	bool fine = store && standing_make(&s->s, store, &error) && ranking_read(&s->ranking, store, &error);
	if (fine) {
		sort_players(s);
		read_settings(s, store);
	} else
		api_fail_text(e, MACAW_MACHINE, &error);
	store_close(store);
	text_free(&error);
	return fine;
}

void macaw_standings_free(macaw_standings *s)
{
	if (!s)
		return;
	if (!s->handle.broken) {
		standing_free(&s->s);
		ranking_free(&s->ranking);
		for (size_t i = 0; i < s->settings.n; i++) {
			mem_free(s->settings.at[i].key);
			mem_free(s->settings.at[i].value);
		}
		vec_free(&s->settings);
		mem_free(s->order);
	}
	handle_close(&s->handle);
	free(s);
}

static macaw_standings *give_up(macaw_standings *s)
{
	macaw_standings_free(s);
	return NULL;
}

macaw_standings *macaw_standings_read(const char *file, macaw_error *e)
{
	bool fine = false;
	if (!api_is_named(file, e))
		return NULL;
	macaw_standings *s = calloc(1, sizeof *s);
	if (!s || !handle_open(&s->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(s);
		return NULL;
	}
	GUARD(&s->handle, e, give_up(s), fine = read_store(s, file, e));
	return fine ? s : give_up(s);
}

uint64_t macaw_standings_matches(const macaw_standings *s)
{
	return s->s.matches;
}

uint64_t macaw_standings_rounds(const macaw_standings *s)
{
	return s->s.rounds;
}

size_t macaw_standings_players(const macaw_standings *s)
{
	return s->s.players.n;
}

size_t macaw_standings_games(const macaw_standings *s)
{
	return s->s.games.n;
}

size_t macaw_standings_roles(const macaw_standings *s)
{
	return s->s.roles.n;
}

size_t macaw_standings_clocks(const macaw_standings *s)
{
	return s->s.clocks.n;
}

static macaw_work work_of(const struct store_work *w)
{
	return (macaw_work){.moves = w->choices,
	                    .playouts = w->playouts,
	                    .nodes = w->nodes,
	                    .rounds = w->rounds,
	                    .by_network = w->by_network,
	                    .by_circuit = w->by_circuit,
	                    .by_list = w->by_list,
	                    .seconds = w->thought};
}

macaw_standing macaw_standings_player(const macaw_standings *s, size_t player)
{
	if (player >= s->s.players.n)
		return (macaw_standing){0};
	const struct standing_player *p = &s->s.players.at[s->order[player]];
	double met = p->wins + p->draws + p->losses, share = met > 0 ? (p->wins + p->draws / 2) / met : NAN;
	struct interval score = stats_mean(p->scores.sum, p->scores.squares, p->scores.n);
	struct interval points = stats_wilson(met > 0 ? share : 0, met);
	return (macaw_standing){.name = p->name,
	                        .matches = p->scores.n,
	                        .score = tally_mean(&p->scores),
	                        .score_low = score.low,
	                        .score_high = score.high,
	                        .wins = p->wins,
	                        .draws = p->draws,
	                        .losses = p->losses,
	                        .share = share,
	                        .share_low = points.low,
	                        .share_high = points.high,
	                        .elo = p->elo,
	                        .elo_error = p->elo_error,
	                        .skill = p->skill,
	                        .late = p->late,
	                        .illegal = p->illegal,
	                        .moves = p->moves,
	                        .work = work_of(&p->work)};
}

const char *macaw_standings_game(const macaw_standings *s, size_t game)
{
	return game < s->s.games.n ? s->s.games.at[game] : NULL;
}

const char *macaw_standings_role(const macaw_standings *s, size_t role)
{
	return role < s->s.roles.n ? s->s.roles.at[role] : NULL;
}

double macaw_standings_ease(const macaw_standings *s, size_t role)
{
	return role < s->s.roles.n ? s->s.ease[role] : NAN;
}

double macaw_standings_clock(const macaw_standings *s, size_t clock)
{
	return clock < s->s.clocks.n ? s->s.clocks.at[clock] : NAN;
}

double macaw_standings_versus(const macaw_standings *s, size_t player, size_t opponent)
{
	size_t n = s->s.players.n;
	return player < n && opponent < n ? tally_mean(&s->s.versus[s->order[player] * n + s->order[opponent]]) : NAN;
}

double macaw_standings_by_game(const macaw_standings *s, size_t player, size_t game)
{
	size_t n = s->s.games.n;
	return player < s->s.players.n && game < n ? tally_mean(&s->s.by_game[s->order[player] * n + game]) : NAN;
}

double macaw_standings_by_clock(const macaw_standings *s, size_t player, size_t clock)
{
	size_t n = s->s.clocks.n;
	return player < s->s.players.n && clock < n ? tally_mean(&s->s.by_clock[s->order[player] * n + clock]) : NAN;
}

const char *macaw_standings_setting(const macaw_standings *s, const char *key)
{
	for (size_t i = 0; key && i < s->settings.n; i++)
		if (!strcmp(s->settings.at[i].key, key))
			return s->settings.at[i].value;
	return NULL;
}

/* ---- cells ---- */

size_t macaw_standings_cells(const macaw_standings *s)
{
	return s->s.cells.n;
}

macaw_pairing macaw_standings_cell(const macaw_standings *s, size_t cell)
{
	if (cell >= s->s.cells.n)
		return (macaw_pairing){0};
	const struct standing_cell *c = &s->s.cells.at[cell];
	bool alone = c->players[0] == c->players[1], tested = !alone && s->elo1 > s->elo0;
	struct interval i = standing_interval(c);
	return (macaw_pairing){.game = s->s.games.at[c->game],
	                       .first = s->s.players.at[c->players[0]].name,
	                       .second = alone ? NULL : s->s.players.at[c->players[1]].name,
	                       .clock = c->clock,
	                       .matches = c->points.n,
	                       .wins = alone ? 0 : c->wins,
	                       .draws = alone ? 0 : c->draws,
	                       .losses = alone ? 0 : c->losses,
	                       .share = alone ? NAN : tally_mean(&c->points),
	                       .share_low = alone ? NAN : i.low,
	                       .share_high = alone ? NAN : i.high,
	                       .half_width = (i.high - i.low) * (alone ? 0.5 : 50),
	                       .likelihood = tested ? rating_sprt(c->wins, c->draws, c->losses, s->elo0, s->elo1) : NAN,
	                       .scores = {tally_mean(&c->scores[0]), tally_mean(&c->scores[1])},
	                       .seconds = c->seconds,
	                       .late = c->late,
	                       .illegal = c->illegal,
	                       .work = {work_of(&c->work[0]), work_of(&c->work[1])}};
}

/* ---- Swiss system and knock-out ---- */

size_t macaw_standings_swiss(const macaw_standings *s)
{
	return s->ranking.swiss ? s->ranking.plan.players : 0;
}

macaw_swiss_row macaw_standings_swiss_row(const macaw_standings *s, size_t row)
{
	const struct ranking *r = &s->ranking;
	if (row >= macaw_standings_swiss(s))
		return (macaw_swiss_row){0};
	return (macaw_swiss_row){.player = r->players[r->swiss[row]],
	                         .points = agenda_points(r->agenda, r->swiss[row], r->plan.game_count),
	                         .matches = agenda_matches(r->agenda, r->swiss[row])};
}

size_t macaw_standings_swiss_games(const macaw_standings *s)
{
	return s->ranking.swiss ? s->ranking.plan.game_count : 0;
}

const char *macaw_standings_swiss_game(const macaw_standings *s, size_t game)
{
	return game < macaw_standings_swiss_games(s) ? s->ranking.games[game].name : NULL;
}

double macaw_standings_swiss_points(const macaw_standings *s, size_t row, size_t game)
{
	const struct ranking *r = &s->ranking;
	bool there = row < macaw_standings_swiss(s) && game < macaw_standings_swiss_games(s);
	return there ? agenda_points(r->agenda, r->swiss[row], game) : NAN;
}

size_t macaw_standings_duels(const macaw_standings *s)
{
	return s->ranking.agenda ? agenda_duels(s->ranking.agenda) : 0;
}

macaw_duel macaw_standings_duel(const macaw_standings *s, size_t duel)
{
	if (duel >= macaw_standings_duels(s))
		return (macaw_duel){.winner = -1};
	const struct duel *d = agenda_duel(s->ranking.agenda, duel);
	return (macaw_duel){.round = d->round,
	                    .third = d->third,
	                    .players = {s->ranking.players[d->players[0]], s->ranking.players[d->players[1]]},
	                    .wins = {d->wins[0], d->wins[1]},
	                    .played = d->played,
	                    .winner = d->winner < 2 ? (int)d->winner : -1};
}

const char *macaw_standings_rank(const macaw_standings *s, size_t rank)
{
	const struct ranking *r = &s->ranking;
	return r->ranks && rank < r->plan.players ? r->players[r->ranks[rank]] : NULL;
}

/* ---- pictures ---- */

char *macaw_standings_plot(const macaw_standings *s, enum macaw_plot plot)
{
	static void (*const plots[])(const struct standing *, struct text *) = {[MACAW_PLOT_CROSS] = standing_plot_cross,
	                                                                        [MACAW_PLOT_ROUNDS] = standing_plot_rounds,
	                                                                        [MACAW_PLOT_CLOCKS] = standing_plot_clocks};
	struct text out = {0};
	if ((unsigned)plot > MACAW_PLOT_CLOCKS)
		return NULL;
	GUARD(lasting(&s->handle), NULL, NULL, plots[plot](&s->s, &out));
	return api_give(&out);
}
