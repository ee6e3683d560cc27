/* Macaw as a library: games given by their rules, played, solved and analysed; constraint networks.
 *
 *     #include <macaw/macaw.h>          cc program.c $(pkg-config --cflags --libs macaw)
 *
 *     macaw_error error;
 *     macaw_game *g = macaw_game_load("tictactoe", NULL, &error);
 *     macaw_playout_result *r = macaw_playouts(g, &(macaw_playout_job){.playouts = 100000}, &error);
 *     printf("%.1f\n", macaw_playout_score(r, 0, 0).mean);
 *
 * One header per topic; this one includes those of the library `macaw`. Records that are read back, tournaments and the
 * network need JSON, SQLite and HTTP: they are in the library `macaw-full`, which holds everything (link one or the
 * other), and have headers of their own: macaw/record.h, macaw/tournament.h, macaw/server.h, macaw/web.h. */
#ifndef MACAW_MACAW_H
#define MACAW_MACAW_H

#include "macaw/belief.h"
#include "macaw/common.h"
#include "macaw/csp.h"
#include "macaw/drawing.h"
#include "macaw/explain.h"
#include "macaw/game.h"
#include "macaw/match.h"
#include "macaw/network.h"
#include "macaw/outcome.h"
#include "macaw/player.h"
#include "macaw/playouts.h"
#include "macaw/position.h"
#include "macaw/puzzle.h"
#include "macaw/qcsp.h"
#include "macaw/rules.h"
#include "macaw/scsp.h"
#include "macaw/strategy.h"
#include "macaw/symmetries.h"
#include "macaw/worker.h"

#endif
