/* The only access to the heap. Sizes are checked for overflow, and no caller ever
 * sees NULL: when there is no memory, the allocation does not return at all.
 *
 * What happens then. The failure goes to the innermost mem_try() of the thread:
 * the clean-ups pushed since it began are run, the newest first, its work is
 * abandoned where it stands, and it returns false. A thread that is in no
 * mem_try() prints a message and ends the program with status 3.
 *
 * Ownership. A block belongs to the scope that was current when it was
 * allocated, for good: resizing and freeing find that scope in the block,
 * whatever is current then and on whatever thread. mem_scope_free() frees all
 * that is left in the scope. A block allocated while no scope is current belongs
 * to the holder of the pointer. Containers grow in the scope in which they began
 * (VECs by mem_resize(), arenas and tables by mem_beside()). A function that adds
 * something new to an object that may be of another scope enters that scope first,
 * mem_scope_of(object), or what it adds dies with the wrong one.
 *
 * After a failure. Work that was abandoned leaves its objects half changed. Free
 * such an object together with its scope (mem_scope_free() alone, not its own
 * destructor) and do not use it again, not even to read it. What belongs to
 * other scopes and was not being changed is as good as before.
 *
 * Other resources. What is not a block of ours (open files, sockets, maps,
 * processes, objects of other libraries) is given to the current scope by
 * mem_own() and taken back by mem_disown() when it is released as usual. What is
 * left is released when the scope is freed, the newest first and before any block.
 *
 * Clean-ups are for what cannot wait until then: locks (base/thread.h pushes those
 * itself) and threads that are still running. The record is the caller's, on the
 * stack or in the object. What was pushed inside a mem_try() is popped inside it,
 * and what was pushed outside is not. A function that leaves its callers by a
 * longjmp of its own must not skip a mem_try() or a pushed clean-up.
 *
 * Threads. The current scope, the tries and the clean-ups are each thread's own;
 * thread_start() in base/thread.h hands the scope on. A scope may be used by
 * many threads at once, but is freed when none uses it any more.
 *
 * What is not caught. Memory that other libraries take for themselves (CaDiCaL,
 * nauty, libxml2, jansson, curl, microhttpd, the C library's streams) belongs to
 * no scope, counts towards no limit and fails as that library likes; C++ code
 * ends the program. A failure must not jump over frames of another library: a
 * callback that allocates runs its body in a mem_try() of its own, asks the
 * library to stop, and calls mem_fail() when the library has returned. A system
 * that promises more memory than it has kills processes without asking anyone:
 * only a limit in bytes, here or of the system, makes that an orderly failure. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t count, size_t size);  /* uninitialised */
void *mem_zalloc(size_t count, size_t size); /* zeroed */
void *mem_align(size_t count, size_t size);  /* zeroed, aligned to 64 bytes until it is resized; freed with mem_free */
void *mem_resize(void *old, size_t count, size_t size); /* when it fails, the old block is as before */
void mem_free(void *p);
void *mem_beside(const void *block, size_t count,
                 size_t size); /* mem_alloc() in the scope of a block; NULL: the current one */

#define NEW(type) ((type *)mem_zalloc(1, sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)mem_zalloc((n), sizeof(type)))

/* The same pointer without `const`: for libraries that do not say it, and for the locks and caches of what a caller
 * holds as unchanging. */
static inline void *unconst(const void *p)
{
	return (void *)(uintptr_t)p;
}

/* ---- scopes ---- */

struct mem_scope;

struct mem_scope *mem_scope_new(void);    /* NULL: no memory; it belongs to no other scope */
void mem_scope_free(struct mem_scope *s); /* with all that is in it; NULL is nothing */
/* The end of a scope whose owner has freed what was its own: blocks that are left were handed on, live on with
 * their holders, and the scope goes with the last of them. NULL is nothing. */
void mem_scope_release(struct mem_scope *s);
void mem_scope_limit(struct mem_scope *s, size_t bytes); /* for all its blocks together; 0: none */

