#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints doc/options.md: make doc.  Everything comes from what the built programs say of
# themselves (--help); rows that say the same are one, with the programs that have it.
# usage: options.sh SOURCE BUILD
set -eu
source=$1
build=$2
here=$(dirname "$0")
# shellcheck source=doc/families.sh
. "$here/families.sh"

cat <<'EOF'
# Options

This page lists every option of every program. `make doc` writes it from what the built programs print,
so do not edit it.

`PROGRAM --help` lists the options of one program, and the names that these options take. A time without a suffix is in seconds, and a value in
brackets follows a short letter without a blank, as in `-z50,99`. If a default has several values, separated by `;`, they belong to different programs. Options with
the same letter can also have different meanings in different programs. [from-osu.md](from-osu.md) lists which options differ from those of the OSU
Micro-Benchmarks.

The last column names programs, or families of programs as in [benchmarks.md](benchmarks.md), which are
pt2pt, congestion, blocking, non-blocking, persistent and neighborhood (the collectives),
guidelines, one-sided, baseline, startup, system and application.
EOF
helps "$source" "$build" --help | sed 's,^\(=[^ ]*\) .*/,\1 ,' | awk -f "$here/options.awk"
