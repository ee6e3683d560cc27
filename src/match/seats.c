#include "match/seats.h"

#include "base/hash.h"

#include <string.h>

void seats_put_wanted(const struct game *g, struct text *out)
{
	uint32_t wanted = game_players(g), shown = 0;
	text_printf(out, "the game is for %u player%s (", wanted, wanted == 1 ? "" : "s");
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random) {
			text_puts(out, shown++ ? ", " : "");
			game_print_role(g, r, out);
		}
	text_puts(out, ")");
}

static bool seat(struct seats *s, uint32_t role, bool apart, uint64_t seed, struct text *error)
{
	seed = hash_join(seed, role);
	if (apart) {
		s->apart[role] = isolated_start(s->game, role, s->names[role], seed, error);
		if (s->apart[role])
			s->by_role[role] = contestant_in(s->apart[role]);
		return s->apart[role];
	}
	s->players[role] = player_make(s->game, role, s->names[role], seed, error);
	if (s->players[role])
		s->by_role[role] = contestant_of(s->players[role]);
	return s->players[role];
}

const struct counters *seats_counters(const struct seats *s, uint32_t role)
{
	return s->players[role] ? player_counters(s->players[role])
	       : s->apart[role] ? isolated_counters(s->apart[role])
	                        : NULL;
}

bool seats_make(struct seats *s, struct game *g, const char *list, bool apart, uint64_t seed, struct text *error)
{
	uint32_t given = 0, wanted = game_players(g);
	*s = (struct seats){.game = g};
	s->names = NEW_ARRAY(char *, g->roles);
	s->players = NEW_ARRAY(struct player *, g->roles);
	s->apart = NEW_ARRAY(struct isolated *, g->roles);
	s->by_role = NEW_ARRAY(struct contestant, g->roles);
	if (g->random < g->roles)
		s->names[g->random] = text_copy("chance", 6);
	bool fine = true;
	for (const char *at = list; fine; given++) {
		size_t n = strcspn(at, ",");
		uint32_t role = given + (given >= g->random);
		if (given < wanted) {
			s->names[role] = text_copy(at, n);
			fine = seat(s, role, apart, seed, error);
		}
		if (!at[n]) {
			given++;
			break;
		}
		at += n + 1;
	}
	if (fine && given != wanted) {
		seats_put_wanted(g, error);
		text_printf(error, ", --players names %u", given);
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
		isolated_free(s->apart[r]);
		mem_free(s->names[r]);
	}
	mem_free(s->names);
	mem_free(s->players);
	mem_free(s->apart);
	mem_free(s->by_role);
	*s = (struct seats){0};
}
