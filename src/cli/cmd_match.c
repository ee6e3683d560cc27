/* macaw match GAME --players A,B,…: one match, here and now. */
#include "cli/board.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "cli/table.h"

#include "base/rng.h"

#include <stddef.h>
#include <string.h>

struct match_options {
	struct load_options load;
	const char *players;
	int64_t seed, max_steps;
	bool watch, json;
};

#define FIELD(f) offsetof(struct match_options, f)
static const struct opt options[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "A,B,…", "who plays, a name for each role: random, legal"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give the match up after so many steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves and the state after each step"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct match_options, load),
	{0}};

/* ---- players --------------------------------------------------------------------------- */

/* Picks one of `n` legal moves. */
typedef uint32_t (*choose_fn)(const uint32_t *moves, uint32_t n, struct rng *rng);

static uint32_t choose_random(const uint32_t *moves, uint32_t n, struct rng *rng)
{
	return moves[rng_below(rng, n)];
}

static uint32_t choose_first(const uint32_t *moves, uint32_t n, struct rng *rng)
{
	(void)n, (void)rng;
	return moves[0];
}

static const struct player {
	const char *name, *what;
	choose_fn choose;
} players[] = {
	{"random", "any legal move, all alike", choose_random},
	{"legal", "the first legal move", choose_first},
};

enum { PLAYERS = sizeof players / sizeof *players };

static const struct player *find_player(const char *name, size_t length)
{
	for (size_t i = 0; i < PLAYERS; i++)
		if (strlen(players[i].name) == length && !strncmp(players[i].name, name, length))
			return &players[i];
	return NULL;
}

static void unknown_player(const char *name, size_t length)
{
	const char *names[PLAYERS + 1] = {NULL};
	char word[64];
	for (size_t i = 0; i < PLAYERS; i++)
		names[i] = players[i].name;
	snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
	const char *near = opt_nearest(word, names);
	fprintf(stderr, "macaw match: there is no player '%s'", word);
	if (near)
		fprintf(stderr, " (did you mean '%s'?)", near);
	fprintf(stderr, "\nPlayers:\n");
	for (size_t i = 0; i < PLAYERS; i++)
		fprintf(stderr, "  %-8s %s\n", players[i].name, players[i].what);
}

/* ---- a match ------------------------------------------------------------------------------ */

struct match {
	const struct match_options *o;
	struct game *g;
	struct worker *w;
	const struct player **by_role; /* chance is played by random */
	struct rng rng;
	uint64_t *state;
	uint32_t *moves, steps;
	struct view view;
	struct board *board;
	json_t *record; /* joint moves */
	bool stuck, cut;
};

static int seat_players(struct match *m, const char *list)
{
	uint32_t wanted = m->g->roles - (m->g->random < m->g->roles), given = 0;
	for (uint32_t r = 0; r < m->g->roles; r++)
		m->by_role[r] = &players[0];
	for (const char *s = list;; given++) {
		size_t n = strcspn(s, ",");
		const struct player *p = find_player(s, n);
		if (!p) {
			unknown_player(s, n);
			return EXIT_USAGE;
		}
		if (given < wanted)
			m->by_role[given + (given >= m->g->random)] = p;
		if (!s[n]) {
			given++;
			break;
		}
		s += n + 1;
	}
	if (given == wanted)
		return EXIT_DONE;
	struct text roles = {0};
	for (uint32_t r = 0; r < m->g->roles; r++)
		if (r != m->g->random) {
			text_puts(&roles, roles.n ? ", " : "");
			game_print_role(m->g, r, &roles);
		}
	fprintf(stderr, "macaw match: the game is for %u player%s (%s), --players names %u\n", wanted,
	        wanted == 1 ? "" : "s", text_str(&roles), given);
	text_free(&roles);
	return EXIT_USAGE;
}

/* False when a role has no legal move. */
static bool choose_moves(struct match *m)
{
	for (uint32_t r = 0; r < m->g->roles; r++) {
		uint32_t n = m->view.start[r + 1] - m->view.start[r];
		if (!n)
			return false;
		m->moves[r] = m->by_role[r]->choose(m->view.legal + m->view.start[r], n, &m->rng);
	}
	return true;
}

static void note_moves(struct match *m, struct text *out)
{
	json_t *joint = m->o->json ? json_object() : NULL;
	if (m->o->watch)
		text_printf(out, "\nstep %u:", m->steps + 1);
	for (uint32_t r = 0; r < m->g->roles; r++) {
		struct text role = {0}, move = {0};
		game_print_role(m->g, r, &role);
		game_print_move(m->g, m->moves[r], &move);
		if (m->o->watch)
			text_printf(out, "%s %s %s", r ? "," : "", text_str(&role), text_str(&move));
		if (joint)
			json_object_set_new(joint, text_str(&role), json_string(text_str(&move)));
		text_free(&role);
		text_free(&move);
	}
	if (m->o->watch)
		text_putc(out, '\n');
	if (joint)
		json_array_append_new(m->record, joint);
}

