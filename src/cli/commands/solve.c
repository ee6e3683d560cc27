/* macaw solve: a constraint network in XCSP3, solved by an algorithm of choice.
 * Output as in the solver competitions: s (status), v (solutions), o (costs),
 * d (facts), c (counters). */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/solve_flatzinc.h"
#include "cli/solve_game.h"
#include "cli/solve_ranks.h"
#include "cli/solve_scsp.h"
#include "macaw/csp.h"
#include "macaw/symmetries.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct solve_options {
	int algorithm, consistency, order, values, restarts, table, alldiff, puzzle;
	int64_t k, solutions, nodes, seed, restart_unit, threads;
	double time;
	bool all, count, json, tunings, nogoods, last_conflict, symmetry, any, check, verbose, free, statistics;
	int64_t memory; /* MB */
	const char *write, *strategy, *role, *tune;
	struct scsp_flags scsp;
	struct cluster_options cluster;
	struct where_options where;
};

/* The names that the library gives its numbers, in their order (there is a test). */
static const char algorithms[] =
	"mac|bt|fc|cbj|fc-cbj|mac-cbj|learn|components|tree|cutset|decomposition|min-conflicts|lcg|auto|lns";
static const char levels[] = "none|node|ac3|ac|sac|path|k";
static const char orders[] = "lex|mrv|deg|dom/ddeg|dom/wdeg|most-values|smallest|largest|regret";
static const char value_orders[] = "min|max|lcv|random|median|split|reverse-split";
enum { AC = 3, DOM_WDEG = 4, AUTO = MACAW_CSP_AUTO }; /* places in these */

#define FIELD(f) offsetof(struct solve_options, f)
static const struct opt table[] = {
	{"algorithm", 'a', OPT_CHOICE, FIELD(algorithm), "NAME", "search algorithm", .choices = algorithms, .whole = AUTO},
	{"consistency", 'c', OPT_CHOICE, FIELD(consistency), "NAME", "consistency to establish before the search",
     .choices = levels, .whole = AC},
	{"strength", 'k', OPT_INT, FIELD(k), "K", "the k of k-consistency", .whole = 3, .min = 1, .max = 8},
	{"order", 'o', OPT_CHOICE, FIELD(order), "NAME", "variable order", .choices = orders, .whole = DOM_WDEG},
	{"values", 0, OPT_CHOICE, FIELD(values), "NAME", "value order", .choices = value_orders},
	{"all", 0, OPT_FLAG, FIELD(all), NULL, "find all solutions"},
	{"count", 0, OPT_FLAG, FIELD(count), NULL, "count all solutions without showing them"},
	{"solutions", 'n', OPT_INT, FIELD(solutions), "K", "stop after K solutions (0: all)", .whole = 1, .min = 0,
     .max = 1e15},
	{"any", 0, OPT_FLAG, FIELD(any), NULL, "ignore the objective"},
	{"restarts", 0, OPT_CHOICE, FIELD(restarts), "NAME", "restart strategy", .choices = "none|luby|geometric"},
	{"restart-unit", 0, OPT_INT, FIELD(restart_unit), "N", "failures of the shortest run", .whole = 100, .min = 1,
     .max = 1e9},
	{"tune", 0, OPT_TEXT, FIELD(tune), "WORDS", "numbers that steer the search: NAME=VALUE:NAME=VALUE…"},
	{"tunings", 0, OPT_FLAG, FIELD(tunings), NULL,
     "list these numbers with their defaults and bounds, and solve nothing"},
	{"free", 'f', OPT_FLAG, FIELD(free), NULL,
     "FlatZinc: clause learning need not follow what the model says about the search"},
	{"statistics", 's', OPT_FLAG, FIELD(statistics), NULL, "FlatZinc: print counters in MiniZinc's format"},
	{"nogoods", 0, OPT_FLAG, FIELD(nogoods), NULL, "keep nogoods at restarts"},
	{"last-conflict", 0, OPT_FLAG, FIELD(last_conflict), NULL, "decide the variable of the last conflict first"},
	{"symmetry", 0, OPT_FLAG, FIELD(symmetry), NULL,
     "find symmetries and search for one solution per class (or a few, where not all symmetries can be broken)"},
	{"table", 0, OPT_CHOICE, FIELD(table), "NAME", "how to propagate tables", .choices = "auto|ct|str2"},
	{"alldiff", 0, OPT_CHOICE, FIELD(alldiff), "NAME", "how to propagate allDifferent", .choices = "regin|simple"},
	{"time", 't', OPT_REAL, FIELD(time), "SEC", "stop after this time (0: no limit)", .real = 0, .min = 0, .max = 1e9},
	{"threads", 'p', OPT_INT, FIELD(threads), "N", "search in several ways at once, on N threads", .whole = 1, .min = 1,
     .max = 64},
	{"nodes", 0, OPT_INT, FIELD(nodes), "N", "stop after N nodes (0: no limit)", .min = 0, .max = 1e18},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 1e18},
	{"check", 0, OPT_FLAG, FIELD(check), NULL, "have every solution judged by an independent reader of the instance"},
	{"memory", 0, OPT_INT, FIELD(memory), "MB", "memory limit (0: half of the machine's memory)", .min = 0, .max = 1e9},
	{"verbose", 'v', OPT_FLAG, FIELD(verbose), NULL, "say how large the network is and when solutions are found"},
	{"write", 'w', OPT_TEXT, FIELD(write), "FILE", "write the network as XCSP3 instead of solving"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	{"method", 0, OPT_CHOICE, FIELD(scsp.method), "NAME", "how to solve a stochastic or quantified network",
     .choices = "auto|mac|sfc|brute|general|positional"},
	{"puzzle", 0, OPT_CHOICE, FIELD(puzzle), "NAME", "how to solve a game of one role",
     .choices = "auto|space|sat|mac|final"},
	{"strategy", 0, OPT_TEXT, FIELD(strategy), "FILE",
     "a game of two roles: write the winner's moves, whatever the other one does (-: here)"},
	{"role", 0, OPT_TEXT, FIELD(role), "ROLE", "whose strategy, instead of the winner's"},
	WHERE_OPTIONS(struct solve_options, where),
	{"best", 0, OPT_FLAG, FIELD(scsp.best), NULL, "stochastic: the best policy, not any solution"},
	{"show", 0, OPT_INT, FIELD(scsp.show), "N", "print N policies, or the first N moves of the strategy", .whole = 1,
     .min = 0, .max = 1e6},
	CLUSTER_OPTIONS(struct solve_options, cluster),
	{0}};

