/* The groups of mutex_groups.h: candidates, what random walks leave of them, proofs, and the
 * choice of groups that cover the fluents. */
#include "analysis/mutex_groups.h"

#include "analysis/facts.h"
#include "base/bits.h"
#include "base/rng.h"
#include "game/rules_view.h"

#include <stdlib.h>
#include <string.h>

#define WALK_STATES 6000
#define WALK_WORK 60000000 /* gate inputs evaluated on walks */
#define PROOF_WORK 1800000 /* of all proofs; see induction.h */
#define FIRST_WORK 1300000 /* of the first one */
#define MORE_WORK 400000   /* of each that follows */
#define SMALL_WORK 200000  /* of the last resort */
#define MOST_ARGUMENTS 10  /* of a fluent whose arguments are tried in pairs */
#define CLOCKS 12          /* sets like phase, control, step that others are set against */
#define STRENGTHEN_MOST 2000
#define WEAK_MOST 300    /* fluents of a game that is small enough for more facts */
#define PAIRS_MOST 100   /* fluents of which all pairs can be looked at */
#define PAIRED_MOST 3000 /* fluents among which those never seen together are looked for */

/* A family is a symbol with the positions that vary inside a group; its
 * candidates differ in the other arguments. */
struct candidate {
	uint32_t family;
	term_t like;   /* the first member's term */
	uint64_t vary; /* one bit per position */
	uint32_t fact;
	bool later; /* not of the cheapest family */
	VEC(uint32_t) members;
};

struct finder {
	struct game *game;
	const struct ground *ground;
	struct mutex_groups *out;
	VEC(struct candidate) candidates;
	uint64_t *seen; /* by fluent: the states walked in which it holds, `words` words */
	size_t states, words;
	const struct limit *limit; /* when it is reached, the phases leave off and nothing is believed */
};

/* Asked in turn i of a loop. */
static bool late(const struct finder *f, size_t i)
{
	return i % 16 == 0 && limit_reached(f->limit);
}

/* ---- candidates ------------------------------------------------------------------ */

static bool same_but(const struct terms *t, term_t a, term_t b, uint64_t vary)
{
	struct term x = t->all.at[a], y = t->all.at[b];
	if (x.name != y.name || x.argc != y.argc)
		return false;
	for (uint32_t i = 0; i < x.argc; i++)
		if (!(vary >> i & 1) && term_args(t, a)[i] != term_args(t, b)[i])
			return false;
	return true;
}

static void put_candidate(struct finder *f, struct table *index, uint32_t fluent, uint64_t vary)
{
	const struct terms *t = &f->ground->datalog.terms;
	term_t id = f->ground->fluents.at[fluent];
	struct term x = t->all.at[id];
	uint64_t h = hash_join(hash_join(x.name, x.argc), vary);
	for (uint32_t i = 0; i < x.argc; i++)
		if (!(vary >> i & 1))
			h = hash_join(h, term_args(t, id)[i]);
	uint32_t it, c;
	for (table_start(index, h, &it); (c = table_next(index, h, &it)) != TABLE_NONE;)
		if (f->candidates.at[c].vary == vary && same_but(t, f->candidates.at[c].like, id, vary))
			break;
	if (c == TABLE_NONE) {
		c = (uint32_t)f->candidates.n;
		vec_push(&f->candidates, (struct candidate){.like = id, .vary = vary, .fact = GROUP_NONE});
		table_add(index, h, c);
	}
	vec_push(&f->candidates.at[c].members, fluent);
}

