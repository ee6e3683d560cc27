/* Copies of turns: the arrays are copied and the pointers of the turn set to the copies; NULL stays NULL. */
#include "match/turn_copy.h"

void turn_copy_set(struct turn_copy *k, const struct game *g, const struct turn *t)
{
	k->turn = *t;
	vec_set(&k->state, t->state, g->words);
	vec_set(&k->last, t->last, g->roles);
	vec_set(&k->legal, t->legal, t->legal_count);
	vec_set(&k->seen, t->seen, t->seen_count);
	vec_reserve(&k->seen, 1); /* an empty list must differ from NULL */
	k->turn.state = t->state ? k->state.at : NULL;
	k->turn.last = t->last ? k->last.at : NULL;
	k->turn.legal = k->legal.at;
	k->turn.seen = t->seen ? k->seen.at : NULL;
}

void turn_copy_free(struct turn_copy *k)
{
	vec_free(&k->state);
	vec_free(&k->last);
	vec_free(&k->legal);
	vec_free(&k->seen);
}
