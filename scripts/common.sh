# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the other scripts: help, options, packages, MPIs, builds, launching; and runner.sh.
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

# meant WORD <CANDIDATES: " (did you mean CANDIDATE?)" if a line is near: at most one slip
# for three letters, one that is missing, added, wrong, or swapped with the next.
meant() {
    awk -v word="${1#--}" '
        function at(text, i) { return substr(text, i, 1) }
        function less(a, b) { return a < b ? a : b }
        {
            name = $0
            sub(/^--/, "", name)
            n = length(word)
            m = length(name)
            for (i = 0; i <= n; i++)
                for (j = 0; j <= m; j++)
                    if (i == 0 || j == 0)
                        d[i, j] = i + j
                    else {
                        d[i, j] = less(d[i - 1, j - 1] + (at(word, i) != at(name, j)), 1 + less(d[i - 1, j], d[i, j - 1]))
                        if (i > 1 && j > 1 && at(word, i) == at(name, j - 1) && at(word, i - 1) == at(name, j))
                            d[i, j] = less(d[i, j], d[i - 2, j - 2] + 1)
                    }
            if (3 * d[n, m] <= n && (best == "" || d[n, m] < slips)) {
                best = $0
                slips = d[n, m]
            }
        }
        END { if (best != "") printf " (did you mean %s?)", best }'
}

# What the script is for: its header.  Installed, alidade starts it.
usage() {
    local installed=
    # shellcheck disable=SC2016 # it is for the user's shell
    [ -f "$top/configure.ac" ] || installed='s,\(sbatch .*\)scripts/slurm,\1$(alidade slurm),; s,scripts/,alidade ,g'
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

# shellcheck source=scripts/runner.sh
. "${BASH_SOURCE[0]%/*}/runner.sh"

# --- Options ------------------------------------------------------------------

# seconds_of TEXT: whole seconds of a time such as 90, 1.5m or 2h; a fraction counts as one more.
seconds_of() {
    [[ $1 =~ ^([0-9]{1,9}(\.[0-9]+)?)(s|m|h)?$ ]] || return 1
    awk -v t="${BASH_REMATCH[1]}" -v unit="${BASH_REMATCH[3]}" 'BEGIN {
        t *= unit == "h" ? 3600 : unit == "m" ? 60 : 1
        printf "%d", (t > int(t)) ? t + 1 : t
    }'
}

# The options in the header of the script, a line each: short form or -, name, and the word for its value, if any.
options_there() { sed -nE '/^# Options:/,/^#$/s/^#   ((-[a-z]), )?--([a-z-]+)( ([^ ]+))?( .*|$)/\2- \3 \5/p' "$0"; }

# checked OPTION KIND VALUE: sets value to what a value of that kind means, or ends the script.
checked() {
    local what=ranks
    value=$3
    case $2 in
    N)
        [ "$1" != runs ] || what=runs
        [[ $3 =~ ^[1-9][0-9]{0,8}$ ]] || die "--$1 '$3' is not a number of $what"
        ;;
    TIME)
        value=$(seconds_of "$3") || value=''
        [[ -n $value && ($1 != limit || $value -gt 0) ]] || die "--$1 '$3' is not a number of seconds, nor a time such as 10m"
        ;;
    PERCENT)
        value=${3%\%}
        [[ $value =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "--$1 '$3' is not a percentage"
        ;;
    FILE) need_writable "$3" ;;
    *'|'*) [[ "|$2|" == *"|$3|"* ]] || die "--$1 '$3' is not ${2//|/ or }$(tr '|' '\n' <<<"$2" | meant "$3")" ;;
    esac
}

# Set by read_options: the words that are no options, what follows --, the names of the options that were given, and
# these as words for another program.
# shellcheck disable=SC2034 # for the scripts
words=() options=() given=' ' option_words=()
# yes: the runs are printed, and not made.
print=no
# What an unknown option may mean.
hint='see --help'

