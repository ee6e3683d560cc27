/* Tournaments for others: played into a store. */
#include "api/tournament_internal.h"
#include "base/version.h"
#include "tournament/commit.h"
#include "tournament/order.h"
#include "tournament/ranking.h"
#include "tournament/ratings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- playing ---- */

static const double standard_clock = 0.1;

/* The players in their order, for whoever reads the file. */
static void list_players(const struct tournament *t, struct text *out)
{
	for (size_t i = 0; i < t->player_count; i++)
		text_printf(out, "%s%s", i ? "," : "", t->players[i]);
}

static bool keep_count(struct store *store, const char *key, uint64_t number, struct text *error)
{
	char word[32];
	snprintf(word, sizeof word, "%llu", (unsigned long long)number);
	return store_setting(store, key, word, error);
}

static bool keep_seconds(struct store *store, const char *key, double seconds, struct text *error)
{
	char word[40];
	snprintf(word, sizeof word, "%g", seconds);
	return store_setting(store, key, word, error);
}

/* The rules of all games, so that matches can be shown again wherever the file is. */
static bool keep_rules(struct store *store, const struct tournament *t, struct text *error)
{
	bool fine = true;
	for (size_t i = 0; i < t->game_count && fine; i++) {
		struct text rules = {0};
		gdl_print(t->games[i].game->rules, GDL_KIF, &rules);
		fine = store_rules(store, t->games[i].name, text_str(&rules), error);
		text_free(&rules);
	}
	return fine;
}

/* What may differ from call to call. */
static bool note_call(struct store *store, const struct tournament *t, const char *command, struct text *error)
{
	char host[256] = "", until[40] = "", test[80] = "";
	struct text players = {0};
	gethostname(host, sizeof host - 1);
	if (t->until > 0)
		snprintf(until, sizeof until, "%g", t->until);
	if (t->sprt)
		snprintf(test, sizeof test, "%g,%g", t->elo0, t->elo1);
	list_players(t, &players);
	bool fine = store_put_setting(store, "players", text_str(&players), error) &&
	            store_put_setting(store, "until", until, error) && store_put_setting(store, "sprt", test, error) &&
	            store_begin(store, &(struct store_run){NULL, MACAW_VERSION, MACAW_COMMIT, host, command}, error);
	text_free(&players);
	return fine;
}

/* Swiss system and knock-out: everything that pairings depend on. */
static bool keep_plan(struct store *store, const struct tournament *t, struct text *error)
{
	struct plan plan = {.format = t->format,
	                    .game_count = t->game_count,
	                    .players = (uint32_t)t->player_count,
	                    .clocks = t->clocks,
	                    .seed = t->seed,
	                    .final = t->final,
	                    .wins = t->wins};
	struct plan_game *games = NEW_ARRAY(struct plan_game, t->game_count);
	if (t->format < FORMAT_SWISS) {
		mem_free(games);
		return true;
	}
	for (size_t i = 0; i < t->game_count; i++)
		games[i] = (struct plan_game){t->games[i].name, game_players(t->games[i].game), t->games[i].matches,
		                              t->games[i].weight};
	plan.games = games;
	bool fine = ranking_keep(store, &plan, t->players, error);
	mem_free(games);
	return fine;
}

/* What must not change when a tournament goes on. */
static bool agree(struct store *store, const struct tournament *t, struct text *error)
{
	return keep_count(store, "playouts", t->playouts, error) && keep_count(store, "seed", t->seed, error) &&
	       keep_seconds(store, "start", t->start, error) &&
	       store_setting(store, "clock-of", t->processor_time ? "cpu" : "wall", error) &&
	       store_setting(store, "setting", t->published ? "published" : "shipped", error) &&
	       store_setting(store, "format", agenda_formats[t->format], error) && keep_rules(store, t, error) &&
	       keep_plan(store, t, error);
}

static uint32_t processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (uint32_t)n : 1;
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

#define UNTIL_ROUNDS 100000
#define ROUNDS 10
#define WINS 3