struct show {
	struct cluster *cluster; /* NULL: alone */
	const struct solve_options *o;
	struct text json; /* the solutions, as members of an array */
	struct json_writer writer;
	struct text best;      /* waits for the status: the only one, or the best so far */
	macaw_flatzinc *model; /* NULL: the network is not from FlatZinc */
	macaw_judge *judge;    /* NULL: nobody checks, but see `model` */
	macaw_error wrong;
	double start;
	macaw_csp_symmetry *symmetry;
	struct progress line;
};

static void put_json(macaw_csp *n, const int32_t *v, struct json_writer *w)
{
	jsonw_object(w, NULL);
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++) {
		if (macaw_csp_hidden(n, x))
			continue;
		if (macaw_csp_symbolic(n, x))
			jsonw_text(w, macaw_csp_name(n, x), macaw_csp_symbol_text(n, v[x]));
		else
			jsonw_int(w, macaw_csp_name(n, x), v[x]);
	}
	jsonw_end(w);
}

/* What comes behind "v <instantiation" and its attributes. */
static void put_instantiation(macaw_csp *n, const int32_t *v, struct text *t)
{
	text_puts(t, "> <list>");
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		if (!macaw_csp_hidden(n, x))
			text_printf(t, " %s", macaw_csp_name(n, x));
	text_puts(t, " </list> <values>");
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++) {
		if (macaw_csp_hidden(n, x))
			continue;
		if (macaw_csp_symbolic(n, x))
			text_printf(t, " %s", macaw_csp_symbol_text(n, v[x]));
		else
			text_printf(t, " %d", v[x]);
	}
	text_puts(t, " </values> </instantiation>\n");
}

/* Only the last of ever better solutions counts. */
static void forget_shown(struct show *s)
{
	s->best.n = s->json.n = 0;
	s->writer = (struct json_writer){.out = &s->json};
}

/* At once: whoever waits can stop when it is good enough. */
static void announce(const struct show *s, int64_t cost)
{
	printf("o %" PRId64 "\n", cost);
	if (s->o->verbose)
		printf("c after %.3f s\n", clock_now() - s->start);
	fflush(stdout);
}

