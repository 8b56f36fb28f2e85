# SPDX-License-Identifier: BSD-3-Clause
"""figures.py EXPRESSION FILE... - a number out of the JSON of several launches.

Each launch has four rows that differ in their type only: the delay is planted
in the second and third, whose elements have 4 bytes.  So a drift of the machine
moves planted and other rows alike, and nothing but the delay tells them apart.

A name is a path into a row, as "columns.p1".
"""
import functools
import json
import statistics
import sys


def of(row, path):
    return functools.reduce(lambda part, key: part and part[key],
                            path.split(".", path.count(".") - (".5" in path)),
                            row)


def every(path, *numbers):
    """The values of all launches, of all rows or of those with the numbers."""
    return [of(row, path) for rows in launches for i, row in enumerate(rows)
            if not numbers or i in numbers]


def planted(path):
    return every(path, 1, 2)


def other(path):
    return every(path, 0, 3)


def rise(path):
    """Median over the launches of what the planted rows have more."""
    return statistics.median(
        (of(b, path) + of(c, path) - of(a, path) - of(d, path)) / 2
        for a, b, c, d in launches)


def least_rise(path):
    """Of figures that interference only makes larger: the least ones."""
    return min(planted(path)) - min(other(path))


launches = []
documents = []
environment = {}
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        document = json.load(file)
    launches.append(document["rows"])
    documents.append(document)
    environment = document["environment"]
median = statistics.median
value = eval(sys.argv[1])  # pylint: disable=eval-used
print(f"{value:.4f}" if isinstance(value, float) else value)
