/* macaw model: the quantified networks of Bessiere and Verger (2006) as files. */
#include "cli/commands.h"
#include "cli/output.h"
#include "macaw/qcsp.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct model_options {
	int64_t size, line, variant, moves;
	int encoding;
	bool literal, count;
	const char *output;
};

#define FIELD(f) offsetof(struct model_options, f)
static const struct opt table[] = {
	{"size", 'k', OPT_INT, FIELD(size), "K",
     "connect4: K x K board; token: K tokens; robot: length of the corridor (0: 4 for connect4, 5 for the others)",
     .whole = 0, .min = 0, .max = 60},
	{"line", 'c', OPT_INT, FIELD(line), "C", "connect4: length of a winning line", .whole = 4, .min = 2, .max = 8},
	{"model", 'm', OPT_INT, FIELD(variant), "N", "tictactoe: model 1 or 2", .whole = 2, .min = 1, .max = 2},
	{"encoding", 'e', OPT_CHOICE, FIELD(encoding), "NAME",
     "token: strategic, or plain with conditional constraints or with one constraint",
     .choices = "strategic|conditional|one"},
	{"moves", 0, OPT_INT, FIELD(moves), "N", "robot: moves (0: as many as the corridor is long)", .whole = 0, .min = 0,
     .max = 60},
	{"literal", 0, OPT_FLAG, FIELD(literal), NULL, "use the formulas of the paper as printed (see docs/stochastic.md)"},
	{"count", 0, OPT_FLAG, FIELD(count), NULL, "print the numbers of variables and constraints only"},
	{"output", 'o', OPT_TEXT, FIELD(output), "FILE", "where to write (-: standard output)", .words = "-"},
	{0}};

static macaw_qcsp *tokens(const struct model_options *o, macaw_error *e)
{
	uint32_t size = o->size ? (uint32_t)o->size : 5;
	if (!o->encoding)
		return macaw_qcsp_tokens(size, e);
	return macaw_qcsp_tokens_plain(size,
	                               o->encoding == 2 ? MACAW_QCSP_ONE_CONSTRAINT
	                               : o->literal     ? MACAW_QCSP_CONDITIONAL_LITERAL
	                                                : MACAW_QCSP_CONDITIONAL,
	                               e);
}

static macaw_qcsp *reduced(const char *path, macaw_error *e)
{
	macaw_qcsp *plain = macaw_qcsp_load(path, e), *q = plain ? macaw_qcsp_strategic_form(plain, e) : NULL;
	macaw_qcsp_free(plain);
	return q;
}

static macaw_qcsp *build(char **words, const struct model_options *o, macaw_error *e)
{
	uint32_t size = (uint32_t)o->size;
	if (!strcmp(words[0], "connect4"))
		return macaw_qcsp_connect(size ? size : 4, (uint32_t)o->line, o->literal, e);
	if (!strcmp(words[0], "tictactoe"))
		return macaw_qcsp_tictactoe((uint32_t)o->variant, o->literal, e);
	if (!strcmp(words[0], "token"))
		return tokens(o, e);
	if (!strcmp(words[0], "robot"))
		return macaw_qcsp_robot(size ? size : 5, o->moves ? (uint32_t)o->moves : size ? size : 5, e);
	return reduced(words[1], e);
}

static char *describe(macaw_qcsp *q, bool count)
{
	if (!count)
		return macaw_qcsp_write(q);
	macaw_csp *n = macaw_qcsp_network(q);
	char *t = NULL;
	return asprintf(&t, "variables %u\nconstraints %u\n", macaw_csp_variables(n), macaw_csp_constraints(n)) < 0 ? NULL
	                                                                                                            : t;
}

static int run(void *options, int count, char **words)
{
	static const char *const names[] = {"connect4", "tictactoe", "token", "robot", "strategic", NULL};
	const struct model_options *o = options;
	bool known = false;
	for (int i = 0; count && names[i]; i++)
		known = known || !strcmp(words[0], names[i]);
	if (!known) {
		const char *near = count ? nearest_word(words[0], names) : NULL;
		fprintf(stderr,
		        "macaw model: one of connect4, tictactoe, token, robot, strategic is needed%s%s%s\nTry 'macaw help "
		        "model'.\n",
		        near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
		return EXIT_USAGE;
	}
	bool reduces = !strcmp(words[0], "strategic");
	if (count != 1 + reduces) {
		fprintf(stderr, "macaw model %s: %s\nTry 'macaw help model'.\n", words[0],
		        reduces ? "one FILE with a plain quantified network" : "takes no further word");
		return EXIT_USAGE;
	}
	macaw_error error;
	macaw_qcsp *q = build(words, o, &error);
	if (!q && error.status == MACAW_USAGE && !reduces)
		fprintf(stderr, "macaw model: no %s of this size\n", words[0]);
	else if (!q)
		fprintf(stderr, reduces ? "%s\n" : "macaw model: %s\n", error.text);
	if (!q)
		return reduces && error.status != MACAW_MEMORY ? EXIT_INPUT
		       : error.status == MACAW_USAGE           ? EXIT_USAGE
		                                               : EXIT_MACHINE;
	char *text = describe(q, o->count);
	int status = output_file("model", o->output, text);
	macaw_free(text);
	macaw_qcsp_free(q);
	return status;
}

const struct command cmd_model = {
	.name = "model",
	.arguments = "MODEL [FILE]",
	.summary = "Write a quantified constraint network (XCSP3)",
	.details = "MODEL is connect4, tictactoe, token, robot, or strategic with a FILE.\n\n"
			   "The models of sections 3 and 5 of \"Strategic Constraint Satisfaction Problems\" (Bessiere and\n"
			   "Verger): can the first player force a win? `macaw solve` answers. robot: a plan for a robot that\n"
			   "observes where its moves have led. strategic: a plain quantified network as a strategic one\n"
			   "with the same answer (Theorem 1).",
	.options = table,
	.size = sizeof(struct model_options),
	.example = "macaw model connect4 --size 4 --line 3 -o c43.xml",
	.run = run,
};
