/* The default player: tree search with batches of playouts, statistics of moves and
 * proven values; a solver that gets a share of the clock first, for endgames; plans
 * for games with one role; where the state is hidden see below. */
#include "play/learn/evaluation.h"
#include "play/hidden/infosets.h"
#include "play/hidden/mccfr.h"
#include "play/single/plan.h"
#include "play/alphabeta/search.h"
#include "play/mcts/tree.h"

#include <math.h>

struct macaw_options {
	struct tree_options tree; /* first: TREE_OPTIONS counts from here */
	double solver;            /* share of the clock */
	int64_t cut;              /* steps of a playout before it is evaluated */
	double skill;             /* share of the variance that the evaluation must explain */
};

/* clang-format off: one row per line */
#define AT(f) offsetof(struct macaw_options, f)
static const struct opt options[] = {
	TREE_OPTIONS(0.12, 32, 1),
	TREE_OPTIONS_WIDE,
	{"minimax", 0, OPT_REAL, AT(tree.minimax), "X", "weight of the minimax of evaluations against their mean", .real = 0, .min = 0, .max = 1},
	{"bias", 0, OPT_REAL, AT(tree.bias), "X", "bias of the all-moves-as-first statistics (0: not used)", .real = 0.3, .min = 0, .max = 1e3},
	{"ref", 0, OPT_REAL, AT(tree.ref), "N", "visits a node needs for statistics of its own", .real = 50, .min = 0, .max = 1e9},
	{"regret", 0, OPT_FLAG, AT(tree.regret), NULL, "regret matching where several roles choose at once", .whole = 1},
	{"spread", 0, OPT_FLAG, AT(tree.spread), NULL, "play from all children of a new leaf"},
	{"habit", 0, OPT_REAL, AT(tree.habit), "X", "move bias: in playouts, a move that did worse by X standard deviations is chosen half as often (0: off)", .real = 0.5, .min = 0, .max = 100},
	{"decisive", 0, OPT_FLAG, AT(tree.decisive), NULL, "decisive moves in playouts: win at once, avoid losing at once", .whole = 1},
	{"cut", 0, OPT_INT, AT(cut), "N", "cut playouts after N steps and evaluate, where an evaluation can be learnt (0: never)", .whole = 0, .min = 0, .max = 1e6},
	{"skill", 0, OPT_REAL, AT(skill), "X", "share of the variance of scores that the evaluation must explain", .real = 0.25, .min = -1, .max = 1},
	{"solver", 0, OPT_REAL, AT(solver), "SHARE", "share of the clock for the endgame solver", .real = 0.1, .min = 0, .max = 1},
	{0}};
/* clang-format on */

#define MOST_DECISIVE_COST 2.5  /* plain playouts for a decisive one */
#define LONG_PLAYOUT 40      /* steps */
#define SLOW_PLAYOUTS 100000 /* per second */

struct macaw {
	const struct macaw_options *o;
	struct tree *tree;
	struct search *solver;         /* NULL: not for this game */
	struct evaluation *evaluation; /* NULL: not learnt, or it cannot be */
	bool learnt;
	struct plan *plan; /* one role: the best way found */
	/* the state is hidden: */
	struct mccfr *mccfr;       /* and all histories can be written down */
	struct infosets *infosets; /* or not */
	double solved;             /* one role and all histories: what can be expected; else less than 0 */
	enum { BY_TREE, BY_SOLVER, BY_PLAN } by; /* who found the last move, where the state is known */
};

/* Small games are solved: those of one role by backward induction over all that it can
 * come to know, the others by regret matching. Large ones are searched by what the
 * roles know. */
static void make_hidden(struct macaw *m, struct seat *s)
{
	m->solved = -1;
	m->mccfr = mccfr_new(s);
	if (mccfr_whole(m->mccfr)) {
		if (game_players(s->game) == 1)
			m->solved = mccfr_solve(m->mccfr, s->role);
		return;
	}
	mccfr_free(m->mccfr);
	m->mccfr = NULL;
	m->infosets = infosets_new(s, &(struct infosets_options){.c = 0.4,
	                                                         .walks = 64,
	                                                         .batch = 4,
	                                                         .memory = m->o->tree.memory,
	                                                         .samples = BELIEF_SAMPLES,
	                                                         .merge = true,
	                                                         .clairvoyant = 0.5});
}

