/* Local consistency by name, from unary constraints to strong k-consistency.
 *
 * AC-3 here is the textbook's: a queue of arcs (constraint, variable), each
 * revised by looking for a support of every value. It shares nothing with the
 * propagators, so that one can be tested against the other. Path and
 * k-consistency find forbidden combinations; at level 0 they become implied
 * tables of the network. */
#include "csp/csp_internal.h"

#include <assert.h>
#include <string.h>

#define MAX_SUPPORT_TUPLES 2000000 /* tuples one search for a support may visit */

/* ---- node consistency ---- */

static bool node_consistent(struct csp *n)
{
	for (uint32_t c = 0; c < n->cons.n; c++) {
		if (n->cons.at[c].arity != 1)
			continue;
		uint32_t x = con_scope(n, &n->cons.at[c])[0];
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
			if (!con_holds(n, c, &i) && !dom_drop(n, x, i))
				return false;
	}
	return true;
}

/* ---- AC-3 ---- */

/* Is there a tuple of the current domains with position p fixed as in `at`?
 * A variable named twice takes one value. */
static bool find_support(struct csp *n, uint32_t ci, uint32_t p, uint32_t *at, uint32_t from)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	assert(from <= c->arity && p < c->arity);
	if (from == c->arity)
		return con_holds(n, ci, at);
	if (from == p)
		return find_support(n, ci, p, at, from + 1);
	uint32_t x = con_scope(n, c)[from];
	for (uint32_t q = 0; q < c->arity; q++)
		if ((q < from || q == p) && con_scope(n, c)[q] == x) {
			at[from] = at[q];
			return find_support(n, ci, p, at, from + 1);
		}
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
		at[from] = i;
		if (find_support(n, ci, p, at, from + 1))
			return true;
	}
	return false;
}

static bool revisable(const struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	double product = 1;
	for (uint32_t p = 0; p < c->arity; p++)
		product *= dom_size(n, con_scope(n, c)[p]);
	return product <= MAX_SUPPORT_TUPLES;
}

/* 1: changed, 0: not, -1: empty */
static int revise(struct csp *n, uint32_t ci, uint32_t p, uint32_t *at)
{
	assert(ci < n->cons.n);
	uint32_t x = con_scope(n, &n->cons.at[ci])[p];
	int changed = 0;
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
		at[p] = i;
		if (find_support(n, ci, p, at, 0))
			continue;
		if (!dom_drop(n, x, i))
			return -1;
		changed = 1;
	}
	assert(dom_size(n, x));
	return changed;
}

struct arc {
	uint32_t con, pos;
};

static bool ac3(struct csp *n)
{
	VEC(struct arc) queue = {0};
	uint32_t widest = 1;
	bool ok = true, **waiting = NEW_ARRAY(bool *, n->cons.n + 1);
	for (uint32_t c = 0; c < n->cons.n; c++) {
		uint32_t arity = n->cons.at[c].arity;
		waiting[c] = NEW_ARRAY(bool, arity);
		widest = arity > widest ? arity : widest;
		for (uint32_t p = 0; p < arity && !n->cons.at[c].objective; p++) {
			vec_push(&queue, (struct arc){c, p});
			waiting[c][p] = true;
		}
	}
	uint32_t *at = NEW_ARRAY(uint32_t, widest);
	for (size_t head = 0; head < queue.n && ok && !net_stopped(n); head++) {
		struct arc a = queue.at[head];
		assert(waiting[a.con][a.pos]);
		waiting[a.con][a.pos] = false;
		n->propagations++;
		if (!revisable(n, &n->cons.at[a.con]))
			continue;
		int r = revise(n, a.con, a.pos, at);
		ok = r >= 0;
		uint32_t x = con_scope(n, &n->cons.at[a.con])[a.pos];
		const struct var *v = &n->vars.at[x];
		for (uint32_t o = v->occ; r > 0 && o < v->occ_end; o++) {
			uint32_t c = n->occ[o].con;
			for (uint32_t p = 0; p < n->cons.at[c].arity && !n->cons.at[c].objective; p++)
				if (con_scope(n, &n->cons.at[c])[p] != x && !waiting[c][p]) {
					waiting[c][p] = true;
					vec_push(&queue, (struct arc){c, p});
				}
		}
	}
	for (uint32_t c = 0; c < n->cons.n; c++)
		mem_free(waiting[c]);
	mem_free(waiting);
	mem_free(at);
	vec_free(&queue);
	return ok;
}

