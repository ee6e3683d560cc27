/* The inside of rules, for the files that answer questions about them. */
#ifndef API_RULES_INTERNAL_H
#define API_RULES_INTERNAL_H

#include "api/api_internal.h"

struct rule_words;
void rule_words_free(struct rule_words *w); /* NULL is nothing */

struct rule_words **api_rules_words(macaw_rules *r); /* where they are kept; NULL there: not found yet */
struct handle *api_rules_handle(const macaw_rules *r);

#endif
