/* What the two readers (kif.c, infix.c) share: the text, and the building of
 * nodes and clauses. Internal to this room. */
#ifndef GDL_READER_INTERNAL_H
#define GDL_READER_INTERNAL_H

#include "gdl/gdl.h"

struct reader {
	struct gdl_rules *rules;
	struct diags *d;
	const char *text;
	uint32_t pos, length;
	VEC(node_t) items; /* nodes whose list is still open */
	VEC(struct reader_list {
		uint32_t from;
		uint32_t items;
		bool odd;
	}) open;
	uint32_t nameless; /* infix: number of `_` so far */
	size_t faults;
	bool stop; /* reading further makes no sense */
};

/* An error at a place; after a hundred of them reading stops. */
struct diag *reader_fault(struct reader *in, struct range at, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Interns a name as written: keywords in lower case unless it names a variable,
 * bad bytes replaced (and reported), too long ones cut (and reported). */
sym_t reader_name(struct reader *in, struct range at, bool variable, const char *s, size_t length);

/* A node over items[first..], which are taken off the stack. */
node_t reader_node(struct reader *in, bool variable, sym_t name, size_t first, struct range at);

/* A clause with items[first] as head and the rest as body, taken off the stack. */
void reader_clause(struct reader *in, size_t first, struct range at);

/* Defines `alleq` where it is asked for and not defined. */
void reader_alleq(struct reader *in);

void reader_kif(struct reader *in);
void reader_infix(struct reader *in);
/* One term and nothing after it. */
bool reader_kif_term(struct reader *in, node_t *out);
bool reader_infix_term(struct reader *in, node_t *out);

/* A node as text for messages: in the form of the source, cut when long. */
const char *gdl_quote(const struct gdl_rules *r, node_t n, struct diags *d);
const char *gdl_quote_name(const struct gdl_rules *r, sym_t name, bool variable, struct diags *d);

#endif
