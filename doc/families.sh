# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Sourced by what reads the help of all programs: doc/benchmarks.sh, doc/options.sh, and tests.

# helps SOURCE BUILD OPTION: what each program says with -h or --help, after a line "=FAMILY PATH".
# mpi/suite says it for all, since to start them takes longer.  Collectives are four families.
helps() {
    "$2/mpi/suite" all -- "$3" | awk -v list="$1/tests/lint/program_list.sh $1" '
        BEGIN {
            while ((list | getline path) > 0) {
                n = split(path, part, "/")
                family = part[2]
                if (family == "collective")
                    family = part[3] ~ /neighbor_/ ? "neighborhood" : part[3] ~ /_persistent$/ ? "persistent" : \
                             part[3] ~ /^i/ ? "non-blocking" : "blocking"
                line[part[n]] = "=" family " " path
            }
        }
        /^# suite: / { exit }
        /^Usage: / {
            name = $0
            sub(/ \[OPTION.*/, "", name)
            sub(/.*[ \/]/, "", name)
            print line[name]
        }
        { print }'
}
