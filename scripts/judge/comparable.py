# SPDX-License-Identifier: BSD-3-Clause
"""Which results may be compared with which, what differs all the same, and the variants that words
name."""
import os
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .results import (ABSENT, Result, Variant, as_list, as_object, as_text, as_whole, equal,
                      is_of_wrong_data, shown)
from .text import WRONG_DATA, Refused, natural, repaired, some_of, within

VARIANTS, NAME = 64, 63  # at most so many variants, and bytes of a name
HOSTS = 3  # at most so many are named
PERMIT = "; to permit it, add --allow "

# How long was measured, and what is not chosen; and what of the environment decides what is
# measured.
FREE = frozenset("title precision budget_s seed pready_seed over sample printed ignored".split())
BOUND = "ranks nodes ranks_per_node path bound memory oversubscribed".split()


def check_field(field: str) -> None:
    """Does a field, as "method.start", decide whether results can be compared?"""
    part, dot, name = field.partition(".")
    if not dot or (name not in BOUND if part == "environment" else part != "method"):
        raise Refused("--allow '%s' is no field that decides whether results can be compared: give "
                      "method.NAME or environment.NAME as the message of the refusal does"
                      % within(field, 60))


class May:
    """Fields that may differ; how: ends a refusal, and says how to permit one."""

    def __init__(self, how: str = "", fields: Sequence[str] = ()) -> None:
        if len(fields) > 32:
            raise Refused("--allow: at most 32")
        self.fields, self.how = list(fields), how

    def difference(self, field: str, a: Any, b: Any) -> Optional[str]:
        """In words, with how to permit it; None: there is none that matters.  "any" is what a user
        writes into the limits of accept for a field that may differ."""
        if equal(a, b) or "any" in (as_text(a), as_text(b)) or field in self.fields:
            return None
        return "%s is %s / %s%s" % (field, within(shown(a), 100), within(shown(b), 100),
                                    self.how + field if self.how else "")


def decides(f: Result) -> Set[str]:
    """The fields of its method that decide what is measured."""
    return {"method." + name for name in f.method if name not in FREE}


def check_alike(a: Result, b: Result, may: May) -> None:
    """Refuse to compare the two if something that decides what is measured differs."""
    # A field may be missing because its option was not given, which is a difference.  In an
    # archived file it may also be missing because it came later.
    converted = "converted_from" in a.root or "converted_from" in b.root
    names = list(a.method) + [name for name in b.method if name not in a.method]
    fields = ["method." + name for name in names if name not in FREE and
              not (converted and not (name in a.method and name in b.method))]
    fields += ["environment." + name for name in BOUND
               if name in a.environment and name in b.environment]
    for field in fields:
        words = may.difference(field, a.field(field, ABSENT), b.field(field, ABSENT))
        if words:
            raise Refused("%s and %s were measured under different conditions: %s"
                          % (a.path, b.path, words))


def place_of(f: Result, may: May) -> str:
    """Where the ranks and buffers are, "2 ranks, same-numa, H-H": one folder may have runs in
    several places."""
    e = f.environment
    ranks, nodes = as_whole(e.get("ranks")), as_whole(e.get("nodes"))
    path, memory = as_text(e.get("path")), as_text(e.get("memory"))
    text = "" if "environment.ranks" in may.fields else "%d ranks" % ranks
    if nodes > 1 and "environment.nodes" not in may.fields:
        text += " on %d nodes" % nodes
    if "environment.path" not in may.fields:
        text += (", " if text else "") + within("somewhere" if path is None else path, 16)
    if "environment.memory" not in may.fields:
        text += (", " if text else "") + within("H-H" if memory is None else memory, 12)
    return within(text, 79)


def firsts(files: Sequence[Result], may: May) -> dict:
    """The first file of each benchmark and place."""
    found: dict = {}
    for f in files:
        found.setdefault((f.benchmark, place_of(f, may)), f)
    return found


