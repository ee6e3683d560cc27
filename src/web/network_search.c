/* A search to be looked at: depth first with propagation, each decision followed by its refutation, one node per event
 * with all that changed. It is the textbook's MAC with the orders that a person can check; `macaw solve` has faster
 * ones. */
#include "base/clock.h"
#include "web/jobs.h"
#include "web/networks.h"
#include "web/server.h"

#include <string.h>

#define MOST_NODES 20000
#define MOST_LITERALS 400000 /* of networks whose every change is told */
#define TOLD_VALUES 64       /* removed ones of a variable */
#define TOLD_VARIABLES 600   /* changed ones of a node */
#define PIECE 0.1            /* seconds */

enum order { BY_DOM, BY_DOM_DEG, BY_DEG, BY_LEX };

struct frame {
	uint64_t node;
	uint32_t variable, at; /* the decision, to be refuted when all below it was searched */
	uint32_t level;        /* before it */
	uint64_t parent;
};

struct search {
	struct networks *all;
	struct web_network *n;
	enum order order;
	bool max;
	uint64_t wanted; /* solutions; 0: all */
	uint8_t *had;    /* by literal: it was there before this node */
	uint32_t *first; /* literal of each variable */
	uint32_t base;   /* level of the root */
	VEC(struct frame) frames;
	uint64_t nodes, failures, solutions;
	uint64_t parent; /* of the next decision */
	double began;
	bool started, failed; /* failed: the last node did, so the last decision is to be refuted */
};

static void free_search(void *self)
{
	struct search *s = self;
	if (s->started)
		macaw_csp_pop(s->n->csp, s->base - 1);
	networks_give(s->all, s->n);
	vec_free(&s->frames);
	mem_free(s->had);
	mem_free(s->first);
	mem_free(s);
}

/* ---- what a node changed ---- */

static void remember(struct search *s)
{
	const macaw_csp *n = s->n->csp;
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		for (uint32_t at = 0; at < macaw_csp_count(n, x); at++)
			s->had[s->first[x] + at] = macaw_csp_has_at(n, x, at);
}

static uint32_t size_before(const struct search *s, uint32_t x)
{
	uint32_t size = 0;
	for (uint32_t i = s->first[x]; i < s->first[x + 1]; i++)
		size += s->had[i];
	return size;
}

static bool has_changed(const struct search *s, uint32_t x)
{
	return size_before(s, x) != macaw_csp_size(s->n->csp, x);
}

static void put_removed(struct json_writer *w, const struct search *s, uint32_t x)
{
	const macaw_csp *n = s->n->csp;
	uint32_t told = 0;
	jsonw_array(w, NULL);
	jsonw_uint(w, NULL, x);
	jsonw_array(w, NULL);
	for (uint32_t at = 0; at < macaw_csp_count(n, x) && told < TOLD_VALUES; at++)
		if (s->had[s->first[x] + at] && !macaw_csp_has_at(n, x, at)) {
			network_put_value(w, NULL, n, x, at);
			told++;
		}
	jsonw_end(w);
	jsonw_end(w);
}

static void put_changes(struct json_writer *w, const struct search *s)
{
	const macaw_csp *n = s->n->csp;
	uint32_t told = 0;
	jsonw_array(w, "removed");
	for (uint32_t x = 0; x < macaw_csp_variables(n) && told < TOLD_VARIABLES; x++)
		if (has_changed(s, x)) {
			put_removed(w, s, x);
			told++;
		}
	jsonw_end(w);
	jsonw_array(w, "left");
	for (uint32_t x = 0; x < macaw_csp_variables(n) && told; x++)
		if (has_changed(s, x)) {
			jsonw_array(w, NULL);
			jsonw_uint(w, NULL, x);
			jsonw_uint(w, NULL, macaw_csp_size(n, x));
			jsonw_end(w);
			told--;
		}
	jsonw_end(w);
}

static void put_solution(struct json_writer *w, const macaw_csp *n)
{
	jsonw_array(w, "solution");
	for (uint32_t x = 0; x < macaw_csp_variables(n) && x < TOLD_VARIABLES; x++) {
		jsonw_array(w, NULL);
		jsonw_uint(w, NULL, x);
		network_put_value(w, NULL, n, x, macaw_csp_next_at(n, x, 0));
		jsonw_end(w);
	}
	jsonw_end(w);
}

