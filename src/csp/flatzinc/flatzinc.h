/* FlatZinc: the language in which MiniZinc hands models to solvers. A file is read into a network; what the format says
 * beside the constraints (which variables to print and how, how to search) is kept beside it.
 *
 *     struct csp_source_error e;
 *     struct fzn *f = fzn_read(data, length, &e);
 *     csp_solve(fzn_network(f), ...);          with fzn_phases(f)
 *     fzn_print(f, values, &text);             at each solution
 *     fzn_free(f);
 *
 * Integers, Booleans and sets of integers that are constants are read; set variables and floats are refused. */
#ifndef CSP_FLATZINC_FLATZINC_H
#define CSP_FLATZINC_FLATZINC_H

#include "csp/csp.h"

struct fzn;

/* Does the text look like FlatZinc (and not like XML)? Of MiniZinc that is more than FlatZinc the reader says so
 * itself. */
bool fzn_recognise(const char *data, size_t length);

struct fzn *fzn_read(const char *data, size_t length, struct csp_source_error *e); /* NULL: `e` says why */
void fzn_free(struct fzn *f);
struct csp *fzn_network(struct fzn *f); /* stays the file's */
const struct csp_phase *fzn_phases(const struct fzn *f, size_t *count);
enum csp_restarts fzn_restarts(const struct fzn *f, uint32_t *unit); /* what the file asks for */
/* A solution as MiniZinc reads it: "x = 3;" line by line, in the order of the declarations; or as an object of JSON, in
 * which arrays have one dimension. */
void fzn_print(const struct fzn *f, const int32_t *values, bool json, struct text *out);
/* The constraints i = 0, 1, ... that are read: name (NULL: no more) and what its arguments are. */
const char *fzn_constraint(size_t i, const char **arguments);

#endif