static uint32_t move_hidden(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b)
{
	if (m->infosets) {
		infosets_observe(m->infosets, s, t, b);
		if (t->legal_count > 1)
			infosets_run(m->infosets, s, t, b);
		return t->legal_count > 1 ? infosets_choose(m->infosets, s, t) : t->legal[0];
	}
	if (t->legal_count > 1 && m->solved < 0)
		mccfr_run(m->mccfr, s, b);
	uint32_t move = mccfr_move(m->mccfr, s, t);
	if (m->solved >= 0 && t->legal_count > 1) {
		s->why.n = 0;
		text_printf(&s->why, "solved: %.1f can be expected of the whole game", m->solved);
	}
	return move;
}

static double playout_length(struct game *g, uint64_t seed, bool decisive)
{
	struct playout_result r;
	game_playouts(g, &(struct playout_job){.playouts = 256, .seed = seed, .max_steps = 5000, .decisive = decisive}, &r);
	double length = r.playouts ? (double)r.steps / (double)r.playouts : 0;
	playout_result_free(&r);
	return length;
}

/* Playouts of decisive players cost more: are they other playouts? Where the end is seldom a
 * matter of one move they are as long as the plain ones. */
static bool decisive_pays(struct game *g, uint64_t seed)
{
	double cost = game_decisive(g);
	if (cost <= 0 || cost > MOST_DECISIVE_COST)
		return false;
	double plain = playout_length(g, seed, false);
	return fabs(playout_length(g, seed, true) - plain) > 0.1 * plain;
}

static void *make(struct seat *s)
{
	struct macaw *m = NEW(struct macaw);
	m->o = s->options;
	if (s->game->hidden) {
		make_hidden(m, s);
		return m;
	}
	struct tree_options o = m->o->tree;
	o.solve = true;
	o.decisive = o.decisive && decisive_pays(s->game, rng_next(&s->rng));
	m->tree = tree_new(s, &o);
	if (game_players(s->game) == 1 && s->game->random == s->game->roles)
		m->plan = plan_new(s);
	else if (m->o->solver > 0)
		m->solver =
			search_new(s, &(struct search_options){
							  .depth = SEARCH_DEEPEST, .table = 32, .estimate = ESTIMATE_MIDDLE, .prune = true, .order = true});
	return m;
}

static struct budget share_of(const struct budget *b, double share)
{
	struct budget part = *b;
	if (b->playouts)
		part.playouts = 1 + (uint64_t)((double)b->playouts * share);
	if (b->limit.deadline > 0)
		part.limit.deadline -= limit_left(&b->limit) * (1 - share);
	return part;
}

/* Where playouts are long and slow, and their scores can be predicted from the fluents, they stop early and the
 * evaluation counts: many short playouts instead of one long one. */
static void learn(struct macaw *m, struct seat *s, const struct budget *b, double share)
{
	if (m->learnt || !m->o->cut || b->limit.deadline <= 0)
		return;
	m->learnt = true;
	struct playout_result r;
	game_playouts(s->game, &(struct playout_job){.playouts = 256, .seed = rng_next(&s->rng), .max_steps = 5000}, &r);
	bool slow = (double)r.playouts < SLOW_PLAYOUTS * r.seconds && r.steps > LONG_PLAYOUT * r.playouts;
	playout_result_free(&r);
	struct budget part = share_of(b, share);
	struct evaluation_options o = {.playouts = part.playouts, .limit = part.limit};
	o.seed = slow ? rng_next(&s->rng) : 0;
	if (slow)
		m->evaluation = evaluation_learn(s->game, &o);
	if (m->evaluation && evaluation_skill(m->evaluation) >= m->o->skill)
		tree_judge(m->tree, m->evaluation, (uint32_t)m->o->cut);
}

