# SPDX-License-Identifier: BSD-3-Clause
"""The door to common.sh, the bash that builds, starts and supervises; and being interrupted."""
import os
import re
import signal
import subprocess
from typing import Any, List, Optional, Sequence

from judge.text import TOP, Program, of_suite, output

# Where builds are made and looked for.  An installed suite is the folder of a build, too.
BUILDS = os.environ.get("ALIDADE_BUILDS") or os.path.join(TOP, "build")
SCRIPTS = os.path.join(TOP, "scripts")
# $1: common.sh; $2: the folder of a build; $3: is more printed than errors?  Then a function and
# its words.
DOOR = '. "$1" && quiet=yes folder=$2 tells=$3 && shift 3 && "$@"'


def as_started(text: str) -> str:
    """A text in which commands are as users start them: those of an installed suite by alidade, or
    what configure --with-command calls it."""
    if os.path.exists(os.path.join(TOP, "configure.ac")):
        return text

    def started(found: Any) -> str:
        name = found.group(1)
        if not os.path.exists(os.path.join(SCRIPTS, name)):
            return str(found.group())
        return "$(alidade slurm)" if name == "slurm" else "alidade " + name

    text = re.sub(r"(?<![\w/])scripts/([a-z-]+)", started, text)
    command = of_suite("environment.sh", "^command='(.*)'") or "alidade"
    return re.sub(r"(?<![\w/.-])alidade(?= [A-Za-z-])", command, text)


class Ended(Exception):
    """The command ends with this exit code; why has been said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Interrupted(BaseException):
    """A signal told the command to end.  plan: the runs that are going on, if any."""

    plan: Any = None

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


ENDING = signal.SIGHUP, signal.SIGINT, signal.SIGTERM


def came(number: int, _frame: Any) -> None:
    """The command ends, and its children get further signals by themselves."""
    for ending in ENDING:
        signal.signal(ending, signal.SIG_IGN)
    raise Interrupted(number)


def watch_signals() -> None:
    """Those that whoever started the command does not keep from it, as nohup does."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, came)


def execute(argv: Sequence[str], **how: Any) -> subprocess.CompletedProcess:
    """Run a command that ends its own processes when it is told to, as all of common.sh do; how:
    words of Popen.  Errors: Interrupted, after it has ended."""
    output.flush()
    process: Any = None
    # Signals wait meanwhile, so that no process starts that nobody knows.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)

    def admit() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        try:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, preexec_fn=admit, **how)
        finally:
            admit()
        said, _ = process.communicate()
    except Interrupted as why:
        if process is not None:
            process.send_signal(why.number)
            process.wait()
        raise
    return subprocess.CompletedProcess(argv, process.returncode, said)


def words(function: Sequence[str], folder: str = "") -> List[str]:
    """The command that runs a function of common.sh, for a build."""
    return ["bash", "-c", DOOR, Program.name, os.path.join(SCRIPTS, "common.sh"), folder,
            "no" if Program.quiet else "yes"] + list(function)


def ask(*function: str, folder: str = "") -> str:
    """What a function of common.sh prints.  Errors: Ended, if it refused, and has said why."""
    done = execute(words(function, folder), stdout=subprocess.PIPE)
    if done.returncode:
        raise Ended(1)
    return os.fsdecode(done.stdout).strip("\n")


def hold(out: str, err: str, argv: Sequence[str]) -> int:
    """The exit code of a command whose output is added to two files, or the same, or "": this
    command's.  When it is interrupted, all that it has started ends."""
    return execute(words(["held", out, err] + list(argv))).returncode


def said_by(argv: Sequence[str], **how: Any) -> Optional[str]:
    """What a command of the system prints, or None if it failed or is not there."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=how.pop("stderr", subprocess.DEVNULL), **how)
    except OSError:
        return None
    return os.fsdecode(done.stdout) if done.returncode == 0 else None
