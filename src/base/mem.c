/* The heap, scopes of blocks, and the way out when there is no memory.
 *
 * In front of what the caller gets stands a `struct head`, and in front of that,
 * when the block belongs to a scope, a `struct link`:
 *
 *     [link] [head] bytes of the caller…
 *
 * Blocks in no scope do without the link. Under AddressSanitizer the head is
 * poisoned while the caller has the block, so writing in front of it is found. */
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define HIDE(head) __asan_poison_memory_region(head, sizeof *(head))
#define SHOW(head) __asan_unpoison_memory_region(head, sizeof *(head))
#else
#define HIDE(head) ((void)0)
#define SHOW(head) ((void)0)
#endif

struct link {
	struct link *next, *previous;
};

struct head {
	struct mem_scope *scope; /* NULL: none, and no link */
	uint64_t size : 56;      /* of the whole block */
	uint64_t front : 8;      /* bytes from its beginning to those of the caller */
};

#define SIZE_LIMIT (((size_t)1 << 56) - 1)

enum {
	FRONT_FREE = sizeof(struct head),
	FRONT_LINKED = sizeof(struct link) + sizeof(struct head),
	FRONT_ALIGNED = 64,
};

_Static_assert(FRONT_FREE % 16 == 0 && FRONT_LINKED % 16 == 0, "blocks are aligned to 16 bytes");

struct mem_resource { /* a block of its scope */
	struct mem_resource *next, *previous;
	struct mem_scope *scope;
	void (*release)(void *);
	void *context;
};

struct mem_scope {
	atomic_bool lock;
	struct link blocks;             /* a ring */
	struct mem_resource *resources; /* newest first */
	size_t bytes, count, limit;
	bool refused;  /* a block did not fit the limit */
	bool released; /* gone with its last block and its last part */
	/* What mem_whole() added is a scope of its own, part of another that is freed with it. */
	struct mem_scope *parent, *parts, *next, *previous;
};

static _Thread_local struct {
	struct mem_scope *scope;
	struct mem_fault *fault;
	struct mem_attempt *attempt;
	struct mem_cleanup *cleanups; /* newest first */
} here;

/* ---- failure ------------------------------------------------------------------------------------------------ */

/* Each is popped before it runs, so that one which fails itself is not run twice. */
static _Noreturn void abandon(struct mem_attempt *a)
{
	while (here.cleanups != a->cleanups) {
		struct mem_cleanup *c = here.cleanups;
		here.cleanups = c->previous;
		c->run(c->context);
	}
	longjmp(a->way_out, 1);
}

static _Noreturn void out_of_memory(size_t count, size_t size)
{
	if (here.attempt)
		abandon(here.attempt);
	fprintf(stderr, "%s: out of memory (asked for %zu x %zu bytes)\n", program_invocation_short_name, count, size);
	exit(3);
}

void mem_fail(void)
{
	if (here.attempt)
		abandon(here.attempt);
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	exit(3);
}

void mem_try_begin(struct mem_attempt *a, struct mem_scope *s)
{
	a->outer = here.attempt;
	a->scope = here.scope;
	a->cleanups = here.cleanups;
	a->done = false;
	here.attempt = a;
	here.scope = s;
}

bool mem_try_end(struct mem_attempt *a)
{
	assert(here.attempt == a && here.cleanups == a->cleanups);
	here.attempt = a->outer;
	here.scope = a->scope;
	return a->done;
}

bool mem_try(struct mem_scope *s, void (*work)(void *), void *context)
{
	bool done;
	MEM_TRY(done, s, work(context));
	return done;
}

bool mem_in_try(void)
{
	return here.attempt;
}

void mem_cleanup_push(struct mem_cleanup *c, void (*run)(void *), void *context)
{
	*c = (struct mem_cleanup){run, context, here.cleanups};
	here.cleanups = c;
}

void mem_cleanup_pop(struct mem_cleanup *c)
{
	struct mem_cleanup **at = &here.cleanups, *end = here.attempt ? here.attempt->cleanups : NULL;
	for (; *at != c; at = &(*at)->previous)
		assert(*at && *at != end);
	assert(c != end);
	*at = c->previous;
}

