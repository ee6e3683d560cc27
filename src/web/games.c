/* The shelf of games. One lock guards the list and who holds what; loading and studying are done without it, by one
 * thread per game while others who want the same game wait. */
#include "web/games.h"

#include "base/hash.h"
#include "base/thread.h"
#include "web/facts.h"
#include "web/view.h"

#include <stdio.h>
#include <string.h>

#define LOAD_SECONDS 20.0   /* for the circuit; then the rules are interpreted */
#define DRAFT_SECONDS 4.0   /* the same for rules that pages send, perhaps with every letter */
#define STUDY_PLAYOUTS 1000 /* for the gallery */
#define SYMMETRY_SECONDS 5.0
#define DRAFT_MEMORY ((size_t)512 << 20) /* that the ground program of such rules may take */
#define IDLE_TOOLS 4                     /* that are kept with a game */

struct sheet {
	struct web_game game; /* what others see */
	struct games *shelf;
	char *name, *title, *path; /* path: of the library or of a file */
	macaw_rules *rules;        /* that a page sent, until the game is made of them */
	char *text;                /* of these, for when it was unloaded */
	int holders;
	bool busy; /* somebody loads it */
	uint64_t used;
	bool studied;
	char *facts, *scene, *error;
	VEC(struct tools *) idle;
	macaw_symmetries *symmetries;
};

struct games {
	struct thread_mutex lock;
	pthread_cond_t change;
	VEC(struct sheet *) sheets;
	uint64_t clock; /* counts uses */
};

static struct sheet *sheet_of(struct web_game *g)
{
	return (struct sheet *)g;
}

static struct sheet *find(struct games *g, const char *name)
{
	for (size_t i = 0; i < g->sheets.n; i++)
		if (!strcmp(g->sheets.at[i]->name, name))
			return g->sheets.at[i];
	return NULL;
}

/* "connect_four" as people write it. */
static char *title_of(const char *name)
{
	char *title = text_copy(name, strlen(name));
	for (char *c = title; *c; c++)
		if (*c == '_')
			*c = ' ';
	if (*title >= 'a' && *title <= 'z')
		*title = (char)(*title - 'a' + 'A');
	return title;
}

/* Takes name and path over. */
static struct sheet *put_sheet(struct games *g, char *name, char *path, enum game_source source)
{
	struct sheet *s = NEW(struct sheet);
	s->shelf = g;
	s->name = name;
	s->title = title_of(name);
	s->path = path;
	s->game = (struct web_game){.name = s->name, .title = s->title, .source = source};
	vec_push(&g->sheets, s);
	return s;
}

struct games *games_open(void)
{
	struct games *g = NEW(struct games);
	thread_mutex_init(&g->lock);
	thread_cond_init(&g->change);
	char *names = macaw_games();
	for (char *at = names ? names : (char *)"", *end; (end = strchr(at, '\n')); at = end + 1) {
		char *name = text_copy(at, (size_t)(end - at));
		char *path = macaw_rules_path(name, NULL);
		if (path)
			put_sheet(g, name, text_copy(path, strlen(path)), GAME_OF_LIBRARY);
		else
			mem_free(name);
		macaw_free(path);
	}
	macaw_free(names);
	return g;
}

