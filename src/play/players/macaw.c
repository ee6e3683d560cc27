/* The default player: tree search with batches of playouts, statistics of moves and
 * proved values; proofs beside it, with a share of the clock that they have to earn; plans
 * for games with one role; where the state is hidden see below. */
#include "play/alphabeta/pvs.h"
#include "play/alphabeta/search.h"
#include "play/company.h"
#include "play/factored.h"
#include "play/hidden/infosets.h"
#include "play/hidden/mccfr.h"
#include "play/learn/evaluation.h"
#include "play/mcgs/mcgs.h"
#include "play/proof/proof.h"
#include "play/proof/simultaneous.h"
#include "play/single/plan.h"
#include "play/trial.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* clang-format off: one row each */
#define MACAW_TUNING(T, ...) \
	T(REAL, proof_most, "proof-most", 0.3, 0, 1, "share of the clock that proofs can earn", __VA_ARGS__) \
	T(REAL, proof_gain, "proof-gain", 1.5, 1, 100, "factor of that share where a proof was useful", __VA_ARGS__) \
	T(REAL, proof_fade, "proof-fade", 0.9, 0, 1, "factor of that share where it was not", __VA_ARGS__) \
	T(REAL, proof_end, "proof-end", 0.6, 0, 1, "share of the clock for proofs where all playouts end soon", \
	  __VA_ARGS__) \
	T(INT, proof_near, "proof-near", 16, 1, 1e4, "playouts within so many steps count as ending soon", __VA_ARGS__) \
	T(INT, proof_looks, "proof-looks", 4, 0, 64, \
	  "how often a move about to be played is looked at for a forced loss, at most", __VA_ARGS__) \
	T(REAL, doubt, "doubt", 0.05, 0, 1, \
	  "alpha-beta: share of the clock for looking at a move about to be played from the other side", __VA_ARGS__) \
	T(INT, proof_slice, "proof-slice", 1024, 1, 1e9, \
	  "positions for one question of a proof before the next one has its turn", __VA_ARGS__) \
	T(INT, proof_memory, "proof-memory", 128, 1, 1e5, "MB for proofs", __VA_ARGS__) \
	T(REAL, learn_least, "learn-least", 0.3, 0, 1e6, "seconds that learning an evaluation must have", __VA_ARGS__) \
	T(INT, trial_pairs, "trial-pairs", 8, 1, 1e6, "pairs of matches between tree and alpha-beta, at most", \
	  __VA_ARGS__) \
	T(INT, trial_lead, "trial-lead", 4, 1, 1e6, "points of one before the other that decide them", __VA_ARGS__) \
	T(REAL, trial_ahead, "trial-ahead", 3, 0.01, 1000, \
	  "time per move of the tree in these matches, as a multiple of alpha-beta's: it gains more from time", \
	  __VA_ARGS__) \
	T(REAL, trial_skill, "trial-skill", 0.08, -1, 2, \
	  "share of playouts' outcomes that an evaluation explains with which alpha-beta plays without these", \
	  __VA_ARGS__) \
	T(REAL, trial_least, "trial-least", 0.002, 1e-6, 1e3, "seconds per move that they must have", __VA_ARGS__) \
	T(REAL, trial_most, "trial-most", 0.1, 1e-6, 1e3, "and have at most", __VA_ARGS__) \
	T(REAL, wins_cost, "wins-cost", 2.5, 0, 1e3, \
	  "cost of a step of a playout that sees wins, in plain steps, at most", __VA_ARGS__) \
	T(REAL, threats_cost, "threats-cost", 6, 0, 1e3, "likewise of one that sees threats too", __VA_ARGS__) \
	T(REAL, factors, "factors", 0.2, 0, 1, \
	  "share of the clock for finding independent games within the game (0: it is searched as one)", __VA_ARGS__) \
	T(REAL, plan_share, "plan-share", 0.7, 0.01, 1, \
	  "one role: share of the clock for solving; the rest is for playouts", __VA_ARGS__) \
	T(REAL, plan_final, "plan-final", 0.1, 0.01, 1, "one role: share of the clock for plans by final states", \
	  __VA_ARGS__) \
	T(REAL, hidden_c, "hidden-c", 0.4, 0, 100, "hidden states: exploration constant, for scores in 0..1", __VA_ARGS__) \
	T(INT, hidden_walks, "hidden-walks", 64, 1, 4096, "hidden states: walks down the tree per round", __VA_ARGS__) \
	T(INT, hidden_batch, "hidden-batch", 4, 1, 1e6, "hidden states: playouts per walk", __VA_ARGS__) \
	T(INT, hidden_samples, "hidden-samples", BELIEF_SAMPLES, 1, 1e6, "hidden states: histories in a sampled belief", \
	  __VA_ARGS__) \
	T(REAL, clairvoyant, "clairvoyant", 0.95, 0, 1, \
	  "hidden states, one role: weight of the clairvoyant bound against playouts", __VA_ARGS__)