static void prepare(struct hall *h, const macaw_tournament *t, struct outside *outside)
{
	uint64_t rounds = t->rounds ? t->rounds : t->until > 0 ? UNTIL_ROUNDS : ROUNDS;
	bool network = outside_has_network(outside);
	h->games = NEW_ARRAY(struct tournament_game, t->game_count + 1);
	for (size_t i = 0; i < t->game_count; i++)
		h->games[i] = (struct tournament_game){macaw_game_name(t->games[i]), api_game(t->games[i]),
		                                       t->matches ? t->matches[i] : rounds, t->weights ? t->weights[i] : 1};
	h->asked = t;
	h->counted = -(double)t->playouts;
	bool standard = t->playouts || !t->clock_count;
	h->inside = (struct tournament){.games = h->games,
	                                .game_count = t->game_count,
	                                .players = t->players,
	                                .player_count = t->player_count,
	                                .others = outside_others(outside),
	                                .exclusive = outside_exclusive(outside),
	                                .format = (enum agenda_format)t->format,
	                                .clocks = t->playouts ? &h->counted
	                                          : standard  ? &standard_clock
	                                                      : t->clocks,
	                                .clock_count = standard ? 1 : t->clock_count,
	                                .start = t->start > 0 ? t->start
	                                         : network    ? OUTSIDE_START
	                                                      : 0,
	                                .grace = network ? OUTSIDE_GRACE : 0,
	                                .playouts = t->playouts,
	                                .rounds = rounds,
	                                .seed = t->seed,
	                                .jobs = t->jobs ? t->jobs : processors(),
	                                .max_steps = t->max_steps ? t->max_steps : 1000,
	                                .isolated = t->isolated,
	                                .processor_time = t->processor_time,
	                                .published = t->setting == MACAW_PUBLISHED,
	                                .records = t->records,
	                                .until = t->until,
	                                .seconds = t->seconds,
	                                .sprt = t->sequential,
	                                .elo0 = t->elo0,
	                                .elo1 = t->elo1,
	                                .final = t->final,
	                                .wins = t->wins ? t->wins : WINS,
	                                .progress = t->progress,
	                                .context = t->context,
	                                .stop = (atomic_bool *)t->stop};
	if (t->elsewhere) {
		h->inside.play_elsewhere = play_elsewhere;
		h->inside.elsewhere = h;
	}
}

static void answer_order(const struct tournament *t, const struct tournament_order *order, struct text *answer)
{
	struct text error = {0};
	struct tournament_outcome out = {.goals = NEW_ARRAY(int, order->seats),
	                                 .late = NEW_ARRAY(uint64_t, order->seats),
	                                 .illegal = NEW_ARRAY(uint64_t, order->seats),
	                                 .work = NEW_ARRAY(struct counters, order->seats)};
	if (tournament_play(t, order, &out, &error))
		outcome_print(&out, order->seats, answer);
	else if (error.n)
		text_printf(answer, "%c%s", REFUSED, text_str(&error));
	mem_free(out.goals);
	mem_free(out.late);
	mem_free(out.illegal);
	mem_free(out.work);
	text_free(&out.moves);
	text_free(&error);
}

static bool play_one(struct hall *h, const macaw_tournament *t, const char *text, struct text *answer, macaw_error *e)
{
	struct outside *outside = outside_open(t, e);
	struct tournament_order order;
	const char **players = NULL;
	char *copy = text_copy(text, strlen(text));
	if (outside)
		prepare(h, t, outside);
	bool fine = outside && order_read(&h->inside, copy, &order, &players);
	if (fine)
		answer_order(&h->inside, &order, answer);
	mem_free(players);
	mem_free(copy);
	mem_free(h->games);
	outside_close(outside);
	return fine;
}