/* Of ever better solutions the last is kept, unless all are to be seen. */
static bool show_model(struct show *s, const int32_t *v, bool last_counts)
{
	char *text = macaw_flatzinc_solution(s->model, v, s->o->json);
	if (!text)
		return false;
	if (last_counts)
		forget_shown(s);
	if (s->o->json) {
		jsonw_raw(&s->writer, NULL, text);
	} else if (s->o->all || !last_counts) {
		printf("%s----------\n", text);
		fflush(stdout);
	} else {
		text_puts(&s->best, text);
		text_puts(&s->best, "----------\n");
	}
	macaw_free(text);
	return true;
}

static bool show(void *context, macaw_csp *n, const int32_t *v)
{
	struct show *s = context;
	bool last_counts = macaw_csp_has_objective(n) && !s->o->any;
	int64_t cost = 0;
	bool costs = last_counts && macaw_csp_cost(n, v, &cost);
	if (s->judge && !macaw_judge_solution(s->judge, n, v, costs ? &cost : NULL, &s->wrong))
		return false;
	if (s->model && s->o->check && !macaw_csp_check(n, v)) {
		s->wrong = (macaw_error){.status = MACAW_INPUT, .text = "a constraint does not hold"};
		return false;
	}
	if (s->o->count)
		return true;
	progress_wipe(&s->line);
	if (s->model)
		return show_model(s, v, last_counts);
	if (last_counts)
		forget_shown(s);
	if (costs && !s->o->json)
		announce(s, cost);
	if (s->o->json) {
		put_json(n, v, &s->writer);
		return true;
	}
	put_instantiation(n, v, &s->best);
	bool one = s->o->solutions == 1 && !s->o->all; /* shown after its status, as usual */
	if (!last_counts && !one) {
		printf("v <instantiation%s", text_str(&s->best));
		s->best.n = 0;
	}
	return true;
}

static void draw_progress(void *context, const macaw_csp_stats *so_far)
{
	struct show *s = context;
	char note[60] = "nodes";
	if (so_far->has_best && !s->o->any)
		snprintf(note, sizeof note, "nodes, best %" PRId64, so_far->best);
	else if (so_far->solutions)
		snprintf(note, sizeof note, "nodes, %" PRIu64 " solution%s", so_far->solutions,
		         so_far->solutions == 1 ? "" : "s");
	progress_step(&s->line, (double)so_far->nodes, 0, note);
}

static macaw_stop interrupted;

static void on_signal(int number)
{
	macaw_stop_now(&interrupted);
	signal(number, SIG_DFL); /* a second one ends the process */
}

static macaw_csp_options search_options(const struct solve_options *o, struct show *s)
{
	macaw_csp_options c = {.algorithm = (enum macaw_csp_algorithm)o->algorithm,
	                       .consistency = (enum macaw_csp_consistency)(MACAW_CSP_CONSISTENCY_NONE + o->consistency),
	                       .k = (uint32_t)o->k,
	                       .order = (enum macaw_csp_order)(MACAW_CSP_ORDER_LEX + o->order),
	                       .values = (enum macaw_csp_value_order)o->values,
	                       .restarts = (enum macaw_csp_restarts)o->restarts,
	                       .restart_unit = (uint32_t)o->restart_unit,
	                       .nogoods = o->nogoods,
	                       .last_conflict = o->last_conflict,
	                       .value_symmetry = o->symmetry,
	                       .all = o->all || o->count || !o->solutions,
	                       .max_solutions = (uint64_t)o->solutions,
	                       .max_nodes = (uint64_t)o->nodes,
	                       .limit = {.seconds = o->time, .stop = &interrupted},
	                       .seed = (uint64_t)o->seed,
	                       .threads = (uint32_t)o->threads,
	                       .any = o->any,
	                       .tuning = o->tune};
	if (s->model)
		macaw_flatzinc_search(s->model, &c);
	c.free = o->free;
	c.context = s;
	if (!o->count || s->judge || o->check)
		c.solution = show;
	if (s->line.on)
		c.progress = draw_progress;
	return c;
}

static const char *const status_names[] = {"UNKNOWN", "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"};

