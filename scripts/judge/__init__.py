# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results, which is to take the place of c/analysis.

So far it answers compare, accept, repeat and tune; tests/run/answers holds it to the answers of the
C program. A file imports only files before it in this order: text, results, comparable, rows,
statistics, documents, options, comparison, compare, accept, repeat, tuning, tune, main.
"""
