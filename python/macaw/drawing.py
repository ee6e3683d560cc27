"""Positions as text and as SVG pictures; boards are found from the rules (docs/boards.md)."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Dict, List

from ._library import checked, ffi, lib, new_error, taken
from .game import Game, Position

CELL = 36  # pixels


def _drawing(game: Game) -> Any:
    """The drawing of a game for this thread, made once."""
    drawing = getattr(game._threads, "drawing", None)
    if drawing is None:
        error = new_error()
        drawing = checked(lib.macaw_drawing_new(game._pointer, error), error, lib.macaw_drawing_free, game._pointer)
        game._threads.drawing = drawing
    return drawing


def text_of(position: Position) -> str:
    """Boards, counters and the rest, for a terminal of 80 columns."""
    return taken(lib.macaw_drawing_text(_drawing(position.game), position._pointer())).rstrip("\n")


def scene_of(position: Position) -> dict:
    """All that a picture shows, as data: the schema of docs/boards.md."""
    look = ffi.new("macaw_sight *")
    words = position._pointer()
    look.position = words
    return json.loads(taken(lib.macaw_drawing_json(_drawing(position.game), look)))


def svg_of(position: Position) -> str:
    """The boards as one SVG picture, with counters, hands and the rest as lines of text below."""
    drawing = _drawing(position.game)
    boards = lib.macaw_drawing_look(drawing, position._pointer())
    parts: List[str] = []
    left, height = 0.0, 0.0
    for b in range(boards):
        width, tall, inside = _board(drawing, b)
        parts.append(f'<g transform="translate({left:g},0)">{inside}</g>')
        left += width + CELL / 2
        height = max(height, tall)
    lines = _facts(drawing, position.game)
    for i, line in enumerate(lines):
        parts.append(f'<text x="4" y="{height + 16 * (i + 1):g}" font-size="12" fill="currentColor">{escape(line)}</text>')
    width = max(left, max((7.0 * len(line) for line in lines), default=0.0)) + 8
    height += 16 * len(lines) + 8
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
            f'font-family="sans-serif" role="img" aria-label="{escape(position.game.name)}">{"".join(parts)}</svg>')


def _board(drawing: Any, b: int) -> tuple:
    board = lib.macaw_drawing_board(drawing, b)
    cells = [lib.macaw_drawing_cell(drawing, b, i) for i in range(board.columns * board.rows)]
    cells = [c for c in cells if c.exists]
    if not cells:
        return 0.0, 0.0, ""
    west, north = min(c.x for c in cells), max(c.y for c in cells)
    where = lambda c: ((c.x - west + 0.5) * CELL + 2, (north - c.y + 0.5) * CELL + 2)  # noqa: E731
    points = board.links > 0  # a board of links: its cells are the points between them
    inside = [_cell(c, *where(c), board.checkered, points) for c in cells]
    for i in range(board.links):
        link = lib.macaw_drawing_link(drawing, b, i)
        (x1, y1), (x2, y2) = (where(lib.macaw_drawing_cell(drawing, b, end)) for end in (getattr(link, "from"), link.to))
        colour = ffi.string(link.piece[0].colour).decode() if link.pieces else "#ccc"
        line = f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="{4 if link.pieces else 1}"/>'
        inside.insert(0 if not link.pieces else len(inside), line)
    width = max(where(c)[0] for c in cells) + CELL / 2 + 2
    height = max(where(c)[1] for c in cells) + CELL / 2 + 2
    return width, height, "".join(inside)


def _cell(c: Any, x: float, y: float, checkered: bool, point: bool) -> str:
    dark = checkered and (round(c.x) + round(c.y)) % 2 == 0
    half = CELL / 2
    if point:
        out = [f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="#555"/>']
    else:
        fill = "#c9b18a" if dark else "#efe6d3"
        out = [f'<rect x="{x - half:g}" y="{y - half:g}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#8a7a5c"/>']
    for i in range(c.pieces):
        piece = c.piece[i]
        glyph = ffi.string(piece.glyph).decode() or ffi.string(piece.name).decode()[:4]
        size = CELL * 0.7 if len(glyph) == 1 else CELL * 0.34
        shift = 3 * (i - (c.pieces - 1) / 2)
        out.append(f'<text x="{x + shift:g}" y="{y + shift:g}" font-size="{size:g}" text-anchor="middle" dominant-baseline="central" '
                   f'fill="{ffi.string(piece.colour).decode()}" stroke="#333" stroke-width="0.4">{escape(glyph)}</text>')
    return "".join(out)


def _facts(drawing: Any, game: Game) -> List[str]:
    """Counters, hands and the rest, one line per name: "control: black", "score: red 0, blue 0"."""
    lines: Dict[str, List[str]] = {}
    rest = []
    for i in range(lib.macaw_drawing_facts(drawing)):
        fact = lib.macaw_drawing_fact(drawing, i)
        name, value = ffi.string(fact.name).decode(), ffi.string(fact.piece.name).decode()
        if fact.kind == lib.MACAW_FACT_REST:
            rest.append(value)
            continue
        owner = game.roles[fact.role] if fact.role < len(game.roles) else ""
        lines.setdefault(name, []).append(value if owner in ("", value) else f"{owner} {value}")
    return [f"{name}: {', '.join(values)}" for name, values in lines.items()] + rest
