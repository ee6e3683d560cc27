/* Where much is hidden, the states are those of the players' belief (belief.h),
 * which searches until it finds some. It takes own moves and percepts as numbers, which
 * only a circuit has for all of them, and no joint moves; for the rest, and when it ran
 * out of time, a step goes through all pairs of a possible state and a joint move that
 * agrees with the message, keeps the pairs that would have been seen as was seen, and
 * collects the states they lead to. When there are too many pairs, some are drawn. When
 * that is in vain too, the match must still go on, with states that do not explain
 * everything.
 *
 * Names are compared as text with those of the game, so nothing that a stranger wrote
 * enters its tables. */
#include "play/hidden/tracker.h"

#include "base/hash.h"
#include "game/rules_view.h"
#include "play/hidden/belief.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define PAIRS 20000 /* looked at in one step */
#define ROLES_MOST 64

/* What was observed at a step, with texts of its own. */
struct step {
	VEC(struct text) joint; /* by role; empty: not known */
	struct text own;
	uint32_t own_move; /* once found */
	VEC(struct text) percepts;
	VEC(uint32_t) found; /* by role: the number of its text, GAME_NONE: not met yet */
	bool numbered;       /* own_move and seen are known: */
	VEC(uint32_t) seen;  /* the numbers of the percepts */
};

struct tracker {
	struct game *g;
	uint32_t role;
	struct worker *w;
	struct rng rng;
	VEC(uint64_t) states, next; /* one after another */
	struct table index;         /* of next */
	VEC(struct step) history;
	struct tracker_now now;
	bool blind;            /* percepts need not be those that were reported, */
	int nearest;           /* but none can be more like them */
	struct belief *belief; /* NULL: not needed so far */
	size_t believed;       /* steps that it has been given */
	VEC(uint32_t) own_legal, seen, legal;
	VEC(uint32_t) last;
	VEC(int) goals;
	VEC(struct judged {
		uint32_t percept;
		bool reported;
	}) judged;
};

static void step_free(struct step *s)
{
	for (size_t i = 0; i < s->joint.n; i++)
		text_free(&s->joint.at[i]);
	for (size_t i = 0; i < s->percepts.n; i++)
		text_free(&s->percepts.at[i]);
	vec_free(&s->joint);
	vec_free(&s->percepts);
	vec_free(&s->found);
	vec_free(&s->seen);
	text_free(&s->own);
}

/* ---- names --------------------------------------------------------------------------------- */

static bool same_name(const struct text *a, const char *b)
{
	return !strcasecmp(text_str(a), b);
}

uint32_t tracker_find(const struct game *g, const uint32_t *moves, uint32_t count, const char *text)
{
	struct text name = {0};
	uint32_t found = GAME_NONE;
	for (int loose = 0; loose < 2 && found == GAME_NONE; loose++)
		for (uint32_t i = 0; i < count && found == GAME_NONE; i++) {
			name.n = 0;
			game_print_move(g, moves[i], &name);
			if (loose ? same_name(&name, text) : !strcmp(text_str(&name), text))
				found = moves[i];
		}
	text_free(&name);
	return found;
}

static bool has(const uint32_t *moves, uint32_t count, uint32_t move)
{
	for (uint32_t i = 0; i < count; i++)
		if (moves[i] == move)
			return true;
	return false;
}

/* The number of a text among the legal moves of a role; found once, then remembered. */
static uint32_t resolve(struct tracker *k, struct step *s, uint32_t role, const uint32_t *moves, uint32_t count)
{
	assert(role < k->g->roles);
	uint32_t *known = &s->found.at[role];
	const char *text = s->joint.n ? text_str(&s->joint.at[role]) : text_str(&s->own);
	if (*known == GAME_NONE)
		*known = tracker_find(k->g, moves, count, text);
	return *known != GAME_NONE && has(moves, count, *known) ? *known : GAME_NONE;
}

/* ---- percepts ------------------------------------------------------------------------------ */

static bool was_reported(struct tracker *k, const struct step *s, uint32_t percept)
{
	for (size_t i = 0; i < k->judged.n; i++)
		if (k->judged.at[i].percept == percept)
			return k->judged.at[i].reported;
	struct text name = {0};
	bool reported = false;
	game_print_percept(k->g, percept, &name);
	for (size_t i = 0; i < s->percepts.n && !reported; i++)
		reported = same_name(&s->percepts.at[i], text_str(&name));
	text_free(&name);
	vec_push(&k->judged, (struct judged){percept, reported});
	return reported;
}

