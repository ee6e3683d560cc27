/* Rules to plans.
 *
 * While a rule is compiled its variables stand for nodes: a value in a register
 * (or a constant), a structure over nodes, or nothing yet. Unifying two nodes
 * emits the tests that are left for run time. The head is unified with the shape
 * of the call; then literals are taken one by one, tests as soon as they are
 * bound, and the one with the fewest expected rows when there is no test. A
 * literal whose variables nobody else wants is only asked whether it holds.
 *
 * Every register stores the latest choice it depends on, and that is how a step
 * that fails finds the culprit (backjumping over the order of the body). */
#include "interp/prove_internal.h"

#include <math.h>
#include <string.h>

enum node_kind { NODE_FREE, NODE_LINK, NODE_VALUE, NODE_STRUCT };

struct node {
	enum node_kind kind;
	uint32_t what; /* node linked to, operand, or name */
	uint32_t argc, kids;
	uint32_t made; /* structures only: register + 1 once there is one */
};

#define NONE UINT32_MAX
#define LOOK_AFTER 1000000 /* literals, between looks at the limits */
#define LONG_RULE 64       /* literals: planning longer ones is counted as proving */
#define MANY_ROWS 5000     /* too many to be counted for each plan */

struct planner {
	struct interpreter *in;
	VEC(struct node) nodes;
	VEC(uint32_t) kids;
	uint32_t variables[DATALOG_MAX_VARS];
	VEC(uint32_t) outs;   /* nodes of the head's free leaves */
	VEC(uint32_t) choice; /* by register: step + 1 of the latest choice, 0: none */
	uint32_t first;       /* of the plan's steps */
	uint32_t last_choice; /* step + 1 */
	uint32_t owner;       /* predicate of the head */
	bool impossible, unsafe;
	size_t work; /* since the last look at the limits */
};

/* ---- nodes ---------------------------------------------------------------- */

static uint32_t add_node(struct planner *p, struct node n)
{
	vec_push(&p->nodes, n);
	return narrow32(p->nodes.n) - 1;
}

static uint32_t free_node(struct planner *p)
{
	return add_node(p, (struct node){NODE_FREE, 0, 0, 0});
}

static uint32_t value_node(struct planner *p, uint32_t operand)
{
	return add_node(p, (struct node){NODE_VALUE, operand, 0, 0});
}

static uint32_t resolve(const struct planner *p, uint32_t n)
{
	while (p->nodes.at[n].kind == NODE_LINK)
		n = p->nodes.at[n].what;
	return n;
}

static uint32_t kid(const struct planner *p, uint32_t n, uint32_t i)
{
	return resolve(p, p->kids.at[p->nodes.at[n].kids + i]);
}

static uint32_t struct_node(struct planner *p, sym_t name, uint32_t argc)
{
	uint32_t kids = narrow32(p->kids.n);
	vec_extend(&p->kids, argc);
	return add_node(p, (struct node){NODE_STRUCT, name, argc, kids});
}

static uint32_t pattern_node(struct planner *p, pat_t pat)
{
	const struct datalog *dl = &p->in->dl;
	const struct pattern x = dl->patterns.at[pat];
	if (x.kind == PAT_TERM)
		return value_node(p, x.what | OPERAND_TERM);
	if (x.kind == PAT_VARIABLE) {
		if (p->variables[x.what] == NONE)
			p->variables[x.what] = free_node(p);
		return resolve(p, p->variables[x.what]);
	}
	uint32_t n = struct_node(p, x.what, x.argc);
	for (uint32_t i = 0; i < x.argc; i++) {
		uint32_t k = pattern_node(p, dl->kids.at[x.args + i]);
		p->kids.at[p->nodes.at[n].kids + i] = k;
	}
	return n;
}

static bool is_ground(const struct planner *p, uint32_t n)
{
	n = resolve(p, n);
	const struct node *x = &p->nodes.at[n];
	if (x->kind == NODE_STRUCT)
		for (uint32_t i = 0; i < x->argc; i++)
			if (!is_ground(p, kid(p, n, i)))
				return false;
	return x->kind != NODE_FREE;
}

