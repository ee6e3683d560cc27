/* Networks as graphs: their variables, and which constraints join them. */
#include "web/networks.h"

#include "base/thread.h"
#include "web/files.h"
#include "web/place.h"
#include "web/server.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_VARIABLES 600
#define SHOWN_VALUES 64
#define BUILD_SECONDS 10.0

struct networks {
	struct thread_mutex lock;
	VEC(struct entry {
		struct web_network *network;
		bool busy;
		uint64_t used;
	}) list;
	uint64_t numbers, clock;
};

struct networks *networks_open(void)
{
	struct networks *all = NEW(struct networks);
	thread_mutex_init(&all->lock);
	return all;
}

static void free_network(struct web_network *n)
{
	if (!n)
		return;
	if (n->round)
		macaw_network_free(n->round);
	else
		macaw_csp_free(n->csp);
	games_give(n->game);
	mem_free(n->name);
	mem_free(n);
}

void networks_close(struct networks *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->list.n; i++)
		free_network(all->list.at[i].network);
	vec_free(&all->list);
	thread_mutex_free(&all->lock);
	mem_free(all);
}

static struct entry *find(struct networks *all, const char *id)
{
	for (size_t i = 0; i < all->list.n; i++)
		if (!strcmp(all->list.at[i].network->id, id))
			return &all->list.at[i];
	return NULL;
}

void networks_give(struct networks *all, struct web_network *n)
{
	thread_lock(&all->lock);
	struct entry *e = find(all, n->id);
	e->busy = false;
	thread_unlock(&all->lock);
}

/* The one that was not used for the longest time makes room. False: all are in use. */
static bool make_room(struct networks *all)
{
	if (all->list.n < NETWORKS_MOST)
		return true;
	size_t oldest = all->list.n;
	for (size_t i = 0; i < all->list.n; i++)
		if (!all->list.at[i].busy && (oldest == all->list.n || all->list.at[i].used < all->list.at[oldest].used))
			oldest = i;
	if (oldest == all->list.n)
		return false;
	free_network(all->list.at[oldest].network);
	all->list.at[oldest] = vec_pop(&all->list);
	return true;
}

/* In use until networks_give(). */
static bool add(struct request *q, struct web_network *n)
{
	struct networks *all = q->web->networks;
	thread_lock(&all->lock);
	bool room = make_room(all);
	if (room) {
		snprintf(n->id, sizeof n->id, "n%llu", (unsigned long long)++all->numbers);
		vec_push(&all->list, (struct entry){.network = n, .busy = true, .used = ++all->clock});
	}
	thread_unlock(&all->lock);
	if (!room)
		request_fail_help(q, 503, "busy", "too many networks are being solved", "end one of these jobs");
	return room;
}

/* ---- making ---- */

static struct web_network *of_game(struct request *q)
{
	macaw_error e = {0};
	struct place p;
	struct web_network *n = NULL;
	if (!place_read(&p, q))
		return NULL;
	macaw_network_options o = {.limit.seconds = BUILD_SECONDS};
	macaw_network *round = macaw_network_make(p.game->game, &o, &e);
	if (!round) {
		request_fail_as(q, &e, "cannot");
	} else if (!macaw_network_inject(round, place_now(&p))) {
		request_fail_as(q, macaw_network_error(round), "cannot");
		macaw_network_free(round);
	} else {
		n = NEW(struct web_network);
		n->name = text_copy(p.game->title, strlen(p.game->title));
		n->game = games_hold(p.game);
		n->round = round;
		n->csp = macaw_network_csp(round);
		n->injected = true;
	}
	place_close(&p);
	return n;
}

static struct web_network *of_text(struct request *q, const char *xml, size_t length, const char *name)
{
	macaw_error e = {0};
	if (macaw_xcsp3_type_of(xml, length) != MACAW_XCSP3_CSP) {
		request_fail(q, 422, "cannot", "stochastic and strategic networks cannot be drawn, only plain ones");
		return NULL;
	}
	macaw_csp *csp = macaw_csp_parse(xml, length, name, &e);
	if (!csp) {
		request_fail_as(q, &e, "bad-network");
		return NULL;
	}
	struct web_network *n = NEW(struct web_network);
	n->csp = csp;
	n->name = text_copy(name, strlen(name));
	return n;
}

static struct web_network *of_file(struct request *q)
{
	macaw_error e = {0};
	const char *path = files_path(q, FILE_NETWORK);
	size_t length;
	if (!path)
		return NULL;
	char *xml = macaw_xcsp3_read(path, &length, &e);
	const char *slash = strrchr(path, '/');
	struct web_network *n = xml ? of_text(q, xml, length, slash ? slash + 1 : path) : NULL;
	if (!xml)
		request_fail_as(q, &e, "cannot");
	macaw_free(xml);
	return n;
}

/* ---- showing ---- */

void network_put_value(struct json_writer *w, const char *key, const macaw_csp *n, uint32_t x, uint32_t at)
{
	int32_t value = macaw_csp_value(n, x, at);
	if (macaw_csp_symbolic(n, x))
		jsonw_text(w, key, macaw_csp_symbol_text(n, value));
	else
		jsonw_int(w, key, value);
}