/* ---- singleton arc consistency ---- */

/* Round and round over the variables until a full turn changes nothing. */
static bool sac(struct csp *n)
{
	if (!csp_propagate(n))
		return false;
	for (uint32_t x = 0, still = 0; still < n->vars.n; x = (x + 1) % narrow32(n->vars.n)) {
		still++;
		if (dom_size(n, x) == 1)
			continue;
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
			if (net_stopped(n))
				return true;
			uint32_t level = csp_level(n);
			net_push(n);
			bool ok = dom_fix(n, x, i) && csp_propagate(n);
			csp_pop(n, level);
			if (ok)
				continue;
			if (!dom_drop(n, x, i) || !csp_propagate(n))
				return false;
			still = 0;
		}
	}
	return true;
}

/* ---- k-consistency ---- */

#define MAX_K 8

/* Forbidden combinations of values, by the set of variables they speak of. */
struct combos {
	struct csp *n;
	uint32_t k;
	uint32_t vars[MAX_K + 1], at[MAX_K + 1]; /* the combination being extended */
	struct table index;
	VEC(uint32_t) pool; /* [count, x0, i0, x1, i1, ...] */
	bool changed, overflow;
	uint64_t work;
};

#define MAX_WORK UINT64_C(50000000)

static uint64_t combo_hash(const uint32_t *vars, const uint32_t *at, uint32_t count)
{
	uint64_t h = count;
	for (uint32_t i = 0; i < count; i++)
		h = hash_join(hash_join(h, vars[i]), at[i]);
	return h;
}

static bool combo_known(const struct combos *m, const uint32_t *vars, const uint32_t *at, uint32_t count)
{
	uint64_t h = combo_hash(vars, at, count);
	uint32_t it, id;
	for (table_start(&m->index, h, &it); (id = table_next(&m->index, h, &it)) != TABLE_NONE;) {
		const uint32_t *p = m->pool.at + id;
		bool same = p[0] == count;
		for (uint32_t i = 0; same && i < count; i++)
			same = p[1 + 2 * i] == vars[i] && p[2 + 2 * i] == at[i];
		if (same)
			return true;
	}
	return false;
}

static void combo_add(struct combos *m, uint32_t count)
{
	uint32_t id = narrow32(m->pool.n);
	vec_push(&m->pool, count);
	assert(count && count <= MAX_K);
	for (uint32_t i = 0; i < count; i++) {
		vec_push(&m->pool, m->vars[i]);
		vec_push(&m->pool, m->at[i]);
	}
	table_add(&m->index, combo_hash(m->vars, m->at, count), id);
	m->changed = true;
}

/* Does a subset of (vars, at), which contains the last one, break something? */
static bool subset_known(const struct combos *m, const uint32_t *vars, const uint32_t *at, uint32_t count)
{
	assert(count && count <= MAX_K);
	for (uint32_t set = 1; set < 1u << count; set++) {
		uint32_t v[MAX_K + 1], a[MAX_K + 1], k = 0;
		if (!(set >> (count - 1) & 1))
			continue;
		for (uint32_t i = 0; i < count; i++)
			if (set >> i & 1) {
				v[k] = vars[i];
				a[k++] = at[i];
			}
		for (uint32_t i = 1; i < k; i++) /* combinations are kept in the order of the variables */
			for (uint32_t j = i; j && v[j] < v[j - 1]; j--) {
				uint32_t t = v[j];
				v[j] = v[j - 1];
				v[j - 1] = t;
				t = a[j];
				a[j] = a[j - 1];
				a[j - 1] = t;
			}
		if (k > 1 && combo_known(m, v, a, k))
			return true;
	}
	return false;
}

