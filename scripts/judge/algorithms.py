# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms of collective operations, as an MPI library names and selects them."""
import re
from typing import Dict, List, Optional, Sequence, Tuple

from .text import Refused
from .tuning import NO_SIZE, Choice, Place, by_operation


def number_of(algorithm: Optional[str]) -> int:
    """Some algorithms begin with their number, as "3-recursive_doubling"; 0 is the default."""
    number = re.match(r"\s*[-+]?[0-9]+", algorithm or "")
    return int(number.group()) if number else 0


class Library:
    """How an MPI is told which algorithms to use.

    by_size, by_ranks: a choice holds for some sizes, some numbers of ranks; else for all.  ending:
    of the file that asks for what was chosen.  lists: the words of the program beside its mpirun
    that lists what it can be told.
    """

    by_size = by_ranks = True
    ending = "sh"
    lists: List[str] = []

    def check(self, operation: str) -> None:
        """Can a choice for this operation be written?  Errors: Refused."""

    def settings_for(self, operation: str) -> List[str]:
        return []

    def listed(self, settings: str, operation: str) -> List[str]:
        """The algorithms of an operation, in what the program printed."""
        raise NotImplementedError

    def control(self, operation: str, algorithm: str) -> str:
        """The variable words that ask for an algorithm at all sizes."""
        raise NotImplementedError

    def chosen(self, of_one: Sequence[Place]) -> str:
        """The variable words that ask for what is chosen, of the places of an operation; "":
        nothing is."""
        raise NotImplementedError

    def file(self, places: Sequence[Place]) -> str:
        """The contents of the file that asks for what is chosen, numbers of ranks ascending: here,
        commands of a shell that set variables."""
        text = "# Made by scripts/tune. A variable holds for all %snumbers of ranks.\n" % (
            "" if self.by_size else "sizes and ")
        for of_one in by_operation(places):
            name, _, value = self.chosen(of_one).partition("=")
            if value:
                text += "export %s=%s\n" % (
                    name, value if re.match(r"\w+\Z", value) else "'%s'" % value)
        return text

    def asks(self, path: str, place: Place) -> str:
        """The variable words that ask for what is chosen for one place; path: of its file."""
        return self.chosen([place])

    def how_to_use(self, file: str) -> List[str]:
        """Sentences for the user; file: quoted."""
        return ["To use it: . " + file]


def ranges_of(choices: Sequence[Choice], factor: int = 1) -> List[Tuple[float, Optional[str]]]:
    """(first bytes, algorithm), which holds up to the next one; bytes are multiplied by the factor.
    Between two sizes that were measured, what is chosen for the smaller holds.  What is smaller or
    larger than all of them keeps the default."""
    found: List[Tuple[float, Optional[str]]] = [(0, None)]
    after = [(choices[-1].bytes * factor + 1, None)] if choices else []
    for first, name in [(choice.bytes * factor, choice.algorithm) for choice in choices] + after:
        if name != found[-1][1]:
            found.append((first, name))
    return found


