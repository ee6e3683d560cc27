"""Games of games/ as plain programs: those on boards where players take turns.

A game here has `roles`, `start`, and functions of a state, which is a tuple:
legal(state, role), the moves as GDL writes them; after(state, moves), moves by
role; over(state); goals(state), by role.
"""

TURNS = {"white": "black", "black": "white", "red": "blue", "blue": "red", "first": "second", "second": "first"}
KNIGHT = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
KING = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
ROOK = [(1, 0), (-1, 0), (0, 1), (0, -1)]
BISHOP = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def put(board):
    """A board as part of a state."""
    return tuple(sorted(board.items()))


def fields(move):
    """The words of (leap 0 3 1 1), numbers as numbers."""
    return [int(w) if w.lstrip("-").isdigit() else w for w in move.strip("()").split()]


class Turns:
    """Somebody is to move, state[0]; the others have noop."""

    def legal(self, state, role):
        return self.moves(state) if role == state[0] else {"noop"}

    def after(self, state, moves):
        return self.played(state, moves[state[0]])


class GateKnights(Turns):
    """free_for_all_2p and tictac_chess_2p; state: mover, ply, board, captures."""
    roles = ("red", "blue")
    gates = {"red": (0, 3), "blue": (6, 3)}
    inside = [(x, y) for x in range(1, 6) for y in range(1, 6)]
    middle = [(x, y) for x in (2, 3, 4) for y in (2, 3, 4)]

    def __init__(self, captures):
        self.captures = captures
        self.start = ("red", 1, (), (0, 0))

    def moves(self, state):
        me, board = state[0], dict(state[2])
        found = set()
        for x, y in [p for p, who in board.items() if who == me] + [self.gates[me]]:
            for kind, ways, wanted in (("leap", KNIGHT, None), ("take", KING, TURNS[me])):
                for a, b in ways:
                    to = (x + a, y + b)
                    if to in self.inside and board.get(to) == wanted:
                        found.add("(%s %d %d %d %d)" % (kind, x, y, *to))
        return found or {"pass"}

    def played(self, state, move):
        me, ply, board, taken = state[0], state[1], dict(state[2]), list(state[3])
        if move != "pass":
            kind, x, y, x2, y2 = fields(move)
            board.pop((x, y), None)
            board[x2, y2] = me
            if kind == "take" and self.captures:
                who = self.roles.index(me)
                taken[who] = min(10, taken[who] + 1)
        return TURNS[me], ply + 1, put(board), tuple(taken)

    def line(self, state, who):
        mine = {p for p, w in state[2] if w == who}
        return any(all((x + i * a, y + i * b) in mine and (x + i * a, y + i * b) in self.middle for i in range(3))
                   for x, y in self.middle for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)))

    def over(self, state):
        return state[1] == 31 or (not self.captures and any(self.line(state, w) for w in self.roles))

    def goals(self, state):
        if self.captures:
            return {w: 10 * n for w, n in zip(self.roles, state[3])}
        return {w: 100 * self.line(state, w) for w in self.roles}


