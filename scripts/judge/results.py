# SPDX-License-Identifier: BSD-3-Clause
"""Result files of --json: reading them, which may be compared with which, and their rows.

A file comes from anywhere: cut short, edited by hand, of another program.  What Result takes
has every field that is read below."""
import itertools
import json
import math
import os
import re
import stat
import sys
import time
from calendar import timegm
from collections import namedtuple
from difflib import get_close_matches

from .statistics import median

SCHEMA, BYTES_MAX = 2, 256 << 20


class Refused(Exception):
    """A sentence that says why nothing was done."""


def meant(word, words, dashes=""):
    near = get_close_matches(word, words, 1, 0.7)
    return " (did you mean %s%s?)" % (dashes, near[0]) if near else ""


def plural(n, one="", many="s"):
    return one if n == 1 else many


def shown(value):
    """A value of a document in a sentence; None: its field is not there."""
    return "not set" if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# --- Files ------------------------------------------------------------------------------------


def read_json(path):
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            raise Refused("%s: is not a regular file" % path)
        if about.st_size > BYTES_MAX:
            raise Refused("%s: has %d bytes; no result file has more than %d" % (path, about.st_size, BYTES_MAX))
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("%s: %s" % (path, getattr(error, "strerror", None) or "is not UTF-8"))
    if not text:
        raise Refused("%s: is empty" % path)
    try:
        return json.loads(text, parse_constant=lambda word: json.loads("?"))
    except (ValueError, RecursionError) as error:
        raise Refused("%s: is not JSON: line %d: %s" % (path, getattr(error, "lineno", 0), getattr(error, "msg", error)))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def as_object(value):
    return value if isinstance(value, dict) else {}


def row_lacks(row):
    """What a row lacks, or None."""
    over = row.get("over_iterations") if isinstance(row, dict) else None
    if not isinstance(row, dict):
        return "a row is not an object"
    if not is_whole(row.get("ranks")):
        return "a row has no ranks"
    if "value" not in row or not (is_number(row["value"]) or row["value"] is None):
        return "a row has no value"
    if not (row.get("bytes") is None or is_whole(row["bytes"])):
        return "the bytes of a row are not a number"
    for name in "datatype", "operation":
        if not (row.get(name) is None or isinstance(row[name], str)):
            return "the %s of a row is not a string" % name
    if over is not None and (row["value"] or 0) > 0:
        middle = as_object(over).get("median_us")
        if not (is_number(middle) and math.isfinite(middle) and middle > 0):
            return "a row has iterations without a median"
    if over is None and row.get("unit") is None and row["value"] is not None:
        return "a row has no unit"
    return None


class Result:
    """One run.  number: of scripts/repeat; inside: it is one of several in a file."""

    def __init__(self, path, root, number=0, inside=False):
        self.path, self.root, self.number, self.inside, self.identity = path, root, number, inside, None
        root = as_object(root)
        if root.get("suite") != "Alidade" or "schema" not in root:
            raise Refused("%s: is not a JSON result file of Alidade" % path)
        if root["schema"] != SCHEMA:
            raise Refused("%s: was written with schema %s; this version of Alidade reads schema %d only"
                          % (path, root["schema"], SCHEMA))
        end = as_object(root.get("exit"))
        if end.get("code", 0) != 0:
            raise Refused("%s: the run has failed: exit code %s, %.60s" % (path, end["code"], end.get("reason", "unknown reason")))
        self.benchmark, self.method = root.get("benchmark"), root.get("method")
        self.environment, self.rows = root.get("environment"), root.get("rows")
        lacks = self.lacks()
        if lacks:
            raise Refused("%s: %s" % (path, lacks))

    def lacks(self):
        if not re.fullmatch("[a-z0-9_]{1,63}", str(self.benchmark)):
            return "it names no benchmark"
        if not (isinstance(self.method, dict) and isinstance(self.environment, dict)):
            return "it has no method or no environment"
        if not isinstance(self.environment.get("mpi"), str):
            return "its environment names no MPI"
        if not isinstance(self.root.get("exit"), dict):
            return "it has no exit record: the run or the file was cut short"
        if not isinstance(self.rows, list):
            return "it has no rows"
        return next(filter(None, map(row_lacks, self.rows)), None)

    def field(self, name):
        """The value of "method.start" or the like."""
        part, _, name = name.partition(".")
        return getattr(self, part).get(name)

    def started(self):
        """In seconds since 1970; None: the file does not say."""
        try:
            return timegm(time.strptime(self.root["started"][:19], "%Y-%m-%dT%H:%M:%S"))
        except (KeyError, TypeError, ValueError):
            return None

    def hosts(self):
        ranks = self.environment.get("rank")
        return [as_object(rank).get("host") for rank in ranks] if isinstance(ranks, list) else []


