# SPDX-License-Identifier: BSD-3-Clause
"""examine - which hosts are odd?  In words, as JSON, and as a page of all that was measured."""
from typing import Dict, List, Sequence

from .comparable import May
from .documents import (ANSWER, DETAIL, HEADING, ITEM, NOTE, Cell, Column, Document, Question,
                        publish)
from .findings import FACT, FAILED, NETWORK, NOISE, TEXT, VALUE, WITHIN, Finding, Findings, LeftOut
from .host_values import AGREE, HOSTS, RACK, HostValues, Series, number, racks_in
from .report import Report, page_of
from .results import Variant, as_object, as_text
from .rows import table_of
from .text import (Refused, counted, grouped, output, plural, repaired, some_of, version, within,
                   write_file)

FORM = 1             # number of the form in JSON
ODD, TOO_FEW = 2, 3  # exit codes
AGAIN, PAIRS = 4, 3  # hosts of a comparison; and as many as pairs need, be they odd or not
NAMED = 8            # at most so many hosts are named
COMMAND = 1999       # bytes of a command

# What shows more of a host, for each kind of finding.
LOOK = {
    NETWORK: "ip -s link; dmesg | tail -n 40",
    WITHIN: "lscpu; uptime; dmesg | tail -n 40",
    NOISE: "ps -eLo psr,pcpu,comm --sort=-pcpu | head -n 20",
    FACT: "uname -a; lscpu; ulimit -a",
    FAILED: "uptime; df; dmesg | tail -n 40",
}

RULES = (
    "Latency and bandwidth within and between hosts, and noise, were measured in several runs. A "
    "run names a host whose value is worse than the median of all hosts by 10% (noise: 1%, in a "
    "fixed period 0.5%; speed of a CPU: 3%) and by four standard deviations, 1.4826 times the "
    "median absolute deviation each. It names a pair that is worse by 50% and six deviations than "
    "its two ends explain. So it is with racks. Runs of pair_matrix and pair_bw name hosts and "
    "pairs themselves. A finding is what at least {} runs name, and three quarters of all. What "
    "was measured while ranks shared CPUs makes nothing odd.".format(AGREE))

# --- What to type next --------------------------------------------------------------------------


def some_of_racks(hosts: Sequence[str], racks: Dict[str, str]) -> List[str]:
    of = grouped(hosts, lambda host: racks.get(host, ""))
    return [host for some in of.values() for host in some[:AGAIN]]


def hosts_again(f: Findings, finding: Finding) -> List[str]:
    """The host, its partner, and others that nothing is known against, as many as a comparison
    takes; of a rack some hosts, and some of two others."""
    if len(f.hosts) < 2:
        return []
    racks, is_rack = f.of.racks, finding.host.startswith(RACK)
    again = [host for host in f.hosts if finding.is_of(host, racks)]
    again = some_of_racks(again, racks) if is_rack else again
    taken = set(again)
    others = [host for host in f.hosts if host not in taken]
    is_good = {host: not any(other.is_of(host, racks) for other in f.all) for host in others}
    good = [host for host in others if is_good[host]]
    again += some_of_racks(good, racks)[:2 * AGAIN] if is_rack else good[:AGAIN - len(again)]
    return again + [host for host in others if not is_good[host]][:max(0, PAIRS - len(again))]


def again_of(f: Findings, finding: Finding, command: str) -> str:
    """The command, which has {hosts}, for the hosts of a finding; "": none."""
    if "{hosts}" not in command or (finding.kind == FAILED and not finding.host):
        return ""
    return within(command.replace("{hosts}", " ".join(hosts_again(f, finding)), 1), COMMAND)


def look_of(f: Findings, finding: Finding) -> str:
    """The command that shows more of the host of a finding; "": none."""
    if finding.kind == VALUE or finding.host.startswith(RACK) or \
            (finding.kind == FAILED and not finding.host):
        return ""
    if len(f.hosts) > 1 and finding.host:
        return "ssh %s '%s'" % (finding.host, LOOK[finding.kind])
    return LOOK[finding.kind]


# --- The sentences ------------------------------------------------------------------------------


def answer_of(f: Findings) -> str:
    hosts, few = counted(len(f.hosts), "host"), f.runs() < AGREE
    named = list(dict.fromkeys(name for finding in f.odd for name in (finding.host, finding.partner)
                               if name.startswith(RACK)))
    named += [host for host in f.hosts if any(finding.is_of(host, {}) for finding in f.odd)]
    shown = f.left_out
    if not f.all and not f.series:
        text = "Nothing is known: no latency, bandwidth or noise was measured."
    elif not f.odd and len(f.hosts) < HOSTS:
        text = "No verdict: hosts are compared with each other, which takes at least %d; %s " \
               "measured." % (HOSTS, "1 was" if len(f.hosts) == 1 else "%d were" % len(f.hosts))
        shown = [part for part in f.left_out if part.has_failed()]
    elif not f.odd and few:
        text = "Nothing is known of %s: it takes %d runs on %d hosts with a CPU for each rank, " \
               "and %d counted." % (hosts, AGREE, HOSTS, f.runs())
    elif not f.odd:
        text = "Nothing is odd on %s." % hosts
    elif named:
        text = "Odd: %s, of %s." % (within(some_of(named, NAMED), TEXT), hosts)
    else:
        text = "Odd: %s of no single host, of %s." % (counted(len(f.odd), "finding"), hosts)
    if len(f.all) > len(f.odd):
        text += " What most hosts have is not odd."
    if shown:
        text += " %d part%s not measured." % (len(shown), plural(len(shown), " was", "s were"))
    return within(text, TEXT)


