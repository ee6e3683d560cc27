"""bind.py INCLUDE OUT.c: writes the C source of macaw._macaw from the public headers.

The headers are the only description of the library: this program takes the declarations out of them and hands them to
cffi, so that a function that is added there is known here after the next build. Beside the headers the module holds
what has to be C for speed or for calls from threads of the library (see EXTRA)."""

import re
import sys
from pathlib import Path

import cffi

# Each after those it uses.
HEADERS = ["common", "rules", "game", "position", "worker", "playouts", "player", "match", "csp", "scsp", "qcsp", "network",
           "puzzle", "outcome", "symmetries", "drawing", "record", "trace", "tournament"]

# Called by the library from any thread; cffi takes the interpreter's lock around them.
CALLBACKS = """
extern "Python" void py_seat_start(void *self, macaw_game *g, uint32_t role, const macaw_budget *b);
extern "Python" uint32_t py_seat_move(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room);
extern "Python" void py_watch(void *context, const macaw_match *m);
extern "Python" bool py_solution(void *context, macaw_csp *n, const int32_t *values);
extern "Python" void py_progress(void *context, const char *what, double done, double total);

typedef struct trajectories trajectories;
trajectories *trajectories_new(uint32_t roles);
void trajectories_free(trajectories *t);
void trajectories_report(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals);
bool trajectories_failed(const trajectories *t);
size_t trajectories_matches(const trajectories *t);
size_t trajectories_moves(const trajectories *t);
void trajectories_copy(const trajectories *t, uint64_t *offsets, uint64_t *starts, uint32_t *moves, int32_t *goals);

void set_bits(const uint64_t *words, size_t rows, size_t words_per_row, uint8_t *bits, size_t columns);
"""

EXTRA = r"""
#include <stdlib.h>
#include <string.h>

/* Whole playouts, as they end: matches one after another, each with its joint moves. */
typedef struct trajectories {
	uint32_t roles;
	bool failed; /* out of memory: what follows is dropped */
	size_t matches, matches_room;
	size_t moves, moves_room; /* numbers, not joint moves */
	uint64_t *ends;           /* by match: moves up to its end */
	uint64_t *starts;
	int32_t *goals;
	uint32_t *at;
} trajectories;

static trajectories *trajectories_new(uint32_t roles)
{
	trajectories *t = calloc(1, sizeof *t);
	if (t)
		t->roles = roles;
	return t;
}

static void trajectories_free(trajectories *t)
{
	if (!t)
		return;
	free(t->ends);
	free(t->starts);
	free(t->goals);
	free(t->at);
	free(t);
}

static bool grow(void **array, size_t count, size_t size)
{
	void *larger = realloc(*array, count * size);
	if (larger)
		*array = larger;
	return larger != NULL;
}

static bool room_for(trajectories *t, size_t moves)
{
	if (t->matches == t->matches_room) {
		size_t room = t->matches_room ? 2 * t->matches_room : 64;
		if (!grow((void **)&t->ends, room, sizeof *t->ends) || !grow((void **)&t->starts, room, sizeof *t->starts) ||
		    !grow((void **)&t->goals, room * t->roles, sizeof *t->goals))
			return false;
		t->matches_room = room;
	}
	if (t->moves + moves > t->moves_room) {
		size_t room = 2 * (t->moves + moves);
		if (!grow((void **)&t->at, room, sizeof *t->at))
			return false;
		t->moves_room = room;
	}
	return true;
}

static void trajectories_report(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	trajectories *t = context;
	size_t n = (size_t)steps * t->roles;
	if (t->failed || !room_for(t, n)) {
		t->failed = true;
		return;
	}
	if (n > 0)
		memcpy(t->at + t->moves, moves, n * sizeof *moves);
	t->moves += n;
	t->ends[t->matches] = t->moves;
	t->starts[t->matches] = start;
	for (uint32_t r = 0; r < t->roles; r++)
		t->goals[t->matches * t->roles + r] = goals[r];
	t->matches++;
}

static bool trajectories_failed(const trajectories *t)
{
	return t->failed;
}

static size_t trajectories_matches(const trajectories *t)
{
	return t->matches;
}

static size_t trajectories_moves(const trajectories *t)
{
	return t->moves / t->roles;
}

/* offsets: one more than matches; match i has the joint moves offsets[i] to offsets[i + 1]. */
static void trajectories_copy(const trajectories *t, uint64_t *offsets, uint64_t *starts, uint32_t *moves, int32_t *goals)
{
	offsets[0] = 0;
	for (size_t i = 0; i < t->matches; i++)
		offsets[i + 1] = t->ends[i] / t->roles;
	if (t->matches > 0) {
		memcpy(starts, t->starts, t->matches * sizeof *starts);
		memcpy(goals, t->goals, t->matches * t->roles * sizeof *goals);
	}
	if (t->moves > 0)
		memcpy(moves, t->at, t->moves * sizeof *moves);
}

/* One byte per bit: bits[row * columns + column]. */
static void set_bits(const uint64_t *words, size_t rows, size_t words_per_row, uint8_t *bits, size_t columns)
{
	for (size_t i = 0; i < rows; i++) {
		const uint64_t *from = words + i * words_per_row;
		uint8_t *to = bits + i * columns;
		for (size_t j = 0; j < columns; j++)
			to[j] = from[j / 64] >> (j % 64) & 1;
	}
}
"""


def declarations(text):
    """A header as cffi reads it: without comments, conditions, attributes and bodies."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = text.replace("\\\n", " ")
    constants = re.findall(r"^#define (MACAW_[A-Z0-9_]+) +([^\"\n]+)$", text, flags=re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r"static inline [^{;]*\{.*?^\}", "", text, flags=re.S | re.M)
    text = text.replace("MACAW_API ", "")
    defines = "".join(f"#define {name} ...\n" for name, value in constants if not value.startswith("__attribute__"))
    return defines + text


def main(include, out):
    headers = [name for name in HEADERS if (Path(include) / "macaw" / f"{name}.h").exists()]
    ffi = cffi.FFI()
    for name in headers:
        ffi.cdef(declarations((Path(include) / "macaw" / f"{name}.h").read_text(encoding="utf-8")))
    ffi.cdef(CALLBACKS)
    ffi.set_source("macaw._macaw", "".join(f'#include "macaw/{name}.h"\n' for name in headers) + EXTRA)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
