# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the other scripts: packages, MPIs, builds, launching.
# shellcheck shell=bash

# awk and printf read and write figures with a decimal point.
export LC_ALL=C

script=${0##*/}
# That is what Slurm calls its copy.
[ "$script" != slurm_script ] || script=slurm
# Before 4.4 empty arrays end a script.
[[ ! $BASH_VERSION =~ ^([0-3]\.|4\.[0-3]\.) ]] || {
    echo "$script: bash 4.4 or later is needed; this is bash $BASH_VERSION" >&2
    exit 1
}

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Where builds are made and looked for.  An installed suite is the folder of a build, too.
builds=${ALIDADE_BUILDS:-$top/build}

say() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "$script" "$*" >&2
    exit 1
}

# What the script is for: its header.  Installed, alidade starts it.
usage() {
    local installed=
    [ -f "$top/configure.ac" ] || installed='s,scripts/run-suite,alidade suite,g;s,scripts/,alidade ,g'
    sed -n '/^# Usage: /,/^\([^#]\|$\)/{/^#$/s/#//p;s/^# //p}' "$0" | sed "$installed"
}
version() {
    echo "$script (Alidade) $(sed -n "s/^AC_INIT(\[Alidade\], \[\([^]]*\)\].*/\1/p; s/^version='\(.*\)'/\1/p" \
        "$top/configure.ac" "$top/environment.sh" 2>/dev/null | head -n 1)"
}

# Before whatever else a script does; those that take options after other words look
# for help there too.
case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
-v | --version)
    version
    exit 0
    ;;
esac

# --- Running programs, and being interrupted ------------------------------------

# The process group that the script waits for, if any.
running=''
# Does a folder keep the runs, so that --results goes on with them?
resumable=no

# At a terminal a launcher may ask for something, as ssh does, and only what is in the
# terminal's own process group can.
terminal=no
if { : </dev/tty; } 2>/dev/null; then terminal=yes; fi

# All that a run has started here inherits this, also what outlives its launcher.  The name
# has no beginning that results record.
mark=_RUN_OF_ALIDADE=$$-$RANDOM$RANDOM

# marked: processes of the script's runs.
marked() { grep -lsz "^$mark\$" /proc/[0-9]*/environ | tr -dc '0-9\n'; }

# alive PROCESS...: is one of them, other than those that have ended and nobody waits for?
alive() {
    local pid
    for pid; do
        ! grep -qs '^State:[[:space:]]*[^Z]' "/proc/$pid/status" || return 0
    done
    return 1
}

# lives GROUP: has it a process, other than those that have ended and that nobody waits for?
lives() {
    kill -0 -- "-$1" 2>/dev/null &&
        cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v group="$1" '{ sub(/.*\) /, "") } $3 == group && $1 != "Z" { found = 1 } END { exit !found }'
}

# end_group GROUP: whatever is left of it.
end_group() {
    local i
    kill -TERM -- "-$1" 2>/dev/null || return 0
    for ((i = 0; i < 200; i++)); do
        lives "$1" || return 0
        sleep 0.1
    done
    kill -KILL -- "-$1" 2>/dev/null || true
}

# end_running SIGNAL: launchers that are told to end, and told once, end their ranks.
end_running() {
    local i ranks patience=0
    [ "$running" != starting ] || running=${!-}
    [ -n "$running" ] || return 0
    # Ctrl-C at a terminal has told the launcher already.
    [ "$terminal" = no ] || [ "$1" -ne 2 ] || patience=30
    for ((i = 0; i < 300; i++)); do
        [ "$i" -ne "$patience" ] || kill -TERM "$running" 2>/dev/null || true
        kill -0 "$running" 2>/dev/null || break
        sleep 0.1
    done
    [ "$terminal" = yes ] || end_group "$running"
    ranks=$(marked)
    # shellcheck disable=SC2086  # numbers
    kill -TERM $ranks 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do
        # shellcheck disable=SC2086  # numbers
        alive $ranks || return 0
        sleep 0.1
    done
    # shellcheck disable=SC2086  # numbers
    kill -KILL $ranks 2>/dev/null || true
}

