/* macaw replay RECORD: recorded matches, step by step, checked against their rules. Also those in the file of a
 * tournament. */
#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/load.h"
#include "cli/replayed.h"
#include "cli/stored.h"
#include "cli/turning_points.h"
#include "macaw/player.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

struct replay_options {
	struct draw_options draw;
	const char *game;
	double pause;
	int64_t step, match;
	bool quiet, keys, analyse, json;
	struct turning_options turning;
};

#define FIELD(f) offsetof(struct replay_options, f)
static const struct opt options[] = {
	{"step", 0, OPT_INT, FIELD(step), "N", "show only the position after N steps", .whole = -1, .min = 0, .max = 1e9},
	{"match", 0, OPT_INT, FIELD(match), "N", "only the Nth match of a file with several", .min = 1, .max = 1e9},
	{"game", 0, OPT_TEXT, FIELD(game), "GAME", "the rules of records that have none (those of ggp.org)"},
	{"keys", 0, OPT_FLAG, FIELD(keys), NULL, "go from step to step by keys, on a terminal", .whole = 1},
	{"pause", 0, OPT_REAL, FIELD(pause), "SEC", "go on by itself after so many seconds, without keys", .min = 0,
     .max = 3600},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "of the file of a tournament: print the list, or the match, as JSON"},
	{"quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "draw nothing, only check"},
	{"analyse", 0, OPT_FLAG, FIELD(analyse), NULL, "tell the turning points: moves that gave away many points"},
	TURNING_OPTIONS(struct replay_options, turning),
	DRAW_OPTIONS(struct replay_options, draw),
	{0}};

enum { RECORD_BYTES = 1 << 30 };

/* ---- drawing ---- */

static bool is_worth_telling(const char *why)
{
	return why && strcmp(why, MACAW_ONLY_MOVE);
}

/* The move that led to a step, the players' reasons, the position after it. */
static void draw_at(const struct replayed *p, macaw_drawing *d, const struct replay_options *o, uint32_t step)
{
	struct text out = {0};
	macaw_sight sight = {.position = replayed_position(p, step)};
	if (step) {
		sight.before = replayed_position(p, step - 1);
		sight.last = replayed_joint(p, step - 1);
		text_putc(&out, '\n');
		draw_step(p->game, step, sight.last, &out);
		for (uint32_t r = 0; r < macaw_game_roles(p->game); r++)
			if (is_worth_telling(replayed_why(p, step - 1, r)))
				draw_remark(macaw_game_role(p->game, r), replayed_why(p, step - 1, r), &out);
	}
	draw_position(d, &o->draw, &sight, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
}

static void print_scores(const struct replayed *p, bool quiet)
{
	struct text line = {0}, out = {0};
	text_printf(&line, "%u step%s:", p->steps, p->steps == 1 ? "" : "s");
	for (uint32_t r = 0; r < macaw_game_roles(p->game); r++) {
		int goal = macaw_record_goal(p->record, r);
		text_printf(&line, goal == MACAW_NO_GOAL ? "%s %s none" : "%s %s %d", r ? "," : "", macaw_game_role(p->game, r),
		            goal);
	}
	screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), &out);
	printf("%s%s", quiet ? "" : "\n", text_str(&out));
	text_free(&line);
	text_free(&out);
}

static void sleep_for(double seconds)
{
	if (seconds > 0)
		nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/* ---- keys ---- */

enum key { KEY_NONE, KEY_NEXT, KEY_BACK, KEY_FIRST, KEY_LAST, KEY_QUIT };

/* The terminal, read key by key. */
struct keys {
	int file;
	struct termios before;
};

/* False: there is no terminal to read keys from. */
static bool keys_open(struct keys *k)
{
	k->file = isatty(STDOUT_FILENO) ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : -1;
	if (k->file < 0 || tcgetattr(k->file, &k->before)) {
		if (k->file >= 0)
			close(k->file);
		return false;
	}
	struct termios raw = k->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG); /* Ctrl-C is a key: the terminal is given back */
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return !tcsetattr(k->file, TCSADRAIN, &raw);
}

static void keys_close(struct keys *k)
{
	tcsetattr(k->file, TCSADRAIN, &k->before);
	close(k->file);
}

