/* Reads stochastic problems (XCSP3, type SCSP). Variables and constraints are
 * read by the reader of plain networks; here are the parts it does not handle. See
 * docs/xcsp3.md for the format.
 *
 * A stochastic document is read into two networks at once, hard and chance: each
 * constraint is posted in both, so that both have the same variables, and then
 * taken back from the one it does not belong to. */
#include "csp/xcsp3.h"
#include "scsp/scsp_internal.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release(void *doc)
{
	xmlFreeDoc(doc);
}

static const char *sole_attr(struct xcsp *r, xmlNode *e, const char *name)
{
	x_at(r, e);
	const char *v = x_attr(r, e, name);
	if (!v)
		x_fail(r, "<%.40s> without %s=\"...\"", (const char *)e->name, name);
	return v;
}

/* ---- numbers ---- */

/* 1/6, 0.25, 1 */
static struct scsp_p number(struct xcsp *r, const char **s)
{
	const char *p = *s;
	char *end;
	errno = 0;
	x_space(&p);
	double value = strtod(p, &end);
	struct scsp_p out = scsp_decimal(value);
	if (end == p || errno || (isalpha((unsigned char)*p)))
		x_fail(r, "a number is expected at \"%.20s\"", p);
	int64_t num, den;
	const char *q = p;
	if (x_int(&q, &num) && *q != '.' && *q != 'e' && *q != 'E') {
		den = 1;
		if (*q == '/' && (q++, !x_int(&q, &den) || den <= 0))
			x_fail(r, "a bad fraction at \"%.20s\"", p);
		out = scsp_ratio(num, den);
		end = unconst(q);
	}
	if (*end && !isspace((unsigned char)*end))
		x_fail(r, "a number is expected at \"%.20s\"", p);
	*s = end;
	return out;
}

static bool more(const char **s)
{
	x_space(s);
	return **s != 0;
}

/* ---- stochastic variables: value:probability ---- */

typedef VEC(struct scsp_p) probabilities;

struct drawn { /* a declaration with probabilities */
	const char *id;
	VEC(char *) values;
	probabilities p;
	uint32_t line;
};

struct both {
	struct text plain; /* scratch: here, because a fault leaves by a jump */
	VEC(int32_t) cells;
	probabilities p;
	VEC(double) worth;
	xlist order;
	struct xcsp *hard, *chance;
	struct scsp *s;
	VEC(struct drawn) drawn;
	bool *stochastic;
	struct arena keep; /* text that outlives an element */
};

/* Takes the probabilities out of the declaration, which is then an ordinary one. */
static void strip(struct both *b, xmlNode *e, struct drawn *d, bool symbolic)
{
	struct xcsp *r = b->hard;
	struct text *plain = &b->plain;
	struct arena *keep = &b->keep;
	plain->n = 0;
	const char *s = arena_text(x_arena(r), x_text(r, e), strlen(x_text(r, e)));
	d->line = x_line(r);
	const char *token;
	while ((token = x_token(r, &s))) {
		const char *colon = strrchr(token, ':');
		if (!colon)
			x_fail(r, "\"%.40s\" has no probability (value:probability)", token);
		const char *rest = colon + 1;
		struct scsp_p p = number(r, &rest);
		int64_t low, high;
		const char *q = token;
		if (!symbolic && x_int(&q, &low)) {
			high = low;
			if (!strncmp(q, "..", 2) && (q += 2, !x_int(&q, &high)))
				q = token;
			if (q != colon || high < low || high - low > 1000000)
				x_fail(r, "\"%.40s\" is no value:probability", token);
			for (; low <= high; low++) {
				text_printf(plain, "%lld ", (long long)low);
				vec_push(&d->p, p);
				char name[24];
				snprintf(name, sizeof name, "%lld", (long long)low);
				vec_push(&d->values, arena_text(keep, name, strlen(name)));
			}
		} else {
			text_printf(plain, "%.*s ", (int)(colon - token), token);
			vec_push(&d->p, p);
			vec_push(&d->values, arena_text(keep, token, (size_t)(colon - token)));
		}
	}
	assert(d->p.n == d->values.n);
	xmlNodeSetContent(e, (const xmlChar *)(plain->n ? text_str(plain) : ""));
	if (symbolic)
		xmlSetProp(e, (const xmlChar *)"type", (const xmlChar *)"symbolic");
	else
		xmlUnsetProp(e, (const xmlChar *)"type");
}

