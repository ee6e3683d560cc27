#!/usr/bin/env python3
"""Mutated messages at `macaw serve`, some thousands: it answers every one and still plays afterwards."""
import random
import unittest

import kif
import manager
import program
import wire

MESSAGES = 300 if program.SAMPLE else 1200
WORDS = [b"(", b")", b" ", b"nil", b"m1", b"(play m1 nil)", b"?x", b"\0", b"\xff\xfe", b"%n%s", b"<=", b"not", b"role", b"random",
         b"sees", b"-1", b"99999999999999999999", b"((", b"))", b";", b"\n", b"0", b"true", b"(true)", b"distinct", b"()"]


def mutate(rng, text, others):
    for _ in range(rng.randint(1, 5)):
        at, span = rng.randrange(len(text) + 1), rng.choice((1, 1, 3, 20, 200))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + text[at + span:]
        elif kind == 1:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        elif kind == 2:
            text = text[:at] + bytes([rng.randrange(256)]) + text[at + 1:]
        elif kind == 3:
            other = rng.choice(others)
            there = rng.randrange(len(other) + 1)
            text = text[:at] + other[there:there + span] + text[at:]
        else:
            text = text[:at] + text[at:at + span] + text[at:]
    return text


class Fuzz(unittest.TestCase):
    def test_messages(self):
        rng = random.Random(2)
        game, hidden = program.game("rock_paper_scissors"), program.game("monty_hall")
        seeds = [text.encode() for text in (
            "(info)", "(play m1 nil)", "(play m1 ((show rock) (show paper)))", "(stop m1 ((show rock) (show paper)))",
            "(abort m1)", "(play m1 2 noop ((open_door 2)))", "(stop m1 4 switch ((car_behind 1)))", "(play m1 0 nil nil)",
            "(preview %s 1)" % kif.write(game.terms), program.start_text(game, start=0.2, play=0.1),
            program.start_text(hidden, start=0.2, play=0.1))]
        count, unanswered = 0, []
        with program.Serve("--player", "random", "--matches", "2") as serve:
            while count < MESSAGES:
                text = mutate(rng, rng.choice(seeds), seeds) if count % 4 else rng.choice(seeds)
                style = rng.choice(wire.STYLES)
                if count % 50 == 0:
                    text = rng.choice((b"(abort m1)", seeds[-1], seeds[-2]))
                data = wire.request_bytes(text, style)
                if rng.random() < 0.1:
                    data = mutate(rng, data, seeds)
                    try:
                        wire.exchange(serve.address, data, 0.03, close_after=True)
                    except (wire.Broken, wire.Late):
                        pass
                else:
                    try:
                        reply = wire.exchange(serve.address, data, close_after=style == "unsized")
                        if reply.status >= 500:
                            unanswered.append((text, reply))
                    except (wire.Broken, wire.Late) as e:
                        unanswered.append((text, style, e))
                count += 1
                self.assertIsNone(serve.process.poll(), "ended by %r\n%s" % (text, serve.said()[-2000:]))
            print("%d messages" % count)
            self.assertEqual(unanswered[:3], [])
            for match in ("m1", "alice", "nil"):
                serve.say("(abort %s)" % match)
            self.assertTrue(program.wait_until(lambda: serve.info() == "available"))
            self.assertEqual(manager.Match(game, {"bob": serve.address}, match="after").run().errors, [])
            self.assertEqual(serve.terminate(), 0, serve.said()[-2000:])


if __name__ == "__main__":
    program.main()
