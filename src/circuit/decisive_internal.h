/* Private to decisive.c and compose.c: what is so after a move, as literals of the circuit that the move is made in. */
#ifndef CIRCUIT_DECISIVE_INTERNAL_H
#define CIRCUIT_DECISIVE_INTERNAL_H

#include "circuit/cone.h"
#include "circuit/decisive.h"

/* A part of a circuit with its values as literals of the circuit that grows: with no move
 * made, and with the present one. */
struct part {
	const struct circuit *c;
	VEC(uint32_t) nodes; /* gates and inputs that are asked for, ascending */
	struct cone asked;
	lit_t *idle, *now;
	uint8_t *changed;
	/* How it changed, where that is known: GROWS, now = idle + by; SHRINKS, now = idle . not by. */
	uint8_t *way;
	lit_t *by;
};

struct composer {
	struct circuit *c;
	uint32_t size;      /* gates when we began */
	uint8_t *false_now; /* by literal below 2 * size */
	struct part next, end, threat;
	struct circuit narrow; /* the circuit of `threat` */
	lit_t threatened;
	lit_t *choice; /* by role: it has several legal moves. NULL: see compose_simultaneous() */
	VEC(lit_t) in;
	const struct decisive_job *j;
};

/* False: there is recursion in what is asked for. The composer is to be ended all the same. */
bool compose_begin(struct composer *a, struct circuit *c, const struct decisive_job *j);
/* Do other roles choose along with this one in its phase? Then what comes of a move is asked as if these did nothing.
 */
static inline bool compose_simultaneous(const struct composer *a)
{
	return a->choice;
}

/* Makes a move; false: that takes too many gates or too long. */
bool compose_move(struct composer *a, uint32_t m);
void compose_end(struct composer *a);

/* Is it plain that nobody else has a choice when the move is legal? Often that is seen from whose turn it is. */
bool compose_alone(const struct composer *a, uint32_t move);
/* The role has several legal moves. */
lit_t compose_choice(struct composer *a, uint32_t role);

/* The literal of a part after the move. */
static inline lit_t compose_value(const struct part *p, lit_t l)
{
	return (p->changed[l / 2] ? p->now : p->idle)[l / 2] ^ (l & 1);
}

#define NARROW 12 /* inputs of gates that are simplified */

/* A gate simplified by what its inputs say of one another, and by what is known of the state. */
lit_t compose_gate(struct composer *a, enum gate_kind kind, lit_t *in, uint32_t n);

/* False: the two are never so at once. */
bool compose_agree(const struct composer *a, lit_t x, lit_t y);

static inline lit_t both(struct circuit *c, enum gate_kind kind, lit_t x, lit_t y)
{
	lit_t pair[2] = {x, y};
	return circuit_gate(c, kind, pair, 2);
}

/* Is it an AND or OR of this kind, perhaps as the negation of the other? */
static inline bool is_list(const struct gate *g, lit_t l, enum gate_kind kind)
{
	return g->kind == (l & 1 ? (kind == GATE_AND ? GATE_OR : GATE_AND) : kind);
}

#endif
