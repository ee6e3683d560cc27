#include "run.h"

#include "base/mem.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Output goes to files, not pipes: nobody has to read two ends at a time. */
static void take(FILE *f, struct text *into)
{
	char piece[4096];
	rewind(f);
	for (size_t n; (n = fread(piece, 1, sizeof piece, f));)
		text_add(into, piece, n);
	fclose(f);
}

struct run run_words(const char *program, char *const *argv)
{
	struct run r = {.status = -1};
	FILE *out = tmpfile(), *err = tmpfile();
	if (!out || !err)
		abort();
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDONLY);
		dup2(null, STDIN_FILENO);
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		execvp(program, argv);
		_exit(127);
	}
	int status;
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		r.status = WEXITSTATUS(status);
	take(out, &r.out);
	take(err, &r.err);
	return r;
}

struct run run_macaw(const char *first, ...)
{
	const char *program = getenv("MACAW"), *argv[32] = {"macaw"};
	int n = 1;
	va_list ap;
	va_start(ap, first);
	for (const char *w = first; w && n < 31; w = va_arg(ap, const char *))
		argv[n++] = w;
	va_end(ap);
	return run_words(program ? program : "build/macaw", unconst(argv));
}

void run_free(struct run *r)
{
	text_free(&r->out);
	text_free(&r->err);
}