static bool play_into(struct hall *h, const macaw_tournament *t, const char *file, struct tournament_end *end,
                      macaw_error *e)
{
	struct text error = {0};
	enum macaw_status status = MACAW_OK;
	struct store *store = store_open(file, true, &error);
	h->inside.store = store;
	if (!store)
		status = MACAW_MACHINE;
	else if (!agree(store, &h->inside, &error) || !note_call(store, &h->inside, t->command, &error))
		status = MACAW_USAGE;
	else if (!tournament_run(&h->inside, end, &error))
		status = MACAW_INPUT;
	if (status)
		api_fail_text(e, store && store_at_fault(store) ? MACAW_MACHINE : status, &error);
	store_close(store);
	text_free(&error);
	return !status;
}

static bool play(struct hall *h, const macaw_tournament *t, const char *file, struct tournament_end *end,
                 macaw_error *e)
{
	struct outside *outside = outside_open(t, e);
	if (!outside)
		return false;
	prepare(h, t, outside);
	bool fine = play_into(h, t, file, end, e);
	outside_close(outside);
	mem_free(h->games);
	return fine;
}

bool api_is_named(const char *file, macaw_error *e)
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

/* Why the options do not go together; NULL: they do. */
static const char *format_trouble(const macaw_tournament *t)
{
	bool pairings = t->format == MACAW_ROUND_ROBIN || t->format == MACAW_GAUNTLET;
	if ((unsigned)t->format > MACAW_KNOCKOUT)
		return "there is no format with this number";
	if (t->sequential && !pairings)
		return "a sequential test is for pairings, not for a Swiss system or a knock-out";
	if (t->until > 0 && !pairings)
		return "a half-width is for pairings, not for a Swiss system or a knock-out";
	if (t->final && t->format != MACAW_SWISS)
		return "a final follows a Swiss system";
	return NULL;
}

static bool is_sensible(const macaw_tournament *t, macaw_error *e)
{
	const char *why = !t || !t->game_count || !t->player_count ? "a tournament needs games and players"
	                  : t->sequential && t->player_count != 2 && t->until <= 0
	                      ? "a sequential test is for two players, or with a half-width for each cell"
	                  : t->sequential && !(t->elo1 > t->elo0) ? "of the two Elo differences the second must be larger"
	                  : t->setting == MACAW_PUBLISHED && !t->playouts
	                      ? "as published, players have a number of playouts for a move"
	                  : format_trouble(t) ? format_trouble(t)
	                                      : own_trouble(t);
	if (why) {
		api_fail(e, MACAW_USAGE, "%s", why);
		return false;
	}
	for (size_t i = 0; i < t->game_count; i++)
		if (macaw_game_players(t->games[i]) > STORE_SEATS) {
			api_fail(e, MACAW_USAGE, "%s is for %u players, and a tournament holds %d at most",
			         macaw_game_name(t->games[i]), macaw_game_players(t->games[i]), STORE_SEATS);
			return false;
		}
	for (size_t i = 0; i < t->game_count; i++)
		if (t->player_count < 2 && macaw_game_players(t->games[i]) > 1) {
			api_fail(e, MACAW_USAGE, "%s is for %u players: a tournament in it needs two or more",
			         macaw_game_name(t->games[i]), macaw_game_players(t->games[i]));
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
	if (!api_is_named(file, e) || !is_sensible(t, e) || !handle_open(&hall.handle, e))
		return false;
	GUARD(&hall.handle, e, (handle_close(&hall.handle), false), fine = play(&hall, t, file, &inside, e));
	handle_close(&hall.handle);
	*end = (macaw_tournament_end){.planned = inside.planned,
	                              .before = inside.before,
	                              .played = inside.played,
	                              .stopped = inside.stopped,
	                              .out_of_time = inside.out_of_time,
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
	GUARD(&hall.handle, e, (handle_close(&hall.handle), NULL),
	      fine = play_one(&hall, t, order ? order : "", &answer, e));
	if (!fine && !(e && e->status))
		api_fail(e, MACAW_INPUT, "no order of a match in this tournament");
	char *given = answer.n ? api_give(&answer) : NULL;
	handle_close(&hall.handle);
	return given;
}