static bool occurs(const struct planner *p, uint32_t what, uint32_t n)
{
	n = resolve(p, n);
	if (n == what)
		return true;
	const struct node *x = &p->nodes.at[n];
	if (x->kind == NODE_STRUCT)
		for (uint32_t i = 0; i < x->argc; i++)
			if (occurs(p, what, kid(p, n, i)))
				return true;
	return false;
}

/* ---- steps ----------------------------------------------------------------- */

static uint32_t add_registers(struct planner *p, uint32_t count, uint32_t choice)
{
	uint32_t first = narrow32(p->choice.n);
	for (uint32_t i = 0; i < count; i++)
		vec_push(&p->choice, choice);
	return first;
}

static uint32_t choice_of(const struct planner *p, uint32_t operand)
{
	return operand & OPERAND_TERM ? 0 : p->choice.at[operand];
}

static uint32_t latest(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* `choice`: the latest one that the step reads from. */
static struct step *add_step(struct planner *p, struct step s, uint32_t choice)
{
	s.back = p->last_choice - 1; /* 0 - 1 is STEP_NONE */
	s.culprit = choice - 1;
	vec_push(&p->in->steps, s);
	return &vec_last(&p->in->steps);
}

static void add_test(struct planner *p, enum step_kind kind, uint32_t a, uint32_t b)
{
	if (a & b & OPERAND_TERM) { /* decided here */
		p->impossible |= (a == b) != (kind == STEP_SAME);
		return;
	}
	add_step(p, (struct step){.kind = kind, .a = a, .b = b}, latest(choice_of(p, a), choice_of(p, b)));
}

/* The operand of a ground node. */
static uint32_t make(struct planner *p, uint32_t n, enum step_kind kind)
{
	n = resolve(p, n);
	struct node x = p->nodes.at[n];
	if (x.kind == NODE_VALUE)
		return x.what;
	if (x.made)
		return x.made - 1;
	if (x.kind == NODE_FREE) {
		p->unsafe = true;
		return OPERAND_TERM;
	}
	VEC(uint32_t) list = {0};
	uint32_t choice = 0;
	for (uint32_t i = 0; i < x.argc; i++) {
		uint32_t o = make(p, kid(p, n, i), STEP_MAKE);
		choice = latest(choice, choice_of(p, o));
		vec_push(&list, o);
	}
	struct step s = {.kind = kind, .name = x.what, .argc = x.argc, .list = narrow32(p->in->operands.n)};
	for (uint32_t i = 0; i < x.argc; i++)
		vec_push(&p->in->operands, list.at[i]);
	vec_free(&list);
	s.out = add_registers(p, 1, choice);
	add_step(p, s, choice);
	p->nodes.at[n].made = s.out + 1;
	return s.out;
}

/* The structure that a value must be, opened into nodes. */
static uint32_t open_value(struct planner *p, uint32_t operand, sym_t name, uint32_t argc)
{
	uint32_t n = struct_node(p, name, argc), kids = p->nodes.at[n].kids;
	if (operand & OPERAND_TERM) {
		term_t t = operand & ~OPERAND_TERM;
		const struct term *x = &p->in->terms->all.at[t];
		if (x->name != name || x->argc != argc) {
			p->impossible = true;
			return NONE;
		}
		for (uint32_t i = 0; i < argc; i++)
			p->kids.at[kids + i] = value_node(p, term_args(p->in->terms, t)[i] | OPERAND_TERM);
		return n;
	}
	uint32_t choice = choice_of(p, operand);
	struct step s = {.kind = STEP_OPEN, .a = operand, .name = name, .argc = argc};
	s.out = add_registers(p, argc, choice);
	add_step(p, s, choice);
	for (uint32_t i = 0; i < argc; i++)
		p->kids.at[kids + i] = value_node(p, s.out + i);
	return n;
}

static void unify(struct planner *p, uint32_t a, uint32_t b)
{
	a = resolve(p, a);
	b = resolve(p, b);
	if (a == b || p->impossible)
		return;
	if (p->nodes.at[a].kind == NODE_FREE || p->nodes.at[b].kind == NODE_FREE) {
		if (p->nodes.at[a].kind != NODE_FREE) {
			uint32_t swap = a;
			a = b;
			b = swap;
		}
		p->impossible |= occurs(p, a, b);
		p->nodes.at[a] = (struct node){NODE_LINK, b, 0, 0};
		return;
	}
	struct node x = p->nodes.at[a], y = p->nodes.at[b];
	if (x.kind == NODE_VALUE && y.kind == NODE_VALUE) {
		add_test(p, STEP_SAME, x.what, y.what);
		return;
	}
	if (x.kind == NODE_VALUE)
		a = open_value(p, x.what, y.what, y.argc);
	else if (y.kind == NODE_VALUE)
		b = open_value(p, y.what, x.what, x.argc);
	else
		p->impossible |= x.what != y.what || x.argc != y.argc;
	for (uint32_t i = 0; !p->impossible && i < p->nodes.at[a].argc; i++)
		unify(p, kid(p, a, i), kid(p, b, i));
}

/* ---- calls ------------------------------------------------------------------ */

/* What a literal asks: its shape, the bound leaves, and the nodes that the free
 * leaves are to be unified with. */
struct call {
	uint32_t shape[SHAPE_MAX_WORDS], words;
	uint32_t keys[SHAPE_MAX_LEAVES], key_count; /* nodes */
	uint32_t frees[SHAPE_MAX_LEAVES], free_count;
	uint32_t budget;
	bool inside; /* its own component */
};

/* Within a component structures are never passed whole: a rule that asks for
 * p(f(x)) in order to know p(x) would ask for ever larger terms. Opened, and
 * below the greatest depth left free, there are finitely many questions as long
 * as there are finitely many answers. */
static void ask(struct planner *p, struct call *c, uint32_t n, enum leaf unbound, int depth)
{
	n = resolve(p, n);
	const struct node x = p->nodes.at[n];
	if (is_ground(p, n) && !(c->inside && x.kind == NODE_STRUCT)) {
		c->shape[c->words++] = LEAF_BOUND;
		c->keys[c->key_count++] = n;
		return;
	}
	if (x.kind == NODE_STRUCT && depth < SHAPE_MAX_DEPTH && x.argc <= c->budget) {
		c->budget -= x.argc;
		c->shape[c->words++] = LEAF_APPLY;
		c->shape[c->words++] = x.what;
		c->shape[c->words++] = x.argc;
		for (uint32_t i = 0; i < x.argc; i++)
			ask(p, c, kid(p, n, i), unbound, depth + 1);
		return;
	}
	if (unbound == LEAF_ANY && x.kind == NODE_FREE) {
		c->shape[c->words++] = LEAF_ANY;
		return;
	}
	c->shape[c->words++] = LEAF_FREE;
	c->frees[c->free_count++] = n;
}

static void ask_literal(struct planner *p, struct call *c, const struct literal *l, enum leaf unbound)
{
	c->words = c->key_count = c->free_count = 0;
	c->budget = SHAPE_MAX_LEAVES - DATALOG_MAX_ARGS;
	c->inside =
		l->kind == LITERAL_YES && p->in->recursive[p->owner] && p->in->component[p->owner] == p->in->component[l->pred];
	for (uint32_t i = 0; i < l->argc; i++)
		ask(p, c, pattern_node(p, p->in->dl.kids.at[l->args + i]), unbound, 0);
}

/* ---- the order of a body ------------------------------------------------------ */

struct body {
	const struct literal *literals;
	uint32_t count;
	VEC(uint32_t) args; /* nodes, literal after literal */
	uint32_t *first;    /* by literal */
	bool *done;
};

static bool literal_ground(const struct planner *p, const struct body *b, uint32_t k)
{
	for (uint32_t i = 0; i < b->literals[k].argc; i++)
		if (!is_ground(p, b->args.at[b->first[k] + i]))
			return false;
	return true;
}

static uint32_t occurrences(const struct planner *p, uint32_t what, uint32_t n)
{
	n = resolve(p, n);
	if (n == what)
		return 1;
	const struct node *x = &p->nodes.at[n];
	uint32_t sum = 0;
	if (x->kind == NODE_STRUCT)
		for (uint32_t i = 0; i < x->argc; i++)
			sum += occurrences(p, what, kid(p, n, i));
	return sum;
}

/* Is this free node used at this one place only? */
static bool lonely(const struct planner *p, const struct body *b, uint32_t node)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < p->outs.n; i++)
		sum += occurrences(p, node, p->outs.at[i]);
	for (uint32_t k = 0; k < b->count && sum < 2; k++)
		for (uint32_t i = 0; !b->done[k] && i < b->literals[k].argc; i++)
			sum += occurrences(p, node, b->args.at[b->first[k] + i]);
	return sum <= 1;
}

