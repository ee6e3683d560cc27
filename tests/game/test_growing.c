/* Rules that do harm. Terms that grow with every step: positions stay comparable as long as terms are within their
 * bounds, and then playouts and workers end with a message. Joins that explode: limits of time and memory hold wherever
 * they are met. */
#include "play.h"
#include "work.h"

#include "base/clock.h"
#include "ground/term.h"

#define FRAME "(role x) (init (n z)) (legal x go) (legal x stay) (<= terminal (true (n end))) (goal x 50) "
#define DOUBLING FRAME "(<= (next (n (s ?x ?x))) (true (n ?x)))"
#define COUNTING FRAME "(<= (next (n (s ?x))) (true (n ?x)))"
#define MOVING \
	"(role x) (init (n z)) (<= (legal x (go ?x)) (true (n ?x))) (<= (next (n (s ?y ?y))) (does x (go ?y))) " \
	"(<= terminal (true (n end))) (goal x 50)"

static struct text nested(size_t levels)
{
	struct text t = {0};
	text_puts(&t, FRAME "(<= (next (n ");
	for (size_t i = 0; i < levels; i++)
		text_puts(&t, "(s ");
	text_puts(&t, "?x");
	for (size_t i = 0; i < levels; i++)
		text_putc(&t, ')');
	text_puts(&t, ")) (true (n ?x)))");
	return t;
}

static void playouts_give_up(const char *rules, uint32_t steps)
{
	for (int engine = 0; engine < 2; engine++) {
		struct play p = play_make(rules, engine ? ENGINE_INTERPRETER : ENGINE_AUTO, false);
		struct playout_result r;
		assert_int_equal(p.g->engine, ENGINE_INTERPRETER);
		game_playouts(p.g, &(struct playout_job){.playouts = 3, .max_steps = steps, .seed = 1}, &r);
		assert_int_equal(r.playouts, 0);
		assert_string_equal(r.trouble, TERM_TOO_LARGE);
		playout_result_free(&r);
		game_playouts(p.g, &(struct playout_job){.playouts = 3, .max_steps = 5, .seed = 1}, &r);
		assert_int_equal(r.unfinished, 3); /* short ones still go */
		assert_null(r.trouble);
		playout_result_free(&r);
		play_free(&p);
	}
}

static void playouts_end_with_a_message(void **state)
{
	struct text deep = nested(900);
	playouts_give_up(DOUBLING, 100);
	playouts_give_up(COUNTING, TERM_MAX_DEPTH + 10);
	playouts_give_up(MOVING, 100);
	playouts_give_up(text_str(&deep), 100);
	text_free(&deep);
}

static void step(struct play *p, struct worker *w, uint64_t *state)
{
	struct view v = game_look(w, state);
	uint32_t move = v.legal[0];
	game_next(w, state, &move, state);
}

/* Another worker has terms of its own; numbers and hashes are the game's. */
static void workers_agree_on_terms_that_double(void **state)
{
	struct play p = play_make(DOUBLING, ENGINE_INTERPRETER, false), q = play_make(DOUBLING, ENGINE_INTERPRETER, false);
	struct worker *other = worker_new(p.g);
	uint64_t *there = NEW_ARRAY(uint64_t, p.g->words);
	memcpy(there, p.state, p.g->words * sizeof *there);
	for (int i = 0; i < 18; i++) {
		step(&p, i % 2 ? p.w : other, p.state);
		step(&p, i % 2 ? other : p.w, there);
		step(&q, q.w, q.state);
		assert_null(worker_trouble(p.w));
		assert_memory_equal(there, p.state, p.g->words * sizeof *there);
		assert_true(game_hash(p.g, p.state) == game_hash(q.g, q.state));
		assert_true(game_hash(p.g, p.state) != game_hash(p.g, p.g->initial));
	}
	struct text t = {0};
	game_print_fluent(p.g, (uint32_t)bits_next(p.state, p.g->fluents, 0), &t);
	assert_int_equal(t.n, 4 + (size_t)(1 << 18) + 5 * ((size_t)(1 << 18) - 1)); /* "(n )", leaves, "(s  )" */
	assert_int_equal(game_find_fluent(p.g, "(n (s z z))"), 1);
	mem_free(there);
	worker_free(other);
	text_free(&t);
	play_free(&p);
	play_free(&q);
}

