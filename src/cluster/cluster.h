/* Commands on many machines: the option --mpi, and the patterns of work that commands need. `mpirun -n N macaw COMMAND
 * …
 * --mpi` starts the same command N times; each finds out which rank it is, does its part, and rank 0 reports.
 *
 *     int status;
 *     struct cluster *c = cluster_open("perft", &o->cluster, &status);
 *     if (status)
 *         return status;
 *     …                                 c is NULL without --mpi
 *     return cluster_close(c, status);
 *
 * Ranks other than 0 are silent: what they print goes nowhere, unless they fail while rank 0 does not. */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include "base/opt.h"
#include "cluster/link.h"

#include <stddef.h>

struct cluster_options {
	bool mpi;
	double patience;
};

#define CLUSTER_OPTIONS(type, field) \
	{"mpi", 0, OPT_FLAG, offsetof(type, field.mpi), NULL, "share the work with the other ranks that mpirun started"}, \
	{ \
		"patience", 0, OPT_REAL, offsetof(type, field.patience), "SEC", \
			"with --mpi: a rank that is silent for so long is lost", .real = 10, .min = 1, .max = 1e6 \
	}

struct cluster;

/* NULL with *status 0: --mpi was not given; with another *status: after a message. */
struct cluster *cluster_open(const char *command, const struct cluster_options *o, int *status);
/* Waits for the others. Returns the exit status; does not return where a rank is lost. NULL: `status`. */
int cluster_close(struct cluster *c, int status);

bool cluster_leads(const struct cluster *c); /* rank 0, or no cluster at all */
uint32_t cluster_rank(const struct cluster *c);
uint32_t cluster_ranks(const struct cluster *c);
struct link *cluster_link(struct cluster *c);

/* All ranks call these in the same order. False: a rank is lost, or (agree) they have different numbers; rank 0 has
 * said so. */
bool cluster_agree(struct cluster *c, uint64_t number, const char *what);
bool cluster_sum(struct cluster *c, uint64_t *numbers, size_t count); /* saturating; everybody gets the sums */

/* A result of each rank for rank 0. */
void cluster_send(struct cluster *c, const void *bytes, size_t size);
bool cluster_receive(struct cluster *c, uint32_t from,
                     struct text *bytes);  /* in the place of what was there; false: it is lost */
bool cluster_fail_lost(struct cluster *c); /* says so; false */

/* ---- states that belong to ranks ---- */

/* Records of one size go to the rank they belong to, level by level. Those that arrive are given to `take`, by the
 * thread that calls these functions. */
struct exchange;
typedef void exchange_take(void *context, const void *records, size_t count);
struct exchange *exchange_open(struct cluster *c, size_t record_bytes, exchange_take *take, void *context);
void exchange_put(struct exchange *x, uint32_t to, const void *record); /* to any rank, also this one */
void exchange_poll(struct exchange *x);                                 /* takes what has come */
/* The end of a level: sends what is left and takes until all the others have come here too. False: a rank is lost. */
bool exchange_finish(struct exchange *x);
void exchange_close(struct exchange *x);

#endif
