/* The network as a stochastic problem: decisions, then chance's draw, then what
 * follows; goals are worth something only at the end of the game. */
#include "model/model_internal.h"

#include "scsp/scsp.h"

uint32_t model_players(const struct model *m)
{
	return m->game->roles - (m->game->random < m->game->roles);
}

bool model_follows(const struct model *m, uint32_t x)
{
	uint32_t chance = m->game->random < m->game->roles ? m->action[m->game->random] : CSP_NONE;
	if (x >= m->first_effect)
		return true;
	for (size_t i = 0; i < m->groups->all.n; i++)
		if (m->after[i] == x)
			return true;
	for (size_t i = 0; i < m->view_vars.n; i++)
		if (m->view_vars.at[i].var == x && m->view_vars.at[i].of == chance)
			return true;
	return false;
}

/* Decisions first, the draw, then all that follows from it. */
static bool put_order(struct model *m, struct scsp *s, uint32_t chance)
{
	VEC(uint32_t) order = {0};
	uint32_t n = (uint32_t)m->count.n;
	bool *late = NEW_ARRAY(bool, n + 1);
	for (uint32_t x = 0; x < n; x++) {
		late[x] = model_follows(m, x);
		if (!late[x] && x != chance)
			vec_push(&order, x);
	}
	if (chance != CSP_NONE)
		vec_push(&order, chance);
	for (uint32_t x = 0; x < n; x++)
		if (late[x])
			vec_push(&order, x);
	bool ok = scsp_order(s, order.at, order.n);
	vec_free(&order);
	mem_free(late);
	return ok;
}

/* goal / 100 when terminal, nothing else. */
bool model_put_goals(const struct model *m, struct scsp *s, uint32_t terminal, const uint32_t *scores)
{
	uint32_t players = model_players(m);
	bool ok = true;
	for (uint32_t r = 0, p = 0; r < m->game->roles && ok; r++) {
		VEC(int32_t) tuples = {0};
		VEC(double) worth = {0};
		size_t rows = 0;
		if (r == m->game->random)
			continue;
		for (uint32_t i = 0; i < m->count.at[m->score[r]]; i++) {
			int32_t v = csp_value(scsp_hard(s), scores[r], i);
			if (v <= 0)
				continue;
			vec_push(&tuples, 1);
			vec_push(&tuples, v);
			for (uint32_t k = 0; k < players; k++)
				vec_push(&worth, k == p ? v / 100.0 : 0.0);
			rows++;
		}
		if (rows)
			ok = scsp_soft(s, (uint32_t[]){terminal, scores[r]}, 2, tuples.at, rows, worth.at);
		vec_free(&tuples);
		vec_free(&worth);
		p++;
	}
	return ok;
}

struct scsp *model_scsp(struct model *m, const uint64_t *state, struct text *error)
{
	bool random = m->game->random < m->game->roles, ok = true;
	uint32_t players = model_players(m), chance = random ? m->action[m->game->random] : CSP_NONE;
	if (!players || players > SCSP_MAX_PLAYERS) {
		text_printf(error, "a stochastic network has 1 to %d players", SCSP_MAX_PLAYERS);
		return NULL;
	}
	for (uint32_t i = 0; i < m->groups->all.n && state; i++) {
		uint32_t at = model_value_in(m, i, state);
		int32_t v = at == CSP_NONE ? 0 : csp_value(m->net, m->now[i], at);
		if (at == CSP_NONE) {
			text_puts(error, "a state that cannot be reached");
			return NULL;
		}
		csp_add_table(m->net, &m->now[i], 1, &v, 1, true);
	}
	model_wake_goals(m);
	struct scsp *s = scsp_new(m->net, players);
	m->net = NULL;
	ok = put_order(m, s, chance);
	if (ok && random)
		ok = scsp_draw_legal(s, chance, m->chance_legal.at);
	ok = ok && model_put_goals(m, s, m->terminal, m->score);
	if (!ok) {
		text_puts(error, scsp_error(s));
		scsp_free(s);
		return NULL;
	}
	return s;
}
