/* What a server and the process of a match say to each other: frames over a socket, a head and a text. Both ends are
 * the same program on the same machine, so numbers go as they are. */
#ifndef NET_PLAYER_FRAMES_H
#define NET_PLAYER_FRAMES_H

#include "base/text.h"

enum frame_kind {
	/* to the process */
	FRAME_OPTIONS, /* `options`, then its texts, each ended by NUL */
	FRAME_ASK,     /* id; when it arrived, delay, clock (of START; 0: its own); the message */
	FRAME_REPLAY,  /* when it arrived; the reply, NUL, the message */
	FRAME_TOLD,    /* the reply that was given to the last play in its place */
	FRAME_END,
	/* from it */
	FRAME_ANSWER, /* id, status, when it was made; the reply, NUL, the reason */
	FRAME_HOLDS,  /* id; a legal move */
	FRAME_STATE   /* id is the step; what it does, NUL, its engine */
};

struct frame {
	enum frame_kind kind;
	uint32_t id;
	int status;
	double arrived, delay, clock;
	uint64_t length; /* of the text after it */
};

/* Of FRAME_OPTIONS. */
struct frame_options {
	double margin;
	uint64_t seed, memory, bounds;
	bool ponder, records;
};

/* Adds a frame with two texts (the second may be NULL) and a NUL between them. */
void frame_add(struct text *out, struct frame f, const char *text, size_t length, const char *second);

/* The first whole frame in the text; NULL: there is none yet. *text lasts as long as `in` does. */
const struct frame *frame_first(const struct text *in, const char **text);
void frame_drop(struct text *in);                                  /* the first one */
const char *frame_second(const struct frame *f, const char *text); /* after the NUL; "" when there is none */

#endif
