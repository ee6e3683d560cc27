/* Vertices: every role, fluent, move and percept; every gate of the flat circuit; and
 * one for each output, joined to the gate that computes it and to what it is about:
 *
 *     role --- move --- legal --- gate          role --- goal (colour: its value) --- gate
 *            fluent --- next  --- gate          role --- percept --- sees         --- gate
 *
 * A gate is joined to its inputs. Colours keep apart the kinds of vertices, random
 * from the other roles, and gates by their height, which also gives every edge its
 * direction. An automorphism maps each output's formula to the formula of the
 * image's output: a symmetry whatever the state. Fluent and move vertices stand for
 * "now"; the state after the round is tied to them by the `next` vertices, so that one
 * permutation serves both.
 *
 * This is the microstructure complement (literals and forbidden tuples) with the
 * tuples of one relation folded into the gates that compute it: its size is that of
 * the ground program and not of the tables. Values of one variable need no edge
 * between them: that fluents exclude one another follows from the rules.
 *
 * Rules that count square by square, or follow a path from one edge to the other,
 * have an order that the game does not have. Such orders are mostly in goals and in
 * the end; the loose graph does without them.
 *
 * Only what can influence legality, end, goals and percepts has gates; other
 * fluents are isolated, each with a colour of its own. */
#include "symmetry/graph.h"

#include "circuit/normal_form.h"
#include "game/rules_view.h"

enum colour_kind {
	C_ROLE,
	C_RANDOM,
	C_FLUENT,
	C_MOVE,
	C_PERCEPT,
	C_ALONE,
	C_FALSE,
	C_LOOP,
	C_GATE,
	C_FLIP,
	C_NEXT,
	C_VALUE,
	C_SUPPORT,
	C_LEGAL,
	C_GOAL,
	C_SEES,
	C_TERMINAL,
	C_DEFINITION
};

struct builder {
	const struct game *game;
	const struct rules_view *rules;
	struct circuit c;
	struct symmetry_graph *s;
	uint32_t *vertex, *flip;       /* by node; 0: none yet, else vertex + 1 */
	uint32_t *height, *definition; /* by node; definition of a LOOP node: literal */
	VEC(uint32_t) loose_loops;     /* LOOP nodes that only goals and the end rest on */
	VEC(uint32_t) todo;            /* nodes whose inputs are not joined yet */
	struct table colours;
	VEC(struct colour_key { uint32_t kind, a, b; }) keys;
	size_t max_edges;
	const struct limit *limit;
};

static uint32_t colour(struct builder *b, uint32_t kind, uint32_t x, uint32_t y)
{
	uint64_t h = hash_join(hash_join(kind, x), y);
	uint32_t it, id;
	for (table_start(&b->colours, h, &it); (id = table_next(&b->colours, h, &it)) != TABLE_NONE;) {
		const struct colour_key *k = &b->keys.at[id];
		if (k->kind == kind && k->a == x && k->b == y)
			return id;
	}
	struct colour_key k = {kind, x, y};
	vec_push(&b->keys, k);
	table_add(&b->colours, h, (uint32_t)b->keys.n - 1);
	return (uint32_t)b->keys.n - 1;
}

static void find_heights(struct builder *b)
{
	const struct circuit *c = &b->c;
	for (uint32_t i = 0; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		if (g->kind != GATE_AND)
			continue;
		for (uint32_t k = 0; k < g->n; k++) {
			uint32_t h = b->height[c->inputs.at[g->in + k] / 2] + 1;
			b->height[i] = h > b->height[i] ? h : b->height[i];
		}
	}
	for (size_t k = 0; k < c->members.n; k++)
		b->definition[c->members.at[k].node] = c->members.at[k].definition;
}

