"""What a measurement says about a published figure, by rule and never by hand.

A verdict is one of four words with its reason:
  reproduced      the figure, or better where more is better
  partly          the direction holds, the size does not
  not reproduced  the measurement contradicts it
  not measured    nothing was run, or too little to say
"""
import math
from collections import namedtuple

REPRODUCED, PARTLY, NOT, NONE = "reproduced", "partly", "not reproduced", "not measured"
WORDS = (REPRODUCED, PARTLY, NOT, NONE)

LEAST = 20  # matches below which nothing is said
HALF_WIDTH = 5.0  # points; an interval as narrow as this is the last word
Z = 1.959964

Verdict = namedtuple("Verdict", "word reason")


def missing(reason):
    return Verdict(NONE, reason)


def interval(points, n):
    """Wilson's interval, in percent, of `points` (wins and half of the draws) out of n."""
    if not n:
        return 0.0, 100.0
    p = points / n
    middle = (p + Z * Z / 2 / n) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / 4 / n / n) / (1 + Z * Z / n)
    return max(0.0, 100 * (middle - half)), min(100.0, 100 * (middle + half))


def enough(points, n, half_width=HALF_WIDTH):
    low, high = interval(points, n)
    return n >= LEAST and high - low <= 2 * half_width


def too_few(n):
    return missing(f"{n} match{' says' if n == 1 else 'es say'} nothing (at least {LEAST})") if n < LEAST else None


def against(theirs, points, n, even=50.0):
    """A share of wins against an opponent: `theirs` in percent, `even` what equal players have."""
    few = too_few(n)
    if few:
        return few
    low, high = interval(points, n)
    share = 100 * points / n
    side = direction(theirs > even, points, n, even)
    if side.word != REPRODUCED:
        return side
    if low <= theirs <= high:
        return Verdict(REPRODUCED, f"{theirs:g} lies in the interval")
    if (share > theirs) == (theirs > even):
        return Verdict(REPRODUCED, f"the same side of {even:g}, and further from it")
    return Verdict(PARTLY, f"the same side of {even:g}, but nearer to it than {theirs:g}")


def direction(above, points, n, even=50.0):
    """Only that a player is stronger (or weaker) than its opponent."""
    few = too_few(n)
    if few:
        return few
    low, high = interval(points, n)
    if (low > even) if above else (high < even):
        return Verdict(REPRODUCED, f"the interval lies {'above' if above else 'below'} {even:g}")
    if (high < even) if above else (low > even):
        return Verdict(NOT, f"the interval lies {'below' if above else 'above'} {even:g}")
    if high - low <= 2 * HALF_WIDTH:
        return Verdict(NOT, f"no difference: the interval is narrow and has {even:g} in it")
    return missing(f"not decided: {n} matches, {even:g} is in the interval")


def alone(theirs, points, n):
    """A share of games solved by one player (or by all together): more is better."""
    few = too_few(n)
    if few:
        return few
    low, high = interval(points, n)
    if low <= theirs <= high:
        return Verdict(REPRODUCED, f"{theirs:g} lies in the interval")
    if low > theirs:
        return Verdict(REPRODUCED, "more than the paper's")
    if high > theirs / 2:
        return Verdict(PARTLY, f"{theirs - high:.0f} points below the paper's")
    return Verdict(NOT, "less than half of the paper's")


def same(theirs, ours):
    """A figure of a worked example."""
    if ours is None:
        return missing("no answer")
    return Verdict(REPRODUCED, "equal") if theirs == ours else Verdict(NOT, f"{ours} instead of {theirs}")


def at_least(theirs, ours, what="score"):
    if ours is None:
        return missing("no answer")
    if ours >= theirs:
        return Verdict(REPRODUCED, "equal" if ours == theirs else f"{what} above the paper's")
    return Verdict(NOT, f"{what} {ours:g} below {theirs:g}")


