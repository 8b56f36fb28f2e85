#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# configure builds what was asked for, with any compiler and flags, or says in a sentence why it cannot; make goes on
# without what this host cannot run, and installs OMB's folders.
# shellcheck disable=SC2016,SC2034,SC2154,SC2164  # make expands; variables shared with common.bash

load common

setup() {
    mkdir "$BATS_TEST_TMPDIR/build"
    cd "$BATS_TEST_TMPDIR/build"
    limit=600
    unset MAKEFLAGS MFLAGS MAKELEVEL
    # What configure has found for this build; the library that is tested is looked for again.
    sed -n '/^## Cache variables/,/^## Output variables/ s/^\(ac_cv_[a-z0-9_A-Z]*=.*\)/\1/p' "$ALIDADE_BUILD/config.log" |
        grep -v -e '^ac_cv_env_' -e hwloc >found
}

# refused OPTION TEXT
refused() {
    run_to_files "$ALIDADE_SOURCE/configure" -q --cache-file=found "CC=$mpicc" "$1"
    echo "$1"
    expect_status 1
    expect_err "configure: error: $2"
    [[ $(wc -l <"$err") -eq 1 ]] || fail "more than a sentence"
}

@test "configure: GPUs and libraries that Alidade does not measure are refused" {
    local option
    for option in --enable-openacc --enable-sycl --enable-ncclomb --enable-rcclomb; do
        refused "$option" "$option is not possible: "
    done
    refused --with-address "--with-address needs a URL, for example --with-address=https://example.org/alidade"
    refused --with-command=a/b "--with-command needs a name, for example --with-command=alidade-mpich"
    for option in --with-hip=/nonexistent --with-rocm=/nonexistent; do
        refused "$option" "--with-hip was given, but hipcc was not found, or nothing links with libamdhip64."
    done
}

@test "configure: a folder of --with-hwloc is used or refused; flags may have quotes" {
    local file
    refused --with-hwloc=/nonexistent "--with-hwloc=/nonexistent: that folder lacks include/hwloc.h or libhwloc "
    [[ -e /usr/include/hwloc.h ]] || skip "hwloc is elsewhere"
    mkdir -p hwloc/include hwloc/lib64
    cp -r /usr/include/hwloc* hwloc/include
    for file in /usr/lib*/libhwloc.so /usr/lib/*/libhwloc.so; do
        [[ ! -e $file ]] || ln -sf "$file" hwloc/lib64
    done
    run_to_files "$ALIDADE_SOURCE/configure" -q --cache-file=found "CC=$mpicc" --with-hwloc=hwloc --with-address=https://example.org/a \
        CFLAGS='-O1 -DNOTE="\"x\"" -ffile-prefix-map=/from=/to' --without-papi \
        --without-fftw --without-ucx --without-cuda --without-cmocka --disable-dependency-tracking
    expect_status 0
    grep -q "^LIBS = .*-L$PWD/hwloc/lib64 -Wl,-rpath,$PWD/hwloc/lib64 -lhwloc" Makefile || fail "the folder is not used"
    grep -q "^LIBRARY_CPPFLAGS = .*-I$PWD/hwloc/include" Makefile || fail "its headers are not used"
    grep -qxF '#define BUILD_ADDRESS "https://example.org/a"' config.h || fail "no address"
    grep -qxF '#define BUILD_CFLAGS "-O1 -DNOTE=\"\\\"x\\\"\""' config.h || fail "$(grep BUILD_CFLAGS config.h)"
}

# Lines "COMPILER FLAGS".  The first: no prototype that configure writes by itself is one.
flags() {
    cat <<'END'
gcc -O2 -flto -Wall -Wstrict-prototypes -Wold-style-definition -Werror
gcc -O3 -std=c99 -Wall -Werror
clang -O2 -Wall -Werror
clang -O2 -flto=thin
END
}

# Flags and compilers do not change what configure finds: config.h, and the libraries.
finds_the_same() {
    diff <(grep -v BUILD_C "$ALIDADE_BUILD/config.h") <(grep -v BUILD_C config.h) >differs || fail "$(cat differs)"
    diff <(grep '^LIBS = ' "$ALIDADE_BUILD/Makefile") <(grep '^LIBS = ' Makefile) >differs || fail "$(cat differs)"
}

@test "other flags and compilers: configure finds the same; in the long form all programs build, in the suite, and some print rows" {
    local compiler flags options program n=0 start
    [[ $flavour == openmpi || $flavour == mpich ]] || skip "only these wrappers take another compiler"
    eval "options=($("$ALIDADE_BUILD/config.status" --config))"
    limit=3600
    while read -r compiler flags; do
        command -v "$compiler" >/dev/null || continue
        echo "$compiler $flags"
        mkdir "../$((++n))"
        cd "../$n"
        export OMPI_CC=$compiler MPICH_CC=$compiler
        run_to_files "$ALIDADE_SOURCE/configure" -q --disable-dependency-tracking "${options[@]}" "CFLAGS=$flags"
        expect_status 0
        finds_the_same
        # objcopy renames nothing in what -flto has compiled.
        run_to_files make -s mpi/pt2pt/latency.suite.o
        expect_status 0
        grep -q suite_latency mpi/pt2pt/latency.suite.o || fail "main has no name of the suite"
        [[ -n ${ALIDADE_LONG:-} ]] || return 0
        start_of 2
        # The suite has all programs; a link of each with -flto would take an hour.
        run_to_files make -s -j2 mpi/{suite,pt2pt/latency,collective/allreduce,one-sided/put_latency,application/ft}
        expect_status 0
        for program in pt2pt/latency collective/allreduce one-sided/put_latency; do
            run_to_files "${start[@]}" "mpi/$program" -m 8:8 -i 5 -x 1
            expect_status 0
            grep -q '^8 ' "$out" || fail "$program: no row"
        done
        [[ $have_fftw == no ]] || run_to_files "${start[@]}" mpi/application/ft --class=S
        expect_status 0
    done < <(flags)
}

@test "make: a program that cannot start here has no manual page, and the build goes on" {
    local here
    [[ -e $ALIDADE_BUILD/doc/man/stamp ]] || skip "no pages are made here"
    printf '#!/bin/sh\necho half a page\nexit 127\n' >broken
    chmod +x broken
    here=$(realpath --relative-to="$ALIDADE_BUILD" "$PWD")
    run_to_files make -s -C "$ALIDADE_BUILD" "pages=$here/stamp" "programs=$here/broken mpi/pt2pt/latency" installed_scripts= "$here/stamp"
    expect_status 0
    expect_err "warning: no manual page, since $here/broken cannot start on this host"
    [[ ! -e $ALIDADE_BUILD/doc/man/alidade-broken.1 ]] || fail "a page of half a program"
    grep -q MPI "$ALIDADE_BUILD/doc/man/alidade-latency.1" || fail "not the page of the other"
    # A script without a Python is no obstacle either.
    local script
    script=$(realpath --relative-to="$ALIDADE_SOURCE" "$PWD/broken")
    run_to_files make -s -C "$ALIDADE_BUILD" "pages=$here/scripts" programs= "installed_scripts=$script" python_files= "$here/scripts"
    expect_status 0
    expect_err "warning: no manual page, since $script cannot start on this host"
}

@test "make: what needs Python says so, before it builds" {
    run_to_files make -s -C "$ALIDADE_BUILD" truth PYTHON=:
    [[ $status -eq 2 && $stderr == *"Python 3.6 or later is needed, and ':' is none; install it, and configure again"* && -z $stdout ]] || fail "built: $stdout"
    PYTHON=: run_to_files "$ALIDADE_SOURCE/tests/truth/truth" "$ALIDADE_BUILD"
    [[ $status -eq 1 && $stderr == "truth: Python 3.6 or later is needed, and ':' is none"* && -z $stdout ]] || fail "measured: $stdout"
    # Of a tarball it is there.
    [[ ! -e $ALIDADE_SOURCE/doc/result.schema.json ]] || return 0
    local parts=$(cd "$ALIDADE_BUILD" && sed -n 's/^srcdir = //p' Makefile)/doc/result_schema.py
    run_to_files make -s -C "$ALIDADE_BUILD" -W "$parts" doc/result.schema.json PYTHON=:
    expect_status 2
    expect_err "make doc/result.schema.json: Python 3.6 or later is needed"
}

@test "make install: OMB's folders, the congestion programs in two" {
    local root=$PWD/root folder
    run_to_files make -s -C "$ALIDADE_BUILD" install-exec-local installed_scripts= python_files=scripts/judge/__init__.py osu_scripts= \
        "programs=mpi/congestion/bw_fan_in mpi/pt2pt/latency" 'osu_programs=$(programs)' "DESTDIR=$root" libexecdir=/libexec
    expect_status 0
    folder=$root/libexec/osu-micro-benchmarks/mpi
    [[ $(cd "$folder" && echo */*) == "congestion/osu_bw_fan_in pt2pt/osu_bw_fan_in pt2pt/osu_latency" ]] ||
        fail "$(cd "$folder" && echo */*)"
}

