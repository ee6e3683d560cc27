/* The inside of the judge: values of lists and expressions, for the file that defines the constraints. */
#ifndef CSP_JUDGE_JUDGE_INTERNAL_H
#define CSP_JUDGE_JUDGE_INTERNAL_H

#include "base/arena.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/vec.h"
#include "csp/judge/judge.h"

#include <libxml/tree.h>
#include <setjmp.h>

struct domain {
	VEC(int64_t) pairs; /* low, high */
};

struct variable {
	struct domain d;
	bool symbolic;
};

struct array {
	uint32_t dims;
	int64_t size[8], start[8];
	size_t first; /* of its cells in `cells` */
};

typedef VEC(int64_t) numbers;

/* A value, or none (a division by zero). */
struct maybe {
	bool is;
	int64_t v;
};

struct judge {
	xmlDoc *doc;
	struct mem_resource *owned; /* the document, should memory run out */
	struct symbols names, arrays, symbols;
	VEC(struct variable) vars;
	VEC(struct array) shape;
	VEC(size_t) cells; /* variable, or SIZE_MAX */
	const int64_t *now;
	struct arena scratch; /* of one question */
	VEC(char *) args;     /* of a template */
	size_t named;
	bool undefined; /* some part of the constraint at hand has no value */
	jmp_buf out;
	char *message;
	size_t room;
	char said[300];
};

_Noreturn void judge_fail(struct judge *k, const xmlNode *e, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
xmlNode *judge_child(const xmlNode *e, const char *name, int nth); /* NULL: there is none */
bool judge_is(const xmlNode *e, const char *name);
const char *judge_text(struct judge *k, const xmlNode *e);                                    /* arguments put in */
const char *judge_attr(struct judge *k, const xmlNode *e, const char *name);                  /* "" when absent */
int64_t judge_number(struct judge *k, const xmlNode *e, const char *name, int64_t otherwise); /* an attribute */

/* The words of a text, parted by white space outside of brackets; NULL at the end. */
const char *judge_word(struct judge *k, const char **s);
/* The cells of (a,b)(c,d): row by row, *columns of the first row. */
const char **judge_rows(struct judge *k, const char *s, size_t *rows, size_t *columns);

struct maybe judge_eval(struct judge *k, const char *expression);
/* The values of a list of variables, parts of arrays, numbers and expressions. A part without value sets `undefined`.
 */
void judge_list(struct judge *k, const char *s, numbers *out);
int64_t judge_one(struct judge *k, const char *s);
/* Does v satisfy a condition such as (le,3), (in,{1,2})? */
bool judge_condition(struct judge *k, int64_t v, const char *condition);
/* Is v described by a cell: 3, a, *, 1..3, {1,2}, an operator and a number? */
bool judge_cell(struct judge *k, int64_t v, const char *cell);
/* A matrix, row by row. */
void judge_matrix(struct judge *k, const char *s, numbers *out, size_t *rows, size_t *columns);

/* constraints.c: does the constraint hold? */
bool judge_constraint(struct judge *k, const xmlNode *e);

#endif
