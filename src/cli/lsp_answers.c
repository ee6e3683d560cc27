/* What the language server answers about a place in rules. */
#include "cli/lsp.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MOST_VALUES = 20, MOST_DIAGNOSTICS = 1000 };

/* ---- words ---- */

/* The word at the place of a request; SIZE_MAX: none. */
static size_t word_of(const struct lsp_document *d, const json_t *params)
{
	return macaw_rules_word_at(d->rules, lsp_offset(d, json_object_get(params, "position")));
}

static size_t count_same(const macaw_rules *r, size_t word, bool defining)
{
	size_t n = 0;
	for (size_t i = 0; i < macaw_rules_words(r); i++)
		n += macaw_rules_same(r, word, i) && (!defining || macaw_rules_word(r, i).defines);
	return n;
}

static json_t *fail(struct lsp_error *e, int code, const char *why)
{
	e->code = code;
	text_puts(&e->text, why);
	return NULL;
}

/* ---- diagnostics ---- */

static json_t *diagnostic(const struct lsp_document *d, const macaw_diagnostic *x)
{
	struct text message = {0};
	text_puts(&message, x->message);
	if (x->help)
		text_printf(&message, "\n%s", x->help);
	json_t *out = json_pack("{s:o, s:i, s:s, s:s, s:s}", "range", lsp_range(d, x->at.from, x->at.to), "severity",
	                        x->severity == MACAW_ERROR ? 1 : 2, "code", x->code, "source", "macaw", "message",
	                        text_str(&message));
	if (x->also)
		json_object_set_new(
			out, "relatedInformation",
			json_pack("[{s:o, s:s}]", "location", lsp_location(d, x->also_at.from, x->also_at.to), "message", x->also));
	text_free(&message);
	return out;
}

json_t *lsp_diagnostics(const struct lsp_document *d)
{
	json_t *out = json_array();
	for (size_t i = 0; i < macaw_rules_diagnostics(d->rules) && i < MOST_DIAGNOSTICS; i++) {
		macaw_diagnostic x = macaw_rules_diagnostic(d->rules, i);
		json_array_append_new(out, diagnostic(d, &x));
	}
	return out;
}

/* ---- hover ---- */

static const struct {
	const char *word, *use, *meaning;
} keywords[] = {
	{"role", "(role R)", "R plays."},
	{"init", "(init F)", "the fluent F holds in the first state."},
	{"true", "(true F)", "the fluent F holds now."},
	{"does", "(does R M)", "the role R makes the move M."},
	{"next", "(next F)", "the fluent F holds in the next state. Nothing persists by itself."},
	{"legal", "(legal R M)", "the role R may make the move M. Every role needs a move in every state before the end."},
	{"goal", "(goal R N)", "the role R gets N points, 0 to 100: exactly one value at the end."},
	{"terminal", "terminal", "the game is over."},
	{"sees", "(sees R P)", "the role R perceives P as the result of the moves (GDL-II)."},
	{"base", "(base F)", "F is a fluent that may hold at some time."},
	{"input", "(input R M)", "M is a move that R may have at some time."},
	{"not", "(not A)", "A cannot be derived. Its variables need values from other conditions."},
	{"or", "(or A B …)", "at least one of these holds."},
	{"and", "(and A B …)", "all of these hold. Other programs may not know it."},
	{"distinct", "(distinct X Y)", "X and Y are not the same."},
};

static void describe_keyword(const char *word, struct text *out)
{
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (!strcmp(keywords[i].word, word))
			text_printf(out, "`%s`: %s", keywords[i].use, keywords[i].meaning);
}

