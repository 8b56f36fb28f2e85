# SPDX-License-Identifier: BSD-3-Clause
"""The options of a verb, a row each: what parses them and the help are made from the same rows."""
import re
from types import SimpleNamespace
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .comparable import check_field
from .text import Program, Refused, meant, repaired


class Option(NamedTuple):
    """name: without dashes.  letter: its short form or "".  value: as the help names it; FILE for
    one that is written, "" for one that becomes true.  default: a list for one that can be given
    several times.  help: lines of the second column.  read: takes (option, text), and returns the
    value, or refuses the text; None: the text is kept as it is."""

    name: str
    letter: str
    value: str
    default: Any
    help: str
    read: Optional[Callable[["Option", str], Any]] = None


# --- Readers ------------------------------------------------------------------------------------


def percent(option: Option, text: str) -> float:
    """What "5" or "5%" is of one, from 0 up to 1000%."""
    number = re.match(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(?=%?\Z)", text, re.ASCII)
    if not number or not 0 <= float(number.group()) / 100 < 10:
        raise Refused("--%s %s is not a percentage" % (option.name, text))
    return float(number.group()) / 100


def words(option: Option, text: str) -> str:
    """Text that goes into documents."""
    return repaired(text)


def field(option: Option, text: str) -> str:
    """A field that may differ."""
    check_field(text)
    return text


# What every verb has after its own options.
COMMON = [
    Option("markdown", "", "FILE", None, "also write all of it as Markdown"),
    Option("html", "", "FILE", None, "also write all of it as a page"),
    Option("help", "h", "", False, "print this help"),
    Option("version", "v", "", False, "print the version"),
]


def allow(of: str) -> Option:
    """The option --allow; its help begins with "JSON field that may differ"."""
    return Option("allow", "", "FIELD", [], "JSON field that may differ" + of, field)


# --- Help and parsing ---------------------------------------------------------------------------


def help_of(usage: str, options: Sequence[Option]) -> str:
    """The help of a verb: its usage with the options in place of the word OPTIONS."""
    column, lines = 28, []
    for option in list(options) + COMMON:
        first = ("  -%s, " % option.letter if option.letter else " " * 6) + "--" + option.name
        first += "=" + option.value if option.value else ""
        for text in option.help.split("\n"):
            lines.append(first.ljust(column) + text)
            first = ""
    return usage.replace("OPTIONS\n", "\n".join(lines) + "\n")


def find(options: Sequence[Option], word: str) -> Option:
    """The option that "--margin=5" or "--mar" names; a beginning that no other has is enough."""
    name = word[2:].split("=")[0]
    exact = [option for option in options if option.name == name]
    near = exact or [option for option in options if option.name.startswith(name)]
    if len(near) != 1 or ("=" in word and not near[0].value):
        question = meant(name, [option.name for option in options], "--")
        raise Refused("unknown option --%s%s" % (name, question))
    return near[0]


def given(options: Sequence[Option], argv: Sequence[str], left: List[str]) -> Iterator[tuple]:
    """(option, its text) of each, as getopt_long() of C takes them; left gets all other words."""
    rest, before = list(argv), Program.name

    def value_of(option: Option, word: str, text: Optional[str]) -> str:
        if not option.value:
            return ""
        if text is None and not rest:
            raise Refused("%s needs a value; see --help" % word)
        return rest.pop(0) if text is None else text

    while rest:
        word = rest.pop(0)
        if word == "--":
            left += rest
            return
        if word.startswith("--"):
            option = find(options, word)
            yield option, value_of(option, word, word.split("=", 1)[1] if "=" in word else None)
        elif word.startswith("-") and word != "-":
            letters = word[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                named = [option for option in options if option.letter == letter]
                if not named:
                    # getopt_long() is at the end of the word no sooner than with its last letter.
                    raise Refused("unknown option " + (before if letters else word).split("=")[0])
                yield named[0], value_of(named[0], word, letters or None)
                if named[0].value:
                    break
        else:
            left.append(word)
        before = word


def parse(options: Sequence[Option], argv: Sequence[str]) -> Tuple[SimpleNamespace, List[str]]:
    """(the value of each option by its name, words that are no options); every has all options.
    Errors: Refused."""
    every = list(options) + COMMON
    taken = {o.name: list(o.default) if isinstance(o.default, list) else o.default for o in every}
    left: List[str] = []
    for option, text in given(every, argv, left):
        value = True if not option.value else option.read(option, text) if option.read else text
        if isinstance(option.default, list):
            taken[option.name].append(value)
        else:
            taken[option.name] = value
    return SimpleNamespace(every=every, **taken), left