static uint32_t node_vertex(struct builder *b, uint32_t node)
{
	const struct gate *g = &b->c.gates.at[node];
	if (b->vertex[node])
		return b->vertex[node] - 1;
	uint32_t v;
	if (g->kind == GATE_FLUENT)
		v = node - 1; /* the first points are the fluents, then the moves */
	else if (g->kind == GATE_MOVE)
		v = node - 1;
	else
		v = graph_vertex(&b->s->graph, g->kind == GATE_AND ? colour(b, C_GATE, b->height[node], g->n)
		                                                   : colour(b, g->kind == GATE_LOOP ? C_LOOP : C_FALSE, 0, 0));
	if (g->kind == GATE_FLUENT) {
		b->s->graph.colour.at[v] = colour(b, C_FLUENT, 0, 0);
		bits_add(b->s->matters, v);
	}
	b->vertex[node] = v + 1;
	vec_push(&b->todo, node);
	return v;
}

/* An input of a gate. Inputs that are gates are negated as a rule, others are not;
 * the exceptions have a vertex between. */
static uint32_t input_vertex(struct builder *b, lit_t l)
{
	uint32_t node = l / 2, v = node_vertex(b, node);
	bool gate = b->c.gates.at[node].kind == GATE_AND;
	if ((l & 1) == gate)
		return v;
	if (!b->flip[node]) {
		uint32_t f = graph_vertex(&b->s->graph, colour(b, C_FLIP, b->height[node], 0));
		graph_edge(&b->s->graph, f, v);
		b->flip[node] = f + 1;
	}
	return b->flip[node] - 1;
}

/* A vertex of this colour between what it is about and the node; coloured by the
 * polarity too. Where the node is no gate but a fluent, say, one more vertex distinguishes
 * the two ends: that a holds after b is not that b holds after a. */
static void output(struct builder *b, uint32_t kind, uint32_t value, uint32_t about, lit_t l)
{
	uint32_t v = graph_vertex(&b->s->graph, colour(b, kind, value, l & 1));
	if (about != UINT32_MAX)
		graph_edge(&b->s->graph, v, about);
	if (b->c.gates.at[l / 2].kind != GATE_AND) {
		uint32_t between = graph_vertex(&b->s->graph, colour(b, C_VALUE, 0, 0));
		graph_edge(&b->s->graph, v, between);
		v = between;
	}
	graph_edge(&b->s->graph, v, node_vertex(b, l / 2));
}

static bool settle(struct builder *b)
{
	const struct circuit *c = &b->c;
	for (size_t i = 1; b->todo.n; i++) {
		uint32_t node = vec_pop(&b->todo);
		const struct gate *g = &c->gates.at[node];
		if (g->kind == GATE_AND) {
			uint32_t v = node_vertex(b, node);
			for (uint32_t k = 0; k < g->n; k++)
				graph_edge(&b->s->graph, v, input_vertex(b, c->inputs.at[g->in + k]));
		} else if (g->kind == GATE_LOOP) {
			output(b, C_DEFINITION, 0, node_vertex(b, node), b->definition[node]);
		} else if (g->kind == GATE_FLUENT) {
			output(b, C_NEXT, 0, node - 1, c->next.at[node - 1]);
		}
		if (b->s->graph.ends.n / 2 > b->max_edges || (i % 1024 == 0 && limit_reached(b->limit)))
			return false;
	}
	return true;
}

static void add_points(struct builder *b)
{
	const struct game *g = b->game;
	struct coloured_graph *graph = &b->s->graph;
	uint32_t role_at = g->fluents + g->moves;
	for (uint32_t i = 0; i < g->fluents; i++)
		graph_vertex(graph, colour(b, C_ALONE, i, 0));
	for (uint32_t i = 0; i < g->moves; i++)
		graph_vertex(graph, b->c.legal.at[i] == LIT_FALSE ? colour(b, C_ALONE, i, 1) : colour(b, C_MOVE, 0, 0));
	for (uint32_t r = 0; r < g->roles; r++)
		graph_vertex(graph, colour(b, r == g->random ? C_RANDOM : C_ROLE, 0, 0));
	for (uint32_t i = 0; i < g->percepts; i++)
		graph_vertex(graph, b->c.percepts.at[i] == LIT_FALSE ? colour(b, C_ALONE, i, 2) : colour(b, C_PERCEPT, 0, 0));
	for (uint32_t i = 0; i < g->moves; i++)
		if (b->c.legal.at[i] != LIT_FALSE)
			graph_edge(graph, i + g->fluents, role_at + b->rules->ground->moves.at[i].role);
}

