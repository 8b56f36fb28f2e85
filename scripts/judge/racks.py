# SPDX-License-Identifier: BSD-3-Clause
"""The racks of hosts, and the values of hosts, racks and pairs in a row of the program hosts.

The folder of the runs of an examination has them in the file "racks": a rack and a host in each
line.  Hosts of no rack are of the rack "".
"""
import os
from typing import Dict, Iterator, List, Optional, Tuple

from .results import as_list, as_number, as_object, as_text, as_whole
from .statistics import median_low
from .text import grouped, natural

FILE = "racks"
GROUPS = 64  # of hosts that follow each other, where there are no racks


def racks_in(folder: str) -> Dict[str, str]:
    """The rack of each host; {}: none is known."""
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8") as file:
            lines = [line.split() for line in file]
    except (OSError, UnicodeDecodeError):
        return {}
    return {words[1]: words[0] for words in lines if len(words) == 2}


Pair = Tuple[str, str]


def of(kind: str, us: Dict[str, float], pairs: Dict[Pair, float]
       ) -> Iterator[Tuple[str, str, str, float]]:
    usual = median_low(list(us.values())) if us else 1
    for name, value in us.items():
        yield kind, name, "", value
    for (one, other), value in pairs.items():
        times = [max(1, us.get(name, 0) / usual) for name in (one, other)]
        yield kind, one, other, value / times[0] / times[1]


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
        The time of a pair lacks what its two ends explain, which is so many times the typical time
        as each has."""
        yield from of("host", self.us, self.pairs)
        in_racks = grouped((host for host in self.us if racks.get(host)), racks.__getitem__)
        met: Dict[Pair, List[float]] = {}
        for pair, us in self.pairs.items():
            one, other = sorted(racks.get(host, "") for host in pair)
            if one and one != other:
                met.setdefault((one, other), []).append(us)
        if len(in_racks) > 1:
            yield from of("rack", {rack: median_low([self.us[host] for host in hosts])
                                   for rack, hosts in in_racks.items()},
                          {pair: median_low(us) for pair, us in met.items()})

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
