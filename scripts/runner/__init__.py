# SPDX-License-Identifier: BSD-3-Clause
"""The commands that users start: plans of runs, and what the judge says of their results.

A command is a module with USAGE, which is its help and has its options, and main(options),
which returns the exit code.  What starts an MPI, builds and supervises is bash (common.sh), because
quickstart and check do so where there is no Python yet; shell.py is the door to it.

A file imports only files before it in this order: shell, options, folders, mpis, builds, plan,
halves, tables, variants, compare, alidade, main.  All others are commands, which import none
but the first ten: history and price are comparisons, too.
"""
