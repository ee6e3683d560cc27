/* The parts of an agenda: pairings, the Swiss system, the knock-out. */
#ifndef TOURNAMENT_AGENDA_INTERNAL_H
#define TOURNAMENT_AGENDA_INTERNAL_H

#include "base/vec.h"
#include "tournament/agenda.h"

struct pairings;
struct pairings *pairings_new(const struct plan *p);
void pairings_free(struct pairings *all);
enum agenda_next pairings_take(struct pairings *all, struct fixture *f);
void pairings_tell(struct pairings *all, const struct fixture *f, const int *scores, double seconds);
uint64_t pairings_planned(const struct pairings *all);
bool pairings_decided(const struct pairings *all, double *llr);

struct swiss;
struct swiss *swiss_new(const struct plan *p);
void swiss_free(struct swiss *s);
enum agenda_next swiss_take(struct swiss *s, struct fixture *f);
void swiss_tell(struct swiss *s, const struct fixture *f, const int *scores);
bool swiss_over(const struct swiss *s);
uint64_t swiss_planned(const struct swiss *s);
double swiss_points(const struct swiss *s, uint32_t player, size_t game);
uint64_t swiss_matches(const struct swiss *s, uint32_t player);
void swiss_order(const struct swiss *s, uint32_t *order);

struct knockout;
struct knockout *knockout_new(const struct plan *p, const uint32_t *seeds, uint32_t count);
void knockout_free(struct knockout *k);
enum agenda_next knockout_take(struct knockout *k, struct fixture *f);
void knockout_tell(struct knockout *k, const struct fixture *f, const int *scores);
size_t knockout_duels(const struct knockout *k);
const struct duel *knockout_duel(const struct knockout *k, size_t i);
bool knockout_ranks(const struct knockout *k, uint32_t *order);

/* The seed of a match between two players: the same for both orders; within what JSON and SQL call an integer. */
uint64_t agenda_seed(const struct plan *p, uint64_t round, uint32_t game, uint32_t a, uint32_t b);

#endif
