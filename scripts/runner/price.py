# SPDX-License-Identifier: BSD-3-Clause
"""price - what an application's calls of MPI cost under other MPIs, settings or launchers."""
from typing import Dict, List, Sequence, Tuple

from judge import price as judge
from judge.text import Refused, counted

from .builds import default_build
from .compare import Compare
from .folders import say
from .options import Options, question_of
from .plan import Command, Line
from .variants import Variant, read_variants

USAGE = """Usage: alidade price [OPTION...] RECORD [VARIANT...]
Say what the calls of an application cost under other MPIs or settings.

  RECORD   file that alidade record, or mpiP, has written
  VARIANT  as of scripts/compare; others are compared with the first
           [build/openmpi or build/mpich]

For each call of the record the benchmark of that call runs, with its size and
its number of ranks. The price is the time of one call times their number.

Options:
  --runs N           runs of each program per variant [8]
  --limit TIME       time limit of a run [1h]
  --results DIR      folder for JSON files; to resume, repeat [price-DATE]
  --margin PERCENT   smallest relevant difference [3]
  --abi BUILD        build for the ABI of MPI 5, used with each prefix
  --cache DIR        where releases are kept [~/.cache/alidade]
  --wheels DIR       take releases from this folder of wheels
  --markdown FILE    also write the answer as Markdown
  --json FILE        also write the prices as JSON

Example:
  alidade price app.json now=build/openmpi new=pypi:mpich==5.0.2

Exit codes: 0 success, 1 failed, 3 wrong data, 130, 143 interrupted.
"""


class Price(Compare):
    """jobs: (program, ranks) of each name of a line."""

    name = "price"
    has_baseline = False  # prices say what differs, not rows

    def __init__(self, o: Options, of: judge.Record, variants: Sequence[Variant]) -> None:
        self.sizes: Dict[Tuple[str, int], List[int]] = {}
        for part in of.priced():
            self.sizes.setdefault(part.job(), []).append(part.size)
        self.jobs = {"%s-on-%d" % job: job for job in self.sizes}
        # The launcher of a build places as many ranks as the largest job has.
        o.ranks = max(ranks for _, ranks in self.sizes)
        super().__init__(o, variants, sorted({program for program, _ in self.sizes}), [])
        self.programs = list(self.jobs)

    def say_too_few(self) -> None:
        """Before the first run, that so few give no price."""
        if self.runs < judge.RUNS:
            say("price: %s give no price: at least %d are needed" % (counted(self.runs, "run"),
                                                                     judge.RUNS))

    def command_of(self, line: Line) -> Command:
        variant, (program, ranks) = self.by_name[line.variant], self.jobs[line.program]
        binary = variant.build.need(program)
        sizes = sorted(set(self.sizes[program, ranks]))
        words = variant.launcher.replace("{n}", str(ranks)).split() + [binary]
        if program != "barrier":
            words.append("--sizes=" + ",".join(map(str, sizes)))
        return Command(binary, words, variant.settings + variant.variables)

    def priced(self, of: judge.Record) -> List[judge.Priced]:
        return [judge.Priced(variant.name, of, {
            job: dict(self.files_of(Line(name, variant.name))) for name, job in self.jobs.items()})
            for variant in self.variants]


def main(o: Options) -> int:
    if not o.words:
        raise Refused("price needs a record; alidade record makes one")
    of = judge.read_record(o.words[0])
    variants = read_variants(o.words[1:] or [default_build().folder], o.abi)
    for variant in variants:
        if variant.is_stored():
            raise Refused("variant %s is stored results, which have not the sizes of the record"
                          % variant.name)
    plan = Price(o, of, variants)
    if plan.live or o.print:
        plan.make()
    return plan.finish(judge.answer(question_of(o), of, plan.priced(of)))