/* Makes it the current scope of this thread (NULL: none); returns the one before, for mem_scope_leave(). */
struct mem_scope *mem_scope_enter(struct mem_scope *s);
void mem_scope_leave(struct mem_scope *previous);
struct mem_scope *mem_scope_current(void);
struct mem_scope *mem_scope_of(const void *block); /* NULL: none */

size_t mem_room(struct mem_scope *s);   /* what its limit leaves; SIZE_MAX: it has none */
size_t mem_bytes(struct mem_scope *s);  /* in its blocks now, with what is needed to administer them */
size_t mem_blocks(struct mem_scope *s); /* allocated and not freed */

/* Releases the context at once, and fails, when there is no memory to note it. NULL: no scope is
 * current and nothing was noted. The release may use blocks of the scope, but nothing on a stack. */
struct mem_resource *mem_own(void (*release)(void *), void *context);
void mem_disown(struct mem_resource *r); /* without releasing it; NULL is nothing */

/* ---- failure ---- */

/* Does the work with this scope current. False: memory ran out and the work was abandoned. */
bool mem_try(struct mem_scope *s, void (*work)(void *), void *context);

/* The same around statements instead of a function; `done` is a bool of the caller's:
 *
 *     MEM_TRY(done, scope, add(list, x); list->changed = true);
 *     if (!done)
 *         ...
 *
 * The statements must not return or jump out. After a failure the value of every local variable that
 * they changed is undefined. */
#define MEM_TRY(succeeded, scope, ...) \
	do { \
		struct mem_attempt attempt_; \
		mem_try_begin(&attempt_, scope); \
		if (!setjmp(attempt_.way_out)) { \
			__VA_ARGS__; \
			attempt_.done = true; \
		} \
		(succeeded) = mem_try_end(&attempt_); \
	} while (0)

struct mem_attempt { /* for MEM_TRY only */
	jmp_buf way_out;
	struct mem_attempt *outer;
	struct mem_scope *scope;      /* current before it */
	struct mem_cleanup *cleanups; /* pushed before it */
	volatile bool done;
};

void mem_try_begin(struct mem_attempt *a, struct mem_scope *s);
bool mem_try_end(struct mem_attempt *a);
/* Does the work in a scope of its own with a limit in bytes (0: none), which holds while the work is done. Afterwards
 * what it made belongs to the current scope. False: it did not fit the limit, and all that it made is gone. */
bool mem_part(size_t limit, void (*work)(void *), void *context);

bool mem_in_try(void); /* would a failure be caught? */

/* Does the work with its blocks all or none: when it fails, what it has allocated is freed and the failure goes on;
 * when it is done, the blocks live on with their holders, or go with the current scope. For what is added to an object
 * that is complete without it. */
void mem_whole(void (*work)(void *), void *context);

_Noreturn void mem_fail(void); /* as if an allocation had failed here */

struct mem_cleanup {
	void (*run)(void *);
	void *context;
	struct mem_cleanup *previous;
};

void mem_cleanup_push(struct mem_cleanup *c, void (*run)(void *), void *context);
void mem_cleanup_pop(struct mem_cleanup *c); /* without running it; mostly the newest, but it need not be */

/* fork() for a process with scopes. The child is in no scope and no mem_try(), has no clean-ups
 * and may free blocks of the scope that was current. */
int mem_fork(void);

/* ---- tests ---- */

/* The n-th allocation from now on fails, of this thread and of those it starts from now on taken
 * together; only that one. The fault is the caller's and `left` is 0 when it has struck. n = 0: no more faults. */
struct mem_fault {
	atomic_size_t left;
};

void mem_fail_after(struct mem_fault *fault, size_t n);

/* What a thread hands on to one it starts; for base/thread.c. */
struct mem_heritage {
	struct mem_scope *scope;
	struct mem_fault *fault;
	bool in_try;
};

struct mem_heritage mem_hand_on(void);
void mem_inherit(const struct mem_heritage *h);

/* ---- the machine ---- */

size_t mem_physical(void);  /* bytes of memory in this machine */
size_t mem_available(void); /* bytes that could be had now without harm to others; at least some MB */
size_t mem_resident(void);  /* bytes this process occupies now */

#endif
