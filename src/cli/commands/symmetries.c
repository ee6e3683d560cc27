/* macaw symmetries: permutations that leave the rules of a game unchanged. */
#include "macaw/symmetries.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"
#include "macaw/drawing.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>

struct symmetries_options {
	struct load_options load;
	struct where_options where;
	bool json, full, round;
	double seconds;
};

#define FIELD(f) offsetof(struct symmetries_options, f)
static const struct opt table[] = {
	{"full", 0, OPT_FLAG, FIELD(full), NULL, "print every cycle of every generator"},
	{"round", 0, OPT_FLAG, FIELD(round), NULL,
     "the group of the rounds from the state on: symmetries that only what can still follow has"},
	{"seconds", 0, OPT_REAL, FIELD(seconds), "SEC", NULL, .real = 10, .min = 0, .max = 1e6}, /* until 0.3: --time */
	{"time", 't', OPT_REAL, FIELD(seconds), "SEC", "seconds to search at most", .real = 10, .min = 0, .max = 1e6},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	WHERE_OPTIONS(struct symmetries_options, where),
	LOAD_BOUNDS(struct symmetries_options, load),
	{0}};

struct shown {
	const struct symmetries_options *o;
	macaw_game *game;
	macaw_symmetries *s;
	macaw_symmetries *round; /* of the rounds from the position on; NULL: not asked for */
	macaw_points points;
	macaw_stabiliser *group; /* of the position; NULL: not found in time */
	macaw_view view;         /* of the position */
	uint32_t *orbit;         /* of points, under the group that is shown */
};

/* The group whose generators are shown. */
static const macaw_symmetries *shown_group(const struct shown *x)
{
	return x->round ? x->round : x->s;
}

static const char *point_text(const struct shown *x, uint32_t p)
{
	const macaw_points *at = &x->points;
	if (p < at->move)
		return macaw_game_fluent(x->game, p);
	if (p < at->role)
		return macaw_game_move(x->game, p - at->move);
	if (p < at->percept)
		return macaw_game_role(x->game, p - at->role);
	return macaw_game_percept(x->game, p - at->percept);
}

/* Moves of several roles may look alike: the role comes first. */
static void put_point(const struct shown *x, uint32_t p, struct text *t)
{
	t->n = 0;
	if (p >= x->points.move && p < x->points.role)
		text_printf(t, "%s ", macaw_game_role(x->game, macaw_game_role_of(x->game, p - x->points.move)));
	text_puts(t, point_text(x, p));
}

/* ---- generators as cycles -------------------------------------------------------------- */

/* The kinds of points, the roles first: they say most. */
static void kinds(const macaw_points *at, uint32_t from[4], uint32_t to[4])
{
	const uint32_t bounds[] = {at->role, at->percept, at->move, at->role, 0, at->move, at->percept, at->count};
	for (int k = 0; k < 4; k++) {
		from[k] = bounds[2 * k];
		to[k] = bounds[2 * k + 1];
	}
}

static const char *const kind_names[] = {"roles", "moves", "fluents", "percepts"};

/* Cycles of a permutation among points [from, to); returns how many were left out. */
static size_t print_cycles(const struct shown *x, const uint32_t *image, uint32_t from, uint32_t to, size_t width,
                           struct text *t)
{
	uint64_t *done = NEW_ARRAY(uint64_t, BITS_WORDS(x->points.count) + 1);
	size_t start = t->n, left_out = 0;
	struct text point = {0};
	for (uint32_t p = from; p < to; p++) {
		if (image[p] == p || bits_has(done, p))
			continue;
		bool show = t->n - start < width;
		left_out += !show;
		if (show)
			text_puts(t, t->n > start ? "; " : "");
		for (uint32_t q = p; !bits_has(done, q); q = image[q]) {
			bits_add(done, q);
			if (!show)
				continue;
			put_point(x, q, &point);
			text_puts(t, text_str(&point));
			if (image[q] != p)
				text_puts(t, image[image[q]] == q ? " <-> " : " -> ");
		}
	}
	text_free(&point);
	mem_free(done);
	return left_out;
}

static void print_generator(const struct shown *x, size_t i, size_t width, struct text *t)
{
	uint32_t from[4], to[4];
	kinds(&x->points, from, to);
	text_printf(t, "\ngenerator %zu\n", i + 1);
	for (int k = 0; k < 4; k++) {
		struct text line = {0};
		size_t out = print_cycles(x, macaw_symmetries_generator(shown_group(x), i), from[k], to[k], width, &line);
		if (out)
			text_printf(&line, "; and %zu more", out);
		if (line.n)
			screen_row(2, 12, kind_names[k], text_str(&line), screen_columns(), t);
		text_free(&line);
	}
}

