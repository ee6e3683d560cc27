/* Symmetries of a game: permutations of its fluents, moves, roles and percepts
 * under which the rules stay what they are. If s is one, then in the state s(S) the
 * legal moves are the images of those in S, the successor by s(m) is the image of
 * the successor by m, and what role r is paid and sees in S, role s(r) is paid and
 * sees in s(S).
 *
 * The group found is that of the *template*: nothing is said about the initial
 * state, so a permutation may swap the players and the right to move. Symmetries
 * of one state are those that leave it as it is (its stabiliser).
 *
 * They are the automorphisms of a graph of the ground program (graph.c), so each
 * is one whatever the state; it depends on how the rules are written whether all
 * are found. Every generator is tried on random states before it is believed. Some
 * more come from a graph that does not look into goals and the end, when its group is
 * small: these are kept when no state of a sample (sample_states.h) refutes them. */
#ifndef SYMMETRY_SYMMETRY_H
#define SYMMETRY_SYMMETRY_H

#include "base/vec.h"
#include "game/game.h"

/* Elements that are written out: all, or those of a subgroup when there are more. */
#define SYMMETRY_ELEMENTS 1024

struct symmetry_options {
	struct limit limit;
	size_t max_edges; /* of the graph; 0: SYMMETRY_EDGES */
	uint32_t checks;  /* random states that each generator is tried on; 0: SYMMETRY_CHECKS */
};
#define SYMMETRY_EDGES ((size_t)3 << 20)
#define SYMMETRY_CHECKS 32

/* Elements that leave every role in place and the initial state (`home`) as it is, so that states
 * that can be reached go to such states; those that leave the roles in place; all. */
enum symmetry_scope { SYMMETRY_HOME, SYMMETRY_STEADY, SYMMETRY_ANY, SYMMETRY_SCOPES };

/* Points: fluents, then moves, then roles, then percepts, each by number. */
struct symmetry {
	struct game *game;
	const uint64_t *home; /* the state of SYMMETRY_HOME: the initial one, or that of a round (round.h) */
	uint64_t *own_home;   /* the latter */
	uint32_t points, first_move, first_role, first_percept;
	size_t generators;
	VEC(uint32_t) images; /* generator i maps point p to images[i * points + p] */
	double mantissa;      /* order of the group: mantissa * 10 ^ exponent */
	int exponent;
	size_t refuted; /* generators that failed on a state: none, or a bug */
	size_t tested;  /* the last `tested` generators are proved for legality, successors and percepts but only sampled
	                 * for the end and goals */
	VEC(uint32_t) elements;        /* points each, those of narrower scopes first */
	size_t scope[SYMMETRY_SCOPES]; /* how many there are in each */
	size_t element_count;
	/* for canonical states: fluents that elements move, and where each element takes them from */
	uint32_t places, orbits;
	uint32_t *place, *orbit_of; /* by place: fluent; orbit */
	uint32_t *orbit_size;
	uint32_t *orbit_at;  /* by fluent: its orbit, or `orbits` */
	uint32_t *came_from; /* place * element_count + element */
	bool all;            /* the elements are the whole group, not a subgroup only */
	uint64_t *matters;   /* one bit per fluent: it can influence what is legal, paid or seen; others stay */
	uint32_t vertices;
	size_t edges;
	const char *skipped;          /* why nothing was looked for, or NULL */
	double seconds, processor;    /* on the clock; of the processor */
	struct symmetry_graph *graph; /* for stabilisers; NULL when skipped */
};

/* Never NULL; a game that is too large has the trivial group and says why. */
struct symmetry *symmetry_find(struct game *g, const struct symmetry_options *o);
void symmetry_free(struct symmetry *s);

static inline const uint32_t *symmetry_generator(const struct symmetry *s, size_t i)
{
	return s->images.at + i * s->points;
}

static inline bool symmetry_trivial(const struct symmetry *s)
{
	return s->generators == 0;
}

/* The image of a state under a permutation of the points. */
void symmetry_apply(const struct symmetry *s, const uint32_t *image, const uint64_t *state, uint64_t *to);

/* Are two states equal in all fluents that matter? */
bool symmetry_same(const struct symmetry *s, const uint64_t *a, const uint64_t *b);

/* An equivalent state, the same for all states that elements of this scope lead to.
 * Fluents that do not matter are left out of it. Returns the permutation that leads
 * there; moves and roles of the state go through it to those of the result. */
const uint32_t *symmetry_canonical(const struct symmetry *s, const uint64_t *state, enum symmetry_scope scope,
                                   uint64_t *to);

/* The elements of a scope that leave a state as it is, by number, the identity first: a group. Returns how many. */
size_t symmetry_fixing(const struct symmetry *s, const uint64_t *state, enum symmetry_scope scope, uint64_t *scratch,
                       uint16_t *elements);
/* The same as symmetry_canonical under such a group. */
const uint32_t *symmetry_canonical_among(const struct symmetry *s, const uint64_t *state, const uint16_t *elements,
                                         size_t count, uint64_t *to);

/* Does a permutation map legal moves, successors, percepts, the end and goals of
 * this state as it should? All joint moves, or `samples` of them. */
bool symmetry_check(const struct symmetry *s, struct worker *w, const uint32_t *image, const uint64_t *state,
                    uint32_t samples, uint64_t seed);

/* The stabiliser of a state, and a hint about its moves: joint moves in `nogoods`
 * (one move per role each) are mapped to one another only. False: out of time, nothing is
 * known then. */
struct symmetry_group {
	size_t generators;
	VEC(uint32_t) images;
	double mantissa;
	int exponent;
};
bool symmetry_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
                         const struct limit *limit, struct symmetry_group *group);
void symmetry_group_free(struct symmetry_group *group);

/* orbit[p]: the smallest point that generators lead to from p. */
void symmetry_orbits(uint32_t points, const uint32_t *images, size_t generators, uint32_t *orbit);

/* The orbits of moves under the elements written out that fix the state: quick,
 * and complete when `all` is set. By move: the smallest move of its orbit. */
void symmetry_move_orbits(const struct symmetry *s, const uint64_t *state, uint32_t *orbit);

#endif