static void by_shape(struct finder *f)
{
	struct table index = {0};
	for (uint32_t i = 0; i < f->ground->fluents.n && !late(f, i); i++) {
		if (f->out->known[i] != OPEN)
			continue;
		uint32_t argc = f->ground->datalog.terms.all.at[f->ground->fluents.at[i]].argc;
		if (argc > 63)
			continue;
		for (uint32_t a = 0; a < argc; a++) {
			put_candidate(f, &index, i, UINT64_C(1) << a);
			for (uint32_t b = 0; b < a && argc > 2 && argc <= MOST_ARGUMENTS; b++)
				put_candidate(f, &index, i, UINT64_C(1) << a | UINT64_C(1) << b);
		}
		if (argc == 2 || argc > 3)
			put_candidate(f, &index, i, (UINT64_C(1) << argc) - 1);
	}
	table_free(&index);
}

/* ---- walks ------------------------------------------------------------------------ */

static void walk(struct finder *f, const struct limit *limit)
{
	struct game *g = f->game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	size_t most = WALK_WORK / (game_rules_view(g)->circuit->inputs.n + g->moves + 1) + 64;
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles + 1);
	uint64_t *state = mem_alloc(g->words + 1, 8), *next = mem_alloc(g->words + 1, 8);
	memcpy(state, g->initial, g->words * 8);
	most = most < WALK_STATES ? most : WALK_STATES;
	f->words = BITS_WORDS(most);
	f->seen = NEW_ARRAY(uint64_t, f->words * g->fluents + 1);
	for (f->states = 0; f->states < most && !(f->states % 16 == 15 && limit_reached(limit)); f->states++) {
		BITS_EACH (i, state, g->fluents)
			bits_add(f->seen + i * f->words, f->states);
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, &rng, moves)) {
			memcpy(state, g->initial, g->words * 8);
			continue;
		}
		game_next(w, state, moves, next);
		memcpy(state, next, g->words * 8);
	}
	worker_free(w);
	mem_free(moves);
	mem_free(state);
	mem_free(next);
	f->out->states = f->states;
}

static const uint64_t *seen(const struct finder *f, uint32_t fluent)
{
	return f->seen + fluent * f->words;
}

/* The states in which one of the members holds; false: in some, two do. */
static bool sieve(const struct finder *f, const uint32_t *members, size_t n, uint64_t *any)
{
	uint64_t two = 0;
	memset(any, 0, f->words * 8);
	for (size_t k = 0; k < n && !two; k++)
		for (size_t w = 0; w < f->words; w++) {
			two |= any[w] & seen(f, members[k])[w];
			any[w] |= seen(f, members[k])[w];
		}
	return !two;
}

static bool everywhere(const struct finder *f, const uint64_t *any)
{
	return bits_count(any, f->words) == f->states;
}

static bool nowhere(const struct finder *f, const uint64_t *any)
{
	return bits_count(any, f->words) == 0;
}

static uint32_t *copy_members(const uint32_t *members, size_t n)
{
	uint32_t *m = mem_alloc(n + 1, sizeof *m);
	memcpy(m, members, n * sizeof *m);
	return m;
}

/* Constants are known to the circuit already: their `next` is one. */
static void constants(struct finder *f)
{
	const struct circuit *c = game_rules_view(f->game)->circuit;
	for (uint32_t i = 0; i < f->game->fluents; i++) {
		bool holds = bits_has(f->game->initial, i);
		if (c->next.at[i] != (holds ? LIT_TRUE : LIT_FALSE))
			continue;
		f->out->known[i] = holds ? YES : NO;
		struct fact fact = {.kind = holds ? FACT_ALWAYS : FACT_NEVER, .n = 1, .members = copy_members(&i, 1)};
		vec_push(&f->out->facts, fact);
	}
}

static void sieve_candidates(struct finder *f)
{
	uint64_t *any = mem_alloc(f->words + 1, 8);
	for (size_t i = 0; i < f->candidates.n && !late(f, i); i++) {
		struct candidate *c = &f->candidates.at[i];
		if (c->members.n < 2 || !sieve(f, c->members.at, c->members.n, any))
			continue;
		struct fact fact = {.kind = FACT_GROUP,
		                    .exact = everywhere(f, any),
		                    .was_exact = everywhere(f, any),
		                    .n = (uint32_t)c->members.n,
		                    .members = copy_members(c->members.at, c->members.n)};
		c->fact = (uint32_t)f->out->facts.n;
		vec_push(&f->out->facts, fact);
	}
	mem_free(any);
	f->out->candidates = f->out->facts.n;
}

