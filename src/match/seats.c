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

bool seats_by(struct seats *s, uint32_t role, const struct isolated_maker *how, struct text *error)
{
	s->isolated[role] = isolated_start_by(s->game, how, error);
	if (s->isolated[role])
		seats_give(s, role, how->name, contestant_in(s->isolated[role]));
	return s->isolated[role];
}

const struct counters *seats_counters(const struct seats *s, uint32_t role)
{
	return s->by_role[role].work;
}

/* Is the option named in the part of the word after the player's name? */
static bool names_option(const char *options, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = options; at; at = strchr(at + 1, ':'))
		if (!strncmp(at + 1, name, n) && strchr("=:", at[1 + n]))
			return true;
	return false;
}

void seats_published(const char *word, struct text *out)
{
	static const struct {
		const char *name, *value;
	} wanted[] = {{"network", "no"}, {"batch", "1"}, {"leaves", "32"}};
	size_t n = strcspn(word, ":");
	const struct player_kind *kind = player_find(word, n);
	text_puts(out, word);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		for (const struct opt *o = kind ? kind->options : NULL; o && o->name; o++)
			if (!strcmp(o->name, wanted[i].name) && !names_option(strchr(word, ':'), o->name))
				text_printf(out, ":%s=%s", o->name, wanted[i].value);
}

/* A built-in player: known by its word, made by what that means here. */
static bool take_kind(struct seats *s, uint32_t role, const char *word, const struct seats_how *how, struct text *error)
{
	struct text whole = {0};
	if (!how->published)
		return seats_take(s, role, word, how->isolated, how->seed, error);
	seats_published(word, &whole);
	s->published = true;
	bool fine = seats_take(s, role, text_str(&whole), how->isolated, how->seed, error);
	mem_free(s->names[role]);
	s->names[role] = text_copy(word, strlen(word));
	text_free(&whole);
	return fine;
}

bool seats_word(struct seats *s, uint32_t role, const char *word, const struct seats_how *how, struct text *error)
{
	enum seats_found found = SEATS_UNKNOWN;
	if (how->others && how->others->find)
		found = how->others->find(how->others->context, s, role, word, how->seed, error);
	return found == SEATS_UNKNOWN ? take_kind(s, role, word, how, error) : found == SEATS_FOUND;
}

bool seats_make(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed, struct text *error)
{
	uint32_t given = 0, wanted = game_players(g);
	bool fine = true;
	seats_open(s, g);
	for (const char *at = list; fine; given++) {
		size_t n = strcspn(at, ",");
		if (given < wanted) {
			char *word = text_copy(at, n);
			fine = seats_take(s, given + (given >= g->random), word, isolated, seed, error);
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
