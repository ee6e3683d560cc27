/* Tables of moves; `thoughts`, one table at once; and `players`, who can think. */
#include "web/thoughts.h"

#include "base/clock.h"
#include "web/server.h"

#include <math.h>
#include <string.h>

static void put_known(struct json_writer *w, const char *key, double x)
{
	if (x < 0)
		jsonw_null(w, key);
	else
		jsonw_real(w, key, x);
}

/* A 95% interval for the mean of that many scores, whatever their spread, within what is proved. */
static void put_interval(struct json_writer *w, const macaw_move_value *v)
{
	double p = v->value / 100, n = (double)v->visits;
	double half = n > 0 ? 196 * sqrt(fmax(p * (1 - p), 0.25 / (n + 4)) / (n + 4)) : 100;
	if (v->value < 0) {
		jsonw_real(w, "low", v->low);
		jsonw_real(w, "high", v->high);
		return;
	}
	jsonw_real(w, "low", fmax(v->low, fmin(v->value - half, v->high)));
	jsonw_real(w, "high", fmin(v->high, fmax(v->value + half, v->low)));
}

static void put_value(struct json_writer *w, const struct thinker *t, const macaw_move_value *v)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "id", v->move);
	jsonw_text(w, "text", macaw_game_move(t->game->game, v->move));
	put_known(w, "value", v->value);
	put_interval(w, v);
	jsonw_array(w, "bounds");
	jsonw_real(w, NULL, v->low);
	jsonw_real(w, NULL, v->high);
	jsonw_end(w);
	jsonw_uint(w, "visits", v->visits);
	put_known(w, "share", v->share);
	if (t->orbit)
		jsonw_uint(w, "orbit", t->orbit[v->move]);
	else
		jsonw_null(w, "orbit");
	jsonw_end(w);
}

uint64_t table_visits(const macaw_thought *thought)
{
	uint64_t visits = 0;
	for (uint32_t i = 0; i < thought->value_count; i++)
		visits += thought->values[i].visits;
	return visits;
}

/* The most visited nodes, each after its parent; null where the player keeps no tree. */
static void put_tree(struct json_writer *w, const struct thinker *t, uint32_t most)
{
	macaw_search_tree tree;
	if (!most || !macaw_player_tree(t->player, most, &tree)) {
		jsonw_null(w, "tree");
		return;
	}
	jsonw_array(w, "tree");
	for (uint32_t i = 1; i < tree.count; i++) {
		const macaw_tree_node *n = &tree.nodes[i];
		jsonw_object(w, NULL);
		jsonw_uint(w, "parent", n->parent);
		view_put_joint(w, "moves", t->game->game, n->moves);
		put_known(w, "value", n->value);
		jsonw_bool(w, "proved", n->low >= n->high);
		jsonw_uint(w, "visits", n->visits);
		jsonw_end(w);
	}
	jsonw_end(w);
}

void table_write(struct json_writer *w, const struct thinker *t, const macaw_thought *thought,
                 const struct table_about *a)
{
	const macaw_game *g = t->game->game;
	jsonw_text(w, "role", macaw_game_role(g, t->role));
	jsonw_real(w, "seconds", a->seconds);
	jsonw_uint(w, "visits", table_visits(thought));
	jsonw_text(w, "best", macaw_game_move(g, thought->move));
	put_known(w, "value", thought->value);
	jsonw_bool(w, "proved", thought->proved);
	jsonw_text(w, "why", thought->why);
	jsonw_bool(w, "fresh", a->fresh);
	jsonw_array(w, "moves");
	for (uint32_t i = 0; i < thought->value_count; i++)
		put_value(w, t, &thought->values[i]);
	jsonw_end(w);
	jsonw_array(w, "line");
	for (uint32_t i = 0; i < thought->line_steps && !a->brief; i++)
		view_put_joint(w, NULL, g, thought->line + (size_t)i * macaw_game_roles(g));
	jsonw_end(w);
	put_tree(w, t, a->tree);
}

/* ---- one table at once ---- */

static void think(struct request *q, struct place *p, uint32_t role, const macaw_budget *b)
{
	macaw_error e = {0};
	macaw_thought thought;
	struct thinker t = {.game = p->game, .role = role};
	t.player = macaw_player_new(p->game->game, role, body_text(q, "player", "macaw"), 1, &e);
	double began = clock_now();
	if (!t.player)
		request_fail_as(q, &e, "bad-player");
	else if (!place_follow(p, t.player, role) || !macaw_player_think(t.player, b, &thought))
		request_fail_as(q, macaw_player_error(t.player), "cannot");
	else
		table_write(&q->w, &t, &thought, &(struct table_about){.seconds = clock_now() - began});
	macaw_player_free(t.player);
}

void serve_thoughts(struct request *q)
{
	struct place p;
	macaw_budget b = {.seconds = body_real(q, "seconds", 0.05, 2, 0.3),
	                  .playouts = body_whole(q, "playouts", 100000, 0)};
	if (!request_is(q, "POST"))
		request_no_method(q);
	if (q->failed || !place_read(&p, q))
		return;
	uint32_t role = place_role(&p, MACAW_NONE, q);
	if (!q->failed)
		think(q, &p, role, &b);
	place_close(&p);
}

/* ---- who can think ---- */

static void put_choices(struct json_writer *w, const char *choices)
{
	if (!choices) {
		jsonw_null(w, "choices");
		return;
	}
	jsonw_array(w, "choices");
	for (const char *at = choices; *at; at += strcspn(at, "|"), at += *at == '|')
		jsonw_textn(w, NULL, at, strcspn(at, "|"));
	jsonw_end(w);
}

static void put_options(struct json_writer *w, size_t kind)
{
	macaw_player_option o;
	jsonw_array(w, "options");
	for (size_t i = 0; macaw_player_option_at(kind, i, &o); i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "name", o.name);
		jsonw_text(w, "metavar", o.metavar);
		jsonw_text(w, "help", o.help);
		jsonw_text(w, "default", o.standard);
		put_choices(w, o.choices);
		jsonw_real(w, "min", o.min);
		jsonw_real(w, "max", o.max);
		jsonw_end(w);
	}
	jsonw_end(w);
}

void serve_players(struct request *q)
{
	macaw_player_kind kind;
	if (!request_is(q, "GET")) {
		request_no_method(q);
		return;
	}
	jsonw_array(&q->w, "players");
	for (size_t i = 0; macaw_player_kind_at(i, &kind); i++) {
		jsonw_object(&q->w, NULL);
		jsonw_text(&q->w, "name", kind.name);
		jsonw_text(&q->w, "summary", kind.summary);
		jsonw_text(&q->w, "details", kind.details);
		jsonw_bool(&q->w, "hidden", kind.hidden);
		put_options(&q->w, i);
		jsonw_end(&q->w);
	}
	jsonw_end(&q->w);
}
