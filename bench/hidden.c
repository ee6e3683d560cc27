/* Belief samples a second: hidden GAME ROLE STEPS SECONDS [sampled]. A random match is
 * told to the role again and again, each time with a new belief; counted are the states
 * drawn after its last turn, as many as the belief holds (sampled: no exact belief, so
 * that every one of them is a history grown from the start). */
#include "play/hidden/belief.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct told {
	struct turn turn;
	uint32_t *legal, *seen;
};

static uint32_t *copy(const uint32_t *from, uint32_t n)
{
	uint32_t *to = mem_alloc(n + 1, sizeof *to);
	return memcpy(to, from, n * sizeof *to);
}

/* A random match of so many steps, or to its end, as the role is told of it. */
static uint32_t live(struct game *g, struct worker *w, uint32_t role, uint32_t steps, struct rng *rng,
                     struct told *told)
{
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles);
	uint64_t *state = NEW_ARRAY(uint64_t, g->words);
	struct turn t = {.own_last = GAME_NONE};
	uint32_t step = 0;
	memcpy(state, g->initial, g->words * sizeof *state);
	for (;; step++) {
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, rng, joint))
			break;
		t.step = step;
		t.legal_count = v.start[role + 1] - v.start[role];
		told[step].legal = copy(v.legal + v.start[role], t.legal_count);
		t.legal = told[step].legal;
		told[step].turn = t;
		if (step == steps) {
			step++;
			break;
		}
		struct percepts p = game_sees(w, state, joint);
		t.own_last = joint[role];
		t.seen_count = p.start[role + 1] - p.start[role];
		told[step + 1].seen = copy(p.seen + p.start[role], t.seen_count);
		t.seen = told[step + 1].seen;
		game_next(w, state, joint, state);
	}
	mem_free(joint);
	mem_free(state);
	return step;
}

static struct game *load(const char *path, struct gdl_rules **rules)
{
	struct text text = {0}, error = {0};
	struct diags d = {0};
	struct game *g = NULL;
	if (!text_read_file(&text, path, (size_t)16 << 20, &error)) {
		fprintf(stderr, "bench-hidden: %s\n", error.at);
		exit(1);
	}
	*rules = gdl_read(text_str(&text), text.n, &d);
	gdl_check(*rules, &d);
	g = d.errors ? NULL : game_make(*rules, &(struct game_options){0}, &error);
	if (!g) {
		fprintf(stderr, "bench-hidden: %s: %s\n", path, d.errors ? d.all.at[0].message : text_str(&error));
		exit(1);
	}
	diag_free(&d);
	text_free(&text);
	text_free(&error);
	return g;
}

int main(int count, char **words)
{
	struct gdl_rules *rules;
	if (count < 5) {
		fprintf(stderr, "usage: bench-hidden GAME ROLE STEPS SECONDS [sampled]\n");
		return 2;
	}
	struct game *g = load(words[1], &rules);
	uint32_t role = game_find_role(g, words[2]), steps = (uint32_t)atoi(words[3]);
	double seconds = atof(words[4]), spent = 0;
	struct belief_options o = {.pairs = count > 5 ? 1 : 0};
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t drawn = 0;
	if (role == GAME_NONE) {
		fprintf(stderr, "bench-hidden: there is no role %s\n", words[2]);
		return 1;
	}
	while (spent < seconds) {
		struct told *told = NEW_ARRAY(struct told, steps + 2);
		uint32_t turns = live(g, w, role, steps, &rng, told);
		struct belief *b = belief_new(g, role, &o);
		double began = clock_thread();
		bool found = true;
		for (uint32_t i = 0; i < turns; i++)
			found = belief_observe(b, w, &rng, &told[i].turn, NULL);
		uint64_t wanted = found && turns ? o.pairs ? belief_count(b) : 1000 : 0;
		for (uint64_t i = 0; i < wanted; i++)
			(void)belief_draw(b, &rng);
		spent += clock_thread() - began;
		drawn += wanted;
		belief_free(b);
		for (uint32_t i = 0; i < turns; i++) {
			mem_free(told[i].legal);
			mem_free(told[i].seen);
		}
		if (turns && turns <= steps)
			mem_free(told[turns].seen);
		mem_free(told);
	}
	printf("%.0f\n", (double)drawn / spent);
	worker_free(w);
	game_free(g);
	gdl_free(rules);
	return 0;
}
