#include "net/gate.h"

#include "base/clock.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SHOWN 160 /* bytes of a reply or a reason */

/* ---- the gate ------------------------------------------------------------------------------ */

void gate_open(struct gate *g)
{
	pthread_mutex_init(&g->lock, NULL);
}

void gate_close(struct gate *g)
{
	vec_free(&g->waiting);
	pthread_mutex_destroy(&g->lock);
}

static void drop(struct gate *g, size_t i)
{
	memmove(g->waiting.at + i, g->waiting.at + i + 1, (--g->waiting.n - i) * sizeof *g->waiting.at);
}

/* The socket stays open, and its number taken, until the server hears of it: so the
 * number cannot mean another connection. */
static void turn_away(struct gate *g, size_t i)
{
	shutdown(g->waiting.at[i].fd, SHUT_RDWR);
	drop(g, i);
}

void gate_enter(struct gate *g, int fd)
{
	pthread_mutex_lock(&g->lock);
	if (g->waiting.n >= GATE_HALF_OPEN)
		turn_away(g, 0);
	vec_push(&g->waiting, (struct visitor){fd, clock_now()});
	pthread_mutex_unlock(&g->lock);
}

void gate_pass(struct gate *g, int fd)
{
	pthread_mutex_lock(&g->lock);
	for (size_t i = 0; i < g->waiting.n; i++)
		if (g->waiting.at[i].fd == fd) {
			drop(g, i);
			break;
		}
	pthread_mutex_unlock(&g->lock);
}

void gate_leave(struct gate *g, int fd)
{
	gate_pass(g, fd);
}

void gate_watch(struct gate *g, double now)
{
	pthread_mutex_lock(&g->lock);
	while (g->waiting.n && now - g->waiting.at[0].since > GATE_PATIENCE)
		turn_away(g, 0);
	pthread_mutex_unlock(&g->lock);
}

/* ---- the journal --------------------------------------------------------------------------- */

bool journal_open(struct journal *j, const char *path)
{
	pthread_mutex_init(&j->lock, NULL);
	j->file = path ? fopen(path, "a") : NULL;
	return !path || j->file;
}

void journal_close(struct journal *j)
{
	if (j->file)
		fclose(j->file);
	pthread_mutex_destroy(&j->lock);
}

static void put_address(struct MHD_Connection *c, struct text *line)
{
	const union MHD_ConnectionInfo *info = c ? MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS) : NULL;
	char name[INET6_ADDRSTRLEN] = "?";
	if (info && info->client_addr->sa_family == AF_INET)
		inet_ntop(AF_INET, &((struct sockaddr_in *)info->client_addr)->sin_addr, name, sizeof name);
	else if (info && info->client_addr->sa_family == AF_INET6)
		inet_ntop(AF_INET6, &((struct sockaddr_in6 *)info->client_addr)->sin6_addr, name, sizeof name);
	text_puts(line, name);
}

/* What a stranger wrote, on one line and without control characters. */
static void put_plain(const char *s, struct text *line)
{
	size_t n = 0;
	for (; *s && n < SHOWN; s++, n++)
		text_putc(line, (unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s);
	if (*s)
		text_puts(line, "...");
}

void journal_line(struct journal *j, struct MHD_Connection *c, const char *what, int status, double seconds,
                  const char *reply, const char *why)
{
	struct text line = {0};
	char stamp[32];
	struct timespec now;
	struct tm tm;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &tm);
	text_printf(&line, "%s.%03ldZ ", stamp, now.tv_nsec / 1000000);
	put_address(c, &line);
	text_putc(&line, ' ');
	put_plain(*what ? what : "-", &line);
	text_printf(&line, " -> %d ", status);
	put_plain(reply, &line);
	text_printf(&line, " in %.1f ms", seconds * 1000);
	if (*why) {
		text_puts(&line, "; ");
		put_plain(why, &line);
	}
	text_putc(&line, '\n');
	pthread_mutex_lock(&j->lock);
	struct pollfd p = {STDERR_FILENO, POLLOUT, 0};
	if (j->file) {
		fwrite(line.at, 1, line.n, j->file);
		fflush(j->file);
	} else if (poll(&p, 1, 0) == 1 && p.revents & POLLOUT) {
		ssize_t n = write(STDERR_FILENO, line.at, line.n);
		(void)n;
	}
	pthread_mutex_unlock(&j->lock);
	text_free(&line);
}
