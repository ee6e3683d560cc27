/* A game: rules made ready to be played.
 *
 * Roles, fluents, moves and percepts are numbers from 0 on; the moves of different roles are
 * different numbers. Texts are prefix form (KIF), made once and kept with the game. A game never
 * changes once made and may be shared by threads.
 *
 * Two engines stand behind this face: the circuit, and, for rules that do not fit the bounds when
 * they are written out, an interpreter. The interpreter numbers fluents, moves and percepts as it
 * meets them: the numbers asked for below are the most it can meet, texts of numbers that were not
 * met are NULL, and macaw_game_find_… knows moves and percepts that were met. */
#ifndef MACAW_GAME_H
#define MACAW_GAME_H

#include "macaw/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_game macaw_game;

enum macaw_engine { MACAW_ENGINE_AUTO, MACAW_ENGINE_CIRCUIT, MACAW_ENGINE_INTERPRETER };

typedef struct macaw_game_options {
	enum macaw_engine engine; /* AUTO: the circuit where it fits the bounds */
	macaw_limit limit;        /* for building the circuit */
	size_t memory;            /* bytes that the ground program may take; 0: half of the machine's */
	bool portable;            /* no vector instructions, no machine code */
	macaw_progress *progress; /* NULL: none */
	void *context;
} macaw_game_options;

/* The names of all installed games (see macaw_rules_path), sorted, each ended by a newline; of one game the common
 * other names, likewise. NULL: out of memory. */
MACAW_API char *macaw_games(void);
MACAW_API char *macaw_game_other_names(const char *game);

/* A file or the name of an installed game. NULL: the error holds the report of macaw_rules_report, as far as it fits.
 */
MACAW_API macaw_game *macaw_game_load(const char *game, const macaw_game_options *o, macaw_error *e);
MACAW_API macaw_game *macaw_game_parse(const char *rules, size_t length, const macaw_game_options *o, macaw_error *e);
/* From rules without errors; takes them over, also on failure. */
MACAW_API macaw_game *macaw_game_make(macaw_rules *rules, const macaw_game_options *o, macaw_error *e);
MACAW_API void macaw_game_free(macaw_game *g);

MACAW_API const char *macaw_game_name(const macaw_game *g);
MACAW_API const macaw_rules *macaw_game_rules(const macaw_game *g);
MACAW_API enum macaw_engine macaw_game_engine(const macaw_game *g);
MACAW_API const char *macaw_game_why_interpreted(const macaw_game *g); /* "" unless AUTO chose the interpreter */

MACAW_API uint32_t macaw_game_roles(const macaw_game *g);   /* all, `random` included */
MACAW_API uint32_t macaw_game_players(const macaw_game *g); /* without `random` */
MACAW_API uint32_t macaw_game_random(const macaw_game *g);  /* the role that chance plays; MACAW_NONE: there is none */
MACAW_API bool macaw_game_hidden(const macaw_game *g);      /* has percepts (GDL-II): roles do not see everything */
MACAW_API uint32_t macaw_game_fluents(const macaw_game *g);
MACAW_API uint32_t macaw_game_moves(const macaw_game *g); /* of all roles */
MACAW_API uint32_t macaw_game_percepts(const macaw_game *g);

/* Texts, NUL-terminated, valid as long as the game; NULL: no such number, or out of memory. */
MACAW_API const char *macaw_game_role(const macaw_game *g, uint32_t role);
MACAW_API const char *macaw_game_fluent(const macaw_game *g, uint32_t fluent);
MACAW_API const char *macaw_game_move(const macaw_game *g, uint32_t move);
MACAW_API const char *macaw_game_percept(const macaw_game *g, uint32_t percept);
MACAW_API uint32_t macaw_game_role_of(const macaw_game *g, uint32_t move); /* MACAW_NONE: no such move */

/* Numbers of texts in either form and any spacing; MACAW_NONE: there is no such thing. */
MACAW_API uint32_t macaw_game_find_role(const macaw_game *g, const char *text);
MACAW_API uint32_t macaw_game_find_fluent(const macaw_game *g, const char *text);
MACAW_API uint32_t macaw_game_find_move(const macaw_game *g, uint32_t role, const char *text);
MACAW_API uint32_t macaw_game_find_percept(const macaw_game *g, uint32_t role, const char *text);

/* What the rules became, in numbers; zero where the engine is the interpreter. */
typedef struct macaw_game_info {
	size_t fluents, constant_fluents, moves, percepts, goals;
	size_t atoms, ground_rules, gates, fixpoint_blocks;
	size_t operations, slots;          /* of one step of a playout, for all lanes together */
	uint32_t period;                   /* of the turn; 1: no rotation was proved */
	double seconds, grounding_seconds; /* from text to game; the part of it in grounding */
	size_t memory;                     /* bytes of this game, without its machine code */
} macaw_game_info;
MACAW_API macaw_game_info macaw_game_information(const macaw_game *g);

/* To which fragment a game belongs. Yes and no are proved: by the rules, by a play that shows it, or for all positions.
 */
enum macaw_proof { MACAW_NOT_PROVED, MACAW_PROVED_NO, MACAW_PROVED_YES };
typedef struct macaw_game_fragment {
	bool chance;                   /* has the role random */
	bool hidden;                   /* has percepts */
	enum macaw_proof shared;       /* what one role sees all see; yes where nothing is hidden */
	enum macaw_proof simultaneous; /* in some position two roles (without random) have a choice each */
	enum macaw_proof constant_sum; /* of the goals of all roles (without random), at every end */
	enum macaw_proof finite;       /* no play has more than `horizon` steps; never "no" */
	int sum;
	uint32_t horizon;
	uint32_t factors; /* games that it consists of and that can be played one by one; 1: it is one */
} macaw_game_fragment;
/* False: out of memory. The limit is for the proofs; what is not found in time is not proved. */
MACAW_API bool macaw_game_fragment_of(macaw_game *g, macaw_limit limit, macaw_game_fragment *out, macaw_error *e);

/* Later stages of the rules, for people: the ground program; the circuit as text or for Graphviz.
 * NULL with an error when the engine is the interpreter. */
enum macaw_stage { MACAW_STAGE_GROUND, MACAW_STAGE_CIRCUIT, MACAW_STAGE_CIRCUIT_DOT };
MACAW_API char *macaw_game_print(const macaw_game *g, enum macaw_stage stage, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif
