#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""claims.py commands PAGE... | claims.py check FIGURES PAGE...: what pages claim by blocks and figures.

The commands of a console block are run by commands.sh, and must exit with the code that the block shows, unless the
line before the block says where else it was seen:
    <!-- archived: FILE -->      the file has its output, line by line in this order
    <!-- run by: TEST -->        a test that starts the same programs, or prints the same words
    <!-- not seen: SUBJECT -->   a row of "What was not seen" in doc/trust.md says what was seen instead
    <!-- recorded -->            it is run, and `commands.sh record` replaces its output

commands prints one a line, by tabs: PAGE:LINE, the exit code that the block shows, why it is not run or "-", the
command. check prints a line of numbers and each block that is none of these.  FIGURES (tests/lint/figures) has the
figures of README.md and doc/trust.md: words with the number, by tabs the file that has it, and the text there.
"""
import os, re, sys

MARK = re.compile(r"^ *<!-- ([a-z -]+?)(?:: (.*?))? -->$")
KINDS = {None: "run", "recorded": "run", "archived": "archived", "run by": "run by other tests", "not seen": "not seen"}
WITH_FIGURES = "README.md", "doc/trust.md"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Block:
    def __init__(self, page, line, language, mark):
        self.page, self.line, self.console = page, line, language == "console"
        self.mark, self.subject = mark or (None, None)
        self.lines = []  # (number, text, whether it belongs to a command)
        self.commands = []  # [number, exit code, command]

    def add(self, number, text, more):
        """A line of the block, which goes on a command if more; whether the next one does."""
        begins = text.lstrip().startswith("$ ")
        self.lines.append((number, text, begins or more))
        if begins and text.strip() != "$ echo $?":
            self.commands.append([number, 0, text.lstrip()[2:]])
        elif more:
            self.commands[-1][2] = self.commands[-1][2][:-1] + text
        elif self.commands:
            code = re.match(r" *exit code (\d+)$", text)
            if code or len(self.lines) > 1 and self.lines[-2][1].strip() == "$ echo $?":
                self.commands[-1][1] = int(code.group(1) if code else text)
        return (begins or more) and text.endswith("\\")

    def output(self):
        """What it shows: no command, no progress, nothing that is left out."""
        return [(number, text) for number, text, command in self.lines
                if not command and not re.match(r"(\.\.\.$|exit code |[a-z-]+: run |$)", text)]


def blocks(page):
    block = mark = None
    more = False
    for number, line in enumerate(read(page).splitlines(), 1):
        fence = re.match(r" *```(\w*) *$", line)
        if fence and block:
            yield block
            block = mark = None
        elif fence:
            block, more = Block(page, number, fence.group(1), mark), False
        elif block:
            more = block.add(number, line, more)
        elif line.strip():
            found = MARK.match(line)
            mark = found.groups() if found else None


def words_of(block):
    """What a test that runs the block must have: (line, name of a script or a program, or begin of an output)."""
    if not block.commands:
        return [(number, re.match(r".+?(?::|(?==)|(?=  )|$)", line.lstrip(" #")).group())
                for number, line in block.output()]
    return [(number, name) for number, _, command in block.commands
            for name in re.findall(r"(?:scripts|\.\.|build/\w+/mpi(?:/\w+)?)/([\w-]+)", command)] or \
        [(number, re.sub(r"^sudo ", "", command).split()[0]) for number, _, command in block.commands]


def not_there(block, unseen):
    """What of the block is not where its mark says: (line, words)."""
    if block.mark not in KINDS:
        return [(block.line, "the mark %s is none of claims.py" % block.mark)]
    if KINDS[block.mark] == "run":
        return [] if block.console and block.commands else \
            [(block.line, "nothing runs this block: say where it was seen")]
    if block.mark == "not seen":
        return [] if block.subject in unseen else [(block.line, "no row of doc/trust.md: " + block.subject)]
    if not os.path.isfile(block.subject):
        return [(block.line, "there is no file " + block.subject)]
    text = read(block.subject)
    if block.mark == "archived":
        rest = iter(text.splitlines())  # each line is looked for after the one before it
        return [(number, line) for number, line in block.output() if line not in rest][:1]
    words = words_of(block)
    return [(number, "%s has no %s" % (block.subject, word)) for number, word in words
            if not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), text)]


def prose(page):
    """Its text without blocks, code, targets of links, numbers of steps and messages."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$|<!--.*?-->", "", read(page))
    return re.sub(r"\s+", " ", re.sub(r"(?m)`[^`]*`|\]\([^)]*\)|^\d+\. |\b[EW]\d\d\b", "", text))


def is_in(text, words, seen):
    if seen.startswith("count: "):
        return len(re.findall("(?m)" + seen[len("count: "):], text)) == int(re.search(r"\d+", words).group())
    return re.sub(r"\s+", " ", seen) in re.sub(r"\s+", " ", text)


def sources(table):
    """Its lines: (number, words, file, text)."""
    return [(number, *line.split("\t")) for number, line in enumerate(read(table).splitlines(), 1)
            if line and not line.startswith("#")]


def figures(table, pages):
    texts = {page: prose(page) for page in pages if page in WITH_FIGURES}
    found = []
    for number, words, file, seen in sources(table):
        if not any(words in prose(page) for page in texts):
            found.append("%s:%d: no page says: %s" % (table, number, words))
        if not os.path.isfile(file) or not is_in(read(file), words, seen):
            found.append("%s:%d: %s has no: %s" % (table, number, file, seen))
        texts = {page: text.replace(words, "") for page, text in texts.items()}
    for page, text in sorted(texts.items()):
        found += ["%s: not in %s: %s" % (page, table, match.group())
                  for match in re.finditer(r".{,30}\d[\d.,]*.{,30}", text)]
    return found


def check(table, pages):
    unseen = re.findall(r"(?m)^\| ([^|]+?) \|", read("doc/trust.md").split("## What was not seen")[-1])
    numbers = dict.fromkeys(KINDS.values(), 0)
    found = []
    for page in pages:
        for block in blocks(page):
            if block.mark in KINDS:
                numbers[KINDS[block.mark]] += 1
            found += ["%s:%d: %s" % (page, line, words) for line, words in not_there(block, unseen)]
    print("# blocks: %d; %s; figures: %d" % (sum(numbers.values()), "; ".join(
        "%s: %d" % pair for pair in numbers.items()), len(sources(table))))
    found += figures(table, pages)
    print("".join(line + "\n" for line in found), end="")
    return 1 if found else 0


def commands(pages):
    for page in pages:
        for block in blocks(page):
            why = "-" if KINDS.get(block.mark) == "run" else "%s: %s" % (block.mark, block.subject)
            for number, code, command in block.commands if block.console else []:
                print("%s:%d\t%d\t%s\t%s" % (page, number, code, why, command))
    return 0


sys.exit(check(sys.argv[2], sys.argv[3:]) if sys.argv[1] == "check" else commands(sys.argv[2:]))