/* Counts down to the allocation that is to fail. */
static bool strikes(struct mem_fault *fault)
{
	size_t left = atomic_load(&fault->left);
	while (left && !atomic_compare_exchange_weak(&fault->left, &left, left - 1))
		;
	return left == 1;
}

void mem_fail_after(struct mem_fault *fault, size_t n)
{
	atomic_store(&fault->left, n);
	here.fault = n ? fault : NULL;
}

struct mem_heritage mem_hand_on(void)
{
	return (struct mem_heritage){here.scope, here.fault, here.attempt};
}

void mem_inherit(const struct mem_heritage *h)
{
	here.scope = h->scope;
	here.fault = h->fault;
}

/* ---- scopes ------------------------------------------------------------------------------------------------- */

/* Held for a few instructions only. */
static void lock(struct mem_scope *s)
{
	while (atomic_exchange_explicit(&s->lock, true, memory_order_acquire))
		for (int i = 0; atomic_load_explicit(&s->lock, memory_order_relaxed); i++)
			if (i >= 100)
				sched_yield(); /* the holder may wait for this processor */
}

static void unlock(struct mem_scope *s)
{
	atomic_store_explicit(&s->lock, false, memory_order_release);
}

struct mem_scope *mem_scope_new(void)
{
	if (here.fault && strikes(here.fault))
		return NULL;
	struct mem_scope *s = calloc(1, sizeof *s);
	if (s)
		s->blocks = (struct link){&s->blocks, &s->blocks};
	return s;
}

void mem_scope_free(struct mem_scope *s)
{
	if (!s)
		return;
	assert(s != here.scope);
	while (s->resources) {
		struct mem_resource r = *s->resources;
		mem_disown(s->resources);
		r.release(r.context);
	}
	for (struct mem_scope *part = s->parts, *next; part; part = next) {
		next = part->next;
		mem_scope_free(part);
	}
	for (struct link *l = s->blocks.next, *next; l != &s->blocks; l = next) {
		next = l->next;
		free(l);
	}
	free(s);
}

/* Nothing is left of a released scope: it goes, and perhaps the one it is a part of. */
static void vanish(struct mem_scope *s)
{
	struct mem_scope *parent = s->parent;
	if (parent) {
		lock(parent);
		*(s->previous ? &s->previous->next : &parent->parts) = s->next;
		if (s->next)
			s->next->previous = s->previous;
		bool last = parent->released && !parent->count && !parent->parts;
		unlock(parent);
		if (last)
			vanish(parent);
	}
	free(s);
}

void mem_scope_release(struct mem_scope *s)
{
	if (!s)
		return;
	assert(s != here.scope);
	lock(s);
	s->released = true;
	bool last = !s->count && !s->parts;
	unlock(s);
	if (last)
		vanish(s);
}

static void become_part(struct mem_scope *s, struct mem_scope *parent)
{
	lock(parent);
	s->parent = parent;
	s->next = parent->parts;
	if (s->next)
		s->next->previous = s;
	parent->parts = s;
	unlock(parent);
}

void mem_whole(void (*work)(void *), void *context)
{
	if (!here.attempt) { /* a failure ends the program anyway */
		work(context);
		return;
	}
	struct mem_scope *s = mem_scope_new();
	if (!s)
		mem_fail();
	s->limit = here.scope ? here.scope->limit : 0;
	if (!mem_try(s, work, context)) {
		mem_scope_free(s);
		mem_fail();
	}
	if (here.scope)
		become_part(s, here.scope);
	mem_scope_release(s);
}

bool mem_part(size_t limit, void (*work)(void *), void *context)
{
	struct mem_scope *s = mem_scope_new();
	if (!s)
		mem_fail();
	s->limit = limit;
	if (!mem_try(s, work, context)) {
		bool refused = s->refused;
		mem_scope_free(s);
		if (!refused) /* there was no memory at all */
			mem_fail();
		return false;
	}
	mem_scope_limit(s, here.scope ? here.scope->limit : 0);
	if (here.scope)
		become_part(s, here.scope);
	mem_scope_release(s);
	return true;
}

