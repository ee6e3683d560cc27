/* Plays a game and tells the defects of its rules: which role, after which moves, and which rule came nearest. */
#include "cli/check_play.h"

#include "cli/commands.h"
#include "cli/explanation_json.h"
#include "cli/load.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_STEPS = 12, BUILD_SECONDS = 60 };

static const char *const kinds[] = {
	[MACAW_DEFECT_STUCK] = "stuck",     [MACAW_DEFECT_NO_GOAL] = "goal-missing", [MACAW_DEFECT_GOALS] = "goal-manifold",
	[MACAW_DEFECT_ENDLESS] = "endless", [MACAW_DEFECT_BASE] = "not-in-base",     [MACAW_DEFECT_INPUT] = "not-in-input",
};

/* ---- text ---- */

static void put_what(const macaw_game *g, const macaw_defect *d, struct text *out)
{
	const char *role = d->role == MACAW_NONE ? "" : macaw_game_role(g, d->role);
	switch (d->kind) {
	case MACAW_DEFECT_STUCK: text_printf(out, "%s has no legal move", role); break;
	case MACAW_DEFECT_NO_GOAL: text_printf(out, "%s has no goal at the end", role); break;
	case MACAW_DEFECT_GOALS: text_printf(out, "%s has several goals at the end", role); break;
	case MACAW_DEFECT_ENDLESS: text_puts(out, "the game does not end"); break;
	case MACAW_DEFECT_BASE: text_printf(out, "a fluent is left out by `base`: %s does not hold", d->statement); break;
	case MACAW_DEFECT_INPUT: text_printf(out, "a move is left out by `input`: %s does not hold", d->statement); break;
	}
}

/* As --after takes them. */
static void put_moves(const macaw_game *g, const macaw_defect *d, struct text *out)
{
	uint32_t roles = macaw_game_roles(g), shown = d->steps < SHOWN_STEPS ? d->steps : SHOWN_STEPS;
	for (uint32_t i = 0; i < shown; i++)
		for (uint32_t r = 0; r < roles; r++)
			text_printf(out, "%s%s", r ? ", " : i ? "; " : "", macaw_game_move(g, d->moves[i * roles + r]));
	if (shown < d->steps)
		text_puts(out, "; …");
}

static void put_where(const macaw_game *g, const macaw_defect *d, struct text *out)
{
	if (!d->steps) {
		text_puts(out, " in the initial position");
		return;
	}
	text_printf(out, " after %u step%s%s: ", d->steps, d->steps == 1 ? "" : "s",
	            d->shortest ? "" : " (there may be a shorter way)");
	put_moves(g, d, out);
}

static void put_explanation(const macaw_game *g, const macaw_explanation *x)
{
	const char *file = macaw_rules_file(macaw_game_rules(g)), *slash = strrchr(file, '/');
	char *text = x ? macaw_explanation_text(x, slash ? slash + 1 : file,
	                                        isatty(STDERR_FILENO) ? (uint32_t)screen_columns() - 4 : 0)
	               : NULL;
	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n');
		fprintf(stderr, "    %.*s\n", end ? (int)(end - line) : (int)strlen(line), line);
		line = end ? end + 1 : NULL;
	}
	macaw_free(text);
}

static void tell(const macaw_game *g, const macaw_defect *d, uint64_t playouts, bool advice)
{
	struct text out = {0};
	text_printf(&out, "%s: defect: ", macaw_rules_file(macaw_game_rules(g)));
	put_what(g, d, &out);
	put_where(g, d, &out);
	if (d->playouts) {
		text_puts(&out, " (in ");
		number_grouped(&out, d->playouts);
		text_puts(&out, " of ");
		number_grouped(&out, playouts);
		text_puts(&out, " playouts)");
	}
	text_printf(&out, " [%s]", kinds[d->kind]);
	fprintf(stderr, "%s\n", text_str(&out));
	put_explanation(g, d->explanation);
	put_explanation(g, d->second);
	if (advice)
		fprintf(stderr, "    = help: all roles move at the same time; one that waits needs a move that does nothing, "
		                "often called noop\n");
	text_free(&out);
}

/* ---- JSON ---- */

