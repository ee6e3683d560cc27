/* What the sum of an evaluation is made of, found in the rules and in samples: fluents,
 * groups of them that share terms (material, rows, roles), who is to move, and a number of
 * fluents that tells how far the game has come. */
#include "game/rules_view.h"
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define MOST_GROUPS 384
#define LOOKED_AT 16384   /* samples that features are chosen by */
#define LEAST_SPREAD 1e-3 /* variance of a number that counts as changing */
#define LEAST_TREND 0.6   /* correlation with the time at which a number tells the phase */
#define LEAST_SHARE 0.15  /* of the states: how often each mover is to move */

struct finding {
	struct evaluation *e;
	const struct ground *ground;
	struct table index;
	size_t looked;
	VEC(uint32_t) fluents; /* pairs: a fluent, a group of it */
};

/* The group with these terms; made when there is none. */
static uint32_t group_at(struct finding *x, struct group k)
{
	uint32_t words[] = {k.relation, k.position, k.value, k.last}, it = 0, id;
	uint64_t h = hash_words(words, 4);
	for (table_start(&x->index, h, &it); (id = table_next(&x->index, h, &it)) != TABLE_NONE;) {
		const struct group *g = &x->e->groups.at[id];
		if (g->relation == k.relation && g->position == k.position && g->value == k.value && g->last == k.last)
			return id;
	}
	id = (uint32_t)x->e->groups.n;
	vec_push(&x->e->groups, k);
	table_add(&x->index, h, id);
	return id;
}

static void join(struct finding *x, uint32_t fluent, struct group k)
{
	assert(fluent < x->e->fluents);
	uint32_t id = group_at(x, k);
	x->e->groups.at[id].members++;
	vec_push(&x->fluents, fluent);
	vec_push(&x->fluents, id);
}

/* A fluent counts among those of its relation, those with the same term somewhere, and those
 * with the same term there and the same last one. */
static void join_all(struct finding *x, uint32_t fluent)
{
	assert(fluent < x->e->fluents);
	const struct terms *t = &x->ground->datalog.terms;
	const struct term *f = &t->all.at[x->ground->fluents.at[fluent]];
	const term_t *args = term_args(t, x->ground->fluents.at[fluent]);
	struct group k = {.relation = f->name, .position = TERM_NONE, .value = TERM_NONE, .last = TERM_NONE};
	if (f->argc)
		join(x, fluent, k);
	for (uint32_t i = 0; i < f->argc && f->argc > 1; i++) {
		k.position = i;
		k.value = args[i];
		join(x, fluent, k);
	}
	k.last = f->argc ? args[f->argc - 1] : TERM_NONE;
	for (uint32_t i = 0; i + 1 < f->argc && f->argc > 2; i++) {
		k.position = i;
		k.value = args[i];
		join(x, fluent, k);
	}
}

/* By group, the number of its members that hold. */
static void count_groups(const struct evaluation *e, const uint64_t *state, float *count)
{
	memset(count, 0, e->groups.n * sizeof *count);
	for (uint32_t i = 0; i < e->words; i++)
		for (uint64_t set = state[i] & e->live[i]; set; set &= set - 1) {
			uint32_t f = i * 64 + (uint32_t)__builtin_ctzll(set);
			for (uint32_t k = e->first_group[f]; k < e->first_group[f + 1]; k++)
				count[e->group_list.at[k]]++;
		}
}

/* Lists by fluent of the groups that `number` keeps (UINT32_MAX: not kept). */
static void list_groups(struct finding *x, const uint32_t *number)
{
	struct evaluation *e = x->e;
	size_t k = 0;
	vec_clear(&e->group_list);
	for (uint32_t f = 0; f < e->fluents; f++) {
		e->first_group[f] = (uint32_t)e->group_list.n;
		for (; k < x->fluents.n && x->fluents.at[k] == f; k += 2)
			if (number[x->fluents.at[k + 1]] != UINT32_MAX)
				vec_push(&e->group_list, number[x->fluents.at[k + 1]]);
	}
	assert(k == x->fluents.n); /* they came in the order of the fluents */
	e->first_group[e->fluents] = (uint32_t)e->group_list.n;
}

/* Sums over samples, by group: numbers, squares, and products with the stage. */
struct trend {
	double *sum, *squares, *product;
	double stage, stage_squares;
};

