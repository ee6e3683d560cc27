/* Plans to tables.
 *
 * A goal outside of any recursion is evaluated at once, to its end, or to its
 * first answer when it has no free leaves. Goals of one recursive component are
 * evaluated together (SLG resolution, Chen and Warren 1996, with the components
 * found beforehand): a rule that asks for a goal still open becomes its
 * consumer, a copy of the registers that is resumed with every answer it has not
 * read; when the agenda is empty all of them are complete. Negation asks
 * complete tables only: usually of another component, and where a predicate
 * negates itself for other arguments (goal 100 unless goal 0), of goals that are
 * evaluated on their own; when these lead back to one still open, we give up.
 *
 * C recursion follows components and such negations, and its depth is bounded. */
#include "interp/prove_internal.h"

#include <string.h>

#define NONE UINT32_MAX
#define MAX_DEPTH 2000
#define MAX_WORDS ((size_t)1 << 26) /* of one store */
#define SMALL 8                     /* rows that are searched one by one */

#define CIRCULAR "a negation of the rules depends on itself"

static void give_up(struct interpreter *in, const char *why)
{
	if (!in->trouble)
		in->trouble = why;
}

/* ---- goals -------------------------------------------------------------------- */

static struct goal *goal_at(struct interpreter *in, enum life life, uint32_t id)
{
	return &in->stores[life].goals.at[id];
}

static uint32_t goal_get(struct interpreter *in, uint32_t mode, const uint32_t *key)
{
	const struct mode *m = &in->modes.at[mode];
	struct store *s = &in->stores[m->life];
	uint64_t h = hash_join(hash_words(key, m->bound), mode);
	uint32_t it, id;
	for (table_start(&s->index, h, &it); (id = table_next(&s->index, h, &it)) != TABLE_NONE;) {
		const struct goal *g = &s->goals.at[id];
		if (g->mode == mode && same_words(s->words.at + g->key, key, m->bound))
			return id;
	}
	struct goal g = {.mode = mode, .key = narrow32(s->words.n), .waiting = NONE};
	vec_extend(&s->words, m->bound);
	copy_words(s->words.at + g.key, key, m->bound);
	vec_push(&s->goals, g);
	id = narrow32(s->goals.n) - 1;
	table_add(&s->index, h, id);
	return id;
}

static void put_in_set(struct store *s, struct goal *g, uint32_t free, uint32_t row)
{
	uint32_t at = (uint32_t)(hash_words(s->words.at + g->rows + (size_t)row * free, free) >> 32) & g->mask;
	while (s->words.at[g->set + at] != NONE)
		at = (at + 1) & g->mask;
	s->words.at[g->set + at] = row;
}

static void grow_rows(struct store *s, struct goal *g, uint32_t free)
{
	uint32_t room = g->room ? g->room * 2 : 4, rows = narrow32(s->words.n);
	vec_extend(&s->words, (size_t)room * free);
	if (g->count)
		memcpy(s->words.at + rows, s->words.at + g->rows, (size_t)g->count * free * sizeof *s->words.at);
	g->rows = rows;
	g->room = room;
	if (room <= SMALL)
		return;
	g->set = narrow32(s->words.n);
	g->mask = room * 2 - 1;
	vec_extend(&s->words, (size_t)room * 2);
	memset(s->words.at + g->set, 0xff, (size_t)room * 2 * sizeof *s->words.at);
	for (uint32_t i = 0; i < g->count; i++)
		put_in_set(s, g, free, i);
}

static bool has_row(const struct store *s, const struct goal *g, const uint32_t *row, uint32_t free)
{
	if (!g->mask) {
		for (uint32_t i = 0; i < g->count; i++)
			if (same_words(s->words.at + g->rows + (size_t)i * free, row, free))
				return true;
		return false;
	}
	uint32_t at = (uint32_t)(hash_words(row, free) >> 32) & g->mask, i;
	for (; (i = s->words.at[g->set + at]) != NONE; at = (at + 1) & g->mask)
		if (same_words(s->words.at + g->rows + (size_t)i * free, row, free))
			return true;
	return false;
}

