/* macaw play GAME --as ROLE: a person at the terminal against players.
 *
 * All seats of the match are functions: yours asks the terminal, the others ask a player. To undo a move the
 * match is abandoned and played again, with the joint moves before that one repeated. */
#include "show/terminal.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/person.h"
#include "macaw/drawing.h"
#include "macaw/match.h"
#include "macaw/worker.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct play_options {
	struct load_options load;
	const char *as, *player;
	double clock;
	int64_t seed;
};

#define FIELD(f) offsetof(struct play_options, f)
static const struct opt options[] = {
	{"as", 'a', OPT_TEXT, FIELD(as), "ROLE", "the role you take (default: the first)"},
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "the player for the other roles", .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time per move of that player", .real = 1, .min = 0.001, .max = 1e6},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	LOAD_OPTIONS(struct play_options, load),
	{0}};

struct sitting;

/* A role and its player. Your role has one too: it gives the hints. */
struct chair {
	struct sitting *t;
	macaw_player *player;
	uint32_t role, known; /* the last step that the player has been informed of */
};

struct sitting {
	const struct play_options *o;
	macaw_game *g;
	struct chair *chairs; /* by role */
	macaw_seat *seats;
	uint32_t you;
	macaw_drawing *drawing;
	macaw_worker *worker;
	macaw_stop stop;
	bool quit, undone;
	VEC(uint32_t) made;    /* joint moves so far */
	VEC(uint32_t) choices; /* by step: how many moves you had */
	VEC(const char *) moves; /* that you have, as text */
	uint32_t kept;      /* steps of them to be made again */
};

/* The move that a seat made before, when the match is played again; else MACAW_NONE. */
static uint32_t made_before(const struct sitting *t, const macaw_turn *turn)
{
	return turn->step < t->kept ? t->made.at[(size_t)turn->step * macaw_game_roles(t->g) + turn->role] : MACAW_NONE;
}

/* Lets the player on a chair know of the turn. */
static void inform(struct chair *c, const macaw_turn *turn)
{
	if (turn->position)
		macaw_player_set(c->player, turn->position, turn->step);
	else if (turn->step != c->known)
		macaw_player_inform_seen(c->player, turn->own_last, turn->seen, turn->seen_count, turn->legal,
		                         turn->legal_count);
	c->known = turn->step;
}

static uint32_t think(struct chair *c, macaw_stop *stop, macaw_thought *thought)
{
	bool fine = macaw_player_think(c->player, &(macaw_budget){.seconds = c->t->o->clock, .stop = stop}, thought);
	return fine ? thought->move : MACAW_NONE;
}

static uint32_t player_moves(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct chair *c = self;
	macaw_thought thought;
	uint32_t move = made_before(c->t, turn);
	if (move != MACAW_NONE)
		return move;
	inform(c, turn);
	return think(c, b->stop, &thought);
}

/* ---- you --------------------------------------------------------------------------------------- */

/* Where the state is hidden nothing is shown but what is perceived, when it is. */
static void show_position(struct sitting *t, const uint64_t *position)
{
	char *board = position ? macaw_drawing_text(t->drawing, position) : NULL;
	fputs(board ? board : "", stdout);
	macaw_free(board);
}

static void hint(struct chair *c, macaw_stop *stop)
{
	macaw_thought thought;
	if (think(c, stop, &thought) != MACAW_NONE)
		printf("  %s (%s)\n", macaw_game_move(c->t->g, thought.move), thought.why);
}

static bool is_word(const char *line, const char *word)
{
	return !strcasecmp(line, word) || (tolower((unsigned char)line[0]) == word[0] && !line[1]);
}

/* Abandons the match, for good or to play it again. */
static uint32_t leave(struct sitting *t, bool *how)
{
	*how = true;
	macaw_stop_now(&t->stop);
	return MACAW_NONE;
}

