/* Random circuits with fixpoint blocks: sharing and specialising keep what they
 * compute, and programs compute it, by every kernel and as machine code. */
#include "circuits.h"

#include "circuit/extract_pairs.h"
#include "lanes/lanes.h"
#include "lanes/native.h"
#include "lanes/program.h"

#include <string.h>

static void same_outputs(const struct circuit *a, const struct circuit *b, struct rng *rng, const uint8_t *known,
                         int times)
{
	bool *va = NEW_ARRAY(bool, a->gates.n), *vb = NEW_ARRAY(bool, b->gates.n);
	bool *x = NEW_ARRAY(bool, output_count(a)), *y = NEW_ARRAY(bool, output_count(b));
	assert_int_equal(output_count(a), output_count(b));
	while (times--) {
		for (uint32_t i = 1; i < 1 + a->fluents + a->moves; i++)
			va[i] = vb[i] = known && known[i - 1] != OPEN ? known[i - 1] == YES : rng_below(rng, 2);
		naive_evaluate(a, va);
		naive_evaluate(b, vb);
		naive_outputs(a, va, x);
		naive_outputs(b, vb, y);
		assert_memory_equal(x, y, output_count(a));
	}
	mem_free(va);
	mem_free(vb);
	mem_free(x);
	mem_free(y);
}

static int rounds(int all)
{
	return test_sample() ? all / 10 : all;
}

static void sharing_keeps_the_function(void **state)
{
	for (int i = 0; i < rounds(4000); i++) {
		struct rng rng = rng_seed((uint64_t)i);
		struct circuit c, d;
		random_circuit(&c, &rng);
		rng = rng_seed((uint64_t)i);
		random_circuit(&d, &rng);
		circuit_extract_pairs(&d);
		same_outputs(&c, &d, &rng, NULL, 20);
		for (size_t g = 0; g < d.gates.n; g++)
			assert_true(d.gates.at[g].kind == GATE_LOOP || d.gates.at[g].kind < GATE_AND || d.gates.at[g].n >= 2);
		circuit_free(&c);
		circuit_free(&d);
	}
}

/* Gates that overlap much become cheaper. */
static void sharing_saves_work(void **state)
{
	struct circuit c;
	circuit_begin(&c, 16, 0);
	for (uint32_t i = 0; i < 16; i++) {
		lit_t in[15];
		for (uint32_t k = 0, n = 0; k < 16; k++)
			if (k != i)
				in[n++] = circuit_fluent(&c, k) * 2;
		vec_push(&c.next, circuit_gate(&c, GATE_OR, in, 15));
	}
	c.terminal = LIT_FALSE;
	size_t before = c.inputs.n;
	circuit_extract_pairs(&c);
	assert_true(c.inputs.n < before / 2);
	circuit_free(&c);
}

static void specialising_keeps_the_function(void **state)
{
	for (int i = 0; i < rounds(4000); i++) {
		struct rng rng = rng_seed(1000000 + (uint64_t)i);
		struct circuit c, d;
		random_circuit(&c, &rng);
		uint8_t known[64];
		for (uint32_t k = 0; k < c.fluents + c.moves; k++)
			known[k] = rng_below(&rng, 3) ? OPEN : rng_below(&rng, 2) ? YES : NO;
		bool moves = rng_below(&rng, 2);
		if (!moves)
			memset(known + c.fluents, OPEN, c.moves);
		circuit_specialise(&d, &c, known, moves ? known + c.fluents : NULL);
		assert_true(circuit_gates(&d) <= circuit_gates(&c));
		same_outputs(&c, &d, &rng, known, 20);
		circuit_free(&c);
		circuit_free(&d);
	}
}