static void measure(struct finding *x, const struct samples *s, struct trend *t)
{
	struct evaluation *e = x->e;
	float *count = mem_alloc(e->groups.n + 1, sizeof *count);
	for (size_t i = 0; i < x->looked; i++) {
		size_t at = i * (s->n / x->looked);
		double stage = s->stage.at[at];
		count_groups(e, s->states.at + at * s->words, count);
		t->stage += stage;
		t->stage_squares += stage * stage;
		for (size_t k = 0; k < e->groups.n; k++) {
			double c = (double)count[k];
			t->sum[k] += c;
			t->squares[k] += c * c;
			t->product[k] += c * stage;
		}
	}
	mem_free(count);
}

/* Three parts of the samples by the number of members of a group. */
static void set_phases(struct finding *x, const struct samples *s, uint32_t group)
{
	assert(group < x->e->groups.n && x->looked);
	struct evaluation *e = x->e;
	VEC(uint32_t) counts = {0};
	for (uint32_t f = 0; f < e->fluents; f++)
		for (uint32_t k = e->first_group[f]; k < e->first_group[f + 1]; k++)
			if (e->group_list.at[k] == group)
				bits_add(e->phase_mask, f);
	for (size_t i = 0; i < x->looked; i++) {
		uint32_t c = 0;
		for (uint32_t w = 0; w < s->words; w++)
			c += (uint32_t)__builtin_popcountll(s->states.at[i * (s->n / x->looked) * s->words + w] & e->phase_mask[w]);
		vec_push(&counts, c);
	}
	sort_numbers(counts.at, counts.n);
	for (uint32_t p = 1; p < MOST_PHASES; p++) {
		uint32_t from = counts.at[counts.n * p / MOST_PHASES];
		if (from > e->phase_from[e->phases - 1] && from > counts.at[0])
			e->phase_from[e->phases++] = from;
	}
	vec_free(&counts);
}

/* The number that follows the time best. */
static void find_phases(struct finding *x, const struct samples *s, const struct trend *t)
{
	double n = (double)x->looked, best = LEAST_TREND;
	uint32_t group = UINT32_MAX;
	for (uint32_t k = 0; k < x->e->groups.n; k++) {
		double spread = t->squares[k] - t->sum[k] * t->sum[k] / n, time = t->stage_squares - t->stage * t->stage / n;
		double both = t->product[k] - t->sum[k] * t->stage / n;
		double trend = spread > LEAST_SPREAD * n && time > 0 ? fabs(both) / sqrt(spread * time) : 0;
		if (trend > best && x->e->groups.at[k].members > 2) {
			best = trend;
			group = k;
		}
	}
	if (group != UINT32_MAX)
		set_phases(x, s, group);
}

/* Keeps groups whose numbers change, the simple ones first. */
static void keep_groups(struct finding *x, const struct trend *t)
{
	struct evaluation *e = x->e;
	uint32_t *number = mem_alloc(e->groups.n + 1, sizeof *number), kept = 0;
	double n = (double)x->looked;
	memset(number, 0xff, (e->groups.n + 1) * sizeof *number);
	for (int simple = 1; simple >= 0; simple--)
		for (uint32_t k = 0; k < e->groups.n; k++) {
			double variance = t->squares[k] / n - t->sum[k] / n * (t->sum[k] / n);
			if ((e->groups.at[k].last == TERM_NONE) != simple || variance < LEAST_SPREAD ||
			    e->groups.at[k].members < 2 || kept == MOST_GROUPS)
				continue;
			e->groups.at[k].mean = (float)(t->sum[k] / n);
			e->groups.at[k].scale = (float)(1 / sqrt(variance));
			number[k] = kept++;
		}
	list_groups(x, number);
	struct group *groups = mem_alloc(kept + 1, sizeof *groups);
	for (uint32_t k = 0; k < e->groups.n; k++)
		if (number[k] != UINT32_MAX)
			groups[number[k]] = e->groups.at[k];
	assert(kept <= MOST_GROUPS && kept <= e->groups.n);
	vec_set(&e->groups, groups, kept);
	mem_free(groups);
	mem_free(number);
}

