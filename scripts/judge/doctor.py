# SPDX-License-Identifier: BSD-3-Clause
"""doctor - which line starts MPI here, and do its bytes take the fast network?"""
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .documents import (ADVICE, ANSWER, DETAIL, NOTE, SCREEN, Cell, Column, Document,
                        Question, publish)
from .results import Result, as_list, as_number, as_object, as_text
from .text import counted, repaired, some_of

DOCTOR = 1  # number of the form in JSON
# What became of a line.
WORKS, SINGLETONS, BADLY_BOUND, HOSTS, NO_ANSWER, FAILS = \
    "works", "singletons", "badly bound", "other hosts", "no answer", "fails"
MESSAGE = r"^(?:# )?alidade: (?:error|warning) (%s): [a-z_0-9]*: (.*)((?:\n(?:#   |    ).*)*)"
FINDING = r"^# ([a-z_]+)=([a-z-]+): (.*)\n#   (.*)$"
PART = 0.1  # of the bytes, or of a rate: worth a name
SLOW = 0.5  # of the rate of the devices that carried the bytes
REASON = 47  # characters of a reason in the table
NAMED = 5  # things to do: the page has 40 lines


class Advice(NamedTuple):
    """what: is so.  remedy: what to do about it."""

    what: str
    remedy: str


def messages(text: str, codes: str) -> List[Advice]:
    """Those with these numbers that programs printed, each once, with their remedies."""
    found = re.findall(MESSAGE % codes, text, re.M)
    return list(dict.fromkeys(
        Advice("%s (%s)" % (what.rstrip("; "), code),
               " ".join(line.strip("# ") for line in remedy.split("\n")).strip())
        for code, what, remedy in found))


def findings(text: str) -> List[Advice]:
    """What the program where found to be in the way of MPI."""
    return [Advice("%s=%s: %s" % (key, value, why), remedy)
            for key, value, why, remedy in dict.fromkeys(re.findall(FINDING, text, re.M))]


# --- A line that was tried ----------------------------------------------------------------------


class Trial(NamedTuple):
    """name: of the launcher, with what tells it from others.  line: what precedes the program.
    word: what became of it.  why: in a few words.  out, err: what was printed."""

    name: str
    line: str
    word: str
    why: str
    out: str = ""
    err: str = ""


def header(out: str) -> Dict[str, str]:
    """The fields of the line that says where the ranks ran."""
    found = re.search("^# Alidade [^:]*: (.*)$", out, re.M)
    return dict(re.findall("([a-z]+)=([^;]*);", found.group(1))) if found else {}


def trial(name: str, line: str, outcome: Any, printed: Tuple[str, str], asked: Tuple[int, int],
          seconds: int) -> Trial:
    """outcome: of attempt().  printed: to standard output and error.  asked: how many ranks and
    hosts."""
    out, err = printed
    has = header(out)

    def ended(word: str, why: str) -> Trial:
        return Trial(name, line, word, why, out, err)

    if re.search(MESSAGE % "E0[12]", err, re.M):
        return ended(SINGLETONS, "each process is a job of its own (E01)")
    if outcome.status in (124, 137) and outcome.seconds >= seconds:
        return ended(NO_ANSWER, "it was ended after %d s" % seconds)
    if outcome.status:
        return ended(FAILS, outcome.why)
    if has.get("ranks") != str(asked[0]) or has.get("nodes") != str(asked[1]):
        return ended(HOSTS, "%s on %s, asked for %d on %d" % (
            counted(int(has.get("ranks", 0)), "rank"), counted(int(has.get("nodes", 0)), "host"),
            *asked))
    binding = messages(err, "W07")
    if binding:
        return ended(BADLY_BOUND, re.split(r",| \(", binding[0].what)[0] + " (W07)")
    return ended(WORKS, "bound=%s; path=%s" % (has.get("bound"), has.get("path")))


# --- What carried the bytes ---------------------------------------------------------------------


