/* macaw network: a game as a constraint network. */
#include "cli/commands.h"
#include "cli/load_game.h"
#include "model/model.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct network_options {
	struct load_options load;
	int64_t tuples;
	bool stats, json, table;
	const char *output;
};

#define FIELD(f) offsetof(struct network_options, f)
static const struct opt table[] = {
    {"output", 'o', OPT_TEXT, FIELD(output), "FILE", "write XCSP3 here (- for standard output)"},
    {"stats", 0, OPT_FLAG, FIELD(stats), NULL, "print variables, largest domain, constraints, tuples and time"},
    {"table", 0, OPT_FLAG, FIELD(table), NULL, "print the tables of a small network, for people"},
    {"tuples", 0, OPT_INT, FIELD(tuples), "N", "most tuples of a table before auxiliary variables help",
     .whole = MODEL_TUPLES, .min = 2, .max = 1e6},
    {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
    LOAD_BOUNDS(struct network_options, load),
    {0}};

static void print_stats(const struct model *m, const char *name, bool json)
{
	struct model_stats s = model_stats(m);
	struct text t = {0};
	if (json) {
		text_puts(&t, "{\"game\":");
		text_json(&t, name);
		text_printf(&t,
		            ",\"variables\":%u,\"auxiliary\":%u,\"max_domain\":%u,\"constraints\":%u,\"tuples\":%" PRIu64
		            ",\"groups\":%u,\"booleans\":%u,\"constants\":%u,\"seconds\":%.6f,\"proof_seconds\":%.6f,\"queries\":%" PRIu64
		            "}\n",
		            s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans, s.constants,
		            s.seconds, s.proof_seconds, s.queries);
	} else {
		text_printf(&t,
		            "%s\n  variables    %u (%u auxiliary)\n  max domain   %u\n  constraints  %u\n  tuples       %" PRIu64
		            "\n  groups       %u, %u Booleans, %u constant fluents\n  seconds      %.3f (%.3f for %" PRIu64
		            " proofs)\n",
		            name, s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans,
		            s.constants, s.seconds, s.proof_seconds, s.queries);
	}
	fputs(text_str(&t), stdout);
	text_free(&t);
}

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

static int show(struct model *m, const struct network_options *o, const char *name)
{
	int status = EXIT_DONE;
	if (o->output) {
		struct text t = {0};
		csp_write_xml(model_csp(m), &t);
		status = write_text(&t, o->output);
		text_free(&t);
	}
	if (status == EXIT_DONE && o->table)
		status = print_table(m);
	if (status == EXIT_DONE && (o->stats || o->json || (!o->output && !o->table)))
		print_stats(m, name, o->json);
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
	o->load.engine = ENGINE_CIRCUIT;
	int status = load_game("network", words[0], &o->load, &l);
	if (status)
		return status;
	struct model_options mo = {.tuples = (uint32_t)o->tuples, .memory = (size_t)o->load.memory << 20};
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
               "(--stats, the default), the tables (--table), or writes XCSP3 (-o FILE).",
    .options = table,
    .size = sizeof(struct network_options),
    .run = run,
};
