/* The knock-out: duels of several matches, the winner plays on, the third place is played too.
 *
 * The best seed meets the last, and where the number of players is no power of two the best have a bye in the first
 * round. A duel goes through the games for two, each with both orders of roles, until one has enough wins; draws count
 * for nothing. After four times as many matches the one with more wins goes on, then the one with more points, then
 * the better seed. */
#include "tournament/agenda_internal.h"

struct knockout {
	const struct plan *p;
	uint32_t *seed_of;            /* by player */
	uint32_t *alive, alive_count; /* players of this round, by the order of the bracket; GAP: a bye */
	VEC(struct duel) duels;
	size_t first; /* duel of this round */
	uint32_t round;
	uint32_t *ranks, count; /* filled from the end */
	uint32_t ranked;
	bool over;
};

#define GAP UINT32_MAX
#define NOBODY 2

static void open_duel(struct knockout *k, uint32_t a, uint32_t b, bool third, bool last)
{
	struct duel d = {.round = k->round, .third = third, .need = k->p->wins + last, .winner = NOBODY};
	bool turned = k->seed_of[a] > k->seed_of[b];
	d.players[turned] = a;
	d.players[!turned] = b;
	vec_push(&k->duels, d);
}

static void open_round(struct knockout *k)
{
	k->first = k->duels.n;
	for (uint32_t i = 0; i + 1 < k->alive_count; i += 2)
		if (k->alive[i] != GAP && k->alive[i + 1] != GAP)
			open_duel(k, k->alive[i], k->alive[i + 1], false, k->alive_count == 2);
}

/* Seeds 0 and last, and so on, so that the two best can meet in the final only. */
static void place_seeds(struct knockout *k, const uint32_t *seeds, uint32_t count)
{
	uint32_t size = 1, *slots = NEW_ARRAY(uint32_t, 2 * (size_t)count + 2);
	while (size < count) {
		size *= 2;
		for (uint32_t i = size; i--;) /* each slot becomes a pair that sums up to the last */
			slots[i] = i % 2 ? size - 1 - slots[i / 2] : slots[i / 2];
	}
	k->alive = NEW_ARRAY(uint32_t, size);
	k->alive_count = size;
	for (uint32_t i = 0; i < count; i++)
		k->seed_of[seeds[i]] = i;
	for (uint32_t i = 0; i < size; i++)
		k->alive[i] = slots[i] < count ? seeds[slots[i]] : GAP;
	mem_free(slots);
}

struct knockout *knockout_new(const struct plan *p, const uint32_t *seeds, uint32_t count)
{
	struct knockout *k = NEW(struct knockout);
	k->p = p;
	k->count = k->ranked = count;
	k->ranks = NEW_ARRAY(uint32_t, count);
	k->seed_of = NEW_ARRAY(uint32_t, p->players);
	place_seeds(k, seeds, count);
	open_round(k);
	return k;
}

void knockout_free(struct knockout *k)
{
	if (!k)
		return;
	vec_free(&k->duels);
	mem_free(k->alive);
	mem_free(k->seed_of);
	mem_free(k->ranks);
	mem_free(k);
}

/* ---- matches ---- */

static uint32_t game_of_match(const struct plan *p, uint32_t match)
{
	uint32_t twos = 0, wanted = match / 2;
	for (size_t i = 0; i < p->game_count; i++)
		twos += p->games[i].seats == 2;
	wanted %= twos;
	for (uint32_t i = 0;; i++)
		if (p->games[i].seats == 2 && !wanted--)
			return i;
}

enum agenda_next knockout_take(struct knockout *k, struct fixture *f)
{
	for (size_t i = k->first; i < k->duels.n && !k->over; i++) {
		struct duel *d = &k->duels.at[i];
		if (d->winner != NOBODY || d->open)
			continue;
		bool turned = d->played % 2;
		*f = (struct fixture){.game = game_of_match(k->p, d->played),
		                      .clock = k->p->clocks[0],
		                      .round = KNOCKOUT_ROUND + d->played,
		                      .seats = 2,
		                      .players = {d->players[turned], d->players[!turned]},
		                      .of = (uint32_t)i};
		f->seed = agenda_seed(k->p, KNOCKOUT_ROUND + d->played / 2, f->game, d->players[0], d->players[1]);
		d->open = true;
		return AGENDA_PLAY;
	}
	return k->over ? AGENDA_OVER : AGENDA_WAIT;
}

