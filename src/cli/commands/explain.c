/* macaw explain GAME --why STATEMENT: why something holds in a position, or why not, by the rules. */
#include "cli/commands.h"
#include "cli/explanation_json.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct explain_options {
	struct where_options where;
	const char *why, *why_not, *moves;
	int64_t rules, steps;
	bool json;
};

#define FIELD(f) offsetof(struct explain_options, f)
static const struct opt options[] = {
	{"why", 0, OPT_TEXT, FIELD(why), "STATEMENT", "why does this hold?"},
	{"why-not", 0, OPT_TEXT, FIELD(why_not), "STATEMENT", "why does this not hold?"},
	{"moves", 'm', OPT_TEXT, FIELD(moves), "MOVES", "the joint move that next, sees and does are about, as in --after"},
	WHERE_OPTIONS(struct explain_options, where),
	{"rules", 0, OPT_INT, FIELD(rules), "N", "tell at most N rules that fail", .whole = 3, .min = 1, .max = 1e6},
	{"steps", 0, OPT_INT, FIELD(steps), "N", "tell at most N steps", .whole = 1000, .min = 1, .max = 1e6},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	{0}};

struct asked {
	const char *statement;
	bool wanted; /* what the question takes for granted */
	bool open;   /* it takes nothing for granted */
};

static bool read_question(const struct explain_options *o, int count, char **words, struct asked *q)
{
	int statements = (count == 2) + (o->why != NULL) + (o->why_not != NULL);
	if ((count != 1 && count != 2) || statements != 1) {
		fprintf(stderr,
		        "macaw explain: one GAME, and one of --why STATEMENT, --why-not STATEMENT or a STATEMENT alone, such "
		        "as '(legal x (mark 1 1))' or terminal\nTry 'macaw help explain'.\n");
		return false;
	}
	q->statement = count == 2 ? words[1] : o->why ? o->why : o->why_not;
	q->wanted = o->why != NULL;
	q->open = count == 2;
	return true;
}

/* The joint move of --moves, in the position of the other options: what --after would add to it. */
static int find_moves(macaw_game *g, const struct explain_options *o, struct where *p)
{
	struct where_options with = o->where;
	struct text after = {0};
	text_printf(&after, "%s%s%s", o->where.after ? o->where.after : "", o->where.after && *o->where.after ? ";" : "",
	            o->moves);
	with.after = text_str(&after);
	struct where next;
	int status = where_find(g, "explain", &with, &next);
	uint32_t roles = macaw_game_roles(g);
	if (!status && next.steps != p->steps + 1) {
		fprintf(stderr, "macaw explain: --moves takes one joint move\n");
		status = EXIT_USAGE;
	}
	vec_clear(&p->made);
	for (uint32_t r = 0; !status && r < roles; r++)
		vec_push(&p->made, next.made.at[(next.steps - 1) * roles + r]);
	where_free(&next);
	text_free(&after);
	return status;
}

static void print_json(const macaw_game *g, const struct asked *q, const macaw_explanation *x)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_text(&w, "file", macaw_rules_file(macaw_game_rules(g)));
	jsonw_text(&w, "question", q->statement);
	explanation_json(&w, x);
	jsonw_end(&w);
	output_line(&out);
}

static int print(const macaw_game *g, const macaw_explanation *x)
{
	const char *file = macaw_rules_file(macaw_game_rules(g)), *slash = strrchr(file, '/');
	char *text =
		macaw_explanation_text(x, slash ? slash + 1 : file, isatty(STDOUT_FILENO) ? (uint32_t)screen_columns() : 0);
	if (!text) {
		fprintf(stderr, "macaw explain: out of memory\n");
		return EXIT_MACHINE;
	}
	fputs(text, stdout);
	if (macaw_explanation_instances(x) > 1)
		printf("(and %zu more instances hold)\n", macaw_explanation_instances(x) - 1);
	macaw_free(text);
	return EXIT_DONE;
}

static int answer(macaw_game *g, const struct explain_options *o, const struct asked *q, const uint64_t *position,
                  const uint32_t *moves)
{
	macaw_error error;
	macaw_question question = {.statement = q->statement,
	                           .position = position,
	                           .moves = moves,
	                           .rules = (uint32_t)o->rules,
	                           .steps = (uint32_t)o->steps};
	macaw_explanation *x = macaw_explain(g, &question, &error);
	if (!x) {
		fprintf(stderr, "macaw explain: %s: %s\n", q->statement, error.text);
		return load_status(&error);
	}
	int status = EXIT_DONE;
	if (o->json)
		print_json(g, q, x);
	else
		status = print(g, x);
	if (!status && !q->open && macaw_explanation_holds(x) != q->wanted) {
		fflush(stdout);
		fprintf(stderr, "macaw explain: %s %s\n", macaw_explanation_statement(x),
		        q->wanted ? "does not hold" : "does hold");
		status = EXIT_INPUT;
	}
	macaw_explanation_free(x);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct explain_options *o = options_;
	struct asked q;
	int status = EXIT_USAGE;
	if (!read_question(o, count, words, &q))
		return status;
	/* Explanations are the interpreter's, and it has positions sooner than the circuit. */
	macaw_game *g = load_word("explain", words[0], &(struct load_options){.engine = MACAW_ENGINE_INTERPRETER}, &status);
	if (!g)
		return status;
	struct where p;
	status = where_find(g, "explain", &o->where, &p);
	if (!status && o->moves)
		status = find_moves(g, o, &p);
	if (!status)
		status = answer(g, o, &q, p.at, o->moves ? p.made.at : NULL);
	where_free(&p);
	macaw_game_free(g);
	return status;
}

const struct command cmd_explain = {
	.name = "explain",
	.arguments = "GAME [STATEMENT]",
	.summary = "Say why something holds in a position, or why not",
	.details =
		"A STATEMENT is legal, goal, terminal, true, any relation of the rules, or, with --moves, next, sees and does. "
		"What holds is shown with its derivation: which rule gives it, and what gives the conditions of the rule. What "
		"does "
		"not hold is shown with the rules that could have given it, the nearest first, and the first condition of each "
		"that fails. With variables, as in '(legal x ?m)', any instance will do. The exit status is 1 when --why asks "
		"about what does not hold, or --why-not about what does.",
	.example = "macaw explain tictactoe --after 'mark 1 1' --why-not '(legal o (mark 1 1))'",
	.options = options,
	.size = sizeof(struct explain_options),
	.run = run,
};
