"""Games of games/ as plain programs: those where all move at once, and puzzles.

What a game consists of is said in boards.py.
"""
from boards import KNIGHT, ROOK, fields, put

WAYS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
WINDS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0), "northeast": (1, 1),
         "northwest": (-1, 1), "southeast": (1, -1), "southwest": (-1, -1)}


class Shmup:
    """state: step, the two ships, bullets with their way."""
    roles = ("light", "dark")
    start = (0, ((3, 3), (6, 6)), frozenset())

    @staticmethod
    def go(at, way):
        return (at[0] + way[0] - 1) % 8 + 1, (at[1] + way[1] - 1) % 8 + 1

    def legal(self, state, role):
        if state[0] % 2 == 0:
            return {"(fire %s)" % d for d in WINDS}
        at = state[1][self.roles.index(role)]
        return {"stay"} | {"(fly %s)" % d for d, w in WINDS.items()
                           if (self.go(at, w), (-w[0], -w[1])) not in state[2]}

    def after(self, state, moves):
        step, ships, bullets = state
        bullets = {(self.go(at, way), way) for at, way in bullets}
        said = [fields(moves[r]) for r in self.roles]
        if step % 2 == 0:
            bullets |= {(self.go(at, WINDS[d]), WINDS[d]) for at, (_, d) in zip(ships, said)}
        else:
            to = [self.go(at, WINDS[s[1]]) if s[0] == "fly" else at for at, s in zip(ships, said)]
            apart = [abs(to[0][k] - to[1][k]) for k in (0, 1)]
            near = all(min(d, 8 - d) <= 1 for d in apart)
            if not (near and said[0][0] == said[1][0] == "fly"):
                ships = tuple(to)
        return step + 1, ships, frozenset(bullets)

    def hit(self, state):
        struck = {at for at, way in state[2]}
        return [at in struck or state[1][0] == state[1][1] for at in state[1]]

    def over(self, state):
        return any(self.hit(state)) or state[0] == 100

    def goals(self, state):
        light, dark = self.hit(state)
        return {"light": 50 + 50 * (dark - light), "dark": 50 + 50 * (light - dark)}


