/* An evaluation in words: what it was learnt from, and what weighs most. */
#include "game/rules_view.h"
#include "play/learn/evaluation_internal.h"

#include <assert.h>

struct line {
	double weight, rank;
	uint32_t a, b; /* a group, or two fluents */
};

static int by_rank(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	return (x->rank < y->rank) - (x->rank > y->rank);
}

struct evaluation_facts evaluation_facts(const struct evaluation *e)
{
	struct evaluation_facts f = {.playouts = e->playouts,
	                             .matches = e->self_matches,
	                             .samples = e->samples,
	                             .fluents = (uint32_t)bits_count(e->live, e->words),
	                             .groups = (uint32_t)e->groups.n,
	                             .movers = e->movers,
	                             .phases = e->phases,
	                             .length = e->length,
	                             .set = e->set,
	                             .pairs_set = e->pairs_set};
	for (uint32_t m = 0; m < e->movers; m++)
		f.pairs += e->pairs[m].n;
	return f;
}

/* The mean weight of a fluent, over contexts. */
static double weight_of(const struct evaluation *e, uint32_t fluent)
{
	assert(fluent < e->fluents);
	double sum = 0;
	for (uint32_t c = 0; c < e->contexts; c++)
		sum += (double)e->flat[((size_t)c * (e->fluents + 1) + fluent) * e->outputs] / e->contexts;
	return sum;
}

static void print_group(const struct evaluation *e, const struct group *g, struct text *out)
{
	const struct ground *ground = game_rules_view(e->g)->ground;
	const struct symbols *s = &e->g->rules->symbols;
	text_printf(out, "(%s", sym_text(s, g->relation));
	if (g->position != TERM_NONE) {
		for (uint32_t i = 0; i < g->position; i++)
			text_puts(out, " ?");
		text_puts(out, " ");
		term_print(&ground->datalog.terms, s, g->value, out);
	}
	if (g->last != TERM_NONE) {
		text_puts(out, " … ");
		term_print(&ground->datalog.terms, s, g->last, out);
	}
	text_puts(out, ")");
}

/* Groups of one or of two terms by the mean weight of their members, ranked by what they move. */
static void print_groups(const struct evaluation *e, bool two, uint32_t most, struct text *out)
{
	VEC(struct line) lines = {0};
	double *sum = NEW_ARRAY(double, e->groups.n + 1), *share = NEW_ARRAY(double, e->groups.n + 1);
	for (uint32_t f = 0; f < e->fluents; f++)
		for (uint32_t k = e->first_group[f]; k < e->first_group[f + 1]; k++) {
			sum[e->group_list.at[k]] += weight_of(e, f) * (double)e->frequency[f];
			share[e->group_list.at[k]] += (double)e->frequency[f];
		}
	for (uint32_t k = 0; k < e->groups.n; k++)
		if ((e->groups.at[k].last != TERM_NONE) == two && share[k] > 0) {
			double w = sum[k] / share[k];
			vec_push(&lines, (struct line){w, fabs(w) / (double)e->groups.at[k].scale, k, 0});
		}
	if (lines.n)
		qsort(lines.at, lines.n, sizeof *lines.at, by_rank);
	for (size_t i = 0; i < lines.n && i < most; i++) {
		text_printf(out, "%+8.3f ", lines.at[i].weight);
		print_group(e, &e->groups.at[lines.at[i].a], out);
		text_puts(out, "\n");
	}
	vec_free(&lines);
	mem_free(sum);
	mem_free(share);
}

static void print_pairs(const struct evaluation *e, uint32_t mover, uint32_t most, struct text *out)
{
	assert(mover < MOST_MOVERS);
	const struct pairs *p = &e->pairs[mover];
	VEC(struct line) lines = {0};
	for (uint32_t f = 0; f < e->fluents; f++)
		for (uint32_t k = p->first[f]; k < p->first[f + 1]; k++)
			for (uint64_t left = p->entries.at[k].mask, i = p->entries.at[k].base; left; left &= left - 1, i++) {
				double w = (double)p->w[i];
				vec_push(&lines,
				         (struct line){w, fabs(w), f, p->entries.at[k].word * 64 + (uint32_t)__builtin_ctzll(left)});
			}
	if (lines.n)
		qsort(lines.at, lines.n, sizeof *lines.at, by_rank);
	for (size_t i = 0; i < lines.n && i < most; i++) {
		text_printf(out, "%+8.3f ", lines.at[i].weight);
		game_print_fluent(e->g, lines.at[i].a, out);
		text_puts(out, " ");
		game_print_fluent(e->g, lines.at[i].b, out);
		if (e->movers > 1) {
			text_puts(out, " ");
			game_print_fluent(e->g, e->mover[mover], out);
		}
		text_puts(out, "\n");
	}
	vec_free(&lines);
}

void evaluation_print(const struct evaluation *e, uint32_t most, struct text *out)
{
	print_groups(e, false, most, out);
	print_groups(e, true, most, out);
	for (uint32_t m = 0; m < e->movers; m++)
		print_pairs(e, m, most, out);
}
