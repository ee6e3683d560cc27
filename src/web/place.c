/* Courses of a game that requests name. */
#include "web/place.h"

#include "web/server.h"

bool place_open(struct place *p, struct web_game *g, struct request *q)
{
	macaw_error e;
	*p = (struct place){.game = g, .roles = macaw_game_roles(g->game), .words = macaw_position_words(g->game)};
	vec_extend(&p->positions, p->words);
	memcpy(p->positions.at, macaw_position_initial(g->game), p->words * sizeof *p->positions.at);
	p->tools = tools_take(g, &e);
	if (p->tools)
		return true;
	request_fail_as(q, &e, "cannot");
	place_close(p);
	return false;
}

void place_close(struct place *p)
{
	if (!p->game)
		return;
	tools_give(p->game, p->tools);
	games_give(p->game);
	vec_free(&p->positions);
	vec_free(&p->moves);
	*p = (struct place){0};
}

const uint64_t *place_at(const struct place *p, uint32_t step)
{
	return p->positions.at + step * p->words;
}

const uint64_t *place_now(const struct place *p)
{
	return place_at(p, p->steps);
}

bool place_look(const struct place *p, macaw_view *v, struct request *q)
{
	if (macaw_look(p->tools->worker, place_now(p), v))
		return true;
	request_fail_as(q, macaw_worker_error(p->tools->worker), "cannot");
	return false;
}

bool place_step(struct place *p, const uint32_t *joint)
{
	size_t at = p->positions.n;
	vec_extend(&p->positions, p->words);
	if (!macaw_next(p->tools->worker, p->positions.at + at - p->words, joint, p->positions.at + at)) {
		p->positions.n = at;
		return false;
	}
	for (uint32_t r = 0; r < p->roles; r++)
		vec_push(&p->moves, joint[r]);
	p->steps++;
	return true;
}

uint32_t place_find_move(const macaw_game *g, const macaw_view *v, uint32_t role, const json_t *word)
{
	uint32_t move = MACAW_NONE;
	if (json_is_object(word))
		word = json_object_get(word, "text") ? json_object_get(word, "text") : json_object_get(word, "id");
	if (json_is_integer(word) && json_integer_value(word) >= 0 && json_integer_value(word) < MACAW_NONE)
		move = (uint32_t)json_integer_value(word);
	else if (json_is_string(word))
		move = macaw_game_find_move(g, role, json_string_value(word));
	for (uint32_t i = v->start[role]; i < v->start[role + 1] && !v->terminal; i++)
		if (v->legal[i] == move)
			return move;
	return MACAW_NONE;
}

void list_legal(const macaw_game *g, const macaw_view *v, uint32_t role, struct text *out)
{
	if (v->terminal) {
		text_puts(out, "the match is over there");
		return;
	}
	text_puts(out, "legal: ");
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++) {
		if (out->n > 300) {
			text_puts(out, ", …");
			return;
		}
		text_printf(out, i > v->start[role] ? ", %s" : "%s", macaw_game_move(g, v->legal[i]));
	}
}

static void complain(struct place *p, const macaw_view *v, uint32_t role, const json_t *word, struct request *q)
{
	struct text message = {0}, help = {0};
	char *said = word ? json_dumps(word, JSON_ENCODE_ANY) : NULL;
	text_printf(&message, "step %u: %.200s is no legal move of %s there", p->steps + 1, said ? said : "nothing",
	            macaw_game_role(p->game->game, role));
	list_legal(p->game->game, v, role, &help);
	request_fail_help(q, 400, "not-legal", message.at, help.at);
	text_free(&message);
	text_free(&help);
	free(said);
}

static bool play_one(struct place *p, const json_t *joint, uint32_t *moves, struct request *q)
{
	const macaw_game *g = p->game->game;
	macaw_view v;
	if (!place_look(p, &v, q))
		return false;
	for (uint32_t r = 0; r < p->roles; r++) {
		const json_t *word =
			json_is_array(joint) ? json_array_get(joint, r) : json_object_get(joint, macaw_game_role(g, r));
		moves[r] = place_find_move(g, &v, r, word);
		if (moves[r] == MACAW_NONE) {
			complain(p, &v, r, word, q);
			return false;
		}
	}
	if (place_step(p, moves))
		return true;
	request_fail_as(q, macaw_worker_error(p->tools->worker), "cannot");
	return false;
}

