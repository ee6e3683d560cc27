/* Games for others: made from rules, asked for numbers and texts.
 *
 * Texts are made when first asked for and then kept: whoever is first publishes the pointer, and a
 * thread that comes second throws its copy away. So no lock is needed, and a text never moves. */
#include "analysis/fragment.h"
#include "api/api_internal.h"
#include "game/rules_view.h"
#include "show/circuit_text.h"

#include <stdatomic.h>
#include <stdlib.h>

enum kind { ROLE, FLUENT, MOVE, PERCEPT, KINDS };

struct macaw_game {
	struct handle handle;
	macaw_rules *rules;
	struct game *game;
	_Atomic(char *) *texts[KINDS]; /* by kind and number; NULL: not made yet */
};

struct game *api_game(const macaw_game *g)
{
	return g->game;
}

struct handle *api_game_handle(const macaw_game *g)
{
	return unconst(&g->handle);
}

/* ---- making ---- */

static uint32_t count_of(const struct game *g, enum kind kind)
{
	const uint32_t counts[] = {[ROLE] = g->roles, [FLUENT] = g->fluents, [MOVE] = g->moves, [PERCEPT] = g->percepts};
	return counts[kind];
}

static void free_inside(macaw_game *g)
{
	for (int k = 0; k < KINDS && g->game; k++) {
		for (uint32_t i = 0; g->texts[k] && i < count_of(g->game, k); i++)
			mem_free(atomic_load_explicit(&g->texts[k][i], memory_order_relaxed));
		mem_free(g->texts[k]);
	}
	game_free(g->game);
}

void macaw_game_free(macaw_game *g)
{
	if (!g)
		return;
	if (!g->handle.broken)
		free_inside(g);
	macaw_rules_free(g->rules); /* first: symbols that grounding added to them are in the game's memory */
	handle_close(&g->handle);
	free(g);
}

static macaw_game *give_up(macaw_game *g)
{
	macaw_game_free(g);
	return NULL;
}

static void make(macaw_game *g, const macaw_game_options *o, macaw_error *e)
{
	static const enum game_engine engines[] = {[MACAW_ENGINE_AUTO] = ENGINE_AUTO,
	                                           [MACAW_ENGINE_CIRCUIT] = ENGINE_CIRCUIT,
	                                           [MACAW_ENGINE_INTERPRETER] = ENGINE_INTERPRETER};
	struct text error = {0};
	struct game_options inside = {.engine = engines[o->engine],
	                              .limit = api_limit(o->limit),
	                              .memory = o->memory,
	                              .plain = o->portable,
	                              .progress = o->progress,
	                              .context = o->context};
	g->game = game_make(api_rules(g->rules), &inside, &error);
	if (!g->game)
		api_fail_text(e, MACAW_INPUT, &error);
	for (int k = 0; k < KINDS && g->game; k++)
		g->texts[k] = mem_zalloc((size_t)count_of(g->game, k) + 1, sizeof *g->texts[k]);
	text_free(&error);
}

/* As much of the report as fits. */
static void fail_by_rules(const macaw_rules *r, macaw_error *e)
{
	char *report = macaw_rules_report(r, MACAW_REPORT_ERRORS, 100, false);
	size_t n = report ? strlen(report) : 0;
	while (n && report[n - 1] == '\n')
		report[--n] = 0;
	api_fail(e, MACAW_INPUT, "%s", report ? report : "the rules have errors");
	macaw_free(report);
}

