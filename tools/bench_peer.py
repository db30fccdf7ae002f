"""Times random moves of MancalaGames (StoneShark) playing Lamlameta: `python3 tools/bench_peer.py FOLDER`.

FOLDER is a copy of https://github.com/StoneShark/MancalaGames; `tools.bench --peer FOLDER` runs this in a process
of its own, since its modules have names of their own kind (it also needs tkinter). Only its `move` is timed,
not how the move was chosen. Prints moves, and nanoseconds.
"""

import os
import random
import sys
import time

MOVES = 3000
REPEATS = 5


def main(folder):
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(folder, "src"))
    os.chdir(folder)
    import animator

    animator.ENABLED = False  # as its own measurements do
    import man_config

    game, _ = man_config.make_game(os.path.join(folder, "GameProps", "Lamlameta.txt"))
    clock = time.perf_counter_ns
    quickest = []
    for _ in range(REPEATS):
        rng = random.Random(4)
        game.turn = game.starter = False
        game.new_game()
        times = []
        for _ in range(MOVES):
            hole = rng.choice(game.get_moves())
            start = clock()
            ended = game.move(hole)
            times.append(clock() - start)
            if ended is not None or not any(game.get_allowable_holes()):
                game.new_game()
        quickest = [min(pair) for pair in zip(times, quickest or times, strict=True)]
    print(len(quickest), sum(quickest))


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
