/* The judge: what words, expressions, lists, conditions and cells are worth under the values at hand. */
#include "csp/judge/judge_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *judge_word(struct judge *k, const char **s)
{
	const char *from, *p = *s;
	int depth = 0;
	while (isspace((unsigned char)*p))
		p++;
	for (from = p; *p && (depth || !isspace((unsigned char)*p)); p++)
		depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
	*s = p;
	return p == from ? NULL : arena_text(&k->scratch, from, (size_t)(p - from));
}

static void skip(const char **s)
{
	while (isspace((unsigned char)**s))
		(*s)++;
}

/* The text up to a comma or a closing parenthesis of this depth. */
static const char *piece(struct judge *k, const char **s)
{
	skip(s);
	const char *from = *s, *p = from;
	for (int depth = 0; *p && (depth || (*p != ',' && *p != ')')); p++)
		depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
	*s = p;
	while (p > from && isspace((unsigned char)p[-1]))
		p--;
	return arena_text(&k->scratch, from, (size_t)(p - from));
}

const char **judge_rows(struct judge *k, const char *s, size_t *rows, size_t *columns)
{
	VEC(const char *) cells = {0};
	*rows = *columns = 0;
	for (skip(&s); *s == '('; skip(&s)) {
		size_t before = cells.n;
		do {
			s++;
			vec_push(&cells, piece(k, &s));
		} while (*s == ',');
		s += *s == ')';
		*columns = cells.n - before;
		(*rows)++;
	}
	const char **out = arena_copy(&k->scratch, cells.at, cells.n * sizeof *cells.at);
	vec_free(&cells);
	return out;
}

/* ---- expressions ---- */

static const struct maybe none = {false, 0};

static struct maybe number(int64_t v)
{
	return (struct maybe){true, v};
}

static bool is_integer(const char *s)
{
	s += *s == '-' || *s == '+';
	return *s && !s[strspn(s, "0123456789")];
}

static struct maybe leaf(struct judge *k, const char *s)
{
	if (is_integer(s))
		return number(strtoll(s, NULL, 10));
	size_t x = judge_find(k, s);
	if (x != SIZE_MAX)
		return number(k->now[x]);
	sym_t symbol = sym_find(&k->symbols, s, strlen(s));
	if (symbol == SYM_NONE)
		judge_fail(k, NULL, "\"%.40s\" is not known", s);
	return number(symbol);
}

static bool compare(const char *op, int64_t a, int64_t b)
{
	return !strcmp(op, "lt")   ? a < b
	       : !strcmp(op, "le") ? a <= b
	       : !strcmp(op, "ge") ? a >= b
	       : !strcmp(op, "gt") ? a > b
	       : !strcmp(op, "ne") ? a != b
	                           : a == b;
}

static bool is_comparison(const char *op)
{
	static const char *const all[] = {"lt", "le", "ge", "gt", "ne", "eq"};
	for (size_t i = 0; i < 6; i++)
		if (!strcmp(op, all[i]))
			return true;
	return false;
}

static struct maybe power(int64_t a, int64_t b)
{
	int64_t out = 1;
	if (b < 0)
		return none;
	while (b--)
		if (__builtin_mul_overflow(out, a, &out))
			return none;
	return number(out);
}

static struct maybe arithmetic(struct judge *k, const char *op, const int64_t *a, size_t n)
{
	int64_t out = n ? a[0] : 0;
	if (!strcmp(op, "neg"))
		return number(-out);
	if (!strcmp(op, "abs"))
		return number(llabs(out));
	if (!strcmp(op, "sqr"))
		return number(out * out);
	if (!strcmp(op, "sub"))
		return number(a[0] - a[1]);
	if (!strcmp(op, "dist"))
		return number(llabs(a[0] - a[1]));
	if (!strcmp(op, "div"))
		return a[1] ? number(a[0] / a[1]) : none;
	if (!strcmp(op, "mod"))
		return a[1] ? number(a[0] % a[1]) : none;
	if (!strcmp(op, "pow"))
		return power(a[0], a[1]);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(op, "add"))
			out += a[i];
		else if (!strcmp(op, "mul"))
			out *= a[i];
		else if (!strcmp(op, "min"))
			out = a[i] < out ? a[i] : out;
		else if (!strcmp(op, "max"))
			out = a[i] > out ? a[i] : out;
		else
			judge_fail(k, NULL, "the operator %.20s", op);
	return number(out);
}

