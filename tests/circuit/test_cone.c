/* Cones downwards and upwards, held against plain recursion over the gates. */
#include "../game/play.h"

#include "circuit/cone.h"
#include "game/rules_view.h"

/* Reachability inside a state makes a fixpoint block. */
static const char paths[] =
	"(role r) (node a) (node b) (node c) (node d) (init (at a)) (init (link a b)) (init (link c d))"
	"(<= (path ?x ?y) (true (link ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (true (link ?y ?z)))"
	"(<= (legal r (join ?x ?y)) (node ?x) (node ?y) (not (path ?x ?y)))"
	"(<= (next (link ?x ?y)) (true (link ?x ?y))) (<= (next (link ?x ?y)) (does r (join ?x ?y)))"
	"(<= (next (at ?x)) (true (at ?x))) (<= terminal (path a d)) (<= (goal r 100) (path a d))";

static const char *const rules[] = {
	paths,
	"(role r) (init (step 0)) (succ 0 1) (succ 1 2) (legal r a) (legal r b) (<= (next (step ?y)) (true (step ?x)) "
	"(succ ?x ?y))"
	"(<= (next p) (does r a) (not (true q))) (<= (next q) (does r b) (true p)) (<= (next q) (true q))"
	"(<= terminal (true (step 2))) (<= (goal r 100) (true p) (not (true q))) (<= (goal r 0) (true q))",
};

static void mark(const struct circuit *c, uint32_t node, uint8_t *met)
{
	const struct gate *g = &c->gates.at[node];
	if (met[node])
		return;
	met[node] = 1;
	if (g->kind == GATE_AND || g->kind == GATE_OR)
		for (uint32_t k = 0; k < g->n; k++)
			mark(c, c->inputs.at[g->in + k] / 2, met);
	for (uint32_t k = 0; g->kind == GATE_LOOP && k < c->members.n; k++)
		if (c->gates.at[c->members.at[k].node].n == g->n) {
			mark(c, c->members.at[k].node, met);
			mark(c, c->members.at[k].definition / 2, met);
		}
}

static void downwards(void **state)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct play p = play_make(rules[i], ENGINE_CIRCUIT, true);
		const struct circuit *c = game_rules_view(p.g)->circuit;
		uint8_t *met = mem_alloc(c->gates.n, 1);
		struct cone x;
		cone_begin(&x, c);
		for (uint32_t f = 0; f < c->fluents; f++) {
			memset(met, 0, c->gates.n);
			mark(c, c->next.at[f] / 2, met);
			cone_clear(&x);
			cone_add(&x, c->next.at[f]);
			assert_memory_equal(met, x.in, c->gates.n);
			size_t n = x.nodes.n;
			cone_clear(&x);
			assert_true(cone_add_within(&x, c->next.at[f], n));
			cone_clear(&x);
			assert_false(cone_add_within(&x, c->next.at[f], n - 1));
		}
		cone_clear(&x);
		cone_add(&x, c->terminal);
		assert_int_equal(x.loops, c->members.n > 0);
		cone_free(&x);
		mem_free(met);
		play_free(&p);
	}
}

/* A gate depends on a fluent when the fluent is in its cone. */
static void upwards(void **state)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct play p = play_make(rules[i], ENGINE_CIRCUIT, true);
		const struct circuit *c = game_rules_view(p.g)->circuit;
		uint8_t *up = mem_alloc(c->gates.n, 1);
		struct cone x;
		cone_begin(&x, c);
		for (uint32_t f = 0; f < c->fluents; f++) {
			memset(up, 0, c->gates.n);
			up[circuit_fluent(c, f)] = 1;
			circuit_dependents(c, up);
			for (uint32_t node = 1 + c->fluents + c->moves; node < c->gates.n; node++) {
				cone_clear(&x);
				cone_add(&x, node * 2);
				if (c->gates.at[node].kind != GATE_LOOP && !x.loops) /* a block is asked as a whole downwards only */
					assert_int_equal(up[node], x.in[circuit_fluent(c, f)]);
				else if (up[node])
					assert_true(x.in[circuit_fluent(c, f)]);
			}
		}
		cone_free(&x);
		mem_free(up);
		play_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(downwards), cmocka_unit_test(upwards)};
	return RUN(cases);
}
