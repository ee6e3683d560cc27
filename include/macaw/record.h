/* Records of matches, read back and held against the rules they contain. In the library `macaw-full`.
 *
 *     macaw_record *r = macaw_record_read("match.json", &error);
 *     while (macaw_record_step(r, &error))
 *         puts(macaw_game_move(macaw_record_game(r), macaw_record_moves(r)[0]));
 *     if (error.status || !macaw_record_check(r, &error))
 *         puts(error.text);
 *
 * A record is what macaw_match_record(m, true) writes: it holds its rules. Records of ggp.org are read too; these name
 * their game. */
#ifndef MACAW_RECORD_H
#define MACAW_RECORD_H

#include "macaw/worker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_record macaw_record;

/* A file, or text, with one record. NULL: it cannot be read, is no JSON, is no record, there are no rules, or they have
 * errors. */
MACAW_API macaw_record *macaw_record_read(const char *file, macaw_error *e);
MACAW_API macaw_record *macaw_record_parse(const char *json, size_t length, macaw_error *e);
/* The first of several records one after another; *used: how many bytes it took (at least one, unless none are left).
 * `game` (a file, the name of an installed game, or NULL) has the rules of a record without any. NULL with MACAW_OK:
 * there is nothing but white space. */
MACAW_API macaw_record *macaw_record_next(const char *json, size_t length, size_t *used, const char *game,
                                          macaw_error *e);
MACAW_API void macaw_record_free(macaw_record *r);

MACAW_API macaw_game *macaw_record_game(const macaw_record *r); /* belongs to the record */
MACAW_API const char *macaw_record_name(const macaw_record *r); /* of the game, as written down; NULL: none is */
MACAW_API uint32_t macaw_record_steps(const macaw_record *r);   /* joint moves written down */
MACAW_API const char *macaw_record_player(const macaw_record *r, uint32_t role); /* NULL: not written down */
MACAW_API int macaw_record_goal(const macaw_record *r, uint32_t role); /* as written down; MACAW_NO_GOAL: none */
MACAW_API bool macaw_record_terminal(const macaw_record *r);           /* as written down: the match came to its end */

/* Makes the next joint move. False: there is none left (the error says MACAW_OK), or it is not legal there. */
MACAW_API bool macaw_record_step(macaw_record *r, macaw_error *e);
MACAW_API uint32_t macaw_record_made(const macaw_record *r);            /* joint moves made so far */
MACAW_API const uint64_t *macaw_record_position(const macaw_record *r); /* after them; lasts until the next step */
MACAW_API const uint32_t *macaw_record_moves(const macaw_record *r);    /* the last joint move; NULL before the first */
MACAW_API const char *macaw_record_why(const macaw_record *r, uint32_t role); /* that role's reason for it, or NULL */

/* Do scores and end, as written down, agree with the rules where the record stands now? */
MACAW_API bool macaw_record_check(macaw_record *r, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif
