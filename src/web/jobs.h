/* Work that takes a while: done piece by piece on the pool, told by a stream of events, ended by whoever asks or when
 * nobody has listened for a while. */
#ifndef WEB_JOBS_H
#define WEB_JOBS_H

#include "web/games.h"
#include "web/request.h"
#include "web/stream.h"

#define JOBS_MOST 8 /* that run at the same time */

struct jobs;
struct jobs *jobs_open(struct web *web);
void jobs_watch(struct jobs *all); /* to be called often */
void jobs_stop(struct jobs *all);  /* asks all to end, and ends their streams */
void jobs_close(struct jobs *all); /* nothing runs any more */

struct job;

enum job_next {
	JOB_AGAIN, /* there is more to do: a piece takes a fifth of a second or so */
	JOB_DONE,
	JOB_FAILED /* job_fail() has said why */
};

struct job_kind {
	const char *name;
	enum job_next (*work)(struct job *j, void *self);
	void (*free)(void *self);
	bool paced; /* may be paused and slowed down */
};

/* Starts it and answers with its number. Takes `self` over, also when the request fails; the game (may be NULL) is only
 * named. */
struct job *job_start(struct request *q, const struct job_kind *kind, const char *game, void *self);
/* The same at a pace: seconds between two steps, or one step at a time. */
struct job *job_start_paced(struct request *q, const struct job_kind *kind, const char *game, void *self, bool paused,
                            double delay);

/* For the work itself. */
void job_put(struct job *j, const char *event, struct text *json,
             bool replace); /* frees the text; ends the job when there is no room */
macaw_stop *job_stop(struct job *j);
void job_fail(struct job *j, const macaw_error *e, const char *code);
void job_later(struct job *j, double seconds); /* the next piece not before that */
bool job_may_step(struct job *j);              /* paced: one more step now; false: it is paused */
double job_delay(struct job *j);               /* paced: seconds between two steps */
void job_keep(struct job *j);                  /* goes on when nobody listens */
const char *job_id(const struct job *j);

/* Is it still at work? */
bool jobs_running(struct jobs *all, const char *id);

#endif
