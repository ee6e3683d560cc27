/* See delta.h. A table becomes a decision tree over the values of its variables, so a look at it is a walk down. Tables
 * that wait are bits in the order in which they were written, which is the order in which they follow from one another.
 * Three such sets: what follows from the state, what only scores need, what follows from the actions. */
#include "model/delta.h"

#include "base/bits.h"
#include "csp/inspect.h"
#include "model/lookup_tree.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define SMALL 4 /* values of a variable beyond which those that a table does not tell apart are looked for */

enum stage { STAGE_STATE, STAGE_GOALS, STAGE_ACTIONS, STAGES };

struct waiting {
	uint64_t *words, *top; /* a bit per table, a bit per word */
	uint32_t tops;
};

/* A table that gives `out` a value. Of a variable that is defined in pairs, only the last one is here. */
struct function {
	uint32_t out, tree;       /* tree: NONE: by pairs */
	uint32_t pairs, pair_end; /* into delta.pairs */
	uint32_t none;            /* by pairs: where none holds */
	uint8_t stage;
};

/* Of a definition in pairs: out has this value where var has that one. */
struct pair {
	uint32_t var, at, value;
};

/* A table of legality: rows of conditions on the state, each allowing some values of an action. */
struct filter {
	uint32_t role;
	uint32_t rows, row_end;  /* into delta.rows */
	uint64_t *allowed;       /* of the action; as things stand */
	const uint32_t *classes; /* values of the action by class, see classes_of(); NULL: rows have values themselves */
	bool waiting;
};

struct filter_row {
	uint32_t first, end; /* into delta.cells */
	uint32_t at;         /* value or class of the action; NONE: any */
};

struct delta {
	struct model *m;
	struct game *g;
	uint32_t vars, tables;
	uint32_t *value;            /* by variable: index; NONE: not yet */
	struct function *functions; /* by table */
	struct lookup_tree trees;
	VEC(struct pair) pairs;
	/* who looks at a variable, as place_of() has it: all[x .. x+1), or by value where it has more than SMALL */
	uint32_t *first_user;
	VEC(uint32_t) users;
	uint32_t *first_value; /* by variable: into value_users; NONE: small */
	VEC(uint32_t) value_users_start, value_users;
	struct waiting waiting[STAGES];
	uint8_t *stage_of; /* by variable */
	VEC(struct filter) filters;
	uint32_t *filter_of; /* by table: filter, or NONE */
	VEC(struct filter_row) rows;
	VEC(struct pair) cells; /* of rows: var and at */
	VEC(uint32_t *) views;  /* classes, owned */
	uint32_t *after_of;     /* by variable: group, or NONE */
	uint32_t *fluent;       /* by group: the fluent that holds, or GROUP_NONE */
	uint64_t *state, *next;
	bool fresh, lost; /* fresh: values belong to `state`; lost: a table has no row for these values */
	uint32_t *degree; /* by role */
	/* scratch */
	uint32_t **choices, *count, *order, *touched;
	uint64_t runs;
};

/* ---- waiting tables ------------------------------------------------------------------------ */

static void waiting_make(struct waiting *w, uint32_t tables)
{
	uint32_t words = tables / 64 + 1;
	w->tops = words / 64 + 1;
	w->words = NEW_ARRAY(uint64_t, words);
	w->top = NEW_ARRAY(uint64_t, w->tops);
}

static inline void wait_for(struct waiting *w, uint32_t t)
{
	w->words[t / 64] |= UINT64_C(1) << t % 64;
	w->top[t / 4096] |= UINT64_C(1) << t / 64 % 64;
}

/* A table as those see it who wake it: its stage, or that it is a filter, and its number there. */
#define PLACE_BITS 30
static uint32_t place_of(const struct delta *d, uint32_t t)
{
	bool filter = d->filter_of[t] != NONE;
	return (uint32_t)(filter ? STAGES : d->functions[t].stage) << PLACE_BITS | (filter ? d->filter_of[t] : t);
}

static inline void wake(struct delta *d, uint32_t place)
{
	uint32_t stage = place >> PLACE_BITS, at = place & ((UINT32_C(1) << PLACE_BITS) - 1);
	if (stage == STAGES)
		d->filters.at[at].waiting = true;
	else
		wait_for(&d->waiting[stage], at);
}

