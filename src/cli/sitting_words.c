/* What a person may type besides moves. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/person.h"
#include "cli/sitting.h"
#include "cli/where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum word_effect word_action(struct sitting *t, const char *argument, const macaw_turn *turn);

struct word {
	const char *name;
	char letter; /* that will do for it, or 0 */
	const char *argument, *help;
	word_action *act;
};

static word_action help, list_moves, board, history, hint, undo, redo, save, load, record, swap, automatic, quit;

static const struct word words[] = {
	{"help", '?', "", "this list", help},
	{"moves", 'm', "[TEXT]", "the moves you have, or those that contain TEXT", list_moves},
	{"board", 'b', "", "the position again", board},
	{"history", 0, "", "what was played, and seen", history},
	{"hint", 'h', "", "what a player in your place would do", hint},
	{"undo", 'u', "", "take your last move back", undo},
	{"redo", 0, "", "make it again", redo},
	{"save", 0, "FILE", "write the match down, to go on another time", save},
	{"load", 0, "FILE", "go on with a match that was saved", load},
	{"record", 0, "FILE", "write the match to a file after every step from now on", record},
	{"swap", 0, "[ROLE]", "take another role", swap},
	{"auto", 0, "[N]", "let the player make your next N moves, or all (Ctrl-C stops it)", automatic},
	{"quit", 'q', "", "leave (Ctrl-D and Ctrl-C do, too)", quit},
};

enum { WORDS = sizeof words / sizeof *words };

/* The match is left, to begin again after `steps` steps. */
static enum word_effect begin_again(struct sitting *t, uint32_t steps)
{
	t->kept = steps;
	t->leaving = AGAIN;
	macaw_stop_now(&sitting_stop);
	return WORD_GO;
}

