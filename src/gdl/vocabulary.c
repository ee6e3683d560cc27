/* The words of a rulesheet: two spellings of one name, relations that nobody
 * defines or nobody asks for, keywords that are missing, roles without goals. */
#include "base/nearest.h"
#include "gdl/check.h"

#include <string.h>

#define MAX_NEAR 200 /* names that are looked through for a near one */

/* --- spelling ---------------------------------------------------------------- */

static uint64_t folded_hash(const char *s, size_t n)
{
	uint64_t h = n;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 32 : s[i])) * 0x100000001b3u;
	return hash_mix(h);
}

/* Two names that differ only in case: programs that ignore case would take them
 * for one. */
static void check_case(struct checker *c)
{
	struct table seen = {0};
	const struct symbols *s = &c->r->symbols;
	for (sym_t i = 0; i < s->all.n; i++) {
		if (c->name_at[i] == NO_NODE)
			continue;
		const struct sym_entry *e = &s->all.at[i];
		uint64_t h = folded_hash(e->text, e->length);
		uint32_t it, id;
		for (table_start(&seen, h, &it); (id = table_next(&seen, h, &it)) != TABLE_NONE;)
			if (s->all.at[id].length == e->length && !strcasecmp(s->all.at[id].text, e->text))
				break;
		if (id == TABLE_NONE) {
			table_add(&seen, h, i);
			continue;
		}
		struct diag *g = check_error(c, c->name_at[i], "case", "%s and %s differ only in case",
		                             gdl_quote_name(c->r, i, false, c->d), gdl_quote_name(c->r, id, false, c->d));
		if (g)
			g->help =
				diag_text(c->d, "write %s everywhere, or choose two names", gdl_quote_name(c->r, id, false, c->d));
		check_also(c, g, c->name_at[id], "the first spelling");
	}
	table_free(&seen);
}

/* --- relations ------------------------------------------------------------------ */

static const char *near_relation(struct checker *c, uint32_t of)
{
	const char *list[MAX_NEAR + 1];
	size_t n = 0;
	for (size_t i = 0; i < c->preds.n && n < MAX_NEAR; i++)
		if (i != of && c->preds.at[i].defined != NO_NODE && c->preds.at[i].arity == c->preds.at[of].arity)
			list[n++] = sym_text(&c->r->symbols, c->preds.at[i].name);
	list[n] = NULL;
	return nearest_word(sym_text(&c->r->symbols, c->preds.at[of].name), list);
}

/* The keyword that was meant. `sure` when the slip is a letter too many or too
 * few or two swapped: `legl`, `nxet`. A plural is a name of its own. */
static const char *near_keyword(struct checker *c, uint32_t of, bool head, bool *sure)
{
	static const struct {
		const char *name;
		uint32_t arity;
		bool head, body;
	} words[] = {{"role", 1, true, true},      {"init", 1, true, false},    {"true", 1, false, true},
	             {"does", 2, false, true},     {"next", 1, true, false},    {"legal", 2, true, true},
	             {"goal", 2, true, true},      {"terminal", 0, true, true}, {"sees", 2, true, false},
	             {"distinct", 2, false, true}, {"not", 1, false, true}};
	const char *list[12], *name = sym_text(&c->r->symbols, c->preds.at[of].name);
	size_t n = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].arity == c->preds.at[of].arity && (head ? words[i].head : words[i].body))
			list[n++] = words[i].name;
	list[n] = NULL;
	const char *near = nearest_word(name, list);
	if (!near)
		return NULL;
	size_t a = strlen(name), b = strlen(near);
	bool swapped = a == b;
	for (size_t i = 0; i < a && swapped; i++)
		swapped = strchr(near, name[i]) != NULL;
	*sure = swapped || a + 1 == b || (a == b + 1 && name[a - 1] != 's');
	return near;
}

static bool defines(const struct checker *c, enum gdl_keyword k, uint32_t arity)
{
	uint32_t id = check_find_pred(c, (sym_t)k, arity);
	return id != TABLE_NONE && c->preds.at[id].defined != NO_NODE;
}

