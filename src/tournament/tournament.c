/* The plan of a tournament is a list that depends on nothing but its settings; the
 * store says which of its matches have been played. So going on after a kill is the
 * same as beginning.
 *
 * Games with two roles: each ordered pair of players plays once per round, so
 * roles are swapped; both matches of a pair share their seed. With one role every
 * player plays alone; with more, one of a pair takes one role and the other all the
 * rest, in all ways. */
#include "tournament/tournament.h"

#include "base/hash.h"
#include "base/thread.h"
#include "match/record.h"
#include "tournament/ratings.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct fixture {
	uint32_t game;
	double clock;
	uint64_t round, seed;
	char *seating;
};

struct hall {
	const struct tournament *t;
	struct tournament_end *end;
	struct text *error;
	VEC(struct fixture) plan;
	size_t next;
	struct thread_mutex lock;
	struct progress progress;
	pthread_t caller;
	double wins, draws, losses; /* of the first player */
	atomic_bool stop;
	bool failed;
};

/* ---- the plan ------------------------------------------------------------------------------ */

static void add_fixture(struct hall *h, uint32_t game, double clock, uint64_t round, size_t a, size_t b, uint32_t lone)
{
	const struct tournament *t = h->t;
	uint32_t seats = game_players(t->games[game].game);
	struct text words = {0};
	for (uint32_t i = 0; i < seats; i++) {
		text_puts(&words, i ? "," : "");
		text_puts(&words, t->players[i == lone ? a : b]);
	}
	/* the same for both orders of a pair; within what JSON and SQL call an integer */
	const char *name = t->games[game].name;
	uint64_t seed = hash_join(hash_join(t->seed, round), hash_bytes(name, strlen(name)));
	seed = hash_join(seed, (a < b ? a : b) * 1000 + (a < b ? b : a)) >> 12;
	struct fixture f = {game, clock, round, seed, words.at};
	vec_push(&h->plan, f);
}

static void make_plan(struct hall *h)
{
	const struct tournament *t = h->t;
	for (size_t c = 0; c < t->clock_count; c++)
		for (uint64_t round = 0; round < t->rounds; round++)
			for (uint32_t g = 0; g < t->game_count; g++) {
				uint32_t seats = game_players(t->games[g].game);
				for (size_t a = 0; a < t->player_count; a++)
					for (size_t b = 0; b < t->player_count; b++) {
						if (seats == 1 ? a != b : a == b)
							continue;
						for (uint32_t lone = 0; lone < (seats > 2 ? seats : 1); lone++)
							add_fixture(h, g, t->clocks[c], round, a, b, lone);
					}
			}
}

/* ---- results ---------------------------------------------------------------------------------- */

static void count_result(struct hall *h, const struct store_match *m)
{
	const char *first = h->t->players[0];
	if (!h->t->sprt || m->count != 2 || m->scores[0].score < 0 || m->scores[1].score < 0)
		return;
	int by = m->scores[0].score - m->scores[1].score;
	by = strcmp(m->scores[0].player, first) ? -by : by;
	h->wins += by > 0;
	h->draws += by == 0;
	h->losses += by < 0;
	h->end->llr = rating_sprt(h->wins, h->draws, h->losses, h->t->elo0, h->t->elo1);
	if (h->end->llr >= SPRT_BOUND || h->end->llr <= -SPRT_BOUND) {
		h->end->decided = true;
		atomic_store(&h->stop, true);
	}
}

static void count_old(void *context, const struct store_match *m)
{
	count_result(context, m);
}

static struct store_match key_of(const struct hall *h, const struct fixture *f)
{
	return (struct store_match){.game = h->t->games[f->game].name,
	                            .seating = f->seating,
	                            .clock = f->clock,
	                            .round = (int64_t)f->round,
	                            .seed = (int64_t)f->seed};
}

/* False with the reason in h->error. A match that another tournament on this file has played meanwhile is no fault. */
static bool store_result(struct hall *h, const struct store_match *row)
{
	struct text why = {0};
	bool fine = store_add(h->t->store, row, &why) || (!store_at_fault(h->t->store) && store_has(h->t->store, row));
	if (!fine)
		text_puts(h->error, text_str(&why));
	text_free(&why);
	return fine;
}

/* What goes into the store for a match; the names of roles are kept in `names`. */
static void list_scores(const struct game *g, const char *const *players, const struct tournament_outcome *out,
                        struct store_score *scores, struct text *names)
{
	for (uint32_t i = 0; i < game_players(g); i++) {
		game_print_role(g, i + (i >= g->random), &names[i]);
		scores[i] = (struct store_score){text_str(&names[i]), players[i],           out->goals[i],
		                                 (int)out->late[i],   (int)out->illegal[i], (int)out->steps};
	}
}