struct macaw_tuning {
	MACAW_TUNING(TUNING_FIELD)
};
/* clang-format on */

enum shape { SHAPE_AUTO, SHAPE_TREE, SHAPE_ALPHA_BETA };

struct macaw_options {
	struct mcgs_options tree; /* first: MCGS_OPTIONS counts from here */
	double solver;            /* share of the clock for proofs and endgames, to begin with */
	double learn;             /* share of the start clock for learning an evaluation */
	double eval, worth;       /* its weight at leaves; playouts that it must be worth */
	int shape;                /* which search */
	double trial;             /* share of the start clock for matches that choose it */
	struct macaw_tuning tune;
	struct pvs_tuning pvs;
	struct evaluation_tuning evaluation;
};

/* clang-format off: one row per line */
#define AT(f) offsetof(struct macaw_options, f)
static const struct opt options[] = {
	MCGS_OPTIONS,
	{"decisive", 0, OPT_CHOICE, AT(tree.policy), "WHAT",
     "what players of playouts see: nothing, their own wins and losses, or also what others can win after their move",
     .whole = PLAYOUT_ANTI_DECISIVE, .choices = "none|wins|threats"},
	{"solver", 0, OPT_REAL, AT(solver), "SHARE", "share of the clock for proofs and endgames, to begin with",
     .real = 0.1, .min = 0, .max = 1},
	{"learn", 0, OPT_REAL, AT(learn), "SHARE", "share of the start clock for learning an evaluation (0: none)",
     .real = 0.55, .min = 0, .max = 1},
	{"shape", 0, OPT_CHOICE, AT(shape), "WHICH",
     "which search: tree; alphabeta on the learnt evaluation, for two roles in turn; or what wins short matches "
     "between "
     "the two in the start clock",
     .whole = SHAPE_AUTO, .choices = "auto|tree|alphabeta"},
	{"trial", 0, OPT_REAL, AT(trial), "SHARE", "share of the start clock for these matches", .real = 0.3, .min = 0,
     .max = 1},
	{"eval", 0, OPT_REAL, AT(eval), "X",
     "weight of the evaluation against the playouts of a leaf; it orders new moves in any case", .real = 0, .min = 0,
     .max = 1},
	{"worth", 0, OPT_REAL, AT(worth), "N", "playouts that an evaluation must be worth to be used", .real = 16, .min = 0,
     .max = 1e9},
	MCGS_TUNING(TUNING_ROW, struct macaw_options, tree.tune.) MACAW_TUNING(TUNING_ROW, struct macaw_options, tune.)
		PVS_TUNING(TUNING_ROW, struct macaw_options, pvs.)
			EVALUATION_TUNING(TUNING_ROW, struct macaw_options, evaluation.){0}};
/* clang-format on */

struct macaw {
	const struct macaw_options *o;
	const struct company *company; /* NULL: alone */
	struct mcgs *tree;
	enum playout_policy policy;    /* of its playouts */
	struct evaluation *evaluation; /* NULL: not learnt, or it cannot be */
	struct proof *proof;           /* games of two roles in turn; else NULL */
	double proof_share;            /* of the clock */
	uint32_t settled;              /* the last move, where a proof chose it; else GAME_NONE */
	struct proof_bounds bounds;    /* of it */
	struct simultaneous *exact;    /* games of two roles who choose at once and share 100 points; else NULL */
	VEC(double) strategy;          /* by legal move, where the last one was drawn from an optimal one; else empty */
	double expected;               /* of that strategy, 0..100 */
	struct search *solver;         /* other games; NULL: not for this one */
	struct pvs *pvs;               /* NULL: not for this game */
	bool alpha_beta;               /* it plays, not the tree */
	struct trial_result trial;     /* of both, alpha-beta first; to be told with the next move */
	struct plan *plan;             /* one role: the best way found */
	struct factored *factored;     /* NULL: the game is one, as far as is known */
	bool factors_asked;            /* whether it is */
	/* the state is hidden: */
	struct mccfr *mccfr;       /* and all histories can be written down */
	struct infosets *infosets; /* or not */
	double solved;             /* one role and all histories: what can be expected; else less than 0 */
	enum { BY_TREE, BY_SOLVER, BY_PLAN, BY_PVS, BY_FACTORS } by; /* who found the last move, where the state is known */
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
	const struct macaw_tuning *tune = &m->o->tune;
	m->infosets = infosets_new(s, &(struct infosets_options){.c = tune->hidden_c,
	                                                         .walks = tune->hidden_walks,
	                                                         .batch = tune->hidden_batch,
	                                                         .memory = m->o->tree.memory ? m->o->tree.memory : 256,
	                                                         .samples = tune->hidden_samples,
	                                                         .merge = true,
	                                                         .clairvoyant = tune->clairvoyant});
}

