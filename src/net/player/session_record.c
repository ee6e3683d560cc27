#include "net/player/session_record.h"

#include "base/clock.h"
#include "base/json_text.h"

#include <stdatomic.h>
#include <unistd.h>

void session_record_open(struct session_record *d, const char *folder, double began)
{
	*d = (struct session_record){folder, began, time(NULL), true, json_array(), json_array()};
}

void session_record_close(struct session_record *d)
{
	json_decref(d->messages);
	json_decref(d->moves);
}

void session_record_message(struct session_record *d, const struct message *m, double arrived, const char *reply, int status,
                   const char *why)
{
	if (d->folder)
		json_array_append_new(d->messages,
		                      json_pack("{s:f, s:o, s:o, s:f, s:i, s:o}", "at", arrived - d->began, "message",
		                                json_bytes(m->body, m->length), "reply", json_text(reply), "seconds",
		                                clock_now() - arrived, "status", status, "why", json_text(why)));
}

void session_record_step(struct session_record *d, const struct game *g, const struct tracker_now *now)
{
	d->all_told = d->all_told && now->last;
	if (!d->folder || !d->all_told)
		return;
	json_t *joint = json_object();
	struct text role = {0}, move = {0};
	for (uint32_t r = 0; r < g->roles; r++) {
		role.n = move.n = 0;
		game_print_role(g, r, &role);
		game_print_move(g, now->last[r], &move);
		json_object_set_new(joint, text_str(&role), json_text(text_str(&move)));
	}
	json_array_append_new(d->moves, joint);
	text_free(&role);
	text_free(&move);
}

/* When, by which process, which one: nothing of the name comes from the network. */
static void put_path(const struct session_record *d, struct text *path)
{
	static atomic_uint serial;
	char stamp[32];
	struct tm tm;
	gmtime_r(&d->date, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
	text_printf(path, "%s/%s-%d-%u.json", d->folder, stamp, (int)getpid(), atomic_fetch_add(&serial, 1));
}

static json_t *goals_of(const struct session_record_end *e)
{
	json_t *goals = json_object();
	struct text role = {0};
	for (uint32_t r = 0; e->now && r < e->game->roles; r++) {
		int goal = e->now->goals[r];
		role.n = 0;
		game_print_role(e->game, r, &role);
		json_object_set_new(goals, text_str(&role), goal == GOAL_NONE ? json_null() : json_integer(goal));
	}
	text_free(&role);
	return goals;
}

void session_record_write(struct session_record *d, const struct session_record_end *e)
{
	struct text path = {0}, rules = {0};
	if (!d->folder)
		return;
	if (e->rules)
		gdl_print(e->rules, GDL_KIF, &rules);
	json_t *j = json_pack("{s:o, s:o, s:s, s:f, s:f, s:I, s:s, s:b, s:o, s:o, s:O}", "match",
	                      json_text(text_str(&e->start->id)), "role", json_text(text_str(&e->start->role)), "player",
	                      e->player, "start_clock", e->start->start, "clock", e->start->play, "began",
	                      (json_int_t)d->date, "end", e->why ? e->why : "", "terminal", e->now && e->now->terminal,
	                      "goals", goals_of(e), "rules", json_text(text_str(&rules)), "messages", d->messages);
	if (e->game)
		json_object_set_new(j, "engine", json_string(e->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter"));
	if (d->all_told) /* enough for `macaw replay` */
		json_object_set(j, "moves", d->moves);
	put_path(d, &path);
	json_dump_file(j, text_str(&path), JSON_INDENT(1) | JSON_REAL_PRECISION(10));
	json_decref(j);
	text_free(&path);
	text_free(&rules);
}
