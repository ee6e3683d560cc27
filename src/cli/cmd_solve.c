/* macaw solve: a constraint network in XCSP3, solved by an algorithm of choice.
 * Output as in the solver competitions: s (status), v (solutions), o (costs),
 * d (facts), c (counters). */
#include "graph/automorphism.h"
#include "cli/commands.h"
#include "cli/solve_game.h"
#include "cli/solve_scsp.h"
#include "csp/csp.h"
#include "puzzle/puzzle.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct solve_options {
	int algorithm, consistency, order, values, restarts, table, alldiff, puzzle;
	int64_t k, solutions, nodes, seed, restart_unit;
	double time;
	bool all, count, json, nogoods, last_conflict, symmetry, any, check;
	const char *write;
	struct scsp_flags scsp;
};

#define X(id, name, ...) "|" name
static const char algorithms[] = CSP_ALGORITHMS(X), levels[] = CSP_LEVELS(X), orders[] = CSP_ORDERS(X),
				  values[] = CSP_VALUES(X), puzzles[] = PUZZLE_METHODS(X);
#undef X

#define FIELD(f) offsetof(struct solve_options, f)
static const struct opt table[] = {
	{"algorithm", 'a', OPT_CHOICE, FIELD(algorithm), "NAME", "how to search", .choices = algorithms + 1},
	{"consistency", 'c', OPT_CHOICE, FIELD(consistency), "NAME", "what to establish before the search",
     .choices = levels + 1, .whole = CSP_LEVEL_AC},
	{"strength", 'k', OPT_INT, FIELD(k), "K", "the k of k-consistency", .whole = 3, .min = 1, .max = 8},
	{"order", 'o', OPT_CHOICE, FIELD(order), "NAME", "which variable next", .choices = orders + 1,
     .whole = CSP_ORDER_DOM_WDEG},
	{"values", 0, OPT_CHOICE, FIELD(values), "NAME", "which value first", .choices = values + 1},
	{"all", 0, OPT_FLAG, FIELD(all), NULL, "find all solutions"},
	{"count", 0, OPT_FLAG, FIELD(count), NULL, "count all solutions without showing them"},
	{"solutions", 'n', OPT_INT, FIELD(solutions), "K", "stop after so many solutions", .whole = 1, .min = 0,
     .max = 1e15},
	{"any", 0, OPT_FLAG, FIELD(any), NULL, "ignore the objective"},
	{"restarts", 0, OPT_CHOICE, FIELD(restarts), "NAME", "begin again now and then", .choices = "none|luby|geometric"},
	{"restart-unit", 0, OPT_INT, FIELD(restart_unit), "N", "failures of the shortest run", .whole = 100, .min = 1,
     .max = 1e9},
	{"nogoods", 0, OPT_FLAG, FIELD(nogoods), NULL, "keep nogoods at restarts"},
	{"last-conflict", 0, OPT_FLAG, FIELD(last_conflict), NULL, "decide the variable of the last conflict first"},
	{"symmetry", 0, OPT_FLAG, FIELD(symmetry), NULL, "find symmetries and search for one solution of each class, if not quite for all"},
	{"table", 0, OPT_CHOICE, FIELD(table), "NAME", "how to propagate tables", .choices = "auto|ct|str2"},
	{"alldiff", 0, OPT_CHOICE, FIELD(alldiff), "NAME", "how to propagate allDifferent", .choices = "regin|simple"},
	{"time", 't', OPT_REAL, FIELD(time), "SEC", "stop after this time", .real = 0, .min = 0, .max = 1e9},
	{"nodes", 0, OPT_INT, FIELD(nodes), "N", "stop after so many nodes", .min = 0, .max = 1e18},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "of random choices", .whole = 1, .min = 0, .max = 1e18},
	{"check", 0, OPT_FLAG, FIELD(check), NULL, "check every solution against every constraint"},
	{"write", 'w', OPT_TEXT, FIELD(write), "FILE", "write the network as XCSP3 instead of solving"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	{"method", 0, OPT_CHOICE, FIELD(scsp.method), "NAME", "how to solve a stochastic or quantified network",
     .choices = "auto|mac|sfc|brute|general|positional"},
	{"puzzle", 0, OPT_CHOICE, FIELD(puzzle), "NAME", "how to solve a game of one role", .choices = puzzles + 1},
	{"best", 0, OPT_FLAG, FIELD(scsp.best), NULL, "stochastic: the best policy, not any solution"},
	{"show", 0, OPT_INT, FIELD(scsp.show), "N", "print so many policies, or moves of the strategy", .whole = 1, .min = 0,
     .max = 1e6},
	{0}};

struct show {
	const struct solve_options *o;
	struct csp *n;
	struct text json; /* the solutions, comma-separated */
	struct text best; /* waits for the status: the only one, or the best so far */
	uint64_t found;
	bool wrong;
	struct csp_symmetry symmetry;
};

static void put_value(const struct csp *n, uint32_t x, int32_t v, struct text *t, bool json)
{
	if (!csp_symbolic(n, x))
		text_printf(t, "%d", v);
	else if (json)
		text_json(t, csp_symbol_text(n, v));
	else
		text_puts(t, csp_symbol_text(n, v));
}

