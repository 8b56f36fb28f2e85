# SPDX-License-Identifier: BSD-3-Clause
"""Variants of a comparison: a build, an MPI, or its source, with a launcher and settings; or
results that are there."""
import json
import os
import re
from typing import List, Optional, Sequence

from judge.comparable import VARIANTS
from judge.text import Program, Refused

from . import mpis
from .builds import Build, NotBuilt, build_for, is_build, launcher_of, within
from .folders import files, read
from .shell import BUILDS, SCRIPTS, ask, execute, said_by


class Variant:
    """Of "NAME=[VAR=VALUE...] WHAT [LAUNCHER...]".

    text: its definition.  variables: VAR=VALUE words.  what: a folder, SOURCE@REVISION, or a
    release as mpis.asked() reads it.  kind: build, abi (a prefix whose MPI has the ABI of MPI 5),
    prefix, release, revision or results.  launcher: a command with {n}, or "".  build: what runs
    it.  prefix: of the MPI, where it is known; settings: with which that one is found.  builder: of
    a release, the prefix of that for which its programs are compiled.
    """

    def __init__(self, given: str, abi: Optional[str]) -> None:
        named = re.match("([A-Za-z0-9_.-]+)=", given)
        own, text = (named.group(1), given[named.end():]) if named else ("", given)
        rest = text.split()
        self.variables: List[str] = []
        while rest and re.match("[A-Za-z_][A-Za-z0-9_]*=", rest[0]):
            self.variables.append(rest.pop(0))
        if not rest:
            raise Refused("variant '%s' names neither a build nor results; put variables, build "
                          "and launcher into one pair of quotes" % given)
        self.what, self.text, self.abi, self.build = rest[0], text, abi, Build("")
        self.release = mpis.asked(self.what)
        self.prefix = self.builder = ""
        self.settings: List[str] = []
        self.name = own or (mpis.Release(*self.release).name().strip("-") if self.release else
                            os.path.basename(self.what.rstrip("/")))
        self.launcher = launcher_of(" ".join(rest[1:]))
        # The folder of results has files of its own.
        if self.name.startswith("."):
            raise Refused("a variant cannot be called '%s': name it, as NAME=%s"
                          % (self.name, self.what))
        self.what = within(self.what)
        if (" " in text and os.path.exists(text)) or \
                (self.has_bin() and " " in os.path.realpath(self.what)):
            raise Refused("the path of variant %s has a blank, which separates it from a launcher; "
                          "make a symbolic link without one" % self.name)
        self.kind = self.kind_of(given)

    def has_bin(self) -> bool:
        return os.path.isdir(os.path.join(self.what, "bin"))

    def kind_of(self, given: str) -> str:
        what = self.what
        if self.release:
            return "release"
        source, at, revision = what.partition("@")
        source = what.rpartition("@")[0]
        if at and source and revision and not os.path.exists(what) and os.path.isdir(source):
            return "revision"
        if is_build(what):
            return "build"
        if self.abi and self.has_bin():
            return "abi"
        if os.access(os.path.join(what, "bin/mpicc"), os.X_OK):
            return "prefix"
        if not os.path.exists(what):
            raise Refused("'%s' of variant %s does not exist%s" % (
                what, self.name, "" if re.search("[/=]", given) else "; programs follow --"))
        if os.path.isfile(what):
            if '"suite"' not in read(what):
                raise Refused("'%s' of variant %s is no result file" % (what, self.name))
        elif not files(what, r".*\.json"):
            raise Refused("'%s' of variant %s is neither a build, nor the prefix of an MPI, nor a "
                          "folder with results; an MPI's source needs a revision, as %s@HEAD"
                          % (what, self.name, what))
        return "results"

    def is_stored(self) -> bool:
        return self.kind == "results"

    def make(self, ranks: int, programs: Sequence[str]) -> None:
        """Build what it takes to run these programs.  Errors: NotBuilt, Refused."""
        mpirun = ""
        if self.kind == "revision":
            self.build = self.of_revision(programs)
        elif self.kind == "abi":
            self.build, self.prefix = Build(within(self.abi or "")), os.path.realpath(self.what)
            mpirun = self.load_abi()
        elif self.kind == "release":
            self.build = build_for(os.path.basename(self.builder), self.builder, programs)
            mpirun = mpis.launcher_in(self.prefix)
        elif self.kind == "prefix":
            self.prefix = os.path.realpath(self.what)
            mpis.check_launcher(self.prefix, mpis.mpi_in(self.prefix))
            self.build = build_for("compare-" + self.name, self.prefix, programs, fixed=True)
        else:
            self.build = Build(self.what)
        if self.prefix:
            self.settings = mpis.settings_of(self.prefix)
        if self.launcher:
            self.launcher = self.launcher.replace(
                "{mpirun}", mpirun or self.build.value("mpirun"))
        else:
            self.launcher = self.build.launcher(ranks, mpirun)

    def of_revision(self, programs: Sequence[str]) -> Build:
        ask("need_sources")
        source, _, revision = self.what.rpartition("@")
        commit = revision_in(source, revision)[:12]
        self.text += " (%s)" % commit
        self.prefix = os.path.join(BUILDS, "mpi-" + commit)
        if not Program.only_print and execute(
                [os.path.join(SCRIPTS, "build-mpi"), source, commit, self.prefix]).returncode:
            raise NotBuilt("build-mpi failed; see %s/build.log" % self.prefix)
        return build_for("compare-" + commit, self.prefix, programs, fixed=True)

    def check_loaded(self, path: str) -> str:
        """Why the run with these results measured another MPI, or "": where programs are not linked
        with the one that they are to load."""
        if self.kind not in ("abi", "release"):
            return ""
        try:
            file = json.loads(read(path))["environment"]["mpi_file"]
        except (ValueError, KeyError, TypeError):
            file = ""
        return mpis.check_loaded(file or "", self.prefix)

    def load_abi(self) -> str:
        """Have the build of --abi load the MPI of this prefix: the launcher there."""
        if not is_build(self.build.folder):
            raise Refused("--abi '%s' is not a build" % self.abi)
        if self.build.value("flavour") != "abi":
            raise Refused("--abi '%s' is a build for one MPI; configure one with the compiler "
                          "wrapper of the ABI, such as CC=mpicc_abi" % self.abi)
        libs = [place for place in mpis.libraries_of(self.prefix)
                if os.path.exists(place + "/libmpi_abi.so.1")]
        mpirun = mpis.launcher_in(self.prefix)
        if not libs or not mpirun:
            raise Refused("'%s' has no libmpi_abi.so.1 in lib, or no mpirun in bin: its MPI does "
                          "not have the ABI of MPI 5, or is not all there" % self.prefix)
        return mpirun


