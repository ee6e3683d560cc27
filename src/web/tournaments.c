/* Tournaments: a list of stores, the standings in them, and one job per tournament that is played. */
#include "web/tournaments.h"

#include "base/clock.h"
#include "base/thread.h"
#include "macaw/player.h"
#include "macaw/tournament.h"
#include "tournament/store.h"
#include "web/jobs.h"
#include "web/records.h"
#include "web/server.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_GAMES 40
#define MOST_PLAYERS 12
#define TELL_EVERY 0.5 /* seconds */
#define MATCHES_AT_ONCE 200

struct entry {
	char id[24];
	char *path, *name;
	char job[24]; /* the last that played it; "": none */
};

struct tournaments {
	struct web *web;
	struct thread_mutex lock;
	VEC(struct entry *) list;
	char *folder;
	bool temporary;
	uint64_t numbers;
};

/* ---- the list ---- */

static struct entry *put_entry(struct tournaments *all, const char *path)
{
	struct entry *e = NEW(struct entry);
	const char *slash = strrchr(path, '/');
	snprintf(e->id, sizeof e->id, "t%llu", (unsigned long long)++all->numbers);
	e->path = text_copy(path, strlen(path));
	e->name = text_copy(slash ? slash + 1 : path, strlen(slash ? slash + 1 : path));
	vec_push(&all->list, e);
	return e;
}

void tournaments_add_file(struct tournaments *all, const char *path)
{
	thread_lock(&all->lock);
	put_entry(all, path);
	thread_unlock(&all->lock);
}

static void add_folder(struct tournaments *all)
{
	DIR *d = opendir(all->folder);
	for (struct dirent *f; d && (f = readdir(d));) {
		size_t n = strlen(f->d_name);
		struct text path = {0};
		text_printf(&path, "%s/%s", all->folder, f->d_name);
		if (n > 3 && !strcmp(f->d_name + n - 3, ".db"))
			put_entry(all, path.at);
		text_free(&path);
	}
	if (d)
		closedir(d);
}

struct tournaments *tournaments_open(struct web *web, const char *folder, macaw_error *e)
{
	struct tournaments *all = NEW(struct tournaments);
	char made[] = "/tmp/macaw-web-XXXXXX";
	all->web = web;
	thread_mutex_init(&all->lock);
	all->temporary = !folder;
	const char *used = folder ? (!mkdir(folder, 0777) || errno == EEXIST ? folder : NULL) : mkdtemp(made);
	if (!used || access(used, W_OK)) {
		if (e) {
			e->status = MACAW_MACHINE;
			snprintf(e->text, sizeof e->text, "cannot write to the folder %s: %s", folder ? folder : made,
			         strerror(errno));
		}
		all->temporary = false;
		tournaments_close(all);
		return NULL;
	}
	all->folder = text_copy(used, strlen(used));
	if (folder)
		add_folder(all);
	return all;
}

static void remove_folder(const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *f; d && (f = readdir(d));) {
		struct text path = {0};
		text_printf(&path, "%s/%s", folder, f->d_name);
		unlink(path.at);
		text_free(&path);
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

void tournaments_close(struct tournaments *all)
{
	if (!all)
		return;
	if (all->temporary)
		remove_folder(all->folder);
	for (size_t i = 0; i < all->list.n; i++) {
		mem_free(all->list.at[i]->path);
		mem_free(all->list.at[i]->name);
		mem_free(all->list.at[i]);
	}
	vec_free(&all->list);
	mem_free(all->folder);
	thread_mutex_free(&all->lock);
	mem_free(all);
}

/* Entries stay until the end. */
static struct entry *find(struct tournaments *all, const char *id)
{
	struct entry *found = NULL;
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n && !found; i++)
		if (!strcmp(all->list.at[i]->id, id))
			found = all->list.at[i];
	thread_unlock(&all->lock);
	return found;
}

/* ---- standings ---- */

/* Numbers that are not there become null. */
static void put_player(struct json_writer *w, const macaw_standing *p)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "name", p->name);
	jsonw_real(w, "matches", p->matches);
	jsonw_real(w, "score", p->score);
	jsonw_real(w, "score_low", p->score_low);
	jsonw_real(w, "score_high", p->score_high);
	jsonw_real(w, "wins", p->wins);
	jsonw_real(w, "draws", p->draws);
	jsonw_real(w, "losses", p->losses);
	jsonw_real(w, "share", p->share);
	jsonw_real(w, "share_low", p->share_low);
	jsonw_real(w, "share_high", p->share_high);
	jsonw_real(w, "elo", p->elo);
	jsonw_real(w, "elo_error", p->elo_error);
	jsonw_real(w, "skill", p->skill);
	jsonw_int(w, "late", p->late);
	jsonw_int(w, "illegal", p->illegal);
	jsonw_int(w, "moves", p->moves);
	jsonw_end(w);
}

