/* macaw symmetries: permutations under which a game stays what it is. */
#include "graph/automorphism.h"
#include "base/bits.h"
#include "cli/after.h"
#include "show/board.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "symmetry/symmetry.h"

#include <stddef.h>
#include <stdio.h>

struct symmetries_options {
	struct load_options load;
	bool json, full;
	double seconds;
	const char *after;
};

#define FIELD(f) offsetof(struct symmetries_options, f)
static const struct opt table[] = {
    {"after", 0, OPT_TEXT, FIELD(after), "MOVES", "symmetries of the state after joint moves: a,b;c,d (a move a role)"},
    {"full", 0, OPT_FLAG, FIELD(full), NULL, "print every cycle of every generator"},
    {"seconds", 0, OPT_REAL, FIELD(seconds), "SEC", "longest time to look for them", .real = 10, .min = 0, .max = 1e6},
    {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
    LOAD_BOUNDS(struct symmetries_options, load),
    {0}};

struct shown {
	const struct symmetries_options *o;
	const char *name;
	struct game *game;
	struct symmetry *s;
	struct symmetry_group group; /* of the state */
	bool known;                  /* it was found in time */
	uint64_t *state;
	uint32_t *orbit; /* of points, under the group of the state */
};

static void print_point(const struct symmetry *s, uint32_t p, struct text *t)
{
	if (p < s->first_move)
		game_print_fluent(s->game, p, t);
	else if (p < s->first_role)
		game_print_move(s->game, p - s->first_move, t);
	else if (p < s->first_percept)
		game_print_role(s->game, p - s->first_role, t);
	else
		game_print_percept(s->game, p - s->first_percept, t);
}

/* ---- generators as cycles -------------------------------------------------------------- */

/* The kinds of points in the order they are told: roles say most. */
static void kinds(const struct symmetry *s, uint32_t from[4], uint32_t to[4])
{
	const uint32_t bounds[] = {s->first_role, s->first_percept, s->first_move, s->first_role,
	                           0,             s->first_move,    s->first_percept, s->points};
	for (int k = 0; k < 4; k++) {
		from[k] = bounds[2 * k];
		to[k] = bounds[2 * k + 1];
	}
}

static const char *const kind_names[] = {"roles", "moves", "fluents", "percepts"};

/* Cycles of a permutation among points [from, to); returns how many were left out. */
static size_t print_cycles(const struct symmetry *s, const uint32_t *image, uint32_t from, uint32_t to, size_t width,
                           struct text *t)
{
	uint64_t *done = NEW_ARRAY(uint64_t, BITS_WORDS(s->points) + 1);
	size_t start = t->n, left_out = 0;
	for (uint32_t p = from; p < to; p++) {
		if (image[p] == p || bits_has(done, p))
			continue;
		bool show = t->n - start < width;
		left_out += !show;
		if (show)
			text_puts(t, t->n > start ? "  " : "");
		for (uint32_t q = p; !bits_has(done, q); q = image[q]) {
			bits_add(done, q);
			if (!show)
				continue;
			print_point(s, q, t);
			if (image[q] != p)
				text_puts(t, image[image[q]] == q ? " <-> " : " -> ");
		}
	}
	mem_free(done);
	return left_out;
}

static void print_generators(const struct shown *x, struct text *t)
{
	uint32_t from[4], to[4];
	size_t most = x->o->full ? SIZE_MAX : 10, width = x->o->full ? SIZE_MAX : 90;
	kinds(x->s, from, to);
	for (size_t i = 0; i < x->s->generators && i < most; i++) {
		text_printf(t, "\ngenerator %zu\n", i + 1);
		for (int k = 0; k < 4; k++) {
			struct text line = {0};
			size_t out = print_cycles(x->s, symmetry_generator(x->s, i), from[k], to[k], width, &line);
			if (line.n) {
				text_printf(t, "  %-9s %s", kind_names[k], text_str(&line));
				if (out)
					text_printf(t, "  and %zu more", out);
				text_putc(t, '\n');
			}
			text_free(&line);
		}
	}
	if (x->s->generators > most)
		text_printf(t, "\n%zu more generators (--full)\n", x->s->generators - most);
}

/* ---- orbits of moves ---------------------------------------------------------------------- */

/* The legal moves of a role, orbit by orbit; calls back for the first of each and
 * for those that follow. */
static void each_orbit(const struct shown *x, const struct view *v, uint32_t role,
                       void (*tell)(void *to, const char *move, bool first), void *to)
{
	struct text t = {0};
	uint32_t at = x->s->first_move;
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++) {
		uint32_t root = x->orbit[at + v->legal[i]];
		bool first = true;
		for (uint32_t k = v->start[role]; k < i && first; k++)
			first = x->orbit[at + v->legal[k]] != root;
		if (!first)
			continue;
		for (uint32_t k = i; k < v->start[role + 1]; k++) {
			if (x->orbit[at + v->legal[k]] != root)
				continue;
			t.n = 0;
			game_print_move(x->game, v->legal[k], &t);
			tell(to, text_str(&t), k == i);
		}
	}
	text_free(&t);
}

