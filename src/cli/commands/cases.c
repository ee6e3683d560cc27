/* macaw cases FILE: in how many positions with known good moves does a player find one? A cheap
 * regression test of its strength.
 *
 * The file has one JSON object per line: {"game": "tictactoe", "moves": [{"x": …}, …],
 * "role": "x", "good": ["(mark 2 2)", …]}; moves lead from the start to the position. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/player.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct cases_options {
	struct load_options load;
	const char *player;
	double clock, least;
	int64_t playouts, seed;
	int clock_of;
	bool json;
};

#define FIELD(f) offsetof(struct cases_options, f)
static const struct opt options[] = {
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "the player to test", .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "seconds per move", .real = 0.2, .min = 0.001, .max = 1e6},
	{"clock-of", 0, OPT_CHOICE, FIELD(clock_of), "KIND",
     "what clocks count: time on the wall, or processor time of the player's threads, the same on a busy machine",
     .choices = "wall|cpu"},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "playouts (or nodes) per move instead of time", .min = 1,
     .max = 1e15},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"least", 0, OPT_REAL, FIELD(least), "SHARE", "exit with status 1 when a smaller share of cases is solved",
     .min = 0, .max = 1},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct cases_options, load),
	{0}};

struct cases {
	const struct cases_options *o;
	const char *path;
	size_t line, total, found;
	char *word; /* names the game `g`, kept because neighbouring cases often share it */
	macaw_game *g;
	struct text missed_text;
	struct json_writer missed;
};

static int bad(const struct cases *c, const char *what)
{
	fprintf(stderr, "macaw cases: %s:%zu: %s\n", c->path, c->line, what);
	return EXIT_INPUT;
}

static int load(struct cases *c, const char *word)
{
	int status = EXIT_DONE;
	if (c->word && !strcmp(c->word, word))
		return EXIT_DONE;
	macaw_game_free(c->g);
	mem_free(c->word);
	c->word = text_copy(word, strlen(word));
	c->g = load_word("cases", word, &c->o->load, &status);
	return status;
}

/* Makes the moves that lead to the position. */
static bool go_to(struct cases *c, macaw_worker *w, json_t *moves, uint64_t *position)
{
	uint32_t roles = macaw_game_roles(c->g), *made = NEW_ARRAY(uint32_t, roles);
	bool fine = true;
	memcpy(position, macaw_position_initial(c->g), macaw_position_words(c->g) * sizeof *position);
	for (size_t i = 0; i < json_array_size(moves) && fine; i++) {
		const json_t *joint = json_array_get(moves, i);
		macaw_view view; /* the interpreter knows the moves that it has met */
		fine = macaw_look(w, position, &view);
		for (uint32_t r = 0; r < roles && fine; r++) {
			const char *word = json_string_value(json_object_get(joint, macaw_game_role(c->g, r)));
			made[r] = word ? macaw_game_find_move(c->g, r, word) : MACAW_NONE;
			fine = made[r] != MACAW_NONE;
		}
		fine = fine && macaw_next(w, position, made, position);
	}
	mem_free(made);
	return fine;
}

/* Counts the answer, and reports it when it is none of the good ones. */
static void judge(struct cases *c, uint32_t role, const macaw_thought *t, const json_t *good)
{
	const char *played = macaw_game_move(c->g, t->move);
	bool found = false;
	for (size_t i = 0; i < json_array_size(good); i++) {
		const char *one = json_string_value(json_array_get(good, i));
		found |= one && macaw_game_find_move(c->g, role, one) == t->move;
	}
	c->total++;
	c->found += found;
	if (found)
		return;
	jsonw_object(&c->missed, NULL);
	jsonw_uint(&c->missed, "line", c->line);
	jsonw_text(&c->missed, "game", macaw_game_name(c->g));
	jsonw_text(&c->missed, "played", played);
	jsonw_text(&c->missed, "why", t->why);
	jsonw_end(&c->missed);
	if (!c->o->json)
		printf("%s:%zu: %s: played %s (%s)\n", c->path, c->line, macaw_game_name(c->g), played, t->why);
}

/* A case whose answer cannot be given is a mistake in the file. */
static int check_good(const struct cases *c, macaw_worker *w, const uint64_t *position, uint32_t role,
                      const json_t *good)
{
	macaw_view v;
	if (!macaw_look(w, position, &v))
		return bad(c, macaw_worker_error(w)->text);
	for (size_t i = 0; i < json_array_size(good); i++) {
		const char *one = json_string_value(json_array_get(good, i));
		uint32_t move = one ? macaw_game_find_move(c->g, role, one) : MACAW_NONE;
		bool legal = false;
		for (uint32_t k = v.start[role]; k < v.start[role + 1]; k++)
			legal |= v.legal[k] == move;
		if (!legal) {
			struct text why = {0};
			text_printf(&why, "the good move %s is not legal there", one ? one : "(no text)");
			int status = bad(c, text_str(&why));
			text_free(&why);
			return status;
		}
	}
	return EXIT_DONE;
}

