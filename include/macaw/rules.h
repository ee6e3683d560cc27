/* Rules as text: reading, checking, printing (GDL and GDL-II, prefix or infix form).
 *
 *     macaw_rules *r = macaw_rules_load("tictactoe", &error);
 *     for (size_t i = 0; i < macaw_rules_diagnostics(r); i++)
 *         puts(macaw_rules_diagnostic(r, i).message);
 *     macaw_rules_free(r);
 *
 * Rules with errors can be looked at and printed, but no game can be made of them. */
#ifndef MACAW_RULES_H
#define MACAW_RULES_H

#include "macaw/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_rules macaw_rules;

/* Where a game is: the word itself when it is a file, else a name like `tictactoe` is looked for in $MACAW_GAMES,
 * games/ in the current folder, games/ beside the folder of the running program, and where `make install` puts
 * them. NULL: not found; the error suggests the nearest name. */
MACAW_API char *macaw_rules_path(const char *game, macaw_error *e);

/* Reads and checks: a file, the name of an installed game, or `-` for standard input. NULL: no such file
 * (MACAW_INPUT), or it cannot be read (MACAW_MACHINE). Whatever is wrong with the rules themselves is in the
 * diagnostics. */
MACAW_API macaw_rules *macaw_rules_load(const char *game, macaw_error *e);
/* The same from text; `name` (may be NULL) is used in messages. The text is copied. */
MACAW_API macaw_rules *macaw_rules_parse(const char *text, size_t length, const char *name, macaw_error *e);
MACAW_API void macaw_rules_free(macaw_rules *r);

MACAW_API const char *macaw_rules_name(const macaw_rules *r); /* of the game: the file without folder and ending */
MACAW_API const char *macaw_rules_file(const macaw_rules *r); /* the path it was read from; parsed text: its name */
MACAW_API const char *macaw_rules_source(const macaw_rules *r, size_t *length);
MACAW_API bool macaw_rules_infix(const macaw_rules *r);     /* the form it was written in */
MACAW_API size_t macaw_rules_count(const macaw_rules *r);   /* clauses */
MACAW_API uint32_t macaw_rules_roles(const macaw_rules *r); /* as the rules name them, before any game is made */
MACAW_API const char *macaw_rules_role(const macaw_rules *r, uint32_t role); /* NULL: no such role */

enum macaw_severity { MACAW_ERROR, MACAW_WARNING };

typedef struct macaw_place {
	uint32_t line, column; /* from 1; columns count characters */
	uint32_t end_line, end_column;
	size_t from, to; /* bytes of the source */
} macaw_place;

typedef struct macaw_diagnostic {
	enum macaw_severity severity;
	const char *code;    /* short and stable: "unsafe-variable" */
	const char *message; /* one line */
	const char *help;    /* a suggestion, or NULL */
	macaw_place at;
	const char *also; /* what there is to say about a second place, or NULL */
	macaw_place also_at;
} macaw_diagnostic;

MACAW_API size_t macaw_rules_errors(const macaw_rules *r); /* 0: a game can be made */
MACAW_API size_t macaw_rules_warnings(const macaw_rules *r);
MACAW_API size_t macaw_rules_unreadable(const macaw_rules *r); /* errors of the text, not of what the rules say */
/* Sorted by place. No more than a million are kept, errors before warnings; the counts above are of all. */
MACAW_API size_t macaw_rules_diagnostics(const macaw_rules *r);
MACAW_API macaw_diagnostic macaw_rules_diagnostic(const macaw_rules *r, size_t i); /* all-zero: no such diagnostic */

/* Which diagnostics a report shows. */
enum macaw_report { MACAW_REPORT_ALL, MACAW_REPORT_ERRORS, MACAW_REPORT_UNREADABLE };
/* Diagnostics as text with the lines of the source, as `macaw check` prints them: at most `max` (0: all), errors
 * before warnings; colour: ANSI escapes. "" when there are none; NULL: out of memory. */
MACAW_API char *macaw_rules_report(const macaw_rules *r, enum macaw_report what, size_t max, bool colour);

/* The rules in prefix or infix form, without comments; reads back as the same rules. */
MACAW_API char *macaw_rules_print(const macaw_rules *r, bool infix);

/* ---- the words of the text, for editors ---- */

enum macaw_word_kind {
	MACAW_WORD_KEYWORD,  /* role, legal, not, … */
	MACAW_WORD_RELATION, /* of one's own: (line x) */
	MACAW_WORD_TERM,     /* a fluent, a move, a part of one; a constant when arity is 0 */
	MACAW_WORD_VARIABLE
};

typedef struct macaw_word {
	enum macaw_word_kind kind;
	const char *text; /* without `?` and quotes */
	uint32_t arity;
	uint32_t rule;             /* number of the rule or fact it stands in */
	size_t rule_from, rule_to; /* bytes of it in the source */
	bool defines;   /* the head of a rule, or the fluent or move that a head of init, next, legal, … gives */
	macaw_place at; /* of the word alone, with its `?` or quotes */
} macaw_word;

/* In the order of the text, of all rules that could be read. Found when first asked for: by one thread at a time. */
MACAW_API size_t macaw_rules_words(const macaw_rules *r);
MACAW_API macaw_word macaw_rules_word(const macaw_rules *r, size_t i); /* all-zero, text NULL: no such word */
/* The word at a byte of the source, or that ends there; SIZE_MAX: none. */
MACAW_API size_t macaw_rules_word_at(const macaw_rules *r, size_t offset);
/* Do two words name the same thing: a variable of one rule, a relation or a term of one name and arity? */
MACAW_API bool macaw_rules_same(const macaw_rules *r, size_t a, size_t b);
/* What some rule could put where this word stands: names separated by blanks, at most `max`. "": nothing is known.
 * NULL: out of memory. */
MACAW_API char *macaw_rules_values(const macaw_rules *r, size_t word, size_t max);

/* The text laid out anew, with its comments; reads back as the same rules, and laying it out again changes nothing.
 * NULL: the text has errors (MACAW_INPUT). */
typedef struct macaw_format_options {
	uint32_t width;  /* columns; 0: 120 */
	uint32_t indent; /* blanks; 0: a tab */
} macaw_format_options;
MACAW_API char *macaw_rules_format(const macaw_rules *r, const macaw_format_options *o, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif
