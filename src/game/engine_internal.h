/* Private to this room: what the two engines offer to game.c. */
#ifndef GAME_ENGINE_INTERNAL_H
#define GAME_ENGINE_INTERNAL_H

#include "base/rng.h"
#include "base/thread.h"
#include "circuit/circuit.h"
#include "game/rules_view.h"
#include "lanes/lanes.h"
#include "lanes/native.h"
#include "lanes/phases.h"
#include "lanes/program.h"

/* ---- circuit ---- */

/* A step of a playout. The moves that may be open then stand in slots of their
 * own, those of role r being moves[first[r] .. first[r+1]), one after another from
 * slot `base + first[r]` on. A role may also have its move fixed. */
struct rollout {
	struct program program;
	uint32_t *moves, *first, *fixed; /* fixed by role: the move, or GAME_NONE */
	uint32_t base, terminal, next;   /* slots; next: one for each live fluent */
	struct native native;            /* for `width` lanes */
};

struct decisive_rollouts {
	struct rollout *rollouts; /* as in the engine; empty for phases without a decisive player */
	uint32_t count, slots;
	double cost; /* of a step, the plain one being 1 */
};

/* For lists of states: what may be asked of a state, and the step to its successor. Goals apart, as in playouts. Slots:
 * fluents, moves made, then as below. */
struct expander {
	struct program look, step;
	struct native look_native, step_native, goals_native; /* for `lanes` */
	uint32_t legal, terminal, next, percepts;
	uint32_t slots, lanes;
};
#define DECISIVE_POLICIES 2

struct circuit_engine {
	struct ground *ground;
	struct circuit circuit;
	uint32_t folded; /* fluents found constant */
	int *goal_value; /* by goal of the ground program */

	/* For questions about one state: legal, terminal and goals, then next and
	 * percepts, of everything. Slots: fluents, moves, then as below. */
	struct program full;
	uint32_t full_terminal, full_goals, full_next, full_percepts;

	/* For playouts: only the fluents that matter (live). One program for any
	 * state, and one for each phase of the rotation when there is one (period > 1).
	 * Goals apart, since they are asked for once per playout. */
	uint32_t *live, live_count;
	struct phases phases;
	uint64_t *phase_known, *phase_holds; /* by phase, as states: fluents that are known, and those of them that hold */
	struct rollout *rollouts;            /* [0]: any state; [1 + k]: phase k */
	uint32_t rollout_count;
	struct program goals;
	struct native goals_native;
	uint32_t goals_out;
	uint32_t slots; /* enough for all of these programs */
	uint32_t width; /* lanes that suit the caches best */

	/* The same with decisive players (decisive.h), by playout_policy from PLAYOUT_DECISIVE on: made
	 * when first asked for; NULL until then. Without rollouts: such players are not to be had. */
	struct decisive_rollouts *_Atomic decisive[DECISIVE_POLICIES];
	uint32_t *exclusive;               /* groups of fluents (exclusive.h); NULL until decisive players are asked for */
	struct expander *_Atomic expander; /* made when first asked for, too */
	struct thread_mutex later_lock;    /* of what is made later */
	struct mem_scope *scope;           /* that the engine was made in: where what is made later belongs too */

	uint64_t *zobrist;   /* by fluent */
	uint32_t most_moves; /* of one role */
	bool plain;
	struct rules_view view; /* of all this, for other rooms */
};

struct circuit_engine *circuit_engine_make(struct gdl_rules *rules, const struct game_options *o, struct text *error);
void circuit_engine_free(struct circuit_engine *e);
struct thread_mutex *circuit_engine_lock(struct circuit_engine *e);
void rules_view_make(struct circuit_engine *e); /* the last step of making it */

struct circuit_worker;
struct circuit_worker *circuit_worker_new(const struct game *g);
void circuit_worker_free(struct circuit_worker *w);
struct view circuit_look(struct circuit_worker *w, const uint64_t *state);
void circuit_next(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next);
struct percepts circuit_sees(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves);
void circuit_expand(struct circuit_worker *w, const struct expansion *e);

/* Playouts with decisive players; NULL: uniform ones are asked for, or others are not to be had. */
const struct decisive_rollouts *circuit_decisive(struct circuit_engine *e, enum playout_policy policy);

/* One thread's share of the playouts: those numbered first, first + 1, ..., `count`
 * of them (UINT64_MAX: until the limit). */
struct playout_share {
	struct game *g;
	const struct playout_job *job;
	struct thread_mutex *turn; /* the job's: held while a playout is handed over */
	struct progress *progress; /* of the thread that asked for the job; NULL in the others */
	uint64_t first, count, seed;
	struct playout_result result;
} __attribute__((aligned(64))); /* threads write to neighbours: no cache line in common */
void circuit_playouts(struct playout_share *s);

/* ---- interpreter ---- */

#define INTERPRETER_MAX_FLUENTS (1u << 16)

struct interpreter_engine *interpreter_engine_make(struct game *g, struct limit limit, struct text *error);
void interpreter_engine_free(struct interpreter_engine *e);
struct thread_mutex *interpreter_engine_lock(struct interpreter_engine *e);

struct interpreter_worker;
struct interpreter_worker *interpreter_worker_new(struct game *g);
void interpreter_worker_free(struct interpreter_worker *w);
struct view interpreter_look(struct interpreter_worker *w, const uint64_t *state);
void interpreter_apply(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next);
struct percepts interpreter_percepts(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves);
const char *interpreter_worker_trouble(const struct interpreter_worker *w);
void interpreter_worker_limit(struct interpreter_worker *w, struct limit limit);

enum name_kind { NAME_ROLE, NAME_FLUENT, NAME_MOVE, NAME_PERCEPT };
void interpreter_print(const struct interpreter_engine *e, enum name_kind kind, uint32_t number, struct text *out);
uint32_t interpreter_find(struct interpreter_engine *e, enum name_kind kind, uint32_t role,
                          const struct gdl_rules *question, node_t node);
const uint64_t *interpreter_zobrist(const struct interpreter_engine *e); /* by fluent */
uint32_t interpreter_role_of(const struct interpreter_engine *e, uint32_t move);

/* ---- shared ---- */

/* The value of a goal term: an integer from 0 to 100, else GOAL_NONE. */
int goal_value(const char *text);

/* A list of results by role that grows: what views and percepts point into. */
struct role_list {
	VEC(uint32_t) items;
	VEC(uint32_t) start;
};

#endif
