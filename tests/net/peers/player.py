#!/usr/bin/env python3
"""A player for the competition protocol, as small as it can be.

It keeps the set of all states it may be in, which one interpreter step narrows
down by joint moves or by percepts, and answers a move that is legal in them: the
first by default, or one by lot. It can also misbehave, in the ways below, for the
tests of a manager. Everything received is kept in `log`.

    player.py [--port N] [--name NAME] [--fault FAULT] [--from TURN]
"""
import argparse
import random
import socket
import sys
import threading
import time

import kif
import rules
import wire

FAULTS = {
    "slow": "answers long after the clock",
    "silent": "reads the message and never answers",
    "illegal": "answers a move that nobody may make",
    "garbage": "answers bytes that are not HTTP",
    "unbalanced": "answers a list that is not closed",
    "empty": "answers an empty body",
    "error": "answers 500",
    "half-open": "takes the connection and never reads",
    "long": "states more bytes than it sends, and waits",
    "cut": "states more bytes than it sends, and closes",
    "short": "states fewer bytes than it sends",
    "flood": "answers without an end",
    "drip": "answers a byte now and then",
    "reset": "closes the connection at once",
    "vanish": "closes its door for good",
    "busy": "answers busy",
    "nil": "answers nil, as a player whose search has failed",
    # Within the rules, or nearly: a manager should bear these.
    "bare": "ends its header lines with a bare LF",
    "split": "answers in several packets",
    "unsized": "states no length and closes",
    "wide": "answers with space everywhere",
    "shout": "answers in capitals",
}


class Seat:
    """One match from the side of one player."""

    def __init__(self, role, terms, startclock, playclock):
        self.game = rules.Game(terms)
        self.role, self.startclock, self.playclock = role, startclock, playclock
        if role not in self.game.roles:
            raise ValueError("no such role")
        self.belief, self.last = {self.game.initial}, None

    def moves(self):
        """Moves that are legal in all states it may be in."""
        sets = [set(self.game.legal(state)[self.role]) for state in self.belief]
        return sorted(set.intersection(*sets), key=kif.write) if sets else []

    def told_joint(self, moves):
        joint = dict(zip(self.game.roles, moves))
        self.belief = {self.game.next(state, joint) for state in self.belief
                       if all(joint[r] in m for r, m in self.game.legal(state).items())}

    def told_percepts(self, last, percepts):
        after = set()
        for state in self.belief:
            if self.game.terminal(state):
                continue
            for joint in self.game.joints(state):
                if joint[self.role] == last and set(self.game.sees(state, joint)[self.role]) == set(percepts):
                    after.add(self.game.next(state, joint))
        self.belief = after

    def told(self, arguments):
        """What follows the match's name in PLAY and STOP: one of the three forms."""
        if len(arguments) == 3:
            _, last, percepts = arguments
            if str(last).lower() != "nil":
                self.told_percepts(last, () if str(percepts).lower() == "nil" else percepts)
        elif isinstance(arguments[0], tuple):
            if self.is_joint(arguments[0]):
                self.told_joint(arguments[0])
            elif "sees" in self.game.rules:
                self.told_percepts(self.last, arguments[0])
            else:
                raise ValueError("no joint move: %s" % kif.write(arguments[0]))
        elif arguments[0].lower() != "nil":
            raise ValueError("neither moves nor nil")
        elif self.last is not None and "sees" in self.game.rules:
            self.told_percepts(self.last, ())

    def is_joint(self, moves):
        """Whether these are legal moves of all roles in some state it may be in."""
        return len(moves) == len(self.game.roles) and any(
            all(move in self.game.legal(state)[role] for role, move in zip(self.game.roles, moves))
            for state in self.belief)


