/* The store of a tournament: its tables, and what is asked of them. */
#include "tournament/store.h"
#include "base/version.h"

#include "base/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

struct store {
	bool at_fault;
	sqlite3 *db;
	sqlite3_int64 run;          /* that matches belong to; 0: none */
	struct text told[5];        /* strings of the last store_run_of() */
	struct mem_resource *owned; /* the file, for when memory runs out */
};

/* With the statements that are still open. */
static void close_file(void *context)
{
	sqlite3 *db = ((struct store *)context)->db;
	for (sqlite3_stmt *q; (q = sqlite3_next_stmt(db, NULL));)
		sqlite3_finalize(q);
	sqlite3_close(db);
}

static const char *const schema =
	"CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
	"CREATE TABLE IF NOT EXISTS matches (id INTEGER PRIMARY KEY, game TEXT NOT NULL, clock REAL NOT NULL,"
	" round INTEGER NOT NULL, seating TEXT NOT NULL, seed INTEGER NOT NULL, steps INTEGER NOT NULL,"
	" seconds REAL NOT NULL, UNIQUE (game, clock, round, seating));"
	"CREATE TABLE IF NOT EXISTS scores (match INTEGER NOT NULL REFERENCES matches (id), seat INTEGER NOT NULL,"
	" role TEXT NOT NULL, player TEXT NOT NULL, score INTEGER, late INTEGER NOT NULL, illegal INTEGER NOT NULL,"
	" moves INTEGER NOT NULL, PRIMARY KEY (match, seat)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, began TEXT NOT NULL, version TEXT NOT NULL,"
	" source TEXT NOT NULL, host TEXT NOT NULL, command TEXT);"
	"CREATE TABLE IF NOT EXISTS rules (game TEXT PRIMARY KEY, rules TEXT NOT NULL);";

/* Columns that older files do not have. */
static const struct {
	const char *table, *column, *type;
} later_columns[] = {
	{"matches", "moves", "TEXT"},   /* joint moves: ((mark 1 1) noop) (noop (mark 2 2)) */
	{"matches", "ended", "TEXT"},   /* date and time, UTC */
	{"matches", "version", "TEXT"}, /* of the program */
	{"matches", "run", "INTEGER"},  /* see the table of that name */
#define W(name) {"scores", #name, "INTEGER NOT NULL DEFAULT 0"},
	STORE_WORK(W)
#undef W
		{"scores", "thought", "REAL NOT NULL DEFAULT 0"}, /* seconds */
};

static bool fail(struct store *s, struct text *error)
{
	text_puts(error, sqlite3_errmsg(s->db));
	s->at_fault = true;
	return false;
}

static bool run(struct store *s, const char *sql, struct text *error)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	return fail(s, error);
}

static bool has_column(struct store *s, const char *table, const char *column)
{
	sqlite3_stmt *q = NULL;
	struct text sql = {0};
	text_printf(&sql, "SELECT %s FROM %s", column, table);
	bool there = sqlite3_prepare_v2(s->db, sql.at, -1, &q, NULL) == SQLITE_OK;
	sqlite3_finalize(q);
	text_free(&sql);
	return there;
}

static bool make_column(struct store *s, const char *table, const char *column, const char *type)
{
	struct text sql = {0};
	if (has_column(s, table, column))
		return true;
	text_printf(&sql, "ALTER TABLE %s ADD COLUMN %s %s", table, column, type);
	sqlite3_exec(s->db, sql.at, NULL, NULL, NULL);
	text_free(&sql);
	return has_column(s, table, column); /* another process may have been faster */
}

static bool make_tables(struct store *s, struct text *error)
{
	if (!run(s, schema, error))
		return false;
	for (size_t i = 0; i < sizeof later_columns / sizeof *later_columns; i++)
		if (!make_column(s, later_columns[i].table, later_columns[i].column, later_columns[i].type))
			return fail(s, error);
	return true;
}

bool store_at_fault(const struct store *s)
{
	return s->at_fault;
}

