/* MAC-UCB-SYM (Koriche, Lagrue, Piette and Tabary): MAC-UCB where symmetric states share one node. */
#include "play/mac/mac_player.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	{"solve", 0, OPT_REAL, MAC_AT(solve), "SHARE", "share of the clock for solving; walks and playouts have the rest",
     .real = 0.5, .min = 0, .max = 1},
	{"symmetry", 0, OPT_REAL, MAC_AT(symmetry), "SHARE", "largest share of the clock for finding symmetries",
     .real = 0.25, .min = 0, .max = 0.9},
	{"rounds", 0, OPT_FLAG, MAC_AT(rounds), NULL, "look for symmetries of rounds too, not of the rules only",
     .whole = 1},
	MAC_OPTIONS,
	MAC_TUNING_ROWS MAC_SYMMETRY_TUNING(TUNING_ROW, struct mac_options, tune.){0}};
/* clang-format on */

static void *make(struct seat *s)
{
	return mac_player_make(s, MODEL_MAC);
}

const struct player_kind player_mac_ucb_sym = {
	.name = "mac-ucb-sym",
	.what = "mac-ucb that stores symmetric states once",
	.details = MAC_DETAILS " States that are equivalent by symmetries of the rules share one node. Solved rounds, with "
						   "joint moves below the threshold as nogoods, are searched for more symmetries.",
	.options = options,
	.options_size = sizeof(struct mac_options),
	.make = make,
	.start = mac_player_start,
	.move = mac_player_move,
	.believe = mac_player_believe,
	.free = mac_player_free,
	.values = mac_player_values,
	.line = mac_player_line,
};
