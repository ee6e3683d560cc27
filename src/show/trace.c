/* Everything is compared as sorted lists of text: ours is printed, theirs is
 * brought into the same form. So nothing depends on how the game numbers things. */
#include "show/trace.h"

#include "base/bits.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* of many differences */

/* Texts one behind the other, each ended by NUL. */
struct list {
	struct text all;
	VEC(size_t) start;
	VEC(const char *) sorted;
};

struct replay {
	struct trace *t;
	struct game *g;
	struct worker *w;
	uint64_t *state;
	uint32_t *moves;
	bool *chosen; /* by role */
	json_int_t match, step;
	bool begun, moved; /* in a match; `moves` leads on from `state` */
	struct list ours, theirs;
};

/* ---- lists of text -------------------------------------------------------------- */

static void list_clear(struct list *l)
{
	l->all.n = 0;
	vec_clear(&l->start);
	vec_clear(&l->sorted);
}

static void list_free(struct list *l)
{
	text_free(&l->all);
	vec_free(&l->start);
	vec_free(&l->sorted);
}

/* Lower case, one space between words, none inside of parentheses. */
static void put_plain(struct text *out, const char *s)
{
	bool gap = false, first = true;
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (isspace(c)) {
			gap = true;
			continue;
		}
		if (!first && c != ')' && (gap || c == '(') && out->at[out->n - 1] != '(')
			text_putc(out, ' ');
		text_putc(out, (char)tolower(c));
		gap = first = false;
		if (c == ')')
			gap = true;
	}
}