/* Plain facts like (int 3) may well be what their name says. */
static bool looks_like_keyword(struct checker *c, uint32_t of, const char *near)
{
	const struct check_pred *p = &c->preds.at[of];
	sym_t keyword = sym_find(&c->r->symbols, near, strlen(near));
	return p->rule || !defines(c, keyword, p->arity) ||
	       (p->arity && c->r->nodes.at[gdl_arg(c->r, p->defined, p->arity - 1)].argc);
}

static bool report_misspelt(struct checker *c, uint32_t of, node_t at, bool head)
{
	bool sure = false;
	const char *name = gdl_quote_name(c->r, c->preds.at[of].name, false, c->d),
			   *near = near_keyword(c, of, head, &sure);
	if (!near)
		return false;
	if (head)
		sure = sure && looks_like_keyword(c, of, near);
	struct diag *g = sure ? check_error(c, at, "misspelt-keyword", "%s is %s; `%s` was probably meant", name,
	                                    head ? "never used" : "defined nowhere", near)
	                      : check_warning(c, at, head ? "unused-relation" : "undefined-relation", "%s is %s", name,
	                                      head ? "never used" : "defined nowhere");
	if (g)
		g->help = diag_text(c->d, "did you mean `%s`?", near);
	return true;
}

/* Another relation of the same name that is defined (or used). */
static uint32_t namesake(const struct checker *c, const uint32_t *by_name, uint32_t of)
{
	uint32_t other = by_name[c->preds.at[of].name];
	return other != of ? other : TABLE_NONE;
}

static void report_undefined(struct checker *c, uint32_t of, const uint32_t *by_name)
{
	const struct check_pred *p = &c->preds.at[of];
	uint32_t other = namesake(c, by_name, of);
	struct diag *g;
	if (other != TABLE_NONE) {
		g = check_warning(c, p->used, "wrong-arity", "%s is asked, but only %s is defined", check_pred_text(c, of),
		                  check_pred_text(c, other));
		check_also(c, g, c->preds.at[other].defined, "defined here");
		return;
	}
	if (report_misspelt(c, of, p->used, false))
		return;
	g = check_warning(c, p->used, "undefined-relation", "%s is defined nowhere, so it never holds",
	                  gdl_quote_name(c->r, p->name, false, c->d));
	const char *near = g ? near_relation(c, of) : NULL;
	if (near)
		g->help = diag_text(c->d, "did you mean %.60s?", near);
}

static void report_unused(struct checker *c, uint32_t of)
{
	const struct check_pred *p = &c->preds.at[of];
	if (!report_misspelt(c, of, p->defined, true))
		check_warning(c, p->defined, "unused-relation", "%s is never used", gdl_quote_name(c->r, p->name, false, c->d));
}

static void check_relations(struct checker *c)
{
	uint32_t *by_name = mem_alloc(c->r->symbols.all.n, sizeof *by_name); /* a defined relation of this name */
	memset(by_name, 0xff, c->r->symbols.all.n * sizeof *by_name);
	for (uint32_t i = 0; i < c->preds.n; i++) {
		struct check_pred *p = &c->preds.at[i];
		if (p->name < GDL_RANDOM || p->defined == NO_NODE)
			continue;
		uint32_t other = by_name[p->name];
		if (other == TABLE_NONE) {
			by_name[p->name] = i;
			continue;
		}
		struct diag *g = check_warning(c, p->defined, "two-arities", "%s and %s are two relations",
		                               check_pred_text(c, i), check_pred_text(c, other));
		check_also(c, g, c->preds.at[other].defined, "the other one");
	}
	for (uint32_t i = 0; i < c->preds.n; i++) {
		const struct check_pred *p = &c->preds.at[i];
		if (p->name < GDL_RANDOM)
			continue;
		if (p->defined == NO_NODE && p->used != NO_NODE)
			report_undefined(c, i, by_name);
		else if (p->defined != NO_NODE && p->used == NO_NODE)
			report_unused(c, i);
	}
	mem_free(by_name);
}

