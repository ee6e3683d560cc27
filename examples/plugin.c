/* A player in a shared library, for `macaw match` and `macaw tournament`: looks one step ahead.
 *
 *     cc -shared -fPIC plugin.c $(pkg-config --cflags macaw) -o mine.so
 *     macaw match tictactoe --players ./mine.so,random --playouts 100
 *     macaw tournament -g tictactoe,connect_four -p ./mine.so,./mine.so:last,uct --playouts 100
 *
 * It takes a move after which its score cannot be better, if it sees one; else its first move, or with the option
 * `last` its last one. */
#include <macaw/player.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mine {
	macaw_worker *worker;
	uint64_t *next;
	uint32_t *joint;
	bool last;
	macaw_counters count;
};

static void *make(macaw_game *g, uint32_t role, const char *options, uint64_t seed, char *why, size_t room)
{
	struct mine *me = calloc(1, sizeof *me);
	macaw_error error;
	(void)role;
	(void)seed;
	if (*options && strcmp(options, "last")) {
		snprintf(why, room, "the only option is `last`, not `%s`", options);
		free(me);
		return NULL;
	}
	if (macaw_game_hidden(g)) {
		snprintf(why, room, "it wants to see positions, and this game hides them");
		free(me);
		return NULL;
	}
	if (me) {
		me->last = *options;
		me->worker = macaw_worker_new(g, &error);
		me->next = malloc(macaw_position_words(g) * sizeof *me->next + 1);
		me->joint = malloc(macaw_game_roles(g) * sizeof *me->joint);
	}
	return me && me->worker && me->next && me->joint ? me : NULL; /* the process ends without freeing anything */
}

/* Does the move win at once, when the others make their first ones? */
static bool wins(struct mine *me, const macaw_turn *t, uint32_t move)
{
	macaw_view view;
	if (!macaw_look(me->worker, t->position, &view))
		return false;
	for (uint32_t r = 0; r < macaw_game_roles(t->game); r++)
		me->joint[r] = r == t->role ? move : view.legal[view.start[r]];
	me->count.nodes++;
	return macaw_next(me->worker, t->position, me->joint, me->next) && macaw_look(me->worker, me->next, &view) &&
	       view.terminal && view.goals[t->role] == 100;
}

static uint32_t move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct mine *me = self;
	(void)b;
	me->count.moves++;
	me->count.choices += t->legal_count > 1;
	for (uint32_t i = 0; i < t->legal_count; i++)
		if (wins(me, t, t->legal[i])) {
			snprintf(why, room, "wins at once");
			return t->legal[i];
		}
	return t->legal[me->last ? t->legal_count - 1 : 0];
}

static void count(void *self, macaw_counters *out)
{
	*out = ((struct mine *)self)->count;
}

MACAW_PLUGIN = {.version = MACAW_PLUGIN_VERSION, .make = make, .move = move, .count = count};