static void put_table(struct json_writer *w, const char *key, const macaw_standings *s, size_t columns,
                      double (*cell)(const macaw_standings *s, size_t player, size_t column))
{
	jsonw_array(w, key);
	for (size_t i = 0; i < macaw_standings_players(s); i++) {
		jsonw_array(w, NULL);
		for (size_t k = 0; k < columns; k++)
			jsonw_real(w, NULL, cell(s, i, k));
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void put_standings(struct json_writer *w, const struct entry *t, const macaw_standings *s)
{
	jsonw_text(w, "tournament", t->id);
	jsonw_text(w, "name", t->name);
	jsonw_uint(w, "matches", macaw_standings_matches(s));
	jsonw_uint(w, "rounds", macaw_standings_rounds(s));
	jsonw_array(w, "games");
	for (size_t i = 0; i < macaw_standings_games(s); i++)
		jsonw_text(w, NULL, macaw_standings_game(s, i));
	jsonw_end(w);
	jsonw_array(w, "clocks");
	for (size_t i = 0; i < macaw_standings_clocks(s); i++)
		jsonw_real(w, NULL, macaw_standings_clock(s, i));
	jsonw_end(w);
	jsonw_array(w, "players");
	for (size_t i = 0; i < macaw_standings_players(s); i++) {
		macaw_standing p = macaw_standings_player(s, i);
		put_player(w, &p);
	}
	jsonw_end(w);
	put_table(w, "versus", s, macaw_standings_players(s), macaw_standings_versus);
	put_table(w, "by_game", s, macaw_standings_games(s), macaw_standings_by_game);
	put_table(w, "by_clock", s, macaw_standings_clocks(s), macaw_standings_by_clock);
	jsonw_array(w, "roles");
	for (size_t i = 0; i < macaw_standings_roles(s); i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "role", macaw_standings_role(s, i));
		jsonw_real(w, "ease", macaw_standings_ease(s, i));
		jsonw_end(w);
	}
	jsonw_end(w);
}

/* ---- playing ---- */

struct playing {
	struct web *web;
	struct entry *entry;
	struct job *job;
	struct web_game *held[MOST_GAMES];
	macaw_game *games[MOST_GAMES];
	char *players[MOST_PLAYERS];
	size_t game_count, player_count;
	double seconds;
	macaw_tournament t;
	double told;
};

static void free_playing(void *self)
{
	struct playing *p = self;
	for (size_t i = 0; i < p->game_count; i++)
		games_give(p->held[i]);
	for (size_t i = 0; i < p->player_count; i++)
		mem_free(p->players[i]);
	mem_free(p);
}

static void tell_standings(struct playing *p)
{
	macaw_standings *s = macaw_standings_read(p->entry->path, NULL);
	struct text json = {0};
	struct json_writer w = {.out = &json};
	if (!s)
		return;
	jsonw_object(&w, NULL);
	put_standings(&w, p->entry, s);
	jsonw_end(&w);
	job_put(p->job, "standings", &json, true);
	macaw_standings_free(s);
}

static void tell_progress(void *context, const char *what, double done, double total)
{
	struct playing *p = context;
	struct text json = {0};
	double now = clock_now();
	if (now - p->told < TELL_EVERY)
		return;
	p->told = now;
	text_printf(&json, "{\"done\":%.0f,\"total\":%.0f}", done, total);
	job_put(p->job, "progress", &json, true);
	tell_standings(p);
}

static enum job_next play(struct job *j, void *self)
{
	struct playing *p = self;
	macaw_error e = {0};
	macaw_tournament_end end = {0};
	struct text json = {0};
	p->job = j;
	p->t.stop = job_stop(j);
	p->t.progress = tell_progress;
	p->t.context = p;
	if (!macaw_tournament_run(&p->t, p->entry->path, &end, &e)) {
		job_fail(j, &e, "cannot");
		return JOB_FAILED;
	}
	text_printf(&json, "{\"done\":%llu,\"total\":%llu}", (unsigned long long)(end.before + end.played),
	            (unsigned long long)end.planned);
	job_put(j, "progress", &json, true);
	tell_standings(p);
	return JOB_DONE;
}

static const struct job_kind tournament_kind = {.name = "tournament", .work = play, .free = free_playing};

static bool take_games(struct request *q, struct playing *p)
{
	const json_t *games = body_list(q, "games");
	macaw_error e = {0};
	if (!q->failed && (!json_array_size(games) || json_array_size(games) > MOST_GAMES))
		request_fail(q, 400, "bad-request", "`games` must name 1 to %d games", MOST_GAMES);
	for (size_t i = 0; i < json_array_size(games) && !q->failed; i++) {
		const char *name = json_string_value(json_array_get(games, i));
		struct web_game *g = games_take(q->web->games, name ? name : "", &e);
		if (!g) {
			request_fail_as(q, &e, e.status == MACAW_USAGE ? "not-found" : "cannot");
			break;
		}
		p->held[p->game_count] = g;
		p->games[p->game_count++] = g->game;
		for (size_t k = 0; k + 1 < p->game_count; k++)
			if (!strcmp(macaw_game_name(p->games[k]), macaw_game_name(g->game)))
				request_fail(q, 400, "bad-request", "two games are called %.100s", macaw_game_name(g->game));
	}
	return !q->failed;
}

/* Would the player sit down at all games? */
static void try_player(struct request *q, const struct playing *p, const char *word)
{
	macaw_error e = {0};
	for (size_t i = 0; i < p->game_count && !q->failed; i++) {
		macaw_player *player = macaw_player_new(p->games[i], macaw_game_random(p->games[i]) == 0 ? 1 : 0, word, 1, &e);
		if (!player)
			request_fail_as(q, &e, "bad-player");
		macaw_player_free(player);
	}
	if (!q->failed && strchr(word, ','))
		request_fail(q, 400, "bad-player", "a player has no comma in its name");
}

static bool take_players(struct request *q, struct playing *p)
{
	const json_t *players = body_list(q, "players");
	if (!q->failed && (!json_array_size(players) || json_array_size(players) > MOST_PLAYERS))
		request_fail(q, 400, "bad-request", "`players` must name 1 to %d players", MOST_PLAYERS);
	for (size_t i = 0; i < json_array_size(players) && !q->failed; i++) {
		const char *word = json_string_value(json_array_get(players, i));
		word = word ? word : "";
		for (size_t k = 0; k < p->player_count; k++)
			if (!strcmp(p->players[k], word))
				request_fail(q, 400, "bad-request", "the player %.100s is named twice", word);
		try_player(q, p, word);
		if (!q->failed)
			p->players[p->player_count++] = text_copy(word, strlen(word));
	}
	return !q->failed;
}

static void read_options(struct request *q, struct playing *p)
{
	p->seconds = body_real(q, "seconds", 0.001, 600, 0.1);
	p->t = (macaw_tournament){.games = p->games,
	                          .game_count = p->game_count,
	                          .players = (const char *const *)p->players,
	                          .player_count = p->player_count,
	                          .clocks = &p->seconds,
	                          .clock_count = 1,
	                          .playouts = body_whole(q, "playouts", 10000000, 0),
	                          .rounds = body_whole(q, "rounds", 10000, 4),
	                          .seed = body_whole(q, "seed", UINT64_C(1) << 53, 0),
	                          .jobs = (uint32_t)body_whole(q, "jobs", thread_processors(), 1),
	                          .max_steps = (uint32_t)body_whole(q, "max_steps", 100000, 1000)};
	p->t.jobs = p->t.jobs ? p->t.jobs : 1;
}

/* A file of that name in the folder: letters, digits, - and _ only. */
static struct entry *entry_for(struct request *q, const char *name)
{
	struct tournaments *all = q->web->tournaments;
	struct entry *e = NULL;
	bool fine = *name && strlen(name) <= 60;
	for (const char *c = name; *c && fine; c++)
		fine = isalnum((unsigned char)*c) || *c == '-' || *c == '_';
	if (!fine) {
		request_fail(q, 400, "bad-request", "`name` must be 1 to 60 letters, digits, - and _");
		return NULL;
	}
	struct text path = {0};
	text_printf(&path, "%s/%s.db", all->folder, name);
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n && !e; i++)
		if (!strcmp(all->list.at[i]->path, path.at))
			e = all->list.at[i];
	if (!e)
		e = put_entry(all, path.at);
	thread_unlock(&all->lock);
	text_free(&path);
	if (jobs_running(q->web->jobs, e->job))
		request_fail(q, 409, "not-now", "this tournament is being played");
	return q->failed ? NULL : e;
}