static enum key key_of(const char *bytes, ssize_t n)
{
	static const struct {
		const char *bytes;
		enum key key;
	} known[] = {{"\033[C", KEY_NEXT},  {"\033[B", KEY_NEXT}, {"\033[D", KEY_BACK},  {"\033[A", KEY_BACK},
	             {"\033[H", KEY_FIRST}, {"\033[F", KEY_LAST}, {"\033OC", KEY_NEXT},  {"\033OD", KEY_BACK},
	             {"\033OA", KEY_BACK},  {"\033OB", KEY_NEXT}, {"\033OH", KEY_FIRST}, {"\033OF", KEY_LAST}};
	if (n <= 0)
		return KEY_QUIT;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if ((size_t)n == strlen(known[i].bytes) && !memcmp(bytes, known[i].bytes, (size_t)n))
			return known[i].key;
	return strchr(" \nnj", bytes[0])       ? KEY_NEXT
	       : strchr("\177\bbpk", bytes[0]) ? KEY_BACK
	       : bytes[0] == 'g'               ? KEY_FIRST
	       : bytes[0] == 'G'               ? KEY_LAST
	       : strchr("q\003\004", bytes[0]) ? KEY_QUIT
	                                       : KEY_NONE;
}

static enum key read_key(const struct keys *k)
{
	char bytes[8] = {0};
	ssize_t n = read(k->file, bytes, sizeof bytes - 1);
	return key_of(bytes, n);
}

static void ask_for_key(const struct replayed *p, uint32_t step)
{
	printf("[%u of %u] space and arrows step, g and G jump, q quits ", step, p->steps);
	fflush(stdout);
}

/* False: the person leaves. */
static bool step_by_keys(const struct replayed *p, macaw_drawing *d, const struct replay_options *o,
                         const struct keys *k)
{
	for (uint32_t step = 0, shown = UINT32_MAX;;) {
		if (step != shown)
			draw_at(p, d, o, step);
		shown = step;
		ask_for_key(p, step);
		enum key key = read_key(k);
		fputs("\r\033[K", stdout);
		if (key == KEY_QUIT)
			return false;
		if (key == KEY_NEXT && step == p->steps)
			return true;
		if (key == KEY_FIRST || key == KEY_LAST)
			step = key == KEY_FIRST ? 0 : p->steps;
		step += key == KEY_NEXT;
		step -= key == KEY_BACK && step;
	}
}

/* ---- matches ---- */

/* False: the person leaves. */
static bool show(const struct replayed *p, const struct replay_options *o)
{
	struct keys keys;
	bool stays = true;
	macaw_drawing *d = macaw_drawing_new(p->game, NULL);
	if (!d)
		return true;
	if (o->step >= 0)
		draw_at(p, d, o, (uint32_t)o->step);
	else if (o->keys && !o->pause && keys_open(&keys)) {
		stays = step_by_keys(p, d, o, &keys);
		keys_close(&keys);
	} else
		for (uint32_t i = 0; i <= p->steps; i++) {
			draw_at(p, d, o, i);
			sleep_for(o->pause);
		}
	macaw_drawing_free(d);
	return stays;
}

static void print_heading(const struct replayed *p, size_t number)
{
	struct text line = {0}, out = {0};
	const char *name = macaw_record_name(p->record);
	text_printf(&line, "match %zu: %s", number, name ? name : "a game without a name");
	for (uint32_t r = 0; r < macaw_game_roles(p->game); r++)
		if (macaw_record_player(p->record, r))
			text_printf(&line, ", %s %s", macaw_game_role(p->game, r), macaw_record_player(p->record, r));
	screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), &out);
	printf("%s%s", number > 1 ? "\n" : "", text_str(&out));
	text_free(&line);
	text_free(&out);
}

