/* Any bytes as records of matches, ours and ggp.org's: reading must end well and say why it refuses; what is read is
 * stepped through by its own rules, and every position that is met must be the same after it was printed and read. */
#include "fuzz/mutate.h"
#include "macaw/record.h"

#include <macaw/position.h>

#define MOST_STEPS 50

static void print_and_read_again(const macaw_game *g, const uint64_t *position)
{
	size_t words = macaw_position_words(g);
	uint64_t *back = calloc(words + 1, sizeof *back);
	char *text = macaw_position_text(g, position);
	macaw_error e;
	MUST(text && macaw_position_parse(g, text, back, &e));
	MUST(macaw_position_equal(g, position, back));
	macaw_free(text);
	free(back);
}

static void step_through(macaw_record *r)
{
	macaw_error e;
	macaw_game *g = macaw_record_game(r);
	print_and_read_again(g, macaw_record_position(r));
	for (uint32_t i = 0; i < MOST_STEPS && macaw_record_step(r, &e); i++) {
		MUST(macaw_record_made(r) == i + 1 && macaw_record_moves(r));
		print_and_read_again(g, macaw_record_position(r));
	}
	MUST(macaw_record_made(r) <= macaw_record_steps(r));
	bool right = macaw_record_check(r, &e);
	MUST(right == !e.status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *json = (const char *)data;
	for (size_t at = 0, used = 0; at < size; at += used) {
		macaw_error e;
		macaw_record *r = macaw_record_next(json + at, size - at, &used, NULL, &e);
		MUST(used > 0 && used <= size - at);
		MUST(r || e.status || at + used == size);
		if (!r)
			break;
		step_through(r);
		macaw_record_free(r);
	}
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const words[] = {"{",      "}",          "[",          "]",          ",",          ":",
	                                    "\"",     "\\u0000",    "\\ud800",    "null",       "true",       "1e999",
	                                    "-1",     "\"moves\":", "\"rules\":", "\"goals\":", "\"start\":", "\"states\":",
	                                    "(go 2)", "(s 2)",      "\xff",       "{}{}",       NULL};
	return mutate_main(argc, argv, words, "fuzz_record-failed");
}
#endif
