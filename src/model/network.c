/* The builder: circuit literals become variables and values, cones become tables
 * (decision_table.h); a cone whose table would be too large is cut at the inputs of its top
 * gate, which become auxiliary Boolean variables, each once. So the size stays
 * linear in the circuit times the bound on tuples. */
#include "model/model_internal.h"

#include "base/bits.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

#define LATE "not written in time"
#define WORK 6000         /* gate inputs to evaluate for one table */
#define CELL_BYTES 40     /* of the memory, with all that the solver keeps for it */
#define FREELY 1000000000 /* rows or work without a bound */

void network_fail(struct model *m, const char *why)
{
	if (m->failed)
		return;
	m->failed = true;
	text_printf(m->error, "%s: %s", m->relation, why);
	if (m->clause == CSP_NONE)
		return;
	const struct gdl_rules *rules = m->game->rules;
	const struct gdl_clause *c = &rules->clauses.at[m->clause];
	text_puts(m->error, "; the rule of ");
	gdl_print_node(rules, c->head, rules->form, m->error);
	if (m->where)
		*m->where = c->at;
}

void network_blame(struct model *m, atom_t a)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	m->clause = a != ATOM_NONE && g->first.at[a] < g->first.at[a + 1] ? g->clause.at[g->first.at[a]] : CSP_NONE;
}

void network_register(struct model *m, uint32_t x, uint8_t prefer)
{
	while (m->count.n <= x) {
		vec_push(&m->count, 0);
		vec_push(&m->prefer, 0);
	}
	m->count.at[x] = csp_count(m->net, x);
	m->prefer.at[x] = prefer;
	m->decisions.count = m->count.at;
	m->decisions.prefer = m->prefer.at;
}

uint32_t network_boolean(struct model *m, const char *name)
{
	struct text t = {0};
	text_puts(&t, name);
	name_unique(m, &t);
	uint32_t x = csp_var_range(m->net, text_str(&t), 0, 1);
	csp_hide(m->net, x);
	network_register(m, x, 0);
	m->auxiliary++;
	text_free(&t);
	return x;
}

static void keep(struct model *m, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows)
{
	struct kept_table k = {
		m->relation, (uint32_t)m->kept_scopes.n, (uint32_t)arity, m->kept_tuples.n, rows, (uint8_t)m->shape, false};
	for (size_t i = 0; i < arity; i++)
		vec_push(&m->kept_scopes, scope[i]);
	for (size_t i = 0; i < rows * arity; i++)
		vec_push(&m->kept_tuples, tuples[i]);
	vec_push(&m->kept, k);
}

static void too_large(struct model *m, const char *name)
{
	struct text why = {0};
	text_printf(&why, "the tables would not fit the memory; %llu tuples were written when that of %s came",
	            (unsigned long long)m->rows, name);
	network_fail(m, text_str(&why));
	text_free(&why);
}

void network_table(struct model *m, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows)
{
	m->rows += rows;
	m->cells += rows * arity + 16;
	if (m->cells > m->max_cells)
		too_large(m, csp_name(m->net, scope[arity - 1]));
	else if (limit_reached(&m->limit))
		network_fail(m, LATE);
	if (!m->failed)
		keep(m, scope, arity, tuples, rows);
}

/* The tables become constraints, those of the goals in one run, as they were written. */
static void post_tables(struct model *m)
{
	size_t n = 0, first = m->goal_first, end = m->goal_end;
	m->rows = 0;
	for (size_t i = 0; i < m->kept.n && !m->failed; i++) {
		struct kept_table k = m->kept.at[i];
		if (i == first)
			m->goal_first = (uint32_t)n;
		if (i == end)
			m->goal_end = (uint32_t)n;
		if (k.dead)
			continue;
		if (csp_add_table(m->net, m->kept_scopes.at + k.scope, k.arity, m->kept_tuples.at + k.tuples, k.rows, true) ==
		    CSP_NONE)
			network_fail(m, csp_error(m->net));
		vec_push(&m->shapes, k.shape);
		m->kept.at[n++] = k;
		m->rows += k.rows;
	}
	if (end == m->kept.n)
		m->goal_end = (uint32_t)n;
	m->kept.n = n;
	if (m->cells <= m->keep_cells && !m->simplified)
		return;
	vec_free(&m->kept);
	vec_free(&m->kept_scopes);
	vec_free(&m->kept_tuples);
}