/* and, or, xor, iff, not, imp; false: it is none of them */
static bool logic(const char *op, const int64_t *a, size_t n, int64_t *out)
{
	size_t true_ones = 0;
	for (size_t i = 0; i < n; i++)
		true_ones += a[i] != 0;
	if (!strcmp(op, "and"))
		*out = true_ones == n;
	else if (!strcmp(op, "or"))
		*out = true_ones > 0;
	else if (!strcmp(op, "xor"))
		*out = true_ones % 2;
	else if (!strcmp(op, "iff"))
		*out = true_ones == n || true_ones == 0;
	else if (!strcmp(op, "not"))
		*out = !a[0];
	else if (!strcmp(op, "imp"))
		*out = !a[0] || a[1];
	else
		return false;
	return true;
}

/* set(a,b,c) or range(a,b) */
static bool in_set(struct judge *k, int64_t v, const char *set)
{
	const char *s = strchr(set, '(');
	bool range = !strncmp(set, "range", 5);
	int64_t bounds[2] = {0, -1};
	for (int i = 0; s && *s != ')' && *s; i++) {
		s++;
		const char *p = piece(k, &s);
		struct maybe m = *p ? judge_eval(k, p) : none;
		if (!range && m.is && m.v == v)
			return true;
		if (range && i < 2)
			bounds[i] = m.v;
	}
	return range && bounds[0] <= v && v <= bounds[1];
}

static struct maybe call(struct judge *k, const char *op, const char **args, size_t n)
{
	int64_t *a = arena_alloc(&k->scratch, (n + 1) * sizeof *a), out;
	if (!strcmp(op, "in") || !strcmp(op, "notin")) {
		struct maybe m = judge_eval(k, args[0]);
		return number(m.is && in_set(k, m.v, args[1]) == !strcmp(op, "in"));
	}
	if (!strcmp(op, "if")) {
		struct maybe m = judge_eval(k, args[0]);
		return m.is ? judge_eval(k, args[m.v ? 1 : 2]) : none;
	}
	for (size_t i = 0; i < n; i++) {
		struct maybe m = judge_eval(k, args[i]);
		if (!m.is)
			return is_comparison(op) ? number(0) : none; /* the nearest comparison is false */
		a[i] = m.v;
	}
	if (is_comparison(op)) {
		for (size_t i = 0; i + 1 < n; i++)
			if (!compare(op, a[i], a[i + 1]))
				return number(0);
		return number(1);
	}
	return logic(op, a, n, &out) ? number(out) : arithmetic(k, op, a, n);
}

struct maybe judge_eval(struct judge *k, const char *s)
{
	skip(&s);
	const char *open = strchr(s, '(');
	if (!open) {
		size_t n = strlen(s);
		while (n && isspace((unsigned char)s[n - 1]))
			n--;
		return leaf(k, arena_text(&k->scratch, s, n));
	}
	size_t n = (size_t)(open - s);
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	const char *op = arena_text(&k->scratch, s, n), **args;
	size_t room = 1, count = 0;
	for (const char *p = open; *p; p++)
		room += *p == ',';
	args = arena_alloc(&k->scratch, room * sizeof *args);
	for (s = open; *s == '(' || *s == ',';) {
		s++;
		const char *p = piece(k, &s);
		if (*p)
			args[count++] = p;
	}
	return call(k, op, args, count);
}

/* ---- lists ---- */

static bool within(const struct array *a, const int64_t *low, const int64_t *high, size_t at)
{
	for (uint32_t d = a->dims; d--; at /= (size_t)a->size[d]) {
		int64_t i = (int64_t)(at % (size_t)a->size[d]) + a->start[d];
		if (i < low[d] || i > high[d])
			return false;
	}
	return true;
}

/* Values of x[..], *sizes gets the extents of its ranges. */
static void array_part(struct judge *k, const char *word, numbers *out, size_t *extent)
{
	const char *s = strchr(word, '[');
	sym_t id = sym_find(&k->arrays, word, (size_t)(s - word));
	if (id == SYM_NONE)
		judge_fail(k, NULL, "\"%.40s\" is not known", word);
	const struct array *a = &k->shape.at[id];
	int64_t low[8], high[8];
	size_t cells = 1;
	for (uint32_t d = 0; d < a->dims && s; d++, s = strchr(s + 1, '[')) {
		const char *end = strchr(s, ']'), *dots = strstr(s, "..");
		bool open = s[1] == ']';
		low[d] = open ? a->start[d] : strtoll(s + 1, NULL, 10);
		high[d] = open ? a->start[d] + a->size[d] - 1 : dots && dots < end ? strtoll(dots + 2, NULL, 10) : low[d];
		cells *= (size_t)a->size[d];
		if (extent)
			extent[d] = (size_t)(high[d] - low[d] + 1);
	}
	for (size_t i = 0; i < cells; i++)
		if (within(a, low, high, i) && k->cells.at[a->first + i] != SIZE_MAX)
			vec_push(out, k->now[k->cells.at[a->first + i]]);
}

