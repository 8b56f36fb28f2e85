#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Files for machines: --json, --csv, and what is left when a run is killed.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common
load made_up

# Runs of every program, with everything on.
setup() {
    need_json
    export CORPUS=$ALIDADE_BUILD/tests/corpus/fewest PYTHONPATH=$ALIDADE_SOURCE/tests/corpus PYTHONDONTWRITEBYTECODE=1
}

# The rest of a Python program on stdin, which sees the runs.
check() {
    { echo "from runs import *" && cat; } >"$BATS_TEST_TMPDIR/check.py"
    "$python3" "$BATS_TEST_TMPDIR/check.py" "$@"
}

# copies FOLDER NUMBER PROGRAM...: so many of each document, but of those that measure nothing, and of
# reduce_local, single calls of which are too short for the clock.
copies() {
    check "$@" <<'END'
import re

to, number, *names = sys.argv[1:]
os.mkdir(to)
for name in set(names) - {"hello", "where", "reduce_local"}:
    text = open(os.path.join(folder, name + ".json"), encoding="utf-8").read()
    for i in range(int(number)):
        # What began at the same time is the same run.
        with open("%s/%s.%d.json" % (to, name, i + 1), "w", encoding="utf-8") as file:
            file.write(re.sub('("started": *")[0-9]{4}', r"\g<1>%d" % (2001 + i), text))
END
}

@test "every program writes its document; in its table are no trailing blanks, tabs or carriage returns" {
    "$python3" "$ALIDADE_SOURCE/tests/corpus/tables.py" "$CORPUS" W22 W31 W36
    [[ -z $(compgen -G "$CORPUS/*.part") ]] || fail "a journal is left over"
    # shellcheck disable=SC2046  # words
    check "$ALIDADE_BUILD/mpi/collective" "$ALIDADE_SOURCE/doc/benchmarks.md" $(programs) <<'END'
import re

collectives, page, *names = sys.argv[1:]
of_omb = re.findall(r"^\| `(\w+)` \| `osu_\1` \|", open(page).read(), re.M)
runs = {name: lines for name, _, _, lines in all_runs()}
assert len(of_omb) > 70 and sorted(runs) == sorted(names), set(runs) ^ set(names)


# Of a collective, in OMB's words.
def title(name):
    kind = name.replace("_persistent", "")
    before = ""
    if name[0] == "i":
        kind, before = name[1:], "Non-blocking "
    what = kind.capitalize()
    if name == "neighbor_alltoallw":
        what = "All-to-Allw Personalized Exchange"
    elif re.match("neighbor_alltoall[vw]", name):
        what = "Neighborhood All-to-All" + kind[-1]
    elif "neighbor_" in name:
        what = "Neighborhood " + kind[len("neighbor_"):].capitalize()
    elif "bcast" in name:
        what, before = "Broadcast", before.replace("b", "B")
    elif "alltoall" in name:
        what = "All-to-All" + kind[len("alltoall"):] + " Personalized Exchange"
    if name == "ialltoall":
        what = "All-to-All"
    if name != kind and not before:
        what += " Persistent"
    return "MPI " + before + what + " Latency Test"


for name, lines in runs.items():
    assert open(os.path.join(folder, name + ".status")).read().split()[0] == "0", name
    assert re.fullmatch(r"# Alidade \d+\.\d+: ranks=\d+; nodes=\d+; path=[a-z-]+; mem=[A-Z]-[A-Z]; bound=[a-z]+; "
                        r"mpi=[A-Za-z]+-[0-9.]+;", lines[0]), (name, lines[0])
    # A bare number before a blank would be taken for a result.
    assert not re.search(r":.* [0-9.]+ ", lines[0]), (name, lines[0])
    for line in lines:
        assert not re.search("[\t\r]", line), (name, line)
        # The blanks behind the dimensions and the sender's threads are OMB's.
        assert line[-1:] != " " or re.match("Dimensions|# Number of Sender threads", line), (name, line)
    titles = [line[2:] for line in lines if re.match(r"# (OSU|NAS|Baseline|MPI(_[A-Z][a-z_]+)?) ", line)]
    assert len(titles) == 1, (name, titles)
    assert bool(re.fullmatch(r"OSU MPI.* v7\.4", titles[0])) == (name in of_omb), (name, titles)
    assert name in of_omb or not re.search(r"OSU| v7\.4", titles[0]), (name, titles)
    if os.path.exists(os.path.join(collectives, name)) and name != "reduce_local":
        assert titles[0] == ("OSU " + title(name) + " v7.4" if name in of_omb else title(name)), (name, titles)
    assert "MB/s" not in "".join(lines) or re.search(
        "bw|hotspot|reduce_local|halo|ring|exchange|bisection|impact", name), name
END
}

