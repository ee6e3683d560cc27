/* Formats of tournaments: who is asked to play, what the results make of it, on ten players whose strength is known. */
#include "../play/make_game.h"

#include "base/stats.h"
#include "base/vec.h"
#include "tournament/ranking.h"
#include "tournament/ratings.h"
#include "tournament/tournament.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEN = 10 };

/* ---- agendas with results made up here ----------------------------------------------------------- */

struct log {
	VEC(struct fixture) all;
	VEC(int) scores; /* STORE_SEATS for each */
};

static void log_free(struct log *l)
{
	vec_free(&l->all);
	vec_free(&l->scores);
}

/* Player 0 is the strongest. Two: all or nothing; alone: ten points for each place from the end; four: by rank. */
static void by_strength(const struct fixture *f, int *scores)
{
	for (uint32_t i = 0; i < f->seats; i++) {
		uint32_t better = 0;
		for (uint32_t k = 0; k < f->seats; k++)
			better += f->players[k] < f->players[i];
		scores[i] = f->seats == 1 ? (int)(10 * (TEN - f->players[i])) : (int)(100 - 100 * better / (f->seats - 1));
	}
}

static void always_drawn(const struct fixture *f, int *scores)
{
	for (uint32_t i = 0; i < f->seats; i++)
		scores[i] = 50;
}

typedef void outcome(const struct fixture *f, int *scores);

/* Plays to the end, `side` matches side by side, results in the order they were begun or from the last to the first. */
static void play_all(struct agenda *a, outcome *how, size_t side, bool backwards, struct log *log)
{
	for (;;) {
		VEC(struct fixture) open = {0};
		struct fixture f;
		enum agenda_next next = AGENDA_WAIT;
		while (open.n < side && (next = agenda_take(a, &f)) == AGENDA_PLAY)
			vec_push(&open, f);
		if (!open.n) {
			assert_int_equal(next, AGENDA_OVER);
			vec_free(&open);
			return;
		}
		for (size_t i = 0; i < open.n; i++) {
			const struct fixture *told = &open.at[backwards ? open.n - 1 - i : i];
			int scores[STORE_SEATS] = {0};
			how(told, scores);
			agenda_tell(a, told, scores, 1);
			vec_push(&log->all, *told);
			for (uint32_t k = 0; k < STORE_SEATS; k++)
				vec_push(&log->scores, scores[k]);
		}
		vec_free(&open);
	}
}

/* As the Tiltyard Open of 2015: games for one, two and four, with their matches and weights. */
static const struct plan_game open_2015[] = {
	{"one", 1, 1, 2}, {"two", 2, 6, 0.5}, {"four", 4, 4, 0.5}, {"pair", 2, 3, 1}};
static const double one_clock = 1;

static struct plan swiss_plan(uint32_t final)
{
	return (struct plan){.format = FORMAT_SWISS,
	                     .games = open_2015,
	                     .game_count = 4,
	                     .players = TEN,
	                     .clocks = &one_clock,
	                     .clock_count = 1,
	                     .final = final,
	                     .wins = 3};
}

/* In every match of a game everybody plays once, but for those left over; nobody sits out twice before all others have.
 */
static void nobody_plays_twice(const struct log *l)
{
	for (uint32_t g = 0; g < 4; g++)
		for (uint64_t round = 0; round < open_2015[g].matches; round++) {
			uint32_t seen[TEN] = {0}, sum = 0;
			for (size_t i = 0; i < l->all.n; i++) {
				const struct fixture *f = &l->all.at[i];
				for (uint32_t k = 0; f->game == g && f->round == round && k < f->seats; k++)
					seen[f->players[k]]++;
			}
			for (uint32_t p = 0; p < TEN; p++) {
				assert_true(seen[p] <= 1);
				sum += seen[p];
			}
			assert_int_equal(sum, TEN - TEN % open_2015[g].seats);
		}
	uint32_t fours[TEN] = {0};
	for (size_t i = 0; i < l->all.n; i++)
		for (uint32_t k = 0; k < l->all.at[i].seats && l->all.at[i].seats == 4; k++)
			fours[l->all.at[i].players[k]]++;
	for (uint32_t p = 0; p < TEN; p++) /* eight seats out in four matches, for ten players */
		assert_true(fours[p] == 3 || fours[p] == 4);
}