struct store *store_open(const char *path, bool create, struct text *error)
{
	struct store *s = NEW(struct store);
	int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
	if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
		text_printf(error, "cannot open %s: %s", path, sqlite3_errmsg(s->db));
		store_close(s);
		return NULL;
	}
	s->owned = mem_own(close_file, s);
	sqlite3_busy_timeout(s->db, 10000);
	if (!make_tables(s, error)) {
		store_close(s);
		return NULL;
	}
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	mem_disown(s->owned);
	close_file(s);
	for (size_t i = 0; i < sizeof s->told / sizeof *s->told; i++)
		text_free(&s->told[i]);
	mem_free(s);
}

/* ---- texts by their names: settings and rules --------------------------------------------------- */

/* `sql` asks for one text by one. */
static bool read_text(struct store *s, const char *sql, const char *key, struct text *value)
{
	sqlite3_stmt *q = NULL;
	bool there = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
		there = sqlite3_step(q) == SQLITE_ROW;
		if (there)
			text_puts(value, (const char *)sqlite3_column_text(q, 0));
	}
	sqlite3_finalize(q);
	return there;
}

/* `sql` puts two texts into a table, unless the first is there. */
static bool write_text(struct store *s, const char *sql, const char *key, const char *value, struct text *error)
{
	sqlite3_stmt *q = NULL;
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 2, value, -1, SQLITE_STATIC);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	return fine || fail(s, error);
}

bool store_read_setting(struct store *s, const char *key, struct text *value)
{
	return read_text(s, "SELECT value FROM settings WHERE key = ?", key, value);
}

bool store_put_setting(struct store *s, const char *key, const char *value, struct text *error)
{
	return write_text(s, "INSERT OR REPLACE INTO settings VALUES (?, ?)", key, value, error);
}

bool store_setting(struct store *s, const char *key, const char *value, struct text *error)
{
	struct text old = {0};
	if (!write_text(s, "INSERT OR IGNORE INTO settings VALUES (?, ?)", key, value, error))
		return false;
	bool same = !store_read_setting(s, key, &old) || !strcmp(text_str(&old), value);
	if (!same)
		text_printf(error, "it was begun with %s %s, not %s", key, text_str(&old), value);
	text_free(&old);
	return same;
}

bool store_read_rules(struct store *s, const char *game, struct text *rules)
{
	return read_text(s, "SELECT rules FROM rules WHERE game = ?", game, rules);
}

bool store_rules(struct store *s, const char *game, const char *rules, struct text *error)
{
	struct text old = {0};
	if (!write_text(s, "INSERT OR IGNORE INTO rules VALUES (?, ?)", game, rules, error))
		return false;
	bool same = !store_read_rules(s, game, &old) || !strcmp(text_str(&old), rules);
	if (!same)
		text_printf(error, "it was begun with other rules of %s", game);
	text_free(&old);
	return same;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

bool store_begin(struct store *s, const struct store_run *run, struct text *error)
{
	sqlite3_stmt *q = NULL;
	bool fine = false;
	const char *sql = "INSERT INTO runs (began, version, source, host, command) VALUES (datetime('now'), ?, ?, ?, ?)";
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_text(q, 1, run->version, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 2, run->source, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 3, run->host, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 4, run->command, -1, SQLITE_STATIC);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	if (!fine)
		return fail(s, error);
	s->run = sqlite3_last_insert_rowid(s->db);
	return true;
}

bool store_run_of(struct store *s, int64_t id, struct store_run *run)
{
	sqlite3_stmt *q = NULL;
	const char *sql = "SELECT began, version, source, host, coalesce(command, '') FROM runs WHERE id = ?";
	bool there = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(q, 1, id);
		there = sqlite3_step(q) == SQLITE_ROW;
		for (int i = 0; i < 5 && there; i++) {
			s->told[i].n = 0;
			text_puts(&s->told[i], (const char *)sqlite3_column_text(q, i));
		}
	}
	sqlite3_finalize(q);
	if (there)
		*run = (struct store_run){text_str(&s->told[0]), text_str(&s->told[1]), text_str(&s->told[2]),
		                          text_str(&s->told[3]), text_str(&s->told[4])};
	return there;
}

