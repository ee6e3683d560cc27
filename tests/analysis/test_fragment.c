/* To which fragment a game belongs: what is said to be proved is held against all positions of small games. */
#include "../game/play.h"

#include "analysis/fragment.h"
#include "base/hash.h"
#include "game/rules_view.h"

#define STATES_MOST 30000

/* All positions, by the definition of each property. */
struct oracle {
	struct play *p;
	struct table index;
	VEC(uint64_t) states;
	VEC(uint32_t) longest; /* steps to an end at most, by state */
	VEC(bool) open;        /* on the way at hand */
	bool simultaneous, secret, endless, many;
	int sum;
	bool any_end;
};

static bool is_player(const struct oracle *o, uint32_t r)
{
	return r != o->p->g->random;
}

static void look(struct oracle *o, const struct view *v)
{
	uint32_t choosers = 0;
	int sum = 0;
	for (uint32_t r = 0; r < o->p->g->roles; r++) {
		choosers += is_player(o, r) && v->start[r + 1] - v->start[r] > 1;
		sum += is_player(o, r) && v->terminal ? v->goals[r] : 0;
	}
	o->simultaneous = o->simultaneous || (!v->terminal && choosers > 1);
	if (!v->terminal)
		return;
	o->many = o->many || (o->any_end && sum != o->sum);
	o->sum = sum;
	o->any_end = true;
}

static void compare_views(struct oracle *o, const uint64_t *state, const uint32_t *joint)
{
	struct game *g = o->p->g;
	struct percepts p = game_sees(o->p->w, state, joint);
	struct text first = {0}, other = {0};
	bool any = false;
	for (uint32_t r = 0; r < g->roles; r++) {
		if (!is_player(o, r))
			continue;
		other.n = 0;
		for (uint32_t i = p.start[r]; i < p.start[r + 1]; i++) {
			game_print_percept(g, p.seen[i], &other);
			text_putc(&other, ' ');
		}
		if (!any)
			text_puts(&first, text_str(&other));
		o->secret = o->secret || (any && strcmp(text_str(&first), text_str(&other)));
		any = true;
	}
	text_free(&first);
	text_free(&other);
}

static uint32_t visit(struct oracle *o, const uint64_t *state)
{
	struct game *g = o->p->g;
	uint32_t it = 0, id;
	uint64_t h = hash_bytes(state, g->words * 8);
	for (table_start(&o->index, h, &it); (id = table_next(&o->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(o->states.at + (size_t)id * g->words, state, g->words * 8)) {
			o->endless = o->endless || o->open.at[id];
			return o->longest.at[id];
		}
	id = (uint32_t)o->longest.n;
	assert_true(id < STATES_MOST);
	table_add(&o->index, h, id);
	for (uint32_t i = 0; i < g->words; i++)
		vec_push(&o->states, state[i]);
	vec_push(&o->longest, 0);
	vec_push(&o->open, true);
	struct view v = game_look(o->p->w, state);
	uint32_t moves[512], start[9], joint[8], at[8] = {0}, longest = 0;
	look(o, &v);
	memcpy(start, v.start, (g->roles + 1) * sizeof *start);
	assert_true(start[g->roles] <= 512);
	memcpy(moves, v.legal, start[g->roles] * sizeof *moves);
	uint64_t *here = malloc(g->words * 16), *next = here + g->words;
	memcpy(here, state, g->words * 8);
	for (bool more = !v.terminal; more;) {
		for (uint32_t r = 0; r < g->roles; r++)
			joint[r] = moves[start[r] + at[r]];
		compare_views(o, here, joint);
		game_next(o->p->w, here, joint, next);
		uint32_t below = 1 + visit(o, next);
		longest = below > longest ? below : longest;
		more = false;
		for (uint32_t r = g->roles; r-- && !more;) {
			more = ++at[r] < start[r + 1] - start[r];
			at[r] = more ? at[r] : 0;
		}
	}
	free(here);
	o->open.at[id] = false;
	return o->longest.at[id] = longest;
}

static void all_positions(void **state)
{
	static const char *const games[] = {"tictactoe",           "kuhn_poker", "matching_pennies_cooperative",
	                                    "rock_paper_scissors", "hanoi_3",    "lights_out_3x3",
	                                    "buttons_and_lights_3"};
	int proved[3] = {0};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct play p = play_named(games[i]);
		struct oracle o = {.p = &p};
		struct fragment f;
		uint32_t longest = visit(&o, p.g->initial);
		fragment_find(&f, p.g, NULL);
		if (f.simultaneous != VERDICT_OPEN)
			assert_int_equal(f.simultaneous == VERDICT_YES, o.simultaneous);
		if (f.shared != VERDICT_OPEN)
			assert_int_equal(f.shared == VERDICT_YES, !p.g->hidden || !o.secret);
		if (f.constant_sum != VERDICT_OPEN && game_players(p.g) > 1)
			assert_int_equal(f.constant_sum == VERDICT_YES, !o.many);
		if (f.constant_sum == VERDICT_YES)
			assert_int_equal(f.sum, o.sum);
		if (f.finite == VERDICT_YES) {
			assert_false(o.endless);
			assert_true(f.horizon >= longest);
		}
		proved[0] += f.simultaneous != VERDICT_OPEN;
		proved[1] += f.constant_sum != VERDICT_OPEN;
		proved[2] += f.finite == VERDICT_YES;
		vec_free(&o.states);
		vec_free(&o.longest);
		vec_free(&o.open);
		table_free(&o.index);
		play_free(&p);
	}
	assert_int_equal(proved[0], 7);
	assert_int_equal(proved[1], 7);
	assert_true(proved[2] >= 5);
}

static void known_games(void **state)
{
	struct play p = play_named("tictactoe");
	struct fragment f;
	fragment_find(&f, p.g, NULL);
	assert_false(f.chance);
	assert_int_equal(f.simultaneous, VERDICT_NO);
	assert_int_equal(f.constant_sum, VERDICT_YES);
	assert_int_equal(f.sum, 100);
	assert_int_equal(f.finite, VERDICT_YES);
	assert_int_equal(f.horizon, 9);
	play_free(&p);
	p = play_named("kuhn_poker");
	fragment_find(&f, p.g, NULL);
	assert_true(f.chance);
	assert_int_equal(f.shared, VERDICT_NO); /* a card that one of them sees */
	play_free(&p);
	p = play_named("war");
	fragment_find(&f, p.g, &(struct limit){0});
	assert_int_equal(f.shared, VERDICT_YES);
	assert_int_equal(f.simultaneous, VERDICT_YES);
	play_free(&p);
}

/* A limit that is over leaves everything open that is not seen in the rules. */
static void out_of_time(void **state)
{
	struct play p = play_named("tictactoe");
	atomic_bool stop = true;
	struct limit limit = {.stop = &stop};
	struct fragment f;
	fragment_find(&f, p.g, &limit);
	assert_int_equal(f.shared, VERDICT_YES);
	assert_int_equal(f.simultaneous, VERDICT_OPEN);
	assert_int_equal(f.constant_sum, VERDICT_OPEN);
	assert_int_equal(f.finite, VERDICT_OPEN);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(all_positions),
		cmocka_unit_test(known_games),
		cmocka_unit_test(out_of_time),
	};
	return RUN(cases);
}
