/* Positions without a match: looked at, played on from, and what their symmetries make equal. */
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

void serve_positions(struct request *q)
{
	const char *what = q->parts > 1 ? q->part[1] : "";
	struct place p;
	void (*serve)(struct request *, struct place *) = !*what                   ? serve_position
	                                                  : !strcmp(what, "line")  ? serve_line
	                                                  : !strcmp(what, "moves") ? serve_orbits
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
