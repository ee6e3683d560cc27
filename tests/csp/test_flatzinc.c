/* FlatZinc: random models of every constraint that is read, against the definition of each and brute force; what is
 * printed; what is refused, and where. */
#include "test.h"

#include "base/rng.h"
#include "base/text.h"
#include "csp/flatzinc/flatzinc.h"

#include <string.h>

#define INTS 4
#define BOOLS 3
#define VARS (INTS + BOOLS)
#define MOST 8 /* elements of an argument */

/* ---- what constraints mean, told by their arguments' values ---- */

struct value { /* of an argument: one number, or several */
	int64_t at[MOST * MOST];
	size_t n;
};

static int64_t dot(const struct value *c, const struct value *x)
{
	int64_t sum = 0;
	for (size_t i = 0; i < c->n; i++)
		sum += c->at[i] * x->at[i];
	return sum;
}

static size_t occurs(const struct value *list, int64_t v)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++)
		n += list->at[i] == v;
	return n;
}

static bool compare(const char *r, int64_t a, int64_t b)
{
	return !strncmp(r, "eq", 2) ? a == b : !strncmp(r, "ne", 2) ? a != b : !strncmp(r, "le", 2) ? a <= b : a < b;
}

static int lexical(const struct value *a, const struct value *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return (a->n > b->n) - (a->n < b->n);
}

static bool ascends(const struct value *x, bool strictly, bool down)
{
	for (size_t i = 1; i < x->n; i++) {
		int64_t step = down ? x->at[i - 1] - x->at[i] : x->at[i] - x->at[i - 1];
		if (step < strictly)
			return false;
	}
	return true;
}

static bool tour(const struct value *x, int64_t first)
{
	size_t at = 0, length = 0;
	do {
		int64_t to = x->at[at] - first;
		if (to < 0 || to >= (int64_t)x->n)
			return false;
		at = (size_t)to;
		length++;
	} while (at && length <= x->n);
	return !at && length == x->n && x->n > 1;
}

static bool load_fits(const struct value *v, int64_t limit)
{
	for (int64_t t = -20; t < 40; t++) {
		int64_t load = 0;
		for (size_t i = 0; i < v[0].n; i++)
			if (v[0].at[i] <= t && t < v[0].at[i] + v[1].at[i])
				load += v[2].at[i];
		if (load > limit)
			return false;
	}
	return true;
}

static bool disjoint(const struct value *s, const struct value *d)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < i; j++)
			if (d->at[i] && d->at[j] && s->at[i] + d->at[i] > s->at[j] && s->at[j] + d->at[j] > s->at[i])
				return false;
	return true;
}

static bool accepted(const struct value *v)
{
	int64_t state = v[4].at[0];
	for (size_t i = 0; i < v[0].n; i++) {
		int64_t symbol = v[0].at[i];
		if (symbol < 1 || symbol > v[2].at[0])
			return false;
		state = v[3].at[(state - 1) * v[2].at[0] + symbol - 1];
		if (!state)
			return false;
	}
	return occurs(&v[5], state) > 0;
}

static bool in_table(const struct value *x, const struct value *t)
{
	for (size_t row = 0; row * x->n < t->n; row++) {
		size_t i = 0;
		while (i < x->n && x->at[i] == t->at[row * x->n + i])
			i++;
		if (i == x->n)
			return true;
	}
	return false;
}

static int64_t power(int64_t a, int64_t b)
{
	int64_t p = 1;
	while (b-- > 0)
		p *= a;
	return p;
}

static bool distinct_but(const struct value *x, const struct value *except)
{
	for (size_t i = 0; i < x->n; i++)
		if (occurs(x, x->at[i]) > 1 && !(except && occurs(except, x->at[i])))
			return false;
	return true;
}

static size_t different(const struct value *x)
{
	size_t n = 0;
	for (size_t i = 0; i < x->n; i++) {
		struct value before = *x;
		before.n = i;
		n += !occurs(&before, x->at[i]);
	}
	return n;
}

static int64_t extreme(const struct value *x, bool max)
{
	int64_t best = x->at[0];
	for (size_t i = 1; i < x->n; i++)
		if (max ? x->at[i] > best : x->at[i] < best)
			best = x->at[i];
	return best;
}

