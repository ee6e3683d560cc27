/* Finds the position that options name: where it begins, then move by move. */
#include "cli/where.h"

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/move_text.h"
#include "cli/where_file.h"
#include "macaw/record.h"
#include "macaw/worker.h"

#include <stdio.h>
#include <string.h>

/* A position on its way. */
struct walk {
	macaw_game *g;
	const char *command;
	macaw_worker *w;
	struct where *p;
	macaw_view view;
	VEC(const char *) texts; /* of a role's legal moves */
	struct move_fits fits;
	uint32_t *joint;
};

bool where_given(const struct where_options *o)
{
	return o->after || o->state || o->record;
}

static int complain(const struct walk *x, const char *option, const char *what)
{
	fprintf(stderr, "macaw %s: %s: %s\n", x->command, option, what);
	return EXIT_INPUT;
}

/* False: the interpreter gave up. */
static bool look(struct walk *x)
{
	return macaw_look(x->w, x->p->at, &x->view);
}

static uint32_t choices(const struct walk *x, uint32_t role)
{
	return x->view.start[role + 1] - x->view.start[role];
}

/* Makes the joint move, which is legal. */
static bool make(struct walk *x)
{
	for (uint32_t r = 0; r < macaw_game_roles(x->g); r++)
		vec_push(&x->p->made, x->joint[r]);
	x->p->steps++;
	return macaw_next(x->w, x->p->at, x->joint, x->p->at);
}

/* ---- --after ---- */

/* "(mark 1 1), (mark 1 2), …" */
static void list(const struct walk *x, const uint32_t *places, size_t count, struct text *out)
{
	enum { SHOWN = 6 };
	for (size_t i = 0; i < count && i < SHOWN; i++)
		text_printf(out, "%s%s", i ? ", " : "", x->texts.at[places ? places[i] : i]);
	text_puts(out, count > SHOWN ? ", …" : "");
}

static bool refuse_word(struct walk *x, uint32_t role, const char *word)
{
	struct text why = {0};
	if (x->fits.n > 1) {
		text_printf(&why, "step %u: '%s' may be ", x->p->steps + 1, word);
		list(x, x->fits.at, x->fits.n, &why);
	} else {
		text_printf(&why, "step %u: '%s' is no legal move of %s there; %s", x->p->steps + 1, word,
		            macaw_game_role(x->g, role), x->texts.n ? "legal are " : "it has none");
		list(x, NULL, x->texts.n, &why);
	}
	complain(x, "--after", text_str(&why));
	text_free(&why);
	return false;
}

/* A role's move; no word: its only one. */
static bool choose(struct walk *x, uint32_t role, const char *word)
{
	const uint32_t *legal = x->view.legal + x->view.start[role];
	vec_clear(&x->texts);
	for (uint32_t i = 0; i < choices(x, role); i++)
		vec_push(&x->texts, macaw_game_move(x->g, legal[i]));
	if (word)
		move_text_find(x->texts.at, (uint32_t)x->texts.n, word, &x->fits);
	else
		vec_set(&x->fits, &(uint32_t){0}, 1);
	if (x->fits.n != 1 || !x->texts.n)
		return refuse_word(x, role, word ? word : "");
	x->joint[role] = legal[x->fits.at[0]];
	return true;
}

/* The next word of a list, up to a separator outside of brackets; NULL: no more. */
static char *next_word(char **rest, char separator)
{
	char *word = *rest, *at = word;
	int depth = 0;
	if (!word)
		return NULL;
	for (; *at && (depth > 0 || *at != separator); at++)
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
	*rest = *at ? at + 1 : NULL;
	*at = 0;
	return word + strspn(word, " \t\n");
}

/* Words for all roles, or for those that have a choice. */
static bool take_words(struct walk *x, char *const *words, size_t count)
{
	uint32_t roles = macaw_game_roles(x->g), several = 0;
	size_t next = 0;
	for (uint32_t r = 0; r < roles; r++)
		several += choices(x, r) != 1;
	if (count != roles && count != several) {
		struct text why = {0};
		text_printf(&why, "step %u names %zu move%s; there are %u roles, and %u of them can choose", x->p->steps + 1,
		            count, count == 1 ? "" : "s", roles, several);
		complain(x, "--after", text_str(&why));
		text_free(&why);
		return false;
	}
	for (uint32_t r = 0; r < roles; r++)
		if (!choose(x, r, count == roles || choices(x, r) != 1 ? words[next++] : NULL))
			return false;
	return true;
}

static bool play_joint(struct walk *x, char *text)
{
	VEC(char *) words = {0};
	for (char *word; (word = next_word(&text, ','));)
		vec_push(&words, word);
	bool fine = look(x);
	if (fine && x->view.terminal)
		fine = !complain(x, "--after", "the game is over before the last of these moves");
	fine = fine && take_words(x, words.at, words.n) && make(x);
	vec_free(&words);
	return fine;
}

static bool play_moves(struct walk *x, const char *after)
{
	char *copy = text_copy(after, strlen(after)), *rest = copy;
	bool fine = true;
	for (char *joint; fine && (joint = next_word(&rest, ';'));)
		fine = !*joint || play_joint(x, joint);
	mem_free(copy);
	return fine;
}

