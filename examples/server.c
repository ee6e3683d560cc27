/* A player on the network for a moment: it listens, tells its status, and stops. Needs the library macaw-full. */
#include <macaw/server.h>

#include <stdio.h>

int main(void)
{
	macaw_error error = {0};
	macaw_server_options o = {.listen = "127.0.0.1:0", .player = "uct", .name = "example"};
	macaw_server *s = macaw_server_start(&o, &error);
	if (!s) {
		fprintf(stderr, "%s\n", error.text);
		return error.status;
	}
	char *status = macaw_server_status(s);
	printf("%s\n%s\n", macaw_server_address(s), status ? status : "");
	macaw_free(status);
	macaw_server_stop(s); /* a real one waits here for somebody to stop it */
	bool ended = macaw_server_wait(s, 5);
	macaw_server_free(s);
	return ended ? 0 : 1;
}
