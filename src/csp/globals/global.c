/* Builders and propagators of the named constraints other than tables,
 * expressions and allDifferent. A constraint's numbers sit in `nums` from
 * c->data on; the layout is given above each builder. Propagators reason on
 * bounds or on values as is cheap; each is complete once all variables but one
 * of its scope are fixed, so that search never needs another check. */
#include "csp/csp_internal.h"

static uint32_t put_nums(struct csp *n, const int64_t *a, size_t count)
{
	uint32_t at = (uint32_t)n->nums.n;
	for (size_t i = 0; i < count; i++)
		vec_push(&n->nums, a[i]);
	return at;
}

static const int64_t *con_nums(const struct csp *n, const struct con *c)
{
	return n->nums.at + c->data;
}

/* Scratch for building a scope out of several lists. */
static uint32_t add_joined(struct csp *n, enum csp_kind kind, const uint32_t *a, size_t na, const uint32_t *b,
                           size_t nb, uint32_t data)
{
	uint32_t *scope = mem_alloc(na + nb + 1, sizeof *scope);
	for (size_t i = 0; i < na; i++)
		scope[i] = a[i];
	for (size_t i = 0; i < nb; i++)
		scope[na + i] = b[i];
	uint32_t c = net_scope_ok(n, scope, na + nb) ? net_add(n, kind, scope, na + nb, data) : CSP_NONE;
	mem_free(scope);
	return c;
}

static bool overlap(const struct csp *n, uint32_t x, uint32_t y)
{
	const struct var *v = &n->vars.at[x], *w = &n->vars.at[y];
	if (v->vals == CSP_NONE && w->vals == CSP_NONE && v->base == w->base) {
		for (uint32_t i = 0; i < v->words && i < w->words; i++)
			if (dom(n, v)[i] & dom(n, w)[i])
				return true;
		return false;
	}
	DOM_EACH(i, n, x)
	{
		uint32_t j = csp_index(n, y, var_value(n, v, (uint32_t)i));
		if (j != CSP_NONE && dom_has(n, y, j))
			return true;
	}
	return false;
}

static bool has_value(const struct csp *n, uint32_t x, int64_t value)
{
	uint32_t i = csp_index(n, x, value);
	return i != CSP_NONE && dom_has(n, x, i);
}

static bool fix_value(struct csp *n, uint32_t x, int64_t value)
{
	uint32_t i = csp_index(n, x, value);
	return i != CSP_NONE && dom_fix(n, x, i);
}

/* ---- element: [start]; scope: list, index, value ---- */

uint32_t csp_add_element(struct csp *n, const uint32_t *list, size_t count, int32_t start, uint32_t index,
                         uint32_t value)
{
	if (!count)
		return net_refuse(n, "element of an empty list");
	return add_joined(n, CSP_ELEMENT, list, count, (uint32_t[]){index, value}, 2, put_nums(n, (int64_t[]){start}, 1));
}

bool csp_prop_element(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const uint32_t *s = con_scope(n, c);
	uint32_t count = c->arity - 2, ix = s[count], vx = s[count + 1];
	int64_t start = con_nums(n, c)[0];
	DOM_EACH(i, n, ix)
	{
		int64_t k = csp_value(n, ix, (uint32_t)i) - start;
		if ((k < 0 || k >= count || !overlap(n, s[k], vx)) && !dom_drop(n, ix, (uint32_t)i))
			return false;
	}
	DOM_EACH(j, n, vx)
	{
		int64_t v = csp_value(n, vx, (uint32_t)j);
		bool found = false;
		DOM_EACH(i, n, ix)
		if ((found = has_value(n, s[csp_value(n, ix, (uint32_t)i) - start], v)))
			break;
		if (!found && !dom_drop(n, vx, (uint32_t)j))
			return false;
	}
	if (dom_size(n, ix) > 1)
		return true;
	uint32_t x = s[dom_min(n, ix) - start];
	DOM_EACH(i, n, x)
	if (!has_value(n, vx, csp_value(n, x, (uint32_t)i)) && !dom_drop(n, x, (uint32_t)i))
		return false;
	return true;
}

