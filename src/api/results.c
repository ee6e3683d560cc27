/* The matches of a store, one by one, and each as a record: its moves are made again by the rules in the store. */
#include "api/match_internal.h"
#include "api/tournament_internal.h"
#include "macaw/rules.h"
#include "match/record.h"

#include <stdlib.h>

enum { GAME, SEATING, ENDED, VERSION, SOURCE, HOST, COMMAND, STRINGS };

struct row {
	struct store_match m; /* its numbers */
	char *strings[STRINGS];
	int *scores;
};

struct macaw_results {
	struct handle handle;
	struct store *store;
	VEC(struct row) rows;
};

/* ---- reading ---- */

static void keep(struct row *row, int which, const char *text)
{
	row->strings[which] = text_copy(text ? text : "", strlen(text ? text : ""));
}

static void add_row(void *context, const struct store_match *m)
{
	macaw_results *r = context;
	struct row row = {.m = *m};
	keep(&row, GAME, m->game);
	keep(&row, SEATING, m->seating);
	keep(&row, ENDED, m->ended);
	keep(&row, VERSION, m->version);
	row.scores = NEW_ARRAY(int, m->count + 1);
	for (uint32_t i = 0; i < m->count; i++)
		row.scores[i] = m->scores[i].score;
	vec_push(&r->rows, row);
}

static bool read_all(macaw_results *r, const char *file, macaw_error *e)
{
	struct text error = {0};
	r->store = store_open(file, false, &error);
	bool fine = r->store && store_each(r->store, add_row, r, &error);
	for (size_t i = 0; i < r->rows.n && fine; i++) {
		struct row *row = &r->rows.at[i];
		struct store_run run = {0};
		store_run_of(r->store, row->m.run, &run);
		keep(row, SOURCE, run.source);
		keep(row, HOST, run.host);
		keep(row, COMMAND, run.command);
	}
	if (!fine)
		api_fail_text(e, MACAW_MACHINE, &error);
	text_free(&error);
	return fine;
}

static void free_inside(macaw_results *r)
{
	for (size_t i = 0; i < r->rows.n; i++) {
		for (size_t k = 0; k < STRINGS; k++)
			mem_free(r->rows.at[i].strings[k]);
		mem_free(r->rows.at[i].scores);
	}
	vec_free(&r->rows);
	store_close(r->store);
}

void macaw_results_free(macaw_results *r)
{
	if (!r)
		return;
	if (!r->handle.broken)
		free_inside(r);
	handle_close(&r->handle);
	free(r);
}

static macaw_results *give_up(macaw_results *r)
{
	macaw_results_free(r);
	return NULL;
}

