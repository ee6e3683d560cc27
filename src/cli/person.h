/* Moves shown to a person at the terminal, and what the person types. Moves are named by their place in the list. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include <stdint.h>

#define PERSON_NONE UINT32_MAX

void person_moves(const char *const *texts, uint32_t count);

/* A number from 1 on, a move, or the beginning of only one. PERSON_NONE: the person was told why not. */
uint32_t person_understand(const char *const *texts, uint32_t count, const char *line);

#endif
