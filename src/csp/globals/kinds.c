/* The kinds of constraints in a row, and the question whether values satisfy a constraint. */
#include "csp/globals/globals_internal.h"

const struct kind *const csp_kinds[CSP_KIND_COUNT] = {
#define X(id, name, functions) [CSP_##id] = &kind_##functions,
#include "csp/globals/list.inc"
#undef X
};

const char *csp_kind_name(enum csp_kind k)
{
	static const char *const names[] = {
#define X(id, name, functions) name,
#include "csp/globals/list.inc"

#include <assert.h>
#undef X
	};
	return names[k];
}

uint32_t add_joined(struct csp *n, enum csp_kind kind, const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                    const void *record)
{
	uint32_t *scope = mem_alloc(na + nb + 1, sizeof *scope);
	for (size_t i = 0; i < na; i++)
		scope[i] = a[i];
	for (size_t i = 0; i < nb; i++)
		scope[na + i] = b[i];
	uint32_t c = net_scope_ok(n, scope, na + nb) ? net_add(n, kind, scope, na + nb, record) : CSP_NONE;
	mem_free(scope);
	return c;
}

bool con_holds(struct csp *n, uint32_t c, const uint32_t *at)
{
	assert(c < n->cons.n);
	n->checks++;
	return csp_kinds[n->cons.at[c].kind]->holds(n, &n->cons.at[c], at);
}

bool csp_check_at(struct csp *n, uint32_t c, const uint32_t *at)
{
	assert(c < n->cons.n);
	return con_holds(n, c, at);
}

bool csp_check_values(struct csp *n, const int32_t *values)
{
	VEC(uint32_t) at = {0};
	bool ok = true;
	for (uint32_t c = 0; c < n->cons.n && ok; c++) {
		const struct con *k = &n->cons.at[c];
		vec_clear(&at);
		for (uint32_t p = 0; p < k->arity && ok; p++) {
			uint32_t i = csp_index(n, con_scope(n, k)[p], values[con_scope(n, k)[p]]);
			ok = i != CSP_NONE;
			vec_push(&at, i);
		}
		ok = ok && (k->objective || con_holds(n, c, at.at));
	}
	vec_free(&at);
	return ok;
}