static void draw(struct match *m, struct text *out)
{
	if (!m->o->watch)
		return;
	board_draw(m->board, m->state, out);
	fputs(text_str(out), stdout);
	fflush(stdout);
	out->n = 0;
}

static void play(struct match *m)
{
	struct text out = {0};
	memcpy(m->state, m->g->initial, m->g->words * sizeof *m->state);
	draw(m, &out);
	for (;; m->steps++) {
		m->view = game_look(m->w, m->state);
		if (m->view.terminal || worker_trouble(m->w))
			break;
		if ((m->stuck = !choose_moves(m)) || (m->cut = m->steps >= m->o->max_steps))
			break;
		note_moves(m, &out);
		game_next(m->w, m->state, m->moves, m->state);
		draw(m, &out);
	}
	text_free(&out);
}

/* ---- reports --------------------------------------------------------------------------------- */

static const char *player_name(const struct match *m, uint32_t role)
{
	return role == m->g->random ? "chance" : m->by_role[role]->name;
}

static void print_text(const struct match *m)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	text_table_row(&t);
	text_table_cell(&t, "role");
	text_table_cell(&t, "player");
	text_table_cell(&t, "score");
	for (uint32_t r = 0; r < m->g->roles; r++) {
		struct text role = {0};
		game_print_role(m->g, r, &role);
		text_table_row(&t);
		text_table_cell(&t, "%s", text_str(&role));
		text_table_cell(&t, "%s", player_name(m, r));
		text_table_cell(&t, m->view.goals[r] == GOAL_NONE ? "none" : "%d", m->view.goals[r]);
		text_free(&role);
	}
	text_printf(&out, "%s%u step%s%s\n\n", m->o->watch ? "\n" : "", m->steps, m->steps == 1 ? "" : "s",
	            m->stuck ? "; stuck: a role has no legal move"
	            : m->cut ? "; given up (--max-steps)"
	                     : "");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
}

static void print_json(const struct match *m, const struct loaded *l)
{
	json_t *who = json_object(), *goals = json_object();
	for (uint32_t r = 0; r < m->g->roles; r++) {
		struct text role = {0};
		int value = m->view.goals[r];
		game_print_role(m->g, r, &role);
		json_object_set_new(who, text_str(&role), json_string(player_name(m, r)));
		json_object_set_new(goals, text_str(&role), value == GOAL_NONE ? json_null() : json_integer(value));
		text_free(&role);
	}
	json_finish(json_pack("{s:o, s:o, s:I, s:s, s:I, s:b, s:b, s:o, s:O}", "game", json_text(text_str(&l->name)),
	                      "players", who, "seed", (json_int_t)m->o->seed, "engine", load_engine_name(m->g), "steps",
	                      (json_int_t)m->steps, "terminal", m->view.terminal, "stuck", m->stuck, "goals", goals,
	                      "moves", m->record));
}

static int play_match(const struct match_options *o, struct loaded *l)
{
	struct match m = {.o = o, .g = l->game, .rng = rng_seed((uint64_t)o->seed)};
	m.by_role = NEW_ARRAY(const struct player *, m.g->roles);
	int status = seat_players(&m, o->players);
	if (!status) {
		m.w = worker_new(m.g);
		m.state = NEW_ARRAY(uint64_t, m.g->words);
		m.moves = NEW_ARRAY(uint32_t, m.g->roles);
		m.board = o->watch ? board_make(m.g) : NULL;
		m.record = json_array();
		play(&m);
		if (worker_trouble(m.w)) {
			fprintf(stderr, "macaw match: the interpreter gave up: %s\n", worker_trouble(m.w));
			status = EXIT_INPUT;
		} else if (o->json) {
			print_json(&m, l);
		} else {
			print_text(&m);
		}
		json_decref(m.record);
		board_free(m.board);
		mem_free(m.moves);
		mem_free(m.state);
		worker_free(m.w);
	}
	mem_free(m.by_role);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct match_options *o = options_;
	if (count != 1 || !o->players || (o->watch && o->json)) {
		fprintf(stderr, count != 1    ? "macaw match: name one GAME: a file, or a rulesheet in games/\n"
		                : !o->players ? "macaw match: say who plays, as in --players random,random\n"
		                              : "macaw match: choose one of --watch and --json\n");
		return EXIT_USAGE;
	}
	struct loaded l = {0};
	int status = load_game("match", words[0], &o->load, &l);
	if (!status)
		status = play_match(o, &l);
	load_game_free(&l);
	return status;
}

const struct command cmd_match = {
	.name = "match",
	.arguments = "GAME",
	.summary = "Play one match between players",
	.details =
		"Players are named in the order of the roles in the rules, one for each role; the role `random` plays by "
		"itself. random takes any legal move, legal the first one. --watch draws fluents that tell what is where "
		"as boards and lists the others.",
	.options = options,
	.size = sizeof(struct match_options),
	.run = run,
};
