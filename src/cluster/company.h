/* Root-parallel search: ranks that search the same position, each with a graph of its own, and share what they learn
 * near the root. Rank 0 plays; the others assist. Nobody waits for anybody: rank 0 moves when its clock says so, with
 * what it has heard by then.
 *
 * The ranks form a tree in which each speaks with its parent and its children, so that what one has learnt reaches all
 * in a few steps and no rank has more than nine to speak with. */
#ifndef CLUSTER_COMPANY_H
#define CLUSTER_COMPANY_H

#include "cluster/cluster.h"
#include "macaw/server.h"

enum { COMPANY_FAN = 8, COMPANY_SEATS = 64 };

/* Rank 0's end of a seat's company; `seat` is below COMPANY_SEATS. */
struct company_seat;
struct company_seat *company_seat_open(struct cluster *c, size_t words, uint32_t seat); /* words of a position */
macaw_company company_seat_face(struct company_seat *s);
void company_seat_close(struct company_seat *s);

/* The other ranks: a player for each of these words (NULL: none), by role; assists until rank 0 ends, or the match
 * does. */
void company_assist(struct cluster *c, macaw_game *g, const char *const *words, uint64_t seed);
void company_sit_out(struct cluster *c);   /* the same without a game that could be played */
void company_end_match(struct cluster *c); /* rank 0: they need not assist any more */

/* ---- matches whose rules only rank 0 has ---- */

/* Rank 0: what a server needs; it lasts until it is closed. One match at a time has company. */
struct company_host;
struct company_host *company_host_open(struct cluster *c);
const macaw_server_company *company_host_face(const struct company_host *h);
void company_host_close(struct company_host *h);
/* The other ranks: build the games that rank 0 names and assist, until it ends. */
void company_serve(struct cluster *c);

#endif
