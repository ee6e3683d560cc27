/* Places in rules as members of a JSON object. */
#ifndef CLI_PLACE_JSON_H
#define CLI_PLACE_JSON_H

#include "macaw/rules.h"
#include "show/terminal.h"

static inline void place_json(struct json_writer *w, macaw_place p)
{
	jsonw_uint(w, "line", p.line);
	jsonw_uint(w, "column", p.column);
	jsonw_uint(w, "end_line", p.end_line);
	jsonw_uint(w, "end_column", p.end_column);
}

#endif
