/* Which names can stand where: for every argument of every relation, fluent and move the names that some rule or fact
 * could put there. An over-approximation: each argument for itself, and rules are taken to fire whatever their other
 * conditions say. So a name that is not in a domain never stands there, and a condition that asks for it never holds.
 */
#ifndef GDL_DOMAINS_H
#define GDL_DOMAINS_H

#include "gdl/gdl.h"

/* Fluents are what stands in `true`, `init` and `next`, moves what stands in `does` and `legal`; their declarations are
 * kept apart. */
enum gdl_realm { REALM_RELATION, REALM_FLUENT, REALM_MOVE, REALM_BASE, REALM_INPUT };

struct gdl_domains;

/* NULL: the rules are too large to be looked at in this way. */
struct gdl_domains *gdl_domains_make(const struct gdl_rules *r);
void gdl_domains_free(struct gdl_domains *d);

/* The place `arg` of a relation, or of a term within fluents or moves; name SYM_NONE: the fluent, or move, itself. */
#define GDL_NO_PLACE UINT32_MAX
uint32_t gdl_domain_place(const struct gdl_domains *d, enum gdl_realm realm, sym_t name, uint32_t argc, uint32_t arg);
/* Names, with their number of arguments. */
bool gdl_domain_has(const struct gdl_domains *d, uint32_t place, sym_t name, uint32_t argc);
size_t gdl_domain_size(const struct gdl_domains *d, uint32_t place);
/* The i-th name, for lists; SYM_NONE: no more. */
sym_t gdl_domain_name(const struct gdl_domains *d, uint32_t place, size_t i, uint32_t *argc);

/* The realm of what stands in an argument of an atom, and the place of the argument itself. */
enum gdl_realm gdl_realm_of_name(sym_t relation, uint32_t arg);
enum gdl_realm gdl_realm_of(const struct gdl_rules *r, node_t atom, uint32_t arg);
uint32_t gdl_argument_place(const struct gdl_domains *d, node_t atom, uint32_t arg);

#endif