def solved(answer, seconds, our_answer, our_seconds, limit):
    """An instance with an answer and a time; the paper may have neither (None). We stop after `limit` seconds."""
    if our_answer is None:
        if seconds is None:
            return missing(f"no answer within {limit:g} s, and none in the paper")
        return Verdict(NOT, f"no answer within {limit:g} s")
    if answer is None:
        return Verdict(REPRODUCED, "answered here, open in the paper")
    if answer != our_answer:
        return Verdict(NOT, "another answer")
    if seconds is not None and our_seconds > max(seconds, 0.05):  # what starting the program takes
        return Verdict(PARTLY, "the same answer, slower than in the paper")
    return Verdict(REPRODUCED, "the same answer, no slower")


def sizes(theirs, ours, factor=2.0):
    """Networks of the same rules by different translations: {what: number} each."""
    near = [k for k in theirs if theirs[k] and ours.get(k) and 1 / factor <= ours[k] / theirs[k] <= factor]
    if len(near) == len(theirs):
        return Verdict(REPRODUCED, f"all within a factor of {factor:g}")
    if near:
        return Verdict(PARTLY, f"within a factor of {factor:g}: {', '.join(near)}")
    return Verdict(NOT, "another translation: no size is near")


def trend(cells, least=3):
    """[(clock, points, n), ...]: does the share grow with the clock? Weighted least squares, and its error."""
    cells = [(c, p, n) for c, p, n in cells if n >= LEAST]
    if len(cells) < least:
        return missing(f"{len(cells)} clocks with at least {LEAST} matches (at least {least})")
    xs = [math.log(c) for c, _, _ in cells]
    # variance of a share, with one win and one loss added so that it is never 0
    ws = [(n + 2) / ((p + 1) / (n + 2) * (1 - (p + 1) / (n + 2))) for _, p, n in cells]
    ys = [100 * p / n for _, p, n in cells]
    total = sum(ws)
    mx = sum(w * x for w, x in zip(ws, xs)) / total
    my = sum(w * y for w, y in zip(ws, ys)) / total
    sxx = sum(w * (x - mx) ** 2 for w, x in zip(ws, xs))
    slope = sum(w * (x - mx) * (y - my) for w, x, y in zip(ws, xs, ys)) / sxx
    error = 100 / math.sqrt(sxx)
    text = f"{slope:+.1f} points each time the clock is multiplied by e, error {error:.1f}"
    if slope - Z * error > 0:
        return Verdict(REPRODUCED, text)
    if slope + Z * error < 0:
        return Verdict(NOT, text)
    return missing("not decided: " + text)


def optimum(wanted, cells):
    """[(share in percent, points, n), ...]: is the best share inside wanted = [low, high]?"""
    cells = [(s, p, n) for s, p, n in cells if n >= LEAST]
    inside = [(p / n, s, p, n) for s, p, n in cells if wanted[0] <= s <= wanted[1]]
    outside = [(p / n, s, p, n) for s, p, n in cells if not wanted[0] <= s <= wanted[1]]
    if not inside or not outside:
        return missing(f"too few shares with at least {LEAST} matches")
    best, other = max(inside), max(outside)
    if interval(best[2], best[3])[0] > interval(other[2], other[3])[1]:
        return Verdict(REPRODUCED, f"best at {best[1]:g}%")
    if interval(other[2], other[3])[0] > interval(best[2], best[3])[1]:
        return Verdict(NOT, f"better at {other[1]:g}% than at {best[1]:g}%")
    if best[0] >= other[0]:
        return Verdict(PARTLY, f"highest at {best[1]:g}%, but not beyond the interval of {other[1]:g}%")
    return missing(f"not decided: highest at {other[1]:g}%, within the interval of {best[1]:g}%")


def tally(verdicts):
    """{word: how many}, all four words."""
    found = dict.fromkeys(WORDS, 0)
    for v in verdicts:
        found[v.word] += 1
    return found
