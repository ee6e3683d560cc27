/* Records that pages open: ours, which hold their rules, and those of ggp.org, which name a game. The moves are made
 * one after another and held against the rules. */
#include "web/records.h"

#include "web/files.h"
#include "web/server.h"

#include <string.h>

#define RECORD_BYTES ((size_t)64 << 20) /* of a file */

/* The goals as written down: an object by role, or a list; against those of the last position. */
static bool goals_agree(const struct place *p, const json_t *goals)
{
	const macaw_game *g = p->game->game;
	macaw_view v;
	if (!goals || !macaw_look(p->tools->worker, place_now(p), &v) || !v.terminal)
		return true;
	for (uint32_t r = 0; r < p->roles; r++) {
		const json_t *goal =
			json_is_array(goals) ? json_array_get(goals, r) : json_object_get(goals, macaw_game_role(g, r));
		if (json_is_integer(goal) && json_integer_value(goal) != v.goals[r])
			return false;
	}
	return true;
}

void records_tell(struct request *q, struct web_game *g, const json_t *moves, const char *const *players,
                  const json_t *goals)
{
	struct match_story story = {.players = players};
	if (!place_open(&story.course, g, q))
		return;
	if (!place_play(&story.course, moves, q)) {
		place_close(&story.course);
		return;
	}
	if (!goals_agree(&story.course, goals))
		story.disagrees = "the scores that the record gives differ from what the rules say";
	matches_tell(q, &story);
}

static struct web_game *game_of(struct request *q, const json_t *record)
{
	macaw_error e = {0};
	const char *rules = json_string_value(json_object_get(record, "rules")), *named = body_text(q, "game", NULL);
	if (!rules && !named) {
		const char *url = json_string_value(json_object_get(record, "gameMetaURL"));
		struct text help = {0};
		text_printf(&help, "the record names the game %.300s", url ? url : "nowhere");
		request_fail_help(q, 422, "cannot", "this record holds no rules: say with `game` which game it is", help.at);
		text_free(&help);
		return NULL;
	}
	struct web_game *g = NULL;
	if (rules) {
		const char *name = json_string_value(json_object_get(record, "game"));
		macaw_rules *r = macaw_rules_parse(rules, strlen(rules), name ? name : "record", &e);
		if (r && macaw_rules_errors(r)) {
			request_fail(q, 400, "bad-record", "its rules have errors");
			macaw_rules_free(r);
			return NULL;
		}
		g = r ? games_add(q->web->games, r, &e) : NULL;
	} else {
		g = games_take(q->web->games, named, &e);
	}
	if (!g)
		request_fail_as(q, &e, e.status == MACAW_USAGE ? "not-found" : "cannot");
	return g;
}

/* Who played: ours by role, ggp.org's as a list. */
static const char **players_of(const json_t *record, const macaw_game *g)
{
	const json_t *names = json_object_get(record, "players"), *list = json_object_get(record, "playerNamesFromHost");
	const char **players = NEW_ARRAY(const char *, macaw_game_roles(g));
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		players[r] = json_string_value(json_object_get(names, macaw_game_role(g, r)));
		if (!players[r])
			players[r] = json_string_value(json_array_get(list, r));
	}
	return players;
}

static void open_record(struct request *q, const char *text, size_t length)
{
	json_error_t why;
	json_t *record = json_loadb(text, length, JSON_DISABLE_EOF_CHECK, &why);
	const json_t *moves = json_object_get(record, "moves"), *goals = json_object_get(record, "goals");
	if (!record) {
		request_fail(q, 400, "bad-record", "line %d: %s", why.line, why.text);
	} else if (!json_is_array(moves)) {
		request_fail(q, 400, "bad-record", "this is no record of a match: it has no moves");
	} else {
		struct web_game *g = game_of(q, record);
		const char **players = g ? players_of(record, g->game) : NULL;
		if (g)
			records_tell(q, g, moves, players, goals ? goals : json_object_get(record, "goalValues"));
		mem_free(players);
	}
	json_decref(record);
}

void serve_records(struct request *q)
{
	struct text file = {0}, error = {0};
	const char *text = body_text(q, "record", NULL);
	if (!request_is(q, "POST"))
		request_no_method(q);
	const char *path = text || q->failed ? NULL : files_path(q, FILE_RECORD);
	if (path && !text_read_file(&file, path, RECORD_BYTES, &error))
		request_fail(q, 422, "cannot", "%s", text_str(&error));
	if (!q->failed)
		open_record(q, text ? text : text_str(&file), text ? strlen(text) : file.n);
	text_free(&file);
	text_free(&error);
}
