/* Models in FlatZinc: the public face of src/csp/flatzinc. */
#include "csp/flatzinc/flatzinc.h"
#include "api/csp_handle.h"

#include <stdlib.h>

struct macaw_flatzinc {
	macaw_csp *n; /* all is in its handle's scope */
	struct fzn *f;
	macaw_csp_phase *phases;
	size_t phase_count;
};

bool macaw_flatzinc_recognise(const char *text, size_t length)
{
	return fzn_recognise(text, length);
}

/* The phases with the numbers of the public enumerations. */
static void show_phases(macaw_flatzinc *m)
{
	const struct csp_phase *p = fzn_phases(m->f, &m->phase_count);
	m->phases = mem_alloc(m->phase_count + 1, sizeof *m->phases);
	for (size_t i = 0; i < m->phase_count; i++)
		m->phases[i] = (macaw_csp_phase){p[i].vars, p[i].count, (enum macaw_csp_order)(p[i].order + 1),
		                                 (enum macaw_csp_value_order)p[i].values};
}

static void read_model(macaw_flatzinc *m, const char *text, size_t length, struct csp_source_error *at)
{
	m->f = fzn_read(text, length, at);
	if (!m->f)
		return;
	m->n->n = fzn_network(m->f);
	show_phases(m);
}

macaw_flatzinc *macaw_flatzinc_parse(const char *text, size_t length, const char *name, macaw_error *e)
{
	struct csp_source_error at = {0};
	macaw_flatzinc *m = calloc(1, sizeof *m);
	macaw_csp *n = m ? api_csp_wrap(NULL, NULL, e) : NULL;
	if (!n) {
		free(m);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	m->n = n;
	GUARD(n->in, e, (macaw_flatzinc_free(m), NULL), read_model(m, text, length, &at));
	if (m->f)
		return m;
	api_fail_source(e, name ? name : "model", &at);
	macaw_flatzinc_free(m);
	return NULL;
}

void macaw_flatzinc_free(macaw_flatzinc *m)
{
	if (!m)
		return;
	if (!m->n->in->broken) {
		mem_free(m->phases);
		fzn_free(m->f);
	}
	api_csp_drop(m->n);
	free(m);
}

macaw_csp *macaw_flatzinc_network(macaw_flatzinc *m)
{
	return m->n;
}

void macaw_flatzinc_search(const macaw_flatzinc *m, macaw_csp_options *o)
{
	uint32_t unit = 0;
	enum csp_restarts r = fzn_restarts(m->f, &unit);
	o->phases = m->phases;
	o->phase_count = m->phase_count;
	if (r != CSP_RESTART_NONE) {
		o->restarts = (enum macaw_csp_restarts)r;
		o->restart_unit = unit;
	}
}

char *macaw_flatzinc_solution(macaw_flatzinc *m, const int32_t *values, bool json)
{
	struct text t = {0};
	GUARD(m->n->in, &m->n->error, NULL, fzn_print(m->f, values, json, &t));
	return api_give(&t);
}

const char *macaw_flatzinc_constraint(size_t i, const char **arguments)
{
	const char *letters, *name = fzn_constraint(i, &letters);
	if (arguments && name)
		*arguments = letters;
	return name;
}
