/* The proof of commute.h: both orders of two moves from one state, as frames of a SAT problem. */
#include "analysis/commute.h"

#include "analysis/facts.h"
#include "analysis/sat_frames.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"

#define CONFLICTS 200000
#define LARGEST 600000 /* gate inputs */

/* Exactly one of the moves, legal in the frame; gives their variables. */
static int *put_move(struct sat_frames *f)
{
	int *x = mem_alloc(f->c->moves + 1, sizeof *x), before = -SAT_FRAMES_TRUE;
	for (uint32_t m = 0; m < f->c->moves; m++) {
		int s = sat_frames_fresh(f);
		x[m] = sat_frames_fresh(f);
		SAT_FRAMES_CLAUSE(f, -x[m], s);
		SAT_FRAMES_CLAUSE(f, -before, s);
		SAT_FRAMES_CLAUSE(f, -x[m], -before);
		SAT_FRAMES_CLAUSE(f, x[m], before, -s);
		before = s;
	}
	SAT_FRAMES_CLAUSE(f, before);
	return x;
}

static void set_moves(struct sat_frames *f, uint32_t frame, const int *x)
{
	for (uint32_t m = 0; m < f->c->moves; m++)
		sat_frames_set(f, frame, circuit_move(f->c, m), x[m]);
}

static void must_be_legal(struct sat_frames *f, uint32_t frame, const int *x)
{
	for (uint32_t m = 0; m < f->c->moves; m++)
		SAT_FRAMES_CLAUSE(f, -x[m], sat_frames_get(f, frame, f->c->legal.at[m]));
}

/* A literal that implies: the move made is not legal in the frame. */
static int illegal(struct sat_frames *f, uint32_t frame, const int *x)
{
	int bad = sat_frames_fresh(f);
	for (uint32_t m = 0; m < f->c->moves; m++)
		SAT_FRAMES_CLAUSE(f, -bad, -x[m], -sat_frames_get(f, frame, f->c->legal.at[m]));
	return bad;
}

static int differ(struct sat_frames *f, int a, int b)
{
	int d = sat_frames_fresh(f);
	SAT_FRAMES_CLAUSE(f, -d, a, b);
	SAT_FRAMES_CLAUSE(f, -d, -a, -b);
	return d;
}

struct prove {
	struct sat_frames f;
	const uint8_t *observable;
	int *a, *b;
	uint32_t s_b, s_a, sb_a, sa_b, sba; /* frames: state, then the move made in it */
};

static void put_frames(struct prove *p)
{
	struct sat_frames *f = &p->f;
	const struct circuit *c = f->c;
	p->s_b = sat_frames_add(f, 0);
	p->s_a = sat_frames_add(f, 1);
	for (uint32_t x = 0; x < c->fluents; x++) {
		int v = sat_frames_fresh(f);
		sat_frames_set(f, p->s_b, circuit_fluent(c, x), v);
		sat_frames_set(f, p->s_a, circuit_fluent(c, x), v);
	}
	p->sb_a = sat_frames_add(f, p->s_b);
	p->sa_b = sat_frames_add(f, p->s_a);
	p->sba = sat_frames_add(f, p->sb_a);
	p->a = put_move(f);
	p->b = put_move(f);
	set_moves(f, p->s_b, p->b);
	set_moves(f, p->s_a, p->a);
	set_moves(f, p->sb_a, p->a);
	set_moves(f, p->sa_b, p->b);
	for (uint32_t m = 0; m < c->moves; m++)
		sat_frames_set(f, p->sba, circuit_move(c, m), -SAT_FRAMES_TRUE);
	must_be_legal(f, p->s_b, p->b);
	must_be_legal(f, p->sb_a, p->a);
	SAT_FRAMES_CLAUSE(f, -sat_frames_get(f, p->s_b, c->terminal));
	SAT_FRAMES_CLAUSE(f, -sat_frames_get(f, p->sb_a, c->terminal));
	SAT_FRAMES_CLAUSE(f, -sat_frames_get(f, p->sba, c->terminal));
}

/* What would show that two moves do not commute: one of these. */
static int put_violation(struct prove *p)
{
	struct sat_frames *f = &p->f;
	const struct circuit *c = f->c;
	VEC(int) one = {0};
	int wrong = sat_frames_fresh(f);
	vec_push(&one, -wrong);
	vec_push(&one, illegal(f, p->s_a, p->a));
	vec_push(&one, illegal(f, p->sa_b, p->b));
	vec_push(&one, sat_frames_get(f, p->sa_b, c->terminal));
	for (uint32_t x = 0; x < c->fluents; x++) {
		if (!p->observable[x])
			continue;
		int u = sat_frames_get(f, p->sb_a, c->next.at[x]), v = sat_frames_get(f, p->sa_b, c->next.at[x]);
		if (u != v)
			vec_push(&one, differ(f, u, v));
	}
	sat_frames_clause(f, one.n, one.at);
	vec_free(&one);
	return wrong;
}

static bool refuted(struct prove *p, int assumption)
{
	ccadical_limit(p->f.sat, "conflicts", CONFLICTS);
	ccadical_assume(p->f.sat, assumption);
	return ccadical_solve(p->f.sat) == 20;
}

enum commute commute_prove(const struct circuit *c, const uint8_t *observable, const struct limit *limit)
{
	struct prove p = {.observable = observable};
	enum commute answer = COMMUTE_NO;
	if (c->inputs.n + c->moves * 4 > LARGEST)
		return answer;
	sat_frames_begin(&p.f, c, NULL);
	sat_frames_limit(&p.f, limit);
	put_frames(&p);
	int wrong = put_violation(&p), twice = sat_frames_fresh(&p.f);
	for (uint32_t m = 0; m < c->moves; m++) {
		SAT_FRAMES_CLAUSE(&p.f, -twice, -p.a[m], p.b[m]);
		SAT_FRAMES_CLAUSE(&p.f, -twice, p.a[m], -p.b[m]);
	}
	if (refuted(&p, wrong))
		answer = refuted(&p, twice) ? COMMUTE_STRICTLY : COMMUTE_YES;
	mem_free(p.a);
	mem_free(p.b);
	sat_frames_free(&p.f);
	return answer;
}

static void *find_kept(struct game *g, const struct limit *limit)
{
	const struct rules_view *rules = game_rules_view(g);
	uint8_t *live = NEW_ARRAY(uint8_t, g->fluents + 1);
	enum commute *answer = NEW(enum commute);
	struct circuit flat;
	for (uint32_t i = 0; i < rules->live_count; i++)
		live[rules->live[i]] = 1;
	if (unroll_loops(&flat, rules->circuit, LARGEST, limit)) {
		*answer = commute_prove(&flat, live, limit);
		circuit_free(&flat);
	}
	mem_free(live);
	if (*answer != COMMUTE_NO || !limit_reached(limit))
		return answer;
	mem_free(answer);
	return NULL;
}

enum commute commute_of(struct game *g, const struct limit *limit)
{
	static const struct facts_kind kind = {find_kept, mem_free};
	const enum commute *answer = facts_get(g, &kind, limit);
	return answer ? *answer : COMMUTE_NO;
}
