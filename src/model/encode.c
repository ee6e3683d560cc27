/* The four kinds of rules (terminal, scores, legal, next) as constraints: one table each as in the papers where it is
 * small enough, else auxiliary variables for the parts. */
#include "model/model_internal.h"

#include "game/rules_view.h"

#include <stdlib.h>

#define WORK 60000
#define FREELY 1000000000
#define WIDE 40        /* outcomes that are still one table when each is a Boolean */
#define LEGAL_WIDE 48  /* columns of a legality table */
#define LEGAL_CHUNK 64 /* moves of a role that are one table in any case */

/* ---- terminal ----------------------------------------------------------------------- */

void rules_terminal(struct model *m)
{
	static const uint32_t value[] = {1, 0};
	lit_t l = m->c.terminal;
	struct decision_job job = {.out = &l, .outs = 1, .one = true, .max_rows = m->tuples, .max_work = WORK};
	struct rule_head h = {&game_rules_view(m->game)->ground->terminal, (uint32_t[]){1}, 1, 0, CSP_NONE, 0};
	m->relation = "terminal";
	network_blame(m, *h.atoms);
	if (!relations_head(m, &h, m->terminal, "terminal") &&
	    !network_function(m, &job, m->terminal, value, CSP_NONE, 0)) {
		const struct gate *g = &m->c.gates.at[l / 2];
		for (uint32_t i = 0; i < g->n && !m->failed; i++)
			network_leaf(m, m->c.inputs.at[g->in + i]);
		job.max_rows = job.max_work = FREELY;
		if (!m->failed && !network_function(m, &job, m->terminal, value, CSP_NONE, 0))
			network_fail(m, "too large");
	}
	/* Others that ask the same gate ask the variable. */
	if (!m->failed && m->leaf[l / 2].var == DECISION_NONE && l / 2)
		m->leaf[l / 2] = (struct leaf){m->terminal, l & 1 ? 0 : 1};
}

/* ---- several outcomes, too many for one table: each literal gets its variable ----------- */

/* Values of x whose literal is never true. */
static void forbid_values(struct model *m, const struct decision_job *job, uint32_t x, const uint32_t *value)
{
	uint32_t n = m->count.at[x];
	bool *never = NEW_ARRAY(bool, n), some = false;
	VEC(int32_t) left = {0};
	for (uint32_t i = 0; i < job->outs; i++)
		if (job->out[i] == LIT_FALSE && value[i] != CSP_NONE)
			never[value[i]] = some = true;
	for (uint32_t k = 0; k < n; k++)
		if (!never[k])
			vec_push(&left, csp_value(m->net, x, k));
	m->shape = TABLE_DOMAIN;
	if (some)
		network_table(m, &x, 1, left.at, left.n);
	m->shape = TABLE_FUNCTION;
	vec_free(&left);
	mem_free(never);
}

