# SPDX-License-Identifier: BSD-3-Clause
"""What a person sees who reads along at a terminal: lines that fit its width, and verdicts and
errors in color.  Pipes and files get every line as it is."""
import os
import re
from typing import Iterator, List

FEWEST = 40  # columns: in less nothing is folded
RED, GREEN, YELLOW = "\033[1;31m", "\033[32m", "\033[33m"
# The word of a verdict is a cell of its own, and who says that something failed begins the line.
COLORS = [(re.compile(words), color) for words, color in (
    (r"(?<=  )(slower|FAIL|MISSING|failed|wrong)\b", RED), (r"(?<=  )(faster|pass|ok)\b", GREEN),
    (r"(?<=  )(mixed|undecided|skipped)\b", YELLOW))]
# What is to be copied: a launcher, a path or a setting, maybe after the name of a run.
COMMAND = re.compile(r"(?:\S+: )?(?:\S+=\S* )*(?:\S*/|(?:mpirun|mpiexec|srun|env) )")
SAYS = re.compile(r"([a-z-]+: error [A-Z0-9]+:|[a-z-]+:)(?= )")


def columns_of(number: int) -> int:
    """Of the terminal that the file descriptor leads to; 0: it leads to none, or to one that does
    not know."""
    try:
        return os.get_terminal_size(number).columns if os.isatty(number) else 0
    except OSError:
        return 0


def is_row(line: str) -> bool:
    """Is it of a table?  Sentences have no two blanks in a row."""
    return "  " in line.strip("# ")


def blocks(lines: List[str]) -> Iterator[List[str]]:
    """Each table together, which a heading may begin, and each other line alone."""
    found: List[str] = []
    for line in lines:
        if found and not (is_row(line) and is_row(found[0]) and
                          (found[-1].startswith("#") or not line.startswith("#"))):
            yield found
            found = []
        found.append(line)
    yield found


def squeezed(rows: List[str], columns: int) -> List[str]:
    """The rows of a table.  If they are wider than that, the blanks that no row needs are left out:
    two are kept between columns, or one if more rows fit then."""
    widest = max(map(len, rows))
    if widest <= columns:
        return rows
    padded = [row.ljust(widest) for row in rows]
    blank = [all(row[i] == " " for row in padded) for i in range(widest)]
    found = []
    for gap in 2, 1:
        kept = [i for i in range(widest) if i < gap or not all(blank[i - gap:i + 1])]
        found.append(["".join(row[i] for i in kept).rstrip() for row in padded])
    return max(found, key=lambda rows: sum(len(row) <= columns for row in rows))


def folded(line: str, columns: int) -> Iterator[str]:
    """The line in parts that fit: it is broken at blanks, and what follows is indented."""
    indent = "#   " if line.startswith("#") else "    "
    while len(line) > columns:
        least = len(line) - len(line.lstrip("# "))
        # The words of a heading stay together.
        at = line.rfind("  " if is_row(line) and line.startswith("#") else " ", least, columns + 1)
        # A word that is wider than the terminal stays whole.
        at = line.find(" ", columns) if at < 0 else at
        if at < 0:
            break
        yield line[:at].rstrip()
        line = indent + line[at:].lstrip()
    yield line


def shown(text: str, columns: int, is_error: bool = False) -> str:
    """The lines as a terminal of so many columns shows them.  is_error: they are those of standard
    error, where all are sentences; of others, commands stay whole, so that they can be copied."""
    if columns < FEWEST:
        return text
    lines: List[str] = []
    for rows in blocks(text.split("\n")):
        lines += squeezed(rows, columns) if is_row(rows[0]) else rows
    parts = [part for line in lines for part in (
        folded(line, columns) if is_error or not COMMAND.match(line) else [line])]
    if not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb":
        parts = [colored(part, is_error) for part in parts]
    return "\n".join(parts)


def colored(line: str, is_error: bool) -> str:
    if is_error:
        return SAYS.sub(RED + r"\1\033[0m", line, count=1) if SAYS.match(line) else line
    for words, color in COLORS:
        line = words.sub(color + r"\1" + "\033[0m", line)
    return line