/* Back to where you had a choice before. False: after a message that says why not. */
static bool undo(struct sitting *t, const macaw_turn *turn)
{
	if (!turn->position || !turn->step) {
		puts(!turn->position ? "  What has been seen cannot be unseen: no undo here." : "  This is the start.");
		return false;
	}
	t->kept = turn->step;
	do
		t->kept--;
	while (t->kept && t->choices.at[t->kept] == 1);
	t->made.n = (size_t)t->kept * macaw_game_roles(t->g);
	return true;
}

static void show_choice(struct sitting *t, const macaw_turn *turn)
{
	vec_clear(&t->moves);
	for (uint32_t i = 0; i < turn->legal_count; i++)
		vec_push(&t->moves, macaw_game_move(t->g, turn->legal[i]));
	show_position(t, turn->position);
	person_moves(t->moves.at, turn->legal_count);
}

/* MACAW_NONE: you leave. */
static uint32_t ask_you(struct chair *c, const macaw_turn *turn, macaw_stop *stop)
{
	struct sitting *t = c->t;
	char line[512];
	for (;;) {
		uint32_t move;
		fputs("> ", stdout);
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin))
			return leave(t, &t->quit);
		line[strcspn(line, "\r\n")] = 0;
		if (is_word(line, "quit"))
			return leave(t, &t->quit);
		if (is_word(line, "undo")) {
			if (undo(t, turn))
				return leave(t, &t->undone);
			show_choice(t, turn);
		} else if (is_word(line, "hint")) {
			hint(c, stop);
		} else if (is_word(line, "moves") || !strcmp(line, "?")) {
			person_moves(t->moves.at, turn->legal_count);
		} else if (*line && (move = person_understand(t->moves.at, turn->legal_count, line)) != PERSON_NONE) {
			return turn->legal[move];
		}
	}
}

static uint32_t you_move(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct chair *c = self;
	struct sitting *t = c->t;
	uint32_t move = made_before(t, turn);
	if (move != MACAW_NONE)
		return move;
	t->choices.n = turn->step;
	vec_push(&t->choices, turn->legal_count);
	inform(c, turn);
	if (turn->legal_count == 1)
		return turn->legal[0];
	show_choice(t, turn);
	return ask_you(c, turn, b->stop);
}

/* ---- the match ------------------------------------------------------------------------------- */

static void show_moves(const struct sitting *t, const uint32_t *joint)
{
	bool hidden = macaw_game_hidden(t->g), any = false;
	for (uint32_t r = 0; r < macaw_game_roles(t->g); r++) {
		if (hidden && r != t->you)
			continue;
		printf("%s%s %s", any ? ", " : "  ", macaw_game_role(t->g, r), macaw_game_move(t->g, joint[r]));
		any = true;
	}
	putchar('\n');
}

static void show_percepts(struct sitting *t, const uint64_t *before, const uint32_t *joint)
{
	macaw_seen seen;
	if (!macaw_game_hidden(t->g) || !macaw_sees(t->worker, before, joint, &seen))
		return;
	for (uint32_t i = seen.start[t->you]; i < seen.start[t->you + 1]; i++)
		printf("%s%s", i > seen.start[t->you] ? " " : "  you see: ", macaw_game_percept(t->g, seen.percepts[i]));
	if (seen.start[t->you] < seen.start[t->you + 1])
		putchar('\n');
}

/* After every step: what was played, unless it was played before. */
static void watch(void *context, const macaw_match *m)
{
	struct sitting *t = context;
	uint32_t steps = macaw_match_steps(m), roles = macaw_game_roles(t->g);
	if (!steps || steps <= t->kept)
		return;
	for (uint32_t r = 0; r < roles; r++)
		vec_push(&t->made, macaw_match_made(m, steps - 1, r).move);
	const uint32_t *joint = t->made.at + t->made.n - roles;
	show_moves(t, joint);
	show_percepts(t, macaw_match_position(m, steps - 1), joint);
}

static void show_end(struct sitting *t, const macaw_match *m)
{
	if (!macaw_game_hidden(t->g))
		show_position(t, macaw_match_position(m, macaw_match_steps(m)));
	for (uint32_t r = 0; r < macaw_game_roles(t->g); r++)
		if (r != macaw_game_random(t->g))
			printf("%s%s: %d\n", macaw_game_role(t->g, r), r == t->you ? " (you)" : "", macaw_match_goal(m, r));
}

