#include "match/seats.h"

#include "base/hash.h"

#include <string.h>

uint32_t seats_wanted(const struct game *g)
{
	return g->roles - (g->random < g->roles);
}

static char *copy(const char *s, size_t n)
{
	char *c = mem_alloc(n + 1, 1);
	memcpy(c, s, n);
	c[n] = 0;
	return c;
}

static void wrong_number(const struct game *g, uint32_t given, struct text *error)
{
	uint32_t wanted = seats_wanted(g), shown = 0;
	text_printf(error, "the game is for %u player%s (", wanted, wanted == 1 ? "" : "s");
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random) {
			text_puts(error, shown++ ? ", " : "");
			game_print_role(g, r, error);
		}
	text_printf(error, "), --players names %u", given);
}

static bool seat(struct seats *s, uint32_t role, uint64_t seed, struct text *error)
{
	s->players[role] = player_make(s->game, role, s->names[role], hash_join(seed, role), error);
	if (s->players[role])
		s->by_role[role] = contestant_of(s->players[role]);
	return s->players[role];
}

bool seats_make(struct seats *s, struct game *g, const char *list, uint64_t seed, struct text *error)
{
	uint32_t given = 0, wanted = seats_wanted(g);
	*s = (struct seats){.game = g};
	s->names = NEW_ARRAY(char *, g->roles);
	s->players = NEW_ARRAY(struct player *, g->roles);
	s->by_role = NEW_ARRAY(struct contestant, g->roles);
	if (g->random < g->roles)
		s->names[g->random] = copy("chance", 6);
	bool fine = true;
	for (const char *at = list; fine; given++) {
		size_t n = strcspn(at, ",");
		uint32_t role = given + (given >= g->random);
		if (given < wanted) {
			s->names[role] = copy(at, n);
			fine = seat(s, role, seed, error);
		}
		if (!at[n]) {
			given++;
			break;
		}
		at += n + 1;
	}
	if (fine && given != wanted) {
		wrong_number(g, given, error);
		fine = false;
	}
	if (!fine)
		seats_free(s);
	return fine;
}

void seats_free(struct seats *s)
{
	for (uint32_t r = 0; s->game && r < s->game->roles; r++) {
		player_free(s->players[r]);
		mem_free(s->names[r]);
	}
	mem_free(s->names);
	mem_free(s->players);
	mem_free(s->by_role);
	*s = (struct seats){0};
}
