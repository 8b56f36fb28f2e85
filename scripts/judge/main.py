# SPDX-License-Identifier: BSD-3-Clause
"""alidade-analysis - what results say: a verb for each question."""
import getopt
import json
import math
import os
import re
import sys
from types import SimpleNamespace

from . import accept
from . import compare
from . import repeat
from .documents import Document, NOTE
from .results import May, Refused, fail, meant, read_one, read_variants, table_of

PERMIT = "; to permit it, add --allow "


def percent(name, text):
    number = re.fullmatch(r"(\d+(?:\.\d*)?)%?", text)
    if not number or float(number[1]) >= 1000:
        raise Refused("--%s %s is not a percentage" % (name, text))
    return float(number[1]) / 100


def sizes(text):
    try:
        return sorted({int(n) << 10 * " KMGT".index(unit.upper() or " ") for n, unit in
                       (re.fullmatch("([0-9]+)([kKmMgGtT]?)", word).groups() for word in text.split(","))})
    except AttributeError:
        raise Refused("--classes '%s' is not a size (examples: 8, 64K)" % text)


def write(path, text):
    """By a new file that takes the name at the end; devices and pipes at once."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w") as file:
                file.write(text)
            return
        with open(path + ".new", "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(path + ".new", os.path.realpath(path))
    except OSError as error:
        raise Refused("'%s' could not be written: %s" % (path, error.strerror))


def check_writable(paths):
    for i, path in enumerate(paths):
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            raise Refused("'%s' could not be written: No such file or directory" % path)
        if os.path.realpath(path) in [os.path.realpath(p) for p in paths[:i]] and not os.path.exists("/dev/" + os.path.basename(path)):
            raise Refused("'%s' could not be written: another option names the same file" % path)


def answer(o, text, full=None, begin="# "):
    sys.stdout.write(text.text(begin))
    if o.markdown:
        write(o.markdown, (full or text).markdown())
    if o.html:
        write(o.html, (full or text).html())


def run_compare(o, words):
    may = May(PERMIT)
    for field in o.allow:
        may.add(field)
    look = 0
    if o.look:
        if not re.fullmatch(r"\d+", o.look) or not 1 <= int(o.look) <= 1000:
            raise Refused("--look %s is not a number from 1 to 1000" % o.look)
        look = int(o.look)
    if o.list and o.list not in compare.v.WORDS:
        raise Refused("--list '%s' is no verdict%s" % (o.list, meant(o.list, compare.v.WORDS)))
    how = SimpleNamespace(margin=percent("margin", o.margin), may=may, look=look, asked=o.asked, remarks=o.remark, by_row=o.classes == "rows",
                          limits=[] if o.classes == "rows" else sizes(o.classes))
    variants = read_variants(words, 0 if o.failed else 2, may)
    table = table_of(variants, may)
    all = [compare.Comparison(variants, table, k, how) for k in range(1, len(variants))]
    text, full = Document(), Document()
    for c in all:
        if o.list:
            for k in c.of(o.list):
                print(o.list, c.variants[1].name, k.id.benchmark, k.label())
        else:
            c.add_to(text, o.rows)
        c.add_to(full, True)
    for why in o.failed:
        for d in ([] if o.list else [text]) + [full]:
            d.add(NOTE, "left out, since it failed: " + why)
    answer(o, text, full)
    if o.junit:
        write(o.junit, compare.junit(all, o.failed))
    if o.json:
        write(o.json, json.dumps({"suite": "Alidade", "left_out": o.failed, "comparisons": [c.as_json() for c in all]}, indent=1, ensure_ascii=False) + "\n")
    if not all:
        raise Refused("nothing is left to compare")
    return compare.gate(all, o.failed, fail) if o.gate else 0


def run_accept(o, words):
    d, unread = Document(), []
    if len(words) < 2:
        raise Refused("a limits file and results are needed")
    if o.slack and not o.learn:
        raise Refused("--slack requires --learn")
    if o.learn:
        check_writable([words[0]])
        files = read_one(words[1:], May())
        steps = accept.learn(d, files, files.name, percent("slack", o.slack) if o.slack else 0.05)
        limits = next(steps)
        write(words[0], json.dumps(limits, indent=1) + "\n")
        d.add(NOTE, "written: " + words[0])
        list(steps)
        answer(o, d)
        return 0
    files = read_one(words[1:], May(), unread)
    limits, conditions = accept.read_limits(words[0])
    accept.check_runs(conditions, files.files, May('; to permit it, write "any" in measured_as of %.200s for ' % words[0]))
    bad = accept.check(d, words[0], limits, files) + len(unread)
    for why in unread:
        d.add(NOTE, "not judged: " + why)
    answer(o, d)
    return 2 if bad else 0


def run_repeat(o, words):
    may, d = May(PERMIT), Document()
    for field in o.allow:
        may.add(field)
    files = read_one(words, may)
    repeat.check_one_program(files, may)
    r = repeat.Repetition(files, may, percent("precision", o.precision) if o.precision else 0, o.stop, o.failed)
    if o.widest:
        print(r.widest(2) or "-")
    else:
        r.add_to(d)
        answer(o, d)
    if o.json:
        write(o.json, json.dumps(r.as_json(), indent=1, ensure_ascii=False) + "\n")
    return 0


# Of each verb: its function, help, and options: name, letter, word of the value (FILE is written), default, help.
COMMON = [("markdown", "", "FILE", None, "also write all of it as Markdown"), ("html", "", "FILE", None, "also write all of it as a page"),
          ("help", "h", "", False, "print this help"), ("version", "v", "", False, "print the version")]
VERBS = {
    "compare": (run_compare, "[OPTION...] [NAME=]RESULTS [NAME=]RESULTS...\nCompare the results of two or more variants; the first is the baseline.", [
        ("margin", "m", "PERCENT", "3", 'differences below it count as "same" [3]'), ("classes", "", "SIZES", "256,8K,128K", "where size classes end; rows: a class for each row [256,8K,128K]"),
        ("allow", "", "FIELD", [], "JSON field that may differ, such as method.start; repeatable"), ("look", "", "N", None, "interim analysis number N; its significance level is 5%/2^N"),
        ("asked", "", "PROGRAM", [], "a benchmark that must have rows; repeatable"), ("failed", "", '"NAME: WHY"', [], "a variant that was left out; repeatable"),
        ("remark", "", '"NAME: TEXT"', [], "what is to be said of a variant; repeatable"), ("rows", "", "", False, "also print a table of all rows"),
        ("gate", "", "", False, "exit with code 2 if a class is slower, and with code 1 if something was not judged"),
        ("list", "", "VERDICT", None, "print only the classes with this verdict: faster, slower, same, undecided"),
        ("junit", "", "FILE", None, "also write a JUnit XML case for each class"), ("json", "", "FILE", None, "also write classes and rows as JSON")]),
    "accept": (run_accept, "[OPTION...] FILE RESULTS...\nCheck results against the limits in FILE, row by row.", [
        ("learn", "l", "", False, "write FILE from the results; at least five runs of each program are required"), ("slack", "s", "PERCENT", None, "with --learn: least distance of a limit from the median [5]")]),
    "repeat": (run_repeat, "[OPTION...] RESULTS...\nPrint runs of one program as one table: the median over runs, and the interval that the next run will be in.", [
        ("allow", "", "FIELD", [], "JSON field that may differ between the runs; repeatable"), ("json", "", "FILE", None, "also write rows, groups and all runs as JSON"),
        ("widest", "", "", False, "print only the widest interval"), ("precision", "", "PERCENT", None, "the interval that was wanted, for the record"),
        ("stop", "", "WORD", None, "why there are no more runs, for the record"), ("failed", "", '"RUN: WHY"', [], "a run that failed, for the record; repeatable")]),
}


def parse(options, argv):
    o = {name: list(default) if isinstance(default, list) else default for name, _, _, default, _ in options}
    letters = "".join(letter + ":" * bool(value) for _, letter, value, _, _ in options if letter)
    try:
        given, words = getopt.gnu_getopt(argv, letters, [name + "=" * bool(value) for name, _, value, _, _ in options])
    except getopt.GetoptError as error:
        dashes = "-" if len(error.opt) == 1 else "--"
        if "requires argument" in error.msg:
            raise Refused("%s%s needs a value; see --help" % (dashes, error.opt))
        raise Refused("unknown option %s%s%s" % (dashes, error.opt, meant(error.opt, [name for name, *_ in options], "--")))
    for key, text in given:
        name = next(n for n, letter, *_ in options if key in ("--" + n, "-" + letter))
        if isinstance(o[name], list):
            o[name].append(text)
        else:
            o[name] = text if text or o[name] is not False else True
    return SimpleNamespace(**o), words


def main(argv):
    if not argv or argv[0] not in VERBS:
        word = argv[0] if argv else ""
        print("alidade-analysis: '%s' is no verb%s; --help lists them" % (word, meant(word, list(VERBS) + ["report", "examine", "tune"])), file=sys.stderr)
        return 1
    sys.argv[0] = argv[0]
    run, usage, options = VERBS[argv[0]]
    try:
        o, words = parse(options + COMMON, argv[1:])
        if o.help:
            print("Usage: alidade-analysis %s %s\n\nOptions:" % (argv[0], usage))
            for name, letter, value, _, text in options + COMMON:
                print("  %s--%s%s  %s" % ("-%s, " % letter if letter else "    ", name, "=" + value if value else "", text))
            for field in getattr(o, "allow", ()):
                May(PERMIT).add(field)
            return 0
        check_writable([getattr(o, name) for name, _, value, _, _ in options + COMMON if value == "FILE" and getattr(o, name)])
        return run(o, words)
    except Refused as why:
        fail(str(why))
        return 1