static int ask(struct cases *c, const uint64_t *position, uint32_t role, const json_t *good)
{
	macaw_error error;
	macaw_thought thought;
	macaw_player *p = macaw_player_new(c->g, role, c->o->player, (uint64_t)c->o->seed, &error);
	if (!p)
		return bad(c, error.text);
	macaw_budget budget = {.seconds = c->o->playouts ? 0 : c->o->clock,
	                       .playouts = (uint64_t)c->o->playouts,
	                       .processor_time = c->o->clock_of};
	bool there = macaw_player_set(p, position, 0), fine = there && macaw_player_think(p, &budget, &thought);
	int status = fine ? EXIT_DONE : bad(c, there ? "nobody can move there" : macaw_player_error(p)->text);
	if (fine)
		judge(c, role, &thought, good);
	macaw_player_free(p);
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
	uint32_t role = macaw_game_find_role(c->g, role_word);
	if (role == MACAW_NONE)
		return bad(c, "there is no such role in the game");
	macaw_worker *w = macaw_worker_new(c->g, NULL);
	uint64_t *position = NEW_ARRAY(uint64_t, macaw_position_words(c->g));
	bool there = w && go_to(c, w, json_object_get(line, "moves"), position);
	status = there ? check_good(c, w, position, role, good) : bad(c, "a move is missing or unknown");
	if (!status)
		status = ask(c, position, role, good);
	mem_free(position);
	macaw_worker_free(w);
	return status;
}

static int try_all(struct cases *c, const char *at)
{
	int status = EXIT_DONE;
	for (const char *next; at && *at && !status; at = next) {
		size_t n = strcspn(at, "\n");
		next = at + n + (at[n] == '\n');
		c->line++;
		if (strspn(at, " \t\r") >= n)
			continue;
		json_error_t e;
		json_t *line = json_loadb(at, n, 0, &e);
		status = line ? try_case(c, line) : bad(c, e.text);
		json_decref(line);
	}
	return status;
}

static void print_json(const struct cases *c, double share)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "player", c->o->player);
	if (!c->o->playouts)
		jsonw_text(&w, "clock_of", c->o->clock_of ? "cpu" : "wall");
	jsonw_uint(&w, "cases", c->total);
	jsonw_uint(&w, "found", c->found);
	jsonw_real(&w, "share", share);
	jsonw_raw(&w, "missed", text_str(&c->missed_text));
	jsonw_end(&w);
	output_line(&out);
}

static int run(void *options_, int count, char **words)
{
	struct cases c = {.o = options_, .path = count == 1 ? words[0] : NULL};
	struct text text = {0}, error = {0};
	if (count != 1) {
		fprintf(stderr, "macaw cases: name one FILE with one case per line\n");
		return EXIT_USAGE;
	}
	if (!text_read_file(&text, words[0], (size_t)64 << 20, &error)) {
		fprintf(stderr, "macaw cases: %s\n", error.at);
		text_free(&error);
		return EXIT_INPUT;
	}
	c.missed.out = &c.missed_text;
	jsonw_array(&c.missed, NULL);
	int status = try_all(&c, text.at);
	jsonw_end(&c.missed);
	double share = c.total ? (double)c.found / (double)c.total : 0;
	if (!status && c.o->json)
		print_json(&c, share);
	else if (!status)
		printf("%s found %zu of %zu (%.0f%%)\n", c.o->player, c.found, c.total, 100 * share);
	if (!status && share < c.o->least)
		status = EXIT_INPUT;
	macaw_game_free(c.g);
	mem_free(c.word);
	text_free(&c.missed_text);
	text_free(&text);
	return status;
}

const struct command cmd_cases = {
	.name = "cases",
	.arguments = "FILE",
	.summary = "Ask a player for its move in positions with known answers",
	.details = "FILE has one JSON object per line: {\"game\": NAME, \"moves\": [{ROLE: MOVE, …}, …], \"role\": ROLE, "
			   "\"good\": [MOVE, …]}. The moves lead from the start of the game to the position.",
	.example = "macaw cases positions.jsonl --player uct --playouts 10000",
	.options = options,
	.size = sizeof(struct cases_options),
	.run = run,
};
