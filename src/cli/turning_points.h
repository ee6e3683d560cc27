/* The turning points of a recorded match: moves that gave away many points, by the judgement of a player. */
#ifndef CLI_TURNING_POINTS_H
#define CLI_TURNING_POINTS_H

#include "cli/replayed.h"

struct turning_options {
	const char *player;
	int64_t playouts; /* per move */
	double least;     /* points given away that are worth telling */
};

#define TURNING_OPTIONS(type, field) \
	{"player",        'p', OPT_TEXT, offsetof(type, field.player), "NAME", "with --analyse: who judges the moves", \
	 .words = "macaw"}, \
		{"playouts",     'n',      OPT_INT,    offsetof(type, field.playouts), "N", "with --analyse: playouts per move", \
	     .whole = 10000, .min = 1, .max = 1e12}, \
	{ \
		"least", 0, OPT_REAL, offsetof(type, field.least), "POINTS", \
			"with --analyse: tell moves that gave away so many points", .real = 10, .min = 0, .max = 100 \
	}

/* Prints them, in the order of the match. Returns the exit status, after a message unless 0. */
int turning_points(const struct replayed *p, const struct turning_options *o);

#endif
