/* An independent judge of solutions: it reads the instance itself, from the document, and evaluates every constraint by
 * its definition. It shares no code with the reader, the constraints or the searches of the solver, so that a fault of
 * theirs does not hide from it. Slow: for single solutions, and for small instances tried value by value in tests. */
#ifndef CSP_JUDGE_JUDGE_H
#define CSP_JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judge;

/* NULL: the document is no XCSP3 instance, or has something that is not known here; `message` gets a line. */
struct judge *judge_new(const char *data, size_t length, char *message, size_t room);
void judge_free(struct judge *k);

/* The variables in the order of their declarations. */
size_t judge_variables(const struct judge *k);
const char *judge_name(const struct judge *k, size_t x);
size_t judge_find(const struct judge *k, const char *name); /* SIZE_MAX: there is none */
size_t judge_size(const struct judge *k, size_t x);         /* values of its domain */
int64_t judge_value(const struct judge *k, size_t x, size_t i);
int64_t judge_symbol(struct judge *k, const char *symbol); /* the number that stands for it here */
bool judge_symbolic(const struct judge *k, size_t x);

/* One value per variable. NULL: all constraints hold and the values are in their domains; else why not, until the next
 * call. */
const char *judge_solution(struct judge *k, const int64_t *values);
/* False: there is no objective, or it has no value. */
bool judge_objective(struct judge *k, const int64_t *values, int64_t *cost);

#endif
