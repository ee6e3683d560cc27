/* macaw network: a game as a constraint network. */
#include "cli/after.h"
#include "cli/commands.h"
#include "cli/load_game.h"
#include "base/rng.h"
#include "model/model.h"
#include "scsp/scsp.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct network_options {
	struct load_options load;
	int64_t tuples;
	bool stats, json, table, initial;
	double rounds;
	const char *output, *after;
};

#define FIELD(f) offsetof(struct network_options, f)
static const struct opt table[] = {
    {"output", 'o', OPT_TEXT, FIELD(output), "FILE", "write XCSP3 here (- for standard output)"},
    {"stats", 0, OPT_FLAG, FIELD(stats), NULL, "print variables, largest domain, constraints, tuples and time"},
    {"table", 0, OPT_FLAG, FIELD(table), NULL, "print the tables of a small network, for people"},
    {"initial", 0, OPT_FLAG, FIELD(initial), NULL, "inject the initial state"},
    {"after", 0, OPT_TEXT, FIELD(after), "MOVES", "inject the state after joint moves: a,b;c,d (a move a role)"},
    {"rounds", 0, OPT_REAL, FIELD(rounds), "SEC", "measure rounds solved a second: MAC, FC, circuit", .min = 0, .max = 1e6},
    {"tuples", 0, OPT_INT, FIELD(tuples), "N", "most tuples of a table before auxiliary variables help",
     .whole = MODEL_TUPLES, .min = 2, .max = 1e6},
    {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
    LOAD_BOUNDS(struct network_options, load),
    {0}};

static void print_stats(const struct model *m, const char *name, bool json)
{
	struct model_stats s = model_stats(m);
	struct text t = {0};
	if (json) {
		text_puts(&t, "{\"game\":");
		text_json(&t, name);
		text_printf(&t,
		            ",\"variables\":%u,\"auxiliary\":%u,\"max_domain\":%u,\"constraints\":%u,\"tuples\":%" PRIu64
		            ",\"groups\":%u,\"booleans\":%u,\"constants\":%u,\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"proof_seconds\":%.6f,\"queries\":%" PRIu64
		            "}\n",
		            s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans, s.constants,
		            s.seconds, s.cpu_seconds, s.proof_seconds, s.queries);
	} else {
		text_printf(&t,
		            "%s\n  variables    %u (%u auxiliary)\n  max domain   %u\n  constraints  %u\n  tuples       %" PRIu64
		            "\n  groups       %u, %u Booleans, %u constant fluents\n  seconds      %.3f (of the processor %.3f, %.3f of them for %" PRIu64
		            " proofs)\n",
		            name, s.variables, s.auxiliary, s.max_domain, s.constraints, s.tuples, s.groups, s.booleans,
		            s.constants, s.seconds, s.cpu_seconds, s.proof_seconds, s.queries);
	}
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static int write_text(const struct text *t, const char *path)
{
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(t->at, 1, t->n, f) == t->n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "macaw network: cannot write %s\n", path);
	return ok ? EXIT_DONE : EXIT_MACHINE;
}

static int print_table(struct model *m)
{
	struct text t = {0};
	int status = EXIT_INPUT;
	if (model_print(m, &t))
		status = write_text(&t, "-");
	else
		fprintf(stderr, "macaw network: too large to be read; -o FILE writes it\n");
	text_free(&t);
	return status;
}

/* ---- preprocessing --------------------------------------------------------------------- */

/* What merge, unary, universal and SAC leave of the round in a state. */
static void print_passes(struct model *m, const uint64_t *state)
{
	struct scsp_removed removed[SCSP_PASS_COUNT] = {{0}};
	double began = clock_now();
	if (!model_inject(m, state)) {
		printf("  the state has no round\n");
		return;
	}
	struct csp *n = scsp_simplify(model_csp(m), (1u << SCSP_PASS_COUNT) - 1, removed);
	if (n) {
		uint32_t open = 0, most = 0;
		for (uint32_t x = 0; x < csp_variables(n); x++) {
			open += csp_size(n, x) > 1;
			most = csp_size(n, x) > most ? csp_size(n, x) : most;
		}
		printf("after the passes, in this state\n  variables    %u open\n  max domain   %u\n  constraints  %u\n  seconds      %.3f\n",
		       open, most, csp_constraints(n), clock_now() - began);
		csp_free(n);
	}
	model_release(m);
}

/* ---- speed ------------------------------------------------------------------------------- */

#define SAMPLE 256

static size_t sample_states(struct game *g, uint64_t *states)
{
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(7);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles + 1);
	uint64_t *s = NEW_ARRAY(uint64_t, g->words + 1);
	size_t n = 0;
	memcpy(s, g->initial, g->words * 8);
	for (int tries = 0; n < SAMPLE && tries < 20 * SAMPLE; tries++) {
		struct view v = game_look(w, s);
		if (v.terminal || !game_random_move(g, &v, &rng, moves)) {
			memcpy(s, g->initial, g->words * 8);
			continue;
		}
		memcpy(states + n++ * g->words, s, g->words * 8);
		game_next(w, s, moves, s);
	}
	worker_free(w);
	mem_free(moves);
	mem_free(s);
	return n;
}

/* Rounds a second; 0: the method does not take so large a network. */
static double network_speed(struct model *m, enum model_method method, const uint64_t *states, size_t n, double seconds,
			    double *runs)
{
	struct limit limit = limit_seconds(seconds);
	struct model_round r = {0};
	double began = clock_thread();
	uint64_t rounds = 0;
	do {
		if (!model_solve(m, method, states + rounds % n * model_game(m)->words, &r))
			break;
		rounds++;
	} while (!limit_reached(&limit));
	*runs = rounds ? (double)r.propagations / (double)rounds : 0;
	model_round_free(&r);
	return (double)rounds / (clock_thread() - began);
}

