/* Small rulesheets at random: safe, stratified, finite; with recursion inside a
 * state, negation, disjunction, nested terms, several roles, turns, percepts, and now
 * and then facts where rules are usual. Nothing about them makes sense as a game.
 *
 * The constants are c0..; `n` holds them all and `e` is a random graph over them. A
 * function is only applied to variables that `n` guards, so terms stay flat. */
#ifndef TESTS_GAME_RANDOM_RULES_H
#define TESTS_GAME_RANDOM_RULES_H

#include "base/rng.h"
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

struct sheet {
	struct rng rng;
	struct text *out;
	uint32_t constants, roles, turns; /* turns: length of a rotation, or 0 */
	struct {
		char name[8];
		uint32_t argc, level;
	} preds[8];
	uint32_t pred_count;
	unsigned bound; /* variables of the rule at hand that a positive literal binds */
};

static inline uint32_t below(struct sheet *s, uint32_t n)
{
	return rng_below(&s->rng, n);
}

static const char *const sheet_roles[] = {"p1", "p2", "random"};

/* A variable of x, y, z or a constant; in a negative literal a bound one. */
static inline void put_atom(struct sheet *s, struct text *t, bool binds)
{
	if (below(s, 4)) {
		uint32_t v = below(s, 3);
		for (uint32_t k = 0; !binds && k < 3 && !(s->bound >> v & 1); k++)
			v = (v + 1) % 3;
		if (binds || s->bound >> v & 1) {
			s->bound |= binds ? 1u << v : 0;
			text_printf(t, " ?%c", "xyz"[v]);
			return;
		}
	}
	text_printf(t, " c%u", below(s, s->constants));
}

static inline void put_nested(struct sheet *s, struct text *t, bool binds)
{
	if (below(s, 2)) {
		put_atom(s, t, binds);
		return;
	}
	text_puts(t, " (h");
	put_atom(s, t, binds);
	text_putc(t, ')');
}

static inline void put_fluent(struct sheet *s, struct text *t, bool binds)
{
	switch (below(s, 4)) {
	case 0: text_printf(t, " p%u", below(s, 3)); break;
	case 1:
		text_puts(t, " (a");
		put_atom(s, t, binds);
		text_putc(t, ')');
		break;
	case 2:
		text_puts(t, " (b");
		put_atom(s, t, binds);
		put_atom(s, t, binds);
		text_putc(t, ')');
		break;
	default:
		text_puts(t, " (k");
		put_nested(s, t, binds);
		put_atom(s, t, binds);
		text_putc(t, ')');
		break;
	}
}

static inline void put_move(struct sheet *s, struct text *t, bool binds)
{
	switch (below(s, 3)) {
	case 0: text_puts(t, " noop"); break;
	case 1:
		text_puts(t, " (m");
		put_atom(s, t, binds);
		text_putc(t, ')');
		break;
	default:
		text_puts(t, " (g");
		put_nested(s, t, binds);
		put_atom(s, t, binds);
		text_putc(t, ')');
		break;
	}
}

/* Only predicates below `level`, or at it when `same` (recursion). */
static inline void put_literal(struct sheet *s, struct text *t, uint32_t level, bool same, bool moves, bool binds)
{
	switch (below(s, moves ? 6 : 5)) {
	case 0:
		text_puts(t, " (n");
		put_atom(s, t, binds);
		text_putc(t, ')');
		return;
	case 1:
		text_puts(t, " (e");
		put_atom(s, t, binds);
		put_atom(s, t, binds);
		text_putc(t, ')');
		return;
	case 2:
	case 3:
		for (uint32_t tries = 0; tries < 4; tries++) {
			uint32_t i = below(s, s->pred_count);
			if (s->preds[i].level > level || (s->preds[i].level == level && !same))
				continue;
			text_printf(t, s->preds[i].argc ? " (%s" : " %s", s->preds[i].name);
			for (uint32_t k = 0; k < s->preds[i].argc; k++)
				put_atom(s, t, binds);
			text_puts(t, s->preds[i].argc ? ")" : "");
			return;
		}
		/* fall through */
	case 4:
		text_puts(t, " (true");
		put_fluent(s, t, binds);
		text_putc(t, ')');
		return;
	default:
		text_printf(t, " (does %s", sheet_roles[below(s, s->roles)]);
		put_move(s, t, binds);
		text_putc(t, ')');
	}
}

static inline void put_body(struct sheet *s, struct text *t, uint32_t level, bool recursive, bool moves,
                            uint32_t longest)
{
	for (uint32_t i = below(s, longest + 1); i > 0; i--)
		put_literal(s, t, level, recursive, moves, true);
	for (uint32_t i = below(s, 3); i > 0; i--)
		switch (below(s, 4)) {
		case 0:
			text_puts(t, " (distinct");
			put_atom(s, t, false);
			put_atom(s, t, false);
			text_putc(t, ')');
			break;
		case 1:
			text_puts(t, " (or");
			for (uint32_t k = 2 + below(s, 2); k > 0; k--) {
				bool negative = below(s, 3) == 0;
				text_puts(t, negative ? " (not" : "");
				put_literal(s, t, level, recursive && !negative, moves, false);
				text_puts(t, negative ? ")" : "");
			}
			text_putc(t, ')');
			break;
		default:
			text_puts(t, " (not");
			put_literal(s, t, level, false, moves, false);
			text_putc(t, ')');
		}
}

