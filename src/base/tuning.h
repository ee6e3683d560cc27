/* Constants that steer a search, as options: one list says name, default, bounds and help, and the struct, its defaults
 * and the rows of a table of options are made of it.
 *
 *     #define SEARCH_TUNING(T, ...) \
 *         T(REAL, grow, "grow", 1.15, 1, 10, "factor by which a neighbourhood grows", __VA_ARGS__) \
 *         T(INT, turn, "turn", 30, 1, 1e9, "length of the first turn", __VA_ARGS__)
 *
 *     struct search_tuning { SEARCH_TUNING(TUNING_FIELD) };
 *     static const struct search_tuning standard = {SEARCH_TUNING(TUNING_STANDARD)};
 *     static const struct opt table[] = {SEARCH_TUNING(TUNING_ROW, struct my_options, tune.) {0}};
 *
 * Numbers of a search that nobody would sweep stay constants of their file. */
#ifndef BASE_TUNING_H
#define BASE_TUNING_H

#include "base/opt.h"

#include <stddef.h>

#define TUNING_TYPE_REAL double
#define TUNING_TYPE_INT int64_t
#define TUNING_METAVAR_REAL "X"
#define TUNING_METAVAR_INT "N"
#define TUNING_PLACE_REAL real
#define TUNING_PLACE_INT whole

#define TUNING_FIELD(kind, field, ...) TUNING_TYPE_##kind field;
#define TUNING_STANDARD(kind, field_, name_, standard_, ...) .field_ = standard_,
/* `path`: of the struct inside of `type`, with a dot behind. */
#define TUNING_ROW(kind_, field_, name_, standard_, least_, most_, help_, type_, path_) \
	{.name = name_, \
	 .kind = OPT_##kind_, \
	 .offset = offsetof(type_, path_ field_), \
	 .metavar = TUNING_METAVAR_##kind_, \
	 .help = help_, \
	 .TUNING_PLACE_##kind_ = standard_, \
	 .min = least_, \
	 .max = most_, \
	 .tuning = true},

#endif