static void wake_by_value(struct delta *d, uint32_t x, uint32_t at)
{
	uint32_t i = d->first_value[x] + at;
	for (uint32_t k = d->value_users_start.at[i]; k < d->value_users_start.at[i + 1]; k++)
		wake(d, d->value_users.at[k]);
}

static void set(struct delta *d, uint32_t x, uint32_t at)
{
	uint32_t old = d->value[x];
	if (old == at)
		return;
	d->value[x] = at;
	if (d->after_of[x] != NONE) {
		const uint32_t *fluents = d->m->fluent_at[d->after_of[x]];
		if (old != NONE && fluents[old] != GROUP_NONE)
			bits_drop(d->next, fluents[old]);
		if (fluents[at] != GROUP_NONE)
			bits_add(d->next, fluents[at]);
		return; /* nobody asks what comes after the round */
	}
	if (d->first_value[x] != NONE && old != NONE) {
		wake_by_value(d, x, old);
		wake_by_value(d, x, at);
		return;
	}
	for (uint32_t k = d->first_user[x]; k < d->first_user[x + 1]; k++)
		wake(d, d->users.at[k]);
}

static uint32_t by_pairs(const struct delta *d, const struct function *f)
{
	for (uint32_t k = f->pairs; k < f->pair_end; k++)
		if (d->value[d->pairs.at[k].var] == d->pairs.at[k].at)
			return d->pairs.at[k].value;
	return f->none == NONE ? LOOKUP_ANY : f->none;
}

static void run(struct delta *d, uint32_t t)
{
	const struct function *f = &d->functions[t];
	uint32_t at = f->tree == NONE ? by_pairs(d, f) : lookup(&d->trees, f->tree, d->value);
	d->runs++;
	if (at == LOOKUP_LOST)
		d->lost = true;
	else if (at != LOOKUP_ANY)
		set(d, f->out, at);
	else if (d->value[f->out] == NONE)
		set(d, f->out, 0);
}

static void run_stage(struct delta *d, enum stage s)
{
	struct waiting *w = &d->waiting[s];
	for (uint32_t k = 0; k < w->tops; k++)
		while (w->top[k]) {
			uint32_t word = k * 64 + (uint32_t)__builtin_ctzll(w->top[k]);
			while (w->words[word]) {
				uint32_t t = word * 64 + (uint32_t)__builtin_ctzll(w->words[word]);
				w->words[word] &= w->words[word] - 1;
				run(d, t);
			}
			w->top[k] &= ~(UINT64_C(1) << word % 64);
		}
}

/* ---- a state ------------------------------------------------------------------------------------ */

static void forget(struct delta *d)
{
	for (uint32_t x = 0; x < d->vars; x++)
		d->value[x] = NONE;
	for (uint32_t t = 0; t < d->tables; t++)
		if (d->functions[t].out != NONE || d->filter_of[t] != NONE)
			wake(d, place_of(d, t));
	memset(d->state, 0, d->g->words * sizeof *d->state);
	memcpy(d->next, d->m->always, d->g->words * sizeof *d->next);
	for (uint32_t i = 0; i < d->m->groups->all.n; i++)
		d->fluent[i] = GROUP_NONE;
	d->lost = false;
}

/* The groups whose fluent changes, into d->touched. NONE: two fluents of a group, or a constant that is not. */
static uint32_t change_fluents(struct delta *d, const uint64_t *state)
{
	const struct mutex_groups *groups = d->m->groups;
	uint32_t n = 0;
	for (int on = 0; on < 2; on++)
		for (uint32_t w = 0; w < d->g->words; w++)
			for (uint64_t bits = (state[w] ^ d->state[w]) & (on ? state[w] : d->state[w]); bits; bits &= bits - 1) {
				uint32_t f = w * 64 + (uint32_t)__builtin_ctzll(bits), i = groups->group_of[f];
				if (i == GROUP_NONE && (d->fresh || groups->known[f] != YES))
					return NONE;
				if (i == GROUP_NONE)
					continue;
				if (on && d->fluent[i] != GROUP_NONE)
					return NONE;
				d->fluent[i] = on ? f : GROUP_NONE;
				d->touched[n++] = i;
			}
	return n;
}

