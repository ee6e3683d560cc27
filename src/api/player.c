/* Players for others: one that follows a match by itself, is asked for moves and tells what it knows of them. */
#include "api/api_internal.h"
#include "api/player_internal.h"

#include <math.h>
#include <stdlib.h>

/* ---- kinds ---- */

bool macaw_player_kind_at(size_t i, macaw_player_kind *out)
{
	for (size_t k = 0; k <= i; k++)
		if (!player_kinds[k])
			return false;
	const struct player_kind *kind = player_kinds[i];
	*out = (macaw_player_kind){kind->name, kind->what, kind->details, kind->hidden};
	return true;
}

/* The default, as it would be typed. */
static void put_standard(const struct opt *o, char *out, size_t room)
{
	const char *choice = o->choices;
	switch (o->kind) {
	case OPT_FLAG: snprintf(out, room, "%s", o->whole ? "yes" : "no"); break;
	case OPT_INT: snprintf(out, room, "%lld", (long long)o->whole); break;
	case OPT_REAL: snprintf(out, room, "%g", o->real); break;
	case OPT_TEXT: snprintf(out, room, "%s", o->words ? o->words : ""); break;
	case OPT_LIST: *out = 0; break;
	case OPT_CHOICE:
		for (int64_t i = 0; i < o->whole; i++)
			choice += strcspn(choice, "|") + 1;
		snprintf(out, room, "%.*s", (int)strcspn(choice, "|"), choice);
	}
}

bool macaw_player_option_at(size_t kind, size_t i, macaw_player_option *out)
{
	macaw_player_kind known;
	if (!macaw_player_kind_at(kind, &known))
		return false;
	const struct opt *o = player_kinds[kind]->options;
	for (; o && o->name && i; i--)
		o++;
	for (o = o && o->name ? o : player_common_options; o->name && i; i--)
		o++;
	if (!o->name)
		return false;
	*out = (macaw_player_option){.name = o->name,
	                             .metavar = o->metavar,
	                             .help = o->help,
	                             .choices = o->choices,
	                             .min = o->min,
	                             .max = o->max,
	                             .tuning = o->tuning};
	put_standard(o, out->standard, sizeof out->standard);
	return true;
}

/* ---- making ---- */

struct macaw_player {
	struct handle handle;
	struct company company;
	macaw_error error;
	macaw_game *game;
	struct player *player;
	struct worker *worker;
	uint32_t role, step;
	bool moved;         /* the player has heard of this step */
	bool after;         /* `last` and `seen` led here */
	uint64_t *position; /* in a game with hidden information: the initial one */
	uint32_t own_last;
	VEC(uint32_t) last, seen, legal;
	/* of the last thought */
	VEC(struct move_value) known;
	VEC(macaw_move_value) values;
	struct move_line line;
	struct search_tree tree;
	VEC(macaw_tree_node) tree_nodes;
};

static void free_inside(macaw_player *p)
{
	player_free(p->player);
	if (p->worker)
		worker_free(p->worker);
	mem_free(p->position);
	vec_free(&p->last);
	vec_free(&p->seen);
	vec_free(&p->legal);
	vec_free(&p->known);
	vec_free(&p->values);
	vec_free(&p->line);
	search_tree_free(&p->tree);
	vec_free(&p->tree_nodes);
}

void macaw_player_free(macaw_player *p)
{
	if (!p)
		return;
	if (!p->handle.broken)
		free_inside(p);
	handle_close(&p->handle);
	free(p);
}

static macaw_player *give_up(macaw_player *p)
{
	macaw_player_free(p);
	return NULL;
}

static void read_legal(macaw_player *p)
{
	struct view v = game_look(p->worker, p->position);
	vec_set(&p->legal, v.legal + v.start[p->role], v.start[p->role + 1] - v.start[p->role]);
	if (v.terminal)
		vec_clear(&p->legal);
}

static void make(macaw_player *p, const char *word, uint64_t seed, macaw_error *e)
{
	struct game *g = api_game(p->game);
	struct text error = {0};
	p->player = player_make(g, p->role, word, seed, &error);
	if (p->player) {
		p->worker = worker_new(g);
		p->position = mem_alloc(g->words + 1, sizeof *p->position);
		memcpy(p->position, g->initial, g->words * sizeof *p->position);
		read_legal(p);
	} else {
		api_fail_text(e, MACAW_USAGE, &error);
	}
	text_free(&error);
}

