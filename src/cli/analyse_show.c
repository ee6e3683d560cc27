/* Tables for a terminal, objects for a pipe. */
#include "cli/analyse_show.h"

#include "cli/analyst.h"
#include "cli/output.h"

#include <math.h>

/* ---- thoughts ---- */

static void put_value(struct text_table *t, const macaw_move_value *v)
{
	double low, high;
	if (v->value < 0 && v->low <= 0 && v->high >= 100) {
		text_table_cell(t, "%s", "?");
		text_table_cell(t, "%s", "");
		return;
	}
	if (v->low >= v->high) {
		text_table_cell(t, "%.1f", v->low);
		text_table_cell(t, "%s", "proved");
		return;
	}
	if (v->value < 0) {
		low = v->low;
		high = v->high;
		text_table_cell(t, "%s", "?");
	} else {
		analyst_interval(v, &low, &high);
		text_table_cell(t, "%.1f", v->value);
	}
	text_table_cell(t, "%.1f - %.1f", low, high);
}

static void put_moves(const struct analysis *a, const macaw_thought *t, struct text *out)
{
	struct text_table table = {.heading = true};
	bool shares = false, visits = false;
	uint32_t n = a->shown && a->shown < t->value_count ? a->shown : t->value_count;
	for (uint32_t i = 0; i < t->value_count; i++) {
		shares |= t->values[i].share >= 0;
		visits |= t->values[i].visits > 0;
	}
	text_table_row(&table);
	text_table_cell(&table, "move");
	text_table_cell(&table, "value");
	text_table_cell(&table, "95%% interval");
	if (visits)
		text_table_cell(&table, "visits");
	if (shares)
		text_table_cell(&table, "share");
	for (uint32_t i = 0; i < n; i++) {
		const macaw_move_value *v = &t->values[i];
		struct text count = {0};
		text_table_row(&table);
		text_table_cell(&table, "%s", macaw_game_move(a->game, v->move));
		put_value(&table, v);
		number_grouped(&count, v->visits);
		if (visits)
			text_table_cell(&table, "%s", text_str(&count));
		if (shares && v->share >= 0)
			text_table_cell(&table, "%.1f%%", 100 * v->share);
		else if (shares)
			text_table_cell(&table, "%s", "");
		text_free(&count);
	}
	text_table_print(&table, out);
	if (n < t->value_count)
		text_printf(out, "… and %u more moves\n", t->value_count - n);
	text_table_free(&table);
}

/* Moves of those who have a choice: of a joint move, those that are not the same as always. */
static void put_line(const struct analysis *a, const macaw_thought *t, struct text *out)
{
	struct text line = {0};
	uint32_t roles = macaw_game_roles(a->game);
	text_puts(&line, "best line: ");
	for (uint32_t i = 0; i < t->line_steps; i++)
		for (uint32_t r = 0; r < roles; r++)
			text_printf(&line, "%s%s", r ? ", " : i ? "; " : "", macaw_game_move(a->game, t->line[i * roles + r]));
	screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), out);
	text_free(&line);
}

static void put_joint(const struct analysis *a, const uint32_t *moves, struct text *out)
{
	for (uint32_t r = 0; r < macaw_game_roles(a->game); r++)
		text_printf(out, "%s%s", r ? ", " : "", macaw_game_move(a->game, moves[r]));
}

/* The children of a node, below one another, with theirs indented. They come after it, most visited first. */
static void put_subtree(const struct analysis *a, uint32_t parent, int indent, struct text *out)
{
	for (uint32_t i = parent + 1; i < a->tree.count; i++) {
		const macaw_tree_node *n = &a->tree.nodes[i];
		if (n->parent != parent)
			continue;
		struct text line = {0};
		put_joint(a, n->moves, &line);
		text_printf(&line, ": %.1f%s in ", n->value, n->low >= n->high ? " proved" : "");
		number_grouped(&line, n->visits);
		text_printf(out, "%*s", indent, "");
		screen_wrap(text_str(&line), line.n, indent + 4, indent, screen_columns(), out);
		text_free(&line);
		put_subtree(a, i, indent + 2, out);
	}
}

static void put_tree(const struct analysis *a, struct text *out)
{
	text_printf(out, "\nthe %u most visited nodes, with the score of %s and visits:\n", a->tree.count - 1,
	            macaw_game_role(a->game, a->role));
	put_subtree(a, 0, 2, out);
}

void analysis_table(const struct analysis *a, const macaw_thought *t, struct text *out)
{
	struct text line = {0};
	if (t->value_count)
		put_moves(a, t, out);
	if (t->line_steps)
		put_line(a, t, out);
	text_printf(&line, "%s for %s: %s", a->player, macaw_game_role(a->game, a->role),
	            macaw_game_move(a->game, t->move));
	if (t->why && *t->why)
		text_printf(&line, " (%s)", t->why);
	if (t->proved)
		text_puts(&line, ", no other is better");
	text_puts(&line, "; ");
	number_grouped(&line, a->playouts);
	text_printf(&line, " playouts or positions, %.1f s", a->seconds);
	screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), out);
	text_free(&line);
	if (a->last && a->tree.count > 1)
		put_tree(a, out);
}

