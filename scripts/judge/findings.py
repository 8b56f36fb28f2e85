# SPDX-License-Identifier: BSD-3-Clause
"""What is odd among hosts, by four kinds of evidence: values, which compare a host with its like
(host_values); what runs name themselves, outliers of pair_matrix and pair_bw and values that cannot
be right; facts, such as what hinders MPI, and hosts that differ in kernel, processor or MPI; and
parts of the examination that failed."""
import math
import re
from statistics import mean
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .facts import FACTS, fact_in
from .host_values import (BY_RACK, RACK, HostValues, Series, agree, known, number, number_in,
                          series_of)
from .results import (Result, Variant, as_list, as_object, as_text, as_whole, is_whole)
from .statistics import logs
from .text import counted, plural, size_words, within

TEXT = 479  # bytes of a sentence

# What a finding is of: a host, or a pair of them, is slow to others; a host is slow by itself;
# noise; a value cannot be right; a host is set up in another way; a part failed.  So they are
# sorted.
KINDS = NETWORK, WITHIN, NOISE, VALUE, FACT, FAILED = (
    "network", "within", "noise", "value", "fact", "failed")

# Exit codes of parts that have no results; with all others but 0, which was not started, they
# failed.
WRONG_DATA, CANNOT_RUN, TIME_IS_OVER = 3, 77, 124


class Finding:
    """host, partner: "" for all, none; or "rack r3".  benchmark: of the results; "": of several.
    what, evidence: a sentence each.  ratio: to what is typical; 0: unknown.  runs: how many name
    it, of how many; of no run: it is a fact.  on_most_hosts: so that none is odd among its like."""

    def __init__(self, kind: str, what: str, evidence: str, host: str = "", partner: str = "",
                 benchmark: str = "", ratio: float = 0, runs: Tuple[int, int] = (0, 0),
                 on_most_hosts: bool = False) -> None:
        self.kind, self.host, self.partner, self.benchmark = kind, host, partner, benchmark
        self.what, self.evidence = within(what, TEXT), within(evidence, TEXT)
        self.ratio, self.runs, self.on_most_hosts = ratio, runs, on_most_hosts

    def is_of(self, host: str, racks: Dict[str, str]) -> bool:
        return host in (self.host, self.partner) or \
            RACK + racks.get(host, "") in (self.host, self.partner)

    def weight(self) -> tuple:
        """What most hosts have comes last; then by kind, and by how large they are."""
        return self.on_most_hosts, KINDS.index(self.kind), -self.ratio


# --- Values -------------------------------------------------------------------------------------


def worse(series: Series, v: HostValues) -> Finding:
    benchmark = re.match("bw|hosts|latency|noise", series.label)
    name = benchmark.group() if benchmark else ""
    share = ", %.2f of typical" % (1 / v.ratio) if name == "hosts" and series.unit != "us" else ""
    return Finding(
        NOISE if name == "noise" else NETWORK if " between " in series.label else WITHIN,
        "%s: %s %s%s. The same takes %.2f times as long as on the typical %s." % (
            series.label, number(v.median), series.unit, share, v.ratio, v.what()),
        "It is an outlier in %d of %d runs." % (v.named, v.compared), v.host, v.partner, name,
        v.ratio, (v.named, v.compared))


def worse_ones(every: Sequence[Series], racks: Dict[str, str]) -> Iterator[Finding]:
    """What makes a rack worse, or two of them together, makes no finding of its hosts, unless one
    is far worse."""
    found = [(series, v) for series in every for v in series.hosts if v.is_worse()]
    worst = {(series.label.replace(BY_RACK, "").replace("two racks", "two hosts"),
              v.host, v.partner): v.ratio for series, v in found}
    for series, v in found:
        one, other = sorted([RACK + racks.get(v.host, ""), RACK + racks.get(v.partner, "")])
        ends = (one, other) if v.partner else (RACK + racks.get(v.host, ""), "")
        if v.ratio > 1.5 * worst.get((series.label,) + ends, 0):
            yield worse(series, v)