/* ---- count: [relation, k, with variable, number of values, values...] ---- */

uint32_t csp_add_count(struct csp *n, const uint32_t *list, size_t count, const int32_t *values, size_t value_count,
                       enum csp_relation r, int64_t k, uint32_t kx)
{
	uint32_t data = put_nums(n, (int64_t[]){r, k, kx != CSP_NONE, (int64_t)value_count}, 4);
	for (size_t i = 0; i < value_count; i++)
		vec_push(&n->nums, values[i]);
	return add_joined(n, CSP_COUNT, list, count, &kx, kx != CSP_NONE, data);
}

static bool among(const int64_t *nums, int64_t v)
{
	for (int64_t i = 0; i < nums[3]; i++)
		if (nums[4 + i] == v)
			return true;
	return false;
}

static bool compare(int64_t a, enum csp_relation r, int64_t b)
{
	switch (r) {
	case CSP_LT: return a < b;
	case CSP_LE: return a <= b;
	case CSP_GE: return a >= b;
	case CSP_GT: return a > b;
	case CSP_NE: return a != b;
	default: return a == b;
	}
}

/* Make every undecided variable of the list take (or avoid) the values. */
static bool count_force(struct csp *n, const struct con *c, uint32_t count, bool in)
{
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p];
		uint32_t hits = 0;
		DOM_EACH(i, n, x)
		hits += among(con_nums(n, c), csp_value(n, x, (uint32_t)i));
		if (hits == 0 || hits == dom_size(n, x))
			continue;
		DOM_EACH(i, n, x)
		if (among(con_nums(n, c), csp_value(n, x, (uint32_t)i)) != in && !dom_drop(n, x, (uint32_t)i))
			return false;
	}
	return true;
}

bool csp_prop_count(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const int64_t *nums = con_nums(n, c);
	uint32_t count = c->arity - (nums[2] ? 1 : 0), kx = nums[2] ? con_scope(n, c)[count] : CSP_NONE;
	int64_t sure = 0, maybe = 0;
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p], hits = 0;
		DOM_EACH(i, n, x)
		hits += among(nums, csp_value(n, x, (uint32_t)i));
		sure += hits == dom_size(n, x);
		maybe += hits > 0;
	}
	enum csp_relation r = (enum csp_relation)nums[0];
	if (kx != CSP_NONE)
		DOM_EACH(i, n, kx)
		{
			int64_t k = csp_value(n, kx, (uint32_t)i);
			bool ok = false;
			for (int64_t s = sure; s <= maybe && !ok; s++)
				ok = compare(s, r, k);
			if (!ok && !dom_drop(n, kx, (uint32_t)i))
				return false;
		}
	/* the least and the most that some allowed k permits */
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (int64_t s = sure; s <= maybe; s++) {
		bool ok = false;
		if (kx == CSP_NONE)
			ok = compare(s, r, nums[1]);
		else
			DOM_EACH(i, n, kx)
		ok |= compare(s, r, csp_value(n, kx, (uint32_t)i));
		if (ok) {
			low = s < low ? s : low;
			high = s;
		}
	}
	if (low > high)
		return false;
	if (sure == maybe)
		return true;
	if (high == sure)
		return count_force(n, c, count, false);
	if (low == maybe)
		return count_force(n, c, count, true);
	return true;
}

/* ---- ordered: [relation, lengths...] ---- */

uint32_t csp_add_ordered(struct csp *n, const uint32_t *list, size_t count, const int64_t *lengths, enum csp_relation r)
{
	if (r == CSP_NE || r == CSP_EQ)
		return net_refuse(n, "ordered takes lt, le, ge or gt");
	if (!net_scope_ok(n, list, count))
		return CSP_NONE;
	uint32_t data = put_nums(n, (int64_t[]){r}, 1);
	for (size_t i = 0; i + 1 < count; i++) {
		if (lengths && (lengths[i] > INT32_MAX || lengths[i] < INT32_MIN))
			return net_refuse(n, "ordered: length out of range");
		vec_push(&n->nums, lengths ? lengths[i] : 0);
	}
	return net_add(n, CSP_ORDERED, list, count, data);
}

