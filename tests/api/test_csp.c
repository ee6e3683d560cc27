/* Constraint networks through the public face: every constraint by every algorithm against its definition, levels,
 * objectives, symmetries, XCSP3. */
#include "test.h"

#include <macaw/csp.h>

#include <string.h>

enum { VARS = 4, LOW = -1, HIGH = 2, VALUES = HIGH - LOW + 1 };

/* ---- constraints and what they mean ---- */

static const uint32_t all[VARS] = {0, 1, 2, 3};

static void table_positive(macaw_csp *n)
{
	static const int32_t rows[] = {-1, 0, 1, 2, 2, MACAW_CSP_ANY, 0, 0, 0};
	uint32_t c = macaw_csp_add_table(n, all, 3, rows, 3, true);
	assert_int_equal(macaw_csp_rows(n, c), 3);
	assert_int_not_equal(macaw_csp_add_table_like(n, (uint32_t[]){1, 2, 3}, c), MACAW_NONE);
}

static bool in_rows(const int *v)
{
	return (v[0] == -1 && v[1] == 0 && v[2] == 1) || (v[0] == 2 && v[1] == 2) || (v[0] == 0 && v[1] == 0 && v[2] == 0);
}

static bool table_positive_holds(const int *v)
{
	return in_rows(v) && in_rows(v + 1);
}

static void table_negative(macaw_csp *n)
{
	static const int32_t rows[] = {-1, MACAW_CSP_ANY, 1, 0, 0, 0};
	macaw_csp_add_table(n, all, 3, rows, 2, false);
}

static bool table_negative_holds(const int *v)
{
	return !(v[0] == -1 && v[2] == 1) && (v[0] || v[1] || v[2]);
}

static uint32_t var(macaw_csp *n, uint32_t x)
{
	return macaw_csp_expr_var(n, x);
}

static uint32_t two(macaw_csp *n, enum macaw_csp_operator op, uint32_t a, uint32_t b)
{
	return macaw_csp_expr(n, op, (uint32_t[]){a, b}, 2);
}

/* |x0 - x1| = x2 or x3 in {0, 2} */
static void intension(macaw_csp *n)
{
	uint32_t equal = two(n, MACAW_CSP_OP_EQ, two(n, MACAW_CSP_OP_DIST, var(n, 0), var(n, 1)), var(n, 2));
	uint32_t set = two(n, MACAW_CSP_OP_SET, macaw_csp_expr_const(n, 0), macaw_csp_expr_const(n, 2));
	macaw_csp_add_intension(n, two(n, MACAW_CSP_OP_OR, equal, two(n, MACAW_CSP_OP_IN, var(n, 3), set)));
}

static bool intension_holds(const int *v)
{
	return abs(v[0] - v[1]) == v[2] || v[3] == 0 || v[3] == 2;
}

static void alldiff(macaw_csp *n)
{
	macaw_csp_add_alldiff(n, all, 4, NULL, 0);
}

static bool alldiff_holds(const int *v)
{
	return v[0] != v[1] && v[0] != v[2] && v[0] != v[3] && v[1] != v[2] && v[1] != v[3] && v[2] != v[3];
}

static void alldiff_except(macaw_csp *n)
{
	macaw_csp_add_alldiff(n, all, 3, (int32_t[]){0}, 1);
}

static bool alldiff_except_holds(const int *v)
{
	return (!v[0] || (v[0] != v[1] && v[0] != v[2])) && (!v[1] || v[1] != v[2]);
}

static void sum(macaw_csp *n)
{
	macaw_csp_add_sum(n, all, (int64_t[]){1, -2, 3, 1}, 4, MACAW_CSP_LE, 2);
	macaw_csp_add_sum(n, all, (int64_t[]){1, 1, 1}, 3, MACAW_CSP_NE, 1);
}

static bool sum_holds(const int *v)
{
	return v[0] - 2 * v[1] + 3 * v[2] + v[3] <= 2 && v[0] + v[1] + v[2] != 1;
}

static void element(macaw_csp *n)
{
	macaw_csp_add_element(n, all, 2, 0, 2, 3);
}

static bool element_holds(const int *v)
{
	return v[2] >= 0 && v[2] < 2 && v[v[2]] == v[3];
}

