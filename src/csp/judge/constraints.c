/* The judge: what each constraint means, by the words of its definition. */
#include "csp/judge/judge_internal.h"

#include <stdlib.h>
#include <string.h>

/* The constraint at hand, and the values of its lists. */
struct matter {
	struct judge *k;
	const xmlNode *e;
	numbers list; /* of <list>, or of the text of the element itself */
};

static const char *part(const struct matter *m, const char *name)
{
	const xmlNode *c = judge_child(m->e, name, 0);
	return c ? judge_text(m->k, c) : "";
}

static bool has(const struct matter *m, const char *name)
{
	return judge_child(m->e, name, 0) != NULL;
}

static bool says(const struct matter *m, const char *child, const char *attribute, const char *value)
{
	const xmlNode *c = child ? judge_child(m->e, child, 0) : m->e;
	return c && !strcmp(judge_attr(m->k, c, attribute), value);
}

static int64_t start_of(const struct matter *m, const char *child)
{
	const xmlNode *c = judge_child(m->e, child, 0);
	return judge_number(m->k, c ? c : m->e, "startIndex", 0);
}

static bool listed(const numbers *v, int64_t x)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->at[i] == x)
			return true;
	return false;
}

/* Numbers, symbols or variables of a child. */
static void values_of(const struct matter *m, const char *name, numbers *out)
{
	judge_list(m->k, part(m, name), out);
}

static bool condition_on(const struct matter *m, int64_t v)
{
	return judge_condition(m->k, v, part(m, "condition"));
}

static bool relation(const char *op, int64_t a, int64_t b)
{
	return !strcmp(op, "lt") ? a < b : !strcmp(op, "le") ? a <= b : !strcmp(op, "gt") ? a > b : a >= b;
}

static const char *order_of(const struct matter *m)
{
	const char *s = part(m, "operator"), *how = judge_attr(m->k, m->e, "case");
	if (!*how)
		return judge_word(m->k, &s);
	return !strcmp(how, "increasing")           ? "le"
	       : !strcmp(how, "strictlyIncreasing") ? "lt"
	       : !strcmp(how, "decreasing")         ? "ge"
	                                            : "gt";
}

/* ---- by expressions and tables ---- */

static bool intension(struct matter *m)
{
	const char *s = has(m, "function") ? part(m, "function") : judge_text(m->k, m->e);
	struct maybe v = judge_eval(m->k, s);
	return v.is && v.v;
}

static bool is_row(struct matter *m, const char **cells)
{
	for (size_t i = 0; i < m->list.n; i++)
		if (!judge_cell(m->k, m->list.at[i], cells[i]))
			return false;
	return true;
}

static bool extension(struct matter *m)
{
	bool positive = has(m, "supports"), found = false;
	const char *s = part(m, positive ? "supports" : "conflicts"), *word;
	if (m->list.n == 1 && s[strspn(s, " \t\r\n")] != '(') {
		while ((word = judge_word(m->k, &s)))
			found = found || judge_cell(m->k, m->list.at[0], word);
		return found == positive;
	}
	size_t rows, columns;
	const char **cells = judge_rows(m->k, s, &rows, &columns);
	for (size_t i = 0; i < rows && !found; i++)
		found = is_row(m, cells + i * columns);
	return found == positive;
}

/* ---- automata ---- */

static bool has_word(struct judge *k, const char *s, const char *word)
{
	const char *w;
	while ((w = judge_word(k, &s)))
		if (!strcmp(w, word))
			return true;
	return false;
}

static bool among(const char **all, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i], word))
			return true;
	return false;
}

