/* macaw analyse GAME: what a player knows of all moves in a position, growing while it thinks. */
#include "cli/analyse_show.h"
#include "cli/analyst.h"
#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct analyse_options {
	struct load_options load;
	struct where_options where;
	struct draw_options draw;
	const char *player, *role;
	double clock;
	int64_t playouts, seed, shown, tree;
	bool json, text;
};

#define FIELD(f) offsetof(struct analyse_options, f)
static const struct opt options[] = {
	{"player", 'p', OPT_TEXT, FIELD(player), "NAME", "who thinks: see macaw players", .words = "macaw"},
	{"role", 'r', OPT_TEXT, FIELD(role), "ROLE", "for whom (the first role that has a choice)"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time to think", .real = 5, .min = 0.01, .max = 1e6},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "think for so many playouts instead (0: by the clock)", .min = 0,
     .max = 1e15},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"shown", 0, OPT_INT, FIELD(shown), "N", "show the best N moves (0: all)", .whole = 20, .min = 0, .max = 1e6},
	{"tree", 0, OPT_INT, FIELD(tree), "N", "show the N most visited nodes of the search tree too", .min = 0,
     .max = 10000},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "a JSON object a line, also on a terminal"},
	{"text", 0, OPT_FLAG, FIELD(text), NULL, "one table at the end, also where there is no terminal"},
	WHERE_OPTIONS(struct analyse_options, where),
	DRAW_OPTIONS(struct analyse_options, draw),
	LOAD_OPTIONS(struct analyse_options, load),
	{0}};

enum { SLICES = 7 }; /* each as long as those before it together: also for players that begin anew each time */

static macaw_stop interrupted;

static void on_interrupt(int number)
{
	(void)number;
	macaw_stop_now(&interrupted);
	signal(SIGINT, SIG_DFL); /* a second Ctrl-C ends the process */
}

/* ---- the screen ---- */

enum manner { IN_PLACE, AT_THE_END, JSON_LINES };

struct screen {
	enum manner manner;
	int lines; /* that stand there and will be drawn over */
};

static struct screen screen_for(const struct analyse_options *o)
{
	bool terminal = isatty(STDOUT_FILENO);
	return (struct screen){o->json || (!terminal && !o->text) ? JSON_LINES
	                       : terminal && !o->text             ? IN_PLACE
	                                                          : AT_THE_END,
	                       0};
}

/* Rows of the terminal; what has more cannot be drawn over. */
static int screen_rows(void)
{
	struct winsize size;
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
}

static int count_lines(const struct text *t)
{
	int lines = 0;
	for (size_t i = 0; i < t->n; i++)
		lines += t->at[i] == '\n';
	return lines;
}

/* Takes the text over. */
static void screen_show(struct screen *s, struct text *t, bool last)
{
	bool fits = s->manner != IN_PLACE || count_lines(t) < screen_rows();
	if (!last && (s->manner == AT_THE_END || !fits)) {
		text_free(t);
		return;
	}
	if (s->lines)
		printf("\033[%dA\033[J", s->lines);
	fputs(text_str(t), stdout);
	if (s->manner == JSON_LINES)
		putchar('\n');
	s->lines = s->manner == IN_PLACE ? count_lines(t) : 0;
	fflush(stdout);
	text_free(t);
}

/* ---- thinking ---- */

/* Slice i of SLICES. */
static macaw_budget slice_of(const struct analyse_options *o, int i)
{
	double share = 1.0 / (double)(1 << (SLICES - (i ? i : 1)));
	macaw_budget b = {.stop = &interrupted, .margin = -1};
	if (o->playouts)
		b.playouts = (uint64_t)((double)o->playouts * share) + 1;
	else
		b.seconds = o->clock * share;
	return b;
}

static int analyse(struct analyst *a, const struct analyse_options *o)
{
	struct screen screen = screen_for(o);
	double began = clock_now();
	for (int i = 0; i < SLICES; i++) {
		macaw_thought t;
		macaw_budget b = slice_of(o, i);
		if (!analyst_think(a, &b, &t)) {
			fprintf(stderr, "macaw analyse: %s\n", a->error.text);
			return load_status(&a->error);
		}
		macaw_counters c = macaw_player_counters(a->player);
		struct analysis now = {.game = a->game,
		                       .role = a->role,
		                       .player = o->player,
		                       .seconds = clock_now() - began,
		                       .playouts = c.playouts ? c.playouts : c.nodes,
		                       .shown = (uint32_t)o->shown,
		                       .last = i + 1 == SLICES || t.proved || macaw_stopped(&interrupted)};
		struct text out = {0};
		if (o->tree && now.last && !macaw_player_tree(a->player, (uint32_t)o->tree + 1, &now.tree))
			fprintf(stderr, "macaw analyse: %s keeps no search tree of this position\n", o->player);
		if (screen.manner == JSON_LINES)
			analysis_json(&now, &t, &out);
		else
			analysis_table(&now, &t, &out);
		screen_show(&screen, &out, now.last);
		if (now.last)
			break;
	}
	return EXIT_DONE;
}

static int analyse_strategy(macaw_game *g, const struct analyse_options *o)
{
	macaw_error error;
	macaw_strategy *s = macaw_strategy_new(g, (uint64_t)o->seed, &error);
	if (!s) {
		fprintf(stderr, "macaw analyse: %s\nA position (--after, --record) is analysed without such a table.\n",
		        error.text);
		return load_status(&error);
	}
	struct screen screen = screen_for(o);
	double began = clock_now();
	for (int i = 0; i < SLICES; i++) {
		macaw_budget b = slice_of(o, i);
		if (!macaw_strategy_improve(s, &b)) {
			fprintf(stderr, "macaw analyse: out of memory\n");
			macaw_strategy_free(s);
			return EXIT_MACHINE;
		}
		struct analysis now = {.game = g,
		                       .player = o->player,
		                       .seconds = clock_now() - began,
		                       .playouts = macaw_strategy_iterations(s),
		                       .last = i + 1 == SLICES || macaw_stopped(&interrupted)};
		struct text out = {0};
		if (screen.manner == JSON_LINES)
			strategy_json(&now, s, &out);
		else
			strategy_table(&now, s, &out);
		screen_show(&screen, &out, now.last);
		if (now.last)
			break;
	}
	macaw_strategy_free(s);
	return EXIT_DONE;
}