/* ---- views --------------------------------------------------------------------------- */

static bool same_view(const struct model *m, const struct view_var *x, const struct decision_view *v)
{
	return x->of == v->var && x->classes == v->classes &&
	       !memcmp(m->view_maps.at + x->map, v->class_of, m->count.at[v->var] * sizeof *v->class_of);
}

/* "x is v" when one value stands alone, else "class of x". */
static void name_view(struct model *m, const struct decision_view *v, bool *flip, struct text *name)
{
	uint32_t size[2] = {0, 0}, alone = 0, n = m->count.at[v->var];
	*flip = false;
	if (v->classes == 2) {
		for (uint32_t i = 0; i < n; i++)
			size[v->class_of[i]]++;
		if (size[0] == 1 || size[1] == 1) {
			*flip = size[0] == 1;
			for (uint32_t i = 0; i < n; i++)
				if (v->class_of[i] == (*flip ? 0 : 1))
					alone = i;
			int32_t value = csp_value(m->net, v->var, alone);
			if (csp_symbolic(m->net, v->var))
				text_printf(name, "%s_is_%s", csp_name(m->net, v->var), csp_symbol_text(m->net, value));
			else
				text_printf(name, "%s_is_%d", csp_name(m->net, v->var), value);
			return;
		}
	}
	text_printf(name, "class_of_%s", csp_name(m->net, v->var));
}

uint32_t network_view(struct model *m, const struct decision_view *v, bool *flip)
{
	uint32_t n = m->count.at[v->var], it, id;
	uint64_t h = hash_join(hash_words(v->class_of, n), v->var);
	for (table_start(&m->views, h, &it); (id = table_next(&m->views, h, &it)) != TABLE_NONE;)
		if (same_view(m, &m->view_vars.at[id], v)) {
			*flip = m->view_vars.at[id].flip;
			return m->view_vars.at[id].var;
		}
	struct text name = {0};
	name_view(m, v, flip, &name);
	name_unique(m, &name);
	struct view_var x = {csp_var_range(m->net, text_str(&name), 0, (int32_t)v->classes - 1), v->var, v->classes,
	                     (uint32_t)m->view_maps.n, *flip};
	csp_hide(m->net, x.var);
	network_register(m, x.var, m->prefer.at[v->var]);
	m->auxiliary++;
	text_free(&name);
	int32_t *tuples = mem_alloc((size_t)n * 2, sizeof *tuples);
	for (uint32_t i = 0; i < n; i++) {
		vec_push(&m->view_maps, v->class_of[i]);
		tuples[i * 2] = csp_value(m->net, v->var, i);
		tuples[i * 2 + 1] = (int32_t)(*flip ? 1 - v->class_of[i] : v->class_of[i]);
	}
	network_table(m, (uint32_t[]){v->var, x.var}, 2, tuples, n);
	mem_free(tuples);
	table_add(&m->views, h, (uint32_t)m->view_vars.n);
	vec_push(&m->view_vars, x);
	return x.var;
}

/* ---- rows -------------------------------------------------------------------------------- */

void cubes_free(struct cubes *c)
{
	vec_free(&c->scope);
	vec_free(&c->cells);
	c->rows = 0;
}

/* Rows when the classes of view v are written out value by value. */
static size_t written_out(const struct decision_table *t, uint32_t v, const uint32_t *size)
{
	size_t n = 0, width = t->views.n + 1;
	for (uint32_t r = 0; r < t->rows; r++) {
		uint32_t k = t->cells.at[r * width + v];
		n += k == DECISION_ANY ? 1 : size[k];
	}
	return n;
}

/* Rows with classes of view v in place p become rows with values. */
static void write_out(struct model *m, struct cubes *c, uint32_t p, const struct decision_view *v)
{
	struct cubes d = {0};
	size_t width = c->scope.n + 1;
	for (size_t r = 0; r < c->rows; r++) {
		const int32_t *row = c->cells.at + r * width;
		for (uint32_t i = 0; i < m->count.at[v->var]; i++) {
			if (row[p] != CSP_ANY && v->class_of[i] != (uint32_t)row[p])
				continue;
			vec_extend(&d.cells, width);
			int32_t *to = d.cells.at + d.rows++ * width;
			memcpy(to, row, width * sizeof *to);
			if (row[p] == CSP_ANY)
				break;
			to[p] = csp_value(m->net, v->var, i);
		}
	}
	vec_free(&c->cells);
	c->cells.at = d.cells.at;
	c->cells.n = d.cells.n;
	c->cells.cap = d.cells.cap;
	c->rows = d.rows;
}

