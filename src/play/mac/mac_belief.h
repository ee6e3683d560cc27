/* Rounds over common beliefs: mac-ucb where the state is hidden, all roles see the same and nobody has a secret.
 *
 * Such a game is a stochastic game whose states are beliefs (section 2 of "Programmation par contraintes stochastiques
 * pour le General Game Playing avec informations incomplètes"). A round is solved for all states of a belief together:
 * to each joint decision belongs a conditional table, from a state and a draw to the next state and what is seen. What
 * is seen, with its probability, leads to the next belief. Decisions are the arms of bandits, their value is the
 * expected utility over what may be seen; exhausted beliefs have exact values.
 *
 * That all see the same is proved (fragment.h). That nobody has a secret is checked at every round that is solved: what
 * is seen gives away the decisions of all, and the moves of a role are the same in all states of a belief. */
#ifndef PLAY_MAC_MAC_BELIEF_H
#define PLAY_MAC_MAC_BELIEF_H

#include "play/hidden/belief.h"
#include "play/mac/mac_search.h"
#include "symmetry/symmetry.h"

struct mac_belief;

/* NULL: the roles do not see the same, or it cannot be proved. */
struct mac_belief *mac_belief_new(struct seat *s, const struct mac_options *o);
void mac_belief_free(struct mac_belief *x);
/* Beliefs that symmetries of the rules map to one another share a node; NULL: none. */
void mac_belief_symmetry(struct mac_belief *x, const struct symmetry *symmetry);
/* Who solves rounds of small beliefs: a network with percepts. NULL: the circuit, as it does for large ones. */
void mac_belief_solver(struct mac_belief *x, struct model *m, enum model_method method);
/* The move, with the reason in s->why and shares of the visits by legal move. GAME_NONE: somebody has a secret. */
uint32_t mac_belief_move(struct mac_belief *x, struct seat *s, const struct turn *t, const struct belief *belief,
                         const struct budget *b, double *share);

/* What the belief that was searched last is worth to a role, in 0..1; exact: everything below is exhausted. */
double mac_belief_value(const struct mac_belief *x, uint32_t role, bool *exact);

#endif
