# SPDX-License-Identifier: BSD-3-Clause
"""Result files of --json: reading them, and those that belong to one variant.

A file comes from anywhere: cut short, edited by hand, of another program.  What Result takes has
every field that is read below; all other fields may be missing, or of any kind.
"""
import json
import math
import os
import re
import stat
import time
from calendar import timegm
from collections import Counter
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from .text import WRONG, WRONG_DATA, Refused, counted, grouped, natural, some_of, within

SCHEMA, BYTES_MAX = 2, 256 << 20
UNITS = "us", "s", "MB/s"  # of values; None: nothing is measured


# --- JSON ---------------------------------------------------------------------------------------


def as_object(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list:
    return value if isinstance(value, list) else []


def as_text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def as_number(value: Any) -> float:
    """0 if it is none."""
    return value if is_number(value) else 0


def as_whole(value: Any) -> int:
    """0 if it is none."""
    return value if is_whole(value) else 0


def equal(a: Any, b: Any) -> bool:
    """Are two values of JSON equal?  1, 1.0 and true are not."""
    return a == b and (a is b or json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))


ABSENT = object()  # where a field may be null as well


def rounded(value: Any, digits: int) -> Any:
    """A value of JSON, in which all real numbers have at most so many digits."""
    if isinstance(value, float):
        return float("%.*g" % (digits, value))
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    return [rounded(item, digits) for item in value] if isinstance(value, list) else value


def shown(value: Any, digits: int = 15) -> str:
    """A value of a document, or ABSENT, in a sentence; real numbers have at most so many digits."""
    return "not set" if value is ABSENT else json.dumps(
        rounded(value, digits), ensure_ascii=False, separators=(",", ":"))


def whole_of(digits: str) -> int:
    if not -1 << 63 <= int(digits) < 1 << 63:
        raise ValueError("too big integer")
    return int(digits)


def real_of(text: str) -> float:
    """Of digits; NaN and Infinity, which json takes, are no numbers."""
    if not math.isfinite(float(text)):
        raise ValueError("'%s' is no number" % text)
    return float(text)


def json_of(text: str) -> Any:
    """The document.  Errors: ValueError, RecursionError."""
    root = json.loads(text, parse_constant=real_of, parse_int=whole_of, parse_float=real_of)
    # No text may have half of a surrogate pair, or a character 0.
    if "\\u" in text and re.search(r"(?<!\\)(\\\\)*\\u0000|[\ud800-\udfff]",
                                   json.dumps(root, ensure_ascii=False)):
        raise ValueError("invalid Unicode escape")
    if not isinstance(root, (dict, list)):
        raise ValueError("'[' or '{' expected")
    return root


