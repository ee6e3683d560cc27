/* Domains by a fixpoint over the clauses. A place holds a set of names; the head of a clause adds to the places of its
 * arguments the names it has there, and for a variable the names that all places of the variable in positive
 * conditions have in common (the union over the branches of `or`, where only those bind it). */
#include "gdl/domains.h"

#include "base/bits.h"
#include "base/hash.h"

#include <string.h>

#define MAX_WORDS ((size_t)1 << 22)  /* of all sets */
#define MAX_WORK ((uint64_t)1 << 28) /* words that are looked at */

struct place_key {
	enum gdl_realm realm;
	sym_t name;
	uint32_t argc, arg;
};

struct gdl_domains {
	const struct gdl_rules *r;
	VEC(struct place_key) places;
	struct table place_index;
	VEC(struct element {
		sym_t name;
		uint32_t argc;
	}) elements;
	struct table element_index;
	size_t words;   /* of a set */
	uint64_t *sets; /* by place */
	uint64_t work;
	bool changed;
	/* of the clause at hand */
	VEC(struct occurrence {
		sym_t variable;
		uint32_t place;
		bool branch;
	}) occurrences;
	uint64_t *values; /* a set: of the variable at hand */
};

/* ---- places and names -------------------------------------------------------------------- */

static uint64_t place_hash(struct place_key k)
{
	return hash_join(hash_join(hash_mix(k.name), k.argc * 8 + (uint32_t)k.realm), k.arg);
}

uint32_t gdl_domain_place(const struct gdl_domains *d, enum gdl_realm realm, sym_t name, uint32_t argc, uint32_t arg)
{
	struct place_key k = {realm, name, argc, arg};
	uint64_t h = place_hash(k);
	uint32_t it, id;
	for (table_start(&d->place_index, h, &it); (id = table_next(&d->place_index, h, &it)) != TABLE_NONE;) {
		const struct place_key *p = &d->places.at[id];
		if (p->realm == realm && p->name == name && p->argc == argc && p->arg == arg)
			return id;
	}
	return GDL_NO_PLACE;
}

static void put_place(struct gdl_domains *d, enum gdl_realm realm, sym_t name, uint32_t argc, uint32_t arg)
{
	if (gdl_domain_place(d, realm, name, argc, arg) != GDL_NO_PLACE)
		return;
	struct place_key k = {realm, name, argc, arg};
	table_add(&d->place_index, place_hash(k), narrow32(d->places.n));
	vec_push(&d->places, k);
}

static uint32_t find_element(const struct gdl_domains *d, sym_t name, uint32_t argc)
{
	uint64_t h = hash_join(hash_mix(name), argc);
	uint32_t it, id;
	for (table_start(&d->element_index, h, &it); (id = table_next(&d->element_index, h, &it)) != TABLE_NONE;)
		if (d->elements.at[id].name == name && d->elements.at[id].argc == argc)
			return id;
	return TABLE_NONE;
}

enum gdl_realm gdl_realm_of_name(sym_t relation, uint32_t arg)
{
	switch (relation) {
	case GDL_TRUE:
	case GDL_INIT:
	case GDL_NEXT: return REALM_FLUENT;
	case GDL_BASE: return REALM_BASE;
	case GDL_DOES:
	case GDL_LEGAL: return arg == 1 ? REALM_MOVE : REALM_RELATION;
	case GDL_INPUT: return arg == 1 ? REALM_INPUT : REALM_RELATION;
	default: return REALM_RELATION;
	}
}

enum gdl_realm gdl_realm_of(const struct gdl_rules *r, node_t atom, uint32_t arg)
{
	return gdl_realm_of_name(r->nodes.at[atom].name, arg);
}

uint32_t gdl_argument_place(const struct gdl_domains *d, node_t atom, uint32_t arg)
{
	const struct gdl_node *n = &d->r->nodes.at[atom];
	enum gdl_realm realm = gdl_realm_of(d->r, atom, arg);
	if (realm != REALM_RELATION)
		return gdl_domain_place(d, realm, SYM_NONE, 0, 0);
	if (n->name == GDL_DOES) /* only roles move */
		return gdl_domain_place(d, REALM_RELATION, GDL_ROLE, 1, 0);
	return gdl_domain_place(d, REALM_RELATION, n->name, n->argc, arg);
}