static bool all_lonely(const struct planner *p, const struct body *b, uint32_t n)
{
	n = resolve(p, n);
	const struct node *x = &p->nodes.at[n];
	if (x->kind == NODE_FREE)
		return lonely(p, b, n);
	if (x->kind == NODE_STRUCT)
		for (uint32_t i = 0; i < x->argc; i++)
			if (!all_lonely(p, b, kid(p, n, i)))
				return false;
	return true;
}

static bool only_existence(const struct planner *p, const struct body *b, uint32_t k)
{
	for (uint32_t i = 0; i < b->literals[k].argc; i++)
		if (!all_lonely(p, b, b->args.at[b->first[k] + i]))
			return false;
	return true;
}

static bool agrees(const struct planner *p, const struct call *c, const uint32_t *key)
{
	for (uint32_t i = 0; i < c->key_count; i++) {
		const struct node *n = &p->nodes.at[resolve(p, c->keys[i])];
		if (n->kind == NODE_VALUE && (n->what & OPERAND_TERM) && (n->what & ~OPERAND_TERM) != key[i])
			return false;
	}
	return true;
}

/* The mean size of a group, among those that agree with the constants of a call. */
static double group_size(const struct planner *p, const struct call *c, const struct lookup *f)
{
	size_t rows = 0, groups = 0;
	if (f->rows > MANY_ROWS)
		return (double)f->rows / (double)f->groups.n;
	for (size_t i = 0; i < f->groups.n; i++) {
		if (!agrees(p, c, f->words.at + f->groups.at[i].key))
			continue;
		groups++;
		for (uint32_t row = f->groups.at[i].first; row != NONE; row = f->words.at[row])
			rows++;
	}
	return groups ? (double)rows / (double)groups : 0;
}