static void defect_json(struct json_writer *w, const macaw_game *g, const macaw_defect *d)
{
	uint32_t roles = macaw_game_roles(g);
	jsonw_object(w, NULL);
	jsonw_text(w, "kind", kinds[d->kind]);
	jsonw_text(w, "role", d->role == MACAW_NONE ? NULL : macaw_game_role(g, d->role));
	jsonw_uint(w, "playouts", d->playouts);
	jsonw_uint(w, "steps", d->steps);
	jsonw_bool(w, "shortest", d->shortest);
	jsonw_array(w, "moves");
	for (uint32_t i = 0; i < d->steps; i++) {
		jsonw_array(w, NULL);
		for (uint32_t r = 0; r < roles; r++)
			jsonw_text(w, NULL, macaw_game_move(g, d->moves[i * roles + r]));
		jsonw_end(w);
	}
	jsonw_end(w);
	char *position = macaw_position_text(g, d->position);
	jsonw_text(w, "position", position);
	macaw_free(position);
	jsonw_array(w, "explanations");
	for (int k = 0; k < 2; k++) {
		const macaw_explanation *x = k ? d->second : d->explanation;
		if (!x)
			continue;
		jsonw_object(w, NULL);
		explanation_json(w, x);
		jsonw_end(w);
	}
	jsonw_end(w);
	jsonw_end(w);
}

static void play_json(struct json_writer *w, const macaw_game *g, const macaw_defects *d)
{
	jsonw_object(w, "play");
	jsonw_uint(w, "playouts", macaw_defects_playouts(d));
	jsonw_array(w, "defects");
	for (size_t i = 0; i < macaw_defects_count(d); i++) {
		macaw_defect one = macaw_defects_at(d, i);
		defect_json(w, g, &one);
	}
	jsonw_end(w);
	jsonw_end(w);
}

static void play_text(const macaw_game *g, const macaw_defects *d)
{
	size_t n = macaw_defects_count(d);
	bool advised = false;
	for (size_t i = 0; i < n; i++) {
		macaw_defect one = macaw_defects_at(d, i);
		bool waits = one.kind == MACAW_DEFECT_STUCK && macaw_game_roles(g) > 1;
		tell(g, &one, macaw_defects_playouts(d), waits && !advised);
		advised |= waits;
	}
	struct text line = {0};
	text_printf(&line, "%s: ", macaw_rules_file(macaw_game_rules(g)));
	number_grouped(&line, macaw_defects_playouts(d));
	text_puts(&line, " playouts, ");
	if (n) {
		text_printf(&line, "%zu defect%s", n, n == 1 ? "" : "s");
		fprintf(stderr, "%s\n", text_str(&line));
	} else {
		printf("%sno defects\n", text_str(&line));
	}
	text_free(&line);
}

/* ---- playing ---- */

static void draw_progress(void *context, const char *what, double done, double total)
{
	struct progress *p = context;
	p->what = what;
	progress_step(p, done, total, NULL);
}

int check_play(macaw_rules *r, const struct check_play_options *o, struct json_writer *w, size_t *found)
{
	macaw_error error;
	struct progress progress = progress_start("", false);
	macaw_game *g = macaw_game_make(
		r, &(macaw_game_options){.limit.seconds = BUILD_SECONDS, .progress = draw_progress, .context = &progress},
		&error);
	macaw_defect_options search = {.playouts = (uint64_t)o->playouts,
	                               .seed = (uint64_t)o->seed,
	                               .limit.seconds = o->seconds,
	                               .progress = draw_progress,
	                               .context = &progress};
	macaw_defects *d = g ? macaw_defects_find(g, &search, &error) : NULL;
	progress_end(&progress);
	int status = EXIT_DONE;
	if (!d) {
		fprintf(stderr, "macaw check: --play: %s\n", error.text);
		status = load_status(&error);
	} else {
		*found += macaw_defects_count(d);
		if (w)
			play_json(w, g, d);
		else
			play_text(g, d);
		status = macaw_defects_count(d) ? EXIT_INPUT : EXIT_DONE;
	}
	macaw_defects_free(d);
	macaw_game_free(g);
	return status;
}
