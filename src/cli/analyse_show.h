/* What `macaw analyse` shows: thoughts and strategies, as tables and as lines of JSON. */
#ifndef CLI_ANALYSE_SHOW_H
#define CLI_ANALYSE_SHOW_H

#include "macaw/player.h"
#include "macaw/strategy.h"
#include "show/terminal.h"

struct analysis {
	const macaw_game *game;
	uint32_t role;
	const char *player; /* its word */
	double seconds;
	uint64_t playouts;
	uint32_t shown;         /* moves in the table at most; 0: all */
	bool last;              /* nothing comes after it */
	macaw_search_tree tree; /* to be shown; count 0: none */
};

void analysis_table(const struct analysis *a, const macaw_thought *t, struct text *out);
void analysis_json(const struct analysis *a, const macaw_thought *t, struct text *out);

void strategy_table(const struct analysis *a, macaw_strategy *s, struct text *out);
void strategy_json(const struct analysis *a, macaw_strategy *s, struct text *out);

#endif