macaw_game *macaw_game_make(macaw_rules *rules, const macaw_game_options *o, macaw_error *e)
{
	static const macaw_game_options defaults = {0};
	api_clear(e);
	if (!rules) {
		api_fail(e, MACAW_USAGE, "there are no rules");
		return NULL;
	}
	macaw_game *g = calloc(1, sizeof *g);
	if (!g || !handle_open(&g->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		macaw_rules_free(rules);
		free(g);
		return NULL;
	}
	g->rules = rules;
	if (macaw_rules_errors(rules)) {
		fail_by_rules(rules, e);
		return give_up(g);
	}
	if (o && (unsigned)o->engine > MACAW_ENGINE_INTERPRETER) {
		api_fail(e, MACAW_USAGE, "there is no engine %d", (int)o->engine);
		return give_up(g);
	}
	GUARD(&g->handle, e, give_up(g), make(g, o ? o : &defaults, e));
	return g->game ? g : give_up(g);
}

macaw_game *macaw_game_load(const char *game, const macaw_game_options *o, macaw_error *e)
{
	macaw_rules *r = macaw_rules_load(game, e);
	return r ? macaw_game_make(r, o, e) : NULL;
}

macaw_game *macaw_game_parse(const char *rules, size_t length, const macaw_game_options *o, macaw_error *e)
{
	macaw_rules *r = macaw_rules_parse(rules, length, NULL, e);
	return r ? macaw_game_make(r, o, e) : NULL;
}

/* ---- numbers ---- */

const char *macaw_game_name(const macaw_game *g)
{
	return macaw_rules_name(g->rules);
}

const macaw_rules *macaw_game_rules(const macaw_game *g)
{
	return g->rules;
}

enum macaw_engine macaw_game_engine(const macaw_game *g)
{
	return g->game->circuit ? MACAW_ENGINE_CIRCUIT : MACAW_ENGINE_INTERPRETER;
}

const char *macaw_game_why_interpreted(const macaw_game *g)
{
	return text_str(&g->game->why);
}

uint32_t macaw_game_roles(const macaw_game *g)
{
	return g->game->roles;
}

uint32_t macaw_game_players(const macaw_game *g)
{
	return g->game->roles - (g->game->random < g->game->roles);
}

uint32_t macaw_game_random(const macaw_game *g)
{
	return g->game->random < g->game->roles ? g->game->random : MACAW_NONE;
}

bool macaw_game_hidden(const macaw_game *g)
{
	return g->game->hidden;
}

uint32_t macaw_game_fluents(const macaw_game *g)
{
	return g->game->fluents;
}

uint32_t macaw_game_moves(const macaw_game *g)
{
	return g->game->moves;
}

uint32_t macaw_game_percepts(const macaw_game *g)
{
	return g->game->percepts;
}

/* ---- texts ---- */

static char *make_text(const struct game *g, enum kind kind, uint32_t i)
{
	static void (*const print[])(const struct game *, uint32_t, struct text *) = {
		[ROLE] = game_print_role,
		[FLUENT] = game_print_fluent,
		[MOVE] = game_print_move,
		[PERCEPT] = game_print_percept,
	};
	struct text t = {0};
	print[kind](g, i, &t);
	if (!t.n) /* the interpreter has not met it */
		text_free(&t);
	return t.at;
}

static const char *text_of(const macaw_game *g, enum kind kind, uint32_t i)
{
	if (i >= count_of(g->game, kind))
		return NULL;
	_Atomic(char *) *slot = &g->texts[kind][i];
	char *text = atomic_load_explicit(slot, memory_order_acquire), *made = NULL;
	if (text)
		return text;
	GUARD(api_game_handle(g), NULL, NULL, made = make_text(g->game, kind, i));
	if (!made || atomic_compare_exchange_strong(slot, &text, made))
		return made;
	mem_free(made);
	return text;
}

const char *macaw_game_role(const macaw_game *g, uint32_t role)
{
	return text_of(g, ROLE, role);
}

const char *macaw_game_fluent(const macaw_game *g, uint32_t fluent)
{
	return text_of(g, FLUENT, fluent);
}

const char *macaw_game_move(const macaw_game *g, uint32_t move)
{
	return text_of(g, MOVE, move);
}

const char *macaw_game_percept(const macaw_game *g, uint32_t percept)
{
	return text_of(g, PERCEPT, percept);
}

uint32_t macaw_game_role_of(const macaw_game *g, uint32_t move)
{
	return move < g->game->moves ? game_role_of(g->game, move) : MACAW_NONE;
}

/* ---- numbers of texts ---- */

uint32_t macaw_game_find_role(const macaw_game *g, const char *text)
{
	uint32_t found = MACAW_NONE;
	GUARD(api_game_handle(g), NULL, MACAW_NONE, found = text ? game_find_role(g->game, text) : MACAW_NONE);
	return found;
}

uint32_t macaw_game_find_fluent(const macaw_game *g, const char *text)
{
	uint32_t found = MACAW_NONE;
	GUARD(api_game_handle(g), NULL, MACAW_NONE, found = text ? game_find_fluent(g->game, text) : MACAW_NONE);
	return found;
}

uint32_t macaw_game_find_move(const macaw_game *g, uint32_t role, const char *text)
{
	uint32_t found = MACAW_NONE;
	if (role >= g->game->roles || !text)
		return MACAW_NONE;
	GUARD(api_game_handle(g), NULL, MACAW_NONE, found = game_find_move(g->game, role, text));
	return found;
}

uint32_t macaw_game_find_percept(const macaw_game *g, uint32_t role, const char *text)
{
	uint32_t found = MACAW_NONE;
	if (role >= g->game->roles || !text)
		return MACAW_NONE;
	GUARD(api_game_handle(g), NULL, MACAW_NONE, found = game_find_percept(g->game, role, text));
	return found;
}

/* ---- what became of the rules ---- */

macaw_game_info macaw_game_information(const macaw_game *g)
{
	const struct rules_view *v = game_rules_view(g->game);
	macaw_game_info info = {
		.seconds = api_rules_seconds(g->rules) + g->game->seconds, .memory = mem_bytes(g->handle.scope), .period = 1};
	if (!v)
		return info;
	info.fluents = g->game->fluents;
	info.constant_fluents = v->constants;
	info.moves = g->game->moves;
	info.percepts = g->game->percepts;
	info.goals = v->ground->goals.n;
	info.atoms = v->ground->atoms;
	info.ground_rules = v->ground->first.at[v->ground->atoms];
	info.gates = circuit_gates(v->circuit);
	info.fixpoint_blocks = v->circuit->loops.n ? v->circuit->loops.n - 1 : 0;
	info.operations = v->operations;
	info.slots = v->slots;
	info.period = v->phases->period;
	info.grounding_seconds = v->ground->seconds;
	return info;
}

/* The scratch memory of the proofs goes with a handle of its own; what is kept belongs to the game. */
bool macaw_game_fragment_of(macaw_game *g, macaw_limit limit, macaw_game_fragment *out, macaw_error *e)
{
	struct handle scratch = {0};
	struct fragment f = {0};
	struct limit l = api_limit(limit);
	api_clear(e);
	*out = (macaw_game_fragment){0};
	if (!handle_open(&scratch, e))
		return false;
	GUARD(&scratch, e, (handle_close(&scratch), false), fragment_find(&f, g->game, &l));
	handle_close(&scratch);
	*out = (macaw_game_fragment){.chance = f.chance,
	                             .hidden = g->game->hidden,
	                             .shared = (enum macaw_proof)f.shared,
	                             .simultaneous = (enum macaw_proof)f.simultaneous,
	                             .constant_sum = (enum macaw_proof)f.constant_sum,
	                             .finite = (enum macaw_proof)f.finite,
	                             .sum = f.sum,
	                             .horizon = f.horizon,
	                             .factors = f.factors};
	return true;
}

static char *print_stage(const struct game *g, enum macaw_stage stage)
{
	struct text out = {0};
	if (stage == MACAW_STAGE_GROUND)
		ground_print(game_rules_view(g)->ground, &out);
	else if (stage == MACAW_STAGE_CIRCUIT)
		circuit_print(g, &out);
	else
		circuit_print_dot(g, &out);
	return api_give(&out);
}

char *macaw_game_print(const macaw_game *g, enum macaw_stage stage, macaw_error *e)
{
	char *out = NULL;
	api_clear(e);
	if (!g->game->circuit) {
		api_fail(e, MACAW_INPUT, "the interpreter runs this game: it has no ground program and no circuit");
		return NULL;
	}
	GUARD(api_game_handle(g), e, NULL, out = print_stage(g->game, stage));
	if (!out)
		api_fail(e, MACAW_MEMORY, "out of memory");
	return out;
}
