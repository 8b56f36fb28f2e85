# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Sourced by benchmarks.sh and options.sh: the families that the pages speak of.

# family_of PATH: the folder of a program; collectives are four families.
family_of() {
    case $1 in
    mpi/collective/*neighbor_*) echo neighborhood ;;
    mpi/collective/*_persistent) echo persistent ;;
    mpi/collective/i*) echo non-blocking ;;
    mpi/collective/*) echo blocking ;;
    *)
        folder=${1#mpi/}
        echo "${folder%/*}"
        ;;
    esac
}