static void add_row(struct interpreter *in, enum life life, uint32_t id, const uint32_t *row)
{
	struct store *s = &in->stores[life];
	struct goal *g = &s->goals.at[id];
	uint32_t free = in->modes.at[g->mode].free;
	if (!free) {
		if (g->count)
			return;
	} else {
		if (has_row(s, g, row, free))
			return;
		if (g->count == g->room)
			grow_rows(s, g, free);
		copy_words(s->words.at + g->rows + (size_t)g->count * free, row, free);
		if (g->mask)
			put_in_set(s, g, free, g->count);
		if (s->words.n > MAX_WORDS)
			give_up(in, "the answers of the rules grow beyond bound");
	}
	g->count++;
	while (g->waiting != NONE) {
		struct work w = {true, 0, g->waiting};
		g->waiting = in->consumers.at[w.id].next;
		vec_push(&in->agenda, w);
	}
}

/* ---- components ----------------------------------------------------------------- */

static void open_goal(struct interpreter *in, enum life life, uint32_t id)
{
	struct work w = {false, life, id};
	struct goal *g = goal_at(in, life, id);
	g->status = GOAL_OPEN;
	g->place = narrow32(in->open.n);
	vec_push(&in->open, w);
	vec_push(&in->agenda, w);
}

/* The rule at `plan`, standing at `step` with these registers, waits for `goal`. */
static void wait_for(struct interpreter *in, enum life life, uint32_t goal, struct consumer c, size_t base,
                     uint32_t registers)
{
	struct goal *g = goal_at(in, life, goal);
	if (g->status == GOAL_OPEN && g->place < in->open_here) {
		give_up(in, CIRCULAR);
		return;
	}
	c.life = life;
	c.goal = goal;
	c.cursor = 0;
	c.saved = narrow32(in->saved.n);
	vec_extend(&in->saved, registers);
	memcpy(in->saved.at + c.saved, in->registers.at + base, registers * sizeof *in->saved.at);
	uint32_t id = narrow32(in->consumers.n);
	if (g->count) {
		struct work w = {true, 0, id};
		vec_push(&in->agenda, w);
	} else {
		c.next = g->waiting;
		g->waiting = id;
	}
	vec_push(&in->consumers, c);
	if (g->status == GOAL_NEW)
		open_goal(in, life, goal);
	if (in->saved.n > MAX_WORDS)
		give_up(in, "the recursion of the rules grows beyond bound");
}

/* ---- plans ------------------------------------------------------------------------ */

static void solve(struct interpreter *in, enum life life, uint32_t id);

/* Bytes of what grows with the proofs. */
static size_t bytes_used(const struct interpreter *in)
{
	size_t words = in->saved.n + in->registers.n + in->terms->kids.n, goals = 0;
	for (int l = 0; l < LIFE_COUNT; l++) {
		words += in->stores[l].words.n;
		goals += in->stores[l].goals.n;
	}
	return words * sizeof(uint32_t) + goals * (sizeof(struct goal) + 16) + in->consumers.n * sizeof(struct consumer) +
	       in->terms->all.n * (sizeof(struct term) + 16);
}

/* Half of the memory is left for arrays that double. */
void prove_look_at_limits(struct interpreter *in)
{
	if (limit_reached(&in->limit))
		give_up(in, "the time is over");
	else if (in->memory && bytes_used(in) > in->memory / 2)
		give_up(in, "the answers of the rules do not fit the memory limit");
}

void prove_spend(struct interpreter *in, uint64_t steps)
{
	if (in->budget && in->budget <= steps)
		give_up(in, "the budget is spent");
	in->budget -= in->budget > steps ? steps : in->budget;
}

static bool out_of_time(struct interpreter *in)
{
	if (!(++in->ticks & 4095))
		prove_look_at_limits(in);
	if (in->budget)
		prove_spend(in, 1);
	return in->trouble != NULL;
}

#define VALUE(o) ((o)&OPERAND_TERM ? (o) & ~OPERAND_TERM : r[o])

static inline void gather(const struct interpreter *in, const struct step *s, const uint32_t *r, uint32_t *out)
{
	const uint32_t *list = in->operands.at + s->list;
	for (uint32_t i = 0; i < s->argc; i++)
		out[i] = VALUE(list[i]);
}

/* A plan under way for the goal `id` of `life`, at step `pc`. */
struct frame {
	enum life life;
	uint32_t id, plan, pc, first, registers;
	size_t base;              /* of the registers */
	const struct step *steps; /* both move when more is planned or asked, */
	uint32_t *r;              /* so they are looked up again after a call */
};

static inline void frame_look_up(const struct interpreter *in, struct frame *f)
{
	f->steps = in->steps.at + f->first;
	f->r = in->registers.at + f->base;
}