/* Can a run from `state` over all values end in one of the final states (NULL: in any)? */
static bool accepts(struct matter *m, const char **t, size_t rows, const char *state, const char *final)
{
	const char **now = arena_alloc(&m->k->scratch, (rows + 1) * sizeof *now),
			   **next = arena_alloc(&m->k->scratch, (rows + 1) * sizeof *next);
	size_t count = 1;
	now[0] = state;
	for (size_t i = 0; i < m->list.n; i++) {
		size_t reached = 0;
		for (size_t r = 0; r < rows; r++)
			if (among(now, count, t[3 * r]) && judge_cell(m->k, m->list.at[i], t[3 * r + 1]) &&
			    !among(next, reached, t[3 * r + 2]))
				next[reached++] = t[3 * r + 2];
		const char **swap = now;
		now = next;
		next = swap;
		count = reached;
	}
	bool ok = !final && count;
	for (size_t i = 0; final && i < count; i++)
		ok = ok || has_word(m->k, final, now[i]);
	return ok;
}

static bool regular(struct matter *m)
{
	size_t rows, columns;
	const char **t = judge_rows(m->k, part(m, "transitions"), &rows, &columns), *s = part(m, "start");
	return accepts(m, t, rows, judge_word(m->k, &s), part(m, "final"));
}

static bool mdd(struct matter *m)
{
	size_t rows, columns;
	const char **t = judge_rows(m->k, part(m, "transitions"), &rows, &columns);
	return rows && accepts(m, t, rows, t[0], NULL);
}

/* ---- comparing ---- */

static bool differ(const int64_t *v, size_t count, size_t step, const numbers *except)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (v[i * step] == v[j * step] && !listed(except, v[i * step]))
				return false;
	return true;
}

static bool matrix_differs(struct matter *m, const numbers *except)
{
	numbers v = {0};
	size_t rows, columns;
	judge_matrix(m->k, part(m, "matrix"), &v, &rows, &columns);
	bool ok = true;
	for (size_t i = 0; i < rows; i++)
		ok = ok && differ(v.at + i * columns, columns, 1, except);
	for (size_t j = 0; j < columns; j++)
		ok = ok && differ(v.at + j, rows, columns, except);
	vec_free(&v);
	return ok;
}

static bool is_excepted(struct matter *m, const numbers *list)
{
	size_t rows, columns;
	const char **cells = judge_rows(m->k, part(m, "except"), &rows, &columns);
	for (size_t r = 0; r < rows; r++) {
		bool same = columns == list->n;
		for (size_t i = 0; same && i < columns; i++)
			same = judge_cell(m->k, list->at[i], cells[r * columns + i]);
		if (same)
			return true;
	}
	return false;
}

static bool lists_differ(struct matter *m)
{
	bool ok = true;
	for (int i = 1; judge_child(m->e, "list", i); i++)
		for (int j = 0; j < i; j++) {
			numbers a = {0}, b = {0};
			judge_list(m->k, judge_text(m->k, judge_child(m->e, "list", i)), &a);
			judge_list(m->k, judge_text(m->k, judge_child(m->e, "list", j)), &b);
			bool same = a.n == b.n && !memcmp(a.at, b.at, a.n * sizeof *a.at);
			ok = ok && (!same || is_excepted(m, &a));
			vec_free(&a);
			vec_free(&b);
		}
	return ok;
}

static bool all_different(struct matter *m)
{
	numbers except = {0};
	if (judge_child(m->e, "list", 1))
		return lists_differ(m);
	values_of(m, "except", &except);
	bool ok = has(m, "matrix") ? matrix_differs(m, &except) : differ(m->list.at, m->list.n, 1, &except);
	vec_free(&except);
	return ok;
}

static bool all_equal(struct matter *m)
{
	numbers except = {0};
	bool ok = true;
	values_of(m, "except", &except);
	for (size_t i = 0; i < m->list.n; i++)
		for (size_t j = 0; j < i; j++)
			ok = ok &&
			     (m->list.at[i] == m->list.at[j] || listed(&except, m->list.at[i]) || listed(&except, m->list.at[j]));
	vec_free(&except);
	return ok;
}

static bool ordered(struct matter *m)
{
	numbers lengths = {0};
	const char *op = order_of(m);
	bool ok = true;
	values_of(m, "lengths", &lengths);
	for (size_t i = 0; i + 1 < m->list.n; i++)
		ok = ok && relation(op, m->list.at[i] + (i < lengths.n ? lengths.at[i] : 0), m->list.at[i + 1]);
	vec_free(&lengths);
	return ok;
}

