"""Line plots as SVG, without any library: axes, lines with intervals, a legend."""
import html

WIDE, HIGH = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 40, 52
# Distinct on white also for people who do not see all colours; after eight the dashes change.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#56b4e9", "#882255", "#444444"]
DASHES = ["", "7 3", "2 3"]


class Series:
    def __init__(self, name, points, theirs=False):
        """points: [(x, y)] or [(x, y, low, high)]; theirs: dotted, without intervals."""
        self.name, self.points, self.theirs = name, sorted(points), theirs


def steps(low, high, wanted=6):
    """Round numbers from low to high."""
    span = max(high - low, 1e-9)
    size = 10.0 ** len(str(int(span / wanted))) / 10 if span / wanted >= 1 else 0.1
    for factor in (1, 2, 2.5, 5, 10):
        if span / (size * factor) <= wanted:
            size *= factor
            break
    first = -(-low // size) * size
    found = []
    while first <= high + 1e-9:
        found.append(round(first, 6) + 0.0)  # no minus zero
        first += size
    return found


class Frame:
    def __init__(self, xs, ys):
        self.x0, self.x1 = min(xs), max(xs)
        self.y0, self.y1 = ys
        if self.x0 == self.x1:
            self.x0, self.x1 = self.x0 - 1, self.x1 + 1

    def x(self, v):
        return LEFT + (v - self.x0) / (self.x1 - self.x0) * (WIDE - LEFT - RIGHT)

    def y(self, v):
        v = min(max(v, self.y0), self.y1)
        return HIGH - BOTTOM - (v - self.y0) / (self.y1 - self.y0) * (HIGH - TOP - BOTTOM)


def text(x, y, words, size=12, anchor="start", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>{html.escape(words)}</text>'


def axes(f, across, up):
    out = []
    for v in steps(f.y0, f.y1):
        out.append(f'<line x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{f.y(v):.1f}" y2="{f.y(v):.1f}" stroke="#ddd"/>')
        out.append(text(LEFT - 6, f.y(v) + 4, f"{v:g}", anchor="end"))
    for v in steps(f.x0, f.x1, 8):
        out.append(f'<line x1="{f.x(v):.1f}" x2="{f.x(v):.1f}" y1="{HIGH - BOTTOM}" y2="{HIGH - BOTTOM + 5}" stroke="#444"/>')
        out.append(text(f.x(v), HIGH - BOTTOM + 18, f"{v:g}", anchor="middle"))
    out.append(f'<path d="M{LEFT} {TOP} V{HIGH - BOTTOM} H{WIDE - RIGHT}" fill="none" stroke="#444"/>')
    out.append(text((LEFT + WIDE - RIGHT) / 2, HIGH - 12, across, anchor="middle"))
    middle = (TOP + HIGH - BOTTOM) / 2
    out.append(text(14, middle, up, anchor="middle", extra=f' transform="rotate(-90 14 {middle:.0f})"'))
    return out


def line(f, s, number):
    colour = COLOURS[number % len(COLOURS)]
    dash = "1 4" if s.theirs else DASHES[number // len(COLOURS) % len(DASHES)]
    stroke = f'stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
    out = []
    for p in s.points:
        if len(p) == 4:
            out.append(f'<line x1="{f.x(p[0]):.1f}" x2="{f.x(p[0]):.1f}" y1="{f.y(p[2]):.1f}" y2="{f.y(p[3]):.1f}" '
                       f'stroke="{colour}" stroke-opacity="0.35"/>')
    path = " L".join(f"{f.x(p[0]):.1f} {f.y(p[1]):.1f}" for p in s.points)
    out.append(f'<path d="M{path}" fill="none" {stroke} stroke-linejoin="round"/>')
    if len(s.points) <= 20:
        out += [f'<circle cx="{f.x(p[0]):.1f}" cy="{f.y(p[1]):.1f}" r="3" fill="{colour}"/>' for p in s.points]
    y = TOP + 16 * number
    out.append(f'<line x1="{WIDE - RIGHT + 12}" x2="{WIDE - RIGHT + 36}" y1="{y}" y2="{y}" {stroke}/>')
    out.append(text(WIDE - RIGHT + 42, y + 4, s.name, 11))
    return out


def band(f, low, high, words):
    """A range of x that the paper names."""
    return [f'<rect x="{f.x(low):.1f}" y="{TOP}" width="{max(f.x(high) - f.x(low), 2):.1f}" height="{HIGH - TOP - BOTTOM}" '
            'fill="#f2e6a0" fill-opacity="0.6"/>', text((f.x(low) + f.x(high)) / 2, TOP - 4, words, 11, "middle")]


def plot(title, across, up, series, ys=(0, 100), xs=(), even=None, marked=None):
    """The text of an SVG file. `xs`: what the x axis has at least; `even`: a level to mark; `marked`: (low, high, words), a range
    of x inside these."""
    series = [s for s in series if s.points]
    f = Frame(list(xs) + [p[0] for s in series for p in s.points] or [0, 1], ys)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" '
           'font-family="sans-serif" fill="#222">', f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>']
    if marked:
        out += band(f, *marked)
    out += axes(f, across, up)
    if even is not None:
        out.append(f'<line x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{f.y(even):.1f}" y2="{f.y(even):.1f}" stroke="#888" '
                   'stroke-dasharray="4 4"/>')
    for i, s in enumerate(series):
        out += line(f, s, i)
    out.append(text(LEFT, 18, title, 14, extra=' font-weight="bold"'))
    if not series:
        out.append(text((LEFT + WIDE - RIGHT) / 2, HIGH / 2, "not measured", 14, "middle"))
    return "\n".join(out + ["</svg>", ""])
