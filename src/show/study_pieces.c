/* The piece that each fluent puts somewhere: its name, whose it is, whether it is only a word for nothing, and a
 * letter. */
#include "base/bits.h"
#include "show/study_internal.h"
#include "show/view_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MANY_KINDS = 10, SHORT_NAME = 4 };

/* ---- names -------------------------------------------------------------------------------- */

static bool is_content(const struct family *f, int k)
{
	if (f->shape == SHAPE_BOARD || f->shape == SHAPE_LINKS)
		return k != f->axis[0] && k != f->axis[1] && k != f->part;
	return k != f->owner || f->shape == SHAPE_TURN;
}

/* Things of several families may be on a board: then only those of the leader go without the name of theirs. */
static bool is_guest(const struct study *s, const struct family *f)
{
	if (f->shape != SHAPE_BOARD || !f->content)
		return false;
	const struct family *lead = &s->families.at[s->layouts.at[f->layout].leader];
	return lead != f && lead->shape == SHAPE_BOARD;
}

static sym_t content_name(struct study *s, const struct family *f, const struct parts *p, uint32_t fluent)
{
	struct text t = {0};
	if (f->shape == SHAPE_REST || f->argc < 0)
		game_print_fluent(s->g, fluent, &t);
	if (is_guest(s, f))
		text_puts(&t, study_text(s, f->name));
	for (int k = 0; k < f->argc && f->shape != SHAPE_REST; k++)
		if (is_content(f, k))
			text_printf(&t, "%s%s", t.n ? " " : "", study_text(s, p->args[k]));
	if (!t.n)
		text_puts(&t, study_text(s, f->name));
	sym_t name = sym_put(&s->symbols, text_str(&t), t.n);
	text_free(&t);
	return name;
}

/* ---- owners ------------------------------------------------------------------------------- */

/* (owner wk white): a static relation that gives the content a role, and only one. */
static uint32_t owner_by_rules(const struct study *s, sym_t content)
{
	for (size_t i = 0; i < s->statics.n; i++) {
		const struct relation_of_rules *r = &s->statics.at[i];
		uint32_t found = UINT32_MAX, times = 0;
		for (uint32_t k = 0; k < r->rows && r->argc == 2; k++)
			for (uint32_t c = 0; c < 2; c++) {
				uint32_t role = study_role(s, r->cells.at[k * 2 + (1 - c)]);
				if (r->cells.at[k * 2 + c] == content && role != UINT32_MAX && study_role(s, content) == UINT32_MAX) {
					found = role;
					times++;
				}
			}
		if (times == 1)
			return found;
	}
	return UINT32_MAX;
}

static uint32_t owner_by_name(const struct study *s, const char *name)
{
	for (uint32_t r = 0; r < s->roles.n; r++) {
		const char *role = study_text(s, s->roles.at[r]);
		size_t n = strlen(role);
		if (!strncmp(name, role, n) &&
		    (!name[n] || name[n] == '_' || name[n] == ' ' || isupper((unsigned char)name[n])))
			return r;
	}
	/* wk, bp: by the role's first letter, when only one begins so */
	uint32_t found = UINT32_MAX;
	for (uint32_t r = 0; r < s->roles.n && *name && name[1] && !name[2]; r++)
		if (*study_text(s, s->roles.at[r]) == *name)
			found = found == UINT32_MAX ? r : UINT32_MAX - 1;
	return found == UINT32_MAX - 1 ? UINT32_MAX : found;
}

/* ---- blanks ------------------------------------------------------------------------------- */

/* What a square says when nothing is on it: a word for nothing, else what most squares say at first, else what changes
 * most often. SYM_NONE: no such content. */