/* ---- families ------------------------------------------------------------------------
 *
 * The variables that a family leaves of its symbol: one per group, one per fluent of
 * no group. The cheapest family of a symbol is what the network should be made of. */
struct family {
	sym_t name;
	uint32_t argc;
	uint64_t vary;
	size_t cost, largest;
};

typedef VEC(struct family) family_list;

static bool of_family(const struct finder *f, const struct candidate *c, const struct family *y)
{
	struct term t = f->ground->datalog.terms.all.at[c->like];
	return t.name == y->name && t.argc == y->argc && c->vary == y->vary;
}

static int by_cost(const void *a, const void *b)
{
	const struct family *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->largest > y->largest ? -1 : x->largest < y->largest;
}

/* Cheapest first, as far as facts are alive. */
static void families_make(const struct finder *f, family_list *families)
{
	for (size_t i = 0; i < f->candidates.n && !late(f, i); i++) {
		const struct candidate *c = &f->candidates.at[i];
		struct term t = f->ground->datalog.terms.all.at[c->like];
		struct family y = {.name = t.name, .argc = t.argc, .vary = c->vary};
		size_t k = 0;
		while (k < families->n && !of_family(f, c, &families->at[k]))
			k++;
		if (k == families->n)
			vec_push(families, y);
		bool alive = c->fact != GROUP_NONE && !f->out->facts.at[c->fact].dead;
		families->at[k].cost += alive ? 1 : c->members.n;
		if (alive && c->members.n > families->at[k].largest)
			families->at[k].largest = c->members.n;
	}
	if (families->n)
		qsort(families->at, families->n, sizeof *families->at, by_cost);
}

/* Only the cheapest family of every symbol is tried at first. */
static void put_off_others(struct finder *f)
{
	family_list families = {0};
	families_make(f, &families);
	for (size_t k = 0; k < families.n && !late(f, 0); k++) {
		bool first = true;
		for (size_t i = 0; i < k; i++)
			first &= families.at[i].name != families.at[k].name || families.at[i].argc != families.at[k].argc;
		for (size_t i = 0; i < f->candidates.n && !first; i++)
			if (f->candidates.at[i].fact != GROUP_NONE && of_family(f, &f->candidates.at[i], &families.at[k])) {
				f->out->facts.at[f->candidates.at[i].fact].dead = true;
				f->candidates.at[i].later = true;
			}
	}
	vec_free(&families);
}

/* ---- facts that help to prove others --------------------------------------------------
 *
 * "The car is nowhere while the phase is hiding": a set that is not always taken,
 * together with those values of a set that always is (phase, control, step) with
 * which it was never seen. Such a fact is no variable of the network, but without
 * it the car could be hidden twice. */

