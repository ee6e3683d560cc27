/* Several threads: searches of different kinds on copies of one network, each of which profits from the bounds that the
 * others find. The first that has searched everything, or found what is asked for, ends them all. The thread that asked
 * does not search: it hands on the solutions, on the original network, so that whoever gets them meets one thread only.
 */
#include "base/thread.h"
#include "csp/csp_internal.h"

#include <assert.h>

struct share {
	struct thread_mutex mutex; /* of all but what is atomic */
	pthread_cond_t news;
	struct search *outer;
	atomic_bool stop;
	_Atomic int64_t bound; /* of the objective: solutions must be better */
	atomic_uint_fast64_t nodes;
	int32_t *values; /* the best solution so far */
	bool found;      /* there is one, */
	bool told;       /* which the caller has seen */
	bool exhausted;  /* some search has seen all */
	uint32_t running;
};

struct worker {
	struct share *share;
	struct csp_options o;
	struct csp_stats stats;
	struct search search;
	struct mem_cleanup end;
	bool messenger;
};

static bool is_bounded(const struct search *s)
{
	return s->n->has_objective && s->o->best_only;
}

static bool is_better(const struct csp *n, int64_t a, int64_t b)
{
	return n->maximise ? a > b : a < b;
}

/* ---- what a search does ---- */

void share_poll(struct search *s)
{
	struct share *h = s->share;
	if (!is_bounded(s))
		return;
	int64_t bound = atomic_load_explicit(&h->bound, memory_order_relaxed);
	assert(bound == s->bound || is_better(s->n, bound, s->bound));
	if (bound != s->bound)
		objective_tighten(s->n, s->bound = bound);
}

void share_count(struct search *s)
{
	struct share *h = s->share;
	uint64_t most = h->outer->o->max_nodes;
	assert(s->s->nodes >= s->counted);
	uint64_t all = atomic_fetch_add(&h->nodes, s->s->nodes - s->counted) + s->s->nodes - s->counted;
	s->counted = s->s->nodes;
	if (most && all >= most)
		atomic_store(&h->stop, true);
}

void share_offer(struct search *s)
{
	struct share *h = s->share;
	int64_t cost = 0;
	objective_value(s->n, s->values, &cost);
	thread_lock(&h->mutex);
	bool better = !h->found || (is_bounded(s) && is_better(s->n, cost, atomic_load(&h->bound)));
	assert(!better || !h->exhausted);
	if (better) {
		memcpy(h->values, s->values, s->n->vars.n * sizeof *h->values);
		h->found = true;
		h->told = false;
		if (is_bounded(s))
			atomic_store(&h->bound, cost);
		pthread_cond_signal(&h->news);
	}
	thread_unlock(&h->mutex);
	s->s->solutions += better;
	if (!is_bounded(s))
		s->stop = true;
	share_poll(s);
}

bool share_incumbent(struct search *s)
{
	struct share *h = s->share;
	thread_lock(&h->mutex);
	if (h->found)
		memcpy(s->values, h->values, s->n->vars.n * sizeof *h->values);
	bool found = h->found;
	thread_unlock(&h->mutex);
	share_poll(s);
	return found;
}

/* Its thread is at its end, for whatever reason; the others need not go on. */
static void leave(void *context)
{
	struct worker *w = context;
	struct share *h = w->share;
	atomic_store(&h->stop, true);
	thread_lock_closing(&h->mutex);
	assert(h->running);
	h->running--;
	pthread_cond_signal(&h->news);
	thread_unlock(&h->mutex);
}

static void search(struct worker *w)
{
	struct search *s = &w->search;
	s->n->limit = &w->o.limit;
	bool done = search_dispatch(s);
	s->n->limit = NULL;
	thread_lock(&w->share->mutex);
	w->share->exhausted |= done;
	thread_unlock(&w->share->mutex);
}

/* ---- what the thread that asked does ---- */

#define MESSAGES 0.1 /* seconds at most between two looks */

/* A solution that nobody has seen, into the values of the outer search; false: there is none. */
static bool take_news(struct share *h)
{
	if (!h->found || h->told)
		return false;
	memcpy(h->outer->values, h->values, h->outer->n->vars.n * sizeof *h->values);
	return h->told = true;
}

static void tell(struct share *h)
{
	struct search *s = h->outer;
	if (!search_show_values(s))
		atomic_store(&h->stop, true);
}

