#include "board.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>

struct board board_open(const char *name)
{
	struct board t = {.name = name};
	const char *source = getenv("MACAW_SOURCE");
	struct text path = {0}, text = {0}, error = {0};
	struct diags d = {0};
	text_printf(&path, "%s/games/%s.kif", source ? source : ".", name);
	if (!text_read_file(&text, text_str(&path), GDL_MAX_TEXT, &error))
		fail_msg("%s", error.at);
	t.rules = gdl_read(text.at, text.n, &d);
	gdl_check(t.rules, &d);
	if (d.all.n)
		fail_msg("%s: %s", name, d.all.at[0].message);
	t.game = game_make(t.rules, &(struct game_options){.engine = ENGINE_CIRCUIT}, &error);
	if (!t.game)
		fail_msg("%s: %s", name, text_str(&error));
	t.worker = worker_new(t.game);
	t.state = NEW_ARRAY(uint64_t, t.game->words);
	t.before = NEW_ARRAY(uint64_t, t.game->words);
	t.moves = NEW_ARRAY(uint32_t, t.game->roles);
	board_reset(&t);
	diag_free(&d);
	text_free(&error);
	text_free(&text);
	text_free(&path);
	return t;
}

void board_close(struct board *t)
{
	mem_free(t->moves);
	mem_free(t->before);
	mem_free(t->state);
	worker_free(t->worker);
	game_free(t->game);
	gdl_free(t->rules);
}

static void copy(const struct board *t, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, t->game->words * sizeof *to);
}

void board_reset(struct board *t)
{
	copy(t, t->state, t->game->initial);
}

static uint32_t role_number(struct board *t, const char *role)
{
	uint32_t r = game_find_role(t->game, role);
	if (r == GAME_NONE)
		fail_msg("%s has no role %s", t->name, role);
	return r;
}

static bool is_legal(const struct view *v, uint32_t role, uint32_t move)
{
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (v->legal[i] == move)
			return true;
	return false;
}

/* Gives one move of the list to its role, or to all for which it is legal. */
static bool assign(struct board *t, const struct view *v, char *word)
{
	char *colon = strchr(word, ':');
	bool taken = false;
	if (colon)
		*colon = '\0';
	for (uint32_t r = 0; r < t->game->roles; r++) {
		if (colon && r != role_number(t, word))
			continue;
		uint32_t m = game_find_move(t->game, r, colon ? colon + 1 : word);
		if (m != GAME_NONE && is_legal(v, r, m)) {
			t->moves[r] = m;
			taken = true;
		}
	}
	return taken;
}

static char *trim(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	size_t n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = '\0';
	return s;
}

static void play_one(struct board *t, const char *text)
{
	struct view v = game_look(t->worker, t->state);
	char list[1000], *rest = list;
	if (v.terminal)
		fail_msg("%s: the game was over before '%s'", t->name, text);
	snprintf(list, sizeof list, "%s", text);
	for (uint32_t r = 0; r < t->game->roles; r++)
		t->moves[r] = v.start[r + 1] - v.start[r] == 1 ? v.legal[v.start[r]] : GAME_NONE;
	for (char *word; (word = strsep(&rest, "&"));) {
		word = trim(word);
		if (strcmp(word, "-") && !assign(t, &v, word))
			fail_msg("%s: '%s' in '%s' is not legal", t->name, word, text);
	}
	for (uint32_t r = 0; r < t->game->roles; r++)
		if (t->moves[r] == GAME_NONE)
			fail_msg("%s: '%s' leaves role %u a choice", t->name, text, r);
	copy(t, t->before, t->state);
	game_next(t->worker, t->before, t->moves, t->state);
}

void board_play(struct board *t, ...)
{
	va_list ap;
	va_start(ap, t);
	for (const char *text; (text = va_arg(ap, const char *));)
		play_one(t, text);
	va_end(ap);
}

bool board_holds(struct board *t, const char *fluent)
{
	uint32_t f = game_find_fluent(t->game, fluent);
	if (f == GAME_NONE)
		fail_msg("%s has no fluent %s", t->name, fluent);
	return t->state[f / 64] >> f % 64 & 1;
}

bool board_legal(struct board *t, const char *role, const char *move)
{
	uint32_t r = role_number(t, role), m = game_find_move(t->game, r, move);
	if (m == GAME_NONE)
		fail_msg("%s has no move %s of %s", t->name, move, role);
	struct view v = game_look(t->worker, t->state);
	return is_legal(&v, r, m);
}

uint32_t board_choices(struct board *t, const char *role)
{
	uint32_t r = role_number(t, role);
	struct view v = game_look(t->worker, t->state);
	return v.start[r + 1] - v.start[r];
}

bool board_terminal(struct board *t)
{
	return game_look(t->worker, t->state).terminal;
}

int board_goal(struct board *t, const char *role)
{
	uint32_t r = role_number(t, role);
	return game_look(t->worker, t->state).goals[r];
}

bool board_saw(struct board *t, const char *role, const char *percept)
{
	uint32_t r = role_number(t, role);
	struct percepts p = game_sees(t->worker, t->before, t->moves);
	bool seen = false;
	for (uint32_t i = p.start[r]; i < p.start[r + 1] && !seen; i++) {
		struct text name = {0};
		game_print_percept(t->game, p.seen[i], &name);
		seen = !strcmp(text_str(&name), percept);
		text_free(&name);
	}
	return seen;
}

uint32_t board_percepts(struct board *t, const char *role)
{
	uint32_t r = role_number(t, role);
	struct percepts p = game_sees(t->worker, t->before, t->moves);
	return p.start[r + 1] - p.start[r];
}

static uint64_t count(struct board *t, const uint64_t *state, uint32_t depth);

/* All joint moves from role r on, the moves of those before being chosen. */
static uint64_t count_joint(struct board *t, const uint64_t *state, const uint32_t *legal, const uint32_t *start,
                            uint32_t *moves, uint32_t r, uint32_t depth)
{
	uint64_t sum = 0;
	if (r == t->game->roles) {
		uint64_t *next = NEW_ARRAY(uint64_t, t->game->words);
		game_next(t->worker, state, moves, next);
		sum = count(t, next, depth - 1);
		mem_free(next);
		return sum;
	}
	for (uint32_t i = start[r]; i < start[r + 1]; i++) {
		moves[r] = legal[i];
		sum += count_joint(t, state, legal, start, moves, r + 1, depth);
	}
	return sum;
}

static uint64_t count(struct board *t, const uint64_t *state, uint32_t depth)
{
	struct view v = game_look(t->worker, state);
	uint32_t roles = t->game->roles, n = v.start[roles];
	if (!depth)
		return 1;
	if (v.terminal)
		return 0;
	if (depth == 1) {
		uint64_t product = 1;
		for (uint32_t r = 0; r < roles; r++)
			product *= v.start[r + 1] - v.start[r];
		return product;
	}
	uint32_t *legal = NEW_ARRAY(uint32_t, n + 2 * roles + 1), *start = legal + n, *moves = start + roles + 1;
	memcpy(legal, v.legal, n * sizeof *legal);
	memcpy(start, v.start, (roles + 1) * sizeof *start);
	uint64_t sum = count_joint(t, state, legal, start, moves, 0, depth);
	mem_free(legal);
	return sum;
}

uint64_t board_perft(struct board *t, uint32_t depth)
{
	return count(t, t->state, depth);
}