/* Comments on the lines right above the first definition. */
static void add_comment(const macaw_rules *r, size_t word, struct text *out)
{
	size_t n, at = SIZE_MAX;
	const char *s = macaw_rules_source(r, &n);
	for (size_t i = 0; i < macaw_rules_words(r) && at == SIZE_MAX; i++) {
		macaw_word x = macaw_rules_word(r, i);
		if (x.defines && macaw_rules_same(r, word, i))
			at = x.rule_from;
	}
	if (at == SIZE_MAX)
		return;
	size_t from = at;
	for (;;) { /* line by line upwards, as long as they are comments */
		size_t line = from;
		while (line && s[line - 1] != '\n')
			line--;
		if (line < 1)
			break;
		size_t above = line - 1;
		while (above && s[above - 1] != '\n')
			above--;
		if (s[above] != ';' && s[above] != '%')
			break;
		from = above;
	}
	if (from == at || (s[from] != ';' && s[from] != '%'))
		return;
	text_puts(out, "\n\n");
	for (size_t i = from; i < at; i++)
		if (!((s[i] == ';' || s[i] == '%') && (i == from || s[i - 1] == '\n')))
			text_putc(out, s[i]);
}

static void describe(const macaw_rules *r, size_t word, struct text *out)
{
	macaw_word x = macaw_rules_word(r, word);
	if (x.kind == MACAW_WORD_KEYWORD) {
		describe_keyword(x.text, out);
		return;
	}
	size_t all = count_same(r, word, false), defining = count_same(r, word, true);
	if (x.kind == MACAW_WORD_VARIABLE)
		text_printf(out, "variable, %zu time%s in this rule", all, all == 1 ? "" : "s");
	else if (x.kind == MACAW_WORD_RELATION)
		text_printf(out, "relation `%s/%u`: %zu rule%s, asked %zu time%s", x.text, x.arity, defining,
		            defining == 1 ? "" : "s", all - defining, all - defining == 1 ? "" : "s");
	else
		text_printf(out, "%s `%s`, %zu time%s", x.arity ? "term" : "name", x.text, all, all == 1 ? "" : "s");
	char *values = macaw_rules_values(r, word, MOST_VALUES);
	if (values && *values)
		text_printf(out, "\n\nstands here: %s", values);
	macaw_free(values);
	if (x.kind == MACAW_WORD_RELATION)
		add_comment(r, word, out);
}

json_t *lsp_hover(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	size_t word = word_of(d, params);
	struct text out = {0};
	(void)error;
	if (word == SIZE_MAX)
		return json_null();
	describe(d->rules, word, &out);
	macaw_place at = macaw_rules_word(d->rules, word).at;
	json_t *answer = json_pack("{s:{s:s, s:s%}, s:o}", "contents", "kind", "markdown", "value", text_str(&out), out.n,
	                           "range", lsp_range(d, at.from, at.to));
	text_free(&out);
	return answer ? answer : json_null();
}

/* ---- definition, references ---- */

static json_t *locations(const struct lsp_document *d, size_t word, bool defining)
{
	json_t *out = json_array();
	for (size_t i = 0; word != SIZE_MAX && i < macaw_rules_words(d->rules); i++) {
		macaw_word x = macaw_rules_word(d->rules, i);
		if (macaw_rules_same(d->rules, word, i) && (!defining || x.defines))
			json_array_append_new(out, lsp_location(d, x.at.from, x.at.to));
	}
	return out;
}

json_t *lsp_definition(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	size_t word = word_of(d, params);
	(void)error;
	json_t *out = locations(d, word, true);
	if (json_array_size(out) || word == SIZE_MAX || macaw_rules_word(d->rules, word).kind == MACAW_WORD_KEYWORD)
		return out;
	json_decref(out); /* a variable, a constant: where it first stands */
	out = locations(d, word, false);
	while (json_array_size(out) > 1)
		json_array_remove(out, json_array_size(out) - 1);
	return out;
}

json_t *lsp_references(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	(void)error;
	return locations(d, word_of(d, params), false);
}

