/* Games as constraint networks: the public face of src/model. */
#include "macaw/network.h"
#include "api/scsp_handle.h"
#include "model/model.h"

#include <stdlib.h>

_Static_assert((int)MACAW_ROUND_MAC_ANEW == (int)MODEL_MAC_ANEW, "the public numbers are those of model.h");
_Static_assert((int)MACAW_TRANSLATION_RULES == (int)MODEL_RULES, "the public numbers are those of model.h");
_Static_assert(MACAW_NETWORK_TUPLES == MODEL_TUPLES, "the public default is that of model.h");

struct macaw_network {
	struct handle handle;
	macaw_game *game;
	struct model *m;
	macaw_csp *csp;           /* around the constraints of m */
	struct model_round round; /* the last one */
	macaw_network_stats stats;
	macaw_removed removed[MACAW_PASSES];
	bool injected; /* by the caller */
	bool spent;    /* its constraints were taken over */
	macaw_error error;
};

static macaw_network_stats outside_stats(struct model_stats s)
{
	return (macaw_network_stats){.variables = s.variables,
	                             .auxiliary = s.auxiliary,
	                             .max_domain = s.max_domain,
	                             .constraints = s.constraints,
	                             .tuples = s.tuples,
	                             .groups = s.groups,
	                             .booleans = s.booleans,
	                             .constants = s.constants,
	                             .seconds = s.seconds,
	                             .cpu_seconds = s.cpu_seconds,
	                             .proof_seconds = s.proof_seconds,
	                             .queries = s.queries,
	                             .relations = s.relations,
	                             .max_relation = s.max_relation,
	                             .rules = s.rules};
}

static uint32_t count_percepts(const macaw_network *n)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < macaw_game_percepts(n->game); i++)
		count += model_percept(n->m, i) != CSP_NONE;
	return count;
}

static void copy_removed(macaw_network *n)
{
	const struct scsp_removed *r = model_removed(n->m);
	for (int i = 0; i < MACAW_PASSES; i++)
		n->removed[i] =
			(macaw_removed){r[i].constraints, r[i].scopes, r[i].values, r[i].tuples, r[i].inconsistent, r[i].seconds};
}

/* Where in the rulesheet the rule is that did not translate. */
static void put_line(const macaw_network *n, struct range at, struct text *error)
{
	size_t length;
	const char *source = macaw_rules_source(macaw_game_rules(n->game), &length);
	struct place p = diag_place(source, length, at.from);
	text_printf(error, ", line %u", p.line);
}

static void make(macaw_network *n, struct model_options *o, macaw_error *e)
{
	struct text error = {0};
	struct range where = {0, 0};
	o->where = &where;
	n->m = model_make(api_game(n->game), o, &error);
	if (!n->m && where.to)
		put_line(n, where, &error);
	if (n->m) {
		n->csp->n = model_csp(n->m);
		n->stats = outside_stats(model_stats(n->m));
		n->stats.percepts = count_percepts(n);
		copy_removed(n);
	} else {
		api_fail_text(e, MACAW_INPUT, &error);
	}
	text_free(&error);
}

