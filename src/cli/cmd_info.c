/* macaw info GAME: what the rules became, in numbers. */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/table.h"

#include "game/rules_view.h"

#include <stddef.h>

struct info_options {
	struct load_options load;
	bool json;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct info_options, json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct info_options, load),
	{0}};

static uint32_t moves_of(const struct game *g, uint32_t role)
{
	return g->first_move[role + 1] - g->first_move[role];
}

static size_t blocks(const struct circuit *c)
{
	return c->loops.n ? c->loops.n - 1 : 0;
}

/* ---- JSON --------------------------------------------------------------------------- */

/* Of the interpreter these are not known: null. */
static void add_numbers(json_t *o, const struct game *g)
{
	const struct rules_view *e = game_rules_view(g);
	const struct ground *ground = e ? e->ground : NULL;
	const struct {
		const char *key;
		size_t value;
	} numbers[] = {
		{"fluents", g->fluents},
		{"constant_fluents", e ? e->constants : 0},
		{"variables", g->fluents},
		{"moves", g->moves},
		{"percepts", g->percepts},
		{"goals", e ? ground->goals.n : 0},
		{"atoms", e ? ground->atoms : 0},
		{"ground_rules", e ? ground->first.at[ground->atoms] : 0},
		{"gates", e ? circuit_gates(e->circuit) : 0},
		{"fixpoint_blocks", e ? blocks(e->circuit) : 0},
		{"operations", e ? e->operations : 0},
		{"slots", e ? e->slots : 0},
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		json_object_set_new(o, numbers[i].key, e ? json_integer((json_int_t)numbers[i].value) : json_null());
}

static void add_moves(json_t *o, const struct game *g)
{
	json_t *by_role = json_object();
	for (uint32_t r = 0; r < g->roles; r++) {
		struct text name = {0};
		game_print_role(g, r, &name);
		json_object_set_new(by_role, text_str(&name), json_integer(moves_of(g, r)));
		text_free(&name);
	}
	json_object_set_new(o, "moves_by_role", by_role);
}

static void print_json(const struct loaded *l)
{
	const struct game *g = l->game;
	json_t *o = json_object(), *roles = json_array();
	for (uint32_t r = 0; r < g->roles; r++) {
		struct text name = {0};
		game_print_role(g, r, &name);
		json_array_append_new(roles, json_string(text_str(&name)));
		text_free(&name);
	}
	json_object_set_new(o, "game", json_text(text_str(&l->name)));
	json_object_set_new(o, "roles", roles);
	json_object_set_new(o, "random", json_boolean(g->random < g->roles));
	json_object_set_new(o, "hidden", json_boolean(g->hidden));
	json_object_set_new(o, "engine", json_string(load_engine_name(g)));
	json_object_set_new(o, "why", g->why.n ? json_string(text_str(&g->why)) : json_null());
	add_numbers(o, g);
	if (g->circuit)
		add_moves(o, g);
	json_object_set_new(o, "build_seconds", json_number(l->seconds));
	json_object_set_new(o, "grounding_seconds", g->circuit ? json_number(game_rules_view(g)->ground->seconds) : json_null());
	json_object_set_new(o, "memory_bytes", json_integer((json_int_t)mem_resident()));
	json_finish(o);
}

/* ---- text ----------------------------------------------------------------------------- */

static void line(const char *title, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(const char *title, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	printf("%-17s ", title);
	vprintf(format, ap);
	putchar('\n');
	va_end(ap);
}

static void count(const char *title, uint64_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A number, and perhaps a remark. */
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

static void print_roles(const struct game *g)
{
	struct text t = {0};
	for (uint32_t r = 0; r < g->roles; r++) {
		text_puts(&t, r ? ", " : "");
		game_print_role(g, r, &t);
		if (g->circuit)
			text_printf(&t, " (%u move%s)", moves_of(g, r), moves_of(g, r) == 1 ? "" : "s");
	}
	line("roles", "%s", text_str(&t));
	text_free(&t);
}

static void print_circuit(const struct game *g)
{
	const struct rules_view *e = game_rules_view(g);
	const struct ground *ground = e->ground;
	struct text constant = {0};
	if (e->constants)
		text_printf(&constant, " (%u of them constant)", e->constants);
	count("fluents", g->fluents, "%s", text_str(&constant));
	text_free(&constant);
	count("moves", g->moves, "%s", "");
	if (g->percepts)
		count("percepts", g->percepts, "%s", "");
	count("goal values", ground->goals.n, "%s", "");
	count("atoms", ground->atoms, "%s", "");
	count("ground rules", ground->first.at[ground->atoms], "%s", "");
	count("gates", circuit_gates(e->circuit), "%s", "");
	count("fixpoint blocks", blocks(e->circuit), "%s", "");
	count("operations", e->operations, " a step");
	count("slots", e->slots, "%s", "");
}

static void print_text(const struct loaded *l)
{
	const struct game *g = l->game;
	line("game", "%s", text_str(&l->name));
	print_roles(g);
	line("chance", "%s", g->random < g->roles ? "yes (role random)" : "no");
	line("hidden", "%s", g->hidden ? "yes (sees)" : "no");
	line("engine", "%s%s%s", load_engine_name(g), g->why.n ? ": " : "", text_str(&g->why));
	if (g->circuit)
		print_circuit(g);
	if (g->circuit)
		line("built in", "%.3f s (grounding %.3f s)", l->seconds, game_rules_view(g)->ground->seconds);
	else
		line("built in", "%.3f s", l->seconds);
	line("memory", "%.1f MB", (double)mem_resident() / 1048576);
}

static int run(void *options_, int words_count, char **words)
{
	const struct info_options *o = options_;
	if (words_count != 1) {
		fprintf(stderr, "macaw info: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	struct loaded l = {0};
	int status = load_game("info", words[0], &o->load, &l);
	if (status)
		return status;
	if (o->json)
		print_json(&l);
	else
		print_text(&l);
	load_game_free(&l);
	return EXIT_DONE;
}

const struct command cmd_info = {
	.name = "info",
	.arguments = "GAME",
	.summary = "Tell the size of a game: roles, fluents, moves, gates",
	.details =
		"Builds the game as it would be played and prints what came of the rules. Operations and slots are those "
		"of one step of a playout, for all lanes at once. The interpreter meets fluents and moves only as it "
		"plays, so their numbers are left out with it.",
	.options = options,
	.size = sizeof(struct info_options),
	.run = run,
};
