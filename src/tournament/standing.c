/* Counts a store: names in a first pass, figures in a second, then ratings. */
#include "tournament/standing.h"

#include <math.h>
#include <string.h>

double tally_mean(const struct tally *t)
{
	return t->n > 0 ? t->sum / t->n : NAN;
}

static void add(struct tally *t, double x)
{
	t->n++;
	t->sum += x;
	t->squares += x * x;
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t player_number(struct standing *s, const char *name)
{
	for (size_t i = 0; i < s->players.n; i++)
		if (!strcmp(s->players.at[i].name, name))
			return (uint32_t)i;
	struct standing_player p = {.name = text_copy(name, strlen(name))};
	vec_push(&s->players, p);
	return (uint32_t)s->players.n - 1;
}

static uint32_t number_of(struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->at[i], name))
			return (uint32_t)i;
	vec_push(list, text_copy(name, strlen(name)));
	return (uint32_t)list->n - 1;
}

static uint32_t role_number(struct standing *s, const char *game, const char *role)
{
	struct text t = {0};
	text_printf(&t, "%s %s", game, role);
	uint32_t i = number_of(&s->roles, text_str(&t));
	text_free(&t);
	return i;
}

static size_t clock_number(struct standing *s, double clock)
{
	for (size_t i = 0; i < s->clocks.n; i++)
		if (s->clocks.at[i] == clock)
			return i;
	vec_push(&s->clocks, clock);
	return s->clocks.n - 1;
}

/* ---- two passes: names first, then figures ----------------------------------------------------- */

static void meet(void *context, const struct store_match *m)
{
	struct standing *s = context;
	number_of(&s->games, m->game);
	clock_number(s, m->clock);
	s->matches++;
	s->rounds = (uint64_t)m->round + 1 > s->rounds ? (uint64_t)m->round + 1 : s->rounds;
	for (uint32_t i = 0; i < m->count; i++) {
		player_number(s, m->scores[i].player);
		role_number(s, m->game, m->scores[i].role);
	}
}

static void count_pair(struct standing *s, uint32_t i, uint32_t j, int x, int y)
{
	size_t n = s->players.n;
	double point = x > y ? 1 : x < y ? 0 : 0.5;
	s->players.at[i].wins += point == 1;
	s->players.at[i].draws += point == 0.5;
	s->players.at[i].losses += point == 0;
	s->points[i * n + j] += point;
	add(&s->versus[i * n + j], x);
}

static void count(void *context, const struct store_match *m)
{
	struct standing *s = context;
	uint32_t game = number_of(&s->games, m->game), number = (uint32_t)s->matches++;
	size_t clock = clock_number(s, m->clock);
	for (uint32_t i = 0; i < m->count; i++) {
		const struct store_score *c = &m->scores[i];
		uint32_t p = player_number(s, c->player);
		int score = c->score < 0 ? 0 : c->score;
		s->players.at[p].late += c->late;
		s->players.at[p].illegal += c->illegal;
		s->players.at[p].moves += c->moves;
		add(&s->players.at[p].scores, score);
		add(&s->by_game[p * s->games.n + game], score);
		add(&s->by_clock[p * s->clocks.n + clock], score);
		add(&s->by_round[p * s->rounds + (uint64_t)m->round], score);
		struct rating_seat seat = {number, p, role_number(s, m->game, c->role), score / 100.0};
		vec_push(&s->seats, seat);
		for (uint32_t j = 0; j < m->count; j++) {
			uint32_t q = player_number(s, m->scores[j].player);
			if (p != q)
				count_pair(s, p, q, score, m->scores[j].score < 0 ? 0 : m->scores[j].score);
		}
	}
}

static void rate(struct standing *s)
{
	size_t n = s->players.n;
	double *elo = NEW_ARRAY(double, n + 1), *error = NEW_ARRAY(double, n + 1), *skill = NEW_ARRAY(double, n + 1);
	rating_elo(s->points, n, elo, error);
	rating_agon(s->seats.at, s->seats.n, (uint32_t)n, (uint32_t)s->roles.n, skill, s->ease);
	for (size_t i = 0; i < n; i++) {
		s->players.at[i].elo = elo[i];
		s->players.at[i].elo_error = error[i];
		s->players.at[i].skill = skill[i];
	}
	mem_free(elo);
	mem_free(error);
	mem_free(skill);
}

static bool read_all(struct standing *s, struct store *store, struct text *error)
{
	if (!store_each(store, meet, s, error))
		return false;
	size_t n = s->players.n + 1;
	s->matches = 0; /* the second pass numbers them again */
	s->points = NEW_ARRAY(double, n *n);
	s->versus = NEW_ARRAY(struct tally, n * n);
	s->by_game = NEW_ARRAY(struct tally, n * (s->games.n + 1));
	s->by_clock = NEW_ARRAY(struct tally, n * (s->clocks.n + 1));
	s->by_round = NEW_ARRAY(struct tally, n * (s->rounds + 1));
	s->ease = NEW_ARRAY(double, s->roles.n + 1);
	return store_each(store, count, s, error);
}

bool standing_make(struct standing *s, struct store *store, struct text *error)
{
	*s = (struct standing){0};
	if (!store_freeze(store, error))
		return false;
	bool fine = read_all(s, store, error);
	store_thaw(store);
	if (fine)
		rate(s);
	return fine;
}

void standing_free(struct standing *s)
{
	for (size_t i = 0; i < s->players.n; i++)
		mem_free(s->players.at[i].name);
	for (size_t i = 0; i < s->games.n; i++)
		mem_free(s->games.at[i]);
	for (size_t i = 0; i < s->roles.n; i++)
		mem_free(s->roles.at[i]);
	vec_free(&s->players);
	vec_free(&s->games);
	vec_free(&s->roles);
	vec_free(&s->clocks);
	vec_free(&s->seats);
	mem_free(s->points);
	mem_free(s->versus);
	mem_free(s->by_game);
	mem_free(s->by_clock);
	mem_free(s->by_round);
	mem_free(s->ease);
}