/* ---- --record ---- */

/* The moves of a record, as moves of this game. */
static bool repeat(struct walk *x, const macaw_record *r)
{
	const macaw_game *theirs = macaw_record_game(r);
	bool fine = look(x);
	for (uint32_t role = 0; role < macaw_game_roles(x->g) && fine; role++) {
		const char *text = macaw_game_move(theirs, macaw_record_moves(r)[role]);
		x->joint[role] = text ? macaw_game_find_move(x->g, role, text) : MACAW_NONE;
		fine = false;
		for (uint32_t i = x->view.start[role]; i < x->view.start[role + 1]; i++)
			fine |= x->view.legal[i] == x->joint[role];
		if (!fine) {
			struct text why = {0};
			text_printf(&why, "step %u: %s of %s is not legal in this game", macaw_record_made(r),
			            text ? text : "a move", macaw_game_role(x->g, role));
			complain(x, "--record", text_str(&why));
			text_free(&why);
		}
	}
	return fine && make(x);
}

static bool repeat_all(struct walk *x, macaw_record *r, int64_t step)
{
	macaw_error error = {0};
	if (step > (int64_t)macaw_record_steps(r)) {
		struct text why = {0};
		text_printf(&why, "there are only %u steps in the record", macaw_record_steps(r));
		complain(x, "--step", text_str(&why));
		text_free(&why);
		return false;
	}
	uint32_t wanted = step < 0 ? macaw_record_steps(r) : (uint32_t)step;
	bool fine = true;
	while (fine && macaw_record_made(r) < wanted && macaw_record_step(r, &error))
		fine = repeat(x, r);
	if (error.status)
		complain(x, "--record", error.text);
	return fine && !error.status;
}

static void keep_start(struct walk *x)
{
	size_t words = macaw_position_words(x->g);
	x->p->start = NEW_ARRAY(uint64_t, words + 1);
	memcpy(x->p->start, x->p->at, words * sizeof *x->p->at);
}

/* A record may begin in another position than the initial one. */
static bool begin_record(struct walk *x, const macaw_record *r)
{
	macaw_error error = {0};
	const macaw_game *theirs = macaw_record_game(r);
	if (macaw_position_equal(theirs, macaw_record_position(r), macaw_position_initial(theirs)))
		return true;
	char *text = macaw_position_text(theirs, macaw_record_position(r));
	bool fine = text && macaw_position_parse(x->g, text, x->p->at, &error);
	macaw_free(text);
	if (fine)
		keep_start(x);
	else
		complain(x, "--record", error.text);
	return fine;
}

static bool play_record(struct walk *x, const char *path, int64_t step)
{
	macaw_error error;
	macaw_record *r = macaw_record_read(path, &error);
	if (!r || macaw_game_roles(macaw_record_game(r)) != macaw_game_roles(x->g)) {
		fprintf(stderr, "macaw %s: --record: %s: %s\n", x->command, path,
		        r ? "it is of a game with other roles" : error.text);
		macaw_record_free(r);
		return false;
	}
	bool fine = begin_record(x, r) && repeat_all(x, r, step);
	macaw_record_free(r);
	return fine;
}

/* ---- all ---- */

static bool begin(struct walk *x, const struct where_options *o)
{
	size_t words = macaw_position_words(x->g);
	x->p->at = NEW_ARRAY(uint64_t, words + 1);
	x->joint = NEW_ARRAY(uint32_t, macaw_game_roles(x->g) + 1);
	memcpy(x->p->at, macaw_position_initial(x->g), words * sizeof *x->p->at);
	if (!o->state)
		return true;
	if (!where_file(x->g, x->command, o->state, x->p->at))
		return false;
	keep_start(x);
	return true;
}

static int check_options(const char *command, const struct where_options *o)
{
	const char *why = o->state && o->record        ? "choose one of --state and --record"
	                  : o->step >= 0 && !o->record ? "--step counts the moves of a --record FILE"
	                                               : NULL;
	if (why)
		fprintf(stderr, "macaw %s: %s\n", command, why);
	return why ? EXIT_USAGE : EXIT_DONE;
}

int where_find(macaw_game *g, const char *command, const struct where_options *o, struct where *p)
{
	macaw_error error;
	*p = (struct where){0};
	int status = check_options(command, o);
	if (status)
		return status;
	struct walk x = {.g = g, .command = command, .p = p, .w = macaw_worker_new(g, &error)};
	if (!x.w) {
		fprintf(stderr, "macaw %s: %s\n", command, error.text);
		return EXIT_MACHINE;
	}
	bool fine =
		begin(&x, o) && (!o->record || play_record(&x, o->record, o->step)) && (!o->after || play_moves(&x, o->after));
	if (!fine && macaw_worker_error(x.w)->status)
		complain(&x, "the position", macaw_worker_error(x.w)->text);
	macaw_worker_free(x.w);
	vec_free(&x.texts);
	vec_free(&x.fits);
	mem_free(x.joint);
	return fine ? EXIT_DONE : EXIT_INPUT;
}

void where_free(struct where *p)
{
	mem_free(p->at);
	mem_free(p->start);
	vec_free(&p->made);
}