bool place_play(struct place *p, const json_t *joints, struct request *q)
{
	size_t count = json_array_size(joints);
	uint32_t *moves = mem_alloc(p->roles, sizeof *moves);
	bool fine = count + p->steps <= PLACE_STEPS;
	if (!fine)
		request_fail(q, 400, "bad-request", "more than %d steps", PLACE_STEPS);
	for (size_t i = 0; i < count && fine; i++)
		fine = play_one(p, json_array_get(joints, i), moves, q);
	mem_free(moves);
	return fine;
}

static bool set_position(struct place *p, const char *text, struct request *q)
{
	macaw_error e;
	p->set = true;
	if (macaw_position_parse(p->game->game, text, p->positions.at, &e))
		return true;
	request_fail_as(q, &e, "bad-position");
	return false;
}

bool place_read(struct place *p, struct request *q)
{
	macaw_error e;
	const char *name = body_needs(q, "game"), *position = body_text(q, "position", NULL);
	json_t *moves = body_list(q, "moves");
	*p = (struct place){0};
	if (q->failed)
		return false;
	struct web_game *g = games_take(q->web->games, name, &e);
	if (!g) {
		request_fail_as(q, &e, e.status == MACAW_USAGE ? "not-found" : "cannot");
		return false;
	}
	if (!place_open(p, g, q))
		return false;
	if ((!position || set_position(p, position, q)) && place_play(p, moves, q))
		return true;
	place_close(p);
	return false;
}

void place_view(struct json_writer *w, const char *key, const struct place *p, uint32_t step)
{
	struct view_ask a = {.game = p->game, .tools = p->tools, .position = place_at(p, step), .step = step};
	if (step) {
		a.before = place_at(p, step - 1);
		a.last = p->moves.at + (size_t)(step - 1) * p->roles;
	}
	view_write(w, key, &a);
}

/* ---- by what a role observes ---- */

bool place_observe(const struct place *p, uint32_t step, uint32_t role, struct observation *out)
{
	const uint32_t *joint = p->moves.at + (size_t)step * p->roles;
	macaw_seen seen;
	macaw_view v;
	out->own_move = joint[role];
	if (!macaw_sees(p->tools->worker, place_at(p, step), joint, &seen))
		return false;
	vec_set(&out->percepts, seen.percepts + seen.start[role], seen.start[role + 1] - seen.start[role]);
	if (!macaw_look(p->tools->worker, place_at(p, step + 1), &v))
		return false;
	vec_set(&out->legal, v.legal + v.start[role], v.terminal ? 0 : v.start[role + 1] - v.start[role]);
	return true;
}

void observation_free(struct observation *o)
{
	vec_free(&o->percepts);
	vec_free(&o->legal);
}

bool place_follow(const struct place *p, macaw_player *player, uint32_t role)
{
	struct observation o = {0};
	bool fine = true;
	if (!macaw_game_hidden(p->game->game) || p->set) /* from a position of its own: refused where things are hidden */
		return macaw_player_set(player, place_now(p), p->steps);
	for (uint32_t i = 0; i < p->steps && fine; i++)
		fine = place_observe(p, i, role, &o) &&
		       macaw_player_inform_seen(player, o.own_move, o.percepts.at, o.percepts.n, o.legal.at, o.legal.n);
	observation_free(&o);
	return fine;
}

/* ---- roles ---- */

uint32_t role_read(const macaw_game *g, const char *name, struct request *q)
{
	uint32_t role = macaw_game_find_role(g, name);
	if (role == MACAW_NONE)
		request_fail(q, 400, "bad-request", "the game has no role `%.100s`", name);
	return role;
}

uint32_t place_role(const struct place *p, uint32_t asker, struct request *q)
{
	const char *name = body_text(q, "role", NULL);
	const macaw_game *g = p->game->game;
	macaw_view v;
	if (q->failed || !place_look(p, &v, q))
		return MACAW_NONE;
	if (v.terminal) {
		request_fail(q, 409, "not-now", "the match is over in this position");
		return MACAW_NONE;
	}
	uint32_t role = asker != MACAW_NONE ? asker : name ? role_read(g, name, q) : MACAW_NONE;
	for (uint32_t least = 2; role == MACAW_NONE && !name && least; least--)
		for (uint32_t r = 0; r < p->roles && role == MACAW_NONE; r++)
			if (r != macaw_game_random(g) && v.start[r + 1] - v.start[r] >= least)
				role = r;
	if (q->failed)
		return MACAW_NONE;
	if (role == macaw_game_random(g) || role == MACAW_NONE || v.start[role] == v.start[role + 1]) {
		request_fail(q, 409, "not-now", "no player can move for this role here");
		return MACAW_NONE;
	}
	return role;
}
