/* macaw serve: the competition player, on the network. What belongs to the whole process is here: signals, the bound on
 * open files, standard output, and the end within a second. */
#include "cli/commands.h"
#include "cli/signals.h"
#include "cli/words.h"
#include "cluster/company.h"

#include "macaw/server.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define END_IN 0.7         /* seconds for everything to stop after the signal */
#define END_BY 0.9         /* seconds for the end of the process */
#define OPEN_FILES 4096    /* connections and the log */
#define FILES_PER_MATCH 24 /* answers that wait, and its process */

struct serve_options {
	struct cluster_options cluster;
	const char *listen, *player, *name, *log, *record;
	int64_t threads, matches, max_body, seed, memory;
	double margin;
	bool ponder;
};

#define FIELD(f) offsetof(struct serve_options, f)
static const struct opt options[] = {
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT",
     "where to listen; a port alone: on 127.0.0.1; port 0 picks a free one", .words = "127.0.0.1:9147"},
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "the player: see `macaw players`", .words = "macaw"},
	{"name", 0, OPT_TEXT, FIELD(name), "NAME", "the name in the answer to `info`", .words = "macaw"},
	{"threads", 0, OPT_INT, FIELD(threads), "N", "threads per match (0: all processors, shared among the matches)",
     .min = 0, .max = 256},
	{"margin", 0, OPT_REAL, FIELD(margin), "SEC",
     "seconds left on the clock when the answer is sent, at most 0.4 of it; measured delays are added", .real = 0.2,
     .min = 0, .max = 1e6},
	{"matches", 0, OPT_INT, FIELD(matches), "N", "matches at the same time; a further one gets the answer `busy`",
     .whole = 1, .min = 1, .max = 1000},
	{"memory", 0, OPT_INT, FIELD(memory), "MB",
     "memory limit of one match, by the kernel (0: 3/4 of the machine's, shared by all)", .min = 0, .max = 1e9},
	{"ponder", 0, OPT_FLAG, FIELD(ponder), NULL, "go on searching while the others think", .whole = 1},
	{"log", 0, OPT_TEXT, FIELD(log), "FILE", "append one line per message to the file (default: standard error)"},
	{"record", 0, OPT_TEXT, FIELD(record), "DIR", NULL}, /* until 0.3: --output */
	{"output", 'o', OPT_TEXT, FIELD(record), "DIR",
     "write one JSON file per match: every message, answer, time and explanation"},
	{"max-body", 0, OPT_INT, FIELD(max_body), "BYTES", "longest message that is read; longer ones get status 413",
     .whole = 10 << 20, .min = 1024, .max = 1 << 30},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers (0: from the clock)", .min = 0, .max = 9e15},
	CLUSTER_OPTIONS(struct serve_options, cluster),
	{0}};

/* Never waits: when nobody reads standard error, lines are lost. */
static void log_line(void *context, const char *line, size_t length)
{
	struct pollfd p = {STDERR_FILENO, POLLOUT, 0};
	if (poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
		return;
	ssize_t n = write(STDERR_FILENO, line, length);
	(void)n;
}

static void allow_open_files(int64_t matches)
{
	struct rlimit files;
	rlim_t wanted = OPEN_FILES + (rlim_t)matches * FILES_PER_MATCH;
	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= wanted)
		return;
	files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* Whatever the others wait for. */
static void *end_in_any_case(void *context)
{
	usleep((useconds_t)(END_BY * 1e6));
	_exit(EXIT_DONE);
	return context;
}

/* With other ranks, matches think in this process, which is the one that speaks with them. */
static macaw_server *start(const struct serve_options *o, const struct company_host *host, macaw_error *error)
{
	char address[64];
	return macaw_server_start(&(macaw_server_options){.listen = listen_address(o->listen, address, sizeof address),
	                                                  .player = o->player,
	                                                  .name = o->name,
	                                                  .threads = (uint32_t)o->threads,
	                                                  .matches = (uint32_t)o->matches,
	                                                  .margin = o->margin > 0 ? o->margin : -1,
	                                                  .ponder = o->ponder,
	                                                  .max_body = (size_t)o->max_body,
	                                                  .program = host ? NULL : "/proc/self/exe",
	                                                  .company = host ? company_host_face(host) : NULL,
	                                                  .memory = (size_t)o->memory << 20,
	                                                  .seed = (uint64_t)o->seed,
	                                                  .record = o->record,
	                                                  .log = o->log,
	                                                  .log_line = log_line},
	                          error);
}

static int serve(const struct serve_options *o, const struct company_host *host, const sigset_t *signals)
{
	macaw_error error;
	macaw_server *s = start(o, host, &error);
	if (!s) {
		fprintf(stderr, "macaw serve: %s\n", error.text);
		return (int)error.status;
	}
	printf("listening on %s\n", macaw_server_address(s));
	fflush(stdout);
	signals_wait(signals);
	pthread_t last;
	if (!host && !pthread_create(&last, NULL, end_in_any_case, NULL))
		pthread_detach(last);
	macaw_server_stop(s);
	if (!macaw_server_wait(s, END_IN)) { /* the end of the process ends the rest */
		fflush(NULL);
		_exit(EXIT_DONE);
	}
	macaw_server_free(s);
	return EXIT_DONE;
}

/* One of several ranks. */
static int serve_together(const struct serve_options *o, struct cluster *c, const sigset_t *signals)
{
	if (!cluster_leads(c)) {
		company_serve(c);
		return EXIT_DONE;
	}
	struct company_host *host = company_host_open(c);
	int status = serve(o, host, signals);
	company_host_close(host);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct serve_options *o = options_;
	int status;
	if (count) {
		fprintf(stderr, "macaw serve: unexpected argument '%s': the rules come with each match\n", words[0]);
		return EXIT_USAGE;
	}
	allow_open_files(o->matches);
	sigset_t set = signals_block(); /* before any thread is started */
	struct cluster *c = cluster_open("serve", &o->cluster, &status);
	if (status)
		return status;
	return c ? cluster_close(c, serve_together(o, c, &set)) : serve(o, NULL, &set);
}

const struct command cmd_serve = {
	.name = "serve",
	.arguments = "",
	.summary = "Play over the network, as a competition player",
	.details =
		"Waits for a game manager that speaks the competition protocol: KIF lists over HTTP, by POST / or GET "
		"/MESSAGE, "
		"in the forms of GDL and GDL-II. The first line on standard output is `listening on HOST:PORT`. It ends on "
		"SIGTERM "
		"or SIGINT.\n\n"
		"A legal move is known before thinking begins, and the answer leaves on time whatever the player does. A match "
		"whose manager has been silent for three play clocks and five seconds (before the first move also the start "
		"clock) is abandoned. Rules that do not become a circuit within 0.6 of the start clock are interpreted. GET "
		"/status says what it is doing, as JSON. See docs/competition.md.",
	.example = "macaw serve --listen 9147 --player macaw",
	.options = options,
	.size = sizeof(struct serve_options),
	.run = run,
};