@test "make install: links of pages work, or lead to the address, or are plain words" {
    local root=$PWD/root address
    for address in '' https://example.org/a.b; do
        run_to_files make -s -C "$ALIDADE_BUILD" install-dist_docDATA install-data-hook "DESTDIR=$root" docdir=/doc "with_address=$address"
        expect_status 0
        [[ -z $("$ALIDADE_SOURCE/tests/lint/links.sh" "$root"/doc/*.md) ]] || fail "links to what is not installed"
        grep -q "^${address:+\\[}github.yml${address:+\\]($address)} and " "$root/doc/compare.md" || fail "$(grep github.yml "$root/doc/compare.md")"
    done
}

# In the short form, what needs no tool of others; in the long form, packages are built, installed and run.
@test "make dist: the same bytes whoever packs; recipes name the release, and ask for what configure knows" {
    local recipes=(spack)
    [[ -z ${ALIDADE_LONG:-} ]] || recipes=()
    limit=7200
    export SOURCE_DATE_EPOCH=1700000000
    run_to_files "$ALIDADE_SOURCE/packaging/try" "$ALIDADE_BUILD" work "${recipes[@]}"
    expect_status 0
    expect_out "passed: spack"
    (umask 027 && make -s -C "$ALIDADE_BUILD" dist distdir="alidade-$version" "with_address=") || fail "no second tarball"
    cmp "$ALIDADE_BUILD/alidade-$version.tar.gz" "work/alidade-$version.tar.gz" || fail "the tarballs differ"
    [[ $(<"work/source/alidade-$version/CITATION.cff") == *$'\nversion: "'"$version"$'"\n'*$'\ndate-released: 2023-11-14\n'* ]] || fail "no version or day"
    # A build of the tarball names the commit of the checkout.
    [[ $(sed -n 's/^commit: //p' "work/source/alidade-$version/CITATION.cff") == "$("$(program latency)" --version | sed -n 's/.*, commit \([^,]*\),.*/\1/p')" ]] ||
        fail "another commit"
}
