/* Explanations for backjumping: which decisions shrank a domain.
 *
 * For each variable a set of decision levels is kept such that those decisions
 * alone lead to its present domain. When constraint c shrinks x, x inherits the
 * sets of all variables of c: coarser than per-value explanations, but it works
 * for every propagator and costs one union per change (as MAC-CBJ, Prosser 1995). */
#include "csp/core/explain.h"

#include <assert.h>
#include <string.h>

void deps_start(struct csp *n)
{
	deps_stop(n);
	struct deps *d = n->deps = NEW(struct deps);
	d->words = (uint32_t)BITS_WORDS(n->vars.n + 2);
	d->of = NEW_ARRAY(uint64_t, n->vars.n * d->words);
	d->decision = NEW_ARRAY(uint64_t, d->words);
	d->conflict = NEW_ARRAY(uint64_t, d->words);
}

void deps_stop(struct csp *n)
{
	struct deps *d = n->deps;
	if (!d)
		return;
	mem_free(d->of);
	mem_free(d->decision);
	mem_free(d->conflict);
	vec_free(&d->trail);
	mem_free(d);
	n->deps = NULL;
}

static void unite(uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		a[w] |= b[w];
}

/* The levels behind a cause: a constraint, a nogood, or the search itself. */
static void add_cause(struct csp *n, uint32_t cause, uint64_t *to)
{
	struct deps *d = n->deps;
	uint32_t count;
	const uint32_t *lits;
	if (cause == CSP_NONE) {
		unite(to, d->decision, d->words);
	} else if (cause < n->cons.n) {
		const struct con *c = &n->cons.at[cause];
		for (uint32_t p = 0; p < c->arity; p++)
			unite(to, d->of + (size_t)con_scope(n, c)[p] * d->words, d->words);
		if (n->guard)
			unite(to, d->of + (size_t)(n->guard - 1) * d->words, d->words);
	} else if ((lits = nogoods_of_cause(n, cause, &count)) != NULL) {
		for (uint32_t i = 0; i < count; i++)
			unite(to, d->of + (size_t)nogoods_var(n, lits[i]) * d->words, d->words);
	}
}

void csp_explain(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	struct deps *d = n->deps;
	uint64_t *mine = d->of + (size_t)x * d->words;
	vec_extend(&d->trail, d->words + 1);
	uint64_t *t = d->trail.at + d->trail.n - d->words - 1;
	memcpy(t, mine, d->words * sizeof(uint64_t));
	t[d->words] = x;
	add_cause(n, n->cause, mine);
}

void deps_undo(struct csp *n, size_t mark)
{
	struct deps *d = n->deps;
	while (d->trail.n > mark) {
		d->trail.n -= d->words + 1;
		const uint64_t *t = d->trail.at + d->trail.n;
		memcpy(d->of + (size_t)t[d->words] * d->words, t, d->words * sizeof(uint64_t));
	}
}

void deps_conflict(struct csp *n, uint32_t culprit, uint32_t x)
{
	assert(x == CSP_NONE || x < n->vars.n);
	struct deps *d = n->deps;
	memset(d->conflict, 0, d->words * sizeof(uint64_t));
	if (x != CSP_NONE)
		unite(d->conflict, d->of + (size_t)x * d->words, d->words);
	add_cause(n, culprit, d->conflict);
}
