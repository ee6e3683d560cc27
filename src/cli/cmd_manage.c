/* macaw manage: the game manager, for players on the network, here, and in person. */
#include "cli/commands.h"
#include "cli/load_game.h"

#include <stddef.h>
#include <stdio.h>

struct manage_options {
	struct load_options load;
	double start, play, grace;
	int64_t seed, rounds, max_steps;
	bool scramble, json, watch;
	const char *record, *schedule, *listen;
};

#define FIELD(f) offsetof(struct manage_options, f)
static const struct opt options[] = {
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "start clock: time before the first move", .real = 30, .min = 0.001,
     .max = 1e6},
	{"play", 'c', OPT_REAL, FIELD(play), "SEC", "play clock: time for a move", .real = 10, .min = 0.001, .max = 1e6},
	{"grace", 0, OPT_REAL, FIELD(grace), "SEC", "how much later than the clock an answer may arrive", .real = 1, .min = 0,
     .max = 1e6},
	{"scramble", 0, OPT_FLAG, FIELD(scramble), NULL, "send rules and moves with other words in the place of the names"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers (0: from the clock)", .min = 0, .max = 9e15},
	{"rounds", 0, OPT_INT, FIELD(rounds), "N", "play everything so often, each time with the seats moved on by one",
     .whole = 1, .min = 1, .max = 1e6},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give a match up after so many steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"schedule", 0, OPT_TEXT, FIELD(schedule), "FILE", "play the matches of a file: a line `GAME PLAYER…` each"},
	{"record", 'o', OPT_TEXT, FIELD(record), "FILE",
     "write the match to a file, for `macaw replay`; several matches: one a line"},
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT",
     "let spectators follow: GET /events sends server-sent events; port 0 picks a free one"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves of each step"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct manage_options, load),
	{0}};

static int run(void *o, int count, char **words)
{
	fprintf(stderr, "macaw manage: not yet\n");
	return EXIT_MACHINE;
}

const struct command cmd_manage = {
	.name = "manage",
	.arguments = "GAME PLAYER…",
	.summary = "Run matches between players on the network, here, or in person",
	.details =
		"A PLAYER is HOST:PORT of a competition player, a name of `macaw players` (with options), or `human` for a person "
		"at this terminal; one for each role, in the order of the rules; `random` plays by itself. GAME may be a list with "
		"commas: the matches are played one after another.\n\n"
		"All players are asked at the same time. A move that is missing, late or illegal is replaced by a random legal one "
		"and counted as an error of that player; so is an answer to `start` other than `ready`. The exit status is 0 when "
		"there was no error, 1 when there was one. With --listen, the first line on standard output is `listening on "
		"HOST:PORT`. See docs/competition.md.",
	.options = options,
	.size = sizeof(struct manage_options),
	.run = run,
};