/* The same sums, made from the list of matches. */
static double points_by_hand(const struct log *l, uint32_t player)
{
	double points = 0;
	for (uint32_t g = 0; g < 4; g++) {
		double sum = 0, n = 0;
		for (size_t i = 0; i < l->all.n; i++)
			for (uint32_t k = 0;
			     l->all.at[i].game == g && l->all.at[i].round < KNOCKOUT_ROUND && k < l->all.at[i].seats; k++)
				if (l->all.at[i].players[k] == player) {
					sum += l->scores.at[i * STORE_SEATS + k];
					n++;
				}
		points += open_2015[g].weight * (n > 0 ? sum / n : 50) * (double)open_2015[g].matches;
	}
	return points;
}

static uint32_t times_met(const struct log *l, uint32_t game, uint32_t a, uint32_t b)
{
	uint32_t n = 0;
	for (size_t i = 0; i < l->all.n; i++) {
		const struct fixture *f = &l->all.at[i];
		bool both = (f->players[0] == a && f->players[1] == b) || (f->players[0] == b && f->players[1] == a);
		n += f->game == game && f->seats == 2 && f->round < KNOCKOUT_ROUND && both;
	}
	return n;
}

static void a_swiss_tournament_of_ten(void **state)
{
	struct text error = {0};
	struct plan p = swiss_plan(0);
	struct agenda *a = agenda_new(&p, &error);
	struct log log = {0};
	uint32_t order[TEN], roles[TEN] = {0};
	assert_non_null(a);
	assert_int_equal(agenda_planned(a), 10 + 6 * 5 + 4 * 2 + 3 * 5);
	assert_false(agenda_ranks(a, order));
	play_all(a, by_strength, 3, false, &log);
	assert_int_equal(log.all.n, 10 + 6 * 5 + 4 * 2 + 3 * 5);
	nobody_plays_twice(&log);
	for (uint32_t i = 0; i < TEN; i++)
		assert_float_equal(agenda_points(a, i, 4), points_by_hand(&log, i), 1e-9);
	/* the strongest has won everything, the weakest nothing but its puzzle */
	assert_float_equal(agenda_points(a, 0, 4), 2 * 100 + 0.5 * 600 + 0.5 * 400 + 300, 1e-9);
	assert_float_equal(agenda_points(a, 9, 4), 2 * 10, 1e-9);
	assert_true(agenda_ranks(a, order));
	assert_int_equal(order[0], 0);
	assert_int_equal(order[1], 1);
	assert_int_equal(order[TEN - 1], 9);
	for (uint32_t i = 1; i < TEN; i++)
		assert_true(agenda_points(a, order[i - 1], 4) >= agenda_points(a, order[i], 4));
	/* meeting again costs more than most differences in strength; and roles are dealt evenly */
	uint32_t again = 0;
	for (uint32_t i = 0; i < TEN; i++)
		for (uint32_t k = 0; k < i; k++) {
			assert_true(times_met(&log, 1, i, k) <= 2);
			again += times_met(&log, 1, i, k) == 2;
		}
	assert_true(again <= 3);
	for (size_t i = 0; i < log.all.n; i++)
		if (log.all.at[i].game == 1)
			roles[log.all.at[i].players[0]]++;
	for (uint32_t i = 0; i < TEN; i++)
		assert_true(roles[i] >= 2 && roles[i] <= 4);
	agenda_free(a);
	log_free(&log);
	text_free(&error);
}

/* After the first match of a game, winners meet winners. */
static void equals_meet(void **state)
{
	struct text error = {0};
	struct plan_game two = {"two", 2, 2, 1};
	struct plan p = swiss_plan(0);
	p.games = &two;
	p.game_count = 1;
	p.players = 8;
	struct agenda *a = agenda_new(&p, &error);
	struct log log = {0};
	int won[8] = {0};
	play_all(a, by_strength, 1, false, &log);
	for (size_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < 2; k++)
			won[log.all.at[i].players[k]] = log.scores.at[i * STORE_SEATS + k];
	for (size_t i = 4; i < 8; i++)
		assert_int_equal(won[log.all.at[i].players[0]], won[log.all.at[i].players[1]]);
	agenda_free(a);
	log_free(&log);
	text_free(&error);
}