static sym_t blank_of(struct study *s, const struct family *f)
{
	uint32_t mask = 0;
	int what = -1;
	for (int k = 0; k < f->argc; k++)
		if (is_content(f, k)) {
			if (what >= 0)
				return SYM_NONE;
			what = k;
		} else {
			mask |= 1u << k;
		}
	if (what < 0 || f->shape != SHAPE_BOARD || !family_is_total(f, mask) || study_numbers(s, &f->values[what]))
		return SYM_NONE;
	const sym_list *values = &f->values[what];
	for (size_t i = 0; i < values->n; i++)
		if (piece_word_is_blank(study_text(s, values->at[i])))
			return values->at[i];
	VEC(uint32_t) first = {0}, changes = {0};
	for (size_t i = 0; i < values->n; i++) {
		vec_push(&first, 0);
		vec_push(&changes, 0);
	}
	for (size_t i = 0; i < f->members.n; i++) {
		uint32_t fluent = f->members.at[i], v = study_index(values, s->parts.at[fluent].args[what]);
		first.at[v] += bits_has(s->g->initial, fluent);
		for (size_t k = 1; k < s->begins.n; k++)
			changes.at[v] += !s->begins.at[k] && bits_has(s->samples.at + k * s->g->words, fluent) !=
			                                         bits_has(s->samples.at + (k - 1) * s->g->words, fluent);
	}
	size_t most = 0, often = 0;
	for (size_t i = 1; i < values->n; i++) {
		most = first.at[i] > first.at[most] ? i : most;
		often = changes.at[i] > changes.at[often] ? i : often;
	}
	bool majority = first.at[most] * 5 >= f->first * 2;
	sym_t blank = values->at[majority ? most : often];
	vec_free(&first);
	vec_free(&changes);
	return study_role(s, blank) == UINT32_MAX ? blank : SYM_NONE;
}

/* No seeds, no men: a content of numbers that is 0. */
static bool is_zero(const struct study *s, const struct family *f, const struct parts *p)
{
	bool zero = false;
	for (int k = 0; k < f->argc; k++)
		if (is_content(f, k) && k != f->owner) {
			if (strcmp(study_text(s, p->args[k]), "0") != 0)
				return false;
			zero = true;
		}
	return zero && f->shape == SHAPE_BOARD && !s->layouts.at[f->layout].piles;
}

/* ---- letters ------------------------------------------------------------------------------- */

static bool is_taken(const struct study *s, const char *plain)
{
	for (size_t i = 0; i < s->pieces.n; i++)
		if (!strcmp(s->pieces.at[i].plain, plain))
			return true;
	return !strcmp(plain, ".") || !strcmp(plain, "?") || !strcmp(plain, "*");
}

/* The name itself, one of its letters, else any. */
static void choose_letter(const struct study *s, struct piece *p, const char *name)
{
	char one[8];
	if (*name != '(' && strchr(name, ' '))
		name = strchr(name, ' ') + 1; /* "ghost blinky": by its own name */
	size_t n = strlen(name);
	for (size_t i = 0; i < n; i++)
		for (int up = 0; up < 2; up++) {
			unsigned char c = (unsigned char)name[i];
			snprintf(one, sizeof one, "%c", up ? toupper(c) : c);
			if (c < 128 && isalnum(c) && !is_taken(s, one)) {
				strcpy(p->plain, one);
				return;
			}
		}
	for (char c = 'A'; c <= 'z'; c++) {
		snprintf(one, sizeof one, "%c", c);
		if (isalpha((unsigned char)c) && !is_taken(s, one)) {
			strcpy(p->plain, one);
			return;
		}
	}
	strcpy(p->plain, "*");
}

