/* The rules of a factor: those of the ground program that it needs, with the fluents of other factors as they are at
 * the start. */
#include "analysis/factors_internal.h"

#include "base/bits.h"
#include "circuit/circuit.h"

#include <assert.h>

struct writer {
	const struct factor_finder *x;
	uint32_t factor;
	uint8_t *possible; /* by atom: it can hold */
	uint8_t *needed;   /* by atom: it is written */
	struct text *out;
};

/* Fluents of other factors are as at the start, and nobody moves there. */
static int leaf_known(const struct writer *w, atom_t a)
{
	const struct factor_finder *x = w->x;
	assert(a < x->leaves);
	if (a >= x->fluents)
		return x->factor[a] == w->factor ? OPEN : NO;
	if (!x->moved[a] || x->factor[a] == w->factor)
		return OPEN;
	return bits_has(x->rules->initial.at, a) ? YES : NO;
}

static int literal_known(const struct writer *w, uint32_t literal)
{
	atom_t a = literal / 2;
	int k = a < w->x->leaves ? leaf_known(w, a) : w->possible[a] ? OPEN : NO;
	return k == OPEN ? OPEN : (k == YES) != (literal & 1) ? YES : NO;
}

/* A negated atom that is defined by rules may always be false. */
static bool rule_possible(const struct writer *w, uint32_t rule)
{
	const struct ground *g = w->x->rules;
	for (uint32_t k = g->rule.at[rule]; k < g->rule.at[rule + 1]; k++) {
		uint32_t literal = g->body.at[k];
		if (literal & 1 && literal / 2 >= w->x->leaves)
			continue;
		if (literal_known(w, literal) == NO)
			return false;
	}
	return true;
}

static void find_possible(struct writer *w)
{
	const struct ground *g = w->x->rules;
	for (bool again = true; again;) {
		again = false;
		for (atom_t a = w->x->leaves; a < g->atoms; a++)
			for (uint32_t i = g->first.at[a]; i < g->first.at[a + 1] && !w->possible[a]; i++)
				if (rule_possible(w, i))
					w->possible[a] = again = true;
	}
}

static void need(struct writer *w, atom_t from, atoms_t *open)
{
	const struct ground *g = w->x->rules;
	if (from == ATOM_NONE)
		return;
	vec_push(open, from);
	while (open->n) {
		atom_t a = vec_pop(open);
		if (a < w->x->leaves || w->needed[a] || !w->possible[a])
			continue;
		w->needed[a] = 1;
		for (uint32_t k = g->rule.at[g->first.at[a]]; k < g->rule.at[g->first.at[a + 1]]; k++)
			vec_push(open, g->body.at[k] / 2);
	}
}

static void put_term(const struct writer *w, term_t term)
{
	const struct ground *g = w->x->rules;
	term_print(&g->datalog.terms, &g->datalog.source->symbols, term, w->out);
}

static void put_atom(const struct writer *w, atom_t a)
{
	const struct factor_finder *x = w->x;
	if (a < x->fluents) {
		text_puts(w->out, "(true ");
		put_term(w, x->rules->fluents.at[a]);
		text_putc(w->out, ')');
	} else if (a < x->leaves) {
		const struct ground_output *m = &x->rules->moves.at[a - x->fluents];
		text_puts(w->out, "(does ");
		put_term(w, x->rules->roles.at[m->role]);
		text_putc(w->out, ' ');
		put_term(w, m->term);
		text_putc(w->out, ')');
	} else {
		text_printf(w->out, "atom_%u", a);
	}
}

static void put_rule(const struct writer *w, atom_t head, uint32_t rule)
{
	const struct ground *g = w->x->rules;
	text_printf(w->out, "(<= atom_%u", head);
	for (uint32_t k = g->rule.at[rule]; k < g->rule.at[rule + 1]; k++) {
		if (literal_known(w, g->body.at[k]) == YES)
			continue;
		text_puts(w->out, g->body.at[k] & 1 ? " (not " : " ");
		put_atom(w, g->body.at[k] / 2);
		text_puts(w->out, g->body.at[k] & 1 ? ")" : "");
	}
	text_puts(w->out, ")\n");
}

static bool holds_ever(const struct writer *w, atom_t a)
{
	return a != ATOM_NONE && literal_known(w, 2 * a) != NO;
}