static uint32_t move_hidden(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
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

/* Mean length of some playouts, and mean scores by role. */
static double try_playouts(struct game *g, uint64_t seed, enum playout_policy policy, double *scores)
{
	struct playout_result r;
	game_playouts(g, &(struct playout_job){.playouts = 1024, .seed = seed, .max_steps = 5000, .policy = policy}, &r);
	double n = r.playouts ? (double)r.playouts : 1, length = (double)r.steps / n;
	for (uint32_t i = 0; i < g->roles; i++)
		scores[i] = r.sum[i] / n;
	playout_result_free(&r);
	return length;
}

/* Playouts of decisive players cost more: are they other playouts? Where the end is seldom a matter of one move they
 * are as long as the plain ones and end alike. */
static bool policy_pays(struct game *g, uint64_t seed, enum playout_policy policy, const struct macaw_tuning *tune)
{
	double cost = game_decisive(g, policy);
	if (cost <= 0 || cost > (policy == PLAYOUT_DECISIVE ? tune->wins_cost : tune->threats_cost))
		return false;
	double *scores = NEW_ARRAY(double, 2 * (size_t)g->roles);
	double plain = try_playouts(g, seed, PLAYOUT_UNIFORM, scores);
	bool other = fabs(try_playouts(g, seed, policy, scores + g->roles) - plain) > 0.1 * plain;
	for (uint32_t r = 0; r < g->roles; r++)
		other |= fabs(scores[r] - scores[g->roles + r]) > 8; /* by chance this is rarer than once in 300 */
	mem_free(scores);
	return other;
}

/* Players who see their own wins and not the others' threats make one-sided playouts: threats, or nothing. */
static enum playout_policy best_policy(struct game *g, uint64_t seed, enum playout_policy most,
                                       const struct macaw_tuning *tune)
{
	return most != PLAYOUT_UNIFORM && policy_pays(g, seed, most, tune) ? most : PLAYOUT_UNIFORM;
}

static void make_solver(struct macaw *m, struct seat *s)
{
	m->solver = search_new(
		s, &(struct search_options){
			   .depth = SEARCH_DEEPEST, .table = 32, .estimate = ESTIMATE_MIDDLE, .prune = true, .order = true});
}

static void *make(struct seat *s)
{
	struct macaw *m = NEW(struct macaw);
	m->o = s->options;
	if (s->game->hidden) {
		make_hidden(m, s);
		return m;
	}
	struct mcgs_options o = m->o->tree;
	o.policy = m->policy = best_policy(s->game, rng_next(&s->rng), o.policy, &m->o->tune);
	m->tree = mcgs_new(s, &o);
	if (game_players(s->game) == 1 && s->game->random == s->game->roles)
		m->plan = plan_new(s, &(struct plan_shares){m->o->tune.plan_share, m->o->tune.plan_final});
	else if (m->o->solver > 0)
		m->proof = proof_new(s, (size_t)m->o->tune.proof_memory << 20);
	if (m->proof)
		proof_slice(m->proof, (uint64_t)m->o->tune.proof_slice);
	m->proof_share = m->o->solver;
	if (!m->plan && m->o->shape != SHAPE_TREE && m->o->learn > 0)
		m->pvs = pvs_new(s, &m->o->pvs, (uint32_t)m->o->tree.threads);
	if (!m->plan && !m->proof && m->o->solver > 0) {
		m->exact = simultaneous_new(s, (size_t)m->o->tune.proof_memory << 20);
		if (!m->exact)
			make_solver(m, s);
	}
	return m;
}

static struct budget share_of(const struct budget *b, double share)
{
	assert(share >= 0 && share <= 1);
	struct budget part = *b;
	if (b->playouts)
		part.playouts = 1 + (uint64_t)((double)b->playouts * share);
	if (b->limit.deadline > 0)
		part.limit.deadline -= limit_left(&b->limit) * (1 - share);
	return part;
}

/* An evaluation from playouts, where it says more than a few of these do. */
static void learn(struct macaw *m, struct seat *s, const struct budget *b)
{
	struct budget part = share_of(b, m->o->learn);
	if (m->evaluation || m->o->learn <= 0 || (!b->playouts && limit_left(&part.limit) < m->o->tune.learn_least))
		return;
	m->evaluation = evaluation_learn(
		s->game,
		&(struct evaluation_options){.seed = rng_next(&s->rng),
	                                 .playouts = part.playouts,
	                                 .seconds = b->playouts ? 0 : limit_left(&part.limit),
	                                 .limit = b->limit,
	                                 .tune = &m->o->evaluation,
	                                 .self_play = m->pvs && (!b->playouts || m->o->shape == SHAPE_ALPHA_BETA)});
	if (m->evaluation && evaluation_worth(m->evaluation) >= m->o->worth)
		mcgs_judge(m->tree, m->evaluation, m->o->eval);
	if (m->evaluation && m->pvs)
		pvs_judge(m->pvs, m->evaluation);
}

/* ---- the shape of the search: a tree, or alpha-beta on the evaluation ------------------------------- */

static uint32_t tree_contends(void *self, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct mcgs *tree = self;
	mcgs_root(tree, s, state);
	mcgs_run(tree, s, b);
	return mcgs_choose(tree, s);
}

/* And how deep it looked, a depth of 2 being the least it can finish. */
struct pvs_contender {
	struct pvs *pvs;
	uint32_t moves, finished;
};

static uint32_t pvs_contends(void *self, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct pvs_contender *c = self;
	struct pvs_result r = pvs_run(c->pvs, s, state, b);
	c->moves++;
	c->finished += r.depth > 0;
	return r.move;
}

/* Seconds after which alpha-beta has seen the replies to all moves of the initial position; 0: more than the limit
 * allows. Each try finds what the last one has left in the table. */
static double seconds_to_see(struct macaw *m, struct seat *s, const struct limit *limit)
{
	assert(m->pvs && m->evaluation && limit->deadline > 0);
	double seconds = m->o->tune.trial_least, all = 0;
	for (; !limit_reached(limit); seconds *= 2) {
		struct budget b = {.limit = limit_seconds_of(limit->clock, seconds)};
		b.limit.within = limit;
		b.limit.stop = limit->stop;
		all += seconds;
		if (pvs_run(m->pvs, s, s->game->initial, &b).depth > 0)
			return all;
	}
	return 0;
}

#define LEAST_TRIED 4
#define PROBE 0.1       /* share of the time for the matches: more than that for one move is too much */
#define CLEAR 0.7       /* share of the points with which alpha-beta plays */
#define FINISHED 0.2    /* share of the moves */
#define TRIAL_MEMORY 64 /* MB for the tree */

/* Where the evaluation explains much of what playouts bring, alpha-beta plays: it gains more from time there than
 * matches with a hundredth of the clocks to come can show. Else matches between the two decide, in which the tree has
 * `trial-ahead` times as long as alpha-beta, who sees nothing but what is within its horizon; the tree plays where they
 * do not decide. By count they have no common measure, and the tree plays. */
static void choose_shape(struct macaw *m, struct seat *s, const struct budget *b)
{
	const struct macaw_tuning *tune = &m->o->tune;
	/* learning has had its share; of what is left, at most all */
	struct budget part = share_of(b, fmin(m->o->trial / fmax(1 - m->o->learn, 0.01), 1));
	m->alpha_beta = m->o->shape == SHAPE_ALPHA_BETA;
	if (m->o->shape != SHAPE_AUTO || b->playouts || b->limit.deadline <= 0)
		return;
	double length = evaluation_facts(m->evaluation).length;
	struct budget probe = share_of(&part, PROBE);
	double least = seconds_to_see(m, s, &probe.limit);
	if (least <= 0)
		return;
	m->alpha_beta = evaluation_skill(m->evaluation) >= tune->trial_skill;
	if (m->alpha_beta)
		return;
	double per_move = limit_left(&part.limit) / (2 * (double)tune->trial_pairs * fmax(length, 1));
	struct mcgs_options o = m->o->tree;
	o.policy = m->policy;
	o.memory = TRIAL_MEMORY;
	struct mcgs *tree = mcgs_new(s, &o);
	if (evaluation_worth(m->evaluation) >= m->o->worth)
		mcgs_judge(tree, m->evaluation, m->o->eval);
	struct pvs_contender pvs = {.pvs = m->pvs};
	double factor =
		2 / (1 + tune->trial_ahead); /* for alpha-beta, so that a match takes as long as with equal clocks */
	per_move = fmax(fmin(per_move, tune->trial_most), least / factor);
	struct contender two[2] = {{pvs_contends, &pvs, factor}, {tree_contends, tree, factor * tune->trial_ahead}};
	struct trial_result r = trial_run(s, two,
	                                  &(struct trial_plan){.per_move = per_move,
	                                                       .most = (uint32_t)tune->trial_pairs,
	                                                       .lead = (uint32_t)tune->trial_lead,
	                                                       .random_moves = (uint32_t)fmin(length / 8, 8),
	                                                       .limit = &part.limit});
	/* where moves are so many that it cannot see the replies to all, it wins only against a tree without time */
	m->alpha_beta =
		r.matches >= LEAST_TRIED && r.points[0] >= CLEAR * r.matches && pvs.finished >= FINISHED * pvs.moves;
	assert(pvs.finished <= pvs.moves && r.points[0] <= r.matches);
	m->trial = r;
	mcgs_free(tree);
}

/* Others may search along, see play/company.h. */
static void begin_together(const struct macaw *m, const uint64_t *state, const struct budget *b)
{
	if (m->company && m->company->begin)
		m->company->begin(m->company->context, state, b->limit.deadline > 0 ? limit_left(&b->limit) : 0);
}

static void end_together(const struct macaw *m)
{
	if (m->company && m->company->end)
		m->company->end(m->company->context);
}

/* ---- proofs beside the tree ------------------------------------------------------------------- */

/* What the proof search knows of a state, for the tree. A lost root is left open: let the tree set problems. */
static void tell_tree(struct macaw *m, struct seat *s, const uint64_t *state, bool root)
{
	struct proof_bounds b = proof_bounds(m->proof, state);
	if (!root || b.high > 0)
		mcgs_prove(m->tree, state, s->role, b.low / 100.0, b.high / 100.0);
	mcgs_conclude(m->tree);
}

/* The state after a move of the role's, where nobody else has a choice. */
static void state_after(struct seat *s, const uint64_t *state, uint32_t move, uint64_t *next, uint32_t *moves)
{
	struct view v = game_look(s->worker, state);
	for (uint32_t r = 0; r < s->game->roles; r++)
		moves[r] = r == s->role ? move : v.legal[v.start[r]];
	game_next(s->worker, state, moves, next);
}

/* For the others: a move that settles the position. */
static void tell_proof(struct macaw *m, struct seat *s, const struct turn *t, uint32_t move)
{
	uint64_t *next = mem_alloc(s->game->words + 1, sizeof *next);
	uint32_t *moves = NEW_ARRAY(uint32_t, s->game->roles);
	state_after(s, t->state, move, next, moves);
	tell_tree(m, s, next, false);
	mcgs_tell(m->tree);
	mem_free(next);
	mem_free(moves);
}

/* Its share of the clock grows where it settles something. */
static void earn(struct macaw *m, bool useful)
{
	m->proof_share *= useful ? m->o->tune.proof_gain : m->o->tune.proof_fade;
	m->proof_share = m->proof_share > m->o->tune.proof_most ? m->o->tune.proof_most : m->proof_share;
	m->proof_share = m->proof_share < 0.3 * m->o->solver ? 0.3 * m->o->solver : m->proof_share;
}

#define NEAR_PLAYOUTS 256
#define LEAST_NEAR 0.02 /* seconds that a look at the end must be worth */

/* Near the end proofs are within reach, whatever they have settled so far: by the share of random playouts that end
 * soon. With counted budgets nothing is tried. */
static double share_of_root(struct macaw *m, struct seat *s, const uint64_t *state, const struct budget *b)
{
	if (b->playouts || limit_left(&b->limit) < LEAST_NEAR)
		return m->proof_share;
	struct playout_result r;
	game_playouts(s->game,
	              &(struct playout_job){.starts = state,
	                                    .playouts = NEAR_PLAYOUTS,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = (uint32_t)m->o->tune.proof_near},
	              &r);
	double near = (double)r.playouts / NEAR_PLAYOUTS;
	assert(near >= 0 && near <= 1);
	playout_result_free(&r);
	return fmax(m->proof_share, m->o->tune.proof_end * near * near);
}

/* Is the position settled? */
static bool prove_root(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b, uint32_t *move)
{
	assert(t->legal_count && t->legal);
	struct budget part = share_of(b, share_of_root(m, s, t->state, b));
	struct proof_bounds bounds;
	proof_run(m->proof, s, t->state, &part);
	tell_tree(m, s, t->state, true);
	if (!proof_best(m->proof, s, t->state, s->role, move, &bounds) || bounds.low <= 0)
		return false;
	text_printf(&s->why, "proved: %d", bounds.low);
	m->settled = *move;
	m->bounds = bounds;
	if (m->company)
		tell_proof(m, s, t, *move);
	return true;
}

/* Does the move that is about to be played lose by force? Then the tree thinks again. */
static uint32_t look_again(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b, uint32_t move)
{
	assert(t->legal_count && t->legal);
	uint64_t *next = mem_alloc(s->game->words + 1, sizeof *next);
	uint32_t *moves = NEW_ARRAY(uint32_t, s->game->roles);
	for (uint32_t i = 0; i < (uint32_t)m->o->tune.proof_looks && !limit_reached(&b->limit); i++) {
		state_after(s, t->state, move, next, moves);
		struct budget part = share_of(b, i ? 0.5 : 0.6);
		proof_run(m->proof, s, next, &part);
		tell_tree(m, s, next, false);
		bool lost = proof_bounds(m->proof, next).high <= 0;
		earn(m, lost);
		if (!lost)
			break;
		part = share_of(b, 0.5);
		mcgs_run(m->tree, s, &part);
		s->why.n = 0;
		move = mcgs_choose(m->tree, s);
	}
	mem_free(next);
	mem_free(moves);
	return move;
}

/* ---- exact values beside the tree, where roles choose at once ------------------------------------- */

/* Works on a root with its share of the clock. Where scores do not add up to 100 after all, what it proved goes, and
 * alpha-beta takes its place. */
static void run_exact(struct macaw *m, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct budget part = share_of(b, share_of_root(m, s, state, b));
	simultaneous_run(m->exact, s, state, &part);
	if (simultaneous_fits(m->exact))
		return;
	simultaneous_free(m->exact);
	m->exact = NULL;
	mcgs_doubt(m->tree);
	make_solver(m, s);
}

static bool exact_knows(const struct macaw *m, const uint64_t *state)
{
	return m->exact && simultaneous_solved(simultaneous_bounds(m->exact, state));
}

static void tell_exact(void *context, const uint64_t *state, struct simultaneous_bounds b)
{
	bool solved = simultaneous_solved(b);
	double middle = (b.low + b.high) / 2;
	assert(solved || b.low <= b.high);
	mcgs_prove(context, state, 0, (solved ? middle : b.low) / 100, (solved ? middle : b.high) / 100);
}

/* Is the position solved? Then the move is drawn from an optimal strategy, and nothing of it is left out. A lost root
 * is left open: let the tree set problems. */
static bool draw_exact(struct macaw *m, struct seat *s, const struct turn *t, uint32_t *move)
{
	assert(s->role < 2 && t->legal_count);
	struct simultaneous_bounds b = simultaneous_bounds(m->exact, t->state);
	if ((s->role ? 100 - b.low : b.high) <= 0)
		return false;
	simultaneous_after(m->exact, s, t->state, tell_exact, m->tree);
	mcgs_conclude(m->tree);
	if (m->company)
		mcgs_tell(m->tree);
	vec_reserve(&m->strategy, t->legal_count);
	double *share = m->strategy.at, at = rng_unit(&s->rng);
	if (!simultaneous_strategy(m->exact, s, t->state, s->role, share, &b))
		return false;
	m->strategy.n = t->legal_count;
	m->expected = s->role ? 100 - b.high : b.low;
	uint32_t i = 0, last = t->legal_count - 1;
	while (i < last && (at -= share[i]) >= 0)
		i++;
	for (; share[i] <= 0; i--) /* rounding led beyond the last one that can be drawn */
		assert(i);
	text_printf(&s->why, "solved: %.1f%s", m->expected, share[i] < 1 ? " by a mixed strategy" : "");
	*move = t->legal[i];
	return true;
}

static bool solve_exact(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b, uint32_t *move)
{
	assert(t->legal_count && t->legal);
	run_exact(m, s, t->state, b);
	if (!m->exact) {
		mcgs_root(m->tree, s, t->state);
		return false;
	}
	earn(m, exact_knows(m, t->state));
	return draw_exact(m, s, t, move);
}

/* ---- the tree -------------------------------------------------------------------------------------- */

static uint32_t move_tree(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	uint32_t move;
	m->settled = GAME_NONE;
	vec_clear(&m->strategy);
	mcgs_root(m->tree, s, t->state);
	if (t->legal_count > 1 && m->exact && solve_exact(m, s, t, b, &move))
		return move;
	if (t->legal_count > 1 && m->proof && prove_root(m, s, t, b, &move))
		return move;
	if (t->legal_count > 1) {
		struct budget part = share_of(b, m->proof ? 1 - m->proof_share : 1);
		mcgs_run(m->tree, s, &part);
	}
	move = mcgs_choose(m->tree, s);
	if (m->proof && t->legal_count > 1 && turn_allows(t, move))
		move = look_again(m, s, t, b, move);
	return move;
}

/* Why this search and not the other one: once. */
static void tell_trial(struct macaw *m, struct seat *s)
{
	if (m->trial.matches)
		text_printf(&s->why, "; alpha-beta had %g of %u points against the tree", m->trial.points[0], m->trial.matches);
	m->trial.matches = 0;
}

#define DOUBTED 10 /* points by which a move is worth less than it seemed */

/* A move about to be played is looked at from the other side: reductions and forecasts can hide a sacrifice that the
 * same search finds from there. Where the move loses, or is worth much less than it seemed, the search goes on with
 * what its table has learnt. */
static struct pvs_result doubt_move(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b,
                                    struct pvs_result r)
{
	assert(turn_allows(t, r.move));
	uint64_t *next = mem_alloc(s->game->words + 1, sizeof *next);
	uint32_t *moves = NEW_ARRAY(uint32_t, s->game->roles), move = GAME_NONE;
	for (uint32_t i = 0; i < (uint32_t)m->o->tune.proof_looks && r.move != move && !r.proved; i++) {
		move = r.move;
		state_after(s, t->state, move, next, moves);
		struct view v = game_look(s->worker, next);
		if (limit_reached(&b->limit) || v.terminal || v.start[s->role + 1] - v.start[s->role] > 1)
			break;
		struct budget part = share_of(b, 0.6);
		struct pvs_result reply = pvs_look(m->pvs, s, next, &part);
		if (!reply.depth || reply.value < 100 - r.value + DOUBTED)
			break;
		part = share_of(b, 0.6);
		struct pvs_result again = pvs_run(m->pvs, s, t->state, &part);
		bool deep = again.depth && (reply.proved || again.depth + 2 >= r.depth);
		r = deep && again.move != GAME_NONE ? again : r;
	}
	mem_free(next);
	mem_free(moves);
	return r;
}

static uint32_t move_alpha_beta(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	m->by = BY_PVS;
	if (t->legal_count == 1)
		return t->legal[0];
	uint32_t proved;
	m->settled = GAME_NONE;
	if (m->proof && prove_root(m, s, t, b, &proved))
		return proved;
	bool doubt = m->o->tune.doubt > 0 && !b->playouts;
	struct budget first = doubt ? share_of(b, 1 - m->o->tune.doubt) : *b;
	struct pvs_result r = pvs_run(m->pvs, s, t->state, &first);
	if (r.move != GAME_NONE && doubt)
		r = doubt_move(m, s, t, b, r);
	if (r.move == GAME_NONE) { /* both choose, or there are too many moves */
		m->by = BY_TREE;
		return move_tree(m, s, t, b);
	}
	text_printf(&s->why, "%s %.1f at depth %u", r.proved ? "proved" : "value", r.value, r.depth);
	tell_trial(m, s);
	return r.move;
}

/* ---- in company ---------------------------------------------------------------------------------- */

static bool accompany(void *self, struct seat *s, const struct company *c)
{
	struct macaw *m = self;
	if (!m->tree || m->plan || s->game->engine != ENGINE_CIRCUIT)
		return false;
	m->company = c;
	mcgs_accompany(m->tree, c);
	return true;
}

static void assist(void *self, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct macaw *m = self;
	struct view v = game_look(s->worker, state);
	uint32_t count = v.start[s->role + 1] - v.start[s->role], *legal = NEW_ARRAY(uint32_t, count + 1);
	memcpy(legal, v.legal + v.start[s->role], count * sizeof *legal);
	s->why.n = 0;
	if (count > 1) {
		move_tree(m, s, &(struct turn){.state = state, .legal = legal, .legal_count = count, .own_last = GAME_NONE}, b);
	} else if (!v.terminal) {
		mcgs_root(m->tree, s, state);
		mcgs_run(m->tree, s, b);
	}
	mem_free(legal);
}

/* What the solver can settle in its share of the clock. A value that is only sure
 * against enemies is taken when it is the best there is. */
static bool solve(struct macaw *m, struct seat *s, const struct turn *t, const struct budget *b, uint32_t *move)
{
	assert(t->legal_count && t->legal);
	struct budget part = share_of(b, m->o->solver);
	struct search_result r = search_run(m->solver, s, t->state, &part);
	if (r.move == GAME_NONE ||
	    !(r.sound ? r.value > 0 : r.exact && r.value >= 100)) /* lost: let the tree set problems */
		return false;
	text_printf(&s->why, "solved: %.0f at depth %u", r.value, r.depth);
	*move = r.move;
	return true;
}

/* Does the game consist of several? Then each of them is searched alone. */
static void look_for_factors(struct macaw *m, struct seat *s, const struct budget *b)
{
	struct budget part = share_of(b, m->o->tune.factors);
	if (m->factors_asked || m->plan || s->game->hidden || m->o->tune.factors <= 0)
		return;
	m->factors_asked = true;
	m->factored = factored_new(s, &player_macaw, &part.limit);
}

static void start(void *self, struct seat *s, const struct budget *b)
{
	struct macaw *m = self;
	look_for_factors(m, s, b);
	if (m->factored) {
		factored_start(m->factored, s, b);
		return;
	}
	if (m->mccfr && m->solved < 0)
		mccfr_run(m->mccfr, s, b);
	else if (s->game->hidden)
		return;
	else if (m->plan)
		plan_run(m->plan, s, s->game->initial, b);
	else if (s->role != s->game->random) {
		learn(m, s, b);
		if (m->pvs && m->evaluation)
			choose_shape(m, s, b);
		if (m->alpha_beta) {
			pvs_run(m->pvs, s, s->game->initial, b);
			return;
		}
		if (m->exact)
			run_exact(m, s, s->game->initial, b);
		if (exact_knows(m, s->game->initial))
			return;
		begin_together(m, s->game->initial, b);
		mcgs_root(m->tree, s, s->game->initial);
		mcgs_run(m->tree, s, b);
		end_together(m);
	}
}

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
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
	look_for_factors(m, s, b);
	m->by = BY_FACTORS;
	if (m->factored && (found = factored_move(m->factored, s, t, b)) != GAME_NONE)
		return found;
	m->by = BY_SOLVER;
	if (t->legal_count > 1 && m->solver && solve(m, s, t, b, &found))
		return found;
	if (m->alpha_beta)
		return move_alpha_beta(m, s, t, b);
	m->by = BY_TREE;
	if (t->legal_count > 1)
		begin_together(m, t->state, b);
	found = move_tree(m, s, t, b);
	end_together(m);
	if (t->legal_count > 1)
		tell_trial(m, s);
	return found;
}