static bool fix_state(struct delta *d, const uint64_t *state)
{
	struct model *m = d->m;
	bool fresh = d->fresh;
	if (!fresh)
		forget(d);
	uint32_t n = change_fluents(d, state);
	d->fresh = false; /* until all is well */
	if (n == NONE)
		return false;
	for (uint32_t k = 0; k < (fresh ? n : m->groups->all.n); k++) {
		uint32_t i = fresh ? d->touched[k] : k;
		uint32_t at = d->fluent[i] == GROUP_NONE ? m->none[i] : m->at[d->fluent[i]];
		if (at == CSP_NONE)
			return false;
		set(d, m->now[i], at);
	}
	memcpy(d->state, state, d->g->words * sizeof *state);
	return true;
}

bool delta_inject(struct delta *d, const uint64_t *state)
{
	if (!fix_state(d, state))
		return false;
	run_stage(d, STAGE_STATE);
	d->fresh = !d->lost;
	return d->fresh;
}

bool delta_terminal(const struct delta *d)
{
	return d->value[d->m->terminal] == 1;
}

void delta_goals(struct delta *d, int *goals)
{
	run_stage(d, STAGE_GOALS);
	for (uint32_t r = 0; r < d->g->roles; r++)
		goals[r] = csp_value(d->m->net, d->m->score[r], d->value[d->m->score[r]]);
	d->fresh &= !d->lost;
}

/* ---- legal moves ----------------------------------------------------------------------------------- */

static void allow(const struct delta *d, struct filter *f, uint32_t at)
{
	uint32_t n = d->m->count.at[d->m->action[f->role]];
	if (!f->classes && at != NONE) {
		bits_add(f->allowed, at);
		return;
	}
	if (at == NONE) {
		memset(f->allowed, 0xff, BITS_WORDS(n) * 8);
		return;
	}
	for (uint32_t i = f->classes[at]; i < f->classes[at + 1]; i++)
		bits_add(f->allowed, f->classes[i]);
}

static void run_filter(struct delta *d, struct filter *f)
{
	memset(f->allowed, 0, BITS_WORDS(d->m->count.at[d->m->action[f->role]]) * 8);
	for (uint32_t r = f->rows; r < f->row_end; r++) {
		const struct filter_row *row = &d->rows.at[r];
		bool valid = true;
		for (uint32_t k = row->first; k < row->end && valid; k++)
			valid = d->value[d->cells.at[k].var] == d->cells.at[k].at;
		if (valid)
			allow(d, f, row->at);
	}
	f->waiting = false;
	d->runs++;
}

static void find_choices(struct delta *d)
{
	uint64_t some[64], *left;
	for (uint32_t r = 0; r < d->g->roles; r++) {
		uint32_t n = d->m->count.at[d->m->action[r]], words = (uint32_t)BITS_WORDS(n);
		left = words <= 64 ? some : mem_alloc(words, sizeof *left);
		memset(left, 0xff, words * 8);
		for (size_t i = 0; i < d->filters.n; i++) {
			struct filter *f = &d->filters.at[i];
			if (f->role != r)
				continue;
			if (f->waiting)
				run_filter(d, f);
			for (uint32_t w = 0; w < words; w++)
				left[w] &= f->allowed[w];
		}
		d->count[r] = 0;
		BITS_EACH (v, left, n)
			d->choices[r][d->count[r]++] = (uint32_t)v;
		if (left != some)
			mem_free(left);
	}
}

/* Smallest domain over dynamic degree first; fixed ones are no choice. */
static void order_roles(struct delta *d)
{
	uint32_t roles = d->g->roles;
	for (uint32_t i = 0; i < roles; i++) {
		uint32_t r = i, k = i;
		double ratio = d->count[r] / (1.0 + d->degree[r]);
		for (; k > 0 && d->count[d->order[k - 1]] / (1.0 + d->degree[d->order[k - 1]]) > ratio; k--)
			d->order[k] = d->order[k - 1];
		d->order[k] = r;
	}
}

static bool is_one(const void *context, uint32_t x)
{
	return ((const struct delta *)context)->value[x] == 1;
}

static void keep(struct delta *d, struct model_round *r)
{
	uint32_t words = d->g->words;
	for (uint32_t i = 0; i < d->g->roles; i++)
		vec_push(&r->moves, model_move_of(d->m, i, d->value[d->m->action[i]]));
	vec_extend(&r->next, words);
	memcpy(r->next.at + r->next.n - words, d->next, words * sizeof *d->next);
	model_keep_seen(d->m, r, is_one, d);
	r->count++;
}