void games_add_file(struct games *g, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
	struct text name = {0};
	text_add(&name, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
	thread_lock(&g->lock);
	for (int i = 2; find(g, name.at); i++)
		text_printf(&name, " (%d)", i);
	put_sheet(g, name.at, text_copy(path, strlen(path)), GAME_OF_FILE);
	thread_unlock(&g->lock);
}

/* ---- tools ---- */

static void free_tools(struct tools *t)
{
	macaw_drawing_free(t->drawing);
	macaw_worker_free(t->worker);
	mem_free(t);
}

struct tools *tools_take(struct web_game *g, macaw_error *e)
{
	struct sheet *s = sheet_of(g);
	struct tools *t = NULL;
	thread_lock(&s->shelf->lock);
	if (s->idle.n)
		t = vec_pop(&s->idle);
	thread_unlock(&s->shelf->lock);
	if (t)
		return t;
	macaw_worker *w = macaw_worker_new(g->game, e);
	if (!w)
		return NULL;
	macaw_worker_limit(w, (macaw_limit){.seconds = 5});
	t = NEW(struct tools);
	t->worker = w;
	t->drawing = macaw_drawing_new(g->game, NULL);
	return t;
}

void tools_give(struct web_game *g, struct tools *t)
{
	struct sheet *s = sheet_of(g);
	if (!t)
		return;
	thread_lock(&s->shelf->lock);
	bool keep = s->idle.n < IDLE_TOOLS;
	if (keep)
		vec_push(&s->idle, t);
	thread_unlock(&s->shelf->lock);
	if (!keep)
		free_tools(t);
}

/* ---- loading ---- */

static void unload(struct sheet *s)
{
	for (size_t i = 0; i < s->idle.n; i++)
		free_tools(s->idle.at[i]);
	vec_free(&s->idle);
	macaw_symmetries_free(s->symmetries);
	s->symmetries = NULL;
	macaw_game_free(s->game.game);
	s->game.game = NULL;
}

static void free_sheet(struct sheet *s)
{
	unload(s);
	macaw_rules_free(s->rules);
	mem_free(s->name);
	mem_free(s->title);
	mem_free(s->path);
	mem_free(s->text);
	mem_free(s->facts);
	mem_free(s->scene);
	mem_free(s->error);
	mem_free(s);
}

void games_close(struct games *g)
{
	for (size_t i = 0; i < g->sheets.n; i++)
		free_sheet(g->sheets.at[i]);
	vec_free(&g->sheets);
	thread_mutex_free(&g->lock);
	pthread_cond_destroy(&g->change);
	mem_free(g);
}

/* The sheet that was not used for the longest time, of those nobody holds. */
static struct sheet *oldest(struct games *g, bool loaded, size_t *count)
{
	struct sheet *old = NULL;
	*count = 0;
	for (size_t i = 0; i < g->sheets.n; i++) {
		struct sheet *s = g->sheets.at[i];
		if (loaded ? !s->game.game : s->game.source != GAME_OF_PAGE)
			continue;
		++*count;
		if (!s->holders && !s->busy && (!old || s->used < old->used))
			old = s;
	}
	return old;
}

/* Makes room where there are more games than are kept. */
static void tidy(struct games *g)
{
	size_t count;
	for (struct sheet *s; (s = oldest(g, true, &count)) && count > GAMES_LOADED;)
		unload(s);
	for (struct sheet *s; (s = oldest(g, false, &count)) && count > GAMES_OF_PAGES;)
		for (size_t i = 0; i < g->sheets.n; i++)
			if (g->sheets.at[i] == s) {
				memmove(g->sheets.at + i, g->sheets.at + i + 1, (--g->sheets.n - i) * sizeof *g->sheets.at);
				free_sheet(s);
				break;
			}
}

/* Reads and builds; nobody else does so meanwhile. */
static macaw_game *build(struct sheet *s, macaw_error *e)
{
	macaw_game_options o = {.limit.seconds = s->path ? LOAD_SECONDS : DRAFT_SECONDS,
	                        .memory = s->path ? 0 : DRAFT_MEMORY};
	macaw_rules *rules = s->rules;
	s->rules = NULL;
	if (!rules)
		rules = s->path ? macaw_rules_load(s->path, e) : macaw_rules_parse(s->text, strlen(s->text), s->name, e);
	return rules ? macaw_game_make(rules, &o, e) : NULL;
}

/* Under the lock, which is left while the game is built. */
static bool load(struct sheet *s, macaw_error *e)
{
	struct games *g = s->shelf;
	s->holders++;
	s->used = ++g->clock;
	while (s->busy)
		thread_wait(&g->change, &g->lock);
	if (!s->game.game) {
		s->busy = true;
		thread_unlock(&g->lock);
		macaw_game *made = build(s, e);
		thread_lock(&g->lock);
		s->game.game = made;
		s->busy = false;
		pthread_cond_broadcast(&g->change);
	}
	bool there = s->game.game != NULL;
	if (!there)
		s->holders--;
	tidy(g);
	return there;
}

struct web_game *games_take(struct games *g, const char *name, macaw_error *e)
{
	thread_lock(&g->lock);
	struct sheet *s = find(g, name);
	bool there = s && load(s, e);
	thread_unlock(&g->lock);
	if (!s && e) {
		e->status = MACAW_USAGE;
		snprintf(e->text, sizeof e->text, "there is no game `%.100s` here", name);
	}
	return there ? &s->game : NULL;
}

/* Rules that a page sent go by a number here, and call themselves otherwise. */
struct web_game *games_take_called(struct games *g, const char *name, macaw_error *e)
{
	struct sheet *s = NULL;
	thread_lock(&g->lock);
	char *title = title_of(name);
	for (size_t i = 0; i < g->sheets.n && !s; i++)
		if (!strcmp(g->sheets.at[i]->title, title))
			s = g->sheets.at[i];
	mem_free(title);
	char *found = s ? text_copy(s->name, strlen(s->name)) : NULL;
	thread_unlock(&g->lock);
	struct web_game *game = games_take(g, found ? found : name, e);
	mem_free(found);
	return game;
}

struct web_game *games_hold(struct web_game *g)
{
	struct sheet *s = sheet_of(g);
	thread_lock(&s->shelf->lock);
	s->holders++;
	thread_unlock(&s->shelf->lock);
	return g;
}

void games_give(struct web_game *game)
{
	if (!game)
		return;
	struct sheet *s = sheet_of(game);
	struct games *g = s->shelf;
	thread_lock(&g->lock);
	s->holders--;
	tidy(g);
	thread_unlock(&g->lock);
}

struct web_game *games_add(struct games *g, macaw_rules *rules, macaw_error *e)
{
	size_t length;
	const char *source = macaw_rules_source(rules, &length);
	struct text name = {0};
	text_printf(&name, "~%016llx", (unsigned long long)hash_bytes(source, length));
	thread_lock(&g->lock);
	struct sheet *s = find(g, name.at);
	if (s) {
		text_free(&name);
		macaw_rules_free(rules);
	} else {
		s = put_sheet(g, name.at, NULL, GAME_OF_PAGE);
		mem_free(s->title);
		s->title = title_of(macaw_rules_name(rules));
		s->game.title = s->title;
		s->text = text_copy(source, length);
		s->rules = rules;
	}
	bool there = load(s, e);
	thread_unlock(&g->lock);
	return there ? &s->game : NULL;
}

const macaw_symmetries *games_symmetries(struct web_game *game, macaw_error *e)
{
	struct sheet *s = sheet_of(game);
	struct games *g = s->shelf;
	thread_lock(&g->lock);
	while (s->busy)
		thread_wait(&g->change, &g->lock);
	if (!s->symmetries) {
		s->busy = true;
		thread_unlock(&g->lock);
		macaw_symmetries *found = macaw_symmetries_find(game->game, (macaw_limit){.seconds = SYMMETRY_SECONDS}, e);
		thread_lock(&g->lock);
		s->symmetries = found;
		s->busy = false;
		pthread_cond_broadcast(&g->change);
	}
	thread_unlock(&g->lock);
	return s->symmetries;
}

/* ---- the gallery ---- */

const char *game_source_name(enum game_source s)
{
	return s == GAME_OF_LIBRARY ? "library" : s == GAME_OF_FILE ? "file" : "page";
}

static struct game_card card_of(const struct sheet *s)
{
	return (struct game_card){s->name, s->title, s->game.source, s->facts, s->scene, s->error};
}

void games_each(struct games *g, games_each_card *each, void *context)
{
	thread_lock(&g->lock);
	for (size_t i = 0; i < g->sheets.n; i++) {
		struct game_card card = card_of(g->sheets.at[i]);
		each(context, &card);
	}
	thread_unlock(&g->lock);
}

/* The scene alone out of the view of the start. */
static void draw_start(struct web_game *g, struct tools *t, struct text *out)
{
	char *scene = NULL;
	if (t->drawing)
		scene = macaw_drawing_json(t->drawing, &(macaw_sight){.position = macaw_position_initial(g->game)});
	text_puts(out, scene ? scene : "null");
	macaw_free(scene);
}

static void study(struct web_game *g, struct text *facts, struct text *scene, macaw_error *e)
{
	struct tools *t = tools_take(g, e);
	struct json_writer w = {.out = facts};
	if (!t)
		return;
	facts_write(&w, NULL, g, t, STUDY_PLAYOUTS, NULL);
	draw_start(g, t, scene);
	tools_give(g, t);
}

bool games_study(struct games *shelf, const char *name, games_each_card *each, void *context)
{
	struct text facts = {0}, scene = {0};
	macaw_error e = {0};
	thread_lock(&shelf->lock);
	struct sheet *s = find(shelf, name);
	bool known = s && s->studied;
	if (s)
		s->holders++;
	thread_unlock(&shelf->lock);
	if (!s)
		return false;
	struct web_game *g = known ? NULL : games_take(shelf, name, &e);
	if (g)
		study(g, &facts, &scene, &e);
	thread_lock(&shelf->lock);
	if (!s->studied) { /* else another thread was faster */
		s->studied = true;
		s->facts = facts.at;
		s->scene = scene.at;
		s->error = e.status ? text_copy(e.text, strlen(e.text)) : NULL;
		facts = scene = (struct text){0};
	}
	struct game_card card = card_of(s);
	each(context, &card);
	thread_unlock(&shelf->lock);
	games_give(g);
	games_give(&s->game);
	text_free(&facts);
	text_free(&scene);
	return true;
}
