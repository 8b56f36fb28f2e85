# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the other scripts: packages, MPIs, builds, launching.
# shellcheck shell=bash

# awk and printf read and write figures with a decimal point.
export LC_ALL=C

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Where builds are made and looked for.  An installed suite is the folder of a build, too.
builds=${ALIDADE_BUILDS:-$top/build}

say() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# What the script is for: its header.  Installed, alidade starts it.
usage() {
    local installed=
    [ -f "$top/configure.ac" ] || installed='s,scripts/run-suite,alidade suite,g;s,scripts/,alidade ,g'
    sed -n '/^# Usage: /,/^\([^#]\|$\)/{/^#$/s/#//p;s/^# //p}' "$0" | sed "$installed"
}
version() {
    echo "$(basename "$0") (Alidade) $(sed -n "s/^AC_INIT(\[Alidade\], \[\([^]]*\)\].*/\1/p; s/^version='\(.*\)'/\1/p" \
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
        die "building needs the sources of the suite: run scripts/$(basename "$0") of a checkout or of the tarball"
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
    mkdir -p "$folder"
    if [ ! -f "$folder/Makefile" ] ||
        { [ $# -gt 0 ] && [ "$*" != "$(cat "$folder/configured" 2>&1)" ]; }; then
        # Programs may be linked with the CUDA runtime library of other arguments.
        [ ! -f "$folder/Makefile" ] || make -s -C "$folder" clean-noinstPROGRAMS
        (cd "$folder" && "$top/configure" -q CC="$compiler" "$@" >configure.out 2>&1) ||
            die "configure failed; see $folder/configure.out"
        echo "$*" >"$folder/configured"
    elif packages_after "$folder/config.status"; then
        (cd "$folder" && ./config.status --recheck && ./config.status) >"$folder/configure.out" 2>&1 ||
            die "configure failed; see $folder/configure.out"
    fi
    make -s -C "$folder" -j"$(nproc)" >"$folder/make.out" 2>&1 ||
        die "make failed; see $folder/make.out"
}

# What it takes to start ranks as root, or more of them than there are cores.
# Open MPI's variables do no harm under MPICH; PRTE_MCA_ ones are those of Open MPI 5.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
oversubscribe() {
    export OMPI_MCA_rmaps_base_oversubscribe=1
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    export OMPI_MCA_hwloc_base_binding_policy=none
    export PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_mpi_yield_when_idle=1
}

# A value that configure has found out about the build in folder.
of_build() { sed -n "s/^$1='\(.*\)'/\1/p" "$folder/environment.sh"; }

# launcher_here N [WORD]: what starts N ranks of the build in folder on this machine, bound
# to cores if there is one for each; WORD stands for the number.
launcher_here() {
    local bind=--bind-to
    [ "$(of_build flavour)" != mpich ] || bind=-bind-to
    [ "$(nproc)" -ge "$1" ] || bind=
    echo "$(of_build mpirun) -n ${2:-$1}${bind:+ $bind core}"
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

# keep_asked RESULTS ASKED: the folder is there, and has results of what is asked, or none:
# a command that was refused leaves none.
keep_asked() {
    make_folder "$1"
    if [ -s "$1/asked" ] && [ "$(<"$1/asked")" != "$2" ] &&
        find "$1" -name '*.json' -o -name 'done' -size +0 -o -name dropped | grep -q .; then
        die "$1 has results of another command: $(<"$1/asked"); choose another --results folder"
    fi
    echo "$2" 2>/dev/null >"$1/asked" || die "cannot write to '$1'"
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
    why=$(sed -n 's/^alidade: error \(E[0-9]*\): [a-z_0-9]*: \(.*\)/\2 (\1)/p' "$1" | head -n 1)
    printf '%s\n' "${why:-$(said "$1")}"
}

# attempt OUT ERR LIMIT COMMAND...: run it for at most LIMIT seconds, with its output in the
# files OUT and ERR, which may be one.  Sets status and, if that is not 0, why.  A script
# that has set running, be it empty, kills that process when it is interrupted.
attempt() {
    local out=$1 err=$2 limit=$3 begun
    shift 3
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in 1 2 3; do
        status=0 begun=$SECONDS why=''
        : >"$out"
        : >"$err"
        if [ -n "${running+set}" ]; then
            timeout --foreground -k 10 "$limit" "$@" >>"$out" 2>>"$err" </dev/null &
            running=$!
            wait "$running" || status=$?
            running=''
        else
            timeout --foreground -k 10 "$limit" "$@" >>"$out" 2>>"$err" </dev/null || status=$?
        fi
        if [ "$status" -ne 141 ] && { [[ $status =~ ^(0|124|137)$ ]] || [ -s "$out" ] || [ -s "$err" ]; }; then break; fi
    done
    [ "$status" -ne 0 ] || return 0
    why=$(grep -m 1 'alidade: error' "$err" || said "$err")
    # 137 is that of SIGKILL, which others send too: for want of memory, as a rule.
    if [ "$status" -eq 124 ] || { [ "$status" -eq 137 ] && [ $((SECONDS - begun)) -ge "$limit" ]; }; then
        why="it took more than $limit s (--limit)"
        echo "$why" >>"$err"
    elif [ "$status" -eq 137 ]; then
        why="it was killed (137)${why:+: $why}"
    fi
    why=${why:-"it exited with code $status and printed nothing"}
}

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
    if [ -z "$launcher" ]; then
        [ "$(nproc)" -ge 2 ] || oversubscribe
        launcher=$(launcher_here 2)
    fi
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