static void enumerate(struct delta *d, uint32_t depth, struct model_round *r)
{
	if (depth == d->g->roles) {
		run_stage(d, STAGE_ACTIONS);
		if (!d->lost)
			keep(d, r);
		return;
	}
	uint32_t role = d->order[depth];
	for (uint32_t i = 0; i < d->count[role] && !d->lost; i++) {
		r->nodes += d->count[role] > 1;
		set(d, d->m->action[role], d->choices[role][i]);
		enumerate(d, depth + 1, r);
	}
}

void delta_enumerate(struct delta *d, struct model_round *r)
{
	find_choices(d);
	order_roles(d);
	enumerate(d, 0, r);
	d->fresh &= !d->lost;
}

uint64_t delta_runs(const struct delta *d)
{
	return d->runs;
}

/* ---- making it ---------------------------------------------------------------------------------------- */

struct making {
	struct delta *d;
	struct csp *net;
	uint32_t *defined; /* by variable: 1 + the table that gives it its value last; 0: nobody does */
	bool *goal_only;   /* by table */
	VEC(struct use { uint32_t var, table; }) uses;
	bool ok;
};

static bool is_given(const struct delta *d, uint32_t x)
{
	return d->stage_of[x] == STAGES;
}

/* Table t looks at x: after x has its value, and not before. */
static void use(struct making *k, uint32_t t, uint32_t x, enum stage *stage)
{
	struct delta *d = k->d;
	struct use u = {x, t};
	vec_push(&k->uses, u);
	if (is_given(d, x))
		return;
	k->ok &= k->defined[x] && k->defined[x] - 1 < t;
	if (d->stage_of[x] == STAGE_ACTIONS)
		*stage = STAGE_ACTIONS;
}

static bool is_action(const struct delta *d, uint32_t x, uint32_t *role)
{
	for (uint32_t r = 0; r < d->g->roles; r++)
		if (d->m->action[r] == x) {
			*role = r;
			return true;
		}
	return false;
}

static void make_function(struct making *k, uint32_t t)
{
	struct delta *d = k->d;
	const uint32_t *scope = csp_scope(k->net, t);
	uint32_t arity = csp_arity(k->net, t), out = scope[arity - 1], role;
	struct csp_table rows = csp_table(k->net, t);
	enum stage stage = k->goal_only[t] ? STAGE_GOALS : STAGE_STATE;
	for (uint32_t p = 0; p + 1 < arity; p++) {
		use(k, t, scope[p], &stage);
		if (is_action(d, scope[p], &role))
			stage = STAGE_ACTIONS;
	}
	k->ok &= rows.positive && rows.arity == arity && !k->defined[out] && !is_given(d, out);
	if (!k->ok)
		return;
	struct function f = {.out = out,
	                     .tree = lookup_add(&d->trees, scope, arity, rows.cells, rows.rows, d->m->count.at),
	                     .stage = (uint8_t)stage};
	k->ok = f.tree != LOOKUP_LOST;
	d->functions[t] = f;
	d->stage_of[out] = (uint8_t)stage;
	k->defined[out] = t + 1;
}

/* The value of the first variable that goes with one value of the second alone. */
static bool find_pair(const struct csp_table *rows, struct pair *p)
{
	for (uint32_t i = 0; i < rows->rows; i++) {
		uint32_t same = 0;
		for (uint32_t j = 0; j < rows->rows; j++)
			same += rows->cells[j * 2] == rows->cells[i * 2];
		if (same == 1) {
			*p = (struct pair){0, rows->cells[i * 2], rows->cells[i * 2 + 1]};
			return true;
		}
	}
	return false;
}

static void make_pair(struct making *k, uint32_t t)
{
	struct delta *d = k->d;
	const uint32_t *scope = csp_scope(k->net, t);
	uint32_t out = scope[1], before = k->defined[out];
	struct csp_table rows = csp_table(k->net, t);
	enum stage stage = before            ? (enum stage)d->functions[before - 1].stage
	                   : k->goal_only[t] ? STAGE_GOALS
	                                     : STAGE_STATE;
	struct pair p;
	k->ok &= rows.positive && rows.arity == 2 && !rows.any && find_pair(&rows, &p) &&
	         (!before || d->functions[before - 1].tree == NONE);
	if (!k->ok)
		return;
	p.var = scope[0];
	struct function f = {.out = out, .tree = NONE, .pairs = (uint32_t)d->pairs.n, .none = NONE};
	if (before) {
		f = d->functions[before - 1];
		d->functions[before - 1].out = NONE;
		for (size_t i = 0; i < k->uses.n; i++) /* they are all looked at together, at the last one */
			if (k->uses.at[i].table == before - 1)
				k->uses.at[i].table = t;
		k->ok &= f.pair_end == d->pairs.n;
	}
	vec_push(&d->pairs, p);
	f.pair_end = (uint32_t)d->pairs.n;
	use(k, t, scope[0], &stage);
	f.stage = (uint8_t)stage;
	for (size_t i = 0; i < d->m->pair_nones.n; i++)
		if (d->m->pair_nones.at[i].var == out)
			f.none = d->m->pair_nones.at[i].at;
	d->functions[t] = f;
	d->stage_of[out] = (uint8_t)stage;
	k->defined[out] = t + 1;
}

