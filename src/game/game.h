/* A game: states, legal moves, successors, percepts, ends and goals; for one
 * state, for a list of states, and for playouts by the million.
 *
 * Fluents and moves are numbered; the moves of role r are the numbers
 * [first_move[r], first_move[r+1]). A state is `words` 64-bit words, bit i for
 * fluent i, so states can be copied, compared and hashed as they are.
 *
 * Two engines stand behind this interface: the circuit (see circuit.h, program.h,
 * lanes.h) and, for rules whose ground program does not fit the bounds, the interpreter.
 * A game does not change once made and may be used by any number of threads; a
 * `worker` holds the scratch memory of one thread. The interpreter numbers
 * fluents and moves when it first meets them, up to a stated number; it keeps
 * those tables behind a lock. */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread.h"
#include "gdl/gdl.h"

#include <stdbool.h>

enum game_engine { ENGINE_AUTO, ENGINE_CIRCUIT, ENGINE_INTERPRETER };

struct game_options {
	enum game_engine engine;
	struct limit limit; /* for building; where no circuit came of it, the interpreter may take a little longer */
	size_t memory; /* bytes that the circuit, or the tables of an interpreter, may take; 0: half of the machine's */
	progress_report *progress; /* NULL: none */
	void *context;             /* of progress */
	bool plain;                /* portable kernels even where better ones run */
};

struct game {
	enum game_engine engine;           /* CIRCUIT or INTERPRETER */
	struct gdl_rules *rules;           /* not owned */
	uint32_t roles, random;            /* random == roles: no such role */
	bool hidden;                       /* has `sees` */
	uint32_t fluents, moves, percepts; /* interpreter only: the most it can number */
	uint32_t *first_move;              /* roles + 1; NULL with the interpreter, see game_role_of */
	uint32_t words;                    /* of a state */
	uint64_t *initial;
	double seconds;      /* to build */
	struct text why;     /* why the interpreter, when it was not asked for */
	struct limit within; /* interpreter only: holds for all its workers; set before the first one is made */
	size_t memory;       /* interpreter only: that the tables of a worker may take */
	struct circuit_engine *circuit;
	struct interpreter_engine *interpreter;
	struct attachment *_Atomic attachment; /* attachment.h */
};

/* Roles without `random`. */
static inline uint32_t game_players(const struct game *g)
{
	return g->roles - (g->random < g->roles);
}

/* NULL with a message when the rules have no roles or cannot be read at all. */
struct game *game_make(struct gdl_rules *rules, const struct game_options *o, struct text *error);
void game_free(struct game *g);
struct thread_mutex *game_lock(struct game *g); /* of what is made when it is first asked for: for thread_fork() */

/* Text in prefix form, appended. Interpreter only: nothing for numbers that were not met so far. */
void game_print_role(const struct game *g, uint32_t role, struct text *out);
void game_print_fluent(const struct game *g, uint32_t fluent, struct text *out);
void game_print_move(const struct game *g, uint32_t move, struct text *out);
void game_print_percept(const struct game *g, uint32_t percept, struct text *out);
uint32_t game_role_of(const struct game *g, uint32_t move); /* interpreter only: GAME_NONE, not met so far */

#define GAME_NONE UINT32_MAX
/* The number of a fluent, a move or percept of a role, or a role, given as text in either form and any
 * spacing; GAME_NONE: there is no such thing (interpreter only: no such move was legal, and no such percept was
 * seen, so far). May be called from any thread. */
uint32_t game_find_fluent(const struct game *g, const char *text);
uint32_t game_find_move(const struct game *g, uint32_t role, const char *text);
uint32_t game_find_percept(const struct game *g, uint32_t role, const char *text);
uint32_t game_find_role(const struct game *g, const char *text);

uint64_t game_hash(const struct game *g, const uint64_t *state); /* Zobrist */

/* ---- one state -------------------------------------------------------------- */

struct worker;
struct worker *worker_new(struct game *g);
void worker_free(struct worker *w);
/* Interpreter only: why the proofs of the last question failed (NULL: they did not), and how long proofs may
 * take. The circuit has no such trouble. */
const char *worker_trouble(const struct worker *w);
void worker_limit(struct worker *w, struct limit limit);

#define GOAL_NONE (-1) /* no value, two values, or no number */

/* What is known of a state. Arrays belong to the worker and last until its next
 * question. */
struct view {
	bool terminal;
	const uint32_t *legal; /* role r: legal[start[r] .. start[r+1]), ascending */
	const uint32_t *start;
	const int *goals; /* by role */
};

struct view game_look(struct worker *w, const uint64_t *state);

/* The state after a joint move (one move number per role). */
void game_next(struct worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next);

