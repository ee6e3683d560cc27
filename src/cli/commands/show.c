/* macaw show GAME: the rules as they were read, in either form; or a later stage: the ground program, the
 * circuit. */
#include "cli/commands.h"
#include "cli/load.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>

struct show_options {
	struct load_options load;
	bool kif, infix, ground, circuit, dot;
};

#define FIELD(f) offsetof(struct show_options, f)
static const struct opt options[] = {
	{"kif", 0, OPT_FLAG, FIELD(kif), NULL, "the rules in prefix form (the default)"},
	{"infix", 0, OPT_FLAG, FIELD(infix), NULL, "the rules in infix form"},
	{"ground", 0, OPT_FLAG, FIELD(ground), NULL, "the ground program: all rules without variables"},
	{"circuit", 0, OPT_FLAG, FIELD(circuit), NULL,
     "the circuit: the gates that compute legal moves, next state, end and goals"},
	{"dot", 0, OPT_FLAG, FIELD(dot), NULL, "with --circuit: as a graph for Graphviz"},
	LOAD_BOUNDS(struct show_options, load),
	{0}};

enum { DOT_GATES = 3000, SHOWN = 100 };

static char *show_rules(const struct show_options *o, const char *word, int *status)
{
	macaw_error error;
	macaw_rules *r = macaw_rules_load(word, &error);
	*status = load_status(&error);
	if (!r) {
		fprintf(stderr, "macaw show: %s\n", error.text);
		return NULL;
	}
	load_report(r, MACAW_REPORT_UNREADABLE, SHOWN);
	char *out = NULL;
	if (macaw_rules_unreadable(r))
		*status = EXIT_INPUT;
	else
		out = macaw_rules_print(r, o->infix);
	macaw_rules_free(r);
	return out;
}

static bool too_large_to_draw(const macaw_game *g)
{
	size_t gates = macaw_game_information(g).gates;
	if (gates <= DOT_GATES)
		return false;
	struct text n = {0};
	number_grouped(&n, gates);
	fprintf(stderr, "macaw show: %s gates are too many for a drawing; --dot stops at %d\n", text_str(&n), DOT_GATES);
	text_free(&n);
	return true;
}

static char *show_game(const struct show_options *o, const char *word, int *status)
{
	struct load_options bounds = o->load;
	bounds.engine = MACAW_ENGINE_CIRCUIT;
	macaw_game *g = load_word("show", word, &bounds, status);
	if (!g)
		return NULL;
	char *out = NULL;
	if (o->dot && too_large_to_draw(g))
		*status = EXIT_INPUT;
	else
		out = macaw_game_print(g,
		                       o->ground ? MACAW_STAGE_GROUND
		                       : o->dot  ? MACAW_STAGE_CIRCUIT_DOT
		                                 : MACAW_STAGE_CIRCUIT,
		                       NULL);
	macaw_game_free(g);
	return out;
}

static int run(void *options_, int count, char **words)
{
	const struct show_options *o = options_;
	if (count != 1 || o->kif + o->infix + o->ground + o->circuit > 1 || (o->dot && !o->circuit)) {
		fprintf(stderr, count != 1              ? "macaw show: name one GAME\n"
		                : o->dot && !o->circuit ? "macaw show: --dot goes with --circuit\n"
		                                        : "macaw show: choose one of --kif, --infix, --ground and --circuit\n");
		return EXIT_USAGE;
	}
	int status;
	char *out = o->ground || o->circuit ? show_game(o, words[0], &status) : show_rules(o, words[0], &status);
	if (out)
		fputs(out, stdout);
	else if (!status) {
		fprintf(stderr, "macaw show: out of memory\n");
		status = EXIT_MACHINE;
	}
	macaw_free(out);
	return status;
}

const struct command cmd_show = {
	.name = "show",
	.arguments = "GAME",
	.summary = "Print the rules of a game, its ground program or its circuit",
	.details =
		"Prints the rules as they were read, one after the other, without comments. The text reads back as the same "
		"rules in either form. --ground and --circuit show the later stages.",
	.options = options,
	.size = sizeof(struct show_options),
	.example = "macaw show tictactoe --infix",
	.run = run,
};
