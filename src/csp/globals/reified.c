/* A constraint whose truth is a 0/1 variable: equivalent to it, implied by it, or implying it. Scope: that of the
 * constraint, then the variable. Once the variable says that the constraint holds it is propagated as such; else it is
 * checked when one variable is left. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct reified {
	enum csp_reification mode;
	struct con inner; /* its scope is the beginning of ours */
};

static const char *const attributes[] = {"reifiedBy", "hreifiedFrom", "hreifiedTo"};

static uint32_t reify_expression(struct csp *n, uint32_t c, uint32_t b, enum csp_reification mode)
{
	assert(c < n->cons.n);
	uint32_t args[2] = {csp_expr_var(n, b), csp_root(n, c)};
	if (mode == CSP_REIFIED_TO) {
		args[0] = args[1];
		args[1] = csp_expr_var(n, b);
	}
	uint32_t e = csp_expr(n, mode == CSP_REIFIED ? CSP_OP_IFF : CSP_OP_IMP, args, 2);
	uint32_t now = csp_add_intension(n, e);
	if (now == CSP_NONE)
		return now;
	n->cons.at[c] = n->cons.at[now];
	n->cons.n--;
	return c;
}

uint32_t csp_reify(struct csp *n, uint32_t c, uint32_t b, enum csp_reification mode)
{
	if (c >= n->cons.n || c < n->prepared || n->cons.at[c].kind == CSP_REIFIED_KIND)
		return net_refuse(n, "there is no such constraint to reify");
	if (csp_value(n, b, 0) < 0 || csp_value(n, b, csp_count(n, b) - 1) > 1)
		return net_refuse(n, "%s cannot reify: it is no 0/1 variable", csp_name(n, b));
	if (n->cons.at[c].kind == CSP_INTENSION)
		return reify_expression(n, c, b, mode);
	struct con inner = n->cons.at[c];
	struct reified *d = arena_alloc(&n->records, sizeof *d);
	uint32_t *scope = mem_alloc(inner.arity, sizeof *scope);
	for (uint32_t p = 0; p < inner.arity; p++)
		scope[p] = con_scope(n, &inner)[p];
	uint32_t now = add_joined(n, CSP_REIFIED_KIND, scope, inner.arity, &b, 1, d);
	mem_free(scope);
	if (now == CSP_NONE)
		return now;
	n->cons.at[c] = n->cons.at[now];
	n->cons.n--;
	inner.scope = n->cons.at[c].scope;
	*d = (struct reified){mode, inner};
	return c;
}

static enum prop attach(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	struct con outer = n->cons.at[ci];
	struct reified *d = outer.record;
	if (d->inner.kind == CSP_TABLE || !csp_kinds[d->inner.kind]->attach)
		return PROP_OWN;
	n->cons.at[ci] = d->inner; /* its functions know it by its number */
	csp_kinds[d->inner.kind]->attach(n, ci);
	d->inner = n->cons.at[ci];
	outer.costly = d->inner.costly;
	n->cons.at[ci] = outer;
	return PROP_OWN;
}

/* Where the kind can tell before all variables are fixed: the variable learns the truth, or the constraint its
 * opposite. */
static bool propagate_both(struct csp *n, uint32_t ci, uint32_t b)
{
	assert(ci < n->cons.n);
	const struct con outer = n->cons.at[ci];
	const struct reified *d = outer.record;
	const struct kind *k = csp_kinds[d->inner.kind];
	if (dom_size(n, b) > 1) {
		enum expr_truth t = k->truth(n, &d->inner);
		if (t == EXPR_OPEN || (t == EXPR_TRUE && d->mode == CSP_REIFIED_FROM) ||
		    (t == EXPR_FALSE && d->mode == CSP_REIFIED_TO))
			return true;
		return fix_value(n, b, t == EXPR_TRUE);
	}
	bool said = dom_min(n, b) != 0;
	if ((said && d->mode == CSP_REIFIED_TO) || (!said && d->mode == CSP_REIFIED_FROM))
		return true;
	if (!said)
		return k->deny(n, &d->inner);
	n->cons.at[ci] = d->inner;
	n->guard = b + 1;
	bool ok = k->propagate(n, ci);
	n->guard = 0;
	n->cons.at[ci] = outer;
	return ok;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	struct con outer = n->cons.at[ci];
	struct reified *d = outer.record;
	uint32_t b = con_scope(n, &outer)[d->inner.arity];
	if (csp_kinds[d->inner.kind]->truth)
		return propagate_both(n, ci, b);
	bool forced = d->mode != CSP_REIFIED_TO && dom_size(n, b) == 1 && dom_min(n, b) == 1;
	if (forced && csp_kinds[d->inner.kind]->propagate) {
		n->cons.at[ci] = d->inner;
		n->guard = b + 1;
		bool ok = csp_kinds[d->inner.kind]->propagate(n, ci);
		n->cons.at[ci] = outer;
		n->guard = 0;
		if (!ok)
			return false;
	}
	return csp_prop_check(n, ci);
}

/* Of sums: the variable says that the sum holds, or its opposite; or follows because one of the two fails. */
static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct reified *d = c->record;
	uint32_t b = con_scope(n, c)[d->inner.arity];
	if (d->inner.kind != CSP_SUM)
		return false;
	for (uint32_t p = 0; p < d->inner.arity; p++)
		if (con_scope(n, c)[p] == b)
			return false;
	uint32_t low = learn_low(n, b, q->time), high = learn_high(n, b, q->time);
	if (!q->failure && atom_var(q->what) == b) {
		bool one = csp_value(n, b, q->what.i) != 0; /* it became this: the other cannot be */
		return sum_explain(n, &d->inner, one, &(struct question){.failure = true, .time = q->time});
	}
	if (low != high)
		return false;
	reason_fixed(n, b, q->time);
	return sum_explain(n, &d->inner, csp_value(n, b, low) == 0, q);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct reified *d = c->record;
	bool said = value_at(n, c, at, d->inner.arity) != 0, is = csp_kinds[d->inner.kind]->holds(n, &d->inner, at);
	return d->mode == CSP_REIFIED ? said == is : d->mode == CSP_REIFIED_FROM ? !said || is : !is || said;
}

/* The element and its content are those of the constraint inside. */
static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct reified *d = c->record;
	csp_kinds[d->inner.kind]->write(n, &d->inner, out);
}

enum csp_kind reified_inside(const struct csp *n, const struct con *c, struct text *attribute)
{
	const struct reified *d = c->record;
	text_printf(attribute, " %s=\"", attributes[d->mode]);
	csp_xml_name(n, con_scope(n, c)[d->inner.arity], attribute);
	text_putc(attribute, '"');
	return d->inner.kind;
}

const struct kind kind_reified = {
	.attach = attach, .explain = explain, .propagate = propagate, .holds = holds, .write = write_xml};
