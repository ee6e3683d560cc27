/* macaw model: the strategic networks of Bessiere and Verger (2006) as files. */
#include "cli/commands.h"
#include "base/nearest.h"
#include "qcsp/qcsp.h"

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
    {"size", 'k', OPT_INT, FIELD(size), "K", "connect4: a K x K board (4); token: K tokens (5)", .whole = 0, .min = 0, .max = 30},
    {"line", 'c', OPT_INT, FIELD(line), "C", "connect4: so many in a line", .whole = 4, .min = 2, .max = 8},
    {"model", 'm', OPT_INT, FIELD(variant), "N", "tictactoe: model 1 or 2", .whole = 2, .min = 1, .max = 2},
    {"literal", 0, OPT_FLAG, FIELD(literal), NULL, "the formulas of the paper to the letter (see docs/stochastic.md)"},
    {"count", 0, OPT_FLAG, FIELD(count), NULL, "print the numbers of variables and constraints instead"},
    {"output", 'o', OPT_TEXT, FIELD(output), "FILE", "where to write (standard output)", .words = "-"},
    {0}};

static struct qcsp *build(const char *name, const struct model_options *o)
{
	uint32_t size = (uint32_t)o->size;
	if (!strcmp(name, "connect4"))
		return qcsp_connect(size ? size : 4, (uint32_t)o->line, o->literal);
	if (!strcmp(name, "tictactoe"))
		return qcsp_tictactoe((uint32_t)o->variant, o->literal);
	return qcsp_tokens(size ? size : 5);
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
	struct qcsp *q = build(words[0], o);
	if (!q) {
		fprintf(stderr, "macaw model: no %s of this size\n", words[0]);
		return EXIT_USAGE;
	}
	struct text t = {0};
	if (o->count)
		text_printf(&t, "variables %u\nconstraints %u\n", csp_variables(qcsp_network(q)), csp_constraints(qcsp_network(q)));
	else
		qcsp_write_xml(q, &t);
	FILE *f = !strcmp(o->output, "-") ? stdout : fopen(o->output, "wb");
	bool ok = f && fwrite(t.at, 1, t.n, f) == t.n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "macaw model: cannot write %s\n", o->output);
	text_free(&t);
	qcsp_free(q);
	return ok ? EXIT_DONE : EXIT_MACHINE;
}

const struct command cmd_model = {
    .name = "model",
    .arguments = "connect4|tictactoe|token",
    .summary = "Write a strategic constraint network (XCSP3)",
    .details = "The models of section 5 of \"Strategic Constraint Satisfaction Problems\" (Bessiere and\n"
               "Verger): can the first player force a win? `macaw solve` answers.",
    .options = table,
    .size = sizeof(struct model_options),
    .run = run,
};
