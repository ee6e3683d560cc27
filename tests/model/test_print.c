/* The readable networks of small games are what they were: tests/model/golden/.
 * MACAW_TEST_WRITE=1 writes them anew. */
#include "../game/play.h"

#include "model/model.h"
#include "scsp/scsp.h"

static void check(const char *name)
{
	char path[4096];
	struct text got = {0}, wanted = {0}, error = {0};
	struct model_options o = {0};
	const char *source = getenv("MACAW_SOURCE");
	struct play p = play_named(name);
	struct model *m = model_make(p.g, &o, &error);
	assert_non_null(m);
	assert_true(model_print(m, &got));
	snprintf(path, sizeof path, "%s/tests/model/golden/%s.txt", source ? source : ".", name);
	if (getenv("MACAW_TEST_WRITE")) {
		FILE *f = fopen(path, "wb");
		assert_non_null(f);
		fwrite(got.at, 1, got.n, f);
		fclose(f);
	}
	if (!text_read_file(&wanted, path, 1 << 20, &error))
		fail_msg("%s", error.at);
	assert_string_equal(text_str(&got), text_str(&wanted));
	text_free(&got);
	text_free(&wanted);
	text_free(&error);
	model_free(m);
	play_free(&p);
}

static void tictactoe(void **state)
{
	(void)state;
	check("tictactoe");
}

static void matching_pennies(void **state)
{
	(void)state;
	check("matching_pennies");
}

static void monty_hall(void **state)
{
	(void)state;
	check("monty_hall");
}

/* What is written as XCSP3 reads back, with the draw. */
static void stochastic(void **state)
{
	(void)state;
	struct text xml = {0}, error = {0};
	struct model_options o = {0};
	struct csp_source_error e = {0};
	struct play p = play_named("monty_hall");
	struct model *m = model_make(p.g, &o, &error);
	assert_non_null(m);
	uint32_t chance = model_action(m, p.g->random), terminal = model_terminal(m);
	struct scsp *s = model_scsp(m, p.g->initial, &error);
	if (!s)
		fail_msg("%s", text_str(&error));
	assert_true(scsp_stochastic(s, chance) && !scsp_stochastic(s, terminal));
	scsp_write_xml(s, &xml);
	struct scsp *again = scsp_read_xml(xml.at, xml.n, &e);
	if (!again)
		fail_msg("line %u: %s", e.line, e.message);
	assert_int_equal(csp_variables(scsp_hard(again)), csp_variables(scsp_hard(s)));
	scsp_free(again);
	scsp_free(s);
	text_free(&xml);
	text_free(&error);
	model_free(m);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tictactoe),
		cmocka_unit_test(matching_pennies),
		cmocka_unit_test(monty_hall),
		cmocka_unit_test(stochastic),
	};
	return RUN(cases);
}