static void read_variables(struct both *b, xmlNode *root)
{
	struct xcsp *r = b->hard;
	xmlNode *variables = x_part(r, root, "variables", true);
	X_EACH(e, variables)
	{
		x_at(r, e);
		x_at(b->chance, e);
		if (!x_is(e, "var") && !x_is(e, "array"))
			x_fail(r, "<%.60s> among the variables is not supported", (const char *)e->name);
		const char *type = x_attr(r, e, "type");
		if (type && strstr(type, "stochastic")) {
			if (!x_is(e, "var"))
				x_fail(r, "an array cannot be stochastic; give its variables a <conditional>");
			const char *id = sole_attr(r, e, "id");
			vec_push(&b->drawn, (struct drawn){.id = arena_text(&b->keep, id, strlen(id))});
			strip(b, e, &vec_last(&b->drawn), strstr(type, "symbolic") != NULL);
		}
		x_variable(r, e);
		x_variable(b->chance, e);
	}
}

static uint32_t one_variable(struct xcsp *r, const char *name)
{
	size_t count;
	uint32_t *list = x_references(r, name, &count);
	if (count != 1)
		x_fail(r, "\"%.40s\" is not one variable", name);
	assert(list[0] < csp_variables(x_network(r)));
	return list[0];
}

/* Which variables are drawn must be known before the constraints are read. */
static void mark_stochastic(struct both *b, xmlNode *root)
{
	struct xcsp *r = b->hard;
	b->stochastic = NEW_ARRAY(bool, csp_variables(x_network(r)) + 1);
	for (size_t i = 0; i < b->drawn.n; i++) {
		x_at_line(r, b->drawn.at[i].line);
		b->stochastic[one_variable(r, b->drawn.at[i].id)] = true;
	}
	xmlNode *extra = x_part(r, root, "probabilities", false);
	if (extra)
		X_EACH(e, extra)
	b->stochastic[one_variable(r, sole_attr(r, e, "for"))] = true;
}

/* ---- constraints ---- */

static void read_constraint(struct both *b, xmlNode *e, uint32_t known)
{
	struct xcsp *r = b->hard;
	struct csp *n = x_network(r), *m = x_network(b->chance);
	x_at(r, e);
	x_at(b->chance, e);
	const char *class = x_attr(r, e, "class"); /* read now: the arena is emptied with the constraint */
	bool says_chance = class && strstr(class, "chance"), says_hard = class && strstr(class, "hard");
	uint32_t hard = csp_constraints(n), chance = csp_constraints(m), vars = csp_variables(n);
	assert(known <= vars && vars == csp_variables(m));
	x_constraint(r, e);
	x_constraint(b->chance, e);
	bool drawn = false;
	for (uint32_t c = hard; c < csp_constraints(n); c++)
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			drawn = drawn || (csp_scope(n, c)[j] < known && b->stochastic[csp_scope(n, c)[j]]);
	bool is_chance = says_chance || (drawn && !says_hard);
	if (is_chance && csp_variables(n) != vars) {
		x_at(r, e);
		x_fail(r, "expressions inside a chance constraint need <intension>");
	}
	if (is_chance)
		csp_drop_constraints(n, hard);
	else
		csp_drop_constraints(m, chance);
}

static void read_constraints(struct both *b, xmlNode *list, uint32_t known);

static void read_block(struct both *b, xmlNode *e, uint32_t known)
{
	x_know_parts(b->hard, e, "id class note", "@");
	read_constraints(b, e, known);
}

static void read_constraints(struct both *b, xmlNode *list, uint32_t known)
{
	X_EACH(e, list)
	{
		if (x_is(e, "block"))
			read_block(b, e, known);
		else if (!x_is(e, "soft"))
			read_constraint(b, e, known);
	}
}

/* ---- what needs the finished network ---- */

static void refused(struct both *b)
{
	x_fail(b->hard, "%s", scsp_error(b->s));
}

static void read_draws(struct both *b)
{
	struct xcsp *r = b->hard;
	for (size_t i = 0; i < b->drawn.n; i++) {
		struct drawn *d = &b->drawn.at[i];
		x_at_line(r, d->line);
		uint32_t y = one_variable(r, d->id), count = csp_count(x_network(r), y);
		if (count != d->p.n)
			x_fail(r, "%s: a value has two probabilities", d->id);
		struct scsp_p *p = arena_alloc(x_arena(r), count * sizeof *p);
		for (uint32_t k = 0; k < count; k++)
			p[csp_index(x_network(r), y, x_value(r, d->values.at[k], y))] = d->p.at[k];
		if (!scsp_draw(b->s, y, p))
			refused(b);
	}
}

