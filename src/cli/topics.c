/* The topics of `macaw help`. */
#include "cli/topics.h"

const struct topic topics[] = {
	{"game", "how a GAME is named",
     "A GAME is a file with rules (GDL or GDL-II, in prefix or infix form), `-` for standard input, or the name of a "
     "game that "
     "`macaw games` lists. Case, underscores and hyphens of a name do not matter, and common other names are known: "
     "connect4, Tic-Tac-Toe, reversi.\n\n"
     "Names are looked for in the folder $MACAW_GAMES, in games/ of the current folder, in games/ beside the folder of "
     "the "
     "program, and where `make install` puts them.\n"},
	{"moves", "how moves are written",
     "A move is a term: (mark 1 2), or mark(1,2). On a command line and in `macaw play` brackets, commas and case do "
     "not "
     "matter, the arguments alone will do (`1 2`; `e2e4` for (move e 2 e 4)), and so will a beginning that only one "
     "legal "
     "move has. In `macaw play` a number is the place in the list of moves.\n\n"
     "A step is a joint move, one move per role. In --after, steps are parted by semicolons and the moves of a step by "
     "commas; where only some roles can choose, their moves alone are named:\n\n"
     "  macaw simulate tictactoe --after '1 1; 2 2'\n"
     "  macaw simulate rock_paper_scissors --after 'rock, paper'\n"},
	{"positions", "how to begin in another position",
     "info, simulate, match, play, perft, symmetries, network and others begin in the initial position, unless told "
     "otherwise:\n\n"
     "  --after MOVES          after these moves (see `macaw help moves`)\n"
     "  --state FILE           the fluents of a file: (cell 1 1 x) (control o) …\n"
     "  --record FILE --step N after N steps of a recorded match\n\n"
     "--after goes on from the position of --state or --record. Where information is hidden, a match needs to know the "
     "moves: "
     "--state is refused.\n"},
	{"players", "how players are named",
     "`macaw players` lists them. Options follow the name: uct:c=0.6:batch=64. Where several are wanted they are "
     "parted by "
     "commas, one per role in the order of the rules; the role `random` is chance and has none. A path as ./mine.so is "
     "a "
     "player in a shared library; a tournament also knows gcl:HOST:PORT, a player of the competition network.\n"},
	{"clocks", "how long players think",
     "--clock SEC is the time per move, --start SEC that before the first move. --playouts N counts playouts (or "
     "positions, for "
     "players without playouts) instead of seconds: then equal seeds give equal matches on any machine. --clock-of cpu "
     "counts "
     "processor time. --time SEC bounds commands that compute something else.\n"},
	{"seeds", "how to have the same again",
     "--seed S is the seed of all random numbers; match, simulate, tournament and cases take 1 unless told otherwise. "
     "play, "
     "manage and serve take a new one each time; play says which. With --playouts everything but the times follows "
     "from the "
     "seed.\n"},
	{"records", "how matches are kept",
     "--output FILE of match, play and manage writes the whole match as JSON: rules, moves, positions, times, reasons, "
     "scores. "
     "`macaw replay` shows it and holds it against its rules; any command goes on from it by --record FILE --step N. "
     "Records "
     "of ggp.org can be read as well.\n"},
	{"output", "what is printed where",
     "Results go to standard output, messages and progress to standard error; progress is shown on a terminal only. "
     "With --json a "
     "command prints one object. Text is laid out for the width of the terminal ($COLUMNS, where it is set; 80 in a "
     "pipe). Boards "
     "are coloured on a terminal, unless $NO_COLOR is set; --color says otherwise.\n\n"
     "Exit status:\n\n"
     "  0  done\n"
     "  1  the input is at fault, or the work was interrupted\n"
     "  2  wrong usage\n"
     "  3  the machine is at fault: memory, port, disk\n"},
};

const size_t topic_count = sizeof topics / sizeof *topics;
