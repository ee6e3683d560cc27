/* The public header on top of the rooms. A state carries the worker that answers
 * its questions, and the answers until it changes. */
#include "macaw.h"

#include "base/bits.h"
#include "base/rng.h"
#include "game/game.h"

#include <stdio.h>
#include <string.h>

struct macaw_game {
	struct gdl_rules *rules;
	struct game *game;
	VEC(char *) roles;
};

struct macaw_state {
	macaw_game *g;
	struct worker *worker;
	uint64_t *bits;
	bool looked; /* the fields below are up to date */
	bool terminal;
	VEC(uint32_t) legal, start;
	int *goals;
	VEC(uint32_t) seen, seen_start;
	struct text text;
};


/* ---- loading ---------------------------------------------------------------------- */

static void say(char *error, size_t size, const char *text)
{
	if (error && size)
		snprintf(error, size, "%s", text);
}

/* The first error of a list, as "name:line:column: message". */
static void say_first(char *error, size_t size, const char *name, const char *source, size_t length, struct diags *d)
{
	diag_sort(d);
	for (size_t i = 0; i < d->all.n && error && size; i++)
		if (d->all.at[i].severity == DIAG_ERROR) {
			struct place p = diag_place(source, length, d->all.at[i].at.from);
			snprintf(error, size, "%s:%u:%u: %s", name, p.line, p.column, d->all.at[i].message);
			return;
		}
}

static macaw_game *load(const char *name, const char *source, size_t length, char *error, size_t size)
{
	struct diags d = {0};
	struct text why = {0};
	macaw_game *g = NEW(macaw_game);
	g->rules = gdl_read(source, length, &d);
	gdl_check(g->rules, &d);
	if (d.errors) {
		say_first(error, size, name, source, length, &d);
	} else {
		g->game = game_make(g->rules, &(struct game_options){.quiet = true}, &why);
		if (!g->game)
			say(error, size, text_str(&why));
	}
	diag_free(&d);
	text_free(&why);
	if (!g->game) {
		macaw_free(g);
		return NULL;
	}
	for (uint32_t r = 0; r < g->game->roles; r++) {
		struct text t = {0};
		game_print_role(g->game, r, &t);
		vec_push(&g->roles, t.at);
	}
	return g;
}

macaw_game *macaw_parse(const char *rules, size_t length, char *error, size_t size)
{
	return load("rules", rules, length, error, size);
}

macaw_game *macaw_load(const char *file, char *error, size_t size)
{
	struct text source = {0};
	macaw_game *g = NULL;
	const char *message = text_read_file(&source, file, GDL_MAX_TEXT);
	if (message)
		say(error, size, message);
	else
		g = load(file, text_str(&source), source.n, error, size);
	text_free(&source);
	return g;
}

void macaw_free(macaw_game *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->roles.n; i++)
		mem_free(g->roles.at[i]);
	vec_free(&g->roles);
	game_free(g->game);
	gdl_free(g->rules);
	mem_free(g);
}

unsigned macaw_roles(const macaw_game *g)
{
	return g->game->roles;
}

const char *macaw_role(const macaw_game *g, unsigned role)
{
	return role < g->roles.n ? g->roles.at[role] : "";
}

unsigned macaw_random_role(const macaw_game *g)
{
	return g->game->random;
}

bool macaw_hidden(const macaw_game *g)
{
	return g->game->hidden;
}

/* ---- states ------------------------------------------------------------------------- */

static macaw_state *new_state(macaw_game *g, const uint64_t *bits)
{
	macaw_state *s = NEW(macaw_state);
	s->g = g;
	s->worker = worker_new(g->game);
	s->bits = mem_alloc(g->game->words, sizeof *s->bits);
	memcpy(s->bits, bits, g->game->words * sizeof *s->bits);
	s->goals = NEW_ARRAY(int, g->game->roles);
	return s;
}

macaw_state *macaw_initial(macaw_game *g)
{
	return new_state(g, g->game->initial);
}

macaw_state *macaw_copy(const macaw_state *s)
{
	return new_state(s->g, s->bits);
}

void macaw_state_free(macaw_state *s)
{
	if (!s)
		return;
	worker_free(s->worker);
	mem_free(s->bits);
	mem_free(s->goals);
	vec_free(&s->legal);
	vec_free(&s->start);
	vec_free(&s->seen);
	vec_free(&s->seen_start);
	text_free(&s->text);
	mem_free(s);
}

static void look(macaw_state *s)
{
	uint32_t roles = s->g->game->roles;
	if (s->looked)
		return;
	struct view v = game_look(s->worker, s->bits);
	s->terminal = v.terminal;
	memcpy(s->goals, v.goals, roles * sizeof *s->goals);
	vec_clear(&s->legal);
	vec_clear(&s->start);
	for (uint32_t i = 0; i < v.start[roles]; i++)
		vec_push(&s->legal, v.legal[i]);
	for (uint32_t r = 0; r <= roles; r++)
		vec_push(&s->start, v.start[r]);
	s->looked = true;
}

