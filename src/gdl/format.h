/* Rules laid out: the text with its comments, its names and its order, in lines that fit and with even indents.
 *
 * What was on one line stays on one where it fits; a rule that was broken, or does not fit, or has comments inside,
 * gets a line for each condition. Several blank lines become one. */
#ifndef GDL_FORMAT_H
#define GDL_FORMAT_H

#include "gdl/gdl.h"

#define FORMAT_WIDTH 120 /* columns, unless told */
#define FORMAT_TAB 4     /* columns of a tab */

struct format_options {
	uint32_t width;  /* 0: FORMAT_WIDTH */
	uint32_t indent; /* blanks; 0: a tab */
};

/* `r` was read from `text` without a fault. False: the result would not read back as the same rules (which does not
 * happen, as far as we know); then nothing is added. */
bool gdl_format(const struct gdl_rules *r, const char *text, size_t length, const struct format_options *o,
                struct text *out);

#endif