static void pairings_do_not_depend_on_the_order_of_results(void **state)
{
	struct text error = {0};
	struct plan p = swiss_plan(4);
	struct log logs[3] = {0};
	for (int i = 0; i < 3; i++) {
		struct agenda *a = agenda_new(&p, &error);
		play_all(a, by_strength, i == 0 ? 1 : 5, i == 2, &logs[i]);
		agenda_free(a);
	}
	for (int i = 1; i < 3; i++) {
		assert_int_equal(logs[i].all.n, logs[0].all.n);
		for (size_t k = 0; k < logs[0].all.n; k++) { /* the same matches, in some order */
			const struct fixture *f = &logs[0].all.at[k];
			size_t same = 0;
			for (size_t j = 0; j < logs[i].all.n; j++) {
				const struct fixture *h = &logs[i].all.at[j];
				same += h->game == f->game && h->round == f->round && h->seed == f->seed && h->seats == f->seats &&
				        !memcmp(h->players, f->players, f->seats * sizeof *f->players);
			}
			assert_int_equal(same, 1);
		}
	}
	for (int i = 0; i < 3; i++)
		log_free(&logs[i]);
	text_free(&error);
}

static void the_best_four_play_the_final(void **state)
{
	struct text error = {0};
	struct plan p = swiss_plan(4);
	struct agenda *a = agenda_new(&p, &error);
	struct log log = {0};
	uint32_t order[TEN], swiss[TEN];
	play_all(a, by_strength, 2, false, &log);
	agenda_swiss_order(a, swiss);
	assert_int_equal(agenda_duels(a), 4); /* two semi-finals, the final, the third place */
	assert_true(agenda_ranks(a, order));
	const struct duel *d = agenda_duel(a, 0);
	assert_int_equal(d->players[0], swiss[0]); /* the first meets the fourth */
	assert_int_equal(d->players[1], swiss[3]);
	assert_int_equal(d->need, 3);
	assert_int_equal(d->played, 3); /* the stronger wins them all */
	d = agenda_duel(a, 2);
	assert_int_equal(d->need, 4);
	assert_false(d->third);
	assert_true(agenda_duel(a, 3)->third);
	for (uint32_t i = 1; i < 4; i++) /* seeds were in the order of strength, so ranks are */
		assert_true(order[i - 1] < order[i]);
	for (uint32_t i = 4; i < TEN; i++) /* the others stay where the qualification put them */
		assert_int_equal(order[i], swiss[i]);
	for (size_t i = 0; i < log.all.n; i++) /* duels are played in games for two, roles swapped */
		if (log.all.at[i].round >= KNOCKOUT_ROUND)
			assert_true(log.all.at[i].seats == 2);
	agenda_free(a);
	log_free(&log);
	text_free(&error);
}

/* ---- knock-out ---- */

static struct plan knockout_plan(uint32_t players)
{
	struct plan p = swiss_plan(0);
	p.format = FORMAT_KNOCKOUT;
	p.players = players;
	return p;
}

static void a_knockout_of_ten(void **state)
{
	struct text error = {0};
	struct plan p = knockout_plan(TEN);
	struct agenda *a = agenda_new(&p, &error);
	struct log log = {0};
	uint32_t order[TEN], lost[TEN] = {0}, seen[TEN] = {0};
	play_all(a, by_strength, 4, true, &log);
	assert_int_equal(agenda_duels(a), 10); /* nine are out after nine, and the third place */
	assert_true(agenda_ranks(a, order));
	for (uint32_t i = 0; i < 4; i++) /* seeds and strength agree: the best four are the last four */
		assert_int_equal(order[i], i);
	for (uint32_t i = 0; i < TEN; i++)
		seen[order[i]]++;
	for (uint32_t i = 0; i < TEN; i++)
		assert_int_equal(seen[i], 1);
	for (size_t i = 0; i < 10; i++) {
		const struct duel *d = agenda_duel(a, i);
		assert_true(d->winner < 2);
		lost[d->players[!d->winner]]++;
		assert_int_equal(d->round == 0, i < 2); /* ten players: two duels, then eight are left */
	}
	assert_int_equal(lost[0], 0);
	for (uint32_t i = 4; i < TEN; i++)
		assert_int_equal(lost[i], 1);
	agenda_free(a);
	log_free(&log);
	text_free(&error);
}

