/* The size of a network, before and after preprocessing. */
#include "cli/network.h"

#include "cli/output.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static bool add_pass(const char *word, unsigned *passes)
{
	for (unsigned i = 0; i < MACAW_PASSES; i++)
		if (!strcmp(macaw_pass_name(i), word)) {
			*passes |= 1u << i;
			return true;
		}
	fprintf(stderr, "macaw network: --passes: there is no pass '%s'; there are merge, unary, universal, sac\n", word);
	return false;
}

bool network_passes(const char *list, unsigned *passes)
{
	struct text copy = {0};
	char *save = NULL;
	bool ok = true;
	*passes = 0;
	text_puts(&copy, list);
	for (char *word = strtok_r(copy.at, ",", &save); word && ok; word = strtok_r(NULL, ",", &save))
		ok = add_pass(word, passes);
	text_free(&copy);
	return ok;
}

/* The most memory that the process has had so far. */
static double megabytes(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : (double)u.ru_maxrss / 1024;
}

/* What the passes leave of the round in a position. */
struct left {
	bool tried, consistent;
	uint32_t variables, max_domain, constraints;
	uint64_t tuples;
	double seconds;
	macaw_removed removed[MACAW_PASSES];
};

static void count_left(const macaw_csp *n, struct left *l)
{
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++) {
		uint32_t size = macaw_csp_size(n, x);
		l->variables += size > 1;
		l->max_domain = size > l->max_domain ? size : l->max_domain;
	}
	l->constraints = macaw_csp_constraints(n);
	for (uint32_t c = 0; c < l->constraints; c++)
		l->tuples += macaw_csp_rows(n, c);
}

static struct left preprocess(macaw_network *n, const uint64_t *position, unsigned passes)
{
	struct left l = {.tried = true};
	double began = clock_thread();
	if (!macaw_network_inject(n, position))
		return l;
	macaw_csp *out = macaw_csp_simplify(macaw_network_csp(n), passes, l.removed, NULL);
	l.consistent = out != NULL;
	if (out)
		count_left(out, &l);
	macaw_csp_free(out);
	macaw_network_release(n);
	l.seconds = clock_thread() - began;
	return l;
}

static void json_pass(struct json_writer *w, unsigned pass, const macaw_removed *r)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "pass", macaw_pass_name(pass));
	jsonw_uint(w, "constraints", r->constraints);
	jsonw_uint(w, "scopes", r->scopes);
	jsonw_uint(w, "values", r->values);
	jsonw_uint(w, "tuples", r->tuples);
	output_seconds(w, "seconds", r->seconds);
	jsonw_end(w);
}

/* What the passes took from the template itself. */
static bool template_simplified(const macaw_network *n, macaw_removed *r)
{
	bool any = false;
	for (unsigned i = 0; i < MACAW_PASSES; i++) {
		r[i] = macaw_network_removed(n, i);
		any |= r[i].constraints || r[i].scopes || r[i].values || r[i].seconds > 0;
	}
	return any;
}

static void json_template(struct json_writer *w, const macaw_network *n)
{
	macaw_removed r[MACAW_PASSES];
	if (!template_simplified(n, r))
		return;
	jsonw_array(w, "template_passes");
	for (unsigned i = 0; i < MACAW_PASSES; i++)
		json_pass(w, i, &r[i]);
	jsonw_end(w);
}

static void print_pass(const char *where, unsigned i, const macaw_removed *r)
{
	printf("%s %-9s removes %u constraints, %u variables from scopes, %u values, %" PRIu64 " tuples (%.3f s)\n", where,
	       macaw_pass_name(i), r->constraints, r->scopes, r->values, r->tuples, r->seconds);
}

static void print_template(const macaw_network *n)
{
	macaw_removed r[MACAW_PASSES];
	bool any = template_simplified(n, r);
	for (unsigned i = 0; i < MACAW_PASSES && any; i++)
		print_pass("template: pass", i, &r[i]);
}

