/* macaw network: a game as a constraint network. */
#include "cli/after.h"
#include "cli/commands.h"
#include "cli/load_game.h"
#include "cli/network.h"
#include "scsp/scsp.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct network_options {
	struct load_options load;
	int64_t tuples, horizon;
	bool stats, json, table, initial;
	double rounds;
	const char *output, *after, *state, *passes;
};

#define FIELD(f) offsetof(struct network_options, f)
static const struct opt table[] = {
    {"output", 'o', OPT_TEXT, FIELD(output), "FILE", "write XCSP3 here (- for standard output)"},
    {"stats", 0, OPT_FLAG, FIELD(stats), NULL, "print variables, largest domain, constraints, tuples, time and memory, before and after the passes"},
    {"table", 0, OPT_FLAG, FIELD(table), NULL, "print the tables of a small network, for people"},
    {"initial", 0, OPT_FLAG, FIELD(initial), NULL, "inject the initial state"},
    {"after", 0, OPT_TEXT, FIELD(after), "MOVES", "inject the state after joint moves: a,b;c,d (a move a role)"},
    {"state", 0, OPT_TEXT, FIELD(state), "FILE", "inject the state of a file: a list of fluents, in either form"},
    {"horizon", 0, OPT_INT, FIELD(horizon), "T", "unroll T rounds from the state into one network", .min = 0, .max = 1000},
    {"passes", 0, OPT_TEXT, FIELD(passes), "LIST", "preprocess the round by these: merge,unary,universal,sac"},
    {"rounds", 0, OPT_REAL, FIELD(rounds), "SEC", "measure rounds solved a second: MAC, FC, circuit", .min = 0, .max = 1e6},
    {"tuples", 0, OPT_INT, FIELD(tuples), "N", "most tuples of a table before auxiliary variables help",
     .whole = MODEL_TUPLES, .min = 2, .max = 1e6},
    {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
    LOAD_BOUNDS(struct network_options, load),
    {0}};

static int write_text(const struct text *t, const char *path)
{
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(t->at, 1, t->n, f) == t->n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "macaw network: cannot write %s\n", path);
	return ok ? EXIT_DONE : EXIT_MACHINE;
}

static int print_table(struct model *m)
{
	struct text t = {0};
	int status = EXIT_INPUT;
	if (model_print(m, &t))
		status = write_text(&t, "-");
	else
		fprintf(stderr, "macaw network: too large to be read; -o FILE writes it\n");
	text_free(&t);
	return status;
}

/* ---- all ----------------------------------------------------------------------------------- */

static int write_network(struct model *m, const uint64_t *state, uint32_t horizon, const char *path)
{
	struct text t = {0}, error = {0};
	int status = EXIT_INPUT;
	struct scsp *s = horizon ? model_unroll(m, state ? state : model_game(m)->initial, horizon, &error) : model_scsp(m, state, &error);
	if (s) {
		scsp_write_xml(s, &t);
		status = write_text(&t, path);
		scsp_free(s);
	} else {
		fprintf(stderr, "macaw network: %s\n", text_str(&error));
	}
	text_free(&t);
	text_free(&error);
	return status;
}

/* The writing comes last, for it takes the network over. */
static int show(struct model *m, const struct network_options *o, const char *name)
{
	int status = EXIT_DONE;
	uint64_t *state = NULL;
	unsigned passes = o->stats ? (1u << SCSP_PASS_COUNT) - 1 : 0;
	if (o->passes && !network_passes(o->passes, &passes))
		return EXIT_USAGE;
	if (o->after || o->initial || o->state) {
		state = o->state ? network_state_file(model_game(m), o->state) : state_after(model_game(m), "network", o->after);
		if (!state)
			return EXIT_INPUT;
	}
	if (o->table)
		status = print_table(m);
	if (o->rounds > 0)
		network_print_speed(m, name, o->rounds, o->json);
	else if (status == EXIT_DONE && (passes || o->json || (!o->output && !o->table)))
		network_print_stats(m, name, state ? state : model_game(m)->initial, passes, o->json);
	if (status == EXIT_DONE && o->output)
		status = write_network(m, state, (uint32_t)o->horizon, o->output);
	mem_free(state);
	return status;
}

static int run(void *options, int count, char **words)
{
	struct network_options *o = options;
	struct loaded l = {0};
	if (count != 1) {
		fprintf(stderr, "macaw network: one game is needed\nTry 'macaw help network'.\n");
		return EXIT_USAGE;
	}
	if (o->state && o->after) {
		fprintf(stderr, "macaw network: --state and --after exclude one another\n");
		return EXIT_USAGE;
	}
	if (o->horizon && !o->output) {
		fprintf(stderr, "macaw network: --horizon writes a network: -o FILE (- for standard output) says where\n");
		return EXIT_USAGE;
	}
	o->load.engine = ENGINE_CIRCUIT;
	int status = load_game("network", words[0], &o->load, &l);
	if (status)
		return status;
	struct model_options mo = {.tuples = (uint32_t)o->tuples, .memory = (size_t)o->load.memory << 20, .keep = o->horizon > 0};
	struct text error = {0};
	if (o->load.timeout > 0)
		mo.limit = limit_seconds(o->load.timeout);
	struct model *m = model_make(l.game, &mo, &error);
	if (m) {
		status = show(m, o, text_str(&l.name));
	} else {
		fprintf(stderr, "macaw network: %s: %s\n", words[0], text_str(&error));
		status = EXIT_INPUT;
	}
	text_free(&error);
	model_free(m);
	load_game_free(&l);
	return status;
}

const struct command cmd_network = {
    .name = "network",
    .arguments = "GAME",
    .summary = "Show a game as a stochastic constraint network",
    .details = "Translates one round of the game into variables and tables: fluents that exclude one\n"
               "another (proved by induction) become one variable, actions one a role. Prints figures\n"
               "(--stats, the default), the tables (--table), or writes XCSP3 (-o FILE): of the template,\n"
               "of a round in a state (--initial, --after, --state) or of several rounds (--horizon).",
    .options = table,
    .size = sizeof(struct network_options),
    .run = run,
};
