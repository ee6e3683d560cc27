/* Random small networks, kept twice: as a csp and as a plain description that
 * is evaluated here without any code of the solver. */
#ifndef TESTS_CSP_RANDOM_NET_H
#define TESTS_CSP_RANDOM_NET_H

#include "csp/csp.h"

enum { NET_VARS = 6, NET_CONS = 6 };

struct tree { /* of an expression */
	enum csp_operator op;
	int64_t value; /* constant or variable */
	int count;
	struct tree *arg[3];
};

struct spec {
	enum csp_kind kind;
	uint32_t scope[2 * NET_VARS];
	int arity;
	enum csp_relation r;
	int64_t k, nums[2 * NET_VARS];
	uint32_t kx;
	int32_t rows[64 * 4];
	int row_count, value_count;
	bool positive, two_way;
	struct tree *tree;
};

struct net {
	struct csp *n;
	int vars;
	int count[NET_VARS];
	int32_t value[NET_VARS][4];
	struct spec con[NET_CONS];
	int cons;
	struct tree pool[1024];
	int pooled;
};

void net_random(struct net *t, uint64_t seed, int only_kind); /* -1: any kind */
bool net_holds(const struct net *t, const int32_t *values);
uint64_t net_brute(const struct net *t, uint64_t *hash); /* number of solutions, and a sum over them */
uint64_t net_hash(const int32_t *values, int count);     /* summed over solutions, order does not matter */

#endif
