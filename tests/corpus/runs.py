# SPDX-License-Identifier: BSD-3-Clause
"""The runs of the way "fewest" of the corpus: NAME, document, rows of CSV, lines of the table."""
import csv, glob, json, os, subprocess, sys

folder = os.environ["CORPUS"]


def load(name):
    def refuse(word):
        raise ValueError(word)

    path = os.path.join(folder, name)
    with open(path + ".json") as file:
        document = json.load(file, parse_constant=refuse)
    with open(path + ".csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(path + ".out", newline="\n") as file:
        lines = [line.rstrip("\n") for line in file]
    return name, document, rows, lines


def all_runs():
    names = sorted(os.path.basename(path)[:-5]
                   for path in glob.glob(os.path.join(folder, "*.json")))
    assert len(names) >= 18, "make corpus first"
    return [load(name) for name in names]


# What the descriptor of each program says: words.
facts = os.path.join(os.path.dirname(__file__), "facts")
WORDS = {line.split()[0]: line.split()[4:]
         for line in subprocess.check_output([facts, os.path.dirname(__file__) + "/../.."], text=True).splitlines()}
# Programs whose rows have no size, and those whose iterations one rank alone times.
UNSIZED = tuple(name for name, words in WORDS.items() if "TAKES_CHECK" not in words)
ALONE = tuple(name for name, words in WORDS.items() if not {"TIMED_ALL", "TIMED_SENDERS"} & set(words))
# Those without iterations, and those that run once.
START = "init", "hello", "where", "noise"
WHOLE = "is", "ft"


# Columns that stay empty where a run cannot tell: of autocorrelated iterations 200 may be too few
# for an interval, and a computation may have delayed more than the message.
def may_be_empty(name, key):
    if name.endswith("_guideline"):
        return key in ("ratio_low", "ratio_high")
    return name == "impact" or (name, key) == ("progress", "progress_percent")


def close(a, b, tolerance=1e-8):
    return abs(a - b) <= tolerance * max(abs(a), abs(b)) + 1e-12