static void count(macaw_csp *n)
{
	macaw_csp_add_count(n, all, 3, (int32_t[]){0, 2}, 2, MACAW_CSP_EQ, 0, 3);
	macaw_csp_add_count(n, all, 3, (int32_t[]){1}, 1, MACAW_CSP_LT, 2, MACAW_NONE);
}

static bool count_holds(const int *v)
{
	int even = 0, ones = 0;
	for (int i = 0; i < 3; i++) {
		even += v[i] == 0 || v[i] == 2;
		ones += v[i] == 1;
	}
	return even == v[3] && ones < 2;
}

static void ordered(macaw_csp *n)
{
	macaw_csp_add_ordered(n, all, 3, (int64_t[]){1, 0}, MACAW_CSP_LE);
	macaw_csp_add_ordered(n, all + 2, 2, NULL, MACAW_CSP_GT);
}

static bool ordered_holds(const int *v)
{
	return v[0] + 1 <= v[1] && v[1] <= v[2] && v[2] > v[3];
}

static void lex(macaw_csp *n)
{
	macaw_csp_add_lex(n, all, all + 2, 2, MACAW_CSP_LT);
}

static bool lex_holds(const int *v)
{
	return v[0] < v[2] || (v[0] == v[2] && v[1] < v[3]);
}

static void instantiation(macaw_csp *n)
{
	macaw_csp_add_instantiation(n, all + 1, 2, (int32_t[]){2, -1});
}

static bool instantiation_holds(const int *v)
{
	return v[1] == 2 && v[2] == -1;
}

static void channel(macaw_csp *n)
{
	macaw_csp_add_channel(n, all, 2, 0, all + 2, 2, 0);
}

static bool channel_holds(const int *v)
{
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			if ((v[i] == j) != (v[2 + j] == i))
				return false;
	return v[0] >= 0 && v[0] < 2 && v[1] >= 0 && v[1] < 2 && v[2] >= 0 && v[2] < 2 && v[3] >= 0 && v[3] < 2;
}

static void no_overlap(macaw_csp *n)
{
	macaw_csp_add_no_overlap(n, all, (int64_t[]){1, 2, 1}, 3);
}

static bool no_overlap_holds(const int *v)
{
	static const int length[] = {1, 2, 1};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < i; j++)
			if (v[i] + length[i] > v[j] && v[j] + length[j] > v[i])
				return false;
	return true;
}

static void extrema(macaw_csp *n)
{
	macaw_csp_add_extremum(n, true, all, 3, 3);
	macaw_csp_add_extremum(n, false, all + 1, 3, 0);
}

static bool extrema_holds(const int *v)
{
	int most = v[0], least = v[1];
	for (int i = 1; i < 3; i++)
		most = v[i] > most ? v[i] : most;
	for (int i = 2; i < 4; i++)
		least = v[i] < least ? v[i] : least;
	return most == v[3] && least == v[0];
}

static void pairs(macaw_csp *n) /* a tree of binary constraints */
{
	for (uint32_t x = 1; x < VARS; x++)
		macaw_csp_add_intension(n, two(n, MACAW_CSP_OP_LT, var(n, 0), var(n, x)));
}

static bool pairs_holds(const int *v)
{
	return v[0] < v[1] && v[0] < v[2] && v[0] < v[3];
}

static const struct {
	void (*post)(macaw_csp *n);
	bool (*holds)(const int *v);
	enum macaw_csp_kind kind; /* of the first constraint */
} cases[] = {
	{table_positive, table_positive_holds, MACAW_CSP_TABLE},
	{table_negative, table_negative_holds, MACAW_CSP_TABLE},
	{intension, intension_holds, MACAW_CSP_INTENSION},
	{alldiff, alldiff_holds, MACAW_CSP_ALLDIFF},
	{alldiff_except, alldiff_except_holds, MACAW_CSP_ALLDIFF},
	{sum, sum_holds, MACAW_CSP_SUM},
	{element, element_holds, MACAW_CSP_ELEMENT},
	{count, count_holds, MACAW_CSP_COUNT},
	{ordered, ordered_holds, MACAW_CSP_ORDERED},
	{lex, lex_holds, MACAW_CSP_LEX},
	{instantiation, instantiation_holds, MACAW_CSP_INSTANTIATION},
	{channel, channel_holds, MACAW_CSP_CHANNEL},
	{no_overlap, no_overlap_holds, MACAW_CSP_NO_OVERLAP},
	{extrema, extrema_holds, MACAW_CSP_MAXIMUM},
	{pairs, pairs_holds, MACAW_CSP_INTENSION},
};
enum { CASES = sizeof cases / sizeof *cases };

static macaw_csp *make(size_t i)
{
	macaw_error e;
	macaw_csp *n = macaw_csp_new(&e);
	assert_non_null(n);
	assert_int_equal(e.status, MACAW_OK);
	for (int x = 0; x < VARS; x++) {
		char name[2] = {(char)('a' + x), 0};
		assert_int_equal(macaw_csp_var_range(n, name, LOW, HIGH), x);
	}
	cases[i].post(n);
	assert_string_equal(macaw_csp_error(n)->text, "");
	return n;
}

/* By enumeration; the network must agree on every assignment. */
static uint64_t count_by_definition(macaw_csp *n, size_t i)
{
	uint64_t found = 0;
	for (int k = 0; k < VALUES * VALUES * VALUES * VALUES; k++) {
		int v[VARS];
		int32_t values[VARS];
		for (int x = 0, rest = k; x < VARS; x++, rest /= VALUES)
			values[x] = v[x] = rest % VALUES + LOW;
		bool holds = cases[i].holds(v);
		assert_int_equal(macaw_csp_check(n, values), holds);
		found += holds;
	}
	return found;
}

struct seen {
	size_t at;
	uint64_t found;
};

static bool look(void *context, macaw_csp *n, const int32_t *values)
{
	struct seen *s = context;
	int v[VARS];
	for (int x = 0; x < VARS; x++)
		v[x] = values[x];
	assert_true(cases[s->at].holds(v));
	assert_true(macaw_csp_check(n, values));
	s->found++;
	return true;
}

static void every_constraint_by_every_algorithm(void **state)
{
	int refused = 0, tried = 0;
	for (size_t i = 0; i < CASES; i++) {
		macaw_csp *n = make(i);
		uint64_t expected = count_by_definition(n, i);
		assert_int_equal(macaw_csp_kind(n, 0), cases[i].kind);
		macaw_csp_free(n);
		for (int a = 0; macaw_csp_algorithm_name(a); a++) {
			struct seen seen = {.at = i};
			macaw_csp_options o = {.algorithm = a, .all = true, .solution = look, .context = &seen};
			macaw_csp_stats s;
			n = make(i);
			enum macaw_csp_status status = macaw_csp_solve(n, &o, &s);
			tried++;
			if (s.refused) {
				assert_string_equal(macaw_csp_error(n)->text, s.refused);
				refused++;
			} else if (a == MACAW_CSP_MIN_CONFLICTS) {
				assert_true(status == MACAW_CSP_SAT || status == MACAW_CSP_UNKNOWN);
			} else {
				assert_int_equal(s.solutions, expected);
				assert_true(seen.found <= expected && s.complete);
				assert_int_equal(status, expected ? MACAW_CSP_SAT : MACAW_CSP_UNSAT);
			}
			macaw_csp_free(n);
		}
	}
	assert_true(tried - refused > 120);
}

static void every_option(void **state)
{
	for (size_t i = 0; i < CASES; i++) {
		macaw_csp *n = make(i);
		uint64_t expected = count_by_definition(n, i);
		macaw_csp_stats s;
		for (int c = 0; macaw_csp_consistency_name(c); c++)
			for (int o = 0; macaw_csp_order_name(o); o++)
				for (int v = 0; macaw_csp_value_order_name(v); v++) {
					macaw_csp_options options = {
						.consistency = c == MACAW_CSP_CONSISTENCY_PATH || c == MACAW_CSP_CONSISTENCY_K ? 0 : c,
						.order = o,
						.values = v,
						.all = true,
						.seed = 3,
						.keep_weights = o % 2,
						.restarts = v < MACAW_CSP_VALUE_SPLIT ? v % 3 : 0,
						.restart_unit = 2,
						.nogoods = v < MACAW_CSP_VALUE_SPLIT && v % 3 != 0,
						.last_conflict = o % 2};
					macaw_csp_solve(n, &options, &s);
					assert_null(s.refused);
					assert_int_equal(s.solutions, expected);
				}
		macaw_csp_free(n);
		for (int t = 0; t < 3; t++) {
			n = make(i);
			macaw_csp_methods(n, t, t % 2);
			macaw_csp_solve(n, &(macaw_csp_options){.all = true}, &s);
			assert_int_equal(s.solutions, expected);
			macaw_csp_free(n);
		}
	}
}