struct mem_resource *mem_own(void (*release)(void *), void *context)
{
	struct mem_scope *s = here.scope;
	struct mem_cleanup no_memory;
	if (!s)
		return NULL;
	mem_cleanup_push(&no_memory, release, context);
	struct mem_resource *r = mem_alloc(1, sizeof *r);
	mem_cleanup_pop(&no_memory);
	lock(s);
	*r = (struct mem_resource){.next = s->resources, .scope = s, .release = release, .context = context};
	if (r->next)
		r->next->previous = r;
	s->resources = r;
	unlock(s);
	return r;
}

void mem_disown(struct mem_resource *r)
{
	if (!r)
		return;
	lock(r->scope);
	if (r->next)
		r->next->previous = r->previous;
	*(r->previous ? &r->previous->next : &r->scope->resources) = r->next;
	unlock(r->scope);
	mem_free(r);
}

void mem_scope_limit(struct mem_scope *s, size_t bytes)
{
	lock(s);
	s->limit = bytes;
	unlock(s);
}

struct mem_scope *mem_scope_enter(struct mem_scope *s)
{
	struct mem_scope *previous = here.scope;
	here.scope = s;
	return previous;
}

void mem_scope_leave(struct mem_scope *previous)
{
	here.scope = previous;
}

struct mem_scope *mem_scope_current(void)
{
	return here.scope;
}

size_t mem_room(struct mem_scope *s)
{
	if (!s)
		return SIZE_MAX;
	lock(s);
	size_t room = !s->limit ? SIZE_MAX : s->bytes < s->limit ? s->limit - s->bytes : 0;
	unlock(s);
	return room;
}

size_t mem_bytes(struct mem_scope *s)
{
	lock(s);
	size_t bytes = s->bytes;
	unlock(s);
	return bytes;
}

size_t mem_blocks(struct mem_scope *s)
{
	lock(s);
	size_t count = s->count;
	unlock(s);
	return count;
}

/* The lock is held across the fork: in the child no thread is left that could give it back. */
int mem_fork(void)
{
	struct mem_scope *s = here.scope;
	if (s)
		lock(s);
	pid_t pid = fork();
	if (s)
		unlock(s);
	if (!pid) {
		here.scope = NULL;
		here.attempt = NULL;
		here.cleanups = NULL;
	}
	return pid;
}

/* May `less` bytes become `more`? The lock is held. */
static bool has_room(struct mem_scope *s, size_t less, size_t more)
{
	size_t others = s->bytes - less;
	bool fits = !s->limit || more <= less || (others <= s->limit && more <= s->limit - others);
	s->refused |= !fits;
	return fits;
}

static void link_in(struct mem_scope *s, struct link *l)
{
	*l = (struct link){&s->blocks, s->blocks.previous};
	l->previous->next = l->next->previous = l;
}

static void link_out(struct link *l)
{
	l->previous->next = l->next;
	l->next->previous = l->previous;
}

/* False: there is no room for it. */
static bool enlist(struct mem_scope *s, struct link *l, size_t size)
{
	lock(s);
	bool fits = has_room(s, 0, size);
	if (fits) {
		link_in(s, l);
		s->bytes += size;
		s->count++;
	}
	unlock(s);
	return fits;
}

static void strike_off(struct mem_scope *s, struct link *l, size_t size)
{
	lock(s);
	link_out(l);
	s->bytes -= size;
	s->count--;
	bool last = s->released && !s->count && !s->parts;
	unlock(s);
	if (last)
		vanish(s);
}

/* To `n` bytes; NULL: the block stays as it is. While it may move it is out of the ring, or its
 * neighbours would write to the place it has left. */
static void *resize_linked(struct mem_scope *s, void *start, size_t old, size_t n)
{
	lock(s);
	bool fits = has_room(s, old, n);
	if (fits) {
		link_out(start);
		s->bytes += n - old;
	}
	unlock(s);
	if (!fits)
		return NULL;
	void *moved = realloc(start, n);
	lock(s);
	link_in(s, moved ? moved : start);
	if (!moved)
		s->bytes -= n - old;
	unlock(s);
	return moved;
}

