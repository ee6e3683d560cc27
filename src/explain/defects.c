/* Playouts are cheap and tell how many ended in a wrong way; those that did are walked through again, to see which role
 * it was and where. Then a search in breadth looks for a shorter way, as far as its bound on positions goes. */
#include "explain/defects.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/rng.h"
#include "explain/explainer_internal.h"
#include "explain/position.h"

#include <stdio.h>
#include <string.h>

#define WALKED_STEPS 5000      /* of sound playouts, to see fluents and moves */
#define MAX_POSITIONS 20000    /* of the search in breadth */
#define MAX_WIDTH 100000       /* joint moves of one position in it */
#define SHORT_STEPS 1000000000 /* longer than any way */

struct hunt {
	struct game *g;
	struct worker *w;
	struct explainer *x;
	struct defects *out;
	const struct defect_search *s;
	uint64_t *state, *seen_fluents, *seen_moves;
	bool base, input; /* are there any? */
	uint32_t *joint;
	uint64_t walked;
	struct limit limit;
};

/* ---- defects of a position ------------------------------------------------------------------- */

static struct defect *find_defect(struct defects *d, enum defect_kind kind, uint32_t role)
{
	for (size_t i = 0; i < d->all.n; i++)
		if (d->all.at[i].kind == kind && d->all.at[i].role == role)
			return &d->all.at[i];
	return NULL;
}

/* What was found after these moves; the shortest way is kept. */
static void note(struct hunt *h, enum defect_kind kind, uint32_t role, const uint32_t *moves, uint32_t steps,
                 const uint64_t *state, bool counted)
{
	struct defect *d = find_defect(h->out, kind, role);
	if (!d) {
		vec_push(&h->out->all, ((struct defect){.kind = kind, .role = role, .steps = SHORT_STEPS}));
		d = &vec_last(&h->out->all);
		d->position = NEW_ARRAY(uint64_t, h->g->words);
	}
	d->playouts += counted;
	if (steps >= d->steps)
		return;
	d->steps = steps;
	vec_set(&d->moves, moves, (size_t)steps * h->g->roles);
	memcpy(d->position, state, h->g->words * sizeof *state);
}

static size_t count_goals(struct hunt *h, uint32_t role)
{
	struct text question = {0}, error = {0};
	term_list held = {0};
	text_puts(&question, "(goal ");
	game_print_role(h->g, role, &question);
	text_puts(&question, " ?value)");
	explainer_instances(h->x, explainer_read(h->x, text_str(&question), &error), &held);
	size_t n = held.n;
	vec_free(&held);
	text_free(&question);
	text_free(&error);
	return n;
}

/* Is anything wrong with this position? */
static void look(struct hunt *h, const uint32_t *moves, uint32_t steps, const uint64_t *state, bool counted)
{
	struct view v = game_look(h->w, state);
	bool set = false;
	for (uint32_t r = 0; r < h->g->roles; r++) {
		if (!v.terminal && v.start[r] == v.start[r + 1])
			note(h, DEFECT_STUCK, r, moves, steps, state, counted);
		if (!v.terminal || v.goals[r] != GOAL_NONE || r == h->g->random)
			continue;
		if (!set)
			explainer_set_position(h->x, h->g, state, NULL);
		set = true;
		note(h, count_goals(h, r) ? DEFECT_GOAL_MANIFOLD : DEFECT_GOAL_MISSING, r, moves, steps, state, counted);
	}
}

/* ---- declarations ------------------------------------------------------------------------------- */

static bool is_declared(struct hunt *h, const char *relation, uint32_t role, uint32_t number, struct text *statement)
{
	struct text error = {0};
	text_printf(statement, "(%s ", relation);
	if (role != GAME_NONE) {
		game_print_role(h->g, role, statement);
		text_putc(statement, ' ');
		game_print_move(h->g, number, statement);
	} else {
		game_print_fluent(h->g, number, statement);
	}
	text_putc(statement, ')');
	term_t t = explainer_read(h->x, text_str(statement), &error);
	text_free(&error);
	return t == TERM_NONE || explainer_holds(h->x, t);
}

