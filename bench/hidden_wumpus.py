"""The most that can be expected in games/wumpus.kif: the optimum over beliefs without
the limit on moves, by trying everything.

Without the limit it does not matter where the explorer stands among rooms already
entered, so what is known is the set of entered rooms, the caves still possible, the
arrow, and whether the Wumpus is dead. From there a room beside may be entered, the
arrow shot from an entered room, or the cave left. Caves are bits of a number."""
SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))
ROOMS = [(x, y) for x in range(1, 5) for y in range(1, 5)]
ENTRANCE = (1, 1)
INNER = [r for r in ROOMS if r != ENTRANCE]


def beside(room):
    return [r for r in ((room[0] + a, room[1] + b) for a, b in SIDES) if r in ROOMS]


CAVES = [(p, q, gold, wumpus) for i, p in enumerate(INNER) for q in INNER[i + 1:] for gold in INNER if gold not in (p, q)
         for wumpus in INNER if wumpus not in (p, q, gold)]


def those(test):
    return sum(1 << i for i, cave in enumerate(CAVES) if test(cave))


PIT = {r: those(lambda c: r in c[:2]) for r in ROOMS}
GOLD = {r: those(lambda c: r == c[2]) for r in ROOMS}
WUMPUS = {r: those(lambda c: r == c[3]) for r in ROOMS}
BREEZE = {r: those(lambda c: any(s in c[:2] for s in beside(r))) for r in ROOMS}
STENCH = {r: those(lambda c: c[3] in beside(r)) for r in ROOMS}


def flight(room, a, b):
    caves, at = 0, (room[0] + a, room[1] + b)
    while at in ROOMS:
        caves |= WUMPUS[at]
        at = (at[0] + a, at[1] + b)
    return caves


FLIGHTS = {r: [flight(r, a, b) for a, b in SIDES] for r in ROOMS}
known = {}


def told_apart(room, caves):
    for part in (caves & BREEZE[room], caves & ~BREEZE[room]):
        for smaller in (part & STENCH[room], part & ~STENCH[room]):
            if smaller:
                yield smaller


def value(entered, caves, arrow, dead):
    """The sum of the expected scores of all these caves."""
    key = (entered, caves, arrow, dead)
    if key in known:
        return known[key]
    best = 20 * caves.bit_count()
    for room in INNER:
        if room in entered or not any(r in entered for r in beside(room)):
            continue
        alive = caves & ~PIT[room] & (-1 if dead else ~WUMPUS[room])
        if 100 * alive.bit_count() <= best:
            continue
        rest = alive & ~GOLD[room]
        score = 100 * (alive & GOLD[room]).bit_count()
        score += sum(value(entered | {room}, part, arrow, dead) for part in told_apart(room, rest))
        best = max(best, score)
    if arrow and not dead:
        for hit in {caves & f for room in entered for f in FLIGHTS[room]} - {0}:
            score = value(entered, hit, False, True)
            score += value(entered, caves & ~hit, False, False) if caves != hit else 0
            best = max(best, score)
    known[key] = best
    return best


def bound():
    every = (1 << len(CAVES)) - 1
    return sum(value(frozenset({ENTRANCE}), part, True, False) for part in told_apart(ENTRANCE, every)) / len(CAVES)


if __name__ == "__main__":
    print(f"{bound():.1f}")
