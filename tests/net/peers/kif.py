"""KIF, the notation of rules and messages: words and lists in parentheses.

A term is a str or a tuple of terms. The words of GDL itself may come in any
case and are kept in lower case; all other words keep their spelling.
"""
import random
import re

KEYWORDS = frozenset(
    "<= role init true does next legal goal terminal not or distinct base input random sees".split())

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")


class Bad(ValueError):
    """Not KIF."""


def word(text):
    return text.lower() if text.lower() in KEYWORDS else text


def read_all(text):
    """The terms of a text."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token[0] == ";":
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise Bad("a list is closed that was never opened")
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(word(token))
    if len(stack) > 1:
        raise Bad("a list is not closed")
    return stack[0]


def read(text):
    """The one term of a text."""
    terms = read_all(text)
    if len(terms) != 1:
        raise Bad("%d terms and not one" % len(terms))
    return terms[0]


def write(term, open_="(", close=")"):
    if isinstance(term, str):
        return term
    return open_ + " ".join(write(t, open_, close) for t in term) + close


def write_wide(term):
    """With space wherever it may stand, as the managers of old write."""
    return write(term, "( ", " )")


def symbols(term):
    """All words of a term."""
    if isinstance(term, str):
        yield term
    else:
        for t in term:
            yield from symbols(t)


def replace(term, names):
    if isinstance(term, str):
        return names.get(term, term)
    return tuple(replace(t, names) for t in term)


class Scrambler:
    """Other words for all that are neither GDL's own nor numbers nor variables'.

    Variables are renamed too, into variables."""

    def __init__(self, rules, rng=None):
        rng = rng or random.Random()
        self.there, self.back = {}, {}
        for name in sorted(set(symbols(tuple(rules)))):
            if name in KEYWORDS or name.isdigit():
                continue
            while True:
                other = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 7)))
                other = "?" + other if name[0] == "?" else other
                if other not in self.back and other not in KEYWORDS and other not in ("nil", "busy", "ready", "done"):
                    break
            self.there[name], self.back[other] = other, name

    def hide(self, term):
        return replace(term, self.there)

    def show(self, term):
        return replace(term, self.back)


class Plain:
    """No scrambling."""

    @staticmethod
    def hide(term):
        return term

    @staticmethod
    def show(term):
        return term


class Shouting:
    """Everything in capitals, as a controller of 2010 sends it."""

    def __init__(self, rules):
        self.back = {name.upper(): name for name in symbols(tuple(rules))}

    def hide(self, term):
        return term.upper() if isinstance(term, str) else tuple(self.hide(t) for t in term)

    def show(self, term):
        return replace(term, self.back)