# read_options [first] WORD...: those of the header.  The value of --some-option is the variable some_option, which
# may be an array; of an option without value it is yes.  With first, what follows the first word belongs to it.
# shellcheck disable=SC2034 # for the scripts
read_options() {
    local first=no name kind value equals short
    local -A kind_of=() long_of=()
    [ "${1-}" != first ] || first=yes
    [ "$first" = no ] || shift
    while read -r short name kind; do kind_of[$name]=$kind long_of[${short%-}.]=--$name; done < <(options_there)
    while [ $# -gt 0 ]; do
        name=$1 equals=no
        shift
        case $name in
        --)
            options=("$@")
            return
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        --?*=*)
            set -- "${name#*=}" "$@"
            name=${name%%=*} equals=yes
            ;;
        --*) ;;
        -?*)
            [ ${#name} -eq 2 ] || set -- "${name:2}" "$@"
            name=${long_of[${name:0:2}.]-$name}
            ;;
        *)
            words+=("$name")
            [ "$first" = no ] || { words+=("$@") && return; }
            continue
            ;;
        esac
        case $name in
        --launches) name=--runs ;;
        --with) name=--launcher ;;
        --print) kind_of[print]='' ;; # of every script that has a plan
        esac
        [[ $name == --* && -n ${kind_of[${name#--}]+set} ]] ||
            die "unknown option $name$(options_there | awk '{ print "--" $2 }' | meant "$name"); $hint"
        name=${name#--} kind=${kind_of[$name]} value=yes
        given+="$name "
        if [ -n "$kind" ]; then
            [ $# -gt 0 ] || die "--$name needs a value; see --help"
            checked "$name" "$kind" "$1"
            option_words+=("--$name=$1")
            shift
        else
            [ "$equals" = no ] || die "--$name takes no value"
            option_words+=("--$name")
        fi
        name=${name//-/_}
        if [[ $(declare -p "$name" 2>/dev/null) == 'declare -a'* ]]; then
            local -n _array=$name
            _array+=("$value")
            unset -n _array
        else
            printf -v "$name" %s "$value"
        fi
    done
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
    want jansson.h libjansson-dev jansson-devel "no --json, whose files compare, repeat, report and accept read"
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
        made configure env -C "$folder" "$top/configure" -q CC="$compiler" "$@" || return 1
        echo "$*" >"$folder/configured"
    elif packages_after "$folder/config.status"; then
        made configure env -C "$folder" sh -c './config.status --recheck && ./config.status' || return 1
    fi
    made make make -s -C "$folder" -j"$(cpus_here)"
}

# made STEP COMMAND...: of build, with its output in the file STEP.out; or says why not, and sets why.
made() {
    local step=$1
    shift
    : >"$folder/$step.out"
    held "$folder/$step.out" "$folder/$step.out" "$@" && return
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
    echo "$flavour"
}

# bound_to UNIT FLAVOUR: the words that bind each rank to a core or hwthread, or to none.
bound_to() {
    case $2:$1 in
    intel:none) echo "-genv I_MPI_PIN off" ;;
    intel:*) echo "-genv I_MPI_PIN_DOMAIN ${1/hwthread/1}" ;;
    mpich:*) echo "-bind-to $1" ;;
    *) echo "--bind-to $1" ;;
    esac
}

# launcher_here N [WORD] [LAUNCHER]: what starts N ranks of the build in folder on this machine, by the launcher found
# with it or that one, bound to cores if there is one for each, else to CPUs, else not at all; WORD stands for the number.
launcher_here() {
    local words flavour mpirun
    mpirun=${3:-$(of_build mpirun)} flavour=$(flavour_of "$mpirun")
    words="$mpirun -n ${2:-$1}"
    if [ "$(cores_here)" -ge "$1" ]; then
        words+=" $(bound_to core "$flavour")"
    elif [ "$(cpus_here)" -lt "$1" ]; then
        [[ $flavour == @(mpich|intel) ]] || words="env ${crowded[*]} $words"
    else
        # Open MPI has a slot for each core, unless it is told so.
        [[ $flavour == @(mpich|intel) ]] || words+=' --use-hwthread-cpus'
        words+=" $(bound_to hwthread "$flavour")"
    fi
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

# nodes_in FILE: the number of nodes in the header line of a table, or nothing.
nodes_in() { sed -n 's/^# Alidade .* nodes=\([0-9]*\);.*/\1/p' "$1" | head -n 1; }

# launcher_of TEXT: --launcher as a command with {n}.  A name such as srun, maybe with options, does not say how many
# ranks it starts; all other commands are as they are.
launcher_of() {
    local words name
    [[ $1 != -* ]] || die "a launcher begins with its command, for example: {mpirun} -n {n} $1"
    read -ra words <<<"$1"
    name=${words[0]-}
    if [[ $1 == *'{n}'* || " $1" == *' -'[nNp]* || " $1" == *' --n'* ]]; then
        name=''
    fi
    case $name in
    mpirun | mpiexec | srun) echo "$1 -n {n}" ;;
    flux) [ "${words[1]-}" = run ] && echo "$1 -n {n}" || echo "flux run ${words[*]:1} -n {n}" ;;
    jsrun) echo "$1 --np {n}" ;;
    *) echo "$1" ;;
    esac
}