class Player:
    """Serves on 127.0.0.1 until `close`. `fault` begins at PLAY number `since`, from 0;
    -1 is START, -2 everything."""

    def __init__(self, name="peer", fault=None, since=0, rng=None, port=0, think=0.0, gate=None):
        if fault is not None and fault not in FAULTS:
            raise ValueError(fault)
        self.name, self.fault, self.since, self.rng, self.think, self.gate = name, fault, since, rng, think, gate
        self.log, self.answers, self.troubles, self.seats = [], [], [], {}
        self.lock, self.open, self.alive = threading.Lock(), [], True
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(64)
        self.address = self.listener.getsockname()
        threading.Thread(target=self.serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def where(self):
        return "%s:%d" % self.address

    def close(self):
        with self.lock:
            self.alive = False
            connections, self.open = self.open, []
        for sock in [self.listener] + connections:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()

    def serve(self):
        while self.alive:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                if not self.alive:
                    sock.close()
                    return
                self.open.append(sock)
            threading.Thread(target=self.attend, args=(sock,), daemon=True).start()

    def attend(self, sock):
        kept = False
        try:
            kept = self.one(sock)
        except (OSError, wire.Broken) as e:
            self.troubles.append(str(e))
        finally:
            with self.lock:
                known = sock in self.open
                if known and not kept:
                    self.open.remove(sock)
            if not kept:
                sock.close()

    def faulty(self, message):
        """Whether the fault is on for this message."""
        verb = message[0].lower()
        if not self.fault or self.since == -2:
            return bool(self.fault)
        if verb == "start":
            return self.since == -1
        if verb == "play":
            return sum(1 for _, m in self.log if m[0].lower() == "play") > self.since
        return False

    def one(self, sock):
        """One message; whether the connection is to be kept open."""
        if self.fault == "half-open" and self.since == -2:
            return True
        method, text, headers = wire.read_request(sock)
        if method == "OPTIONS":
            sock.sendall(wire.reply_bytes(""))
            return False
        try:
            message = kif.read(text)
            self.log.append((time.monotonic(), message))
            answer = self.answer(message)
        except (ValueError, IndexError, TypeError) as e:
            self.troubles.append("%s: %s" % (e, text[:300]))
            message, answer = ("error",), "error"
        if message[0].lower() == "play":
            if self.gate:  # an event that it waits for before it moves
                self.gate.wait(100)
            time.sleep(self.think)
        if self.faulty(message):
            return self.misbehave(sock, message, answer)
        sock.sendall(wire.reply_bytes(answer))
        return False

    def answer(self, message):
        verb = message[0].lower()
        if verb == "info":
            return "((name %s) (status %s))" % (self.name, "busy" if self.seats else "available")
        if verb == "preview":
            return "ready"
        if verb == "start":
            _, match, role, terms, start, play = message[:6]
            self.seats[match] = Seat(role, terms, float(start), float(play))
            return "ready"
        seat = self.seats.get(message[1])
        if not seat:
            return "busy"
        if verb == "play":
            seat.told(message[2:])
            moves = seat.moves()
            if not moves:
                raise ValueError("no move is legal in all of %d states" % len(seat.belief))
            seat.last = self.rng.choice(moves) if self.rng else moves[0]
            self.answers.append(seat.last)
            return kif.write(seat.last)
        if verb == "stop":
            seat.told(message[2:])
            if not any(seat.game.terminal(state) for state in seat.belief):
                raise ValueError("stopped where the game is not over")
        elif verb != "abort":
            raise ValueError("no such message")
        del self.seats[message[1]]
        return "done" if verb == "stop" else "aborted"

    def nap(self, seconds):
        """Sleeps as long as the player lives."""
        until = time.monotonic() + seconds
        while self.alive and time.monotonic() < until:
            time.sleep(0.02)

    def misbehave(self, sock, message, answer):
        fault = self.fault
        simple = {"illegal": "(no such move)", "unbalanced": "(mark 1 1", "empty": "", "busy": "busy", "nil": "nil",
                  "wide": "  \r\n " + kif.write_wide(kif.read(answer)) + "\n\n", "shout": answer.upper()}
        if fault in simple:
            sock.sendall(wire.reply_bytes(simple[fault]))
        elif fault == "slow":
            self.nap(100)
            sock.sendall(wire.reply_bytes(answer))
        elif fault in ("silent", "half-open"):
            return True
        elif fault == "garbage":
            sock.sendall(bytes(random.Random(7).randrange(256) for _ in range(3000)))
        elif fault == "error":
            sock.sendall(wire.reply_bytes("oops", status="500 Internal Server Error"))
        elif fault in ("long", "cut"):
            sock.sendall(wire.reply_bytes(answer, length=len(answer) + 100))
            return fault == "long"
        elif fault == "short":
            sock.sendall(wire.reply_bytes("(no such move)", length=4))
        elif fault == "flood":
            sock.sendall(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n\r\n")
            until = time.monotonic() + 100
            while self.alive and time.monotonic() < until:
                sock.sendall(b"( noop " * 10000)
        elif fault == "drip":
            for byte in wire.reply_bytes(answer):
                sock.sendall(bytes([byte]))
                self.nap(0.2)
        elif fault == "vanish":
            self.close()
        elif fault == "bare":
            sock.sendall(wire.reply_bytes(answer, end="\n"))
        elif fault == "unsized":
            sock.sendall(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n\r\n" + answer.encode())
        elif fault == "split":
            data = wire.reply_bytes(answer)
            for i in range(0, len(data), 40):
                sock.sendall(data[i:i + 40])
                time.sleep(0.005)
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--name", default="peer")
    parser.add_argument("--fault", choices=sorted(FAULTS))
    parser.add_argument("--from", dest="since", type=int, default=0)
    options = parser.parse_args()
    with Player(options.name, options.fault, options.since, port=options.port) as player:
        print("listening on " + player.where, flush=True)
        while player.alive:
            time.sleep(0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