class Ttcc4(Turns):
    """state: mover, ply, board of (owner, kind)."""
    roles = ("white", "black")
    inside, middle = GateKnights.inside, GateKnights.middle
    begins = {(0, 4): ("white", "pawn"), (0, 3): ("white", "checker"), (0, 2): ("white", "knight"),
              (6, 2): ("black", "pawn"), (6, 3): ("black", "checker"), (6, 4): ("black", "knight")}

    def __init__(self):
        self.start = ("white", 1, put(self.begins))

    def moves(self, state):
        me, board = state[0], dict(state[2])
        found = {"(drop %d)" % x for x in (2, 3, 4) if (x, 5) not in board}

        def foe(p):
            return p in board and board[p][0] != me

        for (x, y), (who, kind) in board.items():
            if who != me or kind == "disc":
                continue
            steps = {"pawn": ROOK, "knight": KNIGHT, "checker": BISHOP}[kind]
            strikes = {"pawn": BISHOP, "knight": KNIGHT, "checker": []}[kind]
            for a, b in steps:
                if (x + a, y + b) in self.inside and (x + a, y + b) not in board:
                    found.add("(move %d %d %d %d)" % (x, y, x + a, y + b))
            for a, b in strikes:
                if (x + a, y + b) in self.inside and foe((x + a, y + b)):
                    found.add("(take %d %d %d %d)" % (x, y, x + a, y + b))
            for a, b in BISHOP if kind == "checker" else []:
                over, to = (x + a, y + b), (x + 2 * a, y + 2 * b)
                if over in self.inside and foe(over) and to in self.inside and to not in board:
                    found.add("(jump %d %d %d %d)" % (x, y, *to))
        return found or {"pass"}

    def played(self, state, move):
        me, ply, board = state[0], state[1], dict(state[2])
        word, *at = fields(move)
        caught = None
        if word == "drop":
            y = 5
            while y > 1 and (at[0], y - 1) not in board:
                y -= 1
            board[at[0], y] = (me, "disc")
        elif word != "pass":
            x, y, x2, y2 = at
            caught = board.pop(((x + x2) // 2, (y + y2) // 2)) if word == "jump" else board.get((x2, y2))
            board[x2, y2] = board.pop((x, y))
        for home, piece in self.begins.items():
            if piece == caught:
                board[home] = piece
        return TURNS[me], ply + 1, put(board)

    def line(self, state, who):
        mine = {p for p, (w, kind) in state[2] if w == who}
        return any(all((x + i * a, y + i * b) in mine and (x + i * a, y + i * b) in self.middle for i in range(3))
                   for x, y in self.middle for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)))

    def over(self, state):
        return state[1] == 101 or any(self.line(state, w) for w in self.roles)

    def goals(self, state):
        won = [w for w in self.roles if self.line(state, w)]
        return {w: 100 if won == [w] else 0 if won else 50 for w in self.roles}


class BattleOfNumbers(Turns):
    """state: mover, board of (owner, number), captures."""
    roles = ("white", "black")

    def __init__(self, size):
        self.size = size
        board = {(n, 1): ("white", n) for n in range(1, size + 1)}
        board.update({(size + 1 - n, size): ("black", n) for n in range(1, size + 1)})
        self.start = ("white", put(board), (0, 0))

    def beats(self, n, m):
        if n == 1:
            return m in (1, self.size)
        return m > 1 if n == self.size else n >= m

    def moves(self, state):
        me, board, up = state[0], dict(state[1]), 1 if state[0] == "white" else -1
        found = set()
        for (x, y), (who, n) in board.items():
            for a in (-1, 0, 1):
                to = (x + a, y + up)
                there = board.get(to)
                inside = 1 <= to[0] <= self.size and 1 <= to[1] <= self.size
                if who == me and inside and (not there or (a and there[0] != me and self.beats(n, there[1]))):
                    found.add("(move %d %d %d %d)" % (x, y, *to))
        return found

    def played(self, state, move):
        me, board, taken = state[0], dict(state[1]), list(state[2])
        _, x, y, x2, y2 = fields(move)
        taken[self.roles.index(me)] += (x2, y2) in board
        board[x2, y2] = board.pop((x, y))
        return TURNS[me], put(board), tuple(taken)

    def over(self, state):
        return not self.moves(state)

    def goals(self, state):
        a, b = state[2]
        return {"white": 100 if a > b else 0 if a < b else 50, "black": 100 if a < b else 0 if a > b else 50}


def hexagon(side):
    """Places a, b, c of a hexagon, whose numbers add up to 3 * side."""
    top = 2 * side - 1
    return [(a, b) for a in range(1, top + 1) for b in range(1, top + 1) if 1 <= 3 * side - a - b <= top]


AROUND = [(1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)]