bool csp_prop_ordered(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const uint32_t *s = con_scope(n, c);
	const int64_t *nums = con_nums(n, c);
	bool up = nums[0] == CSP_LT || nums[0] == CSP_LE;
	int64_t strict = nums[0] == CSP_LT || nums[0] == CSP_GT;
	for (uint32_t i = 0; i + 1 < c->arity; i++) {
		int64_t l = nums[1 + i];
		if (up ? !dom_at_least(n, s[i + 1], dom_min(n, s[i]) + l + strict)
		       : !dom_at_most(n, s[i + 1], dom_max(n, s[i]) + l - strict))
			return false;
	}
	for (uint32_t i = c->arity - 1; i--;) {
		int64_t l = nums[1 + i];
		if (up ? !dom_at_most(n, s[i], dom_max(n, s[i + 1]) - l - strict)
		       : !dom_at_least(n, s[i], dom_min(n, s[i + 1]) - l + strict))
			return false;
	}
	return true;
}

/* ---- lex: [relation]; scope: a then b ---- */

uint32_t csp_add_lex(struct csp *n, const uint32_t *a, const uint32_t *b, size_t count, enum csp_relation r)
{
	if (r == CSP_NE || r == CSP_EQ)
		return net_refuse(n, "lex takes lt, le, ge or gt");
	return add_joined(n, CSP_LEX, a, count, b, count, put_nums(n, (int64_t[]){r}, 1));
}

/* Can a[from..] still be lexicographically below b[from..]? */
static bool lex_possible(const struct csp *n, const uint32_t *a, const uint32_t *b, uint32_t from, uint32_t count,
                         bool strict)
{
	for (uint32_t i = from; i < count; i++) {
		int32_t low = dom_min(n, a[i]), high = dom_max(n, b[i]);
		if (low != high)
			return low < high;
	}
	return !strict;
}

/* The first undecided pair carries all there is to infer (Frisch et al. 2002). */
bool csp_prop_lex(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const uint32_t *s = con_scope(n, c);
	enum csp_relation r = (enum csp_relation)con_nums(n, c)[0];
	uint32_t count = c->arity / 2;
	bool strict = r == CSP_LT || r == CSP_GT;
	const uint32_t *a = r == CSP_LT || r == CSP_LE ? s : s + count, *b = a == s ? s + count : s;
	for (uint32_t i = 0; i < count; i++) {
		int64_t gap = lex_possible(n, a, b, i + 1, count, strict) ? 0 : 1;
		if (!dom_at_most(n, a[i], dom_max(n, b[i]) - gap) || !dom_at_least(n, b[i], dom_min(n, a[i]) + gap))
			return false;
		if (dom_size(n, a[i]) > 1 || dom_size(n, b[i]) > 1 || dom_min(n, a[i]) != dom_min(n, b[i]))
			return true;
	}
	return !strict;
}

/* ---- instantiation: [values...] ---- */

uint32_t csp_add_instantiation(struct csp *n, const uint32_t *list, size_t count, const int32_t *values)
{
	if (!net_scope_ok(n, list, count))
		return CSP_NONE;
	uint32_t data = (uint32_t)n->nums.n;
	for (size_t i = 0; i < count; i++)
		vec_push(&n->nums, values[i]);
	return net_add(n, CSP_INSTANTIATION, list, count, data);
}

bool csp_prop_inst(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	for (uint32_t p = 0; p < c->arity; p++)
		if (!fix_value(n, con_scope(n, c)[p], con_nums(n, c)[p]))
			return false;
	return true;
}

/* ---- channel: [size of a, start of a, start of b]; scope: a then b ---- */