/* Adds what the head's variables lack, and the rule. */
static inline void put_rule(struct sheet *s, const struct text *head, const struct text *body, bool guard)
{
	text_printf(s->out, "(<= %s", text_str(head));
	for (uint32_t v = 0; v < 3; v++) {
		char name[4] = {'?', "xyz"[v], 0};
		if (head->at && strstr(head->at, name) && (guard || !(s->bound >> v & 1)))
			text_printf(s->out, " (n %s)", name);
	}
	text_printf(s->out, "%s)\n", text_str(body));
}

enum sheet_head { HEAD_PRED, HEAD_LEGAL, HEAD_NEXT, HEAD_TERMINAL, HEAD_GOAL, HEAD_SEES };

static inline void put_clause(struct sheet *s, enum sheet_head kind, uint32_t which)
{
	struct text head = {0}, body = {0};
	uint32_t level = kind == HEAD_PRED ? s->preds[which].level : kind == HEAD_NEXT || kind == HEAD_SEES ? 100 : 49;
	bool moves = level >= 50;
	s->bound = 0;
	put_body(s, &body, level, kind == HEAD_PRED, moves, kind == HEAD_TERMINAL ? 4 : 3);
	unsigned bound = s->bound;
	switch (kind) {
	case HEAD_PRED:
		text_printf(&head, s->preds[which].argc ? "(%s" : "%s", s->preds[which].name);
		for (uint32_t k = 0; k < s->preds[which].argc; k++)
			put_atom(s, &head, true);
		text_puts(&head, s->preds[which].argc ? ")" : "");
		break;
	case HEAD_LEGAL:
		if (s->turns)
			text_printf(&body, " (true (t %u))", below(s, s->turns));
		text_printf(&head, "(legal %s", sheet_roles[which]);
		put_move(s, &head, true);
		text_putc(&head, ')');
		break;
	case HEAD_NEXT:
		text_puts(&head, "(next");
		put_fluent(s, &head, true);
		text_putc(&head, ')');
		break;
	case HEAD_TERMINAL: text_puts(&head, "terminal"); break;
	case HEAD_GOAL: text_printf(&head, "(goal %s %u)", sheet_roles[which], below(s, 5) * 25); break;
	case HEAD_SEES:
		text_printf(&head, "(sees %s", sheet_roles[which]);
		put_fluent(s, &head, true);
		text_putc(&head, ')');
		break;
	}
	s->bound = bound;
	put_rule(s, &head, &body, strstr(head.at, "(h ") != NULL);
	text_free(&head);
	text_free(&body);
}

static inline void random_rules(struct text *out, uint64_t seed)
{
	struct sheet s = {.rng = rng_seed(seed), .out = out};
	s.constants = 2 + below(&s, 3);
	s.roles = 1 + below(&s, 3);
	for (uint32_t r = 0; r < s.roles; r++)
		text_printf(out, "(role %s)\n", sheet_roles[r]);
	for (uint32_t i = 0; i < s.constants; i++) {
		text_printf(out, "(n c%u)\n", i);
		for (uint32_t k = 0; k < s.constants; k++)
			if (below(&s, 2))
				text_printf(out, "(e c%u c%u)\n", i, k);
	}
	text_puts(out, "(e c0 c1)\n");
	for (uint32_t i = 1 + below(&s, 5); i > 0; i--) {
		switch (below(&s, 4)) {
		case 0: text_printf(out, "(init p%u)\n", below(&s, 3)); break;
		case 1: text_printf(out, "(init (a c%u))\n", below(&s, s.constants)); break;
		case 2: text_printf(out, "(init (b c%u c%u))\n", below(&s, s.constants), below(&s, s.constants)); break;
		default: text_printf(out, "(init (k (h c%u) c%u))\n", below(&s, s.constants), below(&s, s.constants)); break;
		}
	}
	/* levels below 50 know the state only, those above the moves too */
	s.pred_count = 2 + below(&s, 5);
	for (uint32_t i = 0; i < s.pred_count; i++) {
		snprintf(s.preds[i].name, sizeof s.preds[i].name, "d%u", i);
		s.preds[i].argc = below(&s, 3);
		s.preds[i].level = (below(&s, 3) ? 0 : 50) + below(&s, 4);
	}
	for (uint32_t i = 0; i < s.pred_count; i++)
		for (uint32_t k = 1 + below(&s, 3); k > 0; k--)
			put_clause(&s, HEAD_PRED, i);
	s.turns = below(&s, 3) ? 0 : 2 + below(&s, 3);
	for (uint32_t i = 0; i < s.turns; i++)
		text_printf(out, "(<= (next (t %u)) (true (t %u)))\n", (i + 1) % s.turns, i);
	if (s.turns)
		text_puts(out, "(init (t 0))\n");
	for (uint32_t r = 0; r < s.roles; r++) {
		if (s.turns && below(&s, 2))
			text_printf(out, "(<= (legal %s noop) (true (t %u)))\n", sheet_roles[r], below(&s, s.turns));
		else if (below(&s, 6))
			text_printf(out, "(legal %s noop)\n", sheet_roles[r]);
		for (uint32_t k = 1 + below(&s, 3); k > 0; k--)
			put_clause(&s, HEAD_LEGAL, r);
		for (uint32_t k = 1 + below(&s, 4); k > 0; k--)
			put_clause(&s, HEAD_GOAL, r);
		for (uint32_t k = below(&s, 3); k > 0; k--)
			put_clause(&s, HEAD_SEES, r);
	}
	for (uint32_t k = 2 + below(&s, 6); k > 0; k--)
		put_clause(&s, HEAD_NEXT, 0);
	put_clause(&s, HEAD_TERMINAL, 0);
	if (below(&s, 2))
		text_puts(out, "(<= (next (a ?x)) (true (a ?x)) (not (true p0)))\n");
}

#endif
