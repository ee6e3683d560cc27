/* Every pairing, or the first player against each other one: cells that are played round by round.
 *
 * Games with two roles: both orders of a pair are a round, with one seed. With one role every player plays alone; with
 * more, one of a pair takes one role and the other all the rest, in all ways. */
#include "tournament/agenda_internal.h"

#include "tournament/ratings.h"

struct cell {
	uint32_t game, a, b; /* a == b: alone */
	double clock;
	uint32_t per_round;
	uint64_t taken, told;       /* matches */
	double wins, draws, losses; /* of a */
	double sum, squares;        /* alone: of scores */
	double seconds;
	bool ended;
};

struct pairings {
	const struct plan *p;
	VEC(struct cell) cells;
	double wins, draws, losses; /* of the first player, in all cells */
	bool decided;
};

/* ---- the cells ---- */

static void add_cell(struct pairings *all, uint32_t game, double clock, uint32_t a, uint32_t b)
{
	uint32_t seats = all->p->games[game].seats;
	struct cell c = {.game = game, .a = a, .b = b, .clock = clock};
	c.per_round = seats == 1 ? 1 : seats == 2 ? 2 : 2 * seats;
	vec_push(&all->cells, c);
}

struct pairings *pairings_new(const struct plan *p)
{
	struct pairings *all = NEW(struct pairings);
	all->p = p;
	for (size_t c = 0; c < p->clock_count; c++)
		for (uint32_t g = 0; g < p->game_count; g++)
			for (uint32_t a = 0; a < p->players; a++) {
				if (p->games[g].seats == 1)
					add_cell(all, g, p->clocks[c], a, a);
				else
					for (uint32_t b = a + 1; b < p->players && (a == 0 || p->format == FORMAT_ROUND_ROBIN); b++)
						add_cell(all, g, p->clocks[c], a, b);
			}
	return all;
}

void pairings_free(struct pairings *all)
{
	if (!all)
		return;
	vec_free(&all->cells);
	mem_free(all);
}

/* ---- when a cell ends ---- */

#define LEAST_ALONE 10 /* matches before equal scores in a game for one are believed */

static bool is_close(const struct pairings *all, const struct cell *c)
{
	double n = (double)c->told, share = n > 0 ? (c->wins + c->draws / 2) / n : 0;
	if (all->p->until <= 0 || (c->a == c->b && n < LEAST_ALONE))
		return false;
	struct interval i = c->a == c->b ? stats_mean(c->sum, c->squares, n) : stats_wilson(share, n);
	return (i.high - i.low) * (c->a == c->b ? 0.5 : 50) <= all->p->until;
}

static bool is_tested(const struct pairings *all, const struct cell *c)
{
	if (!all->p->sprt || c->a == c->b)
		return false;
	double llr = rating_sprt(c->wins, c->draws, c->losses, all->p->elo0, all->p->elo1);
	return llr >= SPRT_BOUND || llr <= -SPRT_BOUND;
}

/* Cells that may end early are looked at between their rounds, when both have had each role. */
static void judge(struct pairings *all, struct cell *c)
{
	if (all->p->until > 0 && c->told == c->taken && c->told % c->per_round == 0)
		c->ended = is_close(all, c) || is_tested(all, c);
}

bool pairings_decided(const struct pairings *all, double *llr)
{
	if (all->p->sprt && all->p->until <= 0)
		*llr = rating_sprt(all->wins, all->draws, all->losses, all->p->elo0, all->p->elo1);
	return all->decided;
}

/* ---- which cell is next ---- */

static bool is_engaged(const struct pairings *all, uint32_t player)
{
	for (size_t i = 0; all->p->exclusive && all->p->exclusive[player] && i < all->cells.n; i++) {
		const struct cell *c = &all->cells.at[i];
		if ((c->a == player || c->b == player) && c->taken > c->told)
			return true;
	}
	return false;
}

static bool has_next(const struct pairings *all, const struct cell *c)
{
	return !c->ended && c->taken < all->p->rounds * c->per_round;
}

static bool may_begin(const struct pairings *all, const struct cell *c)
{
	bool must_wait = all->p->until > 0 && c->taken % c->per_round == 0 && c->told < c->taken;
	return !must_wait && !is_engaged(all, c->a) && !is_engaged(all, c->b);
}

/* What a cell has had: rounds, or seconds with those that its open matches will probably take. */
static double share_of(const struct pairings *all, const struct cell *c)
{
	if (!all->p->even)
		return (double)(c->taken / c->per_round);
	double each = c->told ? c->seconds / (double)c->told : 1e-3;
	return c->seconds + each * (double)(c->taken - c->told);
}

static void put_players(const struct cell *c, uint32_t which, struct fixture *f)
{
	bool turned = f->seats == 2 ? which : which >= f->seats;
	uint32_t lone = f->seats == 2 ? 0 : which % f->seats;
	for (uint32_t i = 0; i < f->seats; i++)
		f->players[i] = (i == lone) != turned ? c->a : c->b;
}

enum agenda_next pairings_take(struct pairings *all, struct fixture *f)
{
	struct cell *best = NULL;
	bool more = false;
	for (size_t i = 0; i < all->cells.n && !all->decided; i++) {
		struct cell *c = &all->cells.at[i];
		if (!has_next(all, c))
			continue;
		more = true;
		if (may_begin(all, c) && (!best || share_of(all, c) < share_of(all, best)))
			best = c;
	}
	if (!best)
		return more ? AGENDA_WAIT : AGENDA_OVER;
	*f = (struct fixture){.game = best->game,
	                      .clock = best->clock,
	                      .round = best->taken / best->per_round,
	                      .seats = all->p->games[best->game].seats,
	                      .of = (uint32_t)(best - all->cells.at)};
	f->seed = agenda_seed(all->p, f->round, f->game, best->a, best->b);
	put_players(best, (uint32_t)(best->taken % best->per_round), f);
	best->taken++;
	return AGENDA_PLAY;
}

/* ---- results ---- */

/* Mean score of a player's seats; no score is none. */
static double mean_of(const struct fixture *f, const int *scores, uint32_t player)
{
	double sum = 0, n = 0;
	for (uint32_t i = 0; i < f->seats; i++)
		if (f->players[i] == player) {
			sum += scores[i] > 0 ? scores[i] : 0;
			n++;
		}
	return n > 0 ? sum / n : 0;
}

static void test_all(struct pairings *all, double by)
{
	double llr = 0;
	all->wins += by > 0;
	all->draws += by == 0;
	all->losses += by < 0;
	pairings_decided(all, &llr);
	all->decided |= llr >= SPRT_BOUND || llr <= -SPRT_BOUND;
}

void pairings_tell(struct pairings *all, const struct fixture *f, const int *scores, double seconds)
{
	struct cell *c = &all->cells.at[f->of];
	double mine = mean_of(f, scores, c->a), by = mine - mean_of(f, scores, c->b);
	c->told++;
	c->seconds += seconds;
	if (c->a == c->b) {
		c->sum += mine;
		c->squares += mine * mine;
	} else {
		c->wins += by > 0;
		c->draws += by == 0;
		c->losses += by < 0;
		if (c->a == 0)
			test_all(all, by);
	}
	judge(all, c);
}

uint64_t pairings_planned(const struct pairings *all)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < all->cells.n && all->p->until <= 0; i++)
		sum += all->p->rounds * all->cells.at[i].per_round;
	return sum;
}
