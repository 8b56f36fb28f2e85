# SPDX-License-Identifier: BSD-3-Clause
"""What results say: a verb for each question."""
import signal
import sys
from typing import List, Sequence

from . import accept, compare, examine, repeat, report, tune
from .options import help_of, parse
from .text import VERSION, Program, Refused, check_writable, fail, meant, output

# Each verb: its module, which offers USAGE, OPTIONS and run(options, words), and its question.
VERBS = {
    "compare": (compare, "is a variant faster than another, and how surely?"),
    "repeat": (repeat, "what do several runs show, and what will the next?"),
    "accept": (accept, "are results within their limits?"),
    "report": (report, "results as a page with curves and tables"),
    "examine": (examine, "which hosts are odd?"),
    "tune": (tune, "which algorithm is the fastest at which size?"),
}

HELP = """Usage: judge VERB [OPTION...] RESULTS...
Read results that benchmarks wrote with --json, and answer a question. The
scripts of the same names make the results, and call this tool. To call it
yourself, start the folder scripts/judge with Python: python3 scripts/judge.

Verbs:
VERBS
Options:
  -h, --help                print this help, or after a verb its help
  -v, --version             print the version

Example:
  judge compare old=results/old new=results/new

Exit codes: those of the verb.
"""


def print_version() -> None:
    output.write("judge (Alidade) %s\n" % VERSION)


def run_verb(name: str, argv: Sequence[str]) -> int:
    """The exit code of the verb.  Errors: Refused."""
    verb = VERBS[name][0]
    options, words = parse(verb.OPTIONS, argv)
    if options.help:
        output.write(help_of(verb.USAGE, verb.OPTIONS))
        return 0
    if options.version:
        print_version()
        return 0
    check_writable([getattr(options, option.name) for option in options.every
                    if option.value == "FILE"])
    return verb.run(options, words)


def answer(argv: Sequence[str]) -> int:
    """The exit code of a command."""
    name = argv[0] if argv else ""
    if name in VERBS:
        # Whoever refuses begins a sentence with it.
        Program.name = name
        try:
            return run_verb(name, argv[1:])
        except Refused as why:
            fail(str(why))
            return 1
        except (MemoryError, RecursionError):
            fail("memory is short")
            return 1
    if name in ("-h", "--help"):
        verbs = "".join("  %-22s    %s\n" % (verb, VERBS[verb][1]) for verb in VERBS)
        output.write(HELP.replace("VERBS\n", verbs + "\n"))
        return 0
    if name in ("-v", "--version"):
        print_version()
        return 0
    fail("'%s' is no verb%s; --help lists them" % (name, meant(name, VERBS)))
    return 1


def main(argv: List[str]) -> int:
    """Answer, and print what was held: the exit code of the process."""
    # A reader that leaves, and Ctrl-C, end the process without a word.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Paths are printed as they were given, whatever the locale is.
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="surrogateescape",
                      closefd=False)
    code = answer(argv)
    if not output.flush():
        fail("standard output could not be written")
        return 1
    return code