/* Constraints whose variables are all among the first `count`, the last included. */
static bool consistent(struct combos *m, const uint32_t *vars, const uint32_t *at, uint32_t count)
{
	struct csp *n = m->n;
	m->work++;
	const struct var *v = &n->vars.at[vars[count - 1]];
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t ci = n->occ[o].con, tuple[64];
		const struct con *c = &n->cons.at[ci];
		bool inside = c->arity <= 64 && !c->objective;
		for (uint32_t p = 0; p < c->arity && inside; p++) {
			uint32_t k = 0;
			while (k < count && vars[k] != con_scope(n, c)[p])
				k++;
			inside = k < count;
			if (inside)
				tuple[p] = at[k];
		}
		if (inside && !con_holds(n, ci, tuple))
			return false;
	}
	return !subset_known(m, vars, at, count);
}

/* Can the combination be extended to one more variable y? */
static bool extends(struct combos *m, uint32_t count, uint32_t y)
{
	uint32_t vars[MAX_K + 1], at[MAX_K + 1];
	memcpy(vars, m->vars, sizeof vars);
	memcpy(at, m->at, sizeof at);
	vars[count] = y;
	for (uint32_t i = csp_next_at(m->n, y, 0); i != CSP_NONE; i = csp_next_at(m->n, y, i + 1)) {
		at[count] = i;
		if (consistent(m, vars, at, count + 1))
			return true;
	}
	return false;
}

/* All consistent combinations of j-1 variables must extend to any j-th one. */
static bool combine(struct combos *m, uint32_t count, uint32_t size, uint32_t from)
{
	struct csp *n = m->n;
	assert(count <= size && size < MAX_K);
	if (m->work > MAX_WORK || net_stopped(n))
		m->overflow = true;
	if (m->overflow)
		return true;
	if (count == size) {
		for (uint32_t y = 0; y < n->vars.n; y++) {
			bool inside = false;
			for (uint32_t k = 0; k < count; k++)
				inside |= m->vars[k] == y;
			if (inside || extends(m, count, y))
				continue;
			if (count == 1) {
				m->changed = true;
				return dom_drop(n, m->vars[0], m->at[0]);
			}
			combo_add(m, count);
			break;
		}
		return true;
	}
	for (uint32_t x = from; x < n->vars.n; x++) {
		m->vars[count] = x;
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
			m->vars[count] = x;
			m->at[count] = i;
			if (consistent(m, m->vars, m->at, count + 1) && !combine(m, count + 1, size, x + 1))
				return false;
		}
	}
	return true;
}

/* Value that no constraint on its own allows: 1-consistency. */
static bool singles(struct combos *m)
{
	struct csp *n = m->n;
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
			if (!consistent(m, &x, &i, 1)) {
				m->changed = true;
				if (!dom_drop(n, x, i))
					return false;
			}
	return true;
}

/* Found combinations become negative tables, one per set of variables. */
static void post_combos(struct combos *m)
{
	struct csp *n = m->n;
	VEC(int32_t) rows = {0};
	bool *done = NEW_ARRAY(bool, m->pool.n + 1);
	for (size_t i = 0; i < m->pool.n; i += 1 + 2 * m->pool.at[i]) {
		uint32_t count = m->pool.at[i], scope[MAX_K + 1];
		if (done[i])
			continue;
		vec_clear(&rows);
		for (uint32_t k = 0; k < count; k++)
			scope[k] = m->pool.at[i + 1 + 2 * k];
		for (size_t j = i; j < m->pool.n; j += 1 + 2 * m->pool.at[j]) {
			bool same = m->pool.at[j] == count;
			for (uint32_t k = 0; same && k < count; k++)
				same = m->pool.at[j + 1 + 2 * k] == scope[k];
			if (!same)
				continue;
			done[j] = true;
			for (uint32_t k = 0; k < count; k++)
				vec_push(&rows, csp_value(n, scope[k], m->pool.at[j + 2 + 2 * k]));
		}
		assert(rows.n && rows.n % count == 0);
		uint32_t c = csp_add_table(n, scope, count, rows.at, rows.n / count, false);
		assert(c < n->cons.n);
		n->cons.at[c].implied = true;
	}
	mem_free(done);
	vec_free(&rows);
}

