#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# compare --abi: one build for the ABI of MPI 5, which runs with the MPI of each prefix.
# shellcheck disable=SC2154  # variables shared with common.bash

load common

# prefix FOLDER/LIB LAUNCHER VERSION: an MPI that has the library and the launcher there.
prefix() {
    mkdir -p "$1" "${1%/*}/bin"
    touch "$1/libmpi_abi.so.1"
    printf '#!/bin/sh\necho "%s"\n' "$3" >"${1%/*}/bin/$2"
    chmod +x "${1%/*}/bin/$2"
}

setup() {
    mkdir -p build/mpi/pt2pt
    printf '#!/bin/sh\n' >build/mpi/pt2pt/latency
    chmod +x build/mpi/pt2pt/latency
    printf "flavour='abi'\nmpirun='none'\n" >build/environment.sh
    prefix open/lib mpirun "mpirun (Open MPI) 6.0.0"
    prefix hydra/lib64 mpiexec "HYDRA build details:"
    # As Intel's mpirun prints it on machines of others; the words are those of its manual.
    prefix intel/lib mpirun "Intel(R) MPI Library for Linux* OS, Version 2021.17 Build 20251009 (id: 0345ffb)"
}

compare() { run_to_files env -u LD_LIBRARY_PATH "$ALIDADE_SOURCE/scripts/compare" --print --ranks 1 --runs 1 "$@"; }

@test "each prefix is loaded by the same build, with its own launcher and the words of that" {
    local name root=
    [[ $(id -u) -ne 0 ]] || root=' --allow-run-as-root'
    compare --abi build open=open intel=intel hydra=hydra own="X=1 hydra {mpirun} -n {n} -quick" -- latency
    expect_status 0
    # What the launcher itself starts is that MPI's, too.
    for name in open intel hydra; do expect_out "$name/latency-1: PATH=$PWD/$name/bin:"; done
    expect_out " LD_LIBRARY_PATH=$PWD/open/lib $PWD/open/bin/mpirun -n 1 --bind-to core$root build/mpi/pt2pt/latency"
    expect_out " LD_LIBRARY_PATH=$PWD/intel/lib $PWD/intel/bin/mpirun -n 1 -genv I_MPI_PIN on -genv I_MPI_PIN_DOMAIN core build/mpi/pt2pt/latency"
    expect_out " LD_LIBRARY_PATH=$PWD/hydra/lib64 $PWD/hydra/bin/mpiexec -n 1 -bind-to core build/mpi/pt2pt/latency"
    expect_out " LD_LIBRARY_PATH=$PWD/hydra/lib64 X=1 $PWD/hydra/bin/mpiexec -n 1 -quick build/mpi/pt2pt/latency"
}

@test "a prefix without the ABI, without a launcher or with a blank, and a build of another kind, are refused" {
    rm open/lib/libmpi_abi.so.1
    compare --abi build hydra=hydra open=open -- latency
    expect_status 1
    expect_err "'$PWD/open' has no libmpi_abi.so.1 in lib, or no mpirun in bin"
    rm hydra/bin/mpiexec
    compare --abi build hydra=hydra open=open -- latency
    expect_status 1
    expect_err "'$PWD/hydra' has no libmpi_abi.so.1 in lib, or no mpirun in bin"
    mkdir 'with blank'
    mv open hydra 'with blank'
    compare --abi build "hydra=with blank/hydra" "open=with blank/open" -- latency
    expect_status 1
    expect_err "the path of variant hydra has a blank"
    cd 'with blank'
    compare --abi ../build hydra=hydra open=open -- latency
    expect_status 1
    expect_err "the path of variant hydra has a blank"
    cd ..
    mv 'with blank'/* .
    compare --abi hydra hydra=hydra open=open -- latency
    expect_status 1
    expect_err "--abi 'hydra' is not a build"
    sed -i s/abi/mpich/ build/environment.sh
    compare --abi build hydra=hydra open=open -- latency
    expect_status 1
    expect_err "--abi 'build' is a build for one MPI"
}