macaw_network *macaw_network_make(macaw_game *g, const macaw_network_options *o, macaw_error *e)
{
	macaw_network *n = calloc(1, sizeof *n);
	struct model_options inside = {0};
	if (!n || !handle_open(&n->handle, e)) {
		free(n);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	n->game = g;
	if (o && (unsigned)o->translation > MACAW_TRANSLATION_RULES) {
		api_fail(e, MACAW_USAGE, "there is no translation with this number");
		macaw_network_free(n);
		return NULL;
	}
	if (o)
		inside = (struct model_options){.translation = (enum model_translation)o->translation,
		                                .tuples = o->tuples,
		                                .memory = o->memory,
		                                .keep = o->keep,
		                                .passes = o->passes,
		                                .sees = o->percepts,
		                                .limit = api_limit(o->limit)};
	n->csp = api_csp_wrap(NULL, &n->handle, e);
	if (n->csp)
		GUARD(&n->handle, e, (macaw_network_free(n), NULL), make(n, &inside, e));
	if (n->m)
		return n;
	macaw_network_free(n);
	return NULL;
}

void macaw_network_free(macaw_network *n)
{
	if (!n)
		return;
	if (!n->handle.broken) {
		model_round_free(&n->round);
		model_free(n->m);
	}
	api_csp_drop(n->csp);
	handle_close(&n->handle);
	free(n);
}

macaw_game *macaw_network_game(const macaw_network *n)
{
	return n->game;
}

const macaw_error *macaw_network_error(const macaw_network *n)
{
	return &n->error;
}

/* A question that allocates nothing. */
#define ASK(n, missing, ...) return (n)->handle.broken ? (missing) : (__VA_ARGS__)

macaw_network_stats macaw_network_statistics(const macaw_network *n)
{
	return n->stats;
}

macaw_removed macaw_network_removed(const macaw_network *n, unsigned pass)
{
	return pass < MACAW_PASSES ? n->removed[pass] : (macaw_removed){0};
}

/* ---- a round ---- */

/* Are its constraints there, and at rest? */
static bool ready(macaw_network *n, macaw_error *e)
{
	if (n->spent)
		api_fail(e, MACAW_USAGE, "the constraints of this network were taken over");
	else if (n->injected)
		api_fail(e, MACAW_USAGE, "a position is injected; release it first");
	return !n->spent && !n->injected;
}

bool macaw_network_solve(macaw_network *n, enum macaw_round_method method, const uint64_t *position, macaw_round *round)
{
	struct model_round *r = &n->round;
	bool ok;
	if (!ready(n, &n->error))
		return false;
	if ((unsigned)method > MACAW_ROUND_MAC_ANEW) {
		api_fail(&n->error, MACAW_USAGE, "there is no method with this number");
		return false;
	}
	r->nodes = r->propagations = 0;
	GUARD(&n->handle, &n->error, false, ok = model_solve(n->m, (enum model_method)method, position, r));
	if (!ok) {
		api_fail(&n->error, MACAW_INPUT,
		         "the position breaks a group of fluents, or the network is too large for this method");
		return false;
	}
	*round = (macaw_round){r->terminal, r->goals, r->count, r->moves.at, r->next.at, r->nodes, r->propagations};
	return true;
}

bool macaw_network_inject(macaw_network *n, const uint64_t *position)
{
	if (!ready(n, &n->error))
		return false;
	GUARD(&n->handle, &n->error, false, n->injected = model_inject(n->m, position));
	if (!n->injected)
		api_fail(&n->error, MACAW_INPUT, "the position breaks a group of fluents");
	return n->injected;
}

void macaw_network_release(macaw_network *n)
{
	if (!n->injected)
		return;
	n->injected = false;
	GUARD(&n->handle, &n->error, , model_release(n->m));
}

/* ---- its variables ---- */

macaw_csp *macaw_network_csp(macaw_network *n)
{
	if (n->spent)
		return NULL;
	GUARD(&n->handle, &n->error, NULL, model_csp(n->m)); /* goals may be asleep since the last round */
	return n->csp;
}

uint32_t macaw_network_terminal(const macaw_network *n)
{
	ASK(n, MACAW_NONE, model_terminal(n->m));
}

uint32_t macaw_network_action(const macaw_network *n, uint32_t role)
{
	ASK(n, MACAW_NONE, role < macaw_game_roles(n->game) ? model_action(n->m, role) : MACAW_NONE);
}

uint32_t macaw_network_score(const macaw_network *n, uint32_t role)
{
	ASK(n, MACAW_NONE, role < macaw_game_roles(n->game) ? model_score(n->m, role) : MACAW_NONE);
}

uint32_t macaw_network_groups(const macaw_network *n)
{
	ASK(n, 0, model_groups(n->m));
}

uint32_t macaw_network_now(const macaw_network *n, uint32_t group)
{
	ASK(n, MACAW_NONE, group < model_groups(n->m) ? model_now(n->m, group) : MACAW_NONE);
}

uint32_t macaw_network_after(const macaw_network *n, uint32_t group)
{
	ASK(n, MACAW_NONE, group < model_groups(n->m) ? model_after(n->m, group) : MACAW_NONE);
}

uint32_t macaw_network_chance_legal(const macaw_network *n, uint32_t at)
{
	ASK(n, MACAW_NONE, model_chance_legal(n->m, at));
}

uint32_t macaw_network_move(const macaw_network *n, uint32_t role, uint32_t at)
{
	const struct game *g = api_game(n->game);
	bool there = role < g->roles && at < g->first_move[role + 1] - g->first_move[role];
	ASK(n, MACAW_NONE, there ? model_move_of(n->m, role, at) : MACAW_NONE);
}

/* ---- as a stochastic problem, and for people ---- */

static macaw_scsp *give_scsp(macaw_network *n, const uint64_t *position, uint32_t stages, macaw_error *e)
{
	macaw_scsp *s = ready(n, e) ? api_scsp_open(e) : NULL;
	struct text why = {0};
	struct scsp *inside;
	if (!s)
		return NULL;
	s->made_by = &n->handle;
	n->spent = !stages;
	GUARD(&n->handle, e, (macaw_scsp_free(s), NULL),
	      inside = stages ? model_unroll(n->m, position, stages, &why) : model_scsp(n->m, position, &why));
	s = api_scsp_fill(s, inside, text_str(&why), e);
	text_free(&why);
	return s;
}

macaw_scsp *macaw_network_scsp(macaw_network *n, const uint64_t *position, macaw_error *e)
{
	return give_scsp(n, position, 0, e);
}

macaw_scsp *macaw_network_unroll(macaw_network *n, const uint64_t *position, uint32_t stages, macaw_error *e)
{
	if (stages && position)
		return give_scsp(n, position, stages, e);
	api_fail(e, MACAW_USAGE, stages ? "no position" : "no stages");
	return NULL;
}

char *macaw_network_print(macaw_network *n, macaw_error *e)
{
	struct text t = {0};
	bool ok;
	if (!ready(n, e))
		return NULL;
	GUARD(&n->handle, e, NULL, ok = model_print(n->m, &t));
	if (ok)
		return api_give(&t);
	text_free(&t);
	api_fail(e, MACAW_INPUT, "too large to be read");
	return NULL;
}
