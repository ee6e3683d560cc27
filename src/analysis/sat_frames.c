/* The clauses of sat_frames.h, written on demand with a stack of the nodes that are waited for. */
#include "analysis/sat_frames.h"

static void release(void *solver)
{
	ccadical_release(solver);
}

CCaDiCaL *sat_solver_new(struct mem_resource **owned)
{
	CCaDiCaL *sat = ccadical_init();
	*owned = mem_own(release, sat);
	ccadical_set_option(sat, "quiet", 1);
	return sat;
}

void sat_solver_free(CCaDiCaL *sat, struct mem_resource *owned)
{
	mem_disown(owned);
	ccadical_release(sat);
}

void sat_frames_begin(struct sat_frames *f, const struct circuit *c, const char *const *off)
{
	*f = (struct sat_frames){.c = c, .vars = SAT_FRAMES_TRUE};
	f->sat = sat_solver_new(&f->owned);
	for (; off && *off; off++)
		ccadical_set_option(f->sat, *off, 0);
	ccadical_add(f->sat, SAT_FRAMES_TRUE); /* clauses with it are left out, so this one by hand */
	ccadical_add(f->sat, 0);
}

void sat_frames_free(struct sat_frames *f)
{
	for (size_t i = 0; i < f->all.n; i++)
		mem_free(f->all.at[i].lit);
	vec_free(&f->all);
	vec_free(&f->stack);
	vec_free(&f->open);
	sat_solver_free(f->sat, f->owned);
}

static int out_of_time(void *limit)
{
	return limit_reached(limit);
}

void sat_frames_limit(struct sat_frames *f, const struct limit *limit)
{
	ccadical_set_terminate(f->sat, unconst(limit), out_of_time);
}

int sat_frames_fresh(struct sat_frames *f)
{
	return ++f->vars;
}

void sat_frames_clause(struct sat_frames *f, size_t n, const int *l)
{
	for (size_t i = 0; i < n; i++)
		if (l[i] == SAT_FRAMES_TRUE)
			return;
	for (size_t i = 0; i < n; i++)
		if (l[i] != -SAT_FRAMES_TRUE)
			ccadical_add(f->sat, l[i]);
	ccadical_add(f->sat, 0);
	f->literals += n;
}

uint32_t sat_frames_add(struct sat_frames *f, uint32_t before)
{
	struct frame x = {NEW_ARRAY(int, f->c->gates.n), before};
	x.lit[0] = -SAT_FRAMES_TRUE;
	vec_push(&f->all, x);
	return (uint32_t)f->all.n - 1;
}

void sat_frames_set(struct sat_frames *f, uint32_t frame, uint32_t node, int lit)
{
	f->all.at[frame].lit[node] = lit;
}

void sat_frames_free_fluents(struct sat_frames *f, uint32_t frame)
{
	for (uint32_t x = 0; x < f->c->fluents; x++)
		sat_frames_set(f, frame, circuit_fluent(f->c, x), sat_frames_fresh(f));
}

void sat_frames_free_moves(struct sat_frames *f, uint32_t frame)
{
	for (uint32_t m = 0; m < f->c->moves; m++)
		sat_frames_set(f, frame, circuit_move(f->c, m), sat_frames_fresh(f));
}

void sat_frames_free_loops(struct sat_frames *f, uint32_t frame)
{
	for (size_t k = 0; k < f->c->members.n; k++)
		sat_frames_set(f, frame, f->c->members.at[k].node, sat_frames_fresh(f));
}

/* What is written of a literal; 0: nothing. */
static int known(const struct sat_frames *f, uint32_t frame, lit_t l)
{
	int x = f->all.at[frame].lit[l / 2];
	return l & 1 ? -x : x;
}

static int write_gate(struct sat_frames *f, uint32_t frame, const struct gate *g, int sign)
{
	const lit_t *in = f->c->inputs.at + g->in;
	vec_clear(&f->open);
	for (uint32_t k = 0; k < g->n; k++) {
		int x = sign * known(f, frame, in[k]);
		if (x != SAT_FRAMES_TRUE)
			vec_push(&f->open, x);
	}
	if (!f->open.n)
		return sign * SAT_FRAMES_TRUE;
	if (f->open.n == 1)
		return sign * f->open.at[0];
	int out = sat_frames_fresh(f);
	for (size_t k = 0; k < f->open.n; k++) {
		SAT_FRAMES_CLAUSE(f, -out, f->open.at[k]);
		f->open.at[k] = -f->open.at[k];
	}
	vec_push(&f->open, out);
	sat_frames_clause(f, f->open.n, f->open.at);
	return sign * out;
}

/* A fluent is the `next` of the frame before. */
static bool write_fluent(struct sat_frames *f, struct frame_node x)
{
	uint32_t before = f->all.at[x.frame].before;
	lit_t l = f->c->next.at[x.node - circuit_fluent(f->c, 0)];
	int *lit = &f->all.at[x.frame].lit[x.node];
	*lit = known(f, before, l);
	if (!*lit)
		vec_push(&f->stack, (struct frame_node){before, l / 2, f->c->gates.at[l / 2].n});
	return *lit != 0;
}

/* Does an input that is written decide the gate alone? */
static bool is_decided(const struct sat_frames *f, uint32_t frame, const struct gate *g, int sign)
{
	for (uint32_t k = 0; k < g->n; k++)
		if (sign * known(f, frame, f->c->inputs.at[g->in + k]) == -SAT_FRAMES_TRUE)
			return true;
	return false;
}

/* One step of the writing of the node on top of the stack: true when it is written, else
 * what it needs is above it on the stack. */
static bool write_node(struct sat_frames *f)
{
	struct frame_node *x = &vec_last(&f->stack);
	const struct gate *g = &f->c->gates.at[x->node];
	int *lit = &f->all.at[x->frame].lit[x->node], sign = g->kind == GATE_AND ? 1 : -1;
	if (*lit)
		return true;
	if (g->kind == GATE_FLUENT)
		return write_fluent(f, *x);
	bool decided = x->left == g->n && is_decided(f, x->frame, g, sign);
	for (; x->left && !decided; x->left--) {
		lit_t in = f->c->inputs.at[g->in + x->left - 1];
		int y = sign * known(f, x->frame, in);
		decided = y == -SAT_FRAMES_TRUE;
		if (!y) {
			struct frame_node first = {x->frame, in / 2, f->c->gates.at[in / 2].n};
			vec_push(&f->stack, first);
			return false;
		}
	}
	*lit = decided ? -sign * SAT_FRAMES_TRUE : write_gate(f, x->frame, g, sign);
	return true;
}

int sat_frames_get(struct sat_frames *f, uint32_t frame, lit_t l)
{
	if (!known(f, frame, l)) {
		vec_clear(&f->stack);
		vec_push(&f->stack, (struct frame_node){frame, l / 2, f->c->gates.at[l / 2].n});
		while (f->stack.n) {
			size_t top = f->stack.n;
			if (write_node(f))
				f->stack.n = top - 1;
		}
	}
	return known(f, frame, l);
}
