/* macaw play GAME --as ROLE: a person at the terminal against players. */
#include "show/board.h"
#include "cli/commands.h"
#include "cli/load_game.h"
#include "cli/person.h"

#include "match/seats.h"

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
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "who takes the others", .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time for a move of theirs", .real = 1, .min = 0.001, .max = 1e6},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	LOAD_OPTIONS(struct play_options, load),
	{0}};

struct sitting {
	const struct play_options *o;
	struct game *g;
	struct worker *w;
	struct seats seats; /* a player sits on every chair, also on yours: it gives the hints */
	uint32_t you;
	struct rng rng;
	struct board *board;
	VEC(uint64_t) states; /* from the start to now */
	VEC(uint32_t) joint;  /* the moves between */
	VEC(uint32_t) seen, seen_start;
	VEC(uint32_t) legal, start;
};

enum reply { REPLY_MOVE, REPLY_UNDO, REPLY_QUIT };

static uint64_t *now(struct sitting *t)
{
	return t->states.at + t->states.n - t->g->words;
}

static uint32_t steps(const struct sitting *t)
{
	return (uint32_t)(t->joint.n / t->g->roles);
}

/* What role r is told. */
static struct turn turn_of(struct sitting *t, uint32_t r)
{
	struct turn turn = {.step = steps(t), .own_last = GAME_NONE, .legal = t->legal.at + t->start.at[r]};
	turn.legal_count = t->start.at[r + 1] - t->start.at[r];
	turn.state = t->g->hidden ? NULL : now(t);
	if (turn.step) {
		const uint32_t *last = t->joint.at + t->joint.n - t->g->roles;
		turn.own_last = last[r];
		turn.last = t->g->hidden ? NULL : last;
		if (t->seen_start.n) {
			turn.seen = t->seen.at + t->seen_start.at[r];
			turn.seen_count = t->seen_start.at[r + 1] - t->seen_start.at[r];
		}
	}
	return turn;
}

static struct choice ask_player(struct sitting *t, uint32_t r)
{
	struct turn turn = turn_of(t, r);
	return player_move(t->seats.players[r], &turn, &(struct budget){.limit = limit_seconds(t->o->clock)});
}

/* Where the state is hidden, a player knows what it was told on the way: so the one on
 * your chair hears of every turn, with hardly any time to think, in case you ask it. */
static void tell_adviser(struct sitting *t)
{
	struct turn turn = turn_of(t, t->you);
	if (t->g->hidden)
		player_move(t->seats.players[t->you], &turn,
		            &(struct budget){.limit = limit_seconds(t->o->clock), .playouts = 1});
}

/* ---- you --------------------------------------------------------------------------------------- */

/* Where the state is hidden nothing is shown but what is perceived, when it is. */
static void show_position(struct sitting *t)
{
	struct text out = {0};
	if (!t->g->hidden)
		board_draw(t->board, now(t), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void show_percepts(const struct sitting *t)
{
	struct text out = {0};
	for (uint32_t i = t->seen_start.at[t->you]; i < t->seen_start.at[t->you + 1]; i++) {
		text_puts(&out, out.n ? " " : "  you see: ");
		game_print_percept(t->g, t->seen.at[i], &out);
	}
	if (out.n)
		puts(text_str(&out));
	text_free(&out);
}

static void hint(struct sitting *t)
{
	struct choice c = ask_player(t, t->you);
	struct text out = {0};
	game_print_move(t->g, c.move, &out);
	printf("  %s (%s)\n", text_str(&out), c.why);
	text_free(&out);
}

static bool is_word(const char *line, const char *word)
{
	return !strcasecmp(line, word) || (tolower((unsigned char)line[0]) == word[0] && !line[1]);
}

/* The legal moves as texts, for a person to choose from. */
struct choice_of_moves {
	VEC(const char *) texts;
	struct text all;
};

static void print_moves(const struct game *g, const struct turn *turn, struct choice_of_moves *c)
{
	VEC(size_t) starts = {0};
	for (uint32_t i = 0; i < turn->legal_count; i++) {
		vec_push(&starts, c->all.n);
		game_print_move(g, turn->legal[i], &c->all);
		text_add(&c->all, "", 1);
	}
	for (size_t i = 0; i < starts.n; i++)
		vec_push(&c->texts, c->all.at + starts.at[i]);
	vec_free(&starts);
}

static enum reply read_reply(struct sitting *t, const struct turn *turn, const struct choice_of_moves *c, uint32_t *move)
{
	char line[512];
	for (;;) {
		fputs("> ", stdout);
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin))
			return REPLY_QUIT;
		line[strcspn(line, "\r\n")] = 0;
		if (is_word(line, "quit"))
			return REPLY_QUIT;
		if (is_word(line, "undo"))
			return REPLY_UNDO;
		if (is_word(line, "hint"))
			hint(t);
		else if (is_word(line, "moves") || !strcmp(line, "?"))
			person_moves(c->texts.at, turn->legal_count);
		else if (*line) {
			uint32_t place = person_understand(c->texts.at, turn->legal_count, line);
			if (place == PERSON_NONE)
				continue;
			*move = turn->legal[place];
			return REPLY_MOVE;
		}
	}
}