/* ---- the position ---- */

static void no_choice(const macaw_game *g, const macaw_view *v)
{
	uint32_t chance = macaw_game_random(g);
	fprintf(stderr, "macaw analyse: no player has a choice in this position");
	if (chance != MACAW_NONE && v->start[chance + 1] - v->start[chance] > 1)
		fprintf(stderr, ", chance moves first; try --after '%s'\n", macaw_game_move(g, v->legal[v->start[chance]]));
	else
		fprintf(stderr, "; go on with --after, or name a --role\n");
}

/* The role to think for; MACAW_NONE after a message. */
static uint32_t find_role(macaw_game *g, const struct analyse_options *o, const uint64_t *position)
{
	macaw_error error;
	macaw_worker *w = macaw_worker_new(g, &error);
	macaw_view v;
	uint32_t role = MACAW_NONE;
	bool looked = w && macaw_look(w, position, &v);
	if (!looked) {
		fprintf(stderr, "macaw analyse: %s\n", w ? macaw_worker_error(w)->text : error.text);
	} else if (v.terminal) {
		fprintf(stderr, "macaw analyse: the game is over in this position:");
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			fprintf(stderr, v.goals[r] == MACAW_NO_GOAL ? " %s none" : " %s %d", macaw_game_role(g, r), v.goals[r]);
		fputc('\n', stderr);
	} else if (o->role) {
		role = macaw_game_find_role(g, o->role);
		if (role == MACAW_NONE || role == macaw_game_random(g)) {
			fprintf(stderr, "macaw analyse: there is no role %s that a player could play\n", o->role);
			role = MACAW_NONE;
		}
	} else {
		for (uint32_t r = macaw_game_roles(g); r-- > 0;)
			if (r != macaw_game_random(g) && v.start[r + 1] - v.start[r] > 1)
				role = r;
		if (role == MACAW_NONE)
			no_choice(g, &v);
	}
	macaw_worker_free(w);
	return role;
}

static void draw(macaw_game *g, const struct analyse_options *o, const struct where *p)
{
	struct text out = {0};
	macaw_drawing *d = macaw_drawing_new(g, NULL);
	if (d && !macaw_game_hidden(g)) {
		draw_position(d, &o->draw, &(macaw_sight){.position = p->at}, &out);
		text_putc(&out, '\n');
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
	macaw_drawing_free(d);
}

static int analyse_position(macaw_game *g, const struct analyse_options *o, const struct where *p)
{
	uint32_t role = find_role(g, o, p->at), roles = macaw_game_roles(g);
	if (role == MACAW_NONE)
		return EXIT_INPUT;
	struct analyst a;
	bool fine = analyst_open(&a, g, role, o->player, (uint64_t)o->seed, p->start);
	for (uint32_t i = 0; i < p->steps && fine; i++)
		fine = analyst_follow(&a, p->made.at + (size_t)i * roles);
	int status;
	if (!fine) {
		fprintf(stderr, "macaw analyse: %s\n", a.error.text);
		status = load_status(&a.error);
	} else {
		if (screen_for(o).manner != JSON_LINES)
			draw(g, o, p);
		status = analyse(&a, o);
	}
	analyst_close(&a);
	return status;
}

static bool wants_strategy(const macaw_game *g, const struct analyse_options *o)
{
	return macaw_game_hidden(g) && !where_given(&o->where) && !o->role &&
	       (!strcmp(o->player, "cfr") || !strncmp(o->player, "cfr:", 4));
}

static int run(void *options_, int count, char **words)
{
	const struct analyse_options *o = options_;
	int status = EXIT_USAGE;
	if (count != 1 || (o->json && o->text)) {
		fprintf(stderr, count != 1 ? "macaw analyse: name one GAME\nTry 'macaw help analyse'.\n"
		                           : "macaw analyse: --json or --text, not both\n");
		return status;
	}
	macaw_game *g = load_word("analyse", words[0], &o->load, &status);
	if (!g)
		return status;
	signal(SIGINT, on_interrupt);
	if (wants_strategy(g, o)) {
		status = analyse_strategy(g, o);
	} else {
		struct where p;
		status = where_find(g, "analyse", &o->where, &p);
		if (!status)
			status = analyse_position(g, o, &p);
		where_free(&p);
	}
	macaw_game_free(g);
	return status;
}

const struct command cmd_analyse = {
	.name = "analyse",
	.arguments = "GAME",
	.summary = "Show what a player thinks of all moves in a position",
	.details =
		"Lists the moves of a role with the score that the player expects, its 95% interval or the proof, the visits "
		"spent "
		"on it, and the course it expects. On a terminal the table grows in place while the player thinks; "
		"Ctrl-C ends it. Elsewhere each state of it is a line of JSON. In games with hidden information the player "
		"knows "
		"what the role has seen. There, --player cfr without a position shows the strategy of each information set, "
		"where the game is small enough.",
	.example = "macaw analyse connect_four --after 'drop 4; drop 4'\nmacaw analyse kuhn_poker --player cfr",
	.options = options,
	.size = sizeof(struct analyse_options),
	.run = run,
};
