/* Who plays in a tournament and is not built in: seats by functions, known by their names; shared libraries, by their
 * paths; and players of the competition network, as gcl:HOST:PORT. */
#include "api/match_internal.h"
#include "api/tournament_internal.h"
#include "base/clock.h"
#include "net/manager/remote.h"
#include "net/protocol/address.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NETWORK "gcl:"
#define LEAST_CLOCK 1.0 /* seconds for a move of somebody on the network, where playouts are counted */

struct outside {
	const macaw_tournament *t;
	struct api_plugin **plugins; /* by player; held so that each match finds them loaded */
	bool *exclusive;
	bool network;
};

/* Those of one match. */
struct outside_table {
	struct outside *all;
	macaw_game *game;
	double clock;
	struct own_seat *own;    /* by role */
	struct remote **remotes; /* by role */
	struct scramble *words;  /* as they are */
	char id[64];
};

static bool is_on_network(const char *word)
{
	return !strncmp(word, NETWORK, strlen(NETWORK));
}

/* ---- before the first match ---- */

static const macaw_seat *find_own(const macaw_tournament *t, const char *word)
{
	for (size_t i = 0; i < t->own_count; i++)
		if (!strcmp(t->own[i].name, word))
			return &t->own[i];
	return NULL;
}

/* False with a message. */
static bool look_at(struct outside *o, size_t player, struct text *error)
{
	const char *word = o->t->players[player];
	if (find_own(o->t, word))
		return true;
	if (is_on_network(word)) {
		if (!address_valid(word + strlen(NETWORK))) {
			text_printf(error, "%s is no address: gcl:HOST:PORT is one", word);
			return false;
		}
		o->exclusive[player] = o->network = true;
	} else if (api_plugin_named(word)) {
		return (o->plugins[player] = api_plugin_open(word, error));
	}
	return true;
}

struct outside *outside_open(const macaw_tournament *t, macaw_error *e)
{
	struct outside *o = NEW(struct outside);
	struct text error = {0};
	bool fine = true;
	o->t = t;
	o->plugins = NEW_ARRAY(struct api_plugin *, t->player_count);
	o->exclusive = NEW_ARRAY(bool, t->player_count);
	for (size_t i = 0; i < t->player_count && fine; i++)
		fine = look_at(o, i, &error);
	if (!fine) {
		api_fail_text(e, MACAW_INPUT, &error);
		outside_close(o);
		o = NULL;
	}
	text_free(&error);
	return o;
}

void outside_close(struct outside *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->t->player_count; i++)
		api_plugin_close(o->plugins[i]);
	mem_free(o->plugins);
	mem_free(o->exclusive);
	mem_free(o);
}

bool outside_has_network(const struct outside *o)
{
	return o->network;
}

const bool *outside_exclusive(const struct outside *o)
{
	return o->exclusive;
}

/* ---- a match ---- */

static void *open_table(void *context, struct game *g, double clock)
{
	static atomic_uint serial;
	struct outside *o = context;
	struct outside_table *t = NEW(struct outside_table);
	t->all = o;
	for (size_t i = 0; i < o->t->game_count; i++)
		if (api_game(o->t->games[i]) == g)
			t->game = o->t->games[i];
	t->own = NEW_ARRAY(struct own_seat, g->roles);
	t->remotes = NEW_ARRAY(struct remote *, g->roles);
	t->words = scramble_new(NULL, 0, 0);
	t->clock = clock > 0 ? clock : o->t->clock_count && o->t->clocks[0] > LEAST_CLOCK ? o->t->clocks[0] : LEAST_CLOCK;
	snprintf(t->id, sizeof t->id, "macaw.%lld.%d.%u", (long long)time(NULL), (int)getpid(),
	         atomic_fetch_add(&serial, 1));
	return t;
}

/* Messages name only the match, so each seat has a name of its own for it. */
static void call_remote(struct outside_table *t, struct seats *s, uint32_t role, const char *word)
{
	char id[sizeof t->id + 16];
	double start = t->all->t->start > 0 ? t->all->t->start : OUTSIDE_START;
	snprintf(id, sizeof id, "%s.%u", t->id, role);
	t->remotes[role] = remote_new(&(struct remote_options){.address = word + strlen(NETWORK),
	                                                       .id = id,
	                                                       .game = s->game,
	                                                       .role = role,
	                                                       .start = start,
	                                                       .play = t->clock,
	                                                       .grace = OUTSIDE_GRACE,
	                                                       .words = t->words});
	struct contestant who = remote_contestant(t->remotes[role]);
	who.patience = (start > t->clock ? start : t->clock) + 2 * OUTSIDE_GRACE;
	seats_give(s, role, word, who);
}

static enum seats_found find(void *opened, struct seats *s, uint32_t role, const char *word, uint64_t seed,
                             struct text *error)
{
	struct outside_table *t = opened;
	const macaw_seat *own = find_own(t->all->t, word);
	if (own) {
		t->own[role] = (struct own_seat){.seat = *own, .game = t->game, .role = role};
		seats_give(s, role, word, api_own_contestant(&t->own[role]));
		return SEATS_FOUND;
	}
	if (is_on_network(word)) {
		call_remote(t, s, role, word);
		return SEATS_FOUND;
	}
	if (!api_plugin_named(word))
		return SEATS_UNKNOWN;
	return api_plugin_sit(s, role, t->game, word, seed, error) ? SEATS_FOUND : SEATS_FAILED;
}

static void close_table(void *opened, const struct match *m)
{
	struct outside_table *t = opened;
	uint32_t roles = api_game(t->game)->roles;
	if (m && t->all->network)
		remotes_finish(t->remotes, m);
	for (uint32_t r = 0; r < roles; r++)
		remote_free(t->remotes[r]);
	scramble_free(t->words);
	mem_free(t->remotes);
	mem_free(t->own);
	mem_free(t);
}

struct tournament_others outside_others(struct outside *o)
{
	return (struct tournament_others){open_table, find, close_table, o};
}