struct node {
	uint64_t number, parent;
	const char *kind;
	uint32_t variable, at; /* MACAW_NONE: of the root */
	bool failed, solution;
};

static void tell_node(struct job *j, const struct search *s, const struct node *node)
{
	const macaw_csp *n = s->n->csp;
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "node", node->number);
	jsonw_uint(&w, "parent", node->parent);
	jsonw_uint(&w, "depth", s->frames.n);
	jsonw_text(&w, "kind", node->kind);
	if (node->variable != MACAW_NONE) {
		jsonw_uint(&w, "variable", node->variable);
		network_put_value(&w, "value", n, node->variable, node->at);
	} else {
		jsonw_null(&w, "variable");
		jsonw_null(&w, "value");
	}
	put_changes(&w, s);
	jsonw_bool(&w, "failed", node->failed);
	if (node->solution)
		put_solution(&w, n);
	else
		jsonw_null(&w, "solution");
	jsonw_end(&w);
	job_put(j, "node", &json, false);
}

static void tell_stats(struct job *j, const struct search *s, bool running)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "nodes", s->nodes);
	jsonw_uint(&w, "failures", s->failures);
	jsonw_uint(&w, "solutions", s->solutions);
	jsonw_uint(&w, "propagations", macaw_csp_propagations(s->n->csp));
	jsonw_real(&w, "seconds", clock_now() - s->began);
	jsonw_bool(&w, "running", running);
	jsonw_end(&w);
	job_put(j, "stats", &json, true);
}

/* ---- the search ---- */

/* Smaller is better. */
static double worth(const struct search *s, uint32_t x)
{
	macaw_csp *n = s->n->csp;
	double size = macaw_csp_size(n, x), degree = macaw_csp_degree(n, x);
	switch (s->order) {
	case BY_DOM: return size;
	case BY_DOM_DEG: return size / (degree + 1);
	case BY_DEG: return -degree;
	case BY_LEX: return x;
	}
	return x;
}

/* The variable to decide next; MACAW_NONE: all have one value. Auxiliary ones come last: they mostly follow. */
static uint32_t choose(const struct search *s)
{
	const macaw_csp *n = s->n->csp;
	uint32_t best = MACAW_NONE;
	for (int hidden = 0; hidden < 2 && best == MACAW_NONE; hidden++)
		for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
			if (macaw_csp_size(n, x) > 1 && macaw_csp_hidden(n, x) == hidden &&
			    (best == MACAW_NONE || worth(s, x) < worth(s, best)))
				best = x;
	return best;
}

static uint32_t choose_value(const struct search *s, uint32_t x)
{
	const macaw_csp *n = s->n->csp;
	uint32_t at = macaw_csp_next_at(n, x, 0);
	for (uint32_t next = at; s->max && next != MACAW_NONE; next = macaw_csp_next_at(n, x, next + 1))
		at = next;
	return at;
}

/* After propagation: the node is told, and what follows is decided. */
static void arrive(struct job *j, struct search *s, struct node *node, bool consistent)
{
	node->failed = !consistent;
	node->solution = consistent && choose(s) == MACAW_NONE;
	s->failures += node->failed;
	s->solutions += node->solution;
	s->failed = node->failed || node->solution;
	s->parent = node->number;
	tell_node(j, s, node);
}

static void begin(struct job *j, struct search *s)
{
	macaw_csp *n = s->n->csp;
	struct node root = {.number = ++s->nodes, .kind = "root", .variable = MACAW_NONE};
	remember(s);
	bool sound = macaw_csp_level(n) || macaw_csp_prepare(n);
	macaw_csp_push(n);
	s->base = macaw_csp_level(n);
	s->started = true;
	arrive(j, s, &root, sound && macaw_csp_propagate(n));
}