class Battlebrushes:
    """state: step, brushes, steps to wait for each, floor."""
    roles = ("blue", "red", "green", "yellow")
    corners = ((2, 2), (2, 7), (7, 2), (7, 7))
    start = (0, corners, (0, 0, 0, 0), put(dict(zip(corners, roles))))

    def legal(self, state, role):
        i = self.roles.index(role)
        x, y = state[1][i]
        free = {"(go %s)" % d for d, (a, b) in WAYS.items()
                if 1 <= x + a <= 8 and 1 <= y + b <= 8 and (x + a, y + b) not in state[1]}
        return {"wait"} if state[2][i] or not free else free

    def after(self, state, moves):
        step, brushes, waits, floor = state[0], list(state[1]), [max(0, n - 1) for n in state[2]], dict(state[3])
        aims = []
        for r, (x, y) in zip(self.roles, brushes):
            a, b = WAYS[fields(moves[r])[1]] if moves[r] != "wait" else (0, 0)
            aims.append((x + a, y + b) if moves[r] != "wait" else None)
        for i, aim in enumerate(aims):
            if aim and aims.count(aim) > 1:
                waits[i] = 2
            elif aim:
                brushes[i], floor[aim] = aim, self.roles[i]
        return step + 1, tuple(brushes), tuple(waits), put(floor)

    def over(self, state):
        return state[0] == 19

    def goals(self, state):
        painted = [c for at, c in state[3]]
        have = {r: painted.count(r) for r in self.roles}
        ranks = sorted(have.values(), reverse=True)
        worth = {n: [w for m, w in zip(ranks, (100, 50, 25, 0)) if m == n] for n in ranks}
        return {r: sum(worth[n]) // len(worth[n]) for r, n in have.items()}


class Simultaneous:
    """connect_four_simultaneous; state: step, two boards."""
    roles = ("red", "yellow")
    start = (0, (), ())

    def side(self, state, role):
        return (state[0] + self.roles.index(role)) % 2

    def legal(self, state, role):
        k = self.side(state, role)
        taken = dict(state[1 + k])
        return {"(drop %s %d)" % (("left", "right")[k], x) for x in range(1, 9) if (x, 6) not in taken}

    def after(self, state, moves):
        boards = [dict(state[1]), dict(state[2])]
        for role in self.roles:
            board, x = boards[self.side(state, role)], fields(moves[role])[2]
            board[x, 1 + sum((x, y) in board for y in range(1, 7))] = role
        return state[0] + 1, put(boards[0]), put(boards[1])

    def line(self, state, who):
        for board in state[1:]:
            mine = {p for p, w in board if w == who}
            if any(all((x + i * a, y + i * b) in mine for i in range(4))
                   for x, y in mine for a, b in ((1, 0), (0, 1), (1, 1), (1, -1))):
                return True
        return False

    def over(self, state):
        return state[0] == 48 or any(self.line(state, w) for w in self.roles)

    def goals(self, state):
        red, yellow = (self.line(state, w) for w in self.roles)
        return {"red": 50 + 50 * (red - yellow), "yellow": 50 + 50 * (yellow - red)}


class Bomberman:
    """state: step, bombers, balloons, crates, bombs (owner, place, time)."""
    roles = ("red", "blue", "random")
    picture = ("A.++++.O", ".#.##.#.", "+..++..+", "+#+##+#+", "+#+##+#+", "+..++..+", ".#.##.#.", "O.++++.B")
    squares = {(x, y) for y, line in enumerate(picture, 1) for x, c in enumerate(line, 1) if c != "#"}
    start = (0, ((1, 1), (8, 8)), ((8, 1), (1, 8)),
             frozenset((x, y) for y, line in enumerate(picture, 1) for x, c in enumerate(line, 1) if c == "+"),
             frozenset())
    ways = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}

    def exits(self, state, at):
        shut = state[3] | {place for owner, place, time in state[4]}
        return [d for d, (a, b) in self.ways.items() if (at[0] + a, at[1] + b) in self.squares - shut]

    def legal(self, state, role):
        if role == "random":
            a, b = ((self.exits(state, at) if at else []) or ["stay"] for at in state[2])
            return {"(drift %s %s)" % (d, e) for d in a for e in b}
        at = state[1][self.roles.index(role)]
        found = {"wait"} | {"(go %s)" % d for d in self.exits(state, at)}
        if not any(owner == role or place == at for owner, place, time in state[4]):
            found.add("lay_bomb")
        return found

    def fire(self, state):
        """Squares that burn, and bombs that go off."""
        off, burning, more = set(), set(), {b for b in state[4] if b[2] == 1}
        while more:
            off |= more
            for owner, (x, y), time in more:
                burning.add((x, y))
                for a, b in ROOK:
                    for n in (1, 2):
                        to = (x + n * a, y + n * b)
                        if to not in self.squares:
                            break
                        burning.add(to)
                        if to in state[3]:
                            break
            more = {b for b in state[4] if b[1] in burning} - off
        return burning, off

    def after(self, state, moves):
        step, bombers, balloons, crates, bombs = state
        burning, off = self.fire(state)
        new = {(o, p, t - 1) for o, p, t in bombs - off}

        def moved(at, d):
            return at and (at[0] + self.ways[d][0], at[1] + self.ways[d][1]) if d in self.ways else at

        drift = fields(moves["random"])[1:]
        floated = [moved(at, d) for at, d in zip(balloons, drift)]
        walked = []
        for r, at in zip(self.roles, bombers):
            to = moved(at, fields(moves[r])[-1])
            if moves[r] == "lay_bomb":
                new.add((r, at, 3))
            met = any(f and (f == to or (f == at and b == to)) for f, b in zip(floated, balloons))
            walked.append(None if to in burning or met else to)
        return (step + 1, tuple(walked), tuple(None if f in burning else f for f in floated), crates - burning,
                frozenset(new))

    def over(self, state):
        return None in state[1] or state[0] == 80

    def goals(self, state):
        red, blue = (at is not None for at in state[1])
        return {"red": 50 + 50 * (red - blue), "blue": 50 + 50 * (blue - red), "random": 0}


