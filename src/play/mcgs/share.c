/* What searches of the same position in other processes know: visits, values and bounds of the root, of its children
 * and of theirs.
 *
 * For every neighbour there is a ledger of what it knows of each of these nodes, by the hash of the state: what it was
 * told, and what it told. What is new for it is the difference to the node as it is now, so what came from one
 * neighbour goes on to the others, and nothing is counted twice as long as the neighbours form a tree.
 *
 *     letter:  opposed, then for each node, the lowest ones first:
 *              state | visits | distance, arms, several | by role: mean of the new visits, low, high
 *                    | by arm: new visits, mean of them; where several roles choose: new regret and policy */
#include "play/mcgs/mcgs_internal.h"

#include "base/clock.h"
#include "base/hash.h"
#include "play/company.h"

#include <assert.h>
#include <string.h>

#define SHARE_PROOFS 0.01      /* seconds at least between two letters, when something was proved */
#define LEAST_SHARE 2000u      /* visits of a node that is told of, as a part of the root's: one in so many */
#define MOST_NODES 600u        /* of a letter */
#define MOST_LEDGER (1u << 22) /* numbers; then it begins anew */

/* What a neighbour knows of a node: numbers from `at` on in the ledger, see ledger_entry(). */
struct known {
	uint64_t key;
	size_t at, size;
};

struct ledger {
	struct table index;
	VEC(struct known) nodes;
	VEC(double) numbers;
};

struct sharing {
	const struct company *company;
	struct ledger *ledgers; /* by neighbour */
	double last;            /* letter */
	float *low, *high;      /* of the root, as told last */
	bool anew;              /* the ledgers are empty: all that is there counts as known */
	VEC(uint32_t) nodes;    /* those to tell of, lowest first */
	struct text out;
};

/* ---- ledgers ------------------------------------------------------------------------------------- */

/* In the ledger: visits, by role sum, low, high, by arm visits and sum, where several choose regret and policy. */
static size_t ledger_size(const struct mcgs *t, uint32_t arms, bool several)
{
	return 1 + 3 * (size_t)t->roles + (several ? 4 : 2) * (size_t)arms;
}

/* A node that has been opened since needs more room. */
static double *ledger_room(struct ledger *l, struct known *k, size_t size)
{
	size_t old = k->at;
	if (k->size >= size)
		return l->numbers.at + k->at;
	k->at = l->numbers.n;
	vec_extend(&l->numbers, size);
	memset(l->numbers.at + k->at, 0, size * sizeof *l->numbers.at);
	memcpy(l->numbers.at + k->at, l->numbers.at + old, k->size * sizeof *l->numbers.at);
	k->size = size;
	assert(k->at + k->size == l->numbers.n);
	return l->numbers.at + k->at;
}

/* What the neighbour knows of a node; all zero, but for the upper bounds, where that is nothing. */
static double *ledger_find(const struct mcgs *t, struct ledger *l, const struct vertex *n, size_t size)
{
	assert(size > 3 * (size_t)t->roles);
	uint64_t key = hash_mix(game_hash(t->g, n->state));
	uint32_t it, id;
	for (table_start(&l->index, key, &it); (id = table_next(&l->index, key, &it)) != TABLE_NONE;)
		if (l->nodes.at[id].key == key)
			return ledger_room(l, &l->nodes.at[id], size);
	struct known k = {.key = key};
	table_add(&l->index, key, (uint32_t)l->nodes.n);
	vec_push(&l->nodes, k);
	double *known = ledger_room(l, &vec_last(&l->nodes), size);
	for (uint32_t r = 0; r < t->roles; r++)
		known[1 + 3 * r + 2] = 1;
	return known;
}

static void ledger_clear(struct ledger *l)
{
	table_clear(&l->index);
	vec_clear(&l->nodes);
	vec_clear(&l->numbers);
}

/* ---- made and freed ------------------------------------------------------------------------------- */

void mcgs_accompany(struct mcgs *t, const struct company *c)
{
	struct sharing *s = NEW(struct sharing);
	s->company = c;
	s->ledgers = NEW_ARRAY(struct ledger, c->neighbours + 1);
	s->low = NEW_ARRAY(float, t->roles);
	s->high = NEW_ARRAY(float, t->roles);
	t->sharing = s;
}

void share_free(struct mcgs *t)
{
	struct sharing *s = t->sharing;
	if (!s)
		return;
	for (uint32_t i = 0; i < s->company->neighbours; i++) {
		table_free(&s->ledgers[i].index);
		vec_free(&s->ledgers[i].nodes);
		vec_free(&s->ledgers[i].numbers);
	}
	mem_free(s->ledgers);
	mem_free(s->low);
	mem_free(s->high);
	vec_free(&s->nodes);
	text_free(&s->out);
	mem_free(s);
}