class Copolymer(Turns):
    """state: mover, stage, who plays red, board."""
    roles = ("first", "second")
    places = hexagon(4)
    start = ("first", "opening", "first", ())

    def moves(self, state):
        if state[1] == "pie":
            return {"swap", "keep"}
        taken = dict(state[3])
        return {"(put %d %d)" % p for p in self.places if p not in taken}

    def played(self, state, move):
        me, stage, red, board = state[0], state[1], state[2], dict(state[3])
        if stage == "pie":
            red = "second" if move == "swap" else "first"
            return TURNS[red], "middle", red, state[3]
        _, a, b = fields(move)
        colour = "red" if me == red else "blue"
        board[a, b] = colour
        foes = sum(board.get((a + i, b + j)) == TURNS[colour] for i, j in AROUND)
        return me if foes >= 2 else TURNS[me], "pie" if stage == "opening" else stage, red, put(board)

    def count(self, state):
        stones = list(dict(state[3]).values())
        return stones.count("red"), stones.count("blue")

    def over(self, state):
        return 19 in self.count(state)

    def goals(self, state):
        winner = state[2] if self.count(state)[0] == 19 else TURNS[state[2]]
        return {w: 100 * (w == winner) for w in self.roles}


class Hexawesome(Turns):
    """state: mover, board."""
    roles = ("red", "blue")
    places = hexagon(5)
    start = ("red", ())

    def moves(self, state):
        taken = dict(state[1])
        return {"(put %d %d)" % p for p in self.places if p not in taken}

    def played(self, state, move):
        _, a, b = fields(move)
        return TURNS[state[0]], put({**dict(state[1]), (a, b): state[0]})

    def wins(self, state, who):
        mine = {p for p, w in state[1] if w == who}
        while mine:
            chain, todo = set(), [mine.pop()]
            while todo:
                a, b = todo.pop()
                chain.add((a, b))
                near = {(a + i, b + j) for i, j in AROUND} & mine
                mine -= near
                todo += near
            edges = {e for a, b in chain for e, on in (("a1", a == 1), ("b9", b == 9), ("c1", a + b == 14),
                                                       ("a9", a == 9), ("b1", b == 1), ("c9", a + b == 6)) if on}
            if edges & {"a1", "b9"} and edges & {"c1", "a9"} and edges & {"b1", "c9"}:
                return True
        return False

    def over(self, state):
        return any(self.wins(state, w) for w in self.roles)

    def goals(self, state):
        return {w: 100 * self.wins(state, w) for w in self.roles}


class ReflectConnect6(Turns):
    """state: mover, board."""
    roles = ("black", "white")
    start = ("black", ())
    half = [(x, y) for x in range(1, 5) for y in range(1, 9)]

    def moves(self, state):
        taken = dict(state[1])
        return {"(put %d %d)" % p for p in self.half if p not in taken}

    def played(self, state, move):
        _, x, y = fields(move)
        return TURNS[state[0]], put({**dict(state[1]), (x, y): state[0], (9 - x, y): state[0]})

    def longest(self, state, who):
        mine, best = {p for p, w in state[1] if w == who}, 0
        for x, y in mine:
            for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
                n = 1
                while (x + n * a, y + n * b) in mine:
                    n += 1
                best = max(best, n)
        return min(best, 6)

    def over(self, state):
        return len(state[1]) == 64 or 6 in (self.longest(state, "black"), self.longest(state, "white"))

    def goals(self, state):
        a, b = self.longest(state, "black"), self.longest(state, "white")
        high, low = (100, 0) if 6 in (a, b) else (70, 30)
        return {"black": 50 if a == b else high if a > b else low, "white": 50 if a == b else high if b > a else low}


