/* Plays the joint moves of --after. */
#include "cli/after.h"

#include "show/terminal.h"
#include "macaw/worker.h"

#include <stdio.h>
#include <string.h>

/* One joint move of "a,b;c,d"; false after a message. */
static bool play_joint(macaw_game *g, const char *command, macaw_worker *w, char *text, uint64_t *position)
{
	uint32_t roles = macaw_game_roles(g), *moves = NEW_ARRAY(uint32_t, roles + 1);
	char *save = NULL, *word = strtok_r(text, ",", &save);
	macaw_view v;
	bool ok = macaw_look(w, position, &v);
	for (uint32_t r = 0; r < roles && ok; r++, word = strtok_r(NULL, ",", &save)) {
		bool legal = false;
		moves[r] = word ? macaw_game_find_move(g, r, word) : MACAW_NONE;
		for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++)
			legal |= v.legal[k] == moves[r];
		ok = legal;
		if (!ok)
			fprintf(stderr, "macaw %s: --after: '%s' is no legal move of role %u in that state\n", command, word ? word : "",
			        r + 1);
	}
	ok = ok && macaw_next(w, position, moves, position);
	mem_free(moves);
	return ok;
}

static bool play_all(macaw_game *g, const char *command, macaw_worker *w, const char *after, uint64_t *position)
{
	struct text copy = {0};
	bool ok = true;
	text_puts(&copy, after);
	for (char *from = copy.at; ok && from && *from;) {
		char *end = strchr(from, ';');
		if (end)
			*end = 0;
		ok = play_joint(g, command, w, from, position);
		from = end ? end + 1 : NULL;
	}
	text_free(&copy);
	return ok;
}

uint64_t *position_after(macaw_game *g, const char *command, const char *after)
{
	macaw_error error;
	size_t words = macaw_position_words(g);
	uint64_t *position = NEW_ARRAY(uint64_t, words + 1);
	macaw_worker *w = macaw_worker_new(g, &error);
	memcpy(position, macaw_position_initial(g), words * sizeof *position);
	bool ok = w && play_all(g, command, w, after ? after : "", position);
	if (!w)
		fprintf(stderr, "macaw %s: %s\n", command, error.text);
	else if (!ok && macaw_worker_error(w)->status)
		fprintf(stderr, "macaw %s: --after: %s\n", command, macaw_worker_error(w)->text);
	macaw_worker_free(w);
	if (ok)
		return position;
	mem_free(position);
	return NULL;
}