static void judge(struct duel *d)
{
	bool end = d->played >= 4 * d->need;
	for (uint32_t i = 0; i < 2; i++)
		if (d->wins[i] >= d->need)
			d->winner = i;
	if (d->winner == NOBODY && end)
		d->winner = d->wins[0] != d->wins[1] ? d->wins[1] > d->wins[0] : d->points[1] > d->points[0];
}

/* ---- rounds ---- */

static bool all_decided(const struct knockout *k)
{
	for (size_t i = k->first; i < k->duels.n; i++)
		if (k->duels.at[i].winner == NOBODY)
			return false;
	return true;
}

static uint32_t winner_of(const struct duel *d)
{
	return d->players[d->winner];
}

static uint32_t loser_of(const struct duel *d)
{
	return d->players[!d->winner];
}

/* Losers of a round come in the order of their seeds. */
static void rank_losers(struct knockout *k)
{
	uint32_t first = k->ranked - (uint32_t)(k->duels.n - k->first);
	for (size_t i = k->first; i < k->duels.n; i++) {
		uint32_t loser = loser_of(&k->duels.at[i]), at = first + (uint32_t)(i - k->first);
		for (; at > first && k->seed_of[k->ranks[at - 1]] > k->seed_of[loser]; at--)
			k->ranks[at] = k->ranks[at - 1];
		k->ranks[at] = loser;
	}
	k->ranked = first;
}

static void close_final(struct knockout *k)
{
	for (size_t i = k->duels.n; i-- > k->first;) {
		const struct duel *d = &k->duels.at[i];
		k->ranks[--k->ranked] = loser_of(d);
		k->ranks[--k->ranked] = winner_of(d);
	}
	k->over = true;
}

/* Winners and byes go on. */
static void advance(struct knockout *k)
{
	uint32_t n = 0;
	size_t next = k->first;
	for (uint32_t i = 0; i < k->alive_count; i += 2) {
		bool bye = k->alive[i] == GAP || k->alive[i + 1] == GAP;
		uint32_t alone = k->alive[i] == GAP ? k->alive[i + 1] : k->alive[i];
		k->alive[n++] = bye ? alone : winner_of(&k->duels.at[next++]);
	}
	k->alive_count = n;
}

static void close_round(struct knockout *k)
{
	bool semi_finals = k->alive_count == 4 && k->duels.n - k->first == 2;
	uint32_t losers[2] = {GAP, GAP};
	if (k->alive_count == 2) {
		close_final(k);
		return;
	}
	for (uint32_t i = 0; i < 2 && semi_finals; i++)
		losers[i] = loser_of(&k->duels.at[k->first + i]);
	if (!semi_finals)
		rank_losers(k);
	advance(k);
	k->round++;
	open_round(k);
	if (semi_finals)
		open_duel(k, losers[0], losers[1], true, false);
}

void knockout_tell(struct knockout *k, const struct fixture *f, const int *scores)
{
	struct duel *d = &k->duels.at[f->of];
	bool turned = f->players[0] != d->players[0];
	int mine = scores[turned] > 0 ? scores[turned] : 0, theirs = scores[!turned] > 0 ? scores[!turned] : 0;
	d->open = false;
	d->played++;
	d->wins[0] += mine > theirs;
	d->wins[1] += theirs > mine;
	d->points[0] += mine;
	d->points[1] += theirs;
	judge(d);
	if (all_decided(k))
		close_round(k);
}

size_t knockout_duels(const struct knockout *k)
{
	return k->duels.n;
}

const struct duel *knockout_duel(const struct knockout *k, size_t i)
{
	return &k->duels.at[i];
}

bool knockout_ranks(const struct knockout *k, uint32_t *order)
{
	for (uint32_t i = 0; i < k->count && k->over; i++)
		order[i] = k->ranks[i];
	return k->over;
}
