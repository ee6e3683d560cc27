/* Help for a terminal and the manual page, from the tables of options. */
#include "show/command.h"

#include "show/screen.h"

#include <string.h>

enum { HELP_COLUMN = 28, NARROW_COLUMN = 8, NARROW = 72, WIDEST = 100 };

/* Of the help: lines much longer than these are hard to read. */
static int help_width(void)
{
	int wide = screen_columns();
	return wide > WIDEST ? WIDEST : wide;
}

static void put_left(const struct opt *o, struct text *out)
{
	if (o->letter)
		text_printf(out, "-%c, --%s", o->letter, o->name);
	else
		text_printf(out, "    --%s", o->name);
	if (o->kind != OPT_FLAG)
		text_printf(out, " %s", o->metavar ? o->metavar : "VALUE");
}

/* Paragraphs are separated by empty lines; indented lines stand as they are. */
void command_paragraphs(const char *s, struct text *out)
{
	while (*s) {
		const char *end = s;
		if (*s == ' ' || *s == '\t' || *s == '\n') {
			size_t n = strcspn(s, "\n");
			text_add(out, s, n);
			text_putc(out, '\n');
			s += n + (s[n] == '\n');
			continue;
		}
		while (*end && !(*end == '\n' && (end[1] == '\n' || end[1] == ' ' || end[1] == '\t' || !end[1])))
			end++;
		screen_wrap(s, (size_t)(end - s), 0, 0, help_width(), out);
		s = end + (*end == '\n');
	}
}

static void put_row(const char *left, const char *right, struct text *out)
{
	screen_row(2, help_width() < NARROW ? NARROW_COLUMN : HELP_COLUMN, left, right, help_width(), out);
}

