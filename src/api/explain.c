/* Explanations for others: the public face of src/explain. */
#include "macaw/explain.h"

#include "api/api_internal.h"
#include "explain/defects.h"
#include "explain/explanation.h"
#include "explain/position.h"
#include "show/explanation_text.h"

#include <stdlib.h>

enum { RULES = 3, STEPS = 1000, PLAYOUTS = 1000, LONGEST = 10000 }; /* defaults */

_Static_assert((int)MACAW_BY_RULE == (int)REASON_RULE && (int)MACAW_FAILS == (int)REASON_FAILS &&
                   (int)MACAW_LEFT_OUT == (int)REASON_LEFT_OUT,
               "the public numbers are those of explanation.h");
_Static_assert((int)MACAW_DEFECT_STUCK == (int)DEFECT_STUCK && (int)MACAW_DEFECT_INPUT == (int)DEFECT_NOT_IN_INPUT,
               "the public numbers are those of defects.h");

struct macaw_explanation {
	struct handle handle;
	const macaw_rules *rules;
	struct explanation e;
};

static bool explain(macaw_explanation *out, macaw_game *g, const macaw_question *q, macaw_error *e)
{
	struct text error = {0};
	struct explanation_bounds bounds = {q->rules ? q->rules : RULES, q->steps ? q->steps : STEPS};
	struct explainer *x = explainer_make(api_rules(out->rules), api_limit(q->limit), 0, &error);
	bool done = false;
	if (x) {
		explainer_set_position(x, api_game(g), q->position ? q->position : api_game(g)->initial, q->moves);
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
	GUARD(lasting(&x->handle), NULL, NULL, out = print(x, file, width));
	return out;
}

/* ---- defects ---- */

struct macaw_defects {
	struct handle handle;
	struct defects d;
	struct macaw_explanation *explanations; /* two per defect, sharing what is in d */
};

static void find_defects(macaw_defects *d, macaw_game *g, const macaw_defect_options *o, macaw_error *e)
{
	struct text error = {0};
	struct defect_search s = {.playouts = o->playouts ? o->playouts : PLAYOUTS,
	                          .max_steps = o->max_steps ? o->max_steps : LONGEST,
	                          .seed = o->seed,
	                          .limit = api_limit(o->limit),
	                          .progress = o->progress,
	                          .context = o->context};
	if (!defects_find(api_game(g), &s, &d->d, &error))
		api_fail_text(e, MACAW_INPUT, &error);
	d->explanations = NEW_ARRAY(struct macaw_explanation, 2 * d->d.all.n + 1);
	for (size_t i = 0; i < d->d.all.n; i++)
		for (size_t k = 0; k < 2; k++) {
			struct macaw_explanation *x = &d->explanations[2 * i + k];
			x->handle.scope = d->handle.scope;
			x->rules = macaw_game_rules(g);
			x->e = k ? d->d.all.at[i].second : d->d.all.at[i].first;
		}
	text_free(&error);
}

void macaw_defects_free(macaw_defects *d)
{
	if (!d)
		return;
	if (!d->handle.broken) {
		defects_free(&d->d);
		mem_free(d->explanations);
	}
	handle_close(&d->handle);
	free(d);
}

macaw_defects *macaw_defects_find(macaw_game *g, const macaw_defect_options *o, macaw_error *e)
{
	static const macaw_defect_options defaults = {0};
	macaw_error inside = {0};
	macaw_defects *d = calloc(1, sizeof *d);
	api_clear(e);
	if (!d || !handle_open(&d->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(d);
		return NULL;
	}
	GUARD(&d->handle, e, (macaw_defects_free(d), NULL), find_defects(d, g, o ? o : &defaults, &inside));
	if (!inside.status)
		return d;
	api_fail(e, inside.status, "%s", inside.text);
	macaw_defects_free(d);
	return NULL;
}

uint64_t macaw_defects_playouts(const macaw_defects *d)
{
	return d->d.playouts;
}

size_t macaw_defects_count(const macaw_defects *d)
{
	return d->d.all.n;
}

macaw_defect macaw_defects_at(const macaw_defects *d, size_t i)
{
	if (i >= d->d.all.n)
		return (macaw_defect){0};
	const struct defect *x = &d->d.all.at[i];
	return (macaw_defect){
		.kind = (enum macaw_defect_kind)x->kind,
		.role = x->role,
		.playouts = x->playouts,
		.moves = x->moves.at,
		.steps = x->steps,
		.shortest = x->shortest,
		.position = x->position,
		.statement = x->statement,
		.explanation = x->first.steps.n ? &d->explanations[2 * i] : NULL,
		.second = x->second.steps.n ? &d->explanations[2 * i + 1] : NULL,
	};
}
