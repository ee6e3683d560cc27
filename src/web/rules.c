/* Rules that pages send: what is wrong with them, and what becomes of them. */
#include "web/facts.h"
#include "web/place.h"
#include "web/server.h"

#include <string.h>

#define DIAGNOSTICS 500 /* most that are sent */

void request_put_place(struct json_writer *w, const macaw_place *at)
{
	jsonw_uint(w, "line", at->line);
	jsonw_uint(w, "column", at->column);
	jsonw_uint(w, "end_line", at->end_line);
	jsonw_uint(w, "end_column", at->end_column);
	jsonw_uint(w, "from", at->from);
	jsonw_uint(w, "to", at->to);
}

static void put_diagnostics(struct json_writer *w, const macaw_rules *r)
{
	jsonw_array(w, "diagnostics");
	for (size_t i = 0; i < macaw_rules_diagnostics(r) && i < DIAGNOSTICS; i++) {
		macaw_diagnostic d = macaw_rules_diagnostic(r, i);
		jsonw_object(w, NULL);
		jsonw_text(w, "severity", d.severity == MACAW_ERROR ? "error" : "warning");
		jsonw_text(w, "code", d.code);
		jsonw_text(w, "message", d.message);
		jsonw_text(w, "help", d.help);
		request_put_place(w, &d.at);
		if (d.also) {
			jsonw_object(w, "also");
			jsonw_text(w, "message", d.also);
			request_put_place(w, &d.also_at);
			jsonw_end(w);
		} else {
			jsonw_null(w, "also");
		}
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void put_stuck(struct request *q, struct place *p, const struct stuck *stuck)
{
	if (stuck->role == MACAW_NONE) {
		jsonw_null(&q->w, "stuck");
		return;
	}
	for (uint32_t i = 0; i < stuck->steps; i++)
		place_step(p, stuck->moves + (size_t)i * p->roles);
	jsonw_object(&q->w, "stuck");
	jsonw_text(&q->w, "role", macaw_game_role(p->game->game, stuck->role));
	jsonw_array(&q->w, "moves");
	for (uint32_t i = 0; i < p->steps; i++)
		view_put_joint(&q->w, NULL, p->game->game, p->moves.at + (size_t)i * p->roles);
	jsonw_end(&q->w);
	place_view(&q->w, "view", p, p->steps);
	jsonw_end(&q->w);
}

static void put_made(struct request *q, struct web_game *g, uint64_t playouts)
{
	struct place p;
	struct stuck stuck;
	jsonw_text(&q->w, "game", g->name);
	jsonw_null(&q->w, "trouble");
	if (!place_open(&p, games_hold(g), q))
		return;
	facts_write(&q->w, "facts", g, p.tools, playouts, &stuck);
	place_view(&q->w, "view", &p, 0);
	put_stuck(q, &p, &stuck);
	stuck_free(&stuck);
	place_close(&p);
}

static void put_unmade(struct request *q, const char *trouble)
{
	jsonw_null(&q->w, "game");
	jsonw_text(&q->w, "trouble", trouble);
	jsonw_null(&q->w, "facts");
	jsonw_null(&q->w, "view");
	jsonw_null(&q->w, "stuck");
}

static void check_rules(struct request *q, macaw_rules *r, uint64_t playouts)
{
	macaw_error e = {0};
	bool sound = !macaw_rules_errors(r);
	jsonw_uint(&q->w, "errors", macaw_rules_errors(r));
	jsonw_uint(&q->w, "warnings", macaw_rules_warnings(r));
	put_diagnostics(&q->w, r);
	jsonw_array(&q->w, "roles");
	for (uint32_t i = 0; i < macaw_rules_roles(r); i++)
		jsonw_text(&q->w, NULL, macaw_rules_role(r, i));
	jsonw_end(&q->w);
	if (!sound)
		macaw_rules_free(r);
	struct web_game *g = sound ? games_add(q->web->games, r, &e) : NULL;
	if (g)
		put_made(q, g, playouts);
	else
		put_unmade(q, sound ? e.text : NULL);
	games_give(g);
}

static void print_rules(struct request *q, macaw_rules *r)
{
	bool infix = body_flag(q, "infix", true);
	if (macaw_rules_unreadable(r)) {
		char *report = macaw_rules_report(r, MACAW_REPORT_UNREADABLE, 3, false);
		request_fail_help(q, 400, "bad-rules", report, NULL);
		macaw_free(report);
	} else if (!q->failed) {
		char *text = macaw_rules_print(r, infix);
		jsonw_text(&q->w, "rules", text);
		macaw_free(text);
	}
	macaw_rules_free(r);
}

void serve_rules(struct request *q)
{
	macaw_error e = {0};
	bool print = q->parts == 2 && !strcmp(q->part[1], "print");
	if (!request_is(q, "POST")) {
		request_no_method(q);
		return;
	}
	if (q->parts > 1 && !print) {
		request_no_path(q);
		return;
	}
	const char *text = body_needs(q, "rules"), *name = body_text(q, "name", "rules");
	uint64_t playouts = body_whole(q, "playouts", 10000, 500);
	if (q->failed)
		return;
	macaw_rules *r = macaw_rules_parse(text, strlen(text), name, &e);
	if (!r)
		request_fail_as(q, &e, "bad-rules");
	else if (print)
		print_rules(q, r);
	else
		check_rules(q, r, playouts);
}