# --- What runs name -----------------------------------------------------------------------------


class Naming(NamedTuple):
    """A row of a run names a host, or a pair, as slow by a ratio; 0: because of a value."""

    kind: str
    file: Result
    row: dict
    host: str
    partner: str = ""
    ratio: float = 0
    pairs: str = "only this pair"

    def what(self) -> tuple:
        """Equal for the same finding: a pair is the same in both directions."""
        ends = sorted([self.host, self.partner]) if self.partner else [self.host]
        return self.kind, self.file.benchmark, tuple(ends)


def namings_of(f: Result) -> Iterator[Naming]:
    for row in f.rows:
        for slow in map(as_object, as_list(as_object(row.get("pairs")).get("slow"))):
            rank, ratio = as_whole(slow.get("rank")), number_in(slow, "ratio")
            partner = as_whole(slow["partner"]) if is_whole(slow.get("partner")) else -1
            naming = Naming(NETWORK, f, row, known(f.host_of(rank)), f.host_of(partner) or "",
                            ratio if ratio > 0 else 1)
            if not naming.partner:
                naming = naming._replace(pairs="in %d of its %d pairs" % (
                    as_whole(slow.get("above")), as_whole(slow.get("of_pairs"))))
            yield naming
        if as_list(row.get("suspect")):
            yield Naming(VALUE, f, row, known(f.host_of(0)))


def named(namings: Sequence[Naming], files: Sequence[Result]) -> Optional[Finding]:
    """What runs name, each once, in the words of the last of them; the ratio is their geometric
    mean.  None: too few of the runs in which the host took part do."""
    first, last = namings[0], namings[-1]
    benchmark, size = first.file.benchmark, size_words(as_whole(last.row.get("bytes")))
    of = sum(f.benchmark == benchmark and (first.host == "?" or first.host in f.hosts())
             for f in files)
    if not agree(len(namings), of):
        return None
    ratio = 0.0
    if first.kind == VALUE:
        what = "%s: a value cannot be right (%s: %s)." % (
            benchmark, size, known(last.row["suspect"][0]))
    else:
        ratio = math.exp(mean(logs([naming.ratio for naming in namings])))
        what = "Messages to other hosts take %.2f times the typical time (pair_matrix, %s, " \
               "%s)." % (ratio, size, last.pairs)
        if benchmark == "pair_bw":
            what = "Bandwidth to other hosts is %.2f times the typical one (pair_bw, %s, " \
                   "%s)." % (1 / ratio, size, last.pairs)
    return Finding(first.kind, what, "Named in %d of %d runs." % (len(namings), of), first.host,
                   first.partner, benchmark, ratio, (len(namings), of))


def named_by_runs(files: Sequence[Result]) -> Iterator[Finding]:
    """A run whose ranks shared CPUs names nothing."""
    met: Dict[tuple, Dict[int, Naming]] = {}
    for i, f in enumerate(files):
        if not f.is_crowded():
            for naming in namings_of(f):
                met.setdefault(naming.what(), {}).setdefault(i, naming)
    for namings in met.values():
        finding = named(list(namings.values()), files)
        if finding:
            yield finding


# --- Facts --------------------------------------------------------------------------------------


def differing(files: Sequence[Result]) -> Iterator[Finding]:
    """What differs between all hosts that the program hosts met, or that had a run of their own:
    each value, how many hosts have it, and the first of them.  The runs of other programs have
    other numbers of ranks, and other paths."""
    first: Dict[str, dict] = {}
    for f in files:
        host, nodes = f.host_of(0), as_whole(f.environment.get("nodes"))
        if host is not None and f.benchmark == "latency" and nodes == 1:
            first.setdefault(host, f.root)
        for alike in map(as_object, as_list(f.root.get("hosts"))):
            for name in map(known, as_list(alike.get("hosts"))):
                first.setdefault(name, alike)
    for fact in FACTS:
        if not fact.of_hosts:
            continue
        have: Dict[str, List[str]] = {}
        for host, root in first.items():
            have.setdefault(fact_in(root, fact), []).append(host)
        each = ["%s on %s (%s%s)" % (
            within(value or "unknown", 100), counted(len(hosts), "host"), hosts[0],
            plural(len(hosts), "", ", ...")) for value, hosts in have.items()]
        if len(each) > 1:
            yield Finding(FACT, "Hosts differ in %s: %s." % (fact.label, "; ".join(each)),
                          "It is a fact, not a measurement.")


