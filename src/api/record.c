/* Records read back: the moves are made one after another and held against the rules of the record. */
#include "macaw/record.h"
#include "api/api_internal.h"

#include <jansson.h>
#include <stdlib.h>

struct macaw_record {
	struct handle handle;
	json_t *json;
	macaw_game *game;
	struct worker *worker;
	uint64_t *position;
	char **roles; /* names */
	uint32_t *moves;
	uint32_t made;
};

/* ---- reading ---- */

static void free_inside(macaw_record *r)
{
	if (r->worker)
		worker_free(r->worker);
	for (uint32_t i = 0; r->roles && i < macaw_game_roles(r->game); i++)
		mem_free(r->roles[i]);
	mem_free(r->roles);
	mem_free(r->position);
	mem_free(r->moves);
}

void macaw_record_free(macaw_record *r)
{
	if (!r)
		return;
	if (!r->handle.broken)
		free_inside(r);
	handle_close(&r->handle);
	macaw_game_free(r->game);
	json_decref(r->json);
	free(r);
}

static macaw_record *give_up(macaw_record *r)
{
	macaw_record_free(r);
	return NULL;
}

static json_t *get(const macaw_record *r, const char *key)
{
	return json_object_get(r->json, key);
}

static void begin(macaw_record *r)
{
	struct game *g = api_game(r->game);
	r->worker = worker_new(g);
	r->position = mem_alloc(g->words + 1, sizeof *r->position);
	memcpy(r->position, g->initial, g->words * sizeof *r->position);
	r->moves = NEW_ARRAY(uint32_t, g->roles);
	r->roles = NEW_ARRAY(char *, g->roles);
	for (uint32_t i = 0; i < g->roles; i++) {
		struct text name = {0};
		game_print_role(g, i, &name);
		r->roles[i] = name.at;
	}
}

/* The name in an address like http://games.ggp.org/base/games/ticTacToe/v0/; "": none. */
static void name_in_address(const char *address, char *name, size_t room)
{
	*name = 0;
	for (const char *at = address; at && *at;) {
		size_t n = strcspn(at, "/");
		bool version = at[0] == 'v' && n > 1 && strspn(at + 1, "0123456789") == n - 1;
		if (n && !version)
			snprintf(name, room, "%.*s", (int)n, at);
		at += n + (at[n] == '/');
	}
}

/* Rules that stand in the record, or those of a game. */
static macaw_rules *find_rules(const macaw_record *r, const char *game, macaw_error *e)
{
	const char *rules = json_string_value(get(r, "rules")), *address = json_string_value(get(r, "gameMetaURL"));
	char name[200];
	if (rules)
		return macaw_rules_parse(rules, strlen(rules), json_string_value(get(r, "game")), e);
	if (game)
		return macaw_rules_load(game, e);
	name_in_address(address, name, sizeof name);
	if (!*name) {
		api_fail(e, MACAW_INPUT, "there are no rules in the record, and it names no game");
		return NULL;
	}
	macaw_rules *found = macaw_rules_load(name, e);
	if (!found)
		api_fail(e, MACAW_INPUT, "there are no rules in the record, and no installed game has the name in %s", address);
	return found;
}

static bool make_game(macaw_record *r, const char *game, macaw_error *e)
{
	macaw_rules *rules = find_rules(r, game, e);
	if (rules && macaw_rules_errors(rules)) {
		api_fail(e, MACAW_INPUT, "its rules have errors");
		macaw_rules_free(rules);
		return false;
	}
	r->game = rules ? macaw_game_make(rules, NULL, e) : NULL;
	return r->game;
}

/* The position where the record begins, when it is not the initial one. */
static bool read_start(macaw_record *r, macaw_error *e)
{
	const json_t *start = get(r, "start");
	if (!json_is_array(start))
		return true;
	struct text all = {0};
	for (size_t i = 0; i < json_array_size(start); i++) {
		const char *fluent = json_string_value(json_array_get(start, i));
		text_printf(&all, "%s ", fluent ? fluent : "");
	}
	bool fine = macaw_position_parse(r->game, text_str(&all), r->position, e);
	text_free(&all);
	return fine;
}