static void decide(struct job *j, struct search *s)
{
	macaw_csp *n = s->n->csp;
	struct node node = {.number = ++s->nodes, .parent = s->parent, .kind = "decision", .variable = choose(s)};
	node.at = choose_value(s, node.variable);
	remember(s);
	vec_push(&s->frames, (struct frame){node.number, node.variable, node.at, macaw_csp_level(n), node.parent});
	macaw_csp_push(n);
	arrive(j, s, &node, macaw_csp_assign_at(n, node.variable, node.at) && macaw_csp_propagate(n));
}

/* The last decision was wrong, or all with it is known. False: there is none left. */
static bool refute(struct job *j, struct search *s)
{
	macaw_csp *n = s->n->csp;
	if (!s->frames.n)
		return false;
	struct frame f = vec_pop(&s->frames);
	struct node node = {
		.number = ++s->nodes, .parent = f.parent, .kind = "refutation", .variable = f.variable, .at = f.at};
	macaw_csp_pop(n, f.level);
	remember(s);
	arrive(j, s, &node, macaw_csp_forbid_at(n, f.variable, f.at) && macaw_csp_propagate(n));
	return true;
}

/* One more node; false: the search is over. */
static bool go_on(struct job *j, struct search *s)
{
	if (s->nodes >= MOST_NODES || (s->wanted && s->solutions >= s->wanted))
		return false;
	if (!s->started)
		begin(j, s);
	else if (s->failed)
		return refute(j, s);
	else
		decide(j, s);
	return true;
}

static enum job_next search(struct job *j, void *self)
{
	struct search *s = self;
	double until = clock_now() + PIECE;
	bool more = true;
	while (more && clock_now() < until && !macaw_stopped(job_stop(j))) {
		if (!job_may_step(j)) {
			job_later(j, 0.05);
			return JOB_AGAIN;
		}
		more = go_on(j, s);
		tell_stats(j, s, more);
		if (job_delay(j) > 0) {
			job_later(j, job_delay(j));
			break;
		}
	}
	return more ? JOB_AGAIN : JOB_DONE;
}

static const struct job_kind search_kind = {.name = "solve", .work = search, .free = free_search, .paced = true};

/* ---- the request ---- */

static void number_literals(struct search *s)
{
	const macaw_csp *n = s->n->csp;
	uint32_t count = macaw_csp_variables(n), literals = 0;
	s->first = mem_alloc(count + 1, sizeof *s->first);
	for (uint32_t x = 0; x < count; x++) {
		s->first[x] = literals;
		literals += macaw_csp_count(n, x);
	}
	s->first[count] = literals;
	s->had = NEW_ARRAY(uint8_t, literals + 1);
}

static uint64_t count_literals(const macaw_csp *n)
{
	uint64_t literals = 0;
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		literals += macaw_csp_count(n, x);
	return literals;
}

static enum order read_order(struct request *q)
{
	static const char *const names[] = {"dom", "dom-deg", "deg", "lex"};
	const char *name = body_text(q, "order", "dom-deg");
	for (int i = 0; i < 4; i++)
		if (!strcmp(names[i], name))
			return (enum order)i;
	request_fail(q, 400, "bad-request", "`order` must be dom, dom-deg, deg or lex");
	return BY_LEX;
}

void network_solve(struct request *q, struct web_network *n)
{
	enum order order = read_order(q);
	const char *values = body_text(q, "values", "min");
	uint64_t wanted = body_whole(q, "solutions", 1000000, 1);
	double delay = body_real(q, "delay", 0, 60, 0.3);
	bool paused = body_flag(q, "paused", false);
	if (!q->failed && strcmp(values, "min") && strcmp(values, "max"))
		request_fail(q, 400, "bad-request", "`values` must be min or max");
	if (!q->failed && count_literals(n->csp) > MOST_LITERALS)
		request_fail(q, 422, "cannot", "the network has too many values to be watched: use `macaw solve`");
	if (q->failed) {
		networks_give(q->web->networks, n);
		return;
	}
	struct search *s = NEW(struct search);
	*s = (struct search){.all = q->web->networks,
	                     .n = n,
	                     .order = order,
	                     .max = !strcmp(values, "max"),
	                     .wanted = wanted,
	                     .began = clock_now()};
	number_literals(s);
	job_start_paced(q, &search_kind, n->game ? n->game->name : NULL, s, paused, delay);
}
