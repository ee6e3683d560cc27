/* The list of matches in the file of a tournament, and one of them as a record. */
#include "cli/stored.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/tournament.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool stored_is(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof magic] = "";
	FILE *f = fopen(path, "rb");
	bool is = f && fread(head, 1, sizeof head, f) == sizeof head && !memcmp(head, magic, sizeof magic);
	if (f)
		fclose(f);
	return is;
}

static macaw_results *open_results(const char *path, int *status)
{
	macaw_error error;
	macaw_results *r = macaw_results_read(path, &error);
	if (!r) {
		fprintf(stderr, "macaw replay: %s: %s\n", path, error.text);
		*status = load_status(&error);
	}
	return r;
}

/* "macaw 100, uct 0" */
static void put_seats(const macaw_result *m, struct text *out)
{
	const char *at = m->seating;
	for (uint32_t i = 0; i < m->seats; i++) {
		size_t n = strcspn(at, ",");
		text_printf(out, "%s%.*s", i ? ", " : "", (int)n, at);
		if (m->scores[i] < 0)
			text_puts(out, " none");
		else
			text_printf(out, " %d", m->scores[i]);
		at += n + (at[n] == ',');
	}
}

static void print_list(const macaw_results *r)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	static const char *const words[] = {"match", "date", "game", "clock", "round", "steps", "players and scores", NULL};
	text_table_row(&t);
	for (size_t i = 0; words[i]; i++)
		text_table_cell(&t, "%s", words[i]);
	for (size_t i = 0; i < macaw_results_count(r); i++) {
		macaw_result m = macaw_results_at(r, i);
		struct text seats = {0};
		put_seats(&m, &seats);
		text_table_row(&t);
		text_table_cell(&t, "%lld", (long long)m.match);
		text_table_cell(&t, "%s", *m.ended ? m.ended : "-");
		text_table_cell(&t, "%s", m.game);
		text_table_cell(&t, m.clock < 0 ? "%.0f playouts" : "%g s", fabs(m.clock));
		text_table_cell(&t, "%lld", (long long)m.round + 1);
		text_table_cell(&t, "%lld", (long long)m.steps);
		text_table_cell(&t, "%s%s", text_str(&seats), m.recorded ? "" : " (no moves)");
		text_free(&seats);
	}
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
}

static void write_match(struct json_writer *w, const macaw_result *m)
{
	const char *at = m->seating;
	jsonw_object(w, NULL);
	jsonw_int(w, "match", m->match);
	jsonw_text(w, "game", m->game);
	jsonw_array(w, "players");
	for (uint32_t i = 0; i < m->seats; i++) {
		size_t n = strcspn(at, ",");
		jsonw_textn(w, NULL, at, n);
		at += n + (at[n] == ',');
	}
	jsonw_end(w);
	jsonw_array(w, "scores");
	for (uint32_t i = 0; i < m->seats; i++)
		if (m->scores[i] < 0)
			jsonw_null(w, NULL);
		else
			jsonw_int(w, NULL, m->scores[i]);
	jsonw_end(w);
	jsonw_int(w, "steps", m->steps);
	jsonw_real(w, "clock", m->clock);
	jsonw_int(w, "round", m->round + 1);
	jsonw_int(w, "seed", m->seed);
	jsonw_real(w, "seconds", m->seconds);
	jsonw_bool(w, "recorded", m->recorded);
	jsonw_text(w, "date", m->ended);
	jsonw_text(w, "version", m->version);
	jsonw_text(w, "commit", m->source);
	jsonw_text(w, "host", m->host);
	jsonw_text(w, "command", m->command);
	jsonw_end(w);
}

static void print_json(const macaw_results *r)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_array(&w, "matches");
	for (size_t i = 0; i < macaw_results_count(r); i++) {
		macaw_result m = macaw_results_at(r, i);
		write_match(&w, &m);
	}
	jsonw_end(&w);
	jsonw_end(&w);
	output_line(&out);
}

int stored_list(const char *path, bool json)
{
	int status = EXIT_DONE;
	macaw_results *r = open_results(path, &status);
	if (!r)
		return status;
	if (json)
		print_json(r);
	else
		print_list(r);
	macaw_results_free(r);
	return status;
}

int stored_record(const char *path, int64_t match, struct text *record)
{
	macaw_error error;
	int status = EXIT_DONE;
	macaw_results *r = open_results(path, &status);
	char *text = r ? macaw_results_record(r, match, &error) : NULL;
	if (text) {
		text_puts(record, text);
		text_putc(record, '\n');
	} else if (r) {
		fprintf(stderr, "macaw replay: %s: %s\n", path, error.text);
		status = load_status(&error);
	}
	macaw_free(text);
	macaw_results_free(r);
	return status;
}