static void note_undeclared(struct hunt *h, enum defect_kind kind, uint32_t role, uint32_t number,
                            const uint32_t *moves, uint32_t steps)
{
	struct text statement = {0};
	bool fine = is_declared(h, kind == DEFECT_NOT_IN_BASE ? "base" : "input", role, number, &statement);
	if (!fine && !find_defect(h->out, kind, role)) {
		note(h, kind, role, moves, steps, h->state, false);
		vec_last(&h->out->all).statement = arena_text(&h->out->texts, statement.at, statement.n);
	}
	text_free(&statement);
}

/* Fluents and moves that were not seen before are held against `base` and `input`. */
static void look_at_names(struct hunt *h, const uint32_t *moves, uint32_t steps)
{
	const struct game *g = h->g;
	for (size_t f = 0; h->base && f < g->fluents; f++)
		if (bits_has(h->state, f) && !bits_has(h->seen_fluents, f)) {
			bits_add(h->seen_fluents, f);
			note_undeclared(h, DEFECT_NOT_IN_BASE, GAME_NONE, (uint32_t)f, moves, steps);
		}
	struct view v = game_look(h->w, h->state);
	for (uint32_t r = 0; h->input && !v.terminal && r < g->roles; r++)
		for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++)
			if (!bits_has(h->seen_moves, v.legal[k])) {
				bits_add(h->seen_moves, v.legal[k]);
				note_undeclared(h, DEFECT_NOT_IN_INPUT, r, v.legal[k], moves, steps);
			}
}

/* ---- playouts ------------------------------------------------------------------------------------- */

static bool has_no_goal(const struct game *g, const int *goals)
{
	for (uint32_t r = 0; r < g->roles; r++)
		if (goals[r] == GOAL_NONE && r != g->random)
			return true;
	return false;
}

/* Goes through a playout again when it may have ended in a wrong way, or to see what is there. */
static void walk_again(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct hunt *h = context;
	const struct game *g = h->g;
	(void)start, (void)goals;
	bool curious = h->walked < WALKED_STEPS;
	if (limit_reached(&h->limit))
		return;
	memcpy(h->state, g->initial, g->words * sizeof *h->state);
	for (uint32_t i = 0; i <= steps; i++) {
		if (curious)
			look_at_names(h, moves, i);
		if (i < steps)
			game_next(h->w, h->state, moves + (size_t)i * g->roles, h->state);
	}
	h->walked += steps;
	look(h, moves, steps, h->state, true);
}

static void walk_curious(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct hunt *h = context;
	if (h->walked < WALKED_STEPS || has_no_goal(h->g, goals))
		walk_again(context, start, moves, steps, goals);
}

static void progress_of(void *context, const char *what, double done, double total)
{
	const struct hunt *h = context;
	h->s->progress(h->s->context, what, done, total);
}

/* Where one of the playouts that do not end was given up. */
static void note_endless(struct hunt *h, uint64_t playouts)
{
	struct defect d = {.kind = DEFECT_ENDLESS, .role = GAME_NONE, .playouts = playouts};
	struct rng rng = rng_seed(h->s->seed);
	d.position = NEW_ARRAY(uint64_t, h->g->words);
	memcpy(d.position, h->g->initial, h->g->words * sizeof *d.position);
	for (; d.steps < h->s->max_steps && !limit_reached(&h->limit); d.steps++) {
		struct view v = game_look(h->w, d.position);
		if (v.terminal || !game_random_move(h->g, &v, &rng, h->joint))
			break;
		for (uint32_t r = 0; r < h->g->roles; r++)
			vec_push(&d.moves, h->joint[r]);
		game_next(h->w, d.position, h->joint, d.position);
	}
	vec_push(&h->out->all, d);
}

static void play(struct hunt *h)
{
	struct playout_job job = {.playouts = h->s->playouts,
	                          .seed = h->s->seed,
	                          .max_steps = h->s->max_steps,
	                          .limit = h->limit,
	                          .report = walk_curious,
	                          .progress = h->s->progress ? progress_of : NULL,
	                          .context = h};
	struct playout_result r = {0};
	game_playouts(h->g, &job, &r);
	h->out->playouts = r.playouts + r.unfinished;
	uint64_t stuck = r.stuck, unfinished = r.unfinished;
	playout_result_free(&r);
	if (stuck) { /* which playouts were stuck is not told: all of them again */
		for (size_t i = 0; i < h->out->all.n; i++)
			h->out->all.at[i].playouts = 0;
		job.report = walk_again;
		game_playouts(h->g, &job, &r);
		playout_result_free(&r);
	}
	if (unfinished)
		note_endless(h, unfinished);
}