static enum reply ask_you(struct sitting *t, uint32_t *move)
{
	struct turn turn = turn_of(t, t->you);
	struct choice_of_moves c = {0};
	tell_adviser(t);
	*move = turn.legal[0];
	if (turn.legal_count == 1)
		return REPLY_MOVE;
	show_position(t);
	print_moves(t->g, &turn, &c);
	person_moves(c.texts.at, turn.legal_count);
	enum reply reply = read_reply(t, &turn, &c, move);
	vec_free(&c.texts);
	text_free(&c.all);
	return reply;
}

/* ---- the match ------------------------------------------------------------------------------- */

/* Back to where you had a choice before. */
static void undo(struct sitting *t)
{
	if (t->g->hidden || !t->joint.n) {
		puts(t->g->hidden ? "  What has been seen cannot be unseen: no undo here." : "  This is the start.");
		return;
	}
	do {
		t->joint.n -= t->g->roles;
		t->states.n -= t->g->words;
		struct view v = game_look(t->w, now(t));
		if (v.start[t->you + 1] - v.start[t->you] > 1)
			break;
	} while (t->joint.n);
	t->seen_start.n = 0;
}

static void choose_others(struct sitting *t, uint32_t *joint)
{
	for (uint32_t r = 0; r < t->g->roles; r++) {
		if (r == t->you)
			continue;
		uint32_t count = t->start.at[r + 1] - t->start.at[r];
		if (r == t->g->random)
			joint[r] = t->legal.at[t->start.at[r] + rng_below(&t->rng, count)];
		else
			joint[r] = ask_player(t, r).move;
	}
}

static void make_moves(struct sitting *t, const uint32_t *joint)
{
	uint32_t roles = t->g->roles, words = t->g->words;
	struct text out = {0};
	for (uint32_t r = 0; r < roles; r++) {
		if (t->g->hidden && r != t->you)
			continue;
		text_puts(&out, out.n ? ", " : "  ");
		game_print_role(t->g, r, &out);
		text_putc(&out, ' ');
		game_print_move(t->g, joint[r], &out);
	}
	puts(text_str(&out));
	text_free(&out);
	struct percepts p = game_sees(t->w, now(t), joint);
	vec_clear(&t->seen);
	vec_clear(&t->seen_start);
	for (uint32_t i = 0; i < p.start[roles]; i++)
		vec_push(&t->seen, p.seen[i]);
	for (uint32_t r = 0; r <= roles; r++)
		vec_push(&t->seen_start, p.start[r]);
	if (t->g->hidden)
		show_percepts(t);
	for (uint32_t r = 0; r < roles; r++)
		vec_push(&t->joint, joint[r]);
	vec_extend(&t->states, words);
	game_next(t->w, now(t) - words, joint, now(t));
}

