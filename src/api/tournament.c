/* Tournaments for others: played into a store, and the standings in it as data. */
#include "macaw/tournament.h"
#include "api/match_internal.h"
#include "tournament/standing.h"
#include "tournament/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- playing ---- */

static const double standard_clock = 0.1;

/* What must not change when a tournament goes on. */
static bool agree(struct store *store, const struct tournament *t, struct text *error)
{
	char playouts[32], seed[32], start[32];
	snprintf(playouts, sizeof playouts, "%llu", (unsigned long long)t->playouts);
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)t->seed);
	snprintf(start, sizeof start, "%g", t->start);
	return store_setting(store, "playouts", playouts, error) && store_setting(store, "seed", seed, error) &&
	       store_setting(store, "start", start, error) &&
	       store_setting(store, "clock-of", t->processor_time ? "cpu" : "wall", error);
}

static uint32_t processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (uint32_t)n : 1;
}

/* ---- players of the caller's own ---- */

/* Those of one match. */
struct own_seats {
	const macaw_tournament *t;
	macaw_game *game;
	struct own_seat *by_role;
};

static void *own_open(void *context, struct game *g)
{
	const macaw_tournament *t = context;
	struct own_seats *s = NEW(struct own_seats);
	s->t = t;
	for (size_t i = 0; i < t->game_count; i++)
		if (api_game(t->games[i]) == g)
			s->game = t->games[i];
	s->by_role = NEW_ARRAY(struct own_seat, g->roles);
	return s;
}

static bool own_find(void *opened, const char *word, uint32_t role, struct contestant *who)
{
	struct own_seats *s = opened;
	for (size_t i = 0; i < s->t->own_count; i++)
		if (!strcmp(s->t->own[i].name, word)) {
			s->by_role[role] = (struct own_seat){s->t->own[i], s->game, role};
			*who = api_own_contestant(&s->by_role[role]);
			return true;
		}
	return false;
}

static void own_close(void *opened)
{
	struct own_seats *s = opened;
	mem_free(s->by_role);
	mem_free(s);
}

/* A store and what is played into it. */
struct hall {
	struct handle handle;
	const macaw_tournament *asked;
	struct tournament inside;
	struct tournament_game *games;
	double counted; /* the clock by which playouts are known in the store */
};

/* ---- elsewhere ---- */

/* An answer is the outcome, or a message behind this sign. */
#define REFUSED '!'

static bool play_elsewhere(void *context, const struct tournament_order *order, struct tournament_outcome *out,
                           struct text *error)
{
	struct hall *h = context;
	struct text text = {0};
	order_print(&h->inside, order, &text);
	char *answer = h->asked->elsewhere(h->asked->elsewhere_context, text_str(&text));
	bool fine = answer && *answer != REFUSED;
	if (answer && *answer == REFUSED) {
		text_puts(error, answer + 1);
	} else if (fine && !outcome_read(answer, order->seats, out)) {
		text_puts(error, "the answer from elsewhere is none");
		fine = false;
	}
	free(answer);
	text_free(&text);
	return fine;
}

static void prepare(struct hall *h, const macaw_tournament *t)
{
	h->games = NEW_ARRAY(struct tournament_game, t->game_count + 1);
	for (size_t i = 0; i < t->game_count; i++)
		h->games[i] = (struct tournament_game){macaw_game_name(t->games[i]), api_game(t->games[i])};
	h->asked = t;
	h->counted = -(double)t->playouts;
	bool standard = t->playouts || !t->clock_count;
	h->inside = (struct tournament){.games = h->games,
	                                .game_count = t->game_count,
	                                .players = t->players,
	                                .player_count = t->player_count,
	                                .clocks = t->playouts ? &h->counted
	                                          : standard  ? &standard_clock
	                                                      : t->clocks,
	                                .clock_count = standard ? 1 : t->clock_count,
	                                .start = t->start,
	                                .playouts = t->playouts,
	                                .rounds = t->rounds ? t->rounds : 10,
	                                .seed = t->seed,
	                                .jobs = t->jobs ? t->jobs : processors(),
	                                .max_steps = t->max_steps ? t->max_steps : 1000,
	                                .isolated = t->isolated,
	                                .processor_time = t->processor_time,
	                                .records = t->records,
	                                .sprt = t->sequential,
	                                .elo0 = t->elo0,
	                                .elo1 = t->elo1,
	                                .progress = t->progress,
	                                .context = t->context,
	                                .stop = (atomic_bool *)t->stop};
	if (t->elsewhere) {
		h->inside.play_elsewhere = play_elsewhere;
		h->inside.elsewhere = h;
	}
	if (t->own_count) {
		h->inside.others_open = own_open;
		h->inside.others_find = own_find;
		h->inside.others_close = own_close;
		h->inside.others = (void *)t;
	}
}

static void answer_order(const struct tournament *t, const struct tournament_order *order, struct text *answer)
{
	struct text error = {0};
	struct tournament_outcome out = {.goals = NEW_ARRAY(int, order->seats),
	                                 .late = NEW_ARRAY(uint64_t, order->seats),
	                                 .illegal = NEW_ARRAY(uint64_t, order->seats)};
	if (tournament_play(t, order, &out, &error))
		outcome_print(&out, order->seats, answer);
	else if (error.n)
		text_printf(answer, "%c%s", REFUSED, text_str(&error));
	mem_free(out.goals);
	mem_free(out.late);
	mem_free(out.illegal);
	text_free(&out.moves);
	text_free(&error);
}

