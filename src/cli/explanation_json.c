/* Steps as a flat list with the number of the step they belong to: derivations may be deeper than readers of JSON like.
 */
#include "cli/explanation_json.h"

#include "cli/place_json.h"

static const char *const reasons[] = {
	[MACAW_BY_RULE] = "rule",      [MACAW_BY_FACT] = "fact",         [MACAW_BY_FLUENT] = "fluent",
	[MACAW_BY_MOVE] = "move",      [MACAW_BY_DISTINCT] = "distinct", [MACAW_BY_ABSENCE] = "absence",
	[MACAW_ABOVE] = "above",       [MACAW_FAILS] = "fails",          [MACAW_RULE_FAILS] = "rule-fails",
	[MACAW_LEFT_OUT] = "left-out",
};

static void put_place(struct json_writer *w, const char *key, macaw_place p)
{
	if (!p.line)
		return;
	jsonw_object(w, key);
	place_json(w, p);
	jsonw_end(w);
}

static void put_step(struct json_writer *w, const macaw_step *s)
{
	jsonw_object(w, NULL);
	if (s->parent == MACAW_NONE)
		jsonw_null(w, "parent");
	else
		jsonw_uint(w, "parent", s->parent);
	jsonw_uint(w, "depth", s->depth);
	jsonw_text(w, "reason", reasons[s->reason]);
	jsonw_text(w, "statement", s->statement);
	if (s->note)
		jsonw_text(w, "note", s->note);
	put_place(w, "rule", s->rule);
	put_place(w, "condition", s->condition);
	if (s->reason == MACAW_RULE_FAILS) {
		jsonw_uint(w, "met", s->met);
		jsonw_uint(w, "conditions", s->conditions);
	}
	if (s->reason == MACAW_ABOVE)
		jsonw_uint(w, "same", s->same);
	jsonw_end(w);
}

void explanation_json(struct json_writer *w, const macaw_explanation *x)
{
	jsonw_text(w, "statement", macaw_explanation_statement(x));
	jsonw_bool(w, "holds", macaw_explanation_holds(x));
	jsonw_uint(w, "instances", macaw_explanation_instances(x));
	jsonw_array(w, "steps");
	for (size_t i = 0; i < macaw_explanation_steps(x); i++) {
		macaw_step s = macaw_explanation_step(x, i);
		put_step(w, &s);
	}
	jsonw_end(w);
}