/* What is not observable has no influence on legal, terminal and goals for ever. */
static void unobservable_fluents_do_not_matter(void **state)
{
	for (int i = 0; i < rounds(1000); i++) {
		struct rng rng = rng_seed(2000000 + (uint64_t)i);
		struct circuit c;
		random_circuit(&c, &rng);
		uint8_t matters[32];
		circuit_observable(&c, matters);
		bool *v[2] = {NEW_ARRAY(bool, c.gates.n), NEW_ARRAY(bool, c.gates.n)};
		bool out[2][256];
		for (uint32_t f = 0; f < c.fluents; f++) {
			v[0][1 + f] = rng_below(&rng, 2);
			v[1][1 + f] = v[0][1 + f] != (!matters[f] && rng_below(&rng, 2));
		}
		for (int step = 0; step < 5; step++) {
			for (uint32_t m = 0; m < c.moves; m++)
				v[0][circuit_move(&c, m)] = v[1][circuit_move(&c, m)] = rng_below(&rng, 2);
			for (int k = 0; k < 2; k++) {
				naive_evaluate(&c, v[k]);
				naive_outputs(&c, v[k], out[k]);
				for (uint32_t f = 0; f < c.fluents; f++)
					v[k][1 + f] = out[k][c.legal.n + c.goals.n + 1 + f];
			}
			assert_memory_equal(out[0], out[1], c.legal.n + c.goals.n + 1);
		}
		mem_free(v[0]);
		mem_free(v[1]);
		circuit_free(&c);
	}
}

/* ---- programs --------------------------------------------------------------------- */

/* The way the game uses it: legal moves land in the slots of the moves. */
struct setting {
	struct circuit c;
	struct program p;
	VEC(struct program_output) first, second;
};

static void setting_make(struct setting *s, uint64_t seed)
{
	struct rng rng = rng_seed(seed);
	memset(s, 0, sizeof *s);
	random_circuit(&s->c, &rng);
	struct circuit *c = &s->c;
	if (rng_below(&rng, 2))
		circuit_extract_pairs(c);
	uint32_t slot = c->fluents;
	for (size_t i = 0; i < c->legal.n; i++)
		vec_push(&s->first, (struct program_output){c->legal.at[i], slot++});
	for (size_t i = 0; i < c->goals.n; i++)
		vec_push(&s->first, (struct program_output){c->goals.at[i], slot++});
	vec_push(&s->first, (struct program_output){c->terminal, slot++});
	for (size_t i = 0; i < c->next.n; i++)
		vec_push(&s->second, (struct program_output){c->next.at[i], slot++});
	for (size_t i = 0; i < c->percepts.n; i++)
		vec_push(&s->second, (struct program_output){c->percepts.at[i], slot++});
	struct program_plan plan = {slot, NULL, s->first.at, s->second.at, s->first.n, s->second.n};
	program_make(&s->p, c, &plan);
}

static void setting_free(struct setting *s)
{
	program_free(&s->p);
	circuit_free(&s->c);
	vec_free(&s->first);
	vec_free(&s->second);
}

static void check_slots(const struct setting *s, const uint64_t *slots, uint32_t words, const bool *v, uint32_t lane,
                        bool second)
{
	size_t n = second ? s->second.n : s->first.n;
	for (size_t i = 0; i < n; i++) {
		struct program_output o = second ? s->second.at[i] : s->first.at[i];
		bool got = slots[(size_t)o.slot * words + lane / 64] >> lane % 64 & 1;
		assert_int_equal(got, naive_value(v, o.value));
	}
}

