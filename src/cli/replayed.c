/* Makes the moves of a record one after another and keeps what there was. */
#include "cli/replayed.h"

#include <string.h>

static void keep_position(struct replayed *p)
{
	size_t words = macaw_position_words(p->game);
	vec_extend(&p->positions, words);
	memcpy(p->positions.at + p->positions.n - words, macaw_record_position(p->record), words * sizeof(uint64_t));
}

static void keep_step(struct replayed *p)
{
	for (uint32_t r = 0; r < macaw_game_roles(p->game); r++) {
		const char *why = macaw_record_why(p->record, r);
		vec_push(&p->moves, macaw_record_moves(p->record)[r]);
		vec_push(&p->why, why ? text_copy(why, strlen(why)) : NULL);
	}
	p->steps++;
	keep_position(p);
}

void replayed_make(struct replayed *p, macaw_record *record)
{
	*p = (struct replayed){.record = record, .game = macaw_record_game(record)};
	keep_position(p);
	while (macaw_record_step(record, &p->error))
		keep_step(p);
	if (!p->error.status)
		macaw_record_check(record, &p->error);
}

void replayed_free(struct replayed *p)
{
	for (size_t i = 0; i < p->why.n; i++)
		mem_free(p->why.at[i]);
	vec_free(&p->positions);
	vec_free(&p->moves);
	vec_free(&p->why);
	macaw_record_free(p->record);
}

const uint64_t *replayed_position(const struct replayed *p, uint32_t step)
{
	return p->positions.at + step * macaw_position_words(p->game);
}

const uint32_t *replayed_joint(const struct replayed *p, uint32_t step)
{
	return p->moves.at + (size_t)step * macaw_game_roles(p->game);
}

const char *replayed_why(const struct replayed *p, uint32_t step, uint32_t role)
{
	return p->why.at[(size_t)step * macaw_game_roles(p->game) + role];
}