static void read_stages(struct both *b, xmlNode *root, uint32_t known)
{
	struct xcsp *r = b->hard;
	xmlNode *stages = x_part(r, root, "stages", false);
	if (!stages)
		return;
	x_know_parts(r, stages, "note class", "@");
	X_EACH(e, stages)
	{
		x_at(r, e);
		bool draw = x_is(e, "stochastic");
		if (!draw && !x_is(e, "decision"))
			x_fail(r, "<%.40s> among the stages is neither <decision> nor <stochastic>", (const char *)e->name);
		size_t count;
		uint32_t *list = x_references(r, x_text(r, e), &count);
		for (size_t i = 0; i < count; i++) {
			uint32_t x = list[i];
			if (x >= known || b->stochastic[x] != draw)
				x_fail(r, "%s is in a <%s> block but %s stochastic", csp_name(x_network(r), x),
				       draw ? "stochastic" : "decision", draw ? "is not" : "is");
			vec_push(&b->order, x);
		}
	}
	for (uint32_t x = 0; x < csp_variables(x_network(r)); x++) /* auxiliary ones come last */
		if (csp_hidden(x_network(r), x))
			vec_push(&b->order, x);
	x_at(r, stages);
	if (!scsp_order(b->s, b->order.at, b->order.n))
		refused(b);
}

/* A tuple "(a,b,c)" of values of the variables in scope. */
static void read_tuple(struct xcsp *r, const char **s, const uint32_t *scope, size_t arity, int32_t *out)
{
	x_space(s);
	if (arity == 1 && **s != '(') {
		out[0] = (int32_t)x_value(r, x_token(r, s), scope[0]);
		return;
	}
	if (*(*s)++ != '(')
		x_fail(r, "a tuple is expected");
	for (size_t j = 0; j < arity; j++) {
		x_space(s);
		size_t k = strcspn(*s, ",) \t\r\n");
		out[j] = (int32_t)x_value(r, arena_text(x_arena(r), *s, k), scope[j]);
		*s += k;
		x_space(s);
		if (*(*s)++ != (j + 1 < arity ? ',' : ')'))
			x_fail(r, "a tuple of %zu values is expected", arity);
	}
}

static void read_conditional(struct both *b, xmlNode *e, uint32_t y)
{
	assert(b->s && y < b->s->vars);
	struct xcsp *r = b->hard;
	xmlNode *list = x_child(e, "list");
	size_t arity = 0;
	uint32_t *scope = list ? x_references(r, x_text(r, list), &arity) : NULL;
	uint32_t count = csp_count(x_network(r), y);
	size_t rows = 0;
	vec_clear(&b->cells);
	vec_clear(&b->p);
	int32_t *tuple = arena_alloc(x_arena(r), (arity + 1) * sizeof *tuple);
	X_EACH(row, e)
	{
		if (!x_is(row, "row"))
			continue;
		const char *s = x_text(r, row);
		if (arity) {
			read_tuple(r, &s, scope, arity, tuple);
			x_space(&s);
			if (*s++ != ':')
				x_fail(r, "a row is (values of the list): probabilities");
		}
		for (size_t j = 0; j < arity; j++)
			vec_push(&b->cells, tuple[j]);
		uint32_t have = 0;
		for (; more(&s); have++)
			vec_push(&b->p, number(r, &s));
		if (have != count)
			x_fail(r, "%u probabilities for the %u values of %s", have, count, csp_name(x_network(r), y));
		rows++;
	}
	x_at(r, e);
	if (!scsp_draw_given(b->s, y, scope, arity, b->cells.at, rows, b->p.at))
		refused(b);
}

static void read_probabilities(struct both *b, xmlNode *root)
{
	struct xcsp *r = b->hard;
	xmlNode *extra = x_part(r, root, "probabilities", false);
	if (!extra)
		return;
	x_know_parts(r, extra, "note class", "@");
	X_EACH(e, extra)
	{
		x_know_parts(r, e, "for note class", x_is(e, "legal") ? ". list" : "list row*");
		uint32_t y = one_variable(r, sole_attr(r, e, "for"));
		if (x_is(e, "conditional")) {
			read_conditional(b, e, y);
		} else if (x_is(e, "legal")) {
			size_t count;
			uint32_t *list = x_references(r, x_text(r, x_child(e, "list") ? x_child(e, "list") : e), &count);
			bool right = count == csp_count(x_network(r), y), ok = right && scsp_draw_legal(b->s, y, list);
			if (!right)
				x_fail(r, "one Boolean per value of %s is needed", csp_name(x_network(r), y));
			if (!ok)
				refused(b);
		} else {
			x_fail(r, "<%.40s> among the probabilities is neither <conditional> nor <legal>", (const char *)e->name);
		}
	}
}

