/* Small games for the tests of this room, written out here so that they need no file. */
#ifndef TESTS_GAME_GAMES_H
#define TESTS_GAME_GAMES_H

#define SUCC "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)"

/* Two players alternate at taking 1, 2 or 3 of 8; who takes the last wins. */
#define TAKE \
	"(role white) (role black) (init (left 8)) (init (turn white)) (other white black) (other black white)" SUCC \
	"(<= (plus ?x 1 ?y) (succ ?x ?y)) (<= (plus ?x 2 ?z) (succ ?x ?y) (succ ?y ?z))" \
	"(<= (plus ?x 3 ?z) (plus ?x 2 ?y) (succ ?y ?z))" \
	"(<= (legal ?p (take ?n)) (true (turn ?p)) (true (left ?x)) (plus ?y ?n ?x))" \
	"(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))" \
	"(<= (next (left ?y)) (does ?p (take ?n)) (true (left ?x)) (plus ?y ?n ?x))" \
	"(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q)) (<= terminal (true (left 0)))" \
	"(<= (goal ?p 100) (role ?p) (not (true (turn ?p)))) (<= (goal ?p 0) (true (turn ?p)))"

/* Both throw at once until somebody has won three times; the dice of `random` decide
 * what counts. No rotation, playouts of many lengths. */
#define THROW \
	"(role a) (role b) (role random) (init (score a 0)) (init (score b 0))" SUCC \
	"(legal a high) (legal a low) (legal b high) (legal b mid) (legal b low) (legal random up) (legal random down)" \
	"(beats high mid up) (beats mid low up) (beats high low up) (beats low mid down) (beats mid high down) (beats " \
	"low high down)" \
	"(<= (point a) (does a ?x) (does b ?y) (does random ?w) (beats ?x ?y ?w))" \
	"(<= (point b) (does a ?x) (does b ?y) (does random ?w) (beats ?y ?x ?w))" \
	"(<= (next (score ?p ?n)) (true (score ?p ?m)) (point ?p) (succ ?m ?n))" \
	"(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (point ?p)))" \
	"(<= (sees ?p (saw ?m)) (role ?p) (does random ?m))" \
	"(<= terminal (true (score ?p 3))) (<= (goal ?p 100) (true (score ?p 3)))" \
	"(<= (goal ?p 30) (true (score ?p ?n)) (distinct ?n 3)) (goal random 50)"

/* Connectivity: one node per move until 1 and 4 are joined; recursion in the state. */
#define JOIN \
	"(role r) (role s) (node 1) (node 2) (node 3) (node 4) (edge 1 2) (edge 2 3) (edge 3 4) (edge 1 3) (edge 1 4)" \
	"(init (free 1)) (init (free 2)) (init (free 3)) (init (free 4)) (init (turn r))" \
	"(<= (legal ?p (mark ?n)) (true (turn ?p)) (true (free ?n))) (<= (legal r wait) (true (turn s))) (<= (legal s " \
	"wait) (true (turn r)))" \
	"(<= (next (turn s)) (true (turn r))) (<= (next (turn r)) (true (turn s)))" \
	"(<= (next (own ?p ?n)) (does ?p (mark ?n))) (<= (next (own ?p ?n)) (true (own ?p ?n)))" \
	"(<= (next (free ?n)) (true (free ?n)) (not (taken ?n))) (<= (taken ?n) (does ?p (mark ?n)))" \
	"(<= (way ?p 1) (true (own ?p 1))) (<= (way ?p ?y) (way ?p ?x) (link ?x ?y) (true (own ?p ?y)))" \
	"(<= (link ?x ?y) (edge ?x ?y)) (<= (link ?x ?y) (edge ?y ?x))" \
	"(<= terminal (way ?p 4)) (<= terminal (not open)) (<= open (true (free ?n)))" \
	"(<= (goal ?p 100) (way ?p 4)) (<= (goal ?p 0) (role ?p) (not (way ?p 4)))"

#endif
