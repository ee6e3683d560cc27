/* The public rulesheets beside the repository, when they are there. */
#ifndef TESTS_GDL_CORPUS_H
#define TESTS_GDL_CORPUS_H

#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MACAW_CORPUS, or ../shared/games as seen from the source. */
static inline const char *corpus_folder(void)
{
	static char path[4096];
	const char *given = getenv("MACAW_CORPUS"), *source = getenv("MACAW_SOURCE");
	if (given)
		snprintf(path, sizeof path, "%s", given);
	else
		snprintf(path, sizeof path, "%s/../shared/games", source ? source : ".");
	DIR *d = opendir(path);
	if (d)
		closedir(d);
	return d ? path : NULL;
}

/* Calls f for each rulesheet of a subfolder ("" for the main one); how many. */
static inline size_t corpus_each(const char *sub, void (*f)(const char *name, const struct text *t, void *data),
                                 void *data)
{
	const char *folder = corpus_folder();
	char path[8192];
	size_t count = 0;
	if (!folder)
		return 0;
	snprintf(path, sizeof path, "%s/%s", folder, sub);
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(list[i]->d_name, '.');
		if (dot && !strcmp(dot, ".kif")) {
			struct text t = {0}, error = {0};
			snprintf(path, sizeof path, "%s/%s/%s", folder, sub, list[i]->d_name);
			if (!text_read_file(&t, path, (size_t)1 << 28, &error)) {
				fprintf(stderr, "%s\n", error.at);
			} else {
				f(list[i]->d_name, &t, data);
				count++;
			}
			text_free(&t);
			text_free(&error);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return count;
}

#endif
