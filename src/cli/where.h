/* A position on a command line, for every command that takes one: the initial one, that of a file, that of a recorded
 * match, or the one after moves from any of these.
 *
 *     struct info_options { struct load_options load; struct where_options where; };
 *     static const struct opt table[] = {WHERE_OPTIONS(struct info_options, where), …};
 *
 *     struct where p;
 *     int status = where_find(g, "info", &o->where, &p);
 *     if (!status)
 *         … p.at …
 *     where_free(&p); */
#ifndef CLI_WHERE_H
#define CLI_WHERE_H

#include "macaw/position.h"
#include "show/terminal.h"

struct where_options {
	const char *after, *state, *record;
	int64_t step; /* below 0: all moves of the record */
};

#define WHERE_OPTIONS(type, field) \
	{"after",  0, \
	 OPT_TEXT, offsetof(type, field.after), \
	 "MOVES",  "begin after these moves, as in 'mark 1 1; mark 2 2' (a,b;c,d where several roles choose)"}, \
		{"state",  0, \
	     OPT_TEXT, offsetof(type, field.state), \
	     "FILE",   "begin in the position of a file: a list of fluents, in either form (-: standard input)"}, \
		{"record", 0, \
	     OPT_TEXT, offsetof(type, field.record), \
	     "FILE",   "begin in a position of a recorded match: see --step"}, \
	{ \
		"step", 0, OPT_INT, offsetof(type, field.step), "N", "moves of the record to make first (all, unless given)", \
			.whole = -1, .min = 0, .max = 1e9 \
	}

struct where {
	uint64_t *at;       /* the position */
	uint64_t *start;    /* NULL: the initial one; else that of --state, from which the moves lead to `at` */
	VEC(uint32_t) made; /* joint moves, one number per role */
	uint32_t steps;     /* of them */
};

/* Was any of the options given? */
bool where_given(const struct where_options *o);
/* Returns 0, or the exit status after a message: a move is not legal there, a fluent is unknown, there is no such file.
 */
int where_find(macaw_game *g, const char *command, const struct where_options *o, struct where *p);
void where_free(struct where *p);

#endif