/* False: over. */
static bool look(struct sitting *t, struct view *v)
{
	*v = game_look(t->w, now(t));
	vec_clear(&t->legal);
	vec_clear(&t->start);
	for (uint32_t i = 0; i < v->start[t->g->roles]; i++)
		vec_push(&t->legal, v->legal[i]);
	bool stuck = false;
	for (uint32_t r = 0; r <= t->g->roles; r++)
		vec_push(&t->start, v->start[r]);
	for (uint32_t r = 0; r < t->g->roles; r++)
		stuck |= v->start[r] == v->start[r + 1];
	return !v->terminal && !stuck && !worker_trouble(t->w);
}

static void play(struct sitting *t)
{
	uint32_t joint[t->g->roles];
	struct view v;
	vec_extend(&t->states, t->g->words);
	memcpy(now(t), t->g->initial, t->g->words * sizeof *t->g->initial);
	while (look(t, &v)) {
		enum reply reply = ask_you(t, &joint[t->you]);
		if (reply == REPLY_QUIT)
			return;
		if (reply == REPLY_UNDO) {
			undo(t);
			continue;
		}
		choose_others(t, joint);
		make_moves(t, joint);
	}
	show_position(t);
	for (uint32_t r = 0; r < t->g->roles; r++) {
		struct text role = {0};
		game_print_role(t->g, r, &role);
		if (r != t->g->random)
			printf("%s%s: %d\n", text_str(&role), r == t->you ? " (you)" : "", v.goals[r]);
		text_free(&role);
	}
}

static int sit_down(struct sitting *t, struct loaded *l)
{
	struct text list = {0}, error = {0};
	t->g = l->game;
	t->you = t->g->random == 0 ? 1 : 0;
	if (t->o->as)
		t->you = game_find_role(t->g, t->o->as);
	if (t->you >= t->g->roles || t->you == t->g->random) {
		fprintf(stderr, "macaw play: there is no role '%s' for you; there are", t->o->as ? t->o->as : "");
		for (uint32_t r = 0; r < t->g->roles; r++)
			if (r != t->g->random) {
				list.n = 0;
				game_print_role(t->g, r, &list);
				fprintf(stderr, " %s", text_str(&list));
			}
		fputc('\n', stderr);
		text_free(&list);
		return EXIT_USAGE;
	}
	for (uint32_t i = 0; i < game_players(t->g); i++)
		text_printf(&list, "%s%s", i ? "," : "", t->o->player);
	bool fine = seats_make(&t->seats, t->g, text_str(&list), false, (uint64_t)t->o->seed, &error);
	if (!fine)
		fprintf(stderr, "macaw play: %s\n", text_str(&error));
	text_free(&list);
	text_free(&error);
	return fine ? EXIT_DONE : EXIT_USAGE;
}

static int run(void *options_, int count, char **words)
{
	struct sitting t = {.o = options_};
	struct loaded l = {0};
	if (count != 1) {
		fprintf(stderr, "macaw play: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	int status = load_game("play", words[0], &t.o->load, &l);
	if (!status)
		status = sit_down(&t, &l);
	if (!status) {
		t.w = worker_new(t.g);
		t.board = board_make(t.g);
		t.rng = rng_seed((uint64_t)t.o->seed);
		play(&t);
		board_free(t.board);
		worker_free(t.w);
		vec_free(&t.states);
		vec_free(&t.joint);
		vec_free(&t.seen);
		vec_free(&t.seen_start);
		vec_free(&t.legal);
		vec_free(&t.start);
	}
	seats_free(&t.seats);
	load_game_free(&l);
	return status;
}

const struct command cmd_play = {
	.name = "play",
	.arguments = "GAME",
	.summary = "Play yourself, in the terminal",
	.details = "Moves are numbered; type a number, a move (brackets do not matter) or the beginning of one. undo takes "
               "your last "
			   "move back, hint asks a player, moves lists them again, quit ends. Where the state is hidden you are shown "
			   "what your role sees, and a hint comes from a player that was told no more than that.",
	.options = options,
	.size = sizeof(struct play_options),
	.run = run,
};
