/* FC-UCB: MAC-UCB with forward checking in the place of arc consistency. */
#include "play/mac/mac_player.h"

/* clang-format off: one row per line */
static const struct opt options[] = {{"solve", 0, OPT_REAL, MAC_AT(solve), "SHARE",
                                      "share of the clock for solving; walks and playouts have the rest", .real = 0.3,
                                      .min = 0, .max = 1},
                                     MAC_OPTIONS,
                                     MAC_TUNING_ROWS{0}};
/* clang-format on */

static void *make(struct seat *s)
{
	return mac_player_make(s, MODEL_FC);
}

const struct player_kind player_fc_ucb = {
	.name = "fc-ucb",
	.what = "mac-ucb with forward checking instead of MAC",
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
