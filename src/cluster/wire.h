/* What carries letters between the processes of one computation ("ranks"). One of two files implements it: wire_mpi.c,
 * where Meson has found MPI, or wire_none.c. All functions are called by one thread, and none of them waits. */
#ifndef CLUSTER_WIRE_H
#define CLUSTER_WIRE_H

#include "base/text.h"

/* Bytes on their way from one rank to another; a letter's kind says what they mean. */
struct letter {
	uint32_t from, kind;
	struct text bytes;
};

bool wire_exists(void); /* is there any in this program? */
/* False: there is none, and the message says why. */
bool wire_open(uint32_t *rank, uint32_t *ranks, struct text *error);
/* Takes the bytes over. Letters of one rank to another arrive in the order in which they were sent. */
void wire_send(uint32_t to, uint32_t kind, struct text *bytes);
bool wire_take(struct letter *l); /* the next that has come whole; false: none */
/* Letters to a rank that have not left. Those to a rank that is gone never do. */
uint32_t wire_waiting(uint32_t to);
/* The orderly end, which waits for all ranks. A rank that knows of one that is gone ends without it, by _exit(). */
void wire_close(void);

#endif
