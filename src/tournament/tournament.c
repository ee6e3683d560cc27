/* Jobs take fixtures from the agenda and play them. A fixture that is in the store already is not played: its result
 * is told to the agenda. So going on after a kill is the same as beginning. */
#include "tournament/tournament.h"

#include "base/thread.h"
#include "match/record.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct hall {
	const struct tournament *t;
	struct tournament_end *end;
	struct text *error;
	struct plan_game *games;
	struct plan plan;
	struct agenda *agenda;
	struct thread_mutex lock;
	pthread_cond_t change; /* a result was told */
	struct progress progress;
	pthread_t caller;
	double deadline; /* 0: none */
	atomic_bool stop;
	bool failed;
};

/* ---- results ---------------------------------------------------------------------------------- */

/* The players by seat, joined by commas. */
static void print_seating(const struct hall *h, const struct fixture *f, struct text *out)
{
	for (uint32_t i = 0; i < f->seats; i++)
		text_printf(out, "%s%s", i ? "," : "", h->t->players[f->players[i]]);
}

static struct store_match key_of(const struct hall *h, const struct fixture *f, const struct text *seating)
{
	return (struct store_match){.game = h->t->games[f->game].name,
	                            .seating = text_str(seating),
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

static struct store_work work_of(const struct counters *c)
{
	return (struct store_work){.choices = (int64_t)c->choices,
	                           .playouts = (int64_t)c->playouts,
	                           .nodes = (int64_t)c->nodes,
	                           .rounds = (int64_t)c->rounds,
	                           .by_network = (int64_t)c->by_network,
	                           .by_circuit = (int64_t)c->by_circuit,
	                           .by_list = (int64_t)c->by_list,
	                           .thought = c->seconds};
}

/* What goes into the store for a match; the names of roles are kept in `names`. */
static void list_scores(const struct hall *h, const struct fixture *f, const struct tournament_outcome *out,
                        struct store_score *scores, struct text *names)
{
	const struct game *g = h->t->games[f->game].game;
	for (uint32_t i = 0; i < f->seats; i++) {
		game_print_role(g, i + (i >= g->random), &names[i]);
		scores[i] = (struct store_score){.role = text_str(&names[i]),
		                                 .player = h->t->players[f->players[i]],
		                                 .score = out->goals[i],
		                                 .late = (int)out->late[i],
		                                 .illegal = (int)out->illegal[i],
		                                 .moves = (int)out->steps,
		                                 .work = work_of(&out->work[i])};
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

static void write_down(struct hall *h, const struct fixture *f, const struct tournament_outcome *out, double seconds)
{
	struct store_score scores[STORE_SEATS];
	struct text names[STORE_SEATS] = {0}, seating = {0};
	print_seating(h, f, &seating);
	list_scores(h, f, out, scores, names);
	struct store_match row = key_of(h, f, &seating);
	row.moves = text_str(&out->moves);
	row.steps = (int64_t)out->steps;
	row.seconds = seconds;
	row.scores = scores;
	row.count = f->seats;
	thread_lock(&h->lock);
	if (!h->failed && !store_result(h, &row)) {
		h->failed = true;
		atomic_store(&h->stop, true);
	}
	h->end->played++;
	agenda_tell(h->agenda, f, out->goals, seconds);
	pthread_cond_broadcast(&h->change);
	thread_unlock(&h->lock);
	for (uint32_t i = 0; i < f->seats; i++)
		text_free(&names[i]);
	text_free(&seating);
}

/* ---- playing one match -------------------------------------------------------------------------- */

/* A name for the record of a match: letters, digits and what is harmless in the name of a file. */
static void name_record(const struct tournament *t, const struct tournament_order *o, struct text *path)
{
	struct text name = {0};
	text_printf(&name, "%s_%g%s_%llu_", t->games[o->game].name, fabs(o->clock), o->clock < 0 ? "n" : "s",
	            (unsigned long long)o->round + 1);
	for (uint32_t i = 0; i < o->seats; i++)
		text_printf(&name, "%s%s", i ? "," : "", o->players[i]);
	text_printf(path, "%s/", t->records);
	for (size_t i = 0; i < name.n; i++)
		text_putc(path, isalnum((unsigned char)name.at[i]) || strchr("_.-,=", name.at[i]) ? name.at[i] : '-');
	text_puts(path, ".json");
	text_free(&name);
}

static void write_record(const struct tournament *t, const struct tournament_order *order, const struct match *m,
                         const struct seats *s, const struct referee_options *o, struct text *error)
{
	struct text path = {0}, record = {0};
	if (!t->records)
		return;
	name_record(t, order, &path);
	record_write(m, s, &(struct record_options){.game = t->games[order->game].name, .referee = o, .full = true},
	             &record);
	FILE *file = fopen(path.at, "wb");
	bool fine = file && fwrite(record.at, 1, record.n, file) == record.n;
	fine = file && !fclose(file) && fine;
	if (!fine)
		text_printf(error, "cannot write %s", path.at);
	text_free(&path);
	text_free(&record);
}

static bool is_interrupted(const struct tournament *t)
{
	return t->stop && atomic_load(t->stop);
}

/* Matches side by side in one process would pay for each other's processor time. */
static bool needs_processes(const struct tournament *t)
{
	return t->isolated || (t->processor_time && t->jobs > 1 && !t->playouts);
}

static void read_outcome(const struct match *m, const struct seats *s, struct tournament_outcome *out)
{
	const struct game *g = m->game;
	out->steps = m->steps;
	print_moves(m, &out->moves);
	for (uint32_t i = 0; i < game_players(g); i++) {
		uint32_t r = i + (i >= g->random);
		const struct counters *c = seats_counters(s, r);
		out->goals[i] = m->goals[r];
		out->late[i] = m->late[r];
		out->illegal[i] = m->illegal[r];
		if (c)
			out->work[i] = *c;
	}
}

/* Everybody in their seats; false with a message. */
static bool sit_down(const struct tournament *t, const struct tournament_order *order,
                     const struct seats_others *others, struct seats *s, struct text *error)
{
	struct game *g = t->games[order->game].game;
	struct seats_how how = {needs_processes(t), t->published, order->seed, others};
	bool fine = true;
	seats_open(s, g);
	for (uint32_t i = 0; i < order->seats && fine; i++)
		fine = seats_word(s, i + (i >= g->random), order->players[i], &how, error);
	if (!fine)
		seats_free(s);
	return fine;
}

/* The players in their seats meet; false: broken off, or with a message. */
static bool meet(const struct tournament *t, const struct tournament_order *order, const struct seats *s,
                 struct match *m, struct tournament_outcome *out, struct text *error)
{
	struct referee_options o = {.start = t->start,
	                            .clock = order->clock,
	                            .grace = t->grace,
	                            .processor_time = t->processor_time,
	                            .playouts = t->playouts,
	                            .seed = order->seed,
	                            .max_steps = t->max_steps,
	                            .stop = t->stop};
	referee_play(m, t->games[order->game].game, s->by_role, &o);
	if (m->trouble)
		text_puts(error, m->trouble);
	/* one that was broken off is played again another time */
	if (m->trouble || (m->cut && is_interrupted(t)))
		return false;
	write_record(t, order, m, s, &o, error);
	read_outcome(m, s, out);
	return !error->n;
}

bool tournament_play(const struct tournament *t, const struct tournament_order *order, struct tournament_outcome *out,
                     struct text *error)
{
	struct seats s;
	struct match m = {0};
	struct seats_others others = {.find = t->others.find};
	if (t->others.open)
		others.context = t->others.open(t->others.context, t->games[order->game].game, order->clock);
	bool played = sit_down(t, order, &others, &s, error);
	if (played) {
		played = meet(t, order, &s, &m, out, error);
		seats_free(&s);
	}
	if (t->others.open)
		t->others.close(others.context, m.game ? &m : NULL);
	if (m.game)
		match_free(&m);
	return played;
}

static void play_fixture(struct hall *h, const struct fixture *f)
{
	const struct tournament *t = h->t;
	const char *players[STORE_SEATS];
	int goals[STORE_SEATS];
	uint64_t late[STORE_SEATS], illegal[STORE_SEATS];
	struct tournament_outcome out = {.goals = goals, .late = late, .illegal = illegal};
	struct tournament_order order = {f->game, players, f->seats, f->clock, f->round, f->seed};
	struct text error = {0};
	double began = clock_now();
	for (uint32_t i = 0; i < f->seats; i++)
		players[i] = t->players[f->players[i]];
	out.work = NEW_ARRAY(struct counters, f->seats);
	if (t->play_elsewhere ? t->play_elsewhere(t->elsewhere, &order, &out, &error)
	                      : tournament_play(t, &order, &out, &error)) {
		write_down(h, f, &out, clock_now() - began);
	} else if (error.n || !is_interrupted(t)) {
		struct text why = {0};
		text_printf(&why, "%s: %s", t->games[f->game].name, error.n ? text_str(&error) : "the match was broken off");
		fail(h, why.at);
		text_free(&why);
	}
	mem_free(out.work);
	text_free(&out.moves);
	text_free(&error);
}

/* ---- jobs --------------------------------------------------------------------------------------- */

#define LOOK_SECONDS 0.05 /* how soon a job that waits for others notices an interrupt */

/* A result that is in the store already is told, and true returned. The lock is held. */
static bool is_known(struct hall *h, const struct fixture *f)
{
	int scores[STORE_SEATS];
	double seconds = 0;
	struct text seating = {0};
	print_seating(h, f, &seating);
	struct store_match key = key_of(h, f, &seating);
	bool known = store_find(h->t->store, &key, scores, f->seats, &seconds);
	text_free(&seating);
	if (known) {
		h->end->before++;
		agenda_tell(h->agenda, f, scores, seconds);
		pthread_cond_broadcast(&h->change);
	}
	return known;
}

static bool is_late(const struct hall *h)
{
	return h->deadline > 0 && clock_now() >= h->deadline;
}

static bool stopping(struct hall *h)
{
	h->end->out_of_time |= is_late(h);
	return h->end->out_of_time || atomic_load(&h->stop) || is_interrupted(h->t);
}

/* The next match that has not been played; false: there is none, or it is time to stop. The lock is held. */
static bool find_next(struct hall *h, struct fixture *f)
{
	while (!atomic_load(&h->stop) && !is_interrupted(h->t)) {
		enum agenda_next next = AGENDA_WAIT;
		/* what is known costs no time */
		while (!is_interrupted(h->t) && (next = agenda_take(h->agenda, f)) == AGENDA_PLAY && is_known(h, f))
			;
		if (next == AGENDA_OVER || (next == AGENDA_PLAY && stopping(h)))
			return false;
		if (next == AGENDA_PLAY)
			return true;
		thread_wait_until(&h->change, &h->lock, clock_now() + LOOK_SECONDS);
		if (stopping(h))
			return false;
	}
	return false;
}

static bool next_fixture(struct hall *h, struct fixture *f)
{
	thread_lock(&h->lock);
	bool found = find_next(h, f);
	double done = (double)(h->end->before + h->end->played), all = (double)agenda_planned(h->agenda);
	thread_unlock(&h->lock);
	if (pthread_equal(pthread_self(), h->caller))
		progress_step(&h->progress, done, all, NULL);
	return found;
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
	struct fixture f;
	mem_cleanup_push(&failing, stop_others, h);
	while (next_fixture(h, &f))
		play_fixture(h, &f);
	mem_cleanup_pop(&failing);
}

static void make_plan(struct hall *h)
{
	const struct tournament *t = h->t;
	h->games = NEW_ARRAY(struct plan_game, t->game_count);
	for (size_t i = 0; i < t->game_count; i++)
		h->games[i] = (struct plan_game){t->games[i].name, game_players(t->games[i].game), t->games[i].matches,
		                                 t->games[i].weight};
	h->plan = (struct plan){.format = t->format,
	                        .games = h->games,
	                        .game_count = t->game_count,
	                        .players = (uint32_t)t->player_count,
	                        .clocks = t->clocks,
	                        .clock_count = t->clock_count,
	                        .rounds = t->rounds,
	                        .seed = t->seed,
	                        .until = t->until,
	                        .sprt = t->sprt,
	                        .elo0 = t->elo0,
	                        .elo1 = t->elo1,
	                        .even = t->seconds > 0,
	                        .exclusive = t->exclusive,
	                        .final = t->final,
	                        .wins = t->wins};
}

bool tournament_run(const struct tournament *t, struct tournament_end *end, struct text *error)
{
	struct hall h = {.t = t, .end = end, .error = error, .caller = pthread_self()};
	*end = (struct tournament_end){0};
	make_plan(&h);
	h.agenda = agenda_new(&h.plan, error);
	if (h.agenda) {
		thread_mutex_init(&h.lock);
		thread_cond_init(&h.change);
		h.deadline = t->seconds > 0 ? clock_now() + t->seconds : 0;
		h.progress = progress_to("matches", t->progress, t->context);
		threads_run(t->jobs ? t->jobs : 1, play_some, &h, 0);
		progress_end(&h.progress);
		end->planned = agenda_planned(h.agenda);
		end->decided = agenda_decided(h.agenda, &end->llr);
		end->stopped = is_interrupted(t);
		pthread_cond_destroy(&h.change);
		thread_mutex_free(&h.lock);
	}
	bool fine = h.agenda && !h.failed;
	agenda_free(h.agenda);
	mem_free(h.games);
	return fine;
}
