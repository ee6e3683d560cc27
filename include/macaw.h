/* Macaw as a library: games given by their rules.
 *
 *     char error[200];
 *     macaw_game *g = macaw_load("games/tictactoe.kif", error, sizeof error);
 *     macaw_state *s = macaw_initial(g);
 *     while (!macaw_terminal(s))
 *         macaw_apply_random(s, &seed);
 *     printf("%d\n", macaw_goal(s, 0));
 *     macaw_state_free(s);
 *     macaw_free(g);
 *
 * The library prints nothing and does not end the program, save when memory runs
 * out. It has no global state: games may be used side by side. A game does not
 * change once loaded and may be shared by threads; a state belongs to one thread at
 * a time. Text returned is NUL-terminated prefix form (KIF) and lasts as long as
 * its game or state. Link with -lmacaw, or ask pkg-config for `macaw`. */
#ifndef MACAW_H
#define MACAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_game macaw_game;
typedef struct macaw_state macaw_state;

/* Reads, checks and builds. NULL when the rules are at fault: `error` (may be NULL)
 * then holds the first message, with its place. */
macaw_game *macaw_load(const char *file, char *error, size_t size);
macaw_game *macaw_parse(const char *rules, size_t length, char *error, size_t size);
void macaw_free(macaw_game *g);

unsigned macaw_roles(const macaw_game *g);
const char *macaw_role(const macaw_game *g, unsigned role);
/* The role that chance plays; macaw_roles() when there is none. */
unsigned macaw_random_role(const macaw_game *g);
/* Are there percepts (GDL-II)? */
bool macaw_hidden(const macaw_game *g);

macaw_state *macaw_initial(macaw_game *g);
macaw_state *macaw_copy(const macaw_state *s);
void macaw_state_free(macaw_state *s);

bool macaw_terminal(macaw_state *s);
/* From 0 to 100, or -1 where the rules give none or several. */
int macaw_goal(macaw_state *s, unsigned role);
unsigned macaw_legal_count(macaw_state *s, unsigned role);
const char *macaw_legal(macaw_state *s, unsigned role, unsigned i);
/* The state as a list of fluents: "(cell 1 1 b) (cell 1 2 x) ...". */
const char *macaw_state_text(macaw_state *s);
/* A number for tables of states; equal states, equal numbers. */
uint64_t macaw_hash(const macaw_state *s);
bool macaw_equal(const macaw_state *a, const macaw_state *b);

/* choice[r]: which of its legal moves role r makes, by number. false, and nothing
 * happens, when the state is terminal or a number is out of range. */
bool macaw_apply(macaw_state *s, const unsigned *choice);
/* The same with moves as text, in any spacing. */
bool macaw_apply_text(macaw_state *s, const char *const *moves);
/* A uniform random move for everybody; *seed is advanced. */
bool macaw_apply_random(macaw_state *s, uint64_t *seed);
/* What a role saw as the result of the last move: how many percepts, and each. */
unsigned macaw_percept_count(macaw_state *s, unsigned role);
const char *macaw_percept(macaw_state *s, unsigned role, unsigned i);

/* Random playouts from a state (NULL: from the beginning): the mean goal of each
 * role into mean[roles]. Returns how many ended. The same seed and number of
 * threads give the same result. */
uint64_t macaw_playouts(macaw_game *g, const macaw_state *from, uint64_t count, unsigned threads, uint64_t seed,
			double *mean);

const char *macaw_version(void);

#ifdef __cplusplus
}
#endif

#endif
