/* The comments of a rulesheet, for the formatter. */
#ifndef GDL_FORMAT_COMMENTS_H
#define GDL_FORMAT_COMMENTS_H

#include "gdl/gdl.h"

struct format_comment {
	uint32_t from, to; /* without blanks at the end, and without the end of the line */
	bool behind;       /* something else stands before it on its line */
};

struct format_comments {
	struct format_comment *at;
	size_t n, cap;
};

void format_find_comments(enum gdl_form form, const char *text, size_t length, struct format_comments *out);

#endif
