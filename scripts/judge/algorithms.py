# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms of collective operations, as an MPI library names and selects them.

Each library is told by a file of commands of a shell that set variables.  What does not fit into
variables is in files next to that one, which they name.
"""
import json
import os
import re
import shlex
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type

from .text import Refused, write_file
from .tuning import NO_SIZE, Place, by_operation

Ranges = List[Tuple[float, Optional[str]]]


class Setting(NamedTuple):
    """The algorithms of an operation with a number of ranks.  ranges: (first bytes, algorithm),
    which holds up to the next one; None is the default."""

    operation: str
    ranks: int
    ranges: Ranges


def settings_of(places: Sequence[Place], by_ranks: bool) -> List[Setting]:
    """What is chosen, if anything is, of each place, or of each operation with 0 ranks.  Between
    two sizes that were measured, what is chosen for the smaller holds.  What is smaller or larger
    than all of them keeps the default."""
    found = []
    for group in [[place] for place in places] if by_ranks else by_operation(places):
        choices = {choice.bytes: choice.algorithm for place in group for choice in place.choices}
        sizes = [(max(0, bytes), name) for bytes, name in sorted(choices.items())]
        ranges: Ranges = [(0, None)]
        # What has no size has no end.
        after = [(sizes[-1][0] + 1, None)] if max(choices, default=NO_SIZE) >= 0 else []
        for first, name in sizes + after:
            if name != ranges[-1][1]:
                ranges = [each for each in ranges if each[0] < first] + [(first, name)]
        if ranges != [(0, None)]:
            found.append(Setting(group[0].operation, group[0].ranks if by_ranks else 0, ranges))
    return found


class Library:
    """What an MPI library can be told.

    said: what it says of itself.  by_ranks: a setting holds for one number of ranks; else for all.
    lists: the words of the program beside its mpirun that lists what it can be told; none: its own
    file has it.  usual: the component that serves the operations if nobody could tell; "": it has
    none.  shows: the variable words with which runs tell.
    OPERATIONS: what to know of each; empty: it takes all.
    """

    by_ranks = True
    lists: List[str] = []
    usual = ""
    shows: List[str] = []
    OPERATIONS: Dict[str, Any] = {}

    def __init__(self, said: str) -> None:
        self.said = said

    def check(self, operation: str) -> None:
        """Can a choice for this operation be written?  Errors: Refused."""
        if self.OPERATIONS and operation not in self.OPERATIONS:
            raise Refused("the settings of this MPI for '%s' are not known" % operation)

    def listed(self, operation: str) -> List[str]:
        """Its algorithms."""
        raise NotImplementedError

    def components(self) -> List[str]:
        """Those that can be asked for."""
        return []

    def component_of(self, algorithm: str) -> str:
        return ""

    def used_in(self, text: str, operation: str) -> str:
        """The component that a run has used, by what it printed; "": it did not tell."""
        return ""

    def asks(self, settings: Sequence[Setting], component: str, stem: str) -> List[str]:
        """The variable words that ask for settings, and for a component unless it is ""; stem: of
        the files next to theirs."""
        raise NotImplementedError

    def data(self, settings: Sequence[Setting]) -> Dict[str, str]:
        """The contents of the files next to it, by what follows the stem."""
        return {}

    def write(self, path: str, settings: Sequence[Setting], component: str) -> List[str]:
        """Write the file, and those next to it; the variable words in it.  Errors: Refused."""
        stem = re.sub(r"\.sh\Z", "", path)
        for ending, text in self.data(settings).items():
            write_file(stem + ending, text)
        words = self.asks(settings, component, os.path.abspath(stem))
        write_file(path, "# Made by scripts/tune. To use it: . FILE\n" + "".join(
            "export %s=%s\n" % (name, shlex.quote(value))
            for name, _, value in (word.partition("=") for word in words)))
        return words

    def remarks(self, component: str) -> List[str]:
        """Sentences on what else the file does."""
        return []


class OpenMPI(Library):
    """A file of rules of its component tuned, and priorities of components."""

    lists = ["ompi_info", "--param", "coll", "all", "--level", "9", "--parsable"]
    usual = "tuned"
    shows = ["OMPI_MCA_coll_base_verbose=20"]
    # Numbers of operations, and whether its sizes are those of all blocks, where ours are those of
    # one: so a test of what is taken has shown for Open MPI 4.1.4.
    OPERATIONS = {"allgather": (0, True), "allreduce": (2, False), "alltoall": (3, True),
                  "bcast": (7, False), "gather": (9, True), "reduce": (11, False),
                  "scatter": (15, True)}
    COMPONENTS = ["acoll", "adapt", "han", "hcoll", "ucc", "xhc"]
    # Above all that serve operations, and below those that only wrap others, as for GPU memory.
    PRIORITY = 70

    def listed(self, operation: str) -> List[str]:
        return ["%s-%s" % pair for pair in re.findall(
            r"^mca:coll:tuned:param:coll_tuned_%s_algorithm:enumerator:value:([1-9][0-9]*):"
            r"([A-Za-z0-9_.-]*)$" % re.escape(operation), self.said, re.M)]

    def components(self) -> List[str]:
        return [self.usual] + [name for name in self.COMPONENTS
                               if ":coll_%s_priority:" % name in self.said]

    def component_of(self, algorithm: str) -> str:
        return algorithm if algorithm in self.COMPONENTS else self.usual

    def used_in(self, text: str, operation: str) -> str:
        """Newer releases name the component of each operation, and older ones those of a
        communicator; self serves communicators of one rank."""
        named = re.search(r"MPI_COMM_WORLD rank [0-9]+ %s -> (\w+)" % operation, text)
        if named:
            return named.group(1)
        found = re.findall(r"selecting +(\w+), priority +([0-9]+), Enabled", text)
        return max([(int(priority), name) for name, priority in found if name != "self"],
                   default=(0, ""))[1]

    def asks(self, settings: Sequence[Setting], component: str, stem: str) -> List[str]:
        words = []
        if self.data(settings):
            words = ["coll_tuned_use_dynamic_rules=1",
                     "coll_tuned_dynamic_rules_filename=" + stem + ".rules"]
        if component:
            words += ["coll_%s_priority=0" % name for name in self.components()
                      if name not in (component, self.usual)]
        if component not in ("", self.usual):
            words.append("coll_%s_priority=%d" % (component, self.PRIORITY))
            if ":coll_%s_enable:" % component in self.said:
                words.append("coll_%s_enable=1" % component)
        return ["OMPI_MCA_" + word for word in words]

    def sizes_of(self, setting: Setting) -> List[str]:
        factor = setting.ranks if self.OPERATIONS[setting.operation][1] else 1
        return ["%.0f %d 0 0" % (first * factor, number_of(name))
                for first, name in setting.ranges]

    def data(self, settings: Sequence[Setting]) -> Dict[str, str]:
        """Numbers of ranks that are not named keep the default."""
        if not any(number_of(name) for each in settings for _, name in each.ranges):
            return {}
        operations = list(dict.fromkeys(each.operation for each in settings))
        lines = ["%d # operations; made by scripts/tune; 0 is the default" % len(operations)]
        for operation in operations:
            of_one = [each for each in settings if each.operation == operation]
            blocks = [block(0)]
            for each in of_one:
                blocks.append(block(each.ranks, self.sizes_of(each)))
                if not any(other.ranks == each.ranks + 1 for other in of_one):
                    blocks.append(block(each.ranks + 1))
            lines += ["%d # %s" % (self.OPERATIONS[operation][0], operation),
                      "%d # numbers of ranks" % len(blocks)]
            lines += [line for each in blocks for line in each]
        return {".rules": "".join(line + "\n" for line in lines)}

    def remarks(self, component: str) -> List[str]:
        return ["The component %s then serves all operations, sizes and numbers of ranks."
                % component] if component else []


def number_of(algorithm: Optional[str]) -> int:
    """Algorithms of tuned begin with it, as "3-recursive_doubling"; 0 is the default."""
    number = re.match(r"[0-9]+", algorithm or "")
    return int(number.group()) if number else 0


def block(ranks: int, sizes: Sequence[str] = ("0 0 0 0",)) -> List[str]:
    return ["%d # ranks or more" % ranks, "%d # sizes" % len(sizes)] + list(sizes)


class MPICH(Library):
    """Its trees of conditions as JSON, with further conditions; the library's own file has these
    trees, and the names of algorithms.

    It takes an algorithm without asking whether that can serve the call.  So calls of another kind
    than the benchmark's, for which its own tree may have conditions, keep that tree.
    """

    # How the size of an operation is called, and by how many bytes of ours it counts: those of one
    # block, or of all.
    OPERATIONS = {"allgather": ("total_msg_size", True), "allreduce": ("avg_msg_size", False),
                  "alltoall": ("avg_msg_size", False), "bcast": ("avg_msg_size", False),
                  "reduce": ("avg_msg_size", False)}
    # The device has algorithms of its own for some operations, as in shared memory, unless it is
    # told to use the network's, which are those of the tree.
    NETWORK = {"allreduce": "MPIDI_Allreduce_intra_composition_beta",
               "bcast": "MPIDI_Bcast_intra_composition_gamma",
               "reduce": "MPIDI_Reduce_intra_composition_gamma"}
    # Other calls than the benchmark's, with too few elements for a share for each rank, and those
    # like it.
    REDUCING = [("is_op_built_in=no", "is_op_built_in=yes"), ("count<pow2", "count=any")]
    KEPT = {"allreduce": REDUCING, "reduce": REDUCING,
            "alltoall": [("is_sendbuf_inplace=yes", "is_sendbuf_inplace=no")]}
    # They take communicators with several nodes, or MPI_IN_PLACE, or need a library for GPUs.
    UNFIT = ["smp", "pairwise_sendrecv_replace", "ccl"]
    # What algorithms have no default for in a tree; each takes what it has.
    PARAMETERS = ["k=2", "tree_type=kary", "single_phase_recv=0", "buffer_per_child=0",
                  "is_non_blocking=1", "chunk_size=8192", "recv_pre_posted=0", "topo_overhead=0",
                  "topo_diff_groups=0", "topo_diff_switches=0", "topo_same_switches=0"]

    def listed(self, operation: str) -> List[str]:
        names = re.findall(r"^algorithm=MPIR_%s_(?:intra|allcomm)_([a-z_]+)$"
                           % operation.capitalize(), self.said, re.M)
        return sorted(set(names) - set(self.UNFIT))

    def tree(self, of: str) -> Dict[str, Any]:
        """That whose conditions end in such words, by operation."""
        found = [json.loads(line) for line in self.said.splitlines()
                 if line.startswith("{") and '"%s' % of in line]
        return found[0] if found else {}

    def algorithm(self, operation: str, name: str) -> Dict[str, Any]:
        words = "MPIR_%s_%%s_%s" % (operation.capitalize(), name)
        kind = "allcomm" if "algorithm=" + words % "allcomm" in self.said else "intra"
        return {"algorithm=" + words % kind: {word: {} for word in self.PARAMETERS}}

    def composition(self, operation: str, _: str) -> Dict[str, Any]:
        return {"composition=" + self.NETWORK[operation]: {}}

    def sizes_of(self, setting: Setting, leaf: Any, before: Any) -> Dict[str, Any]:
        """Conditions on sizes, each of which holds up to the byte before the next one."""
        word, is_of_all = self.OPERATIONS[setting.operation]
        factor = setting.ranks if is_of_all else 1
        found: Dict[str, Any] = {}
        ends = [(first - 1) * factor for first, _ in setting.ranges[1:]]
        for end, (_, name) in zip(["<=%.0f" % end for end in ends] + ["=any"], setting.ranges):
            inner = before
            if name is not None:
                inner = leaf(setting.operation, name)
                for other, ours in reversed(self.KEPT.get(setting.operation, [])):
                    inner = {other: before, ours: inner}
            found[word + end] = inner
        return found

    def with_conditions(self, tree: Dict[str, Any], settings: Sequence[Setting],
                        leaf: Any) -> str:
        tree = dict(tree)
        for operation in dict.fromkeys(each.operation for each in settings):
            key = "collective=" + operation
            before = tree.get(key, {}).get("comm_type=intra", {})
            ranks: Dict[str, Any] = {}
            for each in (each for each in settings if each.operation == operation):
                ranks.setdefault("comm_size<=%d" % (each.ranks - 1), before)
                ranks["comm_size<=%d" % each.ranks] = self.sizes_of(each, leaf, before)
            ranks["comm_size=any"] = before
            tree[key] = dict(tree.get(key, {}), **{"comm_type=intra": ranks})
        return json.dumps(tree, indent=1) + "\n"

    def data(self, settings: Sequence[Setting]) -> Dict[str, str]:
        found = {".json": self.with_conditions(self.tree("algorithm=MPIR_"), settings,
                                               self.algorithm)}
        device, own = self.tree("composition="), [each for each in settings
                                                  if each.operation in self.NETWORK]
        if device and own:
            found[".ch4.json"] = self.with_conditions(device, own, self.composition)
        return found

    def asks(self, settings: Sequence[Setting], component: str, stem: str) -> List[str]:
        return ["MPIR_CVAR_%sCOLL_SELECTION_TUNING_JSON_FILE=%s%s"
                % ("CH4_" if "ch4" in ending else "", stem, ending)
                for ending in self.data(settings)]

    def remarks(self, component: str) -> List[str]:
        return ["It holds for this version of MPICH, whose other choices it has: another one may "
                "refuse to start with it."]


class Intel(Library):
    """A variable for each operation, with ranges of sizes: bytes of one block, as ours.  Its
    algorithms have numbers alone; 0 is the default.

    Ranges have to cover all sizes: 2021.18.1 extends one to the sizes that no other has.  It also
    takes numbers of ranks, but where both are in one variable it did not obey.
    """

    by_ranks = False
    lists = ["impi_info", "-all"]
    LARGEST = (1 << 31) - 1

    def listed(self, operation: str) -> List[str]:
        last = re.search(r"^I_MPI_ADJUST_%s *\n(?: .*\n)*? *range: *0-([0-9]+)"
                         % operation.upper(), self.said, re.M)
        return [str(number) for number in range(1, int(last.group(1)) + 1)] if last else []

    def asks(self, settings: Sequence[Setting], component: str, stem: str) -> List[str]:
        words = []
        for operation, _, ranges in settings:
            ends = [first - 1 for first, _ in ranges[1:]] + [self.LARGEST]
            each = ["%s:%.0f-%.0f" % (name or 0, first, end)
                    for (first, name), end in zip(ranges, ends)]
            words.append("I_MPI_ADJUST_%s=%s" % (
                operation.upper(), ";".join(each) if each[1:] else ranges[0][1]))
        return words


LIBRARIES: Dict[str, Type[Library]] = {"openmpi": OpenMPI, "mpich": MPICH, "intel": Intel}
