/* Files and JSON objects, as several commands write them. */
#include "cli/output.h"

#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

int output_file(const char *command, const char *path, const char *text)
{
	if (!text) {
		fprintf(stderr, "macaw %s: out of memory\n", command);
		return EXIT_MACHINE;
	}
	size_t n = strlen(text);
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(text, 1, n, f) == n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "macaw %s: cannot write %s\n", command, path);
	return ok ? EXIT_DONE : EXIT_MACHINE;
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