# heeds_ranks LAUNCHER: --ranks has an effect on it, or was not given.
heeds_ranks() {
    [[ $given != *" ranks "* || $1 == *'{n}'* ]] ||
        die "--ranks $ranks has no effect: the launcher '$1' lacks {n}, which stands for the number of ranks"
}

# need_launcher: sets launcher to a command with {n}, by --launcher, or for --ranks ranks on this machine; and the array
# start to the same for these ranks.
need_launcher() {
    if [ -n "$launcher" ]; then
        launcher=$(launcher_of "$launcher")
        heeds_ranks "$launcher"
    else
        launcher=$(launcher_here "$ranks" '{n}')
    fi
    read -ra start <<<"${launcher//'{n}'/$ranks}"
}

# placed NODES RANKS-PER-NODE HOSTS BIND NAME [OPTION...]: sets the array start: what starts so many ranks on each of so
# many nodes by the launcher of that name.  HOSTS has commas, or is empty; BIND is core or none.
placed() {
    local nodes=$1 each=$2 hosts=$3 bind=$4 name=$5 ranks=$(($1 * $2)) mpirun=mpirun bound
    shift 5
    case $name in
    srun) start=(srun -N "$nodes" -n "$ranks" --ntasks-per-node="$each" --cpu-bind="${bind/core/cores}" ${hosts:+--nodelist "$hosts"}) ;;
    flux)
        [ "${1-}" != run ] || shift
        [ "$bind" = none ] && bind=off || bind=per-task
        start=(flux run -N "$nodes" -n "$ranks" -o cpu-affinity="$bind" ${hosts:+--requires="hosts:$hosts"})
        ;;
    jsrun)
        [ -z "$hosts" ] || die "jsrun takes the hosts of the job: leave out --hosts"
        [ "$bind" = none ] || bind=packed:1
        start=(jsrun --nrs "$nodes" --rs_per_host 1 --tasks_per_rs "$each" --cpu_per_rs ALL_CPUS --launch_distribution packed --bind "$bind")
        ;;
    openmpi | mpich | mpirun | mpiexec)
        # The build's own, where it is one of that MPI; else what is in PATH.
        [[ $name != mpich && $name != mpiexec ]] || mpirun=mpiexec
        if [[ $name == mpi[re]* && -f $folder/environment.sh ]]; then
            name=$(flavour_of "$(of_build mpirun)")
        fi
        if [ -f "$folder/environment.sh" ] && [ "$(flavour_of "$(of_build mpirun)")" = "$name" ]; then
            mpirun=$(of_build mpirun)
        fi
        [ "$name" != mpiexec ] || name=mpich
        read -ra bound <<<"$(bound_to "$bind" "$name")"
        case $name in
        mpich | intel) start=("$mpirun" -n "$ranks" -ppn "$each" "${bound[@]}" ${hosts:+-hosts "$hosts"}) ;;
        # A host has one slot unless it says how many.
        *) start=("$mpirun" -n "$ranks" --map-by "ppr:$each:node" "${bound[@]}" ${hosts:+--host "${hosts//,/:$each,}:$each"}) ;;
        esac
        ;;
    *) die "--launcher '$name' is not mpirun, mpiexec, srun, flux, jsrun, openmpi or mpich" ;;
    esac
    start+=("$@")
}