/* --- what must be there --------------------------------------------------------- */

static void check_missing(struct checker *c)
{
	static const struct {
		enum gdl_keyword k;
		uint32_t arity;
		const char *message;
		enum severity severity;
	} wanted[] = {
		{GDL_ROLE, 1, "there is no `role`: nobody plays", DIAG_ERROR},
		{GDL_LEGAL, 2, "there is no rule for `legal`: nobody can move", DIAG_ERROR},
		{GDL_TERMINAL, 0, "there is no rule for `terminal`: the game never ends", DIAG_ERROR},
		{GDL_GOAL, 2, "there is no rule for `goal`: nobody wins", DIAG_ERROR},
		{GDL_INIT, 1, "there is no `init`: the first state is empty", DIAG_WARNING},
		{GDL_NEXT, 1, "there is no rule for `next`: every later state is empty", DIAG_WARNING},
		{GDL_BASE, 1, "there is no `base`; the possible fluents are worked out from the rules", DIAG_WARNING},
		{GDL_INPUT, 2, "there is no `input`; the possible moves are worked out from the rules", DIAG_WARNING},
	};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!defines(c, wanted[i].k, wanted[i].arity))
			diag_add(c->d, wanted[i].severity, (struct range){0, 0}, "missing-relation", "%s", wanted[i].message);
}

/* Which roles the rules of `legal` and `goal` speak of: a constant for that role,
 * anything else for all. */
static void check_roles(struct checker *c)
{
	enum { IS_ROLE = 1, HAS_LEGAL = 2, HAS_GOAL = 4 };
	const struct gdl_rules *r = c->r;
	unsigned char *marks = NEW_ARRAY(unsigned char, r->symbols.all.n);
	unsigned all = 0;
	for (size_t i = 0; i < r->clauses.n; i++) {
		node_t head = r->clauses.at[i].head;
		if (gdl_is(r, head, GDL_ROLE) && r->nodes.at[head].argc == 1)
			marks[r->nodes.at[gdl_arg(r, head, 0)].name] |= IS_ROLE;
	}
	for (size_t i = 0; i < r->clauses.n; i++) {
		node_t head = r->clauses.at[i].head;
		bool legal = gdl_is(r, head, GDL_LEGAL);
		if ((!legal && !gdl_is(r, head, GDL_GOAL)) || r->nodes.at[head].argc != 2)
			continue;
		const struct gdl_node *who = &r->nodes.at[gdl_arg(r, head, 0)];
		unsigned mark = legal ? HAS_LEGAL : HAS_GOAL;
		if (who->variable || who->argc) {
			all |= mark;
		} else {
			if (!(marks[who->name] & IS_ROLE) && c->whole)
				check_warning(c, gdl_arg(r, head, 0), "unknown-role", "%s is not a role",
				              gdl_quote_name(r, who->name, false, c->d));
			marks[who->name] |= (unsigned char)mark;
		}
	}
	for (size_t i = 0; i < r->clauses.n && c->whole; i++) {
		node_t head = r->clauses.at[i].head;
		if (!gdl_is(r, head, GDL_ROLE) || r->nodes.at[head].argc != 1)
			continue;
		sym_t who = r->nodes.at[gdl_arg(r, head, 0)].name;
		unsigned has = marks[who] | all;
		if (!(has & HAS_LEGAL))
			check_warning(c, head, "role-without-legal", "the role %s has no legal moves",
			              gdl_quote_name(r, who, false, c->d));
		if (!(has & HAS_GOAL) && who != GDL_RANDOM)
			check_warning(c, head, "role-without-goal", "the role %s has no goal", gdl_quote_name(r, who, false, c->d));
	}
	mem_free(marks);
}

void check_vocabulary(struct checker *c)
{
	check_case(c);
	check_roles(c);
	if (!c->whole)
		return;
	check_relations(c);
	check_missing(c);
}
