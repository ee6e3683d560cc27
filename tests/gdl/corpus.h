/* The public rulesheets beside the repository, when they are there. */
#ifndef TESTS_GDL_CORPUS_H
#define TESTS_GDL_CORPUS_H

#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MACAW_CORPUS, or ../shared/games as seen from the source or working folder. */
static inline const char *corpus_folder(void)
{
	static char path[4096];
	const char *given = getenv("MACAW_CORPUS"), *source = getenv("MESON_SOURCE_ROOT");
	const char *tries[] = {given, "../shared/games", "../../shared/games", NULL};
	char beside[4096];
	snprintf(beside, sizeof beside, "%s/../shared/games", source ? source : ".");
	tries[3] = beside;
	for (size_t i = 0; i < 4; i++) {
		DIR *d = tries[i] ? opendir(tries[i]) : NULL;
		if (!d)
			continue;
		closedir(d);
		snprintf(path, sizeof path, "%s", tries[i]);
		return path;
	}
	return NULL;
}

/* Calls f for each rulesheet of a subfolder ("" for the main one); how many. */
static inline size_t corpus_each(const char *sub, void (*f)(const char *name, const struct text *t, void *data), void *data)
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
			struct text t = {0};
			snprintf(path, sizeof path, "%s/%s/%s", folder, sub, list[i]->d_name);
			const char *error = text_read_file(&t, path, (size_t)1 << 28);
			if (error) {
				fprintf(stderr, "%s\n", error);
			} else {
				f(list[i]->d_name, &t, data);
				count++;
			}
			text_free(&t);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return count;
}

#endif
