/* The Swiss system: in every match of a game, whoever has done about as well so far sits at the same table.
 *
 * First the scores in the game that is played count, then the weighted sum over all games, and meeting somebody again
 * costs a lot (Koriche, Lagrue, Piette and Tabary describe a competition held like this, the Tiltyard Open of 2015).
 * Whoever is left over, because the number of players is no multiple of that of the roles, sits out; never anybody
 * twice before all others have done so once. The next pairings wait until all results are there. */
#include "tournament/agenda_internal.h"

#include <math.h>

#define AGAIN_HERE 60.0 /* points by which two seem farther apart for each time they met in this game, */
#define AGAIN 15.0      /* and in any game */
#define UNKNOWN 50.0    /* the score of a match that nobody played, where nothing better is known */

struct results {
	double sum;
	uint64_t played, missed;
};

struct swiss {
	const struct plan *p;
	size_t game;
	uint64_t match;
	VEC(struct fixture) tables; /* of this match */
	size_t taken, told;
	struct results *results;  /* by player and game */
	uint32_t *met, *met_here; /* by player and player: matches against each other, in all and in this game */
	uint32_t *sat_out;        /* by player */
	uint32_t *in_role;        /* by player and role, in this game */
	bool over;
};

static struct results *results_of(const struct swiss *s, uint32_t player, size_t game)
{
	return &s->results[player * s->p->game_count + game];
}

/* ---- points ---- */

static double mean_in(const struct swiss *s, uint32_t player, size_t game)
{
	const struct results *r = results_of(s, player, game);
	return r->played ? r->sum / (double)r->played : UNKNOWN;
}

double swiss_points(const struct swiss *s, uint32_t player, size_t game)
{
	double sum = 0;
	if (game < s->p->game_count) {
		const struct results *r = results_of(s, player, game);
		return s->p->games[game].weight * (r->sum + (double)r->missed * mean_in(s, player, game));
	}
	for (size_t g = 0; g < s->p->game_count; g++)
		sum += swiss_points(s, player, g);
	return sum;
}

uint64_t swiss_matches(const struct swiss *s, uint32_t player)
{
	uint64_t sum = 0;
	for (size_t g = 0; g < s->p->game_count; g++)
		sum += results_of(s, player, g)->played;
	return sum;
}

/* By points in a game (none: game_count) and then in all; equal players stay in their order. */
static void sort_players(const struct swiss *s, size_t game, uint32_t *order)
{
	for (uint32_t i = 0; i < s->p->players; i++) {
		uint32_t j = i;
		double here = game < s->p->game_count ? mean_in(s, i, game) : 0, all = swiss_points(s, i, s->p->game_count);
		for (; j; j--) {
			double other = game < s->p->game_count ? mean_in(s, order[j - 1], game) : 0;
			if (here < other || (here == other && all <= swiss_points(s, order[j - 1], s->p->game_count)))
				break;
			order[j] = order[j - 1];
		}
		order[j] = i;
	}
}

void swiss_order(const struct swiss *s, uint32_t *order)
{
	sort_players(s, s->p->game_count, order);
}

/* ---- tables ---- */

static double distance(const struct swiss *s, uint32_t p, uint32_t q)
{
	size_t n = s->p->players, at = p * n + q, all = s->p->game_count;
	return fabs(mean_in(s, p, s->game) - mean_in(s, q, s->game)) +
	       0.01 * fabs(swiss_points(s, p, all) - swiss_points(s, q, all)) + AGAIN_HERE * s->met_here[at] +
	       AGAIN * s->met[at];
}

/* Marks those who sit out: who has done so least, the last ones first. */
static void choose_idle(struct swiss *s, const uint32_t *order, bool *placed)
{
	uint32_t n = s->p->players, idle = n % s->p->games[s->game].seats;
	for (; idle; idle--) {
		uint32_t best = n;
		for (uint32_t i = n; i--;)
			if (!placed[order[i]] && (best == n || s->sat_out[order[i]] < s->sat_out[order[best]]))
				best = i;
		placed[order[best]] = true;
		s->sat_out[order[best]]++;
		results_of(s, order[best], s->game)->missed++;
	}
}

/* The free player nearest to those at the table. */
static uint32_t find_nearest(const struct swiss *s, const uint32_t *order, const bool *placed, const struct fixture *f)
{
	uint32_t best = s->p->players;
	double least = INFINITY;
	for (uint32_t i = 0; i < s->p->players; i++) {
		double sum = 0;
		for (uint32_t k = 0; k < f->seats; k++)
			sum += distance(s, order[i], f->players[k]);
		if (!placed[order[i]] && sum < least) {
			least = sum;
			best = order[i];
		}
	}
	return best;
}

