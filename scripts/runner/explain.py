# SPDX-License-Identifier: BSD-3-Clause
"""explain - a message, a field of JSON files, or a word of tables."""
import functools
import glob
import json
import os
import re
import sys
import textwrap
from typing import Any, Iterator, List, Tuple

from judge.text import Refused, entries, meanings, meant, output, plain

from .folders import read
from .options import Options
from .shell import TOP, said_by

USAGE = """Usage: alidade explain ID|WORD...
Explain a message, such as E15, or a word of tables and JSON files.

Options:

Examples:
  alidade explain E15
  alidade explain undecided
  alidade explain Next Low

Exit codes: 0 explained, 1 nothing of that name is known.
"""

READING = {"plan": False}
# Of a schema, and no name of a field.
STRUCTURE = ("properties", "items", "definitions", "additionalProperties", "oneOf")
UNITS = ("", "_us", "_s", "_mb_per_s", "_percent", "_bytes")  # ends of names of fields
DOC = os.path.join(TOP, "doc")


def schemas() -> List[str]:
    """Of what there are JSON files: of results, and of answers."""
    files = sorted(glob.glob(os.path.join(glob.escape(DOC), "*.schema.json")))
    return list(dict.fromkeys(["result"] + [os.path.basename(f).split(".")[0] for f in files]))


def described(value: Any, path: Tuple[str, ...] = ()) -> Iterator[Tuple[str, str]]:
    """(path, description) of each field of a schema."""
    if isinstance(value, list):
        for item in value:
            yield from described(item, path)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("description"), str):
        yield re.sub(r"^row\.", "rows.", ".".join(path)), value["description"]
    for name, item in value.items():
        yield from described(item, path if name in STRUCTURE else path + (name,))


@functools.lru_cache(maxsize=None)
def schema_of(name: str) -> Any:
    """That of result files is made of parts: in the sources it is not there."""
    maker = os.path.join(DOC, "result_schema.py")
    text = said_by([sys.executable, maker, TOP]) if name == "result" and os.path.exists(maker) \
        else read(os.path.join(DOC, name + ".schema.json"))
    return json.loads(text) if text else {}


def fields(name: str) -> List[str]:
    """The descriptions of the fields whose path ends so; or of the column with this heading, whose
    name ends in a unit."""
    column = re.sub("[ -]", "_", plain(name))
    names, found = [name] if meanings(name) else [name] + [column + unit for unit in UNITS], []
    for schema in schemas():
        where = "" if schema == "result" else schema + " --json: "
        for path, words in described(schema_of(schema)):
            if any(("." + path).endswith("." + each) for each in names):
                found.append("%s%s: %s" % (where, path, words))
    return found


def folded(lines: List[str]) -> str:
    return "".join("\n".join(textwrap.wrap(line, 80) or [""]) + "\n" for line in lines)


def message(word: str) -> List[str]:
    """The lines about a message.  Errors: Refused."""
    file = os.path.join(DOC, "messages.md")
    page = read(file)
    if not page:
        raise Refused("the messages are not installed here: %s is missing" % file)
    section = re.search("^## (%s\n.*?)(?=^## |\\Z)" % word.upper(), page, re.M | re.S)
    if section:
        return [line for line in section.group(1).splitlines() if line]
    full = "%s%02d" % (word[0].upper(), int(word[1:]))
    raise Refused("'%s' is no message%s; %s lists all" % (
        word, " (did you mean %s?)" % full if "## %s\n" % full in page else "", file))


def printed(word: str) -> List[str]:
    """What it means where it is printed."""
    return ["%s (%s): %s" % (word, entry.where, entry.text) for entry in meanings(word)]


def about(word: str) -> List[str]:
    """What the word means: what is printed, and fields of JSON files.  Errors: Refused."""
    found = printed(word) + list(dict.fromkeys(fields(word)))
    if not found:  # a part of a heading, such as Next
        found = ["%s (%s): %s" % (", ".join(entry.words), entry.where, entry.text)
                 for entry in entries()
                 if any(plain(word) in plain(each).split() for each in entry.words)]
    if not found:
        known = [plain(each) for entry in entries() for each in entry.words]
        raise Refused("'%s' is neither a message, nor a field of JSON files, nor a word that "
                      "tables print%s" % (word, meant(plain(word), known)))
    return found


def main(o: Options) -> int:
    word = " ".join(o.words)
    if not word:
        raise Refused("explain needs the number of one message, such as E15, or one word of tables "
                      "and JSON files, such as undecided or drift")
    is_message = re.match("[EWew][0-9]+\\Z", word)
    output.write(folded(message(word) + printed(word) if is_message else about(word)))
    return 0