def check_runs(a: Sequence[Result], b: Sequence[Result], may: May) -> None:
    """The runs of b must measure the same as those of a that have their benchmark and place."""
    first = firsts(a, may)
    for f in b:
        like = first.get((f.benchmark, place_of(f, may)))
        if like is not None and like is not f:
            check_alike(like, f, may)


def check_variants(a: Variant, b: Variant, may: May) -> None:
    """Where the second has a benchmark in other places alone, that is an obstacle, too."""
    of_a, of_b = firsts(a.files, may), firsts(b.files, may)
    for f in b.files:
        if (f.benchmark, place_of(f, may)) in of_a:
            continue
        first = next((other for other in a.files if other.benchmark == f.benchmark), None)
        if first is not None and (first.benchmark, place_of(first, may)) not in of_b:
            check_alike(first, f, may)
    check_runs(a.files, b.files, may)


def check_together(variants: Sequence[Variant], may: May) -> None:
    """Do the runs of each variant belong together, and is each field that may differ there?"""
    for field in may.fields:
        if all(f.field(field, ABSENT) is ABSENT for v in variants for f in v.files):
            raise Refused("--allow '%s': no result has that field" % within(field, 60))
    for v in variants:
        for field, of in ("mpi", "is from"), ("mpi_file", "loaded MPI from"):
            named = [f for f in v.files if as_text(f.environment.get(field)) is not None]
            for f in named[1:]:
                mpi, first = f.environment[field], named[0].environment[field]
                if mpi != first:
                    raise Refused(
                        "%s: %s %s %s, %s from %s: name results of one MPI; report and compare "
                        "take two MPIs, as NAME=FILE NAME=FILE" % (
                            v.name, named[0].path, of, within(first, 60), f.path, within(mpi, 60)))
        check_runs(v.files, v.files, may)


def check_places(v: Variant, may: May) -> None:
    """A field that may differ between variants must not make one row of runs in two places."""
    first: Dict[Tuple[str, str], Result] = {}
    for f in v.files:
        like = first.setdefault((f.benchmark, place_of(f, may)), f)
        places = [place_of(one, May()) for one in (like, f)]
        if places[0] != places[1]:
            raise Refused("%s: %s is of %s, %s of %s: they would be runs of one row, since %s may "
                          "differ; name results of one of the two" % (
                              v.name, like.path, places[0], f.path, places[1],
                              ", ".join(may.fields)))


# --- What differs all the same ------------------------------------------------------------------

# Variables by which a launcher tells its processes who they are, and mpirun's own.
VOLATILE = tuple("""I_MPI_HYDRA_ I_MPI_INFO_ I_MPI_INTERNAL_ I_MPI_RETURN_ I_MPI_BIND_WIN_
    I_MPI_PIN_INFO I_MPI_PIN_MAPPING I_MPI_PIN_DOMAIN_SIZE I_MPI_ROOT
    PMI_ PMIX_ HYDI_ HYDRA_ OMPI_COMM_ OMPI_MCA_orte_ OMPI_MCA_ess OMPI_ARGV
    OMPI_FILE_ OMPI_COMMAND OMPI_APP_ OMPI_NUM_ OMPI_FIRST_ OMPI_UNIVERSE_ MPI_LOCAL SLURM_JOB_
    SLURM_STEP SLURM_TASK_PID OMPI_MCA_initial SLURM_SRUN SLURM_LAUNCH_NODE
    MPIR_CVAR_CH3_INTERFACE_HOSTNAME OMPI_MCA_pmix OMPI_MCA_mpi_oversubscribe
    OMPI_MCA_shmem_RUNTIME_QUERY_hint OMPI_MCA_hwloc_base_binding_policy OMPI_VERSION OMPI_TOOL_NAME
    OMPI_LIBDIR_LOC OMPI_MCA_PREFIXES OMPI_WORLD_ OMPI_MCA_num_ OMPI_MCA_cpu_type PRTE_SHARED_FS
    PRTE_LAUNCHED""".split())