/* Takes the JSON over. */
static macaw_record *open_record(json_t *json, const char *game, macaw_error *e)
{
	bool fine = false;
	macaw_record *r = calloc(1, sizeof *r);
	if (!r || !handle_open(&r->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		json_decref(json);
		free(r);
		return NULL;
	}
	r->json = json;
	if (!json_is_array(get(r, "moves")) || !(get(r, "rules") || get(r, "matchId") || game)) {
		api_fail(e, MACAW_INPUT, "this is no record of a match (it has no rules or no moves)");
		return give_up(r);
	}
	if (!make_game(r, game, e))
		return give_up(r);
	GUARD(&r->handle, e, give_up(r), begin(r));
	GUARD(&r->handle, e, give_up(r), fine = read_start(r, e));
	return fine ? r : give_up(r);
}

static macaw_record *fail_to_read(const json_error_t *why, macaw_error *e)
{
	if (why->line > 0)
		api_fail(e, MACAW_INPUT, "line %d: %s", why->line, why->text);
	else
		api_fail(e, MACAW_INPUT, "%s", why->text);
	return NULL;
}

macaw_record *macaw_record_read(const char *file, macaw_error *e)
{
	json_error_t why;
	api_clear(e);
	json_t *json = json_load_file(file ? file : "", 0, &why);
	return json ? open_record(json, NULL, e) : fail_to_read(&why, e);
}

macaw_record *macaw_record_parse(const char *text, size_t length, macaw_error *e)
{
	json_error_t why;
	api_clear(e);
	json_t *json = json_loadb(text, length, 0, &why);
	return json ? open_record(json, NULL, e) : fail_to_read(&why, e);
}

macaw_record *macaw_record_next(const char *text, size_t length, size_t *used, const char *game, macaw_error *e)
{
	json_error_t why;
	size_t blank = 0;
	api_clear(e);
	while (blank < length && strchr(" \t\r\n", text[blank]))
		blank++;
	*used = blank;
	if (blank == length)
		return NULL;
	json_t *json = json_loadb(text + blank, length - blank, JSON_DISABLE_EOF_CHECK, &why);
	*used = json ? blank + (size_t)why.position : length;
	return json ? open_record(json, game, e) : fail_to_read(&why, e);
}

/* ---- what is written down ---- */

macaw_game *macaw_record_game(const macaw_record *r)
{
	return r->game;
}

const char *macaw_record_name(const macaw_record *r)
{
	const char *name = json_string_value(get(r, "game"));
	return name ? name : macaw_game_name(r->game);
}

uint32_t macaw_record_steps(const macaw_record *r)
{
	return (uint32_t)json_array_size(get(r, "moves"));
}

/* Values by role: an object with their names, or (ggp.org) a list in their order. */
static json_t *of_role(const macaw_record *r, const json_t *values, uint32_t role)
{
	if (role >= macaw_game_roles(r->game))
		return NULL;
	return json_is_array(values) ? json_array_get(values, role) : json_object_get(values, r->roles[role]);
}

/* By the name of the one kind of record or of the other. */
static json_t *get_either(const macaw_record *r, const char *ours, const char *theirs)
{
	json_t *found = get(r, ours);
	return found ? found : get(r, theirs);
}

const char *macaw_record_player(const macaw_record *r, uint32_t role)
{
	return json_string_value(of_role(r, get_either(r, "players", "playerNamesFromHost"), role));
}

int macaw_record_goal(const macaw_record *r, uint32_t role)
{
	const json_t *goal = of_role(r, get_either(r, "goals", "goalValues"), role);
	return json_is_integer(goal) ? (int)json_integer_value(goal) : MACAW_NO_GOAL;
}

bool macaw_record_terminal(const macaw_record *r)
{
	return json_is_true(get_either(r, "terminal", "isCompleted"));
}

/* ---- step by step ---- */

/* Reads the joint move and makes it. */
static bool step(macaw_record *r, const json_t *joint, macaw_error *e)
{
	struct game *g = api_game(r->game);
	struct view v = game_look(r->worker, r->position);
	for (uint32_t role = 0; role < g->roles; role++) {
		const char *word = json_string_value(of_role(r, joint, role));
		bool legal = false;
		r->moves[role] = word ? game_find_move(g, role, word) : GAME_NONE;
		for (uint32_t i = v.start[role]; i < v.start[role + 1]; i++)
			legal |= v.legal[i] == r->moves[role];
		if (!legal) {
			api_fail(e, MACAW_INPUT, "step %u: %s of %s is not legal there", r->made + 1, word ? word : "nothing",
			         r->roles[role]);
			return false;
		}
	}
	game_next(r->worker, r->position, r->moves, r->position);
	r->made++;
	return true;
}

bool macaw_record_step(macaw_record *r, macaw_error *e)
{
	bool fine = false;
	api_clear(e);
	if (r->made >= macaw_record_steps(r))
		return false;
	GUARD(&r->handle, e, false, fine = step(r, json_array_get(get(r, "moves"), r->made), e));
	return fine;
}

uint32_t macaw_record_made(const macaw_record *r)
{
	return r->made;
}

const uint64_t *macaw_record_position(const macaw_record *r)
{
	return r->position;
}

const uint32_t *macaw_record_moves(const macaw_record *r)
{
	return r->made ? r->moves : NULL;
}

const char *macaw_record_why(const macaw_record *r, uint32_t role)
{
	return r->made ? json_string_value(of_role(r, json_array_get(get(r, "why"), r->made - 1), role)) : NULL;
}

static bool check(macaw_record *r, macaw_error *e)
{
	struct view v = game_look(r->worker, r->position);
	if (!get_either(r, "goals", "goalValues")) /* a match that was broken off has none */
		return true;
	for (uint32_t role = 0; role < api_game(r->game)->roles; role++)
		if (macaw_record_goal(r, role) != v.goals[role]) {
			api_fail(e, MACAW_INPUT, "the scores differ from what the rules say");
			return false;
		}
	if (macaw_record_terminal(r) == v.terminal)
		return true;
	api_fail(e, MACAW_INPUT, "the end differs from what the rules say");
	return false;
}

bool macaw_record_check(macaw_record *r, macaw_error *e)
{
	bool fine = false;
	api_clear(e);
	GUARD(&r->handle, e, false, fine = check(r, e));
	return fine;
}