static void put_json(const struct csp *n, const int32_t *v, struct text *t)
{
	const char *comma = "{";
	for (uint32_t x = 0; x < csp_variables(n); x++) {
		if (csp_hidden(n, x))
			continue;
		text_puts(t, comma);
		text_json(t, csp_name(n, x));
		text_putc(t, ':');
		put_value(n, x, v[x], t, true);
		comma = ",";
	}
	text_putc(t, '}');
}

static void put_instantiation(const struct csp *n, const int32_t *v, struct text *t)
{
	text_puts(t, "v <instantiation> <list>");
	for (uint32_t x = 0; x < csp_variables(n); x++)
		if (!csp_hidden(n, x))
			text_printf(t, " %s", csp_name(n, x));
	text_puts(t, " </list> <values>");
	for (uint32_t x = 0; x < csp_variables(n); x++)
		if (!csp_hidden(n, x)) {
			text_putc(t, ' ');
			put_value(n, x, v[x], t, false);
		}
	text_puts(t, " </values> </instantiation>\n");
}

static bool show(void *user, const struct csp *n, const int32_t *v)
{
	struct show *s = user;
	s->found++;
	if (s->o->check && !csp_check_values(s->n, v)) {
		s->wrong = true;
		return false;
	}
	if (s->o->count)
		return true;
	bool last_counts = csp_has_objective(n) && !s->o->any;
	if (last_counts) {
		s->best.n = 0;
		s->json.n = 0;
	}
	if (s->o->json) {
		text_puts(&s->json, s->json.n ? "," : "");
		put_json(n, v, &s->json);
	} else {
		put_instantiation(n, v, &s->best);
		bool one = s->o->solutions == 1 && !s->o->all; /* shown after its status, as usual */
		if (!last_counts && !one) {
			fputs(text_str(&s->best), stdout);
			s->best.n = 0;
		}
	}
	return true;
}

static struct csp_options search_options(const struct solve_options *o, struct show *s)
{
	struct csp_options c = csp_defaults;
	c.algorithm = (enum csp_algorithm)o->algorithm;
	c.consistency = (enum csp_consistency)o->consistency;
	c.k = (uint32_t)o->k;
	c.order = (enum csp_order)o->order;
	c.values = (enum csp_value_order)o->values;
	c.restarts = (enum csp_restarts)o->restarts;
	c.restart_unit = (uint32_t)o->restart_unit;
	c.nogoods = o->nogoods;
	c.last_conflict = o->last_conflict;
	c.value_symmetry = o->symmetry;
	c.max_solutions = o->all || o->count ? 0 : (uint64_t)o->solutions;
	c.max_nodes = (uint64_t)o->nodes;
	c.seed = (uint64_t)o->seed;
	c.best_only = !o->any;
	if (o->time > 0)
		c.limit = limit_seconds(o->time);
	if (!o->count || o->check) {
		c.solution = show;
		c.user = s;
	}
	return c;
}

static const char *const status_names[] = {"UNKNOWN", "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"};

static void print_symmetry(const struct csp_symmetry *y)
{
	struct text t = {0};
	if (y->skipped) {
		printf("c symmetries not looked for: %s\n", y->skipped);
		return;
	}
	automorphisms_print_order(&t, y->mantissa, y->exponent);
	printf("c symmetries %s (%zu generators, %.3f s)\n", text_str(&t), y->generators, y->seconds);
	text_free(&t);
	if (y->held)
		printf("c symmetries of %u constraints not looked for: they are too large\n", y->held);
	if (y->by_values)
		printf("c broken: interchangeable values, by the search%s\n", y->all ? "" : "; others are left");
	else if (y->generators)
		printf("c broken: %zu elements, by lex-leader constraints%s\n", y->posted, y->all ? "" : "; others are left");
}

static void json_symmetry(struct text *t, const struct csp_symmetry *y)
{
	text_puts(t, ",\"symmetry\":{\"skipped\":");
	if (y->skipped)
		text_json(t, y->skipped);
	else
		text_puts(t, "null");
	text_puts(t, ",\"order\":\"");
	automorphisms_print_order(t, y->mantissa, y->exponent);
	text_printf(t, "\",\"generators\":%zu,\"held\":%u,\"broken\":\"%s\",\"elements\":%zu,\"all\":%s,\"seconds\":%.6f}",
	            y->generators, y->held, y->by_values ? "values" : y->posted ? "lex" : "none", y->posted,
	            y->all ? "true" : "false", y->seconds);
}

