/* Clause learning: what explanations of several kinds of constraints have in common. */
#include "csp/learn/learn.h"

#include <assert.h>

void reason_at_least(struct csp *n, uint32_t x, int64_t value, uint32_t time)
{
	const struct var *v = &n->vars.at[x];
	uint32_t i = learn_low(n, x, time);
	if (v->vals == CSP_NONE && value <= v->base)
		return; /* it always is */
	if (v->vals == CSP_NONE)
		i = (uint32_t)(value - v->base);
	else
		while (i && csp_value(n, x, i - 1) >= value)
			i--;
	assert(i <= learn_low(n, x, time));
	reason_add(n, atom(x, ATOM_GE, i));
}

void reason_at_most(struct csp *n, uint32_t x, int64_t value, uint32_t time)
{
	const struct var *v = &n->vars.at[x];
	uint32_t i = learn_high(n, x, time);
	if (v->vals == CSP_NONE && value >= (int64_t)v->base + v->count - 1)
		return;
	if (v->vals == CSP_NONE)
		i = (uint32_t)(value - v->base);
	else
		while (i + 1 < v->count && csp_value(n, x, i + 1) <= value)
			i++;
	assert(i >= learn_high(n, x, time));
	reason_add(n, atom(x, ATOM_LE, i));
}

bool reason_lacks(struct csp *n, uint32_t x, int64_t value, uint32_t time)
{
	uint32_t i = csp_index(n, x, value);
	if (i == CSP_NONE)
		return true;
	if (learn_has(n, x, i, time))
		return false;
	reason_gone(n, x, i, time);
	return true;
}

#define FEW_VALUES 64 /* that are asked about one by one */

bool reason_values(struct csp *n, const struct con *c, const struct question *q, reason_value *why)
{
	enum atom_op op = atom_op(q->what);
	uint32_t x = atom_var(q->what), i = q->what.i;
	uint32_t from = op == ATOM_GE   ? q->old
	                : op == ATOM_LE ? i + 1
	                                : i,
			 end = op == ATOM_GE   ? i
	               : op == ATOM_LE ? q->old + 1
	                               : i + 1;
	assert(from <= end && end <= n->vars.at[x].count);
	if (n->vars.at[x].wide || end - from > FEW_VALUES)
		return false;
	if (op != ATOM_NE)
		reason_add(n, atom(x, op, q->old));
	for (i = from; i < end; i++)
		if (!reason_lacks(n, x, csp_value(n, x, i), q->time) && !why(n, c, x, csp_value(n, x, i), q->time))
			return false;
	return true;
}