static void print_generators(const struct shown *x, struct text *t)
{
	size_t most = x->o->full ? SIZE_MAX : 10, width = x->o->full ? SIZE_MAX : 90,
		   count = macaw_symmetries_generators(shown_group(x));
	for (size_t i = 0; i < count && i < most; i++)
		print_generator(x, i, width, t);
	if (count > most)
		text_printf(t, "\n%zu more generators (--full)\n", count - most);
}

/* ---- orbits of moves ---------------------------------------------------------------------- */

/* The legal moves of a role, orbit by orbit; calls back for the first of each and
 * for those that follow. */
static void each_orbit(const struct shown *x, uint32_t role, void (*show)(void *to, const char *move, bool first),
                       void *to)
{
	const macaw_view *v = &x->view;
	const uint32_t *orbit = x->orbit + x->points.move;
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++) {
		uint32_t root = orbit[v->legal[i]];
		bool first = true;
		for (uint32_t k = v->start[role]; k < i && first; k++)
			first = orbit[v->legal[k]] != root;
		for (uint32_t k = i; first && k < v->start[role + 1]; k++)
			if (orbit[v->legal[k]] == root)
				show(to, macaw_game_move(x->game, v->legal[k]), k == i);
	}
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
	if (!first && o->line != SIZE_MAX && (int)(o->out->n - o->line) > screen_columns() - 24) {
		text_puts(o->out, "...");
		o->line = SIZE_MAX;
	}
	if (o->line != SIZE_MAX)
		text_puts(o->out, move);
}

static void print_orbits(const struct shown *x, struct text *t)
{
	text_printf(t, "\nmoves %s, equivalent ones on one line\n",
	            where_given(&x->o->where) ? "in this state" : "at the start");
	for (uint32_t r = 0; r < macaw_game_roles(x->game); r++) {
		struct orbit_text o = {.out = t};
		text_printf(t, "  %s", macaw_game_role(x->game, r));
		each_orbit(x, r, tell_text, &o);
		text_putc(t, '\n');
	}
}