/* What a role may do in the factor; else it passes. */
static void put_moves(const struct writer *w, uint32_t role)
{
	const struct factor_finder *x = w->x;
	const struct ground_outputs *moves = &x->rules->moves;
	bool any = false;
	for (uint32_t m = moves->start.at[role]; m < moves->start.at[role + 1]; m++) {
		if (x->factor[x->fluents + m] != w->factor || !holds_ever(w, moves->at[m].atom))
			continue;
		any = true;
		text_puts(w->out, "(<= (legal ");
		put_term(w, x->rules->roles.at[role]);
		text_putc(w->out, ' ');
		put_term(w, moves->at[m].term);
		text_printf(w->out, ") atom_%u)\n(<= moves_%u atom_%u)\n", moves->at[m].atom, role, moves->at[m].atom);
	}
	text_puts(w->out, any ? "(<= (legal " : "(legal ");
	put_term(w, x->rules->roles.at[role]);
	if (any)
		text_printf(w->out, " factor_pass) (not moves_%u))\n(<= moves moves_%u)\n", role, role);
	else
		text_puts(w->out, " factor_pass)\n");
}

/* Ends, and goals: where all pass for ever, each has its share of 100. */
static void put_ends(const struct writer *w)
{
	const struct ground *g = w->x->rules;
	uint32_t players = game_players(w->x->g);
	text_puts(w->out, "(<= terminal over)\n(<= terminal (not over) (not moves))\n");
	if (holds_ever(w, g->terminal))
		text_printf(w->out, "(<= over atom_%u)\n", g->terminal);
	for (uint32_t i = 0; i < g->goals.n; i++) {
		if (!holds_ever(w, g->goals.at[i].atom))
			continue;
		text_puts(w->out, "(<= (goal ");
		put_term(w, g->roles.at[g->goals.at[i].role]);
		text_putc(w->out, ' ');
		put_term(w, g->goals.at[i].term);
		text_printf(w->out, ") atom_%u over)\n", g->goals.at[i].atom);
	}
	for (uint32_t r = 0; r < g->roles.n; r++) {
		text_puts(w->out, "(<= (goal ");
		put_term(w, g->roles.at[r]);
		text_printf(w->out, " %u) (not over))\n", 100 / players);
	}
}

static void need_all(struct writer *w)
{
	const struct factor_finder *x = w->x;
	const struct ground *g = x->rules;
	atoms_t open = {0};
	for (uint32_t f = 0; f < x->fluents; f++)
		if (leaf_known(w, f) == OPEN)
			need(w, g->next.at[f], &open);
	for (uint32_t m = 0; m < g->moves.n; m++)
		if (x->factor[x->fluents + m] == w->factor)
			need(w, g->moves.at[m].atom, &open);
	for (uint32_t i = 0; i < g->goals.n; i++)
		need(w, g->goals.at[i].atom, &open);
	need(w, g->terminal, &open);
	vec_free(&open);
}

static void put_fluents(const struct writer *w)
{
	const struct factor_finder *x = w->x;
	for (uint32_t f = 0; f < x->fluents; f++) {
		if (leaf_known(w, f) != OPEN)
			continue;
		if (bits_has(x->rules->initial.at, f)) {
			text_puts(w->out, "(init ");
			put_term(w, x->rules->fluents.at[f]);
			text_puts(w->out, ")\n");
		}
		if (!holds_ever(w, x->rules->next.at[f]))
			continue;
		text_puts(w->out, "(<= (next ");
		put_term(w, x->rules->fluents.at[f]);
		text_printf(w->out, ") atom_%u)\n", x->rules->next.at[f]);
	}
}

void factor_write(const struct factor_finder *x, uint32_t factor, struct text *out)
{
	const struct ground *g = x->rules;
	struct writer w = {x, factor, NEW_ARRAY(uint8_t, g->atoms), NEW_ARRAY(uint8_t, g->atoms), out};
	find_possible(&w);
	need_all(&w);
	for (uint32_t r = 0; r < g->roles.n; r++) {
		text_puts(out, "(role ");
		put_term(&w, g->roles.at[r]);
		text_puts(out, ")\n");
	}
	put_fluents(&w);
	for (uint32_t r = 0; r < g->roles.n; r++)
		put_moves(&w, r);
	for (atom_t a = x->leaves; a < g->atoms; a++)
		for (uint32_t i = g->first.at[a]; w.needed[a] && i < g->first.at[a + 1]; i++)
			if (rule_possible(&w, i))
				put_rule(&w, a, i);
	put_ends(&w);
	mem_free(w.possible);
	mem_free(w.needed);
}
