/* What is told of a tournament. */
#ifndef CLI_TOURNAMENT_REPORT_H
#define CLI_TOURNAMENT_REPORT_H

#include "macaw/tournament.h"

/* played: `end` is about matches that were played now, and not only the file is shown. */
void report_text(const macaw_standings *s, const macaw_tournament_end *end, bool played);
void report_json(const macaw_standings *s, const macaw_tournament_end *end, bool played);
void report_csv(const macaw_standings *s);

#endif