json_t *lsp_highlight(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	size_t word = word_of(d, params);
	json_t *out = json_array();
	(void)error;
	for (size_t i = 0; word != SIZE_MAX && i < macaw_rules_words(d->rules); i++) {
		macaw_word x = macaw_rules_word(d->rules, i);
		if (macaw_rules_same(d->rules, word, i))
			json_array_append_new(out, json_pack("{s:o}", "range", lsp_range(d, x.at.from, x.at.to)));
	}
	return out;
}

/* ---- rename ---- */

static bool can_rename(const struct lsp_document *d, size_t word, struct lsp_error *error)
{
	if (word == SIZE_MAX || macaw_rules_word(d->rules, word).kind == MACAW_WORD_KEYWORD) {
		fail(error, LSP_FAILED, word == SIZE_MAX ? "there is no name here" : "keywords cannot be renamed");
		return false;
	}
	if (macaw_rules_unreadable(d->rules)) {
		fail(error, LSP_FAILED, "first mend the errors of syntax: rules that cannot be read would be left out");
		return false;
	}
	return true;
}

json_t *lsp_prepare_rename(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	size_t word = word_of(d, params);
	if (!can_rename(d, word, error))
		return NULL;
	macaw_place at = macaw_rules_word(d->rules, word).at;
	return lsp_range(d, at.from, at.to);
}

