/* The circuit in a form that depends less on how the rules were written: gates are
 * ANDs of any width whose inputs may be negated, and no gate is the plain input of
 * another, so that p.(q.r), (p.q).r and not(not p + not q + not r) are one gate. */
#ifndef CIRCUIT_NORMAL_FORM_H
#define CIRCUIT_NORMAL_FORM_H

#include "base/clock.h"
#include "circuit/circuit.h"

/* Known fluents and moves (NO, YES, OPEN; NULL: no move is known) are folded. False: more than max_inputs gate inputs
 * even if wide gates are left as they are, or out of time; `to` is empty then. */
bool normal_form_make(struct circuit *to, const struct circuit *from, const uint8_t *fluents, const uint8_t *moves,
                      size_t max_inputs, const struct limit *limit);

#endif