/* How many rows a call may have. Facts are counted, the state at hand stands
 * for all states; with rules it is a guess. */
static double expected_rows(struct planner *p, const struct literal *l, struct call *c)
{
	struct interpreter *in = p->in;
	ask_literal(p, c, l, LEAF_FREE);
	uint32_t id = mode_get(in, l->pred, c->shape, c->words);
	enum source source = in->modes.at[id].source;
	if (source != FROM_RULES) {
		lookup_refresh(in, id);
		const struct lookup *f = &in->modes.at[id].facts;
		double size = f->groups.n ? group_size(p, c, f) : 0;
		if (size > 0)
			return size;
		return source == FROM_STATE ? pow(4, c->free_count) : source == FROM_MOVES ? 1 : 0;
	}
	return 2 + pow(12, (double)c->free_count / (1 + c->key_count));
}

static bool is_stored(const struct interpreter *in, uint32_t pred)
{
	return pred == in->p_true || pred == in->p_does || in->extensions[pred].whole;
}

/* Small is good; INFINITY: not yet. */
static double price(struct planner *p, const struct body *b, uint32_t k, struct call *c)
{
	const struct literal *l = &b->literals[k];
	bool ground = literal_ground(p, b, k);
	if (l->kind == LITERAL_DISTINCT)
		return ground ? 0 : INFINITY;
	bool stored = is_stored(p->in, l->pred);
	if (l->kind == LITERAL_NO)
		return ground ? (stored ? 0.2 : 0.6) : INFINITY;
	if (ground)
		return stored ? 0.1 : 0.5;
	if (only_existence(p, b, k))
		return stored ? 0.3 : 0.7;
	return 1 + expected_rows(p, l, c);
}

/* What is asked of one literal looks at all the others. True: a limit is reached. */
static bool too_long(struct planner *p, uint32_t work)
{
	p->work += work + 1;
	prove_spend(p->in, work / LONG_RULE);
	if (p->work > LOOK_AFTER) {
		p->work = 0;
		prove_look_at_limits(p->in);
	}
	return p->in->trouble;
}

/* Prices of calls are guesses, so among them the author's order counts: the first
 * one is taken, unless it would be asked for pairs and more out of nothing. */