static bool before(const char *op, const int64_t *a, const int64_t *b, size_t count, size_t step)
{
	for (size_t i = 0; i < count; i++)
		if (a[i * step] != b[i * step])
			return relation(op, a[i * step], b[i * step]);
	return relation(op, 0, 0);
}

static bool lex(struct matter *m)
{
	numbers v = {0};
	const char *op = order_of(m);
	size_t rows = 0, columns = 0;
	bool ok = true, matrix = has(m, "matrix");
	if (matrix)
		judge_matrix(m->k, part(m, "matrix"), &v, &rows, &columns);
	for (int i = 0; !matrix && judge_child(m->e, "list", i); i++, rows++) {
		judge_list(m->k, judge_text(m->k, judge_child(m->e, "list", i)), &v);
		columns = i ? columns : v.n;
	}
	for (size_t i = 0; i + 1 < rows; i++)
		ok = ok && before(op, v.at + i * columns, v.at + (i + 1) * columns, columns, 1);
	for (size_t j = 0; matrix && j + 1 < columns; j++)
		ok = ok && before(op, v.at + j, v.at + j + 1, rows, columns);
	vec_free(&v);
	return ok;
}

static size_t place_of(const numbers *list, int64_t v)
{
	size_t i = 0;
	while (i < list->n && list->at[i] != v)
		i++;
	return i;
}

