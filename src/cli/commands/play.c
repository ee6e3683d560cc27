/* macaw play GAME --as ROLE: a person at the terminal against players. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/sitting.h"
#include "cli/where.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

struct play_options {
	struct load_options load;
	struct where_options where;
	struct draw_options draw;
	const char *as, *player, *output;
	double clock;
	int64_t playouts, seed;
	bool ponder;
};

#define FIELD(f) offsetof(struct play_options, f)
static const struct opt options[] = {
	{"as", 'a', OPT_TEXT, FIELD(as), "ROLE", "the role you take (the first, unless given)"},
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "the player of the other roles: see `macaw players`",
     .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "seconds per move of that player", .real = 1, .min = 0.001,
     .max = 1e6},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "playouts (or nodes) per move of that player, instead of time",
     .min = 1, .max = 1e15},
	{"ponder", 0, OPT_FLAG, FIELD(ponder), NULL, "that player thinks while you do; not with --playouts", .whole = 1},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of chance and of the player (a new one each time, unless given)",
     .whole = -1, .min = 0, .max = 9e15},
	{"output", 'o', OPT_TEXT, FIELD(output), "FILE", "write the match to a file after every step, for `macaw replay`"},
	DRAW_OPTIONS(struct play_options, draw),
	WHERE_OPTIONS(struct play_options, where),
	LOAD_OPTIONS(struct play_options, load),
	{0}};

/* Short enough to be typed again. */
static uint64_t fresh_seed(void)
{
	uint64_t seed = 0;
	if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
		seed = (uint64_t)(clock_now() * 1e6);
	return seed % 1000000;
}

static int complain_of_role(const macaw_game *g, const char *as)
{
	fprintf(stderr, "macaw play: there is no role '%s' for you; there are", as ? as : "");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		if (r != macaw_game_random(g))
			fprintf(stderr, " %s", macaw_game_role(g, r));
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static int play(const struct play_options *o, macaw_game *g, const char *word)
{
	struct where from = {0};
	uint32_t you = o->as ? macaw_game_find_role(g, o->as) : macaw_game_random(g) == 0 ? 1 : 0;
	if (you >= macaw_game_roles(g) || you == macaw_game_random(g))
		return complain_of_role(g, o->as);
	if (o->where.state && macaw_game_hidden(g)) {
		fprintf(stderr,
		        "macaw play: the game hides information, and nobody has seen what led to the position of --state; name "
		        "the moves, by --after or --record\n");
		return EXIT_USAGE;
	}
	int status = where_find(g, "play", &o->where, &from);
	if (!status && o->output)
		status = output_try("play", o->output);
	if (!status)
		status = sitting_play(g, &(struct sitting_options){.word = word,
		                                                   .player = o->player,
		                                                   .record = o->output,
		                                                   .clock = o->clock,
		                                                   .playouts = (uint64_t)o->playouts,
		                                                   .seed = o->seed < 0 ? fresh_seed() : (uint64_t)o->seed,
		                                                   .you = you,
		                                                   .ponder = o->ponder,
		                                                   .draw = &o->draw,
		                                                   .start = from.start,
		                                                   .made = from.made.at,
		                                                   .made_steps = from.steps});
	where_free(&from);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct play_options *o = options_;
	int status;
	if (count != 1) {
		fprintf(stderr, "macaw play: name one GAME: a file, or a game of `macaw games`\n");
		return EXIT_USAGE;
	}
	macaw_game *g = load_word("play", words[0], &o->load, &status);
	if (g)
		status = play(o, g, words[0]);
	macaw_game_free(g);
	return status;
}

const struct command cmd_play = {
	.name = "play",
	.arguments = "GAME",
	.summary = "Play a game yourself, in the terminal",
	.details =
		"Moves are numbered; type a number, a move (parentheses may be left out), its arguments alone or the beginning "
		"of "
		"one. `help` lists the words that do something else: hint, undo and redo, history, save and load, swap, auto, "
		"quit. Where the state is hidden you are shown what your role sees and what follows from it, and a hint comes "
		"from a player that knows no more than that.",
	.example = "macaw play connect_four --as yellow --clock 2",
	.options = options,
	.size = sizeof(struct play_options),
	.run = run,
};
