# SPDX-License-Identifier: BSD-3-Clause
"""Which hosts make a job fail: the list is halved until it is known.

Both halves of a list that fails are tried at the same time, and then the halves of those that fail:
a fault takes two trials for each doubling of the hosts.  If both halves pass, two hosts fail
together, one of either half, and a quarter of one half is tried with one of the other.  A host
alone is tried together with one that has passed, since it may fail with any partner.
"""
from typing import Callable, Generator, List, NamedTuple, Optional, Set, Tuple

from .plan import Outcome

Hosts = List[str]

IN_VAIN = 4  # waves of trials, of which none passed: it is no host's fault


class Trial(NamedTuple):
    """hosts: those that took part.  outcome: None: there was no time for it."""

    hosts: Hosts
    outcome: Optional[Outcome]

    def passes(self) -> bool:
        return self.outcome is not None and not self.outcome.status

    def fails(self) -> bool:
        return self.outcome is not None and self.outcome.status != 0


class Culprit(NamedTuple):
    """One host, two that fail together, or more: which of these it is was not found out."""

    hosts: Hosts
    trial: Trial


Task = Generator[List[Hosts], List[Trial], None]


class Pending:
    """A task, the trials that it wants, and those that were made."""

    def __init__(self, task: Task, wanted: List[Hosts]) -> None:
        self.task, self.wanted = task, wanted
        self.made: List[Optional[Trial]] = [None] * len(wanted)


def halves_of(hosts: Hosts) -> Tuple[Hosts, Hosts]:
    middle = (len(hosts) + 1) // 2
    return hosts[:middle], hosts[middle:]


class Halves:
    """try_all: makes trials of lists of hosts, no two of which share one, at the same time.  found:
    who is to blame.  passed: hosts that passed a trial.  waves: of trials."""

    def __init__(self, try_all: Callable[[List[Hosts]], List[Trial]]) -> None:
        self.try_all = try_all
        self.found: List[Culprit] = []
        self.passed: List[str] = []
        self.waves = 0
        self.pending: List[Pending] = []

    def search(self, failed: Trial) -> List[Culprit]:
        """Who is to blame for it; []: none of its hosts, as far as can be told."""
        self.begin(self.halve(failed.hosts, failed))
        while self.pending and (self.passed or self.waves < IN_VAIN):
            self.wave()
        return self.found if self.passed else []

    def begin(self, task: Task) -> None:
        for wanted in task:
            self.pending.append(Pending(task, wanted))
            return

    def wave(self) -> None:
        """The next trials of all tasks."""
        left = [(p, i) for p in self.pending for i, made in enumerate(p.made) if made is None]
        used = {host for p, i in left for host in p.wanted[i]}
        are_single = all(len(p.wanted[i]) == 1 for p, i in left)
        now = [(p, i, hosts) for p, i, hosts in (
            (p, i, self.with_partner(p.wanted[i], used, are_single)) for p, i in left) if hosts]
        self.waves += 1
        for (p, i, _), trial in zip(now, self.try_all([hosts for _, _, hosts in now])):
            p.made[i] = trial
            self.passed += trial.hosts if trial.passes() else []
        pending, self.pending = self.pending, []
        for p in pending:
            made = [trial for trial in p.made if trial is not None]
            if len(made) < len(p.made):
                self.pending.append(p)
                continue
            try:
                self.pending.append(Pending(p.task, p.task.send(made)))
            except StopIteration:
                pass

    def with_partner(self, hosts: Hosts, used: Set[str], are_single: bool) -> Hosts:
        """A host alone is tried with one that has passed, and waits for such a one; if none could
        come, it is tried alone.  []: it waits."""
        if len(hosts) > 1 or (are_single and not self.passed):
            return hosts
        partner = next((host for host in self.passed if host not in used), None)
        if partner is None:
            return []
        used.add(partner)
        return hosts + [partner]

    def halve(self, hosts: Hosts, failed: Trial) -> Task:
        """Of these hosts one or more are to blame."""
        if len(hosts) == 1:
            self.found.append(Culprit(hosts, failed))
            return
        halves = halves_of(hosts)
        trials = yield list(halves)
        if all(trial.passes() for trial in trials):
            yield from self.across(halves, failed)
        elif not any(trial.fails() for trial in trials):
            self.found.append(Culprit(hosts, failed))
        for half, trial in zip(halves, trials):
            if trial.fails():
                self.begin(self.halve(half, trial))

    def across(self, halves: Tuple[Hosts, Hosts], failed: Trial) -> Task:
        """Either half passes, and both together do not."""
        (a, b), (c, d) = map(halves_of, halves)
        for couples in ([(a, c), (b, d)], [(a, d), (b, c)]) if b or d else ():
            couples = [couple for couple in couples if all(couple)]
            trials = (yield [one + other for one, other in couples]) if couples else []
            for couple, trial in zip(couples, trials):
                if trial.fails():
                    self.begin(self.across(couple, trial))
            if any(trial.fails() for trial in trials):
                return
        self.found.append(Culprit(halves[0] + halves[1], failed))