/* Without its last argument, the Boolean, when it is reified or implied. */
static bool bare(const char *s, const struct value *v)
{
	int64_t a = v[0].at[0], b = v[1].at[0], c = v[2].at[0];
	if (!strncmp(s, "int_lin_", 8))
		return compare(s + 8, dot(&v[0], &v[1]), c);
	if (!strncmp(s, "bool_lin_", 9))
		return compare(s + 9, dot(&v[0], &v[1]), c);
	if (!strncmp(s, "set_in", 6))
		return occurs(&v[1], a) > 0;
	if (!strncmp(s, "bool_clause", 11))
		return occurs(&v[0], 1) || occurs(&v[1], 0);
	for (const char *const *r = (const char *const[]){"eq", "ne", "le", "lt", NULL}; *r; r++)
		if ((!strncmp(s, "int_", 4) && !strncmp(s + 4, *r, 2) && strchr("_", s[6])) ||
		    (!strncmp(s, "bool_", 5) && !strncmp(s + 5, *r, 2) && strchr("_", s[7])))
			return compare(*r, a, b);
	fail_msg("the test does not know %s", s);
	return false;
}

static bool function(const char *s, const struct value *v, bool *holds)
{
	int64_t a = v[0].at[0], b = v[1].at[0], c = v[2].at[0];
	struct value both = {{a, b}, 2};
	*holds = !strcmp(s, "int_plus")    ? a + b == c
	         : !strcmp(s, "int_times") ? a * b == c
	         : !strcmp(s, "int_div")   ? b && a / b == c
	         : !strcmp(s, "int_mod")   ? b && a % b == c
	         : !strcmp(s, "int_pow")   ? b >= 0 && power(a, b) == c
	         : !strcmp(s, "int_abs")   ? llabs(a) == b
	         : !strcmp(s, "int_min")   ? extreme(&both, false) == c
	         : !strcmp(s, "int_max")   ? extreme(&both, true) == c
	         : !strcmp(s, "bool2int")  ? a == b
	         : !strcmp(s, "bool_and")  ? (a && b) == c
	         : !strcmp(s, "bool_or")   ? (a || b) == c
	         : !strcmp(s, "bool_not")  ? a != b
	                                   : 2;
	return strcmp(s, "int_plus") == 0 || strcmp(s, "int_times") == 0 || strcmp(s, "int_div") == 0 ||
	       strcmp(s, "int_mod") == 0 || strcmp(s, "int_pow") == 0 || strcmp(s, "int_abs") == 0 ||
	       strcmp(s, "int_min") == 0 || strcmp(s, "int_max") == 0 || strcmp(s, "bool2int") == 0 ||
	       strcmp(s, "bool_and") == 0 || strcmp(s, "bool_or") == 0 || strcmp(s, "bool_not") == 0;
}

static bool cardinality(const struct value *v)
{
	for (size_t i = 0; i < v[1].n; i++)
		if ((int64_t)occurs(&v[0], v[1].at[i]) != v[2].at[i])
			return false;
	return true;
}

static bool closed(const struct value *v)
{
	size_t covered = 0;
	for (size_t i = 0; i < v[0].n; i++)
		covered += occurs(&v[1], v[0].at[i]) > 0;
	return covered == v[0].n && cardinality(v);
}

static bool element(const struct value *v)
{
	int64_t i = v[0].at[0];
	return i >= 1 && i <= (int64_t)v[1].n && v[1].at[i - 1] == v[2].at[0];
}

static bool inverse(const struct value *v)
{
	for (size_t i = 0; i < v[0].n; i++) {
		int64_t to = v[0].at[i] - v[3].at[0], back = v[2].at[i] - v[1].at[0];
		if (to < 0 || to >= (int64_t)v[2].n || v[2].at[to] != (int64_t)i + v[1].at[0])
			return false;
		if (back < 0 || back >= (int64_t)v[0].n || v[0].at[back] != (int64_t)i + v[3].at[0])
			return false;
	}
	return true;
}

/* xor, with two arguments and three */
static bool differs(const struct value *v, size_t args)
{
	bool x = v[0].at[0] != v[1].at[0];
	return args == 3 ? x == v[2].at[0] : x;
}

