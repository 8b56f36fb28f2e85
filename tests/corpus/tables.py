# SPDX-License-Identifier: BSD-3-Clause
"""tables.py WAY [MESSAGE...]: are the tables of one way of the corpus right?  WAY is a folder
that tests/corpus/record made, MESSAGE a warning that may be there, such as W22.  Prints
what is not as planned; exit code 1 if anything is."""
import os
import re
import sys

# Those depend on the machine: more ranks or threads than CPUs, and, where the tests
# themselves are bound or the machine has several NUMA nodes, ranks that are not.
MACHINE = {"W08", "W37"}
if len(os.sched_getaffinity(0)) != os.cpu_count() or os.path.exists("/sys/devices/system/node/node1"):
    MACHINE.add("W07")


def text(path):
    with open(path, errors="replace", newline="\n") as file:
        return file.read()


def messages(folder, allowed):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".err"):
            for line in text(os.path.join(folder, name)).splitlines():
                number = re.match(r"(?:# )?alidade: (?:\w+ )?(\w+):", line)
                if number and number[1] not in allowed:
                    yield "%s: %s" % (name, line)


def rows_of(lines):
    """Rows, of which the first word is a number."""
    return [line.split() for line in lines if line[:1].isdigit()]


# On a busy machine the rate of a few bytes may be less than the least that is printed.
def figures(lines, rows):
    rate = any(line.startswith("# ") and "MB/s" in line for line in lines)
    for row in rows:
        for word in row[1:]:
            if not re.fullmatch(r"\d+(\.\d\d(\d\d)?)?|Pass|passed|-", word):
                yield "no figure: " + word
        size = int(re.match(r"\d+", row[0])[0])
        if len(row) > 1 and re.fullmatch(r"0+(\.0+)?", row[1]) and (size >= 4096 if rate else size > 0):
            yield "nothing measured: " + " ".join(row)


def faults(folder, name, ranks, count, sizes):
    status = text(os.path.join(folder, name + ".status")).split()
    if status[0] != "0":
        yield "exit code " + status[0]
        yield text(os.path.join(folder, status[1]))[-2000:]
        return
    lines = text(os.path.join(folder, name + ".out")).splitlines()
    if not any("ranks=%s;" % ranks in line for line in lines if line.startswith("# Alidade ")):
        yield "not on %s ranks" % ranks
    if count == "-":
        return
    rows = rows_of(lines)
    passed = sum(word in ("Pass", "passed") for row in rows for word in row)
    if not len(rows) == passed == int(count):
        yield "%d rows, %d of them pass; expected %s" % (len(rows), passed, count)
    yield from figures(lines, rows)
    if sizes != "-":
        sizes = [int(size) for size in sizes.split(",")]
        expected = sorted(sizes * (int(count) // len(sizes)))
        seen = sorted(int(row[0]) for row in rows)
        if seen != expected:
            yield "sizes: expected %s, saw %s" % (expected, seen)


def main():
    folder, allowed = sys.argv[1], MACHINE | set(sys.argv[2:])
    wrong = list(messages(folder, allowed))
    plan = text(os.path.join(folder, "plan")).splitlines()
    assert plan, "nothing was planned"
    for line in plan:
        name = line.split()[0]
        found = list(faults(folder, *line.split()))
        if found:
            wrong += ["%s: %s" % (name, what) for what in found]
            wrong.append(text(os.path.join(folder, name + ".out")))
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
