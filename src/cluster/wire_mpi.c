/* Letters by MPI, without a call that waits for another rank: MPI_Isend and MPI_Imrecv, and a look at what has become
 * of them. A call that waits, or a collective one, would wait for ever for a rank that is gone.
 *
 * A letter that is announced (MPI_Improbe) may come later than one announced after it, so those of a rank are handed
 * out in the order of their announcement. */
#include "cluster/wire.h"

#include <limits.h>
#include <mpi.h>

struct moving {
	MPI_Request request;
	uint32_t peer, kind;
	struct text bytes;
	bool whole;
};

/* MPI itself exists once in a process. */
static VEC(struct moving) leaving, coming;
static uint32_t *waiting; /* letters that have not left, by rank */

bool wire_exists(void)
{
	return true;
}

bool wire_open(uint32_t *rank, uint32_t *ranks, struct text *error)
{
	int provided, me, all;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
		text_puts(error, "MPI does not start: run the program by mpirun, as in `mpirun -n 4 macaw …`");
		return false;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	*rank = (uint32_t)me;
	*ranks = (uint32_t)all;
	waiting = NEW_ARRAY(uint32_t, *ranks);
	return true;
}

void wire_send(uint32_t to, uint32_t kind, struct text *bytes)
{
	struct moving m = {.peer = to, .kind = kind, .bytes = *bytes};
	*bytes = (struct text){0};
	if (m.bytes.n > INT_MAX || MPI_Isend(m.bytes.at, (int)m.bytes.n, MPI_BYTE, (int)to, (int)kind, MPI_COMM_WORLD,
	                                     &m.request) != MPI_SUCCESS) {
		text_free(&m.bytes);
		return;
	}
	waiting[to]++;
	vec_push(&leaving, m);
}

static bool has_arrived(struct moving *m)
{
	int done = 0;
	return MPI_Test(&m->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
}

static void forget_what_left(void)
{
	size_t kept = 0;
	for (size_t i = 0; i < leaving.n; i++) {
		struct moving *m = &leaving.at[i];
		if (has_arrived(m)) {
			waiting[m->peer]--;
			text_free(&m->bytes);
		} else {
			leaving.at[kept++] = *m;
		}
	}
	leaving.n = kept;
}

/* Begins to receive one more. */
static bool look_for_another(void)
{
	int found = 0, size = 0;
	MPI_Message message;
	MPI_Status status;
	if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status) != MPI_SUCCESS || !found)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &size);
	struct moving m = {.peer = (uint32_t)status.MPI_SOURCE, .kind = (uint32_t)status.MPI_TAG};
	vec_reserve(&m.bytes, (size_t)size + 1);
	m.bytes.n = (size_t)size;
	m.bytes.at[size] = 0;
	if (MPI_Imrecv(m.bytes.at, size, MPI_BYTE, &message, &m.request) != MPI_SUCCESS) {
		text_free(&m.bytes);
		return false;
	}
	vec_push(&coming, m);
	return true;
}

static bool is_first_of_peer(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (coming.at[k].peer == coming.at[i].peer)
			return false;
	return true;
}

bool wire_take(struct letter *l)
{
	forget_what_left();
	for (bool more = true; more; more = look_for_another())
		for (size_t i = 0; i < coming.n; i++) {
			struct moving *m = &coming.at[i];
			m->whole = m->whole || has_arrived(m);
			if (!m->whole || !is_first_of_peer(i))
				continue;
			*l = (struct letter){m->peer, m->kind, m->bytes};
			for (size_t k = i + 1; k < coming.n; k++)
				coming.at[k - 1] = coming.at[k];
			coming.n--;
			return true;
		}
	return false;
}

uint32_t wire_waiting(uint32_t to)
{
	return waiting[to];
}

void wire_close(void)
{
	MPI_Finalize();
}
