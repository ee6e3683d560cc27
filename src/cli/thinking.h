/* Says on the terminal who thinks, and since when; nothing where the output is no terminal. */
#ifndef CLI_THINKING_H
#define CLI_THINKING_H

#include "macaw/game.h"
#include "show/terminal.h"

#include <pthread.h>

struct thinking {
	pthread_mutex_t lock;
	pthread_cond_t change, wiped;
	pthread_t thread;
	bool on, over, quiet, drawn;
	uint32_t thinkers, role; /* how many think; the last that began */
	double since;            /* on clock_now() */
	const macaw_game *game;
};

void thinking_open(struct thinking *k, const macaw_game *g);
void thinking_close(struct thinking *k);
/* From any thread; when these return the line is not on the screen, unless somebody still thinks. */
void thinking_begin(struct thinking *k, uint32_t role);
void thinking_end(struct thinking *k);
void thinking_quiet(struct thinking *k, bool quiet); /* while a person types */

#endif