class Carried(NamedTuple):
    """by: names of devices, or what else; []: unknown.  value: MB/s.  share: of the rate of these
    devices, or None.  idle: others that are as fast.  advice: if it is not as it should be."""

    by: List[str]
    value: float
    share: Optional[float]
    idle: List[str]
    advice: List[Advice]


def payload(row: dict) -> float:
    """Bytes that a row sent one way."""
    times = as_number(row.get("iterations")) + as_number(row.get("warmup_iterations"))
    return as_number(row.get("bytes")) * as_number(row.get("window")) * times


def within_host(row: dict, loops: float) -> Carried:
    """loops: bytes that the loopback interface sent meanwhile."""
    advice = []
    if loops >= payload(row) / 2:
        advice = [Advice("the bytes went over lo (TCP), not through shared memory",
                         "See the limits below, and which transports the MPI library was told to "
                         "use: OMPI_MCA_btl, UCX_TLS, FI_PROVIDER.")]
    return Carried(["lo"] if advice else ["shared memory"], row["value"], None, [], advice)


def between_hosts(result: Result, err: str, commands: Dict[str, str]) -> Carried:
    """err: what bw printed to standard error."""
    row = result.rows[-1]
    # The network devices of the first host, with their rates in MB/s, or 0.
    links = {as_text(link.get("name")) or "": as_number(link.get("mb_per_s"))
             for link in map(as_object, as_list(result.field("environment.links")))}
    devices = [as_object(device) for device in as_list(row.get("devices"))]
    by = [device["name"] for device in devices if as_number(device.get("share")) >= PART]
    rates = [links.get(name, 0) for name in by]
    share = row["value"] / sum(rates) if rates and all(rates) else None
    idle = [name for name, rate in links.items() if name not in by and rate and
            rate >= max(rates, default=0) / 2]
    advice = messages(err, "W09")
    if not by:
        advice.append(Advice("the kernel counted no device that carried the bytes",
                             "Name the device that you expect: bw --expect=device=NAME; see which "
                             "devices are counted in doc/launch.md."))
    elif share is not None and share < SLOW:
        advice.append(Advice("the bytes moved at %.0f%% of the rate of %s" % (
            100 * share, ", ".join(by)), "Look for the slow host or link, among three hosts or "
            "more: " + commands["examine"]))
    return Carried(by, row["value"], share, idle, advice)


# --- The page -----------------------------------------------------------------------------------


class Diagnosis(NamedTuple):
    """build: its folder.  mpi: the library, as programs name it, or "".  hosts: their names.
    trials: those of all lines.  carried: None: nothing was measured; failed: why not, or "".
    limits: what is in the way.  libraries: that MPI uses.  commands: what users start."""

    build: str
    mpi: str
    hosts: Sequence[str]
    trials: Sequence[Trial]
    carried: Optional[Carried]
    failed: str
    limits: Sequence[Advice]
    libraries: Sequence[str]
    commands: Dict[str, str]


def best(trials: Sequence[Trial]) -> Optional[Trial]:
    """The line to use."""
    return next((each for each in trials if each.word == WORKS), None)


def is_well(d: Diagnosis) -> bool:
    return best(d.trials) is not None and d.carried is not None and not d.carried.advice


def verdict(d: Diagnosis) -> str:
    if best(d.trials) is None:
        return "no line starts the ranks as they should be"
    if d.carried is None:
        return "a line works, but bw does not: " + d.failed
    if d.carried.advice:
        return "a line works, but " + re.split(r",| \(", d.carried.advice[0].what)[0]
    if len(d.hosts) > 1 and d.carried.share is None:
        return "a line works, and no faster device was idle; the rate of %s is unknown" \
            % some_of(d.carried.by, 4)
    if len(d.hosts) > 1:
        return "a line works, and the fast network carried the bytes"
    return "a line works, and shared memory carried the bytes; the network was not tried"