/* ---- out ------------------------------------------------------------------------------------------- */

static void add_children(struct mcgs *t, uint32_t id, uint32_t least)
{
	struct arms a;
	struct sharing *s = t->sharing;
	if (!vertex_arms(t, vertex_at(t, id), &a))
		return;
	for (uint32_t i = 0; i < a.joint && s->nodes.n < MOST_NODES; i++) {
		uint32_t c = a.child[i];
		if (c == NONE || c == CLAIMED)
			continue;
		const struct vertex *n = vertex_at(t, c);
		if (n->visits >= least || (vertex_flags(n) & VERTEX_SOLVED && !(vertex_flags(n) & VERTEX_TERMINAL)))
			vec_push(&s->nodes, c);
	}
}

/* The root, its children, theirs; then the other way round. */
static void list_nodes(struct mcgs *t)
{
	struct sharing *s = t->sharing;
	uint32_t least = vertex_at(t, t->root)->visits / LEAST_SHARE, some = (uint32_t)t->o.tune.share_visits;
	least = least < some ? some : least;
	vec_clear(&s->nodes);
	vec_push(&s->nodes, t->root);
	add_children(t, t->root, least);
	for (size_t i = 1, end = s->nodes.n; i < end; i++)
		add_children(t, s->nodes.at[i], least);
	for (size_t i = 0, k = s->nodes.n; i + 1 < k--; i++) {
		uint32_t x = s->nodes.at[i];
		s->nodes.at[i] = s->nodes.at[k];
		s->nodes.at[k] = x;
	}
	assert(s->nodes.n <= MOST_NODES && vec_last(&s->nodes) == t->root);
}

static void add_float(struct text *out, double x)
{
	float f = (float)x;
	text_add(out, (const char *)&f, sizeof f);
}

static void add_number(struct text *out, uint32_t x)
{
	text_add(out, (const char *)&x, sizeof x);
}

/* The mean of what has been added since; the ledger gets the sum as it is. */
static double mean_of_new(double *known, double sum, double visits)
{
	double mean = visits > 0 ? (sum - *known) / visits : 0;
	*known = sum;
	return mean < 0 ? 0 : mean > 1 ? 1 : mean;
}

static double difference(double *known, double now)
{
	double d = now - *known;
	*known = now;
	return d;
}

static void write_arms(const struct arms *a, uint32_t arms, double *known, struct text *out)
{
	for (uint32_t i = 0; i < arms; i++, known += 2) {
		double visits = a->visits[i], mean = (double)get(&a->mean[i]);
		double more = difference(&known[0], visits);
		add_number(out, more > 0 ? (uint32_t)more : 0);
		add_float(out, mean_of_new(&known[1], visits * (mean > 0 ? mean : 0), more));
	}
	for (uint32_t i = 0; i < arms && a->regret; i++, known += 2) {
		add_float(out, difference(&known[0], (double)get(&a->regret[i])));
		add_float(out, difference(&known[1], (double)get(&a->policy[i])));
	}
}

/* One node for one neighbour, unless there is nothing new. */
static void write_node(struct mcgs *t, struct ledger *l, const struct vertex *n, bool silent, struct text *out)
{
	struct arms a = {0};
	uint32_t arms = vertex_arms(t, n, &a) ? a.start[t->roles] : 0;
	double *known = ledger_find(t, l, n, ledger_size(t, arms, a.regret));
	double visits = n->visits, more = visits - known[0];
	bool bounds = false;
	size_t before = out->n;
	for (uint32_t r = 0; r < t->roles; r++)
		bounds |= (double)get(&vertex_low(t, n)[r]) > known[1 + 3 * r + 1] ||
		          (double)get(&vertex_high(t, n)[r]) < known[1 + 3 * r + 2];
	if (more == 0 && !bounds)
		return;
	known[0] = visits;
	text_add(out, (const char *)n->state, t->words * sizeof *n->state);
	add_number(out, more > 0 ? (uint32_t)more : 0);
	add_number(out, n->distance);
	add_number(out, arms);
	add_number(out, a.regret != NULL);
	for (uint32_t r = 0; r < t->roles; r++) {
		double *k = &known[1 + 3 * r];
		add_float(out, mean_of_new(&k[0], visits * (double)get(&vertex_value(t, n)[r]), more));
		add_float(out, k[1] = (double)get(&vertex_low(t, n)[r]));
		add_float(out, k[2] = (double)get(&vertex_high(t, n)[r]));
	}
	if (arms)
		write_arms(&a, arms, known + 1 + 3 * t->roles, out);
	if (silent)
		out->n = before;
}