uint32_t csp_add_channel(struct csp *n, const uint32_t *a, size_t na, int32_t start_a, const uint32_t *b, size_t nb,
                         int32_t start_b)
{
	if (na > nb)
		return csp_add_channel(n, b, nb, start_b, a, na, start_a);
	return add_joined(n, CSP_CHANNEL, a, na, b, nb, put_nums(n, (int64_t[]){(int64_t)na, start_a, start_b}, 3));
}

/* One direction: x[i] = j needs y[j] = i. With `both`, y[j] = i also forces it. */
static bool channel_side(struct csp *n, const uint32_t *x, uint32_t nx, int64_t start_x, const uint32_t *y, uint32_t ny,
                         int64_t start_y, bool both)
{
	for (uint32_t i = 0; i < nx; i++) {
		DOM_EACH(k, n, x[i])
		{
			int64_t j = csp_value(n, x[i], (uint32_t)k) - start_y;
			bool ok = j >= 0 && j < ny && has_value(n, y[j], i + start_x);
			if (!ok && !dom_drop(n, x[i], (uint32_t)k))
				return false;
		}
		if (dom_size(n, x[i]) == 1 && !fix_value(n, y[dom_min(n, x[i]) - start_y], i + start_x))
			return false;
	}
	for (uint32_t j = 0; both && j < ny; j++)
		if (dom_size(n, y[j]) == 1) {
			int64_t i = dom_min(n, y[j]) - start_x;
			if (i >= 0 && i < nx && !fix_value(n, x[i], j + start_y))
				return false;
		}
	return true;
}

bool csp_prop_channel(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const int64_t *nums = con_nums(n, c);
	const uint32_t *a = con_scope(n, c), *b = a + nums[0];
	uint32_t na = (uint32_t)nums[0], nb = c->arity - na;
	bool both = na == nb;
	return channel_side(n, a, na, nums[1], b, nb, nums[2], both) &&
	       (!both || channel_side(n, b, nb, nums[2], a, na, nums[1], both));
}

/* ---- noOverlap: [lengths...] ---- */

uint32_t csp_add_no_overlap(struct csp *n, const uint32_t *origins, const int64_t *lengths, size_t count)
{
	if (!net_scope_ok(n, origins, count))
		return CSP_NONE;
	for (size_t i = 0; i < count; i++)
		if (lengths[i] < 0 || lengths[i] > INT32_MAX)
			return net_refuse(n, "noOverlap: length %lld out of range", (long long)lengths[i]);
	return net_add(n, CSP_NO_OVERLAP, origins, count, put_nums(n, lengths, count));
}

static bool before(struct csp *n, uint32_t x, int64_t length, uint32_t y)
{
	return dom_at_most(n, x, dom_max(n, y) - length) && dom_at_least(n, y, dom_min(n, x) + length);
}

bool csp_prop_no_overlap(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const uint32_t *s = con_scope(n, c);
	const int64_t *l = con_nums(n, c);
	for (uint32_t i = 0; i < c->arity; i++)
		for (uint32_t j = 0; j < i; j++) {
			if (!l[i] || !l[j])
				continue;
			bool ij = dom_min(n, s[i]) + l[i] <= dom_max(n, s[j]);
			bool ji = dom_min(n, s[j]) + l[j] <= dom_max(n, s[i]);
			if (!ij && !ji)
				return false;
			if (!ji && !before(n, s[i], l[i], s[j]))
				return false;
			if (!ij && !before(n, s[j], l[j], s[i]))
				return false;
			/* one of them fixed: values that overlap it are lost */
			uint32_t f = dom_size(n, s[i]) == 1 ? i : j, o = f == i ? j : i;
			if (dom_size(n, s[f]) == 1)
				DOM_EACH(k, n, s[o])
				{
					int64_t v = csp_value(n, s[o], (uint32_t)k), w = dom_min(n, s[f]);
					if (v + l[o] > w && w + l[f] > v && !dom_drop(n, s[o], (uint32_t)k))
						return false;
				}
		}
	return true;
}

/* ---- maximum, minimum: no numbers; scope: list, value ---- */

