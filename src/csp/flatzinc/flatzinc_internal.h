/* Shared by the files that read FlatZinc. */
#ifndef CSP_FLATZINC_FLATZINC_INTERNAL_H
#define CSP_FLATZINC_FLATZINC_INTERNAL_H

#include "csp/csp_internal.h"
#include "csp/flatzinc/flatzinc.h"

#include <setjmp.h>

struct place {
	uint32_t line, column;
};

/* ---- words ---- */
enum token {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_INT,
	TOKEN_FLOAT,
	TOKEN_STRING,
	TOKEN_DOTS,   /* .. */
	TOKEN_COLONS, /* :: */
	TOKEN_SIGN    /* any other character, in `number` */
};

struct lexer {
	const char *at, *end;
	struct place here;  /* of `at` */
	enum token token;   /* the one at hand */
	struct place where; /* it begins */
	const char *text;   /* of a word or a string: not ended by NUL */
	size_t length;
	int64_t number;
};

/* ---- expressions, with names of constants and arrays put in ---- */
enum fz_tag {
	FZ_INT,
	FZ_BOOL,
	FZ_FLOAT,
	FZ_SET,   /* count pairs low, high in `ranges`, ascending */
	FZ_ARRAY, /* items */
	FZ_VAR,   /* number: the variable */
	FZ_STRING,
	FZ_CALL /* text and items; without parentheses: no items */
};

struct fz_range {
	int64_t low, high;
};

struct fz_expr {
	enum fz_tag tag;
	struct place where;
	int64_t number;
	const char *text;
	size_t count;
	union {
		struct fz_expr *items;
		struct fz_range *ranges;
	};
};

/* A declared variable, before it is one of the network. */
struct fz_var {
	const char *name;
	struct place where;
	bool boolean;
	bool each;     /* some constraint goes through its values one by one: it cannot be an interval */
	uint32_t same; /* as this other variable, or itself */
	uint32_t x;    /* in the network, once it is there */
	struct fz_range *ranges;
	size_t count; /* of ranges; 0: nothing is left */
};

struct fz_constraint {
	const char *name;
	struct place where;
	const struct fz_row *row;
	struct fz_expr *args;
	size_t count;
};

struct fz_output {
	const char *name;
	struct fz_expr *value; /* an array, or one variable or number */
	struct fz_expr *sets;  /* index sets of an array, or NULL */
	bool boolean;
};

struct fz_name { /* of a constant, an array or a variable */
	struct fz_expr value;
	bool boolean; /* or an array of such */
};

struct fzn {
	struct csp *n;
	struct csp_source_error *e;
	jmp_buf fail;
	struct lexer lex;
	uint32_t depth;      /* of the expression at hand */
	struct place where;  /* faults are reported here */
	const char *posting; /* the constraint at work, for messages; NULL: none */
	struct arena text;
	VEC(struct fz_expr) stack; /* of lists being read */
	struct symbols names;
	VEC(struct fz_name) named; /* in the order of names */
	VEC(struct fz_var) vars;
	VEC(struct fz_constraint) constraints;
	VEC(struct fz_output) outputs;
	VEC(struct csp_phase) phases;
	struct fz_expr goal, *hints; /* variable to optimise (solving == 0: none); annotations of solve */
	size_t hint_count;
	int solving; /* 0: satisfy; -1: minimize; 1: maximize */
	bool solved; /* the solve item was read */
	enum csp_restarts restarts;
	uint32_t restart_unit;
	struct table constants; /* variables that are numbers */
	VEC(uint32_t) constant_vars;
	uint32_t hidden;      /* auxiliary variables so far */
	VEC(uint32_t) xs, ys; /* scratch of the constraint at work */
	VEC(int64_t) ints;
	VEC(int32_t) cells;
	VEC(struct csp_arc) arcs;
};

_Noreturn void fz_fail(struct fzn *f, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* lex.c */
void fz_next(struct fzn *f); /* moves to the next token */
bool fz_is(const struct fzn *f, const char *word);
bool fz_sign(const struct fzn *f, char c);
const char *fz_seen(struct fzn *f); /* the token at hand, for messages */

/* parse.c */
void fz_parse(struct fzn *f);

/* variables.c: domains before there is a network */
bool fz_meet(struct fzn *f, struct fz_var *v, const struct fz_range *ranges, size_t count);
uint32_t fz_root(struct fzn *f, uint32_t v); /* whom it is the same as */
void fz_unite(struct fzn *f, uint32_t a, uint32_t b);
struct fz_range fz_bounds(struct fzn *f, const struct fz_expr *e); /* of a variable or a number */
bool fz_is_fixed(struct fzn *f, const struct fz_expr *e, int64_t *value);
void fz_simplify(struct fzn *f); /* constraints that only say what a domain is, or that two are the same */
void fz_declare(struct fzn *f);  /* the variables become those of the network */
uint32_t fz_variable(struct fzn *f, const struct fz_expr *e); /* in the network; a number gets one of its own */
uint32_t fz_constant(struct fzn *f, int64_t value);
uint32_t fz_hidden(struct fzn *f, int64_t low, int64_t high); /* a fresh one, which follows from others */

/* constraints.c */
typedef void fz_poster(struct fzn *f, const struct fz_expr *a);
struct fz_row {
	const char *name, *args; /* one letter per argument: see constraints.c */
	fz_poster *post;
	bool each; /* goes through the values of its integers one by one */
};
const struct fz_row *fz_row(const char *name, size_t count); /* with so many arguments, if there is one */
void fz_post_all(struct fzn *f);
uint32_t fz_posted(struct fzn *f, uint32_t c);         /* fails when the network refused it */
void fz_never(struct fzn *f);                          /* nothing satisfies this model */
void fz_check(struct fzn *f, struct fz_constraint *c); /* finds its row; the arguments are of these kinds */
void fz_linear(struct fzn *f, const struct fz_expr *coeffs, const struct fz_expr *vars, enum csp_relation r, int64_t k,
               const struct fz_expr *b, enum csp_reification mode);
void fz_clause(struct fzn *f); /* at least one of f->xs is 1 or of f->ys is 0; both scratch lists are used up */

/* globals.c, tables.c */
extern const struct fz_row fz_globals[], fz_tables[];

/* search.c */
void fz_search(struct fzn *f);

#endif
