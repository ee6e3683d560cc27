/* macaw web: the page, on the own machine. What belongs to the whole process is here: signals, the browser, standard
 * output. */
#include "cli/commands.h"
#include "cli/signals.h"

#include "macaw/web.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_BY 3 /* seconds for everything to stop after the signal */

struct web_options {
	const char *listen, *results, *token;
	int64_t threads, memory;
	bool open;
};

#define FIELD(f) offsetof(struct web_options, f)
static const struct opt options[] = {
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT",
     "where to listen; port 0 picks a free one (default: 127.0.0.1:9148, or a free port when that is in use)"},
	{"open", 0, OPT_FLAG, FIELD(open), NULL, "open the browser, where there is a desktop", .whole = 1},
	{"results", 0, OPT_TEXT, FIELD(results), "DIR",
     "keep tournaments that the page starts there (default: they go with the program)"},
	{"threads", 0, OPT_INT, FIELD(threads), "N", "threads that compute (0: one per processor and one more)", .min = 0,
     .max = 256},
	{"memory", 0, OPT_INT, FIELD(memory), "MB",
     "memory limit of one game, player or network (0: a quarter of the machine's)", .min = 0, .max = 1e9},
	{"token", 0, OPT_TEXT, FIELD(token), "WORD",
     "the token in the address, 16 letters and digits at least (default: a random one)"},
	{0}};

static bool has_desktop(void)
{
	const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
	return (x && *x) || (wayland && *wayland);
}

/* The browser is nobody's child: it lives on, and nobody waits for it. */
static void open_browser(const char *url)
{
	pid_t child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
	if (child)
		return;
	if (fork())
		_exit(0);
	setsid();
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(1);
	execlp("xdg-open", "xdg-open", url, (char *)NULL);
	_exit(1);
}

static void *end_in_any_case(void *context)
{
	sleep(END_BY);
	_exit(EXIT_DONE);
	return context;
}

static void announce(const macaw_web *w, bool opened)
{
	printf("%s\n", macaw_web_url(w));
	fflush(stdout);
	if (!macaw_web_has_page(w))
		fprintf(stderr, "macaw web: built without the page (Node.js and npm were missing); only the interface under "
		                "/api/ is there\n");
	else if (opened)
		fprintf(stderr, "opening the browser at this address; Ctrl-C ends it\n");
	else
		fprintf(stderr, "open this address in a browser on this machine; Ctrl-C ends it\n");
}

static size_t memory_of(const struct web_options *o)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	return o->memory ? (size_t)o->memory << 20 : (size_t)pages * (size_t)size / 4;
}

static int run(void *options_, int count, char **words)
{
	const struct web_options *o = options_;
	macaw_error error;
	sigset_t set = signals_block();
	macaw_memory_limit(memory_of(o));
	macaw_web *w = macaw_web_start(&(macaw_web_options){.listen = o->listen,
	                                                    .files = (const char *const *)words,
	                                                    .file_count = (size_t)count,
	                                                    .results = o->results,
	                                                    .threads = (uint32_t)o->threads,
	                                                    .token = o->token},
	                               &error);
	if (!w) {
		fprintf(stderr, "macaw web: %s\n", error.text);
		return (int)error.status;
	}
	bool opens = o->open && has_desktop() && macaw_web_has_page(w);
	announce(w, opens);
	if (opens)
		open_browser(macaw_web_url(w));
	signals_wait(&set);
	pthread_t last;
	if (!pthread_create(&last, NULL, end_in_any_case, NULL))
		pthread_detach(last);
	macaw_web_free(w);
	return EXIT_DONE;
}

const struct command cmd_web = {
	.name = "web",
	.arguments = "[FILE...]",
	.summary = "Play, watch, analyse and write games in the browser",
	.details = "Serves a page on this machine and opens it. The first line on standard output is its address; the "
			   "token in it is asked for "
			   "with every request, so nobody else on the machine or on the network can use it. It ends on SIGINT or "
			   "SIGTERM.\n\n"
			   "The page shows the games of the library. Files add to them: rulesheets (.kif, .gdl), records of "
			   "matches (.json), networks "
			   "(.xml, also packed), results of tournaments (.db). Nothing else on the disk can be read through the "
			   "page. See docs/web.md.",
	.options = options,
	.size = sizeof(struct web_options),
	.example = "macaw web",
	.run = run,
};