def whose(finding: Finding) -> str:
    """"h2", "h1 and h3", or "All hosts"."""
    text = finding.host or (
        "Failed" if finding.kind == FAILED else
        "Most hosts" if finding.on_most_hosts else "All hosts")
    return text + (" and " + finding.partner if finding.partner else "")


def circumstances(f: Findings) -> str:
    files, first = f.of.files, f.of.files[0]
    verified = sum(row.get("verified") == "pass" for file in files for row in file.rows)
    started = within(as_text(first.root.get("started")) or "", 10)
    processor = as_object(first.environment.get("hardware")).get("processor")
    return within("%s; %s; %d rows verified; %s; %s; %s" % (
        started, counted(len(files), "run"), verified, first.environment["mpi"],
        as_text(processor) or "", as_text(first.environment.get("kernel")) or ""), TEXT)


# --- The document -------------------------------------------------------------------------------


def add_values(d: Document, f: Findings) -> None:
    d.add(HEADING, "Values")
    table = d.table([Column("What", 52, left=True), Column("Typical host", 12),
                     Column("Best to worst host", left=True)])
    for series in f.series:
        is_odd = any(v.is_worse() for v in series.hosts)
        # "0.34 (h0) to 0.37 (h3)", or the name of what all values are of.
        text = " to ".join("%s (%s)" % (number(v.median), v.name()) for v in series.ends()) \
            if len(series.hosts) > 1 else series.hosts[0].name()
        table.row(series.label, "%s %s" % (number(series.typical.median), series.unit),
                  Cell(text + ("  ODD" if is_odd else ""),
                       mark="slower" if is_odd else None))


def document(f: Findings, command: str) -> Document:
    d = Document()
    d.add(ANSWER, answer_of(f))
    d.add(NOTE, f.of.loaded_words(), circumstances(f), f.of.failed_runs())
    for finding in f.all:
        d.add(ITEM, finding.what, lead=whose(finding))
        d.add(DETAIL, finding.evidence)
        for lead, text in (("Again", again_of(f, finding, command)), ("Look", look_of(f, finding))):
            if text:
                d.add(DETAIL, text, lead=lead)
    if f.series:
        add_values(d, f)
    if f.left_out:
        d.add(HEADING, "Not measured")
    for part in f.left_out:
        d.add(ITEM, part.reason, lead=part.part)
        if part.command:
            d.add(DETAIL, part.command, lead="Command")
    return d


# --- For programs -------------------------------------------------------------------------------


def finding_json(f: Findings, finding: Finding, command: str) -> dict:
    runs, of = finding.runs
    return {
        "kind": finding.kind, "host": finding.host or None, "partner": finding.partner or None,
        "benchmark": finding.benchmark or None, "what": finding.what, "evidence": finding.evidence,
        "on_most_hosts": finding.on_most_hosts, "ratio": finding.ratio or None,
        "runs": runs if of else None, "of_runs": of or None,
        "again": repaired(again_of(f, finding, command)) or None,
        "look": look_of(f, finding) or None,
    }


def shown(series: Series) -> List[HostValues]:
    """Of pairs, which are many, the best and those that are worse than others."""
    best = series.ends()[0]
    return [v for v in series.hosts if not v.partner or v.is_worse() or v is best]


def as_json(f: Findings, command: str) -> dict:
    return {
        "suite": "Alidade", "examination": FORM, "version": version(), "hosts": f.hosts,
        "runs": len(f.of.files),
        "findings": [finding_json(f, finding, command) for finding in f.all],
        "values": [{
            "what": series.label, "unit": series.unit,
            "hosts": [{"host": v.name(), "runs": len(v.costs), "median": v.median,
                       "ratio": v.ratio if series.margin > 0 else None} for v in shown(series)],
        } for series in f.series],
        "not_measured": [{"part": part.part, "exit": part.code, "reason": part.reason,
                          "command": part.command or None} for part in f.left_out],
    }


def findings_in(folder: str, left_out: Sequence[LeftOut]) -> Findings:
    of = Variant("examination")
    of.add(folder)
    of.racks = racks_in(folder)
    return Findings(of, left_out)


def is_open(folder: str) -> bool:
    """May more runs find a host that those in the folder do not?  Too few can be compared, or most
    of them name it."""
    f = findings_in(folder, [])
    return f.runs() < AGREE or any(not v.is_worse() and 2 * v.named > v.compared
                                   for series in f.series for v in series.hosts)


def answer(question: Question, words: List[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    if len(words) != 1:
        raise Refused("one folder of results is needed")
    command, f = question.command or "", findings_in(words[0], question.left_out)
    of = f.of
    counted, _ = table_of([of], May())
    d = document(f, command)
    publish(question, d, "", root=as_json(f, command), of=[of])
    rules = Document().add(HEADING, "When a host is odd").add(NOTE, RULES)
    write_file(question.output, page_of(Report([of], counted, title=question.title, answer=d,
                                              rules=rules)))
    output.write("# page: %s\n" % question.output)
    if f.odd:
        return ODD
    if not f.series:
        return 1
    return 0 if f.runs() >= AGREE else TOO_FEW
