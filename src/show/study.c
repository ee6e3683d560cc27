/* Fluents and moves taken apart, and what a few matches show of them. */
#include "base/bits.h"
#include "base/rng.h"
#include "gdl/kif_lexer.h"
#include "show/study_internal.h"

#include <stdlib.h>
#include <string.h>

/* Matches that are watched, positions of each, positions in all; of interpreted games, whose positions may take long.
 */
enum { MATCHES = 4, STEPS = 60, STEPS_INTERPRETED = 6, SAMPLES = 160 };

/* ---- values --------------------------------------------------------------------------- */

uint32_t study_index(const sym_list *list, sym_t v)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->at[i] == v)
			return i;
	return UINT32_MAX;
}

static void add_once(sym_list *list, sym_t v)
{
	if (study_index(list, v) == UINT32_MAX)
		vec_push(list, v);
}

uint32_t study_role(const struct study *s, sym_t v)
{
	for (uint32_t i = 0; i < s->roles.n; i++)
		if (s->roles.at[i] == v)
			return i;
	return UINT32_MAX;
}

static const char *skip_zeros(const char *s, size_t *n)
{
	while (*n > 1 && *s == '0')
		s++, (*n)--;
	return s;
}

/* Runs of digits by value, everything else by character. */
int natural_order(const char *a, const char *b)
{
	while (*a && *b) {
		size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
		if (na && nb) {
			size_t la = na, lb = nb;
			const char *x = skip_zeros(a, &la), *y = skip_zeros(b, &lb);
			int order = la != lb ? (la < lb ? -1 : 1) : strncmp(x, y, la);
			if (order)
				return order;
			a += na;
			b += nb;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return *a ? 1 : *b ? -1 : 0;
}

/* ---- taking apart --------------------------------------------------------------------- */

static uint32_t family_of(family_list *all, sym_t name, sym_t form, int argc)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (all->at[i].form == form && all->at[i].argc == argc)
			return i;
	struct family f = {.name = name, .form = form, .argc = argc, .layout = UINT32_MAX};
	f.axis[0] = f.axis[1] = f.to[0] = f.to[1] = f.part = f.owner = -1;
	vec_push(all, f);
	return (uint32_t)all->n - 1;
}

/* The form of a text, "(cell (at 1 2) x)": cell(at(__)_), its name and arguments 1, 2, x; or, not `deep`, cell(__) and
 * arguments (at 1 2), x. Returns how many arguments there are. */
static int take_apart(struct study *s, const char *text, bool deep, struct text *form, sym_t *name, sym_t *args)
{
	size_t length = strlen(text), at = 0, from, to;
	bool opening = *text != '(';
	int argc = 0, depth = 0;
	*name = SYM_NONE;
	while (kif_token(text, length, &at, &from, &to)) {
		if (text[from] == '(' && !deep && depth) {
			to = at = kif_term_end(text, length, from);
		} else if (text[from] == '(') {
			opening = true;
			depth++;
			continue;
		} else if (text[from] == ')') {
			text_putc(form, ')');
			continue;
		}
		if (opening) {
			text_printf(form, "%.*s(", (int)(to - from), text + from);
			*name = *name == SYM_NONE ? sym_put(&s->symbols, text + from, to - from) : *name;
			opening = false;
			continue;
		}
		text_putc(form, '_');
		if (argc < STUDY_ARGS)
			args[argc] = sym_put(&s->symbols, text + from, to - from);
		argc++;
	}
	return argc;
}

/* Terms inside terms are looked into where all of that name are alike: then they may be coordinates. Else, as in
 * (at 1 b rook), (at 1 c (man red)), they are what is there. */
static bool is_mixed(const struct study *s, sym_t shallow)
{
	for (size_t i = 0; i < s->mixed.n; i++)
		if (s->mixed.at[i].shallow == shallow)
			return s->mixed.at[i].form == SYM_NONE;
	return false;
}

static void note_form(struct study *s, const char *text)
{
	struct text shallow = {0}, deep = {0};
	sym_t name, args[STUDY_ARGS];
	take_apart(s, text, false, &shallow, &name, args);
	take_apart(s, text, true, &deep, &name, args);
	sym_t a = sym_put(&s->symbols, text_str(&shallow), shallow.n), b = sym_put(&s->symbols, text_str(&deep), deep.n);
	size_t i = 0;
	while (i < s->mixed.n && s->mixed.at[i].shallow != a)
		i++;
	if (i == s->mixed.n)
		vec_push(&s->mixed, (struct forms){a, b});
	else if (s->mixed.at[i].form != b)
		s->mixed.at[i].form = SYM_NONE;
	text_free(&shallow);
	text_free(&deep);
}

static struct parts split(struct study *s, family_list *all, const char *text)
{
	struct parts p = {.piece = UINT32_MAX};
	struct text form = {0};
	sym_t name;
	int argc = take_apart(s, text, false, &form, &name, p.args);
	if (!is_mixed(s, sym_put(&s->symbols, text_str(&form), form.n))) {
		vec_clear(&form);
		argc = take_apart(s, text, true, &form, &name, p.args);
	}
	p.family = family_of(all, name, sym_put(&s->symbols, text_str(&form), form.n), argc > STUDY_ARGS ? -1 : argc);
	text_free(&form);
	struct family *f = &all->at[p.family];
	for (int k = 0; k < f->argc; k++)
		add_once(&f->values[k], p.args[k]);
	return p;
}

const struct parts *study_fluent(struct study *s, uint32_t fluent)
{
	while (s->parts.n <= fluent)
		vec_push(&s->parts, (struct parts){.family = NO_FAMILY});
	if (s->parts.at[fluent].family == NO_FAMILY) {
		struct text t = {0};
		game_print_fluent(s->g, fluent, &t);
		struct parts p = split(s, &s->families, text_str(&t));
		text_free(&t);
		vec_push(&s->families.at[p.family].members, fluent);
		s->changed = true;
		s->parts.at[fluent] = p;
	}
	return &s->parts.at[fluent];
}

const struct parts *study_move(struct study *s, uint32_t move)
{
	while (s->move_parts.n <= move)
		vec_push(&s->move_parts, (struct parts){.family = NO_FAMILY});
	if (s->move_parts.at[move].family == NO_FAMILY) {
		struct text t = {0};
		game_print_move(s->g, move, &t);
		struct parts p = split(s, &s->move_families, text_str(&t));
		text_free(&t);
		vec_push(&s->move_families.at[p.family].members, move);
		s->changed = true;
		s->move_parts.at[move] = p;
	}
	return &s->move_parts.at[move];
}

/* ---- matches -------------------------------------------------------------------------- */

static void keep_sample(struct study *s, const uint64_t *state, bool begins)
{
	size_t at = s->samples.n;
	vec_extend(&s->samples, s->g->words);
	memcpy(s->samples.at + at, state, s->g->words * sizeof *state);
	vec_push(&s->begins, begins);
}

static void watch_matches(struct study *s)
{
	const struct game *g = s->g;
	struct worker *w = worker_new(s->g);
	uint64_t *state = NEW_ARRAY(uint64_t, g->words), *next = NEW_ARRAY(uint64_t, g->words);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles + 1);
	struct rng rng = rng_seed(1);
	int steps = g->circuit ? STEPS : STEPS_INTERPRETED, matches = g->circuit ? MATCHES : 1;
	for (int match = 0; match < matches && s->begins.n < SAMPLES; match++) {
		memcpy(state, g->initial, g->words * sizeof *state);
		for (int step = 0; step <= steps && s->begins.n < SAMPLES; step++) {
			keep_sample(s, state, !step);
			struct view view = game_look(w, state);
			if (view.terminal || worker_trouble(w) || !game_random_move(g, &view, &rng, moves))
				break;
			for (uint32_t r = 0; r < g->roles && !g->circuit; r++)
				for (uint32_t i = view.start[r]; i < view.start[r + 1]; i++)
					study_move(s, view.legal[i]);
			game_next(w, state, moves, next);
			if (worker_trouble(w))
				break;
			memcpy(state, next, g->words * sizeof *state);
		}
	}
	mem_free(moves);
	mem_free(next);
	mem_free(state);
	worker_free(w);
}

