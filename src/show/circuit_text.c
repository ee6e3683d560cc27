/* Gates are numbered by their nodes; inputs are named by what they stand for:
 *
 *     g47 = and (true (cell 1 1 b)) (not g12) (does xplayer (mark 1 1))
 *     (next (cell 1 1 x)) = g47
 *
 * A member of a fixpoint block starts false and grows: "g9 grows with g31". */
#include "show/circuit_text.h"

#include "base/json.h"
#include "game/rules_view.h"

#include <string.h>

typedef void (*output_fn)(void *context, const char *name, lit_t value);

/* Calls `f` for every output: next, legal, goal, sees, terminal. */
static void each_output(const struct game *g, output_fn f, void *context)
{
	static const char *const kinds[] = {"legal", "goal", "sees"};
	const struct circuit *c = game_rules_view(g)->circuit;
	const struct ground *ground = game_rules_view(g)->ground;
	const struct ground_outputs *lists[] = {&ground->moves, &ground->goals, &ground->percepts};
	const lit_t *values[] = {c->legal.at, c->goals.at, c->percepts.at};
	struct text name = {0};
	f(context, "terminal", c->terminal);
	for (uint32_t i = 0; i < c->next.n; i++) {
		name.n = 0;
		text_puts(&name, "(next ");
		game_print_fluent(g, i, &name);
		text_putc(&name, ')');
		f(context, text_str(&name), c->next.at[i]);
	}
	for (int k = 0; k < 3; k++)
		for (uint32_t i = 0; i < lists[k]->n; i++) {
			name.n = 0;
			text_printf(&name, "(%s ", kinds[k]);
			game_print_role(g, lists[k]->at[i].role, &name);
			text_putc(&name, ' ');
			term_print(&ground->datalog.terms, &g->rules->symbols, lists[k]->at[i].term, &name);
			text_putc(&name, ')');
			f(context, text_str(&name), values[k][i]);
		}
	text_free(&name);
}

static void print_node(const struct game *g, uint32_t node, struct text *out)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	enum gate_kind kind = c->gates.at[node].kind;
	if (kind == GATE_FALSE) {
		text_puts(out, "false");
	} else if (kind == GATE_FLUENT) {
		text_puts(out, "(true ");
		game_print_fluent(g, node - circuit_fluent(c, 0), out);
		text_putc(out, ')');
	} else if (kind == GATE_MOVE) {
		uint32_t m = node - circuit_move(c, 0);
		text_puts(out, "(does ");
		game_print_role(g, game_role_of(g, m), out);
		text_putc(out, ' ');
		game_print_move(g, m, out);
		text_putc(out, ')');
	} else {
		text_printf(out, "g%u", node);
	}
}

static void print_literal(const struct game *g, lit_t l, struct text *out)
{
	if (l == LIT_TRUE) {
		text_puts(out, "true");
		return;
	}
	text_puts(out, l & 1 ? "(not " : "");
	print_node(g, l / 2, out);
	text_puts(out, l & 1 ? ")" : "");
}

/* ---- what is needed --------------------------------------------------------------- */

struct marking {
	const struct circuit *c;
	uint8_t *mark; /* by node */
	VEC(uint32_t) todo;
};

static lit_t definition(const struct circuit *c, uint32_t node);

static void touch(struct marking *m, lit_t l)
{
	if (!m->mark[l / 2]) {
		m->mark[l / 2] = 1;
		vec_push(&m->todo, l / 2);
	}
}

static void mark_cone(void *context, const char *name, lit_t value)
{
	struct marking *m = context;
	(void)name;
	touch(m, value);
	while (m->todo.n) {
		uint32_t node = vec_pop(&m->todo);
		const struct gate *x = &m->c->gates.at[node];
		if (x->kind == GATE_LOOP)
			touch(m, definition(m->c, node));
		for (uint32_t k = 0; (x->kind == GATE_AND || x->kind == GATE_OR) && k < x->n; k++)
			touch(m, m->c->inputs.at[x->in + k]);
	}
}

