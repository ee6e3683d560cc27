/* Random playouts by the million: from one position or many, on several threads.
 *
 * The same job with the same seed and number of threads gives the same result, unless it ends by its limit. */
#ifndef MACAW_PLAYOUTS_H
#define MACAW_PLAYOUTS_H

#include "macaw/position.h"
#include "macaw/worker.h" /* MACAW_NO_GOAL */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_playout_job {
	const uint64_t *starts; /* positions one after another; NULL: the initial one */
	size_t start_count;     /* 0 counts as 1 */
	uint64_t playouts;      /* in all, dealt to the starts in turn; 0: until the limit */
	macaw_limit limit;
	uint32_t threads; /* 0 counts as 1 */
	/* One of several jobs, each with as many threads, that share the work of a larger one: which, of how many. Seed and
	 * number of playouts are those of the whole; macaw_playout_add of all shares gives what one job with shares *
	 * threads threads gives. */
	uint32_t share, shares; /* shares 0: all of it */
	uint64_t seed;
	uint32_t max_steps; /* longer playouts are given up; 0: 100,000 */
	bool decisive; /* who can win at once does, and who need not lose at once does not, where the circuit can tell */
	/* Called for every finished playout, by one thread of the job at a time, when not NULL: the moves step by step
	 * (one number per role), the number of steps, the goals by role (MACAW_NO_GOAL: none, or several). */
	void (*report)(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals);
	macaw_progress *progress; /* NULL: none */
	void *context;
} macaw_playout_job;

typedef struct macaw_playout_result macaw_playout_result;

/* NULL: the job makes no sense (neither number nor limit, more than 1,024 threads), or out of memory. */
MACAW_API macaw_playout_result *macaw_playouts(macaw_game *g, const macaw_playout_job *job, macaw_error *e);
MACAW_API void macaw_playout_result_free(macaw_playout_result *r);
/* Interpreter only: why it gave up; what was played before counts. NULL: it did not. */
MACAW_API const char *macaw_playout_trouble(const macaw_playout_result *r);

/* All that is known of it, as bytes for another process on such a machine (`*size` of them; macaw_free); NULL: out of
 * memory. */
MACAW_API char *macaw_playout_pack(const macaw_playout_result *r, size_t *size);
/* Adds what another process has packed, of the same game and as many starts. False: it is not of such a job (nothing
 * has changed). */
MACAW_API bool macaw_playout_add(macaw_playout_result *r, const void *bytes, size_t size);

typedef struct macaw_playout_totals {
	uint64_t playouts;   /* finished */
	uint64_t unfinished; /* longer than max_steps */
	uint64_t stuck;      /* ended because a role had no legal move */
	uint64_t undefined;  /* goals without a (single) value, counted as 0 */
	uint64_t steps;      /* of the finished ones */
	uint32_t shortest, longest;
	double seconds;
} macaw_playout_totals;
MACAW_API macaw_playout_totals macaw_playout_sum(const macaw_playout_result *r);

/* Scores of one role from one start. */
typedef struct macaw_score {
	uint64_t playouts;
	double mean, deviation; /* of 0 to 100; NAN below one and two playouts */
	double low, high;       /* 95% interval of the mean; 0 to 100 below two playouts */
	uint64_t wins;          /* playouts with 100 */
} macaw_score;
MACAW_API macaw_score macaw_playout_score(const macaw_playout_result *r, size_t start, uint32_t role);
/* Over all starts: how many playouts gave the role `value` (0 to 100). */
MACAW_API uint64_t macaw_playout_values(const macaw_playout_result *r, uint32_t role, int value);
/* counts[l]: playouts with l steps, the last cell also for longer ones; lasts as long as the result. */
MACAW_API const uint64_t *macaw_playout_lengths(const macaw_playout_result *r, size_t *cells);

#ifdef __cplusplus
}
#endif

#endif
