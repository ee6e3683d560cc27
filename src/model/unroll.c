/* T rounds in one stochastic network, the T-stage SCSP of the papers.
 *
 * Every stage is a copy of the template; the groups after stage t are those of
 * now of stage t+1. A game that is over stays as it is: from then on states
 * repeat, every role "does" the first of its values and chance draws its first,
 * so a play that ends early is still one solution. The last stage has a state
 * but no actions: it is looked at for its end and its scores. */
#include "model/model_internal.h"

#include "scsp/scsp.h"

#include <string.h>

struct unroll {
	struct model *m;
	struct csp *net;
	uint32_t stages, vars;
	uint32_t *copy; /* stage * vars + variable: in `net`, or CSP_NONE */
	uint32_t *draw; /* stage * values of chance + index: may it be drawn? */
	bool *sleeps;   /* by constraint: only scores ask for it */
	VEC(int32_t) tuples;
	VEC(uint32_t) scope;
};

static uint32_t *copied(struct unroll *u, uint32_t stage, uint32_t x)
{
	return &u->copy[(size_t)stage * u->vars + x];
}

static uint32_t new_copy(struct unroll *u, uint32_t stage, uint32_t x)
{
	struct csp *from = u->m->net;
	uint32_t n = csp_count(from, x), y;
	int32_t *values = mem_alloc(n + 1, sizeof *values);
	struct text name = {0};
	text_printf(&name, "%s_at_%u", csp_name(from, x), stage);
	for (uint32_t i = 0; i < n; i++)
		values[i] = csp_value(from, x, i);
	if (csp_symbolic(from, x)) {
		const char **words = mem_alloc(n + 1, sizeof *words);
		for (uint32_t i = 0; i < n; i++)
			words[i] = csp_symbol_text(from, values[i]);
		y = csp_var_symbols(u->net, text_str(&name), words, n);
		mem_free(words);
	} else {
		y = csp_var_values(u->net, text_str(&name), values, n);
	}
	if (csp_hidden(from, x))
		csp_hide(u->net, y);
	text_free(&name);
	mem_free(values);
	return y;
}

/* The variable in a stage; made when first asked for. */
static uint32_t at_stage(struct unroll *u, uint32_t stage, uint32_t x)
{
	uint32_t *y = copied(u, stage, x);
	if (*y == CSP_NONE)
		*y = new_copy(u, stage, x);
	return *y;
}

static bool is_after(const struct unroll *u, uint32_t x)
{
	for (size_t i = 0; i < u->m->groups->all.n; i++)
		if (u->m->after[i] == x)
			return true;
	return false;
}

/* A table of the template in a stage. What defines a group afterwards is asked of
 * games that go on. */
static void put_table(struct unroll *u, uint32_t stage, const struct kept_table *k)
{
	const uint32_t *scope = u->m->kept_scopes.at + k->scope;
	const int32_t *rows = u->m->kept_tuples.at + k->tuples;
	bool guarded = is_after(u, scope[k->arity - 1]);
	size_t n = k->rows;
	vec_clear(&u->scope);
	vec_clear(&u->tuples);
	if (guarded)
		vec_push(&u->scope, at_stage(u, stage, u->m->terminal));
	for (uint32_t p = 0; p < k->arity; p++)
		vec_push(&u->scope, at_stage(u, stage, scope[p]));
	for (size_t r = 0; r < k->rows; r++) {
		if (guarded)
			vec_push(&u->tuples, 0);
		for (uint32_t p = 0; p < k->arity; p++)
			vec_push(&u->tuples, rows[r * k->arity + p]);
	}
	if (guarded) {
		vec_push(&u->tuples, 1);
		for (uint32_t p = 0; p < k->arity; p++)
			vec_push(&u->tuples, CSP_ANY);
		n++;
	}
	csp_add_table(u->net, u->scope.at, u->scope.n, u->tuples.at, n, true);
}

static void put_row(struct unroll *u, int32_t a, int32_t b, int32_t c)
{
	vec_push(&u->tuples, a);
	vec_push(&u->tuples, b);
	vec_push(&u->tuples, c);
}

