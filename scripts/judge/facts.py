# SPDX-License-Identifier: BSD-3-Clause
"""What results say of where and how they were measured: for people, side by side."""
from typing import Any, NamedTuple

from .results import Variant, as_object, is_number, shown
from .text import size_words


class Fact(NamedTuple):
    """path: where it is in a result file.  of_hosts: hosts of one job should not differ in it.
    is_free: runs may, and nobody has to know.  of_data: only programs whose messages have data have
    it.  is_size: in bytes."""

    label: str
    path: str
    of_hosts: bool = False
    is_free: bool = False
    of_data: bool = False
    is_size: bool = False


FACTS = [
    Fact("MPI", "environment.mpi", of_hosts=True),
    Fact("ranks", "environment.ranks"),
    Fact("nodes", "environment.nodes"),
    Fact("path of messages", "environment.path", of_hosts=True),
    Fact("bound to", "environment.bound"),
    Fact("memory of sender and receiver", "environment.memory"),
    Fact("start of an iteration", "method.start"),
    Fact("seconds of a row", "method.budget_s"),
    Fact("buffers", "method.buffers"),
    Fact("verified", "method.verified", of_data=True),
    Fact("processor", "environment.hardware.processor", of_hosts=True),
    Fact("processor family", "environment.hardware.cpu_family", of_hosts=True),
    Fact("processor model", "environment.hardware.cpu_model", of_hosts=True),
    Fact("stepping", "environment.hardware.cpu_stepping", of_hosts=True),
    Fact("microcode", "environment.hardware.cpu_microcode", of_hosts=True),
    Fact("number of CPUs", "environment.hardware.cpus_online", of_hosts=True),
    Fact("number of cores", "environment.hardware.cores", of_hosts=True),
    Fact("number of NUMA nodes", "environment.hardware.numa_nodes", of_hosts=True),
    Fact("L3 cache", "environment.hardware.l3_bytes", of_hosts=True, is_size=True),
    Fact("governor", "environment.hardware.governor", of_hosts=True),
    Fact("frequency boost", "environment.frequency.boost", of_hosts=True),
    Fact("CPU quota", "environment.cpu_quota", of_hosts=True),
    Fact("oversubscribed", "environment.oversubscribed"),
    Fact("kernel", "environment.kernel", of_hosts=True),
    Fact("clock", "environment.clock.name"),
    Fact("GPU", "environment.gpu.runtime"),
    Fact("turns on a GPU", "environment.gpu.takes_turns"),
    Fact("compiler", "environment.build.compiler_version"),
    Fact("flags", "environment.build.flags"),
    Fact("library", "environment.mpi_text", of_hosts=True),
    Fact("Alidade", "version"),
    Fact("first run", "started", is_free=True),
]


def fact_in(root: dict, fact: Fact) -> str:
    """As a document says it; "": it does not."""
    value: Any = root
    for name in fact.path.split("."):
        value = as_object(value).get(name)
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "", False: "no", True: "yes"}[value]
    return size_words(value) if fact.is_size and is_number(value) else shown(value, 6)


def fact_of_variant(v: Variant, fact: Fact) -> str:
    """As those runs say that do; "..." after it where they differ."""
    said = [text for text in (fact_in(f.root, fact) for f in v.files if not (
        fact.of_data and f.method.get("buffers", "") is None)) if text]
    if not said:
        return ""
    return min(said) if fact.is_free or len(set(said)) == 1 else said[0] + ", ..."
