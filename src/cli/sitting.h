/* A person at the terminal who plays a match against players. `macaw play` is the command; here is the table they sit
 * at.
 *
 * All seats of the match are functions: yours reads what you type, the others ask a player. To undo, redo, load or
 * change sides the match is left and another one begins after the joint moves that shall stand. */
#ifndef CLI_SITTING_H
#define CLI_SITTING_H

#include "cli/draw.h"
#include "cli/knowledge.h"
#include "cli/line.h"
#include "cli/thinking.h"
#include "macaw/match.h"
#include "macaw/worker.h"

struct sitting_options {
	const char *word;   /* the game, as it was named */
	const char *player; /* of the others */
	const char *record; /* the file that the match is written to, or NULL */
	double clock;       /* seconds per move of the players */
	uint64_t playouts;  /* instead of the clock; 0: by the clock */
	uint64_t seed;
	uint32_t you; /* the role */
	bool ponder;  /* players think while you do */
	const struct draw_options *draw;
	const uint64_t *start; /* where it begins; NULL: the initial position */
	const uint32_t *made;  /* joint moves after that */
	uint32_t made_steps;
};

/* Plays until the end or until you leave. Returns the exit status, after a message unless 0. */
int sitting_play(macaw_game *g, const struct sitting_options *o);

/* ---- for the files of a sitting ---- */

struct sitting;

/* A role and its player. Your role has one too: it gives the hints. */
struct chair {
	struct sitting *t;
	macaw_player *player;
	uint32_t role, known; /* the last step that the player has been informed of */
	bool prepared;        /* the player has had a start clock */
};

enum leaving { STAY, LEAVE, AGAIN }; /* AGAIN: the match goes on from `kept` steps */

struct sitting {
	const struct sitting_options *o;
	macaw_game *g;
	uint32_t roles, you;
	size_t words;
	struct chair *chairs; /* by role */
	macaw_seat *seats;
	macaw_worker *worker;
	macaw_drawing *drawing;
	struct line *line;
	struct knowledge *knowledge; /* of your role; NULL: nothing is hidden */
	struct thinking thinking;
	enum leaving leaving;
	VEC(uint32_t) made;  /* joint moves; those after the present step were taken back */
	VEC(uint64_t) at;    /* positions: before each of them, and the last */
	uint32_t kept;       /* steps that the next match begins with */
	uint32_t replayed;   /* those that the match under way began with; all seats read it */
	uint32_t now;        /* steps made in it */
	int64_t automatic;   /* how many of your moves the player makes; below 0: all */
	macaw_stop answered; /* your move of this step is known, or there was no choice */
	bool greeted;
	struct text record; /* the file that the match is written to; empty: none */
	char *saved;        /* the match so far, as a record */
	/* your choice */
	VEC(const char *) moves; /* texts of the legal moves */
	VEC(char *) completions;
};

extern macaw_stop sitting_stop, sitting_interrupted; /* the match is left; by Ctrl-C */

const uint32_t *sitting_joint(const struct sitting *t, uint32_t step);
const uint64_t *sitting_position(const struct sitting *t, uint32_t step);
uint32_t sitting_steps(const struct sitting *t); /* known: made or taken back */
/* How many moves a role had before a step. */
uint32_t sitting_choices(struct sitting *t, uint32_t step, uint32_t role);
/* Where the match begins (NULL: in the initial position); all moves are forgotten. */
void sitting_start(struct sitting *t, const uint64_t *start);
/* Makes joint moves the ones of the match, from `from` on. False: one is not legal. */
bool sitting_set(struct sitting *t, const uint32_t *joints, uint32_t steps, uint32_t from);
/* Asks the player of a chair for a move; MACAW_NONE: it was stopped. */
uint32_t sitting_think(struct chair *c, const macaw_stop *stop, macaw_thought *thought);

/* sitting_show.c */
void show_greeting(const struct sitting *t);
void show_choice(struct sitting *t);
void show_joint(struct sitting *t, uint32_t step);
void show_history(struct sitting *t);
void show_end(struct sitting *t, const macaw_match *m);
void show_farewell(const struct sitting *t);
void show_paragraph(const char *s);

/* sitting_words.c: what you may type besides moves. */
enum word_effect {
	WORD_NONE,
	WORD_STAY,
	WORD_GO
}; /* no such word; ask again; the match is left, or goes on by itself */
enum word_effect sitting_word(struct sitting *t, const char *line, const macaw_turn *turn);
void sitting_completions(struct sitting *t);

#endif