static void writing_and_reading_back(void **state)
{
	for (size_t i = 0; i < CASES; i++) {
		macaw_csp *n = make(i);
		uint64_t expected = count_by_definition(n, i);
		macaw_csp_stats s;
		macaw_error e;
		char *xml = macaw_csp_write(n);
		assert_non_null(xml);
		assert_int_equal(macaw_xcsp3_type_of(xml, strlen(xml)), MACAW_XCSP3_CSP);
		macaw_csp *back = macaw_csp_parse(xml, strlen(xml), NULL, &e);
		assert_non_null(back);
		macaw_csp_solve(back, &(macaw_csp_options){.all = true}, &s);
		assert_int_equal(s.solutions, expected);
		macaw_free(xml);
		macaw_csp_free(n);
		macaw_csp_free(back);
	}
}

/* ---- variables ---- */

static void variables(void **state)
{
	macaw_csp *n = macaw_csp_new(NULL);
	uint32_t x = macaw_csp_var_values(n, "x", (int32_t[]){7, -3, 7, 2}, 4);
	uint32_t y = macaw_csp_var_symbols(n, "colour", (const char *const[]){"red", "green"}, 2);
	assert_int_equal(macaw_csp_variables(n), 2);
	assert_int_equal(macaw_csp_find(n, "colour"), y);
	assert_int_equal(macaw_csp_find(n, "x"), x);
	assert_int_equal(macaw_csp_find(n, "z"), MACAW_NONE);
	assert_string_equal(macaw_csp_name(n, y), "colour");
	assert_int_equal(macaw_csp_count(n, x), 3);
	assert_int_equal(macaw_csp_value(n, x, 0), -3);
	assert_int_equal(macaw_csp_index(n, x, 7), 2);
	assert_int_equal(macaw_csp_index(n, x, 3), MACAW_NONE);
	assert_true(macaw_csp_symbolic(n, y) && !macaw_csp_symbolic(n, x));
	assert_int_equal(macaw_csp_symbols(n), 2);
	assert_int_equal(macaw_csp_symbol(n, "green"), macaw_csp_value(n, y, 1));
	assert_string_equal(macaw_csp_symbol_text(n, macaw_csp_value(n, y, 0)), "red");
	assert_string_equal(macaw_csp_symbol_text(n, 99), "?");
	macaw_csp_hide(n, x);
	assert_true(macaw_csp_hidden(n, x) && !macaw_csp_hidden(n, y));
	macaw_csp_free(n);
	macaw_csp_free(NULL);
}

static void refusals_say_why(void **state)
{
	macaw_csp *n = macaw_csp_new(NULL);
	uint32_t x = macaw_csp_var_range(n, "x", 0, 3);
	assert_int_equal(macaw_csp_var_range(n, "x", 0, 3), MACAW_NONE);
	assert_int_equal(macaw_csp_error(n)->status, MACAW_USAGE);
	assert_string_equal(macaw_csp_error(n)->text, "variable x is declared twice");
	assert_int_equal(macaw_csp_var_range(n, "y", 3, 0), MACAW_NONE);
	assert_int_equal(macaw_csp_add_alldiff(n, (uint32_t[]){x, 7}, 2, NULL, 0), MACAW_NONE);
	assert_string_equal(macaw_csp_error(n)->text, "no variable number 7");
	assert_int_equal(macaw_csp_add_table_like(n, &x, 0), MACAW_NONE);
	assert_int_equal(macaw_csp_expr(n, 999, NULL, 0), MACAW_NONE);
	assert_int_equal(macaw_csp_add_intension(n, 999), MACAW_NONE);
	assert_true(macaw_csp_objective_sum(n, &x, (int64_t[]){1}, 1, true));
	assert_false(macaw_csp_objective_sum(n, &x, (int64_t[]){1}, 1, true));
	assert_string_equal(macaw_csp_error(n)->text, "a second objective");
	assert_int_equal(macaw_csp_solve(n, &(macaw_csp_options){.algorithm = 77}, NULL), MACAW_CSP_UNKNOWN);
	assert_int_equal(macaw_csp_error(n)->status, MACAW_USAGE);
	macaw_csp_free(n);
	n = macaw_csp_new(NULL);
	macaw_csp_stats s;
	assert_int_equal(macaw_csp_solve(n, NULL, &s), MACAW_CSP_UNKNOWN);
	assert_string_equal(s.refused, "a network without variables");
	macaw_csp_free(n);
}