class OpenMPI(Library):
    """A file of rules of its component tuned."""

    # Numbers of operations, and whether its sizes are those of all blocks, where ours are those of
    # one: so a test of what is taken has shown for Open MPI 4.1.4.
    OPERATIONS = {"allgather": (0, True), "allreduce": (2, False), "alltoall": (3, True),
                  "bcast": (7, False), "gather": (9, True), "reduce": (11, False),
                  "scatter": (15, True)}
    # How variables begin that ask for algorithms.
    DYNAMIC = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_"
    ending = "rules"
    lists = ["ompi_info", "--param", "coll", "tuned", "--level", "9", "--parsable"]

    def check(self, operation: str) -> None:
        if operation not in self.OPERATIONS:
            raise Refused("Open MPI's rules for '%s' are not known" % operation)

    def listed(self, settings: str, operation: str) -> List[str]:
        return ["%s-%s" % pair for pair in re.findall(
            r"^mca:coll:tuned:param:coll_tuned_%s_algorithm:enumerator:value:([1-9][0-9]*):"
            r"([A-Za-z0-9_.-]*)$" % re.escape(operation), settings, re.M)]

    def control(self, operation: str, algorithm: str) -> str:
        return self.DYNAMIC + "%s_algorithm=%d" % (operation, number_of(algorithm))

    def asks(self, path: str, place: Place) -> str:
        return self.DYNAMIC + "dynamic_rules_filename=" + path

    def sizes_of(self, place: Place) -> List[str]:
        factor = place.ranks if self.OPERATIONS[place.operation][1] else 1
        return ["%.0f %d 0 0" % (first, number_of(name))
                for first, name in ranges_of(place.choices, factor)]

    def file(self, places: Sequence[Place]) -> str:
        """Numbers of ranks that were not measured keep the default."""
        operations = list(by_operation(places))
        lines = ["%d # operations; made by scripts/tune; 0 is the default" % len(operations)]
        for of_one in operations:
            blocks = [block(0)]
            for place, after in zip(of_one, of_one[1:] + [None]):
                blocks.append(block(place.ranks, self.sizes_of(place)))
                if after is None or after.ranks > place.ranks + 1:
                    blocks.append(block(place.ranks + 1))
            name = of_one[0].operation
            lines += ["%d # %s" % (self.OPERATIONS[name][0], name),
                      "%d # numbers of ranks" % len(blocks)]
            lines += [line for each in blocks for line in each]
        return "".join(line + "\n" for line in lines)

    def how_to_use(self, file: str) -> List[str]:
        return ["To use it: mpirun --mca coll_tuned_use_dynamic_rules 1 --mca "
                "coll_tuned_dynamic_rules_filename %s ..." % file,
                "With srun: export OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + file]


def block(ranks: int, sizes: Sequence[str] = ("0 0 0 0",)) -> List[str]:
    return ["%d # ranks or more" % ranks, "%d # sizes" % len(sizes)] + list(sizes)


class MPICH(Library):
    """A variable for each operation."""

    by_size = by_ranks = False
    lists = ["mpivars"]

    def listed(self, settings: str, operation: str) -> List[str]:
        """In the text of a variable, a line each; 4.0 has lost the ends of lines: a name follows
        the last word of the name before."""
        name, found, inside = "MPIR_CVAR_%s_INTRA_ALGORITHM" % operation.upper(), [], False
        for line in settings.splitlines():
            words = line.split()
            if re.match(r"\s+MPIR_CVAR_[A-Z0-9_]+ *[=:]", line):
                inside = words[0] == name or words[0].startswith(name + "=")
            elif inside and words[1:3] == ["-", "Force"]:
                found.append(words[0])
        for text in re.findall(r"^\s*%s *=.*JSON_FILE\)(.*)$" % name, settings, re.M):
            for word in re.findall("([A-Za-z_-]+) +- Force", text):
                word = re.sub("^.*(algorithms|algorithm|Tree|Allgather|Ring|Gather)", "", word)
                word = re.sub("^(catter)", r"s\1", re.sub("^mp$", "smp", word))
                if re.match(r"[a-z0-9_]+\Z", word):
                    found.append(word)
        return found

    def control(self, operation: str, algorithm: str) -> str:
        return "MPIR_CVAR_%s_INTRA_ALGORITHM=%s" % (operation.upper(), algorithm)

    def chosen(self, of_one: Sequence[Place]) -> str:
        algorithm = of_one[0].algorithm()
        return "" if algorithm is None else self.control(of_one[0].operation, algorithm)

    def how_to_use(self, file: str) -> List[str]:
        return super().how_to_use(file) + [
            "MPICH's variables hold for all sizes: an algorithm that is better at some sizes only "
            "is not taken."]


class Intel(Library):
    """A variable for each operation, with ranges of sizes: bytes of one block, as ours.  Its
    algorithms have numbers alone; 0 is the default.

    Ranges have to cover all sizes: 2021.18.1 extends one to the sizes that no other has.  It also
    takes numbers of ranks, but where both are in one variable it did not obey.
    """

    by_ranks = False
    lists = ["impi_info", "-v"]
    LARGEST = (1 << 31) - 1

    def settings_for(self, operation: str) -> List[str]:
        return ["I_MPI_ADJUST_" + operation.upper()]

    def listed(self, settings: str, operation: str) -> List[str]:
        last = re.search(r"^\s*range: *0-([0-9]+)", settings, re.M)
        return [str(number) for number in range(1, int(last.group(1)) + 1)] if last else []

    def control(self, operation: str, algorithm: str) -> str:
        return "I_MPI_ADJUST_%s=%s" % (operation.upper(), algorithm)

    def chosen(self, of_one: Sequence[Place]) -> str:
        operation, algorithm = of_one[0].operation, of_one[0].algorithm()
        choices = {choice.bytes: choice for place in of_one for choice in place.choices}
        if NO_SIZE in choices:
            return self.control(operation, algorithm) if algorithm else ""
        ranges = ranges_of([choice for _, choice in sorted(choices.items())])
        ends = [first - 1 for first, _ in ranges[1:]] + [self.LARGEST]
        words = ["%s:%.0f-%.0f" % (name or 0, first, end)
                 for (first, name), end in zip(ranges, ends)]
        return self.control(operation, ";".join(words)) if words[1:] else ""


LIBRARIES: Dict[str, Library] = {"openmpi": OpenMPI(), "mpich": MPICH(), "intel": Intel()}