def said(name: str, a: Any, b: Any) -> str:
    # Of a hundred words few differ.
    if name == "cpu_flags" and isinstance(a, str) and isinstance(b, str):
        x, y = a.split(), b.split()
        a, b = (" ".join(w for w in one if w not in other) for one, other in ((x, y), (y, x)))
    return "%s: %s / %s" % (within(name, 100), within(shown(a), 160), within(shown(b), 160))


# What a run says of itself: (group, name) and its value; groups are named in their order.
Facts = Dict[Tuple[int, str], Any]
HARDWARE = 1


def surroundings(f: Result) -> Facts:
    """Of MPI, machine, build and variables."""
    facts = {(0, name): f.environment[name]
             for name in "mpi mpi_file kernel model cpu_quota".split() if name in f.environment}
    parts = ("hardware", ""), ("build", "build "), ("variables", "")
    for group, (part, before) in enumerate(parts, HARDWARE):
        facts.update(((group, before + name), value)
                     for name, value in as_object(f.environment.get(part)).items()
                     if part != "variables" or not name.startswith(VOLATILE))
    return facts


def differences(x: Facts, y: Facts) -> Iterator[tuple]:
    """(key, value, other value) of what differs; a value may be ABSENT.  What older files do not
    say of the CPU and the commit is no difference."""
    for key in sorted(list(x) + [key for key in y if key not in x], key=lambda key: key[0]):
        one, other = x.get(key, ABSENT), y.get(key, ABSENT)
        is_new = key[1] == "build commit" or key[0] == HARDWARE and key[1].startswith("cpu_")
        is_old = ABSENT in (one, other) and is_new
        if not equal(one, other) and not is_old:
            yield key, one, other


def environment_differences(a: Variant, b: Variant) -> Iterator[str]:
    """Sentences on the hosts of all runs, and on what else differs between the first runs."""
    of_a, of_b = ({host for f in v.files for host in f.hosts()} for v in (a, b))
    if of_a and of_b and of_a != of_b:
        alone, other, both = (some_of(sorted(hosts, key=natural), HOSTS)
                              for hosts in (of_a - of_b, of_b - of_a, of_a & of_b))
        yield "hosts: %s / %s%s" % (alone or "none", other or "none",
                                    "; both: " + both if both else "")
    for (_, name), one, other in differences(*(surroundings(v.files[0]) for v in (a, b))):
        yield said(name, one, other)


def command_of(f: Result) -> Any:
    """Without the file that it writes, which each run has of its own."""
    words = f.root.get("command", ABSENT)
    if not isinstance(words, list):
        return words
    return [word for before, word in zip([None] + words, words)
            if "--json" not in (before, word) and not str(word).startswith("--json=")]


def options_of(f: Result) -> Any:
    """Of its command, whose file may be another one in each build."""
    words = command_of(f)
    return words if words is ABSENT else " ".join(map(str, as_list(words)[1:])) or "none"


def program_facts(f: Result) -> Facts:
    """Of the program: its libraries and its command."""
    facts = {(4, "library %s" % library.get("name")): [library.get("file"), library.get("version")]
             for library in map(as_object, as_list(f.environment.get("libraries")))}
    facts[5, "command"] = command_of(f)
    return facts


def differences_within(v: Variant) -> Iterator[str]:
    """Sentences on what differs between the runs of a variant, as after a resume with other
    settings.  Each program has facts of its own, and may have others for each place."""
    def common(f: Result) -> Facts:
        return {**surroundings(f), (4, "version of Alidade"): f.root.get("version", ABSENT)}

    usual: Dict[Tuple[str, str], Facts] = {}
    odd: Dict[Tuple[int, str], List[tuple]] = {}
    first = common(v.files[0])
    for f in v.files:
        own = program_facts(f)
        of_program = usual.setdefault((f.benchmark, place_of(f, May())), own)
        for key, one, other in [*differences(first, common(f)), *differences(of_program, own)]:
            odd.setdefault(key, []).append((f.path, one, other))
    for (_, name), runs in sorted(odd.items(), key=lambda item: item[0][0]):
        path, one, other = runs[0]
        yield "%s in %d of %d runs, first %s" % (said(name, one, other), len(runs), len(v.files),
                                                 path)


