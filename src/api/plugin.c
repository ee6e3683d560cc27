/* Players in shared libraries: loaded here, and made in a process of their own for each seat. */
#include "api/match_internal.h"
#include "api/player_internal.h"

#include <dlfcn.h>
#include <stdlib.h>

#define PATIENCE 30.0 /* seconds for a move where playouts are counted */

struct api_plugin {
	void *library;
	const macaw_plugin *face;
	struct mem_resource *owned; /* the library, for when memory runs out */
};

static void unload(void *library)
{
	dlclose(library);
}

/* The path ends where the options begin. */
static size_t path_length(const char *word)
{
	return strcspn(word, ":");
}

bool api_plugin_named(const char *word)
{
	size_t n = path_length(word);
	return memchr(word, '/', n) || (n > 3 && !strncmp(word + n - 3, ".so", 3));
}

static bool is_player(const struct api_plugin *p, const char *path, struct text *error)
{
	if (!p->face)
		text_printf(error, "%s is no player: it does not define " MACAW_PLUGIN_SYMBOL " (see macaw/player.h)", path);
	else if (p->face->version != MACAW_PLUGIN_VERSION)
		text_printf(error, "%s was made for version %u of the players of macaw/player.h, this is version %u", path,
		            p->face->version, MACAW_PLUGIN_VERSION);
	else if (!p->face->move)
		text_printf(error, "%s is no player: it has no function that moves", path);
	else
		return true;
	return false;
}

struct api_plugin *api_plugin_open(const char *word, struct text *error)
{
	struct text path = {0};
	struct api_plugin *p = NEW(struct api_plugin);
	size_t n = path_length(word);
	text_printf(&path, "%s%.*s", memchr(word, '/', n) ? "" : "./", (int)n, word);
	p->library = dlopen(text_str(&path), RTLD_NOW | RTLD_LOCAL);
	if (!p->library)
		text_printf(error, "cannot load %s", dlerror());
	if (p->library) {
		p->owned = mem_own(unload, p->library);
		p->face = dlsym(p->library, MACAW_PLUGIN_SYMBOL);
	}
	bool fine = p->library && is_player(p, text_str(&path), error);
	text_free(&path);
	if (fine)
		return p;
	api_plugin_close(p);
	return NULL;
}

void api_plugin_close(struct api_plugin *p)
{
	if (!p)
		return;
	if (p->library) {
		mem_disown(p->owned);
		unload(p->library);
	}
	mem_free(p);
}

/* ---- in the process ---- */

struct sitting {
	const macaw_plugin *face;
	const char *word;
	uint64_t seed;
	struct own_seat own;
};

static bool make(void *context, struct contestant *who, struct text *error)
{
	struct sitting *s = context;
	char why[400] = "";
	size_t n = path_length(s->word);
	if (s->face->make) {
		s->own.seat.self =
			s->face->make(s->own.game, s->own.role, s->word + n + (s->word[n] == ':'), s->seed, why, sizeof why);
		why[sizeof why - 1] = 0;
		if (!s->own.seat.self) {
			text_printf(error, "%s does not play%s%s", s->word, *why ? ": " : "", why);
			return false;
		}
	}
	s->own.seat.start = s->face->start;
	s->own.seat.move = s->face->move;
	s->own.count = s->face->count;
	*who = api_own_contestant(&s->own);
	return true;
}

/* ---- at the match ---- */

bool api_plugin_sit(struct seats *s, uint32_t role, macaw_game *g, const char *word, uint64_t seed, struct text *error)
{
	struct api_plugin *p = api_plugin_open(word, error);
	if (!p)
		return false;
	struct sitting sitting = {.face = p->face, .word = word, .seed = seed, .own = {.game = g, .role = role}};
	struct isolated_maker how = {word, make, &sitting, PATIENCE};
	bool fine = seats_by(s, role, &how, error);
	api_plugin_close(p); /* the process has it */
	return fine;
}
