/* A plain mutation loop for fuzz targets, for when libFuzzer is not at hand and
 * for a few seconds in `make test`. Seeds are files and all
 * files of folders; every round takes one, splices, cuts, repeats and changes it a
 * few times, and hands it to LLVMFuzzerTestOneInput. Everything follows from the
 * seed number; input that ends the program is left in a file. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What must hold whatever the input is. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct mutate {
	VEC(struct text) seeds;
	struct rng rng;
	const char *const *words; /* pieces worth inserting, ended by NULL */
	uint32_t word_count;
};

static struct text mutate_now; /* what is being tried */
static const char *mutate_keep;

static void mutate_save(void)
{
	int f = open(mutate_keep, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (f < 0 || write(f, text_str(&mutate_now), mutate_now.n) < 0)
		_exit(99);
	close(f);
	static const char said[] = "\nthe input is kept in ";
	if (write(2, said, sizeof said - 1) > 0 && write(2, mutate_keep, strlen(mutate_keep)) > 0)
		(void)!write(2, "\n", 1);
}

static void mutate_signal(int s)
{
	mutate_save();
	signal(s, SIG_DFL);
	raise(s);
}

/* Sanitizers end the program without a signal, but call back when asked. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*f)(void));

static void mutate_add_file(struct mutate *m, const char *path)
{
	struct text t = {0};
	if (text_read_file(&t, path, (size_t)1 << 20, NULL) && t.n)
		vec_push(&m->seeds, t);
	else
		text_free(&t);
}

static void mutate_add(struct mutate *m, const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);
	if (n < 0)
		mutate_add_file(m, path);
	for (int i = 0; i < n; i++) {
		char inner[4096];
		snprintf(inner, sizeof inner, "%s/%s", path, list[i]->d_name);
		if (list[i]->d_name[0] != '.')
			mutate_add_file(m, inner);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static uint32_t mutate_below(struct mutate *m, size_t n)
{
	return n ? rng_below(&m->rng, (uint32_t)n) : 0;
}

/* Replaces [from, from + drop) of the text by n bytes. */
static void mutate_splice(struct text *t, size_t from, size_t drop, const char *s, size_t n)
{
	struct text out = {0};
	text_add(&out, text_str(t), from);
	text_add(&out, s, n);
	text_add(&out, text_str(t) + from + drop, t->n - from - drop);
	text_free(t);
	*t = out;
}

static void mutate_once(struct mutate *m, struct text *t)
{
	static const char odd[] = "()?;.,~&|'\\%\n\t\0\xff\xc3<=:-_AZ09*/ ";
	size_t from = mutate_below(m, t->n + 1), span = mutate_below(m, mutate_below(m, 2) ? 8 : 200);
	if (span > t->n - from)
		span = t->n - from;
	const struct text *other = &m->seeds.at[mutate_below(m, m->seeds.n)];
	size_t there = mutate_below(m, other->n), length = mutate_below(m, 200);
	if (length > other->n - there)
		length = other->n - there;
	char byte = odd[mutate_below(m, sizeof odd - 1)];
	switch (mutate_below(m, 7)) {
	case 0: mutate_splice(t, from, span, "", 0); break;
	case 1: mutate_splice(t, from, 0, &byte, 1); break;
	case 2: mutate_splice(t, from, span ? 1 : 0, &byte, 1); break;
	case 3: mutate_splice(t, from, span, other->at + there, length); break;
	case 4: { /* a part again, elsewhere */
		struct text part = {0};
		text_add(&part, text_str(t) + from, span);
		mutate_splice(t, mutate_below(m, t->n + 1), 0, text_str(&part), part.n);
		text_free(&part);
		break;
	}
	case 5: {
		const char *word = m->words[mutate_below(m, m->word_count)];
		mutate_splice(t, from, mutate_below(m, 2) ? span : 0, word, strlen(word));
		break;
	}
	default:
		if (from < t->n)
			t->at[from] = (char)(t->at[from] ^ (1 << mutate_below(m, 8)));
	}
}

/* A window of a seed, so that a round stays short. */
static void mutate_begin(struct mutate *m, struct text *t)
{
	const struct text *seed = &m->seeds.at[mutate_below(m, m->seeds.n)];
	size_t size = mutate_below(m, 8) ? 1500 : 20000, from = seed->n > size ? mutate_below(m, seed->n - size) : 0;
	text_add(t, seed->at + from, seed->n - from < size ? seed->n - from : size);
}

/* In memory of just its size, so that AddressSanitizer sees what reads beyond the end. */
static void mutate_try(void)
{
	uint8_t *exact = malloc(mutate_now.n ? mutate_now.n : 1);
	MUST(exact);
	memcpy(exact, text_str(&mutate_now), mutate_now.n);
	LLVMFuzzerTestOneInput(exact, mutate_now.n);
	free(exact);
}

/* argv: SECONDS FILE or FOLDER…: the seeds, tried as they are before anything else. `words` ends with NULL. */
static int mutate_main(int argc, char **argv, const char *const *words, const char *keep)
{
	struct mutate m = {.rng = rng_seed(1), .words = words};
	double seconds = argc > 1 ? atof(argv[1]) : 3;
	for (; words[m.word_count]; m.word_count++)
		;
	for (int i = 2; i < argc; i++)
		mutate_add(&m, argv[i]);
	if (!m.seeds.n) {
		fprintf(stderr, "usage: %s SECONDS FILE or FOLDER... with input to change\n", argv[0]);
		return 2;
	}
	mutate_keep = keep;
	signal(SIGSEGV, mutate_signal);
	signal(SIGABRT, mutate_signal);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(mutate_save);
	struct limit limit = limit_seconds(seconds);
	size_t rounds = 0;
	for (size_t i = 0; i < m.seeds.n && !limit_reached(&limit); i++) {
		text_free(&mutate_now);
		text_add(&mutate_now, m.seeds.at[i].at, m.seeds.at[i].n);
		mutate_try();
	}
	for (; !limit_reached(&limit); rounds++) {
		text_free(&mutate_now);
		mutate_begin(&m, &mutate_now);
		for (uint32_t k = 1 + mutate_below(&m, 6); k > 0; k--)
			mutate_once(&m, &mutate_now);
		mutate_try();
	}
	printf("%zu seeds, %zu inputs\n", m.seeds.n, rounds);
	for (size_t i = 0; i < m.seeds.n; i++)
		text_free(&m.seeds.at[i]);
	vec_free(&m.seeds);
	text_free(&mutate_now);
	return 0;
}

#endif
