/* The one way in to every player: names and options, the margin that keeps it from
 * being late, and a legal move whatever happens inside. */
#include "play/player.h"
#include "base/nearest.h"
#include "base/utf8.h"

#include "play/hidden/determinised.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct player_kind *const player_kinds[] = {
#define P(name) &player_##name,
#include "play/players/list.inc"
#undef P
	NULL};

/* What every player understands, whatever its kind. */
struct common_options {
	double time;
};

const struct opt player_common_options[] = {{"time", 0, OPT_REAL, offsetof(struct common_options, time), "SHARE",
                                             "share of its clock, or of its playouts, that it uses: a handicap",
                                             .real = 1, .min = 0.001, .max = 1, .tuning = true},
                                            {0}};

struct player {
	const struct player_kind *kind;
	struct seat seat;
	void *options;
	struct common_options common;
	struct text words; /* option values point into it */
	void *self;
	struct determinised *votes; /* the state is hidden, and the kind needs it */
	_Atomic uint32_t ready;
	double overrun; /* of late, in seconds */
};

const struct player_kind *player_find(const char *name, size_t length)
{
	for (size_t i = 0; player_kinds[i]; i++)
		if (strlen(player_kinds[i]->name) == length && !strncmp(player_kinds[i]->name, name, length))
			return player_kinds[i];
	return NULL;
}

void player_unknown(const char *name, size_t length, struct text *error)
{
	enum { KINDS = sizeof player_kinds / sizeof *player_kinds };
	const char *names[KINDS];
	char word[64];
	for (size_t i = 0; i < KINDS; i++)
		names[i] = player_kinds[i] ? player_kinds[i]->name : NULL;
	if (length > 60)
		for (length = 60; length && utf8_continues(name[length]);)
			length--;
	snprintf(word, sizeof word, "%.*s", (int)length, name);
	const char *near = nearest_word(word, names);
	text_printf(error, "there is no player '%s'", word);
	if (near)
		text_printf(error, " (did you mean '%s'?)", near);
}

/* "a=1:b=2", cut into pieces in place. */
static bool set_options(struct player *p, struct text *error)
{
	const struct player_kind *k = p->kind;
	for (char *at = p->words.at, *next; at && *at; at = next) {
		next = at + strcspn(at, ":");
		if (*next)
			*next++ = 0;
		char *equals = strchr(at, '=');
		if (equals)
			*equals = 0;
		const char *value = equals ? equals + 1 : "true";
		bool common = !strcmp(at, player_common_options->name);
		if (!common && !k->options) {
			text_printf(error, "player %s has no options but %s", k->name, player_common_options->name);
			return false;
		}
		if (!(common ? opt_set(player_common_options, &p->common, at, value, error)
		             : opt_set(k->options, p->options, at, value, error)))
			return false;
	}
	return true;
}

struct player *player_make_kind(const struct player_kind *kind, struct game *g, uint32_t role, const char *options,
                                uint64_t seed, struct text *error)
{
	assert(role < g->roles);
	struct player *p = NEW(struct player);
	p->kind = kind;
	p->options = mem_zalloc(1, kind->options_size + 1);
	if (kind->options)
		opt_defaults(kind->options, p->options);
	opt_defaults(player_common_options, &p->common);
	text_puts(&p->words, options);
	p->ready = GAME_NONE;
	p->seat.ready = &p->ready;
	if (!set_options(p, error)) {
		player_free(p);
		return NULL;
	}
	p->seat.game = g;
	p->seat.role = role;
	p->seat.worker = worker_new(g);
	p->seat.rng = rng_seed(seed);
	p->seat.options = p->options;
	p->self = kind->make ? kind->make(&p->seat) : NULL;
	if (g->hidden && !kind->hidden)
		p->votes = determinised_new(kind, &p->seat);
	return p;
}

struct player *player_make(struct game *g, uint32_t role, const char *word, uint64_t seed, struct text *error)
{
	assert(role < g->roles);
	size_t n = strcspn(word, ":");
	const struct player_kind *kind = player_find(word, n);
	if (!kind) {
		player_unknown(word, n, error);
		return NULL;
	}
	return player_make_kind(kind, g, role, word[n] ? word + n + 1 : "", seed, error);
}

