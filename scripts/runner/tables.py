# SPDX-License-Identifier: BSD-3-Clause
"""Tables that programs print, side by side."""
import re
from typing import Any, Dict, List, Optional, Sequence

from .builds import need_launcher, need_one_build, start_of
from .folders import read, tell
from .plan import Line, Outcome, Plan


def side_by_side(tables: Sequence[Dict[str, List[str]]]) -> List[List[str]]:
    """The rows of the first table, with those of the others, or - where one lacks the row."""
    widths = [max([len(cells) for cells in table.values()] + [1]) for table in tables]
    return [[key] + [cell for table, width in zip(tables, widths)
                     for cell in table.get(key, ["-"] * width)] for key in tables[0]]


class Tables(Plan):
    """Programs, each once, whose tables are printed next to each other.  tables: what each
    printed."""

    def __init__(self, o: Any, folder: str, documents: bool = False) -> None:
        super().__init__(documents=documents)
        self.build, self.results = need_one_build(o.words), folder
        self.launcher, self.options = need_launcher(o, self.build), o.further
        self.start = start_of(self.launcher, o.ranks)
        self.tables: Dict[str, str] = {}

    def label(self, program: str) -> str:
        """What has no rows is called so."""
        return program

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        text = self.tables[line.program] = read(self.stem + (".out" if outcome.status else ".txt"))
        has_rows = bool(re.search("^[0-9]", text, re.M))
        why = outcome.why if outcome.status or has_rows else "it printed no rows"
        if why:
            tell("# no %s%s: %s" % ("more " if has_rows else "", self.label(line.program), why))

    def run_programs(self, heading: str, programs: Sequence[str],
                     number: int = 1) -> Optional[Dict[str, Dict[str, List[str]]]]:
        """Run them: the rows of those that have some; None: they were only printed."""
        if not self.only_print:
            tell("\n# " + heading)
        self.lines = [Line(program) for program in programs]
        self.make_runs(number)
        if self.only_print:
            return None
        found = {}
        for program in programs:
            # By the first word of each row, two further ones.
            rows = [line.split() for line in self.tables.get(program, "").splitlines()
                    if re.match("[0-9]", line)]
            found[program] = {words[0]: (words[1:] + ["", ""])[:2] for words in rows}
        return {program: rows for program, rows in found.items() if rows}
