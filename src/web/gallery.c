/* The gallery: all games with what is known of them, and a stream that tells as they become known. */
#include "web/place.h"
#include "web/server.h"
#include "web/stream.h"

#include <string.h>

/* ---- the stream ---- */

struct gallery {
	struct web *web;
	VEC(char *) names; /* in the order they are told */
	size_t at;
	bool ended;
	struct text pending;
	size_t sent;
};

static void add_name(struct gallery *g, const char *name, size_t length)
{
	for (size_t i = 0; i < g->names.n; i++)
		if (strlen(g->names.at[i]) == length && !strncmp(g->names.at[i], name, length))
			return;
	vec_push(&g->names, text_copy(name, length));
}

static void add_wanted(struct gallery *g, const char *list)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		add_name(g, at, strcspn(at, ","));
}

/* Rules that pages sent are theirs, and no part of the gallery. */
static void add_known(void *context, const struct game_card *c)
{
	if (c->source != GAME_OF_PAGE && c->facts)
		add_name(context, c->name, strlen(c->name));
}

static void add_others(void *context, const struct game_card *c)
{
	if (c->source != GAME_OF_PAGE)
		add_name(context, c->name, strlen(c->name));
}

static void tell(void *context, const struct game_card *c)
{
	struct gallery *g = context;
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", c->name);
	jsonw_raw(&w, "facts", c->facts ? c->facts : "null");
	jsonw_raw(&w, "scene", c->scene ? c->scene : "null");
	if (c->error)
		request_put_error(&w, "error", "cannot", c->error);
	else
		jsonw_null(&w, "error");
	jsonw_end(&w);
	text_printf(&g->pending, "event: game\ndata: %s\n\n", json.at);
	text_free(&json);
}

/* Meanwhile another thread studies from the end of the list, one game after another. */
struct last_unknown {
	char *name;
};

static void keep_name(void *context, const struct game_card *c)
{
	struct last_unknown *l = context;
	if (c->source == GAME_OF_PAGE || c->facts || c->error)
		return;
	mem_free(l->name);
	l->name = text_copy(c->name, strlen(c->name));
}

static void ignore_card(void *context, const struct game_card *c)
{
}

static void study_rest(void *context)
{
	struct web *web = context;
	struct last_unknown last = {0};
	games_each(web->games, keep_name, &last);
	bool more = last.name && !web->closing;
	if (more)
		games_study(web->games, last.name, ignore_card, NULL);
	mem_free(last.name);
	if (more)
		pool_add(web->pool, POOL_BACKGROUND, 0, study_rest, web);
	else
		web->studying = false;
}

static void study_next(void *context)
{
	struct gallery *g = context;
	games_study(g->web->games, g->names.at[g->at], tell, g);
}

static long read_gallery(void *context, char *into, size_t room, double patience)
{
	struct gallery *g = context;
	if (g->sent == g->pending.n) {
		g->sent = 0;
		vec_clear(&g->pending);
		if (g->ended || g->web->closing)
			return -1;
		if (g->at < g->names.n) {
			pool_run(g->web->pool, study_next, g);
			g->at++;
		} else {
			text_puts(&g->pending, "event: done\ndata: {}\n\n");
			g->ended = true;
		}
	}
	size_t n = g->pending.n - g->sent < room ? g->pending.n - g->sent : room;
	memcpy(into, g->pending.at + g->sent, n);
	g->sent += n;
	return (long)n;
}

static void leave_gallery(void *context)
{
	struct gallery *g = context;
	for (size_t i = 0; i < g->names.n; i++)
		mem_free(g->names.at[i]);
	vec_free(&g->names);
	text_free(&g->pending);
	g->web->listeners--;
	mem_free(g);
}

static void serve_gallery(struct request *q)
{
	const char *wanted = request_parameter(q, "want");
	if (!web_may_listen(q))
		return;
	struct gallery *g = NEW(struct gallery);
	g->web = q->web;
	games_each(q->web->games, add_known, g);
	add_wanted(g, wanted ? wanted : "");
	games_each(q->web->games, add_others, g);
	if (!atomic_exchange(&q->web->studying, true))
		pool_add(q->web->pool, POOL_BACKGROUND, 0, study_rest, q->web);
	q->response = stream_response_of(read_gallery, leave_gallery, g);
}

/* ---- single games ---- */

static void put_card(void *context, const struct game_card *c)
{
	struct json_writer *w = context;
	jsonw_object(w, NULL);
	jsonw_text(w, "game", c->name);
	jsonw_text(w, "title", c->title);
	jsonw_text(w, "source", game_source_name(c->source));
	if (c->facts)
		jsonw_raw(w, "facts", c->facts);
	else
		jsonw_null(w, "facts");
	jsonw_end(w);
}

static void keep_facts(void *context, const struct game_card *c)
{
	struct request *q = context;
	jsonw_raw(&q->w, "facts", c->facts ? c->facts : "null");
}

static void put_game(struct request *q, struct web_game *g)
{
	const macaw_rules *rules = macaw_game_rules(g->game);
	size_t length;
	const char *source = macaw_rules_source(rules, &length);
	struct place p;
	jsonw_text(&q->w, "game", g->name);
	jsonw_text(&q->w, "title", g->title);
	jsonw_text(&q->w, "source", game_source_name(g->source));
	jsonw_textn(&q->w, "rules", source, length);
	jsonw_bool(&q->w, "infix", macaw_rules_infix(rules));
	games_study(q->web->games, g->name, keep_facts, q);
	if (place_open(&p, games_hold(g), q)) {
		place_view(&q->w, "view", &p, 0);
		place_close(&p);
	}
}

static void put_symmetries(struct request *q, struct web_game *g)
{
	macaw_error e = {0};
	const macaw_symmetries *s = games_symmetries(g, &e);
	if (!s) {
		request_fail_as(q, &e, "cannot");
		return;
	}
	request_put_order(q, s);
	jsonw_uint(&q->w, "generators", macaw_symmetries_generators(s));
	jsonw_text(&q->w, "skipped", macaw_symmetries_skipped(s));
}

static void serve_game(struct request *q)
{
	macaw_error e = {0};
	const char *what = q->parts > 2 ? q->part[2] : "";
	struct web_game *g = games_take(q->web->games, q->part[1], &e);
	if (!g)
		request_fail_as(q, &e, e.status == MACAW_USAGE ? "not-found" : "cannot");
	else if (!*what)
		put_game(q, g);
	else if (!strcmp(what, "symmetries"))
		put_symmetries(q, g);
	else
		request_no_path(q);
	games_give(g);
}

void serve_games(struct request *q)
{
	if (!request_is(q, "GET")) {
		request_no_method(q);
	} else if (q->parts == 1) {
		jsonw_array(&q->w, "games");
		games_each(q->web->games, put_card, &q->w);
		jsonw_end(&q->w);
	} else if (q->parts == 2 && !strcmp(q->part[1], "events")) {
		serve_gallery(q);
	} else {
		serve_game(q);
	}
}