/* ---- matches -------------------------------------------------------------------------------------- */

static void bind_key(sqlite3_stmt *q, const struct store_match *m)
{
	sqlite3_bind_text(q, 1, m->game, -1, SQLITE_STATIC);
	sqlite3_bind_double(q, 2, m->clock);
	sqlite3_bind_int64(q, 3, m->round);
	sqlite3_bind_text(q, 4, m->seating, -1, SQLITE_STATIC);
}

bool store_has(struct store *s, const struct store_match *m)
{
	sqlite3_stmt *q = NULL;
	const char *sql = "SELECT 1 FROM matches WHERE game = ? AND clock = ? AND round = ? AND seating = ?";
	bool there = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		bind_key(q, m);
		there = sqlite3_step(q) == SQLITE_ROW;
	}
	sqlite3_finalize(q);
	return there;
}

bool store_find(struct store *s, const struct store_match *m, int *scores, uint32_t count, double *seconds)
{
	sqlite3_stmt *q = NULL;
	const char *sql = "SELECT seat, score, seconds FROM matches JOIN scores ON match = id"
					  " WHERE game = ? AND clock = ? AND round = ? AND seating = ? ORDER BY seat";
	uint32_t found = 0;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		bind_key(q, m);
		for (; found < count && sqlite3_step(q) == SQLITE_ROW; found++) {
			scores[found] = sqlite3_column_type(q, 1) == SQLITE_NULL ? -1 : sqlite3_column_int(q, 1);
			*seconds = sqlite3_column_double(q, 2);
		}
	}
	sqlite3_finalize(q);
	return found == count;
}

static bool add_match(struct store *s, const struct store_match *m)
{
	sqlite3_stmt *q = NULL;
	const char *sql =
		"INSERT INTO matches (game, clock, round, seating, seed, steps, seconds, moves, ended, version, run)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, datetime('now'), '" MACAW_VERSION "', nullif(?, 0))";
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		bind_key(q, m);
		sqlite3_bind_int64(q, 5, m->seed);
		sqlite3_bind_int64(q, 6, m->steps);
		sqlite3_bind_double(q, 7, m->seconds);
		if (m->moves)
			sqlite3_bind_text(q, 8, m->moves, -1, SQLITE_STATIC);
		sqlite3_bind_int64(q, 9, s->run);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	return fine;
}

#define W(name) ", " #name
#define WORK_COLUMNS STORE_WORK(W)
static const char *const insert_score =
	"INSERT INTO scores (match, seat, role, player, score, late, illegal, moves" WORK_COLUMNS
	", thought) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char *const select_scores = "SELECT role, player, score, late, illegal, moves" WORK_COLUMNS
										 ", thought FROM scores WHERE match = ? ORDER BY seat";
#undef W

static bool add_score(struct store *s, sqlite3_int64 match, uint32_t seat, const struct store_score *c)
{
	sqlite3_stmt *q = NULL;
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, insert_score, -1, &q, NULL) == SQLITE_OK) {
		int at = 9;
		sqlite3_bind_int64(q, 1, match);
		sqlite3_bind_int64(q, 2, seat);
		sqlite3_bind_text(q, 3, c->role, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 4, c->player, -1, SQLITE_STATIC);
		if (c->score >= 0)
			sqlite3_bind_int(q, 5, c->score);
		sqlite3_bind_int(q, 6, c->late);
		sqlite3_bind_int(q, 7, c->illegal);
		sqlite3_bind_int(q, 8, c->moves);
#define W(name) sqlite3_bind_int64(q, at++, c->work.name);
		STORE_WORK(W)
#undef W
		sqlite3_bind_double(q, at, c->work.thought);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	return fine;
}

bool store_add(struct store *s, const struct store_match *m, struct text *error)
{
	if (!run(s, "BEGIN IMMEDIATE", error))
		return false;
	bool fine = add_match(s, m);
	sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
	for (uint32_t i = 0; i < m->count && fine; i++)
		fine = add_score(s, id, i, &m->scores[i]);
	if (!fine) {
		if (sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE)
			text_puts(error, "the match is there already");
		else
			fail(s, error);
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		return false;
	}
	return run(s, "COMMIT", error);
}