static void print_text(const struct csp_stats *st, enum csp_status status, const struct show *s)
{
	if (st->has_best && s->best.n)
		printf("o %" PRId64 "\n", st->best);
	printf("s %s\n", status_names[status]);
	if (s->best.n)
		fputs(text_str(&s->best), stdout);
	printf("d FOUND SOLUTIONS %" PRIu64 "\n", st->solutions);
	printf("d COMPLETE EXPLORATION %s\n", st->complete ? "yes" : "no");
#define X(name) \
	if (st->name) \
		printf("c " #name " %" PRIu64 "\n", st->name);
	CSP_COUNTERS(X)
#undef X
	if (s->o->symmetry)
		print_symmetry(&s->symmetry);
	printf("c seconds %.3f\n", st->seconds);
}

static void print_json(const char *file, const struct csp_stats *st, enum csp_status status, const struct show *s)
{
	struct text t = {0};
	text_puts(&t, "{\"file\":");
	text_json(&t, file);
	text_printf(&t, ",\"status\":\"%s\",\"complete\":%s", status_names[status], st->complete ? "true" : "false");
#define X(name) text_printf(&t, ",\"" #name "\":%" PRIu64, st->name);
	CSP_COUNTERS(X)
#undef X
	if (st->has_best)
		text_printf(&t, ",\"best\":%" PRId64, st->best);
	if (s->o->symmetry)
		json_symmetry(&t, &s->symmetry);
	text_printf(&t, ",\"seconds\":%.6f,\"instantiations\":[%s]}\n", st->seconds, text_str(&s->json));
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static int write_network(struct csp *n, const char *path)
{
	struct text t = {0};
	csp_write_xml(n, &t);
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(t.at, 1, t.n, f) == t.n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	text_free(&t);
	if (!ok)
		fprintf(stderr, "macaw solve: cannot write %s\n", path);
	return ok ? EXIT_DONE : EXIT_MACHINE;
}

#define SYMMETRY_SECONDS 10 /* most, where no time is given; else a quarter of it */

/* Returns the variables to decide: not those that the breaking added. */
static uint32_t *break_symmetry(struct csp *n, struct show *s, struct csp_options *c)
{
	uint32_t count = csp_variables(n), *branch = mem_alloc(count + 1, sizeof *branch);
	struct limit limit = limit_seconds(s->o->time > 0 ? s->o->time / 4 : SYMMETRY_SECONDS);
	for (uint32_t x = 0; x < count; x++)
		branch[x] = x;
	c->branch = branch;
	c->branch_count = count;
	csp_symmetry_find(n, &limit, &s->symmetry);
	csp_symmetry_break(n, &s->symmetry);
	return branch;
}

static int solve(struct csp *n, const struct solve_options *o, const char *file)
{
	struct show s = {.o = o, .n = n};
	struct csp_stats st;
	csp_methods(n, (enum csp_table_method)o->table, (enum csp_alldiff_method)o->alldiff);
	if (o->any)
		csp_forget_objective(n);
	struct csp_options c = search_options(o, &s);
	uint32_t *branch = o->symmetry ? break_symmetry(n, &s, &c) : NULL;
	enum csp_status status = csp_solve(n, &c, &st);
	int result = EXIT_DONE;
	if (st.refused) {
		fprintf(stderr, "macaw solve: %s: %s\n", file, st.refused);
		result = EXIT_INPUT;
	} else if (s.wrong) {
		fprintf(stderr, "macaw solve: %s: a solution violates a constraint\n", file);
		result = EXIT_MACHINE;
	} else if (o->json) {
		print_json(file, &st, status, &s);
	} else {
		print_text(&st, status, &s);
	}
	mem_free(branch);
	csp_symmetry_free(&s.symmetry);
	text_free(&s.json);
	text_free(&s.best);
	return result;
}

static int run(void *options, int count, char **words)
{
	const struct solve_options *o = options;
	if (count != 1) {
		fprintf(stderr, "macaw solve: one file is needed\nTry 'macaw help solve'.\n");
		return EXIT_USAGE;
	}
	if (solve_is_game(words[0]))
		return solve_game(words[0], o->time, o->puzzle, o->json);
	struct scsp_request request = {o->scsp, words[0], o->write, o->all || o->count, o->check, o->json, o->time, (uint64_t)o->nodes,
	                               o->all && !o->count ? 0 : (uint64_t)o->solutions};
	int special = solve_scsp(&request);
	if (special >= 0)
		return special;
	struct csp_source_error e;
	struct csp *n = csp_read_xml_file(words[0], &e);
	if (!n) {
		if (e.line)
			fprintf(stderr, "%s:%u: error: %s\n", words[0], e.line, e.message);
		else
			fprintf(stderr, "%s: error: %s\n", words[0], e.message);
		return EXIT_INPUT;
	}
	int result = o->write ? write_network(n, o->write) : solve(n, o, words[0]);
	csp_free(n);
	return result;
}

const struct command cmd_solve = {
	.name = "solve",
	.arguments = "FILE",
	.summary = "Solve a constraint network (XCSP3) or a game of one role",
	.details = "Reads an XCSP3 instance and searches for one solution, for all (--all), or for the\n"
			   "best one when there is an objective. Lines: s status, v solution, o cost, d facts,\n"
			   "c counters (nodes, backtracks, propagations, time).\n"
			   "Stochastic (type SCSP) and quantified or strategic networks (type QCSP) are solved too:\n"
			   "policies with their expected worth, or a winning strategy; --check verifies either.\n"
			   "Of a game with one role: the best goal that can be reached, with a plan.",
	.options = table,
	.size = sizeof(struct solve_options),
	.run = run,
};
