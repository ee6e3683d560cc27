/* Policies: print them, and check them by the definition alone. */
#include "scsp/scsp_internal.h"

#include <assert.h>

void scsp_forest_free(struct scsp_forest *f)
{
	vec_free(&f->nodes);
	vec_free(&f->arcs);
	vec_free(&f->policies);
	vec_free(&f->expected);
}

void scsp_result_free(struct scsp_result *r)
{
	scsp_forest_free(&r->forest);
}

static void put_value(struct scsp *s, uint32_t x, uint32_t at, struct text *out)
{
	assert(x < s->vars);
	int32_t v = csp_value(s->hard, x, at);
	if (csp_symbolic(s->hard, x))
		text_puts(out, csp_symbol_text(s->hard, v));
	else
		text_printf(out, "%d", v);
}

struct printing {
	struct scsp *s;
	const struct scsp_forest *f;
	struct text *out;
	uint32_t *now;
};

static void put_leaf(struct printing *p)
{
	double worth[SCSP_MAX_PLAYERS];
	scsp_worth_at(p->s, p->now, worth);
	text_puts(p->out, " ->");
	for (uint32_t i = 0; i < p->s->players; i++)
		text_printf(p->out, " %.6g", worth[i]);
	text_putc(p->out, '\n');
}

/* Decisions in a row share a line; each draw begins an indented one. */
static void put_node(struct printing *p, uint32_t node, int depth)
{
	while (node != SCSP_LEAF && p->f->nodes.at[node].arcs == 1 && !scsp_stochastic(p->s, p->f->nodes.at[node].var)) {
		const struct scsp_node *d = &p->f->nodes.at[node];
		const struct scsp_arc *a = &p->f->arcs.at[d->arc];
		text_printf(p->out, " %s=", csp_name(p->s->hard, d->var));
		put_value(p->s, d->var, a->at, p->out);
		p->now[d->var] = a->at;
		node = a->child;
	}
	if (node == SCSP_LEAF) {
		put_leaf(p);
		return;
	}
	const struct scsp_node *d = &p->f->nodes.at[node];
	text_putc(p->out, '\n');
	for (uint32_t i = 0; i < d->arcs; i++) {
		const struct scsp_arc *a = &p->f->arcs.at[d->arc + i];
		double prob = scsp_probability_at(p->s, d->var, a->at, p->now);
		p->now[d->var] = a->at;
		text_printf(p->out, "%*s%s=", depth * 2 + 2, "", csp_name(p->s->hard, d->var));
		put_value(p->s, d->var, a->at, p->out);
		text_printf(p->out, " (%.6g):", prob);
		put_node(p, a->child, depth + 1);
	}
}

void scsp_print(struct scsp *s, const struct scsp_forest *f, uint32_t root, struct text *out)
{
	assert(root < f->nodes.n || root == SCSP_LEAF);
	struct printing p = {s, f, out, NEW_ARRAY(uint32_t, s->vars + 1)};
	text_puts(out, "policy:");
	put_node(&p, root, 0);
	mem_free(p.now);
}

struct checking {
	struct scsp *s;
	const struct scsp_forest *f;
	uint32_t *now;
	int32_t *values;
	double *out;
	uint64_t leaves;
	const char *fault;
};

static void check_leaf(struct checking *k, double weight)
{
	assert(weight >= 0 && weight <= 1 + SCSP_EPSILON);
	struct scsp *s = k->s;
	double worth[SCSP_MAX_PLAYERS];
	for (uint32_t x = 0; x < s->vars; x++)
		k->values[x] = csp_value(s->hard, x, k->now[x]);
	if (!csp_check_values(s->hard, k->values)) {
		k->fault = "a leaf violates a hard constraint";
		return;
	}
	scsp_worth_at(s, k->now, worth);
	for (uint32_t p = 0; p < s->players; p++)
		k->out[p] += weight * worth[p];
	k->leaves++;
}

static void check_node(struct checking *k, uint32_t node, uint32_t place, double weight)
{
	assert(weight >= 0 && weight <= 1 + SCSP_EPSILON);
	assert(node < k->f->nodes.n || node == SCSP_LEAF);
	struct scsp *s = k->s;
	if (place == s->vars) {
		if (node != SCSP_LEAF)
			k->fault = "the tree is too deep";
		else
			check_leaf(k, weight);
		return;
	}
	uint32_t x = s->order[place];
	if (node == SCSP_LEAF || node >= k->f->nodes.n || k->f->nodes.at[node].var != x) {
		k->fault = "a node decides a variable that is not the next one";
		return;
	}
	const struct scsp_node *d = &k->f->nodes.at[node];
	if (!scsp_stochastic(s, x)) {
		if (d->arcs != 1) {
			k->fault = "a decision does not have exactly one value";
			return;
		}
		k->now[x] = k->f->arcs.at[d->arc].at;
		if (!csp_has_at(s->hard, x, k->now[x]))
			k->fault = "a decision outside its domain";
		else
			check_node(k, k->f->arcs.at[d->arc].child, place + 1, weight);
		return;
	}
	double mass = 0;
	for (uint32_t i = 0; i < d->arcs && !k->fault; i++) {
		const struct scsp_arc *a = &k->f->arcs.at[d->arc + i];
		double p = scsp_probability_at(s, x, a->at, k->now);
		k->now[x] = a->at;
		mass += p;
		for (uint32_t j = 0; j < i; j++)
			if (k->f->arcs.at[d->arc + j].at == a->at)
				k->fault = "a draw has a value twice";
		if (!k->fault && p > 0)
			check_node(k, a->child, place + 1, weight * p);
	}
	if (!k->fault && (mass < 1 - SCSP_EPSILON || mass > 1 + SCSP_EPSILON))
		k->fault = "a draw does not cover all its values";
}

const char *scsp_check(struct scsp *s, const struct scsp_forest *f, uint32_t root, double *out, double *error)
{
	assert(root < f->nodes.n || root == SCSP_LEAF);
	struct checking k = {
		.s = s, .f = f, .now = NEW_ARRAY(uint32_t, s->vars + 1), .values = NEW_ARRAY(int32_t, s->vars + 1), .out = out};
	for (uint32_t p = 0; p < s->players; p++)
		out[p] = 0;
	check_node(&k, root, 0, 1);
	mem_free(k.now);
	mem_free(k.values);
	if (error) { /* a product of at most `vars` factors, each off by half a unit, and a sum over all leaves */
		double most[SCSP_MAX_PLAYERS];
		scsp_most_worth(s, most);
		*error = 0x1p-52 * ((double)s->vars + (double)k.leaves + 2) * (most[0] > 1 ? most[0] : 1);
	}
	return k.fault;
}
