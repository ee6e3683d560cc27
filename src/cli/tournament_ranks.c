/* Matches as pieces that rank 0 deals. */
#include "cli/tournament_ranks.h"

#include "cli/commands.h"
#include "cli/load.h"
#include "cluster/dealer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 8 }; /* ranks that are named one by one */

struct tournament_ranks {
	struct cluster *c;
	struct dealer *dealer;
	macaw_stop *stop;
};

static bool goes_on(void *context)
{
	const struct tournament_ranks *r = context;
	return !macaw_stopped(r->stop);
}

/* A message begins with a sign of exclamation. */
static char *play_elsewhere(void *context, const char *order)
{
	struct tournament_ranks *r = context;
	struct text error = {0};
	char *answer = dealer_play(r->dealer, order, &error);
	if (!answer && error.n && asprintf(&answer, "!%s", error.at) < 0)
		answer = NULL;
	text_free(&error);
	return answer;
}

struct tournament_ranks *tournament_ranks_open(struct cluster *c, macaw_tournament *t)
{
	if (cluster_ranks(c) < 2)
		return NULL;
	struct tournament_ranks *r = NEW(struct tournament_ranks);
	*r = (struct tournament_ranks){.c = c, .stop = t->stop};
	r->dealer = dealer_open(c, t->jobs ? t->jobs : 1, goes_on, r);
	t->jobs = dealer_hands(r->dealer);
	t->elsewhere = play_elsewhere;
	t->elsewhere_context = r;
	return r;
}

static void note_each(struct tournament_ranks *r, struct text *out)
{
	for (uint32_t i = 1; i < cluster_ranks(r->c); i++) {
		struct dealer_rank x = dealer_rank(r->dealer, i);
		text_printf(out, "%srank %u: %llu%s", i > 1 ? ", " : "", i, (unsigned long long)x.done,
		            x.lost ? " (lost)" : "");
	}
}

static void note_most(struct tournament_ranks *r, struct text *out)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct text lost = {0};
	for (uint32_t i = 1; i < cluster_ranks(r->c); i++) {
		struct dealer_rank x = dealer_rank(r->dealer, i);
		least = x.done < least ? x.done : least;
		most = x.done > most ? x.done : most;
		if (x.lost)
			text_printf(&lost, "%s %u", lost.n ? "," : "; lost:", i);
	}
	text_printf(out, "%u ranks: %llu to %llu each%s", cluster_ranks(r->c) - 1, (unsigned long long)least,
	            (unsigned long long)most, text_str(&lost));
	text_free(&lost);
}

void tournament_ranks_note(struct tournament_ranks *r, struct text *out)
{
	if (cluster_ranks(r->c) - 1 > FEW)
		note_most(r, out);
	else
		note_each(r, out);
}

void tournament_ranks_close(struct tournament_ranks *r)
{
	struct text note = {0};
	if (!r)
		return;
	tournament_ranks_note(r, &note);
	fprintf(stderr, "macaw tournament: matches played by %s\n", text_str(&note));
	text_free(&note);
	dealer_close(r->dealer);
	mem_free(r);
}

/* ---- the other ranks ----------------------------------------------------------------------------- */

struct table_at { /* where matches are played */
	const macaw_tournament *t;
	int status;
};

static char *play(void *context, const char *order)
{
	struct table_at *at = context;
	macaw_error error;
	char *answer = macaw_tournament_play(at->t, order, &error);
	if (!answer && error.status) {
		fprintf(stderr, "macaw tournament: %s\n", error.text);
		at->status = load_status(&error);
	}
	return answer;
}

int tournament_ranks_serve(struct cluster *c, macaw_tournament *t)
{
	struct table_at at = {t, EXIT_DONE};
	t->jobs = t->jobs ? t->jobs : 1;
	dealer_serve(c, t->jobs, play, &at);
	return at.status;
}
