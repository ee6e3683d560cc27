/* Shows the position and the moves to a person, and reads the answer until the clock runs out. */
#include "cli/terminal_seat.h"

#include "cli/person.h"
#include "macaw/drawing.h"
#include "show/terminal.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY 50 /* milliseconds: how soon it is noticed that time is up */

struct terminal_seat {
	macaw_game *game;
	uint32_t role;
	macaw_drawing *drawing;
	pthread_mutex_t *turn;
	VEC(const char *) texts; /* of the legal moves */
};

static bool is_over(double until, const macaw_budget *b)
{
	return clock_now() >= until || (b->stop && macaw_stopped(b->stop));
}

/* Whole lines only, without waiting beyond the budget. */
static bool read_line(double until, const macaw_budget *b, char *line, size_t size)
{
	size_t n = 0;
	while (!is_over(until, b)) {
		struct pollfd p = {STDIN_FILENO, POLLIN, 0};
		if (poll(&p, 1, LOOK_EVERY) <= 0)
			continue;
		char c;
		if (read(STDIN_FILENO, &c, 1) != 1)
			return false;
		if (c == '\n') {
			line[n] = 0;
			return true;
		}
		if (n + 1 < size)
			line[n++] = c;
	}
	return false;
}

static void show(struct terminal_seat *s, const macaw_turn *t)
{
	puts("");
	if (t->position) {
		char *board = macaw_drawing_text(s->drawing, t->position);
		fputs(board ? board : "", stdout);
		macaw_free(board);
	}
	for (uint32_t i = 0; i < t->seen_count; i++)
		printf("%s%s", i ? " " : "  you see: ", macaw_game_percept(s->game, t->seen[i]));
	printf("%s, your moves:\n", macaw_game_role(s->game, s->role));
	vec_clear(&s->texts);
	for (uint32_t i = 0; i < t->legal_count; i++)
		vec_push(&s->texts, macaw_game_move(s->game, t->legal[i]));
	person_moves(s->texts.at, t->legal_count);
}

static uint32_t ask(struct terminal_seat *s, const macaw_turn *t, double until, const macaw_budget *b, char *why,
                    size_t room)
{
	char line[512];
	show(s, t);
	for (;;) {
		printf("(%.0f s) > ", until - clock_now());
		fflush(stdout);
		if (!read_line(until, b, line, sizeof line)) {
			puts("");
			snprintf(why, room, "%s", is_over(until, b) ? "no move was typed in time" : "end of the person's input");
			return MACAW_NONE;
		}
		if (!strcmp(line, "moves")) {
			person_moves(s->texts.at, t->legal_count);
		} else if (*line) {
			uint32_t place = person_understand(s->texts.at, t->legal_count, line);
			if (place != PERSON_NONE)
				return t->legal[place];
		}
	}
}

static uint32_t move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct terminal_seat *s = self;
	double until = clock_now() + b->seconds;
	if (t->legal_count == 1)
		return t->legal[0];
	pthread_mutex_lock(s->turn);
	uint32_t chosen = ask(s, t, until, b, why, room);
	pthread_mutex_unlock(s->turn);
	return chosen;
}

struct terminal_seat *terminal_seat_new(macaw_game *g, uint32_t role, pthread_mutex_t *turn, macaw_error *e)
{
	macaw_drawing *drawing = macaw_drawing_new(g, e);
	if (!drawing)
		return NULL;
	struct terminal_seat *s = NEW(struct terminal_seat);
	s->game = g;
	s->role = role;
	s->drawing = drawing;
	s->turn = turn;
	return s;
}

void terminal_seat_free(struct terminal_seat *s)
{
	macaw_drawing_free(s->drawing);
	vec_free(&s->texts);
	mem_free(s);
}

macaw_seat terminal_seat(struct terminal_seat *s)
{
	return (macaw_seat){.name = "human", .self = s, .move = move};
}