static void list_term(struct gdl_domains *d, node_t n)
{
	const struct gdl_node *node = &d->r->nodes.at[n];
	if (node->variable)
		return;
	if (find_element(d, node->name, node->argc) == TABLE_NONE) {
		table_add(&d->element_index, hash_join(hash_mix(node->name), node->argc), narrow32(d->elements.n));
		vec_push(&d->elements, ((struct element){node->name, node->argc}));
	}
	for (uint32_t i = 0; i < node->argc; i++) {
		/* A term can wander from one realm to another by a variable. */
		for (int k = REALM_RELATION; k <= REALM_INPUT; k++)
			put_place(d, (enum gdl_realm)k, node->name, node->argc, i);
		list_term(d, gdl_arg(d->r, n, i));
	}
}

static bool is_connective(sym_t name)
{
	return name == GDL_NOT || name == GDL_OR || name == GDL_AND;
}

static void list_atom(struct gdl_domains *d, node_t n)
{
	const struct gdl_node *node = &d->r->nodes.at[n];
	if (node->variable)
		return;
	for (uint32_t i = 0; i < node->argc; i++) {
		if (is_connective(node->name)) {
			list_atom(d, gdl_arg(d->r, n, i));
			continue;
		}
		put_place(d, REALM_RELATION, node->name, node->argc, i);
		list_term(d, gdl_arg(d->r, n, i));
	}
}

/* ---- the fixpoint --------------------------------------------------------------------------- */

static uint64_t *set_of(const struct gdl_domains *d, uint32_t place)
{
	return d->sets + place * d->words;
}

static void note_variables(struct gdl_domains *d, node_t n, enum gdl_realm realm, uint32_t place, bool branch)
{
	const struct gdl_node *node = &d->r->nodes.at[n];
	if (node->variable) {
		vec_push(&d->occurrences, ((struct occurrence){node->name, place, branch}));
		return;
	}
	for (uint32_t i = 0; i < node->argc; i++)
		note_variables(d, gdl_arg(d->r, n, i), realm, gdl_domain_place(d, realm, node->name, node->argc, i), branch);
}

/* Where positive conditions have variables. */
static void note_condition(struct gdl_domains *d, node_t n, bool branch)
{
	const struct gdl_node *node = &d->r->nodes.at[n];
	if (node->variable || node->name == GDL_NOT || node->name == GDL_DISTINCT)
		return;
	for (uint32_t i = 0; i < node->argc; i++) {
		if (is_connective(node->name))
			note_condition(d, gdl_arg(d->r, n, i), branch || node->name == GDL_OR);
		else
			note_variables(d, gdl_arg(d->r, n, i), gdl_realm_of(d->r, n, i), gdl_argument_place(d, n, i), branch);
	}
}

/* The values of a variable of the clause at hand, in d->values; from: a place it takes them from. */
static bool variable_values(struct gdl_domains *d, sym_t variable, uint32_t *from)
{
	bool any = false;
	d->work += d->occurrences.n;
	for (int branches = 0; branches < 2 && !any; branches++)
		for (size_t i = 0; i < d->occurrences.n; i++) {
			const struct occurrence *o = &d->occurrences.at[i];
			if (o->variable != variable || o->branch != (branches == 1) || o->place == GDL_NO_PLACE)
				continue;
			const uint64_t *s = set_of(d, o->place);
			for (size_t w = 0; w < d->words; w++)
				d->values[w] = !any ? s[w] : branches ? d->values[w] | s[w] : d->values[w] & s[w];
			d->work += d->words;
			any = true;
			*from = o->place;
		}
	return any;
}

static void add_set(struct gdl_domains *d, uint32_t place, const uint64_t *s)
{
	uint64_t *to = set_of(d, place);
	for (size_t w = 0; w < d->words; w++) {
		d->changed |= (s[w] & ~to[w]) != 0;
		to[w] |= s[w];
	}
	d->work += d->words;
}

/* Terms that come from another realm bring their arguments with them. */
static void add_arguments(struct gdl_domains *d, enum gdl_realm from, enum gdl_realm to)
{
	if (from == to)
		return;
	for (size_t w = 0; w < d->words; w++)
		for (uint64_t bits = d->values[w]; bits; bits &= bits - 1) {
			const struct element *e = &d->elements.at[w * 64 + (size_t)__builtin_ctzll(bits)];
			for (uint32_t i = 0; i < e->argc; i++)
				add_set(d, gdl_domain_place(d, to, e->name, e->argc, i),
				        set_of(d, gdl_domain_place(d, from, e->name, e->argc, i)));
		}
}