static void hand_on(struct share *h)
{
	struct search *s = h->outer;
	for (bool more = true; more;) {
		thread_lock(&h->mutex);
		if (h->running && (!h->found || h->told))
			thread_wait_until(&h->news, &h->mutex, clock_now() + MESSAGES);
		bool fresh = take_news(h);
		more = h->running || fresh;
		thread_unlock(&h->mutex);
		if (fresh)
			tell(h);
		s->s->nodes = atomic_load(&h->nodes);
		if (s->o->progress)
			s->o->progress(s->o->user, s->s);
	}
}

/* Memory ran out while a solution was handed on. */
static void give_up(void *context)
{
	struct worker *w = context;
	atomic_store(&w->share->stop, true);
}

static void work(void *context)
{
	struct worker *w = context;
	mem_cleanup_push(&w->end, w->messenger ? give_up : leave, w);
	if (w->messenger)
		hand_on(w->share);
	else
		search(w);
	mem_cleanup_pop(&w->end);
	if (!w->messenger)
		leave(w);
}

/* ---- who searches how ---- */

/* The first as one thread alone would; then clause learning, large neighbourhoods or restarts, and the same again with
 * other lengths of runs, values and random numbers. */
static struct csp_options vary(const struct search *s, uint32_t i, atomic_bool *stop)
{
	struct csp_options o = *s->o;
	assert(i < s->o->threads);
	o.threads = 0;
	o.max_nodes = 0;
	o.progress = NULL;
	o.limit = (struct limit){.stop = stop, .within = &s->o->limit};
	o.seed = s->o->seed + i;
	if (!i)
		return o;
	o.restart_unit = i < 4 ? 100U : 25U << i % 5;
	if (i % 2) {
		o.algorithm = CSP_ALG_LCG;
		o.nogoods = o.last_conflict = false;
		o.free = true;
		if (i % 4 == 3)
			o.values = CSP_VALUE_MAX;
	} else if (i % 4 == 2 && is_bounded(s)) {
		o.algorithm = CSP_ALG_LNS;
	} else {
		o.algorithm = CSP_ALG_MAC;
		o.restarts = CSP_RESTART_LUBY;
		o.last_conflict = true;
		o.nogoods = !s->n->any_wide;
		o.phase_count = 0;
		o.values = CSP_VALUE_RANDOM;
	}
	return o;
}

static void hire(struct worker *w, uint32_t i, struct share *h)
{
	struct search *s = h->outer;
	*w = (struct worker){.share = h, .o = vary(s, i, &h->stop)};
	w->search = (struct search){.n = net_copy(s->n),
	                            .o = &w->o,
	                            .s = &w->stats,
	                            .base = s->base,
	                            .branch = s->branch,
	                            .branch_n = s->branch_n,
	                            .values = NEW_ARRAY(int32_t, s->n->vars.n),
	                            .rng = rng_seed(w->o.seed),
	                            .last = CSP_NONE,
	                            .class_of = s->class_of,
	                            .share = h,
	                            .bound = h->bound};
}

/* Their counters become those of the search and its network. */
static void dismiss(struct worker *w, struct csp_stats *all, const struct csp_stats *before)
{
	struct csp *n = w->search.n, *to = w->share->outer->n;
	uint64_t depth = all->depth > w->stats.depth ? all->depth : w->stats.depth, solutions = all->solutions;
	assert(n->propagations >= before->propagations && n->checks >= before->checks && n->removals >= before->removals);
#define X(name) all->name += w->stats.name;
	CSP_COUNTERS(X)
#undef X
	all->depth = depth;
	all->solutions = solutions;
	to->propagations += n->propagations - before->propagations;
	to->checks += n->checks - before->checks;
	to->removals += n->removals - before->removals;
	csp_free(n);
	mem_free(w->search.values);
}

bool search_portfolio(struct search *s)
{
	uint32_t count = s->o->threads;
	struct share h = {.outer = s, .running = count};
	struct csp_stats before = {.propagations = s->n->propagations, .checks = s->n->checks, .removals = s->n->removals};
	struct worker *workers = NEW_ARRAY(struct worker, count + 1);
	atomic_init(&h.bound, s->bound);
	h.values = NEW_ARRAY(int32_t, s->n->vars.n);
	thread_mutex_init(&h.mutex);
	thread_cond_init(&h.news);
	for (uint32_t i = 0; i < count; i++)
		hire(&workers[i], i, &h);
	workers[count] = (struct worker){.share = &h, .messenger = true};
	threads_run(count + 1, work, workers, sizeof *workers);
	assert(!h.running && (h.told || !h.found));
	s->s->nodes = 0;
	for (uint32_t i = 0; i < count; i++)
		dismiss(&workers[i], s->s, &before);
	pthread_cond_destroy(&h.news);
	thread_mutex_free(&h.mutex);
	mem_free(h.values);
	mem_free(workers);
	return h.exhausted;
}
