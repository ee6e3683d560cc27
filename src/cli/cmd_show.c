/* macaw show GAME: the rules as we read them, in either form; or what became of
 * them on the way to a game: the ground program, the circuit. */
#include "show/circuit_text.h"
#include "cli/commands.h"
#include "cli/game_file.h"
#include "cli/load_game.h"
#include "show/table.h"

#include "game/rules_view.h"

#include <stddef.h>
#include <stdio.h>

struct show_options {
	struct load_options load;
	bool kif, infix, ground, circuit, dot;
};

#define FIELD(f) offsetof(struct show_options, f)
static const struct opt options[] = {
	{"kif", 0, OPT_FLAG, FIELD(kif), NULL, "in prefix form (the default)"},
	{"infix", 0, OPT_FLAG, FIELD(infix), NULL, "in infix form"},
	{"ground", 0, OPT_FLAG, FIELD(ground), NULL, "the ground program: all rules without variables"},
	{"circuit", 0, OPT_FLAG, FIELD(circuit), NULL,
     "the circuit: gates between fluents, moves and what follows from them"},
	{"dot", 0, OPT_FLAG, FIELD(dot), NULL, "with --circuit: as a graph for Graphviz"},
	LOAD_BOUNDS(struct show_options, load),
	{0}};

enum { DOT_GATES = 3000 };

static int show_rules(const struct show_options *o, const char *word, struct text *out)
{
	struct game_file f = {0};
	struct text error = {0};
	struct diags d = {.max = 100};
	int status = game_file_read(word, &f, &error);
	if (status) {
		fprintf(stderr, "macaw show: %s\n", text_str(&error));
	} else {
		struct gdl_rules *r = gdl_read(text_str(&f.source), f.source.n, &d);
		diag_drop_warnings(&d);
		game_file_tell(&f, &d);
		status = d.errors ? EXIT_INPUT : EXIT_DONE;
		if (!status)
			gdl_print(r, o->infix ? GDL_INFIX : GDL_KIF, out);
		gdl_free(r);
	}
	diag_free(&d);
	text_free(&error);
	game_file_free(&f);
	return status;
}

static int show_dot(const struct game *g, struct text *out)
{
	size_t gates = circuit_gates(game_rules_view(g)->circuit);
	if (gates > DOT_GATES) {
		struct text n = {0};
		number_grouped(&n, gates);
		fprintf(stderr, "macaw show: a drawing of %s gates would help nobody; --dot stops at %d\n", text_str(&n),
		        DOT_GATES);
		text_free(&n);
		return EXIT_INPUT;
	}
	circuit_print_dot(g, out);
	return EXIT_DONE;
}

static int show_game(const struct show_options *o, const char *word, struct text *out)
{
	struct load_options load = o->load;
	struct loaded l = {0};
	load.engine = ENGINE_CIRCUIT;
	int status = load_game("show", word, &load, &l);
	if (status)
		return status;
	if (o->ground)
		ground_print(game_rules_view(l.game)->ground, out);
	else if (o->dot)
		status = show_dot(l.game, out);
	else
		circuit_print(l.game, out);
	load_game_free(&l);
	return status;
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
	struct text out = {0};
	int status = o->ground || o->circuit ? show_game(o, words[0], &out) : show_rules(o, words[0], &out);
	fwrite(text_str(&out), 1, out.n, stdout);
	text_free(&out);
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
	.run = run,
};
