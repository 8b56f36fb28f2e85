# SPDX-License-Identifier: BSD-3-Clause
"""Options are read from the help: a line "  -m, --margin PERCENT  ... [3]" is an option with a
value, 3 where none is given, and a line without such a word is one that is given or not."""
import math
import re
from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Tuple

from judge.comparable import check_field
from judge.comparison import sizes
from judge.documents import Question
from judge.text import Refused, check_writable, meant, repaired

# The words of a line: letter, name, kind of the value, which may be left out or is needed.
LINE = re.compile(r"  (?:-([a-zA-Z]), )?--([a-z-]+)(?:\[=([^ ]+)\]| ([^ ]+))?(?: .*)?$", re.M)
# The value of one that is not given, if it is a word.
USUAL = re.compile(r"\s\[(\S+)\]")
GATHERED = ("FIELD",)  # kinds of options whose values add up


class Option(NamedTuple):
    """letter: of its short form or "".  kind: the word for its value, or "".  is_free: without one
    it is True.  usual: the text of its value where it is not given, or ""."""

    name: str
    letter: str
    kind: str
    is_free: bool = False
    usual: str = ""


# Those of all commands, after their own; before them, of commands that have a plan, PRINT.
PRINT = ("--print", "print the commands that would be started")
SHARED = (("-q, --quiet", "print only results and errors"), ("-h, --help", "print this help"),
          ("-v, --version", "print the version"))


def help_of(usage: str, plan: bool) -> str:
    """What --help prints of a command: its usage, and the options of all, in the same columns."""
    shared = ((PRINT,) if plan and "\n  --print " not in usage else ()) + SHARED
    before, heading, rest = usage.partition("\nOptions:\n")
    # Its own options end at the first empty line, which may be the first of all.
    at = ("\n" + rest + "\n").find("\n\n")
    first = re.match("  -.*?  +(?=[^ ])", rest)
    width = max(15, len(first.group()) - 2 if first else 0)
    return before + heading + rest[:at] + "".join(
        "  %-*s%s\n" % (width, *each) for each in shared) + rest[at:]


def options_in(usage: str, plan: bool) -> Dict[str, Option]:
    """By name: those of the section "Options:"."""
    section = help_of(usage, plan).partition("\nOptions:\n")[2].partition("\n\n")[0]
    found = {}
    for text in re.split(r"\n(?=  -)", section):
        m, usual = LINE.match(text), USUAL.search(text)
        if m:
            kind = m.group(3) or m.group(4) or ""
            found[m.group(2)] = Option(m.group(2), m.group(1) or "", kind, bool(m.group(3)),
                                       usual.group(1) if usual and kind not in ("", "DIR") else "")
    return found


# --- Kinds of values ----------------------------------------------------------------------------


def number(name: str, text: str) -> int:
    if not re.match(r"[1-9][0-9]{0,8}\Z", text):
        what = {"runs": " of runs", "nodes": " of hosts", "last": " of releases",
                "look": ""}.get(name, " of ranks")
        raise Refused("--%s '%s' is not a number%s from 1 to 999999999" % (name, text, what))
    return int(text)


def seconds(name: str, text: str) -> int:
    """Whole seconds of "90", "1.5m" or "2h"; a fraction counts as one more."""
    time = re.match(r"([0-9]{1,9}(?:\.[0-9]+)?)([smh]?)\Z", text)
    value = math.ceil(float(time.group(1)) * {"h": 3600, "m": 60}.get(time.group(2), 1)) \
        if time else -1
    if value < 0 or (name == "limit" and value == 0):
        raise Refused("--%s '%s' is not a number of seconds from %d to 999999999, nor a time such "
                      "as 10m" % (name, text, name == "limit"))
    return value


def percent(name: str, text: str) -> float:
    """Of one: 0.05 for "5" or "5%", below 1000%."""
    if not re.match(r"[0-9]+(\.[0-9]+)?%?\Z", text) or float(text.rstrip("%")) >= 1000:
        raise Refused("--%s '%s' is not a percentage from 0 to below 1000, such as 5 or 2.5%%"
                      % (name, text))
    return float(text.rstrip("%")) / 100


def file(name: str, text: str) -> str:
    """One that is written; parse() looks whether it can be."""
    if text == "-":
        raise Refused("'-' is no file: name one")
    return text


def field(name: str, text: str) -> str:
    """A field of results that may differ."""
    check_field(text)
    return text


KINDS = {"N": number, "TIME": seconds, "PERCENT": percent, "FILE": file, "FIELD": field,
         "SIZES": sizes, "TEXT": lambda name, text: repaired(text)}


