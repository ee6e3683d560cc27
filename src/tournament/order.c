/* Orders are lines: the game, clock, round, seed, then the players by seat. Outcomes are lines as well: steps, then for
 * each seat score, late and illegal moves and what the player did, then the moves. Numbers of seconds are written in
 * full. */
#include "tournament/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void order_print(const struct tournament *t, const struct tournament_order *o, struct text *out)
{
	text_printf(out, "%s\n%a %llu %llu", t->games[o->game].name, o->clock, (unsigned long long)o->round,
	            (unsigned long long)o->seed);
	for (uint32_t i = 0; i < o->seats; i++)
		text_printf(out, "\n%s", o->players[i]);
}

static bool find_game(const struct tournament *t, const char *name, uint32_t *game)
{
	for (uint32_t g = 0; g < t->game_count; g++)
		if (!strcmp(t->games[g].name, name)) {
			*game = g;
			return true;
		}
	return false;
}

bool order_read(const struct tournament *t, char *text, struct tournament_order *o, const char ***players)
{
	unsigned long long round, seed;
	char *game = strsep(&text, "\n"), *numbers = strsep(&text, "\n");
	*players = NULL;
	if (!game || !numbers || !find_game(t, game, &o->game) ||
	    sscanf(numbers, "%la %llu %llu", &o->clock, &round, &seed) != 3)
		return false;
	o->round = round;
	o->seed = seed;
	o->seats = game_players(t->games[o->game].game);
	*players = NEW_ARRAY(const char *, o->seats);
	o->players = *players;
	for (uint32_t i = 0; i < o->seats; i++)
		if (!((*players)[i] = strsep(&text, "\n")))
			return false;
	return !text;
}

/* Score, late and illegal moves, and what the player did. */
static void print_seat(const struct tournament_outcome *o, uint32_t i, struct text *out)
{
	text_printf(out, "%d %llu %llu", o->goals[i], (unsigned long long)o->late[i], (unsigned long long)o->illegal[i]);
#define C(name, what) text_printf(out, " %llu", (unsigned long long)o->work[i].name);
	PLAY_COUNTERS(C)
#undef C
	text_printf(out, " %a\n", o->work[i].seconds);
}

/* The end of the line, or NULL. */
static const char *read_seat(const char *text, uint32_t i, struct tournament_outcome *o)
{
	unsigned long long late, illegal, count;
	int n = 0;
	if (sscanf(text, "%d %llu %llu%n", &o->goals[i], &late, &illegal, &n) != 3)
		return NULL;
	o->late[i] = late;
	o->illegal[i] = illegal;
	text += n;
#define C(name, what) \
	if (sscanf(text, "%llu%n", &count, &n) != 1) \
		return NULL; \
	o->work[i].name = count; \
	text += n;
	PLAY_COUNTERS(C)
#undef C
	return sscanf(text, "%la%n", &o->work[i].seconds, &n) == 1 ? text + n : NULL;
}

void outcome_print(const struct tournament_outcome *o, uint32_t seats, struct text *out)
{
	text_printf(out, "%llu\n", (unsigned long long)o->steps);
	for (uint32_t i = 0; i < seats; i++)
		print_seat(o, i, out);
	text_puts(out, text_str(&o->moves));
}

bool outcome_read(const char *text, uint32_t seats, struct tournament_outcome *o)
{
	unsigned long long steps;
	int n = 0;
	if (sscanf(text, "%llu%n", &steps, &n) != 1)
		return false;
	o->steps = steps;
	text += n;
	for (uint32_t i = 0; i < seats; i++)
		if (!(text = read_seat(text, i, o)))
			return false;
	text_puts(&o->moves, text + (*text == '\n'));
	return true;
}
