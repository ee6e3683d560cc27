/* Plays the joint moves of --after. */
#include "cli/after.h"

#include "cli/where.h"

uint64_t *position_after(macaw_game *g, const char *command, const char *after)
{
	struct where p;
	int status = where_find(g, command, &(struct where_options){.after = after, .step = -1}, &p);
	uint64_t *at = p.at;
	p.at = NULL;
	where_free(&p);
	if (!status)
		return at;
	mem_free(at);
	return NULL;
}
