/* The match of a person: seats, the course of the moves, and beginning again after some of them. */
#include "cli/sitting.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/person.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define PREPARATION 10 /* seconds that players have before their first move, if you take so long */
#define PONDERING 600  /* seconds after which they stop thinking along */

macaw_stop sitting_stop, sitting_interrupted;

static void on_interrupt(int number)
{
	(void)number;
	macaw_stop_now(&sitting_interrupted);
	macaw_stop_now(&sitting_stop);
}

/* ---- the course of the match ---- */

const uint32_t *sitting_joint(const struct sitting *t, uint32_t step)
{
	return t->made.at + (size_t)step * t->roles;
}

const uint64_t *sitting_position(const struct sitting *t, uint32_t step)
{
	return t->at.at + step * t->words;
}

uint32_t sitting_steps(const struct sitting *t)
{
	return (uint32_t)(t->made.n / t->roles);
}

uint32_t sitting_choices(struct sitting *t, uint32_t step, uint32_t role)
{
	macaw_view v;
	return macaw_look(t->worker, sitting_position(t, step), &v) ? v.start[role + 1] - v.start[role] : 0;
}

static bool is_legal(const macaw_view *v, uint32_t role, uint32_t move)
{
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (v->legal[i] == move)
			return true;
	return false;
}

/* Adds a joint move after the present ones; false: it is not legal there. */
static bool push_joint(struct sitting *t, const uint32_t *joint)
{
	macaw_view v;
	const uint64_t *last = t->at.at + t->at.n - t->words;
	if (!macaw_look(t->worker, last, &v))
		return false;
	for (uint32_t r = 0; r < t->roles; r++)
		if (!is_legal(&v, r, joint[r]))
			return false;
	vec_extend(&t->made, t->roles);
	memmove(t->made.at + t->made.n - t->roles, joint, t->roles * sizeof *joint);
	vec_extend(&t->at, t->words);
	uint64_t *next = t->at.at + t->at.n - t->words;
	return macaw_next(t->worker, next - t->words, t->made.at + t->made.n - t->roles, next);
}

void sitting_start(struct sitting *t, const uint64_t *start)
{
	vec_set(&t->at, start ? start : macaw_position_initial(t->g), t->words);
	vec_clear(&t->made);
}

bool sitting_set(struct sitting *t, const uint32_t *joints, uint32_t steps, uint32_t from)
{
	t->made.n = (size_t)from * t->roles;
	t->at.n = (from + 1) * t->words;
	for (uint32_t i = 0; i < steps; i++)
		if (!push_joint(t, joints + (size_t)i * t->roles))
			return false;
	return true;
}

/* What was played; moves that were taken back are forgotten once another course is taken. */
static void note_joint(struct sitting *t, const macaw_match *m)
{
	uint32_t step = macaw_match_steps(m) - 1, *joint = NEW_ARRAY(uint32_t, t->roles);
	for (uint32_t r = 0; r < t->roles; r++)
		joint[r] = macaw_match_made(m, step, r).move;
	if (step >= sitting_steps(t) || memcmp(joint, sitting_joint(t, step), t->roles * sizeof *joint))
		sitting_set(t, joint, 1, step);
	mem_free(joint);
}

/* ---- players ---- */

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

uint32_t sitting_think(struct chair *c, const macaw_stop *stop, macaw_thought *thought)
{
	const struct sitting_options *o = c->t->o;
	macaw_budget b = {.seconds = o->playouts ? 0 : o->clock, .playouts = o->playouts, .stop = unconst(stop)};
	thinking_begin(&c->t->thinking, c->role);
	bool fine = macaw_player_think(c->player, &b, thought);
	thinking_end(&c->t->thinking);
	return fine ? thought->move : MACAW_NONE;
}

/* While you think: what a start clock is for, then pondering. */
static void think_along(struct chair *c)
{
	struct sitting *t = c->t;
	if (!t->o->ponder || t->o->playouts || macaw_game_hidden(t->g))
		return;
	if (!c->prepared) {
		macaw_player_start(c->player, &(macaw_budget){.seconds = PREPARATION, .stop = &t->answered});
		c->prepared = !macaw_stopped(&t->answered);
	}
	if (!macaw_stopped(&t->answered))
		macaw_player_ponder(c->player, &(macaw_budget){.seconds = PONDERING, .stop = &t->answered});
}

