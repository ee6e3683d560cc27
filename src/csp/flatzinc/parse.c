/* FlatZinc: the items of a file. Constraints are kept until all is read, for what they say about domains is better
 * known before the variables are made. */
#include "base/nearest.h"
#include "csp/flatzinc/flatzinc_internal.h"

#include <assert.h>
#include <stdio.h>

#define MOST_DEPTH 100
#define MOST_VALUES 10000000 /* in a set that is written as an interval and must be listed */

static void expect(struct fzn *f, char c, const char *where)
{
	if (!fz_sign(f, c))
		fz_fail(f, f->lex.where, "\"%c\" is expected %s, not %s", c, where, fz_seen(f));
	fz_next(f);
}

static const char *read_word(struct fzn *f, const char *what)
{
	if (f->lex.token != TOKEN_WORD)
		fz_fail(f, f->lex.where, "%s is expected, not %s", what, fz_seen(f));
	const char *s = arena_text(&f->text, f->lex.text, f->lex.length);
	fz_next(f);
	return s;
}

static int64_t read_int(struct fzn *f)
{
	if (f->lex.token != TOKEN_INT)
		fz_fail(f, f->lex.where, "a number is expected, not %s", fz_seen(f));
	int64_t v = f->lex.number;
	fz_next(f);
	return v;
}

/* ---- expressions ---- */

static struct fz_expr read_expr(struct fzn *f, bool hint);

/* Items up to the closing sign, which is passed. */
static void read_items(struct fzn *f, char end, bool hint, struct fz_expr *to)
{
	size_t mark = f->stack.n;
	while (!fz_sign(f, end)) {
		struct fz_expr one = read_expr(f, hint);
		vec_push(&f->stack, one);
		if (!fz_sign(f, ','))
			break;
		fz_next(f);
	}
	expect(f, end, "at the end of a list");
	assert(f->stack.n >= mark);
	to->count = f->stack.n - mark;
	to->items = arena_alloc(&f->text, (to->count + 1) * sizeof *to->items);
	if (to->count)
		memcpy(to->items, f->stack.at + mark, to->count * sizeof *to->items);
	f->stack.n = mark;
}

