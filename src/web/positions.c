/* Positions without a match: looked at, played on from, and what their symmetries make equal. */
#include "macaw/explain.h"
#include "web/place.h"
#include "web/server.h"

#include <string.h>

#define LINE_STEPS 40

static void serve_position(struct request *q, struct place *p)
{
	place_view(&q->w, "view", p, p->steps);
	jsonw_array(&q->w, "moves");
	for (uint32_t i = 0; i < p->steps; i++) {
		jsonw_array(&q->w, NULL);
		for (uint32_t r = 0; r < p->roles; r++)
			view_put_move(&q->w, p->game->game, p->moves.at[(size_t)i * p->roles + r]);
		jsonw_end(&q->w);
	}
	jsonw_end(&q->w);
}

static void serve_line(struct request *q, struct place *p)
{
	json_t *line = body_list(q, "line");
	uint32_t began = p->steps;
	if (json_array_size(line) > LINE_STEPS)
		request_fail(q, 400, "bad-request", "a line has %d steps at most", LINE_STEPS);
	if (q->failed || !place_play(p, line, q))
		return;
	jsonw_array(&q->w, "views");
	for (uint32_t i = began + 1; i <= p->steps; i++)
		place_view(&q->w, NULL, p, i);
	jsonw_end(&q->w);
}

static void put_orbits(struct request *q, const struct place *p, const macaw_view *v, const uint32_t *orbit)
{
	const macaw_game *g = p->game->game;
	uint32_t count = v->terminal ? 0 : v->start[p->roles];
	jsonw_array(&q->w, "orbits");
	for (uint32_t i = 0; i < count; i++) {
		bool first = true;
		for (uint32_t k = 0; k < i && first; k++)
			first = orbit[v->legal[k]] != orbit[v->legal[i]];
		if (!first)
			continue;
		jsonw_array(&q->w, NULL);
		for (uint32_t k = i; k < count; k++)
			if (orbit[v->legal[k]] == orbit[v->legal[i]])
				jsonw_text(&q->w, NULL, macaw_game_move(g, v->legal[k]));
		jsonw_end(&q->w);
	}
	jsonw_end(&q->w);
}

void request_put_order(struct request *q, const macaw_symmetries *s)
{
	double mantissa;
	int exponent;
	macaw_symmetries_order(s, &mantissa, &exponent);
	char *order = macaw_symmetries_order_text(mantissa, exponent);
	jsonw_text(&q->w, "order", order);
	macaw_free(order);
}

static void serve_orbits(struct request *q, struct place *p)
{
	macaw_error e = {0};
	macaw_view v;
	const macaw_symmetries *s = games_symmetries(p->game, &e);
	if (!s)
		request_fail_as(q, &e, "cannot");
	else if (macaw_symmetries_skipped(s))
		request_fail(q, 422, "cannot", "%s", macaw_symmetries_skipped(s));
	if (q->failed || !place_look(p, &v, q))
		return;
	uint32_t *orbit = mem_alloc(macaw_game_moves(p->game->game) + 1, sizeof *orbit);
	if (macaw_symmetries_moves(s, place_now(p), orbit))
		put_orbits(q, p, &v, orbit);
	mem_free(orbit);
	jsonw_bool(&q->w, "all", macaw_symmetries_all(s));
	request_put_order(q, s);
}

/* ---- why ---- */

#define EXPLAIN_STEPS 400
#define EXPLAIN_SECONDS 5.0

static void put_at(struct json_writer *w, const char *key, const macaw_place *at)
{
	if (!at->line) {
		jsonw_null(w, key);
		return;
	}
	jsonw_object(w, key);
	request_put_place(w, at);
	jsonw_end(w);
}