static void list_put(struct list *l, const char *s)
{
	vec_push(&l->start, l->all.n);
	put_plain(&l->all, s);
	text_putc(&l->all, 0);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted and without twins. */
static void list_sort(struct list *l)
{
	for (size_t i = 0; i < l->start.n; i++)
		vec_push(&l->sorted, l->all.at + l->start.at[i]);
	if (l->sorted.n < 2)
		return;
	qsort(l->sorted.at, l->sorted.n, sizeof *l->sorted.at, by_text);
	size_t n = 1;
	for (size_t i = 1; i < l->sorted.n; i++)
		if (strcmp(l->sorted.at[i], l->sorted.at[n - 1]))
			l->sorted.at[n++] = l->sorted.at[i];
	l->sorted.n = n;
}

/* What is in `a` and not in `b`, a line each under a title. */
static size_t list_minus(const struct list *a, const struct list *b, const char *title, struct text *out)
{
	size_t found = 0;
	for (size_t i = 0, k = 0; i < a->sorted.n; i++) {
		while (k < b->sorted.n && strcmp(b->sorted.at[k], a->sorted.at[i]) < 0)
			k++;
		if (k < b->sorted.n && !strcmp(b->sorted.at[k], a->sorted.at[i]))
			continue;
		if (found++ < SHOWN)
			text_printf(out, "\n    %s: %s", title, a->sorted.at[i]);
	}
	if (found > SHOWN)
		text_printf(out, "\n    %s: %zu more", title, found - SHOWN);
	return found;
}

/* ---- faults ---------------------------------------------------------------------- */

static enum trace_verdict malformed(struct replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static enum trace_verdict malformed(struct replay *r, const char *format, ...)
{
	char line[512];
	va_list ap;
	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	text_puts(&r->t->message, line);
	return TRACE_MALFORMED;
}

static void begin_difference(struct replay *r)
{
	text_printf(&r->t->message, "match %lld, step %lld: ", (long long)r->match, (long long)r->step);
}

/* The two lists of the replay, as sets. */
static enum trace_verdict compare(struct replay *r, const char *what, const char *role)
{
	struct text lines = {0};
	list_sort(&r->ours);
	list_sort(&r->theirs);
	size_t n =
		list_minus(&r->theirs, &r->ours, "missing", &lines) + list_minus(&r->ours, &r->theirs, "surplus", &lines);
	if (n) {
		begin_difference(r);
		text_printf(&r->t->message, "%s%s differ%s from the trace%s", what, role ? role : "", role ? "" : "s",
		            text_str(&lines));
	}
	text_free(&lines);
	return n ? TRACE_DIFFERS : TRACE_AGREES;
}

/* The strings of an array into `theirs`. */
static enum trace_verdict take_strings(struct replay *r, json_t *array, const char *key)
{
	size_t i;
	json_t *s;
	list_clear(&r->theirs);
	if (!json_is_array(array))
		return malformed(r, "\"%s\" must be a list of texts", key);
	json_array_foreach(array, i, s)
	{
		if (!json_is_string(s))
			return malformed(r, "\"%s\" must be a list of texts", key);
		list_put(&r->theirs, json_string_value(s));
	}
	return TRACE_AGREES;
}

/* ---- one step --------------------------------------------------------------------- */

typedef void (*print_fn)(const struct game *g, uint32_t number, struct text *out);

static void put_ours(struct replay *r, print_fn print, uint32_t number)
{
	struct text t = {0};
	print(r->g, number, &t);
	list_put(&r->ours, text_str(&t));
	text_free(&t);
}

static enum trace_verdict check_state(struct replay *r, json_t *line)
{
	enum trace_verdict v = take_strings(r, json_object_get(line, "state"), "state");
	if (v)
		return v;
	list_clear(&r->ours);
	BITS_EACH (f, r->state, r->g->fluents)
		put_ours(r, game_print_fluent, (uint32_t)f);
	return compare(r, "the state", NULL);
}

/* An object with a list for every role (legal, sees) against ours. */
static enum trace_verdict check_lists(struct replay *r, json_t *object, const char *key, const char *what,
                                      print_fn print, const uint32_t *items, const uint32_t *start)
{
	if (!json_is_object(object))
		return malformed(r, "\"%s\" must be an object with a list for every role", key);
	uint32_t named = 0;
	const char *role;
	json_t *list;
	json_object_foreach(object, role, list)
	{
		uint32_t i = game_find_role(r->g, role);
		if (i == GAME_NONE)
			return malformed(r, "\"%s\" names a role `%.100s` that the game has not", key, role);
		named++;
		enum trace_verdict v = take_strings(r, list, key);
		list_clear(&r->ours);
		for (uint32_t k = start[i]; !v && k < start[i + 1]; k++)
			put_ours(r, print, items[k]);
		if (!v)
			v = compare(r, what, role);
		if (v)
			return v;
	}
	return named == r->g->roles ? TRACE_AGREES : malformed(r, "\"%s\" names %u of %u roles", key, named, r->g->roles);
}

static enum trace_verdict check_terminal(struct replay *r, json_t *line, bool terminal)
{
	json_t *t = json_object_get(line, "terminal");
	if (!json_is_boolean(t))
		return malformed(r, "\"terminal\" must be true or false");
	if (json_is_true(t) == terminal)
		return TRACE_AGREES;
	begin_difference(r);
	text_printf(&r->t->message, "the state is %sterminal, but %sterminal in the trace", terminal ? "" : "not ",
	            terminal ? "not " : "");
	return TRACE_DIFFERS;
}

static enum trace_verdict check_goals(struct replay *r, json_t *goals, const int *ours)
{
	const char *role;
	json_t *value;
	if (!goals || json_is_null(goals))
		return TRACE_AGREES;
	if (!json_is_object(goals))
		return malformed(r, "\"goals\" must be an object with a number for every role, or null");
	json_object_foreach(goals, role, value)
	{
		uint32_t i = game_find_role(r->g, role);
		if (i == GAME_NONE)
			return malformed(r, "\"goals\" names a role `%.100s` that the game has not", role);
		if (!json_is_integer(value) && !json_is_null(value))
			return malformed(r, "the goal of %.100s must be a whole number or null", role);
		json_int_t theirs = json_is_null(value) ? GOAL_NONE : json_integer_value(value);
		if (theirs == ours[i])
			continue;
		begin_difference(r);
		text_printf(&r->t->message, "the goal of %s differs from the trace", role);
		if (theirs != GOAL_NONE)
			text_printf(&r->t->message, "\n    missing: %lld", (long long)theirs);
		if (ours[i] != GOAL_NONE)
			text_printf(&r->t->message, "\n    surplus: %d", ours[i]);
		return TRACE_DIFFERS;
	}
	return TRACE_AGREES;
}

/* The number of a legal move from its text. */
static uint32_t find_move(struct replay *r, const struct view *v, uint32_t role, const char *text)
{
	struct text wanted = {0}, one = {0}, plain = {0};
	uint32_t found = GAME_NONE;
	put_plain(&wanted, text);
	for (uint32_t k = v->start[role]; found == GAME_NONE && k < v->start[role + 1]; k++) {
		one.n = plain.n = 0;
		game_print_move(r->g, v->legal[k], &one);
		put_plain(&plain, text_str(&one));
		if (!strcmp(text_str(&plain), text_str(&wanted)))
			found = v->legal[k];
	}
	text_free(&wanted);
	text_free(&one);
	text_free(&plain);
	return found;
}

static enum trace_verdict take_move(struct replay *r, json_t *move, const struct view *v)
{
	const char *role;
	json_t *text;
	r->moved = false;
	if (!move || json_is_null(move))
		return TRACE_AGREES;
	if (!json_is_object(move))
		return malformed(r, "\"move\" must be an object with a text for every role, or null");
	memset(r->chosen, 0, r->g->roles * sizeof *r->chosen);
	json_object_foreach(move, role, text)
	{
		uint32_t i = game_find_role(r->g, role);
		if (i == GAME_NONE)
			return malformed(r, "\"move\" names a role `%.100s` that the game has not", role);
		if (!json_is_string(text))
			return malformed(r, "the move of %.100s must be a text", role);
		r->moves[i] = find_move(r, v, i, json_string_value(text));
		if (r->moves[i] == GAME_NONE) {
			begin_difference(r);
			text_printf(&r->t->message, "the move %.200s of %s is not legal", json_string_value(text), role);
			return TRACE_DIFFERS;
		}
		r->chosen[i] = true;
	}
	for (uint32_t i = 0; i < r->g->roles; i++)
		if (!r->chosen[i])
			return malformed(r, "\"move\" lacks a role");
	r->moved = true;
	return TRACE_AGREES;
}

/* Where the match stands: brings r->state to the step of this line. */
static enum trace_verdict follow(struct replay *r, json_t *line)
{
	json_t *match = json_object_get(line, "match"), *step = json_object_get(line, "step");
	if (!json_is_integer(match) || !json_is_integer(step))
		return malformed(r, "\"match\" and \"step\" must be whole numbers");
	json_int_t m = json_integer_value(match), s = json_integer_value(step);
	if (!r->begun || m != r->match) {
		if (s)
			return malformed(r, "match %lld begins with step %lld; it must begin with step 0", (long long)m,
			                 (long long)s);
		memcpy(r->state, r->g->initial, r->g->words * sizeof *r->state);
		r->t->matches++;
	} else if (s != r->step + 1) {
		return malformed(r, "step %lld of match %lld follows step %lld", (long long)s, (long long)m,
		                 (long long)r->step);
	} else if (!r->moved) {
		return malformed(r, "match %lld goes on after step %lld, which has no move", (long long)m, (long long)r->step);
	} else {
		game_next(r->w, r->state, r->moves, r->state);
	}
	r->begun = true;
	r->match = m;
	r->step = s;
	return TRACE_AGREES;
}

static enum trace_verdict trouble(struct replay *r)
{
	const char *why = worker_trouble(r->w);
	if (!why)
		return TRACE_AGREES;
	r->t->message.n = 0;
	begin_difference(r);
	text_puts(&r->t->message, why);
	return TRACE_TROUBLE;
}

static enum trace_verdict check_line(struct replay *r, json_t *line)
{
	if (!json_is_object(line))
		return malformed(r, "a line must hold a JSON object");
	enum trace_verdict v = follow(r, line);
	if (!v)
		v = check_state(r, line);
	if (v)
		return v;
	struct view view = game_look(r->w, r->state);
	json_t *legal = json_object_get(line, "legal"), *sees = json_object_get(line, "sees");
	v = check_terminal(r, line, view.terminal);
	if (!v && legal && !json_is_null(legal))
		v = check_lists(r, legal, "legal", "the legal moves of ", game_print_move, view.legal, view.start);
	if (!v)
		v = check_goals(r, json_object_get(line, "goals"), view.goals);
	if (!v)
		v = take_move(r, json_object_get(line, "move"), &view);
	if (!v && r->moved && sees && !json_is_null(sees)) {
		struct percepts p = game_sees(r->w, r->state, r->moves);
		v = check_lists(r, sees, "sees", "the percepts of ", game_print_percept, p.seen, p.start);
	}
	return v;
}

/* ---- a text --------------------------------------------------------------------------- */

static bool blank(const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	return !n;
}

static enum trace_verdict replay_line(struct replay *r, const char *text, size_t length)
{
	json_error_t error;
	json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (!line)
		return malformed(r, "this is no JSON: %s (column %d)", error.text, error.column);
	enum trace_verdict v = check_line(r, line);
	if (v != TRACE_MALFORMED && trouble(r))
		v = TRACE_TROUBLE;
	json_decref(line);
	r->t->steps += !v;
	return v;
}

enum trace_verdict trace_replay(struct trace *t, struct game *g, const char *text, size_t length)
{
	if (!t->worker)
		t->worker = worker_new(g);
	struct replay r = {.t = t, .g = g, .w = t->worker};
	r.state = NEW_ARRAY(uint64_t, g->words);
	r.moves = NEW_ARRAY(uint32_t, g->roles);
	r.chosen = NEW_ARRAY(bool, g->roles);
	enum trace_verdict v = TRACE_AGREES;
	const char *end = text + length;
	t->line = 0;
	t->message.n = 0;
	while (!v && text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((stop ? stop : end) - text);
		t->line++;
		if (!blank(text, n))
			v = replay_line(&r, text, n);
		text += n + (stop != NULL);
	}
	if (!v && !r.begun)
		v = malformed(&r, "there is no step in this trace");
	mem_free(r.state);
	mem_free(r.moves);
	mem_free(r.chosen);
	list_free(&r.ours);
	list_free(&r.theirs);
	return v;
}

void trace_free(struct trace *t)
{
	worker_free(t->worker);
	text_free(&t->message);
	*t = (struct trace){0};
}
