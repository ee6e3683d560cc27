/* Goal states (goal_states.h): models of one frame of the circuit, each excluded once it was found. */
#include "puzzle/goal_states.h"

#include "analysis/sat_frames.h"
#include "base/bits.h"

#define CONFLICTS 50000
#define LARGEST 400000 /* gate inputs */

/* Variables say where the state differs from the initial one. */
struct goal_states {
	struct sat_frames f;
	const uint64_t *initial;
	int *differs; /* by fluent */
	bool none, refuted;
	uint32_t found;
};

static const char *const no_phase[] = {"phase", NULL}; /* the solver tries "no" first */

struct goal_states *goal_states_new(const struct circuit *c, const uint64_t *initial, const lit_t *any, uint32_t n,
                                    const struct limit *limit)
{
	struct goal_states *t = NEW(struct goal_states);
	VEC(int) some = {0};
	t->initial = initial;
	t->differs = NEW_ARRAY(int, c->fluents + 1);
	sat_frames_begin(&t->f, c, no_phase);
	sat_frames_limit(&t->f, limit);
	t->none = c->inputs.n > LARGEST;
	if (t->none)
		return t;
	sat_frames_add(&t->f, 0);
	for (uint32_t x = 0; x < c->fluents; x++) {
		t->differs[x] = sat_frames_fresh(&t->f);
		sat_frames_set(&t->f, 0, circuit_fluent(c, x), bits_has(initial, x) ? -t->differs[x] : t->differs[x]);
	}
	for (uint32_t i = 0; i < n; i++)
		vec_push(&some, sat_frames_get(&t->f, 0, any[i]));
	sat_frames_clause(&t->f, some.n, some.at);
	SAT_FRAMES_CLAUSE(&t->f, sat_frames_get(&t->f, 0, c->terminal));
	vec_free(&some);
	return t;
}

void goal_states_free(struct goal_states *t)
{
	if (!t)
		return;
	sat_frames_free(&t->f);
	mem_free(t->differs);
	mem_free(t);
}

bool goal_states_next(struct goal_states *t, uint64_t *state)
{
	VEC(int) other = {0};
	if (t->none)
		return false;
	ccadical_limit(t->f.sat, "conflicts", CONFLICTS);
	int answer = ccadical_solve(t->f.sat);
	t->none = answer != 10;
	t->refuted = answer == 20 && !t->found;
	if (t->none)
		return false;
	t->found++;
	for (uint32_t x = 0; x < t->f.c->fluents; x++) {
		bool differs = ccadical_val(t->f.sat, t->differs[x]) > 0;
		vec_push(&other, differs ? -t->differs[x] : t->differs[x]);
		if (differs != bits_has(t->initial, x))
			bits_add(state, x);
		else
			bits_drop(state, x);
	}
	sat_frames_clause(&t->f, other.n, other.at);
	vec_free(&other);
	return true;
}

bool goal_states_refuted(const struct goal_states *t)
{
	return t->refuted;
}