/* From the state after the own move, where that is sure, through the others' turn; else from the present one. */
static void ponder(void *self, struct seat *s, const struct turn *t, uint32_t move, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	struct macaw *m = self;
	struct game *g = s->game;
	if (!m->tree || m->plan || !t->state)
		return;
	if (m->factored) {
		factored_ponder(m->factored, s, t, b);
		return;
	}
	uint64_t *next = mem_alloc(g->words + 1, sizeof *next);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles);
	struct view v = game_look(s->worker, t->state);
	bool sure = !v.terminal;
	for (uint32_t r = 0; r < g->roles; r++)
		sure &= r == s->role || v.start[r + 1] - v.start[r] == 1;
	if (sure)
		state_after(s, t->state, move, next, moves);
	const uint64_t *from = sure ? next : t->state;
	bool over = game_look(s->worker, from).terminal;
	if (!over && m->alpha_beta)
		pvs_run(m->pvs, s, from, b);
	else if (!over) {
		if (m->exact)
			run_exact(m, s, from, b);
		begin_together(m, from, b);
		mcgs_root(m->tree, s, from);
		mcgs_run(m->tree, s, b);
		end_together(m);
	}
	mem_free(next);
	mem_free(moves);
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

/* What the search knows, and what was proved: no move is worth more than the position. */
static bool search_and_proof_values(struct macaw *m, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(t->legal_count && t->legal);
	assert(!m->strategy.n || m->settled == GAME_NONE);
	bool known = m->by == BY_TREE          ? mcgs_values(m->tree, s, t, out)
	             : m->settled == GAME_NONE ? pvs_values(m->pvs, t, out)
	                                       : false;
	for (uint32_t i = 0; i < t->legal_count && m->strategy.n == t->legal_count; i++) {
		out[i].share = m->strategy.at[i];
		if (out[i].share > 0)
			out[i].value = fmin(fmax(m->expected, out[i].low), out[i].high);
		known = true;
	}
	if (m->settled == GAME_NONE)
		return known;
	for (uint32_t i = 0; i < t->legal_count; i++) {
		out[i].high = fmin(out[i].high, m->bounds.high);
		if (t->legal[i] == m->settled)
			out[i].value = out[i].low = m->bounds.low;
	}
	return true;
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(t->legal_count && t->legal);
	struct macaw *m = self;
	if (m->infosets)
		return infosets_values(m->infosets, t, out);
	if (m->mccfr)
		return mccfr_values(m->mccfr, t, out);
	return m->by == BY_PLAN      ? plan_values(m, t, out)
	       : m->by == BY_FACTORS ? factored_values(m->factored, t, out)
	       : m->by == BY_SOLVER  ? search_values(m->solver, s, t, out)
	                             : search_and_proof_values(m, s, t, out);
}