/* A fifth of the time that is left, at least 10 ms and at most half a second: what a
 * loaded machine may need to let this thread run again. */
static double default_margin(double left)
{
	double margin = left / 5;
	return margin < 0.01 ? 0.01 : margin > 0.5 ? 0.5 : margin;
}

/* The budget to search with: it ends a margin earlier, a larger one where the margin
 * proved too small lately, and with a handicap earlier still. */
static struct budget with_margin(const struct player *p, const struct budget *b)
{
	struct budget inner = *b;
	if (b->limit.deadline > 0 && b->margin >= 0) {
		double left = limit_left(&b->limit), margin = b->margin > 0 ? b->margin : default_margin(left);
		margin = margin < 1.5 * p->overrun ? 1.5 * p->overrun : margin;
		inner.limit.deadline -= margin > 0.7 * left ? 0.7 * left : margin;
	}
	assert(p->common.time > 0 && p->common.time <= 1);
	if (b->limit.deadline > 0)
		inner.limit.deadline -= limit_left(&inner.limit) * (1 - p->common.time);
	if (b->playouts)
		inner.playouts = (uint64_t)fmax(1, round((double)b->playouts * p->common.time));
	return inner;
}

/* How far it went beyond where it wanted to stop; forgotten slowly. */
static void note_overrun(struct player *p, const struct budget *inner)
{
	double over = inner->limit.deadline > 0 ? limit_now(&inner->limit) - inner->limit.deadline : 0;
	p->overrun = over > 0.95 * p->overrun ? over : 0.95 * p->overrun;
}

void player_start(struct player *p, const struct budget *b)
{
	struct budget inner = with_margin(p, b);
	double began = limit_now(&b->limit);
	worker_limit(p->seat.worker, inner.limit);
	if (p->kind->start)
		p->kind->start(p->self, &p->seat, &inner);
	p->seat.count.seconds += limit_now(&b->limit) - began;
}

bool player_accompany(struct player *p, const struct company *c)
{
	return p->kind->accompany && !p->votes && p->kind->accompany(p->self, &p->seat, c);
}

void player_assist(struct player *p, const uint64_t *state, const struct budget *b)
{
	worker_limit(p->seat.worker, b->limit);
	if (p->kind->assist)
		p->kind->assist(p->self, &p->seat, state, b);
}

struct choice player_move(struct player *p, const struct turn *t, const struct budget *b)
{
	struct budget inner = with_margin(p, b);
	struct seat *s = &p->seat;
	assert(t->legal_count);
	double began = limit_now(&b->limit);
	uint32_t first = t->legal[rng_below(&s->rng, t->legal_count)];
	seat_ready(s, first);
	s->why.n = 0;
	text_puts(&s->why, "");
	worker_limit(s->worker, inner.limit);
	uint32_t move =
		p->votes ? determinised_move(p->votes, p->self, s, t, &inner) : p->kind->move(p->self, s, t, &inner);
	if (!turn_allows(t, move)) { /* it ran out of time, or is mistaken: say so, play on */
		text_printf(&s->why, "%sno legal move found in time, took any", s->why.n ? "; " : "");
		move = first;
	}
	if (t->legal_count == 1) {
		s->why.n = 0;
		text_puts(&s->why, PLAY_ONLY_MOVE);
	}
	note_overrun(p, &inner);
	assert(turn_allows(t, move));
	seat_ready(s, move);
	s->count.moves++;
	s->count.choices += t->legal_count > 1;
	s->count.seconds += limit_now(&b->limit) - began;
	return (struct choice){move, text_str(&s->why)};
}

void player_ponder(struct player *p, const struct turn *t, uint32_t move, const struct budget *b)
{
	struct seat *s = &p->seat;
	_Atomic uint32_t *ready = s->ready;
	if (!p->kind->ponder || p->votes)
		return;
	double began = clock_now();
	s->ready = NULL; /* the move is made: no other is to be taken for it */
	worker_limit(s->worker, b->limit);
	p->kind->ponder(p->self, s, t, move, b);
	s->ready = ready;
	s->count.seconds += clock_now() - began;
}

