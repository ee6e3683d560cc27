/* KIF lists as they come over the wire: lists of lists, where any list may begin
 * with a list. The text is not copied; a node stores where it lies in it. */
#ifndef NET_PROTOCOL_KIF_H
#define NET_PROTOCOL_KIF_H

#include "base/text.h"
#include "gdl/kif_lexer.h"

#include <stdbool.h>

#define KIF_NONE UINT32_MAX

struct kif {
	const char *text;
	VEC(struct kif_node {
		uint32_t from, to; /* bytes of the text, brackets included */
		uint32_t next;     /* the one after it in the same list */
		uint32_t first;    /* what is in the list; KIF_NONE: an empty list or a word */
		uint32_t count;
		bool list;
	}) nodes; /* the whole is node 0 */
};

#define KIF_MAX_NODES (1u << 18) /* of what is kept as a tree: 6 MB */

/* One term and nothing after it. False with a message. The text may hold any bytes. */
bool kif_read(struct kif *k, const char *text, size_t length, struct text *error);
/* The same, but lists at this level of nesting (1: the whole) and below get no parts: a rulesheet of any length takes
 * no memory. */
bool kif_read_levels(struct kif *k, const char *text, size_t length, size_t levels, struct text *error);
void kif_free(struct kif *k);

/* Part i of a list; KIF_NONE: it has no such part. */
uint32_t kif_part(const struct kif *k, uint32_t list, uint32_t i);
bool kif_is_word(const struct kif *k, uint32_t node, const char *word); /* in any case */
bool kif_is_nil(const struct kif *k, uint32_t node);                    /* `nil` or `()` */
bool kif_number(const struct kif *k, uint32_t node, double *out);

/* As rules print it: one space between words, `(noop)` as `noop`. */
void kif_print(const struct kif *k, uint32_t node, struct text *out);

#endif
