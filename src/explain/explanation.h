/* An explanation as a list of steps with texts: a derivation, or the rules that fail. */
#ifndef EXPLAIN_EXPLANATION_H
#define EXPLAIN_EXPLANATION_H

#include "base/arena.h"
#include "base/diag.h"
#include "explain/explainer.h"

enum reason {
	REASON_RULE,
	REASON_FACT,
	REASON_FLUENT,
	REASON_MOVE,
	REASON_DISTINCT,
	REASON_ABSENCE,
	REASON_ABOVE,
	REASON_FAILS,
	REASON_RULE_FAILS,
	REASON_LEFT_OUT
};

struct explanation_step {
	enum reason reason;
	uint32_t depth, parent; /* parent UINT32_MAX: none */
	const char *statement, *note;
	struct range rule, condition; /* to == 0: none */
	uint32_t met, conditions;
	uint32_t same;
};

struct explanation {
	bool holds;
	size_t instances;
	const char *statement;
	VEC(struct explanation_step) steps;
	struct arena texts;
};

struct explanation_bounds {
	uint32_t rules; /* that fail, of what was asked */
	uint32_t steps;
};

/* About the position of the explainer. False: see explainer_trouble(). */
bool explanation_make(struct explainer *x, term_t statement, struct explanation_bounds b, struct explanation *out);
void explanation_free(struct explanation *e);

#endif