static void start(void *self, struct seat *s, const struct budget *b)
{
	struct macaw *m = self;
	if (m->mccfr && m->solved < 0)
		mccfr_run(m->mccfr, s, b);
	else if (s->game->hidden)
		return;
	else if (m->plan)
		plan_run(m->plan, s, s->game->initial, b);
	else {
		learn(m, s, b, 0.7);
		tree_start(m->tree, s, b);
	}
}

/* What the solver can settle in its share of the clock. A value that is only sure
 * against enemies is taken when it is the best there is. */
static bool solve(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b, uint32_t *move)
{
	struct budget part = share_of(b, m->o->solver);
	struct search_result r = search_run(m->solver, s, t->state, &part);
	if (r.move == GAME_NONE ||
	    !(r.sound ? r.value > 0 : r.exact && r.value >= 100)) /* lost: let the tree set problems */
		return false;
	text_printf(&s->why, "solved: %.0f at depth %u", r.value, r.depth);
	*move = r.move;
	return true;
}

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	struct macaw *m = self;
	uint32_t found;
	if (s->game->hidden)
		return move_hidden(m, s, t, b);
	if (m->plan) {
		struct budget part = share_of(b, 0.8);
		if (!plan_knows(m->plan, s, t->state))
			plan_run(m->plan, s, t->state, &part);
		m->by = BY_PLAN;
		if (plan_move(m->plan, s, t->state, &found))
			return found;
	}
	m->by = BY_SOLVER;
	if (t->legal_count > 1 && m->solver && solve(m, s, t, b, &found))
		return found;
	m->by = BY_TREE;
	if (t->legal_count > 1)
		learn(m, s, b, 0.4);
	return tree_move(m->tree, s, t, b);
}

static bool plan_values(struct macaw *m, const struct turn *t, struct move_value *out)
{
	struct move_line rest = {0};
	int value;
	bool final, known = plan_rest(m->plan, t->state, &rest, &value, &final);
	for (uint32_t i = 0; known && i < t->legal_count; i++) {
		if (rest.n && t->legal[i] == rest.at[0])
			out[i].value = out[i].low = value;
		if (final)
			out[i].high = value;
	}
	vec_free(&rest);
	return known;
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	struct macaw *m = self;
	if (m->infosets)
		return infosets_values(m->infosets, t, out);
	if (m->mccfr)
		return mccfr_values(m->mccfr, t, out);
	return m->by == BY_PLAN     ? plan_values(m, t, out)
	       : m->by == BY_SOLVER ? search_values(m->solver, s, t, out)
	                            : tree_values(m->tree, s, t, out);
}

static void line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	struct macaw *m = self;
	int value;
	bool final;
	if (s->game->hidden)
		return;
	if (m->by == BY_PLAN)
		plan_rest(m->plan, t->state, out, &value, &final);
	else if (m->by == BY_SOLVER)
		search_line(m->solver, s, t, move, out);
	else
		tree_line(m->tree, s, t, move, out);
}

static void release(void *self)
{
	struct macaw *m = self;
	if (m->tree)
		tree_free(m->tree);
	if (m->solver)
		search_free(m->solver);
	evaluation_free(m->evaluation);
	if (m->plan)
		plan_free(m->plan);
	if (m->mccfr)
		mccfr_free(m->mccfr);
	if (m->infosets)
		infosets_free(m->infosets);
	mem_free(m);
}

const struct player_kind player_macaw = {
	.name = "macaw",
	.what = "the default: tree search, endgame solver, plans, proven values",
	.details = "Hidden information: small games are solved by backward induction or regret matching; "
			   "in large ones it plays like ismcts.",
	.options = options,
	.options_size = sizeof(struct macaw_options),
	.hidden = true,
	.make = make,
	.start = start,
	.move = move,
	.free = release,
	.values = values,
	.line = line,
};