def shortened(text: str, most: int = REASON) -> str:
    """So many characters of it, which do not end within a word."""
    return text if len(text) <= most else text[:most - 3].rpartition(" ")[0] + " ..."


def remedies(d: Diagnosis) -> List[Advice]:
    """What to do: about the start, if no line works; about the bytes; about limits."""
    starts: Dict[str, Advice] = {}
    for each in d.trials if best(d.trials) is None else ():
        for advice in messages(each.err, "E0[12]|W07"):
            starts.setdefault(advice.remedy, advice)
    return list(starts.values()) + (d.carried.advice if d.carried else []) + list(d.limits)


def document(d: Diagnosis) -> Document:
    page, line = Document(min(SCREEN, 80)), best(d.trials)
    page.add(NOTE, "%s, with the build in %s; %s: %s" % (
        d.mpi or "MPI", d.build, counted(len(d.hosts), "host"), some_of(d.hosts, 4)))
    table = page.table([Column("Result", 10, left=True), Column("Launcher", 18, left=True),
                        Column("Why", left=True)])
    for each in d.trials:
        table.row(Cell(each.word), each.name, shortened(each.why))
    page.add(ADVICE, *("%s: %s" % (each.name, each.why) for each in (() if line else d.trials)
                       if each.why != shortened(each.why)))
    if line:
        page.add(NOTE, "Start programs with:")
        page.add(DETAIL, line.line + " PROGRAM")
    if d.carried:
        share = d.carried.share
        page.add(ADVICE, "Carried by: %s; %.0f MB/s%s; libraries loaded: %s" % (
            ", ".join(d.carried.by) or "unknown", d.carried.value,
            "" if share is None else ", %.0f%% of the line rate" % (100 * share),
            ", ".join(d.libraries) or "none besides MPI"))
    if d.carried and d.carried.idle:
        rail = "set MPICH_OFI_NIC_POLICY (Cray MPICH)" if d.carried.idle[0].startswith("cxi") \
            else "use " + d.commands["rail"]
        hint = "" if d.carried.advice else " One rank uses one device, as a rule; to give each " \
            "rank of a host its own, %s." % rail
        page.add(ADVICE, "Not used: %s.%s" % (some_of(d.carried.idle, 8), hint))
    if line and len(d.hosts) == 1:
        page.add(ADVICE, "Network: one host has no other to send to; %s tries it."
                 % d.commands["two"])
    advice = remedies(d)
    for what, remedy in advice[:NAMED]:
        page.add(ADVICE, shortened(what, 160), "  What to do: " + remedy)
    if advice[NAMED:]:
        page.add(ADVICE, "%d more: --json FILE has all" % len(advice[NAMED:]))
    page.add(ANSWER, "doctor: %s: %s" % ("OK" if is_well(d) else "NOT OK", verdict(d)))
    return page


def as_json(d: Diagnosis) -> dict:
    line, carried = best(d.trials), d.carried

    def advice(each: Advice) -> dict:
        return {"what": repaired(each.what), "remedy": repaired(each.remedy)}

    return {"suite": "Alidade", "doctor": DOCTOR, "ok": is_well(d), "answer": repaired(verdict(d)),
            "build": repaired(d.build), "mpi": d.mpi, "hosts": [repaired(h) for h in d.hosts],
            "line": repaired(line.line) if line else None,
            "launchers": [{"name": each.name, "line": repaired(each.line), "result": each.word,
                           "why": repaired(each.why)} for each in d.trials],
            "carried": carried and {
                "by": carried.by, "mb_per_s": carried.value, "share_of_rate": carried.share,
                "not_used": carried.idle, "libraries": list(d.libraries)},
            "advice": [advice(each) for each in remedies(d)]}


def answer(question: Question, d: Diagnosis) -> int:
    """Answer: the exit code.  Errors: Refused."""
    publish(question, document(d), root=as_json(d))
    return 0 if is_well(d) else 2
