# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts in bash, and asked by those in Python (runner/shell.py): packages, MPIs,
# builds, and what starts ranks; and held.sh.
# shellcheck shell=bash

# awk and printf read and write figures with a decimal point.
export LC_ALL=C

script=${0##*/}
# Before 4.4 empty arrays end a script.
[[ ! $BASH_VERSION =~ ^([0-3]\.|4\.[0-3]\.) ]] || {
    echo "$script: bash 4.4 or later is needed; this is bash $BASH_VERSION" >&2
    exit 1
}

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Where builds are made and looked for.  An installed suite is the folder of a build, too.
builds=${ALIDADE_BUILDS:-$top/build}

say() { [ "$tells" = no ] || printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "$script" "$*" >&2
    exit 1
}

# What the script is for: its header.  Installed, alidade starts it.
usage() {
    local installed=
    [ -f "$top/configure.ac" ] || installed='s,scripts/,alidade ,g'
    sed -n '/^# Usage: /,/^\([^#]\|$\)/{/^#$/s/#//p;s/^# //p}' "$0" | sed "$installed"
}
version() {
    echo "$script (Alidade) $(sed -n "s/^AC_INIT(\[Alidade\], \[\([^]]*\)\].*/\1/p; s/^version='\(.*\)'/\1/p" \
        "$top/configure.ac" "$top/environment.sh" 2>/dev/null | head -n 1)"
}

# shellcheck source=scripts/held.sh
. "${BASH_SOURCE[0]%/*}/held.sh"

# shared_option WORD [HINT]: an option that all scripts take, or none that is known.
shared_option() {
    case $1 in
    -h | --help) usage && exit ;;
    -v | --version) version && exit ;;
    -q | --quiet) tells=no ;;
    *) die "unknown option $1; ${2-see --help}" ;;
    esac
}

# make_folder FOLDER: if it is not there.
make_folder() {
    local why
    why=$(mkdir -p "$1" 2>&1) || die "cannot create '$1':${why##*:}"
}

# alone_in FOLDER: no other command uses the folder until this one ends, however it ends: it waits.
# (File systems without locks let it in.)
alone_in() {
    local code=0
    { exec 9>>"$1/.lock"; } 2>/dev/null || die "cannot write to '$1'"
    flock -n -E 75 9 2>/dev/null || code=$?
    [ "$code" -eq 75 ] || return 0
    say "waiting for another command that is using $1" >&2
    until flock -n 9; do sleep 1; done
}

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
        die "a C compiler, make, autoconf, automake, an MPI library with its compiler wrapper, and better also hwloc (development files) are needed; no apt-get or dnf was found to install them"
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