static void read_soft(struct both *b, xmlNode *e)
{
	struct xcsp *r = b->hard;
	xmlNode *list = x_child(e, "list"), *tuples = x_child(e, "tuples"), *worth = x_child(e, "utilities");
	x_know_parts(r, e, "id class note", "list tuples utilities");
	if (!list || !tuples || !worth)
		x_fail(r, "<soft> needs <list>, <tuples> and <utilities>");
	size_t arity, rows = 0;
	uint32_t *vars = x_references(r, x_text(r, list), &arity);
	vec_clear(&b->cells);
	vec_clear(&b->worth);
	int32_t *tuple = arena_alloc(x_arena(r), (arity + 1) * sizeof *tuple);
	const char *s = x_text(r, tuples);
	for (; more(&s); rows++) {
		read_tuple(r, &s, vars, arity, tuple);
		for (size_t j = 0; j < arity; j++)
			vec_push(&b->cells, tuple[j]);
	}
	s = x_text(r, worth);
	while (more(&s))
		vec_push(&b->worth, number(r, &s).value);
	x_at(r, e);
	if (b->worth.n != rows * scsp_players(b->s))
		x_fail(r, "%zu utilities for %zu tuples and %u players", b->worth.n, rows, scsp_players(b->s));
	if (!scsp_soft(b->s, vars, arity, b->cells.at, rows, b->worth.at))
		refused(b);
}

static void read_softs(struct both *b, xmlNode *list)
{
	X_EACH(e, list)
	{
		if (x_is(e, "block"))
			read_softs(b, e);
		else if (x_is(e, "soft"))
			read_soft(b, e);
	}
}

static size_t thresholds(struct xcsp *r, xmlNode *root, struct scsp_p *out)
{
	xmlNode *e = x_part(r, root, "thresholds", false);
	size_t count = 0;
	if (!e)
		return 0;
	const char *s = x_text(r, e);
	for (; more(&s); count++) {
		if (count == SCSP_MAX_PLAYERS)
			x_fail(r, "more than %d players", SCSP_MAX_PLAYERS);
		out[count] = number(r, &s);
	}
	return count;
}

static void read_stochastic(struct both *b, xmlDoc *doc)
{
	struct xcsp *r = b->hard;
	xmlNode *root = x_root(r, doc, "SCSP");
	x_know_parts(r, root, "format type id class note",
	             "variables constraints stages probabilities thresholds annotations");
	struct scsp_p theta[SCSP_MAX_PLAYERS];
	read_variables(b, root);
	uint32_t known = csp_variables(x_network(r));
	if (!known)
		x_fail(r, "no variables");
	mark_stochastic(b, root);
	xmlNode *constraints = x_part(r, root, "constraints", false);
	if (constraints)
		read_constraints(b, constraints, known);
	x_refuse_wide(r);
	size_t players = thresholds(r, root, theta);
	b->s = scsp_new(x_network(r), players ? (uint32_t)players : 1);
	csp_free(b->s->chance); /* the reader's own network has the constraints */
	b->s->chance = x_take_network(b->chance);
	read_draws(b);
	read_stages(b, root, known);
	read_probabilities(b, root);
	if (constraints)
		read_softs(b, constraints);
	for (size_t p = 0; p < players; p++)
		if (!scsp_threshold_as(b->s, (uint32_t)p, theta[p])) {
			x_part(r, root, "thresholds", true);
			refused(b);
		}
}

struct scsp *scsp_read_xml(const char *data, size_t length, struct csp_source_error *e)
{
	xmlDoc *doc = x_parse(data, length, e);
	if (!doc)
		return NULL;
	struct mem_resource *owned = mem_own(release, doc);
	struct both *b = NEW(struct both);
	b->hard = x_new(e);
	b->chance = x_new(e);
	struct scsp *s = NULL;
	if (!setjmp(*x_way_out(b->hard)) && !setjmp(*x_way_out(b->chance))) {
		read_stochastic(b, doc);
		s = b->s;
		x_take_network(b->hard);
	} else if (b->s) {
		x_take_network(b->hard); /* both networks belong to it by now */
		scsp_free(b->s);
	}
	for (size_t i = 0; i < b->drawn.n; i++) {
		vec_free(&b->drawn.at[i].values);
		vec_free(&b->drawn.at[i].p);
	}
	vec_free(&b->drawn);
	mem_free(b->stochastic);
	arena_free(&b->keep);
	text_free(&b->plain);
	vec_free(&b->cells);
	vec_free(&b->p);
	vec_free(&b->worth);
	vec_free(&b->order);
	x_free(b->hard);
	x_free(b->chance);
	mem_free(b);
	mem_disown(owned);
	xmlFreeDoc(doc);
	return s;
}