def runs_in(path):
    """The results in a file: itself, or those that scripts/repeat put into it."""
    root = read_json(path)
    if as_object(root).get("suite") != "Alidade" or not is_whole(root.get("repeat")):
        result = Result(path, root)
        about = os.stat(path)
        result.identity = about.st_dev, about.st_ino
        return [result]
    runs = root.get("result_files") or []
    if not runs:
        raise Refused("%s: has no runs" % path)
    for i, run in enumerate(runs):
        if "result" not in as_object(run):
            raise Refused("%s: entry %d of its runs has no result" % (path, i + 1))
    return [Result("%s: run %d" % (path, run["run"]), run["result"], run["run"], True) for run in runs]


class Variant:
    """What is compared: an MPI, a setting, yesterday's installation.  It has a file for each run.
    unread: sentences on what is no result; None: the first such is an error."""

    def __init__(self, name, files=(), unread=None):
        self.name, self.files, self.unread = name, list(files), unread

    def add(self, path):
        if not os.path.isdir(path):
            self.try_to(self.add_file, path)
        else:
            self.try_to(self.add_some, path)

    def try_to(self, add, path):
        try:
            return add(path)
        except Refused as why:
            if self.unread is None:
                raise
            self.unread.append(str(why))
            return 1

    def add_file(self, path):
        about = os.stat(path) if os.path.exists(path) else None
        if about and any(f.identity == (about.st_dev, about.st_ino) for f in self.files):
            return 1
        for result in runs_in(path):
            if not any((f.inside or result.inside) and f.root == result.root for f in self.files):
                self.files.append(result)
        return 1

    def add_some(self, path):
        if self.add_folder(path) == 0:
            raise Refused("%s: no file in it ends in .json" % path)
        return 1

    def add_folder(self, path):
        """All files in it, and in its folders; returns how many."""
        try:
            names = sorted(name for name in os.listdir(path) if not name.startswith("."))
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror))
        met = folders = 0
        for full in (os.path.join(path, name) for name in names):
            if os.path.isdir(full):
                folders += 1
                # A node's folder without results is what accept must not pass over.
                met += self.add_folder(full) if self.unread is None else self.try_to(self.add_some, full)
            elif full.endswith(".json") and len(os.path.basename(full)) > 5:
                met += self.try_to(self.add_file, full)
        if folders > 1 and os.path.exists(os.path.join(path, ".variants")):
            raise Refused("%s: has a folder for each variant of scripts/compare: name one of them" % path)
        return met

    def crowded(self):
        """Runs whose ranks shared CPUs (W08): their times show the scheduler, not MPI."""
        return sum(f.environment.get("oversubscribed") is True for f in self.files)

    def number_runs(self):
        """By their names: latency-10.json comes after latency-2.json."""
        for i, f in enumerate(self.files):
            number = re.search(r"-(\d{1,7})\.json$", f.path)
            f.number = f.number or (int(number[1]) if number else i + 1)
        self.files.sort(key=lambda f: (f.number, f.path))


# --- What may be compared ---------------------------------------------------------------------

# How long was measured, and what is not chosen; and what of the environment decides what is measured.
FREE = set("title precision budget_s seed pready_seed over sample printed ignored".split())
BOUND = "ranks nodes ranks_per_node path bound memory oversubscribed".split()


class May:
    """Fields, as "method.start", that may differ; how: ends a refusal, and says how to permit one."""

    def __init__(self, how=None):
        self.fields, self.how = [], how

    def add(self, field):
        part, _, name = field.partition(".")
        if (name not in BOUND) if part == "environment" else part != "method" or not _:
            raise Refused("--allow '%.60s' is no field that decides whether results can be compared: give method.NAME or "
                          "environment.NAME as the message of the refusal does" % field)
        self.fields.append(field)

    def difference(self, field, a, b):
        """In words, with how to permit it; None: there is none that matters."""
        if a == b and isinstance(a, bool) == isinstance(b, bool) or "any" in (a, b) or field in self.fields:
            return None
        return "%s is %.100s / %.100s%s" % (field, shown(a), shown(b), self.how + field if self.how else "")