uint32_t csp_add_extremum(struct csp *n, bool maximum, const uint32_t *list, size_t count, uint32_t value)
{
	if (!count)
		return net_refuse(n, "%s of an empty list", maximum ? "maximum" : "minimum");
	return add_joined(n, maximum ? CSP_MAXIMUM : CSP_MINIMUM, list, count, &value, 1, 0);
}

bool csp_prop_extremum(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	bool max = c->kind == CSP_MAXIMUM;
	uint32_t count = c->arity - 1, m = con_scope(n, c)[count], able = CSP_NONE, ables = 0;
	int64_t near = max ? INT64_MIN : INT64_MAX, far = near; /* what the extremum is at least / at most worth */
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p];
		int64_t low = dom_min(n, x), high = dom_max(n, x);
		if (max ? low > near : high < near)
			near = max ? low : high;
		if (max ? high > far : low < far)
			far = max ? high : low;
	}
	if (max ? !dom_at_least(n, m, near) || !dom_at_most(n, m, far)
	        : !dom_at_most(n, m, near) || !dom_at_least(n, m, far))
		return false;
	DOM_EACH(i, n, m)
	{
		bool found = false;
		for (uint32_t p = 0; p < count && !found; p++)
			found = has_value(n, con_scope(n, c)[p], csp_value(n, m, (uint32_t)i));
		if (!found && !dom_drop(n, m, (uint32_t)i))
			return false;
	}
	int64_t best = max ? dom_max(n, m) : dom_min(n, m), worst = max ? dom_min(n, m) : dom_max(n, m);
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p];
		if (max ? !dom_at_most(n, x, best) : !dom_at_least(n, x, best))
			return false;
		if (max ? dom_max(n, x) >= worst : dom_min(n, x) <= worst) {
			able = x;
			ables++;
		}
	}
	if (!ables)
		return false;
	if (ables == 1)
		return max ? dom_at_least(n, able, worst) : dom_at_most(n, able, worst);
	return true;
}

/* ---- do values satisfy a constraint? ---- */

static int64_t value_at(const struct csp *n, const struct con *c, const uint32_t *at, uint32_t p)
{
	return csp_value(n, con_scope(n, c)[p], at[p]);
}

static bool count_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	const int64_t *nums = con_nums(n, c);
	uint32_t count = c->arity - (nums[2] ? 1 : 0);
	int64_t hits = 0;
	for (uint32_t p = 0; p < count; p++)
		hits += among(nums, value_at(n, c, at, p));
	return compare(hits, (enum csp_relation)nums[0], nums[2] ? value_at(n, c, at, count) : nums[1]);
}

static bool sum_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	int64_t sum = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		sum += con_nums(n, c)[2 + p] * value_at(n, c, at, p);
	return compare(sum, (enum csp_relation)con_nums(n, c)[0], con_nums(n, c)[1]);
}

static bool ordered_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (!compare(value_at(n, c, at, p) + con_nums(n, c)[1 + p], (enum csp_relation)con_nums(n, c)[0],
		             value_at(n, c, at, p + 1)))
			return false;
	return true;
}

static bool lex_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	uint32_t count = c->arity / 2;
	enum csp_relation r = (enum csp_relation)con_nums(n, c)[0];
	for (uint32_t p = 0; p < count; p++) {
		int64_t a = value_at(n, c, at, p), b = value_at(n, c, at, count + p);
		if (a != b)
			return compare(a, r, b);
	}
	return r == CSP_LE || r == CSP_GE;
}

static bool channel_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	const int64_t *nums = con_nums(n, c);
	uint32_t na = (uint32_t)nums[0], nb = c->arity - na;
	for (uint32_t i = 0; i < na; i++) {
		int64_t j = value_at(n, c, at, i) - nums[2];
		if (j < 0 || j >= nb || value_at(n, c, at, na + (uint32_t)j) != i + nums[1])
			return false;
	}
	for (uint32_t j = 0; na == nb && j < nb; j++) {
		int64_t i = value_at(n, c, at, na + j) - nums[1];
		if (i < 0 || i >= na || value_at(n, c, at, (uint32_t)i) != j + nums[2])
			return false;
	}
	return true;
}

