/* What messages of the protocol report, as texts for the tracker. */
#include "net/player/tracker.h"

typedef VEC(struct text) text_list;

/* The elements of a list. */
static void print_list(const struct kif *kif, uint32_t list, text_list *out)
{
	for (uint32_t at = kif->nodes.at[list].first; at != KIF_NONE; at = kif->nodes.at[at].next) {
		struct text t = {0};
		kif_print(kif, at, &t);
		vec_push(out, t);
	}
}

bool tracker_step(struct tracker *k, const struct tracker_input *n, const struct limit *limit)
{
	text_list list = {0};
	struct text own = {0};
	bool joint = n->joint != KIF_NONE, ok = true;
	if (n->own != KIF_NONE)
		kif_print(n->kif, n->own, &own);
	if (joint || n->percepts != KIF_NONE)
		print_list(n->kif, joint ? n->joint : n->percepts, &list);
	struct tracker_observation o = {.own = n->own != KIF_NONE ? &own : NULL, .own_move = n->own_move};
	if (joint) {
		o.joint = list.at;
		ok = list.n == tracker_now(k)->roles;
	} else {
		o.percepts = list.at;
		o.percept_count = list.n;
	}
	ok = ok && tracker_observe(k, &o, limit);
	for (size_t i = 0; i < list.n; i++)
		text_free(&list.at[i]);
	vec_free(&list);
	text_free(&own);
	return ok;
}
