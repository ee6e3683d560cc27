/* A game's circuit for people: as text, or as a graph for Graphviz. */
#ifndef SHOW_CIRCUIT_TEXT_H
#define SHOW_CIRCUIT_TEXT_H

#include "game/game.h"

/* The game must have a circuit. Only what an output needs is shown. */
void circuit_print(const struct game *g, struct text *out);
void circuit_print_dot(const struct game *g, struct text *out);

#endif