static uint32_t player_moves(struct chair *c, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	macaw_thought thought;
	if (turn->legal_count == 1) {
		think_along(c);
		return turn->legal[0];
	}
	uint32_t move = sitting_think(c, b->stop, &thought);
	if (move != MACAW_NONE)
		snprintf(why, room, "%s", thought.why);
	return move;
}

/* ---- you ---- */

static void read_choice(struct sitting *t, const macaw_turn *turn)
{
	vec_clear(&t->moves);
	for (uint32_t i = 0; i < turn->legal_count; i++)
		vec_push(&t->moves, macaw_game_move(t->g, turn->legal[i]));
	sitting_completions(t);
	line_words(t->line, (const char *const *)t->completions.at, t->completions.n);
}

/* MACAW_NONE: you leave, or the match is to begin again. */
static uint32_t ask_you(struct sitting *t, const macaw_turn *turn)
{
	struct text line = {0}, prompt = {0};
	uint32_t chosen = MACAW_NONE;
	text_printf(&prompt, "%s> ", macaw_game_role(t->g, t->you));
	for (;;) {
		enum line_end end = line_read(t->line, text_str(&prompt), 0, &sitting_stop, &line);
		if (end != LINE_TYPED) {
			t->leaving = LEAVE;
			macaw_stop_now(&sitting_stop);
			break;
		}
		if (!line.n)
			continue;
		enum word_effect effect = sitting_word(t, text_str(&line), turn);
		if (effect == WORD_GO)
			break;
		if (effect == WORD_STAY)
			continue;
		uint32_t place = person_understand(t->moves.at, turn->legal_count, text_str(&line));
		if (place != PERSON_NONE) {
			chosen = turn->legal[place];
			break;
		}
	}
	text_free(&line);
	text_free(&prompt);
	return chosen;
}

static uint32_t you_move(struct chair *c, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct sitting *t = c->t;
	if (turn->legal_count == 1 || t->automatic)
		macaw_stop_now(&t->answered);
	if (turn->legal_count == 1)
		return turn->legal[0];
	if (!t->automatic) {
		thinking_quiet(&t->thinking, true);
		read_choice(t, turn);
		show_choice(t);
		uint32_t move = ask_you(t, turn);
		macaw_stop_now(&t->answered);
		thinking_quiet(&t->thinking, false);
		if (move != MACAW_NONE || !t->automatic || t->leaving)
			return move;
	}
	t->automatic -= t->automatic > 0;
	return player_moves(c, turn, b, why, room);
}

static uint32_t seat_moves(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct chair *c = self;
	struct sitting *t = c->t;
	inform(c, turn);
	if (turn->step < t->replayed) /* it was made before */
		return turn->legal[0];
	return (c->role == t->you ? you_move : player_moves)(c, turn, b, why, room);
}

/* ---- the match ---- */

static void write_record(struct sitting *t, const macaw_match *m)
{
	macaw_free(t->saved);
	t->saved = macaw_match_record(m, true);
	if (t->record.n)
		output_file("play", text_str(&t->record), t->saved);
}

/* After every step, and before the first. */
static void watch(void *context, const macaw_match *m)
{
	struct sitting *t = context;
	t->now = macaw_match_steps(m);
	macaw_stop_clear(&t->answered);
	if (t->now > t->replayed) {
		note_joint(t, m);
		show_joint(t, t->now - 1);
		if (t->knowledge)
			knowledge_step(t->knowledge, sitting_position(t, t->now - 1), sitting_joint(t, t->now - 1));
	}
	write_record(t, m);
}

/* What your role knows after the steps that stand. */
static void begin_knowledge(struct sitting *t)
{
	knowledge_free(t->knowledge);
	t->knowledge = macaw_game_hidden(t->g) ? knowledge_new(t->g, t->you) : NULL;
	for (uint32_t i = 0; t->knowledge && i < t->kept; i++)
		knowledge_step(t->knowledge, sitting_position(t, i), sitting_joint(t, i));
}

static bool take_chair(struct sitting *t, uint32_t role, macaw_seat *seat)
{
	macaw_error error;
	struct chair *c = &t->chairs[role];
	if (macaw_game_hidden(t->g)) { /* what a player has seen cannot be taken from it */
		macaw_player_free(c->player);
		*c = (struct chair){0};
	}
	if (!c->player) {
		*c = (struct chair){.t = t, .role = role};
		c->player = macaw_player_new(t->g, role, t->o->player, hash_join(t->o->seed, role), &error);
		if (!c->player)
			fprintf(stderr, "macaw play: %s\n", error.text);
	}
	*seat = (macaw_seat){.name = role == t->you ? "human" : t->o->player, .self = c, .move = seat_moves};
	return c->player;
}

static bool take_chairs(struct sitting *t)
{
	for (uint32_t r = 0, n = 0; r < t->roles; r++)
		if (r != macaw_game_random(t->g) && !take_chair(t, r, &t->seats[n++]))
			return false;
	return true;
}

/* One match, from the steps that stand to the end or until it is left. The referee has no clock here: each player keeps
 * to its own. */
static int play_once(struct sitting *t)
{
	macaw_error error;
	const uint64_t *start = sitting_position(t, 0);
	t->replayed = t->kept;
	macaw_match_options o = {.playouts = 1,
	                         .together = true,
	                         .seed = t->o->seed,
	                         .position = macaw_position_equal(t->g, start, macaw_position_initial(t->g)) ? NULL : start,
	                         .made = t->made.at,
	                         .made_steps = t->kept,
	                         .stop = &sitting_stop,
	                         .watch = watch,
	                         .context = t};
	macaw_match *m = macaw_match_play(t->g, t->seats, macaw_game_players(t->g), &o, &error);
	if (!m) {
		fprintf(stderr, "macaw play: %s\n", error.text);
		return error.status == MACAW_USAGE ? EXIT_USAGE : EXIT_MACHINE;
	}
	if (!t->leaving && macaw_stopped(&sitting_interrupted)) {
		t->leaving = t->automatic ? AGAIN : LEAVE;
		t->automatic = 0;
		t->kept = t->now;
	}
	if (!t->leaving)
		show_end(t, m);
	macaw_match_free(m);
	return EXIT_DONE;
}

static int play(struct sitting *t)
{
	int status;
	do {
		macaw_stop_clear(&sitting_stop);
		macaw_stop_clear(&sitting_interrupted);
		t->leaving = STAY;
		if (!take_chairs(t))
			return EXIT_USAGE;
		if (!t->greeted)
			show_greeting(t);
		t->greeted = true;
		begin_knowledge(t);
		status = play_once(t);
	} while (!status && t->leaving == AGAIN);
	if (!status)
		show_farewell(t);
	return status;
}

static void free_sitting(struct sitting *t)
{
	for (uint32_t r = 0; t->chairs && r < t->roles; r++)
		macaw_player_free(t->chairs[r].player);
	for (size_t i = 0; i < t->completions.n; i++)
		mem_free(t->completions.at[i]);
	mem_free(t->chairs);
	mem_free(t->seats);
	knowledge_free(t->knowledge);
	macaw_worker_free(t->worker);
	macaw_drawing_free(t->drawing);
	line_close(t->line);
	macaw_free(t->saved);
	text_free(&t->record);
	vec_free(&t->made);
	vec_free(&t->at);
	vec_free(&t->moves);
	vec_free(&t->completions);
}

int sitting_play(macaw_game *g, const struct sitting_options *o)
{
	macaw_error error;
	struct sitting t = {.o = o, .g = g, .roles = macaw_game_roles(g), .you = o->you, .words = macaw_position_words(g)};
	struct sigaction action = {.sa_handler = on_interrupt}, old;
	int status = EXIT_MACHINE;
	t.chairs = NEW_ARRAY(struct chair, t.roles);
	t.seats = NEW_ARRAY(macaw_seat, t.roles);
	t.worker = macaw_worker_new(g, &error);
	t.drawing = t.worker ? macaw_drawing_new(g, &error) : NULL;
	sitting_start(&t, o->start);
	text_puts(&t.record, o->record ? o->record : "");
	t.kept = o->made_steps;
	if (t.drawing && sitting_set(&t, o->made, o->made_steps, 0)) {
		t.line = line_open();
		thinking_open(&t.thinking, g);
		sigaction(SIGINT, &action, &old);
		status = play(&t);
		sigaction(SIGINT, &old, NULL);
		thinking_close(&t.thinking);
	} else {
		fprintf(stderr, "macaw play: %s\n", t.drawing ? "the moves to begin with are not legal" : error.text);
	}
	free_sitting(&t);
	return status;
}
