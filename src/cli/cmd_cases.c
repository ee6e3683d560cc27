/* macaw cases FILE: positions with the moves that are good there; how many does a
 * player find? A cheap guard against getting weaker.
 *
 * The file has a JSON object a line: {"game": "tictactoe", "moves": [{"x": …}, …],
 * "role": "x", "good": ["(mark 2 2)", …]}; moves lead from the start to the position. */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"

#include "play/player.h"

#include <stddef.h>
#include <string.h>

struct cases_options {
	struct load_options load;
	const char *player;
	double clock, least;
	int64_t playouts, seed;
	bool json;
};

#define FIELD(f) offsetof(struct cases_options, f)
static const struct opt options[] = {
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "who is asked", .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time for a move", .real = 0.2, .min = 0.001, .max = 1e6},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "playouts (or nodes) for a move instead of time", .min = 0,
     .max = 1e15},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"least", 0, OPT_REAL, FIELD(least), "SHARE", "exit with 1 when a smaller share is found", .min = 0, .max = 1},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct cases_options, load),
	{0}};

struct cases {
	const struct cases_options *o;
	const char *path;
	size_t line, total, found;
	char *loaded_word; /* the game of the case before is often that of the next */
	struct loaded loaded;
	json_t *missed;
};

static int bad(const struct cases *c, const char *what)
{
	fprintf(stderr, "macaw cases: %s:%zu: %s\n", c->path, c->line, what);
	return EXIT_INPUT;
}

static int load(struct cases *c, const char *word)
{
	if (c->loaded_word && !strcmp(c->loaded_word, word))
		return EXIT_DONE;
	load_game_free(&c->loaded);
	mem_free(c->loaded_word);
	c->loaded = (struct loaded){0};
	size_t n = strlen(word) + 1;
	c->loaded_word = memcpy(mem_alloc(n, 1), word, n);
	return load_game("cases", word, &c->o->load, &c->loaded);
}

/* Plays the moves that lead to the position. */
static bool go_to(struct cases *c, struct worker *w, json_t *moves, uint64_t *state)
{
	struct game *g = c->loaded.game;
	size_t i;
	json_t *joint;
	memcpy(state, g->initial, g->words * sizeof *state);
	json_array_foreach(moves, i, joint)
	{
		uint32_t m[g->roles];
		for (uint32_t r = 0; r < g->roles; r++) {
			struct text role = {0};
			game_print_role(g, r, &role);
			const char *word = json_string_value(json_object_get(joint, text_str(&role)));
			text_free(&role);
			m[r] = word ? game_find_move(g, r, word) : GAME_NONE;
			if (m[r] == GAME_NONE)
				return false;
		}
		game_next(w, state, m, state);
	}
	return true;
}

static int ask(struct cases *c, struct worker *w, const uint64_t *state, uint32_t role, json_t *good, json_t *line)
{
	struct game *g = c->loaded.game;
	struct text error = {0}, move = {0};
	struct view v = game_look(w, state);
	uint32_t n = v.start[role + 1] - v.start[role], *legal = mem_alloc(n + 1, sizeof *legal);
	memcpy(legal, v.legal + v.start[role], n * sizeof *legal);
	struct player *p = player_make(g, role, c->o->player, (uint64_t)c->o->seed, &error);
	int status = EXIT_DONE;
	if (!p || !n || v.terminal) {
		status = bad(c, !p ? text_str(&error) : "nobody can move there");
	} else {
		struct budget b = {.playouts = (uint64_t)c->o->playouts};
		if (!b.playouts)
			b.limit = limit_seconds(c->o->clock);
		struct turn t = {.state = state, .legal = legal, .legal_count = n, .own_last = GAME_NONE};
		struct choice choice = player_move(p, &t, &b);
		size_t i;
		json_t *one;
		bool found = false;
		json_array_foreach(good, i, one) found |=
			json_is_string(one) && game_find_move(g, role, json_string_value(one)) == choice.move;
		game_print_move(g, choice.move, &move);
		c->total++;
		c->found += found;
		if (!found) {
			json_array_append_new(c->missed,
			                      json_pack("{s:I, s:s, s:s, s:s}", "line", (json_int_t)c->line, "game",
			                                text_str(&c->loaded.name), "played", text_str(&move), "why", choice.why));
			if (!c->o->json)
				printf("%s:%zu: %s: played %s (%s)\n", c->path, c->line, text_str(&c->loaded.name), text_str(&move),
				       choice.why);
		}
	}
	player_free(p);
	mem_free(legal);
	text_free(&error);
	text_free(&move);
	return status;
}

static int try_case(struct cases *c, json_t *line)
{
	const char *game = json_string_value(json_object_get(line, "game"));
	const char *role_word = json_string_value(json_object_get(line, "role"));
	json_t *good = json_object_get(line, "good");
	if (!game || !role_word || !json_array_size(good))
		return bad(c, "a case needs game, role and good");
	int status = load(c, game);
	if (status)
		return status;
	struct game *g = c->loaded.game;
	uint32_t role = game_find_role(g, role_word);
	if (role == GAME_NONE)
		return bad(c, "there is no such role in the game");
	struct worker *w = worker_new(g);
	uint64_t *state = NEW_ARRAY(uint64_t, g->words);
	status = go_to(c, w, json_object_get(line, "moves"), state) ? ask(c, w, state, role, good, line)
	                                                            : bad(c, "a move is missing or unknown");
	mem_free(state);
	worker_free(w);
	return status;
}

static int run(void *options_, int count, char **words)
{
	struct cases c = {.o = options_, .path = count == 1 ? words[0] : NULL};
	struct text text = {0};
	if (count != 1) {
		fprintf(stderr, "macaw cases: name one FILE with a case a line\n");
		return EXIT_USAGE;
	}
	const char *message = text_read_file(&text, words[0], (size_t)64 << 20);
	if (message) {
		fprintf(stderr, "macaw cases: %s\n", message);
		return EXIT_INPUT;
	}
	int status = EXIT_DONE;
	c.missed = json_array();
	for (char *at = text.at, *next; at && *at && !status; at = next) {
		size_t n = strcspn(at, "\n");
		next = at + n + (at[n] == '\n');
		c.line++;
		if (strspn(at, " \t\r") >= n)
			continue;
		json_error_t e;
		json_t *line = json_loadb(at, n, 0, &e);
		status = line ? try_case(&c, line) : bad(&c, e.text);
		json_decref(line);
	}
	double share = c.total ? (double)c.found / (double)c.total : 0;
	if (!status && c.o->json)
		json_finish(json_pack("{s:s, s:I, s:I, s:f, s:O}", "player", c.o->player, "cases", (json_int_t)c.total, "found",
		                      (json_int_t)c.found, "share", share, "missed", c.missed));
	else if (!status)
		printf("%s found %zu of %zu (%.0f%%)\n", c.o->player, c.found, c.total, 100 * share);
	if (!status && share < c.o->least)
		status = EXIT_INPUT;
	load_game_free(&c.loaded);
	mem_free(c.loaded_word);
	json_decref(c.missed);
	text_free(&text);
	return status;
}

const struct command cmd_cases = {
	.name = "cases",
	.arguments = "FILE",
	.summary = "Ask a player for its move in positions with known answers",
	.details = "FILE has a JSON object a line: {\"game\": NAME, \"moves\": [{ROLE: MOVE, …}, …], \"role\": ROLE, "
               "\"good\": [MOVE, …]}. "
			   "The moves lead from the start of the game to the position.",
	.options = options,
	.size = sizeof(struct cases_options),
	.run = run,
};