def read_bytes(path: str) -> bytes:
    """All of a regular file that is not too long for results.  Errors: Refused."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            raise Refused("%s: is not a regular file" % path)
        if about.st_size > BYTES_MAX:
            raise Refused("%s: has %d bytes; no result file has more than %d"
                          % (path, about.st_size, BYTES_MAX))
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Refused("%s: %s" % (path, error.strerror))


def read_json(path: str) -> Any:
    """The document in a file, an object or a list.  Errors: Refused."""
    text = read_bytes(path)
    if not text:
        raise Refused("%s: is empty" % path)
    try:
        return json_of(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        line, why = text.count(b"\n", 0, error.start) + 1, "unable to decode byte as UTF-8"
    except RecursionError:
        line, why = 1, "maximum parsing depth reached"
    except json.JSONDecodeError as error:
        line, why = error.lineno, error.msg
    except ValueError as error:
        line, why = 1, str(error)
    raise Refused("%s: is not JSON: line %d: %s" % (path, line, why))


# --- A run --------------------------------------------------------------------------------------


def row_lacks(row: Any) -> Optional[str]:
    if not isinstance(row, dict):
        return "a row is not an object"
    if not is_whole(row.get("ranks")):
        return "a row has no ranks"
    # null: the program measures nothing, as hello.
    value = row.get("value", "")
    if not is_number(value) and value is not None:
        return "a row has no value"
    if row.get("bytes") is not None and not is_whole(row["bytes"]):
        return "the bytes of a row are not a number"
    if row.get("datatype") is not None and not isinstance(row["datatype"], str):
        return "the datatype of a row is not a string"
    if "operation" in row and not isinstance(row["operation"], str):
        return "the operation of a row is not a string"
    if "over_iterations" in row:
        middle = as_number(as_object(row["over_iterations"]).get("median_us"))
        if as_number(value) > 0 and not 0 < middle < float("inf"):
            return "a row has iterations without a median"
    elif not isinstance(row.get("unit"), str) and is_number(value):
        return "a row has no unit"
    if row.get("unit") not in UNITS + (None,):
        return "a row has the unit '%s'; known are %s" % (
            within(shown(row["unit"]).strip('"'), 20), ", ".join(UNITS))
    return None


class Result:
    """One run.

    path: of its file, with ": run 3" for one of several in a file.  number: of scripts/repeat, or
    of the file's name, as 10 of latency-10.json, or 0.  inside: is it one of several in a file?
    """

    def __init__(self, path: str, root: Any, number: int = 0, inside: bool = False) -> None:
        self.path, self.root, self.inside = path, as_object(root), inside
        named = re.search(r".-([0-9]{1,7})\.json\Z", path, re.DOTALL)
        self.number = int(named.group(1)) if named and number <= 0 else number
        # An answer of compare, such as --json, has no schema.
        if self.root.get("suite") != "Alidade" or "schema" not in self.root:
            raise Refused("%s: is not a JSON result file of Alidade" % path)
        schema = as_whole(self.root["schema"])
        if schema != SCHEMA:
            raise Refused("%s: was written with schema %d; this version of Alidade reads schema %d "
                          "only" % (path, schema, SCHEMA))
        end = as_object(self.root.get("exit"))
        # A run that failed may lack anything else.
        if "code" in end and not (is_whole(end["code"]) and end["code"] == 0):
            reason, code = as_text(end.get("reason")), as_whole(end["code"])
            raise Refused("%s: the run has failed: exit code %d, %s" % (
                path, code, within(reason if reason is not None else "unknown reason", 60)),
                WRONG_DATA if code == WRONG_DATA else 1)
        self.benchmark: Any = self.root.get("benchmark")
        self.method: Any = self.root.get("method")
        self.environment: Any = self.root.get("environment")
        self.rows: Any = self.root.get("rows")
        # Rows that were asked for and not measured; in early files they lack the unit of others.
        unit = {"unit": row["unit"] for row in map(as_object, as_list(self.rows)) if "unit" in row}
        self.left_out = [{**unit, **as_object(row), "value": None}
                         for row in as_list(self.root.get("left_out"))]
        lacks = self.lacks()
        if lacks:
            raise Refused("%s: %s" % (path, lacks))

    def lacks(self) -> Optional[str]:
        # Names stand in file names, Markdown and HTML.
        if not re.match(r"[a-z0-9_]{1,63}\Z", as_text(self.benchmark) or ""):
            return "it names no benchmark"
        if not (isinstance(self.method, dict) and isinstance(self.environment, dict)):
            return "it has no method or no environment"
        if not isinstance(self.environment.get("mpi"), str):
            return "its environment names no MPI"
        if not isinstance(self.root.get("exit"), dict):
            return "it has no exit record: the run or the file was cut short"
        if not isinstance(self.rows, list):
            return "it has no rows"
        return next(filter(None, map(row_lacks, self.rows + self.left_out)), None)

    def field(self, name: str, otherwise: Any = None) -> Any:
        """The value of "method.start" or "environment.ranks"; otherwise: it is not there."""
        part, _, name = name.partition(".")
        return (self.method if part == "method" else self.environment).get(name, otherwise)

    def started(self) -> Optional[int]:
        """In seconds since 1970; None: the file does not say."""
        try:
            return timegm(time.strptime(self.root["started"][:19], "%Y-%m-%dT%H:%M:%S"))
        except (KeyError, TypeError, ValueError):
            return None

    def host_of(self, rank: int) -> Optional[str]:
        """The host of a rank of the job; None: unknown."""
        ranks = as_list(self.environment.get("rank"))
        return as_text(as_object(ranks[rank]).get("host")) if 0 <= rank < len(ranks) else None

    def hosts(self) -> List[str]:
        """Those of all ranks that name one, in the order of ranks."""
        hosts = map(self.host_of, range(len(as_list(self.environment.get("rank")))))
        return [host for host in hosts if host is not None]

    def is_crowded(self) -> bool:
        """Did its ranks or their threads share CPUs (W07, W08, W37)?  Then its times show the
        scheduler, not MPI."""
        return self.environment.get("oversubscribed") is True or any(
            bool(self.environment.get(name)) for name in ("sharing_cores", "excess_threads"))


def identity_of(path: str) -> Tuple[int, int]:
    """Of a file or folder, under whatever name.  Errors: OSError."""
    about = os.stat(path)
    return about.st_dev, about.st_ino


def runs_in(path: str) -> List[Result]:
    """The results in a file: itself, or those that scripts/repeat put into it.  Errors: Refused."""
    root = read_json(path)
    document = as_object(root)
    if document.get("suite") != "Alidade" or not is_whole(document.get("repeat")) or \
            "result_files" not in document:
        return [Result(path, root)]
    runs = [as_object(run) for run in as_list(document["result_files"])]
    if not runs:
        raise Refused("%s: has no runs" % path)
    results = []
    for i, run in enumerate(runs):
        if "result" not in run:
            raise Refused("%s: entry %d of its runs has no result" % (path, i + 1))
        number = as_whole(run.get("run"))
        results.append(Result("%s: run %d" % (path, number), run["result"], number, True))
    return results


def is_failed_run(path: str) -> bool:
    """Is it what scripts leave of a run that failed, or goes on: results that were set aside, or
    what was printed without results?  If another try succeeded, it is not."""
    if path.endswith(".json.failed"):
        return not os.path.exists(path[:-len(".failed")])
    stem = path[:-len(".out")]
    return path == stem + ".out" and os.path.exists(stem + ".err") and not any(
        os.path.exists(stem + ending) for ending in (".json", ".json.failed"))


def failure_of(path: str) -> str:
    """A sentence on a run that is_failed_run(): why, if its file says so."""
    if path.endswith(".out"):
        with open(path[:-len(".out")] + ".err", encoding="utf-8", errors="replace") as file:
            is_wrong = re.search("^alidade: error E14:", file.read(), re.M)
        return "%s: the run has failed%s, and left no results" % (
            path, ": exit code 3, wrong data" if is_wrong else "")
    try:
        Result(path, read_json(path))
        return path + ": the run has failed"
    except Refused as why:
        return str(why)


def is_of_wrong_data(sentence: str) -> bool:
    """Does it say that a run failed because of wrong data?"""
    return "exit code 3," in sentence or WRONG in sentence


# --- A variant ----------------------------------------------------------------------------------


class Variant:
    """What is compared: an MPI, a setting, yesterday's installation.  It has a file for each run.

    unread: gets a sentence for each thing that is no result; None: the first such is an error.
    failed: files in the folders that scripts left of runs that failed.  racks: of hosts, where
    examine was told.
    """

    def __init__(self, name: str, files: Iterable[Result] = (),
                 unread: Optional[List[str]] = None) -> None:
        self.name, self.files, self.unread = name, list(files), unread
        self.failed: List[str] = []
        self.racks: Dict[str, str] = {}
        self.identities: Set[Tuple[int, int]] = set()
        self.folders: Set[Tuple[int, int]] = set()
        self.by_start: Dict[Optional[str], List[Result]] = {}

    def add(self, path: str) -> None:
        """Add a file, or all files of a folder.  Errors: Refused."""
        self.folders = set()
        self.try_to(path)

    def try_to(self, path: str) -> int:
        """Add it, and return the number of files; what is no result is named, and does not hide the
        others, if that is wanted."""
        try:
            if not os.path.isdir(path):
                return self.add_file(path)
            met = self.add_folder(path)
            if met == 0:
                wrong = list(filter(is_of_wrong_data, map(failure_of, self.failed)))
                if wrong:
                    raise Refused(wrong[0], WRONG_DATA)
                raise Refused("%s: no file in it ends in .json" % path)
            return met
        except Refused as why:
            if self.unread is None:
                raise
            self.unread.append(str(why))
            return 1

    def add_file(self, path: str) -> int:
        """Add the runs in it, each once under whatever name; returns 1, for one file."""
        try:
            identity = identity_of(path)
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror))
        for result in runs_in(path) if identity not in self.identities else ():
            # Has a folder been copied, or does a file of scripts/repeat have this run, too?  Of two
            # files that do not say when they began that is unknown: they count as two runs.
            start = as_text(result.root.get("started"))
            if not self.copy_of(result, start is not None or result.inside):
                self.by_start.setdefault(start, []).append(result)
                self.files.append(result)
        self.identities.add(identity)
        return 1

    def copy_of(self, result: Result, is_sure: object) -> Optional[Result]:
        """A file of this variant that has the same run; is_sure: files as equal are one run."""
        alike = self.by_start.get(as_text(result.root.get("started")), ())
        return next((f for f in alike
                     if (is_sure or f.inside) and equal(f.root, result.root)), None)

    def add_folder(self, path: str) -> int:
        """Add all files in it and in its folders, in the order of names; returns how many."""
        try:
            self.folders.add(identity_of(path))
            names = sorted((name for name in os.listdir(path) if name[0] != "."), key=os.fsencode)
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror))
        met = folders = 0
        for full in ("%s/%s" % (path, name) for name in names):
            if os.path.isdir(full):
                # A link may lead to a folder that has it.
                if identity_of(full) in self.folders:
                    continue
                folders += 1
                # A node's folder without results is what accept must not pass over.
                met += self.add_folder(full) if self.unread is None else self.try_to(full)
            elif full.endswith(".json"):
                met += self.try_to(full)
            elif is_failed_run(full):
                self.failed.append(full)
        if folders > 1 and os.path.exists(path + "/.variants"):
            raise Refused("%s: has a folder for each variant of scripts/compare: name one of them"
                          % path)
        return met

    def failed_runs(self) -> str:
        """A sentence on the runs that failed; "": none did."""
        if not self.failed:
            return ""
        return "%s failed, first %s" % (counted(len(self.failed), "run"), self.failed[0])

    def crowded(self) -> int:
        return sum(f.is_crowded() for f in self.files)

    def loaded(self) -> int:
        return sum(bool(f.environment.get("foreign_load")) for f in self.files)

    def is_half(self, n: int) -> bool:
        """Are n runs at least half of its runs?"""
        return 2 * n >= len(self.files) > 0

    def crowded_words(self) -> str:
        """A sentence if runs were crowded; "": none was."""
        return "" if not self.crowded() else (
            "Ranks shared CPUs (W07, W08 or W37) in %d of %s: their times show the scheduler, not "
            "MPI." % (self.crowded(), counted(len(self.files), "run")))

    def loaded_words(self) -> str:
        """The same of other processes."""
        return "" if not self.loaded() else (
            "Other processes used the CPUs of ranks (W40) in %d of %s: intervals may be wide, and "
            "values too high." % (self.loaded(), counted(len(self.files), "run")))

    def number_runs(self) -> None:
        """Order them by when they began, where all files say so, then by their numbers; and give
        each a number of its own: numbers of several folders would meet twice."""
        for i, f in enumerate(self.files):
            f.number = f.number or i + 1
        self.files.sort(key=lambda f: (f.number, os.fsencode(f.path)))
        started = {f: f.started() for f in self.files}
        if None not in started.values():
            self.files.sort(key=lambda f: started[f] or 0)
        if len({f.number for f in self.files}) < len(self.files):
            for i, f in enumerate(self.files):
                f.number = i + 1


def split_by_hosts(v: Variant) -> List[Tuple[Variant, int]]:
    """(variant, number of hosts) for each set of hosts that its runs were on, in the order of
    names: a median over several sets would hide a bad one."""
    sets = grouped(v.files, lambda f: tuple(sorted(set(f.hosts()), key=natural)))
    order = sorted(sets, key=lambda hosts: [natural(host) for host in hosts])
    return [(Variant(name, sets[hosts]), len(hosts))
            for hosts, name in zip(order, names_of_sets(order))]


def names_of_sets(sets: Sequence[Sequence[str]]) -> List[str]:
    """"n1, n2 and 62 more": of different sets of hosts, in the order of hosts.  The hosts that are
    named tell each set from all others: two, or more if need be, those first that few sets have."""
    in_sets = Counter(host for hosts in sets for host in hosts)
    rarest = [sorted(hosts, key=in_sets.__getitem__) for hosts in sets]
    names: List[str] = []
    for most in range(2, max([2] + [len(hosts) for hosts in sets]) + 1):
        names = [some_of(sorted(hosts[:most], key=natural) + hosts[most:], most)
                 for hosts in rarest]
        if len(set(names)) == len(names):
            break
    return [name or "unknown hosts" for name in names]
