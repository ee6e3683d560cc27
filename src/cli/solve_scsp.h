/* `macaw solve` for stochastic and quantified networks. */
#ifndef CLI_SOLVE_SCSP_H
#define CLI_SOLVE_SCSP_H

#include <stdbool.h>
#include <stdint.h>

struct scsp_flags {
	int method; /* auto|mac|sfc|brute|general|positional */
	bool best;
	int64_t show;
};

struct scsp_request {
	struct scsp_flags flags;
	const char *file, *write;
	bool all, check, json;
	double time;
	uint64_t nodes, policies;
};

/* The exit status, or -1 when the file is neither SCSP nor QCSP. */
int solve_scsp(const struct scsp_request *r);

#endif
