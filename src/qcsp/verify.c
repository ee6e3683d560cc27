/* Does a strategy win? Follows it through every possible universal value, with
 * nothing but the definition (position.c); and prints it. */
#include "base/rng.h"
#include "qcsp/qcsp_internal.h"

struct verify {
	struct position p;
	struct qcsp *q;
	const struct qcsp_strategy *s;
	struct qcsp_verdict v;
	uint64_t budget;
	struct rng rng;
};

/* Some existential value must do at every turn. */
static bool any_wins(struct verify *k)
{
	uint32_t i = k->p.depth, x;
	k->v.positions++;
	if (i == k->q->sequence.n)
		return true;
	x = k->q->sequence.at[i];
	bool forall = k->q->forall.at[i], sample = k->v.positions > k->budget;
	k->v.sampled = k->v.sampled || (sample && forall);
	uint32_t count = csp_count(k->q->n, x), turn = sample && forall ? rng_below(&k->rng, count) : 0;
	for (uint32_t d = 0; d < count; d++) {
		uint32_t at = (turn + d) % count;
		bool possible = position_set(&k->p, at), won = possible && any_wins(k);
		position_undo(&k->p);
		if (!forall && won)
			return true;
		if (forall && possible && !won)
			return false;
		if (forall && possible && sample)
			return true;
	}
	return forall;
}

static const char *follow(struct verify *k, uint32_t node)
{
	uint32_t i = k->p.depth;
	k->v.positions++;
	if (i == k->q->sequence.n) {
		struct csp_options o = csp_defaults;
		struct csp_stats st;
		/* the plain form has not asked for a solution on the way */
		return k->q->strategic || csp_solve(k->q->n, &o, &st) == CSP_SAT ? NULL : "the end has no solution";
	}
	if (node == QCSP_ANY)
		return any_wins(k) ? NULL : "a position said to be won is not";
	if (node == QCSP_DONE || node >= k->s->nodes.n)
		return "the strategy ends before the sequence does";
	const struct qcsp_node *d = &k->s->nodes.at[node];
	uint32_t x = k->q->sequence.at[i];
	const char *fault = NULL;
	if (!k->q->forall.at[i]) {
		if (d->arcs != 1)
			return "an existential variable does not have exactly one value";
		if (!position_set(&k->p, k->s->arcs.at[d->arc].at))
			fault = "a value that is not possible";
		else
			fault = follow(k, k->s->arcs.at[d->arc].child);
		position_undo(&k->p);
		return fault;
	}
	for (uint32_t at = 0; at < csp_count(k->q->n, x) && !fault; at++) {
		const struct qcsp_arc *arc = NULL;
		for (uint32_t j = 0; j < d->arcs && !arc; j++)
			if (k->s->arcs.at[d->arc + j].at == at)
				arc = &k->s->arcs.at[d->arc + j];
		bool possible = position_set(&k->p, at);
		if (!k->q->strategic && !possible)
			fault = "a universal value that leads to failure";
		else if (possible && !arc)
			fault = "no answer to a possible universal value";
		else if (possible)
			fault = follow(k, arc->child);
		position_undo(&k->p);
	}
	return fault;
}

struct qcsp_verdict qcsp_verify(struct qcsp *q, const struct qcsp_strategy *s, uint64_t budget)
{
	struct verify k = {.q = q, .s = s, .budget = budget, .rng = rng_seed(1)};
	bool alive = position_start(&k.p, q, NULL, NULL);
	if (alive)
		k.v.fault = follow(&k, s->root);
	else if (!q->strategic || !q->sequence.n || !q->forall.at[0])
		k.v.fault = "nothing is possible at the start";
	position_free(&k.p);
	return k.v;
}

static void put_value(struct qcsp *q, uint32_t x, uint32_t at, struct text *out)
{
	int32_t v = csp_value(q->n, x, at);
	if (csp_symbolic(q->n, x))
		text_puts(out, csp_symbol_text(q->n, v));
	else
		text_printf(out, "%d", v);
}

static void put_node(struct qcsp *q, const struct qcsp_strategy *s, uint32_t node, uint32_t i, uint32_t depth,
                     int indent, struct text *out)
{
	while (node < s->nodes.n && i < q->sequence.n && i < depth && !q->forall.at[i]) {
		const struct qcsp_arc *a = &s->arcs.at[s->nodes.at[node].arc];
		text_printf(out, " %s=", csp_name(q->n, q->sequence.at[i]));
		put_value(q, q->sequence.at[i++], a->at, out);
		node = a->child;
	}
	if (node == QCSP_ANY)
		text_puts(out, " won");
	else if (i < q->sequence.n && i >= depth)
		text_puts(out, " ...");
	text_putc(out, '\n');
	if (node >= s->nodes.n || i >= depth)
		return;
	const struct qcsp_node *d = &s->nodes.at[node];
	for (uint32_t j = 0; j < d->arcs; j++) {
		const struct qcsp_arc *a = &s->arcs.at[d->arc + j];
		text_printf(out, "%*s%s=", indent, "", csp_name(q->n, q->sequence.at[i]));
		put_value(q, q->sequence.at[i], a->at, out);
		text_putc(out, ':');
		put_node(q, s, a->child, i + 1, depth, indent + 2, out);
	}
}

void qcsp_print(struct qcsp *q, const struct qcsp_strategy *s, uint32_t depth, struct text *out)
{
	text_puts(out, "strategy:");
	put_node(q, s, s->root, 0, depth, 2, out);
}
