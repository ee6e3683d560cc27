/* Proofs over one step of the game: hypotheses about the state hold before it,
 * every role does exactly one of its legal moves, the state was not terminal;
 * must they hold afterwards?
 *
 * A fact speaks of a set of fluents: at most one holds, and at least one when
 * `exact`; or of a single fluent that always or never holds. Facts that are not
 * handed on are dropped, again and again, until those left prove one another
 * (the strongest inductive subset, as in Houdini: Flanagan and Leino 2001). The
 * question is put to a SAT solver (CaDiCaL); what it cannot answer within its
 * bounds counts as refuted. The bounds are counted (conflicts, decisions), so that
 * what is proved does not depend on how busy the machine is. Fixpoint blocks may
 * take any value: that is weaker, never wrong. */
#ifndef ANALYSIS_INDUCTION_H
#define ANALYSIS_INDUCTION_H

#include "base/clock.h"
#include "circuit/circuit.h"

enum fact_kind { FACT_NEVER, FACT_ALWAYS, FACT_GROUP };

struct fact {
	enum fact_kind kind;
	bool exact;     /* groups only: exactly one */
	bool was_exact; /* before anything was refuted */
	bool dead;      /* refuted */
	bool shrink;    /* groups only: rather lose members than be dropped */
	uint32_t n;
	uint32_t *members; /* fluents; owned by the caller, n may shrink */
};

struct induction_result {
	uint64_t queries, unknown;
	uint64_t work; /* about a microsecond each */
	double seconds;
};

/* All facts must hold in the initial state. `first_move`: roles + 1. `simple`: by
 * what is simple in the legality of moves alone; proofs are as good, and sooner
 * found or missed. `work`: the bound; `limit`: of the caller's patience. */
struct induction_result induction_prove(const struct circuit *c, const uint32_t *first_move, uint32_t roles,
                                        struct fact *facts, size_t count, bool simple, uint64_t work,
                                        const struct limit *limit);

/* For a set of literals over the state (goals, say): is at most one true, or
 * exactly one, in every terminal state in which the facts hold? */
bool induction_exclusive(const struct circuit *c, const struct fact *facts, size_t count, const lit_t *lits, uint32_t n,
                         bool *exact);

#endif