macaw_results *macaw_results_read(const char *file, macaw_error *e)
{
	bool fine = false;
	api_clear(e);
	if (!api_is_named(file, e))
		return NULL;
	macaw_results *r = calloc(1, sizeof *r);
	if (!r || !handle_open(&r->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(r);
		return NULL;
	}
	GUARD(&r->handle, e, give_up(r), fine = read_all(r, file, e));
	return fine ? r : give_up(r);
}

size_t macaw_results_count(const macaw_results *r)
{
	return r->rows.n;
}

macaw_result macaw_results_at(const macaw_results *r, size_t i)
{
	if (i >= r->rows.n)
		return (macaw_result){0};
	const struct row *row = &r->rows.at[i];
	return (macaw_result){.match = row->m.id,
	                      .game = row->strings[GAME],
	                      .seating = row->strings[SEATING],
	                      .clock = row->m.clock,
	                      .round = row->m.round,
	                      .seed = row->m.seed,
	                      .steps = row->m.steps,
	                      .seconds = row->m.seconds,
	                      .seats = row->m.count,
	                      .scores = row->scores,
	                      .recorded = row->m.recorded,
	                      .ended = row->strings[ENDED],
	                      .version = row->strings[VERSION],
	                      .source = row->strings[SOURCE],
	                      .host = row->strings[HOST],
	                      .command = row->strings[COMMAND]};
}

/* ---- a match as a record ---- */

/* The rules in the file; those of files that have none, of the installed game of that name. */
static macaw_game *open_game(struct store *store, const char *name, macaw_error *e)
{
	struct text text = {0};
	macaw_rules *rules = store_read_rules(store, name, &text) ? macaw_rules_parse(text_str(&text), text.n, name, e)
	                                                          : macaw_rules_load(name, e);
	text_free(&text);
	return rules ? macaw_game_make(rules, NULL, e) : NULL;
}

struct course {
	struct game *game;
	struct worker *worker;
	uint64_t *state;
	uint32_t *joint;
	VEC(macaw_made) made;
	uint32_t steps;
};

/* One joint move, from behind its bracket; NULL: a move is missing or unknown. */
static const char *read_step(struct course *c, const char *at)
{
	struct game *g = c->game;
	game_look(c->worker, c->state); /* the interpreter knows the moves that it has met */
	for (uint32_t r = 0; r < g->roles; r++) {
		if (!*at || *at == ')')
			return NULL;
		const char *end = store_term_end(at);
		char *word = text_copy(at, (size_t)(end - at));
		macaw_made made = {.move = c->joint[r] = game_find_move(g, r, word)};
		mem_free(word);
		if (made.move == GAME_NONE)
			return NULL;
		vec_push(&c->made, made);
		at = end + strspn(end, " ");
	}
	game_next(c->worker, c->state, c->joint, c->state);
	c->steps++;
	return *at == ')' ? at + 1 : NULL;
}

/* ((mark 1 1) noop) (noop (mark 2 2)) */
static bool read_course(struct course *c, const char *at)
{
	memcpy(c->state, c->game->initial, c->game->words * sizeof *c->state);
	for (at += strspn(at, " "); at && *at == '('; at += strspn(at, " ")) {
		at = read_step(c, at + 1);
		if (!at)
			return false;
	}
	return !*at;
}

/* What records of other matches do not have. */
static void add_call(void *context, struct json_writer *w)
{
	const struct row *row = context;
	jsonw_int(w, "match", row->m.id);
	jsonw_int(w, "round", row->m.round + 1);
	jsonw_text(w, "date", row->strings[ENDED]);
	jsonw_text(w, "version", row->strings[VERSION]);
	jsonw_text(w, "commit", row->strings[SOURCE]);
	jsonw_text(w, "host", row->strings[HOST]);
	jsonw_text(w, "command", row->strings[COMMAND]);
}

static bool scores_agree(const struct row *row, const macaw_match *m, macaw_error *e)
{
	const macaw_game *g = macaw_match_game(m);
	for (uint32_t r = 0, i = 0; r < macaw_game_roles(g); r++) {
		if (r == macaw_game_random(g))
			continue;
		if (i >= row->m.count || row->scores[i++] != macaw_match_goal(m, r)) {
			api_fail(e, MACAW_INPUT, "match %lld: the scores in the file differ from what the rules say",
			         (long long)row->m.id);
			return false;
		}
	}
	return true;
}

static void write_match(const macaw_results *r, const struct row *row, macaw_match *m, struct text *out)
{
	struct text clock_of = {0}, setting = {0};
	store_read_setting(r->store, "clock-of", &clock_of);
	store_read_setting(r->store, "setting", &setting);
	m->seats.published = !strcmp(text_str(&setting), "published");
	m->referee = (struct referee_options){.clock = row->m.clock > 0 ? row->m.clock : 0,
	                                      .playouts = row->m.clock < 0 ? (uint64_t)-row->m.clock : 0,
	                                      .seed = (uint64_t)row->m.seed,
	                                      .processor_time = !strcmp(text_str(&clock_of), "cpu")};
	record_write(&m->m, &m->seats,
	             &(struct record_options){.game = row->strings[GAME],
	                                      .engine = m->m.game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter",
	                                      .referee = &m->referee,
	                                      .full = true,
	                                      .brief = true,
	                                      .add = add_call,
	                                      .context = unconst(row)},
	             out);
	text_free(&clock_of);
	text_free(&setting);
}

/* The words of the seating, by role; they lie in `copy`. */
static void name_players(char *copy, const struct game *g, const char **players)
{
	for (uint32_t role = 0; role < g->roles; role++)
		players[role] = role == g->random || !copy ? NULL : strsep(&copy, ",");
}

static bool retell(const macaw_results *r, const struct row *row, macaw_game *game, struct text *out, macaw_error *e)
{
	struct game *g = api_game(game);
	struct course c = {.game = g, .worker = worker_new(g)};
	struct text moves = {0};
	const char **players = NEW_ARRAY(const char *, g->roles);
	char *seating = text_copy(row->strings[SEATING], strlen(row->strings[SEATING]));
	macaw_match *m = NULL;
	c.state = mem_alloc(g->words + 1, sizeof *c.state);
	c.joint = NEW_ARRAY(uint32_t, g->roles);
	name_players(seating, g, players);
	if (!store_moves(r->store, row->m.id, &moves))
		api_fail(e, MACAW_INPUT, "the moves of match %lld were not written down", (long long)row->m.id);
	else if (!read_course(&c, text_str(&moves)))
		api_fail(e, MACAW_INPUT, "match %lld: step %u cannot be read by the rules", (long long)row->m.id, c.steps + 1);
	else
		m = macaw_match_of(game, players, c.made.at, c.steps, e);
	bool fine = m && scores_agree(row, m, e);
	if (fine)
		write_match(r, row, m, out);
	macaw_match_free(m);
	vec_free(&c.made);
	mem_free(c.joint);
	mem_free(c.state);
	mem_free(players);
	mem_free(seating);
	text_free(&moves);
	worker_free(c.worker);
	return fine;
}

static const struct row *find_row(const macaw_results *r, int64_t match)
{
	for (size_t i = 0; i < r->rows.n; i++)
		if (r->rows.at[i].m.id == match)
			return &r->rows.at[i];
	return NULL;
}

char *macaw_results_record(const macaw_results *r, int64_t match, macaw_error *e)
{
	struct text out = {0};
	bool fine = false;
	macaw_game *g = NULL;
	api_clear(e);
	const struct row *row = find_row(r, match);
	if (!row) {
		api_fail(e, MACAW_INPUT, "there is no match %lld: the file has %zu", (long long)match, r->rows.n);
		return NULL;
	}
	GUARD(lasting(&r->handle), e, NULL, g = open_game(r->store, row->strings[GAME], e));
	if (!g)
		return NULL;
	GUARD(lasting(&r->handle), e, (macaw_game_free(g), NULL), fine = retell(r, row, g, &out, e));
	macaw_game_free(g);
	return fine ? api_give(&out) : NULL;
}
