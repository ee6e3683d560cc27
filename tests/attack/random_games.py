"""Random rulesheets of GDL and GDL-II: safe, stratified, finite, with recursion, negation, disjunction and nested terms.

They make no sense as games; all that is asked is that two interpreters agree on them.
"""


class Sheet:
    """One rulesheet, built line by line."""

    def __init__(self, rng, hidden):
        self.rng, self.hidden, self.lines = rng, hidden, []
        self.size = rng.randint(2, 4)
        self.constants = ["c%d" % i for i in range(self.size)]
        self.roles = ["p%d" % i for i in range(rng.randint(1, 3))]
        if hidden and rng.random() < 0.6:
            self.roles.append("random")
        self.derived = []  # (name, arguments), lower strata first
        self.frame()
        for level in range(rng.randint(1, 4)):
            self.predicate(level)
        self.moves()
        self.successor()
        self.end()
        if hidden:
            self.percepts()

    def add(self, head, *body):
        self.lines.append("(<= %s %s)" % (head, " ".join(body)) if body else head)

    def some(self):
        return self.rng.choice(self.constants)

    def frame(self):
        for role in self.roles:
            self.add("(role %s)" % role)
        for c in self.constants:
            self.add("(n %s)" % c)
        for _ in range(self.size + 2):
            self.add("(e %s %s)" % (self.some(), self.some()))
        for c in self.constants:
            if self.rng.random() < 0.5:
                self.add("(init (f %s))" % c)
            if self.rng.random() < 0.3:
                self.add("(init (g %s %s))" % (c, self.some()))
        self.add("(init (clock 0))")
        self.limit = self.rng.randint(2, 6)
        for i in range(self.limit):
            self.add("(after %d %d)" % (i, i + 1))

    def positive(self, variables):
        """A literal that binds all of them."""
        x, y = variables if len(variables) == 2 else (variables[0], self.rng.choice([variables[0], self.some()]))
        kinds = ["(e %s %s)" % (x, y), "(true (g %s %s))" % (x, y)]
        if len(variables) == 1:
            kinds += ["(n %s)" % x, "(true (f %s))" % x, "(or (true (f %s)) (e %s %s))" % (x, x, x)]
        kinds += ["(%s %s)" % (name, " ".join((x, y)[:argc])) for name, argc in self.derived if argc == len(variables)]
        return self.rng.choice(kinds)

    def test(self, variables):
        """A literal that binds nothing."""
        x, y = self.rng.choice(variables), self.rng.choice(variables + [self.some()])
        kinds = ["(not (true (f %s)))" % x, "(not (e %s %s))" % (x, y), "(not (true (g %s %s)))" % (x, y)]
        kinds += ["(not (%s %s))" % (name, " ".join((x, y)[:argc])) for name, argc in self.derived]
        if x != y:
            kinds.append("(distinct %s %s)" % (x, y))
        return self.rng.choice(kinds)

    def body(self, variables, most=2):
        literals = [self.positive([v]) for v in variables]
        if len(variables) == 2 and self.rng.random() < 0.5:
            literals = [self.positive(variables)]
        literals += [self.test(variables) for _ in range(self.rng.randint(0, most))]
        if self.rng.random() < 0.3:
            literals.append(self.positive(["?w"]))
        return literals

    def predicate(self, level):
        name, argc = "q%d" % level, self.rng.randint(1, 2)
        variables = ["?x", "?y"][:argc]
        for _ in range(self.rng.randint(1, 3)):
            self.add("(%s %s)" % (name, " ".join(variables)), *self.body(variables))
        if argc == 2 and self.rng.random() < 0.6:  # a path
            self.add("(%s ?x ?z)" % name, "(%s ?x ?y)" % name, "(e ?y ?z)")
        self.derived.append((name, argc))

    def moves(self):
        for role in self.roles:
            self.add("(legal %s stay)" % role)
        for _ in range(self.rng.randint(1, 3)):
            form = self.rng.choice(["(put ?x)", "(put (pair ?x ?y))", "(swap ?x ?y)"])
            variables = ["?x", "?y"] if "?y" in form else ["?x"]
            self.add("(legal ?r %s)" % form, "(role ?r)", *self.body(variables))

    def successor(self):
        self.add("(next (clock ?n))", "(true (clock ?m))", "(after ?m ?n)")
        for head, variables in (("(f ?x)", ["?x"]), ("(g ?x ?y)", ["?x", "?y"])):
            self.add("(next %s)" % head, "(true %s)" % head, *([self.test(variables)] if self.rng.random() < 0.7 else []))
            for _ in range(self.rng.randint(1, 2)):
                self.add("(next %s)" % head, *self.body(variables))
        self.add("(next (f ?x))", "(does ?r (put ?x))", "(n ?x)", *([self.test(["?x"])] if self.rng.random() < 0.5 else []))
        self.add("(next (g ?x ?y))", "(does ?r (put (pair ?x ?y)))")
        self.add("(next (g ?y ?x))", "(does ?r (swap ?x ?y))", "(not (true (g ?x ?y)))")

    def end(self):
        self.add("(<= terminal (true (clock %d)))" % self.limit)
        if self.rng.random() < 0.4:
            self.add("terminal", *self.body(["?x"]))
        for role in self.roles:
            if role == "random":
                self.add("(goal random 0)")
                continue
            c = self.some()
            self.add("(goal %s %d)" % (role, self.rng.randint(0, 50)), "(not (true (f %s)))" % c)
            self.add("(goal %s %d)" % (role, self.rng.randint(51, 100)), "(true (f %s))" % c)

    def percepts(self):
        for _ in range(self.rng.randint(1, 3)):
            form = self.rng.choice(["(at ?x)", "(see (pair ?x ?x))"])
            self.add("(sees ?r %s)" % form, "(role ?r)", *self.body(["?x"]))
        if self.rng.random() < 0.7:
            self.add("(sees ?r (did ?m))", "(role ?r)", "(does %s ?m)" % self.roles[0])

    def text(self):
        return "\n".join(self.lines) + "\n"


def sheet(rng, hidden):
    return Sheet(rng, hidden).text()
