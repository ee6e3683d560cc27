/* macaw model: the strategic networks of Bessiere and Verger (2006) as files. */
#include "show/terminal.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "macaw/qcsp.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct model_options {
	int64_t size, line, variant;
	bool literal, count;
	const char *output;
};

#define FIELD(f) offsetof(struct model_options, f)
static const struct opt table[] = {
    {"size", 'k', OPT_INT, FIELD(size), "K", "connect4: K x K board; token: K tokens (0: 4 for connect4, 5 for token)", .whole = 0, .min = 0, .max = 30},
    {"line", 'c', OPT_INT, FIELD(line), "C", "connect4: length of a winning line", .whole = 4, .min = 2, .max = 8},
    {"model", 'm', OPT_INT, FIELD(variant), "N", "tictactoe: model 1 or 2", .whole = 2, .min = 1, .max = 2},
    {"literal", 0, OPT_FLAG, FIELD(literal), NULL, "use the formulas of the paper as printed (see docs/stochastic.md)"},
    {"count", 0, OPT_FLAG, FIELD(count), NULL, "print the numbers of variables and constraints only"},
    {"output", 'o', OPT_TEXT, FIELD(output), "FILE", "where to write (-: standard output)", .words = "-"},
    {0}};

static macaw_qcsp *build(const char *name, const struct model_options *o, macaw_error *e)
{
	uint32_t size = (uint32_t)o->size;
	if (!strcmp(name, "connect4"))
		return macaw_qcsp_connect(size ? size : 4, (uint32_t)o->line, o->literal, e);
	if (!strcmp(name, "tictactoe"))
		return macaw_qcsp_tictactoe((uint32_t)o->variant, o->literal, e);
	return macaw_qcsp_tokens(size ? size : 5, e);
}

static char *describe(macaw_qcsp *q, bool count)
{
	if (!count)
		return macaw_qcsp_write(q);
	macaw_csp *n = macaw_qcsp_network(q);
	char *t = NULL;
	return asprintf(&t, "variables %u\nconstraints %u\n", macaw_csp_variables(n), macaw_csp_constraints(n)) < 0 ? NULL : t;
}

static int run(void *options, int count, char **words)
{
	static const char *const names[] = {"connect4", "tictactoe", "token", NULL};
	const struct model_options *o = options;
	bool known = false;
	for (int i = 0; count == 1 && names[i]; i++)
		known = known || !strcmp(words[0], names[i]);
	if (!known) {
		const char *near = count == 1 ? nearest_word(words[0], names) : NULL;
		fprintf(stderr, "macaw model: one of connect4, tictactoe, token is needed%s%s%s\n", near ? " (did you mean '" : "",
		        near ? near : "", near ? "'?)" : "");
		return EXIT_USAGE;
	}
	macaw_error error;
	macaw_qcsp *q = build(words[0], o, &error);
	if (!q && error.status == MACAW_USAGE)
		fprintf(stderr, "macaw model: no %s of this size\n", words[0]);
	else if (!q)
		fprintf(stderr, "macaw model: %s\n", error.text);
	if (!q)
		return error.status == MACAW_USAGE ? EXIT_USAGE : EXIT_MACHINE;
	char *text = describe(q, o->count);
	int status = output_file("model", o->output, text);
	macaw_free(text);
	macaw_qcsp_free(q);
	return status;
}

const struct command cmd_model = {
    .name = "model",
    .arguments = "connect4|tictactoe|token",
    .summary = "Write a strategic constraint network (XCSP3)",
    .details = "The models of section 5 of \"Strategic Constraint Satisfaction Problems\" (Bessiere and\n"
               "Verger): can the first player force a win? `macaw solve` answers.",
    .options = table,
    .size = sizeof(struct model_options),
    .example = "macaw model connect4 --size 4 --line 3 -o c43.xml",
    .run = run,
};