def hindering(files: Sequence[Result]) -> Iterator[Finding]:
    """What the first run of where found to hinder MPI.  What most hosts have is told once.  A
    missing hwloc names no host: less is known without it, but nothing is wrong."""
    f = next((f for f in files if f.benchmark == "where"), None)
    if f is None or not f.rows:
        return
    nodes = as_whole(f.environment.get("nodes"))
    for key, found in as_object(f.rows[0].get("preflight")).items():
        why = as_text(as_object(found).get("why"))
        hosts = [known(host) for host in as_list(as_object(found).get("hosts"))]
        is_on_most = 1 < nodes < 2 * len(hosts)
        for i, host in enumerate(hosts[:1] if is_on_most else hosts):
            words = "as on %s." % hosts[0] if i else within("-" if why is None else why, 300)
            yield Finding(FACT, "where, %s: %s" % (key, words), "It is a fact: a rank tried it.",
                          "" if is_on_most else host, benchmark="where", on_most_hosts=is_on_most)


# --- Parts without results ----------------------------------------------------------------------


class LeftOut(NamedTuple):
    """A part that has no result.  code: its exit code; 0: it was not started.  host, partner: why
    it has none: a host, or two together; "": not a host's fault, as far as is known."""

    part: str
    code: int
    reason: str
    command: str
    host: str
    partner: str = ""

    def has_failed(self) -> bool:
        return self.code not in (0, WRONG_DATA, CANNOT_RUN, TIME_IS_OVER)


def failed(parts: Sequence[LeftOut]) -> Iterator[Finding]:
    """One for each part with wrong data, and for the first part that failed on each host; other
    failures make one, as they often have one cause."""
    hosts = set()
    others = [part for part in parts if part.has_failed() and not part.host]
    for part in parts:
        if part.code == WRONG_DATA:
            yield Finding(FAILED, "%s received wrong data: %s." % (
                part.part, within(part.reason, 300)), "It exited with code %d." % part.code)
        elif part.has_failed() and part.host and part.host not in hosts:
            hosts.add(part.host)
            yield Finding(FAILED, "%s failed: %s." % (part.part, within(part.reason, 300)),
                          "The command is under Not measured.", part.host, part.partner)
    if others:
        yield Finding(FAILED, "%s, and the first is %s: %s (exit code %d)." % (
            counted(len(others), "part"), others[0].part, within(others[0].reason, 200),
            others[0].code), "The reasons and commands are under Not measured.")


class Findings:
    """hosts: in order of appearance.  series: all values.  all: the findings, the greatest first,
    and what most hosts have last.  odd: those by which something is odd."""

    def __init__(self, of: Variant, left_out: Sequence[LeftOut]) -> None:
        self.of, self.left_out, racks = of, left_out, of.racks
        hosts = list(dict.fromkeys(host for f in of.files for host in f.hosts()))
        self.series = series_of(of.files, hosts, racks)
        self.hosts = list(dict.fromkeys(hosts + [
            host for part in left_out for host in (part.host, part.partner) if host]))
        self.all = list(worse_ones(self.series, racks))
        for more in (named_by_runs(of.files), differing(of.files), hindering(of.files),
                     failed(left_out)):
            self.all += more
        self.all.sort(key=Finding.weight)
        self.odd = [finding for finding in self.all if not finding.on_most_hosts]

    def runs(self) -> int:
        """How many runs of some part can be compared between all of its hosts; AGREE of them find a
        host that is worse than others."""
        return max([0] + [s.runs() for s in self.series])
