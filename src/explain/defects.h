/* Defects of rules that show only in play: found by random playouts, with a short way to each and an explanation. */
#ifndef EXPLAIN_DEFECTS_H
#define EXPLAIN_DEFECTS_H

#include "explain/explanation.h"
#include "game/game.h"

enum defect_kind {
	DEFECT_STUCK,         /* a role without a legal move before the end */
	DEFECT_GOAL_MISSING,  /* at the end, no goal */
	DEFECT_GOAL_MANIFOLD, /* or several */
	DEFECT_ENDLESS,       /* playouts longer than the bound */
	DEFECT_NOT_IN_BASE,
	DEFECT_NOT_IN_INPUT
};

struct defect {
	enum defect_kind kind;
	uint32_t role;       /* GAME_NONE: of none */
	uint64_t playouts;   /* in which it showed; 0: not counted */
	VEC(uint32_t) moves; /* joint moves from the initial position */
	uint32_t steps;
	bool shortest;                    /* no way is shorter */
	uint64_t *position;               /* after them */
	const char *statement;            /* what is explained, in the arena of the defects */
	struct explanation first, second; /* without steps: none */
};

struct defects {
	VEC(struct defect) all;
	struct arena texts;
	uint64_t playouts;
};

struct defect_search {
	uint64_t playouts;
	uint32_t max_steps; /* of a playout */
	uint64_t seed;
	struct limit limit;
	progress_report *progress; /* NULL: none */
	void *context;
};

/* False with a message: the rules are too large for the interpreter, which explains. */
bool defects_find(struct game *g, const struct defect_search *s, struct defects *out, struct text *error);
void defects_free(struct defects *d);

#endif