static enum csp_outcome strong_k(struct csp *n, uint32_t k, struct csp_stats *s)
{
	struct combos m = {.n = n, .k = k};
	bool ok = true;
	do {
		m.changed = false;
		ok = singles(&m);
		for (uint32_t j = 2; j <= k && ok && j <= n->vars.n; j++)
			ok = combine(&m, 0, j - 1, 0);
	} while (ok && m.changed && !m.overflow);
	if (s)
		for (size_t i = 0; i < m.pool.n; i += 1 + 2 * m.pool.at[i])
			s->nogoods++;
	if (ok && !m.overflow && !n->levels.n)
		post_combos(&m);
	table_free(&m.index);
	vec_free(&m.pool);
	return !ok ? CSP_INCONSISTENT : m.overflow ? CSP_TOO_LARGE : CSP_CONSISTENT;
}

/* ---- path consistency: one bit for each pair of (variable, value) pairs ---- */

struct path {
	struct csp *n;
	uint32_t words;
	uint64_t *row;   /* literal -> compatible literals */
	uint32_t *first; /* variable -> its first literal, on a word boundary */
};

static void forbid_pair(struct path *m, uint32_t a, uint32_t b)
{
	assert(a / 64 < m->words && b / 64 < m->words);
	bits_drop(m->row + (size_t)a * m->words, b);
	bits_drop(m->row + (size_t)b * m->words, a);
}

static void load_pairs(struct path *m)
{
	struct csp *n = m->n;
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t y = 0; y < n->vars.n; y++)
			DOM_EACH (i, n, x)
				DOM_EACH (j, n, y)
					if (x != y || i == j)
						bits_add(m->row + (size_t)(m->first[x] + i) * m->words, m->first[y] + j);
	for (uint32_t c = 0; c < n->cons.n; c++) {
		const struct con *k = &n->cons.at[c];
		if (k->arity != 2 || k->objective || con_scope(n, k)[0] == con_scope(n, k)[1])
			continue;
		uint32_t x = con_scope(n, k)[0], y = con_scope(n, k)[1];
		DOM_EACH (i, n, x)
			DOM_EACH (j, n, y)
				if (!con_holds(n, c, (uint32_t[]){(uint32_t)i, (uint32_t)j}))
					forbid_pair(m, m->first[x] + (uint32_t)i, m->first[y] + (uint32_t)j);
	}
}

/* Do x=i and y=j agree on some value of every third variable (of their own too)? */
static bool path_ok(const struct path *m, uint32_t a, uint32_t b)
{
	const uint64_t *ra = m->row + (size_t)a * m->words, *rb = m->row + (size_t)b * m->words;
	for (uint32_t z = 0; z < m->n->vars.n; z++) {
		bool any = false;
		for (uint32_t w = m->first[z] / 64, end = w + m->n->vars.at[z].words; w < end && !any; w++)
			any = (ra[w] & rb[w]) != 0;
		if (!any)
			return false;
	}
	return true;
}

static bool path_sweep(struct path *m, bool *changed, uint64_t *found)
{
	struct csp *n = m->n;
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
			uint32_t a = m->first[x] + i;
			if (net_stopped(n))
				return true;
			bool alive = path_ok(m, a, a);
			for (uint32_t y = x + 1; y < n->vars.n && alive; y++)
				for (uint32_t j = csp_next_at(n, y, 0); j != CSP_NONE; j = csp_next_at(n, y, j + 1)) {
					uint32_t b = m->first[y] + j;
					if (bits_has(m->row + (size_t)a * m->words, b) && !path_ok(m, a, b)) {
						forbid_pair(m, a, b);
						*changed = true;
						++*found;
					}
				}
			if (!path_ok(m, a, a)) {
				for (uint32_t b = 0; b < m->words * 64; b++)
					if (bits_has(m->row + (size_t)a * m->words, b))
						forbid_pair(m, a, b);
				*changed = true;
				if (!dom_drop(n, x, i))
					return false;
			}
		}
	return true;
}