# A script may have its own: what it does with the runs that there are.
when_interrupted() { :; }

# interrupted SIGNAL: whether the script alone got it, its process group, or a terminal.
interrupted() {
    local how=''
    trap '' HUP INT TERM
    end_running "$1"
    when_interrupted || true
    [ "$resumable" = no ] || how="; finished runs are kept; to continue, repeat the command with --results $results"
    printf '\n%s: interrupted%s\n' "$script" "$how" >&2
    exit $((128 + $1))
}
trap 'interrupted 1' HUP
trap 'interrupted 2' INT
trap 'interrupted 15' TERM

# held OUT ERR COMMAND...: run it, where there is no terminal as a process group of its own;
# it ends when the script does.  Its output is added to the files OUT and ERR, which may be one, or '' for the script's.
held() {
    local code=0 out=$1 err=$2
    shift 2
    running=starting
    [ "$terminal" = yes ] || set -m
    (
        [ -z "$out" ] || exec >>"$out"
        [ -z "$err" ] || exec 2>>"$err"
        export "${mark?}"
        exec "$@"
    ) </dev/null 9>&- &
    running=$!
    set +m
    # What killed it is said by others, and not by the shell.
    wait "$running" 2>/dev/null || code=$?
    [ "$code" -eq 0 ] || [ "$terminal" = yes ] || end_group "$running"
    running=''
    return "$code"
}