def decides(f):
    return {"method." + name for name in f.method if name not in FREE}


def check_alike(a, b, may):
    """Refuse to compare the two if something that decides what is measured differs."""
    converted = "converted_from" in a.root or "converted_from" in b.root
    method = [f for f in ["method." + n for n in a.method] + ["method." + n for n in b.method if n not in a.method]
              if f in decides(a) | decides(b) and not (converted and None in (a.field(f), b.field(f)))]
    place = ["environment." + n for n in BOUND if n in a.environment and n in b.environment]
    for words in (may.difference(f, a.field(f), b.field(f)) for f in method + place):
        if words:
            raise Refused("%s and %s were measured under different conditions: %s" % (a.path, b.path, words))


def place_of(f, may):
    """Where the ranks and buffers are, "2 ranks, same-numa, H-H": one folder may have runs in several places."""
    e = f.environment
    words = {"ranks": "%d ranks" % e.get("ranks", 0),
             "nodes": " on %d nodes" % e["nodes"] if (e.get("nodes") or 0) > 1 else "",
             "path": ", %.16s" % e.get("path", "somewhere"), "memory": ", %.12s" % e.get("memory", "H-H")}
    text = "".join(word for name, word in words.items() if "environment." + name not in may.fields)
    return text[2:] if text.startswith(", ") else text


def counterpart(files, f, may):
    """The first that is like f, or else of its benchmark elsewhere."""
    same = [other for other in files if other.benchmark == f.benchmark]
    return next((other for other in same if place_of(other, may) == place_of(f, may)), same[0] if same else None)


def check_runs(a, b, may):
    """The runs of b must measure the same as those of a that have their benchmark and place."""
    for f in b:
        first = counterpart(a, f, may)
        if first is not None and first is not f and place_of(first, may) == place_of(f, may):
            check_alike(first, f, may)


def check_variants(a, b, may):
    """Where the second has a benchmark in other places alone, that is an obstacle, too."""
    for f in b.files:
        first = counterpart(a.files, f, may)
        if first is not None and place_of(first, may) != place_of(f, may) and \
                place_of(counterpart(b.files, first, may), may) != place_of(first, may):
            check_alike(first, f, may)
    check_runs(a.files, b.files, may)


def check_together(variants, may):
    for field in may.fields:
        if not any(f.field(field) is not None for v in variants for f in v.files):
            raise Refused("--allow '%.60s': no result has that field" % field)
    for v in variants:
        for f in v.files[1:]:
            if f.field("environment.mpi") != v.files[0].field("environment.mpi"):
                raise Refused("%s: %s is from %.60s, %s from %.60s: name results of one MPI; report and compare take two MPIs, "
                              "as NAME=FILE NAME=FILE" % (v.name, v.files[0].path, v.files[0].field("environment.mpi"),
                                                          f.path, f.field("environment.mpi")))
        check_runs(v.files, v.files, may)


def read_variants(words, least, may):
    """Those that words name, as NAME=RESULTS or RESULTS."""
    variants = {}
    if len(words) < least:
        raise Refused("two variants are needed: the first is the baseline" if least > 1 else "results are needed")
    for word in words:
        match = None if os.path.exists(word) else re.match("([^=/]*)=(.*)", word, re.DOTALL)
        path = match[2] if match else word
        name = match[1] if match else (path.rstrip("/") or "/").split("/")[-1]
        if not name or (match and name[0] == ".") or re.search("[\"'|\n]", name):
            raise Refused("'%s' names no variant; write NAME=RESULTS" % word)
        name = name.encode()[:63].decode(errors="ignore")
        variants.setdefault(name, Variant(name)).add(path)
    if len(variants) > 16:
        raise Refused("at most 16 variants")
    check_together(variants.values(), may)
    if len(variants) < least:
        raise Refused("all results belong to one variant, %s" % next(iter(variants)))
    return list(variants.values())


def read_one(words, may, unread=None):
    """All words are results of one variant."""
    v = Variant("results", unread=unread)
    if not words:
        raise Refused("results are needed")
    for word in words:
        v.add(word)
    if not v.files:
        raise Refused(unread[0])
    check_together([v], may)
    return v