/* Turns the table so that its players have had their roles as seldom as can be. */
static void deal_roles(struct swiss *s, struct fixture *f)
{
	uint32_t n = f->seats, best = 0, least = UINT32_MAX, turned[STORE_SEATS];
	for (uint32_t by = 0; by < n; by++) {
		uint32_t sum = 0;
		for (uint32_t i = 0; i < n; i++)
			sum += s->in_role[f->players[(i + by) % n] * STORE_SEATS + i];
		if (sum < least) {
			least = sum;
			best = by;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		turned[i] = f->players[(i + best) % n];
	for (uint32_t i = 0; i < n; i++) {
		f->players[i] = turned[i];
		s->in_role[turned[i] * STORE_SEATS + i]++;
	}
}

static void open_table(struct swiss *s, uint32_t first, const uint32_t *order, bool *placed)
{
	struct fixture f = {.game = (uint32_t)s->game, .clock = s->p->clocks[0], .round = s->match};
	uint32_t seats = s->p->games[s->game].seats;
	for (uint32_t next = first; f.seats < seats; next = find_nearest(s, order, placed, &f)) {
		placed[next] = true;
		f.players[f.seats++] = next;
		if (f.seats == seats)
			break;
	}
	f.of = (uint32_t)s->tables.n;
	vec_push(&s->tables, f);
}

/* How far the player of a seat is from the others there, or `other` would be in its place. */
static double distance_at(const struct swiss *s, const struct fixture *f, uint32_t seat, uint32_t other)
{
	double sum = 0;
	for (uint32_t i = 0; i < f->seats; i++)
		if (i != seat)
			sum += distance(s, other, f->players[i]);
	return sum;
}

static bool exchange(struct swiss *s, struct fixture *f, uint32_t i, struct fixture *h, uint32_t k)
{
	uint32_t p = f->players[i], q = h->players[k];
	double now = distance_at(s, f, i, p) + distance_at(s, h, k, q);
	double then = distance_at(s, f, i, q) + distance_at(s, h, k, p);
	if (then >= now - 1e-9)
		return false;
	f->players[i] = q;
	h->players[k] = p;
	return true;
}

/* The last tables get whom the first have left: players change places as long as that brings equals together. */
static void improve(struct swiss *s)
{
	uint32_t seats = s->p->games[s->game].seats;
	for (bool better = true; better;) {
		better = false;
		for (size_t a = 0; a < s->tables.n; a++)
			for (size_t b = 0; b < a; b++)
				for (uint32_t i = 0; i < seats; i++)
					for (uint32_t k = 0; k < seats; k++)
						better |= exchange(s, &s->tables.at[a], i, &s->tables.at[b], k);
	}
}

static void open_match(struct swiss *s)
{
	uint32_t n = s->p->players, *order = NEW_ARRAY(uint32_t, n);
	bool *placed = NEW_ARRAY(bool, n);
	vec_clear(&s->tables);
	s->taken = s->told = 0;
	sort_players(s, s->game, order);
	choose_idle(s, order, placed);
	for (uint32_t i = 0; i < n; i++)
		if (!placed[order[i]])
			open_table(s, order[i], order, placed);
	improve(s);
	for (size_t i = 0; i < s->tables.n; i++) {
		struct fixture *f = &s->tables.at[i];
		f->seed = agenda_seed(s->p, f->round, f->game, f->players[0], f->players[f->seats - 1]);
		deal_roles(s, f);
	}
	mem_free(placed);
	mem_free(order);
}

/* The next match of this game, or the first of the next; those that nobody plays are passed over. */
static void open_next(struct swiss *s)
{
	size_t n = s->p->players;
	while (s->game < s->p->game_count && s->match >= s->p->games[s->game].matches) {
		s->game++;
		s->match = 0;
		for (size_t i = 0; i < n * n; i++)
			s->met_here[i] = 0;
		for (size_t i = 0; i < n * STORE_SEATS; i++)
			s->in_role[i] = 0;
	}
	s->over = s->game == s->p->game_count;
	if (!s->over)
		open_match(s);
}

/* ---- the face ---- */

struct swiss *swiss_new(const struct plan *p)
{
	struct swiss *s = NEW(struct swiss);
	size_t n = p->players;
	s->p = p;
	s->results = NEW_ARRAY(struct results, n * p->game_count);
	s->met = NEW_ARRAY(uint32_t, n * n);
	s->met_here = NEW_ARRAY(uint32_t, n * n);
	s->sat_out = NEW_ARRAY(uint32_t, n);
	s->in_role = NEW_ARRAY(uint32_t, n * STORE_SEATS);
	open_next(s);
	return s;
}

void swiss_free(struct swiss *s)
{
	if (!s)
		return;
	vec_free(&s->tables);
	mem_free(s->results);
	mem_free(s->met);
	mem_free(s->met_here);
	mem_free(s->sat_out);
	mem_free(s->in_role);
	mem_free(s);
}

enum agenda_next swiss_take(struct swiss *s, struct fixture *f)
{
	if (s->over)
		return AGENDA_OVER;
	if (s->taken == s->tables.n)
		return AGENDA_WAIT;
	*f = s->tables.at[s->taken++];
	return AGENDA_PLAY;
}

void swiss_tell(struct swiss *s, const struct fixture *f, const int *scores)
{
	size_t n = s->p->players;
	for (uint32_t i = 0; i < f->seats; i++) {
		struct results *r = results_of(s, f->players[i], f->game);
		r->sum += scores[i] > 0 ? scores[i] : 0;
		r->played++;
		for (uint32_t k = 0; k < f->seats; k++)
			if (k != i) {
				s->met[f->players[i] * n + f->players[k]]++;
				s->met_here[f->players[i] * n + f->players[k]]++;
			}
	}
	if (++s->told < s->tables.n)
		return;
	s->match++;
	open_next(s);
}

bool swiss_over(const struct swiss *s)
{
	return s->over;
}

uint64_t swiss_planned(const struct swiss *s)
{
	uint64_t sum = 0;
	for (size_t g = 0; g < s->p->game_count; g++)
		sum += s->p->games[g].matches * (s->p->players / s->p->games[g].seats);
	return sum;
}