/* A view whose classes are hardly larger than values is replaced by its variable;
 * of the others the class becomes a variable. */
void network_cubes(struct model *m, struct cubes *c)
{
	const struct decision_table *t = &m->decisions;
	size_t width = t->views.n + 1;
	c->rows = t->rows;
	for (size_t i = 0; i < t->rows * width; i++)
		vec_push(&c->cells, t->cells.at[i] == DECISION_ANY ? CSP_ANY : (int32_t)t->cells.at[i]);
	for (uint32_t v = 0; v < t->views.n; v++)
		vec_push(&c->scope, t->views.at[v].var);
	for (uint32_t v = 0; v < t->views.n; v++) {
		const struct decision_view *x = &t->views.at[v];
		uint32_t *size = NEW_ARRAY(uint32_t, x->classes);
		bool flip;
		for (uint32_t i = 0; i < m->count.at[x->var]; i++)
			size[x->class_of[i]]++;
		size_t n = written_out(t, v, size);
		mem_free(size);
		if (!t->rows || c->rows * n / t->rows <= 2 * t->rows + 8) {
			write_out(m, c, v, x);
			continue;
		}
		c->scope.at[v] = network_view(m, x, &flip);
		for (size_t r = 0; flip && r < c->rows; r++)
			if (c->cells.at[r * width + v] != CSP_ANY)
				c->cells.at[r * width + v] = 1 - c->cells.at[r * width + v];
	}
}

bool network_function(struct model *m, const struct decision_job *job, uint32_t x, const uint32_t *value,
                      uint32_t guard, uint32_t otherwise)
{
	if (m->relations)
		relations_below(m, job->out, job->outs);
	if (m->failed || !decision_make(&m->decisions, job))
		return m->failed;
	struct cubes c = {0};
	VEC(int32_t) tuples = {0};
	VEC(uint32_t) scope = {0};
	size_t rows = 0, arity;
	bool guarded = guard != CSP_NONE;
	network_cubes(m, &c);
	if (guarded)
		vec_push(&scope, guard);
	for (size_t i = 0; i < c.scope.n; i++)
		vec_push(&scope, c.scope.at[i]);
	vec_push(&scope, x);
	arity = scope.n;
	if (guarded) {
		vec_push(&tuples, 0);
		for (size_t i = 0; i < c.scope.n; i++)
			vec_push(&tuples, CSP_ANY);
		vec_push(&tuples, csp_value(m->net, x, otherwise));
		rows++;
	}
	for (size_t r = 0; r < c.rows; r++) {
		const int32_t *row = c.cells.at + r * (c.scope.n + 1);
		uint32_t at = value[row[c.scope.n]];
		if (guarded)
			vec_push(&tuples, 1);
		for (size_t i = 0; i < c.scope.n; i++)
			vec_push(&tuples, row[i]);
		vec_push(&tuples, at == CSP_NONE ? CSP_ANY : csp_value(m->net, x, at));
		rows++;
	}
	network_table(m, scope.at, arity, tuples.at, rows);
	cubes_free(&c);
	vec_free(&tuples);
	vec_free(&scope);
	return true;
}

/* ---- gates ---------------------------------------------------------------------------------- */

static void define(struct model *m, uint32_t node);

/* An auxiliary variable for the outcome of `l`, first from the whole cone, then
 * from the inputs of its gate. */
static uint32_t define_literal(struct model *m, lit_t l, const char *name)
{
	static const uint32_t value[] = {1, 0};
	struct decision_job job = {.out = &l, .outs = 1, .one = true, .max_rows = m->tuples, .max_work = WORK};
	uint32_t x = network_boolean(m, name), node = l / 2;
	if (m->failed || network_function(m, &job, x, value, CSP_NONE, 0))
		return x;
	const struct gate *g = &m->c.gates.at[node];
	for (uint32_t i = 0; i < g->n && !m->failed; i++)
		define(m, m->c.inputs.at[g->in + i] / 2);
	job.max_rows = job.max_work = FREELY;
	if (!m->failed && !network_function(m, &job, x, value, CSP_NONE, 0))
		network_fail(m, "a gate is too large");
	return x;
}