static void begin(struct request *q)
{
	char standard[32];
	snprintf(standard, sizeof standard, "tournament-%llu", (unsigned long long)q->web->tournaments->numbers + 1);
	const char *name = body_text(q, "name", standard);
	bool keep = body_flag(q, "keep", false);
	struct playing *p = NEW(struct playing);
	p->web = q->web;
	if (!q->failed && take_games(q, p) && take_players(q, p))
		read_options(q, p);
	p->entry = q->failed ? NULL : entry_for(q, name);
	if (!p->entry) {
		free_playing(p);
		return;
	}
	struct entry *e = p->entry;
	struct job *j = job_start(q, &tournament_kind, NULL, p);
	if (!j)
		return;
	thread_lock(&q->web->tournaments->lock);
	snprintf(e->job, sizeof e->job, "%s", job_id(j));
	thread_unlock(&q->web->tournaments->lock);
	if (keep)
		job_keep(j);
	jsonw_text(&q->w, "tournament", e->id);
}

/* ---- looking ---- */

static void list_all(struct request *q)
{
	struct tournaments *all = q->web->tournaments;
	jsonw_array(&q->w, "tournaments");
	for (size_t i = 0;; i++) {
		thread_lock(&all->lock);
		struct entry *e = i < all->list.n ? all->list.at[i] : NULL;
		thread_unlock(&all->lock);
		if (!e)
			break;
		bool running = jobs_running(q->web->jobs, e->job);
		macaw_standings *s = access(e->path, R_OK) ? NULL : macaw_standings_read(e->path, NULL);
		jsonw_object(&q->w, NULL);
		jsonw_text(&q->w, "tournament", e->id);
		jsonw_text(&q->w, "name", e->name);
		jsonw_bool(&q->w, "running", running);
		jsonw_text(&q->w, "job", running ? e->job : NULL);
		jsonw_uint(&q->w, "matches", s ? macaw_standings_matches(s) : 0);
		jsonw_end(&q->w);
		macaw_standings_free(s);
	}
	jsonw_end(&q->w);
}

