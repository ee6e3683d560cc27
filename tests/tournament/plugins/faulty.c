/* Players in shared libraries that misbehave in one way each, chosen when they are compiled. */
#include <macaw/player.h>

#include <stdio.h>
#include <stdlib.h>

enum fault { NONE, CRASH, ENDLESS, ILLEGAL, SILENT, SULKS, OLD, NO_MOVE };

static void *make(macaw_game *g, uint32_t role, const char *options, uint64_t seed, char *why, size_t room)
{
	static int self;
	if (FAULT == SULKS) {
		snprintf(why, room, "not in the mood");
		return NULL;
	}
	return &self;
}

static uint32_t move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	volatile int spin = 1;
	if (FAULT == CRASH)
		abort();
	while (FAULT == ENDLESS && spin)
		;
	return FAULT == ILLEGAL ? t->legal[t->legal_count - 1] + 1000 : FAULT == SILENT ? MACAW_NONE : t->legal[0];
}

#ifndef NO_SYMBOL
MACAW_PLUGIN = {.version = MACAW_PLUGIN_VERSION + (FAULT == OLD), .make = make, .move = FAULT == NO_MOVE ? NULL : move};
#else
void *const unused_functions[] = {make, move};
#endif