/* The classes of an action's values that a view of it has: first where those of each class begin, then the values. */
static const uint32_t *classes_of(struct making *k, uint32_t view, uint32_t role)
{
	struct delta *d = k->d;
	uint32_t *classes, count = d->m->count.at[view];
	if (!k->defined[view])
		return NULL;
	struct csp_table rows = csp_table(k->net, k->defined[view] - 1);
	if (rows.arity != 2 || rows.any || csp_scope(k->net, k->defined[view] - 1)[0] != d->m->action[role])
		return NULL;
	classes = NEW_ARRAY(uint32_t, (size_t)count + 2 + rows.rows);
	for (uint32_t i = 0; i < rows.rows; i++)
		classes[rows.cells[i * 2 + 1] + 2]++;
	classes[0] = classes[1] = count + 2; /* the first place is that of the class before, while they are filled in */
	for (uint32_t c = 2; c <= count; c++)
		classes[c] += classes[c - 1];
	for (uint32_t i = 0; i < rows.rows; i++)
		classes[classes[rows.cells[i * 2 + 1] + 1]++] = rows.cells[i * 2];
	vec_push(&d->views, classes);
	return classes;
}

static bool role_of_filter(struct making *k, uint32_t x, struct filter *f)
{
	struct delta *d = k->d;
	if (is_action(d, x, &f->role))
		return true;
	for (f->role = 0; f->role < d->g->roles; f->role++) {
		f->classes = classes_of(k, x, f->role);
		if (f->classes)
			return true;
	}
	return false;
}

static void make_filter(struct making *k, uint32_t t)
{
	struct delta *d = k->d;
	const uint32_t *scope = csp_scope(k->net, t);
	uint32_t arity = csp_arity(k->net, t);
	struct csp_table rows = csp_table(k->net, t);
	struct filter f = {.rows = (uint32_t)d->rows.n};
	enum stage stage = STAGE_STATE;
	for (uint32_t p = 1; p < arity; p++)
		use(k, t, scope[p], &stage);
	k->ok &= rows.positive && rows.arity == arity && stage == STAGE_STATE && role_of_filter(k, scope[0], &f);
	if (!k->ok)
		return;
	for (uint32_t r = 0; r < rows.rows; r++) {
		const uint32_t *cells = rows.cells + (size_t)r * arity;
		struct filter_row row = {(uint32_t)d->cells.n, 0, cells[0] == CSP_CELL_ANY ? NONE : cells[0]};
		for (uint32_t p = 1; p < arity; p++)
			if (cells[p] != CSP_CELL_ANY) {
				struct pair c = {scope[p], cells[p], 0};
				vec_push(&d->cells, c);
			}
		row.end = (uint32_t)d->cells.n;
		vec_push(&d->rows, row);
	}
	f.row_end = (uint32_t)d->rows.n;
	f.allowed = NEW_ARRAY(uint64_t, BITS_WORDS(d->m->count.at[d->m->action[f.role]]));
	d->filter_of[t] = (uint32_t)d->filters.n;
	vec_push(&d->filters, f);
}

static int by_var(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	if (x->var != y->var)
		return x->var < y->var ? -1 : 1;
	return (x->table > y->table) - (x->table < y->table);
}