static bool global(const char *s, const struct value *v, size_t args)
{
	if (!strcmp(s, "bool_xor"))
		return differs(v, args);
	if (!strncmp(s, "array_bool_and", 14))
		return (occurs(&v[0], 0) == 0) == v[1].at[0];
	if (!strncmp(s, "array_bool_or", 13))
		return (occurs(&v[0], 1) > 0) == v[1].at[0];
	if (!strncmp(s, "array_bool_xor", 14))
		return occurs(&v[0], 1) % 2;
	if (strstr(s, "_element"))
		return element(v);
	if (!strcmp(s, "array_int_maximum") || !strcmp(s, "array_int_minimum"))
		return v[0].at[0] == extreme(&v[1], strstr(s, "max") != NULL);
	if (!strcmp(s, "fzn_all_different_int") || !strcmp(s, "fzn_alldifferent_except"))
		return distinct_but(&v[0], strstr(s, "except") ? &v[1] : NULL);
	if (strstr(s, "creasing"))
		return ascends(&v[0], strstr(s, "strictly"), strstr(s, "decreasing"));
	if (strstr(s, "_lex_"))
		return lexical(&v[0], &v[1]) < (strstr(s, "lesseq") != NULL);
	if (!strcmp(s, "macaw_circuit"))
		return tour(&v[0], v[1].at[0]);
	if (!strcmp(s, "macaw_inverse"))
		return inverse(v);
	if (!strcmp(s, "macaw_count"))
		return (int64_t)occurs(&v[0], v[1].at[0]) == v[2].at[0];
	if (!strcmp(s, "fzn_among")) {
		int64_t n = 0;
		for (size_t i = 0; i < v[1].n; i++)
			n += occurs(&v[2], v[1].at[i]) > 0;
		return n == v[0].at[0];
	}
	if (!strcmp(s, "fzn_global_cardinality"))
		return cardinality(v);
	if (!strcmp(s, "macaw_cardinality_closed"))
		return closed(v);
	if (!strcmp(s, "fzn_nvalue"))
		return (int64_t)different(&v[1]) == v[0].at[0];
	if (!strcmp(s, "fzn_cumulative"))
		return extreme(&v[1], false) >= 0 && extreme(&v[2], false) >= 0 && v[3].at[0] >= 0 && load_fits(v, v[3].at[0]);
	if (!strcmp(s, "fzn_disjunctive"))
		return extreme(&v[1], false) >= 0 && disjoint(&v[0], &v[1]);
	if (!strncmp(s, "fzn_table_", 10))
		return in_table(&v[0], &v[1]);
	if (!strcmp(s, "fzn_regular"))
		return accepted(v);
	return bare(s, v);
}

static bool means(const char *s, const struct value *v, size_t args)
{
	size_t n = strlen(s);
	bool holds;
	if (n > 5 && !strcmp(s + n - 5, "_reif"))
		return bare(s, v) == v[args - 1].at[0];
	if (n > 4 && !strcmp(s + n - 4, "_imp"))
		return !v[args - 1].at[0] || bare(s, v);
	return function(s, v, &holds) ? holds : global(s, v, args);
}

/* ---- random models ---- */

struct part { /* of an argument: a number, or the variable -1 - number */
	bool variable;
	int64_t number;
};

struct argument {
	char letter;
	struct part parts[MOST * MOST];
	size_t n;
};

struct constraint {
	const char *name;
	struct argument args[6];
	size_t count;
};

struct model {
	struct rng *rng;
	int64_t domain[VARS][MOST];
	size_t values[VARS];
	struct constraint all[3];
	size_t count;
};

static int64_t draw(struct rng *r, int64_t low, int64_t high)
{
	return low + rng_below(r, (uint32_t)(high - low + 1));
}

static void draw_domains(struct model *m)
{
	for (size_t x = 0; x < VARS; x++) {
		int64_t low = x < INTS ? draw(m->rng, -2, 2) : 0, high = x < INTS ? low + draw(m->rng, 1, 4) : 1;
		m->values[x] = 0;
		for (int64_t v = low; v <= high; v++)
			if (x >= INTS || rng_below(m->rng, 5))
				m->domain[x][m->values[x]++] = v;
		if (!m->values[x])
			m->domain[x][m->values[x]++] = low;
	}
}

static struct part draw_part(struct model *m, char letter)
{
	bool boolean = strchr("bBlL", letter), constant = strchr("kKlLS", letter);
	if (!constant && rng_below(m->rng, 6))
		return (struct part){true, boolean ? draw(m->rng, INTS, VARS - 1) : draw(m->rng, 0, INTS - 1)};
	return (struct part){false, boolean ? draw(m->rng, 0, 1) : draw(m->rng, -2, 4)};
}

static void draw_argument(struct model *m, struct argument *a, char letter, size_t length)
{
	a->letter = letter;
	a->n = strchr("IBKLS", letter) ? length : 1;
	for (size_t i = 0; i < a->n; i++)
		a->parts[i] = draw_part(m, letter);
}

