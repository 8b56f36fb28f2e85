# SPDX-License-Identifier: BSD-3-Clause
"""Which command is started: by the name of its script, or as a word after alidade."""
import importlib
import io
import os
import signal
import sys
from typing import Any, List, Sequence

from judge.screen import columns_of, shown
from judge.text import Program, Refused, fail, meant, output, version

from . import alidade
from .options import help_of, parse
from .shell import SCRIPTS, Ended, Interrupted, as_started, ask, watch_signals

BASH = ("bind-rail", "build-mpi")  # commands that are scripts in bash


def run_command(module: Any, argv: Sequence[str]) -> int:
    """The exit code.  Errors: Refused, Ended, Interrupted."""
    reading = getattr(module, "READING", {})
    options = parse(module.USAGE, argv, **reading)
    if options.help:
        output.write(as_started(help_of(module.USAGE, reading.get("plan", True))))
        return 0
    if options.version:
        output.write("%s (Alidade) %s\n" % (Program.name, version()))
        return 0
    Program.quiet, Program.only_print = options.quiet, options.print
    if reading.get("plan", True):
        # What starts runs needs a shell that is new enough, which says so itself.
        ask("true")
    return module.main(options)


def is_command(name: str) -> bool:
    """Does the help name it, and is it a file of its name?"""
    file = os.path.join(os.path.dirname(__file__), name.replace("-", "_") + ".py")
    return name in alidade.commands() and os.path.exists(file)


def command_of(name: str) -> Any:
    return importlib.import_module("runner." + name.replace("-", "_"))


def start(name: str, argv: List[str]) -> int:
    """The exit code of a command, or of alidade with a command."""
    Program.name = name
    # Packages may call alidade by a longer name.
    if is_command(name):
        return run_command(command_of(name), argv)
    if argv[:1] in (["-q"], ["--quiet"]):  # it is the command's
        argv = argv[1:2] + argv[:1] + argv[2:] if argv[1:] else []
    if not argv:
        sys.stderr.write(as_started(help_of(alidade.USAGE, False)))
        return 1
    verb, rest = argv[0], argv[1:]
    if verb in ("-h", "--help", "-v", "--version"):
        return run_command(alidade, argv)
    if verb.startswith("-"):
        raise Refused("unknown option %s; alidade --help lists them" % verb)
    if verb == "help" and rest:
        return start(name, [rest[0], "--help"])
    if verb == "help":
        output.write(as_started(alidade.SHEET))
        return 0
    if verb == "slurm" and not rest:
        output.write(os.path.join(SCRIPTS, "slurm") + "\n")
        return 0
    verb, rest = alidade.meaning(verb, rest)
    if verb in BASH:
        os.execv(os.path.join(SCRIPTS, verb), [verb] + rest)
    if not is_command(verb):
        raise Refused("unknown command '%s'%s; alidade --help lists them"
                      % (verb, meant(verb, alidade.commands())))
    if verb not in alidade.OWN:
        Program.name = verb
    return run_command(command_of(verb), rest)


def interrupted(number: int) -> int:
    """All processes of the command have ended: the exit code."""
    how = ""
    try:
        how = Interrupted.plan.interrupted() if Interrupted.plan else ""
    except (Refused, Ended):
        pass
    output.flush()
    sys.stderr.write("\n%s: interrupted%s\n" % (Program.name, how))
    return 128 + number


def answer(argv: List[str]) -> int:
    """The exit code; a refusal is a sentence."""
    watch_signals()
    try:
        return start(argv[0], argv[1:])
    except Refused as why:
        output.flush()
        fail(as_started(str(why)))
        return why.code
    except Ended as end:
        return end.code
    except (MemoryError, RecursionError):
        fail("memory is short")
        return 1
    except Interrupted as why:
        return interrupted(why.number)


class StandardError(io.FileIO):
    """What nobody can read ends no runs."""

    def write(self, data: Any) -> int:
        try:
            columns = columns_of(2)
            if not columns:
                return super().write(data) or len(data)
            text = bytes(data).decode("utf-8", "surrogateescape")
            super().write(shown(text, columns, is_error=True).encode("utf-8", "surrogateescape"))
        except OSError:
            pass
        return len(data)


def open_closed() -> None:
    """Where the command was started without standard input, output or error, no file of results
    takes their place.  Writing to standard output fails."""
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # It gets the least number that is free.
            os.set_inheritable(os.open(os.devnull, mode), True)


def main(argv: List[str]) -> int:
    """Answer, and print what was held: the exit code of the process."""
    # A reader that leaves ends the process without a word.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    open_closed()
    # Paths are printed as they were given, whatever the locale is.
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(StandardError(2, "w", closefd=False)),
                                  encoding="utf-8", errors="surrogateescape", line_buffering=True)
    code, is_printed = answer(argv), output.flush()
    # Of Plan.progress: where Python ends, no handler is left, and the signal would end the process.
    signal.setitimer(signal.ITIMER_REAL, 0)
    if not is_printed:
        fail("standard output could not be written")
    if Program.last:
        sys.stderr.write(Program.last + "\n")
    return code if is_printed else 1
