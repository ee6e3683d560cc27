#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void out_of_memory(size_t count, size_t size)
{
	fprintf(stderr, "macaw: out of memory (asked for %zu x %zu bytes)\n", count, size);
	exit(3);
}

static size_t bytes(size_t count, size_t size)
{
	size_t n;
	if (__builtin_mul_overflow(count, size, &n))
		out_of_memory(count, size);
	return n ? n : 1;
}

void *mem_alloc(size_t count, size_t size)
{
	void *p = malloc(bytes(count, size));
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *mem_zalloc(size_t count, size_t size)
{
	bytes(count, size);
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *mem_align(size_t count, size_t size)
{
	size_t n = (bytes(count, size) + 63) & ~(size_t)63;
	void *p = aligned_alloc(64, n);
	if (!p)
		out_of_memory(count, size);
	return memset(p, 0, n);
}

void *mem_resize(void *old, size_t count, size_t size)
{
	void *p = realloc(old, bytes(count, size));
	if (!p)
		out_of_memory(count, size);
	return p;
}

void mem_free(void *p)
{
	free(p);
}

size_t mem_physical(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
}

size_t mem_resident(void)
{
	size_t total = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f) {
		if (fscanf(f, "%zu %zu", &total, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}