def revision_in(source: str, name: str) -> str:
    """The commit of a revision.  Errors: Refused."""
    commit = said_by(["git", "-C", source, "rev-parse", "--verify", "--quiet", name + "^{commit}"])
    if commit is None:
        raise Refused("'%s' is not a revision of '%s'" % (name, source))
    return commit.strip()


def read_variants(given: Sequence[str], abi: Optional[str]) -> List[Variant]:
    """All of them are right before the first is built, which may take an hour.  Errors: Refused."""
    if len(given) > VARIANTS:
        raise Refused("at most %d variants can be compared, not %d" % (VARIANTS, len(given)))
    variants: List[Variant] = []
    for text in given:
        variant = Variant(text, abi)
        if any(variant.name == other.name for other in variants):
            raise Refused("two variants are called '%s'" % variant.name)
        variants.append(variant)
    return variants


def fetch_releases(variants: Sequence[Variant], index: mpis.Index) -> None:
    """Those that are not here, and for which of them programs are compiled: releases that programs
    cannot tell apart share a build.  Errors: Refused."""
    of_index = [variant for variant in variants if variant.release]
    there = index.get([variant.release for variant in of_index if variant.release])
    shared = mpis.builders([prefix for _, prefix in there])
    for variant, (release, prefix), builder in zip(of_index, there, shared):
        variant.prefix, variant.builder = prefix, builder
        if variant.abi:
            variant.kind, variant.what = "abi", prefix
        if not (variant.release or ("", ""))[1]:
            variant.text += " (%s)" % release.version
        if builder != prefix and not variant.abi:
            variant.text += ", with programs compiled for %s" % os.path.basename(builder)
