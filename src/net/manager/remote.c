/* One message per connection, by libcurl, which gives up at the deadline of the question. Calls are
 * made from the contestant's own thread, so none waits for another. */
#include "net/manager/remote.h"

#include "base/thread.h"
#include "net/protocol/kif.h"
#include "play/hidden/tracker.h"

#include <curl/curl.h>
#include <pthread.h>
#include <string.h>

#define REPLY_MAX ((size_t)1 << 20)
#define SHOWN 200 /* bytes of a reply */
#define CONNECT_SECONDS 5.0
#define ABORT_SECONDS 1.0

struct remote {
	struct remote_options o;
	struct text address, id, url;
	CURL *curl;
	struct curl_slist *headers;
	struct mem_resource *resource;
	struct text reply;
	const struct limit *limit;
	uint64_t errors;
	struct text trouble;
};

/* Once per process, before the first use of the library. */
static void set_up(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* ---- one message -------------------------------------------------------------------------- */

static size_t receive(char *data, size_t size, size_t count, void *context)
{
	struct remote *r = context;
	bool done;
	if (r->reply.n + size * count > REPLY_MAX)
		return 0; /* too long for a move */
	/* a failure must not jump over the frames of libcurl */
	MEM_TRY(done, mem_scope_current(), text_add(&r->reply, data, size * count));
	return done ? size * count : 0;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct remote *r = context;
	return r->limit && r->limit->stop && atomic_load(r->limit->stop);
}

static void prepare(struct remote *r)
{
	CURL *c = r->curl;
	curl_easy_setopt(c, CURLOPT_URL, text_str(&r->url));
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http");
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_0);
	curl_easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(c, CURLOPT_FRESH_CONNECT, 1L);
	curl_easy_setopt(c, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, r);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, r);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, r->headers);
}

/* False with a reason in `why`. */
static bool talk(struct remote *r, const struct text *message, double seconds, const struct limit *limit,
                 struct text *why)
{
	CURL *c = r->curl;
	double connecting = seconds < CONNECT_SECONDS ? seconds : CONNECT_SECONDS;
	long status = 0;
	r->reply.n = 0;
	r->limit = limit;
	if (seconds <= 0) {
		text_puts(why, "no time left to ask");
		return false;
	}
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, text_str(message));
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)message->n);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000) + 1);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)(connecting * 1000) + 1);
	CURLcode code = curl_easy_perform(c);
	if (code) {
		text_puts(why, curl_easy_strerror(code));
		return false;
	}
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	if (status == 200)
		return true;
	text_printf(why, "HTTP status %ld: ", status);
	text_plain(why, text_str(&r->reply), SHOWN);
	return false;
}

/* The reply as one term, as the rules write it. */
static bool understand(struct remote *r, struct text *out)
{
	struct kif k;
	struct text error = {0}, plain = {0};
	bool fine = kif_read(&k, text_str(&r->reply), r->reply.n, &error);
	if (fine) {
		kif_print(&k, 0, &plain);
		scramble_undo(r->o.words, text_str(&plain), plain.n, out);
	}
	kif_free(&k);
	text_free(&error);
	text_free(&plain);
	return fine;
}

static void blame(struct remote *r, const char *what, const struct text *why)
{
	if (!r->errors++)
		text_printf(&r->trouble, "%s: %s", what, text_str(why));
}

/* ---- messages ------------------------------------------------------------------------------ */

static void put_term(struct remote *r, const struct text *term, struct text *out)
{
	scramble_put(r->o.words, text_str(term), term->n, out);
}

static void put_move(struct remote *r, uint32_t move, struct text *out)
{
	struct text t = {0};
	game_print_move(r->o.game, move, &t);
	put_term(r, &t, out);
	text_free(&t);
}

static void put_percept(struct remote *r, uint32_t percept, struct text *out)
{
	struct text t = {0};
	game_print_percept(r->o.game, percept, &t);
	put_term(r, &t, out);
	text_free(&t);
}

/* (VERB ID moves) or, where the state is hidden, (VERB ID turn lastmove percepts). */
static void put_news(struct remote *r, const char *verb, uint32_t step, const uint32_t *joint, uint32_t own,
                     const uint32_t *seen, uint32_t seen_count, struct text *out)
{
	text_printf(out, "(%s %s ", verb, text_str(&r->id));
	if (r->o.game->hidden) {
		text_printf(out, "%u ", step);
		if (step)
			put_move(r, own, out);
		else
			text_puts(out, "nil");
		text_puts(out, seen_count ? " (" : " nil");
		for (uint32_t i = 0; i < seen_count; i++) {
			text_puts(out, i ? " " : "");
			put_percept(r, seen[i], out);
		}
		text_puts(out, seen_count ? "))" : ")");
		return;
	}
	text_puts(out, joint ? "(" : "nil");
	for (uint32_t i = 0; joint && i < r->o.game->roles; i++) {
		text_puts(out, i ? " " : "");
		put_move(r, joint[i], out);
	}
	text_puts(out, joint ? "))" : ")");
}

/* Players far away know no playouts: where these are counted, the clock they were told is theirs. */
static double seconds_of(const struct budget *b, double told)
{
	return b->limit.deadline > 0 ? limit_left(&b->limit) : told;
}