static void put_example(const char *lines, struct text *out)
{
	text_puts(out, "\nExample:\n");
	while (*lines) {
		size_t n = strcspn(lines, "\n");
		text_printf(out, "  %.*s\n", (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

void command_help(const struct command *c, struct text *out)
{
	text_printf(out, "Usage: macaw %s%s%s%s\n\n", c->name, c->options && c->options->name ? " [OPTIONS]" : "",
	            c->arguments && *c->arguments ? " " : "", c->arguments ? c->arguments : "");
	struct text summary = {0};
	text_printf(&summary, "%s.\n", c->summary);
	command_paragraphs(text_str(&summary), out);
	text_free(&summary);
	if (c->details) {
		text_putc(out, '\n');
		command_paragraphs(c->details, out);
	}
	if (c->example)
		put_example(c->example, out);
	text_puts(out, "\nOptions:\n");
	for (const struct opt *o = c->options; o && o->name; o++) {
		struct text left = {0}, right = {0};
		if (!o->help)
			continue;
		put_left(o, &left);
		opt_describe(o, &right);
		put_row(left.at, right.at, out);
		text_free(&left);
		text_free(&right);
	}
	put_row("-h, --help", "show this text", out);
}

/* --- the manual, in man(7) macros --- */

static void put_roff(const char *s, struct text *out)
{
	for (bool start = true; *s; s++) {
		if (start && (*s == '.' || *s == '\''))
			text_puts(out, "\\&");
		start = *s == '\n';
		if (*s == '\\')
			text_puts(out, "\\e");
		else if (*s == '-')
			text_puts(out, "\\-");
		else
			text_putc(out, *s);
	}
}

/* Paragraphs are separated by empty lines; indented lines are kept as they are. */
static void put_paragraphs(const char *s, struct text *out)
{
	bool literal = false;
	while (*s) {
		size_t n = strcspn(s, "\n");
		bool wants = *s == ' ' || *s == '\t';
		if (n && wants != literal) {
			text_puts(out, wants ? ".EX\n" : ".EE\n");
			literal = wants;
		}
		struct text line = {0};
		text_add(&line, s, n);
		if (n || literal)
			put_roff(line.at, out);
		else
			text_puts(out, ".PP");
		text_putc(out, '\n');
		text_free(&line);
		s += n + (s[n] == '\n');
	}
	if (literal)
		text_puts(out, ".EE\n");
}

static void put_option(const struct opt *o, struct text *out)
{
	struct text right = {0};
	opt_describe(o, &right);
	text_puts(out, ".TP\n\\fB");
	if (o->letter)
		text_printf(out, "\\-%c\\fR, \\fB", o->letter);
	text_puts(out, "\\-\\-");
	put_roff(o->name, out);
	text_puts(out, "\\fR");
	if (o->kind != OPT_FLAG) {
		text_puts(out, " \\fI");
		put_roff(o->metavar ? o->metavar : "VALUE", out);
		text_puts(out, "\\fR");
	}
	text_putc(out, '\n');
	put_roff(right.at, out);
	text_putc(out, '\n');
	text_free(&right);
}

static void put_command(const struct command *c, struct text *out)
{
	text_puts(out, ".SS \"macaw ");
	put_roff(c->name, out);
	if (c->arguments && *c->arguments) {
		text_putc(out, ' ');
		put_roff(c->arguments, out);
	}
	text_puts(out, "\"\n");
	put_roff(c->summary, out);
	text_puts(out, ".\n");
	if (c->details) {
		text_puts(out, ".PP\n");
		put_paragraphs(c->details, out);
	}
	if (c->example) {
		text_puts(out, ".PP\nExample:\n.PP\n.EX\n");
		put_roff(c->example, out);
		text_puts(out, "\n.EE\n");
	}
	for (const struct opt *o = c->options; o && o->name; o++)
		if (o->help)
			put_option(o, out);
}

static void put_examples(struct text *out)
{
	static const char *const examples[][2] = {
		{"Play Connect Four against the computer.", "macaw play connect_four"},
		{"What is wrong with these rules?", "macaw check mygame.kif"},
		{"Two players, twenty games, at a tenth of a second a move.",
	     "macaw tournament -g tictactoe -p macaw,uct -r 10 -c 0.1"},
		{"All solutions of a constraint network.", "macaw solve problem.xml --all"},
		{"Take part in matches over the network.", "macaw serve --listen 9147"},
	};
	text_puts(out, ".SH EXAMPLES\n");
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		text_puts(out, ".TP\n\\fB");
		put_roff(examples[i][1], out);
		text_puts(out, "\\fR\n");
		put_roff(examples[i][0], out);
		text_putc(out, '\n');
	}
}

void command_manual(const struct command *const *all, size_t n, struct text *out)
{
	text_puts(out,
	          ".TH MACAW 1 \"\" \"Macaw\" \"User Commands\"\n"
	          ".SH NAME\nmacaw \\- play, solve and analyse games given by their rules\n"
	          ".SH SYNOPSIS\n.B macaw\n.I command\n[\\fIoptions\\fR] [\\fIarguments\\fR]\n"
	          ".SH DESCRIPTION\nMacaw reads the rules of a game in the Game Description Language (GDL or GDL\\-II)\n"
	          "and checks, plays, solves and analyses it.\nA \\fIGAME\\fR is a file, or the name of an installed "
	          "rulesheet.\nEvery command understands \\fB\\-\\-help\\fR.\n.SH COMMANDS\n");
	for (size_t i = 0; i < n; i++)
		put_command(all[i], out);
	text_puts(out, ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input is at fault\n.TP\n2\nwrong usage\n"
	               ".TP\n3\nthe machine is at fault (memory, port, disk)\n");
	text_puts(out,
	          ".SH ENVIRONMENT\n"
	          ".TP\n\\fBMACAW_GAMES\\fR\na folder of rulesheets, looked into before the others\n"
	          ".TP\n\\fBNO_COLOR\\fR\nwhen set and not empty, nothing is printed in colour\n"
	          ".TP\n\\fBTERM\\fR\n\\fBdumb\\fR: no colour, and no line that is drawn again\n"
	          ".TP\n\\fBCOLUMNS\\fR\nthe width of the terminal, where it cannot be asked\n"
	          ".SH FILES\n"
	          ".TP\n\\fIgames/\\fR\nrulesheets below the working folder\n"
	          ".TP\n\\fI../share/macaw/games/\\fR, beside the program\nthe rulesheets that are installed with it\n"
	          ".TP\n\\fI../share/doc/macaw/\\fR\nthe guides (start with \\fIREADME.md\\fR) and example programs\n");
	put_examples(out);
}