/* Arguments that must fit each other are made to. */
static void fit(struct model *m, struct constraint *c)
{
	struct argument *a = c->args;
	if (!strcmp(c->name, "fzn_regular")) {
		a[1].parts[0].number = 3;
		a[2].parts[0].number = 2;
		a[3].n = 6;
		for (size_t i = 0; i < 6; i++)
			a[3].parts[i].number = draw(m->rng, 0, 3);
		a[4].parts[0].number = draw(m->rng, 1, 3);
	} else if (!strncmp(c->name, "fzn_table", 9)) {
		size_t rows = (size_t)draw(m->rng, 1, 6);
		a[1].n = rows * a[0].n;
		for (size_t i = 0; i < a[1].n; i++)
			a[1].parts[i] = draw_part(m, a[1].letter);
	} else if (strstr(c->name, "cardinality")) {
		for (size_t i = 0; i < a[1].n; i++) /* a cover names no value twice */
			a[1].parts[i].number = (int64_t)i - 1;
	} else if (!strcmp(c->name, "macaw_circuit") || !strcmp(c->name, "macaw_inverse")) {
		for (size_t i = 1; i < c->count; i += 2)
			a[i].parts[0].number = draw(m->rng, -1, 1);
	} else if (!strcmp(c->name, "int_pow") && a[1].parts[0].variable) {
		a[1].parts[0] = (struct part){false, draw(m->rng, 0, 3)};
	}
}

static void draw_constraint(struct model *m, struct constraint *c, size_t number)
{
	const char *letters = NULL;
	c->name = fzn_constraint(number, &letters);
	c->count = strlen(letters);
	size_t length = (size_t)draw(m->rng, 1, 3);
	for (size_t i = 0; i < c->count; i++)
		draw_argument(m, &c->args[i], letters[i], length);
	if (!strcmp(c->name, "int_pow") && c->args[1].parts[0].number < 0)
		c->args[1].parts[0].number = 2;
	fit(m, c);
}

static void put_part(struct text *t, struct part p, char letter)
{
	if (p.variable)
		text_printf(t, "x%d", (int)p.number);
	else if (strchr("bBlL", letter))
		text_puts(t, p.number ? "true" : "false");
	else
		text_printf(t, "%d", (int)p.number);
}

static void put_argument(struct text *t, const struct argument *a)
{
	bool set = a->letter == 'S', list = strchr("IBKL", a->letter);
	text_puts(t, set ? "{" : list ? "[" : "");
	for (size_t i = 0; i < a->n; i++) {
		text_puts(t, i ? "," : "");
		put_part(t, a->parts[i], a->letter);
	}
	text_puts(t, set ? "}" : list ? "]" : "");
}

static void put_model(const struct model *m, struct text *t)
{
	for (size_t x = 0; x < VARS; x++) {
		if (x >= INTS) {
			text_printf(t, "var bool: x%zu;\n", x);
			continue;
		}
		text_puts(t, "var {");
		for (size_t i = 0; i < m->values[x]; i++)
			text_printf(t, "%s%d", i ? "," : "", (int)m->domain[x][i]);
		text_printf(t, "}: x%zu;\n", x);
	}
	for (size_t k = 0; k < m->count; k++) {
		text_printf(t, "constraint %s(", m->all[k].name);
		for (size_t i = 0; i < m->all[k].count; i++) {
			text_puts(t, i ? "," : "");
			put_argument(t, &m->all[k].args[i]);
		}
		text_puts(t, ");\n");
	}
	text_puts(t, "solve satisfy;\n");
}

static bool satisfied(const struct model *m, const int64_t *x)
{
	for (size_t k = 0; k < m->count; k++) {
		struct value v[6] = {0};
		const struct constraint *c = &m->all[k];
		for (size_t i = 0; i < c->count; i++) {
			v[i].n = c->args[i].n;
			for (size_t j = 0; j < v[i].n; j++)
				v[i].at[j] = c->args[i].parts[j].variable ? x[c->args[i].parts[j].number] : c->args[i].parts[j].number;
		}
		if (!means(c->name, v, c->count))
			return false;
	}
	return true;
}

static uint64_t count_by_trying(const struct model *m)
{
	size_t at[VARS] = {0};
	uint64_t n = 0;
	for (;;) {
		int64_t x[VARS];
		for (size_t i = 0; i < VARS; i++)
			x[i] = m->domain[i][at[i]];
		n += satisfied(m, x);
		size_t i = 0;
		while (i < VARS && ++at[i] == m->values[i])
			at[i++] = 0;
		if (i == VARS)
			return n;
	}
}