/* How table t answers to each value of x, as numbers: equal ones are not told apart. */
static void signatures(const struct making *k, uint32_t t, uint32_t x, uint64_t *out)
{
	const uint32_t *scope = csp_scope(k->net, t);
	uint32_t arity = csp_arity(k->net, t), n = k->d->m->count.at[x];
	struct csp_table rows = csp_table(k->net, t);
	memset(out, 0, n * sizeof *out);
	for (uint32_t r = 0; r < rows.rows; r++) {
		const uint32_t *cells = rows.cells + (size_t)r * arity;
		uint64_t h = 0x9e3779b97f4a7c15;
		uint32_t at = CSP_CELL_ANY;
		for (uint32_t p = 0; p < arity; p++) {
			if (scope[p] == x)
				at = cells[p];
			else
				h = hash_join(h, cells[p]);
		}
		if (at != CSP_CELL_ANY)
			out[at] += h;
	}
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The answer that most values get: they wake nobody among themselves. */
static uint64_t most_frequent(const uint64_t *signature, uint32_t n, uint64_t *scratch)
{
	uint64_t best = signature[0];
	uint32_t most = 0;
	memcpy(scratch, signature, n * sizeof *scratch);
	qsort(scratch, n, sizeof *scratch, by_size);
	for (uint32_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && scratch[j] == scratch[i];)
			j++;
		if (j - i > most) {
			most = j - i;
			best = scratch[i];
		}
	}
	return best;
}

/* Users of a variable with many values: by value, those that answer to it in a way of its own. */
static void use_by_value(struct making *k, uint32_t x, const struct use *uses, size_t count)
{
	struct delta *d = k->d;
	uint32_t n = d->m->count.at[x];
	uint64_t *signature = mem_alloc(count * n + 1, sizeof *signature),
			 *common = mem_alloc(count + n + 1, sizeof *common);
	for (size_t i = 0; i < count; i++) {
		bool joint = d->filter_of[uses[i].table] == NONE && d->functions[uses[i].table].tree == NONE;
		if (joint) /* by pairs: each value may matter */
			for (uint32_t v = 0; v < n; v++)
				signature[i * n + v] = v;
		else
			signatures(k, uses[i].table, x, signature + i * n);
		common[i] = most_frequent(signature + i * n, n, common + count);
	}
	d->first_value[x] = (uint32_t)d->value_users_start.n;
	for (uint32_t v = 0; v < n; v++) {
		vec_push(&d->value_users_start, (uint32_t)d->value_users.n);
		for (size_t i = 0; i < count; i++)
			if (signature[i * n + v] != common[i])
				vec_push(&d->value_users, uses[i].table);
	}
	vec_push(&d->value_users_start, (uint32_t)d->value_users.n);
	mem_free(signature);
	mem_free(common);
}

static void link_uses(struct making *k)
{
	struct delta *d = k->d;
	if (k->uses.n)
		qsort(k->uses.at, k->uses.n, sizeof *k->uses.at, by_var);
	size_t i = 0, kept = 0;
	for (size_t u = 0; u < k->uses.n; u++) /* a table may use a variable in several pairs */
		if (!kept || by_var(&k->uses.at[kept - 1], &k->uses.at[u]))
			k->uses.at[kept++] = k->uses.at[u];
	k->uses.n = kept;
	for (uint32_t x = 0; x < d->vars; x++) {
		size_t first = i;
		d->first_user[x] = (uint32_t)d->users.n;
		for (; i < k->uses.n && k->uses.at[i].var == x; i++)
			vec_push(&d->users, k->uses.at[i].table);
		if (d->m->count.at[x] > SMALL && i > first)
			use_by_value(k, x, k->uses.at + first, i - first);
	}
	d->first_user[d->vars] = (uint32_t)d->users.n;
	for (size_t u = 0; u < d->users.n; u++)
		d->users.at[u] = place_of(d, d->users.at[u]);
	for (size_t u = 0; u < d->value_users.n; u++)
		d->value_users.at[u] = place_of(d, d->value_users.at[u]);
}