# What building takes. any-mpi: an MPI if there is none; every-mpi: all of them; own-mpi: it is there.
need_build_tools() {
    local compilers=(libopenmpi-dev openmpi-bin libmpich-dev mpich)
    if [ "$1" = own-mpi ] || { [ "$1" = any-mpi ] && [ -n "$(flavours)" ]; }; then
        compilers=()
    elif [ "$(flavours | wc -l)" -eq 2 ]; then
        compilers=()
    fi
    if ! have make cc || { [ ! -x "$top/configure" ] && ! have autoreconf automake; } ||
        [ ${#compilers[@]} -gt 0 ]; then
        install gcc libc6-dev make autoconf automake libhwloc-dev \
            "${compilers[@]}" -- gcc make autoconf automake hwloc-devel openmpi-devel mpich-devel
    fi
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
    have python3 || (install python3 -- python3) || say "python3 is not installed: scripts such as compare and repeat will not run"
}

# Have packages come or gone since FILE was written?
packages_after() {
    [ /var/lib/dpkg/status -nt "$1" ] || [ /var/lib/rpm/rpmdb.sqlite -nt "$1" ]
}

need_sources() {
    [ -f "$top/configure.ac" ] ||
        die "building needs the sources of the suite: run scripts/$script of a checkout or of the tarball"
}

# What make makes of a build; (): all of it.
goals=()

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
    alone_in "$folder"
    if [ ! -f "$folder/Makefile" ] ||
        { [ $# -gt 0 ] && [ "$*" != "$(cat "$folder/configured" 2>&1)" ]; }; then
        # Programs may be linked with the CUDA runtime library of other arguments.
        [ ! -f "$folder/Makefile" ] || make -s -C "$folder" clean-noinstPROGRAMS
        made configure env -C "$folder" "$top/configure" -q CC="$compiler" "$@" || return 1
        echo "$*" >"$folder/configured"
    elif packages_after "$folder/config.status"; then
        made configure env -C "$folder" sh -c './config.status --recheck && ./config.status' || return 1
    fi
    made make make -s -C "$folder" -j"$(cpus_here)" "${goals[@]}"
}

# How far these steps of build are.
far_configure() { echo "$(grep -c ': checking ' "$folder/config.log") checks"; }
far_make() {
    local programs
    programs=$(printf '%s\n' "${goals[@]}" | grep -c '^mpi/') || programs=$(find "$top/mpi" -name '*.c' | wc -l)
    echo "$(find "$folder" -name '*.o' ! -name '*.suite.o' -newermt "@$begun_at" | wc -l) files of about $(($(find "$top/c" -name '*.c' | wc -l) + programs)) compiled"
}

# made STEP COMMAND...: of build, with its output in the file STEP.out; or says why not, and sets why.
made() {
    local step=$1
    shift
    : >"$folder/$step.out"
    begun_at=$(date +%s)
    with_progress "$folder: $step" "far_$step" held "$folder/$step.out" "$folder/$step.out" "$@" && return
    why="$step failed; see $folder/$step.out"
    echo "$script: $why" >&2
    return 1
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

# The cores among them, which may have several CPUs each, as hwloc and so the launchers count
# them.
cores_here() {
    local cores cpus
    cpus=$(cpus_here)
    cores=$(hwloc-calc --number-of core all 2>/dev/null) || cores=$(lscpu -p=core,socket 2>/dev/null | grep -v '^#' | sort -u | wc -l)
    [ "$cores" -gt 0 ] && [ "$cores" -le "$cpus" ] || cores=$cpus
    echo "$cores"
}

# --- What differs between MPIs ----------------------------------------------------------------

# Of openmpi, mpich and intel: words that bind a rank to a core, a hardware thread or nothing; that
# count hardware threads where there are more ranks than cores; that start EACH ranks a node, and
# on these HOSTS; that root needs; variables with which it starts on a machine without ssh; and
# variables with which ranks share CPUs and give them up.  PRTE_MCA_ ones are those of Open MPI 5.
# MPICH's ranks share CPUs as they are.
declare -A mpi_words=(
    [openmpi.core]='--bind-to core' [openmpi.hwthread]='--bind-to hwthread' [openmpi.none]='--bind-to none'
    [mpich.core]='-bind-to core' [mpich.hwthread]='-bind-to hwthread' [mpich.none]='-bind-to none'
    [intel.core]='-genv I_MPI_PIN on -genv I_MPI_PIN_DOMAIN core' [intel.hwthread]='-genv I_MPI_PIN on -genv I_MPI_PIN_DOMAIN 1' [intel.none]='-genv I_MPI_PIN off'
    # A core is a slot, unless it is told so.
    [openmpi.threads]='--use-hwthread-cpus' [mpich.threads]='' [intel.threads]=''
    [openmpi.each]='--map-by ppr:EACH:node' [mpich.each]='-ppn EACH' [intel.each]='-ppn EACH'
    # A host has one slot, unless it says how many.
    [openmpi.host]='HOST:EACH' [mpich.host]='HOST' [intel.host]='HOST'
    [openmpi.hosts]='--host HOSTS' [mpich.hosts]='-hosts HOSTS' [intel.hosts]='-hosts HOSTS'
    # Its 4 does not start without ssh, not even on one machine.
    [openmpi.alone]='OMPI_MCA_plm_rsh_agent=true' [mpich.alone]='' [intel.alone]=''
    [openmpi.root]='--allow-run-as-root' [mpich.root]='' [intel.root]=''
    [openmpi.shared]='OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1'
    [mpich.shared]='' [intel.shared]='I_MPI_PIN=off I_MPI_THREAD_YIELD=3'
)
# Open MPI's do no harm under MPICH.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
read -ra crowded <<<"${mpi_words[openmpi.shared]} ${mpi_words[intel.shared]}"

# on_nodes MPI EACH UNIT [HOST...]: what starts so many ranks a node, bound to that, on these hosts.
on_nodes() {
    local mpi=$1 each=$2 unit=$3 host hosts=
    shift 3
    for host; do
        host=${mpi_words[$mpi.host]/HOST/$host}
        hosts+=${hosts:+,}${host/EACH/$each}
    done
    echo "${mpi_words[$mpi.each]/EACH/$each} ${mpi_words[$mpi.$unit]}${hosts:+ ${mpi_words[$mpi.hosts]/HOSTS/$hosts}}$(root_words "$mpi")"
}

# root_words MPI: that root needs, after a blank, where the user is root: who copies a command has no variables of ours.
root_words() { [ "$(id -u)" -ne 0 ] || echo "${mpi_words[$1.root]:+ ${mpi_words[$1.root]}}"; }

# A value that configure has found out about the build in folder.
of_build() { sed -n "s/^$1='\(.*\)'/\1/p" "$folder/environment.sh"; }

# flavour_of LAUNCHER: that of its MPI, openmpi, mpich or intel, as the build in folder has it; one with the ABI of MPI 5
# has any, and its launcher says which.  Intel MPI is MPICH for a compiler, with a launcher of its own.
flavour_of() {
    local flavour
    flavour=$(of_build flavour)
    if [ "$flavour" = abi ] || [ "$flavour" = mpich ]; then
        case $("$1" --version 2>&1) in
        *"Open MPI"*) flavour=openmpi ;;
        *"Intel(R) MPI"*) flavour=intel ;;
        *) flavour=mpich ;;
        esac
    fi
    # Any other is started as Open MPI is.
    [[ -v mpi_words[$flavour.core] ]] || flavour=openmpi
    echo "$flavour"
}

# launcher_here N [WORD] [LAUNCHER]: what starts N ranks of the build in folder on this machine, by the launcher found
# with it or that one, bound to cores if there is one for each, else to CPUs, else not at all; WORD stands for the number.
launcher_here() {
    local start mpi mpirun variables=
    mpirun=${3:-$(of_build mpirun)} mpi=$(flavour_of "$mpirun")
    start="$mpirun -n ${2:-$1}"
    have ssh || have rsh || variables=${mpi_words[$mpi.alone]}
    if [ "$(cores_here)" -ge "$1" ]; then
        start+=" ${mpi_words[$mpi.core]}"
    elif [ "$(cpus_here)" -lt "$1" ]; then
        variables+=" ${mpi_words[$mpi.shared]}"
    else
        start+="${mpi_words[$mpi.threads]:+ ${mpi_words[$mpi.threads]}} ${mpi_words[$mpi.hwthread]}"
    fi
    read -r variables <<<"$variables"
    echo "${variables:+env $variables }$start$(root_words "$mpi")"
}

# crowded_words: with which ranks share CPUs.
crowded_words() { echo "${crowded[*]}"; }

# --- Builds and their programs ------------------------------------------------

# is_build FOLDER: are the programs there?
is_build() { [ -x "$1/mpi/pt2pt/latency" ]; }

# built_with "PROGRAM..." NAME COMPILER CONFIGURE-ARGUMENTS...: build_or_update, where only these programs are needed
# (none: all), and latency, by which a build is known; or why not.
built_with() {
    local program file
    for program in ${1:+latency} $1; do
        file=$(cd "$top" && compgen -G "mpi/*/$program.c") || {
            goals=()
            break
        }
        goals+=("${file%.c}")
    done
    shift
    build_or_update "$@" || {
        echo "$why"
        return 1
    }
}

# every_mpi ONLY-THERE: builds of all MPIs of this machine, each as NAME=FOLDER; yes: none is made.
every_mpi() {
    local flavour
    [ "$1" = yes ] || { need_sources && need_build_tools every-mpi; } >&2
    for flavour in $(flavours); do
        [ "$1" = yes ] || build_or_update "$flavour" "$(compiler_of "$flavour")"
        ! is_build "$builds/$flavour" || echo "$flavour=$builds/$flavour"
    done
}
