/* Semi-naive evaluation of Datalog, one fact at a time.
 *
 * Facts wait on an agenda. Taking one off triggers the rules that mention its
 * predicate, joined with the facts taken before it, so that every instance of
 * every rule is met exactly once. A predicate's component is finished before
 * the next one starts, so a rule without a literal of its own component is
 * simply joined once. Negative literals of dynamic predicates are not tested:
 * they are handed on with the instance (relaxed reachability). */
#ifndef GROUND_EVALUATE_H
#define GROUND_EVALUATE_H

#include "base/clock.h"
#include "base/progress.h"
#include "ground/datalog.h"

struct relation {
	VEC(term_t) cells; /* n * argc */
	uint32_t argc, n;
	uint32_t ready; /* facts [0, ready) have been taken off the agenda */
	struct table index;
	VEC(uint32_t) atoms;   /* of dynamic predicates */
	VEC(uint32_t) indexes; /* into datalog_eval->indexes */
};

struct datalog_eval {
	struct datalog *dl;
	struct relation *relations; /* by predicate */
	struct relation *mentions;  /* atoms seen only in negative literals so far */
	VEC(struct mention { uint32_t pred, tuple; }) mention_list;
	VEC(struct index *) indexes;
	VEC(struct agenda_item { uint32_t pred, tuple; }) agenda;
	size_t agenda_head;
	uint32_t atoms;
	/* instances of dynamic rules: head atom, literal count, clause, literals; a literal
	 * is atom * 2, or mention * 2 + 1 */
	VEC(uint32_t) instances;
	size_t instance_count, fact_count, outside, max, ticks;
	struct limit limit;
	struct progress progress;
	bool declared;
	const char *stopped; /* why evaluation ended early */
	uint32_t p_true, p_next, p_init, p_does, p_legal, p_base, p_input, p_role;
};

/* `declared`: leave out fluents and moves that `base` and `input` do not name, in
 * rulesheets that have them; engine->outside counts what was left out. */
bool datalog_eval_run(struct datalog_eval *e, struct datalog *dl, size_t max, struct limit limit, bool declared,
                      struct progress progress);
void datalog_eval_free(struct datalog_eval *e);

uint32_t relation_find(const struct relation *r, const term_t *args); /* TABLE_NONE: not there */
static inline const term_t *relation_row(const struct relation *r, uint32_t i)
{
	return r->cells.at + (size_t)i * r->argc;
}

#endif