static void make_arrays(struct delta *d)
{
	uint32_t groups = (uint32_t)d->m->groups->all.n, roles = d->g->roles;
	d->value = NEW_ARRAY(uint32_t, d->vars + 1);
	d->functions = NEW_ARRAY(struct function, d->tables + 1);
	d->first_user = NEW_ARRAY(uint32_t, d->vars + 1);
	d->first_value = NEW_ARRAY(uint32_t, d->vars + 1);
	d->stage_of = NEW_ARRAY(uint8_t, d->vars + 1);
	d->filter_of = NEW_ARRAY(uint32_t, d->tables + 1);
	d->after_of = NEW_ARRAY(uint32_t, d->vars + 1);
	d->fluent = NEW_ARRAY(uint32_t, groups + 1);
	d->state = NEW_ARRAY(uint64_t, d->g->words + 1);
	d->next = NEW_ARRAY(uint64_t, d->g->words + 1);
	d->degree = NEW_ARRAY(uint32_t, roles + 1);
	d->choices = NEW_ARRAY(uint32_t *, roles + 1);
	d->count = NEW_ARRAY(uint32_t, roles + 1);
	d->order = NEW_ARRAY(uint32_t, roles + 1);
	d->touched = NEW_ARRAY(uint32_t, (size_t)2 * d->g->fluents + 1);
	for (uint32_t i = 0; i < STAGES; i++)
		waiting_make(&d->waiting[i], d->tables);
	for (uint32_t t = 0; t < d->tables; t++)
		d->functions[t].out = d->filter_of[t] = NONE;
	for (uint32_t x = 0; x < d->vars; x++)
		d->after_of[x] = d->first_value[x] = NONE;
	for (uint32_t i = 0; i < groups; i++) {
		d->after_of[d->m->after[i]] = i;
		d->stage_of[d->m->now[i]] = STAGES;
	}
	for (uint32_t r = 0; r < roles; r++) {
		d->stage_of[d->m->action[r]] = STAGES;
		d->choices[r] = NEW_ARRAY(uint32_t, d->m->count.at[d->m->action[r]] + 1);
	}
}

static bool make_tables(struct making *k)
{
	struct delta *d = k->d;
	uint32_t role;
	for (uint32_t t = 0; t < d->tables && k->ok; t++)
		switch ((enum table_shape)d->m->shapes.at[t]) {
		case TABLE_FUNCTION: make_function(k, t); break;
		case TABLE_PAIR: make_pair(k, t); break;
		case TABLE_LEGAL: make_filter(k, t); break;
		case TABLE_DOMAIN: break;
		}
	for (uint32_t x = 0; x < d->vars && k->ok; x++)
		k->ok = is_given(d, x) || k->defined[x];
	for (size_t i = 0; i < k->uses.n; i++)
		if (is_action(d, k->uses.at[i].var, &role))
			d->degree[role]++;
	return k->ok;
}

struct delta *delta_make(struct model *m)
{
	struct delta *d = NEW(struct delta);
	d->m = m;
	d->g = m->game;
	d->vars = csp_variables(m->net);
	d->tables = csp_constraints(m->net);
	make_arrays(d);
	struct making k = {.d = d, .net = m->net, .ok = d->tables == m->shapes.n && !(d->tables >> PLACE_BITS)};
	k.defined = NEW_ARRAY(uint32_t, d->vars + 1);
	k.goal_only = NEW_ARRAY(bool, d->tables + 1);
	model_find_goal_only(m);
	for (size_t i = 0; i < m->goal_only.n; i++)
		k.goal_only[m->goal_only.at[i]] = true;
	bool ok = make_tables(&k);
	if (ok)
		link_uses(&k);
	mem_free(k.defined);
	mem_free(k.goal_only);
	vec_free(&k.uses);
	if (ok)
		return d;
	delta_free(d);
	return NULL;
}

void delta_free(struct delta *d)
{
	if (!d)
		return;
	for (uint32_t r = 0; r < d->g->roles; r++)
		mem_free(d->choices[r]);
	for (size_t i = 0; i < d->filters.n; i++)
		mem_free(d->filters.at[i].allowed);
	for (size_t i = 0; i < d->views.n; i++)
		mem_free(d->views.at[i]);
	for (uint32_t i = 0; i < STAGES; i++) {
		mem_free(d->waiting[i].words);
		mem_free(d->waiting[i].top);
	}
	lookup_free(&d->trees);
	mem_free(d->value);
	mem_free(d->functions);
	mem_free(d->first_user);
	mem_free(d->first_value);
	mem_free(d->stage_of);
	mem_free(d->filter_of);
	mem_free(d->after_of);
	mem_free(d->fluent);
	mem_free(d->state);
	mem_free(d->next);
	mem_free(d->degree);
	mem_free(d->choices);
	mem_free(d->count);
	mem_free(d->order);
	mem_free(d->touched);
	vec_free(&d->pairs);
	vec_free(&d->users);
	vec_free(&d->value_users_start);
	vec_free(&d->value_users);
	vec_free(&d->filters);
	vec_free(&d->rows);
	vec_free(&d->cells);
	vec_free(&d->views);
	mem_free(d);
}