/* What each variable of a round stands for; "" where nothing is known. */
static const char **groups_of(const struct web_network *n)
{
	uint32_t count = macaw_csp_variables(n->csp);
	const char **group = NEW_ARRAY(const char *, count + 1);
	for (uint32_t x = 0; x < count; x++)
		group[x] = macaw_csp_hidden(n->csp, x) ? "auxiliary" : "";
	if (!n->round)
		return group;
	for (uint32_t r = 0; r < macaw_game_roles(n->game->game); r++) {
		uint32_t action = macaw_network_action(n->round, r), score = macaw_network_score(n->round, r);
		if (action < count)
			group[action] = "action";
		if (score < count)
			group[score] = "score";
	}
	for (uint32_t i = 0; i < macaw_network_groups(n->round); i++) {
		uint32_t now = macaw_network_now(n->round, i), after = macaw_network_after(n->round, i);
		if (after < count)
			group[after] = "after";
		if (now < count)
			group[now] = "now";
	}
	if (macaw_network_terminal(n->round) < count)
		group[macaw_network_terminal(n->round)] = "terminal";
	return group;
}

static void put_variable(struct json_writer *w, const macaw_csp *n, uint32_t x, const char *group)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "id", x);
	jsonw_text(w, "name", macaw_csp_name(n, x));
	jsonw_array(w, "domain");
	for (uint32_t at = 0; at < macaw_csp_count(n, x) && at < SHOWN_VALUES; at++)
		network_put_value(w, NULL, n, x, at);
	jsonw_end(w);
	jsonw_uint(w, "size", macaw_csp_count(n, x));
	jsonw_uint(w, "left", macaw_csp_size(n, x));
	jsonw_text(w, "group", group);
	jsonw_end(w);
}

static void put_constraint(struct json_writer *w, const macaw_csp *n, uint32_t c)
{
	const uint32_t *scope = macaw_csp_scope(n, c);
	jsonw_object(w, NULL);
	jsonw_uint(w, "id", c);
	jsonw_text(w, "kind", macaw_csp_kind_name(macaw_csp_kind(n, c)));
	jsonw_uint(w, "rows", macaw_csp_rows(n, c));
	jsonw_array(w, "scope");
	for (uint32_t i = 0; i < macaw_csp_arity(n, c); i++)
		jsonw_uint(w, NULL, scope[i]);
	jsonw_end(w);
	jsonw_end(w);
}

static bool is_shown(const macaw_csp *n, uint32_t c)
{
	const uint32_t *scope = macaw_csp_scope(n, c);
	for (uint32_t i = 0; i < macaw_csp_arity(n, c); i++)
		if (scope[i] >= SHOWN_VARIABLES)
			return false;
	return true;
}

static void put_network(struct request *q, const struct web_network *n)
{
	struct json_writer *w = &q->w;
	uint32_t variables = macaw_csp_variables(n->csp), constraints = macaw_csp_constraints(n->csp);
	const char **group = groups_of(n);
	jsonw_text(w, "network", n->id);
	jsonw_text(w, "name", n->name);
	jsonw_array(w, "variables");
	for (uint32_t x = 0; x < variables && x < SHOWN_VARIABLES; x++)
		put_variable(w, n->csp, x, group[x]);
	jsonw_end(w);
	jsonw_array(w, "constraints");
	for (uint32_t c = 0; c < constraints; c++)
		if (is_shown(n->csp, c))
			put_constraint(w, n->csp, c);
	jsonw_end(w);
	jsonw_text(w, "objective",
	           !macaw_csp_has_objective(n->csp) ? NULL
	           : macaw_csp_maximises(n->csp)    ? "maximise"
	                                            : "minimise");
	jsonw_bool(w, "cut", variables > SHOWN_VARIABLES);
	jsonw_object(w, "all");
	jsonw_uint(w, "variables", variables);
	jsonw_uint(w, "constraints", constraints);
	jsonw_end(w);
	mem_free(group);
}

/* ---- requests ---- */

static void make(struct request *q)
{
	const char *xml = body_text(q, "xcsp3", NULL), *name = body_text(q, "name", "network");
	if (q->failed)
		return;
	struct web_network *n = xml                                ? of_text(q, xml, strlen(xml), name)
	                        : json_object_get(q->body, "file") ? of_file(q)
	                                                           : of_game(q);
	if (!n)
		return;
	if (!add(q, n)) {
		free_network(n);
		return;
	}
	q->status = 201;
	put_network(q, n);
	networks_give(q->web->networks, n);
}

static void solve(struct request *q)
{
	struct networks *all = q->web->networks;
	thread_lock(&all->lock);
	struct entry *e = find(all, q->part[1]);
	if (!e)
		request_fail(q, 404, "not-found", "there is no such network, or it was forgotten");
	else if (e->busy)
		request_fail(q, 409, "not-now", "this network is being solved");
	struct web_network *n = q->failed ? NULL : e->network;
	if (n) {
		e->busy = true;
		e->used = ++all->clock;
	}
	thread_unlock(&all->lock);
	if (n)
		network_solve(q, n);
}

void serve_networks(struct request *q)
{
	if (!request_is(q, "POST"))
		request_no_method(q);
	else if (q->parts == 1)
		make(q);
	else if (q->parts == 3 && !strcmp(q->part[2], "solve"))
		solve(q);
	else
		request_no_path(q);
}