/* ---- which arguments determine the others ---------------------------------------------- */

static uint64_t hash_masked(const struct parts *p, uint32_t mask, int argc)
{
	uint64_t h = mask;
	for (int k = 0; k < argc; k++)
		if (mask >> k & 1)
			h = hash_join(h, p->args[k]);
	return h;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* How many of these fluents differ in the arguments of the mask. */
static size_t distinct(const struct study *s, const number_list *fluents, uint32_t mask, int argc)
{
	VEC(uint64_t) seen = {0};
	for (size_t i = 0; i < fluents->n; i++)
		vec_push(&seen, hash_masked(&s->parts.at[fluents->at[i]], mask, argc));
	if (seen.n > 1)
		qsort(seen.at, seen.n, sizeof *seen.at, by_value);
	size_t n = seen.n > 0;
	for (size_t i = 1; i < seen.n; i++)
		n += seen.at[i] != seen.at[i - 1];
	vec_free(&seen);
	return n;
}

static void compare_keys(struct study *s, struct family *f, const size_t *whole, const number_list *now)
{
	for (uint32_t mask = 0; mask < 1u << f->argc; mask++) {
		if (!family_has_key(f, mask))
			continue;
		size_t n = distinct(s, now, mask, f->argc);
		if (n != now->n)
			f->keys &= ~(UINT64_C(1) << mask);
		if (n != whole[mask])
			f->total &= ~(UINT64_C(1) << mask);
	}
}

static void find_keys(struct study *s)
{
	size_t whole[1 << STUDY_ARGS];
	for (uint32_t i = 0; i < s->families.n; i++) {
		struct family *f = &s->families.at[i];
		if (f->argc < 0)
			continue;
		f->keys = f->total = UINT64_MAX;
		for (uint32_t mask = 0; mask < 1u << f->argc; mask++)
			whole[mask] = distinct(s, &f->members, mask, f->argc);
		number_list now = {0};
		for (size_t k = 0; k < s->begins.n; k++) {
			const uint64_t *state = s->samples.at + k * s->g->words;
			vec_clear(&now);
			for (size_t m = 0; m < f->members.n; m++)
				if (bits_has(state, f->members.at[m]))
					vec_push(&now, f->members.at[m]);
			f->most = now.n > f->most ? (uint32_t)now.n : f->most;
			f->first = k ? f->first : (uint32_t)now.n;
			compare_keys(s, f, whole, &now);
		}
		f->total &= f->keys;
		vec_free(&now);
	}
}

/* ---- the whole -------------------------------------------------------------------------- */

static void note_forms(struct study *s)
{
	struct text t = {0};
	for (uint32_t i = 0; i < s->g->fluents && s->g->circuit; i++) {
		vec_clear(&t);
		game_print_fluent(s->g, i, &t);
		note_form(s, text_str(&t));
	}
	for (size_t k = 0; k < s->begins.n && !s->g->circuit; k++)
		BITS_EACH (i, s->samples.at + k * s->g->words, s->g->fluents) {
			vec_clear(&t);
			game_print_fluent(s->g, (uint32_t)i, &t);
			note_form(s, text_str(&t));
		}
	text_free(&t);
}

static void meet_everything(struct study *s)
{
	note_forms(s);
	if (s->g->circuit) {
		for (uint32_t i = 0; i < s->g->fluents; i++)
			study_fluent(s, i);
		for (uint32_t i = 0; i < s->g->moves; i++)
			study_move(s, i);
		return;
	}
	for (size_t k = 0; k < s->begins.n; k++)
		BITS_EACH (i, s->samples.at + k * s->g->words, s->g->fluents)
			study_fluent(s, (uint32_t)i);
}

struct study *study_make(struct game *g, const struct view_file *view)
{
	struct study *s = NEW(struct study);
	s->g = g;
	s->view = view;
	for (uint32_t r = 0; r < g->roles; r++) {
		struct text t = {0};
		game_print_role(g, r, &t);
		vec_push(&s->roles, sym_put(&s->symbols, text_str(&t), t.n));
		text_free(&t);
	}
	watch_matches(s);
	meet_everything(s);
	find_keys(s);
	study_statics(s);
	study_rules(s);
	study_decide(s);
	s->changed = true;
	study_settle(s);
	return s;
}

void study_settle(struct study *s)
{
	if (!s->changed)
		return;
	study_lay_out(s);
	study_place_moves(s);
	s->changed = false;
}

static void families_free(family_list *all)
{
	for (size_t i = 0; i < all->n; i++) {
		for (int k = 0; k < STUDY_ARGS; k++)
			vec_free(&all->at[i].values[k]);
		vec_free(&all->at[i].members);
	}
	vec_free(all);
}

void study_free(struct study *s)
{
	if (!s)
		return;
	families_free(&s->families);
	families_free(&s->move_families);
	for (size_t i = 0; i < s->layouts.n; i++) {
		struct layout *l = &s->layouts.at[i];
		vec_free(&l->axis[0]);
		vec_free(&l->axis[1]);
		vec_free(&l->parts);
		vec_free(&l->exists);
		vec_free(&l->ties);
		vec_free(&l->x);
		vec_free(&l->y);
	}
	for (size_t i = 0; i < s->statics.n; i++)
		vec_free(&s->statics.at[i].cells);
	vec_free(&s->statics);
	vec_free(&s->derived);
	vec_free(&s->layouts);
	vec_free(&s->parts);
	vec_free(&s->move_parts);
	vec_free(&s->pieces);
	table_free(&s->piece_index);
	vec_free(&s->roles);
	vec_free(&s->samples);
	vec_free(&s->begins);
	vec_free(&s->shared);
	vec_free(&s->effects);
	vec_free(&s->mixed);
	sym_free(&s->symbols);
	mem_free(s);
}
