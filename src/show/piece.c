/* Pieces by their names. Colour words give the colour, words of chess and draughts the figure, a bare colour is a disc,
 * numbers, letters and directions are themselves, a few things have a sign; any other word is written. */
#include "show/piece.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4, WORD = 24 };

struct words {
	char at[WORDS][WORD];
	int n;
};

static const struct colour {
	const char *word, *hex;
} colours[] = {
	{"white", "#f5f2e8"},  {"black", "#262626"},   {"red", "#d1342f"},    {"yellow", "#f0c419"}, {"blue", "#2f6fd1"},
	{"green", "#2e9e5b"},  {"orange", "#e8792b"},  {"purple", "#8a4fbf"}, {"violet", "#8a4fbf"}, {"pink", "#e377a8"},
	{"brown", "#8c5a33"},  {"grey", "#8f8f8f"},    {"gray", "#8f8f8f"},   {"cyan", "#27a9b8"},   {"gold", "#d9a520"},
	{"silver", "#b8bcc2"}, {"magenta", "#c2439a"}, {"teal", "#1f8a80"},
};

/* For names without a colour: eight that the colour-blind tell apart (after Okabe and Ito). */
static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#7f6a00", "#6a51a3"};

static const char *const figures[] = {"king", "queen", "rook", "bishop", "knight", "pawn"};
static const char figure_letters[] = "kqrbnp";
static const char *const white_figures[] = {"♔", "♕", "♖", "♗", "♘", "♙"};
static const char *const black_figures[] = {"♚", "♛", "♜", "♝", "♞", "♟"};

static const struct sign {
	const char *word, *meaning, *glyph;
} signs[] = {
	{"x", "cross", "X"},           {"o", "ring", "O"},           {"cross", "cross", "X"},
	{"circle", "ring", "O"},       {"nought", "ring", "O"},      {"naught", "ring", "O"},
	{"up", "arrow up", "↑"},       {"north", "arrow up", "↑"},   {"down", "arrow down", "↓"},
	{"south", "arrow down", "↓"},  {"left", "arrow left", "←"},  {"west", "arrow left", "←"},
	{"right", "arrow right", "→"}, {"east", "arrow right", "→"}, {"wall", "block", "█"},
	{"crate", "block", "▒"},       {"block", "block", "█"},      {"closed", "block", "█"},
	{"blocked", "block", "█"},     {"burnt", "block", "█"},      {"food", "dot", "•"},
	{"dot", "dot", "•"},           {"pellet", "dot", "•"},       {"visited", "trace", "•"},
	{"dirt", "dirt", "▒"},         {"heart", "heart", "♥"},      {"hearts", "heart", "♥"},
	{"spade", "spade", "♠"},       {"spades", "spade", "♠"},     {"club", "club", "♣"},
	{"clubs", "club", "♣"},        {"diamond", "diamond", "♦"},  {"diamonds", "diamond", "♦"},
	{"star", "star", "★"},         {"sun", "star", "★"},         {"flag", "flag", "⚑"},
};

/* ---- words ---------------------------------------------------------------------------------- */

static void split_words(struct words *w, const char *name)
{
	size_t k = 0;
	*w = (struct words){0};
	for (const char *c = name; *c && w->n < WORDS; c++) {
		bool alone = !isalnum((unsigned char)*c);
		bool hump = c > name && isupper((unsigned char)*c) && islower((unsigned char)c[-1]);
		if ((alone || hump) && k) {
			w->n++;
			k = 0;
		}
		if (!alone && w->n < WORDS && k + 1 < WORD)
			w->at[w->n][k++] = (char)tolower((unsigned char)*c);
	}
	if (k && w->n < WORDS)
		w->n++;
}

static const struct colour *find_colour(const char *word)
{
	for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
		if (!strcmp(colours[i].word, word))
			return &colours[i];
	return NULL;
}

static const struct colour *colour_among(const struct words *w)
{
	for (int i = 0; i < w->n; i++)
		if (find_colour(w->at[i]))
			return find_colour(w->at[i]);
	return NULL;
}

static int figure_of(const char *word)
{
	for (int i = 0; i < 6; i++)
		if (!strcmp(figures[i], word))
			return i;
	return -1;
}

bool piece_word_is_blank(const char *name)
{
	static const char *const words[] = {"blank",  "empty", "e",       "none",   "free",  "clear", "nothing",
	                                    "vacant", "unset", "unknown", "nobody", "noone", "null",  "space"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(name, words[i]))
			return true;
	return false;
}

