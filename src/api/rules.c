/* Rules for others: read, checked, printed; what is wrong with them as data and as text. */
#include "macaw/rules.h"
#include "api/api_internal.h"
#include "api/rules_internal.h"
#include "gdl/format.h"
#include "gdl/rulesheet.h"
#include "macaw/game.h"

#include <stdlib.h>

enum { KEPT = 1000000 }; /* diagnostics */

struct macaw_rules {
	struct handle handle;
	struct rulesheet sheet;
	struct text name;
	struct gdl_rules *rules;
	struct diags reading, all; /* what the reader found; that and what the checks found. Sorted by place */
	struct place *places;      /* four per diagnostic of all; see diag_places */
	VEC(char *) roles;
	double seconds;           /* to read and check */
	struct rule_words *words; /* see words.c */
};

struct gdl_rules *api_rules(const macaw_rules *r)
{
	return r->rules;
}

struct rule_words **api_rules_words(macaw_rules *r)
{
	return &r->words;
}

struct handle *api_rules_handle(const macaw_rules *r)
{
	return unconst(&r->handle);
}

double api_rules_seconds(const macaw_rules *r)
{
	return r->seconds;
}

/* ---- reading ---- */

static macaw_rules *open_rules(macaw_error *e)
{
	macaw_rules *r = calloc(1, sizeof *r);
	if (!r || !handle_open(&r->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(r);
		return NULL;
	}
	return r;
}

void macaw_rules_free(macaw_rules *r)
{
	if (!r)
		return;
	if (!r->handle.broken) {
		rulesheet_free(&r->sheet);
		text_free(&r->name);
		gdl_free(r->rules);
		diag_free(&r->reading);
		diag_free(&r->all);
		mem_free(r->places);
		for (size_t i = 0; i < r->roles.n; i++)
			mem_free(r->roles.at[i]);
		vec_free(&r->roles);
		rule_words_free(r->words);
	}
	handle_close(&r->handle);
	free(r);
}

static macaw_rules *give_up(macaw_rules *r)
{
	macaw_rules_free(r);
	return NULL;
}

static void list_roles(macaw_rules *r)
{
	const struct gdl_rules *g = r->rules;
	struct symbols seen = {0}; /* a role that is named twice is one role */
	for (size_t i = 0; i < g->clauses.n; i++) {
		const struct gdl_node *head = &g->nodes.at[g->clauses.at[i].head];
		if (head->variable || head->name != GDL_ROLE || head->argc != 1)
			continue;
		struct text name = {0};
		gdl_print_node(g, gdl_arg(g, g->clauses.at[i].head, 0), GDL_KIF, &name);
		if (sym_put(&seen, text_str(&name), name.n) == r->roles.n)
			vec_push(&r->roles, text_copy(text_str(&name), name.n));
		text_free(&name);
	}
	sym_free(&seen);
}

/* A list of its own that shares the texts: those of `d` must live longer. */
static void add_all(struct diags *to, const struct diags *d)
{
	to->errors = d->errors;
	to->warnings = d->warnings;
	to->kept_warnings = d->kept_warnings;
	vec_set(&to->all, d->all.at, d->all.n);
}

static void read_rules(macaw_rules *r)
{
	double began = clock_now();
	const char *source = text_str(&r->sheet.source);
	size_t length = r->sheet.source.n;
	r->reading.max = r->all.max = KEPT;
	r->rules = gdl_read(source, length, &r->reading);
	add_all(&r->all, &r->reading);
	gdl_check(r->rules, &r->all);
	diag_sort(&r->reading);
	diag_sort(&r->all);
	r->places = NEW_ARRAY(struct place, 4 * r->all.all.n + 1);
	diag_places(&r->all, source, length, r->places);
	list_roles(r);
	r->seconds += clock_now() - began;
}

static enum rulesheet_fault read_sheet(macaw_rules *r, const char *game, macaw_error *e)
{
	struct text error = {0};
	double began = clock_now();
	enum rulesheet_fault fault = rulesheet_read(game, &r->sheet, &error);
	if (fault)
		api_fail_text(e, fault == RULESHEET_MISSING ? MACAW_INPUT : MACAW_MACHINE, &error);
	else
		rulesheet_name(text_str(&r->sheet.path), &r->name);
	r->seconds = clock_now() - began;
	text_free(&error);
	return fault;
}

macaw_rules *macaw_rules_load(const char *game, macaw_error *e)
{
	macaw_rules *r = open_rules(e);
	enum rulesheet_fault fault = RULESHEET_FOUND;
	if (!r)
		return NULL;
	GUARD(&r->handle, e, give_up(r), fault = read_sheet(r, game ? game : "", e));
	if (fault)
		return give_up(r);
	GUARD(&r->handle, e, give_up(r), read_rules(r));
	return r;
}

static void copy_text(macaw_rules *r, const char *text, size_t length, const char *name)
{
	text_puts(&r->sheet.path, name ? name : "rules");
	text_add(&r->sheet.source, text, length);
	rulesheet_name(text_str(&r->sheet.path), &r->name);
	read_rules(r);
}

macaw_rules *macaw_rules_parse(const char *text, size_t length, const char *name, macaw_error *e)
{
	macaw_rules *r = open_rules(e);
	if (!r)
		return NULL;
	GUARD(&r->handle, e, give_up(r), copy_text(r, text ? text : "", text ? length : 0, name));
	return r;
}

static char *find_path(const char *game, macaw_error *e)
{
	struct text path = {0}, error = {0};
	char *found = NULL;
	if (rulesheet_find(game, &path, &error))
		api_fail_text(e, MACAW_INPUT, &error);
	else if (!(found = api_give(&path)))
		api_fail(e, MACAW_MEMORY, "out of memory");
	text_free(&path);
	text_free(&error);
	return found;
}

char *macaw_rules_path(const char *game, macaw_error *e)
{
	struct handle h = {0};
	char *found = NULL;
	if (!handle_open(&h, e))
		return NULL;
	GUARD(&h, e, (handle_close(&h), NULL), found = find_path(game ? game : "", e));
	handle_close(&h);
	return found;
}

/* ---- installed games ---- */

static char *list_games(void)
{
	struct rulesheet_names names = {0};
	struct text out = {0};
	rulesheet_list(&names);
	for (size_t i = 0; i < names.n; i++)
		text_printf(&out, "%s\n", names.at[i]);
	rulesheet_names_free(&names);
	return api_give(&out);
}

char *macaw_games(void)
{
	struct handle h = {0};
	char *found = NULL;
	if (!handle_open(&h, NULL))
		return NULL;
	GUARD(&h, NULL, (handle_close(&h), NULL), found = list_games());
	handle_close(&h);
	return found;
}

static char *list_other_names(const char *game)
{
	struct text out = {0};
	const char *name, *other;
	for (size_t i = 0; (other = rulesheet_other_name(i, &name)); i++)
		if (!strcmp(name, game))
			text_printf(&out, "%s\n", other);
	return api_give(&out);
}

char *macaw_game_other_names(const char *game)
{
	struct handle h = {0};
	char *found = NULL;
	if (!handle_open(&h, NULL))
		return NULL;
	GUARD(&h, NULL, (handle_close(&h), NULL), found = list_other_names(game ? game : ""));
	handle_close(&h);
	return found;
}

/* ---- questions ---- */

const char *macaw_rules_name(const macaw_rules *r)
{
	return text_str(&r->name);
}

const char *macaw_rules_file(const macaw_rules *r)
{
	return text_str(&r->sheet.path);
}

const char *macaw_rules_source(const macaw_rules *r, size_t *length)
{
	if (length)
		*length = r->sheet.source.n;
	return text_str(&r->sheet.source);
}

bool macaw_rules_infix(const macaw_rules *r)
{
	return r->rules->form == GDL_INFIX;
}

size_t macaw_rules_count(const macaw_rules *r)
{
	return r->rules->clauses.n;
}

uint32_t macaw_rules_roles(const macaw_rules *r)
{
	return (uint32_t)r->roles.n;
}

const char *macaw_rules_role(const macaw_rules *r, uint32_t role)
{
	return role < r->roles.n ? r->roles.at[role] : NULL;
}

/* ---- diagnostics ---- */

size_t macaw_rules_errors(const macaw_rules *r)
{
	return r->all.errors;
}

size_t macaw_rules_warnings(const macaw_rules *r)
{
	return r->all.warnings;
}

size_t macaw_rules_unreadable(const macaw_rules *r)
{
	return r->reading.errors;
}

size_t macaw_rules_diagnostics(const macaw_rules *r)
{
	return r->all.all.n;
}

static macaw_place to_place(struct range at, const struct place *p)
{
	return (macaw_place){p[0].line, p[0].column, p[1].line, p[1].column, at.from, at.to};
}

macaw_diagnostic macaw_rules_diagnostic(const macaw_rules *r, size_t i)
{
	if (i >= r->all.all.n)
		return (macaw_diagnostic){0};
	const struct diag *d = &r->all.all.at[i];
	macaw_diagnostic out = {
		.severity = d->severity == DIAG_ERROR ? MACAW_ERROR : MACAW_WARNING,
		.code = d->code,
		.message = d->message,
		.help = d->help,
		.at = to_place(d->at, r->places + 4 * i),
	};
	if (d->also.to > 0) {
		out.also = d->also_message ? d->also_message : "see here";
		out.also_at = to_place(d->also, r->places + 4 * i + 2);
	}
	return out;
}

/* At most `max` of the diagnostics, errors before warnings, in the same order. */
static void keep(struct diags *d, size_t max)
{
	size_t errors = 0, n = 0, warnings;
	for (size_t i = 0; i < d->all.n; i++)
		errors += d->all.at[i].severity == DIAG_ERROR;
	warnings = errors < max ? max - errors : 0;
	for (size_t i = 0; i < d->all.n; i++) {
		size_t *room = d->all.at[i].severity == DIAG_ERROR ? &max : &warnings;
		if (*room) {
			--*room;
			d->all.at[n++] = d->all.at[i];
		}
	}
	d->all.n = n;
}

static char *report(const macaw_rules *r, enum macaw_report what, size_t max, bool colour)
{
	struct diags d = {0};
	struct text out = {0};
	add_all(&d, what == MACAW_REPORT_UNREADABLE ? &r->reading : &r->all);
	if (what != MACAW_REPORT_ALL)
		diag_drop_warnings(&d);
	if (max)
		keep(&d, max);
	diag_print(&d, text_str(&r->sheet.path), text_str(&r->sheet.source), r->sheet.source.n, colour, &out);
	diag_free(&d);
	return api_give(&out);
}

char *macaw_rules_report(const macaw_rules *r, enum macaw_report what, size_t max, bool colour)
{
	char *out = NULL;
	GUARD(lasting(&r->handle), NULL, NULL, out = report(r, what, max, colour));
	return out;
}

static char *print_rules(const macaw_rules *r, bool infix)
{
	struct text out = {0};
	gdl_print(r->rules, infix ? GDL_INFIX : GDL_KIF, &out);
	return api_give(&out);
}

char *macaw_rules_print(const macaw_rules *r, bool infix)
{
	char *out = NULL;
	GUARD(lasting(&r->handle), NULL, NULL, out = print_rules(r, infix));
	return out;
}

static char *format_rules(const macaw_rules *r, const macaw_format_options *o, macaw_error *e)
{
	struct text out = {0};
	struct format_options inside = {o->width, o->indent};
	if (!gdl_format(r->rules, text_str(&r->sheet.source), r->sheet.source.n, &inside, &out)) {
		api_fail(e, MACAW_INPUT, "the text cannot be laid out without changing the rules");
		return NULL;
	}
	char *given = api_give(&out);
	if (!given)
		api_fail(e, MACAW_MEMORY, "out of memory");
	return given;
}

char *macaw_rules_format(const macaw_rules *r, const macaw_format_options *o, macaw_error *e)
{
	static const macaw_format_options defaults = {0};
	char *out = NULL;
	api_clear(e);
	if (r->reading.errors) {
		api_fail(e, MACAW_INPUT, "the text has errors");
		return NULL;
	}
	GUARD(lasting(&r->handle), e, NULL, out = format_rules(r, o ? o : &defaults, e));
	return out;
}
