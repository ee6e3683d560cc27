/* A position as a board, as text and as data: draw [GAME]. */
#include <macaw/drawing.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "checkers", NULL, &error);
	macaw_drawing *d = g ? macaw_drawing_new(g, &error) : NULL;
	if (!d) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	char *text = macaw_drawing_text(d, macaw_position_initial(g));
	fputs(text ? text : "", stdout);
	macaw_free(text);

	/* the same for a page: {"roles":…,"boards":…,"facts":…,"moves":…,"last":…} */
	char *scene = macaw_drawing_json(d, &(macaw_sight){.position = macaw_position_initial(g)});
	printf("%zu bytes of JSON\n", scene ? strlen(scene) : 0);
	macaw_free(scene);

	uint32_t boards = macaw_drawing_look(d, macaw_position_initial(g));
	for (uint32_t i = 0; i < boards && boards != MACAW_NONE; i++) {
		macaw_board b = macaw_drawing_board(d, i);
		const char *corner = b.cells[0]; /* the lower left square */
		printf("%s: %u columns, %u rows; lower left: '%s'\n", b.name, b.columns, b.rows, corner ? corner : "no square");
	}
	macaw_drawing_free(d);
	macaw_game_free(g);
	return boards == MACAW_NONE;
}
