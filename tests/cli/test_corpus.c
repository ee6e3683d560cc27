/* Every public game replays its recorded matches; the word after the program's
 * name says with which engine. */
#include "test.h"

#include "../gdl/corpus.h"
#include "show/trace.h"
#include "small_game.h"

static enum game_engine engine;

struct tally {
	const char *sub;
	size_t every; /* sample: one of so many */
	size_t seen, games, steps, interpreted, failed;
};

static void replay_one(const char *name, const struct text *rules, void *data)
{
	struct tally *c = data;
	char path[8192];
	struct text lines = {0}, error = {0};
	snprintf(path, sizeof path, "%s/%straces/%.*s.jsonl", corpus_folder(), c->sub, (int)(strlen(name) - 4), name);
	if (c->seen++ % c->every || !text_read_file(&lines, path, (size_t)1 << 30, NULL)) {
		text_free(&lines);
		return;
	}
	struct played p = played_make(text_str(rules), rules->n, engine, &error);
	struct trace t = {0};
	c->games++;
	if (!p.game) {
		print_error("%s: %s\n", name, text_str(&error));
		c->failed++;
	} else if (trace_replay(&t, p.game, text_str(&lines), lines.n) != TRACE_AGREES) {
		print_error("%s.jsonl:%zu: %s\n", name, t.line, text_str(&t.message));
		c->failed++;
	}
	c->steps += t.steps;
	c->interpreted += p.game && p.game->engine == ENGINE_INTERPRETER;
	trace_free(&t);
	played_free(&p);
	text_free(&lines);
	text_free(&error);
}

static void games_agree_with_public_traces(void **state)
{
	static const char *const subs[] = {"", "gdl2/"};
	struct tally all = {0};
	if (!corpus_folder())
		SKIP("there is no ../shared/games");
	for (int i = 0; i < 2; i++) {
		struct tally c = {.sub = subs[i], .every = test_sample() ? 17 : 1};
		corpus_each(subs[i], replay_one, &c);
		all.games += c.games;
		all.steps += c.steps;
		all.interpreted += c.interpreted;
		all.failed += c.failed;
	}
	printf("%zu games, %zu steps, %zu by the interpreter\n", all.games, all.steps, all.interpreted);
	assert_true(all.games >= (test_sample() ? 5 : 200));
	assert_int_equal(all.failed, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(games_agree_with_public_traces)};
	engine = argc > 1 && !strcmp(argv[1], "interpreter") ? ENGINE_INTERPRETER : ENGINE_AUTO;
	return RUN(cases);
}
