/* Making players from words, and other contestants, sit on the roles of a game. */
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

void seats_open(struct seats *s, struct game *g)
{
	*s = (struct seats){.game = g};
	s->names = NEW_ARRAY(char *, g->roles);
	s->players = NEW_ARRAY(struct player *, g->roles);
	s->isolated = NEW_ARRAY(struct isolated *, g->roles);
	s->by_role = NEW_ARRAY(struct contestant, g->roles);
	if (g->random < g->roles)
		s->names[g->random] = text_copy("chance", 6);
}

bool seats_take(struct seats *s, uint32_t role, const char *word, bool isolated, uint64_t seed, struct text *error)
{
	seed = hash_join(seed, role);
	s->names[role] = text_copy(word, strlen(word));
	if (isolated) {
		s->isolated[role] = isolated_start(s->game, role, word, seed, error);
		if (s->isolated[role])
			s->by_role[role] = contestant_in(s->isolated[role]);
		return s->isolated[role];
	}
	s->players[role] = player_make(s->game, role, word, seed, error);
	if (s->players[role])
		s->by_role[role] = contestant_of(s->players[role]);
	return s->players[role];
}

void seats_give(struct seats *s, uint32_t role, const char *name, struct contestant who)
{
	s->names[role] = text_copy(name, strlen(name));
	s->by_role[role] = who;
}

const struct counters *seats_counters(const struct seats *s, uint32_t role)
{
	return s->players[role]    ? player_counters(s->players[role])
	       : s->isolated[role] ? isolated_counters(s->isolated[role])
	                           : NULL;
}

static bool seat_word(struct seats *s, uint32_t role, const char *word, bool isolated, uint64_t seed,
                      const struct seats_others *others, struct text *error)
{
	struct contestant who;
	if (!others->find || !others->find(others->context, word, role, &who))
		return seats_take(s, role, word, isolated, seed, error);
	seats_give(s, role, word, who);
	return true;
}

bool seats_make(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed, struct text *error)
{
	return seats_make_among(s, g, list, isolated, seed, &(struct seats_others){0}, error);
}

bool seats_make_among(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed,
                      const struct seats_others *others, struct text *error)
{
	uint32_t given = 0, wanted = game_players(g);
	bool fine = true;
	seats_open(s, g);
	for (const char *at = list; fine; given++) {
		size_t n = strcspn(at, ",");
		if (given < wanted) {
			char *word = text_copy(at, n);
			fine = seat_word(s, given + (given >= g->random), word, isolated, seed, others, error);
			mem_free(word);
		}
		if (!at[n]) {
			given++;
			break;
		}
		at += n + 1;
	}
	if (fine && given != wanted) {
		seats_put_wanted(g, error);
		text_printf(error, ", %u are named", given);
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
		isolated_free(s->isolated[r]);
		mem_free(s->names[r]);
	}
	mem_free(s->names);
	mem_free(s->players);
	mem_free(s->isolated);
	mem_free(s->by_role);
	*s = (struct seats){0};
}
