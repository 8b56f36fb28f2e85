# SPDX-License-Identifier: BSD-3-Clause
"""Drawings: as figures of a page, as SVG files, which need nothing of a page, and their values as
CSV.

Colors and lines are those of page.css in all of them.  A page follows its light and its dark form.
A file has them as attributes, since programs that put it into a paper know no variables of CSS.
"""
import csv
import io
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import quote

from .documents import escape, style
from .text import repaired

# At 8.5 cm, the column of a paper, letters of 13 units have 8 points.
WIDTH, LETTER, COLUMN_CM = 400, 13, 8.5
COLORS, DASHES = 8, 5  # of page.css
# Paths of marks around a point, one for each color: they are open, so that those below are seen.
SHAPES = ["m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0", "m-3-3h6v6h-6Z", "m0-4l4 7h-8Z",
          "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5Z", "m-3-3l6 6m0-6l-6 6", "m0 4l4-7h-8Z",
          "m-4 0h8m-4-4v8", "m-4-2.5h8v5h-8Z"]


class Look(NamedTuple):
    """How a curve looks: numbers of its color and mark, and of its dash, from 0."""

    color: int
    dash: int

    def names(self) -> Tuple[int, int]:
        """Those in page.css."""
        return self.color % COLORS, self.dash % DASHES


RING = "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0"  # around a mark whose row is doubtful


class Key(NamedTuple):
    """An entry of a legend.  look: None: a ring.  marked: its curve has marks."""

    look: Optional[Look]
    text: str
    marked: bool = True

    def sample(self, x: float, y: float) -> str:
        """A piece of the curve from there on, 30 long."""
        if self.look is None:
            return ring_at(x + 15, y)
        color, dash = self.look.names()
        return '<g class="c%d"><path class="line d%d" d="M%g %gH%g"/>%s</g>' % (
            color, dash, x, y, x + 30,
            '<path class="dot" d="%s"/>' % shape_at(color, x + 15, y) if self.marked else "")

    def html(self) -> str:
        return '<span class="key"><svg viewBox="0 0 30 10">%s</svg>%s</span> ' % (
            self.sample(0, 5), escape(self.text))


def path_of(points: Sequence[Tuple[float, float]], begin: str = "M") -> str:
    return "".join("%s%.1f %.1f" % ((begin if i == 0 else "L",) + point)
                   for i, point in enumerate(points))


def shape_at(color: int, x: float, y: float) -> str:
    return "M%.4g %.4g%s" % (x, y, SHAPES[color])


def ring_at(x: float, y: float) -> str:
    return '<path class="ring" d="M%.4g %.4g%s"/>' % (x, y, RING)


class Drawing(NamedTuple):
    """name: of files.  about: what it shows, for a page, where the legend follows, and for those
    who cannot see it.  title: above it where there are several.  body: elements of SVG.  rows: the
    values, the headings first."""

    name: str
    about: str
    title: str
    height: int
    body: str
    keys: Sequence[Key]
    rows: Sequence[Sequence[Any]]

    def html(self) -> str:
        """A figure of a page, with its files to take away."""
        return ('<figure>\n<svg class="chart" role="img" aria-label="%s" viewBox="0 0 %d %d">\n%s'
                "</svg>\n<figcaption>%s %s%s %s</figcaption>\n</figure>\n" % (
                    escape(self.about), WIDTH, self.height, self.body, escape(self.about),
                    "".join(key.html() for key in self.keys),
                    file_link(self.name + ".svg", "image/svg+xml", svg_of([self])),
                    file_link(self.name + ".csv", "text/csv", csv_of([self]))))


def file_link(name: str, kind: str, text: str) -> str:
    """A link that has the file itself, so that the page stays one file."""
    return '<a download="%s" href="data:%s;charset=utf-8,%s">%s</a>' % (
        escape(re.sub(r"[^\w.+-]+", "-", name)), kind, quote(text, " /:;=,()!*~'"),
        name.rpartition(".")[2].upper())


def csv_of(drawings: Sequence[Drawing]) -> str:
    """The values of all, a line for each point of a curve."""
    file = io.StringIO()
    csv.writer(file).writerows(list(drawings[0].rows[:1]) +
                               [row for drawing in drawings for row in drawing.rows[1:]])
    return repaired(file.getvalue())


# --- Files of SVG -------------------------------------------------------------------------------


def looks() -> Dict[str, Dict[str, str]]:
    """Attributes of SVG for each class of page.css, in its light form."""
    text, found = style(), {}
    values = dict(re.findall(r"--(\w+):([^;}]+)", text.partition("}")[0]))
    for names, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", text.partition("@media(max")[0]):
        rule = re.sub(r"var\(--(\w+)\)", lambda m: values[m.group(1)], rule)
        for name in re.findall(r"(?:^|,)(?:\.chart )?\.(\w+)(?=,|$)", names):
            found[name] = dict(pair.split(":") for pair in rule.split(";"))
    return found


def legend_of(keys: Sequence[Key]) -> Tuple[str, int]:
    """(elements, height): the keys in as few lines as they need."""
    text, x, y = "", 0.0, 0
    for key in keys:
        # Letters are about so wide; a name that is too long for the drawing is made narrow.
        width = 48 + 0.56 * LETTER * len(key.text)
        if x and x + width > WIDTH:
            x, y = 0.0, y + LETTER + 4
        narrow = ' textLength="%d" lengthAdjust="spacingAndGlyphs"' % (WIDTH - 35)
        text += key.sample(x, y + LETTER / 2) + '<text x="%g" y="%d"%s>%s</text>\n' % (
            x + 35, y + LETTER - 2, narrow if width > WIDTH else "", escape(key.text))
        x += width
    return text, y + LETTER + 8 if keys else 0


def svg_of(drawings: Sequence[Drawing]) -> str:
    """Drawings one below the other, as a file of its own, as wide as the column of a paper.  A
    legend stands where it differs from the one above."""
    body, y = "", 4
    keys: Sequence[Key] = ()
    for drawing in drawings:
        parts: List[Tuple[str, int]] = []
        if drawings[1:]:
            parts.append(('<text x="%d" y="%d" text-anchor="middle">%s</text>\n' % (
                WIDTH / 2, LETTER, escape(drawing.title)), LETTER + 10))
        if list(drawing.keys) != list(keys):
            parts.append(legend_of(drawing.keys))
            keys = drawing.keys
        for text, height in parts + [(drawing.body, drawing.height + 4)]:
            body += '<g transform="translate(0 %d)">\n%s</g>\n' % (y, text)
            y += height
    look = looks()
    # Titles are for pages, where they are shown on hover.
    body = re.sub("><title>.*?</title></path>", "/>", body)
    body = re.sub(' class="([^"]*)"', lambda m: "".join(
        ' %s="%s"' % pair for name in m.group(1).split() for pair in look.get(name, {}).items()),
                  body)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" width="%gcm" height="%.4gcm" '
            'viewBox="0 0 %d %d">\n<title>%s</title>\n'
            '<g font-family="Helvetica, Arial, sans-serif" font-size="%d">\n%s</g>\n</svg>\n' % (
                COLUMN_CM, COLUMN_CM * y / WIDTH, WIDTH, y,
                escape("; ".join(drawing.about.rstrip(":") for drawing in drawings)), LETTER, body))