/* A state that could not be computed says so whenever it is looked at, and every state after it. */
static void a_lost_state_stays_lost(void **state)
{
	struct play p = play_make(DOUBLING, ENGINE_INTERPRETER, false);
	struct worker *other = worker_new(p.g);
	for (int i = 0; i < 30; i++)
		step(&p, p.w, p.state);
	game_look(p.w, p.state);
	assert_string_equal(worker_trouble(p.w), TERM_TOO_LARGE);
	game_look(other, p.state);
	assert_string_equal(worker_trouble(other), TERM_TOO_LARGE);
	game_look(other, p.g->initial);
	assert_null(worker_trouble(other));
	worker_free(other);
	play_free(&p);
}

#define JOINED 21

/* Variables that must all differ, over one value too few. */
static void put_join(struct text *t, const char *head)
{
	for (int i = 0; i < JOINED - 1; i++)
		text_printf(t, "(d %d) ", i);
	text_printf(t, "(<= %s", head);
	for (int i = 0; i < JOINED; i++)
		text_printf(t, " (d ?x%d)", i);
	for (int i = 0; i < JOINED; i++)
		for (int k = 0; k < i; k++)
			text_printf(t, " (distinct ?x%d ?x%d)", i, k);
	text_puts(t, ")");
}

static struct play try_join(const char *head, const struct game_options *o)
{
	struct text t = {0};
	text_puts(&t, FRAME);
	put_join(&t, head);
	struct play p = play_try(t.at, t.n, o);
	text_free(&t);
	return p;
}

static void making_a_game_ends_with_its_limit(void **state)
{
	for (int engine = 0; engine < 2; engine++) {
		double began = clock_thread();
		struct game_options o = {.engine = engine ? ENGINE_INTERPRETER : ENGINE_AUTO, .limit = work_seconds(0.3)};
		struct play p = try_join("(init w)", &o);
		assert_null(p.g);
		assert_string_equal(text_str(&p.why), "the time is over");
		assert_true(clock_thread() - began < 1);
		play_free(&p);
	}
}

static void workers_stop_when_their_game_is_abandoned(void **state)
{
	struct play p =
		try_join("(legal x w)", &(struct game_options){.engine = ENGINE_INTERPRETER, .limit = work_seconds(20)});
	atomic_bool stop = true;
	assert_non_null(p.g);
	p.g->within.stop = &stop;
	struct worker *w = worker_new(p.g);
	double began = clock_thread();
	game_look(w, p.state);
	assert_string_equal(worker_trouble(w), "the time is over");
	worker_limit(w, work_seconds(100)); /* the limit of a caller does not lift it */
	game_look(w, p.state);
	assert_string_equal(worker_trouble(w), "the time is over");
	assert_true(clock_thread() - began < 1);
	worker_free(w);
	play_free(&p);
}

static void tables_do_not_outgrow_the_memory_limit(void **state)
{
	struct text t = {0};
	text_puts(&t, FRAME);
	for (int i = 0; i < 40; i++)
		text_printf(&t, "(d %d) ", i);
	text_puts(&t, "(<= (legal x (c ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))");
	for (int engine = 0; engine < 2; engine++) {
		struct game_options o = {.engine = engine ? ENGINE_INTERPRETER : ENGINE_AUTO, .memory = 20 << 20};
		struct play p = play_try(t.at, t.n, &o);
		assert_non_null(p.g);
		assert_int_equal(p.g->engine, ENGINE_INTERPRETER);
		game_look(p.w, p.state);
		assert_string_equal(worker_trouble(p.w), "the answers of the rules do not fit the memory limit");
		play_free(&p);
	}
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(playouts_end_with_a_message),
		cmocka_unit_test(workers_agree_on_terms_that_double),
		cmocka_unit_test(a_lost_state_stays_lost),
		cmocka_unit_test(making_a_game_ends_with_its_limit),
		cmocka_unit_test(workers_stop_when_their_game_is_abandoned),
		cmocka_unit_test(tables_do_not_outgrow_the_memory_limit),
	};
	return RUN(cases);
}