/* Nobody wins a match: after four times the wins that are needed the better seed goes on. */
static void drawn_duels_end(void **state)
{
	struct text error = {0};
	struct plan p = knockout_plan(4);
	p.wins = 2;
	struct agenda *a = agenda_new(&p, &error);
	struct log log = {0};
	uint32_t order[4];
	play_all(a, always_drawn, 2, false, &log);
	assert_int_equal(log.all.n, 3 * 8 + 12);
	assert_true(agenda_ranks(a, order));
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(order[i], i);
	agenda_free(a);
	log_free(&log);
	text_free(&error);
}

static void senseless_plans_are_refused(void **state)
{
	static const struct plan_game alone[] = {{"one", 1, 1, 1}}, many[] = {{"four", 4, 1, 1}};
	static const double clocks[] = {1, 2};
	struct {
		struct plan p;
		const char *why;
	} all[] = {{knockout_plan(TEN), "needs a game for two"},
	           {knockout_plan(1), "needs two players"},
	           {swiss_plan(1), "the final is for"},
	           {swiss_plan(11), "the final is for"},
	           {swiss_plan(0), "one clock"},
	           {swiss_plan(0), "is for 4 players"}};
	all[0].p.games = alone;
	all[0].p.game_count = 1;
	all[4].p.clocks = clocks;
	all[4].p.clock_count = 2;
	all[5].p.games = many;
	all[5].p.game_count = 1;
	all[5].p.players = 3;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct text error = {0};
		assert_null(agenda_new(&all[i].p, &error));
		if (!strstr(text_str(&error), all[i].why))
			fail_msg("%zu: %s", i, text_str(&error));
		text_free(&error);
	}
}

/* ---- cells ------------------------------------------------------------------------------------- */

static const struct plan_game pair_game = {"two", 2, 0, 0};

static struct plan cells_plan(uint32_t players)
{
	return (struct plan){.format = FORMAT_ROUND_ROBIN,
	                     .games = &pair_game,
	                     .game_count = 1,
	                     .players = players,
	                     .clocks = &one_clock,
	                     .clock_count = 1,
	                     .rounds = 10000};
}

/* 0 beats everybody; 1 and 2 win with the first role. */
static void two_kinds(const struct fixture *f, int *scores)
{
	bool first = f->players[0] == 0 || f->players[1] != 0;
	scores[0] = first ? 100 : 0;
	scores[1] = first ? 0 : 100;
}

static uint64_t count_pair(const struct log *l, uint32_t a, uint32_t b)
{
	uint64_t n = 0;
	for (size_t i = 0; i < l->all.n; i++) {
		const uint32_t *p = l->all.at[i].players;
		n += (p[0] == a && p[1] == b) || (p[0] == b && p[1] == a);
	}
	return n;
}

/* The first number of matches, two by two, at which the interval is narrow enough. */
static uint64_t enough(double share, double until)
{
	for (uint64_t n = 2;; n += 2) {
		struct interval i = stats_wilson(share, (double)n);
		if (50 * (i.high - i.low) <= until)
			return n;
	}
}

static void cells_end_at_their_half_width(void **state)
{
	struct text error = {0};
	struct plan p = cells_plan(3);
	struct log log = {0};
	p.until = 5;
	struct agenda *a = agenda_new(&p, &error);
	assert_int_equal(agenda_planned(a), 0);
	play_all(a, two_kinds, 4, true, &log);
	assert_int_equal(count_pair(&log, 0, 1), enough(1, 5));
	assert_int_equal(count_pair(&log, 0, 2), enough(1, 5));
	assert_int_equal(count_pair(&log, 1, 2), enough(0.5, 5));
	assert_true(enough(0.5, 5) > 370 && enough(0.5, 5) < 400); /* as tables have it */
	agenda_free(a);
	/* a test that is sure earlier ends a cell earlier */
	struct log tested = {0};
	p.sprt = true;
	p.elo1 = 100;
	a = agenda_new(&p, &error);
	play_all(a, two_kinds, 4, true, &tested);
	assert_true(count_pair(&tested, 0, 1) < enough(1, 5));
	assert_true(count_pair(&tested, 1, 2) < enough(0.5, 5));
	assert_true(count_pair(&tested, 1, 2) % 2 == 0);
	agenda_free(a);
	log_free(&log);
	log_free(&tested);
	text_free(&error);
}

