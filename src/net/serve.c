#include "net/serve.h"

enum serve_end serve(const struct serve_options *o, struct text *error)
{
	text_puts(error, "not yet");
	return SERVE_MACHINE;
}
