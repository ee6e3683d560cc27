/* One face over the formats: which of them plays now, and when the Swiss system hands over to the knock-out. */
#include "tournament/agenda_internal.h"

#include "base/hash.h"

#include <string.h>

const char *const agenda_formats[] = {"round-robin", "gauntlet", "swiss", "knockout", NULL};

struct agenda {
	const struct plan *p;
	struct pairings *pairings;
	struct swiss *swiss;
	struct knockout *knockout; /* made when the qualification is over */
};

uint64_t agenda_seed(const struct plan *p, uint64_t round, uint32_t game, uint32_t a, uint32_t b)
{
	const char *name = p->games[game].name;
	uint64_t seed = hash_join(hash_join(p->seed, round), hash_bytes(name, strlen(name)));
	return hash_join(seed, (uint64_t)(a < b ? a : b) * 1000 + (a < b ? b : a)) >> 12;
}

/* ---- making ---- */

static bool has_duel_game(const struct plan *p)
{
	for (size_t i = 0; i < p->game_count; i++)
		if (p->games[i].seats == 2)
			return true;
	return false;
}

static bool check_swiss(const struct plan *p, struct text *error)
{
	for (size_t i = 0; i < p->game_count; i++)
		if (p->games[i].seats > p->players) {
			text_printf(error, "%s is for %u players: a Swiss tournament needs as many", p->games[i].name,
			            p->games[i].seats);
			return false;
		}
	if (p->final == 1 || p->final > p->players) {
		text_printf(error, "the final is for 2 to %u players, not %u", p->players, p->final);
		return false;
	}
	return true;
}

static bool check(const struct plan *p, struct text *error)
{
	bool knockout = p->format == FORMAT_KNOCKOUT || (p->format == FORMAT_SWISS && p->final);
	if (p->format >= FORMAT_SWISS && p->clock_count > 1) {
		text_printf(error, "a %s tournament has one clock", agenda_formats[p->format]);
		return false;
	}
	if (p->format >= FORMAT_SWISS && p->players < 2) {
		text_printf(error, "a %s tournament needs two players", agenda_formats[p->format]);
		return false;
	}
	if (p->format == FORMAT_SWISS && !check_swiss(p, error))
		return false;
	if (knockout && !has_duel_game(p)) {
		text_puts(error, "a knock-out needs a game for two players");
		return false;
	}
	return true;
}

static void open_knockout(struct agenda *s)
{
	uint32_t *seeds = NEW_ARRAY(uint32_t, s->p->players);
	for (uint32_t i = 0; i < s->p->players; i++)
		seeds[i] = i;
	if (s->swiss)
		swiss_order(s->swiss, seeds);
	s->knockout = knockout_new(s->p, seeds, s->swiss ? s->p->final : s->p->players);
	mem_free(seeds);
}

struct agenda *agenda_new(const struct plan *p, struct text *error)
{
	if (!check(p, error))
		return NULL;
	struct agenda *s = NEW(struct agenda);
	s->p = p;
	if (p->format == FORMAT_SWISS)
		s->swiss = swiss_new(p);
	else if (p->format == FORMAT_KNOCKOUT)
		open_knockout(s);
	else
		s->pairings = pairings_new(p);
	return s;
}

void agenda_free(struct agenda *s)
{
	if (!s)
		return;
	pairings_free(s->pairings);
	swiss_free(s->swiss);
	knockout_free(s->knockout);
	mem_free(s);
}

/* ---- playing ---- */

enum agenda_next agenda_take(struct agenda *s, struct fixture *f)
{
	if (s->pairings)
		return pairings_take(s->pairings, f);
	if (s->knockout)
		return knockout_take(s->knockout, f);
	enum agenda_next next = swiss_take(s->swiss, f);
	if (next != AGENDA_OVER || !s->p->final)
		return next;
	open_knockout(s);
	return knockout_take(s->knockout, f);
}

void agenda_tell(struct agenda *s, const struct fixture *f, const int *scores, double seconds)
{
	if (s->pairings)
		pairings_tell(s->pairings, f, scores, seconds);
	else if (s->knockout)
		knockout_tell(s->knockout, f, scores);
	else
		swiss_tell(s->swiss, f, scores);
}

uint64_t agenda_planned(const struct agenda *s)
{
	return s->pairings ? pairings_planned(s->pairings) : s->swiss && !s->p->final ? swiss_planned(s->swiss) : 0;
}

bool agenda_decided(const struct agenda *s, double *llr)
{
	*llr = 0;
	return s->pairings && pairings_decided(s->pairings, llr);
}

/* ---- where it stands ---- */

double agenda_points(const struct agenda *s, uint32_t player, size_t game)
{
	return s->swiss ? swiss_points(s->swiss, player, game) : 0;
}

uint64_t agenda_matches(const struct agenda *s, uint32_t player)
{
	return s->swiss ? swiss_matches(s->swiss, player) : 0;
}

void agenda_swiss_order(const struct agenda *s, uint32_t *order)
{
	swiss_order(s->swiss, order);
}

size_t agenda_duels(const struct agenda *s)
{
	return s->knockout ? knockout_duels(s->knockout) : 0;
}

const struct duel *agenda_duel(const struct agenda *s, size_t i)
{
	return knockout_duel(s->knockout, i);
}

/* Whoever is not in the final comes after it, as the qualification has it. */
bool agenda_ranks(const struct agenda *s, uint32_t *order)
{
	if (s->pairings)
		return false;
	if (s->swiss)
		swiss_order(s->swiss, order);
	if (s->swiss && !s->p->final)
		return swiss_over(s->swiss);
	return s->knockout && knockout_ranks(s->knockout, order);
}
