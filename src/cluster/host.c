/* Matches of a server, with the other ranks in company. KIND_MATCH tells them the rules, as they came, and who plays;
 * they build the same game at the same time. What numbers fluents and moves have follows from the rules alone. */
#include "cluster/company.h"

#include "base/thread.h"
#include "cluster/kinds.h"

#include <stdio.h>
#include <string.h>

struct company_host {
	struct cluster *c;
	macaw_server_company face;
	struct thread_mutex lock;
	bool taken;                /* a match has the company */
	struct company_seat *seat; /* its player's; NULL: not yet */
};

/* Before the rules: words that are ended by a zero byte. */
static void announce(struct link *link, uint32_t ranks, const char *rules, size_t length, const char *role,
                     const char *player, uint64_t seed, double seconds)
{
	struct text out = {0};
	text_printf(&out, "%s%c%s%c%llu %.3f%c", role, 0, player, 0, (unsigned long long)seed, seconds, 0);
	text_add(&out, rules, length);
	for (uint32_t r = 1; r < ranks; r++)
		link_send(link, r, KIND_MATCH, out.at, out.n);
	text_free(&out);
}

static bool open_match(void *context, const char *rules, size_t length, const char *role, const char *player,
                       uint64_t seed, double seconds)
{
	struct company_host *h = context;
	thread_lock(&h->lock);
	bool free = !h->taken;
	h->taken = true;
	thread_unlock(&h->lock);
	if (free)
		announce(cluster_link(h->c), cluster_ranks(h->c), rules, length, role, player, seed, seconds);
	return free;
}

static macaw_company seat_of(void *context, uint32_t role, size_t words)
{
	struct company_host *h = context;
	struct mem_scope *scope = mem_scope_enter(NULL);
	h->seat = company_seat_open(h->c, words, role % COMPANY_SEATS);
	mem_scope_leave(scope);
	return company_seat_face(h->seat);
}

static void close_match(void *context)
{
	struct company_host *h = context;
	company_end_match(h->c);
	thread_lock(&h->lock);
	company_seat_close(h->seat);
	h->seat = NULL;
	h->taken = false;
	thread_unlock(&h->lock);
}

struct company_host *company_host_open(struct cluster *c)
{
	struct company_host *h = NEW(struct company_host);
	h->c = c;
	h->face = (macaw_server_company){open_match, seat_of, close_match, h};
	thread_mutex_init(&h->lock);
	return h;
}

const macaw_server_company *company_host_face(const struct company_host *h)
{
	return &h->face;
}

void company_host_close(struct company_host *h)
{
	thread_mutex_free(&h->lock);
	mem_free(h);
}

/* ---- the other ranks -------------------------------------------------------------------------------- */

static void assist_match(struct cluster *c, const struct text *letter)
{
	const char *end = letter->at + letter->n, *role = letter->at, *player = role + strlen(role) + 1;
	const char *numbers = player + strlen(player) + 1, *rules = numbers + strlen(numbers) + 1;
	unsigned long long seed = 0;
	double seconds = 0;
	bool fine = rules <= end && sscanf(numbers, "%llu %lf", &seed, &seconds) == 2;
	macaw_game_options o = {.engine = MACAW_ENGINE_CIRCUIT, .limit = {.seconds = fine ? seconds : 0}};
	macaw_game *g = fine ? macaw_game_parse(rules, (size_t)(end - rules), &o, NULL) : NULL;
	const char **words = NEW_ARRAY(const char *, g ? macaw_game_roles(g) + 1 : 1);
	for (uint32_t r = 0; g && r < macaw_game_roles(g); r++)
		words[r] = strcmp(macaw_game_role(g, r), role) ? NULL : player;
	if (g)
		company_assist(c, g, words, seed);
	else
		company_sit_out(c);
	mem_free(words);
	macaw_game_free(g);
}

void company_serve(struct cluster *c)
{
	struct letter l;
	while (link_take(cluster_link(c), KIND_MATCH, 0, 1e9, &l)) {
		assist_match(c, &l.bytes);
		text_free(&l.bytes);
	}
}
