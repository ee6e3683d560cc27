/* Files and JSON objects, as several commands write them. */
#include "cli/output.h"

#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int cannot_write(const char *command, const char *path, int why)
{
	fprintf(stderr, "macaw %s: cannot write %s%s%s\n", command, path, why ? ": " : "", why ? strerror(why) : "");
	return EXIT_MACHINE;
}

int output_try(const char *command, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "ab") : stdout;
	if (f && f != stdout)
		fclose(f);
	return f ? EXIT_DONE : cannot_write(command, path, errno);
}

int output_file(const char *command, const char *path, const char *text)
{
	if (!text) {
		fprintf(stderr, "macaw %s: out of memory\n", command);
		return EXIT_MACHINE;
	}
	size_t n = strlen(text);
	errno = 0;
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(text, 1, n, f) == n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	return ok ? EXIT_DONE : cannot_write(command, path, errno);
}

void output_line(struct text *t)
{
	puts(text_str(t));
	text_free(t);
}

void output_seconds(struct json_writer *w, const char *key, double seconds)
{
	char digits[40];
	snprintf(digits, sizeof digits, "%.6f", seconds);
	jsonw_raw(w, key, digits);
}