static void print_symmetry(const macaw_csp_symmetry *y)
{
	if (y->skipped) {
		printf("c symmetries not looked for: %s\n", y->skipped);
		return;
	}
	char *order = macaw_symmetries_order_text(y->mantissa, y->exponent);
	printf("c symmetries %s (%zu generators, %.3f s)\n", order, y->generators, y->seconds);
	macaw_free(order);
	if (y->held)
		printf("c symmetries of %u constraints not looked for: they are too large\n", y->held);
	if (y->by_values)
		printf("c broken: interchangeable values, by the search%s\n", y->all ? "" : "; others are left");
	else if (y->generators)
		printf("c broken: %zu elements, by lex-leader constraints%s\n", y->posted, y->all ? "" : "; others are left");
}

static void json_symmetry(struct json_writer *w, const macaw_csp_symmetry *y)
{
	char *order = macaw_symmetries_order_text(y->mantissa, y->exponent);
	jsonw_object(w, "symmetry");
	jsonw_text(w, "skipped", y->skipped);
	jsonw_text(w, "order", order);
	jsonw_uint(w, "generators", y->generators);
	jsonw_uint(w, "held", y->held);
	jsonw_text(w, "broken", y->by_values ? "values" : y->posted ? "lex" : "none");
	jsonw_uint(w, "elements", y->posted);
	jsonw_bool(w, "all", y->all);
	output_seconds(w, "seconds", y->seconds);
	jsonw_end(w);
	macaw_free(order);
}

static void print_text(const macaw_csp_stats *st, enum macaw_csp_status status, const struct show *s)
{
	printf("s %s\n", status_names[status]);
	if (s->best.n && st->has_best && !s->o->any)
		printf("v <instantiation type=\"%s\" cost=\"%" PRId64 "\"%s",
		       status == MACAW_CSP_OPTIMUM ? "optimum" : "solution", st->best, text_str(&s->best));
	else if (s->best.n)
		printf("v <instantiation%s", text_str(&s->best));
	printf("d FOUND SOLUTIONS %" PRIu64 "\n", st->solutions);
	printf("d COMPLETE EXPLORATION %s\n", st->complete ? "yes" : "no");
	for (size_t i = 0; macaw_csp_counter_name(i); i++)
		if (macaw_csp_counter(st, i))
			printf("c %s %" PRIu64 "\n", macaw_csp_counter_name(i), macaw_csp_counter(st, i));
	if (s->symmetry)
		print_symmetry(s->symmetry);
	printf("c seconds %.3f\n", st->seconds);
	if (s->judge && st->solutions)
		printf("d VERIFIED %" PRIu64 " solution%s\n", st->solutions, st->solutions == 1 ? "" : "s");
}

static void print_json(const char *file, const macaw_csp_stats *st, enum macaw_csp_status status, const struct show *s)
{
	struct text t = {0}, list = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "file", file);
	jsonw_text(&w, "status", status_names[status]);
	jsonw_bool(&w, "complete", st->complete);
	for (size_t i = 0; macaw_csp_counter_name(i); i++)
		jsonw_uint(&w, macaw_csp_counter_name(i), macaw_csp_counter(st, i));
	if (st->has_best)
		jsonw_int(&w, "best", st->best);
	if (s->symmetry)
		json_symmetry(&w, s->symmetry);
	output_seconds(&w, "seconds", st->seconds);
	text_printf(&list, "[%s]", text_str(&s->json));
	jsonw_raw(&w, "instantiations", text_str(&list));
	jsonw_end(&w);
	output_line(&t);
	text_free(&list);
}

static int write_network(macaw_csp *n, const char *path)
{
	char *xml = macaw_csp_write(n);
	int status = output_file("solve", path, xml);
	macaw_free(xml);
	return status;
}

#define SYMMETRY_SECONDS 10 /* most, where no time is given; else a quarter of it */

/* Returns the variables to decide: not those that the breaking added. */
static uint32_t *break_symmetry(macaw_csp *n, struct show *s, macaw_csp_options *c)
{
	uint32_t count = macaw_csp_variables(n), *branch = mem_alloc(count + 1, sizeof *branch);
	macaw_limit limit = {.seconds = s->o->time > 0 ? s->o->time / 4 : SYMMETRY_SECONDS};
	for (uint32_t x = 0; x < count; x++)
		branch[x] = x;
	c->branch = branch;
	c->branch_count = count;
	s->symmetry = macaw_csp_symmetry_find(n, limit);
	if (s->symmetry)
		macaw_csp_symmetry_break(n, s->symmetry);
	return branch;
}