/* When the game is over: the state stays, the actions are the first. */
static void put_rest(struct unroll *u, uint32_t stage)
{
	struct model *m = u->m;
	uint32_t over = at_stage(u, stage, m->terminal);
	for (size_t i = 0; i < m->groups->all.n; i++) {
		uint32_t now = at_stage(u, stage, m->now[i]), after = at_stage(u, stage, m->after[i]);
		vec_clear(&u->tuples);
		put_row(u, 0, CSP_ANY, CSP_ANY);
		for (uint32_t k = 0; k < csp_count(m->net, m->now[i]); k++)
			put_row(u, 1, csp_value(m->net, m->now[i], k), csp_value(m->net, m->now[i], k));
		csp_add_table(u->net, (uint32_t[]){over, now, after}, 3, u->tuples.at, u->tuples.n / 3, true);
	}
	for (uint32_t r = 0; r < m->game->roles; r++) {
		int32_t rows[] = {0, CSP_ANY, 1, csp_value(m->net, m->action[r], 0)};
		csp_add_table(u->net, (uint32_t[]){over, at_stage(u, stage, m->action[r])}, 2, rows, 2, true);
	}
}

/* What chance may draw: as the rules say, or its first value when all is over. */
static void put_draws(struct unroll *u, uint32_t stage)
{
	struct model *m = u->m;
	for (uint32_t i = 0; i < m->chance_legal.n; i++) {
		struct text name = {0};
		uint32_t b = m->chance_legal.at[i], legal = at_stage(u, stage, b), over = at_stage(u, stage, m->terminal);
		text_printf(&name, "draw_%s_at_%u", csp_name(m->net, b), stage);
		uint32_t x = csp_var_range(u->net, text_str(&name), 0, 1);
		csp_hide(u->net, x);
		text_free(&name);
		int32_t rows[] = {0, 0, 0, 0, 1, 1, 1, CSP_ANY, i == 0};
		csp_add_table(u->net, (uint32_t[]){over, legal, x}, 3, rows, 3, true);
		u->draw[(size_t)stage * m->chance_legal.n + i] = x;
	}
}

static void put_stage(struct unroll *u, uint32_t stage)
{
	struct model *m = u->m;
	for (size_t i = 0; i < m->groups->all.n; i++)
		*copied(u, stage, m->after[i]) = at_stage(u, stage + 1, m->now[i]);
	for (uint32_t r = 0; r < m->game->roles; r++)
		at_stage(u, stage, m->action[r]);
	for (uint32_t c = 0; c < m->kept.n; c++)
		if (!u->sleeps[c])
			put_table(u, stage, &m->kept.at[c]);
	put_rest(u, stage);
	put_draws(u, stage);
}

/* The end of the horizon: is the game over, and with which scores? */
static void put_last(struct unroll *u)
{
	struct model *m = u->m;
	for (size_t i = 0; i < m->groups->all.n; i++)
		at_stage(u, u->stages, m->now[i]);
	at_stage(u, u->stages, m->terminal);
	for (uint32_t c = 0; c < m->goal_end; c++)
		put_table(u, u->stages, &m->kept.at[c]);
}

static bool put_state(struct unroll *u, const uint64_t *state)
{
	for (uint32_t i = 0; i < u->m->groups->all.n; i++) {
		uint32_t at = model_value_in(u->m, i, state), x = at_stage(u, 0, u->m->now[i]);
		int32_t v = at == CSP_NONE ? 0 : csp_value(u->m->net, u->m->now[i], at);
		if (at == CSP_NONE)
			return false;
		csp_add_table(u->net, &x, 1, &v, 1, true);
	}
	return true;
}