static void put_reason(struct json_writer *w, const macaw_step *s)
{
	static const char *const reasons[] = {
		[MACAW_BY_RULE] = "rule",      [MACAW_BY_FACT] = "fact",         [MACAW_BY_FLUENT] = "fluent",
		[MACAW_BY_MOVE] = "move",      [MACAW_BY_DISTINCT] = "distinct", [MACAW_BY_ABSENCE] = "absence",
		[MACAW_ABOVE] = "above",       [MACAW_FAILS] = "fails",          [MACAW_RULE_FAILS] = "rule-fails",
		[MACAW_LEFT_OUT] = "left-out",
	};
	jsonw_object(w, NULL);
	jsonw_text(w, "reason", reasons[s->reason]);
	jsonw_uint(w, "depth", s->depth);
	jsonw_text(w, "statement", s->statement);
	jsonw_text(w, "note", s->note);
	put_at(w, "rule", &s->rule);
	put_at(w, "condition", &s->condition);
	jsonw_uint(w, "met", s->met);
	jsonw_uint(w, "conditions", s->conditions);
	jsonw_end(w);
}

/* The joint move of the body, for `next` and `sees`; NULL: none. */
static uint32_t *read_joint(struct request *q, struct place *p)
{
	const json_t *joint = json_object_get(q->body, "joint");
	macaw_view v;
	if (!joint || json_is_null(joint) || !place_look(p, &v, q))
		return NULL;
	uint32_t *moves = mem_alloc(p->roles, sizeof *moves);
	for (uint32_t r = 0; r < p->roles; r++) {
		moves[r] = place_find_move(p->game->game, &v, r, json_array_get(joint, r));
		if (moves[r] == MACAW_NONE)
			request_fail(q, 400, "not-legal", "`joint` must hold a legal move for each role");
	}
	return moves;
}

/* `statement`, or put together from `of`, `role` and `term`: legal, goal (with a role), true, next, terminal. */
static void read_statement(struct request *q, struct text *out)
{
	const char *statement = body_text(q, "statement", NULL), *of = body_text(q, "of", NULL);
	const char *role = body_text(q, "role", ""), *term = body_text(q, "term", "");
	if (statement)
		text_puts(out, statement);
	else if (!of)
		request_fail(q, 400, "bad-request", "`statement` is missing");
	else if (!strcmp(of, "terminal"))
		text_puts(out, of);
	else if (!strcmp(of, "legal") || !strcmp(of, "goal"))
		text_printf(out, "(%s %s %s)", of, role, term);
	else
		text_printf(out, "(%s %s)", of, term);
}

static void serve_why(struct request *q, struct place *p)
{
	macaw_error e = {0};
	struct text words = {0};
	read_statement(q, &words);
	const char *statement = text_str(&words);
	uint32_t *joint = q->failed ? NULL : read_joint(q, p);
	macaw_question question = {.statement = statement,
	                           .position = place_now(p),
	                           .moves = joint,
	                           .rules = (uint32_t)body_whole(q, "rules", 20, 3),
	                           .steps = EXPLAIN_STEPS,
	                           .limit.seconds = EXPLAIN_SECONDS};
	macaw_explanation *x = q->failed ? NULL : macaw_explain(p->game->game, &question, &e);
	if (x) {
		char *text = macaw_explanation_text(x, NULL, 100);
		jsonw_bool(&q->w, "holds", macaw_explanation_holds(x));
		jsonw_text(&q->w, "statement", macaw_explanation_statement(x));
		jsonw_uint(&q->w, "instances", macaw_explanation_instances(x));
		jsonw_text(&q->w, "text", text);
		jsonw_array(&q->w, "steps");
		for (size_t i = 0; i < macaw_explanation_steps(x); i++) {
			macaw_step s = macaw_explanation_step(x, i);
			put_reason(&q->w, &s);
		}
		jsonw_end(&q->w);
		macaw_free(text);
	} else if (!q->failed) {
		request_fail_as(q, &e, "bad-request");
	}
	macaw_explanation_free(x);
	mem_free(joint);
	text_free(&words);
}

/* ---- paths ---- */

void serve_positions(struct request *q)
{
	const char *what = q->parts > 1 ? q->part[1] : "";
	struct place p;
	void (*serve)(struct request *, struct place *) = !*what                     ? serve_position
	                                                  : !strcmp(what, "line")    ? serve_line
	                                                  : !strcmp(what, "explain") ? serve_why
	                                                  : !strcmp(what, "moves")   ? serve_orbits
	                                                                             : NULL;
	if (!serve)
		request_no_path(q);
	else if (!request_is(q, "POST"))
		request_no_method(q);
	else if (place_read(&p, q)) {
		serve(q, &p);
		place_close(&p);
	}
}
