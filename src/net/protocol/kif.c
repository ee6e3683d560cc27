/* One pass with a stack of open lists, so that depth is bounded and nothing recurses
 * on what a stranger sent. */
#include "net/protocol/kif.h"

#include "gdl/gdl.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct open_list {
	uint32_t node, last;
};

static uint32_t put(struct kif *k, struct open_list *in, size_t from, size_t to, bool list)
{
	uint32_t id = (uint32_t)k->nodes.n;
	vec_push(&k->nodes, (struct kif_node){(uint32_t)from, (uint32_t)to, KIF_NONE, KIF_NONE, 0, list});
	if (in) {
		if (in->last == KIF_NONE)
			k->nodes.at[in->node].first = id;
		else
			k->nodes.at[in->last].next = id;
		k->nodes.at[in->node].count++;
		in->last = id;
	}
	return id;
}

bool kif_read(struct kif *k, const char *text, size_t length, struct text *error)
{
	return kif_read_levels(k, text, length, SIZE_MAX, error);
}

/* Closes a list; those below the last level have no node. */
static void close_list(struct kif *k, struct open_list list, size_t to)
{
	if (list.node != KIF_NONE)
		k->nodes.at[list.node].to = (uint32_t)to;
}

bool kif_read_levels(struct kif *k, const char *text, size_t length, size_t levels, struct text *error)
{
	VEC(struct open_list) open = {0};
	size_t at = 0, from, to;
	const char *wrong = NULL;
	*k = (struct kif){.text = text};
	while (!wrong && kif_token(text, length, &at, &from, &to)) {
		struct open_list *in = open.n ? &vec_last(&open) : NULL;
		if (text[from] == ')' && !in)
			wrong = "a `)` that closes nothing";
		else if (!in && k->nodes.n)
			wrong = "something follows the message";
		else if (text[from] == ')')
			close_list(k, vec_pop(&open), to);
		else if (text[from] == '(' && open.n == GDL_MAX_DEPTH)
			wrong = "lists nested too deeply";
		else if (k->nodes.n >= KIF_MAX_NODES)
			wrong = "too many words and lists";
		else {
			bool list = text[from] == '(';
			uint32_t id = open.n < levels ? put(k, in, from, to, list) : KIF_NONE;
			if (list)
				vec_push(&open, (struct open_list){id, KIF_NONE});
		}
	}
	if (!wrong && open.n)
		wrong = "a `)` is missing";
	if (!wrong && !k->nodes.n)
		wrong = "the message is empty";
	if (wrong)
		text_puts(error, wrong);
	vec_free(&open);
	return !wrong;
}

void kif_free(struct kif *k)
{
	vec_free(&k->nodes);
}

uint32_t kif_part(const struct kif *k, uint32_t list, uint32_t i)
{
	if (list == KIF_NONE)
		return KIF_NONE;
	uint32_t n = k->nodes.at[list].first;
	while (n != KIF_NONE && i--)
		n = k->nodes.at[n].next;
	return n;
}

bool kif_is_word(const struct kif *k, uint32_t node, const char *word)
{
	if (node == KIF_NONE || k->nodes.at[node].list)
		return false;
	const struct kif_node *n = &k->nodes.at[node];
	return n->to - n->from == strlen(word) && !strncasecmp(k->text + n->from, word, n->to - n->from);
}

bool kif_is_nil(const struct kif *k, uint32_t node)
{
	return node != KIF_NONE && (k->nodes.at[node].list ? !k->nodes.at[node].count : kif_is_word(k, node, "nil"));
}

bool kif_number(const struct kif *k, uint32_t node, double *out)
{
	char word[32], *end;
	if (node == KIF_NONE || k->nodes.at[node].list)
		return false;
	size_t n = k->nodes.at[node].to - k->nodes.at[node].from;
	if (n >= sizeof word || !n)
		return false;
	memcpy(word, k->text + k->nodes.at[node].from, n);
	word[n] = 0;
	if (word[strspn(word, "0123456789.")])
		return false;
	*out = strtod(word, &end);
	return !*end;
}

void kif_print(const struct kif *k, uint32_t node, struct text *out)
{
	const struct kif_node *n = &k->nodes.at[node];
	size_t at = n->from, from, to;
	struct text whole = {0};
	/* lists are printed by their tokens: no recursion */
	while (at < n->to && kif_token(k->text, n->to, &at, &from, &to)) {
		if (k->text[from] != ')' && whole.n && whole.at[whole.n - 1] != '(')
			text_putc(&whole, ' ');
		text_add(&whole, k->text + from, to - from);
	}
	/* `(noop)` is `noop`, at every depth */
	for (size_t i = 0; i < whole.n; i++) {
		size_t word = i + 1 < whole.n && whole.at[i] == '(' ? strcspn(whole.at + i + 1, "() ") : 0;
		if (word && whole.at[i + 1 + word] == ')') {
			text_add(out, whole.at + i + 1, word);
			i += word + 1;
		} else {
			text_putc(out, whole.at[i]);
		}
	}
	text_free(&whole);
}
