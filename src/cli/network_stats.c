/* The size of a network, before and after preprocessing. */
#include "cli/network.h"

#include "base/text.h"
#include "scsp/scsp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const char *const pass_names[] = {
#define X(id, name, help) name,
	SCSP_PASSES(X)
#undef X
	NULL};

bool network_passes(const char *list, unsigned *passes)
{
	struct text copy = {0};
	char *save = NULL;
	bool ok = true;
	*passes = 0;
	text_puts(&copy, list);
	for (char *word = strtok_r(copy.at, ",", &save); word && ok; word = strtok_r(NULL, ",", &save)) {
		int i = 0;
		while (pass_names[i] && strcmp(pass_names[i], word))
			i++;
		ok = pass_names[i] != NULL;
		if (ok)
			*passes |= 1u << i;
		else
			fprintf(stderr, "macaw network: --passes: there is no pass '%s'; there are merge, unary, universal, sac\n", word);
	}
	text_free(&copy);
	return ok;
}

/* The most memory that the process has had so far. */
static double megabytes(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : (double)u.ru_maxrss / 1024;
}

/* What the passes leave of the round in a state. */
struct left {
	bool tried, consistent;
	uint32_t variables, max_domain, constraints;
	uint64_t tuples;
	double seconds;
	struct scsp_removed removed[SCSP_PASS_COUNT];
};

static struct left preprocess(struct model *m, const uint64_t *state, unsigned passes)
{
	struct left l = {.tried = true};
	double began = clock_thread();
	if (!model_inject(m, state))
		return l;
	struct csp *n = scsp_simplify(model_csp(m), passes, l.removed);
	for (uint32_t x = 0; n && x < csp_variables(n); x++) {
		l.variables += csp_size(n, x) > 1;
		l.max_domain = csp_size(n, x) > l.max_domain ? csp_size(n, x) : l.max_domain;
	}
	for (uint32_t c = 0; n && c < csp_constraints(n); c++) {
		l.constraints++;
		l.tuples += csp_rows(n, c);
	}
	l.consistent = n != NULL;
	csp_free(n);
	model_release(m);
	l.seconds = clock_thread() - began;
	return l;
}

static void print_json(const struct model_stats *s, const struct left *l, unsigned passes, const char *name)
{
	struct text t = {0};
	text_puts(&t, "{\"game\":");
	text_json(&t, name);
	text_printf(&t,
	            ",\"variables\":%u,\"auxiliary\":%u,\"max_domain\":%u,\"constraints\":%u,\"tuples\":%" PRIu64
	            ",\"groups\":%u,\"booleans\":%u,\"constants\":%u,\"seconds\":%.6f,\"cpu_seconds\":%.6f,"
	            "\"proof_seconds\":%.6f,\"queries\":%" PRIu64 ",\"megabytes\":%.1f",
	            s->variables, s->auxiliary, s->max_domain, s->constraints, s->tuples, s->groups, s->booleans, s->constants,
	            s->seconds, s->cpu_seconds, s->proof_seconds, s->queries, megabytes());
	if (l->tried && l->consistent) {
		text_printf(&t,
		            ",\"after\":{\"variables\":%u,\"max_domain\":%u,\"constraints\":%u,\"tuples\":%" PRIu64
		            ",\"seconds\":%.6f},\"passes\":[",
		            l->variables, l->max_domain, l->constraints, l->tuples, l->seconds);
		for (int i = 0, k = 0; i < SCSP_PASS_COUNT; i++)
			if (passes >> i & 1)
				text_printf(&t,
				            "%s{\"pass\":\"%s\",\"constraints\":%u,\"scopes\":%u,\"values\":%u,\"tuples\":%" PRIu64
				            ",\"seconds\":%.6f}",
				            k++ ? "," : "", pass_names[i], l->removed[i].constraints, l->removed[i].scopes,
				            l->removed[i].values, l->removed[i].tuples, l->removed[i].seconds);
		text_puts(&t, "]");
	}
	text_puts(&t, "}\n");
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static void print_left(const struct left *l, unsigned passes)
{
	if (!l->consistent) {
		printf("the state has no round, or a constraint is too large for the passes\n");
		return;
	}
	for (int i = 0; i < SCSP_PASS_COUNT; i++)
		if (passes >> i & 1)
			printf("pass %-9s removes %u constraints, %u variables from scopes, %u values, %" PRIu64 " tuples (%.3f s)\n",
			       pass_names[i], l->removed[i].constraints, l->removed[i].scopes, l->removed[i].values,
			       l->removed[i].tuples, l->removed[i].seconds);
	printf("after the passes, in this state\n  variables    %u open\n  max domain   %u\n  constraints  %u\n  tuples       %" PRIu64
	       "\n  seconds      %.3f\n",
	       l->variables, l->max_domain, l->constraints, l->tuples, l->seconds);
}

void network_print_stats(struct model *m, const char *name, const uint64_t *state, unsigned passes, bool json)
{
	struct model_stats s = model_stats(m);
	struct left l = {0};
	if (passes)
		l = preprocess(m, state, passes);
	if (json) {
		print_json(&s, &l, passes, name);
		return;
	}
	printf("%s\n  variables    %u (%u auxiliary)\n  max domain   %u\n  constraints  %u\n  tuples       %" PRIu64
	       "\n  groups       %u, %u Booleans, %u constant fluents\n"
	       "  seconds      %.3f (of the processor %.3f, of these %.3f for %" PRIu64 " proofs)\n  memory       %.1f MB\n",
	       name, s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans, s.constants, s.seconds,
	       s.cpu_seconds, s.proof_seconds, s.queries, megabytes());
	if (l.tried)
		print_left(&l, passes);
}