/* For the compiler the loop is one function: its frame stays in registers (a tenth of the instructions). */
#define INSIDE static inline __attribute__((always_inline))

/* Of a step: the next one; the culprit's next answer; that of the step before it; or none, the plan is left. */
enum outcome { OUTCOME_ON, OUTCOME_FAIL, OUTCOME_EXHAUSTED, OUTCOME_LEAVE };

static inline enum outcome on_if(bool holds)
{
	return holds ? OUTCOME_ON : OUTCOME_FAIL;
}

static inline enum outcome open_term(const struct interpreter *in, const struct step *s, uint32_t *r)
{
	const struct term *x = &in->terms->all.at[r[s->a]];
	if (x->name != s->name || x->argc != s->argc)
		return OUTCOME_FAIL;
	copy_words(r + s->out, in->terms->kids.at + x->args, s->argc);
	return OUTCOME_ON;
}

static inline enum outcome make_term(struct interpreter *in, const struct step *s, uint32_t *r)
{
	gather(in, s, r, in->buffer);
	r[s->out] = term_put(in->terms, s->name, s->argc, in->buffer);
	if (!term_is_large(in->terms, r[s->out]))
		return OUTCOME_ON;
	give_up(in, TERM_TOO_LARGE);
	return OUTCOME_LEAVE;
}

static inline bool is_true(const struct interpreter *in, term_t t)
{
	return t < in->stamp.n && in->stamp.at[t] == in->age[LIFE_STATE];
}

/* The row of facts at `row`: its leaves to the registers, and where the next one is to the cursor. */
static inline void take_fact(const struct interpreter *in, const struct step *s, uint32_t *r, uint32_t row)
{
	const struct mode *m = &in->modes.at[s->mode];
	r[s->cursor] = m->facts.words.at[row];
	copy_words(r + s->out, m->facts.words.at + row + 1, m->free);
}

INSIDE enum outcome scan(struct interpreter *in, const struct step *s, uint32_t *r)
{
	gather(in, s, r, in->buffer);
	uint32_t row = lookup_first(in, s->mode, in->buffer);
	if (s->kind == STEP_NOT_SCAN)
		return on_if(row == NONE);
	if (row != NONE && in->modes.at[s->mode].free)
		take_fact(in, s, r, row);
	return on_if(row != NONE);
}

INSIDE enum outcome call(struct interpreter *in, struct frame *f)
{
	const struct step *s = &f->steps[f->pc];
	gather(in, s, f->r, in->buffer);
	enum life whose = in->modes.at[s->mode].life;
	uint32_t goal = goal_get(in, s->mode, in->buffer), free = in->modes.at[s->mode].free;
	const struct goal *g = goal_at(in, whose, goal);
	if (g->status != GOAL_DONE && !(s->inside && !free && g->count)) {
		if (s->inside) {
			f->r[s->cursor + 1] = goal;
			struct consumer c = {.owner = f->id, .owner_life = f->life, .plan = f->plan, .step = f->pc};
			wait_for(in, whose, goal, c, f->base, f->registers);
			return OUTCOME_EXHAUSTED;
		}
		solve(in, whose, goal);
		if (out_of_time(in))
			return OUTCOME_LEAVE;
		frame_look_up(in, f);
		s = &f->steps[f->pc];
		g = goal_at(in, whose, goal);
	}
	if (s->kind == STEP_NOT_CALL || !g->count)
		return on_if((g->count != 0) == (s->kind == STEP_CALL));
	f->r[s->cursor] = 1;
	f->r[s->cursor + 1] = goal;
	copy_words(f->r + s->out, in->stores[whose].words.at + g->rows, free);
	return OUTCOME_ON;
}

static inline enum outcome answer(struct interpreter *in, const struct frame *f, const struct step *s)
{
	gather(in, s, f->r, in->buffer);
	add_row(in, f->life, f->id, in->buffer);
	return s->argc ? OUTCOME_FAIL : OUTCOME_LEAVE;
}

