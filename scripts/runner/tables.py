# SPDX-License-Identifier: BSD-3-Clause
"""Tables that programs print, side by side."""
import re
from typing import Dict, List, Sequence


def rows_of(text: str, columns: int) -> Dict[str, List[str]]:
    """The rows of a table: by the first word, so many further ones."""
    lines = [line.split() for line in text.splitlines() if re.match("[0-9]", line)]
    return {words[0]: (words[1:] + [""] * columns)[:columns] for words in lines}


def side_by_side(tables: Sequence[Dict[str, List[str]]]) -> List[List[str]]:
    """The rows of the first table, with those of the others, or - where one lacks the row."""
    widths = [max([len(cells) for cells in table.values()] + [1]) for table in tables]
    return [[key] + [cell for table, width in zip(tables, widths)
                     for cell in table.get(key, ["-"] * width)] for key in tables[0]]
