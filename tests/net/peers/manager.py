#!/usr/bin/env python3
"""A manager for the competition protocol, written from its description.

It asks all players at the same time, measures by the monotonic clock from the
moment before it connects until the last byte of the answer, judges the answers
by the interpreter, replaces those that are missing or illegal, and keeps all in
a record.

    manager.py GAME HOST:PORT... [--form FORM] [--style STYLE] [--clocks S P] [--scramble]
"""
import argparse
import json
import random
import sys
import threading

import kif
import rules
import wire

# How PLAY and STOP tell what has happened: the joint move; the turn, one's own
# last move and the percepts; or the percepts alone, as a controller of 2010.
FORMS = ("joint", "percepts", "old")


class Answer:
    """What came back: a term, or an error; and the seconds it took."""

    def __init__(self, term=None, seconds=None, error=None, reply=None):
        self.term, self.seconds, self.error, self.reply = term, seconds, error, reply


def ask(address, text, timeout, style="post", **how):
    """Never raises: whatever goes wrong is the answer."""
    try:
        reply = wire.ask(address, text, timeout, style, **how)
    except wire.Late:
        return Answer(error="late")
    except (wire.Broken, OSError, ValueError) as e:
        return Answer(error="broken: %s" % e)
    if reply.status != 200:
        return Answer(error="status %d: %s" % (reply.status, reply.text[:200]), seconds=reply.seconds, reply=reply)
    try:
        return Answer(kif.read(reply.text), reply.seconds, reply=reply)
    except kif.Bad as e:
        return Answer(error="%s: %s" % (e, reply.text[:200]), seconds=reply.seconds, reply=reply)


def ask_all(questions):
    """Answers of (address, text, timeout, style) by key, all asked at once."""
    answers = {}

    def one(key, question):
        answers[key] = ask(*question)
    threads = [threading.Thread(target=one, args=item, daemon=True) for item in questions.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


class Match:
    """One match. `players` gives the address of every role but `random`. The clocks are long:
    a test that is not about time must not fail on a busy machine."""

    def __init__(self, game, players, match="Local.match.1", clocks=(60, 30), form=None, style="post",
                 names=kif.Plain, rng=None, wide=True, extra=(), grace=1.0):
        self.game, self.players, self.match, self.clocks, self.grace = game, players, match, clocks, grace
        self.form = form or ("percepts" if game.hidden else "joint")
        self.style, self.names, self.rng = style, names, rng or random.Random(1)
        self.write = kif.write_wide if wide else kif.write
        self.extra = tuple(extra)  # arguments of START after the clocks
        self.state, self.turn, self.joint, self.seen = game.initial, 0, None, {}
        self.joints, self.errors, self.times, self.answers = [], [], [], []

    def hide(self, term):
        return self.names.hide(term)

    def error(self, role, text):
        self.errors.append((self.turn, role, text))

    def ask(self, texts, timeout):
        return ask_all({role: (self.players[role], text, timeout, self.style) for role, text in texts.items()})

    def start(self):
        start, play = self.clocks
        verb = self.hide("START") if self.form == "old" else "START"
        texts = {role: self.write((verb, self.match, self.hide(role), self.hide(self.game.terms),
                                   str(start), str(play)) + self.extra) for role in self.players}
        for role, answer in self.ask(texts, start).items():
            if answer.error or str(answer.term).lower() != "ready":
                self.error(role, "start: %s" % (answer.error or kif.write(answer.term)))
            elif answer.seconds > start:
                self.error(role, "start: late by %.3f s" % (answer.seconds - start))

    def message(self, verb, role):
        """PLAY or STOP to a role, in the form chosen."""
        if self.form == "percepts":
            last = self.hide(self.joint[role]) if self.joint else "nil"
            seen = self.hide(tuple(self.seen[role])) if self.joint else ()
            return self.write((verb, self.match, str(self.turn), last, seen or "nil"))
        if self.form == "old":
            seen = list(self.seen[role]) if self.joint else []
            self.rng.shuffle(seen)
            return self.write((verb, self.match, self.hide(tuple(seen)) or "NIL"))
        joint = tuple(self.hide(self.joint[r]) for r in self.game.roles) if self.joint else "nil"
        return self.write((verb, self.match, joint))

    def choose(self, legal, answers):
        """The moves really executed."""
        joint = {}
        for role in self.game.roles:
            if role not in self.players:
                joint[role] = self.rng.choice(legal[role])
                continue
            answer = answers[role]
            move = self.names.show(answer.term) if answer.term is not None else None
            if answer.error:
                self.error(role, answer.error)
            elif answer.seconds > self.clocks[1]:
                self.error(role, "late by %.3f s" % (answer.seconds - self.clocks[1]))
            elif move not in legal[role]:
                self.error(role, "illegal: %s" % kif.write(answer.term))
            else:
                joint[role] = move
                continue
            joint[role] = self.rng.choice(legal[role])
        return joint

    def play(self):
        """One round."""
        legal = self.game.legal(self.state)
        answers = self.ask({role: self.message("PLAY", role) for role in self.players}, self.clocks[1] + self.grace)
        self.answers.append(answers)
        self.times += [a.seconds for a in answers.values() if a.seconds is not None]
        self.advance(self.choose(legal, answers))

    def advance(self, joint):
        self.seen = self.game.sees(self.state, joint)
        self.state = self.game.next(self.state, joint)
        self.joint = joint
        self.joints.append(joint)
        self.turn += 1

    def stop(self):
        texts = {role: self.message("STOP", role) for role in self.players}
        for role, answer in self.ask(texts, self.clocks[1] + wire.PATIENCE).items():
            if answer.error or str(answer.term).lower() != "done":
                self.error(role, "stop: %s" % (answer.error or kif.write(answer.term)))

    def abort(self):
        for role, answer in self.ask({role: self.write(("ABORT", self.match)) for role in self.players}, wire.PATIENCE).items():
            if answer.error or str(answer.term).lower() != "aborted":
                self.error(role, "abort: %s" % (answer.error or kif.write(answer.term)))

    def run(self):
        self.start()
        while not self.game.terminal(self.state):
            self.play()
        self.stop()
        return self

    def record(self):
        return {
            "match": self.match, "roles": self.game.roles, "goals": self.game.goals(self.state),
            "moves": [[kif.write(joint[r]) for r in self.game.roles] for joint in self.joints],
            "errors": self.errors, "slowest": max(self.times, default=0),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("players", nargs="+")
    parser.add_argument("--form", choices=FORMS)
    parser.add_argument("--style", choices=wire.STYLES, default="post")
    parser.add_argument("--clocks", nargs=2, type=float, default=(2, 1))
    parser.add_argument("--scramble", action="store_true")
    options = parser.parse_args()
    with open(options.game, encoding="utf-8") as f:
        game = rules.Game(f.read())
    addresses = [(host, int(port)) for host, _, port in (p.rpartition(":") for p in options.players)]
    roles = [r for r in game.roles if r != "random"]
    if len(addresses) != len(roles):
        parser.error("%d players for %d roles" % (len(addresses), len(roles)))
    names = kif.Scrambler(game.terms) if options.scramble else kif.Plain
    match = Match(game, dict(zip(roles, addresses)), clocks=options.clocks, form=options.form, style=options.style,
                  names=names).run()
    print(json.dumps(match.record()))
    return 1 if match.errors else 0


if __name__ == "__main__":
    sys.exit(main())
