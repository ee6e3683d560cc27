/* Signals that end a server. */
#include "cli/signals.h"

#include <errno.h>
#include <stddef.h>

sigset_t signals_block(void)
{
	sigset_t set;
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return set;
}

void signals_wait(const sigset_t *set)
{
	int got;
	while (sigwait(set, &got) == EINTR)
		;
}