static void start(void *self, const struct budget *b)
{
	struct remote *r = self;
	struct text message = {0}, rules = {0}, role = {0}, why = {0}, reply = {0};
	gdl_print(r->o.game->rules, GDL_KIF, &rules);
	game_print_role(r->o.game, r->o.role, &role);
	text_printf(&message, "(START %s ", text_str(&r->id));
	put_term(r, &role, &message);
	text_puts(&message, " (");
	put_term(r, &rules, &message);
	text_printf(&message, ") %.10g %.10g)", r->o.start, r->o.play);
	if (!talk(r, &message, seconds_of(b, r->o.start) + r->o.grace, &b->limit, &why)) {
		blame(r, "start", &why);
	} else if (!understand(r, &reply) || strcasecmp(text_str(&reply), "ready")) {
		text_puts(&why, "answered ");
		text_plain(&why, text_str(&r->reply), SHOWN);
		text_puts(&why, " instead of ready");
		blame(r, "start", &why);
	}
	text_free(&message);
	text_free(&rules);
	text_free(&role);
	text_free(&why);
	text_free(&reply);
}

static uint32_t move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	struct remote *r = self;
	struct text message = {0}, reply = {0};
	uint32_t found = CONTESTANT_SILENT;
	put_news(r, "PLAY", t->step, t->last, t->own_last, t->seen, t->seen_count, &message);
	if (talk(r, &message, seconds_of(b, r->o.play) + r->o.grace, &b->limit, why)) {
		found = understand(r, &reply) ? tracker_find(r->o.game, t->legal, t->legal_count, text_str(&reply)) : GAME_NONE;
		if (found == GAME_NONE) {
			text_puts(why, "answered ");
			text_plain(why, text_str(&r->reply), SHOWN);
		}
	}
	text_free(&message);
	text_free(&reply);
	return found;
}

struct contestant remote_contestant(struct remote *r)
{
	return (struct contestant){.self = r, .start = start, .move = move};
}

/* ---- the end -------------------------------------------------------------------------------- */

/* STOP, or ABORT when the match did not come to its end. */
static void finish(struct remote *r, bool stop, uint32_t step, const uint32_t *last, const uint32_t *seen,
                   uint32_t seen_count)
{
	struct text message = {0}, why = {0};
	if (stop)
		put_news(r, "STOP", step, last, last ? last[r->o.role] : GAME_NONE, seen, seen_count, &message);
	else
		text_printf(&message, "(ABORT %s)", text_str(&r->id));
	if (!talk(r, &message, stop ? r->o.play + r->o.grace : ABORT_SECONDS, NULL, &why) && stop)
		blame(r, "stop", &why);
	text_free(&message);
	text_free(&why);
}

/* A last message to one player, from a thread of its own. */
struct farewell {
	struct remote *remote; /* NULL: not on the network */
	bool stop;
	uint32_t steps;
	const uint32_t *last; /* joint move; NULL: none was made */
	const uint32_t *seen;
	uint32_t seen_count;
};

static void say_farewell(void *context)
{
	struct farewell *f = context;
	if (f->remote)
		finish(f->remote, f->stop, f->steps, f->last, f->seen, f->seen_count);
}

void remotes_finish(struct remote *const *by_role, const struct match *match)
{
	const struct game *g = match->game;
	struct farewell *all = NEW_ARRAY(struct farewell, g->roles);
	uint32_t *last = NEW_ARRAY(uint32_t, g->roles);
	struct percepts seen = {0};
	struct worker *w = worker_new(match->game);
	for (uint32_t r = 0; match->steps && r < g->roles; r++)
		last[r] = match->moves.at[(size_t)(match->steps - 1) * g->roles + r].move;
	if (match->steps)
		seen = game_sees(w, match->states.at + (size_t)(match->steps - 1) * g->words, last);
	for (uint32_t r = 0; r < g->roles; r++) {
		all[r] = (struct farewell){
			.remote = by_role[r], .stop = match->terminal, .steps = match->steps, .last = match->steps ? last : NULL};
		if (seen.start) {
			all[r].seen = seen.seen + seen.start[r];
			all[r].seen_count = seen.start[r + 1] - seen.start[r];
		}
	}
	threads_run(g->roles, say_farewell, all, sizeof *all);
	worker_free(w);
	mem_free(last);
	mem_free(all);
}

/* ---- making --------------------------------------------------------------------------------- */

static void release(void *context)
{
	struct remote *r = context;
	curl_easy_cleanup(r->curl);
	curl_slist_free_all(r->headers);
}

struct remote *remote_new(const struct remote_options *o)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct remote *r = NEW(struct remote);
	pthread_once(&once, set_up);
	r->o = *o;
	r->resource = mem_own(release, r); /* libcurl's memory belongs to no scope */
	text_puts(&r->address, o->address);
	text_puts(&r->id, o->id);
	text_printf(&r->url, "http://%s/", o->address);
	r->curl = curl_easy_init();
	static const char *const lines[] = {"Accept: text/delim", "Sender: GAMESERVER", "Content-Type: text/acl",
	                                    "Expect:", NULL};
	for (size_t i = 0; lines[i]; i++)
		r->headers = curl_slist_append(r->headers, lines[i]);
	struct text receiver = {0};
	text_printf(&receiver, "Receiver: %s", o->address);
	r->headers = curl_slist_append(r->headers, text_str(&receiver));
	text_free(&receiver);
	prepare(r);
	return r;
}

uint64_t remote_errors(const struct remote *r)
{
	return r->errors;
}

const char *remote_trouble(const struct remote *r)
{
	return text_str(&r->trouble);
}

void remote_free(struct remote *r)
{
	if (!r)
		return;
	mem_disown(r->resource);
	release(r);
	text_free(&r->address);
	text_free(&r->id);
	text_free(&r->url);
	text_free(&r->reply);
	text_free(&r->trouble);
	mem_free(r);
}