class PlatformJumpers(Turns):
    """state: mover, ply, board, the two jumpers."""
    roles = ("red", "blue")
    start = ("red", 1, (((4, 1), "red"), ((5, 8), "blue")), ((4, 1), (5, 8)))

    def moves(self, state):
        me, board = state[0], dict(state[2])
        x, y = state[3][self.roles.index(me)]
        up = 1 if me == "red" else -1
        found = set()
        for a, b in ((1, 0), (-1, 0), (0, up), (1, up), (-1, up)):
            for n in (1, 2):
                to = (x + n * a, y + n * b)
                if min(to) >= 1 and max(to) <= 8 and board.get(to) in (None, me):
                    found.add("(%s %d %d)" % ("jump" if to in board else "build", *to))
        return found

    def played(self, state, move):
        me, ply, board, jumpers = state[0], state[1], dict(state[2]), list(state[3])
        word, x, y = fields(move)
        if word == "build":
            board[x, y] = me
        else:
            del board[jumpers[self.roles.index(me)]]
            jumpers[self.roles.index(me)] = (x, y)
        return TURNS[me], ply + 1, put(board), tuple(jumpers)

    def heights(self, state):
        return state[3][0][1], 9 - state[3][1][1]

    def over(self, state):
        return 8 in self.heights(state) or not self.moves(state) or state[1] == 81

    def goals(self, state):
        a, b = self.heights(state)
        if 8 not in (a, b) and not self.moves(state):
            return {w: 100 * (w != state[0]) for w in self.roles}
        return {"red": 100 if a > b else 0 if a < b else 50, "blue": 100 if b > a else 0 if b < a else 50}


class ChineseCheckers:
    """state: mover, ply, the marble that may jump on, marbles by player."""
    roles = ("red", "green", "blue")

    def __init__(self, side, plies, share):
        self.plies, self.share, centre = plies, share, 2 * side + 1
        top, total = 3 * side + 1, 3 * centre
        self.holes = {(q, r) for q in range(1, 4 * side + 2) for r in range(1, 4 * side + 2)
                      if min(q, r, total - q - r) > side or (max(q, r, total - q - r) <= top and total - q - r > 0)}
        self.rows = {"red": lambda q, r: q, "green": lambda q, r: r, "blue": lambda q, r: total - q - r}
        homes = [tuple(sorted(h for h in self.holes if self.rows[w](*h) > top)) for w in self.roles]
        self.begin = {w: sum(self.rows[w](*h) for h in homes[i]) for i, w in enumerate(self.roles)}
        self.all = self.begin["red"] - sum(q for q, r in self.holes if q <= side)
        self.start = ("red", 1, None, tuple(homes))

    def legal(self, state, role):
        if role != state[0]:
            return {"noop"}
        full = {h for hs in state[3] for h in hs}
        found = {"stop"} if state[2] else set()
        for q, r in [state[2]] if state[2] else state[3][self.roles.index(role)]:
            for a, b in AROUND:
                over, to = (q + a, r + b), (q + 2 * a, r + 2 * b)
                if not state[2] and over in self.holes - full:
                    found.add("(move %d %d %d %d)" % (q, r, *over))
                if over in full and to in self.holes - full:
                    found.add("(jump %d %d %d %d)" % (q, r, *to))
        return found or {"pass"}

    def after(self, state, moves):
        me = state[0]
        word, *at = fields(moves[me])
        marbles, jumping = list(state[3]), None
        if at:
            i = self.roles.index(me)
            marbles[i] = tuple(sorted(set(marbles[i]) - {tuple(at[:2])} | {tuple(at[2:])}))
            jumping = tuple(at[2:]) if word == "jump" else None
        then = me if jumping else self.roles[(self.roles.index(me) + 1) % 3]
        return then, state[1] + 1, jumping, tuple(marbles)

    def gained(self, state, who):
        return self.begin[who] - sum(self.rows[who](*h) for h in state[3][self.roles.index(who)])

    def over(self, state):
        return state[1] > self.plies or any(self.gained(state, w) == self.all for w in self.roles)

    def goals(self, state):
        return {w: 100 if self.gained(state, w) == self.all else self.gained(state, w) // self.share
                for w in self.roles}


GAMES = {
    "free_for_all_2p": GateKnights(True),
    "tictac_chess_2p": GateKnights(False),
    "ttcc4_2p": Ttcc4(),
    "battle_of_numbers": BattleOfNumbers(5),
    "battle_of_numbers_big": BattleOfNumbers(8),
    "copolymer_pie": Copolymer(),
    "hexawesome": Hexawesome(),
    "reflect_connect_6": ReflectConnect6(),
    "platform_jumpers": PlatformJumpers(),
    "chinese_checkers": ChineseCheckers(3, 300, 1),
    "chinese_checkers_121": ChineseCheckers(4, 500, 2),
}
