/* The propagation loop for any processor. */
#include "csp/net.h"

#define HOT(name) name##_plain
#include "csp/hot.inc"
