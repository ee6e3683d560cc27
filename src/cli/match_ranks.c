/* Seats whose players search together with other ranks. */
#include "cli/match_ranks.h"

#include "cli/commands.h"
#include "cli/words.h"
#include "cluster/company.h"

#include <stdio.h>
#include <string.h>

struct ranked_seat {
	macaw_player *player; /* NULL: by its word */
	struct company_seat *company;
};

struct match_ranks {
	struct words words;
	macaw_seat *seats;
	struct ranked_seat *ranked;
	size_t count;
};

static void start(void *self, macaw_game *g, uint32_t role, const macaw_budget *b)
{
	struct ranked_seat *s = self;
	(void)g;
	(void)role;
	macaw_player_start(s->player, b);
}

static uint32_t move(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct ranked_seat *s = self;
	macaw_thought t;
	if (!macaw_player_set(s->player, turn->position, turn->step) || !macaw_player_think(s->player, b, &t))
		return MACAW_NONE;
	snprintf(why, room, "%s", t.why);
	return t.move;
}

/* False: this player thinks alone. */
static bool find_company(struct ranked_seat *s, struct cluster *c, macaw_game *g, uint32_t role, const char *word,
                         uint64_t seed)
{
	if (role >= COMPANY_SEATS || macaw_game_hidden(g))
		return false;
	s->player = macaw_player_new(g, role, word, seed + role, NULL);
	s->company = company_seat_open(c, macaw_position_words(g), role);
	macaw_company face = company_seat_face(s->company);
	if (s->player && macaw_player_accompany(s->player, &face))
		return true;
	macaw_player_free(s->player);
	s->player = NULL;
	return false;
}

struct match_ranks *match_ranks_open(struct cluster *c, macaw_game *g, const char *players, uint64_t seed)
{
	struct match_ranks *m = NEW(struct match_ranks);
	bool any = false;
	words_split(&m->words, players);
	m->count = m->words.list.n;
	m->seats = NEW_ARRAY(macaw_seat, m->count);
	m->ranked = NEW_ARRAY(struct ranked_seat, m->count);
	for (uint32_t i = 0; i < m->count; i++) {
		const char *word = m->words.list.at[i];
		bool together = find_company(&m->ranked[i], c, g, i + (i >= macaw_game_random(g)), word, seed);
		any |= together;
		m->seats[i] = together ? (macaw_seat){.name = word, .self = &m->ranked[i], .start = start, .move = move}
		                       : (macaw_seat){.word = word};
	}
	if (!any)
		fprintf(stderr, "macaw match: --mpi: none of these players searches in company in this game: rank 0 plays "
		                "alone\n");
	return m;
}

const macaw_seat *match_ranks_seats(const struct match_ranks *m, size_t *count)
{
	*count = m->count;
	return m->seats;
}

void match_ranks_close(struct match_ranks *m)
{
	for (size_t i = 0; i < m->count; i++) {
		macaw_player_free(m->ranked[i].player);
		company_seat_close(m->ranked[i].company);
	}
	mem_free(m->ranked);
	mem_free(m->seats);
	words_free(&m->words);
	mem_free(m);
}

int match_ranks_assist(struct cluster *c, macaw_game *g, const char *players, uint64_t seed)
{
	struct words words = {0};
	const char **by_role = NEW_ARRAY(const char *, macaw_game_roles(g));
	words_split(&words, players);
	for (uint32_t i = 0; i < words.list.n && i < macaw_game_players(g); i++)
		by_role[i + (i >= macaw_game_random(g))] = words.list.at[i];
	company_assist(c, g, by_role, seed);
	mem_free(by_role);
	words_free(&words);
	return EXIT_DONE;
}