static bool play_one(struct hall *h, const macaw_tournament *t, const char *text, struct text *answer)
{
	struct tournament_order order;
	const char **players;
	char *copy = text_copy(text, strlen(text));
	prepare(h, t);
	bool fine = order_read(&h->inside, copy, &order, &players);
	if (fine)
		answer_order(&h->inside, &order, answer);
	mem_free(players);
	mem_free(copy);
	mem_free(h->games);
	return fine;
}

static bool play(struct hall *h, const macaw_tournament *t, const char *file, struct tournament_end *end,
                 macaw_error *e)
{
	struct text error = {0};
	enum macaw_status status = MACAW_OK;
	prepare(h, t);
	struct store *store = store_open(file, true, &error);
	h->inside.store = store;
	if (!store)
		status = MACAW_MACHINE;
	else if (!agree(store, &h->inside, &error))
		status = MACAW_USAGE;
	else if (!tournament_run(&h->inside, end, &error))
		status = MACAW_INPUT;
	if (status)
		api_fail_text(e, store && store_at_fault(store) ? MACAW_MACHINE : status, &error);
	store_close(store);
	text_free(&error);
	mem_free(h->games);
	return !status;
}

/* Without a name SQLite would make a file that nobody finds again. */
static bool is_named(const char *file, macaw_error *e)
{
	if (!file || !*file)
		api_fail(e, MACAW_USAGE, "the file has no name");
	return file && *file;
}

/* Why the players of the caller's own cannot take part; NULL: they can. */
static const char *own_trouble(const macaw_tournament *t)
{
	for (size_t i = 0; i < t->own_count; i++) {
		const char *name = t->own[i].name;
		if (!name || !*name || strchr(name, ','))
			return "a player of one's own needs a name without commas";
		if (!t->own[i].move)
			return "a player of one's own needs a function that moves";
	}
	return NULL;
}

static bool is_sensible(const macaw_tournament *t, macaw_error *e)
{
	const char *why = !t || !t->game_count || !t->player_count ? "a tournament needs games and players"
	                  : t->sequential && t->player_count != 2 ? "a sequential test is for two players"
	                  : t->sequential && !(t->elo1 > t->elo0) ? "of the two Elo differences the second must be larger"
	                                                          : own_trouble(t);
	if (why) {
		api_fail(e, MACAW_USAGE, "%s", why);
		return false;
	}
	for (size_t i = 0; i < t->game_count; i++)
		if (t->player_count < 2 && macaw_game_players(t->games[i]) > 1) {
			api_fail(e, MACAW_USAGE, "%s is for %u players: a tournament in it needs two or more", macaw_game_name(t->games[i]),
			         macaw_game_players(t->games[i]));
			return false;
		}
	for (size_t i = 0; i < t->player_count; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(t->players[i], t->players[j])) {
				api_fail(e, MACAW_USAGE, "the player %s is named twice", t->players[i]);
				return false;
			}
	return true;
}

bool macaw_tournament_run(const macaw_tournament *t, const char *file, macaw_tournament_end *end, macaw_error *e)
{
	struct hall hall = {0};
	struct tournament_end inside = {0};
	bool fine = false;
	macaw_tournament_end unasked;
	end = end ? end : &unasked;
	*end = (macaw_tournament_end){.bound = SPRT_BOUND};
	api_clear(e);
	if (!is_named(file, e) || !is_sensible(t, e) || !handle_open(&hall.handle, e))
		return false;
	GUARD(&hall.handle, e, (handle_close(&hall.handle), false), fine = play(&hall, t, file, &inside, e));
	handle_close(&hall.handle);
	*end = (macaw_tournament_end){.planned = inside.planned,
	                              .before = inside.before,
	                              .played = inside.played,
	                              .stopped = inside.stopped,
	                              .likelihood = inside.llr,
	                              .bound = SPRT_BOUND,
	                              .decided = inside.decided};
	return fine;
}

char *macaw_tournament_play(const macaw_tournament *t, const char *order, macaw_error *e)
{
	struct hall hall = {0};
	struct text answer = {0};
	bool fine = false;
	api_clear(e);
	if (!is_sensible(t, e) || !handle_open(&hall.handle, e))
		return NULL;
	GUARD(&hall.handle, e, (handle_close(&hall.handle), NULL), fine = play_one(&hall, t, order ? order : "", &answer));
	if (!fine)
		api_fail(e, MACAW_INPUT, "no order of a match in this tournament");
	char *given = answer.n ? api_give(&answer) : NULL;
	handle_close(&hall.handle);
	return given;
}

/* ---- standings ---- */

struct macaw_standings {
	struct handle handle;
	struct standing s;
	size_t *order; /* players, best mean score first */
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

static bool read_store(macaw_standings *s, const char *file, macaw_error *e)
{
	struct text error = {0};
	struct store *store = store_open(file, false, &error);
	bool fine = store && standing_make(&s->s, store, &error);
	if (fine)
		sort_players(s);
	else
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
	if (!is_named(file, e))
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
	                        .moves = p->moves};
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

char *macaw_standings_plot(const macaw_standings *s, enum macaw_plot plot)
{
	static void (*const plots[])(const struct standing *, struct text *) = {[MACAW_PLOT_CROSS] = standing_plot_cross,
	                                                                        [MACAW_PLOT_ROUNDS] = standing_plot_rounds,
	                                                                        [MACAW_PLOT_CLOCKS] = standing_plot_clocks};
	struct text out = {0};
	if ((unsigned)plot > MACAW_PLOT_CLOCKS)
		return NULL;
	GUARD((struct handle *)&s->handle, NULL, NULL, plots[plot](&s->s, &out));
	return api_give(&out);
}
