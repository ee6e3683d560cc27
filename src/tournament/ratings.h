/* Figures from results: Elo by Bradley and Terry, an Agon-like rating
 * that separates the skill of players from the ease of roles, and the sequential
 * probability ratio test. Nothing here depends on where results come from. */
#ifndef TOURNAMENT_RATINGS_H
#define TOURNAMENT_RATINGS_H

#include "base/stats.h"

#include <stddef.h>
#include <stdint.h>

/* points[i * n + j]: what i took from j, a draw being half a point. elo: mean 0;
 * error: half the 95% interval. Half a virtual draw between any two that met keeps
 * ratings finite. */
void rating_elo(const double *points, size_t n, double *elo, double *error);

/* One seat of one match. Seats of a match stand together. */
struct rating_seat {
	uint32_t match, player, role; /* role: a number for each role of each game */
	double score;                 /* 0..1 */
};

/* score ~ logistic(own strength - mean strength of the other seats), strength being
 * skill of the player + ease of the role; alone: against nothing. In Elo points,
 * skills with mean 0. */
void rating_agon(const struct rating_seat *seats, size_t n, uint32_t players, uint32_t roles, double *skill,
                 double *ease);

/* Log likelihood ratio of Elo difference `elo1` against `elo0` for the first of two
 * players, by the normal approximation, from wins, draws and losses. */
double rating_sprt(double wins, double draws, double losses, double elo0, double elo1);
#define SPRT_BOUND 2.9444389791664403 /* log(0.95 / 0.05) */

#endif
