/* Lines of the access log: time, sender, message, status, reply, duration, reason. */
#include "net/player/access_log.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <time.h>

#define SHOWN 160 /* bytes of a reply or a reason */

bool access_log_open(struct access_log *l, const char *path,
                     void (*line)(void *context, const char *line, size_t length), void *context)
{
	thread_mutex_init(&l->lock);
	l->line = line;
	l->context = context;
	l->file = path ? fopen(path, "a") : NULL;
	if (!path || l->file)
		return true;
	int reason = errno;
	thread_mutex_free(&l->lock);
	errno = reason;
	return false;
}

void access_log_close(struct access_log *l)
{
	if (l->file)
		fclose(l->file);
	thread_mutex_free(&l->lock);
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

static void put_time(struct text *line)
{
	char stamp[32];
	struct timespec now;
	struct tm tm;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &tm);
	text_printf(line, "%s.%03ldZ ", stamp, now.tv_nsec / 1000000);
}

static void put_out(struct access_log *l, const struct text *line)
{
	thread_lock(&l->lock);
	if (l->file) {
		fwrite(line->at, 1, line->n, l->file);
		fflush(l->file);
	} else if (l->line) {
		l->line(l->context, line->at, line->n);
	}
	thread_unlock(&l->lock);
}

void access_log_line(struct access_log *l, const struct sockaddr *from, const char *what, int status, double seconds,
                     const char *reply, const char *why)
{
	struct text line = {0};
	put_time(&line);
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
	put_out(l, &line);
	text_free(&line);
}