# no_arguments WORD...: of a script that takes none.
no_arguments() { [ $# -eq 0 ] || die "unknown option $1; it takes none"; }

# Are all of these commands there?
have() {
    local command
    for command; do
        command -v "$command" >/dev/null 2>&1 || return 1
    done
}

# The command that gives root's rights, or a failure.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo && sudo -n true 2>/dev/null; then
        sudo "$@"
    else
        return 1
    fi
}

# install APT-PACKAGES... -- DNF-PACKAGES...: install them, or say which are
# needed and end.
install() {
    local apt=() dnf=()
    while [ "$1" != -- ]; do
        apt+=("$1")
        shift
    done
    shift
    dnf=("$@")
    if have apt-get; then
        say "installing: ${apt[*]}"
        as_root env DEBIAN_FRONTEND=noninteractive sh -c \
            'apt-get -qq update && apt-get -qq -y install --no-install-recommends "$@" >/dev/null' sh "${apt[@]}" ||
            die "install these packages first: sudo apt-get install ${apt[*]}"
    elif have dnf; then
        say "installing: ${dnf[*]}"
        as_root dnf -q -y install "${dnf[@]}" ||
            die "install these packages first: sudo dnf install ${dnf[*]}"
    else
        die "a C compiler, make, autoconf, automake, an MPI library with its compiler wrapper, and better also jansson and hwloc (development files) are needed; no apt-get or dnf was found to install them"
    fi
}

# compiler_of FLAVOUR: the wrapper of that MPI: Debian's name, Fedora's place,
# or the plain one if it builds for it.
compiler_of() {
    local candidate macro=OPEN_MPI probe found=
    [ "$1" = mpich ] && macro=MPICH_VERSION
    # A file, not standard input: Open MPI's wrapper adds its flags for files.
    probe=$(mktemp --suffix=.c)
    printf '#include <mpi.h>\n#ifdef %s\nyes_it_is\n#endif\n' "$macro" >"$probe"
    for candidate in "mpicc.$1" "/usr/lib64/$1/bin/mpicc" mpicc; do
        have "$candidate" || continue
        if "$candidate" -E "$probe" 2>/dev/null | grep -q yes_it_is; then
            found=$candidate
            break
        fi
    done
    rm -f "$probe"
    [ -n "$found" ] && printf '%s\n' "$found"
}

# The MPIs of this machine.
flavours() {
    local flavour
    for flavour in openmpi mpich; do
        compiler_of "$flavour" >/dev/null && echo "$flavour"
    done
    return 0
}

# What building takes. any-mpi: an MPI if there is none; every-mpi: all of them.
need_build_tools() {
    local compilers=(libopenmpi-dev openmpi-bin libmpich-dev mpich)
    if [ "$1" = any-mpi ] && [ -n "$(flavours)" ]; then
        compilers=()
    elif [ "$(flavours | wc -l)" -eq 2 ]; then
        compilers=()
    fi
    if ! have make cc || { [ ! -x "$top/configure" ] && ! have autoreconf automake; } ||
        [ ${#compilers[@]} -gt 0 ]; then
        install gcc libc6-dev make autoconf automake libjansson-dev libhwloc-dev \
            "${compilers[@]}" -- gcc make autoconf automake jansson-devel \
            hwloc-devel openmpi-devel mpich-devel
    fi
    want jansson.h libjansson-dev jansson-devel "no --json, and compare, repeat, report and accept will not be built"
    want hwloc.h libhwloc-dev hwloc-devel "path= and bound= of the header line will be coarser"
}

# want HEADER APT-PACKAGE DNF-PACKAGE WITHOUT: install a library if that is possible, else
# say what will be missing.
want() {
    echo "#include <$1>" | cc -E - >/dev/null 2>&1 || (install "$2" -- "$3") ||
        say "$2 is not installed: $4"
}

# What some programs or options need.
want_libraries() {
    want fftw3.h libfftw3-dev fftw-devel "ft will not run"
    want ucp/api/ucp.h libucx-dev ucx-devel "ucx_latency and ucx_bw will not run"
    want papi.h libpapi-dev papi-devel "-P will not be available"
}

# Have packages come or gone since FILE was written?
packages_after() {
    [ /var/lib/dpkg/status -nt "$1" ] || [ /var/lib/rpm/rpmdb.sqlite -nt "$1" ]
}

need_sources() {
    [ -f "$top/configure.ac" ] ||
        die "building needs the sources of the suite: run scripts/$script of a checkout or of the tarball"
}

# build FOLDER COMPILER CONFIGURE-ARGUMENTS...: below $builds.  A build that is there is
# configured anew where it was for other arguments, if any are given, or before the
# packages of now.  Objects are made anew where config.h is another then.
build() {
    local folder=$builds/$1 compiler=$2
    shift 2
    need_sources
    [ -x "$top/configure" ] || (cd "$top" && autoreconf -fi >/dev/null 2>&1) ||
        die "autoreconf failed in $top"
    make_folder "$folder"
    alone_in "$folder" wait
    if [ ! -f "$folder/Makefile" ] ||
        { [ $# -gt 0 ] && [ "$*" != "$(cat "$folder/configured" 2>&1)" ]; }; then
        # Programs may be linked with the CUDA runtime library of other arguments.
        [ ! -f "$folder/Makefile" ] || make -s -C "$folder" clean-noinstPROGRAMS
        made configure env -C "$folder" "$top/configure" -q CC="$compiler" "$@"
        echo "$*" >"$folder/configured"
    elif packages_after "$folder/config.status"; then
        made configure env -C "$folder" sh -c './config.status --recheck && ./config.status'
    fi
    made make make -s -C "$folder" -j"$(cpus_here)"
}

# made STEP COMMAND...: of build, with its output in the file STEP.out.
made() {
    local step=$1
    shift
    : >"$folder/$step.out"
    held "$folder/$step.out" "$folder/$step.out" "$@" || die "$step failed; see $folder/$step.out"
}

# build_or_update FOLDER COMPILER CONFIGURE-ARGUMENTS...: the same, of what may have been
# built from other sources.  Where there are none, or it was not built there, it is taken as it is.
build_or_update() {
    ! is_build "$builds/$1" || { [ -f "$builds/$1/Makefile" ] && [ -f "$top/configure.ac" ]; } || return 0
    is_build "$builds/$1" || say "building with $2 in $builds/$1" >&2
    build "$@" >&2
}

# The CPUs that this process may use; nproc obeys variables that are meant for threads.
cpus_here() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# count_cores: of the lines of lscpu -p=core,socket.
count_cores() { grep -v '^#' | sort -u | wc -l; }

# The cores among them, which may have several CPUs each, as hwloc and so the launchers count
# them.
cores_here() {
    local cores cpus
    cpus=$(cpus_here)
    cores=$(hwloc-calc --number-of core all 2>/dev/null) || cores=$(lscpu -p=core,socket 2>/dev/null | count_cores)
    [ "$cores" -gt 0 ] && [ "$cores" -le "$cpus" ] || cores=$cpus
    echo "$cores"
}

# What it takes to start ranks as root, or more of them than there are CPUs.
# Open MPI's variables do no harm under MPICH; PRTE_MCA_ ones are those of Open MPI 5.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
crowded=(OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1)

# A value that configure has found out about the build in folder.
of_build() { sed -n "s/^$1='\(.*\)'/\1/p" "$folder/environment.sh"; }

# launcher_here N [WORD]: what starts N ranks of the build in folder on this machine, bound
# to cores if there is one for each, else to CPUs, else not at all; WORD stands for the number.
launcher_here() {
    local words flavour
    words="$(of_build mpirun) -n ${2:-$1}" flavour=$(of_build flavour)
    if [ "$(cores_here)" -ge "$1" ]; then
        words+=' --bind-to core'
    elif [ "$(cpus_here)" -lt "$1" ]; then
        [ "$flavour" = mpich ] || words="env ${crowded[*]} $words"
    else
        # Open MPI has a slot for each core, unless it is told so.
        [ "$flavour" = mpich ] || words+=' --use-hwthread-cpus'
        words+=' --bind-to hwthread'
    fi
    [ "$flavour" != mpich ] || words=${words/--bind-to/-bind-to}
    echo "$words"
}

# known_hosts HOST...: MPICH's mpiexec waits for ever for a host that is not known; ssh may
# have names of its own.
known_hosts() {
    local name real
    have getent || return 0
    for name; do
        real=$(ssh -G "$name" 2>/dev/null | sed -n 's/^hostname //p')
        getent hosts "${real:-$name}" >/dev/null || die "unknown host '$name'"
    done
}

# Seconds, with a fraction.
now() { date +%s.%N; }

# nodes_in FILE: the number of nodes in the header line of a table, or nothing.
nodes_in() { sed -n 's/^# Alidade .* nodes=\([0-9]*\);.*/\1/p' "$1" | head -n 1; }

# need_ranks TEXT: the value of --ranks is a number.
need_ranks() { [[ $1 =~ ^[1-9][0-9]*$ ]] || die "--ranks '$1' is not a number of ranks"; }

# need_place_for_ranks LAUNCHER RANKS: of a launcher and a number that were both asked for.
need_place_for_ranks() {
    [[ $1 == *'{n}'* ]] ||
        die "--ranks $2 has no effect: the launcher '$1' lacks {n}, which stands for the number of ranks"
}

# refuse_output_files OPTION...: of many runs each would overwrite the file of the last.
refuse_output_files() {
    local word
    for word; do
        case ${word%%=*} in
        --csv | --json) die "leave out ${word%%=*}, since each run would overwrite its file; a results folder has a JSON file of each run, and doc/json.md makes CSV of them" ;;
        esac
    done
}

# make_folder FOLDER: if it is not there.
make_folder() {
    local why
    why=$(mkdir -p "$1" 2>&1) || die "cannot create '$1':${why##*:}"
}

# alone_in FOLDER [wait]: no other command uses the folder until this one ends, however it
# ends: it is refused, or waits.  (File systems without locks let it in.)
alone_in() {
    local code=0
    { exec 9>>"$1/.lock"; } 2>/dev/null || die "cannot write to '$1'"
    flock -n -E 75 9 2>/dev/null || code=$?
    [ "$code" -eq 75 ] || return 0
    [ "${2-}" = wait ] || die "another command is using '$1'; choose another --results folder"
    say "waiting for another command that is using $1" >&2
    until flock -n 9; do sleep 1; done
}

# take_results NAME: sets results, if it is empty, to a new folder of that name and the time;
# the folder is this command's.
take_results() {
    local stem number=1
    if [ -z "$results" ]; then
        stem=$1-$(date +%Y-%m-%d-%H%M%S) results=$stem
        # Of several commands at once mkdir has one make it.
        until mkdir "$results" 2>/dev/null; do
            [ -e "$results" ] || make_folder "$results"
            number=$((number + 1)) results=$stem-$number
        done
    fi
    make_folder "$results"
    alone_in "$results"
    resumable=yes
}

# keep_asked ASKED: results has runs of what is asked, or none.
keep_asked() {
    local before
    if [ -s "$results/asked" ] && before=$(<"$results/asked") && [ "$before" != "$1" ] &&
        find "$results" -name '*.json' -o -name 'done' -size +0 -o -name dropped | grep -q .; then
        die "$results has results of another command: $before; choose another --results folder"
    fi
    { echo "$1" >"$results/asked"; } 2>/dev/null || die "cannot write to '$results'"
}

# need_writable FILE...: those that are named can be written, which is known before anything is
# measured.
need_writable() {
    local file
    for file; do
        if [ -e "$file" ]; then
            [ ! -d "$file" ] && [ -w "$file" ]
        else
            [ -n "${file##*/}" ] && [ -d "$(dirname "$file")" ] && [ -w "$(dirname "$file")" ]
        fi || [ -z "$file" ] || die "cannot write to '$file'"
    done
}

# said ERR: the first sentence in that file that is a launcher's or a library's.  Open MPI
# frames its paragraphs with lines of dashes and breaks their lines.
said() {
    awk '
        /^#/ || /^[-=]+$/ || /^\[[^]@]*:[0-9]+\]/ || !/[[:alnum:]]/ { skip = 0; if (text != "") exit; next }
        /^Primary job/ { skip = 1 } # a further paragraph may say which rank ended, and how
        skip { spare = spare $0 " "; next }
        text ~ /^\[/ { exit } # each line of MPICH has a place in front of it
        { text = text (text == "" ? "" : " ") $0 }
        END {
            text = text == "" ? spare : text
            gsub(/[[:space:]]+/, " ", text)
            if (match(text, /[.] [A-Z]/))
                text = substr(text, 1, RSTART)
            if (length(text) > 200) {
                text = substr(text, 1, 200)
                sub(/[\300-\377]?[\200-\277]*$/, "", text) # the cut is within no character
            }
            sub(/[.:; ]+$/, "", text)
            print text
        }' "$1"
}

# why_of ERR: the error of a program there as "TEXT (E05)", or what else was said.
why_of() {
    local why
    # Older revisions, which compare and bisect build, put "# " before it.
    why=$(sed -n 's/^\(# \)*alidade: error \(E[0-9]*\): [a-z_0-9]*: \(.*\)/\3 (\2)/p' "$1" | head -n 1)
    printf '%s\n' "${why:-$(said "$1")}"
}

# attempt OUT ERR LIMIT FILE COMMAND...: run it for at most LIMIT seconds (0: any time), with
# its output in the files OUT and ERR, which may be one, and its results in the JSON file
# FILE, if one is named.  Sets status and, if that is not 0, why.
attempt() {
    local out=$1 err=$2 limit=$3 file=$4 begun
    shift 4
    [ -z "$file" ] || set -- "$@" --json "$file"
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in 1 2 3; do
        status=0 begun=$SECONDS why=''
        { : >"$out" && : >"$err"; } 2>/dev/null || die "cannot write to '$out'"
        held "$out" "$err" timeout --foreground -k 10 "$limit" "$@" || status=$?
        if [ "$status" -ne 141 ] && { [[ $status =~ ^(0|124|137)$ ]] || [ -s "$out" ] || [ -s "$err" ]; }; then break; fi
    done
    # Launchers may lose exit codes (doc/known-issues.md), and rank 0 may be on a host
    # without this folder.
    if [ "$status" -eq 0 ] && grep -q '^\(# \)*alidade: error ' "$err"; then
        status=1
    elif [ "$status" -eq 0 ]; then
        [ -n "$file" ] && [ ! -s "$file" ] || return 0
        status=1 why="it wrote no results"
        return 0
    fi
    # A failed run leaves no result that others could be compared with.
    [ -z "$file" ] || [ ! -e "$file" ] || mv "$file" "$file.failed"
    why=$(why_of "$err")
    # 137 is that of SIGKILL, which others send too: for want of memory, as a rule.
    if [ "$status" -eq 124 ] || { [ "$status" -eq 137 ] && [ "$limit" != 0 ] && [ $((SECONDS - begun)) -ge "${limit%.*}" ]; }; then
        why="it took more than $limit s (--limit)"
        echo "$why" >>"$err"
    elif [ "$status" -eq 137 ]; then
        why="it was killed (137)${why:+: $why}"
    fi
    why=${why:-"it exited with code $status and printed nothing"}
}

# cannot_run: after attempt: the program says that this is nothing for it.
cannot_run() { [ "$status" -eq 77 ] || [[ $why == *"does not take"* ]]; }

# --- Scripts that run programs of two ranks -----------------------------------

# is_build FOLDER: are the programs there?
is_build() { [ -x "$1/mpi/pt2pt/latency" ]; }

# The folder of a build where none is named: the installed suite, or the first that was made.
default_build() {
    local candidate
    for candidate in "$top" "$builds/openmpi" "$builds/mpich"; do
        if is_build "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    die "no build in $builds; make one with scripts/quickstart"
}

# program_of FOLDER NAME: the file of a program, or nothing.
program_of() { find "$1/mpi" -name "$2" -type f -perm -u+x | head -n 1; }

# need_program FOLDER NAME: the same, or an error.
need_program() {
    local file hint='scripts/run-suite --list names them'
    file=$(program_of "$1" "$2")
    case $2 in
    -*) hint='options of programs follow a second --' ;;
    osu_*) [ -z "$(program_of "$1" "${2#osu_}")" ] || hint="it is called ${2#osu_} here" ;;
    esac
    [ -n "$file" ] || die "'$2' is not a program of $1; $hint"
    echo "$file"
}

# unchanged_since RUN BINARY [VAR=VALUE...]: the program of a run that is there, and its MPI
# library with these settings, are not newer than the run.
unchanged_since() {
    local run=$1 binary=$2 file
    shift 2
    while read -r file; do
        [ ! "$file" -nt "$run" ] ||
            die "$file is newer than $run: name another folder with --results, since runs of two versions must not be mixed"
    done < <(echo "$binary" && env "$@" ldd "$binary" 2>/dev/null | awk '/libmpi/ { print $3 }')
}

# pair_options [--launcher COMMAND] [--results DIR] [BUILD] [-- OPTION...]: what starts two
# ranks, as the array command; the folder; the array programs_options; and results, if the
# script has set it, be it empty.
pair_options() {
    local launcher=''
    folder=''
    while [ $# -gt 0 ]; do
        case $1 in
        --launcher)
            [ $# -gt 1 ] || die "--launcher needs a command; see --help"
            launcher=$2
            shift
            ;;
        --results)
            [ -n "${results+set}" ] || die "unknown option $1; see --help"
            [ $# -gt 1 ] || die "--results needs a folder; see --help"
            results=$2
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        --)
            shift
            break
            ;;
        -*) die "unknown option $1; see --help" ;;
        *)
            [ -z "$folder" ] || die "two builds are named, '$folder' and '$1'; the variable PROGRAMS names programs"
            folder=$1
            ;;
        esac
        shift
    done
    # shellcheck disable=SC2034 # for the script
    programs_options=("$@")
    refuse_output_files "$@"
    folder=${folder:-$(default_build)} || exit 1
    is_build "$folder" || die "no build in '$folder'; see doc/install.md, or for CUDA doc/gpu.md"
    launcher=${launcher:-$(launcher_here 2)}
    read -ra command <<<"${launcher//'{n}'/2}"
}

# analysis_of NAME [BUILD...]: the program alidade-NAME, of these builds or any: it is the
# same in all.
analysis_of() {
    local name=$1 candidate
    shift
    # What compare built of other revisions comes last.
    for candidate in "$@" "$top" "$builds/openmpi" "$builds/mpich" "$builds"/* "$top"/build/*; do
        if [ -x "$candidate/c/compare/alidade-$name" ]; then
            echo "$candidate/c/compare/alidade-$name"
            return
        fi
    done
    die "no build has c/compare/alidade-$name; make one with scripts/quickstart (jansson is required)"
}