static void names_of_numbers(void **state)
{
	assert_string_equal(macaw_csp_kind_name(MACAW_CSP_NO_OVERLAP), "noOverlap");
	assert_string_equal(macaw_csp_operator_name(MACAW_CSP_OP_NOTIN), "notin");
	assert_string_equal(macaw_csp_algorithm_name(MACAW_CSP_MIN_CONFLICTS), "min-conflicts");
	assert_string_equal(macaw_csp_consistency_name(MACAW_CSP_CONSISTENCY_K), "k");
	assert_string_equal(macaw_csp_order_name(MACAW_CSP_ORDER_DOM_WDEG), "dom/wdeg");
	assert_string_equal(macaw_csp_value_order_name(MACAW_CSP_VALUE_LCV), "lcv");
	assert_null(macaw_csp_kind_name(MACAW_CSP_REIFIED + 1));
	assert_null(macaw_csp_operator_name(MACAW_CSP_OP_NOTIN + 1));
	assert_null(macaw_csp_algorithm_name(MACAW_CSP_LNS + 1));
	assert_null(macaw_csp_algorithm_help(MACAW_CSP_LNS + 1));
	for (int i = 0; macaw_csp_algorithm_name(i); i++)
		assert_true(strlen(macaw_csp_algorithm_help(i)) > 5);
	for (int i = 0; macaw_csp_consistency_name(i); i++)
		assert_non_null(macaw_csp_consistency_help(i));
	for (int i = 0; macaw_csp_order_name(i); i++)
		assert_non_null(macaw_csp_order_help(i));
	for (int i = 0; macaw_csp_value_order_name(i); i++)
		assert_non_null(macaw_csp_value_order_help(i));
	macaw_csp_stats s = {.solutions = 4, .width = 9};
	assert_string_equal(macaw_csp_counter_name(0), "solutions");
	assert_int_equal(macaw_csp_counter(&s, 0), 4);
	assert_string_equal(macaw_csp_counter_name(12), "width");
	assert_int_equal(macaw_csp_counter(&s, 12), 9);
	assert_null(macaw_csp_counter_name(13));
	assert_int_equal(macaw_csp_counter(&s, 13), 0);
}

/* What `macaw solve` offers is what the library has, in its order. */
static void the_program_lists_the_same_names(void **state)
{
	static const char *(*const lists[])(unsigned) = {
		(const char *(*)(unsigned))macaw_csp_algorithm_name, (const char *(*)(unsigned))macaw_csp_consistency_name,
		(const char *(*)(unsigned))macaw_csp_order_name, (const char *(*)(unsigned))macaw_csp_value_order_name};
	char help[40000] = "", command[1000];
	snprintf(command, sizeof command, "%s help solve", getenv("MACAW"));
	FILE *f = popen(command, "r");
	assert_non_null(f);
	size_t n = fread(help, 1, sizeof help - 1, f), kept = 0;
	assert_int_equal(pclose(f), 0);
	for (size_t i = 0; i < n; i++) /* lines are wrapped */
		if (help[i] != ' ' && help[i] != '\n')
			help[kept++] = help[i];
	help[kept] = 0;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		char joined[400] = "";
		for (unsigned j = !strcmp(lists[i](0), "default"); lists[i](j); j++)
			snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", *joined ? "," : ":", lists[i](j));
		if (!strstr(help, joined))
			fail_msg("'macaw help solve' does not list %s", joined);
	}
}

/* ---- levels ---- */

