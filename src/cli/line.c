/* Reads lines by libedit. It asks a function of ours for each character, which waits no longer than it may: so a
 * clock or a signal ends the reading whichever thread is in it. */
#include "cli/line.h"

#include <histedit.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#define LOOK_EVERY 50 /* milliseconds: how soon it is noticed that time is up */

struct line {
	EditLine *editor; /* NULL: standard input is no terminal */
	History *history;
	const char *prompt;
	double until;
	const macaw_stop *stop;
	enum line_end end; /* of the line under way */
	const char *const *words;
	size_t word_count;
};

/* ---- completion ---- */

static void show_words(const char *const *words, size_t count)
{
	struct text out = {0};
	text_putc(&out, '\n');
	screen_columns_of(words, count, 2, screen_columns(), &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
}

static size_t common_length(const char *a, const char *b)
{
	size_t n = 0;
	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* What all words share that begin with what is typed; the words themselves where they share no more. */
static void complete(struct line *l)
{
	enum { SHOWN = 200 };
	const LineInfo *info = el_line(l->editor);
	size_t typed = (size_t)(info->cursor - info->buffer), common = 0;
	VEC(const char *) fits = {0};
	for (size_t i = 0; i < l->word_count; i++)
		if (!strncasecmp(l->words[i], info->buffer, typed)) {
			size_t same = fits.n ? common_length(l->words[i], fits.at[0]) : strlen(l->words[i]);
			common = !fits.n || same < common ? same : common;
			vec_push(&fits, l->words[i]);
		}
	if (fits.n && common > typed) {
		char *more = text_copy(fits.at[0] + typed, common - typed);
		el_insertstr(l->editor, more);
		mem_free(more);
	} else if (fits.n > 1 && fits.n <= SHOWN) {
		show_words(fits.at, fits.n);
	}
	el_set(l->editor, EL_REFRESH);
	vec_free(&fits);
}

/* ---- characters ---- */

/* False: the time is over, or the flag is set. */
static bool wait_for_input(struct line *l)
{
	for (;;) {
		struct pollfd p = {STDIN_FILENO, POLLIN, 0};
		if (macaw_stopped(l->stop))
			l->end = LINE_STOPPED;
		else if (l->until > 0 && clock_now() >= l->until)
			l->end = LINE_LATE;
		else if (poll(&p, 1, LOOK_EVERY) > 0)
			return true;
		else
			continue;
		return false;
	}
}

/* For libedit: 1, or 0 at the end of the input, or -1. */
static int get_character(EditLine *editor, wchar_t *c)
{
	struct line *l;
	mbstate_t state = {0};
	el_get(editor, EL_CLIENTDATA, &l);
	for (;;) {
		char byte;
		if (!wait_for_input(l))
			return -1;
		if (read(STDIN_FILENO, &byte, 1) != 1)
			return 0;
		if (byte == '\t') { /* not by a function bound to the key, which libedit would not free */
			complete(l);
			continue;
		}
		size_t n = mbrtowc(c, &byte, 1, &state);
		if (n <= 1)
			return 1;
		if (n == (size_t)-1) { /* no character of this locale: left out */
			memset(&state, 0, sizeof state);
			continue;
		}
	}
}

static char *prompt_of(EditLine *editor)
{
	struct line *l;
	el_get(editor, EL_CLIENTDATA, &l);
	return unconst(l->prompt);
}

void line_words(struct line *l, const char *const *words, size_t count)
{
	l->words = words;
	l->word_count = count;
}

/* ---- lines ---- */

struct line *line_open(void)
{
	struct line *l = NEW(struct line);
	HistEvent event;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return l;
	l->editor = el_init("macaw", stdin, stdout, stderr);
	l->history = history_init();
	if (!l->editor || !l->history)
		return l;
	history(l->history, &event, H_SETSIZE, 1000);
	history(l->history, &event, H_SETUNIQUE, 1);
	el_set(l->editor, EL_CLIENTDATA, l);
	el_set(l->editor, EL_PROMPT, prompt_of);
	el_set(l->editor, EL_EDITOR, "emacs");
	el_set(l->editor, EL_HIST, history, l->history);
	el_set(l->editor, EL_GETCFN, get_character);
	el_source(l->editor, NULL); /* what the user is used to */
	return l;
}

void line_close(struct line *l)
{
	if (!l)
		return;
	if (l->editor)
		el_end(l->editor);
	if (l->history)
		history_end(l->history);
	mem_free(l);
}

static enum line_end read_edited(struct line *l, struct text *out)
{
	int count = 0;
	HistEvent event;
	l->end = LINE_OVER;
	el_set(l->editor, EL_PREP_TERM, 1); /* before the prompt is seen: keys typed at once would be the terminal's */
	const char *typed = el_gets(l->editor, &count);
	if (!typed || count <= 0) {
		putchar('\n');
		return l->end;
	}
	text_add(out, typed, strcspn(typed, "\r\n"));
	if (out->n)
		history(l->history, &event, H_ENTER, text_str(out));
	return LINE_TYPED;
}

static enum line_end read_plain(struct line *l, struct text *out)
{
	fputs(l->prompt, stdout);
	fflush(stdout);
	for (;;) {
		char c;
		l->end = LINE_OVER;
		if (!wait_for_input(l))
			break;
		ssize_t n = read(STDIN_FILENO, &c, 1);
		if (n == 1 && c != '\n')
			text_putc(out, c);
		else if (n == 1 || out->n)
			return LINE_TYPED;
		else
			break;
	}
	putchar('\n');
	return l->end;
}

enum line_end line_read(struct line *l, const char *prompt, double until, const macaw_stop *stop, struct text *out)
{
	l->prompt = prompt;
	l->until = until;
	l->stop = stop;
	out->n = 0;
	text_add(out, "", 0);
	enum line_end end = l->editor ? read_edited(l, out) : read_plain(l, out);
	while (out->n && strchr(" \t\r", out->at[out->n - 1]))
		out->at[--out->n] = 0;
	return end;
}
