# SPDX-License-Identifier: BSD-3-Clause
"""explain - a message, a field of JSON files, or a word of tables."""
import json
import os
import re
import sys
import textwrap
from typing import Any, Iterator, List, Tuple

from judge.text import Refused, output

from .folders import read
from .options import Options
from .shell import TOP, said_by

USAGE = """Usage: alidade explain ID|WORD
Explain a message, such as E15, or a word of tables and JSON files.

Options:
  -h, --help     print this help
  -v, --version  print the version

Examples:
  alidade explain E15
  alidade explain undecided

Exit codes: 0 explained, 1 nothing of that name is known.
"""

READING = {"plan": False}
SCHEMAS = ("result", "repeat", "compare", "examine", "tune", "accept")
# Of a schema, and no name of a field.
STRUCTURE = ("properties", "items", "definitions", "additionalProperties")
DOC = os.path.join(TOP, "doc")


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


def schema_of(name: str) -> str:
    """That of result files is made of parts: in the sources it is not there."""
    maker = os.path.join(DOC, "result_schema.py")
    if name == "result" and os.path.exists(maker):
        return said_by([sys.executable, maker, TOP]) or ""
    return read(os.path.join(DOC, name + ".schema.json"))


def fields(name: str) -> List[str]:
    """The descriptions of the fields of this name, or with this path."""
    found = []
    for schema in SCHEMAS:
        text = schema_of(schema)
        where = "" if schema == "result" else schema + " --json: "
        for path, words in described(json.loads(text) if text else {}):
            if path == name or path.endswith("." + name):
                found.append("%s%s: %s" % (where, path, words))
    return found


def entry_of(line: str, name: str) -> str:
    """What a line of a page says of the word: a line that explains "# WORD:" of a table, or a row
    of a table with the word in its first or second column, as it is or as an option; or ""."""
    if line.startswith("**`# ") and "`# %s:`" % name in line:
        return re.sub(r"`|\*\*", "", line)
    if not line.startswith("| "):
        return ""
    line = line.replace("\\|", "/")
    cells = re.split(r" *\| *", line)[1:] + ["", ""]
    if ", %s," % name not in ", %s," % cells[0] and "`%s`" % name not in cells[0] and \
            not cells[0].startswith("`--%s=" % name):
        # Of a list of words the one that is meant.
        words = [word for word in cells[1].split("<br>") if "`%s`" % name in word]
        meant = [word for word in words if word.startswith("`%s`" % name)] or \
            (words if "<br>" not in cells[1] else [])
        if not meant:
            return ""
        if "<br>" in cells[1]:
            line = "| %s | %s |" % (cells[0], meant[-1])
    line = re.sub(r"^\| *| *\|$", "", line.replace("<br>", "; ").replace("`", "").rstrip())
    return re.sub(r"( *\| *)+", "; ", re.sub(r" *\| *", ": ", line, 1))


def entries(name: str) -> List[str]:
    """What the pages say of this word."""
    found = []
    for page in sorted(os.listdir(DOC)):
        if not page.endswith(".md"):
            continue
        lines = read(os.path.join(DOC, page)).splitlines() + [""]
        for line, after in zip(lines, lines[1:]):
            # The line under a heading of a table is of dashes.
            text = "" if re.match(r"\|[-|: ]+$", after) else entry_of(line, name)
            if text:
                found.append("doc/%s: %s" % (page, text))
    return found


def folded(lines: List[str]) -> str:
    return "".join("\n".join(textwrap.wrap(line, 100) or [""]) + "\n" for line in lines)


def main(o: Options) -> int:
    if len(o.words) != 1:
        raise Refused("explain needs the number of one message, such as E15, or one word of tables "
                      "and JSON files, such as undecided or drift")
    word, file = o.words[0], os.path.join(DOC, "messages.md")
    pages = read(file)
    if not pages:
        raise Refused("the pages are not installed here: %s is missing" % file)
    if re.match("[EWew][0-9]+\\Z", word):
        section = re.search("^## (%s\n.*?)(?=^## |\\Z)" % word.upper(), pages, re.M | re.S)
        if not section:
            raise Refused("'%s' is no message; %s lists all" % (word, file))
        output.write(folded([line for line in section.group(1).splitlines() if line]))
        return 0
    found = list(dict.fromkeys(fields(word) + entries(word)))
    if not found:
        raise Refused("'%s' is neither a message, nor a field of JSON files, nor an entry of a "
                      "table in %s; %s has all messages, %s/*.schema.json all fields"
                      % (word, DOC, file, DOC))
    output.write(folded(found))
    return 0