def split_by_hosts(v):
    """(variant, number of hosts) for each set of hosts that its runs were on: a median over several would hide a bad one."""
    sets = {}
    for f in v.files:
        sets.setdefault(tuple(sorted(set(filter(None, f.hosts())))), []).append(f)
    return [(Variant("unknown hosts" if not names else names[0][:40] + (" and %d more" % (len(names) - 1) if len(names) > 1 else ""),
                     files), len(names)) for names, files in sorted(sets.items())]


# --- Rows -------------------------------------------------------------------------------------

# Fields that make a row another one, besides size, type and window.
LEVELS = "queue_depth peers compute_percent buffers reuse_percent entries threads sender_compute_us".split()
MISSING = "missing"

RowId = namedtuple("RowId", "benchmark place bytes key unit")


def natural(key):
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", key)]


def same_row(id):
    return id.benchmark, id.place, -1 if id.bytes is None else id.bytes, natural(id.key)


def same_table(id):
    return id.benchmark, id.place


def level_of(id):
    """What tells a row from others of its size: the key without the size."""
    return id.key if id.bytes is None or " " not in id.key else id.key.split(" ", 1)[1]


def key_of(row):
    words = [str(row["bytes"])] if row.get("bytes") is not None else []
    words += [row[name] for name in ("datatype", "operation") if row.get(name)]
    for name, least in [("window", 2)] + [(name, -math.inf) for name in LEVELS] + [("ranks", 1)]:
        if is_whole(row.get(name)) and row[name] >= least:
            words.append("%s=%d" % (name, row[name]))
    return " ".join(words)


def ten_digits(figure):
    """Figures that are equal are equal runs, so digits that a division made up are cut."""
    return float("%.9e" % figure)


def figure_of(row):
    """The row's "median"; of a file from before rows had one, what it would be."""
    if is_number(row.get("median")):
        return row["median"]
    over, mean = row.get("over_iterations"), as_object(row.get("over_ranks")).get("mean_us") or 0
    value = row["value"] or 0
    times = as_object(over).get("median_us", 0) / mean if mean > 0 else 0
    if over is None or times <= 0 or "guideline" in row or "impact" in row:
        return value
    return ten_digits(value / times if row.get("unit") == "MB/s" else value * times)


def time_of(row):
    """A time in seconds, of a bandwidth that of a megabyte: greater is slower."""
    figure = figure_of(row)
    if row.get("unit") == "MB/s":
        return 1 / figure if figure else math.inf
    return figure * (1 if row.get("unit") == "s" else 1e-6)


def fault_of(row):
    """Why it cannot be compared, as "suspect"; "": it is not meant to be; None: it can."""
    if "unit" in row and row["unit"] is None or (row.get("pass") or 0) > 1 or \
            (row.get("unit") == "MB/s" and not row.get("bytes")):
        return ""
    if row.get("verified") == "fail":
        return "wrong data"
    if row.get("suspect"):
        return "suspect"
    # From a picosecond to thirty years: what is outside was not measured.
    return None if is_number(row["value"]) and 1e-12 < time_of(row) < 1e9 and abs(row["value"]) < 1e18 else "without a value"


class Run:
    """A row of one run."""

    def __init__(self, file, row, may, variant):
        self.file, self.row, self.variant = file, row, variant
        self.fault, self.figure, self.time = fault_of(row), figure_of(row), time_of(row)
        key = key_of(row)
        if "environment.ranks" in may.fields and row.get("ranks") == file.environment.get("ranks"):
            key = re.sub("ranks=.*", "ranks=all", key)
        self.id = RowId(file.benchmark, place_of(file, may), row.get("bytes"), key, (row.get("unit") or "")[:7])


class Cell:
    """What the runs of a variant have of a row.  runs: those that count; fault: why none does."""

    def __init__(self, runs):
        self.runs = [run for run in runs if run.fault is None]
        self.fault = None if self.runs else runs[0].fault if runs else MISSING
        figures = sorted(run.figure for run in self.runs)
        self.figure, self.low, self.high = (median(figures), figures[0], figures[-1]) if figures else (0, 0, 0)
        reasons = [run.row.get("doubtful") or [] for run in self.runs]
        words = [word for each in reasons for word in each]
        # The reason that most runs give, if half of them have one.
        self.doubtful = max(words, key=words.count) if words and 2 * sum(map(bool, reasons)) >= len(reasons) else None