static void add_head_term(struct gdl_domains *d, node_t n, enum gdl_realm realm, uint32_t place)
{
	const struct gdl_node *node = &d->r->nodes.at[n];
	if (node->variable) {
		uint32_t from;
		if (variable_values(d, node->name, &from)) {
			add_set(d, place, d->values);
			add_arguments(d, d->places.at[from].realm, realm);
		}
		return;
	}
	uint32_t e = find_element(d, node->name, node->argc);
	if (!bits_has(set_of(d, place), e)) {
		bits_add(set_of(d, place), e);
		d->changed = true;
	}
	for (uint32_t i = 0; i < node->argc; i++)
		add_head_term(d, gdl_arg(d->r, n, i), realm, gdl_domain_place(d, realm, node->name, node->argc, i));
}

static void add_clause(struct gdl_domains *d, const struct gdl_clause *c)
{
	const struct gdl_node *head = &d->r->nodes.at[c->head];
	vec_clear(&d->occurrences);
	for (uint32_t i = 0; i < c->count; i++)
		note_condition(d, d->r->kids.at[c->body + i], false);
	for (uint32_t i = 0; i < head->argc; i++)
		add_head_term(d, gdl_arg(d->r, c->head, i), gdl_realm_of(d->r, c->head, i), gdl_argument_place(d, c->head, i));
}

static bool run(struct gdl_domains *d)
{
	const struct gdl_rules *r = d->r;
	do {
		d->changed = false;
		for (size_t i = 0; i < r->clauses.n && d->work < MAX_WORK; i++)
			if (!r->nodes.at[r->clauses.at[i].head].variable && !is_connective(r->nodes.at[r->clauses.at[i].head].name))
				add_clause(d, &r->clauses.at[i]);
	} while (d->changed && d->work < MAX_WORK);
	return d->work < MAX_WORK;
}

struct gdl_domains *gdl_domains_make(const struct gdl_rules *r)
{
	struct gdl_domains *d = NEW(struct gdl_domains);
	d->r = r;
	put_place(d, REALM_RELATION, GDL_ROLE, 1, 0);
	for (int k = REALM_FLUENT; k <= REALM_INPUT; k++)
		put_place(d, (enum gdl_realm)k, SYM_NONE, 0, 0);
	for (size_t i = 0; i < r->clauses.n; i++) {
		list_atom(d, r->clauses.at[i].head);
		for (uint32_t k = 0; k < r->clauses.at[i].count; k++)
			list_atom(d, r->kids.at[r->clauses.at[i].body + k]);
	}
	d->words = BITS_WORDS(d->elements.n) + 1;
	bool fits = d->words * d->places.n <= MAX_WORDS;
	if (fits) {
		d->sets = NEW_ARRAY(uint64_t, d->words * d->places.n);
		d->values = NEW_ARRAY(uint64_t, d->words);
		fits = run(d);
	}
	if (fits)
		return d;
	gdl_domains_free(d);
	return NULL;
}

void gdl_domains_free(struct gdl_domains *d)
{
	if (!d)
		return;
	vec_free(&d->places);
	table_free(&d->place_index);
	vec_free(&d->elements);
	table_free(&d->element_index);
	vec_free(&d->occurrences);
	mem_free(d->sets);
	mem_free(d->values);
	mem_free(d);
}

/* ---- questions --------------------------------------------------------------------------------- */

bool gdl_domain_has(const struct gdl_domains *d, uint32_t place, sym_t name, uint32_t argc)
{
	uint32_t e = find_element(d, name, argc);
	return e != TABLE_NONE && bits_has(set_of(d, place), e);
}

size_t gdl_domain_size(const struct gdl_domains *d, uint32_t place)
{
	return bits_count(set_of(d, place), d->words);
}

sym_t gdl_domain_name(const struct gdl_domains *d, uint32_t place, size_t i, uint32_t *argc)
{
	BITS_EACH (e, set_of(d, place), d->elements.n)
		if (!i--) {
			if (argc)
				*argc = d->elements.at[e].argc;
			return d->elements.at[e].name;
		}
	return SYM_NONE;
}