static void print_squares(const struct shown *x, struct text *t)
{
	macaw_drawing *d = macaw_drawing_new(x->game, NULL);
	char *squares = d ? macaw_drawing_classes(d, x->orbit) : NULL;
	if (squares)
		text_printf(t, "\nsquares, equivalent ones with the same letter\n%s", squares);
	macaw_free(squares);
	macaw_drawing_free(d);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void put_order(struct text *t, double mantissa, int exponent)
{
	char *order = macaw_symmetries_order_text(mantissa, exponent);
	text_puts(t, order ? order : "?");
	macaw_free(order);
}

static void print_rules(const struct shown *x, struct text *t)
{
	double mantissa;
	int exponent;
	macaw_symmetries_order(x->s, &mantissa, &exponent);
	struct text rules = {0};
	put_order(&rules, mantissa, exponent);
	text_printf(&rules, " symmetries (%zu generators, each tried on random states", macaw_symmetries_generators(x->s));
	if (macaw_symmetries_sampled(x->s))
		text_printf(&rules, "; of %zu what they do to goals and the end is known from these only",
		            macaw_symmetries_sampled(x->s));
	if (macaw_symmetries_refuted(x->s))
		text_printf(&rules, "; %zu more were refuted", macaw_symmetries_refuted(x->s));
	text_putc(&rules, ')');
	screen_wrap(text_str(&rules), rules.n, 15, 15, screen_columns_of_lines(), t);
	text_free(&rules);
	text_printf(t, "  %-12s ", where_given(&x->o->where) ? "this state" : "start");
	if (x->group)
		put_order(t, x->group->mantissa, x->group->exponent);
	else
		text_puts(t, "not known: out of time");
	text_putc(t, '\n');
}

static void print_round(const struct shown *x, struct text *t)
{
	macaw_symmetries_stats st = macaw_symmetries_statistics(x->round);
	double mantissa;
	int exponent;
	text_puts(t, "  from here on ");
	if (macaw_symmetries_skipped(x->round)) {
		text_printf(t, "not looked at: %s\n", macaw_symmetries_skipped(x->round));
		return;
	}
	macaw_symmetries_order(x->round, &mantissa, &exponent);
	put_order(t, mantissa, exponent);
	text_printf(t, " (%zu generators)\n  open         %u of %u fluents, %u of %u moves\n",
	            macaw_symmetries_generators(x->round), st.open_fluents, x->points.move, st.open_moves,
	            x->points.role - x->points.move);
}

static void print_group(const struct shown *x, struct text *t)
{
	const char *skipped = macaw_symmetries_skipped(x->s);
	if (skipped)
		text_printf(t, "not looked at: %s\n", skipped);
	else
		print_rules(x, t);
	if (x->round)
		print_round(x, t);
	if (macaw_symmetries_skipped(shown_group(x)))
		return;
	macaw_symmetries_stats st = macaw_symmetries_statistics(shown_group(x));
	text_printf(t, "  graph        %u vertices, %zu edges\n  seconds      %.3f\n", st.vertices, st.edges, st.seconds);
}

/* Is there a group of the position, by which its moves can be told apart? */
static bool has_orbits(const struct shown *x)
{
	return x->round ? !macaw_symmetries_skipped(x->round) : x->group != NULL;
}

static void print_text(const struct shown *x)
{
	struct text t = {0};
	text_printf(&t, "%s\n  rules        ", macaw_game_name(x->game));
	print_group(x, &t);
	print_generators(x, &t);
	if (has_orbits(x) && macaw_symmetries_generators(shown_group(x))) {
		print_orbits(x, &t);
		print_squares(x, &t);
	}
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static void json_order(struct json_writer *w, const char *key, double mantissa, int exponent)
{
	char *order = macaw_symmetries_order_text(mantissa, exponent);
	jsonw_text(w, key, order);
	macaw_free(order);
}

/* A permutation as a map of texts. Where points look alike (a fluent and a percept), the last one counts. */
static void json_generator(const struct shown *x, const uint32_t *image, struct json_writer *w)
{
	struct symbols keys = {0};
	VEC(uint32_t) images = {0}; /* by key */
	struct text t = {0};
	for (uint32_t p = 0; p < x->points.count; p++) {
		if (image[p] == p)
			continue;
		put_point(x, p, &t);
		sym_t key = sym_put(&keys, text_str(&t), t.n);
		if (key == images.n)
			vec_push(&images, image[p]);
		images.at[key] = image[p];
	}
	jsonw_object(w, NULL);
	for (size_t i = 0; i < images.n; i++) {
		put_point(x, images.at[i], &t);
		jsonw_text(w, sym_text(&keys, (sym_t)i), text_str(&t));
	}
	jsonw_end(w);
	text_free(&t);
	vec_free(&images);
	sym_free(&keys);
}

static void json_generators(const struct shown *x, const macaw_symmetries *s, struct json_writer *w)
{
	jsonw_array(w, "generators");
	for (size_t i = 0; i < macaw_symmetries_generators(s); i++)
		json_generator(x, macaw_symmetries_generator(s, i), w);
	jsonw_end(w);
}

struct orbit_json {
	struct json_writer *w;
	bool open;
};

static void tell_json(void *to, const char *move, bool first)
{
	struct orbit_json *o = to;
	if (first && o->open)
		jsonw_end(o->w);
	if (first)
		jsonw_array(o->w, NULL);
	o->open = true;
	jsonw_text(o->w, NULL, move);
}

static void json_orbits(const struct shown *x, struct json_writer *w)
{
	jsonw_object(w, "orbits");
	for (uint32_t r = 0; has_orbits(x) && r < macaw_game_roles(x->game); r++) {
		struct orbit_json o = {.w = w};
		jsonw_array(w, macaw_game_role(x->game, r));
		each_orbit(x, r, tell_json, &o);
		if (o.open)
			jsonw_end(w);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void json_group_order(const macaw_symmetries *s, struct json_writer *w)
{
	double mantissa;
	int exponent;
	macaw_symmetries_order(s, &mantissa, &exponent);
	jsonw_text(w, "skipped", macaw_symmetries_skipped(s));
	if (macaw_symmetries_skipped(s))
		jsonw_null(w, "order");
	else
		json_order(w, "order", mantissa, exponent);
}

/* The size of the graph, and how long it took. */
static void json_cost(const macaw_symmetries_stats *st, struct json_writer *w)
{
	jsonw_uint(w, "vertices", st->vertices);
	jsonw_uint(w, "edges", st->edges);
	jsonw_real(w, "seconds", st->seconds);
	jsonw_real(w, "processor_seconds", st->cpu_seconds);
}

static void json_round(const struct shown *x, struct json_writer *w)
{
	macaw_symmetries_stats st = macaw_symmetries_statistics(x->round);
	jsonw_object(w, "round");
	json_group_order(x->round, w);
	jsonw_uint(w, "open_fluents", st.open_fluents);
	jsonw_uint(w, "open_moves", st.open_moves);
	jsonw_uint(w, "refuted", macaw_symmetries_refuted(x->round));
	json_cost(&st, w);
	json_generators(x, x->round, w);
	jsonw_end(w);
}

static void print_json(const struct shown *x)
{
	macaw_symmetries_stats st = macaw_symmetries_statistics(x->s);
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(x->game));
	json_group_order(x->s, &w);
	if (x->group)
		json_order(&w, "state_order", x->group->mantissa, x->group->exponent);
	else
		jsonw_null(&w, "state_order");
	jsonw_uint(&w, "tested", macaw_symmetries_sampled(x->s));
	jsonw_uint(&w, "refuted", macaw_symmetries_refuted(x->s));
	json_cost(&st, &w);
	json_generators(x, x->s, &w);
	if (x->round)
		json_round(x, &w);
	json_orbits(x, &w);
	jsonw_end(&w);
	output_line(&t);
}

/* One limit for all steps together. */
static macaw_limit left_of(macaw_limit limit, const macaw_symmetries *s)
{
	double left = limit.seconds - macaw_symmetries_statistics(s).seconds;
	if (limit.seconds > 0)
		limit.seconds = left > 1e-6 ? left : 1e-6;
	return limit;
}

static int show(struct shown *x, const uint64_t *position, macaw_worker *w)
{
	macaw_error error;
	macaw_limit limit = {.seconds = x->o->seconds};
	x->s = macaw_symmetries_find(x->game, limit, &error);
	if (x->s && x->o->round)
		x->round = macaw_symmetries_round(x->game, position, left_of(limit, x->s), &error);
	bool found = x->s && (x->round || !x->o->round);
	if (!found || !macaw_look(w, position, &x->view)) {
		fprintf(stderr, "macaw symmetries: %s\n", found ? macaw_worker_error(w)->text : error.text);
		macaw_symmetries_free(x->round);
		macaw_symmetries_free(x->s);
		return found ? EXIT_INPUT : EXIT_MACHINE;
	}
	x->points = macaw_symmetries_points(x->s);
	x->group = macaw_symmetries_stabiliser(x->s, position, left_of(limit, x->s), NULL);
	x->orbit = NEW_ARRAY(uint32_t, x->points.count + 1);
	if (x->round)
		macaw_symmetries_orbits(x->round, NULL, x->orbit);
	else if (x->group)
		macaw_symmetries_orbits(x->s, x->group, x->orbit);
	if (x->o->json)
		print_json(x);
	else
		print_text(x);
	mem_free(x->orbit);
	macaw_stabiliser_free(x->group);
	macaw_symmetries_free(x->round);
	macaw_symmetries_free(x->s);
	return EXIT_DONE;
}

static int show_position(struct shown *x)
{
	macaw_error error;
	struct where p;
	int status = where_find(x->game, "symmetries", &x->o->where, &p);
	macaw_worker *w = status ? NULL : macaw_worker_new(x->game, &error);
	if (!status && !w)
		fprintf(stderr, "macaw symmetries: %s\n", error.text);
	if (!status)
		status = w ? show(x, p.at, w) : EXIT_MACHINE;
	macaw_worker_free(w);
	where_free(&p);
	return status;
}

static int run(void *options, int count, char **words)
{
	struct symmetries_options *o = options;
	int status;
	if (count != 1) {
		fprintf(stderr, "macaw symmetries: name one GAME\nTry 'macaw help symmetries'.\n");
		return EXIT_USAGE;
	}
	o->load.engine = MACAW_ENGINE_AUTO;
	struct shown x = {.o = o, .game = load_word("symmetries", words[0], &o->load, &status)};
	if (!x.game)
		return status;
	status = show_position(&x);
	macaw_game_free(x.game);
	return status;
}

const struct command cmd_symmetries = {
	.name = "symmetries",
	.arguments = "GAME",
	.summary = "Find the symmetries of a game",
	.details = "Permutations of fluents, moves and roles that leave the rules unchanged: the order of the\n"
			   "group, generators, how many leave the initial state (or another one) unchanged,\n"
			   "which of its moves are equivalent, and for games on a board a picture of the\n"
			   "equivalent squares. Found as automorphisms of a graph of the ground program (nauty);\n"
			   "each generator is tried on random states. --round shows the group from the state on instead:\n"
			   "what can never change again is folded, so lost rights and blocked lines make it larger.",
	.example = "macaw symmetries tictactoe --after '2 2'",
	.options = table,
	.size = sizeof(struct symmetries_options),
	.run = run,
};
