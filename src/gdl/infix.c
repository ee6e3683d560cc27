#include "gdl/reader.h"
void reader_infix(struct reader *in)
{
	reader_fault(in, (struct range){0, 1}, "infix", "infix form is not read yet");
}
bool reader_infix_term(struct reader *in, node_t *out)
{
	return reader_kif_term(in, out);
}
