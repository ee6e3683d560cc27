/* Running out of memory at every place: the n-th allocation of a little program fails, for n = 1, 2, 3, … and then in
 * growing steps, until the program ends without meeting it. */
#ifndef TESTS_API_FAULTS_H
#define TESTS_API_FAULTS_H

#include "base/mem.h"
#include "macaw/common.h"

/* True: it did all it should. False: something failed, and `e` says what. It frees what it made. */
typedef bool faulty_program(macaw_error *e);

static bool run_with_fault(faulty_program *p, size_t fail_at)
{
	struct mem_fault fault = {0};
	macaw_error e = {0};
	mem_fail_after(&fault, fail_at);
	bool done = p(&e);
	mem_fail_after(&fault, 0);
	if (!done && e.status != MACAW_MEMORY)
		fail_msg("allocation %zu failed, and it was said: %d %s", fail_at, (int)e.status, e.text);
	return done;
}

/* Steps grow by one part in `fine`; a tenth as fine where a sample is enough. */
static void every_allocation(faulty_program *p, size_t fine)
{
	size_t n = 1, met = 0, growth = test_sample() ? fine / 10 + 3 : fine;
	while (!run_with_fault(p, n)) {
		met++;
		n += 1 + n / growth;
	}
	assert_true(met > 3); /* there were some */
}

#endif