/* Is it one word of the kind that is renamed, in the form of the text? `?x` and `x` are both taken for a variable. */
static bool is_name(const macaw_rules *r, const char *name, bool variable)
{
	bool infix = macaw_rules_infix(r);
	if (variable && !infix && *name == '?')
		name++;
	if (!*name || strpbrk(name, " \t\r\n();?'\""))
		return false;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (!variable && !strcasecmp(name, keywords[i].word))
			return false;
	if (!infix)
		return true;
	if (variable ? !isupper((unsigned char)*name) && *name != '_'
	             : !islower((unsigned char)*name) && !isdigit((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* Something else has the new name already: the two would become one. */
static bool is_taken(const macaw_rules *r, const macaw_word *old, const char *name)
{
	for (size_t i = 0; i < macaw_rules_words(r); i++) {
		macaw_word x = macaw_rules_word(r, i);
		if (x.kind == old->kind && !strcasecmp(x.text, name) && strcmp(x.text, old->text) &&
		    (x.kind == MACAW_WORD_VARIABLE ? x.rule == old->rule : x.arity == old->arity))
			return true;
	}
	return false;
}

json_t *lsp_rename(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	size_t word = word_of(d, params);
	const char *name = json_string_value(json_object_get(params, "newName"));
	if (!name)
		return fail(error, LSP_BAD_PARAMS, "newName is missing");
	if (!can_rename(d, word, error))
		return NULL;
	macaw_word old = macaw_rules_word(d->rules, word);
	bool variable = old.kind == MACAW_WORD_VARIABLE;
	if (!is_name(d->rules, name, variable))
		return fail(error, LSP_FAILED, variable ? "this is no name of a variable" : "this is no name, or a keyword");
	const char *bare = variable && *name == '?' ? name + 1 : name;
	if (is_taken(d->rules, &old, bare))
		return fail(error, LSP_FAILED, "something else has this name: the two would become one");
	struct text text = {0};
	text_printf(&text, "%s%s", variable && !macaw_rules_infix(d->rules) ? "?" : "", bare);
	json_t *edits = json_array();
	for (size_t i = 0; i < macaw_rules_words(d->rules); i++) {
		macaw_word x = macaw_rules_word(d->rules, i);
		if (macaw_rules_same(d->rules, word, i))
			json_array_append_new(
				edits, json_pack("{s:o, s:s}", "range", lsp_range(d, x.at.from, x.at.to), "newText", text_str(&text)));
	}
	text_free(&text);
	return json_pack("{s:{s:o}}", "changes", d->uri, edits);
}

/* ---- completion ---- */

static void add_item(json_t *items, struct symbols *seen, const char *label, int kind, const char *detail)
{
	struct text key = {0};
	text_printf(&key, "%d %s", kind, label);
	size_t before = seen->all.n;
	if (sym_put(seen, text_str(&key), key.n) == before)
		json_array_append_new(items, json_pack("{s:s, s:i, s:s}", "label", label, "kind", kind, "detail", detail));
	text_free(&key);
}

enum { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_VALUE = 12, ITEM_KEYWORD = 14 }; /* numbers of the protocol */

/* Variables of the rule at hand; names of all kinds elsewhere. */
json_t *lsp_completion(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	const macaw_rules *r = d->rules;
	size_t n, at = lsp_offset(d, json_object_get(params, "position")), from = at;
	const char *s = macaw_rules_source(r, &n);
	json_t *items = json_array();
	struct symbols seen = {0};
	(void)error;
	while (from && !strchr(" \t\r\n()", s[from - 1]))
		from--;
	bool infix = macaw_rules_infix(r),
		 variable = from < at && (s[from] == '?' || (infix && isupper((unsigned char)s[from])));
	for (size_t i = 0; i < macaw_rules_words(r); i++) {
		macaw_word x = macaw_rules_word(r, i);
		if (x.kind == MACAW_WORD_VARIABLE) {
			struct text label = {0};
			text_printf(&label, "%s%s", infix ? "" : "?", x.text);
			if (at >= x.rule_from && at <= x.rule_to && !strchr(x.text, '.'))
				add_item(items, &seen, text_str(&label), ITEM_VARIABLE, "variable of this rule");
			text_free(&label);
		} else if (!variable && x.kind != MACAW_WORD_KEYWORD) {
			struct text detail = {0};
			text_printf(&detail, x.arity ? "%s with %u arguments" : "%s",
			            x.kind == MACAW_WORD_RELATION ? "relation"
			            : x.arity                     ? "term"
			                                          : "name",
			            x.arity);
			add_item(items, &seen, x.text, x.kind == MACAW_WORD_RELATION || x.arity ? ITEM_FUNCTION : ITEM_VALUE,
			         text_str(&detail));
			text_free(&detail);
		}
	}
	for (size_t i = 0; !variable && i < sizeof keywords / sizeof *keywords; i++)
		add_item(items, &seen, keywords[i].word, ITEM_KEYWORD, keywords[i].use);
	sym_free(&seen);
	return items;
}

/* ---- symbols, layout ---- */

json_t *lsp_symbols(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	json_t *out = json_array();
	uint32_t last = UINT32_MAX;
	(void)params, (void)error;
	for (size_t i = 0; i < macaw_rules_words(d->rules); i++) {
		macaw_word x = macaw_rules_word(d->rules, i);
		if (!x.defines || x.rule == last)
			continue;
		last = x.rule;
		json_array_append_new(out, json_pack("{s:s, s:i, s:o, s:o}", "name", x.text, "kind",
		                                     x.kind == MACAW_WORD_RELATION ? 12 : 13, "range",
		                                     lsp_range(d, x.rule_from, x.rule_to), "selectionRange",
		                                     lsp_range(d, x.at.from, x.at.to)));
	}
	return out;
}

json_t *lsp_formatting(const struct lsp_document *d, const json_t *params, struct lsp_error *error)
{
	macaw_error e;
	const json_t *options = json_object_get(params, "options");
	json_int_t blanks = json_integer_value(json_object_get(options, "tabSize"));
	bool spaces = json_is_true(json_object_get(options, "insertSpaces"));
	macaw_format_options o = {.indent = spaces && blanks > 0 && blanks <= 16 ? (uint32_t)blanks : 0};
	char *text = macaw_rules_format(d->rules, &o, &e);
	if (!text)
		return fail(error, LSP_FAILED, e.text);
	size_t n;
	macaw_rules_source(d->rules, &n);
	json_t *out = json_pack("[{s:o, s:s}]", "range", lsp_range(d, 0, n), "newText", text);
	macaw_free(text);
	return out;
}