void network_large_function(struct model *m, struct decision_job *job, uint32_t x, const uint32_t *value,
                            uint32_t guard, uint32_t otherwise)
{
	for (uint32_t i = 0; i < job->outs && !m->failed; i++)
		network_leaf(m, job->out[i] & ~UINT32_C(1));
	if (m->failed)
		return;
	if (job->outs <= WIDE || guard != CSP_NONE) {
		job->max_rows = job->max_work = FREELY;
		if (!network_function(m, job, x, value, guard, otherwise))
			network_fail(m, "too large");
		return;
	}
	/* x has the value of outcome i exactly when literal i holds: pair by pair. */
	uint32_t n = m->count.at[x];
	int32_t *tuples = mem_alloc((size_t)n * 2 + 2, sizeof *tuples);
	struct pair_none none = {x, value[job->outs]};
	vec_push(&m->pair_nones, none);
	forbid_values(m, job, x, value);
	for (uint32_t i = 0; i < job->outs && !m->failed; i++) {
		if (job->out[i] == LIT_FALSE)
			continue;
		struct leaf y = network_leaf(m, job->out[i]);
		struct decision_view two = {.var = y.var, .classes = 2, .class_of = NEW_ARRAY(uint32_t, m->count.at[y.var])};
		bool flip = false;
		uint32_t b = y.var;
		int32_t yes = csp_value(m->net, y.var, y.at), no = 0;
		two.class_of[y.at] = 1;
		if (m->count.at[y.var] > 2) {
			b = network_view(m, &two, &flip);
			yes = flip ? 0 : 1;
			no = 1 - yes;
		} else {
			no = csp_value(m->net, y.var, 1 - y.at);
		}
		for (uint32_t k = 0; k < n; k++) {
			tuples[k * 2] = k == value[i] ? yes : no;
			tuples[k * 2 + 1] = csp_value(m->net, x, k);
		}
		m->shape = TABLE_PAIR;
		network_table(m, (uint32_t[]){b, x}, 2, tuples, n);
		m->shape = TABLE_FUNCTION;
		mem_free(two.class_of);
	}
	mem_free(tuples);
	/* A value of x that no literal stands for is `none`, and needs nothing more. */
}

/* ---- scores ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

static bool score_by_rules(struct model *m, uint32_t role, const uint32_t *at, const char *name)
{
	const struct rules_view *rules = game_rules_view(m->game);
	uint32_t from = rules->first_goal[role], n = rules->first_goal[role + 1] - from;
	atom_t *atoms = NEW_ARRAY(atom_t, n);
	for (uint32_t i = 0; i < n; i++)
		atoms[i] = rules->ground->goals.at[from + i].atom;
	struct rule_head h = {atoms, at, n, at[n], m->terminal, at[n]};
	bool done = relations_head(m, &h, m->score[role], name);
	mem_free(atoms);
	return done;
}

static void score(struct model *m, uint32_t role)
{
	const struct rules_view *rules = game_rules_view(m->game);
	uint32_t from = rules->first_goal[role], n = rules->first_goal[role + 1] - from;
	VEC(int32_t) values = {0};
	VEC(lit_t) lits = {0};
	VEC(uint32_t) at = {0};
	struct text name = {0};
	struct decision_job job = {.max_rows = m->tuples, .max_work = WORK};
	vec_push(&values, GOAL_NONE);
	for (uint32_t i = 0; i < n; i++) {
		int v = rules->goal_value[from + i];
		bool twin = false;
		for (size_t k = 0; k < values.n; k++)
			twin |= values.at[k] == v;
		if (!twin)
			vec_push(&values, v);
		vec_push(&lits, m->c.goals.at[from + i]);
	}
	qsort(values.at, values.n, sizeof *values.at, by_value);
	if (n)
		network_blame(m, rules->ground->goals.at[from].atom);
	text_puts(&name, "score ");
	game_print_role(m->game, role, &name);
	name_tidy(&name);
	name_unique(m, &name);
	m->score[role] = csp_var_values(m->net, text_str(&name), values.at, values.n);
	network_register(m, m->score[role], 0);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&at, csp_index(m->net, m->score[role], rules->goal_value[from + i]));
	vec_push(&at, csp_index(m->net, m->score[role], GOAL_NONE));
	job.out = lits.at;
	job.outs = n;
	if (n)
		job.one = induction_exclusive(rules->circuit, m->groups->facts.at, m->groups->facts.n,
		                              rules->circuit->goals.at + from, n, &job.exact);
	if (!n)
		network_table(m, &m->score[role], 1, (int32_t[]){GOAL_NONE}, 1);
	else if (!(job.one && score_by_rules(m, role, at.at, text_str(&name))) &&
	         !network_function(m, &job, m->score[role], at.at, m->terminal, at.at[n]))
		network_large_function(m, &job, m->score[role], at.at, m->terminal, at.at[n]);
	text_free(&name);
	vec_free(&values);
	vec_free(&lits);
	vec_free(&at);
}

void rules_scores(struct model *m)
{
	m->relation = "goal";
	m->goal_first = (uint32_t)m->kept.n;
	for (uint32_t r = 0; r < m->game->roles && !m->failed; r++)
		score(m, r);
	m->goal_end = (uint32_t)m->kept.n;
}

/* ---- legal ----------------------------------------------------------------------------------- */

