/* A command as one of several ranks: its beginning and its end, and what all ranks must know. */
#include "cluster/cluster.h"

#include "cluster/kinds.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FAILED = 3 }; /* exit status: the machine is at fault */

struct cluster {
	const char *command;
	struct link *link;
	int err; /* standard error as it was; what is said there meanwhile is kept */
};

/* ---- beginning and end ------------------------------------------------------------------------ */

/* What the other ranks say is what rank 0 says, most of the time. */
static void fall_silent(struct cluster *c)
{
	int kept = memfd_create("said", MFD_CLOEXEC);
	c->err = dup(STDERR_FILENO);
	fflush(NULL);
	if (!freopen("/dev/null", "w", stdout) || kept < 0 || c->err < 0)
		return;
	dup2(kept, STDERR_FILENO);
	close(kept);
}

/* The last words of a rank that has failed. */
static void speak_up(struct cluster *c, int status)
{
	char said[4096];
	fflush(NULL);
	ssize_t n = status && c->err >= 0 ? pread(STDERR_FILENO, said, sizeof said - 1, 0) : 0;
	if (n <= 0)
		return;
	said[n] = 0;
	dprintf(c->err, "rank %u: %s", link_rank(c->link), said);
}

struct cluster *cluster_open(const char *command, const struct cluster_options *o, int *status)
{
	struct text error = {0};
	*status = 0;
	if (!o->mpi)
		return NULL;
	struct cluster *c = NEW(struct cluster);
	*c = (struct cluster){.command = command, .err = -1};
	c->link = link_open(o->patience, &error);
	if (!c->link) {
		fprintf(stderr, "macaw %s: --mpi: %s\n", command, text_str(&error));
		*status = FAILED;
		mem_free(c);
		c = NULL;
	} else if (link_rank(c->link)) {
		fall_silent(c);
	}
	text_free(&error);
	return c;
}

/* What each rank has sent, for the report of rank 0: storms of letters should be seen. */
static void report_traffic(struct cluster *c)
{
	struct link_traffic t = link_traffic(c->link);
	double least = (double)t.bytes / t.seconds, most = least, letters = (double)t.letters / t.seconds;
	struct text lost = {0};
	struct letter l;
	for (uint32_t r = 1; r < cluster_ranks(c); r++) {
		if (!link_take(c->link, KIND_TRAFFIC, (int)r, link_patience(c->link), &l)) {
			text_printf(&lost, "%s %u", lost.n ? "," : "; lost:", r);
			continue;
		}
		memcpy(&t, l.bytes.at, sizeof t);
		text_free(&l.bytes);
		double bytes = (double)t.bytes / t.seconds;
		least = bytes < least ? bytes : least;
		most = bytes > most ? bytes : most;
		letters = (double)t.letters / t.seconds > letters ? (double)t.letters / t.seconds : letters;
	}
	fprintf(stderr, "macaw %s: %u rank%s, each sent %.2f to %.2f kB and up to %.1f letters a second%s\n", c->command,
	        cluster_ranks(c), cluster_ranks(c) == 1 ? "" : "s", least / 1e3, most / 1e3, letters, text_str(&lost));
	text_free(&lost);
}

/* Did rank 0 fail too? Then it has said why. */
static int tell_status(struct cluster *c, int status)
{
	struct letter l;
	uint32_t theirs = 0;
	if (!cluster_leads(c)) {
		if (link_take(c->link, KIND_STATUS, 0, 1e9, &l)) {
			memcpy(&theirs, l.bytes.at, sizeof theirs);
			text_free(&l.bytes);
		}
		struct link_traffic t = link_traffic(c->link);
		link_send(c->link, 0, KIND_TRAFFIC, &t, sizeof t);
		if (!theirs)
			speak_up(c, status);
		return theirs ? 0 : status;
	}
	theirs = (uint32_t)status;
	for (uint32_t r = 1; r < cluster_ranks(c); r++)
		link_send(c->link, r, KIND_STATUS, &theirs, sizeof theirs);
	link_farewell(c->link);
	report_traffic(c);
	return status;
}

int cluster_close(struct cluster *c, int status)
{
	if (!c)
		return status;
	status = tell_status(c, status);
	fflush(NULL);
	bool all = link_close(c->link);
	mem_free(c);
	if (!all)
		_exit(status);
	return status;
}

bool cluster_leads(const struct cluster *c)
{
	return !c || !link_rank(c->link);
}

uint32_t cluster_rank(const struct cluster *c)
{
	return c ? link_rank(c->link) : 0;
}

uint32_t cluster_ranks(const struct cluster *c)
{
	return c ? link_ranks(c->link) : 1;
}

struct link *cluster_link(struct cluster *c)
{
	return c->link;
}

/* ---- what all must know ------------------------------------------------------------------------ */

bool cluster_fail_lost(struct cluster *c)
{
	if (cluster_leads(c))
		fprintf(stderr, "macaw %s: --mpi: a rank is lost, and what it knew with it\n", c->command);
	return false;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* Rank 0 gets the numbers of all and sends out their sums; nothing where a rank is lost. */
static bool collect(struct cluster *c, uint64_t *numbers, size_t count)
{
	struct letter l;
	size_t size = count * sizeof *numbers;
	for (uint32_t r = 1; r < cluster_ranks(c); r++) {
		if (!link_take(c->link, KIND_NUMBERS, (int)r, 1e9, &l))
			return false;
		for (size_t i = 0; i < count && l.bytes.n == size; i++) {
			uint64_t x;
			memcpy(&x, l.bytes.at + i * sizeof x, sizeof x);
			numbers[i] = add(numbers[i], x);
		}
		text_free(&l.bytes);
	}
	return true;
}

bool cluster_sum(struct cluster *c, uint64_t *numbers, size_t count)
{
	struct letter l;
	size_t size = count * sizeof *numbers;
	if (cluster_leads(c)) {
		bool all = collect(c, numbers, count);
		for (uint32_t r = 1; r < cluster_ranks(c); r++)
			link_send(c->link, r, KIND_NUMBERS, numbers, all ? size : 0);
		return all ? true : cluster_fail_lost(c);
	}
	link_send(c->link, 0, KIND_NUMBERS, numbers, size);
	bool fine = link_take(c->link, KIND_NUMBERS, 0, 1e9, &l) && l.bytes.n == size;
	if (fine)
		memcpy(numbers, l.bytes.at, size);
	return fine ? true : cluster_fail_lost(c);
}

/* Each bit is set in all ranks or in none. */
bool cluster_agree(struct cluster *c, uint64_t number, const char *what)
{
	uint64_t bits[64];
	bool same = true;
	for (int i = 0; i < 64; i++)
		bits[i] = number >> i & 1;
	if (!cluster_sum(c, bits, 64))
		return false;
	for (int i = 0; i < 64; i++)
		same &= !bits[i] || bits[i] == cluster_ranks(c);
	if (!same && cluster_leads(c))
		fprintf(stderr, "macaw %s: --mpi: %s is not the same in all ranks\n", c->command, what);
	return same;
}

/* ---- results ----------------------------------------------------------------------------------- */

void cluster_send(struct cluster *c, const void *bytes, size_t size)
{
	link_send(c->link, 0, KIND_RESULT, bytes, size);
}

bool cluster_receive(struct cluster *c, uint32_t from, struct text *bytes)
{
	struct letter l;
	if (!link_take(c->link, KIND_RESULT, (int)from, 1e9, &l))
		return false;
	text_free(bytes);
	*bytes = l.bytes;
	return true;
}
