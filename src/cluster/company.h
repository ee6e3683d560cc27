/* Root-parallel search: ranks that search the same position, each with a graph of its own, and share what they learn near
 * the root. Rank 0 plays; the others assist. Nobody waits for anybody: rank 0 moves when its clock says so, with what it
 * has heard by then.
 *
 * The ranks form a tree in which each speaks with its parent and its children, so that what one has learnt reaches all in a
 * few steps and no rank has more than nine to speak with. */
#ifndef CLUSTER_COMPANY_H
#define CLUSTER_COMPANY_H

#include "cluster/cluster.h"
#include "macaw/player.h"

enum { COMPANY_FAN = 8, COMPANY_SEATS = 64 };

/* Rank 0's end of a seat's company; `seat` is below COMPANY_SEATS. */
struct company_seat;
struct company_seat *company_seat_open(struct cluster *c, macaw_game *g, uint32_t seat);
macaw_company company_seat_face(struct company_seat *s);
void company_seat_close(struct company_seat *s);

/* The other ranks: a player for each of these words (NULL: none), by role; assists until rank 0 ends, or begins another
 * match. */
void company_assist(struct cluster *c, macaw_game *g, const char *const *words, uint64_t seed);

#endif
