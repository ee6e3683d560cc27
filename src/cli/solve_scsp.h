/* `macaw solve` for stochastic and quantified networks. */
#ifndef CLI_SOLVE_SCSP_H
#define CLI_SOLVE_SCSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scsp_flags {
	int method; /* auto|mac|sfc|brute|general|positional */
	bool best;
	int64_t show;
};

struct scsp_request {
	struct scsp_flags flags;
	const char *file, *xml; /* name, text */
	size_t length;
	bool stochastic; /* or quantified */
	const char *write;
	bool all, count, check, json;
	double time;
	uint64_t nodes, policies;
};

/* The exit status. */
int solve_scsp(const struct scsp_request *r);

#endif