static void the_bound_of_rounds_holds(void **state)
{
	struct text error = {0};
	struct plan p = cells_plan(3);
	struct log log = {0};
	p.until = 0.1;
	p.rounds = 7;
	struct agenda *a = agenda_new(&p, &error);
	play_all(a, two_kinds, 3, false, &log);
	assert_int_equal(log.all.n, 3 * 14);
	agenda_free(a);
	log_free(&log);
	/* a gauntlet leaves out those among the others */
	struct log first = {0};
	p.format = FORMAT_GAUNTLET;
	p.until = 0;
	a = agenda_new(&p, &error);
	assert_int_equal(agenda_planned(a), 2 * 14);
	play_all(a, two_kinds, 3, false, &first);
	assert_int_equal(count_pair(&first, 1, 2), 0);
	assert_int_equal(first.all.n, 2 * 14);
	agenda_free(a);
	log_free(&first);
	text_free(&error);
}

/* Matches of one cell take ten times as long: it gets a tenth of the matches, and as much time. */
static void time_is_spread_evenly(void **state)
{
	struct text error = {0};
	struct plan p = cells_plan(3);
	p.even = true;
	struct agenda *a = agenda_new(&p, &error);
	double spent[3] = {0}, all = 0;
	while (all < 3000) {
		struct fixture f;
		int scores[2] = {100, 0};
		assert_int_equal(agenda_take(a, &f), AGENDA_PLAY);
		uint32_t cell = f.players[0] + f.players[1] - 1;
		double seconds = cell == 1 ? 10 : 1;
		agenda_tell(a, &f, scores, seconds);
		spent[cell] += seconds;
		all += seconds;
	}
	for (int i = 0; i < 3; i++)
		assert_true(fabs(spent[i] - 1000) < 25);
	agenda_free(a);
	text_free(&error);
}

static void who_plays_one_at_a_time_does(void **state)
{
	static const bool exclusive[3] = {true, false, false};
	struct text error = {0};
	struct plan p = cells_plan(3);
	struct fixture open[64];
	p.exclusive = exclusive;
	p.rounds = 1;
	struct agenda *a = agenda_new(&p, &error);
	size_t n = 0, at_once = 0;
	while (agenda_take(a, &open[n]) == AGENDA_PLAY)
		n++;
	for (size_t i = 0; i < n; i++)
		at_once += open[i].players[0] == 0 || open[i].players[1] == 0;
	assert_int_equal(at_once, 1);
	assert_int_equal(n, 3); /* and both of the others */
	assert_int_equal(agenda_take(a, &open[n]), AGENDA_WAIT);
	agenda_free(a);
	text_free(&error);
}

/* ---- with a store, players that are made here, and a kill --------------------------------------- */

/* Whoever bids more wins. */
#define BIDDING \
	"(role a) (role b) (init open) (bids 0) (bids 1) (bids 2) (bids 3) (bids 4) (bids 5) (bids 6) (bids 7) (bids 8)\n" \
	"(bids 9) (<= (legal ?r (bid ?n)) (role ?r) (bids ?n) (true open)) (<= (next (made ?r ?n)) (does ?r (bid ?n)))\n" \
	"(above 1 0) (above 2 1) (above 3 2) (above 4 3) (above 5 4) (above 6 5) (above 7 6) (above 8 7) (above 9 8)\n" \
	"(<= (more ?x ?y) (above ?x ?y)) (<= (more ?x ?z) (above ?x ?y) (more ?y ?z))\n" \
	"(<= terminal (true (made ?r ?n))) (<= (won ?r) (true (made ?r ?x)) (true (made ?s ?y)) (distinct ?r ?s)\n" \
	"(more ?x ?y)) (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))\n"

static const char *const bidders[] = {"p3", "p9", "p0", "p6", "p1", "p8", "p2", "p7", "p5", "p4"};

static unsigned pause_us; /* that a move takes */

static uint32_t bid(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	usleep(pause_us);
	return t->legal[(uintptr_t)self];
}

static enum seats_found find_bidder(void *context, struct seats *s, uint32_t role, const char *word, uint64_t seed,
                                    struct text *error)
{
	if (word[0] != 'p')
		return SEATS_UNKNOWN;
	seats_give(s, role, word, (struct contestant){.self = (void *)(uintptr_t)(word[1] - '0'), .move = bid});
	return SEATS_FOUND;
}

static void *open_bidders(void *context, struct game *g, double clock)
{
	return NULL;
}