static bool no_overlap_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	const int64_t *l = con_nums(n, c);
	for (uint32_t i = 0; i < c->arity; i++)
		for (uint32_t j = 0; j < i; j++) {
			int64_t a = value_at(n, c, at, i), b = value_at(n, c, at, j);
			if (l[i] && l[j] && a + l[i] > b && b + l[j] > a)
				return false;
		}
	return true;
}

static bool extremum_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	int64_t best = value_at(n, c, at, 0);
	for (uint32_t p = 1; p + 1 < c->arity; p++) {
		int64_t v = value_at(n, c, at, p);
		if (c->kind == CSP_MAXIMUM ? v > best : v < best)
			best = v;
	}
	return best == value_at(n, c, at, c->arity - 1);
}

static bool alldiff_holds(const struct csp *n, const struct con *c, const uint32_t *at)
{
	const int64_t *nums = con_nums(n, c);
	for (uint32_t i = 0; i < c->arity; i++) {
		int64_t a = value_at(n, c, at, i);
		bool excepted = false;
		for (int64_t k = 0; k < nums[0]; k++)
			excepted |= nums[1 + k] == a;
		for (uint32_t j = 0; j < i && !excepted; j++)
			if (value_at(n, c, at, j) == a)
				return false;
	}
	return true;
}

static bool expr_holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	int64_t small[16], *values = c->arity <= 16 ? small : mem_alloc(c->arity, sizeof *values), out = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		values[p] = value_at(n, c, at, p);
	bool ok = expr_eval(n, c->data, values, &out) && out;
	if (values != small)
		mem_free(values);
	return ok;
}

bool con_holds(struct csp *n, uint32_t ci, const uint32_t *at)
{
	const struct con *c = &n->cons.at[ci];
	n->checks++;
	switch ((enum csp_kind)c->kind) {
	case CSP_TABLE: return relation_holds(&n->relations.at[c->data], at);
	case CSP_INTENSION: return expr_holds(n, c, at);
	case CSP_ALLDIFF: return alldiff_holds(n, c, at);
	case CSP_SUM: return sum_holds(n, c, at);
	case CSP_ELEMENT: {
		int64_t i = value_at(n, c, at, c->arity - 2) - con_nums(n, c)[0];
		return i >= 0 && i < c->arity - 2 && value_at(n, c, at, (uint32_t)i) == value_at(n, c, at, c->arity - 1);
	}
	case CSP_COUNT: return count_holds(n, c, at);
	case CSP_ORDERED: return ordered_holds(n, c, at);
	case CSP_LEX: return lex_holds(n, c, at);
	case CSP_INSTANTIATION:
		for (uint32_t p = 0; p < c->arity; p++)
			if (value_at(n, c, at, p) != con_nums(n, c)[p])
				return false;
		return true;
	case CSP_CHANNEL: return channel_holds(n, c, at);
	case CSP_NO_OVERLAP: return no_overlap_holds(n, c, at);
	case CSP_MAXIMUM:
	case CSP_MINIMUM: return extremum_holds(n, c, at);
	case CSP_KIND_COUNT: break;
	}
	return true;
}

bool csp_check_at(struct csp *n, uint32_t c, const uint32_t *at)
{
	return con_holds(n, c, at);
}

bool csp_check_values(struct csp *n, const int32_t *values)
{
	VEC(uint32_t) at = {0};
	bool ok = true;
	for (uint32_t c = 0; c < n->cons.n && ok; c++) {
		const struct con *k = &n->cons.at[c];
		vec_clear(&at);
		for (uint32_t p = 0; p < k->arity && ok; p++) {
			uint32_t i = csp_index(n, con_scope(n, k)[p], values[con_scope(n, k)[p]]);
			ok = i != CSP_NONE;
			vec_push(&at, i);
		}
		ok = ok && (k->objective || con_holds(n, c, at.at));
	}
	vec_free(&at);
	return ok;
}