static int upwards(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* All values that the domains of the variables in the list have. */
static void domains_of(struct matter *m, numbers *out)
{
	const char *s = has(m, "list") ? part(m, "list") : judge_text(m->k, m->e), *word;
	while ((word = judge_word(m->k, &s)))
		for (size_t x = 0; x < judge_variables(m->k); x++) {
			const char *name = judge_name(m->k, x);
			size_t n = strcspn(word, "[");
			bool named = !strcmp(name, word) || (strchr(word, '[') && !strncmp(name, word, n) && name[n] == '[');
			for (size_t i = 0; named && i < judge_size(m->k, x); i++)
				if (!listed(out, judge_value(m->k, x, i)))
					vec_push(out, judge_value(m->k, x, i));
		}
	qsort(out->at, out->n, sizeof *out->at, upwards);
}

static bool precedence(struct matter *m)
{
	numbers values = {0};
	bool ok = true, covered = says(m, "values", "covered", "true") || says(m, NULL, "covered", "true");
	values_of(m, "values", &values);
	if (!has(m, "values"))
		domains_of(m, &values);
	for (size_t i = 0; i + 1 < values.n; i++) {
		size_t a = place_of(&m->list, values.at[i]), b = place_of(&m->list, values.at[i + 1]);
		ok = ok && (b == m->list.n || a < b);
	}
	ok = ok && (!covered || listed(&m->list, values.at[values.n - 1]));
	vec_free(&values);
	return ok;
}

/* ---- counting ---- */

static int64_t weighted(struct matter *m, const char *weights)
{
	numbers c = {0};
	int64_t sum = 0;
	values_of(m, weights, &c);
	for (size_t i = 0; i < m->list.n; i++)
		sum += m->list.at[i] * (i < c.n ? c.at[i] : 1);
	vec_free(&c);
	return sum;
}

static bool sum(struct matter *m)
{
	return condition_on(m, weighted(m, "coeffs"));
}

static bool count(struct matter *m)
{
	numbers values = {0};
	int64_t hits = 0;
	values_of(m, "values", &values);
	for (size_t i = 0; i < m->list.n; i++)
		hits += listed(&values, m->list.at[i]);
	vec_free(&values);
	return condition_on(m, hits);
}

static bool n_values(struct matter *m)
{
	numbers except = {0};
	int64_t different = 0;
	values_of(m, "except", &except);
	for (size_t i = 0; i < m->list.n; i++)
		different += place_of(&m->list, m->list.at[i]) == i && !listed(&except, m->list.at[i]);
	vec_free(&except);
	return condition_on(m, different);
}

/* Words of <occurs> one by one; those that name several variables count as several. */
static bool occurs_right(struct matter *m, const numbers *values)
{
	const char *s = part(m, "occurs"), *word;
	size_t i = 0;
	while ((word = judge_word(m->k, &s))) {
		const char *dots = strstr(word, "..");
		numbers v = {0};
		if (dots && !strchr(word, '[')) {
			vec_push(&v, strtoll(word, NULL, 10));
			vec_push(&v, strtoll(dots + 2, NULL, 10));
		} else {
			judge_list(m->k, word, &v);
		}
		bool interval = dots && !strchr(word, '['), ok = true;
		for (size_t j = 0; j < (interval ? 1 : v.n) && ok && i < values->n; j++, i++) {
			int64_t hits = 0;
			for (size_t p = 0; p < m->list.n; p++)
				hits += m->list.at[p] == values->at[i];
			ok = interval ? v.at[0] <= hits && hits <= v.at[1] : hits == v.at[j];
		}
		vec_free(&v);
		if (!ok)
			return false;
	}
	return true;
}

static bool cardinality(struct matter *m)
{
	numbers values = {0};
	values_of(m, "values", &values);
	bool ok = occurs_right(m, &values), closed = says(m, "values", "closed", "true") || says(m, NULL, "closed", "true");
	for (size_t i = 0; closed && i < m->list.n; i++)
		ok = ok && listed(&values, m->list.at[i]);
	vec_free(&values);
	return ok;
}

/* ---- connecting ---- */

static int64_t extreme(const numbers *v, bool maximum)
{
	int64_t out = v->at[0];
	for (size_t i = 1; i < v->n; i++)
		if (maximum ? v->at[i] > out : v->at[i] < out)
			out = v->at[i];
	return out;
}

/* Is place i the first (last) that satisfies `is`? */
static bool ranked(const struct matter *m, const char *rank, size_t i,
                   bool (*is)(const struct matter *, size_t, int64_t), int64_t of)
{
	for (size_t j = 0; j < m->list.n; j++)
		if (((!strcmp(rank, "first") && j < i) || (!strcmp(rank, "last") && j > i)) && is(m, j, of))
			return false;
	return true;
}

static bool equals(const struct matter *m, size_t i, int64_t of)
{
	return m->list.at[i] == of;
}

static bool extremum(struct matter *m)
{
	int64_t best = extreme(&m->list, judge_is(m->e, "maximum"));
	if (has(m, "index")) {
		int64_t i = judge_one(m->k, part(m, "index")) - start_of(m, "list");
		const char *rank = judge_attr(m->k, judge_child(m->e, "index", 0), "rank");
		if (i < 0 || i >= (int64_t)m->list.n || m->list.at[i] != best || !ranked(m, rank, (size_t)i, equals, best))
			return false;
	}
	return !has(m, "condition") || condition_on(m, best);
}

static bool arg_extremum(struct matter *m)
{
	int64_t best = extreme(&m->list, judge_is(m->e, "maximumArg"));
	const char *rank = judge_attr(m->k, judge_child(m->e, "list", 0), "rank");
	rank = *rank ? rank : judge_attr(m->k, m->e, "rank");
	for (size_t i = 0; i < m->list.n; i++)
		if (m->list.at[i] == best && ranked(m, rank, i, equals, best) &&
		    condition_on(m, (int64_t)i + start_of(m, "list")))
			return true;
	return false;
}

static bool fits(const struct matter *m, int64_t v)
{
	return has(m, "value") ? v == judge_one(m->k, part(m, "value")) : condition_on(m, v);
}

static bool fits_at(const struct matter *m, size_t i, int64_t of)
{
	return fits(m, m->list.at[i] + 0 * of);
}

static bool matrix_element(struct matter *m)
{
	numbers v = {0}, index = {0};
	size_t rows, columns;
	const xmlNode *e = judge_child(m->e, "matrix", 0);
	judge_matrix(m->k, judge_text(m->k, e), &v, &rows, &columns);
	values_of(m, "index", &index);
	bool ok = false;
	if (index.n == 2) {
		int64_t i = index.at[0] - judge_number(m->k, e, "startRowIndex", 0);
		int64_t j = index.at[1] - judge_number(m->k, e, "startColIndex", 0);
		ok = i >= 0 && j >= 0 && i < (int64_t)rows && j < (int64_t)columns && fits(m, v.at[i * (int64_t)columns + j]);
	}
	for (size_t i = 0; !index.n && i < v.n; i++)
		ok = ok || fits(m, v.at[i]);
	vec_free(&v);
	vec_free(&index);
	return ok;
}

static bool element(struct matter *m)
{
	if (has(m, "matrix"))
		return matrix_element(m);
	if (has(m, "index")) {
		int64_t i = judge_one(m->k, part(m, "index")) - start_of(m, "list");
		const char *rank = judge_attr(m->k, judge_child(m->e, "index", 0), "rank");
		return i >= 0 && i < (int64_t)m->list.n && fits(m, m->list.at[i]) && ranked(m, rank, (size_t)i, fits_at, 0);
	}
	for (size_t i = 0; i < m->list.n; i++)
		if (fits(m, m->list.at[i]))
			return true;
	return false;
}

static bool points_back(const numbers *a, int64_t start_a, const numbers *b, int64_t start_b)
{
	for (size_t i = 0; i < a->n; i++) {
		int64_t j = a->at[i] - start_b;
		if (j < 0 || j >= (int64_t)b->n || b->at[j] != (int64_t)i + start_a)
			return false;
	}
	return true;
}

static bool channel(struct matter *m)
{
	const xmlNode *second = judge_child(m->e, "list", 1);
	int64_t start = start_of(m, "list"), ones = 0;
	if (has(m, "value")) {
		int64_t at = judge_one(m->k, part(m, "value")) - start;
		for (size_t i = 0; i < m->list.n; i++)
			ones += m->list.at[i] == 1;
		return ones == 1 && at >= 0 && at < (int64_t)m->list.n && m->list.at[at] == 1;
	}
	if (!second)
		return points_back(&m->list, start, &m->list, start);
	numbers b = {0};
	judge_list(m->k, judge_text(m->k, second), &b);
	int64_t start_b = judge_number(m->k, second, "startIndex", 0);
	bool longer = m->list.n > b.n;
	bool ok = longer ? points_back(&b, start_b, &m->list, start) : points_back(&m->list, start, &b, start_b);
	vec_free(&b);
	return ok;
}

static bool circuit(struct matter *m)
{
	int64_t start = start_of(m, "list");
	size_t moving = 0, first = SIZE_MAX, steps = 0;
	for (size_t i = 0; i < m->list.n; i++) {
		int64_t to = m->list.at[i] - start;
		if (to < 0 || to >= (int64_t)m->list.n)
			return false;
		if (to != (int64_t)i) {
			moving++;
			first = first == SIZE_MAX ? i : first;
		}
	}
	if (!moving)
		return false;
	size_t i = first;
	do
		i = (size_t)(m->list.at[i] - start);
	while (++steps < moving && i != first);
	return i == first && steps == moving && (!has(m, "size") || judge_one(m->k, part(m, "size")) == (int64_t)moving);
}

/* ---- packing ---- */

static bool apart(const int64_t *o, const int64_t *l, size_t i, size_t j, size_t dims, bool zero_ignored)
{
	for (size_t d = 0; d < dims; d++) {
		size_t a = i * dims + d, b = j * dims + d;
		if (o[a] + l[a] <= o[b] || o[b] + l[b] <= o[a] || (zero_ignored && (!l[a] || !l[b])))
			return true;
	}
	return false;
}

static bool no_overlap(struct matter *m)
{
	numbers o = {0}, l = {0};
	const char *s = part(m, "origins");
	size_t tasks, dims = 1;
	if (s[strspn(s, " \t\r\n")] == '(' || strchr(part(m, "lengths"), '(')) {
		judge_matrix(m->k, s, &o, &tasks, &dims);
		judge_matrix(m->k, part(m, "lengths"), &l, &tasks, &dims);
	} else {
		values_of(m, "origins", &o);
		values_of(m, "lengths", &l);
	}
	bool ok = true, zero_ignored = !says(m, NULL, "zeroIgnored", "false");
	for (size_t i = 0; i < o.n / dims; i++)
		for (size_t j = 0; j < i; j++)
			ok = ok && apart(o.at, l.at, i, j, dims, zero_ignored);
	vec_free(&o);
	vec_free(&l);
	return ok;
}

static bool cumulative(struct matter *m)
{
	numbers o = {0}, l = {0}, h = {0}, ends = {0};
	bool ok = condition_on(m, 0);
	values_of(m, "origins", &o);
	values_of(m, "lengths", &l);
	values_of(m, "heights", &h);
	values_of(m, "ends", &ends);
	for (size_t i = 0; i < o.n; i++) {
		int64_t spent = 0;
		for (size_t j = 0; j < o.n; j++)
			spent += o.at[j] <= o.at[i] && o.at[i] < o.at[j] + l.at[j] ? h.at[j] : 0;
		ok = ok && condition_on(m, spent) && (i >= ends.n || ends.at[i] == o.at[i] + l.at[i]);
	}
	vec_free(&o);
	vec_free(&l);
	vec_free(&h);
	vec_free(&ends);
	return ok;
}

static int64_t load(const numbers *list, const numbers *sizes, int64_t bin)
{
	int64_t sum = 0;
	for (size_t i = 0; i < list->n; i++)
		sum += list->at[i] == bin ? sizes->at[i] : 0;
	return sum;
}

static bool bins_fit(struct matter *m, const numbers *sizes)
{
	const xmlNode *each = judge_child(m->e, "conditions", 0);
	const char *s = part(m, "conditions"), *word;
	numbers room = {0};
	bool ok = true, exact = has(m, "loads");
	values_of(m, exact ? "loads" : "limits", &room);
	for (size_t i = 0; i < room.n; i++) {
		int64_t is = load(&m->list, sizes, (int64_t)i);
		ok = ok && (exact ? is == room.at[i] : is <= room.at[i]);
	}
	vec_free(&room);
	for (int64_t bin = each ? judge_number(m->k, each, "startIndex", 0) : 0; (word = judge_word(m->k, &s)); bin++)
		ok = ok && judge_condition(m->k, load(&m->list, sizes, bin), word);
	return ok;
}

static bool bin_packing(struct matter *m)
{
	numbers sizes = {0};
	bool ok = true;
	values_of(m, "sizes", &sizes);
	if (has(m, "condition"))
		for (size_t i = 0; i < m->list.n; i++)
			ok = ok && condition_on(m, load(&m->list, &sizes, m->list.at[i]));
	else
		ok = bins_fit(m, &sizes);
	vec_free(&sizes);
	return ok;
}

static bool knapsack(struct matter *m)
{
	return judge_condition(m->k, weighted(m, "weights"), judge_text(m->k, judge_child(m->e, "condition", 0))) &&
	       judge_condition(m->k, weighted(m, "profits"), judge_text(m->k, judge_child(m->e, "condition", 1)));
}

static bool flow(struct matter *m)
{
	numbers balance = {0};
	size_t rows, columns;
	const char **arcs = judge_rows(m->k, part(m, "arcs"), &rows, &columns);
	int64_t low = INT64_MAX;
	bool ok = true;
	values_of(m, "balance", &balance);
	for (size_t i = 0; i < 2 * rows; i++)
		low = strtoll(arcs[i], NULL, 10) < low ? strtoll(arcs[i], NULL, 10) : low;
	for (size_t node = 0; node < balance.n; node++) {
		int64_t net = 0;
		for (size_t a = 0; a < rows; a++) {
			net += strtoll(arcs[2 * a], NULL, 10) - low == (int64_t)node ? m->list.at[a] : 0;
			net -= strtoll(arcs[2 * a + 1], NULL, 10) - low == (int64_t)node ? m->list.at[a] : 0;
		}
		ok = ok && net == balance.at[node];
	}
	vec_free(&balance);
	return ok && (!has(m, "condition") || condition_on(m, weighted(m, "weights")));
}

/* ---- elementary ---- */

static bool clause(struct matter *m)
{
	const char *s = has(m, "list") ? part(m, "list") : judge_text(m->k, m->e), *word;
	bool any = false;
	while ((word = judge_word(m->k, &s))) {
		numbers v = {0};
		judge_list(m->k, word, &v);
		for (size_t i = 0; i < v.n; i++)
			any = any || v.at[i] != 0;
		vec_free(&v);
	}
	return any;
}

static bool instantiation(struct matter *m)
{
	const char *s = part(m, "values"), *word;
	size_t i = 0;
	while ((word = judge_word(m->k, &s))) {
		const char *times = strpbrk(word, "0123456789") ? strchr(word, 'x') : NULL;
		size_t repeat = times && times > word ? strtoul(times + 1, NULL, 10) : 1;
		const char *cell = times && times > word ? arena_text(&m->k->scratch, word, (size_t)(times - word)) : word;
		for (; repeat-- && i < m->list.n; i++)
			if (!judge_cell(m->k, m->list.at[i], cell))
				return false;
	}
	return true;
}

/* ---- all ---- */

static const struct {
	const char *name;
	bool (*holds)(struct matter *m);
	bool list; /* it has one, or its text is one */
} known[] = {
	{"intension", intension, false},
	{"extension", extension, true},
	{"regular", regular, true},
	{"mdd", mdd, true},
	{"allDifferent", all_different, true},
	{"allEqual", all_equal, true},
	{"ordered", ordered, true},
	{"lex", lex, false},
	{"precedence", precedence, true},
	{"sum", sum, true},
	{"count", count, true},
	{"nValues", n_values, true},
	{"cardinality", cardinality, true},
	{"maximum", extremum, true},
	{"minimum", extremum, true},
	{"maximumArg", arg_extremum, true},
	{"minimumArg", arg_extremum, true},
	{"element", element, true},
	{"channel", channel, true},
	{"noOverlap", no_overlap, false},
	{"cumulative", cumulative, false},
	{"binPacking", bin_packing, true},
	{"knapsack", knapsack, true},
	{"flow", flow, true},
	{"circuit", circuit, true},
	{"clause", clause, false},
	{"instantiation", instantiation, true},
};

static bool plain(struct judge *k, const xmlNode *e, size_t i)
{
	struct matter m = {.k = k, .e = e};
	const xmlNode *list = judge_child(e, "list", 0);
	bool inside = list || !xmlFirstElementChild(unconst(e));
	k->undefined = false;
	if (known[i].list && inside)
		judge_list(k, judge_text(k, list ? list : e), &m.list);
	bool ok = known[i].holds(&m) && !k->undefined;
	vec_free(&m.list);
	return ok;
}

bool judge_constraint(struct judge *k, const xmlNode *e)
{
	static const char *const reified[] = {"reifiedBy", "hreifiedFrom", "hreifiedTo"};
	size_t i = 0;
	while (i < sizeof known / sizeof *known && !judge_is(e, known[i].name))
		i++;
	if (i == sizeof known / sizeof *known)
		judge_fail(k, e, "the constraint %s is not known", (const char *)e->name);
	bool holds = plain(k, e, i);
	for (int r = 0; r < 3; r++) {
		const char *name = judge_attr(k, e, reified[r]);
		if (!*name)
			continue;
		bool b = judge_one(k, name) != 0;
		return r == 0 ? b == holds : r == 1 ? !b || holds : !holds || b;
	}
	return holds;
}