struct orbit_text {
	struct text *out;
	size_t line;
};

static void tell_text(void *to, const char *move, bool first)
{
	struct orbit_text *o = to;
	if (first) {
		text_puts(o->out, "\n    ");
		o->line = o->out->n;
	} else if (o->line != SIZE_MAX) {
		text_putc(o->out, ' ');
	}
	if (!first && o->line != SIZE_MAX && o->out->n - o->line > 100) {
		text_puts(o->out, "...");
		o->line = SIZE_MAX;
	}
	if (o->line != SIZE_MAX)
		text_puts(o->out, move);
}

static void tell_json(void *to, const char *move, bool first)
{
	json_t *list = to;
	if (first)
		json_array_append_new(list, json_array());
	json_array_append_new(json_array_get(list, json_array_size(list) - 1), json_text(move));
}

static void print_orbits(const struct shown *x, struct text *t)
{
	struct worker *w = worker_new(x->game);
	struct view v = game_look(w, x->state);
	text_printf(t, "\nmoves %s, equivalent ones on one line\n", x->o->after ? "in this state" : "at the start");
	for (uint32_t r = 0; r < x->game->roles; r++) {
		struct orbit_text o = {.out = t};
		text_puts(t, "  ");
		game_print_role(x->game, r, t);
		each_orbit(x, &v, r, tell_text, &o);
		text_putc(t, '\n');
	}
	worker_free(w);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void print_text(const struct shown *x)
{
	const struct symmetry *s = x->s;
	struct text t = {0}, board = {0};
	text_printf(&t, "%s\n  rules        ", x->name);
	if (s->skipped) {
		text_printf(&t, "not looked at: %s (%.2f s)\n", s->skipped, s->seconds);
	} else {
		automorphisms_print_order(&t, s->mantissa, s->exponent);
		text_printf(&t, " symmetries (%zu generators, each tried on random states", s->generators);
		if (s->tested)
			text_printf(&t, "; of %zu what they do to goals and the end is known from these only", s->tested);
		if (s->refuted)
			text_printf(&t, "; %zu more were refuted", s->refuted);
		text_printf(&t, ")\n  %-12s ", x->o->after ? "this state" : "start");
		if (x->known)
			automorphisms_print_order(&t, x->group.mantissa, x->group.exponent);
		else
			text_puts(&t, "not known: out of time");
		text_printf(&t, "\n  graph        %u vertices, %zu edges\n  seconds      %.3f\n", s->vertices, s->edges, s->seconds);
		print_generators(x, &t);
		if (x->known && !symmetry_trivial(s)) {
			struct board *b = board_make(x->game);
			print_orbits(x, &t);
			if (board_draw_classes(b, x->orbit, &board))
				text_printf(&t, "\nsquares, equivalent ones with the same letter\n%s", text_str(&board));
			board_free(b);
		}
	}
	fputs(text_str(&t), stdout);
	text_free(&t);
	text_free(&board);
}

static json_t *json_order(double mantissa, int exponent)
{
	struct text t = {0};
	automorphisms_print_order(&t, mantissa, exponent);
	json_t *j = json_text(text_str(&t));
	text_free(&t);
	return j;
}

static json_t *json_generators(const struct symmetry *s)
{
	json_t *list = json_array();
	struct text t = {0};
	for (size_t i = 0; i < s->generators; i++) {
		json_t *map = json_object();
		const uint32_t *image = symmetry_generator(s, i);
		for (uint32_t p = 0; p < s->points; p++) {
			if (image[p] == p)
				continue;
			t.n = 0;
			/* moves of several roles may look alike: the role comes first */
			if (p >= s->first_move && p < s->first_role) {
				game_print_role(s->game, game_role_of(s->game, p - s->first_move), &t);
				text_putc(&t, ' ');
			}
			print_point(s, p, &t);
			struct text to = {0};
			if (image[p] >= s->first_move && image[p] < s->first_role) {
				game_print_role(s->game, game_role_of(s->game, image[p] - s->first_move), &to);
				text_putc(&to, ' ');
			}
			print_point(s, image[p], &to);
			json_object_set_new(map, text_str(&t), json_text(text_str(&to)));
			text_free(&to);
		}
		json_array_append_new(list, map);
	}
	text_free(&t);
	return list;
}

static void print_json(const struct shown *x)
{
	const struct symmetry *s = x->s;
	json_t *j = json_object(), *orbits = json_object();
	json_object_set_new(j, "game", json_text(x->name));
	json_object_set_new(j, "skipped", s->skipped ? json_text(s->skipped) : json_null());
	json_object_set_new(j, "order", s->skipped ? json_null() : json_order(s->mantissa, s->exponent));
	json_object_set_new(j, "state_order", x->known ? json_order(x->group.mantissa, x->group.exponent) : json_null());
	json_object_set_new(j, "tested", json_integer((json_int_t)s->tested));
	json_object_set_new(j, "refuted", json_integer((json_int_t)s->refuted));
	json_object_set_new(j, "vertices", json_integer(s->vertices));
	json_object_set_new(j, "edges", json_integer((json_int_t)s->edges));
	json_object_set_new(j, "seconds", json_real(s->seconds));
	json_object_set_new(j, "processor_seconds", json_real(s->processor));
	json_object_set_new(j, "generators", json_generators(s));
	if (x->known) {
		struct worker *w = worker_new(x->game);
		struct view v = game_look(w, x->state);
		for (uint32_t r = 0; r < x->game->roles; r++) {
			struct text role = {0};
			json_t *list = json_array();
			game_print_role(x->game, r, &role);
			each_orbit(x, &v, r, tell_json, list);
			json_object_set_new(orbits, text_str(&role), list);
			text_free(&role);
		}
		worker_free(w);
	}
	json_object_set_new(j, "orbits", orbits);
	json_finish(j);
}

static int show(struct shown *x)
{
	struct symmetry_options so = {0};
	if (x->o->seconds > 0)
		so.limit = limit_seconds(x->o->seconds);
	x->state = state_after(x->game, "symmetries", x->o->after);
	if (!x->state)
		return EXIT_INPUT;
	x->s = symmetry_find(x->game, &so);
	x->known = !x->s->skipped && symmetry_stabiliser(x->s, x->state, NULL, 0, &so.limit, &x->group);
	x->orbit = NEW_ARRAY(uint32_t, x->s->points + 1);
	symmetry_orbits(x->s->points, x->group.images.at, x->group.generators, x->orbit);
	if (x->o->json)
		print_json(x);
	else
		print_text(x);
	mem_free(x->orbit);
	symmetry_group_free(&x->group);
	symmetry_free(x->s);
	mem_free(x->state);
	return EXIT_DONE;
}

static int run(void *options, int count, char **words)
{
	struct symmetries_options *o = options;
	struct loaded l = {0};
	if (count != 1) {
		fprintf(stderr, "macaw symmetries: one game is needed\nTry 'macaw help symmetries'.\n");
		return EXIT_USAGE;
	}
	o->load.engine = ENGINE_AUTO;
	int status = load_game("symmetries", words[0], &o->load, &l);
	if (status)
		return status;
	struct shown x = {.o = o, .name = text_str(&l.name), .game = l.game};
	status = show(&x);
	load_game_free(&l);
	return status;
}

const struct command cmd_symmetries = {
    .name = "symmetries",
    .arguments = "GAME",
    .summary = "Find the symmetries of a game",
    .details = "Permutations of fluents, moves and roles under which the rules stay what they are: the\n"
               "order of their group, generators, how many leave the initial state (or that of --after)\n"
               "as it is, which of its moves are equivalent, and for games on a board a picture of the\n"
               "equivalent squares. Found as automorphisms of a graph of the ground program (nauty);\n"
               "each generator is tried on random states.",
    .options = table,
    .size = sizeof(struct symmetries_options),
    .run = run,
};