/* ---- loosely ---------------------------------------------------------------------------- */

/* Calls back for every fluent and LOOP node that a literal rests on, up to the next one. */
static void each_support(struct builder *b, lit_t l, uint8_t *met, void (*f)(struct builder *, uint32_t, uint32_t),
                         uint32_t about)
{
	VEC(uint32_t) stack = {0}, seen = {0};
	vec_push(&stack, l / 2);
	while (stack.n) {
		uint32_t node = vec_pop(&stack);
		const struct gate *g = &b->c.gates.at[node];
		if (met[node])
			continue;
		met[node] = 1;
		vec_push(&seen, node);
		if (g->kind == GATE_AND)
			for (uint32_t k = 0; k < g->n; k++)
				vec_push(&stack, b->c.inputs.at[g->in + k] / 2);
		else if (g->kind == GATE_FLUENT || g->kind == GATE_LOOP)
			f(b, node, about);
	}
	for (size_t i = 0; i < seen.n; i++)
		met[seen.at[i]] = 0;
	vec_free(&stack);
	vec_free(&seen);
}

static void note_support(struct builder *b, uint32_t node, uint32_t about)
{
	(void)about;
	if (b->c.gates.at[node].kind == GATE_FLUENT) {
		node_vertex(b, node);
	} else if (!b->vertex[node]) {
		b->vertex[node] = graph_vertex(&b->s->graph, colour(b, C_SUPPORT, 0, 0)) + 1;
		vec_push(&b->loose_loops, node);
	}
}

/* Recursive atoms that rest on one another would be joined twice: the vertices have
 * numbers, and only the one with the larger number joins. */
static void join_support(struct builder *b, uint32_t node, uint32_t about)
{
	uint32_t v = b->vertex[node] - 1;
	if (b->c.gates.at[node].kind == GATE_FLUENT || v < about)
		graph_edge(&b->s->graph, about, v);
}

/* False: out of time. */
static bool add_loose(struct builder *b)
{
	const struct ground *ground = b->rules->ground;
	uint32_t role_at = b->game->fluents + b->game->moves;
	uint8_t *met = NEW_ARRAY(uint8_t, b->c.gates.n);
	bool late = false;
	for (uint32_t i = 0; i < ground->goals.n && !(late = limit_reached(b->limit)); i++) {
		uint32_t v = graph_vertex(&b->s->graph, colour(b, C_GOAL, (uint32_t)b->rules->goal_value[i], 0));
		graph_edge(&b->s->graph, v, role_at + ground->goals.at[i].role);
		each_support(b, b->c.goals.at[i], met, note_support, 0);
	}
	each_support(b, b->c.terminal, met, note_support, 0);
	for (size_t i = 0; i < b->loose_loops.n && !late && !(late = limit_reached(b->limit)); i++)
		each_support(b, b->definition[b->loose_loops.at[i]], met, note_support, 0);
	for (size_t i = 0; i < b->loose_loops.n && !late && !(late = limit_reached(b->limit)); i++) {
		uint32_t node = b->loose_loops.at[i];
		each_support(b, b->definition[node], met, join_support, b->vertex[node] - 1);
	}
	mem_free(met);
	return !late;
}