static void define(struct model *m, uint32_t node)
{
	struct text name = {0};
	if (m->leaf[node].var != DECISION_NONE || m->c.gates.at[node].kind == GATE_FALSE)
		return;
	name_gate(m, node * 2, &name);
	uint32_t x = define_literal(m, node * 2, text_str(&name));
	m->leaf[node] = (struct leaf){x, 1};
	text_free(&name);
}

struct leaf network_leaf(struct model *m, lit_t l)
{
	uint32_t node = l / 2;
	define(m, node);
	struct leaf x = m->leaf[node];
	if (!(l & 1) && x.var != DECISION_NONE)
		return x;
	if (x.var != DECISION_NONE && m->count.at[x.var] == 2)
		return (struct leaf){x.var, 1 - x.at};
	if (m->negative[node].var == DECISION_NONE) { /* the negation of a value, or a constant */
		struct text name = {0};
		name_gate(m, node * 2 + 1, &name);
		m->negative[node] = (struct leaf){define_literal(m, node * 2 + 1, text_str(&name)), 1};
		text_free(&name);
	}
	x = m->negative[node];
	return l & 1 ? x : (struct leaf){x.var, 0};
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Is the word among those before? If not, it is now, as number i. */
static bool already(struct table *seen, const char *const *words, const char *word, uint32_t i)
{
	uint64_t h = hash_bytes(word, strlen(word));
	uint32_t it, id;
	for (table_start(seen, h, &it); (id = table_next(seen, h, &it)) != TABLE_NONE;)
		if (!strcmp(words[id], word))
			return true;
	table_add(seen, h, i);
	return false;
}

/* With these values, in any order; `at` gets their indices. Numbers stay numbers
 * when all are. */
static uint32_t new_variable(struct model *m, struct text *name, struct text *values, uint32_t n, uint32_t *at)
{
	bool numbers = true;
	struct table seen = {0};
	const char **words = NEW_ARRAY(const char *, n + 1);
	int32_t *whole = NEW_ARRAY(int32_t, n + 1);
	uint32_t x;
	name_unique(m, name);
	for (uint32_t i = 0; i < n; i++) {
		char *end;
		long v = strtol(text_str(&values[i]), &end, 10);
		struct text again = {0};
		text_printf(&again, "%ld", v);
		numbers &= !*end && v >= 0 && v < 1000000 && !strcmp(text_str(&again), text_str(&values[i]));
		whole[i] = (int32_t)v;
		text_free(&again);
	}
	for (uint32_t i = 0; i < n && !numbers; i++) {
		struct text v = {0};
		bool digit = values[i].at[0] >= '0' && values[i].at[0] <= '9';
		text_printf(&v, "%s%s", digit ? "v" : "", text_str(&values[i]));
		if (already(&seen, words, text_str(&v), i)) { /* two terms may come out alike */
			text_printf(&v, "_%u", i);
			already(&seen, words, text_str(&v), i);
		}
		text_free(&values[i]);
		values[i] = v;
		words[i] = text_str(&values[i]);
	}
	x = numbers ? csp_var_values(m->net, text_str(name), whole, n) : csp_var_symbols(m->net, text_str(name), words, n);
	if (x == CSP_NONE) {
		network_fail(m, csp_error(m->net));
	} else {
		for (uint32_t i = 0; i < n; i++)
			at[i] = csp_index(m->net, x, numbers ? whole[i] : (int64_t)csp_symbol(m->net, words[i]));
		network_register(m, x, 0);
	}
	table_free(&seen);
	mem_free(words);
	mem_free(whole);
	return x;
}

static void free_texts(struct text *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_free(&t[i]);
	mem_free(t);
}

/* The variable of a group, now or after the round. */
static uint32_t group_variable(struct model *m, uint32_t group, bool after)
{
	struct group g = m->groups->all.at[group];
	const uint32_t *members = m->groups->members.at + g.first;
	struct text name = {0}, *values = NEW_ARRAY(struct text, g.n + 1);
	uint32_t *at = NEW_ARRAY(uint32_t, g.n + 1), n = g.n + !g.exact, x;
	text_puts(&name, after ? "next_" : "");
	name_group(m, group, &name, values);
	if (g.n == 1) {
		name_unique(m, &name);
		x = csp_var_range(m->net, text_str(&name), 0, 1);
		at[0] = 1;
		at[1] = 0;
		network_register(m, x, 0);
	} else {
		if (!g.exact)
			text_puts(&values[g.n], "none");
		x = new_variable(m, &name, values, n, at);
	}
	if (!m->failed && !after) {
		m->fluent_at[group] = mem_alloc(n + 1, sizeof(uint32_t));
		m->none[group] = g.exact ? CSP_NONE : at[g.n];
		for (uint32_t i = 0; i < n; i++)
			m->fluent_at[group][at[i]] = i < g.n ? members[i] : GROUP_NONE;
		for (uint32_t i = 0; i < g.n; i++) {
			m->at[members[i]] = at[i];
			m->leaf[circuit_fluent(&m->c, members[i])] = (struct leaf){x, at[i]};
		}
		m->prefer.at[x] = 1;
	}
	text_free(&name);
	free_texts(values, g.n + 1);
	mem_free(at);
	return x;
}

static void action_variable(struct model *m, uint32_t role)
{
	uint32_t first = m->game->first_move[role], n = m->game->first_move[role + 1] - first;
	struct text name = {0}, *values = NEW_ARRAY(struct text, n + 1);
	uint32_t *at = NEW_ARRAY(uint32_t, n + 1);
	text_puts(&name, "action ");
	game_print_role(m->game, role, &name);
	name_tidy(&name);
	m->relation = "action";
	for (uint32_t i = 0; i < n; i++)
		name_move(m, first + i, &values[i]);
	if (!n)
		network_fail(m, "a role has no moves");
	else
		m->action[role] = new_variable(m, &name, values, n, at);
	for (uint32_t i = 0; i < n && !m->failed; i++) {
		m->move_at[first + i] = at[i];
		m->move_of[first + at[i]] = first + i;
		m->leaf[circuit_move(&m->c, first + i)] = (struct leaf){m->action[role], at[i]};
	}
	if (!m->failed)
		m->prefer.at[m->action[role]] = 3;
	text_free(&name);
	free_texts(values, n + 1);
	mem_free(at);
}

static void variables(struct model *m)
{
	struct text name = {0};
	uint32_t groups = (uint32_t)m->groups->all.n;
	m->relation = "state";
	m->now = NEW_ARRAY(uint32_t, groups + 1);
	m->after = NEW_ARRAY(uint32_t, groups + 1);
	m->none = NEW_ARRAY(uint32_t, groups + 1);
	m->fluent_at = NEW_ARRAY(uint32_t *, groups + 1);
	text_puts(&name, "terminal");
	name_unique(m, &name);
	m->terminal = csp_var_range(m->net, text_str(&name), 0, 1);
	network_register(m, m->terminal, 2);
	text_free(&name);
	for (uint32_t i = 0; i < groups && !m->failed; i++)
		m->now[i] = group_variable(m, i, false);
	for (uint32_t r = 0; r < m->game->roles && !m->failed; r++)
		action_variable(m, r);
	for (uint32_t i = 0; i < groups && !m->failed; i++)
		m->after[i] = group_variable(m, i, true);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

static void build(struct model *m, unsigned passes, bool sees)
{
	struct game *g = m->game;
	m->net = csp_new();
	csp_in_order(m->net);
	m->leaf = mem_alloc(m->c.gates.n, sizeof *m->leaf);
	m->negative = mem_alloc(m->c.gates.n, sizeof *m->negative);
	for (size_t i = 0; i < m->c.gates.n; i++)
		m->leaf[i] = m->negative[i] = (struct leaf){DECISION_NONE, 0};
	m->decisions.c = &m->c;
	m->decisions.leaf = m->leaf;
	m->action = NEW_ARRAY(uint32_t, g->roles + 1);
	m->score = NEW_ARRAY(uint32_t, g->roles + 1);
	m->at = NEW_ARRAY(uint32_t, g->fluents + 1);
	m->move_at = NEW_ARRAY(uint32_t, g->moves + 1);
	m->move_of = NEW_ARRAY(uint32_t, g->moves + 1);
	variables(m);
	if (!m->failed)
		rules_terminal(m);
	if (!m->failed)
		rules_scores(m);
	if (!m->failed)
		rules_legal(m);
	if (!m->failed)
		rules_next(m);
	if (!m->failed && sees)
		rules_sees(m);
	m->relation = "network";
	m->clause = CSP_NONE;
	if (!m->failed && passes)
		simplify_tables(m, passes);
	if (!m->failed)
		post_tables(m);
	if (!m->failed && !csp_prepare(m->net))
		network_fail(m, "it is inconsistent: no state has a legal move");
}

/* Says which recursion: one of its atoms. */
static void recursion_too_large(struct model *m, const struct circuit *c)
{
	struct text why = {0};
	text_puts(&why, "recursion inside a state, written out, would not fit the memory");
	for (uint32_t a = 0; a < c->atoms.n && c->members.n; a++)
		if (c->atoms.at[a] / 2 == c->members.at[0].node) {
			text_puts(&why, ": ");
			ground_print_atom(game_rules_view(m->game)->ground, a, &why);
			network_blame(m, a);
			break;
		}
	network_fail(m, text_str(&why));
	text_free(&why);
}

struct model *model_make(struct game *g, const struct model_options *o, struct text *error)
{
	double start = clock_now(), cpu = clock_thread();
	if (g->engine != ENGINE_CIRCUIT) {
		text_printf(error, "the rules have no circuit%s%s", g->why.n ? ": " : "", text_str(&g->why));
		return NULL;
	}
	struct model *m = NEW(struct model);
	m->game = g;
	m->error = error;
	m->tuples = o->tuples ? o->tuples : MODEL_TUPLES;
	m->limit = o->limit;
	m->keep_cells = o->keep ? UINT64_MAX : MODEL_PRINT_CELLS;
	m->max_cells = (o->memory ? o->memory : (size_t)1 << 30) / CELL_BYTES;
	m->relation = "rules";
	m->clause = CSP_NONE;
	m->where = o->where;
	m->simplified = o->passes;
	m->groups = mutex_groups_of(g, &m->limit);
	if (!m->groups) {
		network_fail(m, LATE);
		model_free(m);
		return NULL;
	}
	struct circuit folded, plain = {0};
	if (o->translation == MODEL_RULES)
		circuit_make_plain(&plain, game_rules_view(g)->ground);
	circuit_specialise(&folded, o->translation == MODEL_RULES ? &plain : game_rules_view(g)->circuit, m->groups->known,
	                   NULL);
	circuit_free(&plain);
	bool unrolled = unroll_loops(&m->c, &folded, m->max_cells / 4, &m->limit);
	if (unrolled && o->translation == MODEL_RULES)
		relations_make(m, &folded);
	if (unrolled)
		build(m, o->passes, o->sees);
	else if (limit_reached(&m->limit))
		network_fail(m, LATE);
	else
		recursion_too_large(m, &folded);
	circuit_free(&folded);
	m->seconds = clock_now() - start;
	m->cpu_seconds = clock_thread() - cpu;
	if (m->failed) {
		model_free(m);
		return NULL;
	}
	m->always = NEW_ARRAY(uint64_t, g->words + 1);
	for (uint32_t f = 0; f < g->fluents; f++)
		if (m->groups->known[f] == YES)
			bits_add(m->always, f);
	simplify_domains(m, o->passes);
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	if (m->net)
		csp_free(m->net);
	for (size_t i = 0; m->fluent_at && m->groups && i < m->groups->all.n; i++)
		mem_free(m->fluent_at[i]);
	for (size_t i = 0; i < m->used_names.n; i++)
		mem_free(m->used_names.at[i]);
	mem_free(m->fluent_at);
	circuit_free(&m->c);
	decision_free(&m->decisions);
	mem_free(m->always);
	mem_free(m->action);
	mem_free(m->score);
	mem_free(m->now);
	mem_free(m->after);
	mem_free(m->at);
	mem_free(m->none);
	mem_free(m->move_at);
	mem_free(m->move_of);
	mem_free(m->leaf);
	mem_free(m->negative);
	mem_free(m->atom);
	relations_free(m->relations);
	delta_free(m->delta);
	vec_free(&m->shapes);
	vec_free(&m->pair_nones);
	vec_free(&m->chance_legal);
	vec_free(&m->percepts);
	vec_free(&m->count);
	vec_free(&m->prefer);
	table_free(&m->views);
	table_free(&m->names);
	vec_free(&m->view_vars);
	vec_free(&m->view_maps);
	vec_free(&m->used_names);
	vec_free(&m->kept);
	vec_free(&m->order);
	vec_free(&m->goal_only);
	vec_free(&m->kept_scopes);
	vec_free(&m->kept_tuples);
	mem_free(m);
}
