/* Messages of the protocol: the verb first, then its parts, each with a message when it is missing. */
#include "net/protocol/message.h"

#include <string.h>
#include <strings.h>

const char *const message_verbs[] = {"info", "preview", "start", "play", "stop", "abort", NULL};

#define CLOCK_MAX 1e6
#define RULES_LEVELS 2 /* the message and its parts: rules are passed on as text */

static bool find_kind(struct message *m, struct text *error)
{
	const struct kif *k = &m->kif;
	uint32_t verb = k->nodes.at[0].list ? kif_part(k, 0, 0) : 0; /* a bare `info` will do */
	for (unsigned i = 0; i < MESSAGE_KINDS && verb != KIF_NONE; i++)
		if (kif_is_word(k, verb, message_verbs[i])) {
			m->kind = (enum message_kind)i;
			return true;
		}
	text_puts(error, "a message begins with info, preview, start, play, stop or abort");
	return false;
}

static bool read_word(struct message *m, uint32_t i, struct text *into, const char *what, struct text *error)
{
	uint32_t n = kif_part(&m->kif, 0, i);
	if (n == KIF_NONE || m->kif.nodes.at[n].list) {
		text_printf(error, "%s is missing", what);
		return false;
	}
	kif_print(&m->kif, n, into);
	return true;
}

static bool read_clock(struct message *m, uint32_t i, double *into, struct text *error)
{
	if (!kif_number(&m->kif, kif_part(&m->kif, 0, i), into) || *into < 0) {
		text_puts(error, "a clock is missing or no number of seconds");
		return false;
	}
	if (*into > CLOCK_MAX) {
		text_printf(error, "a clock is longer than %.0f seconds", CLOCK_MAX);
		return false;
	}
	return true;
}

static bool read_rules(struct message *m, uint32_t i, struct text *error)
{
	m->rules = kif_part(&m->kif, 0, i);
	if (m->rules != KIF_NONE && m->kif.nodes.at[m->rules].list)
		return true;
	text_puts(error, "the list of rules is missing");
	return false;
}

/* (play ID nil|moves|percepts) or (play ID turn lastmove percepts). */
static bool read_turn(struct message *m, struct text *error)
{
	const struct kif *k = &m->kif;
	uint32_t count = k->nodes.at[0].count, last = kif_part(k, 0, count >= 5 ? 4 : 2);
	double turn = 0;
	if (count >= 5) {
		m->turned = kif_number(k, kif_part(k, 0, 2), &turn) && turn < 4e9;
		if (!m->turned) {
			text_puts(error, "the turn is no number");
			return false;
		}
		m->turn = (uint32_t)turn;
		m->own = kif_part(k, 0, 3);
		if (kif_is_nil(k, m->own))
			m->own = KIF_NONE;
	} else if (count > 3) {
		text_puts(error, "neither (play ID moves) nor (play ID turn lastmove percepts)");
		return false;
	}
	if (last == KIF_NONE || kif_is_nil(k, last))
		return true;
	m->list = last;
	if (!k->nodes.at[last].list) {
		text_puts(error, "a list of moves or percepts was expected");
		return false;
	}
	return true;
}

static bool read_parts(struct message *m, struct text *error)
{
	switch (m->kind) {
	case MESSAGE_START:
		return read_word(m, 1, &m->id, "the match", error) && read_word(m, 2, &m->role, "the role", error) &&
		       read_rules(m, 3, error) && read_clock(m, 4, &m->start, error) && read_clock(m, 5, &m->play, error);
	case MESSAGE_PLAY:
	case MESSAGE_STOP: return read_word(m, 1, &m->id, "the match", error) && read_turn(m, error);
	case MESSAGE_ABORT: return read_word(m, 1, &m->id, "the match", error);
	case MESSAGE_PREVIEW: return read_rules(m, 1, error);
	default: return true;
	}
}

static bool has_rules(const char *body, size_t length)
{
	size_t at = 0, from, to;
	if (!kif_token(body, length, &at, &from, &to) || body[from] != '(' || !kif_token(body, length, &at, &from, &to))
		return false;
	for (unsigned kind = MESSAGE_PREVIEW; kind <= MESSAGE_START; kind++)
		if (strlen(message_verbs[kind]) == to - from && !strncasecmp(message_verbs[kind], body + from, to - from))
			return true;
	return false;
}

struct message *message_read(const char *body, size_t length, struct text *error)
{
	struct message *m = NEW(struct message);
	m->rules = m->own = m->list = KIF_NONE;
	m->body = mem_alloc(length + 1, 1);
	memcpy(m->body, body, length);
	m->body[length] = 0;
	m->length = length;
	size_t levels = has_rules(body, length) ? RULES_LEVELS : SIZE_MAX;
	if (kif_read_levels(&m->kif, m->body, length, levels, error) && find_kind(m, error) && read_parts(m, error))
		return m;
	message_free(m);
	return NULL;
}

void message_free(struct message *m)
{
	if (!m)
		return;
	kif_free(&m->kif);
	text_free(&m->id);
	text_free(&m->role);
	mem_free(m->body);
	mem_free(m);
}

void message_rules(const struct message *m, const char **text, size_t *length)
{
	const struct kif_node *n = &m->kif.nodes.at[m->rules];
	*text = m->body + n->from + 1;
	*length = n->to - n->from - 2;
}

void message_error(struct text *reply, const char *why)
{
	text_puts(reply, "(error \"");
	for (; *why; why++)
		text_putc(reply, strchr("\"\\\n\r", *why) ? '\'' : *why);
	text_puts(reply, "\")");
}

bool message_same(const struct message *a, const struct message *b)
{
	size_t at[2] = {0}, from[2], to[2];
	if (a->kind != b->kind)
		return false;
	for (;;) {
		bool more = kif_token(a->body, a->length, &at[0], &from[0], &to[0]);
		if (more != kif_token(b->body, b->length, &at[1], &from[1], &to[1]))
			return false;
		if (!more)
			return true;
		if (to[0] - from[0] != to[1] - from[1] || memcmp(a->body + from[0], b->body + from[1], to[0] - from[0]))
			return false;
	}
}
