/* The messages of the competition protocol, read and written. */
#ifndef NET_PROTOCOL_MESSAGE_H
#define NET_PROTOCOL_MESSAGE_H

#include "net/protocol/kif.h"

enum message_kind {
	MESSAGE_INFO,
	MESSAGE_PREVIEW,
	MESSAGE_START,
	MESSAGE_PLAY,
	MESSAGE_STOP,
	MESSAGE_ABORT,
	MESSAGE_KINDS
};

extern const char *const message_verbs[];

struct message {
	enum message_kind kind;
	struct kif kif; /* of `body`, which it owns */
	char *body;
	size_t length;
	struct text id, role;
	uint32_t rules; /* node of the list */
	double start, play;
	/* play, stop: `list` is the joint move or the percepts (KIF_NONE: none were sent) */
	bool turned; /* of the form (play ID turn lastmove percepts) */
	uint32_t turn;
	uint32_t own; /* node of lastmove; KIF_NONE: nil or not sent */
	uint32_t list;
};

/* Reads what anybody may have sent; the message keeps a copy. NULL with a reason. */
struct message *message_read(const char *body, size_t length, struct text *error);
void message_free(struct message *m);

/* The text of the rules between their brackets, clauses as they were sent. */
void message_rules(const struct message *m, const char **text, size_t *length);

/* A reply that says what is wrong: (error "why"). */
void message_error(struct text *reply, const char *why);

/* Same kind, match and contents, whatever the spacing. */
bool message_same(const struct message *a, const struct message *b);

#endif
