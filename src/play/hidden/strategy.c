/* All histories level by level: what each role knows in them as text, once; and how likely they are, after every
 * improvement. The order of histories is the same each time. */
#include "play/hidden/strategy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The histories of one depth. */
struct level {
	VEC(uint64_t) states, views;
	VEC(const char *) stories; /* by role; of none while only chances are counted */
	VEC(double) chances;
};

struct walk {
	struct strategy *s;
	bool tell; /* list the sets, or add up how likely they are */
	struct table index;
	struct level now, next;
	VEC(uint32_t) legal, start;
	VEC(double) shares;
	uint32_t *wheel, *joint;
};

static void level_free(struct level *l)
{
	vec_free(&l->states);
	vec_free(&l->views);
	vec_free(&l->stories);
	vec_free(&l->chances);
}

static uint32_t find_set(const struct walk *w, uint32_t role, uint64_t view, uint32_t count)
{
	assert(role < w->s->seat.game->roles);
	uint32_t it, id;
	for (table_start(&w->index, view, &it); (id = table_next(&w->index, view, &it)) != TABLE_NONE;) {
		const struct strategy_set *x = &w->s->sets.at[id];
		if (x->view == view && x->role == role && x->count == count)
			return id;
	}
	return TABLE_NONE;
}

/* A choice of a role in a history: its set, new or known. */
static void meet(struct walk *w, uint32_t role, uint64_t view, const char *story, double chance)
{
	assert(role < w->s->seat.game->roles);
	assert(chance >= 0 && chance <= 1 + 1e-9);
	struct strategy *s = w->s;
	uint32_t count = w->start.at[role + 1] - w->start.at[role], id = find_set(w, role, view, count);
	if (id == TABLE_NONE) {
		struct strategy_set x = {.role = role, .count = count, .view = view, .knows = story};
		x.moves = arena_copy(&s->arena, w->legal.at + w->start.at[role], count * sizeof *x.moves);
		x.shares = arena_alloc(&s->arena, count * sizeof *x.shares);
		id = (uint32_t)s->sets.n;
		vec_push(&s->sets, x);
		table_add(&w->index, view, id);
	}
	s->sets.at[id].reach += chance;
}

/* What a role knows after a step: as before, its move where it had a choice, its percepts. */
static const char *tell_on(struct walk *w, const char *before, uint32_t role, const uint32_t *seen, uint32_t count)
{
	assert(role < w->s->seat.game->roles);
	const struct game *g = w->s->seat.game;
	struct text t = {0};
	text_puts(&t, before);
	if (w->start.at[role + 1] - w->start.at[role] > 1) {
		text_puts(&t, t.n ? ", did " : "did ");
		game_print_move(g, w->joint[role], &t);
	}
	for (uint32_t i = 0; i < count; i++) {
		text_puts(&t, i ? " " : t.n ? ", saw " : "saw ");
		game_print_percept(g, seen[i], &t);
	}
	const char *out = t.n == strlen(before) ? before : arena_text(&w->s->arena, text_str(&t), t.n);
	text_free(&t);
	return out;
}

static void add_child(struct walk *w, size_t i, double chance)
{
	assert(chance >= 0 && chance <= 1 + 1e-9);
	struct game *g = w->s->seat.game;
	uint32_t roles = g->roles;
	const uint64_t *state = w->now.states.at + i * g->words;
	struct percepts p = game_sees(w->s->seat.worker, state, w->joint);
	for (uint32_t r = 0; r < roles; r++) {
		const uint32_t *seen = p.seen + p.start[r], n = p.start[r + 1] - p.start[r];
		vec_push(&w->next.views, view_after(w->now.views.at[i * roles + r], w->joint[r], game_seen_hash(seen, n)));
		if (w->tell)
			vec_push(&w->next.stories, tell_on(w, w->now.stories.at[i * roles + r], r, seen, n));
	}
	vec_extend(&w->next.states, g->words);
	game_next(w->s->seat.worker, state, w->joint, w->next.states.at + w->next.states.n - g->words);
	vec_push(&w->next.chances, chance);
}

/* Probabilities of all moves of all roles in a history, in w->shares. */
static void find_shares(struct walk *w, size_t i)
{
	const struct game *g = w->s->seat.game;
	vec_clear(&w->shares);
	vec_extend(&w->shares, w->legal.n);
	for (uint32_t r = 0; r < g->roles; r++) {
		uint32_t from = w->start.at[r], n = w->start.at[r + 1] - from;
		if (n > 1 && r != g->random)
			mccfr_policy(w->s->mccfr, w->now.views.at[i * g->roles + r], n, w->shares.at + from);
		else
			for (uint32_t k = 0; k < n; k++)
				w->shares.at[from + k] = 1.0 / n;
	}
}