# refuse_options OPTION...: of programs that run many times: each run would overwrite the file of the last, or measure nothing.
refuse_options() {
    local word
    for word; do
        case ${word%%=*} in
        --csv | --json) die "leave out ${word%%=*}, since each run would overwrite its file; a results folder has a JSON file of each run, and doc/json.md makes CSV of them" ;;
        --dry-run) die "leave out --dry-run, with which nothing is measured" ;;
        esac
    done
}

# need_writable FILE...: those that are named can be written, which is known before anything is
# measured.
need_writable() {
    local file
    for file; do
        [ "$file" != - ] || die "'-' is no file: name one"
        if [ -e "$file" ]; then
            [ ! -d "$file" ] && [ -w "$file" ]
        else
            [ -n "${file##*/}" ] && [ -d "$(dirname "$file")" ] && [ -w "$(dirname "$file")" ]
        fi || [ -z "$file" ] || die "cannot write to '$file'"
    done
}

# --- Builds and their programs ------------------------------------------------

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

# need_build: sets folder to --build, or to where no folder is named; there are programs.
need_build() {
    folder=${build:-$(default_build)} || exit 1
    ! is_build "$folder/libexec/alidade" || folder+=/libexec/alidade
    is_build "$folder" || die "there are no programs in '$folder/mpi'; scripts/quickstart builds them"
}

# program_of FOLDER NAME: the file of a program, or nothing.
program_of() {
    local file
    for file in "$1"/mpi/*/"$2"; do
        [ ! -f "$file" ] || [ ! -x "$file" ] || { echo "$file" && return; }
    done
}

# need_gpus: sets gpus, by --gpus, to those that the build in folder can use, and the array kinds to the pairs of
# memory types in pairs.
need_gpus() {
    local pair type='(H|HH|HP|D|F|M|MD|MH)'
    [ ${#words[@]} -le 1 ] || die "name one build, and not ${words[*]}"
    [ -n "$gpus" ] || gpus=$([ "$(of_build have_cuda)" = no ] && echo rocm || echo cuda)
    case $gpus-$(of_build have_cuda)-$(of_build hip_dir) in
    cuda-no-*) die "$folder is a build without support for cuda: configure with --with-cuda" ;;
    rocm-*-none) die "$folder is a build without support for rocm: configure with --with-hip" ;;
    esac
    # shellcheck disable=SC2154 # of the script
    IFS=, read -ra kinds <<<"$pairs"
    [ ${#kinds[@]} -gt 0 ] || die "--pairs names no pair; an example is H-H,D-D"
    for pair in "${kinds[@]}"; do
        [[ $pair =~ ^$type-$type$ ]] || die "--pairs '$pair' is not SRC-DST, each H, HH, HP, D, F, M, MD or MH"
    done
}

# programs_of FOLDER: the names of its programs.
programs_of() { find "$1/mpi" -type f -perm -u+x -printf '%f\n' | sort; }

# need_program FOLDER NAME: the same, or an error.
need_program() {
    local file hint='scripts/run-suite --list names them'
    file=$(program_of "$1" "$2")
    case $2 in
    -*) hint='options of programs follow a second --' ;;
    osu_*) [ -z "$(program_of "$1" "${2#osu_}")" ] || hint="it is called ${2#osu_} here" ;;
    esac
    [ -n "$file" ] || die "'$2' is not a program of $1$(programs_of "$1" | meant "$2"); $hint"
    echo "$file"
}

# need_judge [BUILD...]: sets the array judge to the command that judges results, in the Python that configure found for
# these builds or any, else in that of PATH; options and variables of the user's own Python do not reach it.
need_judge() {
    local folder python
    for folder in "$@" "$top" "$builds/openmpi" "$builds/mpich" ''; do
        python=python3
        if [ -n "$folder" ]; then
            [ -f "$folder/environment.sh" ] || continue
            python=$(of_build python3)
        fi
        if have "$python" && "$python" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
            # shellcheck disable=SC2034 # for the scripts
            judge=("$python" -I -X utf8 "$top/scripts/judge")
            return
        fi
    done
    die "results are judged in Python 3.6 or later, and no such python3 is in PATH"
}
