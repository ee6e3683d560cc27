/* What all headers of the library share: version, errors, limits, memory.
 *
 * Rules that hold for every function of the library, unless it says otherwise:
 *
 * - It prints nothing, never ends the program and keeps no global state.
 * - Failure is returned: NULL or false, and a macaw_error (may be NULL) that says whose
 *   fault it is and why. Running out of memory is such a failure: status MACAW_MEMORY.
 *   An object whose call ran out of memory refuses further calls and can only be freed; the game it was made
 *   from is as good as before.
 *   (Not caught: memory that nauty and CaDiCaL ask for by themselves.)
 * - `const char *` results belong to the object they were asked from and last as long as it, unless the
 *   struct they are in says otherwise.
 *   `char *` results belong to the caller: macaw_free().
 * - A macaw_game may be used by any number of threads, its macaw_game_rules too. Every other object belongs to one
 *   thread at a time; functions that may be called from any thread say so.
 * - Structs of options may be all zero: every zero is a sensible default, and NULL stands for such a struct.
 * - NULL in the place of a text counts as "", and may be freed. Other pointers must not be NULL, unless the function
 *   says so (or the array has no elements).
 * - Numbers that are not there (a role, a move, a step, …) are answered with MACAW_NONE, NULL, a zero or the error of
 * the call, unless the function says that they must be right. Positions must be of the game that is asked.
 * - Objects hold on to the game they were made from: free them first. */
#ifndef MACAW_COMMON_H
#define MACAW_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined MACAW_BUILDING
#define MACAW_API __attribute__((visibility("default")))
#else
#define MACAW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MACAW_NONE UINT32_MAX /* no such role, move, fluent, variable, … */

/* Whose fault it was; also the exit status of the program `macaw`. */
enum macaw_status {
	MACAW_OK = 0,
	MACAW_INPUT = 1,   /* the rules, the network, the record, a move */
	MACAW_USAGE = 2,   /* the call: an unknown player, an option out of bounds */
	MACAW_MACHINE = 3, /* a file that cannot be read, a port in use, no thread */
	MACAW_MEMORY = 4   /* out of memory */
};

typedef struct macaw_error {
	enum macaw_status status;
	char text[1020]; /* one or several lines, no newline at the end, cut between characters; "" when all is well */
} macaw_error;

/* A flag by which any thread, or a signal handler, ends long work early. All-zero: go on. NULL is a flag that nobody
 * sets. */
typedef struct macaw_stop {
	unsigned char flag;
} macaw_stop;
MACAW_API void macaw_stop_now(macaw_stop *s);
MACAW_API void macaw_stop_clear(macaw_stop *s);
MACAW_API bool macaw_stopped(const macaw_stop *s); /* for your own long work */

/* How long a call may take. All-zero: for ever. */
typedef struct macaw_limit {
	double seconds;   /* from the call on; 0: no bound */
	macaw_stop *stop; /* NULL: nobody stops it */
} macaw_limit;

/* Called now and then to say how far long work has come; `total` 0: unknown. Called by the thread that
 * called the library. Must not call back into the same object. */
typedef void macaw_progress(void *context, const char *what, double done, double total);

MACAW_API void macaw_free(void *text);     /* a `char *` result */
MACAW_API const char *macaw_version(void); /* "0.2.0" */

/* Memory of the whole library in this process: at most this many bytes per object (0: no
 * bound), counted without what nauty, CaDiCaL and libxml2 take. For objects made after it. */
MACAW_API void macaw_memory_limit(size_t bytes_per_object);

#ifdef __cplusplus
}
#endif

#endif
