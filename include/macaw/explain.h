/* Why something holds in a position, or why not, told by the rules; and what goes wrong when a game is played.
 *
 *     macaw_question q = {.statement = "(legal x (mark 1 1))", .position = p};
 *     macaw_explanation *x = macaw_explain(g, &q, &error);
 *     for (size_t i = 0; i < macaw_explanation_steps(x); i++) {
 *         macaw_step s = macaw_explanation_step(x, i);
 *         printf("%*s%s line %u\n", 2 * (int)s.depth, "", s.statement, s.rule.line);
 *     }
 *     macaw_explanation_free(x);
 *
 * What holds is explained by a derivation: instances of rules down to facts, fluents and moves. What does not is
 * explained by the rules that could have given it, the nearest first, and the first condition of each that fails. */
#ifndef MACAW_EXPLAIN_H
#define MACAW_EXPLAIN_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_explanation macaw_explanation;

typedef struct macaw_question {
	/* One statement in either form: "terminal", "(goal x 100)", "(next (control o))", "(true (cell 1 1 b))", any
	 * relation of the rules. With variables it asks for any instance: "(legal x ?move)". */
	const char *statement;
	const uint64_t *position; /* NULL: the initial one */
	const uint32_t *moves;    /* a joint move, for `next`, `sees` and `does`; NULL: none is made */
	uint32_t rules;           /* at most this many rules that fail are told; 0: three */
	uint32_t steps;           /* at most this many steps; 0: 1000 */
	macaw_limit limit;
} macaw_question;

/* NULL: the statement cannot be read or has a name that is not in the rules (MACAW_INPUT), or the rules, or the
 * derivation, are too large for the interpreter that is behind this. */
MACAW_API macaw_explanation *macaw_explain(macaw_game *g, const macaw_question *q, macaw_error *e);
MACAW_API void macaw_explanation_free(macaw_explanation *x);

MACAW_API bool macaw_explanation_holds(const macaw_explanation *x);
/* What is explained: the statement, or the instance of it that holds, in prefix form. */
MACAW_API const char *macaw_explanation_statement(const macaw_explanation *x);
/* Of a statement with variables: how many instances hold. */
MACAW_API size_t macaw_explanation_instances(const macaw_explanation *x);

enum macaw_reason {
	/* what holds */
	MACAW_BY_RULE,   /* an instance of a rule; its conditions follow, one deeper */
	MACAW_BY_FACT,   /* a rule without conditions */
	MACAW_BY_FLUENT, /* (true …), in the position */
	MACAW_BY_MOVE,   /* (does …), in the joint move */
	MACAW_BY_DISTINCT,
	MACAW_BY_ABSENCE, /* (not …): nothing gives what is negated */
	MACAW_ABOVE,      /* derived above, at step `same` */
	/* what does not hold */
	MACAW_FAILS,      /* a statement or condition that does not hold; why follows, one deeper */
	MACAW_RULE_FAILS, /* a rule that could have given it; the condition that fails follows, one deeper */
	MACAW_LEFT_OUT    /* there was more: rules, or steps */
};

typedef struct macaw_step {
	enum macaw_reason reason;
	uint32_t depth, parent;   /* parent: the step one less deep that this one belongs to; MACAW_NONE: none */
	const char *statement;    /* prefix form; of MACAW_RULE_FAILS the head with the values it has at that point */
	const char *note;         /* what else there is to say, one line; NULL: nothing */
	macaw_place rule;         /* the rule that is applied or fails; line 0: none */
	macaw_place condition;    /* where the statement stands as a condition of the rule above it; line 0: nowhere */
	uint32_t met, conditions; /* of MACAW_RULE_FAILS: conditions before the one that fails, and in all */
	uint32_t same;            /* of MACAW_ABOVE */
} macaw_step;

/* From the top down, conditions behind what they belong to. Texts last as long as the explanation. */
MACAW_API size_t macaw_explanation_steps(const macaw_explanation *x);
MACAW_API macaw_step macaw_explanation_step(const macaw_explanation *x, size_t i); /* all-zero: no such step */

/* The whole as text for people, a line per step; `file` in front of line numbers may be NULL; at most `width` columns
 * where that can be (0: no bound). NULL: out of memory. */
MACAW_API char *macaw_explanation_text(const macaw_explanation *x, const char *file, uint32_t width);

/* ---- defects that show only in play ---- */

enum macaw_defect_kind {
	MACAW_DEFECT_STUCK,   /* a role has no legal move in a position that is not terminal */
	MACAW_DEFECT_NO_GOAL, /* no goal value in a terminal position */
	MACAW_DEFECT_GOALS,   /* several */
	MACAW_DEFECT_ENDLESS, /* playouts that were given up as too long */
	MACAW_DEFECT_BASE,    /* a fluent that `base` leaves out */
	MACAW_DEFECT_INPUT    /* a legal move that `input` leaves out */
};

typedef struct macaw_defect {
	enum macaw_defect_kind kind;
	uint32_t role;         /* MACAW_NONE: of no role */
	uint64_t playouts;     /* in which it showed; 0: not counted */
	const uint32_t *moves; /* joint moves from the initial position, one number per role and step: the fewest found */
	uint32_t steps;
	bool shortest;                        /* there is no shorter way, for certain */
	const uint64_t *position;             /* after them */
	const char *statement;                /* what the explanation is about: "(legal x ?move)" */
	const macaw_explanation *explanation; /* of what is missing; of two goals, the first; NULL: none */
	const macaw_explanation *second;      /* the other goal; else NULL */
} macaw_defect;

typedef struct macaw_defect_options {
	uint64_t playouts;  /* 0: 1,000 */
	uint32_t max_steps; /* of a playout; 0: 10,000 */
	uint64_t seed;
	macaw_limit limit;
	macaw_progress *progress;
	void *context;
} macaw_defect_options;

typedef struct macaw_defects macaw_defects;
MACAW_API macaw_defects *macaw_defects_find(macaw_game *g, const macaw_defect_options *o, macaw_error *e);
MACAW_API void macaw_defects_free(macaw_defects *d);
MACAW_API uint64_t macaw_defects_playouts(const macaw_defects *d); /* played */
MACAW_API size_t macaw_defects_count(const macaw_defects *d);
MACAW_API macaw_defect macaw_defects_at(const macaw_defects *d,
                                        size_t i); /* lasts as long as `d`; all-zero: no such defect */

#ifdef __cplusplus
}
#endif

#endif