/* How like what was reported is a percept: the letters that both have at the same place. */
static int likeness(const struct tracker *k, const struct step *s, uint32_t percept)
{
	struct text name = {0};
	int best = 0;
	game_print_percept(k->g, percept, &name);
	for (size_t i = 0; i < s->percepts.n; i++) {
		int same = 0;
		for (size_t at = 0; at < name.n && s->percepts.at[i].n == name.n; at++)
			same += name.at[at] == s->percepts.at[i].at[at];
		best = same > best ? same : best;
	}
	text_free(&name);
	return best;
}

/* When nothing agrees: whatever comes nearest so far. */
static bool comes_near(struct tracker *k, const struct step *s, const struct percepts *seen)
{
	uint32_t from = seen->start[k->role], to = seen->start[k->role + 1];
	int like = to - from == s->percepts.n;
	for (uint32_t i = from; i < to; i++)
		like += likeness(k, s, seen->seen[i]);
	if (like > k->nearest) {
		k->nearest = like;
		vec_clear(&k->next);
		table_clear(&k->index);
	}
	return like == k->nearest;
}

/* Would it have been seen as was reported? Leaves the numbers of what is seen. */
static bool agrees(struct tracker *k, const struct step *s, const uint64_t *state, const uint32_t *joint,
                   struct percepts *out)
{
	*out = (struct percepts){0};
	if (!k->g->hidden)
		return true;
	*out = game_sees(k->w, state, joint);
	if (s->joint.n)
		return true;
	if (k->blind)
		return comes_near(k, s, out);
	uint32_t count = out->start[k->role + 1] - out->start[k->role];
	if (count != s->percepts.n)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!was_reported(k, s, out->seen[out->start[k->role] + i]))
			return false;
	return true;
}

/* ---- one step --------------------------------------------------------------------------------- */

