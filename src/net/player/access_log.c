#include "net/player/access_log.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#define SHOWN 160 /* bytes of a reply or a reason */

bool access_log_open(struct access_log *j, const char *path)
{
	pthread_mutex_init(&j->lock, NULL);
	j->file = path ? fopen(path, "a") : NULL;
	return !path || j->file;
}

void access_log_close(struct access_log *j)
{
	if (j->file)
		fclose(j->file);
	pthread_mutex_destroy(&j->lock);
}

static void put_address(const struct sockaddr *from, struct text *line)
{
	char name[INET6_ADDRSTRLEN] = "?";
	if (from && from->sa_family == AF_INET)
		inet_ntop(AF_INET, &((const struct sockaddr_in *)from)->sin_addr, name, sizeof name);
	else if (from && from->sa_family == AF_INET6)
		inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)from)->sin6_addr, name, sizeof name);
	text_puts(line, name);
}

void access_log_line(struct access_log *j, const struct sockaddr *from, const char *what, int status, double seconds,
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
	put_address(from, &line);
	text_putc(&line, ' ');
	text_plain(&line, *what ? what : "-", SHOWN);
	text_printf(&line, " -> %d ", status);
	text_plain(&line, reply, SHOWN);
	text_printf(&line, " in %.1f ms", seconds * 1000);
	if (*why) {
		text_puts(&line, "; ");
		text_plain(&line, why, SHOWN);
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
