#include "test.h"

#include "server.h"

#include "base/clock.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 120 /* seconds; the machine may be busy */

static struct text last;
static int last_status;

/* "listening on HOST:PORT" */
static int read_port(int fd)
{
	char line[128] = "";
	size_t n = 0;
	while (n + 1 < sizeof line && !memchr(line, '\n', n)) {
		struct pollfd p = {fd, POLLIN, 0};
		ssize_t got = poll(&p, 1, PATIENCE * 1000) == 1 ? read(fd, line + n, sizeof line - 1 - n) : 0;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	line[n] = 0;
	char *colon = strrchr(line, ':');
	assert_true(colon && !strncmp(line, "listening on 127.0.0.1:", 23));
	return atoi(colon + 1);
}

struct server server_start(const char *first, ...)
{
	const char *program = getenv("MACAW"),
			   *argv[32] = {"macaw", "serve", "--listen", "127.0.0.1:0", "--log", "/dev/null"};
	struct server s = {0};
	int n = 6, out[2];
	va_list ap;
	va_start(ap, first);
	for (const char *w = first; w && n < 31; w = va_arg(ap, const char *))
		argv[n++] = w;
	va_end(ap);
	assert_int_equal(pipe(out), 0);
	fflush(NULL);
	s.pid = fork();
	if (!s.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* no test leaves a child behind */
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execvp(program ? program : "build/macaw", unconst(argv));
		_exit(127);
	}
	close(out[1]);
	s.port = read_port(out[0]);
	close(out[0]);
	snprintf(s.address, sizeof s.address, "127.0.0.1:%d", s.port);
	return s;
}

int server_stop(struct server *s, double *seconds)
{
	int status = -1;
	double began = clock_now();
	kill(s->pid, SIGTERM);
	while (!waitpid(s->pid, &status, WNOHANG)) {
		if (clock_now() - began > PATIENCE) {
			kill(s->pid, SIGKILL);
			waitpid(s->pid, &status, 0);
			break;
		}
		nanosleep(&(struct timespec){0, 2000000}, NULL);
	}
	if (seconds)
		*seconds = clock_now() - began;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int server_connect(const struct server *s)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
	struct timeval t = {PATIENCE, 0};
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
	int failed = connect(fd, (struct sockaddr *)&a, sizeof a) ? errno : 0;
	if (failed == EINTR) { /* a child ended, and the connection is made nevertheless */
		socklen_t length = sizeof failed;
		poll(&(struct pollfd){fd, POLLOUT, 0}, 1, PATIENCE * 1000);
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
	}
	if (failed)
		fail_msg("no connection to port %d: %s", s->port, strerror(failed));
	return fd;
}

void server_send(int fd, const void *data, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t sent = send(fd, (const char *)data + done, n - done, MSG_NOSIGNAL);
		if (sent <= 0)
			return;
		done += (size_t)sent;
	}
}

int server_receive(int fd, struct text *reply)
{
	char piece[4096];
	reply->n = 0;
	text_add(reply, "", 0);
	for (ssize_t n; (n = recv(fd, piece, sizeof piece, 0)) > 0 || (n < 0 && errno == EINTR);)
		text_add(reply, piece, n > 0 ? (size_t)n : 0);
	close(fd);
	return strncmp(reply->at, "HTTP/1.", 7) ? 0 : atoi(reply->at + 9);
}

int server_status(void)
{
	return last_status;
}

static const char *body_of(struct text *reply)
{
	const char *body = strstr(reply->at, "\r\n\r\n");
	return body ? body + 4 : "";
}

const char *server_post(const struct server *s, const char *format, ...)
{
	char *body;
	va_list ap;
	va_start(ap, format);
	int n = vasprintf(&body, format, ap);
	va_end(ap);
	assert_true(n >= 0);
	struct text head = {0};
	text_printf(&head,
	            "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\n"
	            "Content-Length: %d\r\n\r\n",
	            n);
	int fd = server_connect(s);
	server_send(fd, head.at, head.n);
	server_send(fd, body, (size_t)n);
	last_status = server_receive(fd, &last);
	text_free(&head);
	free(body);
	return body_of(&last);
}

bool server_says(const struct server *s, const char *text)
{
	struct text reply = {0};
	int fd = server_connect(s);
	server_send(fd, "GET /status HTTP/1.0\r\n\r\n", 24);
	assert_int_equal(server_receive(fd, &reply), 200);
	bool found = strstr(reply.at, text) != NULL;
	text_free(&reply);
	return found;
}

double server_figure(const struct server *s, const char *name)
{
	struct text reply = {0}, key = {0};
	int fd = server_connect(s);
	server_send(fd, "GET /status HTTP/1.0\r\n\r\n", 24);
	assert_int_equal(server_receive(fd, &reply), 200);
	text_printf(&key, "\"%s\":", name);
	const char *at = strstr(reply.at, key.at);
	assert_non_null(at);
	double x = strtod(at + key.n, NULL);
	text_free(&reply);
	text_free(&key);
	return x;
}

const char *server_rules(const char *game)
{
	static struct text rules;
	struct text path = {0}, source = {0};
	const char *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/games/%s.kif", root ? root : ".", game);
	assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
	rules.n = 0;
	for (const char *c = source.at; *c; c++) {
		if (*c == ';')
			c += strcspn(c, "\n");
		text_putc(&rules, *c == '\n' ? ' ' : *c);
		if (!*c)
			break;
	}
	text_free(&path);
	text_free(&source);
	return rules.at;
}
