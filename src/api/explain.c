/* Explanations for others: the public face of src/explain. */
#include "macaw/explain.h"

#include "api/api_internal.h"
#include "explain/explanation.h"
#include "show/explanation_text.h"

#include <stdlib.h>

enum { RULES = 3, STEPS = 1000 }; /* defaults */

_Static_assert((int)MACAW_BY_RULE == (int)REASON_RULE && (int)MACAW_FAILS == (int)REASON_FAILS &&
                   (int)MACAW_LEFT_OUT == (int)REASON_LEFT_OUT,
               "the public numbers are those of explanation.h");

struct macaw_explanation {
	struct handle handle;
	const macaw_rules *rules;
	struct explanation e;
};

static void read_position(struct explainer *x, const macaw_game *g, const uint64_t *position, const uint32_t *moves)
{
	const struct game *inside = api_game(g);
	term_list state = {0}, made = {0};
	struct text name = {0}, error = {0};
	for (uint32_t f = 0; f < inside->fluents; f++) {
		if (!macaw_position_has(position, f))
			continue;
		vec_clear(&name);
		game_print_fluent(inside, f, &name);
		term_t t = name.n ? explainer_read(x, text_str(&name), &error) : TERM_NONE;
		if (t != TERM_NONE)
			vec_push(&state, t);
	}
	for (uint32_t r = 0; moves && r < inside->roles; r++) {
		vec_clear(&name);
		game_print_move(inside, moves[r], &name);
		vec_push(&made, explainer_read(x, text_str(&name), &error));
	}
	explainer_set(x, state.at, state.n, moves ? made.at : NULL);
	vec_free(&state);
	vec_free(&made);
	text_free(&name);
	text_free(&error);
}

static bool explain(macaw_explanation *out, macaw_game *g, const macaw_question *q, macaw_error *e)
{
	struct text error = {0};
	struct explanation_bounds bounds = {q->rules ? q->rules : RULES, q->steps ? q->steps : STEPS};
	struct explainer *x = explainer_make(api_rules(out->rules), api_limit(q->limit), 0, &error);
	bool done = false;
	if (x) {
		read_position(x, g, q->position ? q->position : api_game(g)->initial, q->moves);
		term_t statement = explainer_read(x, q->statement ? q->statement : "", &error);
		done = statement != TERM_NONE && explanation_make(x, statement, bounds, &out->e);
		if (statement != TERM_NONE && !done)
			text_puts(&error, explainer_trouble(x));
	}
	if (!done)
		api_fail_text(e, MACAW_INPUT, &error);
	explainer_free(x);
	text_free(&error);
	return done;
}

static macaw_explanation *give_up(macaw_explanation *x)
{
	macaw_explanation_free(x);
	return NULL;
}

static bool are_moves(const macaw_game *g, const uint32_t *moves)
{
	for (uint32_t r = 0; moves && r < macaw_game_roles(g); r++)
		if (macaw_game_role_of(g, moves[r]) != r)
			return false;
	return true;
}

macaw_explanation *macaw_explain(macaw_game *g, const macaw_question *q, macaw_error *e)
{
	api_clear(e);
	if (!are_moves(g, q->moves)) {
		api_fail(e, MACAW_USAGE, "the joint move is not one move per role");
		return NULL;
	}
	macaw_explanation *x = calloc(1, sizeof *x);
	bool done = false;
	if (!x || !handle_open(&x->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(x);
		return NULL;
	}
	x->rules = macaw_game_rules(g);
	GUARD(&x->handle, e, give_up(x), done = explain(x, g, q, e));
	return done ? x : give_up(x);
}

void macaw_explanation_free(macaw_explanation *x)
{
	if (!x)
		return;
	if (!x->handle.broken)
		explanation_free(&x->e);
	handle_close(&x->handle);
	free(x);
}

bool macaw_explanation_holds(const macaw_explanation *x)
{
	return x->e.holds;
}

const char *macaw_explanation_statement(const macaw_explanation *x)
{
	return x->e.statement;
}

size_t macaw_explanation_instances(const macaw_explanation *x)
{
	return x->e.instances;
}

size_t macaw_explanation_steps(const macaw_explanation *x)
{
	return x->e.steps.n;
}

static macaw_place to_place(const macaw_rules *r, struct range at)
{
	size_t n;
	const char *source = macaw_rules_source(r, &n);
	if (!at.to)
		return (macaw_place){0};
	struct place from = diag_place(source, n, at.from), to = diag_place(source, n, at.to);
	return (macaw_place){from.line, from.column, to.line, to.column, at.from, at.to};
}

macaw_step macaw_explanation_step(const macaw_explanation *x, size_t i)
{
	if (i >= x->e.steps.n)
		return (macaw_step){0};
	const struct explanation_step *s = &x->e.steps.at[i];
	return (macaw_step){
		.reason = (enum macaw_reason)s->reason,
		.depth = s->depth,
		.parent = s->parent,
		.statement = s->statement,
		.note = s->note,
		.rule = to_place(x->rules, s->rule),
		.condition = to_place(x->rules, s->condition),
		.met = s->met,
		.conditions = s->conditions,
		.same = s->same,
	};
}

static char *print(const macaw_explanation *x, const char *file, uint32_t width)
{
	struct text out = {0};
	size_t n;
	const char *source = macaw_rules_source(x->rules, &n);
	explanation_print(&x->e, file, source, n, width, &out);
	return api_give(&out);
}

char *macaw_explanation_text(const macaw_explanation *x, const char *file, uint32_t width)
{
	char *out = NULL;
	GUARD(&((macaw_explanation *)x)->handle, NULL, NULL, out = print(x, file, width));
	return out;
}
