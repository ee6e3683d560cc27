/* The games that pages may name: those of the library, rulesheets given on the command line, and rules that pages sent.
 * A game is loaded when it is needed and kept for a while; what the gallery shows of it is kept for good. */
#ifndef WEB_GAMES_H
#define WEB_GAMES_H

#include "base/json.h"
#include "macaw/drawing.h"
#include "macaw/playouts.h"
#include "macaw/symmetries.h"
#include "macaw/worker.h"

#define GAMES_LOADED 24   /* games that nobody uses are unloaded beyond this number */
#define GAMES_OF_PAGES 24 /* rulesheets that pages sent are forgotten beyond this number, when nobody uses them */

enum game_source { GAME_OF_LIBRARY, GAME_OF_FILE, GAME_OF_PAGE };

/* Scratch for questions about a game, of one thread at a time. */
struct tools {
	macaw_worker *worker;
	macaw_drawing *drawing; /* NULL: it could not be made */
};

struct games;

/* A game in use. Texts last as long as the server; `game` while it is held. */
struct web_game {
	const char *name, *title;
	enum game_source source;
	macaw_game *game;
};

struct games *games_open(void);    /* those of the library */
void games_close(struct games *g); /* nobody holds any */
void games_add_file(struct games *g, const char *path);

/* Takes hold of a game, which is loaded first if need be. NULL: there is none of that name (MACAW_USAGE), or it cannot
 * be loaded. */
struct web_game *games_take(struct games *g, const char *name, macaw_error *e);
/* By the name the game gives itself: that of a store of results. */
struct web_game *games_take_called(struct games *g, const char *name, macaw_error *e);
struct web_game *games_hold(struct web_game *g); /* once more */
void games_give(struct web_game *g);
/* From rules without errors, which are taken over; games that are equal are one. */
struct web_game *games_add(struct games *g, macaw_rules *rules, macaw_error *e);

/* NULL: no memory. */
struct tools *tools_take(struct web_game *g, macaw_error *e);
void tools_give(struct web_game *g, struct tools *t);

/* Found when they are asked for the first time; last as long as the game is held. */
const macaw_symmetries *games_symmetries(struct web_game *g, macaw_error *e);

/* ---- the gallery ---- */

/* Calls back for all games in order, with what is known of them; facts and scene are NULL while nothing is. */
struct game_card {
	const char *name, *title;
	enum game_source source;
	const char *facts, *scene, *error; /* JSON, JSON, text */
};
typedef void games_each_card(void *context, const struct game_card *card);
void games_each(struct games *g, games_each_card *each, void *context);
const char *game_source_name(enum game_source s);

/* Finds out what there is to know of one game, if it is not known yet; afterwards calls back with it. False: no such
 * game. */
bool games_study(struct games *g, const char *name, games_each_card *each, void *context);

#endif
