/* nauty keeps its request to stop in one variable of the whole program, so graphs
 * are looked at one at a time, and a second thread makes the request when the time
 * is over: neither nauty nor Traces calls back often enough to look at a clock. nauty
 * heeds it between refinements; Traces hardly does, but needs about a microsecond a
 * vertex on graphs of games with small groups. */
#include "graph/automorphism.h"

#include "base/thread.h"

#include <nauty/naurng.h>
#include <nauty/nausparse.h>
#include <nauty/schreier.h>
#include <nauty/traces.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct thread_mutex one_at_a_time = THREAD_TURN;
static struct automorphisms *found; /* by the one at work */
static size_t met, most;            /* generators it has found, hidden ones too; may find */
static bool no_memory;              /* for one of them: it is to stop */

struct thread_mutex *automorphisms_lock(void)
{
	return &one_at_a_time;
}

void coloured_graph_free(struct coloured_graph *g)
{
	vec_free(&g->colour);
	vec_free(&g->ends);
}

void automorphisms_free(struct automorphisms *a)
{
	vec_free(&a->images);
	*a = (struct automorphisms){0};
}

/* ---- the clock ------------------------------------------------------------------- */

struct watch {
	const struct limit *limit;
	struct thread thread;
	struct thread_mutex lock;
	pthread_cond_t done;
	bool over;
};

/* How nauty is told, from whatever thread, to give up: it looks at its variable now and then. */
static void set_stop(int stop)
{
	__atomic_store_n(&nauty_kill_request, stop, __ATOMIC_RELAXED);
}

static bool is_stopped(void)
{
	return __atomic_load_n(&nauty_kill_request, __ATOMIC_RELAXED);
}

static void watch_run(void *p)
{
	struct watch *w = p;
	thread_lock(&w->lock);
	while (!w->over && !is_stopped()) {
		if (limit_reached(w->limit)) {
			set_stop(1);
			break;
		}
		double wait = limit_left(w->limit);
		wait = wait < 0.0005 ? 0.0005 : wait > 0.02 ? 0.02 : wait;
		thread_wait_until(&w->done, &w->lock, clock_now() + wait);
	}
	thread_unlock(&w->lock);
}

static bool watch_begin(struct watch *w, const struct limit *limit)
{
	*w = (struct watch){.limit = limit};
	if (!limit || (limit->deadline <= 0 && !limit->stop))
		return false;
	thread_mutex_init(&w->lock);
	thread_cond_init(&w->done);
	if (thread_start(&w->thread, watch_run, w))
		return true;
	pthread_cond_destroy(&w->done);
	thread_mutex_free(&w->lock);
	return false;
}

static void watch_end(struct watch *w)
{
	thread_lock(&w->lock);
	w->over = true;
	pthread_cond_signal(&w->done);
	thread_unlock(&w->lock);
	thread_join(&w->thread);
	pthread_cond_destroy(&w->done);
	thread_mutex_free(&w->lock);
}

/* ---- the graph -------------------------------------------------------------------- */

static void make_sparse(sparsegraph *s, const struct coloured_graph *g)
{
	size_t n = g->colour.n, edges = g->ends.n;
	s->nv = (int)n;
	s->nde = edges;
	s->v = NEW_ARRAY(size_t, n + 1);
	s->d = NEW_ARRAY(int, n + 1);
	s->e = NEW_ARRAY(int, edges + 1);
	s->vlen = s->dlen = n;
	s->elen = edges;
	for (size_t i = 0; i < edges; i++)
		s->d[g->ends.at[i]]++;
	for (size_t i = 1; i < n; i++)
		s->v[i] = s->v[i - 1] + (size_t)s->d[i - 1];
	memset(s->d, 0, n * sizeof *s->d);
	for (size_t i = 0; i + 1 < edges; i += 2) {
		uint32_t a = g->ends.at[i], b = g->ends.at[i + 1];
		s->e[s->v[a] + (size_t)s->d[a]++] = (int)b;
		s->e[s->v[b] + (size_t)s->d[b]++] = (int)a;
	}
}

struct coloured {
	uint32_t colour;
	int vertex;
};