/* ---- the shortest way ------------------------------------------------------------------------------- */

struct frontier {
	VEC(uint64_t) states;
	VEC(uint32_t) parent, depth;
	VEC(uint32_t) moves; /* that led there: roles numbers each */
	struct table index;
};

static bool add_position(struct hunt *h, struct frontier *f, const uint64_t *state, uint32_t parent, uint32_t depth)
{
	uint32_t words = h->g->words, it, id;
	uint64_t hash = game_hash(h->g, state);
	for (table_start(&f->index, hash, &it); (id = table_next(&f->index, hash, &it)) != TABLE_NONE;)
		if (!memcmp(f->states.at + (size_t)id * words, state, words * sizeof *state))
			return false;
	table_add(&f->index, hash, narrow32(f->parent.n));
	vec_extend(&f->states, words);
	memcpy(f->states.at + f->states.n - words, state, words * sizeof *state);
	vec_push(&f->parent, parent);
	vec_push(&f->depth, depth);
	for (uint32_t r = 0; r < h->g->roles; r++)
		vec_push(&f->moves, h->joint[r]);
	return true;
}

static uint32_t longest_way(const struct defects *d)
{
	uint32_t most = 0;
	for (size_t i = 0; i < d->all.n; i++)
		if (d->all.at[i].kind <= DEFECT_GOAL_MANIFOLD && d->all.at[i].steps > most)
			most = d->all.at[i].steps;
	return most;
}

/* Looks at a position, with the way that led there. */
static void look_from(struct hunt *h, const struct frontier *f, uint32_t at)
{
	uint32_t roles = h->g->roles, depth = f->depth.at[at];
	uint32_t *way = mem_alloc((size_t)depth * roles + 1, sizeof *way);
	for (uint32_t i = at, k = depth; k-- > 0; i = f->parent.at[i])
		memcpy(way + (size_t)k * roles, f->moves.at + (size_t)i * roles, roles * sizeof *way);
	memcpy(h->state, f->states.at + (size_t)at * h->g->words, h->g->words * sizeof *h->state);
	look(h, way, depth, h->state, false);
	mem_free(way);
}

/* All joint moves in turn, like the wheels of a counter; false: too many. */
static bool expand(struct hunt *h, struct frontier *f, uint32_t at)
{
	const struct game *g = h->g;
	struct view v = game_look(h->w, h->state);
	double width = 1;
	for (uint32_t r = 0; r < g->roles; r++)
		width *= v.start[r + 1] - v.start[r];
	if (v.terminal || width < 1)
		return true;
	if (width > MAX_WIDTH)
		return false;
	VEC(uint32_t) legal = {0};
	vec_set(&legal, v.legal, v.start[g->roles]);
	uint32_t *start = NEW_ARRAY(uint32_t, g->roles + 1), *wheel = NEW_ARRAY(uint32_t, g->roles + 1);
	uint64_t *next = NEW_ARRAY(uint64_t, g->words);
	memcpy(start, v.start, (g->roles + 1) * sizeof *start);
	uint32_t r = 0;
	do {
		for (r = 0; r < g->roles; r++)
			h->joint[r] = legal.at[start[r] + wheel[r]];
		game_next(h->w, h->state, h->joint, next);
		add_position(h, f, next, at, f->depth.at[at] + 1);
		for (r = 0; r < g->roles && ++wheel[r] == start[r + 1] - start[r]; r++)
			wheel[r] = 0;
	} while (r < g->roles && f->parent.n < MAX_POSITIONS);
	vec_free(&legal);
	mem_free(start);
	mem_free(wheel);
	mem_free(next);
	return r == g->roles;
}