static enum word_effect say(const char *what)
{
	struct text out = {0};
	text_puts(&out, "  ");
	screen_wrap(what, strlen(what), 2, 2, screen_columns(), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
	return WORD_STAY;
}

static enum word_effect help(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	enum { COLUMN = 17 };
	struct text out = {0};
	const char *first = macaw_game_move(t->g, turn->legal[0]);
	for (int i = 0; i < WORDS; i++) {
		struct text left = {0};
		text_printf(&left, "%s %s", words[i].name, words[i].argument);
		screen_row(2, COLUMN, text_str(&left), words[i].help, screen_columns(), &out);
		text_free(&left);
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
	text_printf(&out,
	            "A move is typed as its number, as it is (%s; brackets, commas and case do not matter), by its "
	            "arguments alone, or by any beginning that only one move has. Tab completes; arrow keys edit the line "
	            "and bring "
	            "earlier ones back. Where a word is a move too, a slash makes it a word: /help.",
	            first);
	show_paragraph(text_str(&out));
	text_free(&out);
	return WORD_STAY;
}

static enum word_effect list_moves(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	person_moves(t->moves.at, (uint32_t)t->moves.n, *argument ? argument : NULL);
	return WORD_STAY;
}

static enum word_effect board(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	show_choice(t);
	return WORD_STAY;
}

static enum word_effect history(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	show_history(t);
	return WORD_STAY;
}

static enum word_effect hint(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	macaw_thought thought;
	thinking_quiet(&t->thinking, false);
	uint32_t move = sitting_think(&t->chairs[t->you], &sitting_stop, &thought);
	thinking_quiet(&t->thinking, true);
	if (move == MACAW_NONE)
		return WORD_STAY;
	struct text out = {0};
	text_printf(&out, "%s (%s)", macaw_game_move(t->g, move), thought.why);
	say(text_str(&out));
	text_free(&out);
	return WORD_STAY;
}

/* Back to where you had a choice before. */
static enum word_effect undo(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	if (macaw_game_hidden(t->g))
		return say("What has been seen cannot be unseen: no undo here.");
	for (uint32_t step = turn->step; step--;)
		if (sitting_choices(t, step, t->you) > 1)
			return begin_again(t, step);
	return say("This is the start.");
}

static enum word_effect redo(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	uint32_t known = sitting_steps(t), step = turn->step + 1;
	if (turn->step >= known)
		return say("Nothing was taken back.");
	while (step < known && sitting_choices(t, step, t->you) < 2)
		step++;
	return begin_again(t, step);
}

static enum word_effect save(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	if (!*argument)
		return say("Say where: save FILE");
	if (output_file("play", argument, t->saved) == EXIT_DONE)
		printf("  Saved; `load %s` or `macaw play %s --record %s` goes on.\n", argument, t->o->word, argument);
	return WORD_STAY;
}

static enum word_effect load(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	struct where from;
	enum word_effect effect = WORD_STAY;
	if (!*argument)
		return say("Say which: load FILE");
	if (where_find(t->g, "play", &(struct where_options){.record = argument, .step = -1}, &from) == EXIT_DONE) {
		sitting_start(t, from.start);
		if (sitting_set(t, from.made.at, from.steps, 0))
			effect = begin_again(t, from.steps);
	}
	where_free(&from);
	return effect;
}

static enum word_effect record(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	if (!*argument)
		return say(t->record.n ? text_str(&t->record) : "Say where: record FILE");
	if (output_file("play", argument, t->saved) != EXIT_DONE)
		return WORD_STAY;
	t->record.n = 0;
	text_puts(&t->record, argument);
	return say("The match is written there after every step.");
}

static enum word_effect swap(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	uint32_t role = t->you, random = macaw_game_random(t->g);
	if (macaw_game_hidden(t->g))
		return say("You would see what is hidden from you: no other role here.");
	if (*argument)
		role = macaw_game_find_role(t->g, argument);
	else
		do
			role = (role + 1) % t->roles;
		while (role == random);
	if (role >= t->roles || role == random)
		return say("There is no such role.");
	if (role == t->you)
		return say("That is what you are.");
	t->you = role;
	printf("  You are %s now.\n", macaw_game_role(t->g, role));
	return begin_again(t, turn->step);
}

static enum word_effect automatic(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	char *end;
	long n = *argument ? strtol(argument, &end, 10) : -1;
	if (*argument && (*end || n < 1))
		return say("auto N makes that many moves, auto alone all of them.");
	t->automatic = n;
	return WORD_GO;
}

static enum word_effect quit(struct sitting *t, const char *argument, const macaw_turn *turn)
{
	t->leaving = LEAVE;
	macaw_stop_now(&sitting_stop);
	return WORD_GO;
}

/* ---- finding them ---- */

static const struct word *find(const char *line, size_t length)
{
	for (int i = 0; i < WORDS; i++)
		if ((length == 1 && line[0] == words[i].letter) ||
		    (strlen(words[i].name) == length && !strncasecmp(line, words[i].name, length)))
			return &words[i];
	return NULL;
}

enum word_effect sitting_word(struct sitting *t, const char *line, const macaw_turn *turn)
{
	bool slash = *line == '/';
	line += slash;
	size_t length = strcspn(line, " \t");
	const struct word *w = find(line, length);
	if (!w && slash)
		return say("There is no such word; /help lists them.");
	if (!w || (!slash && person_is_move(t->moves.at, (uint32_t)t->moves.n, line)))
		return WORD_NONE;
	const char *argument = line + length;
	return w->act(t, argument + strspn(argument, " \t"), turn);
}

/* "(mark 1 2)" as it is typed: without the outer brackets. */
static char *typed_form(const char *move)
{
	size_t n = strlen(move);
	return *move == '(' && n > 1 ? text_copy(move + 1, n - 2) : text_copy(move, n);
}

void sitting_completions(struct sitting *t)
{
	for (size_t i = 0; i < t->completions.n; i++)
		mem_free(t->completions.at[i]);
	vec_clear(&t->completions);
	for (size_t i = 0; i < t->moves.n; i++)
		vec_push(&t->completions, typed_form(t->moves.at[i]));
	for (int i = 0; i < WORDS; i++)
		vec_push(&t->completions, text_copy(words[i].name, strlen(words[i].name)));
}