static void line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	assert(t->legal_count && t->legal);
	struct macaw *m = self;
	int value;
	bool final;
	if (s->game->hidden || m->by == BY_FACTORS)
		return;
	if (m->by == BY_PLAN)
		plan_rest(m->plan, t->state, out, &value, &final);
	else if (m->by == BY_SOLVER)
		search_line(m->solver, s, t, move, out);
	else if (m->by == BY_PVS)
		pvs_line(m->pvs, s, t, move, out);
	else
		mcgs_line(m->tree, s, t, move, out);
}

static bool children(void *self, struct seat *s, const struct turn *t, uint32_t node, struct tree_children *out)
{
	struct macaw *m = self;
	bool other = s->game->hidden || m->by != BY_TREE || !m->tree;
	return !other && mcgs_children(m->tree, s, t, node, out);
}

static void release(void *self)
{
	struct macaw *m = self;
	if (m->tree)
		mcgs_free(m->tree);
	factored_free(m->factored);
	evaluation_free(m->evaluation);
	proof_free(m->proof);
	pvs_free(m->pvs);
	simultaneous_free(m->exact);
	vec_free(&m->strategy);
	if (m->solver)
		search_free(m->solver);
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
	.ponder = ponder,
	.accompany = accompany,
	.assist = assist,
	.free = release,
	.values = values,
	.line = line,
	.children = children,
};