# What ran alone could not run in one job with the others.
@test "programs run in one job, but those that start MPI in another way" {
    [[ $(sort -u "$CORPUS/alone" | xargs) == "init latency_mp latency_mt mbw_mr_mt" ]] ||
        fail "alone: $(<"$CORPUS/alone")"
}

@test "every document conforms to doc/result.schema.json" {
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    check "$result_schema" "$ALIDADE_SOURCE" <<'END'
import pathlib
import re

import jsonschema

schema = json.load(open(sys.argv[1]))
# Options bring columns that no run of the corpus has.
for path in pathlib.Path(sys.argv[2], "c").rglob("*.[ch]"):
    for name, heading in re.findall(r'\{\s*"([a-z0-9_]+)",\s*"([^"]+)", [0-9]', path.read_text()):
        assert '"%s"' % name in json.dumps(schema), (path, name, heading)
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
for name, document, _, _ in all_runs():
    # Some samples stand for all.
    for row in document["rows"]:
        row.update(raw_us=row["raw_us"][:9]) if "raw_us" in row else None
    for error in kind(schema).iter_errors(document):
        sys.exit("%s: %s: %s" % (name, list(error.path), error.message))
# It is a schema that can refuse.
document["rows"][0]["iterations"] = "many"
assert list(kind(schema).iter_errors(document))
END
}