static uint32_t choose(struct planner *p, const struct body *b, struct call *c)
{
	uint32_t best = NONE;
	double least = INFINITY;
	bool called = false;
	for (uint32_t k = 0; k < b->count; k++) {
		if (b->done[k])
			continue;
		if (too_long(p, b->count))
			return NONE;
		double x = price(p, b, k, c);
		if (x >= 1 && x < INFINITY && !is_stored(p->in, b->literals[k].pred)) {
			if (called)
				continue;
			called = c->key_count || c->free_count < 2;
		}
		if (x < least) {
			least = x;
			best = k;
		}
	}
	for (uint32_t k = 0; best == NONE && k < b->count; k++) /* negations with variables that nothing binds */
		if (!b->done[k] && b->literals[k].kind == LITERAL_NO)
			best = k;
	return best;
}

/* ---- literals to steps ---------------------------------------------------------- */

static void add_distinct(struct planner *p, const struct body *b, uint32_t k)
{
	uint32_t x = make(p, b->args.at[b->first[k]], STEP_MAKE), y = make(p, b->args.at[b->first[k] + 1], STEP_MAKE);
	add_test(p, STEP_DISTINCT, x, y);
}

static void add_call(struct planner *p, const struct body *b, uint32_t k, struct call *c)
{
	struct interpreter *in = p->in;
	const struct literal *l = &b->literals[k];
	bool negated = l->kind == LITERAL_NO;
	ask_literal(p, c, l, negated || only_existence(p, b, k) ? LEAF_ANY : LEAF_FREE);
	if (negated && c->free_count) {
		p->unsafe = true;
		return;
	}
	struct step s = {.mode = mode_get(in, l->pred, c->shape, c->words)};
	bool lookup = l->pred == in->p_true && c->words == 1 && c->shape[0] == LEAF_BOUND;
	uint32_t keys[SHAPE_MAX_LEAVES], choice = 0;
	for (uint32_t i = 0; i < c->key_count; i++) {
		keys[i] = make(p, c->keys[i], lookup && !negated ? STEP_FIND : STEP_MAKE);
		choice = latest(choice, choice_of(p, keys[i]));
	}
	if (lookup) {
		add_step(p, (struct step){.kind = negated ? STEP_NOT_TRUE : STEP_TRUE, .a = keys[0]}, choice);
		return;
	}
	bool rules = in->modes.at[s.mode].source == FROM_RULES;
	s.kind = rules ? (negated ? STEP_NOT_CALL : STEP_CALL) : (negated ? STEP_NOT_SCAN : STEP_SCAN);
	s.inside = rules && c->inside;
	s.argc = c->key_count;
	s.list = narrow32(in->operands.n);
	for (uint32_t i = 0; i < c->key_count; i++)
		vec_push(&in->operands, keys[i]);
	/* A call that may wait is a choice even when it has nothing to choose. */
	bool chooses = c->free_count || s.inside;
	uint32_t self = narrow32(in->steps.n) - p->first + 1;
	s.cursor = add_registers(p, 2, 0);
	s.out = add_registers(p, c->free_count, chooses ? self : choice);
	add_step(p, s, choice);
	if (chooses)
		p->last_choice = self;
	for (uint32_t i = 0; i < c->free_count && !p->impossible; i++)
		unify(p, c->frees[i], value_node(p, s.out + i));
}

static void add_answer(struct planner *p)
{
	VEC(uint32_t) list = {0};
	uint32_t choice = 0;
	for (size_t i = 0; i < p->outs.n; i++) {
		uint32_t o = make(p, p->outs.at[i], STEP_MAKE);
		choice = latest(choice, choice_of(p, o));
		vec_push(&list, o);
	}
	struct step s = {.kind = STEP_ANSWER, .argc = narrow32(list.n), .list = narrow32(p->in->operands.n)};
	for (size_t i = 0; i < list.n; i++)
		vec_push(&p->in->operands, list.at[i]);
	vec_free(&list);
	add_step(p, s, choice);
}

