/* The propagation loop for any processor. */
#include "csp/globals/globals_internal.h"

#define HOT(name) name##_plain
#include "csp/core/propagate.inc"