static void levels(void **state)
{
	macaw_csp *n = make(13); /* maximum and minimum */
	macaw_csp *m = make(14); /* a < b, c, d */
	assert_true(macaw_csp_prepare(m));
	assert_int_equal(macaw_csp_level(m), 0);
	assert_int_equal(macaw_csp_max(m, 0), HIGH - 1);
	assert_int_equal(macaw_csp_min(m, 1), LOW + 1);
	macaw_csp_push(m);
	assert_int_equal(macaw_csp_level(m), 1);
	assert_true(macaw_csp_assign(m, 1, 0));
	assert_true(macaw_csp_propagate(m));
	assert_int_equal(macaw_csp_size(m, 0), 1);
	assert_int_equal(macaw_csp_min(m, 0), LOW);
	assert_true(macaw_csp_has_at(m, 0, 0) && !macaw_csp_has_at(m, 0, 1));
	assert_int_equal(macaw_csp_next_at(m, 0, 1), MACAW_NONE);
	macaw_csp_stats s;
	macaw_csp_solve(m, &(macaw_csp_options){.all = true}, &s);
	assert_int_equal(s.solutions, 9);
	assert_int_equal(macaw_csp_level(m), 1);
	assert_int_equal(macaw_csp_add_alldiff(m, all, 4, NULL, 0), MACAW_NONE); /* not on a level */
	assert_false(macaw_csp_forbid(m, 1, 0));
	macaw_csp_pop(m, 0);
	assert_int_equal(macaw_csp_size(m, 1), VALUES - 1);
	macaw_csp_push(m);
	assert_true(macaw_csp_assign_at(m, 0, 2));
	assert_true(macaw_csp_forbid_at(m, 1, 3));
	assert_false(macaw_csp_propagate(m));
	macaw_csp_pop(m, 0);
	assert_true(macaw_csp_propagations(m) > 0);
	assert_int_equal(macaw_csp_degree(m, 0), 3);
	assert_int_equal(macaw_csp_degree(m, 2), 1);
	assert_int_equal(macaw_csp_constraint_of(m, 2, 0), 1);
	assert_int_equal(macaw_csp_arity(m, 1), 2);
	assert_int_equal(macaw_csp_constraints(m), 3);
	assert_true(macaw_csp_scope(m, 1)[0] == 0 && macaw_csp_scope(m, 1)[1] == 2);
	assert_true(macaw_csp_check_at(m, 1, (uint32_t[]){0, 1}));
	assert_false(macaw_csp_check_at(m, 1, (uint32_t[]){1, 1}));
	macaw_csp_free(n);
	macaw_csp_free(m);
}

static void sleeping_constraints(void **state)
{
	macaw_csp *n = make(14);
	macaw_csp_in_order(n);
	assert_true(macaw_csp_prepare(n));
	macaw_csp_sleep(n, 0);
	macaw_csp_push(n);
	assert_true(macaw_csp_assign(n, 1, 0) && macaw_csp_propagate(n));
	assert_int_equal(macaw_csp_size(n, 0), VALUES - 1);
	macaw_csp_wake(n, 0);
	assert_true(macaw_csp_propagate(n));
	assert_int_equal(macaw_csp_size(n, 0), 1);
	macaw_csp_pop(n, 0);
	macaw_csp_free(n);
}

static void consistency_alone(void **state)
{
	macaw_csp_stats s;
	macaw_csp *n = make(14);
	assert_int_equal(macaw_csp_enforce(n, MACAW_CSP_CONSISTENCY_AC, 0, &s), MACAW_CSP_CONSISTENT);
	assert_int_equal(macaw_csp_size(n, 0), VALUES - 1);
	macaw_csp_free(n);
	n = make(10);
	macaw_csp_add_sum(n, all + 1, (int64_t[]){1}, 1, MACAW_CSP_EQ, 0);
	assert_int_equal(macaw_csp_enforce(n, 0, 0, NULL), MACAW_CSP_INCONSISTENT);
	assert_int_equal(macaw_csp_enforce(n, 99, 0, NULL), MACAW_CSP_STOPPED);
	assert_int_equal(macaw_csp_error(n)->status, MACAW_USAGE);
	assert_int_equal(macaw_csp_solve(n, NULL, NULL), MACAW_CSP_UNSAT);
	macaw_csp_free(n);
}

/* ---- objectives, bounds ---- */

static bool keep_last(void *context, macaw_csp *n, const int32_t *values)
{
	memcpy(context, values, macaw_csp_variables(n) * sizeof *values);
	return true;
}

