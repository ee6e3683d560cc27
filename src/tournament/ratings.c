/* Bradley-Terry strengths by minorisation and maximisation (Hunter 2004), with errors from the inverse of the
 * information matrix; skill and ease by gradient steps of a logistic model; the log-likelihood ratio of the SPRT. */
#include "tournament/ratings.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define ELO (400 / M_LN10) /* points a unit of log odds */

/* ---- Bradley and Terry ---------------------------------------------------------------------- */

/* Inverse of a symmetric positive definite matrix by Gauss and Jordan. */
static void invert(double *a, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		double pivot = a[k * n + k];
		pivot = fabs(pivot) < 1e-12 ? 1e-12 : pivot;
		a[k * n + k] = 1;
		for (size_t j = 0; j < n; j++)
			a[k * n + j] /= pivot;
		for (size_t i = 0; i < n; i++) {
			double x = a[i * n + k];
			if (i == k)
				continue;
			a[i * n + k] = 0;
			for (size_t j = 0; j < n; j++)
				a[i * n + j] -= x * a[k * n + j];
		}
	}
}

/* Minorisation and maximisation (Hunter 2004). */
static void fit(const double *p, size_t n, double *gamma)
{
	for (size_t i = 0; i < n; i++)
		gamma[i] = 1;
	for (int round = 0; round < 2000; round++) {
		double mean = 0;
		for (size_t i = 0; i < n; i++) {
			double won = 0, met = 0;
			for (size_t j = 0; j < n; j++) {
				won += p[i * n + j];
				met += (p[i * n + j] + p[j * n + i]) / (gamma[i] + gamma[j]);
			}
			gamma[i] = met > 0 ? won / met : 1;
			mean += log(gamma[i]) / (double)n;
		}
		for (size_t i = 0; i < n; i++)
			gamma[i] /= exp(mean);
	}
}

void rating_elo(const double *points, size_t n, double *elo, double *error)
{
	double *p = NEW_ARRAY(double, n *n), *gamma = NEW_ARRAY(double, n), *h = NEW_ARRAY(double, n *n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			p[i * n + j] = points[i * n + j] + (i != j && points[i * n + j] + points[j * n + i] > 0 ? 0.25 : 0);
	fit(p, n, gamma);
	/* Fisher information; the constant added fixes the mean, which is free */
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double games = p[i * n + j] + p[j * n + i], q = gamma[i] / (gamma[i] + gamma[j]);
			if (i != j) {
				h[i * n + j] -= games * q * (1 - q);
				h[i * n + i] += games * q * (1 - q);
			}
			h[i * n + j] += 1.0 / (double)(n * n);
		}
	invert(h, n);
	for (size_t i = 0; i < n; i++) {
		elo[i] = ELO * log(gamma[i]);
		error[i] = STATS_Z95 * ELO * sqrt(fmax(0, h[i * n + i] - 1));
	}
	mem_free(p);
	mem_free(gamma);
	mem_free(h);
}

/* ---- skill and ease ---------------------------------------------------------------------------- */

void rating_agon(const struct rating_seat *seats, size_t n, uint32_t players, uint32_t roles, double *skill,
                 double *ease)
{
	double *ds = NEW_ARRAY(double, players + 1), *de = NEW_ARRAY(double, roles + 1);
	double *ns = NEW_ARRAY(double, players + 1), *ne = NEW_ARRAY(double, roles + 1);
	memset(skill, 0, players * sizeof *skill);
	memset(ease, 0, roles * sizeof *ease);
	for (int round = 0; round < 500 && n; round++) {
		memset(ds, 0, players * sizeof *ds);
		memset(de, 0, roles * sizeof *de);
		memset(ns, 0, players * sizeof *ns);
		memset(ne, 0, roles * sizeof *ne);
		for (size_t from = 0, to; from < n; from = to) {
			double total = 0;
			for (to = from; to < n && seats[to].match == seats[from].match; to++)
				total += skill[seats[to].player] + ease[seats[to].role];
			for (size_t i = from; i < to; i++) {
				double own = skill[seats[i].player] + ease[seats[i].role];
				double other = to - from > 1 ? (total - own) / (double)(to - from - 1) : 0;
				double miss = seats[i].score - 1 / (1 + exp(other - own));
				ds[seats[i].player] += miss;
				ns[seats[i].player]++;
				de[seats[i].role] += miss;
				ne[seats[i].role]++;
			}
		}
		/* a pinch of prior keeps those who always win finite */
		double mean = 0;
		for (uint32_t i = 0; i < players; i++)
			mean += (skill[i] += 2 * (ds[i] - 0.1 * skill[i]) / (ns[i] + 1)) / players;
		for (uint32_t i = 0; i < players; i++)
			skill[i] -= mean;
		for (uint32_t i = 0; i < roles; i++)
			ease[i] += 2 * (de[i] - 0.1 * ease[i]) / (ne[i] + 1);
	}
	for (uint32_t i = 0; i < players; i++)
		skill[i] *= ELO;
	for (uint32_t i = 0; i < roles; i++)
		ease[i] *= ELO;
	mem_free(ds);
	mem_free(de);
	mem_free(ns);
	mem_free(ne);
}

double rating_sprt(double wins, double draws, double losses, double elo0, double elo1)
{
	/* half a virtual result of each kind: the variance of a clean sweep is not zero */
	wins += 0.5;
	draws += 0.5;
	losses += 0.5;
	double n = wins + draws + losses, mean = (wins + draws / 2) / n;
	double variance = (wins * (1 - mean) * (1 - mean) + draws * (0.5 - mean) * (0.5 - mean) + losses * mean * mean) / n;
	double s0 = 1 / (1 + pow(10, -elo0 / 400)), s1 = 1 / (1 + pow(10, -elo1 / 400));
	return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}