static int replay(const struct replayed *p, const struct replay_options *o, const char *path, bool *stays)
{
	if (o->step > (int64_t)p->steps) {
		fprintf(stderr, "macaw replay: %s: there are only %u steps\n", path, p->steps);
		return EXIT_INPUT;
	}
	if (!o->quiet)
		*stays = show(p, o);
	if (p->error.status) {
		fprintf(stderr, "macaw replay: %s: %s\n", path, p->error.text);
		return load_status(&p->error);
	}
	if (o->step < 0)
		print_scores(p, o->quiet);
	if (o->analyse)
		return turning_points(p, &o->turning);
	return EXIT_DONE;
}

/* All matches of a text, or the one that is asked for. */
static int replay_all(const struct text *text, const struct replay_options *o, const char *path)
{
	macaw_error error;
	size_t used, number = 0, at = 0;
	int status = EXIT_DONE;
	bool stays = true;
	for (macaw_record *r; stays && !status; at += used) {
		r = macaw_record_next(text_str(text) + at, text->n - at, &used, o->game, &error);
		if (!r && !error.status)
			break;
		number++;
		struct replayed p;
		if (!r) {
			fprintf(stderr, "macaw replay: %s: %s%s\n", path, error.text,
			        strstr(error.text, "no rules in the record") ? "; --game GAME names them" : "");
			status = load_status(&error);
			break;
		}
		replayed_make(&p, r);
		bool last = strspn(text_str(text) + at + used, " \t\r\n") == text->n - at - used, several = !last || number > 1;
		if (!o->match || (int64_t)number == o->match) {
			if (several && !o->match)
				print_heading(&p, number);
			status = replay(&p, o, path, &stays);
			stays &= !o->match;
		}
		replayed_free(&p);
	}
	if (!status && (!number || (stays && o->match))) {
		fprintf(stderr, "macaw replay: %s: there %s %zu match%s\n", path, number == 1 ? "is" : "are", number,
		        number == 1 ? "" : "es");
		status = EXIT_INPUT;
	}
	return status;
}

/* The matches in the file of a tournament, or one of them. */
static int replay_stored(const char *path, const char *number, const struct replay_options *o)
{
	struct text record = {0};
	struct replay_options one = *o;
	char *end = "";
	if (!number && !o->match)
		return stored_list(path, o->json);
	long long match = number ? strtoll(number, &end, 10) : o->match;
	if (*end || match < 1) {
		fprintf(stderr, "macaw replay: %s is no number of a match; `macaw replay %s` lists them\n", number, path);
		return EXIT_USAGE;
	}
	int status = stored_record(path, match, &record);
	one.match = 0;
	if (!status && o->json)
		fputs(text_str(&record), stdout);
	else if (!status)
		status = replay_all(&record, &one, path);
	text_free(&record);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct replay_options *o = options_;
	struct text text = {0}, error = {0};
	bool stored = count >= 1 && stored_is(words[0]);
	if (stored && count <= 2)
		return replay_stored(words[0], count == 2 ? words[1] : NULL, o);
	if (count != 1 || o->json) {
		fprintf(stderr, count != 1
		                    ? "macaw replay: name one RECORD, written by `macaw match --output` (-: standard input), "
		                      "or the file of a tournament and a match\n"
		                    : "macaw replay: --json is for the file of a tournament; a record is JSON already\n");
		return EXIT_USAGE;
	}
	int status = EXIT_INPUT;
	if (text_read_file(&text, strcmp(words[0], "-") ? words[0] : "/dev/stdin", RECORD_BYTES, &error))
		status = replay_all(&text, o, words[0]);
	else
		fprintf(stderr, "macaw replay: %s\n", text_str(&error));
	text_free(&text);
	text_free(&error);
	return status;
}

const struct command cmd_replay = {
	.name = "replay",
	.arguments = "RECORD [MATCH]",
	.summary = "Show recorded matches again",
	.details =
		"A record contains its rules; every move and the scores are checked against them. Records of ggp.org (JSON "
		"with "
		"matchId and gameMetaURL) are read too: by the game whose name is in the address, or by --game. A file may "
		"hold several "
		"matches one after another, as `macaw manage` writes them. Of the file of a tournament the matches are listed, "
		"and "
		"MATCH is the number of one. On a terminal the keys space, arrows, b, g and G go "
		"from step to step.",
	.example = "macaw replay match.json --step 12",
	.options = options,
	.size = sizeof(struct replay_options),
	.run = run,
};