static void objectives(void **state)
{
	int32_t last[VARS];
	macaw_csp_stats s;
	macaw_csp_options o = {.solution = keep_last, .context = last};
	macaw_csp *n = make(3); /* all different: -1, 0, 1, 2 */
	assert_true(macaw_csp_objective_sum(n, all, (int64_t[]){1, 2, 3, 4}, 4, true));
	assert_true(macaw_csp_has_objective(n) && macaw_csp_maximises(n));
	assert_int_equal(macaw_csp_solve(n, &o, &s), MACAW_CSP_OPTIMUM);
	assert_true(s.has_best);
	assert_int_equal(s.best, -1 + 0 + 3 + 8);
	assert_int_equal(last[3], 2);
	o.any = true;
	assert_int_equal(macaw_csp_solve(n, &o, &s), MACAW_CSP_SAT);
	macaw_csp_forget_objective(n);
	assert_false(macaw_csp_has_objective(n));
	assert_true(macaw_csp_objective_expr(n, two(n, MACAW_CSP_OP_MUL, var(n, 0), var(n, 1)), false));
	o.any = false;
	assert_int_equal(macaw_csp_solve(n, &o, &s), MACAW_CSP_OPTIMUM);
	assert_int_equal(s.best, -2);
	macaw_csp_free(n);
}

static macaw_csp *queens(int size)
{
	macaw_csp *n = macaw_csp_new(NULL);
	for (int i = 0; i < size; i++) {
		char name[12];
		snprintf(name, sizeof name, "q%d", i);
		macaw_csp_var_range(n, name, 0, size - 1);
	}
	for (int i = 0; i < size; i++)
		for (int j = 0; j < i; j++) {
			uint32_t apart = two(n, MACAW_CSP_OP_DIST, var(n, (uint32_t)i), var(n, (uint32_t)j));
			macaw_csp_add_intension(n, two(n, MACAW_CSP_OP_NE, var(n, (uint32_t)i), var(n, (uint32_t)j)));
			macaw_csp_add_intension(n, two(n, MACAW_CSP_OP_NE, apart, macaw_csp_expr_const(n, i - j)));
		}
	return n;
}

static bool stop_at_once(void *context, macaw_csp *n, const int32_t *values)
{
	return false;
}

static void bounds(void **state)
{
	macaw_stop stop = {0};
	macaw_csp_stats s;
	macaw_csp *n = queens(8);
	assert_int_equal(macaw_csp_solve(n, &(macaw_csp_options){.max_solutions = 5}, &s), MACAW_CSP_SAT);
	assert_int_equal(s.solutions, 5);
	assert_false(s.complete);
	macaw_csp_solve(n, &(macaw_csp_options){.max_nodes = 4, .all = true}, &s);
	assert_true(s.nodes <= 5 && !s.complete);
	macaw_csp_solve(n, &(macaw_csp_options){.all = true, .solution = stop_at_once}, &s);
	assert_int_equal(s.solutions, 1);
	macaw_stop_now(&stop);
	macaw_csp_solve(n, &(macaw_csp_options){.all = true, .limit.stop = &stop}, &s);
	assert_false(s.complete);
	macaw_stop_clear(&stop);
	macaw_csp_solve(n, &(macaw_csp_options){.all = true, .limit = {.seconds = 100, .stop = &stop}}, &s);
	assert_int_equal(s.solutions, 92);
	macaw_csp_free(n);
}

/* ---- symmetries ---- */

static void symmetries(void **state)
{
	macaw_csp *n = queens(8);
	uint32_t branch[8];
	macaw_csp_stats s;
	for (uint32_t i = 0; i < 8; i++)
		branch[i] = i;
	macaw_csp_symmetry *y = macaw_csp_symmetry_find(n, (macaw_limit){0});
	assert_non_null(y);
	assert_null(y->skipped);
	assert_true(y->mantissa == 8 && y->exponent == 0 && y->generators && y->literals == 64);
	for (uint32_t l = 0; l < y->literals; l++)
		assert_true(y->images[l] < y->literals);
	assert_true(macaw_csp_symmetry_break(n, y));
	assert_true(y->posted == 7 && !y->by_values);
	macaw_csp_options o = {.all = true, .value_symmetry = true, .branch = branch, .branch_count = 8};
	assert_int_equal(macaw_csp_solve(n, &o, &s), MACAW_CSP_SAT);
	assert_int_equal(s.solutions, 12);
	macaw_csp_symmetry_free(y);
	macaw_csp_symmetry_free(NULL);
	macaw_csp_free(n);

	n = make(3); /* all different: values can be exchanged */
	uint32_t class_of[VALUES];
	assert_int_equal(macaw_csp_value_classes(n, class_of), 1);
	macaw_csp_solve(n, &(macaw_csp_options){.all = true, .value_symmetry = true}, &s);
	assert_int_equal(s.solutions, 1);
	macaw_csp_free(n);
}

