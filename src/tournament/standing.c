/* Counts a store: names in a first pass, figures in a second, then ratings. */
#include "tournament/standing.h"

#include "tournament/agenda.h"

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

/* ---- cells ------------------------------------------------------------------------------------- */

static void add_work(struct store_work *to, const struct store_work *from)
{
#define W(name) to->name += from->name;
	STORE_WORK(W)
#undef W
	to->thought += from->thought;
}

static size_t place_of(const struct standing *s, uint32_t player)
{
	for (size_t i = 0; i < s->listed.n; i++)
		if (!strcmp(s->listed.at[i], s->players.at[player].name))
			return i;
	return s->listed.n + player;
}

static struct standing_cell *find_cell(struct standing *s, uint32_t game, double clock, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < s->cells.n; i++) {
		struct standing_cell *c = &s->cells.at[i];
		if (c->game == game && c->clock == clock && c->players[0] == a && c->players[1] == b)
			return c;
	}
	struct standing_cell c = {.game = game, .clock = clock, .players = {a, b}};
	vec_push(&s->cells, c);
	return &s->cells.at[s->cells.n - 1];
}

/* The two players of a match; false: there are more. */
static bool find_two(struct standing *s, const struct store_match *m, uint32_t *two)
{
	two[0] = two[1] = player_number(s, m->scores[0].player);
	for (uint32_t i = 1; i < m->count; i++) {
		uint32_t p = player_number(s, m->scores[i].player);
		if (p == two[0] || p == two[1])
			continue;
		if (two[0] != two[1])
			return false;
		two[1] = p;
	}
	if (place_of(s, two[0]) > place_of(s, two[1])) {
		uint32_t p = two[0];
		two[0] = two[1];
		two[1] = p;
	}
	return true;
}

static void count_cell(struct standing *s, const struct store_match *m)
{
	uint32_t two[2];
	struct tally mean[2] = {0};
	if (!m->count || !find_two(s, m, two))
		return;
	struct standing_cell *c = find_cell(s, number_of(&s->games, m->game), m->clock, two[0], two[1]);
	for (uint32_t i = 0; i < m->count; i++) {
		uint32_t which = player_number(s, m->scores[i].player) != two[0];
		double score = m->scores[i].score < 0 ? 0 : m->scores[i].score;
		add(&mean[which], score);
		add(&c->scores[which], score);
		add_work(&c->work[which], &m->scores[i].work);
		c->late += m->scores[i].late;
		c->illegal += m->scores[i].illegal;
	}
	double by = two[0] == two[1] ? 0 : tally_mean(&mean[0]) - tally_mean(&mean[1]);
	c->wins += by > 0;
	c->draws += by == 0;
	c->losses += by < 0;
	c->seconds += m->seconds;
	add(&c->points, by > 0 ? 1 : by < 0 ? 0 : 0.5);
}

struct interval standing_interval(const struct standing_cell *c)
{
	if (c->players[0] == c->players[1])
		return stats_mean(c->scores[0].sum, c->scores[0].squares, c->scores[0].n);
	return stats_wilson(tally_mean(&c->points), c->points.n);
}

/* By clock, game and players, however they were played. */
static int compare_cells(const struct standing *s, const struct standing_cell *a, const struct standing_cell *b)
{
	size_t pa = place_of(s, a->players[0]), pb = place_of(s, b->players[0]);
	size_t qa = place_of(s, a->players[1]), qb = place_of(s, b->players[1]);
	return a->clock != b->clock ? (a->clock > b->clock) - (a->clock < b->clock)
	       : a->game != b->game ? (a->game > b->game) - (a->game < b->game)
	       : pa != pb           ? (pa > pb) - (pa < pb)
	                            : (qa > qb) - (qa < qb);
}

static void sort_cells(struct standing *s)
{
	for (size_t i = 1; i < s->cells.n; i++) {
		struct standing_cell c = s->cells.at[i];
		size_t j = i;
		for (; j && compare_cells(s, &s->cells.at[j - 1], &c) > 0; j--)
			s->cells.at[j] = s->cells.at[j - 1];
		s->cells.at[j] = c;
	}
}

/* ---- two passes: names first, then figures ----------------------------------------------------- */

static void meet(void *context, const struct store_match *m)
{
	struct standing *s = context;
	number_of(&s->games, m->game);
	clock_number(s, m->clock);
	s->matches++;
	if ((uint64_t)m->round < KNOCKOUT_ROUND && (uint64_t)m->round + 1 > s->rounds)
		s->rounds = (uint64_t)m->round + 1;
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
	count_cell(s, m);
	for (uint32_t i = 0; i < m->count; i++) {
		const struct store_score *c = &m->scores[i];
		uint32_t p = player_number(s, c->player);
		int score = c->score < 0 ? 0 : c->score;
		s->players.at[p].late += c->late;
		s->players.at[p].illegal += c->illegal;
		s->players.at[p].moves += c->moves;
		add_work(&s->players.at[p].work, &c->work);
		add(&s->players.at[p].scores, score);
		add(&s->by_game[p * s->games.n + game], score);
		add(&s->by_clock[p * s->clocks.n + clock], score);
		if ((uint64_t)m->round < s->rounds)
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

static void read_listed(struct standing *s, struct store *store)
{
	struct text all = {0};
	store_read_setting(store, "players", &all);
	for (const char *at = text_str(&all); *at;) {
		size_t n = strcspn(at, ",");
		vec_push(&s->listed, text_copy(at, n));
		at += n + (at[n] == ',');
	}
	text_free(&all);
}

static bool read_all(struct standing *s, struct store *store, struct text *error)
{
	read_listed(s, store);
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
	if (!store_each(store, count, s, error))
		return false;
	sort_cells(s);
	return true;
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
	for (size_t i = 0; i < s->listed.n; i++)
		mem_free(s->listed.at[i]);
	for (size_t i = 0; i < s->games.n; i++)
		mem_free(s->games.at[i]);
	for (size_t i = 0; i < s->roles.n; i++)
		mem_free(s->roles.at[i]);
	vec_free(&s->players);
	vec_free(&s->games);
	vec_free(&s->roles);
	vec_free(&s->clocks);
	vec_free(&s->seats);
	vec_free(&s->cells);
	vec_free(&s->listed);
	mem_free(s->points);
	mem_free(s->versus);
	mem_free(s->by_game);
	mem_free(s->by_clock);
	mem_free(s->by_round);
	mem_free(s->ease);
}
