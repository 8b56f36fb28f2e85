# SPDX-License-Identifier: BSD-3-Clause
"""What the words of tables, notes and verdicts mean: the rows of doc/words.md.

A test holds every heading, note and verdict of the sources to that page, or to the fields of the
JSON files, which describe the columns of programs.
"""
import functools
import os
import re
from typing import List, NamedTuple

from .text import TOP

PAGE = os.path.join(TOP, "doc/words.md")


class Entry(NamedTuple):
    """words: that have this meaning.  where: who prints them."""

    words: List[str]
    where: str
    text: str


@functools.lru_cache(maxsize=1)
def entries() -> List[Entry]:
    try:
        with open(PAGE, encoding="utf-8") as file:
            rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+) \|$", file.read(), re.M)
    except OSError:  # it is not installed: nothing is explained
        return []
    return [Entry(words.split(", "), where, text.replace("`", "")) for words, where, text in rows
            if words != "word"]


def plain(word: str) -> str:
    """A word as it is looked for: without its unit, "#" and ":", in small letters, whatever the
    percentile or the baseline."""
    word = re.sub(r" *\([^)]*\)$", "", word.strip("#: ")).strip().lower()
    return re.sub(r"^p[0-9.]+\b", "p99", re.sub("^ratio to\\b.*", "ratio", word))


def meanings(word: str) -> List[Entry]:
    return [entry for entry in entries() if plain(word) in map(plain, entry.words)]


def meaning(word: str) -> str:
    """The first; "": it is not known."""
    return next((entry.text for entry in meanings(word)), "")