/* A table under construction: columns by variable, rows of (column, integer). */
struct legal {
	struct model *m;
	VEC(uint32_t) scope; /* [0]: the action or a view of it */
	VEC(struct legal_cell {
		uint32_t column;
		int32_t value;
	}) cells;
	VEC(size_t) rows;   /* where each begins */
	VEC(int32_t) first; /* column 0 of each row */
};

static uint32_t column(struct legal *x, uint32_t var)
{
	for (uint32_t i = 1; i < x->scope.n; i++)
		if (x->scope.at[i] == var)
			return i;
	vec_push(&x->scope, var);
	return (uint32_t)x->scope.n - 1;
}

static void legal_row(struct legal *x, int32_t first)
{
	vec_push(&x->rows, x->cells.n);
	vec_push(&x->first, first);
}

static void legal_cell(struct legal *x, uint32_t var, int32_t value)
{
	struct legal_cell c = {column(x, var), value};
	vec_push(&x->cells, c);
}

/* The rows, and one more: when the game is over nothing is asked of the action. */
static void legal_table(struct legal *x)
{
	legal_row(x, CSP_ANY);
	legal_cell(x, x->m->terminal, 1);
	size_t arity = x->scope.n, n = x->rows.n;
	int32_t *tuples = mem_alloc(n * arity + 1, sizeof *tuples);
	for (size_t i = 0; i < n * arity; i++)
		tuples[i] = CSP_ANY;
	for (size_t r = 0; r < n; r++) {
		size_t end = r + 1 < n ? x->rows.at[r + 1] : x->cells.n;
		tuples[r * arity] = x->first.at[r];
		for (size_t k = x->rows.at[r]; k < end; k++)
			tuples[r * arity + x->cells.at[k].column] = x->cells.at[k].value;
	}
	x->m->shape = TABLE_LEGAL;
	network_table(x->m, x->scope.at, arity, tuples, n);
	x->m->shape = TABLE_FUNCTION;
	mem_free(tuples);
}

static void legal_free(struct legal *x)
{
	vec_free(&x->scope);
	vec_free(&x->cells);
	vec_free(&x->rows);
	vec_free(&x->first);
}

/* The rows of one move from its own cone; false: too many for one table. */
static bool legal_cubes(struct legal *x, uint32_t move, int32_t first)
{
	struct model *m = x->m;
	lit_t l = m->c.legal.at[move];
	struct decision_job job = {.out = &l, .outs = 1, .one = true, .only_true = true, .max_rows = 16, .max_work = 20000};
	if (m->relations)
		relations_below(m, &l, 1);
	if (m->failed)
		return true;
	if (!decision_make(&m->decisions, &job))
		return false;
	struct cubes c = {0};
	network_cubes(m, &c);
	for (size_t r = 0; r < c.rows; r++) {
		legal_row(x, first);
		for (size_t k = 0; k < c.scope.n; k++)
			if (c.cells.at[r * (c.scope.n + 1) + k] != CSP_ANY)
				legal_cell(x, c.scope.at[k], c.cells.at[r * (c.scope.n + 1) + k]);
	}
	cubes_free(&c);
	return x->scope.n <= LEGAL_WIDE && x->rows.n <= m->tuples;
}

/* All moves of a role in one table over the state, as in the papers; false: it
 * would be too large. */
