/* Explanations as JSON. */
#ifndef CLI_EXPLANATION_JSON_H
#define CLI_EXPLANATION_JSON_H

#include "macaw/explain.h"
#include "show/terminal.h"

/* The members statement, holds, instances and steps of the object at hand. */
void explanation_json(struct json_writer *w, const macaw_explanation *x);

#endif
