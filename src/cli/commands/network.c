/* macaw network: a game as a constraint network. */
#include "cli/network.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>

struct network_options {
	struct load_options load;
	int64_t tuples, horizon, step;
	const char *record;
	bool stats, json, table, initial, simplify;
	double rounds;
	const char *output, *after, *state, *passes;
	int translation;
};

#define FIELD(f) offsetof(struct network_options, f)
static const struct opt table[] = {
	{"output", 'o', OPT_TEXT, FIELD(output), "FILE", "write XCSP3 here (- for standard output)"},
	{"stats", 0, OPT_FLAG, FIELD(stats), NULL,
     "print variables, largest domain, constraints, tuples, time and memory, before and after the passes"},
	{"table", 0, OPT_FLAG, FIELD(table), NULL, "print the tables of a small network, to be read"},
	{"initial", 0, OPT_FLAG, FIELD(initial), NULL, "inject the initial state"},
	{"after", 0, OPT_TEXT, FIELD(after), "MOVES", "inject the state after these moves: see `macaw help moves`"},
	{"state", 0, OPT_TEXT, FIELD(state), "FILE", "inject the state of a file: a list of fluents, in either form"},
	{"record", 0, OPT_TEXT, FIELD(record), "FILE", "inject a state of a recorded match: see --step"},
	{"step", 0, OPT_INT, FIELD(step), "N", "moves of the record to make first (all, unless given)", .whole = -1,
     .min = 0, .max = 1e9},
	{"horizon", 0, OPT_INT, FIELD(horizon), "T", "unroll T rounds from the state into one network", .min = 0,
     .max = 1000},
	{"simplify", 0, OPT_FLAG, FIELD(simplify), NULL,
     "simplify the template by the passes before any state is injected, as players do"},
	{"passes", 0, OPT_TEXT, FIELD(passes), "LIST", "preprocessing passes for the round: merge,unary,universal,sac"},
	{"rounds", 0, OPT_REAL, FIELD(rounds), "SEC",
     "measure rounds solved per second: MAC, MAC anew each time, FC, circuit", .min = 0, .max = 1e6},
	{"translation", 0, OPT_CHOICE, FIELD(translation), "WAY",
     "what tables are made of: gates of the circuit, or rules of the rulesheet, one table each",
     .choices = "gates|rules"},
	{"tuples", 0, OPT_INT, FIELD(tuples), "N",
     "largest number of tuples of a table; beyond it, auxiliary variables are added", .whole = MACAW_NETWORK_TUPLES,
     .min = 2, .max = 1e6},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_BOUNDS(struct network_options, load),
	{0}};

static int print_table(macaw_network *n)
{
	macaw_error error;
	char *text = macaw_network_print(n, &error);
	if (!text) {
		fprintf(stderr, "macaw network: too large to be read; -o FILE writes it\n");
		return EXIT_INPUT;
	}
	int status = output_file("network", "-", text);
	macaw_free(text);
	return status;
}

static int write_network(macaw_network *n, const uint64_t *position, uint32_t horizon, const char *path)
{
	macaw_error error;
	const uint64_t *start = position ? position : macaw_position_initial(macaw_network_game(n));
	macaw_scsp *s = horizon ? macaw_network_unroll(n, start, horizon, &error) : macaw_network_scsp(n, position, &error);
	if (!s) {
		fprintf(stderr, "macaw network: %s\n", error.text);
		return error.status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
	}
	char *xml = macaw_scsp_write(s);
	int status = output_file("network", path, xml);
	macaw_free(xml);
	macaw_scsp_free(s);
	return status;
}

/* Tables, figures, then the file: that comes last, for it takes the network over. */
static int show(macaw_network *n, const struct network_options *o, const uint64_t *position, unsigned passes)
{
	const uint64_t *start = position ? position : macaw_position_initial(macaw_network_game(n));
	int status = o->table ? print_table(n) : EXIT_DONE;
	if (o->rounds > 0)
		status = network_print_speed(n, o->rounds, o->json) ? status : EXIT_MACHINE;
	else if (status == EXIT_DONE && (passes || o->json || (!o->output && !o->table)))
		network_print_stats(n, start, passes, o->json);
	if (status == EXIT_DONE && o->output)
		status = write_network(n, position, (uint32_t)o->horizon, o->output);
	return status;
}

static int show_position(macaw_network *n, const struct network_options *o)
{
	macaw_game *g = macaw_network_game(n);
	unsigned passes = o->stats ? (1u << MACAW_PASSES) - 1 : 0;
	struct where_options where = {.after = o->after, .state = o->state, .record = o->record, .step = o->step};
	struct where from = {0};
	int status = EXIT_DONE;
	if (o->passes && !network_passes(o->passes, &passes))
		return EXIT_USAGE;
	if (o->initial || where_given(&where))
		status = where_find(g, "network", &where, &from);
	if (!status)
		status = show(n, o, from.at, passes);
	where_free(&from);
	return status;
}

static int run(void *options, int count, char **words)
{
	struct network_options *o = options;
	if (count != 1) {
		fprintf(stderr, "macaw network: name one GAME\nTry 'macaw help network'.\n");
		return EXIT_USAGE;
	}
	if (o->simplify && (o->horizon || o->table)) {
		fprintf(stderr,
		        "macaw network: a template that --simplify has simplified cannot be unrolled or printed as tables\n");
		return EXIT_USAGE;
	}
	if (o->horizon && !o->output) {
		fprintf(stderr, "macaw network: --horizon writes a network: -o FILE (- for standard output) says where\n");
		return EXIT_USAGE;
	}
	int status;
	macaw_error error;
	o->load.engine = MACAW_ENGINE_CIRCUIT;
	macaw_game *g = load_word("network", words[0], &o->load, &status);
	if (!g)
		return status;
	macaw_network_options no = {.tuples = (uint32_t)o->tuples,
	                            .memory = (size_t)o->load.memory << 20,
	                            .keep = o->horizon > 0,
	                            .passes = o->simplify ? (1u << MACAW_PASSES) - 1 : 0,
	                            .percepts = macaw_game_hidden(g) && !o->horizon,
	                            .translation = (enum macaw_translation)o->translation,
	                            .limit.seconds = o->load.timeout};
	macaw_network *n = macaw_network_make(g, &no, &error);
	if (n) {
		status = show_position(n, o);
	} else {
		fprintf(stderr, "macaw network: %s: %s\n", words[0], error.text);
		status = error.status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
	}
	macaw_network_free(n);
	macaw_game_free(g);
	return status;
}

const struct command cmd_network = {
	.name = "network",
	.arguments = "GAME",
	.summary = "Show a game as a stochastic constraint network",
	.details = "Translates one round of the game into variables and tables: fluents that exclude one\n"
			   "another (proved by induction) become one variable, the moves of each role another; in games that\n"
			   "hide the state (GDL-II) each percept is a variable too, sees_ROLE_PERCEPT. Prints figures\n"
			   "(--stats, the default), the tables (--table), or writes XCSP3 (-o FILE): of the template,\n"
			   "of a round in a state (--initial, --after, --state, --record) or of several rounds (--horizon).",
	.options = table,
	.size = sizeof(struct network_options),
	.example = "macaw network tictactoe --table",
	.run = run,
};