static void describe(macaw_csp *n)
{
	uint32_t hidden = 0;
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		hidden += macaw_csp_hidden(n, x);
	printf("c variables %u\nc hidden %u\nc constraints %u\n", macaw_csp_variables(n), hidden, macaw_csp_constraints(n));
	fflush(stdout);
}

static int solve(macaw_csp *n, const struct solve_options *o, struct cluster *cluster, const char *file,
                 macaw_judge *judge, macaw_flatzinc *model)
{
	struct show s = {.o = o,
	                 .cluster = cluster,
	                 .judge = judge,
	                 .model = model,
	                 .start = clock_now(),
	                 .line = progress_start("solving", o->json)};
	macaw_csp_stats st;
	s.writer.out = &s.json;
	macaw_csp_methods(n, (enum macaw_csp_table_method)o->table, (enum macaw_csp_alldiff_method)o->alldiff);
	if (o->any)
		macaw_csp_forget_objective(n);
	macaw_csp_options c = search_options(o, &s);
	if (o->verbose && !o->json)
		describe(n);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	uint32_t *branch = o->symmetry ? break_symmetry(n, &s, &c) : NULL;
	enum macaw_csp_status status = cluster ? solve_ranks(cluster, n, &c, &st) : macaw_csp_solve(n, &c, &st);
	progress_end(&s.line);
	int result = EXIT_DONE;
	if (macaw_csp_error(n)->status) {
		fprintf(stderr, "macaw solve: %s: %s\n", file, macaw_csp_error(n)->text);
		result = macaw_csp_error(n)->status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
	} else if (s.wrong.status) {
		fprintf(stderr, "macaw solve: %s: a solution is wrong: %s\n", file, s.wrong.text);
		result = EXIT_MACHINE;
	} else if (!cluster_leads(cluster)) {
		; /* rank 0 reports */
	} else if (o->json) {
		print_json(file, &st, status, &s);
	} else if (model) {
		fputs(text_str(&s.best), stdout);
		solve_flatzinc_end(n, &st, status, o->count, o->statistics);
	} else {
		print_text(&st, status, &s);
	}
	mem_free(branch);
	macaw_csp_symmetry_free(s.symmetry);
	text_free(&s.json);
	text_free(&s.best);
	return result;
}

static int fault(const macaw_error *e)
{
	fprintf(stderr, "%s\n", e->text);
	return e->status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
}

/* ---- options that do not apply are refused, not ignored ---- */

enum {
	IN_XCSP3 = 1,
	IN_STOCHASTIC = 2,
	IN_QUANTIFIED = 4,
	IN_GAMES = 8,
	IN_FLATZINC = 16,
	IN_PLAIN = IN_XCSP3 | IN_FLATZINC,
	IN_OTHERS = IN_STOCHASTIC | IN_QUANTIFIED
};

/* True, after a message: some option was given that is for other problems. */
static bool misplaced(const struct solve_options *o, int where, const char *what)
{
	const struct {
		bool given;
		const char *name;
		int where;
	} all[] = {{o->algorithm != AUTO, "--algorithm", IN_PLAIN},
	           {o->consistency != AC, "--consistency", IN_PLAIN},
	           {o->order != DOM_WDEG, "--order", IN_PLAIN},
	           {o->values != 0, "--values", IN_PLAIN},
	           {o->restarts != 0, "--restarts", IN_PLAIN},
	           {o->nogoods, "--nogoods", IN_PLAIN},
	           {o->last_conflict, "--last-conflict", IN_PLAIN},
	           {o->symmetry, "--symmetry", IN_PLAIN},
	           {o->table != 0, "--table", IN_PLAIN},
	           {o->alldiff != 0, "--alldiff", IN_PLAIN},
	           {o->tune != NULL, "--tune", IN_PLAIN},
	           {o->free, "--free", IN_FLATZINC},
	           {o->statistics, "--statistics", IN_FLATZINC},
	           {o->any, "--any", IN_PLAIN},
	           {o->threads != 1, "--threads", IN_PLAIN},
	           {o->all, "--all", IN_PLAIN | IN_STOCHASTIC},
	           {o->count, "--count", IN_PLAIN | IN_STOCHASTIC},
	           {o->solutions != 1, "--solutions", IN_PLAIN | IN_STOCHASTIC},
	           {o->nodes != 0, "--nodes", IN_PLAIN | IN_QUANTIFIED},
	           {o->check, "--check", IN_PLAIN | IN_OTHERS},
	           {o->write != NULL, "--write", IN_PLAIN | IN_OTHERS},
	           {o->scsp.method != 0, "--method", IN_OTHERS},
	           {o->scsp.best, "--best", IN_STOCHASTIC},
	           {o->scsp.show != 1, "--show", IN_OTHERS},
	           {o->puzzle != 0, "--puzzle", IN_GAMES},
	           {o->strategy != NULL, "--strategy", IN_GAMES},
	           {o->role != NULL, "--role", IN_GAMES},
	           {where_given(&o->where), "a position", IN_GAMES},
	           {o->cluster.mpi, "--mpi", IN_PLAIN}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].given && !(all[i].where & where)) {
			fprintf(stderr, "macaw solve: %s does not apply to a %s\nTry 'macaw help solve'.\n", all[i].name, what);
			return true;
		}
	return false;
}