bool macaw_terminal(macaw_state *s)
{
	look(s);
	return s->terminal;
}

int macaw_goal(macaw_state *s, unsigned role)
{
	look(s);
	return role < s->g->game->roles ? s->goals[role] : -1;
}

unsigned macaw_legal_count(macaw_state *s, unsigned role)
{
	look(s);
	return role < s->g->game->roles ? s->start.at[role + 1] - s->start.at[role] : 0;
}

const char *macaw_legal(macaw_state *s, unsigned role, unsigned i)
{
	s->text.n = 0;
	text_puts(&s->text, "");
	if (i < macaw_legal_count(s, role))
		game_print_move(s->g->game, s->legal.at[s->start.at[role] + i], &s->text);
	return text_str(&s->text);
}

const char *macaw_state_text(macaw_state *s)
{
	s->text.n = 0;
	text_puts(&s->text, "");
	BITS_EACH(f, s->bits, s->g->game->fluents) {
		if (s->text.n)
			text_putc(&s->text, ' ');
		game_print_fluent(s->g->game, (uint32_t)f, &s->text);
	}
	return text_str(&s->text);
}

uint64_t macaw_hash(const macaw_state *s)
{
	return game_hash(s->g->game, s->bits);
}

bool macaw_equal(const macaw_state *a, const macaw_state *b)
{
	return a->g == b->g && !memcmp(a->bits, b->bits, a->g->game->words * sizeof *a->bits);
}

/* ---- moves --------------------------------------------------------------------------- */

static void apply(macaw_state *s, const uint32_t *moves)
{
	struct game *g = s->g->game;
	vec_clear(&s->seen);
	vec_clear(&s->seen_start);
	if (g->hidden) {
		struct percepts p = game_sees(s->worker, s->bits, moves);
		for (uint32_t i = 0; i < p.start[g->roles]; i++)
			vec_push(&s->seen, p.seen[i]);
		for (uint32_t r = 0; r <= g->roles; r++)
			vec_push(&s->seen_start, p.start[r]);
	}
	game_next(s->worker, s->bits, moves, s->bits);
	s->looked = false;
}

bool macaw_apply(macaw_state *s, const unsigned *choice)
{
	uint32_t roles = s->g->game->roles, moves[roles];
	look(s);
	if (s->terminal)
		return false;
	for (uint32_t r = 0; r < roles; r++) {
		if (choice[r] >= macaw_legal_count(s, r))
			return false;
		moves[r] = s->legal.at[s->start.at[r] + choice[r]];
	}
	apply(s, moves);
	return true;
}

bool macaw_apply_text(macaw_state *s, const char *const *moves)
{
	uint32_t roles = s->g->game->roles;
	unsigned choice[roles];
	look(s);
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t move = game_find_move(s->g->game, r, moves[r]), n = macaw_legal_count(s, r);
		choice[r] = 0;
		while (choice[r] < n && s->legal.at[s->start.at[r] + choice[r]] != move)
			choice[r]++;
	}
	return macaw_apply(s, choice);
}

bool macaw_apply_random(macaw_state *s, uint64_t *seed)
{
	uint32_t roles = s->g->game->roles;
	unsigned choice[roles];
	struct rng rng = rng_seed(rng_split(seed));
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t n = macaw_legal_count(s, r);
		choice[r] = n ? rng_below(&rng, n) : 0;
	}
	return macaw_apply(s, choice);
}

unsigned macaw_percept_count(macaw_state *s, unsigned role)
{
	return role + 1 < s->seen_start.n ? s->seen_start.at[role + 1] - s->seen_start.at[role] : 0;
}

const char *macaw_percept(macaw_state *s, unsigned role, unsigned i)
{
	s->text.n = 0;
	text_puts(&s->text, "");
	if (i < macaw_percept_count(s, role))
		game_print_percept(s->g->game, s->seen.at[s->seen_start.at[role] + i], &s->text);
	return text_str(&s->text);
}

uint64_t macaw_playouts(macaw_game *g, const macaw_state *from, uint64_t count, unsigned threads, uint64_t seed,
			double *mean)
{
	struct playout_job job = {.starts = from ? from->bits : NULL, .playouts = count, .threads = threads, .seed = seed};
	struct playout_result r;
	if (!count)
		return 0;
	game_playouts(g->game, &job, &r);
	uint64_t ended = r.playouts;
	for (uint32_t i = 0; i < g->game->roles; i++)
		mean[i] = ended ? r.sum[i] / (double)ended : 0;
	playout_result_free(&r);
	return ended;
}
