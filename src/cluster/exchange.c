/* Records that belong to ranks: collected in parcels, so that a letter carries thousands of them. An empty letter ends
 * a level. A rank may be one level ahead of another, never two, since everybody waits for everybody: letters of even
 * and of odd levels are told apart by their kind. */
#include "cluster/cluster.h"
#include "cluster/kinds.h"

enum { PARCEL = 1 << 16, SMALLEST_PARCEL = 1 << 12, ALL_PARCELS = 64 << 20, MOST_WAITING = 32 };

struct exchange {
	struct cluster *c;
	struct link *link;
	size_t record, parcel; /* bytes */
	exchange_take *take;
	void *context;
	struct text *out; /* by rank */
	uint32_t level, finished;
	bool broken;
};

struct exchange *exchange_open(struct cluster *c, size_t record_bytes, exchange_take *take, void *context)
{
	struct exchange *x = NEW(struct exchange);
	size_t parcel = (size_t)ALL_PARCELS / cluster_ranks(c);
	*x = (struct exchange){.c = c, .link = cluster_link(c), .record = record_bytes, .take = take, .context = context};
	x->parcel = parcel > PARCEL ? PARCEL : parcel < SMALLEST_PARCEL ? SMALLEST_PARCEL : parcel;
	x->out = NEW_ARRAY(struct text, cluster_ranks(c));
	return x;
}

void exchange_close(struct exchange *x)
{
	for (uint32_t r = 0; r < cluster_ranks(x->c); r++)
		text_free(&x->out[r]);
	mem_free(x->out);
	mem_free(x);
}

/* Rank 0 knows who is lost, and tells the others. */
static void look_for_loss(struct exchange *x)
{
	struct letter l;
	if (x->broken)
		return;
	if (cluster_leads(x->c)) {
		x->broken = link_gone_count(x->link);
		for (uint32_t r = 1; r < cluster_ranks(x->c) && x->broken; r++)
			link_send(x->link, r, KIND_GIVE_UP, "", 0);
	} else if (link_take(x->link, KIND_GIVE_UP, 0, 0, &l)) {
		text_free(&l.bytes);
		x->broken = true;
	} else {
		x->broken = link_gone(x->link, 0);
	}
}

/* Takes one letter, if it comes within so many seconds. */
static bool take_letter(struct exchange *x, double seconds)
{
	struct letter l;
	if (!link_take(x->link, KIND_RECORDS + (x->level & 1), LINK_ANYBODY, seconds, &l))
		return false;
	x->finished += !l.bytes.n;
	if (l.bytes.n >= x->record)
		x->take(x->context, l.bytes.at, l.bytes.n / x->record);
	text_free(&l.bytes);
	return true;
}

void exchange_poll(struct exchange *x)
{
	while (take_letter(x, 0))
		;
}

/* Not faster than they can be read. */
static void post(struct exchange *x, uint32_t to)
{
	struct text *t = &x->out[to];
	if (to == cluster_rank(x->c)) { /* no letter is needed */
		x->take(x->context, t->at, t->n / x->record);
		vec_clear(t);
		return;
	}
	while (link_waiting(x->link, to) > MOST_WAITING && !x->broken) {
		if (!take_letter(x, 0.001))
			look_for_loss(x);
	}
	link_send(x->link, to, KIND_RECORDS + (x->level & 1), t->at, t->n);
	vec_clear(t);
}

void exchange_put(struct exchange *x, uint32_t to, const void *record)
{
	text_add(&x->out[to], record, x->record);
	if (x->out[to].n + x->record > x->parcel)
		post(x, to);
}

bool exchange_finish(struct exchange *x)
{
	uint32_t me = cluster_rank(x->c), others = cluster_ranks(x->c) - 1;
	for (uint32_t r = 0; r <= others; r++) {
		if (x->out[r].n)
			post(x, r);
		if (r != me)
			post(x, r); /* empty */
	}
	while (x->finished < others && !x->broken)
		if (!take_letter(x, 0.1))
			look_for_loss(x);
	x->finished = 0;
	x->level++;
	return x->broken ? cluster_fail_lost(x->c) : true;
}
