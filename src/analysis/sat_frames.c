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

void sat_frames_begin(struct sat_frames *f, const struct circuit *c)
{
	*f = (struct sat_frames){.c = c, .vars = SAT_FRAMES_TRUE};
	f->sat = sat_solver_new(&f->owned);
	SAT_FRAMES_CLAUSE(f, SAT_FRAMES_TRUE);
}

void sat_frames_free(struct sat_frames *f)
{
	for (size_t i = 0; i < f->all.n; i++)
		mem_free(f->all.at[i].lit);
	vec_free(&f->all);
	vec_free(&f->stack);
	sat_solver_free(f->sat, f->owned);
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

/* What is written of a literal; 0: nothing. */
static int known(const struct sat_frames *f, uint32_t frame, lit_t l)
{
	int x = f->all.at[frame].lit[l / 2];
	return l & 1 ? -x : x;
}

static int write_gate(struct sat_frames *f, uint32_t frame, const struct gate *g, int sign)
{
	const lit_t *in = f->c->inputs.at + g->in;
	int open[g->n + 1];
	size_t n = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		int x = sign * known(f, frame, in[k]);
		if (x != SAT_FRAMES_TRUE)
			open[n++] = x;
	}
	if (!n)
		return sign * SAT_FRAMES_TRUE;
	if (n == 1)
		return sign * open[0];
	int out = sat_frames_fresh(f);
	for (size_t k = 0; k < n; k++) {
		SAT_FRAMES_CLAUSE(f, -out, open[k]);
		open[k] = -open[k];
	}
	open[n] = out;
	sat_frames_clause(f, n + 1, open);
	return sign * out;
}

/* One step of the writing of a node: true when it is written, else what it needs is
 * on the stack. */
static bool write_node(struct sat_frames *f, struct frame_node x)
{
	const struct circuit *c = f->c;
	const struct gate *g = &c->gates.at[x.node];
	int *lit = f->all.at[x.frame].lit;
	if (lit[x.node])
		return true;
	if (g->kind == GATE_FLUENT) {
		uint32_t before = f->all.at[x.frame].before;
		lit_t l = c->next.at[x.node - 1];
		lit[x.node] = known(f, before, l);
		if (!lit[x.node])
			vec_push(&f->stack, (struct frame_node){before, l / 2});
		return lit[x.node] != 0;
	}
	int sign = g->kind == GATE_AND ? 1 : -1;
	const lit_t *in = c->inputs.at + g->in;
	uint32_t missing = UINT32_MAX;
	for (uint32_t k = 0; k < g->n; k++) {
		int y = sign * known(f, x.frame, in[k]);
		if (y == -SAT_FRAMES_TRUE) {
			lit[x.node] = -sign * SAT_FRAMES_TRUE;
			return true;
		}
		if (!y)
			missing = in[k] / 2;
	}
	if (missing != UINT32_MAX) {
		vec_push(&f->stack, (struct frame_node){x.frame, missing});
		return false;
	}
	lit[x.node] = write_gate(f, x.frame, g, sign);
	return true;
}

int sat_frames_get(struct sat_frames *f, uint32_t frame, lit_t l)
{
	if (!known(f, frame, l)) {
		vec_clear(&f->stack);
		vec_push(&f->stack, (struct frame_node){frame, l / 2});
		while (f->stack.n) {
			size_t top = f->stack.n;
			if (write_node(f, f->stack.at[top - 1]))
				f->stack.n = top - 1;
		}
	}
	return known(f, frame, l);
}