/* A ledger is right only when what is written is sent: nothing is written where that cannot be. */
static void tell(struct mcgs *t, uint32_t neighbour)
{
	assert(neighbour < t->sharing->company->neighbours);
	struct sharing *s = t->sharing;
	struct ledger *l = &s->ledgers[neighbour];
	if (!s->anew && !s->company->send(s->company->context, neighbour, NULL, 0))
		return;
	vec_clear(&s->out);
	add_number(&s->out, t->opposed);
	size_t empty = s->out.n;
	for (size_t i = 0; i < s->nodes.n; i++)
		write_node(t, l, vertex_at(t, s->nodes.at[i]), s->anew, &s->out);
	if (s->out.n > empty)
		s->company->send(s->company->context, neighbour, s->out.at, s->out.n);
}

/* ---- in -------------------------------------------------------------------------------------------- */

struct reader {
	const char *at;
	size_t left;
	bool fine;
};

static void take_bytes(struct reader *r, void *into, size_t size)
{
	r->fine = r->fine && r->left >= size;
	if (r->fine)
		memcpy(into, r->at, size);
	else
		memset(into, 0, size);
	r->at += r->fine ? size : 0;
	r->left -= r->fine ? size : 0;
}

static uint32_t take_number(struct reader *r)
{
	uint32_t x;
	take_bytes(r, &x, sizeof x);
	return x;
}

static float take_float(struct reader *r)
{
	float x;
	take_bytes(r, &x, sizeof x);
	return x;
}

static void mix(_Atomic float *mean, float other, uint32_t more, uint32_t visits)
{
	float m = get(mean);
	if (m >= 0)
		put(mean, m + (other - m) * (float)more / (float)(visits + more));
	else if (m > ARM_SHUT)
		put(mean, other);
}

/* What a neighbour has found out about the arms of a node; `a` NULL: for nobody. */
static void read_arms(struct mcgs *t, struct reader *r, const struct vertex *n, const struct arms *a, uint32_t arms,
                      bool several, double *known)
{
	bool single = a && is_single(n, a);
	assert(!a || arms <= a->start[t->roles]);
	for (uint32_t i = 0; i < arms; i++) {
		uint32_t more = take_number(r);
		float mean = take_float(r);
		if (!a || !r->fine)
			continue;
		uint32_t visits = atomic_fetch_add_explicit(&a->visits[i], more, RELAXED);
		uint32_t first = a->start[vertex_mover(n)];
		uint32_t c =
			single && i >= first && i < a->start[n->mover + 1] ? vertex_sole_child(a, n->mover, i - first) : NONE;
		if (c != NONE && vertex_at(t, c)->visits && get(&a->mean[i]) > ARM_SHUT)
			put(&a->mean[i], get(&vertex_value(t, vertex_at(t, c))[vertex_mover(n)]));
		else if (more)
			mix(&a->mean[i], mean, more, visits);
		known[2 * i] += more;
		known[2 * i + 1] += (double)mean * more;
	}
	for (uint32_t i = 0; i < arms && several; i++) {
		float regret = take_float(r), policy = take_float(r);
		if (!a || !a->regret || !r->fine)
			continue;
		put(&a->regret[i], get(&a->regret[i]) + regret);
		put(&a->policy[i], get(&a->policy[i]) + policy);
		known[2 * arms + 2 * i] += (double)regret;
		known[2 * arms + 2 * i + 1] += (double)policy;
	}
}

static void narrow(_Atomic float *low, _Atomic float *high, float l, float h)
{
	if (l > get(low))
		put(low, l);
	if (h < get(high))
		put(high, h);
}

/* Values and bounds by role; `n` NULL: of a node that is not here. */
static void read_roles(struct mcgs *t, struct reader *r, struct vertex *n, uint32_t more, uint32_t visits, bool trusted,
                       double *known)
{
	bool solved = n && trusted;
	for (uint32_t q = 0; q < t->roles; q++) {
		float mean = take_float(r), low = take_float(r), high = take_float(r);
		if (!n || !r->fine)
			continue;
		if (more && !(vertex_flags(n) & VERTEX_SOLVED))
			mix(&vertex_value(t, n)[q], mean, more, visits);
		known[3 * q] += (double)mean * more;
		if (trusted)
			narrow(&vertex_low(t, n)[q], &vertex_high(t, n)[q], low, high);
		known[3 * q + 1] = (double)low > known[3 * q + 1] ? (double)low : known[3 * q + 1];
		known[3 * q + 2] = (double)high < known[3 * q + 2] ? (double)high : known[3 * q + 2];
		solved &= q == t->g->random || get(&vertex_high(t, n)[q]) - get(&vertex_low(t, n)[q]) < 1e-5f;
	}
	if (!solved || !r->fine || vertex_flags(n) & VERTEX_SOLVED)
		return;
	for (uint32_t q = 0; q < t->roles; q++)
		put(&vertex_value(t, n)[q], get(&vertex_low(t, n)[q]));
	atomic_fetch_or_explicit(&n->flags, VERTEX_SOLVED, RELAXED);
}