bool player_values(struct player *p, const struct turn *t, struct move_value *out)
{
	for (uint32_t i = 0; i < t->legal_count; i++)
		out[i] = (struct move_value){.move = t->legal[i], .value = -1, .high = 100, .share = -1};
	if (t->legal_count == 1) {
		out->share = 1;
		return true;
	}
	if (p->votes)
		return determinised_values(p->votes, t, out);
	return p->kind->values && p->kind->values(p->self, &p->seat, t, out);
}

void player_line(struct player *p, const struct turn *t, uint32_t move, struct move_line *out)
{
	out->n = 0;
	if (p->kind->line && !p->votes && t->legal_count > 1)
		p->kind->line(p->self, &p->seat, t, move, out);
}

/* ---- the tree of a search ---- */

void search_tree_free(struct search_tree *t)
{
	vec_free(&t->nodes);
	vec_free(&t->moves);
}

static void add_tree_node(struct search_tree *out, struct tree_node n, uint32_t parent, const uint32_t *moves,
                          uint32_t roles)
{
	assert(!out->nodes.n || parent < out->nodes.n);
	n.parent = parent;
	vec_push(&out->nodes, n);
	for (uint32_t r = 0; r < roles; r++)
		vec_push(&out->moves, moves ? moves[r] : GAME_NONE);
}

/* The most visited of the nodes that are known but not in the tree yet; TREE_ROOT: there is none. */
static uint32_t most_visited(const struct tree_children *open)
{
	uint32_t best = TREE_ROOT;
	for (uint32_t i = 0; i < open->nodes.n; i++)
		if (open->nodes.at[i].visits > (best == TREE_ROOT ? 0 : open->nodes.at[best].visits))
			best = i;
	return best;
}

/* Appends the children of a node, and remembers whose they are. */
static bool open_tree_node(struct player *p, const struct turn *t, uint32_t id, uint32_t index,
                           struct tree_children *open)
{
	size_t before = open->nodes.n;
	if (!p->kind->children(p->self, &p->seat, t, id, open))
		return false;
	assert(open->ids.n == open->nodes.n);
	for (size_t i = before; i < open->nodes.n; i++)
		open->nodes.at[i].parent = index;
	return true;
}

bool player_tree(struct player *p, const struct turn *t, uint32_t most, struct search_tree *out)
{
	uint32_t roles = p->seat.game->roles, best;
	struct tree_children open = {0};
	vec_clear(&out->nodes);
	vec_clear(&out->moves);
	bool known = !p->votes && p->kind->children && open_tree_node(p, t, TREE_ROOT, 0, &open);
	if (known)
		add_tree_node(out, (struct tree_node){.value = -1, .high = 100}, 0, NULL, roles);
	for (size_t i = 0; known && i < open.nodes.n; i++)
		out->nodes.at->visits += open.nodes.at[i].visits;
	while (known && out->nodes.n < most && (best = most_visited(&open)) != TREE_ROOT) {
		uint32_t index = (uint32_t)out->nodes.n;
		add_tree_node(out, open.nodes.at[best], open.nodes.at[best].parent, open.moves.at + (size_t)best * roles,
		              roles);
		open.nodes.at[best].visits = 0;
		open_tree_node(p, t, open.ids.at[best], index, &open);
	}
	vec_free(&open.nodes);
	vec_free(&open.ids);
	vec_free(&open.moves);
	return known;
}

uint32_t player_ready(const struct player *p)
{
	return *p->seat.ready;
}

void player_prepare(struct player *p, uint32_t legal)
{
	seat_ready(&p->seat, legal);
}

void player_publish(struct player *p, _Atomic uint32_t *where)
{
	*where = *p->seat.ready;
	p->seat.ready = where;
}

const struct counters *player_counters(const struct player *p)
{
	return &p->seat.count;
}

void player_free(struct player *p)
{
	if (!p)
		return;
	if (p->kind->free && p->self)
		p->kind->free(p->self);
	if (p->votes)
		determinised_free(p->votes);
	if (p->seat.worker)
		worker_free(p->seat.worker);
	text_free(&p->seat.why);
	text_free(&p->words);
	mem_free(p->options);
	mem_free(p);
}
