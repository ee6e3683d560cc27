"""Random networks in XCSP3, with the answers that trying every assignment gives."""
import itertools


class Network:
    """A few variables, a few constraints, and perhaps an objective."""

    def __init__(self, rng, objective):
        self.rng = rng
        self.domains = [sorted(rng.sample(range(-2, 5), rng.randint(1, 4))) for _ in range(rng.randint(2, 5))]
        self.constraints = [self.constraint() for _ in range(rng.randint(1, 4))]
        self.objective = None
        if objective:
            self.objective = rng.choice(["minimize", "maximize"]), [rng.randint(-3, 3) for _ in self.domains]

    def scope(self, least=2):
        n = len(self.domains)
        return self.rng.sample(range(n), self.rng.randint(min(least, n), n))

    def constraint(self):
        """(the XML, whether an assignment satisfies it)"""
        return self.rng.choice([self.intension, self.table, self.all_different, self.all_equal, self.total, self.count,
                                self.extremum, self.element, self.ordered])()

    def intension(self):
        x, y = self.rng.sample(range(len(self.domains)), 2)
        k = self.rng.randint(-3, 3)
        return self.rng.choice([
            ("<intension> ne(x%d,add(x%d,%d)) </intension>" % (x, y, k), lambda v: v[x] != v[y] + k),
            ("<intension> le(mul(x%d,x%d),%d) </intension>" % (x, y, k), lambda v: v[x] * v[y] <= k),
            ("<intension> eq(abs(sub(x%d,x%d)),%d) </intension>" % (x, y, abs(k)), lambda v: abs(v[x] - v[y]) == abs(k)),
            ("<intension> or(gt(x%d,%d),eq(x%d,x%d)) </intension>" % (x, k, x, y), lambda v: v[x] > k or v[x] == v[y]),
            ("<intension> ge(max(x%d,x%d),%d) </intension>" % (x, y, k), lambda v: max(v[x], v[y]) >= k)])

    def table(self):
        s = self.scope()[:3]
        rows = {tuple(self.rng.choice(self.domains[i]) for i in s) for _ in range(self.rng.randint(1, 6))}
        good = self.rng.random() < 0.6
        text = "".join("(%s)" % ",".join(map(str, r)) for r in sorted(rows))
        xml = "<extension><list> %s </list><%s> %s </%s></extension>" % (
            names(s), "supports" if good else "conflicts", text, "supports" if good else "conflicts")
        return xml, lambda v: (tuple(v[i] for i in s) in rows) == good

    def all_different(self):
        s = self.scope()
        return "<allDifferent> %s </allDifferent>" % names(s), lambda v: len({v[i] for i in s}) == len(s)

    def all_equal(self):
        s = self.scope()[:2]
        return "<allEqual> %s </allEqual>" % names(s), lambda v: len({v[i] for i in s}) == 1

    def condition(self):
        op, k = self.rng.choice(["lt", "le", "eq", "ne", "ge", "gt"]), self.rng.randint(-3, 6)
        return "(%s,%d)" % (op, k), {"lt": lambda a: a < k, "le": lambda a: a <= k, "eq": lambda a: a == k,
                                     "ne": lambda a: a != k, "ge": lambda a: a >= k, "gt": lambda a: a > k}[op]

    def total(self):
        s, (text, holds) = self.scope(), self.condition()
        c = [self.rng.randint(-2, 3) for _ in s]
        return "<sum><list> %s </list><coeffs> %s </coeffs><condition> %s </condition></sum>" % (
            names(s), " ".join(map(str, c)), text), lambda v: holds(sum(a * v[i] for a, i in zip(c, s)))

    def count(self):
        s, (text, holds), value = self.scope(), self.condition(), self.rng.randint(-2, 4)
        return "<count><list> %s </list><values> %d </values><condition> %s </condition></count>" % (
            names(s), value, text), lambda v: holds(sum(v[i] == value for i in s))

    def extremum(self):
        s, (text, holds) = self.scope(), self.condition()
        kind, f = self.rng.choice([("minimum", min), ("maximum", max)])
        return "<%s><list> %s </list><condition> %s </condition></%s>" % (kind, names(s), text, kind), \
            lambda v: holds(f(v[i] for i in s))

    def element(self):
        s, index = self.scope(), self.rng.randrange(len(self.domains))
        value = self.rng.randint(-2, 4)
        return "<element><list> %s </list><index> x%d </index><value> %d </value></element>" % (names(s), index, value), \
            lambda v: 0 <= v[index] < len(s) and v[s[v[index]]] == value

    def ordered(self):
        s = self.scope()
        op, holds = self.rng.choice([("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b), ("ge", lambda a, b: a >= b)])
        return "<ordered><list> %s </list><operator> %s </operator></ordered>" % (names(s), op), \
            lambda v: all(holds(v[a], v[b]) for a, b in zip(s, s[1:]))

    def solutions(self):
        return [v for v in itertools.product(*self.domains) if all(holds(v) for _, holds in self.constraints)]

    def cost(self, v):
        return sum(a * b for a, b in zip(self.objective[1], v))

    def best(self):
        """The best cost, or None."""
        costs = [self.cost(v) for v in self.solutions()]
        return (min if self.objective[0] == "minimize" else max)(costs) if costs else None

    def text(self):
        variables = "".join("<var id=\"x%d\"> %s </var>" % (i, " ".join(map(str, d))) for i, d in enumerate(self.domains))
        objective = ""
        if self.objective:
            objective = "<objectives><%s type=\"sum\"><list> %s </list><coeffs> %s </coeffs></%s></objectives>" % (
                self.objective[0], names(range(len(self.domains))), " ".join(map(str, self.objective[1])), self.objective[0])
        return "<instance format=\"XCSP3\" type=\"%s\"><variables>%s</variables><constraints>%s</constraints>%s</instance>\n" % (
            "COP" if self.objective else "CSP", variables, "".join(xml for xml, _ in self.constraints), objective)


def names(scope):
    return " ".join("x%d" % i for i in scope)
