/* The end of commands that run until somebody ends them. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <signal.h>

/* Blocks SIGTERM and SIGINT in this thread and in all that it starts, so that signals_wait() gets them; a closed pipe
 * is no reason to end. */
sigset_t signals_block(void);
void signals_wait(const sigset_t *set);

#endif
