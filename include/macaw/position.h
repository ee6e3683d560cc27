/* A position: macaw_position_words(g) plain 64-bit words that belong to the caller, bit i for fluent i.
 *
 *     size_t n = macaw_position_words(g);
 *     uint64_t *p = malloc(n * sizeof *p);
 *     memcpy(p, macaw_position_initial(g), n * sizeof *p);
 *
 * A copy is a memcpy, an array of positions is an array of words, and a position can be written to
 * a file. (Interpreter only: numbers of fluents differ between games made apart; write the text.) */
#ifndef MACAW_POSITION_H
#define MACAW_POSITION_H

#include "macaw/game.h"

#ifdef __cplusplus
extern "C" {
#endif

MACAW_API size_t macaw_position_words(const macaw_game *g);
MACAW_API const uint64_t *macaw_position_initial(const macaw_game *g); /* lasts as long as the game */
MACAW_API bool macaw_position_equal(const macaw_game *g, const uint64_t *a, const uint64_t *b);
/* Zobrist; equal positions of equal rules have equal hashes, in every process. */
MACAW_API uint64_t macaw_position_hash(const macaw_game *g, const uint64_t *p);

static inline bool macaw_position_has(const uint64_t *p, uint32_t fluent)
{
	return p[fluent / 64] >> (fluent % 64) & 1;
}

/* Fluents that hold, separated by blanks: "(cell 1 1 b) (cell 1 2 x) (control o)". NULL: out of memory. */
MACAW_API char *macaw_position_text(const macaw_game *g, const uint64_t *p);
/* And back, in either form; false: the error names the fluent that is not of this game. (Interpreter only: every term
 * made of names in the rules is taken for a fluent.) */
MACAW_API bool macaw_position_parse(const macaw_game *g, const char *text, uint64_t *p, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif
