# SPDX-License-Identifier: BSD-3-Clause
"""What was measured of hosts, and whose values are worse than those of the others.

Values of one kind are a series, several of each host, rack or pair of these.  A run names a host if
its cost is an outlier among those of all hosts in this run.  A host is worse if AGREE runs or more
name it, and three quarters of those in which it was compared; among fewer than HOSTS hosts none is.
So it is with racks and pairs.  What was measured while ranks shared CPUs is listed, and makes no
host worse.

The folder of the runs has racks in the file "racks": a rack and a host in each line.  Hosts of no
rack are of the rack "".
"""
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .limits import SLOWER
from .results import Result, as_list, as_number, as_object, as_text, as_whole, is_whole
from .rows import fault_of, figure_of, is_meant, time_of
from .statistics import median, median_low, outlier_limit
from .text import grouped, natural, size_words, within

RACKS = "racks"  # the file
GROUPS = 64  # of hosts that follow each other, where there are no racks
HOSTS, AGREE = 3, 5

# Smallest relevant differences: of times and bandwidths, of those of a pair, of the speed of a CPU,
# of the time that noise takes, and of that in a fixed period.
TIMES, PAIRS, SPEED, NOISE, PERIOD = SLOWER, 0.5, 0.03, 0.01, 0.005

# From so many bytes on the time of a message is shown as a bandwidth.
LARGE = 1 << 16

# In this order values are listed; those of others follow.
PROGRAMS = ["latency", "bw", "hosts", "pair_matrix", "pair_bw", "noise"]

BY_RACK, RACK = ", by rack", "rack "


def racks_in(folder: str) -> Dict[str, str]:
    """The rack of each host; {}: none is known."""
    try:
        with open(os.path.join(folder, RACKS), encoding="utf-8") as file:
            lines = [line.split() for line in file]
    except (OSError, UnicodeDecodeError):
        return {}
    return {words[1]: words[0] for words in lines if len(words) == 2}


Pair = Tuple[str, str]


class Meetings:
    """A row of the program hosts.

    hosts: that have a time.  us: of each.  pairs: of each two that met, the mean of both.
    """

    def __init__(self, row: dict) -> None:
        every = [as_object(host) for host in as_list(row.get("hosts"))]
        names = [as_text(host.get("host")) or "?" for host in every]
        self.bytes = as_whole(row.get("bytes"))
        self.is_within = as_whole(row.get("rounds")) == 0
        self.us = {name: float(as_number(host.get("us"))) for name, host in zip(names, every)
                   if as_number(host.get("us")) > 0}
        both: Dict[Tuple[int, int], List[float]] = {}
        for i, host in enumerate(every):
            for k, us in zip(as_list(host.get("partners")), as_list(host.get("partner_us"))):
                if 0 <= as_whole(k) < len(every) and as_number(us) > 0:
                    both.setdefault((min(i, k), max(i, k)), []).append(us)
        self.pairs = {(names[i], names[k]): sum(us) / len(us) for (i, k), us in both.items()}

    def all(self, racks: Dict[str, str]) -> Iterator[Tuple[str, str, str, float]]:
        """What was measured: ("host" or "rack", its name, that of the other of a pair or "", time).
        Each end of a pair is so many times as slow as it, or its rack, is to all: the time of the
        pair lacks both, and that of a host lacks those of its partners, of which most may be slow
        by chance where it met few."""
        usual = median_low(list(self.us.values())) if self.us else 1
        in_racks = grouped((host for host in self.us if racks.get(host)), racks.__getitem__)
        of_rack = {rack: median_low([self.us[host] for host in hosts])
                   for rack, hosts in in_racks.items()}

        def times(end: str, other: str) -> float:
            rack = racks.get(end, "")
            return max(1, self.us.get(end, 0) / usual,
                       of_rack.get(rack, 0) / usual if rack != racks.get(other) else 0)

        forgiven: Dict[str, List[float]] = {}
        of_racks: Dict[Pair, List[float]] = {}
        for (one, other), us in self.pairs.items():
            for host, partner in ((one, other), (other, one)):
                forgiven.setdefault(host, []).append(us / times(partner, host))
            ends = sorted(racks.get(host, "") for host in (one, other))
            if ends[0] and ends[0] != ends[1]:
                of_racks.setdefault((ends[0], ends[1]), []).append(us)
        for host, us in self.us.items():
            yield "host", host, "", median_low(forgiven[host]) if host in forgiven else us
        for (one, other), us in self.pairs.items():
            yield "host", one, other, us / times(one, other) / times(other, one)
        if len(in_racks) > 1:
            usual = median_low(list(of_rack.values()))
            for rack, us in of_rack.items():
                yield "rack", rack, "", us
            for (one, other), every in of_racks.items():
                yield "rack", one, other, median_low(every) / max(
                    1, of_rack[one] / usual) / max(1, of_rack[other] / usual)

    def map(self, racks: Dict[str, str], most: int) -> Optional[dict]:
        """All pairs, as rows of pair_matrix have them, in the order of racks; where there are more
        than so many hosts, those of racks or of groups of hosts.  None: nobody met."""
        hosts = sorted(self.us, key=lambda host: natural(racks.get(host, "")))
        if not self.pairs:
            return None
        group = {host: host for host in hosts}
        if len(hosts) > most and racks:
            group = {host: "rack " + (racks.get(host) or "?") for host in hosts}
        elif len(hosts) > most:
            each = -(-len(hosts) // GROUPS)
            group = {host: "%d hosts from %s" % (each, hosts[i - i % each])
                  for i, host in enumerate(hosts)}
        names = list(dict.fromkeys(group.values()))
        cells: Dict[Pair, List[float]] = {}
        for (one, other), us in self.pairs.items():
            ends = group.get(one, ""), group.get(other, "")
            for cell in {ends, ends[::-1]}:
                cells.setdefault(cell, []).append(us)
        return {"hosts": names, "matrix_us": [
            [median_low(cells[one, other]) if (one, other) in cells else None for other in names]
            for one in names]}


class Value(NamedTuple):
    """Of a host in a run.

    margin: smallest relevant difference; 0: hosts are not compared.  cost: a time, or what else is
    worse where it is greater; above 0.  figure: the same as it is printed, in the unit.  run: its
    number, which the same run of other hosts has, too.  partner: the other of a pair; "": it is
    none.
    """

    label: str
    unit: str
    margin: float
    host: str
    cost: float
    figure: float
    run: int = 0
    partner: str = ""


def agree(named: int, of: int) -> bool:
    """Do so many runs name the same thing, out of so many, that it is no chance?"""
    return named >= AGREE and 4 * named >= 3 * of


class HostValues:
    """Those of a host in a series.

    costs: one for each run, by its number, and which of this number it is.  median: of the figures.
    cost: median of the costs.  ratio: of it to that of the typical host.  named: so many runs name
    the host.
    """

    def __init__(self, values: Sequence[Value]) -> None:
        self.host, self.partner = values[0].host, values[0].partner
        self.costs: Dict[Tuple[int, int], float] = {}
        for value in values:
            same = sum(number == value.run for number, _ in self.costs)
            self.costs[value.run, same] = value.cost
        self.median = median([value.figure for value in values])
        self.cost, self.ratio, self.named = median(list(self.costs.values())), 1.0, 0
        self.compared = 0  # runs in which HOSTS hosts were

    def is_worse(self) -> bool:
        return agree(self.named, self.compared)

    def name(self) -> str:
        return self.host + (" and " + self.partner if self.partner else "")

    def what(self) -> str:
        """What it is compared with others of."""
        return "pair" if self.partner else "rack" if self.host.startswith(RACK) else "host"


class Series:
    """Values of one kind; hosts are in the order in which they were met.

    typical: the host in the middle; of two the better one, so that of two slow hosts among four
    both are named.
    """

    def __init__(self, values: Sequence[Value]) -> None:
        self.label, self.unit, self.margin = values[0][:3]
        of = grouped(values, lambda value: (value.host, value.partner))
        self.hosts = [HostValues(every) for every in of.values()]
        self.typical = sorted(self.hosts, key=lambda v: v.cost)[(len(self.hosts) - 1) // 2]
        for v in self.hosts:
            v.ratio = v.cost / self.typical.cost
        if self.margin > 0:
            for run in dict.fromkeys(run for v in self.hosts for run in v.costs):
                self.name_outliers(run)

    def name_outliers(self, run: Tuple[int, int]) -> None:
        """Of the hosts that have this run: another round met another machine."""
        there = [v for v in self.hosts if run in v.costs]
        if len(there) < HOSTS:
            return
        costs = [v.costs[run] for v in there]
        limit = outlier_limit(costs, median_low(costs), self.margin,
                              6 if self.margin == PAIRS else 4)
        for v in there:
            v.named += v.costs[run] > limit
            v.compared += 1

    def runs(self) -> int:
        """In how many every host was compared with others.  AGREE of them can call a host worse."""
        return min(v.compared for v in self.hosts)

    def ends(self) -> Tuple[HostValues, HostValues]:
        least = min(self.hosts, key=lambda v: v.median)
        most = max(self.hosts, key=lambda v: v.median)
        return (most, least) if self.unit == "MB/s" else (least, most)


# --- The values of a run ------------------------------------------------------------------------


def known(text: Any) -> str:
    """A text of a document, or "?" if it is none."""
    return text if isinstance(text, str) else "?"


def hosts_of(f: Result) -> Tuple[str, int]:
    """("h1", "h0 and h1" or "4 hosts", how many nodes there are)."""
    nodes = as_whole(f.environment.get("nodes"))
    if nodes > 2:
        return "%d hosts" % nodes, nodes
    ranks = len(as_list(f.environment.get("rank")))
    first, last = known(f.host_of(0)), known(f.host_of(ranks - 1))
    return first + (" and " + last if nodes == 2 else ""), nodes


def number(value: float) -> str:
    return ("%.0f" if value >= 1000 else "%.4g") % value


def number_in(of: dict, name: str) -> float:
    return float(as_number(of.get(name)))


def timed(f: Result, row: dict, is_compared: bool) -> Iterator[Value]:
    """A row of times or bandwidths; is_compared: if it is of two ranks within a host, with other
    hosts."""
    figure = figure_of(row)
    time = time_of(row, figure)
    if not is_meant(row) or fault_of(row, time) is not None:
        return
    host, nodes = hosts_of(f)
    is_pair = f.benchmark in ("latency", "bw")
    label = "%s %s" % (f.benchmark, "between hosts" if nodes > 1 else "within a host")
    if is_whole(row.get("bytes")):
        label += ", " + size_words(row["bytes"])
    if not is_pair:
        label += ", %d ranks" % row["ranks"]
    is_compared = is_compared and is_pair and nodes == 1 and not f.is_crowded()
    yield Value(label, within(known(row.get("unit")), 7), TIMES if is_compared else 0, host,
                time, figure)


def typical_pairs(f: Result, row: dict) -> Iterator[Value]:
    """What is typical of all pairs, for each kind of path."""
    host, _ = hosts_of(f)
    for path in map(as_object, as_list(as_object(row["pairs"]).get("paths"))):
        is_time = "typical_us" in path
        figure = number_in(path, "typical_us" if is_time else "typical_mb_per_s")
        if figure > 0:
            size = size_words(as_whole(row.get("bytes")))
            label = "%s, %s, %s, typical pair" % (
                f.benchmark, as_text(path.get("path")) or "", size)
            yield Value(within(label, 159), "us" if is_time else "MB/s", 0, host,
                        figure if is_time else 1 / figure, figure)


def of_hosts(f: Result, row: dict, racks: Dict[str, str]) -> Iterator[Value]:
    """Those of the program hosts; of a pair what its ends do not explain."""
    m = Meetings(row)
    is_rate, judged = m.bytes >= LARGE, not f.is_crowded()
    unit, place = "MB/s" if is_rate else "us", "within a host" if m.is_within else "between hosts"
    places = {("host", False): place, ("rack", False): place + BY_RACK,
              ("host", True): "between two hosts", ("rack", True): "between two racks"}
    labels = {of: "hosts, %s, %s" % (where, size_words(m.bytes)) for of, where in places.items()}
    for kind, one, other, us in m.all(racks):
        rack = RACK * (kind == "rack")
        yield Value(labels[kind, bool(other)], unit, judged * (PAIRS if other else TIMES),
                    rack + one, us, m.bytes / us if is_rate else us, 0, other and rack + other)


def lost_in_period(rank: dict) -> float:
    """The share of time that a rank loses most in a fixed period, but for the timer tick, which all
    CPUs have."""
    periods = map(as_object, as_list(rank.get("periods")))
    return max([0.0] + [number_in(p, "lost") for p in periods if p.get("tick") is not True])


def noise(f: Result, row: dict, hosts: Sequence[str]) -> Iterator[Value]:
    """The shares of time that the ranks of each host lost, and the shortest quantum of the slowest.
    Ranks of one run do the same work."""
    judged = 0 if f.is_crowded() else 1
    every = map(as_object, as_list(as_object(row["noise"]).get("ranks")))
    of = grouped(every, lambda rank: as_text(rank.get("host")))
    for host in hosts:
        ranks = of.get(host, [])
        quantum = max([0.0] + [number_in(rank, "quantum_us") for rank in ranks])
        if quantum <= 0:
            continue
        lost = sum(number_in(rank, "lost") for rank in ranks) / len(ranks)
        for label, margin, share in (
                ("noise, time lost", NOISE, lost),
                ("noise, time lost in a fixed period", PERIOD, max(map(lost_in_period, ranks)))):
            if share < 1:
                yield Value(label, "%", judged * margin, host, 1 / (1 - share), 100 * share)
        yield Value("noise, time of fixed work, slowest CPU", "us", judged * SPEED, host, quantum,
                    quantum)


def values_of(f: Result, hosts: Sequence[str], racks: Dict[str, str]) -> Iterator[Value]:
    """Those of a run.  Of times the first and the last row, of bandwidths the last; of the program
    hosts all of the least and the largest size."""
    last, is_rate = len(f.rows) - 1, f.benchmark == "bw"
    sizes = sorted(as_whole(row.get("bytes")) for row in f.rows if "hosts" in row)
    for i, row in enumerate(f.rows):
        if "hosts" in row:
            yield from of_hosts(f, row, racks) if as_whole(row.get("bytes")) in (
                sizes[0], sizes[-1]) else ()
        elif "pairs" in row:
            yield from typical_pairs(f, row)
        elif "noise" in row:
            yield from noise(f, row, hosts)
        elif "placement" not in row and (i == last or i == 0 and not is_rate):
            yield from timed(f, row, is_rate or i == 0)


def series_of(files: Sequence[Result], hosts: Sequence[str], racks: Dict[str, str]
              ) -> List[Series]:
    """All that was measured of the hosts, in the order in which it is listed."""
    order = sorted(files, key=lambda f: (PROGRAMS + [f.benchmark]).index(f.benchmark))
    every = [value._replace(run=f.number) for f in order for value in values_of(f, hosts, racks)]
    return [Series(values) for values in grouped(every, lambda value: value.label).values()]