static void run_and_check(const struct setting *s, const struct lane_kernel *k, const struct native *n, uint64_t seed)
{
	const struct circuit *c = &s->c;
	const struct program *p = &s->p;
	struct rng rng = rng_seed(seed);
	size_t size = (size_t)(p->slots + 1) * k->words;
	uint64_t *slots = mem_align(size, sizeof *slots);
	bool *v = NEW_ARRAY(bool, c->gates.n);
	for (size_t i = 0; i < size; i++) /* the state, and rubbish in the other slots */
		slots[i] = rng_next(&rng);
	uint64_t *given = mem_alloc(c->fluents * k->words, sizeof *given);
	memcpy(given, slots, c->fluents * k->words * sizeof *given);
	if (n)
		n->first(slots);
	else
		k->run(p->code.at, p->code.at + p->second, slots);
	for (uint32_t lane = 0; lane < k->lanes; lane += 1 + rng_below(&rng, k->lanes / 4)) {
		memset(v, 0, c->gates.n);
		for (uint32_t f = 0; f < c->fluents; f++)
			v[1 + f] = given[f * k->words + lane / 64] >> lane % 64 & 1;
		naive_evaluate(c, v);
		check_slots(s, slots, k->words, v, lane, false);
	}
	for (uint32_t i = 0; i < c->moves * k->words; i++)
		slots[c->fluents * k->words + i] = rng_next(&rng);
	uint64_t *done = mem_alloc(c->moves * k->words, sizeof *done);
	memcpy(done, slots + c->fluents * k->words, c->moves * k->words * sizeof *done);
	if (n)
		n->second(slots);
	else
		k->run(p->code.at + p->second, p->code.at + p->code.n, slots);
	for (uint32_t lane = 0; lane < k->lanes; lane += 1 + rng_below(&rng, k->lanes / 4)) {
		for (uint32_t f = 0; f < c->fluents; f++)
			v[1 + f] = given[f * k->words + lane / 64] >> lane % 64 & 1;
		for (uint32_t m = 0; m < c->moves; m++)
			v[circuit_move(c, m)] = done[m * k->words + lane / 64] >> lane % 64 & 1;
		naive_evaluate(c, v);
		check_slots(s, slots, k->words, v, lane, true);
	}
	assert_memory_equal(given, slots, c->fluents * k->words * sizeof *given); /* the state is left alone */
	mem_free(given);
	mem_free(done);
	mem_free(v);
	mem_free(slots);
}

static void kernels_compute_the_circuit(void **state)
{
	for (int i = 0; i < rounds(2500); i++) {
		struct setting s;
		setting_make(&s, 3000000 + (uint64_t)i);
		run_and_check(&s, lanes_kernel(64, true), NULL, (uint64_t)i);
		run_and_check(&s, lanes_kernel(256, true), NULL, (uint64_t)i);
		run_and_check(&s, lanes_kernel(512, true), NULL, (uint64_t)i);
		run_and_check(&s, lanes_kernel(256, false), NULL, (uint64_t)i);
		run_and_check(&s, lanes_kernel(512, false), NULL, (uint64_t)i);
		setting_free(&s);
	}
}

static void machine_code_computes_the_circuit(void **state)
{
	for (int i = 0; i < rounds(2500); i++) {
		struct setting s;
		setting_make(&s, 4000000 + (uint64_t)i);
		for (uint32_t words = 4; words <= 8; words += 4) {
			struct native n;
			if (!native_make(&n, &s.p, words)) {
				setting_free(&s);
				SKIP("no machine code on this processor");
			}
			native_free(&n);
			for (int wide = 0; wide < 2; wide++)
				if (native_make_for(&n, &s.p, words, wide)) {
					run_and_check(&s, lanes_kernel(words * 64, false), &n, (uint64_t)i);
					native_free(&n);
					assert_null(n.code);
				}
		}
		setting_free(&s);
	}
}

