/* Both ends of the competition network: a player that listens, and a manager that plays a match against it. Needs the
 * library macaw-full. */
#include <macaw/server.h>

#include <stdio.h>

/* The player at `address` against one in this process. */
static bool manage(const char *address, macaw_error *error)
{
	macaw_game *g = macaw_game_load("tictactoe", NULL, error);
	macaw_seat seats[] = {{.word = address}, {.word = "random"}};
	macaw_managed *m =
		g ? macaw_manage(g, seats, 2, &(macaw_manage_options){.start = 1, .play = 1, .seed = 1}, error) : NULL;
	for (uint32_t r = 0; m && r < macaw_game_roles(g); r++) {
		macaw_managed_role who = macaw_managed_role_of(m, r);
		printf("%s: %d, %llu errors\n", macaw_game_role(g, r), who.goal, (unsigned long long)who.errors);
	}
	bool fine = m && !macaw_managed_errors(m);
	macaw_managed_free(m);
	macaw_game_free(g);
	return fine;
}

int main(void)
{
	macaw_error error = {0};
	macaw_server_options o = {.listen = "127.0.0.1:0", .player = "legal", .name = "example"};
	macaw_server *s = macaw_server_start(&o, &error);
	bool fine = s && manage(macaw_server_address(s), &error);
	if (error.status)
		fprintf(stderr, "%s\n", error.text);
	macaw_server_free(s); /* stops it and waits for the end */
	return fine ? 0 : 1;
}
