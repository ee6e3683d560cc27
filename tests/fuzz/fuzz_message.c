/* Any bytes as a message of the competition protocol: reading must end well and say
 * why it refuses, what was found must lie within the message, and it must
 * print as KIF and be the same with other space. */
#include "net/protocol/message.h"

#include "fuzz/mutate.h"

/* Parts lie inside their list, one after another. */
static void check_nodes(const struct kif *k, size_t size)
{
	for (size_t i = 0; i < k->nodes.n; i++) {
		const struct kif_node *node = &k->nodes.at[i];
		MUST(node->from < node->to && node->to <= size);
		uint32_t end = node->from, parts = 0;
		for (uint32_t p = node->first; p != KIF_NONE; p = k->nodes.at[p].next, parts++) {
			MUST(node->list && p < k->nodes.n);
			MUST(k->nodes.at[p].from >= end && k->nodes.at[p].to <= node->to);
			end = k->nodes.at[p].to;
		}
		MUST(parts == node->count);
	}
}

static void print_and_read_again(const struct kif *k)
{
	struct text printed = {0}, error = {0};
	struct kif back = {0};
	kif_print(k, 0, &printed);
	MUST(kif_read(&back, text_str(&printed), printed.n, &error));
	MUST(back.nodes.n <= k->nodes.n); /* `(noop)` is printed as `noop` */
	kif_free(&back);
	text_free(&printed);
	text_free(&error);
}

static void as_kif(const char *data, size_t size)
{
	struct text error = {0};
	struct kif k = {0};
	bool ok = kif_read(&k, data, size, &error);
	MUST(ok == !error.n);
	if (ok) {
		check_nodes(&k, size);
		print_and_read_again(&k);
	}
	kif_free(&k);
	text_free(&error);
}

static void check_message(const struct message *m)
{
	MUST(m->kind < MESSAGE_KINDS);
	check_nodes(&m->kif, m->length);
	MUST(message_same(m, m));
	for (size_t i = 0; i < m->id.n; i++)
		MUST(!strchr(" \t\r\n()", m->id.at[i]) || !m->id.at[i]);
	if (m->kind == MESSAGE_START || m->kind == MESSAGE_PREVIEW) {
		const char *text;
		size_t length;
		message_rules(m, &text, &length);
		MUST(text >= m->body && text + length <= m->body + m->length);
		MUST(m->start >= 0 && m->play >= 0); /* no NaN either */
	} else if (m->kind == MESSAGE_PLAY || m->kind == MESSAGE_STOP) {
		MUST(m->own == KIF_NONE || m->own < m->kif.nodes.n);
		MUST(m->list == KIF_NONE || m->list < m->kif.nodes.n);
	}
}

/* More space changes nothing. */
static void spaced(const struct message *m)
{
	struct text wide = {0}, error = {0};
	size_t at = 0, from, to;
	while (kif_token(m->body, m->length, &at, &from, &to)) {
		text_puts(&wide, " \n\t ");
		text_add(&wide, m->body + from, to - from);
	}
	text_puts(&wide, "\r\n");
	struct message *back = message_read(text_str(&wide), wide.n, &error);
	MUST(back && message_same(m, back) && message_same(back, m));
	message_free(back);
	text_free(&wide);
	text_free(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text error = {0};
	as_kif((const char *)data, size);
	struct message *m = message_read((const char *)data, size, &error);
	MUST(!m == !!error.n);
	if (m) {
		check_message(m);
		spaced(m);
		message_free(m);
	}
	text_free(&error);
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const words[] = {"(",      ")",           "()",     "nil",  "NIL",  "(play ", "(start ",
	                                    "(stop ", "(abort ",     "(info)", "m1",   " 1 ",  " -1 ",   "1e99",
	                                    " nan",   "99999999999", "((",     "))",   " ; ",  "\n",     "(a b)",
	                                    "(noop)", "?x",          "\xc3",   "\xff", "%s%n", NULL};
	return mutate_main(argc, argv, words, "fuzz_message-failed");
}
#endif
