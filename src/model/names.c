/* Names that XCSP3 takes: letters, digits, underscores; a letter first. */
#include "model/model_internal.h"

#include "game/rules_view.h"

#include <ctype.h>
#include <string.h>

void name_tidy(struct text *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++) {
		char c = t->at[i];
		if (isalnum((unsigned char)c))
			t->at[n++] = c;
		else if (n && t->at[n - 1] != '_' && c != ')')
			t->at[n++] = '_';
	}
	while (n && t->at[n - 1] == '_')
		n--;
	t->n = n;
	if (t->at)
		t->at[n] = 0;
	if (!n)
		text_puts(t, "x");
}

static bool taken(const struct model *m, const struct text *t)
{
	uint64_t h = hash_bytes(t->at, t->n);
	uint32_t it, id;
	for (table_start(&m->names, h, &it); (id = table_next(&m->names, h, &it)) != TABLE_NONE;)
		if (!strcmp(m->used_names.at[id], t->at))
			return true;
	return false;
}

void name_unique(struct model *m, struct text *t)
{
	size_t n = t->n;
	if (isdigit((unsigned char)t->at[0])) {
		struct text v = {0};
		text_printf(&v, "v%s", t->at);
		text_free(t);
		*t = v;
		n = t->n;
	}
	for (unsigned k = 2; taken(m, t); k++) {
		t->n = n;
		text_printf(t, "_%u", k);
	}
	char *copy = mem_alloc(t->n + 1, 1);
	memcpy(copy, t->at, t->n + 1);
	table_add(&m->names, hash_bytes(t->at, t->n), (uint32_t)m->used_names.n);
	vec_push(&m->used_names, copy);
}

/* Positions of arguments in which the members of a group differ; ~0: of different symbols. */
static uint64_t varying(const struct terms *t, const term_t *fluents, const uint32_t *members, uint32_t n)
{
	uint64_t vary = 0;
	term_t first = fluents[members[0]];
	struct term a = t->all.at[first];
	for (uint32_t i = 1; i < n; i++) {
		term_t id = fluents[members[i]];
		struct term b = t->all.at[id];
		if (a.name != b.name || a.argc != b.argc || a.argc > 63)
			return ~UINT64_C(0);
		for (uint32_t k = 0; k < a.argc; k++)
			if (term_args(t, first)[k] != term_args(t, id)[k])
				vary |= UINT64_C(1) << k;
	}
	return vary;
}

static void print_arguments(const struct ground *g, term_t id, uint64_t which, struct text *out)
{
	const struct terms *t = &g->datalog.terms;
	for (uint32_t k = 0; k < t->all.at[id].argc; k++)
		if (which >> k & 1) {
			text_puts(out, out->n ? " " : "");
			term_print(t, &g->datalog.source->symbols, term_args(t, id)[k], out);
		}
}

void name_group(struct model *m, uint32_t group, struct text *name, struct text *values)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	const struct terms *t = &g->datalog.terms;
	struct group x = m->groups->all.at[group];
	const uint32_t *members = m->groups->members.at + x.first;
	uint64_t vary = varying(t, g->fluents.at, members, x.n);
	bool mixed = vary == ~UINT64_C(0);
	term_t first = g->fluents.at[members[0]];
	if (mixed) {
		text_puts(name, "one of ");
		game_print_fluent(m->game, members[0], name);
	} else {
		text_puts(name, sym_text(&g->datalog.source->symbols, t->all.at[first].name));
		print_arguments(g, first, ~vary, name);
	}
	name_tidy(name);
	for (uint32_t i = 0; i < x.n; i++) {
		if (mixed || !vary)
			game_print_fluent(m->game, members[i], &values[i]);
		else
			print_arguments(g, g->fluents.at[members[i]], vary, &values[i]);
		name_tidy(&values[i]);
	}
}

/* Atoms that the game description language gives a meaning are second choice. */
static bool reserved(const struct text *t)
{
	static const char *const words[] = {"(next ", "(legal ", "(goal ", "(sees ", "terminal"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(text_str(t), words[i], strlen(words[i])))
			return true;
	return false;
}

static void find_atoms(struct model *m)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	uint32_t inputs = 1 + m->c.fluents + m->c.moves;
	m->atom = NEW_ARRAY(uint32_t, m->c.gates.n);
	for (int second = 0; second < 2; second++)
		for (uint32_t a = 0; a < m->c.atoms.n; a++) {
			lit_t l = m->c.atoms.at[a];
			struct text t = {0};
			if (l == LIT_NONE || l / 2 < inputs || m->atom[l / 2])
				continue;
			ground_print_atom(g, a, &t);
			if (second || !reserved(&t))
				m->atom[l / 2] = 1 + a * 2 + (l & 1);
			text_free(&t);
		}
}

void name_gate(struct model *m, lit_t l, struct text *t)
{
	uint32_t node = l / 2;
	if (!m->atom)
		find_atoms(m);
	uint32_t x = m->atom[node];
	if ((x ? (x - 1) & 1 : 0) ^ (l & 1))
		text_puts(t, "not ");
	if (x)
		ground_print_atom(game_rules_view(m->game)->ground, (x - 1) / 2, t);
	else
		text_printf(t, "%s %u",
		            m->c.gates.at[node].kind == GATE_AND  ? "and"
		            : m->c.gates.at[node].kind == GATE_OR ? "or"
		                                                  : "is",
		            node);
	name_tidy(t);
}

void name_move(struct model *m, uint32_t move, struct text *t)
{
	game_print_move(m->game, move, t);
	name_tidy(t);
}