static void shorten(struct hunt *h)
{
	struct frontier f = {0};
	uint32_t most = longest_way(h->out), reached = 0; /* all positions with fewer moves were seen */
	bool whole = true;
	add_position(h, &f, h->g->initial, 0, 0);
	for (uint32_t i = 0; whole && i < f.parent.n && f.depth.at[i] < most && !limit_reached(&h->limit); i++) {
		look_from(h, &f, i);
		reached = f.depth.at[i];
		if (f.depth.at[i] + 1 < most)
			whole = expand(h, &f, i);
		most = longest_way(h->out);
	}
	bool all = whole && !limit_reached(&h->limit);
	for (size_t i = 0; i < h->out->all.n; i++) {
		struct defect *d = &h->out->all.at[i];
		d->shortest = d->kind <= DEFECT_GOAL_MANIFOLD && (all || d->steps <= reached);
	}
	vec_free(&f.states);
	vec_free(&f.parent);
	vec_free(&f.depth);
	vec_free(&f.moves);
	table_free(&f.index);
}

/* ---- explanations -------------------------------------------------------------------------------------- */

static void name_statement(struct hunt *h, struct defect *d)
{
	struct text t = {0};
	if (d->kind == DEFECT_ENDLESS) {
		text_puts(&t, "terminal");
	} else {
		text_puts(&t, d->kind == DEFECT_STUCK ? "(legal " : "(goal ");
		game_print_role(h->g, d->role, &t);
		text_puts(&t, d->kind == DEFECT_STUCK ? " ?move)" : " ?value)");
	}
	d->statement = arena_text(&h->out->texts, t.at, t.n);
	text_free(&t);
}

static void explain(struct hunt *h, struct defect *d)
{
	struct explanation_bounds bounds = {3, 60};
	struct text error = {0};
	term_list held = {0};
	if (!d->statement)
		name_statement(h, d);
	explainer_set_position(h->x, h->g, d->position, NULL);
	term_t statement = explainer_read(h->x, d->statement, &error);
	if (statement != TERM_NONE)
		explainer_instances(h->x, statement, &held);
	if (d->kind == DEFECT_GOAL_MANIFOLD && held.n > 1) {
		explanation_make(h->x, held.at[0], bounds, &d->first);
		explanation_make(h->x, held.at[1], bounds, &d->second);
	} else if (statement != TERM_NONE) {
		explanation_make(h->x, statement, bounds, &d->first);
	}
	vec_free(&held);
	text_free(&error);
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

static void hunt_free(struct hunt *h)
{
	worker_free(h->w);
	explainer_free(h->x);
	mem_free(h->state);
	mem_free(h->seen_fluents);
	mem_free(h->seen_moves);
	mem_free(h->joint);
}

bool defects_find(struct game *g, const struct defect_search *s, struct defects *out, struct text *error)
{
	struct explainer *x = explainer_make(g->rules, s->limit, 0, error);
	if (!x)
		return false;
	struct hunt h = {.g = g,
	                 .w = worker_new(g),
	                 .x = x,
	                 .out = out,
	                 .s = s,
	                 .state = NEW_ARRAY(uint64_t, g->words),
	                 .seen_fluents = NEW_ARRAY(uint64_t, BITS_WORDS(g->fluents) + 1),
	                 .seen_moves = NEW_ARRAY(uint64_t, BITS_WORDS(g->moves) + 1),
	                 .base = explainer_relation(x, GDL_BASE, 1) != TABLE_NONE,
	                 .input = explainer_relation(x, GDL_INPUT, 2) != TABLE_NONE,
	                 .joint = NEW_ARRAY(uint32_t, g->roles + 1),
	                 .limit = s->limit};
	play(&h);
	shorten(&h);
	for (size_t i = 0; i < out->all.n; i++)
		explain(&h, &out->all.at[i]);
	hunt_free(&h);
	return true;
}

void defects_free(struct defects *d)
{
	for (size_t i = 0; i < d->all.n; i++) {
		vec_free(&d->all.at[i].moves);
		mem_free(d->all.at[i].position);
		explanation_free(&d->all.at[i].first);
		explanation_free(&d->all.at[i].second);
	}
	vec_free(&d->all);
	arena_free(&d->texts);
}
