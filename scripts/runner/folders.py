# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results, and files in them."""
import fcntl
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional

from judge.text import Program, Refused, natural, output, version

from .options import quoted

# Variables that steer an MPI and its transports.
STEERING = re.compile("(OMPI_MCA|PRTE_MCA|PMIX_MCA|UCX|UCC|HCOLL|MPICH|MPIR_CVAR|MV2|FI|PSM2|PSM3|"
                      "I_MPI)_")
# And those that say which library is loaded.
LOADING = re.compile("LD_(LIBRARY_PATH|PRELOAD)\\Z")


def say(text: str) -> None:
    """Print what is no error to standard error at once, unless --quiet is given."""
    if not Program.quiet:
        sys.stderr.write(text + "\n")


def tell(text: str) -> None:
    """Print to standard output at once."""
    output.write(text + "\n")
    output.flush()


def read(path: str) -> str:
    """What is in a file, or "" if it is not there."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def size_of(path: str) -> int:
    """Bytes in a file; -1: it is not there."""
    return os.path.getsize(path) if os.path.exists(path) else -1


def write(path: str, text: str, mode: str = "w") -> None:
    """Errors: Refused, which names the folder."""
    try:
        with open(path, mode, encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except OSError:
        raise Refused("cannot write to '%s'" % (os.path.dirname(path) or "."))


def variables(*which: Any) -> str:
    """The variables whose names are so, as words for a shell."""
    return "".join("%s=%s " % (name, quoted(os.environ[name])) for name in sorted(os.environ)
                   if any(pattern.match(name) for pattern in which))


# --- Folders ------------------------------------------------------------------------------------


def make_folder(path: str) -> None:
    """If it is not there.  Errors: Refused."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Refused("cannot create '%s': %s" % (path, error.strerror))


@contextmanager
def scratch() -> Iterator[str]:
    """A folder for as long as it is needed, where TMPDIR says.  Errors: Refused."""
    place = os.environ.get("TMPDIR") or "/tmp"
    try:
        folder = tempfile.mkdtemp(dir=place)
    except OSError as error:
        raise Refused("cannot create a folder in '%s': %s" % (place, error.strerror))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Folder:
    """A folder of results, which is this command's until it ends, however it ends.

    (File systems without locks let other commands in.)  Errors: Refused.
    """

    def __init__(self, path: Optional[str], name: str) -> None:
        self.path = path or self.fresh("%s-%s" % (name, time.strftime("%Y-%m-%d-%H%M%S")))
        make_folder(self.path)
        try:
            self.lock = open(os.path.join(self.path, ".lock"), "a")
        except OSError:
            raise Refused("cannot write to '%s'" % self.path)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused("another command is using '%s'; choose another folder for results"
                          % self.path)
        except OSError:
            pass

    @staticmethod
    def fresh(name: str) -> str:
        """A new folder of that name, or with a number; of several commands at once one makes it."""
        path, number = name, 1
        while True:
            try:
                os.mkdir(path)
                return path
            except FileExistsError:
                number += 1
                path = "%s-%d" % (name, number)
            except OSError as error:
                raise Refused("cannot create '%s': %s" % (path, error.strerror))

    def keep_to(self, task: str) -> None:
        """It has runs of this task, or none; of the same command and version, too."""
        task = "%s%s; %s (Alidade) %s" % (variables(STEERING, LOADING), task, Program.name,
                                          version())
        path = os.path.join(self.path, ".asked")
        before = read(path).rstrip("\n")
        if before not in ("", task) and (files(self.path, r".*\.json") or
                                          files(self.path, r".*-[0-9].*\.txt")):
            raise Refused("%s has results of another command: %s; choose another folder for results"
                          % (self.path, before))
        write(path, task + "\n")


def files(folder: str, name: str) -> List[str]:
    """Those below the folder whose names are so, sorted; hidden folders are left out."""
    found = []
    for place, inner, names in os.walk(folder):
        inner[:] = [each for each in inner if not each.startswith(".")]
        found += [os.path.join(place, each) for each in names if re.match(name + r"\Z", each)]
    return sorted(found, key=natural)