/* Stage by stage: what the state says and the decisions, the draw, what follows. */
static bool put_order(struct unroll *u, struct scsp *s)
{
	struct model *m = u->m;
	bool random = m->game->random < m->game->roles, *placed = NEW_ARRAY(bool, csp_variables(u->net) + 1);
	VEC(uint32_t) order = {0};
	for (uint32_t t = 0; t <= u->stages; t++) {
		uint32_t chance = random && t < u->stages ? *copied(u, t, m->action[m->game->random]) : CSP_NONE;
		for (int late = 0; late < 2; late++) {
			for (uint32_t x = 0; x < u->vars; x++) {
				uint32_t y = *copied(u, t, x);
				if (y == CSP_NONE || placed[y] || y == chance || (!late && model_follows(m, x)))
					continue;
				vec_push(&order, y);
				placed[y] = true;
			}
			for (uint32_t i = 0; !late && chance != CSP_NONE && i < m->chance_legal.n; i++) {
				vec_push(&order, u->draw[(size_t)t * m->chance_legal.n + i]);
				placed[order.at[order.n - 1]] = true;
			}
			if (!late && chance != CSP_NONE) {
				vec_push(&order, chance);
				placed[chance] = true;
			}
		}
	}
	bool ok = scsp_order(s, order.at, order.n);
	for (uint32_t t = 0; random && t < u->stages && ok; t++)
		ok = scsp_draw_legal(s, *copied(u, t, m->action[m->game->random]), u->draw + (size_t)t * m->chance_legal.n);
	vec_free(&order);
	mem_free(placed);
	return ok;
}

static void unroll_begin(struct unroll *u)
{
	struct model *m = u->m;
	size_t cells = (size_t)(u->stages + 1) * u->vars;
	u->net = csp_new();
	csp_in_order(u->net);
	/* the same symbols with the same numbers, so that tuples need no translation */
	for (uint32_t i = 0; i < csp_symbols(m->net); i++)
		csp_symbol(u->net, csp_symbol_text(m->net, (int32_t)i));
	u->copy = mem_alloc(cells + 1, sizeof *u->copy);
	memset(u->copy, 0xff, cells * sizeof *u->copy);
	u->draw = NEW_ARRAY(uint32_t, (size_t)u->stages * m->chance_legal.n + 1);
	u->sleeps = NEW_ARRAY(bool, m->kept.n + 1);
	model_find_goal_only(m);
	for (size_t i = 0; i < m->goal_only.n; i++)
		u->sleeps[m->goal_only.at[i]] = true;
}

static void unroll_end(struct unroll *u)
{
	mem_free(u->copy);
	mem_free(u->draw);
	mem_free(u->sleeps);
	vec_free(&u->tuples);
	vec_free(&u->scope);
}

struct scsp *model_unroll(struct model *m, const uint64_t *state, uint32_t stages, struct text *error)
{
	struct unroll u = {.m = m, .stages = stages, .vars = csp_variables(m->net)};
	uint32_t players = model_players(m);
	if (!players || players > SCSP_MAX_PLAYERS) {
		text_printf(error, "a stochastic network has 1 to %d players", SCSP_MAX_PLAYERS);
		return NULL;
	}
	if (m->kept.n != csp_constraints(m->net) || m->cells > m->max_cells / (stages + 1)) {
		text_printf(error, "next: %u rounds of %llu tuples would not fit the memory", stages,
		            (unsigned long long)m->rows);
		return NULL;
	}
	unroll_begin(&u);
	bool reached = put_state(&u, state);
	for (uint32_t t = 0; t < stages && reached; t++)
		put_stage(&u, t);
	if (!reached) {
		text_puts(error, "a state that cannot be reached");
		csp_free(u.net);
		unroll_end(&u);
		return NULL;
	}
	put_last(&u);
	struct scsp *s = scsp_new(u.net, players);
	uint32_t *scores = NEW_ARRAY(uint32_t, m->game->roles + 1);
	for (uint32_t r = 0; r < m->game->roles; r++)
		scores[r] = *copied(&u, stages, m->score[r]);
	if (!put_order(&u, s) || !model_put_goals(m, s, *copied(&u, stages, m->terminal), scores)) {
		text_puts(error, scsp_error(s));
		scsp_free(s);
		s = NULL;
	}
	mem_free(scores);
	unroll_end(&u);
	return s;
}