static void find_groups(struct finding *x, const struct samples *s, bool plain)
{
	struct evaluation *e = x->e;
	for (uint32_t f = 0; f < e->fluents; f++)
		if (bits_has(e->live, f))
			join_all(x, f);
	uint32_t *number = mem_alloc(e->groups.n + 1, sizeof *number);
	for (uint32_t k = 0; k < e->groups.n; k++)
		number[k] = k;
	list_groups(x, number);
	double *sums = NEW_ARRAY(double, 3 * e->groups.n + 1);
	struct trend t = {.sum = sums, .squares = sums + e->groups.n, .product = sums + 2 * e->groups.n};
	measure(x, s, &t);
	if (!plain)
		find_phases(x, s, &t);
	keep_groups(x, &t);
	mem_free(sums);
	mem_free(number);
}

/* The members of a relation, when there are few, one of them holds in every sample, and each of them often. */
static bool are_movers(const struct finding *x, const struct samples *s, const uint32_t *f, uint32_t n)
{
	if (n < 2 || n > MOST_MOVERS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (x->e->frequency[f[i]] < LEAST_SHARE)
			return false;
	for (size_t i = 0; i < x->looked; i++) {
		const uint64_t *state = s->states.at + i * (s->n / x->looked) * s->words;
		uint32_t hold = 0;
		for (uint32_t k = 0; k < n; k++)
			hold += bits_has(state, f[k]);
		if (hold != 1)
			return false;
	}
	return true;
}

static void find_movers(struct finding *x, const struct samples *s)
{
	struct evaluation *e = x->e;
	const struct terms *t = &x->ground->datalog.terms;
	for (uint32_t f = 0; f < e->fluents; f++) {
		uint32_t list[MOST_MOVERS + 1], n = 0;
		sym_t name = t->all.at[x->ground->fluents.at[f]].name;
		for (uint32_t g = 0; g < e->fluents && n <= MOST_MOVERS; g++)
			if (bits_has(e->live, g) && t->all.at[x->ground->fluents.at[g]].name == name)
				list[n++] = g;
		if (n && list[0] == f && are_movers(x, s, list, n)) {
			e->movers = n;
			memcpy(e->mover, list, n * sizeof *list);
			return;
		}
	}
}

static void count_fluents(struct finding *x, const struct samples *s)
{
	struct evaluation *e = x->e;
	for (size_t i = 0; i < x->looked; i++)
		BITS_EACH (f, s->states.at + i * (s->n / x->looked) * s->words, e->fluents)
			if (bits_has(e->live, f))
				e->frequency[f] += 1 / (float)x->looked;
	for (uint32_t f = 0; f < e->fluents; f++)
		e->set += (double)e->frequency[f];
}

/* All samples when there are few, else a part. */
static size_t looked_at(size_t n)
{
	return n < LOOKED_AT / 16 ? n : n / 4 < LOOKED_AT / 16 ? LOOKED_AT / 16 : n / 4 < LOOKED_AT ? n / 4 : LOOKED_AT;
}

void features_find(struct evaluation *e, const struct samples *s, bool plain)
{
	const struct rules_view *v = game_rules_view(e->g);
	struct finding x = {.e = e, .ground = v->ground, .looked = looked_at(s->n)};
	e->live = NEW_ARRAY(uint64_t, e->words);
	e->phase_mask = NEW_ARRAY(uint64_t, e->words);
	e->first_group = NEW_ARRAY(uint32_t, e->fluents + 1);
	e->frequency = NEW_ARRAY(float, e->fluents + 1);
	e->movers = e->phases = 1;
	assert(x.looked <= s->n);
	for (uint32_t i = 0; i < v->live_count; i++)
		bits_add(e->live, v->live[i]);
	count_fluents(&x, s);
	find_groups(&x, s, plain);
	if (!plain)
		find_movers(&x, s);
	e->contexts = e->movers * e->phases;
	assert(e->movers >= 1 && e->movers <= MOST_MOVERS && e->phases >= 1 && e->phases <= MOST_PHASES);
	vec_free(&x.fluents);
	table_free(&x.index);
}

void features_free(struct evaluation *e)
{
	mem_free(e->live);
	mem_free(e->phase_mask);
	mem_free(e->first_group);
	mem_free(e->frequency);
	vec_free(&e->groups);
	vec_free(&e->group_list);
}