static void push_interval(const char *word, numbers *out)
{
	char *end;
	int64_t low = strtoll(word, &end, 10), high = *end == '.' ? strtoll(end + 2, NULL, 10) : low;
	int64_t times = *end == 'x' ? strtoll(end + 1, NULL, 10) : 1;
	for (; times-- > 0;)
		for (int64_t v = low; v <= high; v++)
			vec_push(out, v);
}

void judge_list(struct judge *k, const char *s, numbers *out)
{
	const char *word;
	while ((word = judge_word(k, &s))) {
		if (isdigit((unsigned char)*word) || *word == '-' || *word == '+') {
			push_interval(word, out);
			continue;
		}
		if (judge_find(k, word) == SIZE_MAX && !strchr(word, '(') && strchr(word, '[')) {
			array_part(k, word, out, NULL);
			continue;
		}
		struct maybe m = judge_eval(k, word);
		k->undefined = k->undefined || !m.is;
		vec_push(out, m.v);
	}
}

int64_t judge_one(struct judge *k, const char *s)
{
	struct maybe m = judge_eval(k, s);
	k->undefined = k->undefined || !m.is;
	return m.v;
}

void judge_matrix(struct judge *k, const char *s, numbers *out, size_t *rows, size_t *columns)
{
	skip(&s);
	if (*s == '(') {
		const char **cells = judge_rows(k, s, rows, columns);
		for (size_t i = 0; i < *rows * *columns; i++)
			vec_push(out, judge_one(k, cells[i]));
		return;
	}
	size_t extent[8] = {1, 1, 1, 1, 1, 1, 1, 1}, used[2] = {1, 1}, n = 0;
	const char *word = judge_word(k, &s);
	array_part(k, word, out, extent);
	sym_t id = sym_find(&k->arrays, word, strcspn(word, "["));
	for (uint32_t d = 0; d < k->shape.at[id].dims && n < 2; d++)
		if (extent[d] > 1 || k->shape.at[id].dims == 2)
			used[n++] = extent[d];
	*rows = used[0];
	*columns = used[1];
}

/* ---- conditions and cells ---- */

static bool in_braces(int64_t v, const char *s)
{
	for (s++; *s && *s != '}';) {
		char *end;
		s += strspn(s, ", \t\r\n");
		if (*s == '}')
			break;
		int64_t low = strtoll(s, &end, 10), high = !strncmp(end, "..", 2) ? strtoll(end + 2, &end, 10) : low;
		if (v >= low && v <= high)
			return true;
		if (end == s)
			break;
		s = end;
	}
	return false;
}

bool judge_condition(struct judge *k, int64_t v, const char *s)
{
	s += strspn(s, " \t\r\n(");
	const char *op = piece(k, &s);
	s += *s == ',';
	const char *operand = piece(k, &s), *dots = strstr(operand, "..");
	bool in = !strcmp(op, "in"), notin = !strcmp(op, "notin");
	if (!in && !notin)
		return compare(op, v, judge_one(k, operand));
	bool is = *operand == '{' ? in_braces(v, operand)
	          : dots          ? v >= strtoll(operand, NULL, 10) && v <= strtoll(dots + 2, NULL, 10)
	                          : v == strtoll(operand, NULL, 10);
	return is == in;
}

bool judge_cell(struct judge *k, int64_t v, const char *s)
{
	static const struct {
		const char *sign, *op;
	} signs[] = {{"\xe2\x89\xa0", "ne"},
	             {"\xe2\x89\xa4", "le"},
	             {"\xe2\x89\xa5", "ge"},
	             {"!=", "ne"},
	             {"<=", "le"},
	             {">=", "ge"},
	             {"<", "lt"},
	             {">", "gt"},
	             {"=", "eq"}};
	if (!strcmp(s, "*"))
		return true;
	if (!strncmp(s, "\xe2\x88\x81", 3))
		return !judge_cell(k, v, s + 3);
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strncmp(s, signs[i].sign, strlen(signs[i].sign)))
			return compare(signs[i].op, v, strtoll(s + strlen(signs[i].sign), NULL, 10));
	if (*s == '{')
		return in_braces(v, s);
	const char *dots = strstr(s, "..");
	if (dots)
		return v >= strtoll(s, NULL, 10) && v <= strtoll(dots + 2, NULL, 10);
	return v == (is_integer(s) ? strtoll(s, NULL, 10) : judge_symbol(k, s));
}