static void add_state(struct tracker *k, const uint64_t *state)
{
	size_t words = k->g->words;
	uint64_t h = game_hash(k->g, state);
	uint32_t it, id;
	for (table_start(&k->index, h, &it); (id = table_next(&k->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(k->next.at + id * words, state, words * sizeof *state))
			return;
	table_add(&k->index, h, (uint32_t)(k->next.n / words));
	vec_extend(&k->next, words);
	memcpy(k->next.at + k->next.n - words, state, words * sizeof *state);
	assert(k->next.n % words == 0);
}

static void remember(struct tracker *k, const uint32_t *joint, const struct percepts *seen)
{
	vec_clear(&k->seen);
	for (uint32_t i = seen->start ? seen->start[k->role] : 0; seen->start && i < seen->start[k->role + 1]; i++)
		vec_push(&k->seen, seen->seen[i]);
	vec_clear(&k->last);
	for (uint32_t r = 0; r < k->g->roles; r++)
		vec_push(&k->last, joint[r]);
}

/* The same, by what was reported and not by what would be seen. */
static void remember_own(struct tracker *k, const struct step *s)
{
	vec_set(&k->seen, s->seen.at, s->seen.n);
	vec_clear(&k->last);
	for (uint32_t r = 0; r < k->g->roles; r++)
		vec_push(&k->last, r == k->role ? s->own_move : GAME_NONE);
}

/* The joint moves of a state that agree with the message, one list per role. False:
 * none, or the match was over there. */
struct choices {
	const uint32_t *moves[ROLES_MOST];
	uint32_t count[ROLES_MOST], single[ROLES_MOST];
	double product;
};

static bool choose(struct tracker *k, struct step *s, const uint64_t *state, struct choices *c)
{
	assert(k->g->roles <= ROLES_MOST);
	struct view v = game_look(k->w, state);
	if (v.terminal || worker_trouble(k->w))
		return false;
	vec_set(&k->legal, v.legal, v.start[k->g->roles]);
	c->product = 1;
	for (uint32_t r = 0; r < k->g->roles; r++) {
		c->moves[r] = k->legal.at + v.start[r];
		c->count[r] = v.start[r + 1] - v.start[r];
		if (s->joint.n || (r == k->role && s->own.n)) {
			c->single[r] = resolve(k, s, r, c->moves[r], c->count[r]);
		} else if (r == k->role && s->own_move != GAME_NONE) {
			c->single[r] = has(c->moves[r], c->count[r], s->own_move) ? s->own_move : GAME_NONE;
		} else {
			c->product *= c->count[r];
			if (!c->count[r])
				return false;
			continue;
		}
		if (c->single[r] == GAME_NONE && k->blind && s->numbered)
			c->single[r] = s->own_move; /* it was made, so the state is wrong there; it goes on all the same */
		if (c->single[r] == GAME_NONE)
			return false;
		c->moves[r] = &c->single[r];
		c->count[r] = 1;
	}
	return true;
}

/* The joint move with a number, or any. */
static void pick(struct tracker *k, const struct choices *c, bool any, uint64_t number, uint32_t *joint)
{
	for (uint32_t r = 0; r < k->g->roles; r++) {
		assert(c->count[r]);
		uint32_t i = any ? rng_below(&k->rng, c->count[r]) : (uint32_t)(number % c->count[r]);
		number /= c->count[r];
		joint[r] = c->moves[r][i];
	}
}

/* From one state to `tries` at most of those that follow. */
static void follow(struct tracker *k, struct step *s, const uint64_t *state, uint64_t tries, uint64_t enough,
                   const struct limit *limit)
{
	struct choices c;
	struct percepts seen;
	uint32_t joint[ROLES_MOST];
	if (!choose(k, s, state, &c))
		return;
	bool any = c.product > (double)tries;
	uint64_t *next = NEW_ARRAY(uint64_t, k->g->words), all = any ? tries : (uint64_t)c.product;
	size_t before = k->next.n / k->g->words;
	for (uint64_t i = 0; i < all && !limit_reached(limit) && k->next.n / k->g->words < before + enough; i++) {
		pick(k, &c, any, i, joint);
		if (!agrees(k, s, state, joint, &seen))
			continue;
		if (!k->next.n)
			remember(k, joint, &seen);
		game_next(k->w, state, joint, next);
		if (!worker_trouble(k->w))
			add_state(k, next);
	}
	mem_free(next);
}

/* Gives the belief the steps it lacks, and reads its states. */
static bool ask_belief(struct tracker *k, const struct limit *limit)
{
	assert(k->believed <= k->history.n);
	for (size_t i = 0; i < k->history.n; i++)
		if (!k->history.at[i].numbered)
			return false;
	if (!k->belief)
		k->belief = belief_new(k->g, k->role, &(struct belief_options){0});
	for (size_t i = 0; i < k->history.n; i++) {
		const struct step *s = &k->history.at[i];
		struct turn t = {
			.step = (uint32_t)i + 1, .own_last = s->own_move, .seen = s->seen.at, .seen_count = (uint32_t)s->seen.n};
		if (i >= k->believed)
			belief_observe(k->belief, k->w, &k->rng, &t, limit);
	}
	k->believed = k->history.n;
	vec_clear(&k->next);
	table_clear(&k->index);
	for (size_t i = 0; i < belief_count(k->belief); i++)
		add_state(k, belief_state(k->belief, i));
	return k->next.n;
}

/* States that may follow from one's own move, and where what is seen is most like what
 * was reported: one's own moves there are most likely to be the true ones. */
static void go_blind(struct tracker *k, struct step *s)
{
	size_t words = k->g->words, few = k->now.states < 20 ? k->now.states : 20;
	assert(k->states.n >= few * words);
	vec_clear(&k->next);
	table_clear(&k->index);
	k->blind = true;
	k->nearest = -1;
	struct limit limit = limit_seconds(0.05);
	worker_limit(k->w, limit);
	for (size_t i = 0; i < few; i++)
		follow(k, s, k->states.at + i * words, 300, 10, &limit);
}

static void stay(struct tracker *k)
{
	for (size_t i = 0; i < k->now.states; i++)
		add_state(k, k->states.at + i * k->g->words);
}

/* ---- where the match is ---------------------------------------------------------------------- */

static void settle(struct tracker *k, bool open)
{
	struct tracker_now *n = &k->now;
	size_t words = k->g->words;
	vec_clear(&k->own_legal);
	n->states = k->states.n / words;
	assert(n->states && k->states.n == n->states * words);
	n->terminal = true;
	for (size_t i = 0; i < n->states && n->terminal; i++) {
		struct view v = game_look(k->w, k->states.at + i * words);
		n->state = k->states.at + i * words;
		n->terminal = v.terminal;
		vec_clear(&k->own_legal);
		for (uint32_t m = v.start[k->role]; m < v.start[k->role + 1] && !worker_trouble(k->w); m++)
			vec_push(&k->own_legal, v.legal[m]);
		memcpy(k->goals.at, v.goals, k->g->roles * sizeof *v.goals);
	}
	n->legal = k->own_legal.at;
	n->legal_count = (uint32_t)k->own_legal.n;
	n->goals = k->goals.at;
	n->roles = k->g->roles;
	n->step = (uint32_t)k->history.n;
	assert(!n->step || k->last.n == k->g->roles);
	n->own_last = n->step ? k->last.at[k->role] : GAME_NONE;
	n->last = n->step && open ? k->last.at : NULL;
	n->seen = n->step ? k->seen.at : NULL;
	n->seen_count = n->step ? (uint32_t)k->seen.n : 0;
}

/* Numbers for the texts, where the game has numbers for everything and the message holds percepts. */
static void number(struct tracker *k, struct step *s)
{
	const struct game *g = k->g;
	if (g->engine != ENGINE_CIRCUIT || s->joint.n)
		return;
	VEC(uint32_t) moves = {0};
	for (uint32_t m = g->first_move[k->role]; m < g->first_move[k->role + 1]; m++)
		vec_push(&moves, m);
	if (s->own.n)
		s->own_move = tracker_find(g, moves.at, (uint32_t)moves.n, text_str(&s->own));
	vec_free(&moves);
	const uint32_t *start = game_rules_view(g)->first_percept;
	struct text name = {0};
	for (uint32_t p = start[k->role]; p < start[k->role + 1]; p++) {
		name.n = 0;
		game_print_percept(g, p, &name);
		for (size_t i = 0; i < s->percepts.n; i++)
			if (same_name(&s->percepts.at[i], text_str(&name))) {
				vec_push(&s->seen, p);
				break;
			}
	}
	text_free(&name);
	s->numbered = s->own_move != GAME_NONE && s->seen.n == s->percepts.n;
}

static struct text copy_of(const struct text *t)
{
	struct text copy = {0};
	text_puts(&copy, text_str(t));
	return copy;
}

static void write_down(struct tracker *k, const struct tracker_observation *o, struct step *s)
{
	s->own_move = o->own_move;
	if (o->own)
		s->own = copy_of(o->own);
	for (uint32_t r = 0; r < k->g->roles; r++) {
		vec_push(&s->found, GAME_NONE);
		if (o->joint)
			vec_push(&s->joint, copy_of(&o->joint[r]));
	}
	for (size_t i = 0; i < o->percept_count && !o->joint; i++)
		vec_push(&s->percepts, copy_of(&o->percepts[i]));
}

bool tracker_observe(struct tracker *k, const struct tracker_observation *o, const struct limit *limit)
{
	struct step s = {0};
	size_t words = k->g->words;
	if (k->g->roles > ROLES_MOST)
		return false;
	write_down(k, o, &s);
	number(k, &s);
	worker_limit(k->w, *limit);
	vec_clear(&k->next);
	table_clear(&k->index);
	vec_clear(&k->judged);
	uint64_t tries = PAIRS / k->now.states + 4;
	struct limit part = *limit; /* some time is kept to do without the belief */
	if (limit->deadline > 0)
		part.deadline -= 0.2 * limit_left(limit);
	vec_push(&k->history, s);
	bool believed = k->g->hidden && ask_belief(k, &part);
	for (size_t i = 0;
	     i < k->now.states && !believed && k->next.n / words < TRACKER_MAX_STATES && !limit_reached(limit); i++)
		follow(k, &s, k->states.at + i * words, tries, tries, limit);
	if (!k->next.n && k->g->hidden && !s.joint.n)
		go_blind(k, &s);
	if (!k->next.n && k->blind && (k->now.states > 1 || k->now.guessed)) /* not even that: stay where we are */
		stay(k);
	bool found = k->next.n > 0;
	k->now.guessed = found ? k->blind || (k->now.guessed && !believed) : k->now.guessed;
	k->blind = false;
	if (found) {
		vec_set(&k->states, k->next.at, k->next.n);
		if (k->g->hidden && s.numbered)
			remember_own(k, &s);
		settle(k, s.joint.n > 0);
	} else {
		step_free(&vec_last(&k->history));
		k->history.n--;
		belief_free(k->belief);
		k->belief = NULL;
		k->believed = 0;
	}
	return found;
}

/* ---- making ----------------------------------------------------------------------------------- */

struct tracker *tracker_new(struct game *g, uint32_t role, uint64_t seed)
{
	assert(role < g->roles);
	struct tracker *k = NEW(struct tracker);
	k->g = g;
	k->role = role;
	k->w = worker_new(g);
	k->rng = rng_seed(seed);
	vec_extend(&k->goals, g->roles);
	vec_reserve(&k->seen, 1); /* an empty list must differ from NULL */
	vec_set(&k->states, g->initial, g->words);
	settle(k, true);
	return k;
}

void tracker_free(struct tracker *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->history.n; i++)
		step_free(&k->history.at[i]);
	vec_free(&k->history);
	vec_free(&k->states);
	vec_free(&k->next);
	table_free(&k->index);
	vec_free(&k->own_legal);
	vec_free(&k->seen);
	vec_free(&k->legal);
	vec_free(&k->last);
	vec_free(&k->goals);
	vec_free(&k->judged);
	belief_free(k->belief);
	worker_free(k->w);
	mem_free(k);
}

const struct tracker_now *tracker_now(const struct tracker *k)
{
	return &k->now;
}