/* Counting ever better solutions would be a count of nothing. */
static bool counts_improvements(const struct solve_options *o, macaw_csp *n)
{
	bool wrong = macaw_csp_has_objective(n) && !o->any && (o->count || o->all || o->solutions != 1);
	if (wrong)
		fprintf(stderr, "macaw solve: %s does not apply to an optimisation; with --any the objective is ignored\n",
		        o->count ? "--count"
		        : o->all ? "--all"
		                 : "--solutions");
	return wrong;
}

static int solve_plain(const struct solve_options *o, struct cluster *c, const char *file, const char *xml,
                       size_t length)
{
	macaw_error error;
	if (misplaced(o, IN_XCSP3, "plain network"))
		return EXIT_USAGE;
	macaw_csp *n = macaw_csp_parse(xml, length, file, &error);
	if (!n)
		return fault(&error);
	macaw_judge *judge = o->check ? macaw_judge_new(xml, length, &error) : NULL;
	int result = EXIT_USAGE;
	if (o->check && !judge)
		result = fault(&error);
	else if (o->write)
		result = write_network(n, o->write);
	else if (!counts_improvements(o, n))
		result = solve(n, o, c, file, judge, NULL);
	macaw_judge_free(judge);
	macaw_csp_free(n);
	return result;
}

static int solve_model(const struct solve_options *o, struct cluster *c, const char *file, const char *text,
                       size_t length)
{
	macaw_error error;
	if (misplaced(o, IN_FLATZINC, "model in FlatZinc"))
		return EXIT_USAGE;
	macaw_flatzinc *m = macaw_flatzinc_parse(text, length, file, &error);
	if (!m)
		return fault(&error);
	macaw_csp *n = macaw_flatzinc_network(m);
	int result = o->write ? write_network(n, o->write) : solve(n, o, c, file, NULL, m);
	macaw_flatzinc_free(m);
	return result;
}

static int solve_text(const struct solve_options *o, struct cluster *c, const char *file, const char *xml,
                      size_t length)
{
	if (solve_is_flatzinc(file, xml, length))
		return solve_model(o, c, file, xml, length);
	enum macaw_xcsp3_type type = macaw_xcsp3_type_of(xml, length);
	if (type == MACAW_XCSP3_CSP)
		return solve_plain(o, c, file, xml, length);
	bool stochastic = type == MACAW_XCSP3_SCSP;
	if (misplaced(o, stochastic ? IN_STOCHASTIC : IN_QUANTIFIED,
	              stochastic ? "stochastic network" : "quantified network"))
		return EXIT_USAGE;
	struct scsp_request request = {o->scsp,
	                               file,
	                               xml,
	                               length,
	                               stochastic,
	                               o->write,
	                               o->all || o->count,
	                               o->count,
	                               o->check,
	                               o->json,
	                               o->time,
	                               (uint64_t)o->nodes,
	                               o->all && !o->count ? 0 : (uint64_t)o->solutions};
	return solve_scsp(&request);
}

static int solve_word(const struct solve_options *o, struct cluster *c, const char *word)
{
	if (solve_is_game(word)) {
		struct game_request q = {word, o->time, o->puzzle, o->json, o->strategy, o->role, o->where};
		return misplaced(o, IN_GAMES, "game") ? EXIT_USAGE : solve_game(&q);
	}
	macaw_error error;
	size_t length;
	char *xml = macaw_xcsp3_read(word, &length, &error);
	if (!xml)
		return fault(&error);
	int result = solve_text(o, c, word, xml, length);
	macaw_free(xml);
	return result;
}