static int by_colour(const void *x, const void *y)
{
	const struct coloured *a = x, *b = y;
	if (a->colour != b->colour)
		return a->colour < b->colour ? -1 : 1;
	return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/* Cells of equal colour: lab holds the vertices, ptn is 0 at the end of a cell. */
static void make_cells(const struct coloured_graph *g, int *lab, int *ptn)
{
	size_t n = g->colour.n;
	struct coloured *c = mem_alloc(n + 1, sizeof *c);
	for (size_t i = 0; i < n; i++)
		c[i] = (struct coloured){g->colour.at[i], (int)i};
	qsort(c, n, sizeof *c, by_colour);
	for (size_t i = 0; i < n; i++) {
		lab[i] = c[i].vertex;
		ptn[i] = i + 1 < n && c[i + 1].colour == c[i].colour;
	}
	mem_free(c);
}

static void add_generator(const int *image)
{
	size_t at = found->images.n;
	bool moves = false;
	vec_extend(&found->images, found->keep);
	for (uint32_t v = 0; v < found->keep; v++) {
		found->images.at[at + v] = (uint32_t)image[v];
		moves |= image[v] != (int)v;
	}
	if (moves) {
		found->count++;
	} else {
		found->images.n = at;
		found->hidden = true;
	}
}

/* No failure may jump over the frames of nauty. */
static void try_generator(const int *image)
{
	bool done = !no_memory;
	if (done)
		MEM_TRY(done, mem_scope_current(), add_generator(image));
	if (!done) {
		no_memory = true;
		set_stop(1);
	}
}

static void met_by_traces(int count, int *image, int n)
{
	(void)count;
	(void)n;
	try_generator(image);
}

static void met_by_nauty(int count, int *image, int *orbits, int orbit_count, int stabilised, int n)
{
	(void)count;
	(void)orbits;
	(void)orbit_count;
	(void)stabilised;
	(void)n;
	try_generator(image);
	if (++met > most)
		set_stop(1);
}

static bool run_traces(sparsegraph *s, int *lab, int *ptn, int *orbits)
{
	DEFAULTOPTIONS_TRACES(o);
	TracesStats stats;
	o.defaultptn = FALSE;
	o.userautomproc = met_by_traces;
	Traces(s, lab, ptn, orbits, &o, &stats, NULL);
	found->mantissa = stats.grpsize1;
	found->exponent = stats.grpsize2;
	return !is_stopped() && stats.errstatus == 0;
}

static bool run_nauty(sparsegraph *s, int *lab, int *ptn, int *orbits)
{
	DEFAULTOPTIONS_SPARSEGRAPH(o);
	statsblk stats;
	o.defaultptn = FALSE;
	o.userautomproc = met_by_nauty;
	sparsenauty(s, lab, ptn, orbits, &o, &stats, NULL);
	found->mantissa = stats.grpsize1;
	found->exponent = stats.grpsize2;
	return !is_stopped() && stats.errstatus == 0;
}

/* Waits until nobody else is at work; false: the time is over before. */
static bool wait_for_turn(const struct limit *limit)
{
	if (!limit || (limit->deadline <= 0 && !limit->stop))
		return thread_lock(&one_at_a_time), true;
	while (!limit_reached(limit))
		if (thread_lock_until(&one_at_a_time, clock_now() + 0.002))
			return true;
	return false;
}

/* nauty keeps its working memory for the next graph, but each thread has its own and players
 * think in threads that come and go. */
static void free_workspace(void)
{
	nauty_freedyn();
	nautil_freedyn();
	nausparse_freedyn();
	schreier_freedyn();
	traces_freedyn();
}

static bool look(struct automorphisms *a, sparsegraph *s, int *lab, int *ptn, int *orbits,
                 enum automorphism_method method, const struct limit *limit)
{
	struct watch watch;
	if (!wait_for_turn(limit))
		return false;
	found = a;
	no_memory = false;
	met = 0;
	most = method == AUTOMORPHISM_FEW ? AUTOMORPHISM_MOST : SIZE_MAX;
	set_stop(0);
	ran_init(1); /* the same generators for the same graph, whatever was asked before */
	bool watched = watch_begin(&watch, limit);
	bool ok = method == AUTOMORPHISM_TRACES ? run_traces(s, lab, ptn, orbits) : run_nauty(s, lab, ptn, orbits);
	if (watched)
		watch_end(&watch);
	free_workspace();
	set_stop(0);
	found = NULL;
	bool failed = no_memory;
	thread_unlock(&one_at_a_time);
	if (failed)
		mem_fail();
	return ok;
}

/* nauty is as good on small graphs and has less to set up. */
#define SMALL 200

bool automorphisms_find(struct automorphisms *a, const struct coloured_graph *g, uint32_t keep,
                        enum automorphism_method method, const struct limit *limit)
{
	size_t n = g->colour.n;
	*a = (struct automorphisms){.keep = keep, .mantissa = 1};
	if (!n)
		return true;
	if (method == AUTOMORPHISM_AUTO)
		method = n < SMALL ? AUTOMORPHISM_NAUTY : AUTOMORPHISM_TRACES;
	sparsegraph s = {0};
	int *lab = NEW_ARRAY(int, n), *ptn = NEW_ARRAY(int, n), *orbits = NEW_ARRAY(int, n);
	make_sparse(&s, g);
	make_cells(g, lab, ptn);
	bool ok = look(a, &s, lab, ptn, orbits, method, limit);
	if (!ok)
		automorphisms_free(a);
	mem_free(s.v);
	mem_free(s.d);
	mem_free(s.e);
	mem_free(lab);
	mem_free(ptn);
	mem_free(orbits);
	return ok;
}

bool automorphisms_on(struct automorphisms *a, const struct coloured_graph *g, uint32_t keep, const struct limit *limit)
{
	if (!automorphisms_find(a, g, keep, AUTOMORPHISM_AUTO, limit))
		return false;
	if (!a->hidden)
		return true;
	struct coloured_graph fixed = {0};
	struct automorphisms kernel;
	for (size_t v = 0; v < g->colour.n; v++)
		vec_push(&fixed.colour, v < keep ? UINT32_MAX - (uint32_t)v : g->colour.at[v]);
	fixed.ends.at = g->ends.at;
	fixed.ends.n = g->ends.n;
	bool ok = automorphisms_find(&kernel, &fixed, keep, AUTOMORPHISM_AUTO, limit);
	vec_free(&fixed.colour);
	if (!ok) {
		automorphisms_free(a);
		return false;
	}
	a->mantissa /= kernel.mantissa;
	a->exponent -= kernel.exponent;
	automorphisms_free(&kernel);
	return true;
}

void automorphisms_print_order(struct text *t, double mantissa, int exponent)
{
	double order = mantissa * pow(10, exponent);
	if (order < 1e15) {
		text_printf(t, "%.0f", order);
	} else {
		int more = (int)floor(log10(mantissa));
		text_printf(t, "%.3fe%d", mantissa / pow(10, more), exponent + more);
	}
}
