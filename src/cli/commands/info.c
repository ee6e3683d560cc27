/* macaw info GAME: what kind of game it is, and the size of it and of its circuit. */
#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct info_options {
	struct load_options load;
	struct where_options where;
	bool json;
	double time;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct info_options, json), NULL, "print one JSON object"},
	WHERE_OPTIONS(struct info_options, where),
	{"time", 't', OPT_REAL, offsetof(struct info_options, time), "SEC", "time for proofs about the game (0: none)",
     .real = 5, .min = 0, .max = 1e6},
	LOAD_OPTIONS(struct info_options, load),
	{0}};

static uint32_t moves_of(const macaw_game *g, uint32_t role)
{
	uint32_t n = 0;
	for (uint32_t m = 0; m < macaw_game_moves(g); m++)
		n += macaw_game_role_of(g, m) == role;
	return n;
}

static bool has_circuit(const macaw_game *g)
{
	return macaw_game_engine(g) == MACAW_ENGINE_CIRCUIT;
}

/* ---- what kind of game ------------------------------------------------------------- */

static const char *verdict_word(enum macaw_proof v)
{
	return v == MACAW_PROVED_YES ? "yes" : v == MACAW_PROVED_NO ? "no" : "not proved";
}

/* Yes and no are proved; null is neither. */
static void verdict_json(struct json_writer *w, const char *key, enum macaw_proof v)
{
	if (v == MACAW_NOT_PROVED)
		jsonw_null(w, key);
	else
		jsonw_bool(w, key, v == MACAW_PROVED_YES);
}

static void fragment_json(struct json_writer *w, const macaw_game_fragment *f)
{
	jsonw_object(w, "fragment");
	jsonw_bool(w, "chance", f->chance);
	verdict_json(w, "shared_information", f->shared);
	verdict_json(w, "simultaneous_moves", f->simultaneous);
	verdict_json(w, "constant_sum", f->constant_sum);
	if (f->constant_sum == MACAW_PROVED_YES)
		jsonw_int(w, "sum", f->sum);
	else
		jsonw_null(w, "sum");
	if (f->finite == MACAW_PROVED_YES)
		jsonw_uint(w, "horizon", f->horizon);
	else
		jsonw_null(w, "horizon");
	jsonw_uint(w, "factors", f->factors);
	jsonw_end(w);
}

/* ---- JSON --------------------------------------------------------------------------- */

/* With the interpreter these are not known: null. */
static void numbers_json(struct json_writer *w, const macaw_game *g, const macaw_game_info *i)
{
	const struct {
		const char *key;
		size_t value;
	} numbers[] = {
		{"fluents", i->fluents},       {"constant_fluents", i->constant_fluents},
		{"variables", i->fluents},     {"moves", i->moves},
		{"percepts", i->percepts},     {"goals", i->goals},
		{"atoms", i->atoms},           {"ground_rules", i->ground_rules},
		{"gates", i->gates},           {"fixpoint_blocks", i->fixpoint_blocks},
		{"operations", i->operations}, {"slots", i->slots},
	};
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
		if (has_circuit(g))
			jsonw_uint(w, numbers[k].key, numbers[k].value);
		else
			jsonw_null(w, numbers[k].key);
}

static void moves_json(struct json_writer *w, const macaw_game *g)
{
	jsonw_object(w, "moves_by_role");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		jsonw_uint(w, macaw_game_role(g, r), moves_of(g, r));
	jsonw_end(w);
}

static void print_json(const macaw_game *g, const macaw_game_info *i, const macaw_game_fragment *f)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	const char *why = macaw_game_why_interpreted(g);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_array(&w, "roles");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		jsonw_text(&w, NULL, macaw_game_role(g, r));
	jsonw_end(&w);
	jsonw_bool(&w, "random", macaw_game_random(g) != MACAW_NONE);
	jsonw_bool(&w, "hidden", macaw_game_hidden(g));
	if (f)
		fragment_json(&w, f);
	jsonw_text(&w, "engine", load_engine(g));
	jsonw_text(&w, "why", *why ? why : NULL);
	numbers_json(&w, g, i);
	if (has_circuit(g))
		moves_json(&w, g);
	jsonw_real(&w, "build_seconds", i->seconds);
	if (has_circuit(g))
		jsonw_real(&w, "grounding_seconds", i->grounding_seconds);
	else
		jsonw_null(&w, "grounding_seconds");
	jsonw_uint(&w, "memory_bytes", mem_resident());
	jsonw_end(&w);
	puts(text_str(&out));
	text_free(&out);
}

