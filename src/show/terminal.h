/* What a program at the terminal needs besides the public headers: text and JSON under construction, option tables,
 * tables of numbers, a progress line, suggestions for typing errors, clocks and random numbers. */
#ifndef SHOW_TERMINAL_H
#define SHOW_TERMINAL_H

#include "base/bits.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/vec.h"
#include "show/command.h"
#include "show/screen.h"
#include "show/table.h"

#endif
