// The library in C++: handles in unique_ptr. cplusplus [GAME]
#include <macaw/macaw.h>

#include <iostream>
#include <memory>
#include <vector>

template <auto release> struct Releaser {
	template <class T> void operator()(T *p) const { release(p); }
};
using Game = std::unique_ptr<macaw_game, Releaser<macaw_game_free>>;
using Worker = std::unique_ptr<macaw_worker, Releaser<macaw_worker_free>>;

int main(int argc, char **argv)
{
	macaw_error error;
	Game game(macaw_game_load(argc > 1 ? argv[1] : "tictactoe", nullptr, &error));
	Worker worker(game ? macaw_worker_new(game.get(), &error) : nullptr); // freed before the game
	if (!worker) {
		std::cerr << error.text << "\n";
		return error.status;
	}
	const uint64_t *start = macaw_position_initial(game.get());
	std::vector<uint64_t> position(start, start + macaw_position_words(game.get()));
	macaw_view view;
	if (!macaw_look(worker.get(), position.data(), &view))
		return 1;
	for (uint32_t i = view.start[0]; i < view.start[1]; i++)
		std::cout << macaw_game_move(game.get(), view.legal[i]) << "\n";
}