def value_of(option: Option, text: str) -> Any:
    """What a text means for an option.  Errors: Refused."""
    if "|" in option.kind and text not in option.kind.split("|"):
        raise Refused("--%s '%s' is not %s%s" % (
            option.name, text, option.kind.replace("|", " or "),
            meant(text, option.kind.split("|"))))
    return KINDS[option.kind](option.name, text) if option.kind in KINDS else text


# --- Words of a command -------------------------------------------------------------------------


class Options:
    """What was given: attributes are named as the options are, with _ for -.

    words: those that are no options.  further: those after "--".  given: names of the options that
    were given.  print: the runs are printed, and not made.
    """

    # Of commands that have no option for them.
    ranks: Any = 2
    time: Any = None
    print = False

    def __init__(self, known: Iterable[Option]) -> None:
        self.words: List[str] = []
        self.further: List[str] = []
        self.given: List[str] = []
        for option in known:
            nothing: Any = [] if option.kind in GATHERED else None if option.kind else False
            setattr(self, option.name.replace("-", "_"), value_of(option, option.usual)
                    if option.usual not in ("", "none") else nothing)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError("no option sets %s" % name)

    def take(self, option: Option, value: Any) -> None:
        name = option.name.replace("-", "_")
        self.given.append(option.name)
        if option.kind in GATHERED:
            getattr(self, name).append(value)
        else:
            setattr(self, name, value)


def split(word: str, letters: Dict[str, str]) -> Tuple[str, List[str], bool]:
    """(the option of a word, what follows from it, whether that is after "=")."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        return name, [value] if equals else [], bool(equals)
    return letters.get(word[1], word[:2]), [word[2:]] if word[2:] else [], False


def parse(usage: str, argv: Sequence[str], first: int = 0, plan: bool = True,
          hint: str = "see --help") -> Options:
    """What the words of a command say.

    first: number of the word that is no option to which all that follows it belongs; 0: to none.
    plan: the command has a plan, so that it has PRINT.  hint: what an unknown option may mean.
    Errors: Refused.
    """
    known = options_in(usage, plan)
    letters = {option.letter: option.name for option in known.values() if option.letter}
    taken, rest = Options(known.values()), list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            taken.further = rest
            break
        if not word.startswith("-") or word == "-":
            taken.words.append(word)
            if len(taken.words) == first:
                taken.words += rest
                break
            continue
        name, values, equals = split(word, letters)
        if name not in known:
            shown = "--" + name if word.startswith("--") else name
            raise Refused("unknown option %s%s; %s" % (shown, meant(name, list(known), "--"), hint))
        option = known[name]
        if option.is_free and not equals:
            taken.take(option, True)
        elif option.kind:
            if not values and not rest:
                raise Refused("--%s needs a value; see --help" % name)
            taken.take(option, value_of(option, values[0] if values else rest.pop(0)))
        elif equals:
            raise Refused("--%s takes no value" % name)
        else:
            taken.take(option, True)
            # Of -ab, b is the next option.
            rest[:0] = ["-" + value for value in values]
        if taken.help or taken.version:
            return taken
    refuse_options(taken.further)
    # What cannot be written is known before anything is measured.
    check_writable([getattr(taken, name.replace("-", "_")) for name in each_once(taken.given)
                    if known[name].kind == "FILE"])
    return taken


def question_of(o: Options, **more: Any) -> Question:
    """What the options ask of the judge that are called as its fields are."""
    asked = {name: value for name, value in vars(o).items() if name in Question._fields and
             (value is not None or name == "classes")}  # None: a class for each row
    return Question(**dict(asked, **more))


def refuse_options(words: Sequence[str]) -> None:
    """Options of programs that run many times: each run would overwrite the file of the last, or
    measure nothing.  Errors: Refused."""
    for word in words:
        name = word.partition("=")[0]
        if name in ("--csv", "--json"):
            raise Refused("leave out %s, since each run would overwrite its file; a results folder "
                          "has a JSON file of each run, and doc/json.md makes CSV of them" % name)
        if name == "--dry-run":
            raise Refused("leave out --dry-run, with which nothing is measured")


def quoted(word: str) -> str:
    """A word as the shell of a user reads it."""
    if not word or not word.isprintable():
        return "'" + word.replace("'", "'\\''") + "'"
    return re.sub(r"[^\w./:=+@%-]", r"\\\g<0>", word)


def command_line(words: Sequence[str]) -> str:
    return " ".join(map(quoted, words))


def each_once(words: Sequence[str]) -> List[str]:
    return list(dict.fromkeys(words))


def is_number_list(text: str) -> bool:
    """"1,2,4"?"""
    return bool(re.match(r"[1-9][0-9]*(,[1-9][0-9]*)*\Z", text))
