/* Searches of the same position in other processes, and how a player's search speaks with them. All functions are
 * called by the thread that thinks, and none may wait. */
#ifndef PLAY_COMPANY_H
#define PLAY_COMPANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct company {
	void *context;
	uint32_t neighbours; /* whom this search speaks with. The searches and their neighbours form a tree: no circles */
	/* Others are asked to search this position for as many seconds at most (0: until `end`), until another one begins,
	 * or `end`. NULL in a search that was asked itself. */
	void (*begin)(void *context, const uint64_t *state, double seconds);
	void (*end)(void *context);
	/* What is new for a neighbour; without bytes: could it be sent now? False: it cannot be sent now, and need not be.
	 */
	bool (*send)(void *context, uint32_t neighbour, const void *bytes, size_t size);
	/* The next that has come; the bytes last until the next call. False: none. */
	bool (*receive)(void *context, uint32_t *neighbour, const void **bytes, size_t *size);
};

#endif