/* The same by the circuit: look, then all joint moves of the state in one expansion. */
static double circuit_speed(struct game *g, const uint64_t *states, size_t n, double seconds)
{
	struct limit limit = limit_seconds(seconds);
	struct worker *w = worker_new(g);
	VEC(uint64_t) from = {0}, next = {0};
	VEC(uint32_t) moves = {0};
	uint32_t *at = NEW_ARRAY(uint32_t, g->roles + 1);
	double began = clock_thread();
	uint64_t rounds = 0;
	do {
		const uint64_t *s = states + rounds++ % n * g->words;
		struct view v = game_look(w, s);
		size_t count = 0;
		bool more = true;
		vec_clear(&from);
		vec_clear(&moves);
		memcpy(at, v.start, g->roles * sizeof *at);
		while (more) {
			vec_extend(&from, g->words);
			memcpy(from.at + from.n - g->words, s, g->words * 8);
			more = false;
			count++;
			for (uint32_t r = 0; r < g->roles; r++)
				vec_push(&moves, v.legal[at[r]]);
			for (uint32_t r = 0; r < g->roles && !more; r++) {
				more = ++at[r] < v.start[r + 1];
				if (!more)
					at[r] = v.start[r];
			}
		}
		vec_reserve(&next, count * g->words);
		struct expansion e = {.states = from.at, .moves = moves.at, .count = count, .next = next.at};
		game_expand(w, &e);
	} while (!limit_reached(&limit));
	double speed = (double)rounds / (clock_thread() - began);
	worker_free(w);
	vec_free(&from);
	vec_free(&next);
	vec_free(&moves);
	mem_free(at);
	return speed;
}

static void print_speed(struct model *m, const char *name, double seconds, bool json)
{
	struct game *g = model_game(m);
	uint64_t *states = NEW_ARRAY(uint64_t, (size_t)SAMPLE * g->words + 1);
	size_t n = sample_states(g, states);
	double mac = 0, fc = 0, circuit = 0, runs = 0, unused;
	if (n) {
		mac = network_speed(m, MODEL_MAC, states, n, seconds, &runs);
		fc = network_speed(m, MODEL_FC, states, n, seconds, &unused);
		circuit = circuit_speed(g, states, n, seconds);
	}
	if (json)
		printf("{\"game\":\"%s\",\"states\":%zu,\"mac_rounds_per_second\":%.0f,\"fc_rounds_per_second\":%.0f,"
		       "\"circuit_rounds_per_second\":%.0f,\"propagations_per_round\":%.0f}\n",
		       name, n, mac, fc, circuit, runs);
	else
		printf("%s: rounds a second: MAC %.0f, FC %.0f, circuit %.0f (%zu states, %.0f tables run a round)\n", name, mac, fc,
		       circuit, n, runs);
	mem_free(states);
}

/* ---- all ----------------------------------------------------------------------------------- */

static int write_network(struct model *m, const uint64_t *state, const char *path)
{
	struct text t = {0}, error = {0};
	int status = EXIT_INPUT;
	struct scsp *s = model_scsp(m, state, &error);
	if (s) {
		scsp_write_xml(s, &t);
		status = write_text(&t, path);
		scsp_free(s);
	} else {
		fprintf(stderr, "macaw network: %s\n", text_str(&error));
	}
	text_free(&t);
	text_free(&error);
	return status;
}

/* The writing comes last, for it takes the network over. */
static int show(struct model *m, const struct network_options *o, const char *name)
{
	int status = EXIT_DONE;
	uint64_t *state = NULL;
	if ((o->after || o->initial) && !(state = state_after(model_game(m), "network", o->after)))
		return EXIT_INPUT;
	if (o->table)
		status = print_table(m);
	if (o->rounds > 0)
		print_speed(m, name, o->rounds, o->json);
	else if (status == EXIT_DONE && (o->stats || o->json || (!o->output && !o->table)))
		print_stats(m, name, o->json);
	if (status == EXIT_DONE && o->stats && !o->json)
		print_passes(m, state ? state : model_game(m)->initial);
	if (status == EXIT_DONE && o->output)
		status = write_network(m, state, o->output);
	mem_free(state);
	return status;
}

static int run(void *options, int count, char **words)
{
	struct network_options *o = options;
	struct loaded l = {0};
	if (count != 1) {
		fprintf(stderr, "macaw network: one game is needed\nTry 'macaw help network'.\n");
		return EXIT_USAGE;
	}
	o->load.engine = ENGINE_CIRCUIT;
	int status = load_game("network", words[0], &o->load, &l);
	if (status)
		return status;
	struct model_options mo = {.tuples = (uint32_t)o->tuples, .memory = (size_t)o->load.memory << 20};
	struct text error = {0};
	if (o->load.timeout > 0)
		mo.limit = limit_seconds(o->load.timeout);
	struct model *m = model_make(l.game, &mo, &error);
	if (m) {
		status = show(m, o, text_str(&l.name));
	} else {
		fprintf(stderr, "macaw network: %s: %s\n", words[0], text_str(&error));
		status = EXIT_INPUT;
	}
	text_free(&error);
	model_free(m);
	load_game_free(&l);
	return status;
}

const struct command cmd_network = {
    .name = "network",
    .arguments = "GAME",
    .summary = "Show a game as a stochastic constraint network",
    .details = "Translates one round of the game into variables and tables: fluents that exclude one\n"
               "another (proved by induction) become one variable, actions one a role. Prints figures\n"
               "(--stats, the default), the tables (--table), or writes XCSP3 (-o FILE).",
    .options = table,
    .size = sizeof(struct network_options),
    .run = run,
};
