/* Shows the position and the moves to a person, and reads the answer until the clock runs out. */
#include "cli/terminal_seat.h"

#include "cli/draw.h"
#include "cli/line.h"
#include "cli/person.h"

#include <stdio.h>
#include <string.h>

#define HINT_SECONDS 2.0 /* at most a quarter of what is left */

struct terminal_seat {
	macaw_game *game;
	uint32_t role;
	macaw_drawing *drawing;
	const struct draw_options *draw;
	macaw_player *adviser; /* gives the hints */
	struct line *line;     /* of the terminal, which persons share */
	pthread_mutex_t *turn;
	VEC(const char *) texts; /* of the legal moves */
};

/* The adviser follows the match by itself where the state is hidden. */
static void inform(struct terminal_seat *s, const macaw_turn *t)
{
	if (t->position)
		macaw_player_set(s->adviser, t->position, t->step);
	else if (t->step)
		macaw_player_inform_seen(s->adviser, t->own_last, t->seen, t->seen_count, t->legal, t->legal_count);
}

static void hint(struct terminal_seat *s, double left)
{
	macaw_thought thought;
	struct text what = {0}, out = {0};
	double seconds = left / 4 < HINT_SECONDS ? left / 4 : HINT_SECONDS;
	if (!macaw_player_think(s->adviser, &(macaw_budget){.seconds = seconds > 0.01 ? seconds : 0.01}, &thought))
		return;
	text_printf(&what, "%s (%s)", macaw_game_move(s->game, thought.move), thought.why);
	draw_remark("hint", text_str(&what), &out);
	fputs(text_str(&out), stdout);
	text_free(&what);
	text_free(&out);
}

static void show(struct terminal_seat *s, const macaw_turn *t)
{
	struct text out = {0};
	text_putc(&out, '\n');
	if (t->position)
		draw_position(s->drawing, s->draw, &(macaw_sight){.position = t->position, .last = t->last}, &out);
	if (t->seen_count) {
		text_puts(&out, "  you see:");
		for (uint32_t i = 0; i < t->seen_count; i++)
			text_printf(&out, " %s", macaw_game_percept(s->game, t->seen[i]));
		text_putc(&out, '\n');
	}
	text_printf(&out, "%s, your moves (`hint` asks a player, `moves` lists them again):\n",
	            macaw_game_role(s->game, s->role));
	fputs(text_str(&out), stdout);
	text_free(&out);
	vec_clear(&s->texts);
	for (uint32_t i = 0; i < t->legal_count; i++)
		vec_push(&s->texts, macaw_game_move(s->game, t->legal[i]));
	person_moves(s->texts.at, t->legal_count, NULL);
	line_words(s->line, s->texts.at, s->texts.n);
}

static uint32_t ask(struct terminal_seat *s, const macaw_turn *t, double until, const macaw_budget *b, char *why,
                    size_t room)
{
	struct text line = {0};
	uint32_t chosen = MACAW_NONE;
	show(s, t);
	while (chosen == MACAW_NONE) {
		char prompt[40];
		snprintf(prompt, sizeof prompt, "(%.0f s) > ", until - clock_now());
		enum line_end end = line_read(s->line, prompt, until, b->stop, &line);
		if (end != LINE_TYPED) {
			snprintf(why, room, "%s", end == LINE_OVER ? "end of the person's input" : "no move was typed in time");
			break;
		}
		if (!strcmp(text_str(&line), "moves")) {
			person_moves(s->texts.at, t->legal_count, NULL);
		} else if (!strcmp(text_str(&line), "hint")) {
			hint(s, until - clock_now());
		} else if (line.n) {
			uint32_t place = person_understand(s->texts.at, t->legal_count, text_str(&line));
			chosen = place == PERSON_NONE ? MACAW_NONE : t->legal[place];
		}
	}
	text_free(&line);
	return chosen;
}

static uint32_t move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct terminal_seat *s = self;
	double until = clock_now() + b->seconds;
	inform(s, t);
	if (t->legal_count == 1)
		return t->legal[0];
	pthread_mutex_lock(s->turn);
	uint32_t chosen = ask(s, t, until, b, why, room);
	pthread_mutex_unlock(s->turn);
	return chosen;
}

struct terminal_seat *terminal_seat_new(macaw_game *g, uint32_t role, pthread_mutex_t *turn, struct line *line,
                                        const struct draw_options *draw, macaw_error *e)
{
	macaw_drawing *drawing = macaw_drawing_new(g, e);
	macaw_player *adviser = drawing ? macaw_player_new(g, role, "macaw", 1, e) : NULL;
	if (!adviser) {
		macaw_drawing_free(drawing);
		return NULL;
	}
	struct terminal_seat *s = NEW(struct terminal_seat);
	s->game = g;
	s->role = role;
	s->drawing = drawing;
	s->draw = draw;
	s->adviser = adviser;
	s->line = line;
	s->turn = turn;
	return s;
}

void terminal_seat_free(struct terminal_seat *s)
{
	macaw_player_free(s->adviser);
	macaw_drawing_free(s->drawing);
	vec_free(&s->texts);
	mem_free(s);
}

macaw_seat terminal_seat(struct terminal_seat *s)
{
	return (macaw_seat){.name = "human", .self = s, .move = move};
}