macaw_player *macaw_player_new(macaw_game *g, uint32_t role, const char *word, uint64_t seed, macaw_error *e)
{
	api_clear(e);
	if (role >= macaw_game_roles(g) || role == macaw_game_random(g)) {
		api_fail(e, MACAW_USAGE, "there is no role %u for a player", role);
		return NULL;
	}
	macaw_player *p = calloc(1, sizeof *p);
	if (!p || !handle_open(&p->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(p);
		return NULL;
	}
	p->game = g;
	p->role = role;
	p->own_last = GAME_NONE;
	GUARD(&p->handle, e, give_up(p), make(p, word ? word : "", seed, e));
	return p->player ? p : give_up(p);
}

const macaw_error *macaw_player_error(const macaw_player *p)
{
	return &p->error;
}

static bool fail(macaw_player *p, enum macaw_status status, const char *why)
{
	api_fail(&p->error, status, "%s", why);
	return false;
}

/* ---- thinking ---- */

struct budget api_budget(const macaw_budget *b)
{
	static const macaw_budget standard = {0};
	b = b ? b : &standard;
	double seconds = b->seconds > 0 ? b->seconds : b->playouts ? 0 : 1;
	struct limit limit = api_limit((macaw_limit){b->processor_time ? 0 : seconds, b->stop});
	if (b->processor_time && seconds > 0) {
		limit.clock = CLOCK_OF_PROCESS;
		limit.deadline = limit_now(&limit) + seconds;
	}
	return (struct budget){.limit = limit, .playouts = b->playouts, .margin = b->margin};
}

bool macaw_player_start(macaw_player *p, const macaw_budget *b)
{
	api_clear(&p->error);
	struct budget inside = api_budget(b);
	GUARD(&p->handle, &p->error, false, player_start(p->player, &inside));
	return true;
}

static struct turn turn_of(const macaw_player *p)
{
	bool hidden = api_game(p->game)->hidden;
	return (struct turn){.step = p->step,
	                     .state = hidden ? NULL : p->position,
	                     .last = p->after && !hidden ? p->last.at : NULL,
	                     .legal = p->legal.at,
	                     .legal_count = (uint32_t)p->legal.n,
	                     .own_last = p->own_last,
	                     .seen = p->after ? p->seen.at : NULL,
	                     .seen_count = p->after ? (uint32_t)p->seen.n : 0};
}

/* The value less what few visits leave uncertain; what is not known comes last. */
static double worth(const macaw_move_value *v)
{
	if (v->value < 0)
		return v->low - 200;
	return v->visits && v->low < v->high ? fmax(v->low, v->value - 100 / sqrt((double)v->visits)) : v->value;
}

static bool goes_before(const macaw_move_value *a, const macaw_move_value *b, uint32_t chosen)
{
	if (a->share >= 0 && b->share >= 0 && a->share != b->share)
		return a->share > b->share;
	if (a->share < 0 && (a->move == chosen || b->move == chosen))
		return a->move == chosen;
	return worth(a) > worth(b);
}

/* What the player knows, sorted. */
static void collect_values(macaw_player *p, const struct turn *t, uint32_t chosen)
{
	vec_clear(&p->known);
	vec_clear(&p->values);
	vec_extend(&p->known, t->legal_count);
	if (!player_values(p->player, t, p->known.at))
		return;
	for (size_t i = 0; i < p->known.n; i++) {
		const struct move_value *k = &p->known.at[i];
		macaw_move_value v = {k->move, k->value, k->low, k->high, (uint64_t)llround(k->visits), k->share};
		size_t at = p->values.n;
		vec_push(&p->values, v);
		for (; at && goes_before(&v, &p->values.at[at - 1], chosen); at--)
			p->values.at[at] = p->values.at[at - 1];
		p->values.at[at] = v;
	}
}

static bool is_proved(const macaw_player *p, const macaw_move_value *chosen)
{
	for (size_t i = 0; i < p->values.n; i++)
		if (&p->values.at[i] != chosen && p->values.at[i].high > chosen->low)
			return false;
	return true;
}

static void think(macaw_player *p, const macaw_budget *b, macaw_thought *out)
{
	struct turn t = turn_of(p);
	struct budget inside = api_budget(b);
	struct choice c = player_move(p->player, &t, &inside);
	p->moved = true;
	collect_values(p, &t, c.move);
	player_line(p->player, &t, c.move, &p->line);
	*out = (macaw_thought){.move = c.move, .why = c.why, .value = -1, .value_count = (uint32_t)p->values.n};
	out->values = p->values.n ? p->values.at : NULL;
	for (size_t i = 0; i < p->values.n; i++)
		if (p->values.at[i].move == c.move) {
			out->value = p->values.at[i].value;
			out->proved = is_proved(p, &p->values.at[i]);
		}
	out->line_steps = (uint32_t)(p->line.n / api_game(p->game)->roles);
	out->line = out->line_steps ? p->line.at : NULL;
}

/* Is there a position to think about? */
static bool can_think(macaw_player *p)
{
	api_clear(&p->error);
	if (!handle_usable(&p->handle, &p->error))
		return false;
	if (worker_trouble(p->worker))
		return fail(p, MACAW_INPUT, worker_trouble(p->worker));
	if (!p->legal.n)
		return fail(p, MACAW_INPUT, "the role has no move: the position is terminal, or the match is stuck");
	return true;
}

bool macaw_player_think(macaw_player *p, const macaw_budget *b, macaw_thought *out)
{
	if (!can_think(p))
		return false;
	GUARD(&p->handle, &p->error, false, think(p, b, out));
	return true;
}

static void ponder(macaw_player *p, const macaw_budget *b)
{
	struct turn t = turn_of(p);
	struct budget inside = api_budget(b);
	player_ponder(p->player, &t, t.legal[0], &inside);
}

bool macaw_player_ponder(macaw_player *p, const macaw_budget *b)
{
	if (!can_think(p))
		return false;
	GUARD(&p->handle, &p->error, false, ponder(p, b));
	return true;
}

static bool collect_tree(macaw_player *p, uint32_t most)
{
	struct turn t = turn_of(p);
	uint32_t roles = api_game(p->game)->roles;
	vec_clear(&p->tree_nodes);
	if (!p->moved || t.legal_count < 2 || !player_tree(p->player, &t, most, &p->tree))
		return false;
	for (size_t i = 0; i < p->tree.nodes.n; i++) {
		const struct tree_node *n = &p->tree.nodes.at[i];
		macaw_tree_node out = {n->parent, i ? p->tree.moves.at + i * roles : NULL,
		                       n->value,  n->low,
		                       n->high,   (uint64_t)llround(n->visits)};
		vec_push(&p->tree_nodes, out);
	}
	return true;
}

bool macaw_player_tree(macaw_player *p, uint32_t most, macaw_search_tree *out)
{
	bool known = false;
	*out = (macaw_search_tree){0};
	api_clear(&p->error);
	GUARD(&p->handle, &p->error, false, known = collect_tree(p, most));
	if (known)
		*out = (macaw_search_tree){p->tree_nodes.at, (uint32_t)p->tree_nodes.n};
	return known;
}

uint32_t macaw_player_ready(const macaw_player *p)
{
	return player_ready(p->player);
}

/* ---- following a match ---- */

static const char *hides = "in a game with hidden information a player hears only what its role sees";

/* False: a move is not legal. */
static bool all_legal(macaw_player *p, const uint32_t *moves)
{
	const struct game *g = api_game(p->game);
	struct view v = game_look(p->worker, p->position);
	for (uint32_t r = 0; r < g->roles; r++) {
		bool legal = false;
		for (uint32_t i = v.start[r]; i < v.start[r + 1]; i++)
			legal |= v.legal[i] == moves[r];
		if (legal && !v.terminal)
			continue;
		const char *role = macaw_game_role(p->game, r), *move = macaw_game_move(p->game, moves[r]);
		api_fail(&p->error, MACAW_INPUT, "%s is no legal move of %s here", move ? move : "this", role ? role : "it");
		return false;
	}
	return true;
}

static bool go_on(macaw_player *p, const uint32_t *moves)
{
	if (!all_legal(p, moves))
		return false;
	vec_set(&p->last, moves, api_game(p->game)->roles);
	vec_clear(&p->seen);
	vec_reserve(&p->seen, 1); /* an empty list must be distinguishable from NULL */
	p->own_last = moves[p->role];
	p->after = true;
	p->moved = false;
	p->step++;
	game_next(p->worker, p->position, p->last.at, p->position);
	read_legal(p);
	return true;
}

bool macaw_player_inform(macaw_player *p, const uint32_t *moves)
{
	bool fine = false;
	api_clear(&p->error);
	if (api_game(p->game)->hidden)
		return fail(p, MACAW_USAGE, hides);
	GUARD(&p->handle, &p->error, false, fine = go_on(p, moves));
	if (fine && worker_trouble(p->worker))
		return fail(p, MACAW_INPUT, worker_trouble(p->worker));
	return fine;
}

/* A player must be shown every turn, also of those in which nobody asked it for a move. */
static void show_turn(macaw_player *p)
{
	struct turn t = turn_of(p);
	if (!p->moved && p->legal.n)
		player_move(p->player, &t, &(struct budget){.playouts = 1});
	p->moved = true;
}

struct observation {
	uint32_t own_move;
	const uint32_t *percepts;
	size_t percept_count;
	const uint32_t *legal;
	size_t legal_count;
};

static bool is_own(const macaw_player *p, uint32_t move)
{
	return macaw_game_role_of(p->game, move) == p->role;
}

/* NULL: the numbers are there, and the moves are the role's. */
static const char *fault_of(const macaw_player *p, const struct observation *n)
{
	bool fine = is_own(p, n->own_move);
	for (size_t i = 0; i < n->legal_count && fine; i++)
		fine = is_own(p, n->legal[i]);
	if (!fine)
		return "one of these is no move of the player's role";
	for (size_t i = 0; i < n->percept_count; i++)
		if (n->percepts[i] >= macaw_game_percepts(p->game))
			return "there is no such percept";
	return NULL;
}

static void observe(macaw_player *p, const struct observation *n)
{
	show_turn(p);
	vec_set(&p->seen, n->percepts, n->percept_count);
	vec_reserve(&p->seen, 1); /* an empty list must be distinguishable from NULL */
	vec_set(&p->legal, n->legal, n->legal_count);
	p->own_last = n->own_move;
	p->after = true;
	p->moved = false;
	p->step++;
}

bool macaw_player_inform_seen(macaw_player *p, uint32_t own_move, const uint32_t *percepts, size_t percept_count,
                              const uint32_t *legal, size_t legal_count)
{
	api_clear(&p->error);
	if (!api_game(p->game)->hidden)
		return fail(p, MACAW_USAGE, "the game hides nothing: inform the player of the joint move");
	struct observation n = {own_move, percepts, percept_count, legal, legal_count};
	const char *fault = fault_of(p, &n);
	if (fault)
		return fail(p, MACAW_INPUT, fault);
	GUARD(&p->handle, &p->error, false, observe(p, &n));
	return true;
}

static void go_to(macaw_player *p, const uint64_t *position, uint32_t step)
{
	memcpy(p->position, position, api_game(p->game)->words * sizeof *position);
	p->step = step;
	p->own_last = GAME_NONE;
	p->after = p->moved = false;
	read_legal(p);
}

bool macaw_player_set(macaw_player *p, const uint64_t *position, uint32_t step)
{
	api_clear(&p->error);
	if (api_game(p->game)->hidden)
		return fail(p, MACAW_USAGE, hides);
	GUARD(&p->handle, &p->error, false, go_to(p, position, step));
	return true;
}

/* ---- counters ---- */

macaw_counters api_counters(const struct counters *c)
{
	return (macaw_counters){
#define C(name, what) .name = c->name,
		PLAY_COUNTERS(C)
#undef C
			.seconds = c->seconds,
		.playout_seconds = c->playout_seconds, .solve_seconds = c->solve_seconds,
		.symmetry_seconds = c->symmetry_seconds};
}

struct counters api_counters_inside(const macaw_counters *c)
{
	return (struct counters){
#define C(name, what) .name = c->name,
		PLAY_COUNTERS(C)
#undef C
			.seconds = c->seconds,
		.playout_seconds = c->playout_seconds, .solve_seconds = c->solve_seconds};
}

macaw_counters macaw_player_counters(const macaw_player *p)
{
	return api_counters(player_counters(p->player));
}

/* ---- company ---- */

struct company api_company(const macaw_company *c)
{
	return (struct company){.context = c->context,
	                        .neighbours = c->neighbours,
	                        .begin = c->begin,
	                        .end = c->end,
	                        .send = c->send,
	                        .receive = c->receive};
}

bool macaw_player_accompany(macaw_player *p, const macaw_company *c)
{
	bool fine = false;
	api_clear(&p->error);
	p->company = api_company(c);
	GUARD(&p->handle, &p->error, false, fine = player_accompany(p->player, &p->company));
	return fine ? true : fail(p, MACAW_USAGE, "this player thinks alone in this game");
}

bool macaw_player_assist(macaw_player *p, const uint64_t *position, const macaw_budget *b)
{
	struct budget inside = api_budget(b);
	api_clear(&p->error);
	GUARD(&p->handle, &p->error, false, player_assist(p->player, position, &inside));
	return true;
}