bool store_freeze(struct store *s, struct text *error)
{
	return run(s, "BEGIN", error);
}

void store_thaw(struct store *s)
{
	sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
}

static const char *column(sqlite3_stmt *q, int i)
{
	const unsigned char *t = sqlite3_column_text(q, i);
	return t ? (const char *)t : "";
}

static void read_score(sqlite3_stmt *q, struct store_score *c)
{
	int at = 6;
	c->score = sqlite3_column_type(q, 2) == SQLITE_NULL ? -1 : sqlite3_column_int(q, 2);
	c->late = sqlite3_column_int(q, 3);
	c->illegal = sqlite3_column_int(q, 4);
	c->moves = sqlite3_column_int(q, 5);
#define W(name) c->work.name = sqlite3_column_int64(q, at++);
	STORE_WORK(W)
#undef W
	c->work.thought = sqlite3_column_double(q, at);
}

static void each_score(sqlite3_stmt *q, struct store_match *m, void (*each)(void *, const struct store_match *),
                       void *context)
{
	struct store_score scores[STORE_SEATS];
	char names[STORE_SEATS][2][256];
	uint32_t n = 0;
	sqlite3_reset(q);
	sqlite3_bind_int64(q, 1, m->id);
	for (; n < STORE_SEATS && sqlite3_step(q) == SQLITE_ROW; n++) {
		snprintf(names[n][0], sizeof names[n][0], "%s", column(q, 0));
		snprintf(names[n][1], sizeof names[n][1], "%s", column(q, 1));
		scores[n] = (struct store_score){.role = names[n][0], .player = names[n][1]};
		read_score(q, &scores[n]);
	}
	m->scores = scores;
	m->count = n;
	each(context, m);
}

bool store_each(struct store *s, void (*each)(void *context, const struct store_match *m), void *context,
                struct text *error)
{
	sqlite3_stmt *q = NULL, *scores = NULL;
	const char *sql =
		"SELECT id, game, clock, round, seating, seed, steps, seconds, moves IS NOT NULL, coalesce(run, 0),"
		" ended, version FROM matches ORDER BY id";
	bool fine = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK &&
	            sqlite3_prepare_v2(s->db, select_scores, -1, &scores, NULL) == SQLITE_OK;
	while (fine && sqlite3_step(q) == SQLITE_ROW) {
		struct store_match m = {.game = column(q, 1),
		                        .clock = sqlite3_column_double(q, 2),
		                        .round = sqlite3_column_int64(q, 3),
		                        .seating = column(q, 4),
		                        .seed = sqlite3_column_int64(q, 5),
		                        .steps = sqlite3_column_int64(q, 6),
		                        .seconds = sqlite3_column_double(q, 7),
		                        .id = sqlite3_column_int64(q, 0),
		                        .run = sqlite3_column_int64(q, 9),
		                        .recorded = sqlite3_column_int(q, 8),
		                        .ended = column(q, 10),
		                        .version = column(q, 11)};
		each_score(scores, &m, each, context);
	}
	if (!fine)
		fail(s, error);
	sqlite3_finalize(q);
	sqlite3_finalize(scores);
	return fine;
}

bool store_moves(struct store *s, int64_t id, struct text *moves)
{
	sqlite3_stmt *q = NULL;
	bool there = false;
	if (sqlite3_prepare_v2(s->db, "SELECT moves FROM matches WHERE id = ? AND moves IS NOT NULL", -1, &q, NULL) ==
	    SQLITE_OK) {
		sqlite3_bind_int64(q, 1, id);
		there = sqlite3_step(q) == SQLITE_ROW;
		if (there)
			text_puts(moves, column(q, 0));
	}
	sqlite3_finalize(q);
	return there;
}

const char *store_term_end(const char *at)
{
	int depth = 0;
	do {
		depth += (*at == '(') - (*at == ')');
		at++;
	} while (*at && (depth > 0 || (*at != ' ' && *at != ')')));
	return at;
}
