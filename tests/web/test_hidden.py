"""Hidden information: a window is told what its role sees, and nothing else.

The strong test plays pairs of matches that differ only in what one role does not see, and compares every byte that its window
was sent: they must be equal."""

import json
import re
import unittest

from client import Server, wait_for

RANDOM = {"who": "player", "player": "random", "playouts": 1}


def scrub(text):
    """What differs between two equal matches: names, keys and times."""
    text = re.sub(r'"(seconds|clock)": ?(\{[^{}]*\}|[0-9.e-]+)', r'"\1":0', text)
    return re.sub(r'"match": ?"m\d+"', '"match":"m"', text)


class Hidden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        assert status == 0, said

    def kuhn(self, seed):
        """A match with alice as the host and bob as a guest, dealt."""
        s = self.server
        m = s.post("matches", {"game": "kuhn_poker", "seed": seed, "delay": 0, "seats": {"alice": {"who": "me"}, "bob": {"who": "guest"}}})
        bob = s.post(f"matches/{m['match']}/join", {"invite": m["invitations"]["bob"]}, token=False)["key"]
        self.addCleanup(lambda: s.delete(f"matches/{m['match']}"))
        keys = {"alice": m["key"], "bob": bob}
        wait_for(lambda: self.state(m["match"], keys["alice"])["view"]["step"] >= 1, "the cards")
        return m["match"], keys

    def state(self, match, key):
        return self.server.get(f"matches/{match}", key=key)["state"]

    def card(self, match, key, role):
        held = [f for f in self.state(match, key)["view"]["state"] if f.startswith(f"(holds {role} ")]
        self.assertEqual(len(held), 1)
        return held[0].split()[2].rstrip(")")

    def test_own_card_only(self):
        match, keys = self.kuhn(5)
        for role, other in (("alice", "bob"), ("bob", "alice")):
            st = self.state(match, keys[role])
            card = self.card(match, keys[role], role)
            self.assertEqual(st["steps"][0]["sees"], [f"(your_card {card})"])
            self.assertEqual(list(st["steps"][0]["moves"]), [role])
            self.assertFalse([f for f in st["view"]["state"] if f"(holds {other} " in f])
            guesses = {f["text"]: f["probability"] for f in st["view"]["belief"]["fluents"]}
            self.assertEqual(len(guesses), 2)
            self.assertTrue(all(abs(p - 0.5) < 1e-9 for p in guesses.values()), guesses)
            self.assertEqual(list(st["view"]["legal"]), [role])

    def listen(self, match, key, end):
        """All that a window is sent until a step, as text."""
        with self.server.events(f"matches/{match}/events", key=key) as e:
            for name, data in e:
                if data["view"]["step"] >= end if "view" in data else False:
                    break
            return scrub("".join(e.text))

    def find_pair(self, role):
        """Two deals that look the same to the role."""
        by_card = {}
        other = {"alice": "bob", "bob": "alice"}[role]
        for seed in range(1, 40):
            match, keys = self.kuhn(seed)
            cards = self.card(match, keys[role], role), self.card(match, keys[other], other)
            for old, old_cards in by_card.items():
                if old_cards[0] == cards[0] and old_cards[1] != cards[1]:
                    return old, (match, tuple(keys.items())), other
            by_card[(match, tuple(keys.items()))] = cards
        raise AssertionError("no two deals that look the same")

    def test_windows_are_equal(self):
        for role in ("alice", "bob"):
            texts = []
            first, second, other = self.find_pair(role)
            for match, keys in ((m, dict(k)) for m, k in (first, second)):
                token = f"matches/{match}"
                text = scrub(json.dumps(self.state(match, keys[role])))
                # what a window may try
                for path in (f"{token}/steps/0", f"{token}/steps/1"):
                    text += scrub(json.dumps(self.server.get(path, key=keys[role])))
                fails = self.server.fails
                self.assertEqual(fails("GET", f"{token}?as={other}", key=keys[role]).code, "not-yours")
                self.assertEqual(fails("GET", f"{token}/steps/1?as={other}", key=keys[role]).code, "not-yours")
                self.assertEqual(fails("GET", f"{token}/events?as={other}", key=keys[role]).code, "not-yours")
                self.assertEqual(fails("GET", f"{token}/record", key=keys[role]).code, "not-yours")
                self.assertEqual(fails("POST", f"{token}/hint", {"role": other}, key=keys[role]).code, "not-yours")
                self.assertEqual(fails("POST", f"{token}/undo", {}, key=keys[role]).code, "not-now")
                body = {"match": match, "key": keys[role]}
                self.assertEqual(fails("POST", "curves", body).code, "not-yours")
                self.assertEqual(fails("POST", "matches", {"from": body}).code, "not-yours")
                self.assertEqual(fails("POST", "analyses", {**body, "role": other}).code, "not-yours")
                # an analysis is by the own role, whoever is to move
                job = self.server.post("analyses", {**body, "seconds": 0.2, "player": "ismcts"})["job"]
                with self.server.events(f"jobs/{job}/events") as e:
                    self.assertEqual(e.until("table")["role"], role)
                if role == "alice":
                    self.assertEqual(fails("POST", f"{token}/swap", {}, key=keys[role]).code, "not-now")
                    self.assertEqual(fails("POST", f"{token}/seat", {"role": "bob", "who": "me"}, key=keys[role]).code, "not-now")
                else:
                    self.assertEqual(fails("POST", f"{token}/swap", {}, key=keys[role]).code, "not-yours")
                # the same words are said in both matches
                self.server.post(f"{token}/move", {"role": "alice", "move": "(say check)"}, key=keys["alice"])
                wait_for(lambda m=match, k=keys: self.state(m, k["bob"])["view"]["step"] >= 2, "the word")
                text += self.listen(match, keys[role], 2)
                texts.append(text)
            self.assertEqual(texts[0], texts[1])
            self.assertGreater(len(texts[0]), 1000)

    def test_watchers_see_nothing(self):
        match, keys = self.kuhn(3)
        watcher = self.server.post(f"matches/{match}/join", {"watch": True})["key"]
        for key in (watcher, None):
            st = self.state(match, key)
            self.assertEqual((st["view"].get("state"), st["view"]["scene"], st["view"]["legal"]), (None, None, {}))
            self.assertEqual(st["steps"], [{"moves": {}}])
            self.assertEqual(st["waiting"], [])

    def test_all_is_told_at_the_end(self):
        match, keys = self.kuhn(4)
        path = f"matches/{match}/move"
        self.server.post(path, {"role": "alice", "move": "(say check)"}, key=keys["alice"])
        wait_for(lambda: "bob" in self.state(match, keys["bob"])["waiting"], "bob's turn")
        self.server.post(path, {"role": "bob", "move": "(say check)"}, key=keys["bob"])
        wait_for(lambda: self.state(match, keys["alice"])["over"], "the end")
        end = self.state(match, keys["alice"])
        self.assertEqual(sum(f.startswith("(holds ") for f in end["view"]["state"]), 2)
        self.assertIn("random", end["steps"][0]["moves"])
        self.assertEqual(self.server.raw("GET", f"/api/matches/{match}/record", headers={"X-Macaw-Key": keys["bob"]})[0], 200)
        self.server.post("curves", {"match": match, "key": keys["bob"], "playouts": 50})

    def test_hint_by_what_is_seen(self):
        match, keys = self.kuhn(6)
        h = self.server.post(f"matches/{match}/hint", {"role": "alice", "playouts": 200}, key=keys["alice"])
        self.assertIn(h["move"]["text"], ("(say check)", "(say bet)"))

    def test_players_among_themselves_can_be_watched(self):
        s = self.server
        m = s.post("matches", {"game": "kuhn_poker", "delay": 0, "seats": {"alice": RANDOM, "bob": RANDOM}})
        wait_for(lambda: self.state(m["match"], m["key"])["over"], "the end")
        self.assertEqual(len(self.state(m["match"], m["key"])["steps"][0]["moves"]), 3)

    def test_every_hidden_game(self):
        """Somebody plays at random against players; whatever the game, the window is sent what its role sees."""
        s = self.server
        for game in ("phantom_tictactoe", "monty_hall", "guess_dice", "latent_tictactoe", "mastermind"):
            g = s.get(f"games/{game}")
            roles = [r for r in g["facts"]["roles"] if r != "random"]
            seats = {r: RANDOM for r in roles[1:]}
            m = s.post("matches", {"game": game, "delay": 0, "seats": {roles[0]: {"who": "me"}, **seats}})
            for _ in range(60):
                wait_for(lambda: (t := self.state(m["match"], m["key"]))["over"] or roles[0] in t["waiting"], f"a turn in {game}")
                st = self.state(m["match"], m["key"])
                if st["over"]:
                    break
                self.assertEqual(list(st["view"]["legal"]), [roles[0]], game)
                self.assertTrue(all(list(x["moves"]) == [roles[0]] for x in st["steps"]), game)
                if st["view"]["belief"]:  # none where there was no time to find one
                    self.assertGreater(st["view"]["belief"]["states"], 0, game)
                move = st["view"]["legal"][roles[0]][len(st["steps"]) % len(st["view"]["legal"][roles[0]])]
                s.post(f"matches/{m['match']}/move", {"move": move["text"]}, key=m["key"])
            s.delete(f"matches/{m['match']}", key=m["key"])


if __name__ == "__main__":
    unittest.main()