/* ---- cases ---- */

static uint64_t count_by_solving(const char *text, size_t length, enum csp_algorithm algorithm)
{
	struct csp_source_error e;
	struct fzn *f = fzn_read(text, length, &e);
	if (!f)
		fail_msg("%u:%u: %s in\n%s", e.line, e.column, e.message, text);
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.max_solutions = 0;
	o.algorithm = algorithm;
	csp_solve(fzn_network(f), &o, &s);
	if (s.refused)
		fail_msg("refused: %s in\n%s", s.refused, text);
	assert_true(s.complete);
	fzn_free(f);
	return s.solutions;
}

/* x = y makes one variable of two, which is why counts still agree: the other follows. */
static void compare_counts(struct model *m)
{
	static const enum csp_algorithm algorithms[] = {CSP_ALG_MAC, CSP_ALG_LCG, CSP_ALG_LEARN};
	struct text t = {0};
	put_model(m, &t);
	uint64_t right = count_by_trying(m);
	for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
		uint64_t ours = count_by_solving(t.at, t.n, algorithms[i]);
		if (ours != right)
			fail_msg("%llu solutions, not %llu, of\n%s", (unsigned long long)ours, (unsigned long long)right, t.at);
	}
	text_free(&t);
}

static void each_constraint(void **state)
{
	struct rng rng = rng_seed(7);
	const char *letters;
	size_t rounds = test_sample() ? 3 : 40;
	for (size_t k = 0; fzn_constraint(k, &letters); k++)
		for (size_t i = 0; i < rounds; i++) {
			struct model m = {.rng = &rng, .count = 1};
			draw_domains(&m);
			draw_constraint(&m, &m.all[0], k);
			compare_counts(&m);
		}
}

static void several_constraints(void **state)
{
	struct rng rng = rng_seed(8);
	const char *letters;
	uint32_t known = 0;
	while (fzn_constraint(known, &letters))
		known++;
	for (size_t i = 0; i < (test_sample() ? 50 : 1500); i++) {
		struct model m = {.rng = &rng, .count = 3};
		draw_domains(&m);
		for (size_t k = 0; k < 3; k++)
			draw_constraint(&m, &m.all[k], rng_below(&rng, known));
		compare_counts(&m);
	}
}

static bool print_first(void *user, const struct csp *n, const int32_t *values)
{
	void **both = user;
	fzn_print(both[0], values, false, both[1]);
	fzn_print(both[0], values, true, both[1]);
	return true;
}

static void solutions_are_printed(void **state)
{
	static const char text[] = "predicate f(array [int] of var int: x);\n"
							   "int: k = 3; array [1..2] of int: c = [1,-1]; bool: yes = true; set of int: s = 2..4;\n"
							   "var 1..9: x :: output_var; var bool: b :: output_var = yes; % a comment\n"
							   "var 0..1: i :: output_var; var {1,5,0x7}: z;\n"
							   "array [1..4] of var int: a :: output_array([0..1,{1,2}]) = [x,k,z,i];\n"
							   "array [1..0] of var int: none :: output_array([1..0]) = [];\n"
							   "constraint set_in(x,s); constraint int_lin_eq(c,[z,x],k) :: domain;\n"
							   "constraint bool2int(b,i); constraint int_le(x,a[2]);\n"
							   "solve :: seq_search([int_search(a, input_order, indomain_min, complete)]) satisfy;\n";
	struct csp_source_error e;
	struct fzn *f = fzn_read(text, strlen(text), &e);
	if (!f)
		fail_msg("%u:%u: %s", e.line, e.column, e.message);
	struct text out = {0};
	void *both[2] = {f, &out};
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.solution = print_first;
	o.user = both;
	o.phases = fzn_phases(f, &o.phase_count);
	assert_int_equal(o.phase_count, 1);
	assert_int_equal(csp_solve(fzn_network(f), &o, &s), CSP_SAT);
	assert_string_equal(out.at,
	                    "x = 2;\nb = true;\ni = 1;\na = array2d(0..1, 1..2, [2, 3, 5, 1]);\nnone = array1d({}, []);\n"
	                    "{\"x\":2,\"b\":true,\"i\":1,\"a\":[2, 3, 5, 1],\"none\":[]}");
	text_free(&out);
	fzn_free(f);
}

