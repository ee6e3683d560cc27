/* What the files of the study share. */
#ifndef SHOW_STUDY_INTERNAL_H
#define SHOW_STUDY_INTERNAL_H

#include "show/study.h"

#define NO_FAMILY UINT32_MAX

static inline const char *study_text(const struct study *s, sym_t v)
{
	return sym_text(&s->symbols, v);
}

static inline bool family_has_key(const struct family *f, uint32_t mask)
{
	return f->keys >> mask & 1;
}

static inline bool family_is_total(const struct family *f, uint32_t mask)
{
	return f->total >> mask & 1;
}

static inline bool family_is_on(const struct family *f, uint32_t layout)
{
	return (f->shape == SHAPE_BOARD || f->shape == SHAPE_LINKS) && f->layout == layout;
}

void study_statics(struct study *s);     /* study_statics.c */
void study_rules(struct study *s);       /* shared variables, what chance throws */
void study_decide(struct study *s);      /* study_boards.c */
void study_lay_out(struct study *s);     /* study_layout.c */
void study_place_moves(struct study *s); /* study_moves.c */

/* Sorts values of an axis: numbers, else along a static relation that leads from one to the next, else letters, else as
 * the rules name them. *ring: the relation leads back to the first. */
void study_order(const struct study *s, sym_list *values, bool *ring);
bool study_is_ordered(const struct study *s, const sym_list *values);
bool study_is_ranked(const struct study *s, const sym_list *values); /* by more than the letters of its names */
bool study_numbers(const struct study *s, const sym_list *values);
/* Does a rule use one variable at both places? (argument b of a move: family + number of fluent families) */
bool study_shares(const struct study *s, uint32_t family, int arg, uint32_t other, int other_arg);
void study_pieces(struct study *s); /* gives every fluent its piece */

#endif
