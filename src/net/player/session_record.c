/* Messages and moves are JSON from the moment they come; the end puts the rest around them. */
#include "net/player/session_record.h"

#include "base/clock.h"
#include "base/json.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

void session_record_open(struct session_record *r, const char *folder, double began)
{
	*r = (struct session_record){.folder = folder, .began = began, .date = time(NULL)};
}

void session_record_close(struct session_record *r)
{
	text_free(&r->messages);
	text_free(&r->moves);
}

/* One more item of an array. */
static struct json_writer begin_item(struct text *array)
{
	struct json_writer w = {.out = array, .filled = {array->n > 0}};
	jsonw_object(&w, NULL);
	return w;
}

void session_record_message(struct session_record *r, const struct message *m, double arrived, const char *reply,
                            int status, const char *why)
{
	if (!r->folder || r->messages.n + m->length > SESSION_RECORD_MAX)
		return;
	struct json_writer w = begin_item(&r->messages);
	jsonw_real(&w, "at", arrived - r->began);
	jsonw_textn(&w, "message", m->body, m->length);
	jsonw_text(&w, "reply", reply);
	jsonw_real(&w, "seconds", clock_now() - arrived);
	jsonw_int(&w, "status", status);
	jsonw_text(&w, "why", why);
	jsonw_end(&w);
}

void session_record_step(struct session_record *r, const struct game *g, const struct tracker_now *now)
{
	r->incomplete |= !now->last || r->moves.n > SESSION_RECORD_MAX;
	if (!r->folder || r->incomplete)
		return;
	struct json_writer w = begin_item(&r->moves);
	struct text role = {0}, move = {0};
	for (uint32_t i = 0; i < g->roles; i++) {
		role.n = move.n = 0;
		game_print_role(g, i, &role);
		game_print_move(g, now->last[i], &move);
		jsonw_text(&w, text_str(&role), text_str(&move));
	}
	jsonw_end(&w);
	text_free(&role);
	text_free(&move);
}

/* Date, process and number: nothing of the name comes from the network. */
static void put_path(const struct session_record *r, struct text *path)
{
	static atomic_uint serial;
	char stamp[32];
	struct tm tm;
	gmtime_r(&r->date, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
	text_printf(path, "%s/%s-%d-%u.json", r->folder, stamp, (int)getpid(), atomic_fetch_add(&serial, 1));
}

static void put_goals(const struct session_record_end *e, struct json_writer *w)
{
	struct text role = {0};
	jsonw_object(w, "goals");
	for (uint32_t i = 0; e->now && i < e->game->roles; i++) {
		int goal = e->now->goals[i];
		role.n = 0;
		game_print_role(e->game, i, &role);
		if (goal == GOAL_NONE)
			jsonw_null(w, text_str(&role));
		else
			jsonw_int(w, text_str(&role), goal);
	}
	jsonw_end(w);
	text_free(&role);
}

static void put_rules(const struct session_record_end *e, struct json_writer *w)
{
	struct text rules = {0};
	if (e->rules)
		gdl_print(e->rules, GDL_KIF, &rules);
	jsonw_textn(w, "rules", text_str(&rules), rules.n);
	text_free(&rules);
}

static void put_items(struct json_writer *w, const char *key, const struct text *items)
{
	jsonw_array(w, key);
	if (items->n)
		jsonw_raw(w, NULL, text_str(items));
	jsonw_end(w);
}

static void put_record(const struct session_record *r, const struct session_record_end *e, struct text *json)
{
	struct json_writer w = {.out = json, .lines = true};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "match", text_str(&e->start->id));
	jsonw_text(&w, "role", text_str(&e->start->role));
	jsonw_text(&w, "player", e->player);
	jsonw_real(&w, "start_clock", e->start->start);
	jsonw_real(&w, "clock", e->start->play);
	jsonw_int(&w, "began", r->date);
	jsonw_text(&w, "end", e->why ? e->why : "");
	jsonw_bool(&w, "terminal", e->now && e->now->terminal);
	put_goals(e, &w);
	put_rules(e, &w);
	put_items(&w, "messages", &r->messages);
	if (e->game)
		jsonw_text(&w, "engine", e->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter");
	if (!r->incomplete) /* enough for `macaw replay` */
		put_items(&w, "moves", &r->moves);
	jsonw_end(&w);
	text_putc(json, '\n');
}

void session_record_write(struct session_record *r, const struct session_record_end *e)
{
	struct text path = {0}, json = {0};
	if (!r->folder)
		return;
	put_path(r, &path);
	put_record(r, e, &json);
	FILE *f = fopen(text_str(&path), "w");
	if (f) {
		fwrite(json.at, 1, json.n, f);
		fclose(f);
	}
	text_free(&path);
	text_free(&json);
}