/* ((mark 1 1) noop) (noop (mark 2 2)) */
static void print_moves(const struct match *m, struct text *out)
{
	uint32_t roles = m->game->roles;
	for (size_t i = 0; i < m->moves.n; i++) {
		text_puts(out, i % roles ? " " : i ? " (" : "(");
		game_print_move(m->game, m->moves.at[i].move, out);
		text_puts(out, (i + 1) % roles ? "" : ")");
	}
}

static void fail(struct hall *h, const char *why)
{
	thread_lock(&h->lock);
	if (!h->failed)
		text_puts(h->error, why);
	h->failed = true;
	atomic_store(&h->stop, true);
	thread_unlock(&h->lock);
}

/* A name for the record of a match: letters, digits and what is harmless in the name of a file. */
static void name_record(const struct tournament *t, const struct tournament_order *f, struct text *path)
{
	struct text name = {0};
	text_printf(&name, "%s_%g%s_%llu_", t->games[f->game].name, fabs(f->clock), f->clock < 0 ? "n" : "s",
	            (unsigned long long)f->round + 1);
	for (uint32_t i = 0; i < f->seats; i++)
		text_printf(&name, "%s%s", i ? "," : "", f->players[i]);
	text_printf(path, "%s/", t->records);
	for (size_t i = 0; i < name.n; i++)
		text_putc(path, isalnum((unsigned char)name.at[i]) || strchr("_.-,=", name.at[i]) ? name.at[i] : '-');
	text_puts(path, ".json");
	text_free(&name);
}

static void write_record(const struct tournament *t, const struct tournament_order *f, const struct match *m,
                         const struct seats *s, const struct referee_options *o, struct text *error)
{
	struct text path = {0}, record = {0};
	if (!t->records)
		return;
	name_record(t, f, &path);
	record_write(m, s, &(struct record_options){.game = t->games[f->game].name, .referee = o, .full = true}, &record);
	FILE *file = fopen(path.at, "wb");
	bool fine = file && fwrite(record.at, 1, record.n, file) == record.n;
	fine = file && !fclose(file) && fine;
	if (!fine)
		text_printf(error, "cannot write %s", path.at);
	text_free(&path);
	text_free(&record);
}

static void write_down(struct hall *h, const struct fixture *f, const struct tournament_order *order,
                       const struct tournament_outcome *out, double seconds)
{
	struct store_score *scores = NEW_ARRAY(struct store_score, order->seats);
	struct text *names = NEW_ARRAY(struct text, order->seats);
	struct store_match row = key_of(h, f);
	list_scores(h->t->games[f->game].game, order->players, out, scores, names);
	row.moves = text_str(&out->moves);
	row.steps = (int64_t)out->steps;
	row.seconds = seconds;
	row.scores = scores;
	row.count = order->seats;
	thread_lock(&h->lock);
	if (!h->failed && !store_result(h, &row)) {
		h->failed = true;
		atomic_store(&h->stop, true);
	}
	h->end->played++;
	count_result(h, &row);
	thread_unlock(&h->lock);
	for (uint32_t i = 0; i < order->seats; i++)
		text_free(&names[i]);
	mem_free(names);
	mem_free(scores);
}

/* ---- playing ------------------------------------------------------------------------------------ */

static bool stopping(const struct hall *h)
{
	return atomic_load(&h->stop) || (h->t->stop && atomic_load(h->t->stop));
}

/* Matches side by side in one process would pay for each other's processor time. */
static bool needs_processes(const struct tournament *t)
{
	return t->isolated || (t->processor_time && t->jobs > 1 && !t->playouts);
}

static void read_outcome(const struct match *m, struct tournament_outcome *out)
{
	const struct game *g = m->game;
	out->steps = m->steps;
	print_moves(m, &out->moves);
	for (uint32_t i = 0; i < game_players(g); i++) {
		uint32_t r = i + (i >= g->random);
		out->goals[i] = m->goals[r];
		out->late[i] = m->late[r];
		out->illegal[i] = m->illegal[r];
	}
}

/* The players in their seats meet; false: broken off, or with a message. */
static bool referee(const struct tournament *t, const struct tournament_order *order, struct seats *s,
                    struct tournament_outcome *out, struct text *error)
{
	struct referee_options o = {.start = t->start,
	                            .clock = order->clock,
	                            .processor_time = t->processor_time,
	                            .playouts = t->playouts,
	                            .seed = order->seed,
	                            .max_steps = t->max_steps,
	                            .stop = t->stop};
	struct match m;
	referee_play(&m, t->games[order->game].game, s->by_role, &o);
	/* one that was broken off is played again another time */
	bool whole = !m.trouble && !(m.cut && t->stop && atomic_load(t->stop));
	if (whole) {
		write_record(t, order, &m, s, &o, error);
		read_outcome(&m, out);
	}
	match_free(&m);
	return whole && !error->n;
}

