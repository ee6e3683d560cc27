/* No MPI in this program. */
#include "cluster/wire.h"

bool wire_exists(void)
{
	return false;
}

bool wire_open(uint32_t *rank, uint32_t *ranks, struct text *error)
{
	(void)rank;
	(void)ranks;
	text_puts(error, "this program was built without MPI: install the packages openmpi-bin and libopenmpi-dev, "
	                 "then configure and build again (meson configure -Dmpi=enabled)");
	return false;
}

void wire_send(uint32_t to, uint32_t kind, struct text *bytes)
{
	(void)to;
	(void)kind;
	text_free(bytes);
}

bool wire_take(struct letter *l)
{
	(void)l;
	return false;
}

uint32_t wire_waiting(uint32_t to)
{
	(void)to;
	return 0;
}

void wire_close(void)
{
}