static void add_outputs(struct builder *b, bool loose)
{
	const struct game *g = b->game;
	const struct ground *ground = b->rules->ground;
	uint32_t role_at = g->fluents + g->moves, percept_at = role_at + g->roles;
	for (uint32_t i = 0; i < g->moves; i++)
		if (b->c.legal.at[i] != LIT_FALSE)
			output(b, C_LEGAL, 0, g->fluents + i, b->c.legal.at[i]);
	for (uint32_t i = 0; i < ground->goals.n && !loose; i++)
		output(b, C_GOAL, (uint32_t)b->rules->goal_value[i], role_at + ground->goals.at[i].role, b->c.goals.at[i]);
	for (uint32_t i = 0; i < g->percepts; i++) {
		if (b->c.percepts.at[i] == LIT_FALSE)
			continue;
		output(b, C_SEES, 0, percept_at + i, b->c.percepts.at[i]);
		graph_edge(&b->s->graph, percept_at + i, role_at + ground->percepts.at[i].role);
	}
	if (!loose)
		output(b, C_TERMINAL, 0, UINT32_MAX, b->c.terminal);
}

bool symmetry_graph_circuit(const struct game *g, size_t max_edges, const struct limit *limit, struct circuit *c)
{
	const struct rules_view *rules = game_rules_view(g);
	const struct circuit *known = rules->circuit;
	if (rules->ground->body.n > max_edges)
		return false;
	uint8_t *fluents = mem_alloc(g->fluents + 1, 1);
	struct circuit plain;
	for (uint32_t i = 0; i < g->fluents; i++) {
		bool holds = bits_has(g->initial, i);
		fluents[i] = known->next.at[i] != (holds ? LIT_TRUE : LIT_FALSE) ? OPEN : holds ? YES : NO;
	}
	circuit_make_plain(&plain, rules->ground);
	/* gates are opened and outputs added: what is that large now takes more than a second, and
	 * in most cases will not fit */
	bool ok = plain.inputs.n <= max_edges / 5 * 2 && normal_form_make(c, &plain, fluents, NULL, max_edges, limit);
	circuit_free(&plain);
	mem_free(fluents);
	return ok;
}

/* From the circuit in b->c, which is freed. */
static struct symmetry_graph *make(struct builder *b, bool loose)
{
	b->rules = game_rules_view(b->game);
	b->s = NEW(struct symmetry_graph);
	b->s->matters = NEW_ARRAY(uint64_t, b->game->words + 1);
	b->vertex = NEW_ARRAY(uint32_t, b->c.gates.n);
	b->flip = NEW_ARRAY(uint32_t, b->c.gates.n);
	b->height = NEW_ARRAY(uint32_t, b->c.gates.n);
	b->definition = NEW_ARRAY(uint32_t, b->c.gates.n);
	find_heights(b);
	add_points(b);
	add_outputs(b, loose);
	bool ok = settle(b);
	if (ok && loose)
		ok = add_loose(b) && settle(b);
	b->s->colours = (uint32_t)b->keys.n;
	circuit_free(&b->c);
	mem_free(b->vertex);
	mem_free(b->flip);
	mem_free(b->height);
	mem_free(b->definition);
	vec_free(&b->todo);
	vec_free(&b->loose_loops);
	table_free(&b->colours);
	vec_free(&b->keys);
	if (ok)
		return b->s;
	symmetry_graph_free(b->s);
	return NULL;
}

struct symmetry_graph *symmetry_graph_make(const struct game *g, size_t max_edges, bool loose,
                                           const struct limit *limit)
{
	struct builder b = {.game = g, .max_edges = max_edges, .limit = limit};
	return symmetry_graph_circuit(g, max_edges, limit, &b.c) ? make(&b, loose) : NULL;
}

struct symmetry_graph *symmetry_graph_rounds(const struct game *g, const struct circuit *base, const uint8_t *fluents,
                                             const uint8_t *moves, size_t max_edges, const struct limit *limit)
{
	struct builder b = {.game = g, .max_edges = max_edges, .limit = limit};
	if (!normal_form_make(&b.c, base, fluents, moves, max_edges, limit))
		return NULL;
	struct symmetry_graph *s = make(&b, false);
	for (uint32_t r = 0; s && r < g->roles; r++)
		s->graph.colour.at[g->fluents + g->moves + r] = s->colours++;
	return s;
}

void symmetry_graph_free(struct symmetry_graph *s)
{
	if (!s)
		return;
	coloured_graph_free(&s->graph);
	mem_free(s->matters);
	mem_free(s);
}