/* What is in in->buffer is never kept over a call: frames of the C stack are to be small. */
INSIDE enum outcome take_step(struct interpreter *in, struct frame *f)
{
	const struct step *s = &f->steps[f->pc];
	uint32_t *r = f->r;
	switch (s->kind) {
	case STEP_SAME: return on_if(VALUE(s->a) == VALUE(s->b));
	case STEP_DISTINCT: return on_if(VALUE(s->a) != VALUE(s->b));
	case STEP_OPEN: return open_term(in, s, r);
	case STEP_MAKE: return make_term(in, s, r);
	case STEP_FIND:
		gather(in, s, r, in->buffer);
		r[s->out] = term_find(in->terms, s->name, s->argc, in->buffer);
		return on_if(r[s->out] != TERM_NONE);
	case STEP_TRUE: return on_if(is_true(in, VALUE(s->a)));
	case STEP_NOT_TRUE: return on_if(!is_true(in, VALUE(s->a)));
	case STEP_SCAN:
	case STEP_NOT_SCAN: return scan(in, s, r);
	case STEP_CALL:
	case STEP_NOT_CALL: return call(in, f);
	case STEP_ANSWER: return answer(in, f, s);
	}
	return OUTCOME_LEAVE;
}

/* The next answer of a scan or a call to the registers; false: there is none. */
static inline bool next_answer(struct interpreter *in, const struct step *s, uint32_t *r)
{
	if (s->kind == STEP_SCAN) {
		if (r[s->cursor] == NONE)
			return false;
		take_fact(in, s, r, r[s->cursor]);
		return true;
	}
	const struct mode *m = &in->modes.at[s->mode];
	const struct goal *g = goal_at(in, m->life, r[s->cursor + 1]);
	if (r[s->cursor] >= g->count)
		return false;
	uint32_t at = r[s->cursor]++;
	copy_words(r + s->out, in->stores[m->life].words.at + g->rows + (size_t)at * m->free, m->free);
	return true;
}

/* Runs a plan for the goal `id` from step `pc` on, with registers at `base`. A
 * consumer is resumed at its call and never goes back behind it; false says that
 * further answers of the call can bring nothing new. */
static bool run(struct interpreter *in, enum life life, uint32_t id, uint32_t plan, size_t base, uint32_t pc,
                bool resumed)
{
	const struct plan *p = &in->plans.at[plan];
	struct frame f = {life, id, plan, pc, p->first, p->registers, base, NULL, NULL};
	uint32_t floor = resumed ? pc : 0, target = pc;
	frame_look_up(in, &f);
	if (resumed)
		goto back;
	for (;;) {
		switch (take_step(in, &f)) {
		case OUTCOME_ON: f.pc++; continue;
		case OUTCOME_FAIL: target = f.steps[f.pc].culprit; break;
		case OUTCOME_EXHAUSTED: target = f.steps[f.pc].back; break;
		case OUTCOME_LEAVE: return false;
		}
back:
		for (;; target = f.steps[f.pc].back) {
			if (target == STEP_NONE || target < floor || out_of_time(in))
				return false;
			f.pc = target;
			if (next_answer(in, &f.steps[f.pc], f.r))
				break;
			if (resumed && f.pc == floor)
				return true;
		}
		f.pc++;
	}
}

static bool is_settled(struct interpreter *in, enum life life, uint32_t id)
{
	const struct goal *g = goal_at(in, life, id);
	return g->count && !in->modes.at[g->mode].free;
}

static void evaluate(struct interpreter *in, enum life life, uint32_t id)
{
	uint32_t mode = goal_at(in, life, id)->mode;
	if (!in->modes.at[mode].planned)
		mode_plan(in, mode);
	const struct mode m = in->modes.at[mode];
	if (in->extensions[m.pred].n) {
		uint32_t row = lookup_first(in, mode, in->stores[life].words.at + goal_at(in, life, id)->key);
		for (; row != NONE; row = in->modes.at[mode].facts.words.at[row])
			add_row(in, life, id, in->modes.at[mode].facts.words.at + row + 1);
	}
	for (uint32_t i = 0; i < m.plan_count && !is_settled(in, life, id) && !in->trouble; i++) {
		size_t base = in->registers.n;
		vec_extend(&in->registers, in->plans.at[m.plans + i].registers);
		copy_words(in->registers.at + base, in->stores[life].words.at + goal_at(in, life, id)->key, m.bound);
		run(in, life, id, m.plans + i, base, 0, false);
		in->registers.n = base;
	}
}

static void resume(struct interpreter *in, uint32_t id)
{
	struct consumer c = in->consumers.at[id];
	if (is_settled(in, c.owner_life, c.owner))
		return;
	const struct plan p = in->plans.at[c.plan];
	size_t base = in->registers.n;
	vec_extend(&in->registers, p.registers);
	memcpy(in->registers.at + base, in->saved.at + c.saved, p.registers * sizeof *in->registers.at);
	uint32_t cursor = in->steps.at[p.first + c.step].cursor;
	in->registers.at[base + cursor] = c.cursor;
	if (run(in, c.owner_life, c.owner, c.plan, base, c.step, true)) {
		struct goal *g = goal_at(in, c.life, c.goal);
		struct consumer *now = &in->consumers.at[id];
		now->cursor = in->registers.at[base + cursor];
		now->next = g->waiting;
		g->waiting = id;
	}
	in->registers.n = base;
}

