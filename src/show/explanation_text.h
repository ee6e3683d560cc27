/* Explanations as text for a terminal: a tree of statements, and behind each where it comes from. */
#ifndef SHOW_EXPLANATION_TEXT_H
#define SHOW_EXPLANATION_TEXT_H

#include "explain/explanation.h"

/* `file` (may be NULL) stands before line numbers; `width` 0: lines are as long as they are. */
void explanation_print(const struct explanation *e, const char *file, const char *source, size_t length, uint32_t width,
                       struct text *out);

#endif