static bool legal_small(struct model *m, uint32_t role)
{
	struct legal x = {.m = m};
	bool ok = true;
	vec_push(&x.scope, m->action[role]);
	for (uint32_t i = m->game->first_move[role]; i < m->game->first_move[role + 1] && ok; i++)
		ok = legal_cubes(&x, i, csp_value(m->net, m->action[role], m->move_at[i]));
	if (ok)
		legal_table(&x);
	legal_free(&x);
	return ok;
}

/* Moves [from, to) of a role with a Boolean each; column 0 is the action itself or,
 * of many moves, the view that distinguishes these and joins the others. */
static void legal_chunk(struct model *m, uint32_t role, uint32_t from, uint32_t to)
{
	struct legal x = {.m = m};
	uint32_t n = m->count.at[m->action[role]], first = m->game->first_move[role];
	struct decision_view v = {.var = m->action[role], .class_of = NEW_ARRAY(uint32_t, n)};
	bool all = to - from == n, flip = false;
	if (!all) {
		/* classes are numbered as they come, so that equal views are equal */
		uint32_t other = UINT32_MAX;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t move = m->move_of[first + k];
			bool in = move >= from && move < to;
			if (in || other == UINT32_MAX)
				v.class_of[k] = v.classes++;
			else
				v.class_of[k] = other;
			if (!in && other == UINT32_MAX)
				other = v.class_of[k];
		}
		vec_push(&x.scope, network_view(m, &v, &flip));
		legal_row(&x, (int32_t)(flip ? 1 - other : other));
	} else {
		vec_push(&x.scope, m->action[role]);
	}
	for (uint32_t i = from; i < to && !m->failed; i++) {
		lit_t l = m->c.legal.at[i];
		if (l == LIT_FALSE)
			continue;
		network_blame(m, game_rules_view(m->game)->ground->moves.at[i].atom);
		uint32_t c = v.class_of[m->move_at[i]];
		legal_row(&x, all ? csp_value(m->net, m->action[role], m->move_at[i]) : (int32_t)(flip ? 1 - c : c));
		if (l == LIT_TRUE)
			continue;
		struct leaf y = network_leaf(m, l);
		if (!m->failed)
			legal_cell(&x, y.var, csp_value(m->net, y.var, y.at));
	}
	if (!m->failed)
		legal_table(&x);
	legal_free(&x);
	mem_free(v.class_of);
}

static void legal_large(struct model *m, uint32_t role)
{
	uint32_t from = m->game->first_move[role], to = m->game->first_move[role + 1], size = to - from;
	if (size > LEGAL_CHUNK)
		for (size = 8; size * size < to - from;)
			size++;
	for (; from < to && !m->failed; from += size)
		legal_chunk(m, role, from, from + size < to ? from + size : to);
}

/* Chance: a Boolean for every value, over which its table is uniform. */
static void legal_chance(struct model *m, uint32_t role)
{
	uint32_t first = m->game->first_move[role], n = m->game->first_move[role + 1] - first;
	for (uint32_t k = 0; k < n && !m->failed; k++) {
		uint32_t move = m->move_of[first + k];
		lit_t l = m->c.legal.at[move];
		network_blame(m, game_rules_view(m->game)->ground->moves.at[move].atom);
		struct leaf y = {CSP_NONE, 0};
		if (l > LIT_TRUE)
			y = network_leaf(m, l);
		struct text name = {0};
		text_puts(&name, "legal ");
		name_move(m, move, &name);
		name_tidy(&name);
		uint32_t b = network_boolean(m, text_str(&name));
		text_free(&name);
		vec_push(&m->chance_legal, b);
		if (m->failed)
			return;
		if (y.var == CSP_NONE) {
			network_table(m, &b, 1, (int32_t[]){l == LIT_TRUE}, 1);
			continue;
		}
		VEC(int32_t) tuples = {0};
		for (uint32_t i = 0; i < m->count.at[y.var]; i++) {
			vec_push(&tuples, csp_value(m->net, y.var, i));
			vec_push(&tuples, i == y.at);
		}
		network_table(m, (uint32_t[]){y.var, b}, 2, tuples.at, m->count.at[y.var]);
		vec_free(&tuples);
	}
}