static uint8_t *mark_needed(const struct game *g)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	struct marking m = {.c = c, .mark = NEW_ARRAY(uint8_t, c->gates.n)};
	each_output(g, mark_cone, &m);
	vec_free(&m.todo);
	return m.mark;
}

/* The definition of a member of a fixpoint block. */
static lit_t definition(const struct circuit *c, uint32_t node)
{
	uint32_t block = c->gates.at[node].n;
	for (uint32_t k = c->loops.at[block]; k < c->loops.at[block + 1]; k++)
		if (c->members.at[k].node == node)
			return c->members.at[k].definition;
	return LIT_FALSE;
}

/* ---- text ----------------------------------------------------------------------------- */

struct printing {
	const struct game *g;
	struct text *out;
	uint32_t outputs;
};

static void print_output(void *context, const char *name, lit_t value)
{
	struct printing *p = context;
	text_printf(p->out, "%s = ", name);
	print_literal(p->g, value, p->out);
	text_putc(p->out, '\n');
}

void circuit_print(const struct game *g, struct text *out)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	uint8_t *mark = mark_needed(g);
	for (uint32_t i = 0; i < c->gates.n; i++) {
		const struct gate *x = &c->gates.at[i];
		if (!mark[i] || x->kind == GATE_FALSE || x->kind == GATE_FLUENT || x->kind == GATE_MOVE)
			continue;
		if (x->kind == GATE_LOOP) {
			text_printf(out, "g%u grows with ", i);
			print_literal(g, definition(c, i), out);
		} else {
			text_printf(out, "g%u = %s", i, x->kind == GATE_AND ? "and" : "or");
			for (uint32_t k = 0; k < x->n; k++) {
				text_putc(out, ' ');
				print_literal(g, c->inputs.at[x->in + k], out);
			}
		}
		text_putc(out, '\n');
	}
	struct printing p = {g, out, 0};
	each_output(g, print_output, &p);
	mem_free(mark);
}

/* ---- Graphviz --------------------------------------------------------------------------- */

static void edge(struct text *out, lit_t from, const char *to, uint32_t number, const char *style)
{
	text_printf(out, "  n%u -> %s%u [%s%s];\n", from / 2, to, number, style,
	            from & 1 ? " arrowtail=odot dir=both" : "");
}

static void dot_output(void *context, const char *name, lit_t value)
{
	struct printing *p = context;
	if (value <= LIT_TRUE)
		return;
	text_printf(p->out, "  o%u [shape=box style=rounded label=", p->outputs);
	json_quote(p->out, name, strlen(name));
	text_puts(p->out, "];\n");
	edge(p->out, value, "o", p->outputs++, "");
}

static void dot_node(const struct game *g, uint32_t i, struct text *out)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	const struct gate *x = &c->gates.at[i];
	struct text label = {0};
	if (x->kind == GATE_AND || x->kind == GATE_OR) {
		text_printf(out, "  n%u [shape=circle label=\"%s\"];\n", i, x->kind == GATE_AND ? "&" : "|");
		for (uint32_t k = 0; k < x->n; k++)
			edge(out, c->inputs.at[x->in + k], "n", i, "");
	} else if (x->kind == GATE_LOOP) {
		text_printf(out, "  n%u [shape=diamond label=\"g%u\"];\n", i, i);
		edge(out, definition(c, i), "n", i, "style=dashed constraint=false");
	} else {
		print_node(g, i, &label);
		text_printf(out, "  n%u [shape=%s label=", i, x->kind == GATE_MOVE ? "ellipse" : "box");
		json_quote(out, text_str(&label), label.n);
		text_puts(out, "];\n");
	}
	text_free(&label);
}

void circuit_print_dot(const struct game *g, struct text *out)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	uint8_t *mark = mark_needed(g);
	struct printing p = {g, out, 0};
	text_puts(out, "digraph circuit {\n  rankdir=LR;\n");
	for (uint32_t i = 1; i < c->gates.n; i++)
		if (mark[i])
			dot_node(g, i, out);
	each_output(g, dot_output, &p);
	text_puts(out, "}\n");
	mem_free(mark);
}
