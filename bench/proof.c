/* Proofs in time: bench-proof FIRST LAST POSITIONS SECONDS GAME.kif... Random matches give positions after FIRST to
 * LAST steps; those that two steps settle are left out. The proof search and the endgame solver by alpha-beta have the
 * same processor time for each, both with an empty table. Printed: the share of positions solved within 0.05, 0.5 and
 * 2 seconds, the processor seconds in all, and whether the values of those that both solved agree. */
#include "play/proof/proof.h"
#include "common.h"
#include "play/alphabeta/search.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TABLE ((size_t)64 << 20)

static const double clocks[] = {0.05, 0.5, 2};
#define CLOCKS (sizeof clocks / sizeof *clocks)

struct tally {
	uint32_t solved[CLOCKS];
	double seconds;
	uint64_t nodes;
};

struct outcome {
	bool solved;
	double value, seconds;
};

/* ---- processor time: a signal at the end of it raises the flag that searches look at ---------------- */

static atomic_bool stop;

static void raise_flag(int number)
{
	stop = true;
}

static timer_t new_timer(void)
{
	timer_t t;
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	signal(SIGALRM, raise_flag);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &e, &t)) {
		perror("bench-proof");
		exit(1);
	}
	return t;
}

static void set_timer(timer_t t, double seconds)
{
	struct itimerspec when = {.it_value = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}};
	stop = false;
	timer_settime(t, 0, &when, NULL);
}

/* ---- both ways ------------------------------------------------------------------------------------------- */

static struct outcome by_proof(struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct proof *p = proof_new(s, TABLE);
	double began = clock_thread();
	proof_run(p, s, state, b);
	struct outcome o = {.seconds = clock_thread() - began};
	struct proof_bounds x = proof_bounds(p, state);
	o.solved = proof_solved(x);
	o.value = x.low;
	proof_free(p);
	return o;
}

static struct outcome by_search(struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct search *q = search_new(
		s, &(struct search_options){
			   .depth = SEARCH_DEEPEST, .table = 32, .estimate = ESTIMATE_MIDDLE, .prune = true, .order = true});
	double began = clock_thread();
	struct search_result r = search_run(q, s, state, b);
	struct outcome o = {r.exact, r.value, clock_thread() - began};
	search_free(q);
	return o;
}

static struct outcome run(struct outcome (*how)(struct seat *, const uint64_t *, const struct budget *), struct seat *s,
                          const uint64_t *state, timer_t t, double seconds, struct tally *sum)
{
	uint64_t nodes = s->count.nodes;
	set_timer(t, seconds);
	struct outcome o = how(s, state, &(struct budget){.limit = {.stop = &stop}});
	set_timer(t, 0);
	for (size_t i = 0; i < CLOCKS; i++)
		sum->solved[i] += o.solved && o.seconds <= clocks[i];
	sum->seconds += o.seconds;
	sum->nodes += s->count.nodes - nodes;
	return o;
}

/* ---- positions --------------------------------------------------------------------------------------------- */

static struct game *load(const char *path, struct gdl_rules **rules)
{
	struct text text = {0}, error = {0};
	struct diags d = {0};
	struct game *g = NULL;
	if (text_read_file(&text, path, (size_t)16 << 20, &error)) {
		*rules = gdl_read(text_str(&text), text.n, &d);
		gdl_check(*rules, &d);
		g = d.errors ? NULL : game_make(*rules, &(struct game_options){0}, &error);
	}
	if (!g) {
		fprintf(stderr, "bench-proof: %s: %s\n", path, d.errors ? d.all.at[0].message : text_str(&error));
		exit(1);
	}
	diag_free(&d);
	text_free(&text);
	text_free(&error);
	return g;
}

static bool is_easy(struct seat *s, const uint64_t *state)
{
	struct proof *p = proof_new(s, 1 << 20);
	proof_run(p, s, state, &(struct budget){.playouts = 1});
	bool easy = proof_solved(proof_bounds(p, state));
	proof_free(p);
	return easy;
}

static void print_row(const char *name, const struct tally *t, uint32_t positions)
{
	positions += !positions;
	printf("  %-6s", name);
	for (size_t i = 0; i < CLOCKS; i++)
		printf(" %5.1f%%", 100.0 * t->solved[i] / positions);
	printf("  %8.2f s %10.0f nodes/s\n", t->seconds, (double)t->nodes / (t->seconds + 1e-9));
	fflush(stdout);
}

static void measure(struct game *g, uint32_t first, uint32_t last, uint32_t positions, double seconds, timer_t t)
{
	struct seat s = {.game = g, .worker = worker_new(g), .rng = rng_seed(1)};
	struct tally proof = {0}, search = {0};
	uint64_t *state = mem_alloc(g->words, sizeof *state);
	uint32_t both = 0, differ = 0, done = 0;
	for (uint32_t tries = 0; done < positions && tries < 100 * positions; tries++) {
		if (!bench_walk(&s, first + rng_below(&s.rng, last - first + 1), state) || is_easy(&s, state))
			continue;
		struct outcome a = run(by_proof, &s, state, t, seconds, &proof),
					   b = run(by_search, &s, state, t, seconds, &search);
		both += a.solved && b.solved;
		differ += a.solved && b.solved && a.value != b.value;
		done++;
	}
	printf("%u positions after %u to %u steps, %u solved by both, %u differ\n", done, first, last, both, differ);
	print_row("proof", &proof, done);
	print_row("search", &search, done);
	mem_free(state);
	worker_free(s.worker);
}

static bool is_taken(struct game *g)
{
	struct seat s = {.game = g, .worker = worker_new(g)};
	struct proof *p = proof_new(&s, 1 << 20);
	bool taken = p;
	proof_free(p);
	worker_free(s.worker);
	return taken;
}

int main(int count, char **words)
{
	if (count < 6) {
		fprintf(stderr, "usage: bench-proof FIRST LAST POSITIONS SECONDS GAME.kif...\n");
		return 2;
	}
	timer_t t = new_timer();
	for (int i = 5; i < count; i++) {
		struct gdl_rules *rules;
		struct game *g = load(words[i], &rules);
		const char *name = strrchr(words[i], '/');
		printf("%s: ", name ? name + 1 : words[i]);
		if (is_taken(g))
			measure(g, (uint32_t)atoi(words[1]), (uint32_t)atoi(words[2]), (uint32_t)atoi(words[3]), atof(words[4]), t);
		else
			puts("not for proofs");
		game_free(g);
		gdl_free(rules);
	}
	return 0;
}