/* The referee has no clock here: each player keeps to its own. */
static int play(struct sitting *t)
{
	macaw_match_options o = {
		.playouts = 1, .together = true, .seed = (uint64_t)t->o->seed, .stop = &t->stop, .watch = watch, .context = t};
	macaw_error error;
	do {
		macaw_stop_clear(&t->stop);
		t->undone = false;
		macaw_match *m = macaw_match_play(t->g, t->seats, macaw_game_players(t->g), &o, &error);
		if (!m) {
			fprintf(stderr, "macaw play: %s\n", error.text);
			return EXIT_MACHINE;
		}
		if (!t->undone && !t->quit)
			show_end(t, m);
		macaw_match_free(m);
	} while (t->undone);
	return EXIT_DONE;
}

/* ---- the command ------------------------------------------------------------------------------- */

static int complain_of_role(const struct sitting *t)
{
	fprintf(stderr, "macaw play: there is no role '%s' for you; there are", t->o->as ? t->o->as : "");
	for (uint32_t r = 0; r < macaw_game_roles(t->g); r++)
		if (r != macaw_game_random(t->g))
			fprintf(stderr, " %s", macaw_game_role(t->g, r));
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static bool take_chair(struct sitting *t, uint32_t role, macaw_seat *seat)
{
	macaw_error error;
	struct chair *c = &t->chairs[role];
	*c = (struct chair){.t = t, .role = role};
	c->player = macaw_player_new(t->g, role, t->o->player, hash_join((uint64_t)t->o->seed, role), &error);
	if (!c->player)
		fprintf(stderr, "macaw play: %s\n", error.text);
	*seat = (macaw_seat){.name = t->o->player, .self = c, .move = role == t->you ? you_move : player_moves};
	return c->player;
}

static int sit_down(struct sitting *t)
{
	uint32_t random = macaw_game_random(t->g), roles = macaw_game_roles(t->g), n = 0;
	t->you = random == 0 ? 1 : 0;
	if (t->o->as)
		t->you = macaw_game_find_role(t->g, t->o->as);
	if (t->you >= roles || t->you == random)
		return complain_of_role(t);
	t->chairs = NEW_ARRAY(struct chair, roles);
	t->seats = NEW_ARRAY(macaw_seat, roles);
	for (uint32_t r = 0; r < roles; r++)
		if (r != random && !take_chair(t, r, &t->seats[n++]))
			return EXIT_USAGE;
	t->drawing = macaw_drawing_new(t->g, NULL);
	t->worker = macaw_worker_new(t->g, NULL);
	return t->drawing && t->worker ? play(t) : EXIT_MACHINE;
}

static void stand_up(struct sitting *t)
{
	for (uint32_t r = 0; t->chairs && r < macaw_game_roles(t->g); r++)
		macaw_player_free(t->chairs[r].player);
	mem_free(t->chairs);
	mem_free(t->seats);
	macaw_worker_free(t->worker);
	macaw_drawing_free(t->drawing);
	vec_free(&t->made);
	vec_free(&t->choices);
	vec_free(&t->moves);
}

static int run(void *options_, int count, char **words)
{
	struct sitting t = {.o = options_};
	int status;
	if (count != 1) {
		fprintf(stderr, "macaw play: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	t.g = load_word("play", words[0], &t.o->load, &status);
	if (t.g) {
		status = sit_down(&t);
		stand_up(&t);
	}
	macaw_game_free(t.g);
	return status;
}

const struct command cmd_play = {
	.name = "play",
	.arguments = "GAME",
	.summary = "Play a game yourself, in the terminal",
	.details = "Moves are numbered; type a number, a move (parentheses may be left out) or the beginning of one. undo takes "
			   "your last move back, hint asks a player, moves lists the moves again, quit ends. Where the state is hidden "
			   "you are shown what your role sees, and a hint comes from a player that knows no more than that.",
	.options = options,
	.size = sizeof(struct play_options),
	.run = run,
};
