# SPDX-License-Identifier: BSD-3-Clause
"""record - which calls of MPI an application makes, and how long they take."""
import os
import re
import shutil
from typing import Set

from judge.text import Refused

from .builds import BUILDS, Build, default_build, need_build
from .options import Options
from .shell import said_by

USAGE = """Usage: alidade record [OPTION...] PROGRAM [ARGUMENT...]
Start an application, and write down which calls of MPI it makes, with how many
bytes, among how many ranks and nodes, and how long they take.

The launcher starts it in place of the application. Rank 0 writes the file in
MPI_Finalize. A job that does not reach that leaves a file that says so.

Options:
  --output PATH  the file of the record, as JSON [record.json]
  --build DIR    build folder, or where make install has put the programs, for
                 the MPI of the application [that of the launcher]

Example:
  mpirun -n 4 alidade record --output app.json ./app input

Exit codes: those of the application; 1 if it could not be started.
"""

READING = {"plan": False, "first": 1}

# Which MPI has started this process, as its launcher tells the ranks.
STARTED_BY = (("OMPI_COMM_WORLD_SIZE", "openmpi"), ("PMI_SIZE", "mpich"), ("PMIX_RANK", "openmpi"))


def build_of_launcher() -> Build:
    """Errors: Refused."""
    for variable, flavour in STARTED_BY:
        folder = os.path.join(BUILDS, flavour)
        if variable in os.environ and os.path.exists(os.path.join(folder, "c/profile/record.so")):
            return Build(folder)
    return default_build()


def mpi_of(program: str) -> Set[str]:
    """The files of the MPI library that it is linked with."""
    return set(re.findall(r"libmpi(?:ch)?[.]so\S*", said_by(["ldd", program]) or ""))


def main(o: Options) -> int:
    if not o.words:
        raise Refused("record needs the application that it starts")
    program = shutil.which(o.words[0])
    if program is None:
        raise Refused("'%s' is no program" % o.words[0])
    build = need_build(o.build) if o.build else build_of_launcher()
    library = os.path.abspath(os.path.join(build.folder, "c/profile/record.so"))
    if not os.path.exists(library):
        raise Refused("%s has no c/profile/record.so; build it again" % build.folder)
    own, theirs = mpi_of(library), mpi_of(program)
    if own and theirs and not own & theirs:
        raise Refused("%s uses %s, and the build in %s another MPI; name one for this MPI with "
                      "--build" % (o.words[0], " ".join(sorted(theirs)), build.folder))
    loaded = os.environ.get("LD_PRELOAD")
    os.environ["LD_PRELOAD"] = library + (":" + loaded if loaded else "")
    os.environ["ALIDADE_RECORD"] = os.path.abspath(o.output)
    try:
        os.execv(program, o.words)
    except OSError as error:
        raise Refused("'%s' cannot be started: %s" % (o.words[0], error.strerror))