/* Pairs that the network's own constraints allow and the matrix does not. */
static void post_pairs(struct path *m)
{
	struct csp *n = m->n;
	VEC(int32_t) rows = {0};
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t y = x + 1; y < n->vars.n; y++) {
			vec_clear(&rows);
			DOM_EACH (i, n, x)
				DOM_EACH (j, n, y)
					if (!bits_has(m->row + (size_t)(m->first[x] + i) * m->words, m->first[y] + j)) {
						vec_push(&rows, csp_value(n, x, (uint32_t)i));
						vec_push(&rows, csp_value(n, y, (uint32_t)j));
					}
			if (rows.n) {
				uint32_t c = csp_add_table(n, (uint32_t[]){x, y}, 2, rows.at, rows.n / 2, false);
				assert(c < n->cons.n);
				n->cons.at[c].implied = true;
			}
		}
	vec_free(&rows);
}

static enum csp_outcome path_consistent(struct csp *n, struct csp_stats *s)
{
	struct path m = {.n = n};
	uint32_t bits = 0;
	m.first = NEW_ARRAY(uint32_t, n->vars.n);
	for (uint32_t x = 0; x < n->vars.n; x++) {
		m.first[x] = bits;
		bits += n->vars.at[x].words * 64;
		if (bits > 1 << 15) {
			mem_free(m.first);
			return CSP_TOO_LARGE;
		}
	}
	m.words = bits / 64;
	m.row = NEW_ARRAY(uint64_t, (size_t)bits * m.words);
	load_pairs(&m);
	bool ok = true, changed = true;
	uint64_t found = 0;
	while (ok && changed && !n->stopped) {
		changed = false;
		ok = path_sweep(&m, &changed, &found);
	}
	if (s)
		s->nogoods += found;
	if (ok && found && !n->levels.n)
		post_pairs(&m);
	mem_free(m.first);
	mem_free(m.row);
	return ok ? CSP_CONSISTENT : CSP_INCONSISTENT;
}

/* ---- by name ---- */

enum csp_outcome csp_enforce(struct csp *n, enum csp_consistency level, uint32_t k, struct csp_stats *s)
{
	net_index(n);
	if (n->dead)
		return CSP_INCONSISTENT;
	enum csp_outcome r = CSP_CONSISTENT;
	switch (level) {
	case CSP_LEVEL_NONE: return r;
	case CSP_LEVEL_NODE: r = node_consistent(n) ? CSP_CONSISTENT : CSP_INCONSISTENT; break;
	case CSP_LEVEL_AC3: r = ac3(n) ? CSP_CONSISTENT : CSP_INCONSISTENT; break;
	case CSP_LEVEL_AC: r = csp_propagate(n) ? CSP_CONSISTENT : CSP_INCONSISTENT; break;
	case CSP_LEVEL_SAC: r = sac(n) ? CSP_CONSISTENT : CSP_INCONSISTENT; break;
	case CSP_LEVEL_PATH:
		r = csp_propagate(n) ? path_consistent(n, s) : CSP_INCONSISTENT;
		net_index(n);
		if (r == CSP_CONSISTENT && !csp_propagate(n))
			r = CSP_INCONSISTENT;
		break;
	default:
		if (k < 1 || k > MAX_K)
			return CSP_TOO_LARGE;
		r = strong_k(n, k, s);
		net_index(n);
	}
	if (r == CSP_INCONSISTENT && !n->levels.n)
		n->dead = true;
	return n->stopped && r != CSP_INCONSISTENT ? CSP_STOPPED : r;
}
