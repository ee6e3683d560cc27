/* Three shells, one walk over the commands. Names of games are asked for when somebody completes one: `macaw games`
 * prints them in its first column. */
#include "cli/completions.h"

#include <string.h>

#define GAME_NAMES "macaw games 2>/dev/null | awk 'NR > 1 { print $1 }'"

/* What stands in quotes in all three shells: without quotes of its own, and on one line. */
static void put_plain(const char *s, struct text *out)
{
	for (; *s; s++)
		if (*s == '\n')
			text_putc(out, ' ');
		else if (!strchr("'\"`[]:\\$", *s))
			text_putc(out, *s);
}

static void put_choices(const struct opt *o, struct text *out)
{
	for (const char *s = o->choices; s && *s; s++)
		text_putc(out, *s == '|' ? ' ' : *s);
}

static bool takes_word(const struct opt *o)
{
	return o->kind != OPT_FLAG;
}

/* A choice, a file, or something that only the user knows. */
static bool takes_file(const struct opt *o)
{
	return o->kind != OPT_CHOICE && o->metavar && (strstr(o->metavar, "FILE") || strstr(o->metavar, "DIR"));
}

static bool takes_game(const struct command *c)
{
	return c->arguments && strstr(c->arguments, "GAME");
}

#define EACH_OPTION(o, c) \
	for (const struct opt *o = (c)->options; o && o->name; o++) \
		if (o->help)

/* ---- bash ---------------------------------------------------------------------------------- */

static void put_bash_values(const struct command *c, struct text *out)
{
	EACH_OPTION(o, c)
	{
		if (!takes_word(o))
			continue;
		text_printf(out, "\t%s/--%s", c->name, o->name);
		if (o->letter)
			text_printf(out, " | %s/-%c", c->name, o->letter);
		text_puts(out, ") ");
		if (o->kind == OPT_CHOICE) {
			text_puts(out, "COMPREPLY=($(compgen -W '");
			put_choices(o, out);
			text_puts(out, "' -- \"$cur\"))");
		} else {
			text_puts(out, takes_file(o) ? "COMPREPLY=($(compgen -f -- \"$cur\"))" : "COMPREPLY=()");
		}
		text_puts(out, "; return ;;\n");
	}
}

static void put_bash_options(const struct command *c, struct text *out)
{
	text_printf(out, "\t%s) options='", c->name);
	EACH_OPTION(o, c)
	text_printf(out, "--%s ", o->name);
	text_printf(out, "--help' games=%s ;;\n", takes_game(c) ? "yes" : "");
}

static void print_bash(const struct command *const *all, size_t n, struct text *out)
{
	text_puts(out, "# Completion of macaw for bash; made by 'macaw help --completions bash'.\n"
	               "_macaw()\n{\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
	               "command=${COMP_WORDS[1]} options games\n"
	               "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '");
	for (size_t i = 0; i < n; i++)
		text_printf(out, "%s ", all[i]->name);
	text_puts(out, "--help --version' -- \"$cur\"))\n\t\treturn\n\tfi\n\tcase $command/$prev in\n");
	for (size_t i = 0; i < n; i++)
		put_bash_values(all[i], out);
	text_puts(out, "\tesac\n\tcase $command in\n");
	for (size_t i = 0; i < n; i++)
		put_bash_options(all[i], out);
	text_puts(out, "\tesac\n\tcase $cur in\n\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
	               "\t*) COMPREPLY=($(compgen -f -- \"$cur\"))\n"
	               "\t\t[ -z \"$games\" ] || COMPREPLY+=($(compgen -W \"$(" GAME_NAMES ")\" -- \"$cur\")) ;;\n"
	               "\tesac\n}\ncomplete -o filenames -F _macaw macaw\n");
}

/* ---- zsh ----------------------------------------------------------------------------------- */