/* ---- blocks ------------------------------------------------------------------------------------------------- */

/* Bytes of a whole block, or 0 when there cannot be such a block. */
static size_t whole(size_t front, size_t count, size_t size)
{
	size_t n;
	if (__builtin_mul_overflow(count, size, &n) || __builtin_add_overflow(n ? n : 1, front, &n) || n > SIZE_LIMIT ||
	    (here.fault && strikes(here.fault)))
		return 0;
	return n;
}

static struct head *head_of(void *p)
{
	return (struct head *)p - 1;
}

/* Makes a block of the memory, or gives it back and returns NULL. */
static void *settle(void *start, size_t front, size_t n)
{
	struct mem_scope *s = here.scope;
	if (!start)
		return NULL;
	if (s && !enlist(s, start, n)) {
		free(start);
		return NULL;
	}
	void *p = (char *)start + front;
	struct head *h = head_of(p);
	*h = (struct head){.scope = s, .size = n & SIZE_LIMIT, .front = front & 0xff};
	HIDE(h);
	return p;
}

static size_t front_now(void)
{
	return here.scope ? FRONT_LINKED : FRONT_FREE;
}

void *mem_alloc(size_t count, size_t size)
{
	size_t front = front_now(), n = whole(front, count, size);
	void *p = n ? settle(malloc(n), front, n) : NULL;
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *mem_zalloc(size_t count, size_t size)
{
	size_t front = front_now(), n = whole(front, count, size);
	void *p = n ? settle(calloc(1, n), front, n) : NULL;
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *mem_align(size_t count, size_t size)
{
	size_t n = (whole(FRONT_ALIGNED, count, size) + 63) & ~(size_t)63;
	void *p = n ? settle(aligned_alloc(64, n), FRONT_ALIGNED, n) : NULL;
	if (!p)
		out_of_memory(count, size);
	return memset(p, 0, n - FRONT_ALIGNED);
}

struct mem_scope *mem_scope_of(const void *block)
{
	const struct head *h = (const struct head *)block - 1;
	SHOW(h);
	struct mem_scope *s = h->scope;
	HIDE(h);
	return s;
}

void *mem_beside(const void *block, size_t count, size_t size)
{
	struct mem_scope *before = here.scope;
	if (block)
		here.scope = mem_scope_of(block);
	void *p = mem_alloc(count, size);
	here.scope = before;
	return p;
}

void *mem_resize(void *old, size_t count, size_t size)
{
	if (!old)
		return mem_alloc(count, size);
	struct head *h = head_of(old);
	SHOW(h);
	struct head was = *h;
	void *start = (char *)old - was.front;
	size_t n = whole(was.front, count, size);
	void *moved = !n ? NULL : was.scope ? resize_linked(was.scope, start, was.size, n) : realloc(start, n);
	if (!moved) {
		HIDE(h);
		out_of_memory(count, size);
	}
	void *p = (char *)moved + was.front;
	h = head_of(p);
	h->size = n & SIZE_LIMIT;
	HIDE(h);
	return p;
}

void mem_free(void *p)
{
	if (!p)
		return;
	struct head *h = head_of(p);
	SHOW(h);
	void *start = (char *)p - h->front;
	if (h->scope)
		strike_off(h->scope, start, h->size);
	free(start);
}

/* ---- the machine -------------------------------------------------------------------------------------------- */

size_t mem_physical(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
}

/* What the kernel guesses, and what the process may still have by its own limits. */
size_t mem_available(void)
{
	size_t kilobytes = 0, bytes = mem_physical() / 2;
	char line[128];
	struct rlimit limit;
	FILE *f = fopen("/proc/meminfo", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "MemAvailable: %zu kB", &kilobytes) == 1)
			bytes = kilobytes << 10;
	if (f)
		fclose(f);
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
		bytes = limit.rlim_cur;
	return bytes < (size_t)16 << 20 ? (size_t)16 << 20 : bytes;
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
