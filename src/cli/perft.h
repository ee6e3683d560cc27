/* Inside `macaw perft`: levels of states, for one process and for several. */
#ifndef CLI_PERFT_H
#define CLI_PERFT_H

#include "cluster/cluster.h"
#include "macaw/symmetries.h"
#include "macaw/worker.h"
#include "show/terminal.h"

struct level {
	VEC(uint64_t) states;
	VEC(uint64_t) ways;
	VEC(uint32_t) legal; /* of states that go on */
	VEC(size_t) start;   /* roles + 1 per state: legal[start[r] .. start[r+1]) */
	struct table index;
	uint64_t sequences, terminal, stuck; /* saturating; states */
	double seconds;
};

struct perft {
	macaw_game *g;
	macaw_worker *w;
	uint32_t roles, moves_known;
	size_t words, legal_words;
	uint32_t *first_move; /* circuit only: those of role r are first_move[r] … first_move[r + 1] - 1 */
	size_t *at;           /* by role, for the odometer */
	size_t batch, filled, memory;
	/* a batch: pairs of state and joint move, and where they lead */
	uint64_t *states, *next, *legal, *ways;
	uint32_t *moves;
	uint8_t *terminal;
	VEC(uint64_t) hashes; /* of states that will be entered */
	struct progress progress;
	double done, total;
	macaw_symmetries *symmetry; /* NULL: symmetric states are counted separately */
	uint64_t *canonical, *row;  /* a state, its legal moves */
	bool last, full, trouble;   /* no deeper level; the bound of memory is reached; the interpreter gave up */
	bool print;                 /* each level when it is done */
	/* with --mpi: */
	struct cluster *cluster; /* NULL: alone */
	struct exchange *exchange;
	struct level *into; /* the level that states from other ranks belong to */
	uint64_t *record;   /* a state and its ways, on their way */
	bool stopped;       /* some rank is full, in trouble or interrupted, or lost */
};

/* A sum that stays at the largest number. */
uint64_t perft_add(uint64_t a, uint64_t b);
uint64_t perft_hash(const struct perft *p, const uint64_t *state);
/* A state of a level, with its hash: adds its ways; true: it is new there. */
bool perft_enter(const struct perft *p, struct level *l, const uint64_t *state, uint64_t hash, uint64_t ways);
/* Before the state of p->hashes[i] is entered: asks for the memory that those after it will want. */
void perft_prefetch(const struct perft *p, const struct level *l, size_t i);
/* The moves of the newest state without moves, from bits. */
void perft_put_bits(const struct perft *p, struct level *l, const uint64_t *row, bool ended);
double perft_joint_moves(const struct level *l, uint32_t roles, size_t state);
size_t perft_level_bytes(const struct level *l);

/* ---- several ranks: every state belongs to one of them ---- */

/* False after a message. */
bool perft_ranks_open(struct perft *p, struct cluster *c);
void perft_ranks_close(struct perft *p);
bool perft_ranks_owns(const struct perft *p, const uint64_t *state); /* this rank; alone: yes */
/* What a batch has led to: to the ranks that it belongs to. */
void perft_ranks_flush(struct perft *p, struct level *next);
/* The end of a level: all states of it have arrived; looks at this rank's. */
void perft_ranks_finish(struct perft *p, struct level *next);
/* The numbers of a level over all ranks; false: it is not to be had. */
bool perft_ranks_sum(struct perft *p, bool interrupted, uint64_t *sequences, uint64_t *states, uint64_t *terminal,
                     uint64_t *stuck);

#endif