Row = namedtuple("Row", "id cells")


def table_of(variants, may):
    """The rows that count in some run, sorted, and those that count in none."""
    runs = [Run(f, row, may, k) for k, v in enumerate(variants) for f in v.files for row in f.rows]
    runs = sorted((run for run in runs if run.fault != ""), key=lambda run: same_row(run.id))
    rows = []
    for _, group in itertools.groupby(runs, key=lambda run: same_row(run.id)):
        group = list(group)
        rows.append(Row(group[0].id, [Cell([r for r in group if r.variant == k]) for k in range(len(variants))]))
    counted = [row for row in rows if any(cell.runs for cell in row.cells)]
    return counted, [row for row in rows if row not in counted]


class Doubtful:
    """Doubtful rows, marked so by the benchmark: a verdict that rests on them says so."""

    def __init__(self, marked):
        marked = list(marked)
        self.rows, self.named = len(marked), [(id, why) for id, why in marked if why is not None]
        self.n, self.why = len(self.named), ", ".join(dict.fromkeys(why[:32] for _, why in self.named))

    def words(self, of):
        if self.n == 0:
            return ""
        first = ", ".join("%s %s" % (id.benchmark, id.key) for id, _ in self.named[:3])
        return "%d of %d rows of %s say%s little of the machine (%s): %s%s" % (
            self.n, self.rows, of, plural(self.n, "s", ""), self.why, first, ", and %d more" % (self.n - 3) if self.n > 3 else "")


# --- What differs all the same ----------------------------------------------------------------

# Variables by which a launcher tells its processes who they are, and mpirun's own.
VOLATILE = tuple("""PMI_ PMIX_ HYDI_ HYDRA_ OMPI_COMM_ OMPI_MCA_orte_ OMPI_MCA_ess OMPI_ARGV OMPI_FILE_ OMPI_COMMAND OMPI_APP_
    OMPI_NUM_ OMPI_FIRST_ OMPI_UNIVERSE_ MPI_LOCAL SLURM_JOB_ SLURM_STEP SLURM_TASK_PID OMPI_MCA_initial SLURM_SRUN
    SLURM_LAUNCH_NODE MPIR_CVAR_CH3_INTERFACE_HOSTNAME OMPI_MCA_pmix OMPI_MCA_mpi_oversubscribe
    OMPI_MCA_shmem_RUNTIME_QUERY_hint OMPI_MCA_hwloc_base_binding_policy OMPI_VERSION OMPI_TOOL_NAME OMPI_LIBDIR_LOC
    OMPI_MCA_PREFIXES OMPI_WORLD_ OMPI_MCA_num_ OMPI_MCA_cpu_type PRTE_SHARED_FS PRTE_LAUNCHED""".split())


def said(name, a, b):
    return "%.100s: %.160s / %.160s" % (name, shown(a), shown(b))


def environment_differences(a, b):
    x, y = a.files[0].environment, b.files[0].environment
    for name in "mpi mpi_file kernel model cpu_quota".split():
        if x.get(name) != y.get(name):
            yield said(name, x.get(name), y.get(name))
    for part, before, left_out in ("hardware", "", ()), ("build", "build ", ()), ("variables", "", VOLATILE):
        p, q = as_object(x.get(part)), as_object(y.get(part))
        for name in list(p) + [name for name in q if name not in p]:
            if p.get(name) != q.get(name) and not name.startswith(left_out or "\0"):
                yield said(before + name, p.get(name), q.get(name))


def same_library(a, b):
    file = a.files[0].environment.get("mpi_file")
    if file and file == b.files[0].environment.get("mpi_file"):
        yield "both loaded MPI from %s" % file


def permitted_differences(a, b, may):
    for field in may.fields:
        first = a.files[0].field(field)
        others = [f.field(field) for f in b.files + a.files]
        other = next((o for o in others if o is not None and (o != first or isinstance(o, bool) != isinstance(first, bool))), None)
        if other is not None:
            yield "differs, and was allowed to: " + said(field, first, other)
    version = a.files[0].root.get("version")
    other = next((f.root.get("version") for f in b.files + a.files if f.root.get("version") != version), version)
    if other != version:
        yield "differs: " + said("version of Alidade", version, other)


def fail(words):
    print(os.path.basename(sys.argv[0]) + ": " + words, file=sys.stderr)
