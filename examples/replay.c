/* A match that is written down and read back: replay [GAME]. Needs the library macaw-full. */
#include <macaw/match.h>
#include <macaw/record.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_match *m =
		g ? macaw_match_words(g, "random,random", &(macaw_match_options){.playouts = 1, .seed = 3}, &error) : NULL;
	char *json = m ? macaw_match_record(m, true) : NULL;
	macaw_record *r = json ? macaw_record_parse(json, strlen(json), &error) : NULL;
	while (r && macaw_record_step(r, &error))
		printf("%u: %s\n", macaw_record_made(r), macaw_game_move(macaw_record_game(r), macaw_record_moves(r)[0]));
	bool fine = r && !error.status && macaw_record_check(r, &error);
	printf("%s\n", fine ? "the record agrees with its rules" : error.text);
	macaw_record_free(r);
	macaw_free(json);
	macaw_match_free(m);
	macaw_game_free(g);
	return fine ? 0 : 1;
}