/* Men of an owner, counted: "white 5". */
static bool set_pile(const struct study *s, struct piece *p, const struct family *f, const struct parts *at)
{
	int number = -1;
	for (int k = 0; k < f->argc; k++)
		if (is_content(f, k) && k != f->owner)
			number = number < 0 ? k : STUDY_ARGS;
	if (f->owner < 0 || number < 0 || number == STUDY_ARGS || f->shape != SHAPE_BOARD || f->axis[1] >= 0 ||
	    !study_numbers(s, &f->values[number]))
		return false;
	const char *owner = study_text(s, at->args[f->owner]), *count = study_text(s, at->args[number]);
	snprintf(p->meaning, sizeof p->meaning, "pile %.20s %.9s", owner, count);
	snprintf(p->glyph, sizeof p->glyph, "%s%.4s", !strcmp(owner, "white") ? "○" : "●", count);
	snprintf(p->plain, sizeof p->plain, "%c%.4s", *owner, count);
	snprintf(p->colour, sizeof p->colour, "%s", piece_colour(owner));
	p->natural = true;
	return true;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* The same name may be a piece on a board and a value beside it. */
static uint32_t find_piece(const struct study *s, sym_t name, bool board, bool blank, uint64_t *hash)
{
	uint32_t it, id;
	*hash = hash_join(hash_join(name, board), blank);
	for (table_start(&s->piece_index, *hash, &it); (id = table_next(&s->piece_index, *hash, &it)) != TABLE_NONE;)
		if (s->pieces.at[id].name == name && s->pieces.at[id].board == board && s->pieces.at[id].blank == blank)
			return id;
	return UINT32_MAX;
}

static uint32_t make_piece(struct study *s, const struct family *f, const struct parts *at, sym_t name, bool blank)
{
	bool shown = f->shape == SHAPE_BOARD || f->shape == SHAPE_LINKS;
	struct piece p = {.name = name, .owner = UINT32_MAX, .blank = blank, .board = shown};
	const char *text = study_text(s, name);
	if (!set_pile(s, &p, f, at))
		piece_from_name(&p, text);
	p.owner = f->owner >= 0 && f->argc >= 0 ? study_role(s, at->args[f->owner]) : UINT32_MAX;
	if (p.owner == UINT32_MAX)
		p.owner = owner_by_rules(s, name);
	if (p.owner == UINT32_MAX && f->shape != SHAPE_REST)
		p.owner = owner_by_name(s, text);
	if (s->view)
		view_file_piece(s->view, text, &p);
	if (p.blank)
		strcpy(p.plain, ".");
	else if (shown && !strncmp(p.meaning, "number ", 7))
		snprintf(p.plain, sizeof p.plain, "%.7s", text);
	else if (shown && (!*p.plain || (strlen(p.plain) == 1 && is_taken(s, p.plain))))
		choose_letter(s, &p, text);
	vec_push(&s->pieces, p);
	return (uint32_t)s->pieces.n - 1;
}

/* Draughts: who has men has kings that are crowned men. */
static void crown_kings(struct study *s)
{
	for (size_t i = 0; i < s->pieces.n; i++) {
		char colour[24];
		const char *meaning = s->pieces.at[i].meaning;
		size_t n = strcspn(meaning, " ");
		if (strcmp(meaning + n, " man") != 0 || n >= sizeof colour)
			continue;
		memcpy(colour, meaning, n);
		colour[n] = 0;
		for (size_t k = 0; k < s->pieces.n; k++) {
			struct piece *p = &s->pieces.at[k];
			if (!strncmp(p->meaning, colour, n) && !strcmp(p->meaning + n, " king")) {
				snprintf(p->meaning, sizeof p->meaning, "%s crown", colour);
				strcpy(p->glyph, !strcmp(colour, "white") ? "◎" : "◉");
			}
		}
	}
}

/* Many kinds with short names, and nothing to draw them by: the names are written. */
static void write_short_names(struct study *s, const struct family *f)
{
	size_t longest = 0;
	number_list kinds = {0};
	for (size_t i = 0; i < f->members.n; i++) {
		uint32_t k = s->parts.at[f->members.at[i]].piece;
		size_t n = strlen(study_text(s, s->pieces.at[k].name)), at = 0;
		while (at < kinds.n && kinds.at[at] != k)
			at++;
		if (at < kinds.n || s->pieces.at[k].natural || s->pieces.at[k].blank)
			continue;
		vec_push(&kinds, k);
		longest = n > longest ? n : longest;
	}
	for (size_t i = 0; i < kinds.n && kinds.n > MANY_KINDS && longest <= SHORT_NAME; i++) {
		struct piece *p = &s->pieces.at[kinds.at[i]];
		snprintf(p->plain, sizeof p->plain, "%s", study_text(s, p->name));
	}
	vec_free(&kinds);
}

void study_pieces(struct study *s)
{
	size_t before = s->pieces.n;
	for (size_t i = 0; i < s->families.n; i++) {
		struct family *f = &s->families.at[i];
		sym_t blank = blank_of(s, f);
		for (size_t k = 0; k < f->members.n; k++) {
			struct parts *p = &s->parts.at[f->members.at[k]];
			if (p->piece != UINT32_MAX)
				continue;
			sym_t name = content_name(s, f, p, f->members.at[k]);
			bool nothing = name == blank || is_zero(s, f, p);
			uint64_t hash;
			p->piece = find_piece(s, name, f->shape == SHAPE_BOARD || f->shape == SHAPE_LINKS, nothing, &hash);
			if (p->piece == UINT32_MAX) {
				p->piece = make_piece(s, f, p, name, nothing);
				table_add(&s->piece_index, hash, p->piece);
			}
		}
	}
	if (s->pieces.n > before && !before) {
		crown_kings(s);
		for (size_t i = 0; i < s->families.n; i++)
			if (s->families.at[i].shape == SHAPE_BOARD)
				write_short_names(s, &s->families.at[i]);
	}
}