static void json_left(struct json_writer *w, const struct left *l, unsigned passes)
{
	jsonw_object(w, "after");
	jsonw_uint(w, "variables", l->variables);
	jsonw_uint(w, "max_domain", l->max_domain);
	jsonw_uint(w, "constraints", l->constraints);
	jsonw_uint(w, "tuples", l->tuples);
	output_seconds(w, "seconds", l->seconds);
	jsonw_end(w);
	jsonw_array(w, "passes");
	for (unsigned i = 0; i < MACAW_PASSES; i++)
		if (passes >> i & 1)
			json_pass(w, i, &l->removed[i]);
	jsonw_end(w);
}

static void print_json(const macaw_network *n, const macaw_network_stats *s, const struct left *l, unsigned passes)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	char memory[40];
	snprintf(memory, sizeof memory, "%.1f", megabytes());
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(macaw_network_game(n)));
	jsonw_uint(&w, "variables", s->variables);
	jsonw_uint(&w, "auxiliary", s->auxiliary);
	jsonw_uint(&w, "max_domain", s->max_domain);
	jsonw_uint(&w, "constraints", s->constraints);
	jsonw_uint(&w, "tuples", s->tuples);
	jsonw_uint(&w, "groups", s->groups);
	jsonw_uint(&w, "booleans", s->booleans);
	jsonw_uint(&w, "constants", s->constants);
	jsonw_uint(&w, "percepts", s->percepts);
	jsonw_uint(&w, "relations", s->relations);
	jsonw_uint(&w, "max_relation", s->max_relation);
	jsonw_uint(&w, "rules", s->rules);
	output_seconds(&w, "seconds", s->seconds);
	output_seconds(&w, "cpu_seconds", s->cpu_seconds);
	output_seconds(&w, "proof_seconds", s->proof_seconds);
	jsonw_uint(&w, "queries", s->queries);
	jsonw_raw(&w, "megabytes", memory);
	json_template(&w, n);
	if (l->tried && l->consistent)
		json_left(&w, l, passes);
	jsonw_end(&w);
	output_line(&t);
}

static void print_left(const struct left *l, unsigned passes)
{
	if (!l->consistent) {
		printf("the state has no round, or a constraint is too large for the passes\n");
		return;
	}
	for (unsigned i = 0; i < MACAW_PASSES; i++)
		if (passes >> i & 1)
			print_pass("pass", i, &l->removed[i]);
	printf("after the passes, in this state\n  variables    %u open\n  max domain   %u\n  constraints  %u\n  tuples    "
	       "   %" PRIu64 "\n  seconds      %.3f\n",
	       l->variables, l->max_domain, l->constraints, l->tuples, l->seconds);
}

void network_print_stats(macaw_network *n, const uint64_t *position, unsigned passes, bool json)
{
	macaw_network_stats s = macaw_network_statistics(n);
	const char *name = macaw_game_name(macaw_network_game(n));
	struct left l = {0};
	if (passes)
		l = preprocess(n, position, passes);
	if (json) {
		print_json(n, &s, &l, passes);
		return;
	}
	printf("%s\n  variables    %u (%u auxiliary)\n  max domain   %u\n  constraints  %u\n  tuples       %" PRIu64
	       "\n  groups       %u, %u Booleans, %u constant fluents\n",
	       name, s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans, s.constants);
	if (s.percepts)
		printf("  percepts     %u, a variable each (sees_...)\n", s.percepts);
	printf("  rulesheet    %u relations of at most %u instances, %u rules\n"
	       "  seconds      %.3f (of the processor %.3f, of these %.3f for %" PRIu64
	       " proofs)\n  memory       %.1f MB\n",
	       s.relations, s.max_relation, s.rules, s.seconds, s.cpu_seconds, s.proof_seconds, s.queries, megabytes());
	print_template(n);
	if (l.tried)
		print_left(&l, passes);
}