static void faults_have_a_place(void **state)
{
	static const struct {
		const char *text, *message;
		uint32_t line, column;
	} faults[] = {
		{"var 1..3: x;\nconstraint int_lee(x,2);\nsolve satisfy;", "int_lee is not known; did you mean int_le?", 2, 12},
		{"var 1..3: x;\nconstraint int_le(y,2);\nsolve satisfy;", "y is not declared", 2, 19},
		{"var 1..3: price;\nconstraint int_le(pryce,2);\nsolve satisfy;", "did you mean price?", 2, 19},
		{"var 1..3: x;\nconstraint int_le(x);\nsolve satisfy;", "int_le takes 2 arguments, not 1", 2, 12},
		{"var 1..3: x;\nconstraint int_le(x,true);\nsolve satisfy;", "argument 2 of int_le is not an integer", 2, 21},
		{"var 1.5..3.0: x;\nsolve satisfy;", "floats are not supported", 1, 5},
		{"var float: x;\nsolve satisfy;", "floats are not supported", 1, 5},
		{"var set of 1..3: x;\nsolve satisfy;", "variables that are sets", 1, 5},
		{"include \"globals.mzn\";\nsolve satisfy;", "MiniZinc, not FlatZinc", 1, 1},
		{"var 1..3: x\nsolve satisfy;", "\";\" is expected", 2, 1},
		{"var 1..3: x;\nvar 1..3: x;\nsolve satisfy;", "declared twice", 2, 11},
		{"var 1..3: x;\n", "no solve item", 2, 1},
		{"solve satisfy;\nvar 1..3: x;\n", "behind the solve item", 2, 1},
		{"array [1..2] of int: a = [1];\nsolve satisfy;", "has 2 elements, not 1", 1, 26},
		{"array [1..2] of int: a = [1,2];\nvar 0..9: x;\nconstraint int_eq(x,a[3]);\nsolve satisfy;", "indices 1..2", 3,
	     22},
		{"var 1..3: x;\nsolve maximise x;", "minimize or maximize is expected", 2, 7},
		{"var 99999999999..99999999999999: x;\nsolve satisfy;", "are not supported", 1, 5},
		{"int: k = 99999999999999999999;\nsolve satisfy;", "a number beyond", 1, 10},
		{"constarint int_le(1,2);\nsolve satisfy;", "did you mean constraint?", 1, 1},
		{"var 1..3: x :: s(\"abc;\nsolve satisfy;", "a string without its end", 1, 18},
	};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct csp_source_error e;
		struct fzn *f = fzn_read(faults[i].text, strlen(faults[i].text), &e);
		if (f)
			fail_msg("accepted: %s", faults[i].text);
		if (!strstr(e.message, faults[i].message) || e.line != faults[i].line || e.column != faults[i].column)
			fail_msg("%u:%u: %s, for %s", e.line, e.column, e.message, faults[i].text);
	}
}

static void deep_and_long_input_ends(void **state)
{
	struct text t = {0};
	struct csp_source_error e;
	text_puts(&t, "var 1..3: x :: ");
	for (int i = 0; i < 100000; i++)
		text_puts(&t, "f(");
	assert_null(fzn_read(t.at, t.n, &e));
	assert_non_null(strstr(e.message, "lists in each other"));
	text_free(&t);
	text_puts(&t, "var 1..1000000: x; array [1..20000] of int: a = [");
	for (int i = 0; i < 20000; i++)
		text_printf(&t, "%s%d", i ? "," : "", i * 37 % 100003);
	text_puts(&t, "]; var int: y; constraint array_int_element(x,a,y); constraint int_le(90000,y); solve satisfy;");
	struct fzn *f = fzn_read(t.at, t.n, &e);
	assert_non_null(f);
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.max_solutions = 0;
	csp_solve(fzn_network(f), &o, &s);
	assert_true(s.complete && s.solutions > 0);
	fzn_free(f);
	text_free(&t);
}

static void what_is_flatzinc(void **state)
{
	static const char *const yes[] = {"var 1..2: x;", "% a comment\n\narray [1..2] of int: a", "predicate p(int: x);",
	                                  "solve satisfy;"};
	static const char *const no[] = {"<instance/>", "(role x)", "", "p cnf 3 2", "% only a comment", "variable"};
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		assert_true(fzn_recognise(yes[i], strlen(yes[i])));
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		assert_false(fzn_recognise(no[i], strlen(no[i])));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(each_constraint),          cmocka_unit_test(several_constraints),
		cmocka_unit_test(solutions_are_printed),    cmocka_unit_test(faults_have_a_place),
		cmocka_unit_test(deep_and_long_input_ends), cmocka_unit_test(what_is_flatzinc),
	};
	return RUN(cases);
}
