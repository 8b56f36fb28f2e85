# SPDX-License-Identifier: BSD-3-Clause
"""The runs of the way "fewest" of the corpus: NAME, document, rows of CSV, lines of the table."""
import csv, glob, json, os, sys

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


# Programs whose rows have no size, and those whose laps one rank alone times.
UNSIZED = "barrier", "ibarrier", "barrier_persistent", "comm_create", "init", "hello", \
    "where", "noise", "is", "ft"
# Those without laps, and those that run once.
START = "init", "hello", "where", "noise"
WHOLE = "is", "ft"
ONE_SIDED = ("put_latency", "get_latency", "put_bw", "get_bw", "put_bibw", "get_bibw", "acc_latency",
             "get_acc_latency", "fop_latency", "cas_latency")
FOUNDING = "bilatency", "host_overhead", "overlap_bw", "completion", "buffer_reuse_latency", \
    "buffer_reuse_bw", "stripe_bw", "stripe_bibw", "staged_latency", "staged_bw", "bw_queue", "match_queue", "progress", "hotspot_send", "hotspot_recv"
BELOW = "memory_latency", "memory_bw", "tcp_latency", "tcp_bw", "ucx_latency", "ucx_bw"
TWO_SIDED = "latency", "bw", "bibw", "latency_mt", "latency_mp", "partitioned_latency"
ALONE = TWO_SIDED[:3] + tuple(name + "_persistent" for name in TWO_SIDED[:3]) + TWO_SIDED[3:] + \
    ONE_SIDED + FOUNDING + BELOW


# Columns that stay empty where a run cannot tell: of autocorrelated iterations 200 may be too few
# for an interval, and a computation may have delayed more than the message.
def may_be_empty(name, key):
    if name.endswith("_guideline"):
        return key in ("ratio_low", "ratio_high")
    return name == "impact" or (name, key) == ("progress", "progress_percent")


def close(a, b, tolerance=1e-8):
    return abs(a - b) <= tolerance * max(abs(a), abs(b)) + 1e-12