static void expand(struct walk *w, size_t i)
{
	struct game *g = w->s->seat.game;
	struct view v = game_look(w->s->seat.worker, w->now.states.at + i * g->words);
	uint32_t roles = g->roles, r;
	if (v.terminal)
		return;
	vec_set(&w->legal, v.legal, v.start[roles]);
	vec_set(&w->start, v.start, roles + 1);
	for (r = 0; r < roles; r++) {
		if (w->start.at[r + 1] == w->start.at[r])
			return;
		if (w->start.at[r + 1] - w->start.at[r] > 1 && r != g->random)
			meet(w, r, w->now.views.at[i * roles + r], w->tell ? w->now.stories.at[i * roles + r] : "",
			     w->now.chances.at[i]);
	}
	find_shares(w, i);
	memset(w->wheel, 0, roles * sizeof *w->wheel);
	do {
		double chance = w->now.chances.at[i];
		for (r = 0; r < roles; r++) {
			w->joint[r] = w->legal.at[w->start.at[r] + w->wheel[r]];
			chance *= w->shares.at[w->start.at[r] + w->wheel[r]];
		}
		add_child(w, i, chance);
		for (r = 0; r < roles && ++w->wheel[r] == w->start.at[r + 1] - w->start.at[r]; r++)
			w->wheel[r] = 0;
	} while (r < roles);
}

static void walk_all(struct strategy *s, bool tell)
{
	struct game *g = s->seat.game;
	struct walk w = {
		.s = s, .tell = tell, .wheel = NEW_ARRAY(uint32_t, g->roles + 1), .joint = NEW_ARRAY(uint32_t, g->roles + 1)};
	for (uint32_t i = 0; i < s->sets.n; i++) {
		s->sets.at[i].reach = 0;
		table_add(&w.index, s->sets.at[i].view, i);
	}
	vec_set(&w.now.states, g->initial, g->words);
	for (uint32_t r = 0; r < g->roles; r++) {
		vec_push(&w.now.views, view_start(r));
		vec_push(&w.now.stories, "");
	}
	vec_push(&w.now.chances, 1);
	while (w.now.chances.n) {
		for (size_t i = 0; i < w.now.chances.n; i++)
			expand(&w, i);
		level_free(&w.now);
		w.now = w.next;
		w.next = (struct level){0};
	}
	level_free(&w.now);
	table_free(&w.index);
	vec_free(&w.legal);
	vec_free(&w.start);
	vec_free(&w.shares);
	mem_free(w.wheel);
	mem_free(w.joint);
}

static void refresh(struct strategy *s)
{
	walk_all(s, false);
	for (size_t i = 0; i < s->sets.n; i++)
		mccfr_policy(s->mccfr, s->sets.at[i].view, s->sets.at[i].count, s->sets.at[i].shares);
}

/* By role; the sort keeps the order of depth within one. */
static void sort_by_role(struct strategy *s)
{
	VEC(struct strategy_set) sorted = {0};
	for (uint32_t r = 0; r < s->seat.game->roles; r++)
		for (size_t i = 0; i < s->sets.n; i++)
			if (s->sets.at[i].role == r)
				vec_push(&sorted, s->sets.at[i]);
	vec_set(&s->sets, sorted.at, sorted.n);
	vec_free(&sorted);
}

bool strategy_make(struct strategy *s, struct game *g, uint64_t seed, struct text *error)
{
	s->seat = (struct seat){.game = g, .worker = worker_new(g), .rng = rng_seed(seed)};
	if (!g->hidden) {
		text_puts(error, "nothing is hidden in this game: every position is a situation of its own");
		return false;
	}
	s->mccfr = mccfr_new(&s->seat);
	if (!mccfr_whole(s->mccfr)) {
		text_printf(error, "this game has more than %d histories: too many for a table of its information sets",
		            MCCFR_HISTORIES);
		return false;
	}
	walk_all(s, true);
	sort_by_role(s);
	refresh(s);
	return true;
}

void strategy_improve(struct strategy *s, const struct budget *b)
{
	mccfr_run(s->mccfr, &s->seat, b);
	s->iterations = s->seat.count.rounds;
	refresh(s);
}

void strategy_free(struct strategy *s)
{
	if (s->mccfr)
		mccfr_free(s->mccfr);
	worker_free(s->seat.worker);
	text_free(&s->seat.why);
	vec_free(&s->sets);
	arena_free(&s->arena);
}
