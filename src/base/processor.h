/* What the processor can do beyond what every one can: the loops that use it stand beside portable ones.
 * MACAW_PLAIN=1 in the environment is the same as a processor that can do nothing of it. */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <stdbool.h>

bool processor_vectors(void);      /* AVX2, BMI, BMI2, POPCNT and LZCNT */
bool processor_wide_vectors(void); /* these, AVX-512F and AVX-512VL */

#endif