class Pacman:
    """state: step, caught, Pac-Man, ghosts, food."""
    roles = ("pacman", "random")
    picture = ("........", ".##..##.", ".#....#.", "...##...", "...##...", ".#....#.", ".##..##.", "P.......")
    squares = {(x, y) for y, line in enumerate(picture, 1) for x, c in enumerate(line, 1) if c != "#"}
    start = (0, False, (1, 8), ((4, 3), (5, 3), (4, 6), (5, 6)), frozenset(squares - {(1, 8)}))

    def exits(self, at):
        return {d: (at[0] + a, at[1] + b) for d, (a, b) in Bomberman.ways.items()
                if (at[0] + a, at[1] + b) in self.squares}

    def legal(self, state, role):
        if role == "pacman":
            return {"(go %s)" % d for d in self.exits(state[2])}
        a, b, c, d = (self.exits(g) for g in state[3])
        return {"(roam %s %s %s %s)" % (p, q, r, s) for p in a for q in b for r in c for s in d}

    def after(self, state, moves):
        step, _, at, ghosts, food = state
        to = self.exits(at)[fields(moves["pacman"])[1]]
        gone = [self.exits(g)[d] for g, d in zip(ghosts, fields(moves["random"])[1:])]
        caught = any(g2 == to or (g2 == at and g == to) for g, g2 in zip(ghosts, gone))
        return step + 1, caught, to, tuple(gone), food - {to}

    def over(self, state):
        return state[1] or not state[4] or state[0] == 80

    def goals(self, state):
        return {"pacman": 0 if state[1] else 100, "random": 0}


class Hunter:
    """state: moves, knight, pawns."""
    roles = ("hunter",)
    squares = frozenset((x, y) for x in range(1, 6) for y in range(1, 6))
    start = (0, (1, 1), squares - {(1, 1)})

    def legal(self, state, role):
        x, y = state[1]
        return {"(move %d %d %d %d)" % (x, y, x + a, y + b) for a, b in KNIGHT if (x + a, y + b) in self.squares}

    def after(self, state, moves):
        to = tuple(fields(moves["hunter"])[3:])
        return state[0] + 1, to, state[2] - {to}

    def over(self, state):
        return state[0] == 24

    def goals(self, state):
        return {"hunter": 100 * (24 - len(state[2])) // 24}


class Untwisty:
    """state: moves, the two carts."""
    roles = ("robot",)
    names = ("east", "west")
    start = (0, (1, 1))

    def __init__(self, right):
        self.right = right  # exits of the rooms 1 to 6, by corridor

    def legal(self, state, role):
        return {"(take %s %s)" % (n, e) for n, at in zip(self.names, state[1]) if at < 7 for e in "abcd"}

    def after(self, state, moves):
        _, name, exit_ = fields(moves["robot"])
        carts = list(state[1])
        i = self.names.index(name)
        carts[i] = carts[i] + 1 if self.right[name][carts[i] - 1] == exit_ else 1
        return state[0] + 1, tuple(carts)

    def over(self, state):
        return state[0] == 12

    def goals(self, state):
        return {"robot": 100 * (state[1] == (7, 7))}


class VectorRacer:
    """state: step, crashed, car, speed."""
    roles = ("driver",)
    picture = ("...........", "...........", "...#####...", "..#######..", "..#####....", "..####....#",
               "..####..###", "..####..###")
    track = {(x, 8 - y) for y, line in enumerate(picture) for x, c in enumerate(line, 1) if c == "."}
    finish = {(7, 1), (8, 1)}
    start = (0, False, (1, 1), (0, 0))
    words = {"less": -1, "same": 0, "more": 1}

    def turned(self, state, a, b):
        """The new place and speed, or None."""
        (x, y), v, w = state[2], state[3][0] + self.words[a], state[3][1] + self.words[b]
        halfway = (x + int(v / 2), y + int(w / 2))
        if max(abs(v), abs(w)) <= 2 and {halfway, (x + v, y + w)} <= self.track:
            return (x + v, y + w), (v, w)
        return None

    def legal(self, state, role):
        found = {"(steer %s %s)" % (a, b) for a in self.words for b in self.words if self.turned(state, a, b)}
        return found or {"crash"}

    def after(self, state, moves):
        if moves["driver"] == "crash":
            return state[0] + 1, True, None, None
        return (state[0] + 1, False, *self.turned(state, *fields(moves["driver"])[1:]))

    def over(self, state):
        return state[1] or state[2] in self.finish or state[0] == 30

    def goals(self, state):
        return {"driver": 100 - 5 * (state[0] - 11) if state[2] in self.finish else 0}


GAMES = {
    "shmup": Shmup(),
    "battlebrushes": Battlebrushes(),
    "connect_four_simultaneous": Simultaneous(),
    "bomberman": Bomberman(),
    "pacman": Pacman(),
    "hunter_big": Hunter(),
    "untwisty_complex": Untwisty({"east": "adcaab", "west": "dccacd"}),
    "vectorracer_6": VectorRacer(),
}