static void get_standings(struct request *q, const struct entry *t)
{
	macaw_error e = {0};
	macaw_standings *s = macaw_standings_read(t->path, &e);
	if (!s) {
		request_fail_as(q, &e, "cannot");
		return;
	}
	put_standings(&q->w, t, s);
	bool running = jobs_running(q->web->jobs, t->job);
	jsonw_bool(&q->w, "running", running);
	jsonw_text(&q->w, "job", running ? t->job : NULL);
	macaw_standings_free(s);
}

struct page {
	struct json_writer *w;
	uint64_t total, offset, count;
};

static void put_match(void *context, const struct store_match *m)
{
	struct page *p = context;
	uint64_t at = p->total++;
	if (at < p->offset || at >= p->offset + p->count)
		return;
	jsonw_object(p->w, NULL);
	jsonw_int(p->w, "id", m->id);
	jsonw_text(p->w, "game", m->game);
	jsonw_array(p->w, "seats");
	for (uint32_t i = 0; i < m->count; i++)
		jsonw_text(p->w, NULL, m->scores[i].player);
	jsonw_end(p->w);
	jsonw_array(p->w, "goals");
	for (uint32_t i = 0; i < m->count; i++)
		if (m->scores[i].score < 0)
			jsonw_null(p->w, NULL);
		else
			jsonw_int(p->w, NULL, m->scores[i].score);
	jsonw_end(p->w);
	jsonw_int(p->w, "round", m->round);
	jsonw_int(p->w, "steps", m->steps);
	jsonw_real(p->w, "seconds", m->seconds);
	jsonw_bool(p->w, "replay", m->recorded);
	jsonw_end(p->w);
}

static struct store *open_store(struct request *q, const struct entry *t)
{
	struct text error = {0};
	struct store *s = store_open(t->path, false, &error);
	if (!s)
		request_fail(q, 422, "cannot", "%s", text_str(&error));
	text_free(&error);
	return s;
}

static void get_matches(struct request *q, const struct entry *t)
{
	struct text error = {0};
	struct store *s = open_store(q, t);
	struct page p = {.w = &q->w, .offset = request_whole(q, "offset", 0), .count = request_whole(q, "count", 100)};
	if (!s)
		return;
	p.count = p.count > MATCHES_AT_ONCE ? MATCHES_AT_ONCE : p.count;
	jsonw_array(&q->w, "matches");
	bool fine = store_each(s, put_match, &p, &error);
	jsonw_end(&q->w);
	jsonw_uint(&q->w, "total", p.total);
	if (!fine)
		request_fail(q, 422, "cannot", "%s", text_str(&error));
	store_close(s);
	text_free(&error);
}