@test "alidade explain knows every heading of tables and every key of files that programs have written" {
    check "$ALIDADE_SOURCE" <<'END'
import re

sys.path.insert(0, sys.argv[1] + "/scripts")
from judge.text import Refused
from runner import explain

# Of these the keys are data, as levels of percentiles are.
DATA = "variables", "steps", "calls"


def keys(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield from () if name[0].isdigit() else (name,)
            yield from keys(item) if name not in DATA else ()
    for item in value if isinstance(value, list) else []:
        yield from keys(item)


words = {}
for name, document, rows, lines in all_runs():
    found = set(keys(document)) | {key for row in rows for key in row}
    # The last comment before a row has the headings; names of mock-ups have small letters alone.
    for heading, row in zip(lines, lines[1:]):
        if heading.startswith("# ") and re.match(" *[0-9]", row) and not heading.endswith(";"):
            words_of = re.split(r"  +|(?<=Polling) |(?<=\)|n) (?=P[0-9]+ )", heading[1:].strip())
            found |= {word for word in words_of if word.lower() != word}
    words.update(dict.fromkeys(found, name))
unknown = []
for word in sorted(words):
    try:
        explain.about(word)
    except Refused:
        unknown.append("%s (%s)" % (word, words[word]))
assert len(words) > 400, len(words)
assert not unknown, unknown
END
}

# The linker says what is loaded, and the library its version, to Python as to the program.
@test "libraries that are loaded are listed, with the versions that they report" {
    ldd "$(program latency)" >"$BATS_TEST_TMPDIR/linked"
    check "$BATS_TEST_TMPDIR/linked" <<'END'
import ctypes, re

linked = dict(re.findall(r"(lib\w+)\.so\S* => (\S+)", open(sys.argv[1]).read()))
_, document, _, _ = load("latency")
listed = {library["name"]: library for library in document["environment"]["libraries"]}
for name in "libucp", "libuct", "libfabric", "libcudart", "libpsm2", "libibverbs":
    if name in linked:
        real = os.path.realpath(linked[name])
        assert listed[name]["file"] == os.path.basename(real), (name, listed)
if "libucp" in linked:
    version = ctypes.CDLL(linked["libucp"]).ucp_get_version_string
    version.restype = ctypes.c_char_p
    assert listed["libucp"]["version"] == version().decode(), listed
assert "libc" not in listed and all(library["file"] for library in listed.values())
# On one node nothing is counted, and nothing is sent to find out.
assert document["environment"]["device"] is None
assert all(row["devices"] is None for row in document["rows"])
# Machines of one processor name are told apart by what the kernel says of the first CPU.
first = dict(re.findall(r"^(.*?)\t*: (.*)$", open("/proc/cpuinfo").read().split("\n\n")[0], re.M))
for field, x86, arm in (("family", "cpu family", "CPU implementer"), ("model", "model", "CPU part"), ("flags", "flags", "Features"),
                        ("stepping", "stepping", "CPU revision"), ("microcode", "microcode", "microcode")):
    assert document["environment"]["hardware"]["cpu_" + field] == first.get(x86, first.get(arm, "")), field
END
}

@test "the key of a row is that which older files get from its fields" {
    check <<'END'
sys.path.insert(0, os.path.join(os.environ["ALIDADE_SOURCE"], "scripts"))
from judge.rows import key_of

for name, document, _, _ in all_runs():
    keys = [row["row"] for row in document["rows"]]
    assert len(set(keys)) == len(keys), (name, keys)
    for row in document["rows"]:
        key = row.pop("row")
        assert key_of(row) == key, (name, key, key_of(row))
END
}

@test "rows say when they ended, one after the other" {
    check <<'END'
import datetime

_, document, _, _ = load("latency")
moments = [document["started"][:-1] + ".000Z"] + [row["ended"] for row in document["rows"]]
moments = [datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") for text in moments]
assert moments == sorted(moments), moments
between = [(after - before).total_seconds() for before, after in zip(moments[1:], moments[2:])]
# The samples of a row were taken after the row before had ended.
assert all(row["elapsed_s"] <= time + 0.002 for row, time in zip(document["rows"][1:], between)), between
assert moments[-1] <= datetime.datetime.utcnow(), moments
END
}

@test "the schema: archived results, no other schema, and nothing that is not described" {
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    check "$result_schema" "$ALIDADE_SOURCE"/results/*/*.json <<'END'
import copy, jsonschema

schema = json.load(open(sys.argv[1]))
kind = jsonschema.validators.validator_for(schema)(schema)
second = load("latency")[1]
for path in sys.argv[2:]:
    document = json.load(open(path))
    for error in kind.iter_errors(document):
        sys.exit("%s: %s: %s" % (path, list(error.path), error.message))
    # Fields that came later may be missing only where the file says that it was converted.
    if document.pop("converted_from", None) is not None:
        assert not kind.is_valid(document), path
for number in 1, 3:
    document = copy.deepcopy(second)
    document["schema"] = number
    assert not kind.is_valid(document), number
# Nothing may be missing, and nothing be there that is not described.
for part in (lambda d: d, lambda d: d["method"], lambda d: d["environment"],
             lambda d: d["rows"][0], lambda d: d["rows"][0]["shape"],
             lambda d: d["rows"][0]["over_iterations"], lambda d: d["rows"][0]["warmup"],
             lambda d: d["rows"][0]["steady"]):
    document = copy.deepcopy(second)
    part(document)["something"] = 1
    assert not kind.is_valid(document), part(document)
    for key in part(second):
        document = copy.deepcopy(second)
        del part(document)[key]
        # Archived results of before have no row, links or foreign_load.
        if key not in ("precision", "budget_s", "raw_us", "model", "gpu", "ignored", "row", "links", "foreign_load"):
            assert not kind.is_valid(document), key
END
}

# as_schema NAME DOCUMENT PART...: the document is as doc/NAME.schema.json has it, and no key of these parts of d may be
# missing, nor may there be another.
as_schema() {
    "$python3" - "$2" "$ALIDADE_SOURCE/doc/$1.schema.json" "${@:3}" <<'END' || fail "$1: not as expected"
import copy, json, jsonschema, sys

document, schema = (json.load(open(path)) for path in sys.argv[1:3])
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
assert not [error.message for error in kind(schema).iter_errors(document)], document
for part in sys.argv[3:]:
    for key in list(eval(part, {"d": document})) + ["something"]:
        wrong = copy.deepcopy(document)
        if key == "something":
            eval(part, {"d": wrong})[key] = 1
        else:
            del eval(part, {"d": wrong})[key]
        assert not kind(schema).is_valid(wrong), key
END
}

@test "documents of scripts are as their schemas have them, and nothing of them may be missing" {
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    eight usual 1 2 4
    eight slow 2 2
    "${judge[@]}" accept --learn limits.json usual >/dev/null
    "${judge[@]}" accept --json accepted limits.json slow >/dev/null || true
    as_schema accept accepted d 'd["counts"]' 'd["hosts"][0]' 'd["rows"][0]'
    "${judge[@]}" guidelines --json guidelines slow >/dev/null
    as_schema guidelines guidelines d 'd["rows"][0]' 'd["rows"][0]["than"]' 'd["rows"][0]["must_not_be_slower"]'
    pretend_site
    PATH=$PWD/bin:$PATH net=weak ALIDADE_ROOT=$PWD/root "${judge[@]}" doctor -q --hosts localhost,127.0.0.1 --json doctor fake >/dev/null || true
    as_schema doctor doctor d 'd["launchers"][0]' 'd["carried"]' 'd["advice"][0]'
}

# Types and keys are those of the schema.
@test "the exit record: code 0, reason ok; every row verified, and named as its program" {
    check <<'END'
for name, document, _, _ in all_runs():
    # Only what has rows can leave some out.
    assert ("left_out" in document) == (name not in START + WHOLE), name
    assert ("crossover" in document) == (name in ("staged_bw", "staged_latency")), name
    assert document["rows"] and {document["benchmark"]} | {row["benchmark"] for row in document["rows"]} == {name}, name
    assert document["exit"]["code"] == 0, (name, document["exit"])
    assert document["exit"]["reason"] == "ok", (name, document["exit"])
    assert document["exit"]["complete"] is True, (name, document["exit"])
    for row in document["rows"]:
        checked = "not checked" if name in UNSIZED and name not in WHOLE + ("noise", "barrier", "ibarrier", "barrier_persistent") else "pass"
        assert row["verified"] == checked, (name, row["verified"])
END
}

@test "the command line is the one that was given" {
    check <<'END'
_, document, _, _ = load("latency")
command = document["command"]
assert command[0].endswith("/latency"), command
assert command[1] == "--json" and "-m" in command and "0:16" in command, command
END
}

@test "only allowed environment variables; no secret anywhere" {
    if grep -l 'do-not-tell\|SECRET_TOKEN' "$CORPUS"/*.json "$CORPUS"/*.csv; then
        fail "a secret was written"
    fi
    check <<'END'
import re

allowed = re.compile("(OMPI|PMIX|PRTE|UCX|FI|MPICH|MV2|I_MPI|NCCL|CUDA|SLURM|MPIR_CVAR|ALIDADE)_")
for name, document, _, _ in all_runs():
    variables = document["environment"]["variables"]
    assert all(allowed.match(key) for key in variables), (name, variables)
    assert variables["OMPI_TEST_VARIABLE"] == "tell", (name, variables)
    assert variables["MPICH_TEST_VARIABLE"] == "tell", (name, variables)
    assert "PATH" not in variables and "HOME" not in variables
END
}

@test "--raw: as many samples as samples, and they are what the figures are made of" {
    check <<'END'
for name, document, _, _ in all_runs():
    for row in document["rows"]:
        if "over_iterations" not in row:
            continue
        raw, iterations = row["raw_us"], row["over_iterations"]
        assert len(raw) == iterations["n"] == row["columns"]["samples"], name
        assert iterations["n"] * row["stride"] == row["iterations"] == 200, name
        assert close(sum(raw) / len(raw), iterations["mean_us"], 1e-6), name
        assert close(min(raw), iterations["min_us"]) and close(max(raw), iterations["max_us"]), name
        ordered = sorted(raw)
        assert ordered[0] <= iterations["median_us"] <= ordered[-1], name
        middle = (ordered[99], ordered[100])
        assert middle[0] - 1e-9 <= iterations["median_us"] <= middle[1] + 1e-9, (name, middle)
END
}

@test "what one median does not say: shape, warm-up, the machine, whose time it was" {
    check <<'END'
for name, document, _, _ in all_runs():
    place = document["environment"]
    assert place["clock"]["name"] in ("TSC", "CLOCK_MONOTONIC"), place["clock"]
    assert place["limits"]["copy_mb_per_s"] > 0, place["limits"]
    for row in document["rows"]:
        # An operation without data, or with little of it in one rank, may be over at once.
        assert row["suspect"] == [] or (row["bytes"] == 0 or name == "reduce_local") and row["suspect"] == [
            "shorter than the clock can resolve"], (name, row["bytes"], row["suspect"])
        if "over_iterations" not in row:
            continue
        iterations, shape = row["over_iterations"], row["shape"]
        assert shape["samples"] == iterations["n"], name
        out = shape["outliers"]
        assert close(out["share"], (out["low"] + out["high"]) / iterations["n"]), (name, out)
        assert out["below_us"] <= iterations["median_us"] <= out["above_us"], (name, out)
        outside = [t for t in row["raw_us"] if not out["below_us"] <= t <= out["above_us"]]
        # Half-way cases may fall on either side of 12 digits.
        assert abs(len(outside) - out["low"] - out["high"]) <= 1, (name, out)
        # -x 5, and the fixed counts do not settle.
        assert row["warmup"]["iterations"] == row["warmup_iterations"] == 5, name
        assert row["warmup"]["settled"] is None and row["warmup"]["last_iteration_us"] is None, name
        assert row["warmup"]["first_iteration_us"] > 0 and row["late_iterations"] == 0, name
        assert 0 <= row["steady"]["ranks_moved"] <= row["ranks"], name
        assert row["steady"]["preempted"] >= 0 and row["steady"]["speed"] > 0, name
END
}

@test "several ranks: the slowest of each iteration, and global time; one rank: neither" {
    check <<'END'
for name, document, _, _ in all_runs():
    alone = name in ALONE + START + WHOLE
    # An iteration of these is a sum of times, whose beginning says nothing of its end; iterations of mbw_mr_mt
    # follow each other, and ranks of reduce_local do not wait for each other.
    summed = name.endswith("_guideline") or name in (
        "pair_matrix", "pair_bw", "hosts", "random_ring", "bisection", "mbw_mr_mt", "reduce_local", "self_latency")
    assert (document["environment"]["synchronization"] is None) == (alone or summed), name
    for row in document["rows"]:
        if alone:
            assert row.get("slowest") is None and row.get("global") is None, name
            continue
        measured = row["over_ranks"]["n"]
        assert (row["global"] is None) == summed, name
        for blame in row["slowest"], None if summed else row["global"]["last_to_start"]:
            if blame is None:  # the clocks were found to be off
                continue
            assert 0 <= blame["rank"] < row["ranks"], (name, blame)
            # Of iterations that two ranks share nobody is named.
            assert 0 < blame["share"] <= 1, (name, blame)
            # A rank that is the only one to measure is no straggler.
            assert not (measured == 1 and blame["straggler"]), (name, blame)
        time = row["global"]
        if summed:
            continue
        assert time["residual_us"] >= 0 and time["residual_bound_us"] >= 0, (name, time)
        if time["trusted"]:
            assert 0 <= time["start_skew_us"] <= time["start_skew_p95_us"], (name, time)
            # No rank's own time is longer than that from the first start to the last end.
            assert time["completion_us"] >= 0.99 * row["over_iterations"]["median_us"] - (
                2 * time["residual_bound_us"]), (name, time)
        else:
            assert time["completion_us"] is None and time["last_to_start"] is None, (name, time)
END
}

@test "--columns: the further columns are the fields" {
    launch 3 allreduce -m 8:8 --budget 20ms --json "$BATS_TEST_TMPDIR/x.json" \
        --columns outliers,drift,slowest_rank,global,skew,late,residual,speed
    expect_status 0
    check "$BATS_TEST_TMPDIR/x.json" <<'END'
(row,) = json.load(open(sys.argv[1]))["rows"]
shown, shape, time = row["columns"], row["shape"], row["global"]
assert close(shown["outliers"], 100 * shape["outliers"]["share"]), row
if shape["drift"] is None:
    assert shown["drift"] is None, row
else:
    assert close(shown["drift"], 100 * (shape["drift"]["last_to_first"] - 1), 1e-6), row
assert shown["slowest_rank"] == "%d(%.0f%%)" % (
    row["slowest"]["rank"], 100 * row["slowest"]["share"]), row
for key, field in ("global", "completion_us"), ("skew", "start_skew_us"):
    assert (shown[key] is None) == (time[field] is None), row
    assert shown[key] is None or close(shown[key], time[field]), row
assert shown["late"] == row["late_iterations"] and close(shown["residual"], time["residual_us"]), row
assert close(shown["speed"], 100 * row["steady"]["speed"]), row
assert "raw_us" not in row, row
END
}

@test "--raw with more samples than are kept: the first 131,072" {
    # One rank: on a busy machine two would wait for each other 200,000 times.
    launch 1 reduce_local -m 4:4 -i 200000 -x 10 --raw --json "$BATS_TEST_TMPDIR/x.json"
    expect_status 0
    check "$BATS_TEST_TMPDIR/x.json" <<'END'
(row,) = json.load(open(sys.argv[1]))["rows"]
iterations = row["over_iterations"]
assert row["iterations"] == iterations["n"] == 200000, iterations["n"]
assert len(row["raw_us"]) == row["shape"]["samples"] == 131072, len(row["raw_us"])
# Of all samples, though the percentiles are those of a histogram.
assert iterations["min_us"] <= min(row["raw_us"]) and max(row["raw_us"]) <= iterations["max_us"], iterations
values = [iterations["min_us"]] + [
    value for _, value in sorted(iterations["percentiles_us"].items(),
                                 key=lambda item: float(item[0]))] + [iterations["max_us"]]
assert values == sorted(values), values
assert close(iterations["percentiles_us"]["50"], iterations["median_us"]), iterations
# Where the machine changes its speed meanwhile, the samples say too little for an interval.
low, high = iterations["ci95_us"] or (0, float("inf"))
assert low <= iterations["median_us"] <= high and (iterations["ci95_us"] or iterations["n_effective"] < 20), iterations
END
}

@test "a row of which every iteration was late: no figure anywhere" {
    local file=$BATS_TEST_TMPDIR/x
    preload=(delay)
    FAULT=start FAULT_RANK=1 FAULT_US=50000 launch 4 bcast -m 8:8 -i 1 -x 0 --start=clock --json "$file.json" --csv "$file.csv"
    expect_status 2
    expect_error E19
    expect_out '# suspect: size=8; value=nan; not a positive number;'
    [[ $(grep -c '^8 ' "$out") -eq 0 ]] || fail "there is a row"
    [[ $(tail -n 1 "$file.csv") == bcast,4,1,1,8,8,MPI_CHAR,$'\r' ]] || fail "no empty field"
    check "$file.json" <<'END'
(row,) = json.load(open(sys.argv[1]))["rows"]
assert row["value"] is None and row["columns"]["latency_us"] is None, row
assert row["iterations"] == 0 and row["late_iterations"] == 1, row
assert row["suspect"] == ["not a positive number"], row
END
}

@test "min <= P50 <= P90 <= P99 <= max, in one population; bandwidths from above" {
    check <<'END'
import re

for name, document, _, _ in all_runs():
    for row in document["rows"]:
        if "over_iterations" not in row:
            continue
        iterations = row["over_iterations"]
        values = [iterations["min_us"]] + [
            value for _, value in sorted(iterations["percentiles_us"].items(),
                                         key=lambda item: float(item[0]))] + [iterations["max_us"]]
        assert values == sorted(values), (name, values)
        shown = [value for key, value in row["columns"].items()
                 if re.match(r"[Pp](50|90|99)\b", key.replace("_", " "))]
        least, most = row["columns"]["min"], row["columns"]["max"]
        assert len(shown) == 3, (name, list(row["columns"]))
        if row["unit"] == "MB/s":
            shown.reverse()
        order = [least] + shown + [most]
        assert order == sorted(order), (name, order)
END
}

@test "CSV: columns of JSON under the same names, the same values" {
    check <<'END'
for name, document, rows, _ in all_runs():
    assert len(rows) == len(document["rows"]), name
    for text, row in zip(rows, document["rows"]):
        expected = {"benchmark": name, "ranks": row["ranks"], "nodes": row["nodes"],
                    "window": row["window"], **row["columns"]}
        if row["bytes"] is not None:
            expected.update(bytes=row["bytes"], count=row["count"], datatype=row["datatype"])
        for key, value in expected.items():
            if value is None or isinstance(value, str):
                assert text[key] == (value or ""), (name, key, text[key], value)
            else:
                assert close(float(text[key]), value), (name, key, text[key], value)
        assert None not in text and None not in text.values(), (name, text)
END
}

@test "the printed table is the JSON, rounded" {
    check <<'END'
for name, document, _, lines in all_runs():
    if name in START + WHOLE:
        continue
    table = [line.split() for line in lines if line and (line[0].isdigit() or line[0] == " ")]
    assert len(table) == len(document["rows"]), name
    for fields, row in zip(table, document["rows"]):
        if row["bytes"] is not None:
            assert fields.pop(0) == str(row["bytes"]), name
        elif "operation" in row:
            assert fields.pop(0) == str(row["ranks"]), name
        # Without --compute halo has 100% in every row, and does not print it.
        values = [value for key, value in row["columns"].items() if (name, key) != ("halo", "of_full_percent")]
        assert len(values) == len(fields), (name, fields, values)
        for field, value in zip(fields, values):
            if isinstance(value, float):
                # Half-way cases may fall on either side of 12 digits.
                assert abs(float(field) - value) <= 0.0050001 + 1e-9 * abs(value), (name, field, value)
            else:
                assert field == ("-" if value is None else str(value)), (name, field, value)
        headline = row["columns"][list(row["columns"])[0]]
        assert close(headline, row["value"]), (name, headline, row["value"])
END
}

# One program of each kind of headline; in the long form all.
headlines() {
    if [[ -n ${ALIDADE_LONG:-} ]]; then programs; else printf '%s\n' latency bw mbw_mr_mt iallreduce allgather_guideline pair_matrix halo impact noise is; fi
}

# A mean over iterations has a median beside it; a headline that is no mean is its own.
@test "median: what compare and accept show is what every program prints, repeat and report of each kind" {
    local name
    # shellcheck disable=SC2046  # words
    copies all 5 $(programs)
    "${judge[@]}" compare --json compared a=all b=all >/dev/null
    # Ranks of some shared CPUs (W08).
    "${judge[@]}" accept --learn learned all >/dev/null || [[ $? -eq 2 ]]
    for name in $(headlines); do
        [[ -e all/$name.1.json ]] || continue
        mkdir "$name"
        mv all/"$name".?.json "$name"
        "${judge[@]}" repeat --json "$name.repeat" "$name" >/dev/null
        PATH=/none "${judge[@]}" report -o "$name.html" "$name" >/dev/null
    done
    check <<'END'
import re


def by_program(rows, figures):
    found = {}
    for row in rows:
        found.setdefault(row["benchmark"], []).append(figures(row))
    return found


compared = by_program(json.load(open("compared"))["comparisons"][0]["rows"], lambda row: row["values"])
learned = by_program(json.load(open("learned"))["rows"], lambda row: row["median"])
pages = 0
for name, document, _, _ in all_runs():
    if name in ("hello", "where", "reduce_local"):
        continue
    # Nothing in no time is no bandwidth.
    kept = [row for row in document["rows"] if not row["suspect"] and row["value"] > 0]
    for row in kept:
        shown = row["columns"]
        if name.endswith("_guideline") or name in START + WHOLE + ("impact",):
            assert row["median"] == row["value"], (name, row["value"], row["median"])
        else:
            assert close(row["median"], shown["p50"]), (name, row["median"], shown)
        if name not in START:
            assert close(row["value"], list(shown.values())[0]), (name, row["value"], shown)
    want = sorted((row["median"], row["value"]) for row in kept)
    assert sorted(compared[name]) == [[m, m] for m, _ in want], (name, want)
    assert all(any(close(median, m, 1e-5) for m, _ in want) for median in learned[name]), (name, want)
    if os.path.exists(name + ".repeat"):
        rows = json.load(open(name + ".repeat"))["rows"]
        assert sorted((row["median"], row["value"]) for row in rows) == want, (name, rows, want)
        # Few digits of a small one.
        page = re.findall(r"(?<![\d.])\d+\.\d+", open(name + ".html").read())
        assert all(any(abs(float(text) - median) <= 0.51 * 10 ** -len(text.split(".")[1]) for text in page)
                   for median, _ in want), (name, want)
        pages += 1
assert pages >= 8, pages
END
}

@test "figures follow from times: half a round trip, window * size / time" {
    check <<'END'
for name, document, _, _ in all_runs():
    for row in document["rows"]:
        mean = row["over_ranks"]["mean_us"]
        # What the program says of itself: the formula of its words.
        printed = document["method"]["printed"]
        if printed.startswith("half of it"):
            assert close(row["value"], mean / 2, 1e-6), name
        elif name == "mbw_mr_mt":
            assert close(row["value"], row["threads"] * 64 * row["bytes"] / mean, 1e-6), name
        elif name in ("hotspot_get", "hotspot_put"):
            assert row["window"] == 64, name
            assert close(row["value"], row["peers"] * 64 * row["bytes"] / mean, 1e-6), name
        elif "hotspot" in name:
            assert close(row["value"], mean / row["peers"], 1e-6), name
        elif name == "pair_bw":
            assert row["window"] == 16, name
            assert close(row["value"], (row["ranks"] - 1) * 16 * row["bytes"] / mean, 1e-6), name
        elif name == "bisection":
            assert close(row["value"], row["ranks"] // 2 * 2 * row["bytes"] / mean, 1e-6), name
        elif printed.startswith("MB/s"):
            assert row["window"] == 64, name
            windows = (document["method"]["pairs"] if "fan" in name else row["ranks"] // 2) * (1 + ("both directions" in printed))
            assert close(row["value"], windows * 64 * row["bytes"] / mean, 1e-6), name
        elif name == "pair_matrix":
            assert close(row["value"], mean / 2 / (row["ranks"] - 1), 1e-6), name
        elif name == "hosts":
            assert row["rounds"] == 0 and close(row["value"], mean / 2, 1e-6), name
        elif name.endswith("_guideline"):
            assert row["value"] == row["columns"]["native_us"], name
        elif name == "random_ring":
            assert close(row["value"], mean / 8, 1e-6), name
        elif name == "impact":
            assert close(row["value"], row["impact"]["median"]["loaded_us"], 1e-6), name
        elif name in WHOLE:
            assert close(row["value"], row["over_ranks"]["max_us"] / 1e6, 1e-6), name
        elif name not in START:
            assert close(row["value"], mean, 1e-6), name
        assert row["over_ranks"]["min_us"] <= mean <= row["over_ranks"]["max_us"], name
        senders = {"impact": 1} | dict.fromkeys(("hotspot_get", "hotspot_put"), row["ranks"] - 1) | dict.fromkeys(
            ("multi_lat", "mbw_mr", "mbw_mr_mt", "mbibw_mr", "get_multi_lat", "get_mbw", "put_mbw"),
                                row["ranks"] // 2)
        if "fan" not in name:
            assert row["over_ranks"]["n"] == senders.get(name, 1 if name in ALONE else row["ranks"]), name
END
}

# Not cut at zero, as in the table (OMB 12); start, computation and wait are all of it.
@test "the overlap of collectives follows from its parts" {
    check <<'END'
def follows(row):
    part, overall = row["overlap"], row["value"]
    expected = 100 - 100 * (overall - (part["compute_us"] - part["test_us"])) / part["pure_us"]
    return (abs(part["overlap_percent"] - expected) < 1e-3 * max(1, abs(expected)) and
            row["columns"]["overlap_percent"] == max(0, part["overlap_percent"]) and
            abs(part["start_us"] + part["compute_us"] + part["wait_us"] - overall) < 1e-3 * overall)


programs = [name for name, _, _, _ in all_runs() if name[0] == "i" and name not in START + WHOLE + ("impact",)]
assert len(programs) >= 15, programs
for name in programs:
    for row in load(name)[1]["rows"]:
        assert follows(row), (name, row)
END
}

@test "kill -9 in the middle of a run leaves a whole document of the rows so far, and an exit code" {
    local file=$BATS_TEST_TMPDIR/x.json pid job i
    preload=(stop)
    export FAULT=hang FAULT_CALL=MPI_Send FAULT_BYTES=64 FAULT_RANK=1 FAULT_NTH=5
    launch 2 latency -m 8:128 -i 5 -x 1 --timeout 0 --json "$file" --csv "$file.csv" 3>&- &
    job=$!
    # The row of 32 bytes is the last before the hang.
    for ((i = 0; i < 200; i++)); do
        if [[ -f $file.part && $(grep -c '"bytes":32' "$file.part") -eq 1 ]]; then
            break
        fi
        sleep 0.1
    done
    pid=$("$python3" -c '
import json, sys
print(json.load(open(sys.argv[1]))["environment"]["rank"][0]["pid"])' "$file.part")
    kill -9 "$pid"
    wait "$job" || true
    [[ ! -e $file && ! -e $file.csv ]] || fail "a killed run left a finished document"
    [[ $(cut -d, -f5 "$file.csv.part" | tr -d '\r' | xargs) == "bytes 8 16 32" ]] || fail "CSV lacks rows"
    "$python3" - "$file.part" <<'END'
import json, sys

document = json.load(open(sys.argv[1]))
assert document["benchmark"] == "latency"
assert [row["bytes"] for row in document["rows"]] == [8, 16, 32], document["rows"]
assert document["exit"] == {"code": 2, "reason": "run-time failure", "complete": False}
END
}

@test "-c: a failed row and the exit code stand in the document" {
    local file=$BATS_TEST_TMPDIR/x.json
    impatient=yes
    preload=(plant)
    FAULT=byte FAULT_RANK=1 FAULT_BYTES=2000 launch 2 latency -c -m 1000:4000 -i 5 -x 1 --json "$file"
    expect_status 3
    "$python3" - "$file" <<'END'
import json, sys

document = json.load(open(sys.argv[1]))
assert document["exit"]["code"] == 3, document["exit"]
assert document["exit"]["reason"] == "wrong data", document["exit"]
assert [row["verified"] for row in document["rows"]] == ["pass", "fail"]
END
    # In the first row: no older document says that all is well.
    launch 2 latency -m 8:8 -i 5 -x 1 --json "$file"
    expect_status 0
    FAULT=byte FAULT_RANK=1 FAULT_BYTES=8 launch 2 latency -m 8:8 -i 5 -x 1 --json "$file"
    expect_status 3
    "$python3" -c 'import json, sys; assert json.load(open(sys.argv[1]))["exit"]["code"] == 3' "$file"
}