const char *piece_colour(const char *name)
{
	struct words w;
	split_words(&w, name);
	const struct colour *c = colour_among(&w);
	return c ? c->hex : palette[hash_bytes(name, strlen(name)) % (sizeof palette / sizeof *palette)];
}

/* ---- what it is ------------------------------------------------------------------------------ */

static void set(struct piece *p, const char *colour, const char *glyph, bool natural, const char *meaning)
{
	snprintf(p->meaning, sizeof p->meaning, "%s", meaning);
	snprintf(p->glyph, sizeof p->glyph, "%s", glyph);
	snprintf(p->colour, sizeof p->colour, "%s", colour);
	p->natural = natural;
}

static void set_figure(struct piece *p, int figure, const struct colour *c)
{
	char meaning[40];
	bool white = c && !strcmp(c->word, "white");
	snprintf(meaning, sizeof meaning, "%s%s%s", c ? c->word : "", c ? " " : "", figures[figure]);
	set(p, c ? c->hex : "#262626", white ? white_figures[figure] : black_figures[figure], true, meaning);
	snprintf(p->plain, sizeof p->plain, "%c", white ? toupper(figure_letters[figure]) : figure_letters[figure]);
}

/* "wk", "bp": as chess players abbreviate. */
static bool is_abbreviation(const char *name)
{
	return (*name == 'w' || *name == 'b') && name[1] && !name[2] && strchr(figure_letters, name[1]);
}

static bool set_disc(struct piece *p, const struct words *w, const struct colour *c)
{
	static const char *const kinds[] = {"disc",    "disk",   "stone",   "man",   "men",
	                                    "checker", "marble", "counter", "token", "piece"};
	char meaning[40];
	bool man = false, disc = w->n == 1, white = !strcmp(c->word, "white");
	for (int i = 0; i < w->n; i++)
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			if (!strcmp(w->at[i], kinds[k])) {
				disc = true;
				man |= !strncmp(kinds[k], "m", 1) && strcmp(kinds[k], "marble") != 0;
			}
	if (!disc || w->n > 2)
		return false;
	snprintf(meaning, sizeof meaning, man ? "%2$s %1$s" : "%1$s %2$s", man ? "man" : "disc", c->word);
	set(p, c->hex, white ? "○" : "●", true, meaning);
	return true;
}

static bool set_sign(struct piece *p, const char *word, const char *name)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strcmp(signs[i].word, word)) {
			const char *colour =
				!strcmp(signs[i].meaning, "cross")                                           ? "#2f6fd1"
				: !strcmp(signs[i].meaning, "ring")                                          ? "#d1342f"
				: !strcmp(signs[i].meaning, "heart") || !strcmp(signs[i].meaning, "diamond") ? "#d1342f"
				: !strcmp(signs[i].meaning, "block") || !strcmp(signs[i].meaning, "dot")     ? "#8f8f8f"
																							 : piece_colour(name);
			set(p, colour, signs[i].glyph, signs[i].word[1] == 0 || strlen(signs[i].glyph) > 1, signs[i].meaning);
			return true;
		}
	return false;
}

static void set_word(struct piece *p, const char *name)
{
	char meaning[40];
	bool number = *name && strlen(name) < 10 && !name[strspn(name, "0123456789")];
	bool single = utf8_columns(name, strlen(name)) == 1;
	snprintf(meaning, sizeof meaning, "%s %s", number ? "number" : single ? "letter" : "word", name);
	set(p, number ? "#262626" : piece_colour(name), single ? name : "", single || number, meaning);
}

void piece_from_name(struct piece *p, const char *name)
{
	struct words w;
	split_words(&w, name);
	const struct colour *c = colour_among(&w);
	for (int i = 0; i < w.n; i++)
		if (figure_of(w.at[i]) >= 0 && w.n <= 2 && (w.n == 1 || c)) {
			set_figure(p, figure_of(w.at[i]), c);
			return;
		}
	if (is_abbreviation(name))
		set_figure(p, (int)(strchr(figure_letters, name[1]) - figure_letters),
		           find_colour(*name == 'w' ? "white" : "black"));
	else if (!c || !set_disc(p, &w, c))
		if (w.n != 1 || !set_sign(p, w.at[0], name))
			set_word(p, name);
}