/* False: the letter is over, or is none. */
static bool read_node(struct mcgs *t, struct walker *w, struct ledger *l, struct reader *r, bool trusted,
                      uint64_t *state)
{
	struct arms a = {0};
	take_bytes(r, state, t->words * sizeof *state);
	uint32_t more = take_number(r), distance = take_number(r), arms = take_number(r);
	bool several = take_number(r);
	if (!r->fine || arms > r->left)
		return false;
	uint32_t id = states_find(t, hash_mix(game_hash(t->g, state)), state);
	struct vertex *n = id == NONE ? NULL : vertex_at(t, id);
	bool opened = n && vertex_arms(t, n, &a);
	if (opened && arms && (a.start[t->roles] != arms || several != (a.regret != NULL)))
		n = NULL; /* another search's idea of the game */
	uint32_t own = opened ? a.start[t->roles] : 0;
	double *known = n ? ledger_find(t, l, n, ledger_size(t, own, a.regret)) : NULL;
	uint32_t visits = n ? atomic_fetch_add_explicit(&n->visits, more, RELAXED) : 0;
	if (n)
		known[0] += more;
	read_roles(t, r, n, more, visits, trusted, known ? known + 1 : NULL);
	read_arms(t, r, n, n && opened ? &a : NULL, arms, several, known ? known + 1 + 3 * t->roles : NULL);
	if (n && r->fine && trusted) {
		if (vertex_flags(n) & VERTEX_SOLVED && !n->distance)
			n->distance = (uint16_t)distance;
		vertex_bound(t, w, n);
	}
	return r->fine;
}

/* Bounds of a search that believes two roles to share 100 points are worth something to those who believe it too. */
static void listen(struct mcgs *t, struct walker *w)
{
	struct sharing *s = t->sharing;
	uint64_t *state = mem_alloc(t->words + 1, sizeof *state);
	uint32_t neighbour;
	const void *bytes;
	size_t size;
	while (!t->stale && s->company->receive(s->company->context, &neighbour, &bytes, &size)) {
		assert(neighbour < s->company->neighbours);
		struct reader r = {bytes, size, true};
		bool opposed = take_number(&r);
		if (!opposed && t->opposed && r.fine)
			vertex_doubt(t);
		while (r.left && read_node(t, w, &s->ledgers[neighbour], &r, opposed == t->opposed, state))
			;
	}
	if (!t->stale)
		vertex_bound(t, w, vertex_at(t, t->root));
	mem_free(state);
}

/* ---- when ------------------------------------------------------------------------------------------ */

static bool has_proved(const struct mcgs *t)
{
	const struct sharing *s = t->sharing;
	const struct vertex *n = vertex_at(t, t->root);
	for (uint32_t r = 0; r < t->roles; r++)
		if (get(&vertex_low(t, n)[r]) != s->low[r] || get(&vertex_high(t, n)[r]) != s->high[r])
			return true;
	return false;
}

void share_now(struct mcgs *t, struct walker *w)
{
	struct sharing *s = t->sharing;
	if (!s || t->root == NONE)
		return;
	listen(t, w);
	if (t->stale)
		return;
	list_nodes(t);
	for (uint32_t i = 0; i < s->company->neighbours; i++) {
		s->anew = s->ledgers[i].numbers.n > MOST_LEDGER;
		if (s->anew)
			ledger_clear(&s->ledgers[i]);
		tell(t, i);
	}
	for (uint32_t r = 0; r < t->roles; r++) {
		s->low[r] = get(&vertex_low(t, vertex_at(t, t->root))[r]);
		s->high[r] = get(&vertex_high(t, vertex_at(t, t->root))[r]);
	}
	s->last = clock_now();
}

void share_sometimes(struct mcgs *t, struct walker *w)
{
	double since = t->sharing ? clock_now() - t->sharing->last : 0;
	if (since >= t->o.tune.share_every || (since >= SHARE_PROOFS && has_proved(t)))
		share_now(t, w);
}