static void tree_json(struct json_writer *w, const struct analysis *a)
{
	jsonw_array(w, "tree");
	for (uint32_t i = 0; i < a->tree.count; i++) {
		const macaw_tree_node *n = &a->tree.nodes[i];
		jsonw_object(w, NULL);
		jsonw_uint(w, "parent", n->parent);
		jsonw_array(w, "moves");
		for (uint32_t r = 0; n->moves && r < macaw_game_roles(a->game); r++)
			jsonw_text(w, NULL, macaw_game_move(a->game, n->moves[r]));
		jsonw_end(w);
		if (n->value >= 0)
			jsonw_real(w, "value", n->value);
		jsonw_real(w, "proved_low", n->low);
		jsonw_real(w, "proved_high", n->high);
		jsonw_uint(w, "visits", n->visits);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void move_json(struct json_writer *w, const struct analysis *a, const macaw_move_value *v)
{
	double low, high;
	jsonw_object(w, NULL);
	jsonw_text(w, "move", macaw_game_move(a->game, v->move));
	if (v->value >= 0) {
		analyst_interval(v, &low, &high);
		jsonw_real(w, "value", v->value);
		jsonw_real(w, "low", low);
		jsonw_real(w, "high", high);
	}
	jsonw_real(w, "proved_low", v->low);
	jsonw_real(w, "proved_high", v->high);
	if (v->visits)
		jsonw_uint(w, "visits", v->visits);
	if (v->share >= 0)
		jsonw_real(w, "share", v->share);
	jsonw_end(w);
}

static void begin_json(struct json_writer *w, const struct analysis *a)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "game", macaw_game_name(a->game));
	jsonw_text(w, "player", a->player);
	output_seconds(w, "seconds", a->seconds);
	jsonw_uint(w, "playouts", a->playouts);
	jsonw_bool(w, "last", a->last);
}

void analysis_json(const struct analysis *a, const macaw_thought *t, struct text *out)
{
	struct json_writer w = {.out = out};
	uint32_t roles = macaw_game_roles(a->game);
	begin_json(&w, a);
	jsonw_text(&w, "role", macaw_game_role(a->game, a->role));
	jsonw_text(&w, "move", macaw_game_move(a->game, t->move));
	jsonw_text(&w, "why", t->why);
	if (t->value >= 0)
		jsonw_real(&w, "value", t->value);
	jsonw_bool(&w, "proved", t->proved);
	jsonw_array(&w, "moves");
	for (uint32_t i = 0; i < t->value_count; i++)
		move_json(&w, a, &t->values[i]);
	jsonw_end(&w);
	jsonw_array(&w, "line");
	for (uint32_t i = 0; i < t->line_steps; i++) {
		jsonw_array(&w, NULL);
		for (uint32_t r = 0; r < roles; r++)
			jsonw_text(&w, NULL, macaw_game_move(a->game, t->line[i * roles + r]));
		jsonw_end(&w);
	}
	jsonw_end(&w);
	if (a->tree.count)
		tree_json(&w, a);
	jsonw_end(&w);
}

/* ---- strategies ---- */

void strategy_table(const struct analysis *a, macaw_strategy *s, struct text *out)
{
	for (size_t i = 0; i < macaw_strategy_sets(s); i++) {
		macaw_information_set x = macaw_strategy_set_at(s, i);
		struct text line = {0};
		text_printf(&line, "%s %.1f%%: %s", macaw_game_role(a->game, x.role), 100 * x.reach,
		            *x.knows ? x.knows : "at the start");
		screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), out);
		vec_clear(&line);
		for (uint32_t k = 0; k < x.count; k++)
			text_printf(&line, "%s%.3f %s", k ? ", " : "", x.shares[k], macaw_game_move(a->game, x.moves[k]));
		text_puts(out, "    ");
		screen_wrap(text_str(&line), line.n, 4, 4, screen_columns(), out);
		text_free(&line);
	}
	for (uint32_t r = 0; r < macaw_game_roles(a->game); r++)
		if (r != macaw_game_random(a->game))
			text_printf(out, "%s gets %.2f; at best, against this, %.2f\n", macaw_game_role(a->game, r),
			            macaw_strategy_value(s, r), macaw_strategy_best_response(s, r));
	text_puts(out, "cfr: ");
	number_grouped(out, macaw_strategy_iterations(s));
	text_printf(out, " iterations, %.1f s\n", a->seconds);
}

void strategy_json(const struct analysis *a, macaw_strategy *s, struct text *out)
{
	struct json_writer w = {.out = out};
	begin_json(&w, a);
	jsonw_uint(&w, "iterations", macaw_strategy_iterations(s));
	jsonw_array(&w, "roles");
	for (uint32_t r = 0; r < macaw_game_roles(a->game); r++) {
		if (r == macaw_game_random(a->game))
			continue;
		jsonw_object(&w, NULL);
		jsonw_text(&w, "role", macaw_game_role(a->game, r));
		jsonw_real(&w, "value", macaw_strategy_value(s, r));
		jsonw_real(&w, "best_response", macaw_strategy_best_response(s, r));
		jsonw_end(&w);
	}
	jsonw_end(&w);
	jsonw_array(&w, "sets");
	for (size_t i = 0; i < macaw_strategy_sets(s); i++) {
		macaw_information_set x = macaw_strategy_set_at(s, i);
		jsonw_object(&w, NULL);
		jsonw_text(&w, "role", macaw_game_role(a->game, x.role));
		jsonw_text(&w, "knows", x.knows);
		jsonw_real(&w, "reach", x.reach);
		jsonw_array(&w, "moves");
		for (uint32_t k = 0; k < x.count; k++) {
			jsonw_object(&w, NULL);
			jsonw_text(&w, "move", macaw_game_move(a->game, x.moves[k]));
			jsonw_real(&w, "share", x.shares[k]);
			jsonw_end(&w);
		}
		jsonw_end(&w);
		jsonw_end(&w);
	}
	jsonw_end(&w);
	jsonw_end(&w);
}
