/* MAC-UCB (Koriche, Lagrue, Piette and Tabary): rounds solved by maintaining arc consistency. */
#include "play/mac/mac_player.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	{"solve", 0, OPT_REAL, MAC_AT(solve), "SHARE", "share of the clock for solving; walks and playouts have the rest",
     .real = 0.3, .min = 0, .max = 1},
	MAC_OPTIONS,
	{"sac", 0, OPT_FLAG, MAC_AT(sac), NULL, "singleton arc consistency of the actions after the state is injected"},
	MAC_TUNING_ROWS{0}};
/* clang-format on */

static void *make(struct seat *s)
{
	const struct mac_options *o = s->options;
	return mac_player_make(s, o->sac ? MODEL_MAC_SAC : MODEL_MAC);
}

const struct player_kind player_mac_ucb = {
	.name = "mac-ucb",
	.what = "rounds solved by MAC on the constraint network, UCB1 between them",
	.details = MAC_DETAILS,
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