void rules_legal(struct model *m)
{
	m->relation = "legal";
	for (uint32_t r = 0; r < m->game->roles && !m->failed; r++) {
		if (r == m->game->random)
			legal_chance(m, r);
		if (!m->failed && !legal_small(m, r))
			legal_large(m, r);
	}
}

/* ---- next -------------------------------------------------------------------------------------- */

static void next(struct model *m, uint32_t group)
{
	struct group g = m->groups->all.at[group];
	uint32_t now = m->now[group];
	uint8_t before = m->prefer.at[now];
	VEC(lit_t) lits = {0};
	VEC(uint32_t) at = {0};
	VEC(atom_t) atoms = {0};
	for (uint32_t i = 0; i < g.n; i++) {
		uint32_t f = m->groups->members.at[g.first + i];
		vec_push(&lits, m->c.next.at[f]);
		vec_push(&atoms, game_rules_view(m->game)->ground->next.at[f]);
		vec_push(&at, m->at[f]);
	}
	network_blame(m, atoms.at[0]);
	vec_push(&at, m->none[group]); /* exact groups: only after the end; anything */
	struct decision_job job = {
		.out = lits.at, .outs = g.n, .one = true, .exact = g.exact, .max_rows = m->tuples, .max_work = WORK};
	m->prefer.at[now] = 2; /* after the actions, what the variable was itself */
	struct rule_head h = {atoms.at, at.at, g.n, m->none[group], CSP_NONE, 0};
	if (!relations_head(m, &h, m->after[group], csp_name(m->net, m->after[group])) &&
	    !network_function(m, &job, m->after[group], at.at, CSP_NONE, 0))
		network_large_function(m, &job, m->after[group], at.at, CSP_NONE, 0);
	m->prefer.at[now] = before;
	vec_free(&atoms);
	vec_free(&lits);
	vec_free(&at);
}

void rules_next(struct model *m)
{
	m->relation = "next";
	m->first_effect = csp_variables(m->net);
	for (uint32_t i = 0; i < m->groups->all.n && !m->failed; i++)
		next(m, i);
}

/* ---- sees ------------------------------------------------------------------------------------- */

static uint32_t percept_variable(struct model *m, uint32_t i)
{
	struct text t = {0};
	text_puts(&t, "sees_");
	game_print_role(m->game, game_rules_view(m->game)->ground->percepts.at[i].role, &t);
	text_putc(&t, '_');
	game_print_percept(m->game, i, &t);
	name_tidy(&t);
	name_unique(m, &t);
	uint32_t x = csp_var_range(m->net, text_str(&t), 0, 1);
	network_register(m, x, 0);
	text_free(&t);
	return x;
}

static void percept(struct model *m, uint32_t i)
{
	lit_t l = m->c.percepts.at[i];
	atom_t atom = game_rules_view(m->game)->ground->percepts.at[i].atom;
	static const uint32_t at[] = {1, 0};
	if (l == LIT_FALSE || l == LIT_TRUE) {
		vec_push(&m->percepts, l == LIT_TRUE ? PERCEPT_ALWAYS : CSP_NONE);
		return;
	}
	network_blame(m, atom);
	uint32_t x = percept_variable(m, i);
	vec_push(&m->percepts, x);
	struct decision_job job = {.out = &l, .outs = 1, .one = true, .max_rows = m->tuples, .max_work = WORK};
	struct rule_head h = {&atom, at, 1, 0, CSP_NONE, 0};
	if (!relations_head(m, &h, x, csp_name(m->net, x)) && !network_function(m, &job, x, at, CSP_NONE, 0))
		network_large_function(m, &job, x, at, CSP_NONE, 0);
}

void rules_sees(struct model *m)
{
	m->relation = "sees";
	for (uint32_t i = 0; i < m->game->percepts && !m->failed; i++)
		percept(m, i);
}
