/* macaw serve: the competition player, on the network. */
#include "cli/commands.h"

#include "net/player/serve.h"

#include <stddef.h>
#include <stdio.h>

#define FIELD(f) offsetof(struct serve_options, f)
static const struct opt options[] = {
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT", "where to listen; port 0 picks a free one",
     .words = "127.0.0.1:9147"},
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "who plays: see `macaw players`", .words = "macaw"},
	{"name", 0, OPT_TEXT, FIELD(name), "NAME", "what `info` is told", .words = "macaw"},
	{"threads", 0, OPT_INT, FIELD(threads), "N", "threads that a match thinks with", .whole = 1, .min = 1, .max = 256},
	{"margin", 0, OPT_REAL, FIELD(margin), "SEC",
     "answer so long before the clock runs out, at most 0.4 of the clock; delays that are measured are added", .real = 0.5,
     .min = 0, .max = 1e6},
	{"matches", 0, OPT_INT, FIELD(matches), "N", "matches at the same time; one more is told `busy`", .whole = 1, .min = 1,
     .max = 1000},
	{"ponder", 0, OPT_FLAG, FIELD(ponder), NULL, "go on thinking while the others do"},
	{"log", 0, OPT_TEXT, FIELD(log), "FILE", "a line a message, added to the file (default: standard error)"},
	{"record", 'o', OPT_TEXT, FIELD(record), "DIR", "a JSON file a match: every message, answer, time and reason"},
	{"max-body", 0, OPT_INT, FIELD(max_body), "BYTES", "longest message that is read; longer ones get status 413",
     .whole = 10 << 20, .min = 1024, .max = 1 << 30},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers (0: from the clock)", .min = 0, .max = 9e15},
	{0}};

static int run(void *o, int count, char **words)
{
	if (count) {
		fprintf(stderr, "macaw serve: '%s' is one word too many: the rules come with the match\n", words[0]);
		return EXIT_USAGE;
	}
	struct text error = {0};
	enum serve_end end = serve(o, &error);
	if (end != SERVE_DONE)
		fprintf(stderr, "macaw serve: %s\n", text_str(&error));
	text_free(&error);
	return end == SERVE_DONE ? EXIT_DONE : end == SERVE_USAGE ? EXIT_USAGE : EXIT_MACHINE;
}

const struct command cmd_serve = {
	.name = "serve",
	.arguments = "",
	.summary = "Play over the network, as a competition player",
	.details =
		"Waits for a game manager that speaks the competition protocol: KIF lists over HTTP, by POST / or GET /MESSAGE, "
		"in the forms of GDL and GDL-II. The first line on standard output is `listening on HOST:PORT`. It ends on SIGTERM "
		"or SIGINT.\n\n"
		"A legal move is known before thinking begins, and the answer leaves on time whatever the player does. A match "
		"whose manager has been silent for three play clocks and five seconds (before the first move also the start clock) is "
		"given up. Rules that do not become a "
		"circuit within 0.6 of the start clock are interpreted. GET /status tells what it is doing, as JSON. See "
		"docs/competition.md.",
	.options = options,
	.size = sizeof(struct serve_options),
	.run = run,
};
