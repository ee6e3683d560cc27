/* The competition network behind macaw/server.h: handles around net/player and net/manager. */
#include "macaw/server.h"

#include "api/api_internal.h"
#include "net/player/player_server.h"

#include <stdlib.h>

/* ---- a player on the network --------------------------------------------------------------------------- */

struct macaw_server {
	struct player_server *inside;
};

static enum macaw_status status_of(enum server_fault fault)
{
	return fault == SERVER_USAGE ? MACAW_USAGE : MACAW_MACHINE;
}

static struct player_server_options server_options(const macaw_server_options *o)
{
	return (struct player_server_options){.listen = o->listen ? o->listen : "127.0.0.1:9147",
	                                      .player = o->player ? o->player : "macaw",
	                                      .name = o->name ? o->name : "macaw",
	                                      .threads = o->threads ? o->threads : 1,
	                                      .matches = o->matches ? o->matches : 1,
	                                      .margin = o->margin < 0 ? 0 : o->margin > 0 ? o->margin : 0.5,
	                                      .ponder = o->ponder,
	                                      .max_body = o->max_body ? o->max_body : (size_t)10 << 20,
	                                      .seed = o->seed,
	                                      .record = o->record,
	                                      .log = o->log,
	                                      .log_line = o->log_line,
	                                      .context = o->context};
}

/* In no scope and no mem_try(): the threads of the server would inherit them, and outlive the call. */
macaw_server *macaw_server_start(const macaw_server_options *o, macaw_error *e)
{
	macaw_server *s = calloc(1, sizeof *s);
	struct text error = {0};
	enum server_fault fault = SERVER_MACHINE;
	api_clear(e);
	if (!s) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	struct player_server_options inside = server_options(o ? o : &(macaw_server_options){0});
	s->inside = player_server_start(&inside, &fault, &error);
	if (s->inside)
		return s;
	api_fail_text(e, status_of(fault), &error);
	text_free(&error);
	free(s);
	return NULL;
}

const char *macaw_server_address(const macaw_server *s)
{
	return player_server_address(s->inside);
}

char *macaw_server_status(macaw_server *s)
{
	struct text json = {0};
	player_server_status(s->inside, &json);
	return api_give(&json);
}

void macaw_server_stop(macaw_server *s)
{
	player_server_stop(s->inside);
}

bool macaw_server_wait(macaw_server *s, double seconds)
{
	return player_server_wait(s->inside, seconds);
}

void macaw_server_free(macaw_server *s)
{
	if (s)
		player_server_free(s->inside);
	free(s);
}
