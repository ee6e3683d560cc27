/* Shared by the files that read and write XCSP3. */
#ifndef CSP_XCSP3_XCSP3_INTERNAL_H
#define CSP_XCSP3_XCSP3_INTERNAL_H

#include "csp/csp_internal.h"
#include "csp/xcsp3.h"

struct xarray {
	sym_t name;
	uint32_t dims, size[8];
	int32_t start[8];
	uint32_t cells; /* first of its variables in `cell`, row by row; CSP_NONE where undefined */
	uint32_t count;
	bool mixed; /* its variables have domains of their own */
};

typedef VEC(int64_t) xints;

struct x_leaving { /* to be done when the element is read, or given up */
	void (*run)(void *);
	void *context;
};

struct xcsp {
	struct csp *n;
	struct csp_source_error *e;
	jmp_buf fail; /* the one way out of a faulty document */
	uint32_t line;
	struct symbols array_names;
	VEC(struct xarray) arrays; /* in the order of array_names */
	VEC(uint32_t) cell;
	struct arena text;           /* of the element being read */
	struct arena keep;           /* of the document */
	char **args;                 /* of the group's template, or NULL */
	size_t arg_count, arg_named; /* arguments; how many the template names by number: %... are the others */
	bool reifying;               /* what is read now must have a truth value whatever the variables are */
	VEC(struct x_leaving) leaving;
	xlist vars, more; /* scratch */
	xints ints;
	VEC(int32_t) tuples;
	uint32_t aux;      /* auxiliary variables so far */
	VEC(char *) owned; /* freed at the end, also after a fault */
};

uint32_t x_posted(struct xcsp *r, uint32_t id); /* passes ids through, fails on CSP_NONE with the network's reason */

void x_refs(struct xcsp *r, const char *s, xlist *out);       /* variables, ranges of arrays, numbers, expressions */
void x_expand(struct xcsp *r, const char *token, xlist *out); /* one token */
uint32_t x_constant(struct xcsp *r, int64_t v);
uint32_t x_define(struct xcsp *r, uint32_t expr);       /* a hidden variable equal to it */
void x_ints(struct xcsp *r, const char *s, xints *out); /* numbers, a..b, and v x k */

bool x_in_symbol(char c);
uint32_t x_expr(struct xcsp *r, const char *s);
void x_objective(struct xcsp *r, xmlNode *e);

/* ---- pieces of constraints ---- */
struct condition {        /* such as (le,5), (eq,x), (in,1..5), (notin,{1,2}) */
	enum csp_operator op; /* LT..EQ, IN or NOTIN */
	int64_t k, high;      /* number; with IN and NOTIN: k..high, unless there is a set */
	uint32_t x;           /* variable, or CSP_NONE */
	const int64_t *set;   /* pairs low, high; or NULL */
	size_t pairs;
};
struct condition x_condition(struct xcsp *r, xmlNode *e); /* <condition> of e */
struct condition x_condition_text(struct xcsp *r, const char *s);
void x_post_condition(struct xcsp *r, uint32_t expr, const struct condition *c); /* on an expression */
enum csp_relation x_relation(enum csp_operator op);                              /* of LT..EQ */
enum csp_relation x_operator(struct xcsp *r, xmlNode *e);                        /* <operator> of e: LT, LE, GE or GT */
xmlNode *x_need(struct xcsp *r, xmlNode *e, const char *name);                   /* x_child that must be there */
void x_list_of(struct xcsp *r, xmlNode *e, xlist *out);                          /* <list>, else the text of e */
uint32_t x_one_var(struct xcsp *r, xmlNode *e);
int32_t x_start_index(struct xcsp *r, xmlNode *e);
void x_values(struct xcsp *r, const char *s, const xlist *scope); /* of the first variable; into r->tuples */
void x_coefficients(struct xcsp *r, xmlNode *coeffs);             /* one per r->vars, 1 without; into r->ints */
uint32_t x_hidden(struct xcsp *r, int32_t low, int32_t high);     /* a fresh hidden variable */
uint32_t x_extremum(struct xcsp *r, bool maximum);                /* a hidden variable equal to that of r->vars */
uint32_t x_nvalues(struct xcsp *r); /* a hidden variable: different values of r->vars without those in r->tuples */
uint32_t x_definition(struct xcsp *r,
                      uint32_t id); /* x_posted of a constraint that gives a hidden variable its value */
bool x_names_variables(struct xcsp *r, const char *s); /* variables or expressions among the words, not only values */
bool x_shape(struct xcsp *r, const char *token, size_t *rows, size_t *columns); /* of x[][]: false when it is none */
void x_narrow(struct xcsp *r, const xlist *list,
              const char *what); /* refuses intervals: `what` goes through all values */
bool x_flag(struct xcsp *r, xmlNode *e, const char *name, bool otherwise); /* an attribute that is true or false */
enum x_rank { RANK_ANY, RANK_FIRST, RANK_LAST };
enum x_rank x_rank(struct xcsp *r, xmlNode *e);
/* One cell of a tuple into pairs low, high: a number, a symbol of x, *, a..b, {a,b}, or an operator and a number. */
void x_cell(struct xcsp *r, const char **s, uint32_t x, xints *out);
void x_matrix(struct xcsp *r, xmlNode *e, xlist *out, size_t *rows, size_t *columns);
uint32_t x_condition_expr(struct xcsp *r, uint32_t expr, const struct condition *c); /* a Boolean */
uint32_t x_bool(struct xcsp *r, enum csp_operator op, uint32_t a, uint32_t b);       /* expression of two */
/* sum of r->vars with the coefficients r->ints under a condition */
void x_post_sum(struct xcsp *r, const struct condition *c);

/* ---- elements that stand for several constraints, or are turned into others ---- */
typedef void x_reader(struct xcsp *r, xmlNode *e);
x_reader x_regular, x_precedence, x_all_equal, x_cardinality, x_bin_packing, x_knapsack, x_flow, x_clause,
	x_arg_extremum;

/* ---- what is known (grammar.c) ---- */
void x_know(struct xcsp *r, xmlNode *e); /* refuses children and attributes that are not */
void x_know_attributes(struct xcsp *r, xmlNode *e, const char *allowed, const char *common);
_Noreturn void x_no_constraint(struct xcsp *r, const char *name);
void x_when_left(struct xcsp *r, void (*run)(void *), void *context);
void x_leave(struct xcsp *r); /* the element is read: its text and what waits for this go */

/* ---- writing ---- */
void xml_list(const struct csp *n, const char *element, const uint32_t *x, size_t count, struct text *out);
void xml_list_from(const struct csp *n, int64_t start, const uint32_t *x, size_t count,
                   struct text *out); /* startIndex */
void xml_numbers(const char *element, const int64_t *v, size_t count, struct text *out);
void xml_condition(const struct csp *n, enum csp_relation r, int64_t k, uint32_t x,
                   struct text *out); /* k, or x unless CSP_NONE */
void xml_operator(enum csp_relation r, struct text *out);
void xml_expr(const struct csp *n, uint32_t e, struct text *out);

#endif
