/* Lines that a person types: with editing, history and completion at a terminal, plain where the input is none. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include "macaw/common.h"
#include "show/terminal.h"

struct line;

struct line *line_open(void);
void line_close(struct line *l); /* gives the terminal back as it was */

/* What the Tab key completes to; the array and its texts must last while lines are read. */
void line_words(struct line *l, const char *const *words, size_t count);

enum line_end {
	LINE_TYPED,
	LINE_OVER,    /* the input has ended (Ctrl-D) */
	LINE_STOPPED, /* the flag was set */
	LINE_LATE     /* the time is over */
};
/* Waits for a line until `until` on clock_now() (0: for ever) or until the flag is set, which may be NULL. The text is
 * without its end. */
enum line_end line_read(struct line *l, const char *prompt, double until, const macaw_stop *stop, struct text *out);

#endif