static void put_zsh_option(const struct opt *o, struct text *out)
{
	text_puts(out, " \\\n\t\t\t");
	if (o->letter)
		text_printf(out, "'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
	else
		text_printf(out, "'--%s[", o->name);
	put_plain(o->help, out);
	text_putc(out, ']');
	if (takes_word(o)) {
		text_putc(out, ':');
		put_plain(o->metavar ? o->metavar : "value", out);
		text_putc(out, ':');
		if (o->kind == OPT_CHOICE) {
			text_putc(out, '(');
			put_choices(o, out);
			text_putc(out, ')');
		} else if (takes_file(o)) {
			text_puts(out, "_files");
		}
	}
	text_putc(out, '\'');
}

static void print_zsh(const struct command *const *all, size_t n, struct text *out)
{
	text_puts(out, "#compdef macaw\n# Completion of macaw for zsh; made by 'macaw help --completions zsh'.\n"
	               "_macaw_games() { local names; names=(${(f)\"$(" GAME_NAMES ")\"}); compadd -a names; _files }\n"
	               "_macaw() {\n\tlocal -a commands\n\tcommands=(");
	for (size_t i = 0; i < n; i++) {
		text_printf(out, "\n\t\t'%s:", all[i]->name);
		put_plain(all[i]->summary, out);
		text_putc(out, '\'');
	}
	text_puts(out,
	          "\n\t)\n\tif (( CURRENT == 2 )); then _describe command commands; return; fi\n"
	          "\tlocal command=$words[2]\n\twords=(\"${(@)words[2,-1]}\")\n\t(( CURRENT-- ))\n\tcase $command in\n");
	for (size_t i = 0; i < n; i++) {
		text_printf(out, "\t%s)\n\t\t_arguments", all[i]->name);
		EACH_OPTION(o, all[i])
		put_zsh_option(o, out);
		text_printf(out, " \\\n\t\t\t'(-h --help)'{-h,--help}'[show help]' \\\n\t\t\t'*:argument:%s' ;;\n",
		            takes_game(all[i]) ? "_macaw_games" : "_files");
	}
	text_puts(out, "\tesac\n}\n_macaw \"$@\"\n");
}

/* ---- fish ---------------------------------------------------------------------------------- */

static void put_fish_option(const struct command *c, const struct opt *o, struct text *out)
{
	text_printf(out, "complete -c macaw -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
	if (o->letter)
		text_printf(out, " -s %c", o->letter);
	if (o->kind == OPT_CHOICE) {
		text_puts(out, " -x -a '");
		put_choices(o, out);
		text_putc(out, '\'');
	} else if (takes_word(o)) {
		text_puts(out, takes_file(o) ? " -r" : " -x");
	}
	text_puts(out, " -d '");
	put_plain(o->help, out);
	text_puts(out, "'\n");
}

static void print_fish(const struct command *const *all, size_t n, struct text *out)
{
	text_puts(out, "# Completion of macaw for fish; made by 'macaw help --completions fish'.\n");
	for (size_t i = 0; i < n; i++) {
		text_printf(out, "complete -c macaw -n __fish_use_subcommand -f -a %s -d '", all[i]->name);
		put_plain(all[i]->summary, out);
		text_puts(out, "'\n");
		if (takes_game(all[i]))
			text_printf(out, "complete -c macaw -n '__fish_seen_subcommand_from %s' -a \"(" GAME_NAMES ")\"\n",
			            all[i]->name);
		EACH_OPTION(o, all[i])
		put_fish_option(all[i], o, out);
	}
}

void completions_print(enum completions shell, const struct command *const *all, size_t n, struct text *out)
{
	static void (*const print[])(const struct command *const *, size_t, struct text *) = {
		[COMPLETIONS_BASH] = print_bash, [COMPLETIONS_ZSH] = print_zsh, [COMPLETIONS_FISH] = print_fish};
	if (shell != COMPLETIONS_NONE)
		print[shell](all, n, out);
}