/* A goal of a recursive component, and all that it leads to within it. */
static void solve_component(struct interpreter *in, enum life life, uint32_t id)
{
	size_t agenda = in->agenda.n, consumers = in->consumers.n, saved = in->saved.n, open = in->open.n;
	size_t outer = in->open_here;
	in->open_here = open;
	open_goal(in, life, id);
	while (in->agenda.n > agenda && !in->trouble) {
		struct work w = vec_pop(&in->agenda);
		if (w.resume)
			resume(in, w.id);
		else
			evaluate(in, w.life, w.id);
	}
	for (size_t i = open; i < in->open.n; i++) {
		struct goal *g = goal_at(in, in->open.at[i].life, in->open.at[i].id);
		g->status = GOAL_DONE;
		g->waiting = NONE;
	}
	in->agenda.n = agenda;
	in->consumers.n = consumers;
	in->saved.n = saved;
	in->open.n = open;
	in->open_here = outer;
}

static void solve(struct interpreter *in, enum life life, uint32_t id)
{
	const struct goal *g = goal_at(in, life, id);
	if (in->depth >= MAX_DEPTH || g->status == GOAL_OPEN) {
		give_up(in, g->status == GOAL_OPEN ? CIRCULAR : "the rules lead too deep");
		return;
	}
	in->depth++;
	if (in->recursive[in->modes.at[g->mode].pred]) {
		solve_component(in, life, id);
	} else {
		goal_at(in, life, id)->status = GOAL_OPEN;
		evaluate(in, life, id);
		goal_at(in, life, id)->status = GOAL_DONE;
	}
	in->depth--;
}

void prove(struct interpreter *in, uint32_t mode, const term_t *key, term_list *rows)
{
	uint32_t free = in->modes.at[mode].free;
	enum life life = in->modes.at[mode].life;
	if (in->trouble)
		return;
	if (in->modes.at[mode].source != FROM_RULES) {
		uint32_t row = lookup_first(in, mode, key);
		const struct lookup *f = &in->modes.at[mode].facts;
		for (; row != NONE; row = f->words.at[row])
			for (uint32_t i = 0; i < (free ? free : 1); i++)
				vec_push(rows, free ? f->words.at[row + 1 + i] : 0);
		return;
	}
	uint32_t id = goal_get(in, mode, key);
	if (goal_at(in, life, id)->status != GOAL_DONE)
		solve(in, life, id);
	if (in->trouble) { /* half-made tables must not be believed */
		prove_forget(in, LIFE_RULES);
		return;
	}
	const struct goal *g = goal_at(in, life, id);
	for (uint32_t i = 0; i < g->count * (free ? free : 1); i++)
		vec_push(rows, free ? in->stores[life].words.at[g->rows + i] : 0);
}

bool prove_whole(struct interpreter *in, uint32_t pred, uint64_t *budget)
{
	uint32_t shape[DATALOG_MAX_ARGS] = {0}, argc = in->dl.preds.at[pred].argc;
	term_list rows = {0};
	for (uint32_t i = 0; i < argc; i++)
		shape[i] = LEAF_FREE;
	in->budget = *budget;
	prove(in, mode_get(in, pred, shape, argc), NULL, &rows);
	*budget = in->budget;
	in->budget = 0;
	bool whole = !in->trouble;
	in->trouble = NULL;
	if (whole) {
		struct extension *e = &in->extensions[pred];
		e->n = (uint32_t)(argc ? rows.n / argc : rows.n);
		e->whole = true;
		vec_clear(&e->cells);
		for (size_t i = 0; i < rows.n; i++)
			vec_push(&e->cells, rows.at[i]);
	}
	vec_free(&rows);
	return whole;
}

void prove_forget(struct interpreter *in, enum life from)
{
	for (int l = (int)from; l < LIFE_COUNT; l++) {
		struct store *s = &in->stores[l];
		vec_clear(&s->goals);
		vec_clear(&s->words);
		table_clear(&s->index);
	}
	vec_clear(&in->registers);
	in->depth = 0;
}