/* What cannot be shared out. */
static int refuse_with_ranks(const struct solve_options *o)
{
	const char *what = o->symmetry               ? "--symmetry"
	                   : o->nodes                ? "--nodes"
	                   : o->count && o->check    ? "--count with --check"
	                   : o->write                ? "--write"
	                   : o->consistency > AC + 1 ? "--consistency path and k"
	                                             : NULL;
	if (what)
		fprintf(stderr, "macaw solve: --mpi does not go with %s\n", what);
	return what ? EXIT_USAGE : EXIT_DONE;
}

static int list_tunings(bool json)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	macaw_csp_tuning t;
	if (json) {
		jsonw_object(&w, NULL);
		jsonw_object(&w, "tunings");
	}
	for (size_t i = 0; macaw_csp_tuning_at(i, &t); i++) {
		if (json) {
			jsonw_object(&w, t.name);
			jsonw_real(&w, "default", t.standard);
			jsonw_real(&w, "min", t.min);
			jsonw_real(&w, "max", t.max);
			jsonw_bool(&w, "whole", t.whole);
			jsonw_text(&w, "help", t.help);
			jsonw_end(&w);
			continue;
		}
		struct text left = {0}, right = {0};
		text_printf(&left, "%s=%s", t.name, t.whole ? "N" : "X");
		text_printf(&right, "%s (default %.15g; %.15g to %.15g)", t.help, t.standard, t.min, t.max);
		screen_row(0, 22, text_str(&left), text_str(&right), screen_columns() > 100 ? 100 : screen_columns(), &out);
		text_free(&left);
		text_free(&right);
	}
	if (json) {
		jsonw_end(&w);
		jsonw_end(&w);
		text_putc(&out, '\n');
	} else {
		text_puts(&out, "\nmacaw solve FILE --tune lns-first=0.2:turn=50\n");
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
	return EXIT_DONE;
}

static int run(void *options, int count, char **words)
{
	const struct solve_options *o = options;
	macaw_error error;
	if (o->tunings)
		return list_tunings(o->json);
	if (o->tune && !macaw_csp_tuning_check(o->tune, &error)) {
		fprintf(stderr, "macaw solve: --tune: %s\nTry 'macaw solve --tunings'.\n", error.text);
		return EXIT_USAGE;
	}
	if (count != 1) {
		fprintf(stderr, "macaw solve: name one FILE\nTry 'macaw help solve'.\n");
		return EXIT_USAGE;
	}
	if (o->memory)
		macaw_memory_limit((size_t)o->memory << 20);
	int status = o->cluster.mpi ? refuse_with_ranks(o) : EXIT_DONE;
	struct cluster *c = status ? NULL : cluster_open("solve", &o->cluster, &status);
	return status ? status : cluster_close(c, solve_word(o, c, words[0]));
}

const struct command cmd_solve = {
	.name = "solve",
	.arguments = "FILE",
	.summary = "Solve a constraint network or a game of one or two roles",
	.details = "Reads an XCSP3 instance and searches for one solution, for all (--all), or for the\n"
			   "best one when there is an objective. Lines: s status, v solution, o cost, d facts,\n"
			   "c counters (nodes, backtracks, propagations, time). Costs are printed as soon as they are found, and\n"
			   "the best solution so far is shown when the search is interrupted. FILE may be packed by gzip, xz or\n"
			   "lzma, or - for standard input.\n"
			   "Models in FlatZinc are recognised; their solutions are printed as MiniZinc reads them, and\n"
			   "minizinc --solver macaw solves models in MiniZinc. With an objective, --all shows every improvement.\n"
			   "Stochastic (type SCSP) and quantified or strategic networks (type QCSP) are solved too:\n"
			   "policies with their expected values, or a winning strategy; --check verifies either.\n"
			   "FILE may also be a game, or its name in games/. With one role the answer is the best goal that can\n"
			   "be reached, with a plan. With two roles who move in turn, without chance or hidden information, it is\n"
			   "who wins with best play, from the start or any position, best play itself and, with --strategy, the\n"
			   "winner's answer to everything.",
	.options = table,
	.size = sizeof(struct solve_options),
	.example = "macaw solve queens.xml --count",
	.run = run,
};
