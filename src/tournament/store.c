/* The store of a tournament: its tables, and what is asked of them. */
#include "tournament/store.h"

#include "base/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

struct store {
	bool at_fault;
	sqlite3 *db;
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
	" moves INTEGER NOT NULL, PRIMARY KEY (match, seat)) WITHOUT ROWID;";

/* Columns that files of version 0.2 do not have. */
static const char *const later_columns[] = {
	"ALTER TABLE matches ADD COLUMN moves TEXT",   /* joint moves: ((mark 1 1) noop) (noop (mark 2 2)) */
	"ALTER TABLE matches ADD COLUMN ended TEXT",   /* date and time, UTC */
	"ALTER TABLE matches ADD COLUMN version TEXT", /* of the program */
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

static bool has_column(struct store *s, const char *sql)
{
	sqlite3_stmt *q = NULL;
	bool there = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK;
	sqlite3_finalize(q);
	return there;
}

static bool make_tables(struct store *s, struct text *error)
{
	if (!run(s, schema, error))
		return false;
	for (size_t i = 0; i < sizeof later_columns / sizeof *later_columns; i++)
		if (!has_column(s, "SELECT moves, ended, version FROM matches"))
			sqlite3_exec(s->db, later_columns[i], NULL, NULL, NULL); /* another process may have been faster */
	return has_column(s, "SELECT moves, ended, version FROM matches") || fail(s, error);
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
	mem_free(s);
}

bool store_setting(struct store *s, const char *key, const char *value, struct text *error)
{
	sqlite3_stmt *q = NULL;
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, "INSERT OR IGNORE INTO settings VALUES (?, ?)", -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 2, value, -1, SQLITE_STATIC);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	if (!fine)
		return fail(s, error);
	q = NULL;
	sqlite3_prepare_v2(s->db, "SELECT value FROM settings WHERE key = ?", -1, &q, NULL);
	sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
	if (sqlite3_step(q) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(q, 0), value)) {
		text_printf(error, "it was begun with %s %s, not %s", key, (const char *)sqlite3_column_text(q, 0), value);
		fine = false;
	}
	sqlite3_finalize(q);
	return fine;
}

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

static bool add_match(struct store *s, const struct store_match *m)
{
	sqlite3_stmt *q = NULL;
	const char *sql = "INSERT INTO matches (game, clock, round, seating, seed, steps, seconds, moves, ended, version)"
					  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, datetime('now'), '" MACAW_VERSION "')";
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK) {
		bind_key(q, m);
		sqlite3_bind_int64(q, 5, m->seed);
		sqlite3_bind_int64(q, 6, m->steps);
		sqlite3_bind_double(q, 7, m->seconds);
		if (m->moves)
			sqlite3_bind_text(q, 8, m->moves, -1, SQLITE_STATIC);
		fine = sqlite3_step(q) == SQLITE_DONE;
	}
	sqlite3_finalize(q);
	return fine;
}

static bool add_score(struct store *s, sqlite3_int64 match, uint32_t seat, const struct store_score *c)
{
	sqlite3_stmt *q = NULL;
	bool fine = false;
	if (sqlite3_prepare_v2(s->db, "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?)", -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(q, 1, match);
		sqlite3_bind_int64(q, 2, seat);
		sqlite3_bind_text(q, 3, c->role, -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 4, c->player, -1, SQLITE_STATIC);
		if (c->score >= 0)
			sqlite3_bind_int(q, 5, c->score);
		sqlite3_bind_int(q, 6, c->late);
		sqlite3_bind_int(q, 7, c->illegal);
		sqlite3_bind_int(q, 8, c->moves);
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

static bool each_score(struct store *s, sqlite3_stmt *q, sqlite3_int64 id, struct store_match *m,
                       void (*each)(void *, const struct store_match *), void *context)
{
	enum { MOST = 64 };
	struct store_score scores[MOST];
	char names[MOST][2][128];
	uint32_t n = 0;
	sqlite3_reset(q);
	sqlite3_bind_int64(q, 1, id);
	while (n < MOST && sqlite3_step(q) == SQLITE_ROW) {
		snprintf(names[n][0], sizeof names[n][0], "%s", column(q, 0));
		snprintf(names[n][1], sizeof names[n][1], "%s", column(q, 1));
		scores[n] = (struct store_score){names[n][0],
		                                 names[n][1],
		                                 sqlite3_column_type(q, 2) == SQLITE_NULL ? -1 : sqlite3_column_int(q, 2),
		                                 sqlite3_column_int(q, 3),
		                                 sqlite3_column_int(q, 4),
		                                 sqlite3_column_int(q, 5)};
		n++;
	}
	m->scores = scores;
	m->count = n;
	each(context, m);
	return true;
}

bool store_each(struct store *s, void (*each)(void *context, const struct store_match *m), void *context,
                struct text *error)
{
	sqlite3_stmt *q = NULL, *scores = NULL;
	bool fine = sqlite3_prepare_v2(s->db,
	                               "SELECT id, game, clock, round, seating, seed, steps, seconds, moves IS NOT NULL"
	                               " FROM matches ORDER BY id",
	                               -1, &q, NULL) == SQLITE_OK &&
	            sqlite3_prepare_v2(
					s->db, "SELECT role, player, score, late, illegal, moves FROM scores WHERE match = ? ORDER BY seat",
					-1, &scores, NULL) == SQLITE_OK;
	while (fine && sqlite3_step(q) == SQLITE_ROW) {
		struct store_match m = {.game = column(q, 1),
		                        .clock = sqlite3_column_double(q, 2),
		                        .round = sqlite3_column_int64(q, 3),
		                        .seating = column(q, 4),
		                        .seed = sqlite3_column_int64(q, 5),
		                        .steps = sqlite3_column_int64(q, 6),
		                        .seconds = sqlite3_column_double(q, 7),
		                        .id = sqlite3_column_int64(q, 0),
		                        .recorded = sqlite3_column_int(q, 8)};
		each_score(s, scores, m.id, &m, each, context);
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