/* What the roles see as the result of it: arrays like `legal` and `start` of a view. */
struct percepts {
	const uint32_t *seen, *start;
};
struct percepts game_sees(struct worker *w, const uint64_t *state, const uint32_t *moves);
/* A set of percepts as a number, whatever their order. */
uint64_t game_seen_hash(const uint32_t *seen, uint32_t n);

/* A uniform random joint move; false when some role has none. */
struct rng;
bool game_random_move(const struct game *g, const struct view *v, struct rng *rng, uint32_t *moves);

/* ---- many states ------------------------------------------------------------- */

/* Successors of `count` pairs of a state and a joint move, many lanes at a time; without moves, the states
 * themselves. Outputs are by pair; any may be NULL. */
struct expansion {
	const uint64_t *states;
	bool one_state;        /* all pairs are of the first state, and there is no other */
	const uint32_t *moves; /* NULL: the states are looked at */
	size_t count;
	uint64_t *next;     /* needs moves */
	uint8_t *terminal;  /* of the successors, or of the states without moves; so are goals and legal */
	int *goals;         /* one per role */
	bool goals_of_ends; /* goals of states that are not terminal are not wanted, and may be GOAL_NONE */
	uint64_t *legal;    /* one bit per move, game_legal_words() words */
	uint64_t *seen;     /* needs moves: what each role sees as their result, as game_seen_hash() of it */
};
uint32_t game_legal_words(const struct game *g);
void game_expand(struct worker *w, const struct expansion *e);

/* ---- playouts ------------------------------------------------------------------ */

#define PLAYOUT_MAX_STEPS 100000

/* How the players of playouts choose among their moves, where the circuit can show what comes of them. */
enum playout_policy {
	PLAYOUT_UNIFORM,
	PLAYOUT_DECISIVE,     /* who can win at once does, and who need not lose at once does not */
	PLAYOUT_ANTI_DECISIVE /* and who need not let another role win at once does not */
};

struct playout_job {
	const uint64_t *starts; /* states one after another; NULL: the initial one */
	size_t start_count;     /* 0 counts as 1 */
	uint64_t playouts;      /* in all, dealt to the starts in turn; 0: until the limit */
	struct limit limit;
	uint32_t threads; /* 0 counts as 1 */
	/* Where several jobs share the work of one with shares * threads threads: which part this one does. The seed and
	 * the number of playouts are those of the whole. shares 0: all of it. */
	uint32_t share, shares;
	uint64_t seed;
	uint32_t max_steps; /* longer playouts are given up; 0: PLAYOUT_MAX_STEPS */
	/* Called for every finished playout when not NULL, by one thread of the job at a time: which start, the moves
	 * step by step (one number per role), the number of steps, the goals. */
	void (*report)(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals);
	/* Circuit only, and much cheaper: the set of moves of the playout, ascending by number, without those that
	 * were the only possible one at their step. */
	void (*played)(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals);
	uint32_t played_every; /* `played` is called for one in this many playouts of a start; 0 counts as 1 */
	/* Circuit only, when not NULL: playouts that have not ended after `cut` steps stop there, and this function says
	 * what the state is worth to each role, from 0 to 100. Fluents that have no influence are missing in the state.
	 * Called by all threads at once. */
	void (*judge)(void *context, size_t start, const uint64_t *state, double *values);
	uint32_t cut;
	progress_report *progress; /* called by the thread that asked for the job; NULL: none */
	void *context;
	/* Circuit only, by move, when not NULL: how many times its chance of being chosen is halved. A role that would be
	 * left without a move chooses from all. */
	const uint8_t *move_bias;
	enum playout_policy policy;
};

/* About what a step of such players costs, measured in plain steps; 0: they are not to be had in this game.
 * The first call builds what they need. */
double game_decisive(struct game *g, enum playout_policy policy);

struct playout_result {
	uint64_t playouts;   /* finished */
	uint64_t unfinished; /* longer than max_steps */
	uint64_t stuck;      /* ended because a role had no legal move */
	uint64_t undefined;  /* goals without a (single) value, counted as 0 */
	uint64_t steps;      /* of the finished ones */
	uint32_t shortest, longest;
	double seconds;
	const char *trouble; /* interpreter only: why it gave up, or NULL */
	/* by start and role: start * roles + role */
	double *sum, *squares;
	uint64_t *wins;   /* playouts with 100 */
	uint64_t *counts; /* playouts by start */
	/* over all starts, by role and value: role * 101 + value */
	uint64_t *values;
	/* how long: playouts with length l at [l], the last cell and beyond together */
	uint64_t *lengths;
	uint32_t length_cells;
};

void game_playouts(struct game *g, const struct playout_job *job, struct playout_result *r);
/* Of jobs in one game from as many starts. */
void playout_result_add(struct playout_result *into, const struct playout_result *from, uint32_t roles, size_t starts);
void playout_result_free(struct playout_result *r);

#endif