struct wanted {
	int64_t id;
	char *game;
	VEC(char *) players;
};

static void find_match(void *context, const struct store_match *m)
{
	struct wanted *f = context;
	if (m->id != f->id)
		return;
	f->game = text_copy(m->game, strlen(m->game));
	for (uint32_t i = 0; i < m->count; i++)
		vec_push(&f->players, text_copy(m->scores[i].player, strlen(m->scores[i].player)));
}

/* ((mark 1 1) noop) (noop (mark 2 2)) as lists of texts. */
static json_t *list_moves(const char *text)
{
	json_t *moves = json_array();
	for (const char *at = text; *at; at++) {
		if (*at != '(')
			continue;
		json_t *joint = json_array();
		for (at++; *at && *at != ')';) {
			const char *end = store_term_end(at);
			json_array_append_new(joint, json_stringn(at, (size_t)(end - at)));
			at = end + strspn(end, " ");
		}
		json_array_append_new(moves, joint);
		if (!*at)
			break;
	}
	return moves;
}

static void tell_match(struct request *q, const struct wanted *f, const struct text *course)
{
	macaw_error e = {0};
	json_t *moves = list_moves(text_str(course));
	struct web_game *g = games_take_called(q->web->games, f->game, &e);
	if (!g) {
		request_fail_as(q, &e, "cannot");
	} else {
		uint32_t random = macaw_game_random(g->game);
		const char **players = NEW_ARRAY(const char *, macaw_game_roles(g->game));
		for (uint32_t i = 0; i < f->players.n && i + (i >= random) < macaw_game_roles(g->game); i++)
			players[i + (i >= random)] = f->players.at[i];
		records_tell(q, g, moves, players, NULL);
		mem_free(players);
	}
	json_decref(moves);
}

static void open_match(struct request *q, const struct entry *t, const char *id)
{
	struct wanted f = {.id = strtoll(id, NULL, 10)};
	struct text error = {0}, course = {0};
	struct store *s = open_store(q, t);
	if (!s)
		return;
	store_each(s, find_match, &f, &error);
	bool told = store_moves(s, f.id, &course);
	store_close(s);
	if (!f.game)
		request_fail(q, 404, "not-found", "the tournament has no match %.20s", id);
	else if (!told)
		request_fail(q, 422, "cannot", "the moves of this match were not written down");
	else
		tell_match(q, &f, &course);
	mem_free(f.game);
	for (size_t i = 0; i < f.players.n; i++)
		mem_free(f.players.at[i]);
	vec_free(&f.players);
	text_free(&error);
	text_free(&course);
}

static void get_file(struct request *q, const struct entry *t)
{
	struct text file = {0}, error = {0};
	if (text_read_file(&file, t->path, (size_t)256 << 20, &error)) {
		q->response = MHD_create_response_from_buffer(file.n, file.at, MHD_RESPMEM_MUST_COPY);
		MHD_add_response_header(q->response, "Content-Type", "application/vnd.sqlite3");
		MHD_add_response_header(q->response, "Content-Disposition", "attachment; filename=\"tournament.db\"");
	} else {
		request_fail(q, 422, "cannot", "%s", text_str(&error));
	}
	text_free(&file);
	text_free(&error);
}

void serve_tournaments(struct request *q)
{
	const char *what = q->parts > 2 ? q->part[2] : "";
	if (q->parts == 1) {
		if (request_is(q, "POST"))
			begin(q);
		else if (request_is(q, "GET"))
			list_all(q);
		else
			request_no_method(q);
		return;
	}
	const struct entry *t = find(q->web->tournaments, q->part[1]);
	if (!t)
		request_fail(q, 404, "not-found", "there is no such tournament");
	else if (!strcmp(what, "matches") && q->parts == 4 && request_is(q, "POST"))
		open_match(q, t, q->part[3]);
	else if (!request_is(q, "GET"))
		request_no_method(q);
	else if (!*what)
		get_standings(q, t);
	else if (!strcmp(what, "matches") && q->parts == 3)
		get_matches(q, t);
	else if (!strcmp(what, "file"))
		get_file(q, t);
	else
		request_no_path(q);
}