static void close_bidders(void *opened, const struct match *m)
{
}

/* Swiss system and final of the ten, as far as it gets. */
static void hold(struct game *g, const char *path)
{
	struct text error = {0};
	struct tournament_game game = {"bidding", g, 5, 1};
	double clock = 10;
	struct tournament t = {.games = &game,
	                       .game_count = 1,
	                       .players = bidders,
	                       .player_count = TEN,
	                       .others = {open_bidders, find_bidder, close_bidders, NULL},
	                       .format = FORMAT_SWISS,
	                       .clocks = &clock,
	                       .clock_count = 1,
	                       .seed = 5,
	                       .jobs = 2,
	                       .max_steps = 10,
	                       .final = 4,
	                       .wins = 3,
	                       .store = store_open(path, true, &error)};
	struct plan_game planned = {"bidding", 2, 5, 1};
	struct plan plan = {.format = FORMAT_SWISS,
	                    .games = &planned,
	                    .game_count = 1,
	                    .players = TEN,
	                    .clocks = &clock,
	                    .clock_count = 1,
	                    .seed = 5,
	                    .final = 4,
	                    .wins = 3};
	struct tournament_end end;
	if (!t.store || !store_setting(t.store, "format", "swiss", &error) ||
	    !ranking_keep(t.store, &plan, bidders, &error) || !tournament_run(&t, &end, &error))
		fail_msg("%s", text_str(&error));
	store_close(t.store);
	text_free(&error);
}

static void count_match(void *context, const struct store_match *m)
{
	++*(uint64_t *)context;
}

static uint64_t stored(const char *path)
{
	struct text error = {0};
	uint64_t n = 0;
	struct store *s = access(path, R_OK) ? NULL : store_open(path, false, &error);
	if (s)
		store_each(s, count_match, &n, &error);
	store_close(s);
	text_free(&error);
	return n;
}

static void read_ranks(const char *path, char ranks[TEN][4])
{
	struct text error = {0};
	struct ranking r;
	struct store *s = store_open(path, false, &error);
	assert_true(ranking_read(&r, s, &error));
	assert_non_null(r.ranks);
	for (uint32_t i = 0; i < TEN; i++)
		snprintf(ranks[i], 4, "%s", r.players[r.ranks[i]]);
	ranking_free(&r);
	store_close(s);
	text_free(&error);
}

static void a_swiss_tournament_goes_on_after_a_kill(void **state)
{
	struct made m = make_game(BIDDING);
	char whole[64], killed[64], ranks[2][TEN][4] = {0};
	snprintf(whole, sizeof whole, "/tmp/macaw-swiss-%d.db", (int)getpid());
	snprintf(killed, sizeof killed, "/tmp/macaw-killed-%d.db", (int)getpid());
	unlink(whole);
	unlink(killed);
	hold(m.game, whole);
	pid_t pid = fork();
	if (!pid) {
		pause_us = 20000;
		hold(m.game, killed);
		_exit(0);
	}
	for (int i = 0; i < 5000 && stored(killed) < 7; i++)
		usleep(2000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	uint64_t before = stored(killed);
	assert_true(before >= 7 && before < stored(whole));
	hold(m.game, killed);
	assert_int_equal(stored(killed), stored(whole));
	read_ranks(whole, ranks[0]);
	read_ranks(killed, ranks[1]);
	assert_memory_equal(ranks[0], ranks[1], sizeof ranks[0]);
	assert_string_equal(ranks[0][0], "p9"); /* who bids most */
	assert_string_equal(ranks[0][TEN - 1], "p0");
	unlink(whole);
	unlink(killed);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_swiss_tournament_of_ten),
		cmocka_unit_test(equals_meet),
		cmocka_unit_test(pairings_do_not_depend_on_the_order_of_results),
		cmocka_unit_test(the_best_four_play_the_final),
		cmocka_unit_test(a_knockout_of_ten),
		cmocka_unit_test(drawn_duels_end),
		cmocka_unit_test(senseless_plans_are_refused),
		cmocka_unit_test(cells_end_at_their_half_width),
		cmocka_unit_test(the_bound_of_rounds_holds),
		cmocka_unit_test(time_is_spread_evenly),
		cmocka_unit_test(who_plays_one_at_a_time_does),
		cmocka_unit_test(a_swiss_tournament_goes_on_after_a_kill),
	};
	return RUN(cases);
}