/* ---- XCSP3 ---- */

static void bad_documents(void **state)
{
	static const struct {
		const char *xml, *message;
	} bad[] = {
		{"", "x.xml: error: an empty document"},
		{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<var id=\"x\"> 0..3 "
	     "</var>\n</variables>\n<constraints>\n"
	     "<stretch> x </stretch>\n</constraints>\n</instance>\n",
	     "x.xml:6: error: the constraint stretch is not supported"},
		{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<var id=\"x\"> 3..0 "
	     "</var>\n</variables>\n</instance>\n",
	     "x.xml:3: error: "},
		{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n", "x.xml:"},
		{"<instance/>", "x.xml:1: error: not an XCSP3 instance"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		macaw_error e;
		assert_null(macaw_csp_parse(bad[i].xml, strlen(bad[i].xml), "x.xml", &e));
		assert_int_equal(e.status, MACAW_INPUT);
		if (strncmp(e.text, bad[i].message, strlen(bad[i].message)))
			fail_msg("%s", e.text);
		assert_null(macaw_csp_parse(bad[i].xml, strlen(bad[i].xml), NULL, NULL));
	}
	macaw_error e;
	assert_null(macaw_csp_load("/nowhere/at-all.xml", &e));
	assert_string_equal(e.text, "/nowhere/at-all.xml: error: cannot be read");
}

static void files(void **state)
{
	char path[1000];
	macaw_error e;
	macaw_csp_stats s;
	snprintf(path, sizeof path, "%s/examples/csp/australia.xml", getenv("MACAW_SOURCE"));
	macaw_csp *n = macaw_csp_load(path, &e);
	assert_non_null(n);
	macaw_csp_solve(n, &(macaw_csp_options){.all = true}, &s);
	assert_int_equal(s.solutions, 18);
	macaw_csp_free(n);
	assert_int_equal(macaw_xcsp3_type_of_file(path), MACAW_XCSP3_CSP);
	snprintf(path, sizeof path, "%s/examples/scsp/matching-pennies.xml", getenv("MACAW_SOURCE"));
	assert_int_equal(macaw_xcsp3_type_of_file(path), MACAW_XCSP3_SCSP);
	assert_int_equal(macaw_xcsp3_type_of_file("/nowhere/at-all.xml"), MACAW_XCSP3_CSP);
}

/* By the root element, however long what stands before it is, and whatever it says. */
static void types_of_documents(void **state)
{
	static char xml[40000];
	size_t n = (size_t)snprintf(xml, sizeof xml, "<?xml version=\"1.0\"?>\n<!-- <instance type=\"SCSP\"> ");
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(xml + n, sizeof xml - n, "a long comment ");
	n += (size_t)snprintf(xml + n, sizeof xml - n,
	                      "-->\n<instance format = 'XCSP3' type = 'QCSP' semantics=\"plain\"></instance>");
	assert_int_equal(macaw_xcsp3_type_of(xml, n), MACAW_XCSP3_QCSP);
	char path[] = "/tmp/macaw-test-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(xml, 1, n, f), n);
	fclose(f);
	assert_int_equal(macaw_xcsp3_type_of_file(path), MACAW_XCSP3_QCSP);
	remove(path);
	assert_int_equal(macaw_xcsp3_type_of("", 0), MACAW_XCSP3_CSP);
	assert_int_equal(macaw_xcsp3_type_of("<a><instance type='SCSP'/></a>", 30), MACAW_XCSP3_CSP);
	assert_int_equal(macaw_xcsp3_type_of("no XML", 6), MACAW_XCSP3_CSP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_constraint_by_every_algorithm),
		cmocka_unit_test(every_option),
		cmocka_unit_test(writing_and_reading_back),
		cmocka_unit_test(variables),
		cmocka_unit_test(refusals_say_why),
		cmocka_unit_test(names_of_numbers),
		cmocka_unit_test(the_program_lists_the_same_names),
		cmocka_unit_test(levels),
		cmocka_unit_test(sleeping_constraints),
		cmocka_unit_test(consistency_alone),
		cmocka_unit_test(objectives),
		cmocka_unit_test(bounds),
		cmocka_unit_test(symmetries),
		cmocka_unit_test(bad_documents),
		cmocka_unit_test(files),
		cmocka_unit_test(types_of_documents),
	};
	return RUN(tests);
}