static int by_low(const void *a, const void *b)
{
	const struct fz_range *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

/* Numbers in braces become ranges, ascending and apart. */
static void make_set(struct fzn *f, struct fz_expr *e)
{
	struct fz_expr *items = e->items;
	struct fz_range *r = arena_alloc(&f->text, (e->count + 1) * sizeof *r);
	size_t k = 0;
	for (size_t i = 0; i < e->count; i++) {
		if (items[i].tag == FZ_FLOAT)
			fz_fail(f, items[i].where, "floats are not supported");
		if (items[i].tag != FZ_INT)
			fz_fail(f, items[i].where, "only numbers can be in a set");
		r[i] = (struct fz_range){items[i].number, items[i].number};
	}
	if (e->count > 1)
		qsort(r, e->count, sizeof *r, by_low);
	for (size_t i = 0; i < e->count; i++)
		if (k && r[i].low - 1 <= r[k - 1].high)
			r[k - 1].high = r[i].high;
		else
			r[k++] = r[i];
	e->tag = FZ_SET;
	e->ranges = r;
	e->count = k;
}

static struct fz_expr range_set(struct fzn *f, struct place where, int64_t low, int64_t high)
{
	struct fz_range *r = arena_alloc(&f->text, sizeof *r);
	*r = (struct fz_range){low, high};
	return (struct fz_expr){.tag = FZ_SET, .where = where, .ranges = r, .count = low <= high};
}

static struct fz_expr read_number(struct fzn *f)
{
	struct place where = f->lex.where;
	int64_t low = read_int(f);
	if (f->lex.token != TOKEN_DOTS)
		return (struct fz_expr){.tag = FZ_INT, .where = where, .number = low};
	fz_next(f);
	if (f->lex.token == TOKEN_FLOAT)
		fz_fail(f, where, "floats are not supported");
	return range_set(f, where, low, read_int(f));
}

static const struct fz_name *find_name(const struct fzn *f, const char *name)
{
	sym_t id = sym_find(&f->names, name, strlen(name));
	return id == SYM_NONE ? NULL : &f->named.at[id];
}

_Noreturn static void no_such_name(struct fzn *f, struct place where, const char *name)
{
	const char **all = arena_alloc(&f->text, (f->named.n + 1) * sizeof *all);
	size_t k = 0;
	for (size_t i = 0; i < f->named.n && k < 100000; i++)
		all[k++] = sym_text(&f->names, (sym_t)i);
	all[k] = NULL;
	const char *near = nearest_word(name, all);
	if (near)
		fz_fail(f, where, "%.60s is not declared; did you mean %.60s?", name, near);
	fz_fail(f, where, "%.60s is not declared", name);
}

static struct fz_expr read_access(struct fzn *f, struct fz_expr array, const char *name)
{
	struct place where = f->lex.where;
	fz_next(f);
	int64_t i = read_int(f);
	expect(f, ']', "behind an index");
	if (array.tag != FZ_ARRAY)
		fz_fail(f, where, "%.60s is no array", name);
	if (i < 1 || (uint64_t)i > array.count)
		fz_fail(f, where, "%.60s has the indices 1..%zu, not %lld", name, array.count, (long long)i);
	return array.items[i - 1];
}

static struct fz_expr read_name(struct fzn *f, bool hint)
{
	struct fz_expr e = {.where = f->lex.where};
	if (fz_is(f, "true") || fz_is(f, "false")) {
		e.tag = FZ_BOOL;
		e.number = fz_is(f, "true");
		fz_next(f);
		return e;
	}
	const char *name = read_word(f, "a name");
	const struct fz_name *known = find_name(f, name);
	if (fz_sign(f, '(') && hint) {
		fz_next(f);
		e.tag = FZ_CALL;
		e.text = name;
		read_items(f, ')', true, &e);
		return e;
	}
	if (!known && !hint)
		no_such_name(f, e.where, name);
	if (!known) {
		e.tag = FZ_CALL;
		e.text = name;
		return e;
	}
	struct place where = e.where;
	e = known->value;
	e.where = where;
	return fz_sign(f, '[') ? read_access(f, e, name) : e;
}

static struct fz_expr read_expr(struct fzn *f, bool hint)
{
	struct fz_expr e = {.where = f->lex.where};
	if (++f->depth > MOST_DEPTH)
		fz_fail(f, e.where, "more than %d lists in each other", MOST_DEPTH);
	if (f->lex.token == TOKEN_INT) {
		e = read_number(f);
	} else if (f->lex.token == TOKEN_WORD) {
		e = read_name(f, hint);
	} else if (fz_sign(f, '[') || fz_sign(f, '{')) {
		bool set = fz_sign(f, '{');
		fz_next(f);
		e.tag = FZ_ARRAY;
		read_items(f, set ? '}' : ']', hint, &e);
		if (set)
			make_set(f, &e);
	} else if (f->lex.token == TOKEN_STRING || f->lex.token == TOKEN_FLOAT) {
		bool string = f->lex.token == TOKEN_STRING;
		e.tag = string ? FZ_STRING : FZ_FLOAT;
		e.text = arena_text(&f->text, f->lex.text, f->lex.length);
		fz_next(f);
		if (f->lex.token == TOKEN_DOTS && !string) {
			fz_next(f);
			fz_next(f);
		}
	} else {
		fz_fail(f, e.where, "an expression is expected, not %s", fz_seen(f));
	}
	f->depth--;
	return e;
}

/* `:: a :: b`, as the items of one expression */
static struct fz_expr read_hints(struct fzn *f)
{
	struct fz_expr e = {.tag = FZ_ARRAY, .where = f->lex.where};
	size_t mark = f->stack.n;
	while (f->lex.token == TOKEN_COLONS) {
		fz_next(f);
		struct fz_expr one = read_expr(f, true);
		vec_push(&f->stack, one);
	}
	assert(f->stack.n >= mark);
	e.count = f->stack.n - mark;
	e.items = arena_alloc(&f->text, (e.count + 1) * sizeof *e.items);
	if (e.count)
		memcpy(e.items, f->stack.at + mark, e.count * sizeof *e.items);
	f->stack.n = mark;
	return e;
}

/* ---- declarations ---- */

struct type {
	bool var, boolean, set, integer; /* integer: int or a set of them */
	struct fz_expr domain;           /* a set; count 0 and ranges NULL: any */
};

_Noreturn static void no_type(struct fzn *f)
{
	static const char *const starts[] = {"constraint", "solve", "var", "array", "predicate",
	                                     "int",        "bool",  "set", "float", NULL};
	static const char *const zinc[] = {"include", "output", "function", "test", "enum",
	                                   "type",    "ann",    "opt",      "par",  "annotation"};
	const char *near = NULL;
	for (size_t i = 0; i < sizeof zinc / sizeof *zinc; i++)
		if (fz_is(f, zinc[i]))
			fz_fail(f, f->lex.where,
			        "\"%s\" is MiniZinc, not FlatZinc: compile the model first (minizinc --solver macaw does both)",
			        zinc[i]);
	if (f->lex.token == TOKEN_WORD)
		near = nearest_word(arena_text(&f->text, f->lex.text, f->lex.length), starts);
	if (near)
		fz_fail(f, f->lex.where, "an item is expected, not %s; did you mean %s?", fz_seen(f), near);
	fz_fail(f, f->lex.where, "an item is expected (constraint, solve, var, array, predicate or a constant), not %s",
	        fz_seen(f));
}

static void read_base_type(struct fzn *f, struct type *t)
{
	static const char no_floats[] = "floats are not supported; use integers in units that are small enough";
	if (fz_is(f, "float") || f->lex.token == TOKEN_FLOAT)
		fz_fail(f, f->lex.where, no_floats);
	if (fz_is(f, "bool") || fz_is(f, "int")) {
		t->boolean = fz_is(f, "bool");
		t->integer = !t->boolean;
		fz_next(f);
	} else if (f->lex.token == TOKEN_INT || fz_sign(f, '{')) {
		t->integer = true;
		t->domain = read_expr(f, false);
		if (t->domain.tag != FZ_SET)
			fz_fail(f, t->domain.where, "a domain is expected, not a number");
	} else {
		no_type(f);
	}
}

static struct type read_type(struct fzn *f)
{
	struct type t = {0};
	if (fz_is(f, "var")) {
		t.var = true;
		fz_next(f);
	}
	if (fz_is(f, "set")) {
		if (t.var)
			fz_fail(f, f->lex.where,
			        "variables that are sets are not supported; compile with -G std and nosets.mzn, or use an array of "
			        "Booleans");
		t.set = true;
		fz_next(f);
		if (!fz_is(f, "of"))
			fz_fail(f, f->lex.where, "\"of\" is expected behind set, not %s", fz_seen(f));
		fz_next(f);
	}
	read_base_type(f, &t);
	return t;
}

static void declare_name(struct fzn *f, struct place where, const char *name, struct fz_expr value, bool boolean)
{
	if (find_name(f, name))
		fz_fail(f, where, "%.60s is declared twice", name);
	sym_put(&f->names, name, strlen(name));
	vec_push(&f->named, (struct fz_name){value, boolean});
}

static const struct fz_expr *hint_of(const struct fz_expr *hints, const char *name)
{
	for (size_t i = 0; i < hints->count; i++)
		if (hints->items[i].tag == FZ_CALL && !strcmp(hints->items[i].text, name))
			return &hints->items[i];
	return NULL;
}

static struct fz_expr new_variable(struct fzn *f, const char *name, struct place where, const struct type *t)
{
	static const struct fz_range whole = {INT32_MIN / 2, INT32_MAX / 2}, truth = {0, 1};
	struct fz_var v = {.name = name, .where = where, .boolean = t->boolean, .same = narrow32(f->vars.n), .x = CSP_NONE};
	v.ranges = arena_copy(&f->text, t->boolean ? &truth : &whole, sizeof whole);
	v.count = 1;
	if (t->domain.ranges) {
		for (size_t i = 0; i < t->domain.count; i++)
			if (t->domain.ranges[i].low < INT32_MIN / 2 || t->domain.ranges[i].high > INT32_MAX / 2)
				fz_fail(f, t->domain.where, "values beyond %d..%d are not supported", whole.low < 0 ? INT32_MIN / 2 : 0,
				        INT32_MAX / 2);
		v.ranges = t->domain.ranges;
		v.count = t->domain.count;
	}
	vec_push(&f->vars, v);
	return (struct fz_expr){.tag = FZ_VAR, .where = where, .number = (int64_t)f->vars.n - 1};
}

/* Is it what the declaration says? Booleans are no integers and the other way round. */
static void check_value(struct fzn *f, const struct fz_expr *e, const struct type *t, const char *name)
{
	bool ok = t->set ? e->tag == FZ_SET : t->boolean ? e->tag == FZ_BOOL : e->tag == FZ_INT;
	if (t->var && e->tag == FZ_VAR)
		ok = f->vars.at[e->number].boolean == t->boolean;
	if (e->tag == FZ_FLOAT)
		fz_fail(f, e->where, "floats are not supported");
	if (!ok)
		fz_fail(f, e->where, "%.60s is declared as %s, which this is not", name,
		        t->set       ? "a set"
		        : t->boolean ? "bool"
		                     : "int");
}

static void read_single(struct fzn *f, struct type t)
{
	expect(f, ':', "behind the type");
	struct place where = f->lex.where;
	const char *name = read_word(f, "a name");
	struct fz_expr hints = read_hints(f), value = {0};
	bool given = fz_sign(f, '=');
	if (given) {
		fz_next(f);
		value = read_expr(f, false);
		check_value(f, &value, &t, name);
	} else if (!t.var) {
		fz_fail(f, f->lex.where, "%.60s is a constant without a value", name);
	}
	if (t.var) {
		struct fz_expr x = new_variable(f, name, where, &t);
		if (given && value.tag == FZ_VAR)
			fz_unite(f, (uint32_t)x.number, (uint32_t)value.number);
		else if (given)
			fz_meet(f, &f->vars.at[x.number], &(struct fz_range){value.number, value.number}, 1);
		value = x;
		if (hint_of(&hints, "output_var")) {
			struct fz_expr *copy = arena_copy(&f->text, &x, sizeof x);
			vec_push(&f->outputs, (struct fz_output){name, copy, NULL, t.boolean});
		}
	}
	declare_name(f, where, name, value, t.boolean);
}

static struct fz_expr fresh_array(struct fzn *f, const char *name, struct place where, const struct type *t,
                                  int64_t count)
{
	struct fz_expr e = {.tag = FZ_ARRAY, .where = where, .count = (size_t)count};
	if (count > MOST_VALUES)
		fz_fail(f, where, "an array of %lld variables", (long long)count);
	e.items = arena_alloc(&f->text, (e.count + 1) * sizeof *e.items);
	for (size_t i = 0; i < e.count; i++) {
		char own[160];
		snprintf(own, sizeof own, "%.120s[%zu]", name, i + 1);
		e.items[i] = new_variable(f, arena_text(&f->text, own, strlen(own)), where, t);
	}
	return e;
}

static void read_array(struct fzn *f)
{
	int64_t count = -1;
	fz_next(f);
	expect(f, '[', "behind array");
	if (fz_is(f, "int")) { /* of any length: in predicates only, but harmless here */
		fz_next(f);
	} else {
		if (read_int(f) != 1)
			fz_fail(f, f->lex.where, "the indices of an array begin with 1");
		if (f->lex.token != TOKEN_DOTS)
			fz_fail(f, f->lex.where, "\"..\" is expected in the indices of an array, not %s", fz_seen(f));
		fz_next(f);
		count = read_int(f);
	}
	expect(f, ']', "behind the indices");
	if (!fz_is(f, "of"))
		fz_fail(f, f->lex.where, "\"of\" is expected behind the indices, not %s", fz_seen(f));
	fz_next(f);
	struct type t = read_type(f);
	expect(f, ':', "behind the type");
	struct place where = f->lex.where;
	const char *name = read_word(f, "a name");
	struct fz_expr hints = read_hints(f), value;
	if (fz_sign(f, '=')) {
		fz_next(f);
		value = read_expr(f, false);
		if (value.tag != FZ_ARRAY)
			fz_fail(f, value.where, "%.60s is an array, which this is not", name);
		if (count >= 0 && value.count != (size_t)count)
			fz_fail(f, value.where, "%.60s has %lld elements, not %zu", name, (long long)count, value.count);
		for (size_t i = 0; i < value.count; i++)
			check_value(f, &value.items[i], &t, name);
	} else if (t.var && count >= 0) {
		value = fresh_array(f, name, where, &t, count);
	} else {
		fz_fail(f, f->lex.where, "%.60s is an array without elements", name);
	}
	const struct fz_expr *shown = hint_of(&hints, "output_array");
	if (shown && shown->count == 1 && shown->items[0].tag == FZ_ARRAY) {
		struct fz_expr *copy = arena_copy(&f->text, &value, sizeof value);
		struct fz_expr *sets = arena_copy(&f->text, &shown->items[0], sizeof *sets);
		for (size_t i = 0; i < sets->count; i++)
			if (sets->items[i].tag != FZ_SET || sets->items[i].count > 1)
				fz_fail(f, sets->items[i].where, "output_array takes a list of index sets");
		vec_push(&f->outputs, (struct fz_output){name, copy, sets, t.boolean});
	}
	declare_name(f, where, name, value, t.boolean);
}

/* ---- the other items ---- */

static void skip_predicate(struct fzn *f)
{
	while (f->lex.token != TOKEN_END && !fz_sign(f, ';'))
		fz_next(f);
}

static void read_constraint(struct fzn *f)
{
	fz_next(f);
	struct fz_constraint c = {.where = f->lex.where};
	c.name = read_word(f, "the name of a constraint");
	expect(f, '(', "behind the name of a constraint");
	struct fz_expr list = {0};
	read_items(f, ')', false, &list);
	c.args = list.items;
	c.count = list.count;
	read_hints(f); /* how strongly to propagate, and what is defined: of no use here */
	vec_push(&f->constraints, c);
}

static void read_solve(struct fzn *f)
{
	if (f->solved)
		fz_fail(f, f->lex.where, "a second solve item");
	f->solved = true;
	fz_next(f);
	struct fz_expr hints = read_hints(f);
	f->hints = hints.items;
	f->hint_count = hints.count;
	f->solving = fz_is(f, "minimize") ? -1 : fz_is(f, "maximize") ? 1 : 0;
	if (!f->solving && !fz_is(f, "satisfy"))
		fz_fail(f, f->lex.where, "satisfy, minimize or maximize is expected, not %s", fz_seen(f));
	fz_next(f);
	if (!f->solving)
		return;
	f->goal = read_expr(f, false);
	if (f->goal.tag != FZ_VAR && f->goal.tag != FZ_INT)
		fz_fail(f, f->goal.where, "an integer variable is expected behind minimize and maximize");
	if (f->goal.tag == FZ_VAR && f->vars.at[f->goal.number].boolean)
		fz_fail(f, f->goal.where, "a Boolean cannot be minimized or maximized");
}

void fz_parse(struct fzn *f)
{
	fz_next(f);
	while (f->lex.token != TOKEN_END) {
		if (f->solved)
			fz_fail(f, f->lex.where, "%s behind the solve item, which is the last", fz_seen(f));
		if (fz_is(f, "predicate"))
			skip_predicate(f);
		else if (fz_is(f, "constraint"))
			read_constraint(f);
		else if (fz_is(f, "solve"))
			read_solve(f);
		else if (fz_is(f, "array"))
			read_array(f);
		else
			read_single(f, read_type(f));
		expect(f, ';', "at the end of an item");
	}
	if (!f->solved)
		fz_fail(f, f->lex.where, "there is no solve item");
}