bool tournament_play(const struct tournament *t, const struct tournament_order *order, struct tournament_outcome *out,
                     struct text *error)
{
	struct seats s;
	struct game *g = t->games[order->game].game;
	struct seats_others others = {.find = t->others_find};
	struct text seating = {0};
	for (uint32_t i = 0; i < order->seats; i++)
		text_printf(&seating, "%s%s", i ? "," : "", order->players[i]);
	if (t->others_open)
		others.context = t->others_open(t->others, g);
	bool played = seats_make_among(&s, g, text_str(&seating), needs_processes(t), order->seed, &others, error);
	if (played) {
		played = referee(t, order, &s, out, error);
		seats_free(&s);
	}
	if (t->others_open)
		t->others_close(others.context);
	text_free(&seating);
	return played;
}

static void play_order(struct hall *h, const struct fixture *f, const struct tournament_order *order,
                       struct tournament_outcome *out)
{
	const struct tournament *t = h->t;
	struct text error = {0};
	double began = clock_now();
	if (t->play_elsewhere ? t->play_elsewhere(t->elsewhere, order, out, &error)
	                      : tournament_play(t, order, out, &error)) {
		write_down(h, f, order, out, clock_now() - began);
	} else if (error.n) {
		struct text why = {0};
		text_printf(&why, "%s: %s", t->games[f->game].name, text_str(&error));
		fail(h, why.at);
		text_free(&why);
	}
	text_free(&error);
}

static void play_fixture(struct hall *h, const struct fixture *f)
{
	uint32_t seats = game_players(h->t->games[f->game].game);
	struct tournament_outcome out = {.goals = NEW_ARRAY(int, seats),
	                                 .late = NEW_ARRAY(uint64_t, seats),
	                                 .illegal = NEW_ARRAY(uint64_t, seats)};
	char *words = text_copy(f->seating, strlen(f->seating)), *at = words;
	const char **players = NEW_ARRAY(const char *, seats);
	for (uint32_t i = 0; i < seats; i++)
		players[i] = strsep(&at, ",");
	play_order(h, f, &(struct tournament_order){f->game, players, seats, f->clock, f->round, f->seed}, &out);
	mem_free(players);
	mem_free(words);
	mem_free(out.goals);
	mem_free(out.late);
	mem_free(out.illegal);
	text_free(&out.moves);
}

/* The next match that has not been played; false: there is none, or it is time to stop. */
static bool next_fixture(struct hall *h, struct fixture **next)
{
	thread_lock(&h->lock);
	size_t i = h->next;
	while (!stopping(h) && i < h->plan.n) {
		struct store_match key = key_of(h, &h->plan.at[i]);
		if (!store_has(h->t->store, &key))
			break;
		h->end->before++;
		i++;
	}
	h->next = i + 1;
	double done = (double)(h->end->before + h->end->played);
	thread_unlock(&h->lock);
	if (pthread_equal(pthread_self(), h->caller))
		progress_step(&h->progress, done, (double)h->plan.n, NULL);
	*next = i < h->plan.n ? &h->plan.at[i] : NULL;
	return *next && !stopping(h);
}

/* Memory ran out in one of the threads: the others need not go on. */
static void stop_others(void *context)
{
	atomic_store(&((struct hall *)context)->stop, true);
}

static void play_some(void *context)
{
	struct hall *h = context;
	struct mem_cleanup failing;
	struct fixture *f;
	mem_cleanup_push(&failing, stop_others, h);
	while (next_fixture(h, &f))
		play_fixture(h, f);
	mem_cleanup_pop(&failing);
}

bool tournament_run(const struct tournament *t, struct tournament_end *end, struct text *error)
{
	struct hall h = {.t = t, .end = end, .error = error, .caller = pthread_self()};
	*end = (struct tournament_end){0};
	thread_mutex_init(&h.lock);
	make_plan(&h);
	end->planned = h.plan.n;
	h.progress = progress_to("matches", t->progress, t->context);
	if (t->sprt)
		h.failed = !store_each(t->store, count_old, &h, error);
	if (!h.failed)
		threads_run(t->jobs ? t->jobs : 1, play_some, &h, 0);
	progress_end(&h.progress);
	end->stopped = t->stop && atomic_load(t->stop);
	for (size_t i = 0; i < h.plan.n; i++)
		mem_free(h.plan.at[i].seating);
	vec_free(&h.plan);
	thread_mutex_free(&h.lock);
	return !h.failed;
}