static void add_body(struct planner *p, const struct rule *r)
{
	struct datalog *dl = &p->in->dl;
	struct body b = {.literals = dl->literals.at + r->body, .count = r->count};
	struct call *c = NEW(struct call);
	b.first = NEW_ARRAY(uint32_t, r->count + 1);
	b.done = NEW_ARRAY(bool, r->count + 1);
	for (uint32_t k = 0; k < r->count; k++) {
		b.first[k] = narrow32(b.args.n);
		for (uint32_t i = 0; i < b.literals[k].argc; i++)
			vec_push(&b.args, pattern_node(p, dl->kids.at[b.literals[k].args + i]));
	}
	for (uint32_t left = r->count; left && !p->impossible && !p->unsafe; left--) {
		uint32_t best = choose(p, &b, c);
		p->unsafe = best == NONE && !p->in->trouble;
		if (best == NONE)
			break;
		if (b.literals[best].kind == LITERAL_DISTINCT)
			add_distinct(p, &b, best);
		else
			add_call(p, &b, best, c);
		b.done[best] = true;
	}
	vec_free(&b.args);
	mem_free(b.first);
	mem_free(b.done);
	mem_free(c);
}

/* ---- heads and modes -------------------------------------------------------------- */

static uint32_t shape_node(struct planner *p, const uint32_t **at, uint32_t *bound)
{
	uint32_t n;
	switch ((enum leaf) * (*at)++) {
	case LEAF_BOUND: return value_node(p, (*bound)++);
	case LEAF_FREE:
		n = free_node(p);
		vec_push(&p->outs, n);
		return n;
	case LEAF_ANY: return free_node(p);
	case LEAF_APPLY: break;
	}
	sym_t name = *(*at)++;
	uint32_t argc = *(*at)++;
	n = struct_node(p, name, argc);
	for (uint32_t i = 0; i < argc; i++) {
		uint32_t k = shape_node(p, at, bound);
		p->kids.at[p->nodes.at[n].kids + i] = k;
	}
	return n;
}

static void plan_rule(struct planner *p, const struct mode *m, const struct rule *r)
{
	struct interpreter *in = p->in;
	size_t operands = in->operands.n;
	vec_clear(&p->nodes);
	vec_clear(&p->kids);
	vec_clear(&p->outs);
	vec_clear(&p->choice);
	memset(p->variables, 0xff, sizeof p->variables);
	p->first = narrow32(in->steps.n);
	p->last_choice = 0;
	p->impossible = p->unsafe = false;
	add_registers(p, m->bound, 0);
	uint32_t bound = 0, shape[SHAPE_MAX_WORDS];
	if (m->words)
		memcpy(shape, in->shapes.at + m->shape, m->words * sizeof *shape);
	const uint32_t *at = shape;
	for (uint32_t i = 0; i < r->head.argc && !p->impossible; i++) {
		uint32_t n = shape_node(p, &at, &bound);
		unify(p, pattern_node(p, in->dl.kids.at[r->head.args + i]), n);
	}
	if (!p->impossible)
		add_body(p, r);
	bool stopped = in->trouble;
	if (!p->impossible && !p->unsafe && !stopped)
		add_answer(p);
	if (p->unsafe)
		in->trouble = "a rule has a variable that nothing binds";
	if (p->impossible || p->unsafe || stopped) {
		in->steps.n = p->first;
		in->operands.n = operands;
		return;
	}
	struct plan plan = {p->first, narrow32(in->steps.n) - p->first, narrow32(p->choice.n)};
	vec_push(&in->plans, plan);
}

void mode_plan(struct interpreter *in, uint32_t mode)
{
	struct planner p = {.in = in};
	struct mode m = in->modes.at[mode];
	const struct predicate pred = in->dl.preds.at[m.pred];
	p.owner = m.pred;
	m.plans = narrow32(in->plans.n);
	for (uint32_t i = 0; i < pred.rules && !too_long(&p, 1); i++) {
		const struct rule *r = &in->dl.rules.at[in->dl.by_head.at[pred.first_rule + i]];
		if (!rule_is_fact(r))
			plan_rule(&p, &m, r);
	}
	struct mode *now = &in->modes.at[mode]; /* others may have come */
	now->plans = m.plans;
	now->plan_count = narrow32(in->plans.n) - m.plans;
	now->planned = !in->trouble; /* a plan that was given up half-way is made anew */
	vec_free(&p.nodes);
	vec_free(&p.kids);
	vec_free(&p.outs);
	vec_free(&p.choice);
}