static bool meet(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

/* Members n with those of `clock` that they never meet; only what then is exact, or
 * anything when `weak`. */
static void strengthen(struct finder *f, const uint32_t *members, uint32_t n, uint64_t *any, const struct fact *clock,
                       bool weak)
{
	uint32_t *all = mem_alloc(n + clock->n + 1, sizeof *all), k = n;
	uint64_t *whole = mem_alloc(f->words + 1, 8);
	memcpy(all, members, n * sizeof *all);
	memcpy(whole, any, f->words * 8);
	for (uint32_t i = 0; i < clock->n; i++) {
		const uint64_t *s = seen(f, clock->members[i]);
		if (nowhere(f, s) || meet(any, s, f->words))
			continue;
		all[k++] = clock->members[i];
		for (size_t w = 0; w < f->words; w++)
			whole[w] |= s[w];
	}
	bool exact = everywhere(f, whole);
	if (k > n && k < n + clock->n && (exact || weak)) {
		struct fact fact = {
			.kind = FACT_GROUP, .exact = exact, .was_exact = exact, .n = k, .members = copy_members(all, k)};
		vec_push(&f->out->facts, fact);
	}
	mem_free(all);
	mem_free(whole);
}

static void strengthen_all(struct finder *f)
{
	struct mutex_groups *o = f->out;
	size_t facts = o->facts.n, clocks = 0;
	uint64_t *any = mem_alloc(f->words + 1, 8);
	bool weak = f->game->fluents <= WEAK_MOST;
	for (size_t c = 0; c < facts && clocks < CLOCKS; c++) {
		if (o->facts.at[c].kind != FACT_GROUP || !o->facts.at[c].exact)
			continue;
		clocks++;
		for (size_t i = 0; i < facts && o->facts.n < facts + STRENGTHEN_MOST && !late(f, i); i++) {
			struct fact g = o->facts.at[i], clock = o->facts.at[c];
			if (g.kind != FACT_GROUP || g.exact)
				continue;
			sieve(f, g.members, g.n, any);
			strengthen(f, g.members, g.n, any, &clock, weak);
		}
		for (uint32_t i = 0; i < f->game->fluents && o->facts.n < facts + STRENGTHEN_MOST && !late(f, i); i++) {
			struct fact clock = o->facts.at[c];
			bool inside = false;
			for (uint32_t k = 0; k < clock.n; k++)
				inside |= clock.members[k] == i;
			if (inside || nowhere(f, seen(f, i)))
				continue;
			memcpy(any, seen(f, i), f->words * 8);
			strengthen(f, &i, 1, any, &clock, weak);
		}
	}
	mem_free(any);
}

/* Every pair never seen together: the last resort of small games. */
static bool strengthen_pairs(struct finder *f)
{
	struct mutex_groups *o = f->out;
	if (f->game->fluents > PAIRS_MOST)
		return false;
	for (uint32_t i = 0; i < f->game->fluents; i++)
		for (uint32_t j = 0; j < i; j++) {
			struct fact fact = {.kind = FACT_GROUP, .n = 2};
			if (nowhere(f, seen(f, i)) || nowhere(f, seen(f, j)) || meet(seen(f, i), seen(f, j), f->words))
				continue;
			fact.members = copy_members((uint32_t[]){i, j}, 2);
			vec_push(&o->facts, fact);
		}
	return true;
}

static void prove(struct finder *f, bool simple, const struct limit *limit, uint64_t work)
{
	struct mutex_groups *o = f->out;
	uint64_t left = o->effort.work < PROOF_WORK ? PROOF_WORK - o->effort.work : 0;
	struct induction_result r = induction_prove(game_rules_view(f->game)->circuit, f->game->first_move, f->game->roles,
	                                            o->facts.at, o->facts.n, simple, left < work ? left : work, limit);
	o->effort.queries += r.queries;
	o->effort.unknown += r.unknown;
	o->effort.work += r.work;
	o->effort.seconds += r.seconds;
}

/* Facts that were refuted, as they were, for another chance beside more facts;
 * false: there are none that matter. */
static bool revive(struct finder *f)
{
	struct mutex_groups *o = f->out;
	bool refuted = false;
	for (size_t i = 0; i < f->candidates.n; i++)
		if (f->candidates.at[i].fact != GROUP_NONE && !f->candidates.at[i].later) {
			const struct fact *x = &o->facts.at[f->candidates.at[i].fact];
			refuted |= x->dead || x->exact != x->was_exact;
		}
	return refuted && o->effort.work < PROOF_WORK * 2 / 3;
}

/* What is proved stays so: beside more facts it can only gain. When the work
 * runs out nothing new is believed. */
static void prove_more(struct finder *f, size_t old, const struct limit *limit)
{
	struct mutex_groups *o = f->out;
	VEC(struct fact) kept = {0};
	for (size_t i = 0; i < o->facts.n; i++)
		vec_push(&kept, o->facts.at[i]);
	for (size_t i = 0; i < o->facts.n; i++)
		if (o->facts.at[i].dead || o->facts.at[i].was_exact) {
			o->facts.at[i].dead = false;
			o->facts.at[i].exact = o->facts.at[i].was_exact;
		}
	prove(f, false, limit, MORE_WORK);
	for (size_t i = 0; i < kept.n; i++)
		if (!kept.at[i].dead && i < old) {
			bool exact = kept.at[i].exact || (!o->facts.at[i].dead && o->facts.at[i].exact);
			o->facts.at[i] = kept.at[i];
			o->facts.at[i].exact = exact;
		}
	vec_free(&kept);
}

/* When the work ran out before anything was proved: at least whose turn it is. */
static void prove_small(struct finder *f, const struct limit *limit)
{
	struct mutex_groups *o = f->out;
	bool any = false;
	for (size_t i = 0; i < o->facts.n; i++)
		any |= !o->facts.at[i].dead;
	for (size_t i = 0; i < o->candidates && !any; i++) {
		o->facts.at[i].dead = o->facts.at[i].n > 3;
		o->facts.at[i].exact = o->facts.at[i].was_exact;
	}
	if (!any)
		prove(f, true, limit, SMALL_WORK);
}

/* ---- the cover --------------------------------------------------------------------- */

static void cover(struct mutex_groups *o, const uint32_t *members, uint32_t n, bool exact)
{
	struct group g = {.first = (uint32_t)o->members.n, .exact = exact};
	for (uint32_t k = 0; k < n; k++) {
		if (o->known[members[k]] != OPEN) {
			g.exact &= o->known[members[k]] == NO; /* a value that never comes, or always */
			continue;
		}
		if (o->group_of[members[k]] != GROUP_NONE) {
			g.exact = false; /* it belongs to another group: no longer all of them */
			continue;
		}
		vec_push(&o->members, members[k]);
		g.n++;
	}
	if (g.n < 2) {
		o->members.n = g.first;
		return;
	}
	for (uint32_t k = g.first; k < o->members.n; k++)
		o->group_of[o->members.at[k]] = (uint32_t)o->all.n;
	vec_push(&o->all, g);
}

/* Groups of the cheapest families first. */
static void cover_families(struct finder *f)
{
	struct mutex_groups *o = f->out;
	family_list families = {0};
	families_make(f, &families);
	for (size_t k = 0; k < families.n && !late(f, 0); k++)
		for (size_t i = 0; i < f->candidates.n; i++) {
			const struct candidate *c = &f->candidates.at[i];
			if (c->fact == GROUP_NONE || !of_family(f, c, &families.at[k]))
				continue;
			const struct fact *fact = &o->facts.at[c->fact];
			if (!fact->dead)
				cover(o, fact->members, fact->n, fact->exact);
		}
	vec_free(&families);
}

/* ---- fluents never seen together ----------------------------------------------------- */

typedef VEC(uint32_t) fluent_list;

/* Greedy sets of fluents outside all groups, no two of which were seen in one state. */
static size_t cliques_of(struct finder *f, const fluent_list *rest)
{
	size_t made = 0;
	uint64_t *any = mem_alloc(f->words + 1, 8);
	bool *used = NEW_ARRAY(bool, rest->n + 1);
	for (size_t i = 0; i < rest->n && !late(f, i); i++) {
		fluent_list set = {0};
		if (used[i])
			continue;
		memcpy(any, seen(f, rest->at[i]), f->words * 8);
		vec_push(&set, rest->at[i]);
		for (size_t j = i + 1; j < rest->n; j++) {
			const uint64_t *s = seen(f, rest->at[j]);
			if (used[j] || meet(any, s, f->words))
				continue;
			used[j] = true;
			for (size_t k = 0; k < f->words; k++)
				any[k] |= s[k];
			vec_push(&set, rest->at[j]);
		}
		if (set.n > 1) {
			struct fact fact = {.kind = FACT_GROUP,
			                    .shrink = true,
			                    .n = (uint32_t)set.n,
			                    .exact = everywhere(f, any),
			                    .members = copy_members(set.at, set.n)};
			vec_push(&f->out->facts, fact);
			made++;
		}
		vec_free(&set);
	}
	mem_free(any);
	mem_free(used);
	return made;
}

static void cover_rest(struct finder *f, const struct limit *limit)
{
	struct mutex_groups *o = f->out;
	fluent_list rest = {0};
	size_t before = o->facts.n;
	for (uint32_t i = 0; i < f->game->fluents; i++)
		if (o->group_of[i] == GROUP_NONE && o->known[i] == OPEN)
			vec_push(&rest, i);
	if (rest.n > 1 && rest.n <= PAIRED_MOST && cliques_of(f, &rest)) {
		prove_more(f, before, limit);
		for (size_t i = before; i < o->facts.n; i++)
			if (!o->facts.at[i].dead)
				cover(o, o->facts.at[i].members, o->facts.at[i].n, o->facts.at[i].exact);
	}
	vec_free(&rest);
}

static void cover_single(struct mutex_groups *o, uint32_t fluents)
{
	for (uint32_t i = 0; i < fluents; i++) {
		if (o->group_of[i] != GROUP_NONE || o->known[i] != OPEN)
			continue;
		struct group g = {.first = (uint32_t)o->members.n, .n = 1};
		vec_push(&o->members, i);
		o->group_of[i] = (uint32_t)o->all.n;
		vec_push(&o->all, g);
	}
}

void mutex_groups_find(struct mutex_groups *g, struct game *game, const struct limit *limit)
{
	struct finder f = {.game = game, .ground = game_rules_view(game)->ground, .out = g, .limit = limit};
	*g = (struct mutex_groups){0};
	g->group_of = mem_alloc(game->fluents + 1, sizeof *g->group_of);
	g->known = mem_alloc(game->fluents + 1, 1);
	for (uint32_t i = 0; i < game->fluents; i++) {
		g->group_of[i] = GROUP_NONE;
		g->known[i] = OPEN;
	}
	walk(&f, limit);
	constants(&f);
	by_shape(&f);
	sieve_candidates(&f);
	put_off_others(&f);
	prove(&f, true, limit, FIRST_WORK);
	size_t old = g->facts.n;
	if (revive(&f))
		prove_more(&f, old, limit);
	if (revive(&f)) {
		strengthen_all(&f);
		prove_more(&f, old, limit);
	}
	old = g->facts.n;
	if (revive(&f) && strengthen_pairs(&f))
		prove_more(&f, old, limit);
	prove_small(&f, limit);
	cover_families(&f);
	cover_rest(&f, limit);
	cover_single(g, game->fluents);
	for (size_t i = 0; i < f.candidates.n; i++)
		vec_free(&f.candidates.at[i].members);
	vec_free(&f.candidates);
	mem_free(f.seen);
}

void mutex_groups_free(struct mutex_groups *g)
{
	for (size_t i = 0; i < g->facts.n; i++)
		mem_free(g->facts.at[i].members);
	vec_free(&g->facts);
	vec_free(&g->all);
	vec_free(&g->members);
	mem_free(g->group_of);
	mem_free(g->known);
	*g = (struct mutex_groups){0};
}

static void *find_kept(struct game *game, const struct limit *limit)
{
	struct mutex_groups *g = NEW(struct mutex_groups);
	mutex_groups_find(g, game, limit);
	if (!limit_reached(limit))
		return g;
	mutex_groups_free(g);
	mem_free(g);
	return NULL;
}

static void free_kept(void *fact)
{
	mutex_groups_free(fact);
	mem_free(fact);
}

const struct mutex_groups *mutex_groups_of(struct game *game, const struct limit *limit)
{
	static const struct facts_kind kind = {find_kept, free_kept};
	return facts_get(game, &kind, limit);
}