/* ---- text ----------------------------------------------------------------------------- */

static void line(const char *title, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(const char *title, const char *format, ...)
{
	struct text out = {0};
	char value[4096];
	va_list ap;
	va_start(ap, format);
	vsnprintf(value, sizeof value, format, ap);
	va_end(ap);
	screen_row(0, 18, title, value, screen_columns_of_lines(), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void count(const char *title, uint64_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A number with an optional remark. */
static void count(const char *title, uint64_t n, const char *format, ...)
{
	struct text t = {0};
	va_list ap;
	number_grouped(&t, n);
	printf("%-17s %s", title, text_str(&t));
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	text_free(&t);
}

static void print_roles(const macaw_game *g)
{
	struct text t = {0};
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		uint32_t moves = has_circuit(g) ? moves_of(g, r) : 0;
		text_printf(&t, "%s%s", r ? ", " : "", macaw_game_role(g, r));
		if (has_circuit(g))
			text_printf(&t, " (%u move%s)", moves, moves == 1 ? "" : "s");
	}
	struct text out = {0};
	screen_row(0, 18, "roles", text_str(&t), screen_columns_of_lines(), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
	text_free(&t);
}

static void print_circuit(const macaw_game_info *i)
{
	struct text constant = {0};
	if (i->constant_fluents)
		text_printf(&constant, " (%zu of them constant)", i->constant_fluents);
	count("fluents", i->fluents, "%s", text_str(&constant));
	text_free(&constant);
	count("moves", i->moves, "%s", "");
	if (i->percepts)
		count("percepts", i->percepts, "%s", "");
	count("goal values", i->goals, "%s", "");
	count("atoms", i->atoms, "%s", "");
	count("ground rules", i->ground_rules, "%s", "");
	count("gates", i->gates, "%s", "");
	count("fixpoint blocks", i->fixpoint_blocks, "%s", "");
	count("operations", i->operations, " a step");
	count("slots", i->slots, "%s", "");
}

static void print_fragment(const macaw_game *g, const macaw_game_fragment *f)
{
	bool alone = macaw_game_roles(g) - f->chance < 2;
	line("shared view", "%s%s", verdict_word(f->shared),
	     f->shared != MACAW_PROVED_YES ? ""
	     : f->hidden                   ? " (all roles see the same)"
	                                   : " (nothing is hidden)");
	if (!alone) {
		line("simultaneous", "%s", verdict_word(f->simultaneous));
		if (f->constant_sum == MACAW_PROVED_YES)
			line("constant sum", "yes (%d)", f->sum);
		else
			line("constant sum", "%s", verdict_word(f->constant_sum));
	}
	if (f->finite == MACAW_PROVED_YES)
		line("horizon", "%u step%s at most (proved)", f->horizon, f->horizon == 1 ? "" : "s");
	else
		line("horizon", "not proved");
	if (f->factors > 1)
		line("factors", "%u (games that can be played one by one)", f->factors);
}

static void print_text(const macaw_game *g, const macaw_game_info *i, const macaw_game_fragment *f)
{
	const char *why = macaw_game_why_interpreted(g);
	line("game", "%s", macaw_game_name(g));
	print_roles(g);
	line("chance", "%s", macaw_game_random(g) != MACAW_NONE ? "yes (role random)" : "no");
	line("hidden", "%s", macaw_game_hidden(g) ? "yes (sees)" : "no");
	if (f)
		print_fragment(g, f);
	line("engine", "%s%s%s", load_engine(g), *why ? ": " : "", why);
	if (has_circuit(g)) {
		print_circuit(i);
		line("built in", "%.3f s (grounding %.3f s)", i->seconds, i->grounding_seconds);
	} else {
		line("built in", "%.3f s", i->seconds);
	}
	line("memory", "%.1f MB", (double)mem_resident() / 1048576);
}

/* ---- a position ---------------------------------------------------------------------- */

static void goals_json(struct json_writer *w, const macaw_game *g, const macaw_view *v)
{
	jsonw_object(w, "goals");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		if (v->goals[r] == MACAW_NO_GOAL)
			jsonw_null(w, macaw_game_role(g, r));
		else
			jsonw_int(w, macaw_game_role(g, r), v->goals[r]);
	jsonw_end(w);
}

static void legal_json(struct json_writer *w, const macaw_game *g, const macaw_view *v)
{
	jsonw_object(w, "legal");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		jsonw_array(w, macaw_game_role(g, r));
		for (uint32_t i = v->start[r]; i < v->start[r + 1]; i++)
			jsonw_text(w, NULL, macaw_game_move(g, v->legal[i]));
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void position_json(const macaw_game *g, const uint64_t *position, const macaw_view *v)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	char *state = macaw_position_text(g, position);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_text(&w, "state", state);
	jsonw_bool(&w, "terminal", v->terminal);
	goals_json(&w, g, v);
	legal_json(&w, g, v);
	jsonw_end(&w);
	output_line(&t);
	macaw_free(state);
}

static void position_text(const macaw_game *g, const uint64_t *position, const macaw_view *v)
{
	struct text t = {0};
	macaw_drawing *d = macaw_drawing_new(unconst(g), NULL);
	if (d)
		draw_position(d, &(struct draw_options){0}, &(macaw_sight){.position = position}, &t);
	text_puts(&t, v->terminal ? "The game is over.\n" : "");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		struct text what = {0};
		uint32_t moves = v->start[r + 1] - v->start[r];
		if (v->goals[r] == MACAW_NO_GOAL)
			text_puts(&what, "goal none; ");
		else
			text_printf(&what, "goal %d; ", v->goals[r]);
		text_printf(&what, "%u move%s:", moves, moves == 1 ? "" : "s");
		for (uint32_t i = v->start[r]; i < v->start[r + 1]; i++)
			text_printf(&what, " %s", macaw_game_move(g, v->legal[i]));
		draw_remark(macaw_game_role(g, r), text_str(&what), &t);
		text_free(&what);
	}
	fputs(text_str(&t), stdout);
	macaw_drawing_free(d);
	text_free(&t);
}

/* What can be said of a position, in the place of the sizes. */
static int show_position(macaw_game *g, const struct info_options *o)
{
	struct where p;
	macaw_view v;
	int status = where_find(g, "info", &o->where, &p);
	macaw_worker *w = status ? NULL : macaw_worker_new(g, NULL);
	if (w && macaw_look(w, p.at, &v))
		(o->json ? position_json : position_text)(g, p.at, &v);
	else if (!status)
		status = EXIT_MACHINE;
	macaw_worker_free(w);
	where_free(&p);
	return status;
}

#define LEAST_TIME 0.01 /* for what is known without a search */

/* Building and proofs together take no longer than --timeout. */
static double proof_time(const struct info_options *o, const macaw_game_info *info)
{
	double left = o->load.timeout > 0 ? o->load.timeout - info->seconds : o->time;
	return o->time <= 0 ? 0 : fmax(fmin(o->time, left), LEAST_TIME);
}

static int run(void *options_, int words_count, char **words)
{
	const struct info_options *o = options_;
	if (words_count != 1) {
		fprintf(stderr, "macaw info: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	int status;
	macaw_game *g = load_word("info", words[0], &o->load, &status);
	if (!g)
		return status;
	macaw_game_info info = macaw_game_information(g);
	macaw_game_fragment f;
	macaw_error error;
	double time = proof_time(o, &info);
	if (where_given(&o->where)) {
		status = show_position(g, o);
	} else if (time > 0 && !macaw_game_fragment_of(g, (macaw_limit){.seconds = time}, &f, &error)) {
		fprintf(stderr, "macaw info: %s\n", error.text);
		status = EXIT_MACHINE;
	} else if (o->json)
		print_json(g, &info, time > 0 ? &f : NULL);
	else
		print_text(g, &info, time > 0 ? &f : NULL);
	macaw_game_free(g);
	return status;
}

const struct command cmd_info = {
	.name = "info",
	.arguments = "GAME",
	.summary = "Print what kind of game it is, and how large",
	.details = "Builds the game as for play and prints to which kind it belongs and how large the result is. Chance, a "
			   "view that all "
			   "roles share, simultaneous moves, a constant sum of goals and the most steps a play can have: yes and "
			   "no are proved, "
			   "within --time; what is not is said to be so. Operations and slots are those of one step of a "
			   "playout, for all lanes at once. The interpreter discovers fluents and moves only during play, so these "
			   "numbers "
			   "are left out when it runs the game. With --after, --state or --record it tells of that position "
			   "instead: the board, "
			   "whether the game is over, goals and legal moves.",
	.options = options,
	.size = sizeof(struct info_options),
	.example = "macaw info chess",
	.run = run,
};