/* Gates wider than one operation holds. */
static void very_wide_gates(void **state)
{
	enum { FLUENTS = 3 * OP_WIDEST + 17 };
	struct circuit c;
	circuit_begin(&c, FLUENTS, 0);
	lit_t *in = mem_alloc(FLUENTS, sizeof *in);
	struct program_output out[4];
	for (int i = 0; i < 4; i++) {
		uint32_t n = i < 2 ? FLUENTS : 2 * OP_WIDEST;
		for (uint32_t f = 0; f < n; f++)
			in[f] = circuit_fluent(&c, f) * 2 + (i < 2 ? f % 3 == 0 : f % 2);
		out[i] = (struct program_output){circuit_gate(&c, i % 2 ? GATE_AND : GATE_OR, in, n), FLUENTS + (uint32_t)i};
	}
	struct program p;
	struct program_plan plan = {FLUENTS + 4, NULL, out, NULL, 4, 0};
	program_make(&p, &c, &plan);
	bool *v = NEW_ARRAY(bool, c.gates.n);
	uint64_t *slots = mem_align(p.slots, 32);
	for (int round = 0; round < 64; round++) {
		/* all that makes the ORs false and the ANDs true, but perhaps for one place */
		uint32_t odd = round ? (uint32_t)round * 389 % FLUENTS : FLUENTS;
		for (int which = 0; which < 4; which++) {
			struct native n = {0};
			for (uint32_t f = 0; f < FLUENTS; f++) {
				bool sign = which < 2 ? f % 3 == 0 : f % 2;
				v[1 + f] = ((which % 2 ? !sign : sign)) != (f == odd);
				for (int k = 0; k < 4; k++)
					slots[f * 4 + (uint32_t)k] = v[1 + f] ? ~UINT64_C(0) : 0;
			}
			naive_evaluate(&c, v);
			if (round % 8 == 0 && native_make_for(&n, &p, 4, round % 16))
				n.first(slots);
			else
				lanes_kernel(256, round % 2)->run(p.code.at, p.code.at + p.second, slots);
			native_free(&n);
			for (int i = 0; i < 4; i++)
				for (int k = 0; k < 4; k++)
					assert_true(slots[out[i].slot * 4 + (uint32_t)k] ==
					            (naive_value(v, out[i].value) ? ~UINT64_C(0) : 0));
			if (!round && which < 2)
				assert_int_equal(naive_value(v, out[which].value), which);
		}
	}
	mem_free(v);
	mem_free(slots);
	mem_free(in);
	program_free(&p);
	circuit_free(&c);
}

static void gates_are_simplified(void **state)
{
	struct circuit c;
	circuit_begin(&c, 4, 0);
	lit_t a = 2, b = 4, d = 6;
#define GATE(kind, ...) circuit_gate(&c, kind, (lit_t[]){__VA_ARGS__}, sizeof((lit_t[]){__VA_ARGS__}) / sizeof(lit_t))
	assert_int_equal(GATE(GATE_AND, a, a), a);
	assert_int_equal(GATE(GATE_OR, a, a, LIT_FALSE), a);
	assert_int_equal(GATE(GATE_AND, a, a ^ 1), LIT_FALSE);
	assert_int_equal(GATE(GATE_OR, b, a, a ^ 1), LIT_TRUE);
	assert_int_equal(GATE(GATE_AND, a, LIT_FALSE, b), LIT_FALSE);
	assert_int_equal(GATE(GATE_OR, a, LIT_TRUE, b), LIT_TRUE);
	assert_int_equal(GATE(GATE_AND, LIT_TRUE, b), b);
	assert_int_equal(circuit_gate(&c, GATE_AND, NULL, 0), LIT_TRUE);
	assert_int_equal(circuit_gate(&c, GATE_OR, NULL, 0), LIT_FALSE);
	lit_t g = GATE(GATE_AND, a, b, d);
	assert_int_equal(GATE(GATE_AND, d, a, b, a), g);
	assert_int_not_equal(GATE(GATE_OR, d, a, b), g);
	circuit_free(&c);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(gates_are_simplified),
		cmocka_unit_test(sharing_keeps_the_function),
		cmocka_unit_test(sharing_saves_work),
		cmocka_unit_test(specialising_keeps_the_function),
		cmocka_unit_test(unobservable_fluents_do_not_matter),
		cmocka_unit_test(kernels_compute_the_circuit),
		cmocka_unit_test(machine_code_computes_the_circuit),
		cmocka_unit_test(very_wide_gates),
	};
	return RUN(cases);
}