def same_library(a: Variant, b: Variant) -> Iterator[str]:
    file = as_text(a.files[0].environment.get("mpi_file"))
    if file is not None and file == b.files[0].environment.get("mpi_file"):
        yield "both loaded MPI from %s" % file


def permitted_differences(a: Variant, b: Variant, may: May) -> Iterator[str]:
    """Sentences on the fields that may differ, and do; on the version of Alidade; and on options,
    such as --budget, which change how well a row is known, and not what it is."""
    files = b.files + a.files
    for field in may.fields:
        first = a.files[0].field(field, ABSENT)
        others = [value for value in (f.field(field, ABSENT) for f in files)
                  if value is not ABSENT and not equal(first, value)]
        if others:
            yield "differs, and was allowed to: " + said(field, first, others[0])
    version, other = (v.files[0].root.get("version", ABSENT) for v in (a, b))
    if not equal(version, other):
        yield "differs: " + said("version of Alidade", version, other)
    of_a, of_b = firsts(a.files, may), firsts(b.files, may)
    options = [(key[0], options_of(of_a[key]), options_of(of_b[key]))
               for key in of_a if key in of_b]
    for name, one, another in dict.fromkeys(each for each in options if ABSENT not in each):
        if one != another:
            yield "differs: " + said("options of " + name, one, another)


# --- The variants that words name ---------------------------------------------------------------


def split_word(word: str) -> Tuple[str, str, bool]:
    """(name, path, is the name given?) of NAME=PATH or PATH, whose last part is the name.  A name
    has no slash, and a path that is there may have an equals sign."""
    named = None if os.path.exists(word) else re.match("([^=/]*)=(.*)", word, re.DOTALL)
    path = named.group(2) if named else word
    name = named.group(1) if named else (path.rstrip("/") or path[:1]).split("/")[-1]
    return name, path, named is not None


def read_variants(words: Sequence[str], least: int, may: May,
                  only: Sequence[str] = ()) -> List[Variant]:
    """Those that words name, as NAME=RESULTS or RESULTS, so many; words of one name make one
    variant.  only: benchmarks that are meant, or () for all.  Errors: Refused."""
    variants: Dict[str, Variant] = {}
    whole: Dict[str, str] = {}
    if len(words) < least:
        raise Refused("two variants are needed: the first is the baseline" if least > 1
                      else "results are needed")
    for word in words:
        full, path, is_given = split_word(word)
        name = within(repaired(full), NAME)
        # scripts/compare keeps its own files under names with a dot; a folder that is named alone
        # may be ".".
        if not name or (is_given and name[0] == ".") or re.search("[\"'|\n]", name):
            raise Refused("'%s' names no variant; write NAME=RESULTS" % word)
        if whole.setdefault(name, full) != full:
            raise Refused("'%s' and '%s' would have one name, which has at most %d bytes: write "
                          "NAME=RESULTS with other names" % (whole[name], full, NAME))
        if name not in variants and len(variants) == VARIANTS:
            raise Refused("at most %d variants" % VARIANTS)
        variants.setdefault(name, Variant(name)).add(path)
    for v in variants.values() if only else ():
        v.files = [f for f in v.files if f.benchmark in only]
        if not v.files:
            raise Refused("%s has no results of %s" % (v.name, " or ".join(only)))
    check_together(list(variants.values()), may)
    for v in variants.values():
        check_places(v, may)
    if len(variants) < least:
        raise Refused("all results belong to one variant, %s" % next(iter(variants)))
    return list(variants.values())


def read_one(words: Sequence[str], may: May, unread: Optional[List[str]] = None) -> Variant:
    """All words are results of one variant, "results"; unread as of Variant.  Errors: Refused."""
    v = Variant("results", unread=unread)
    if not words:
        raise Refused("results are needed")
    for word in words:
        v.add(word)
    if unread is not None and not v.files:
        raise Refused(unread[0], WRONG_DATA if any(map(is_of_wrong_data, unread)) else 1)
    check_together([v], may)
    return v
