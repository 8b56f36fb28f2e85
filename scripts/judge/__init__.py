# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results, which is to take the place of c/analysis.

So far it answers compare, accept, repeat, report and examine; tests/run/answers holds it to the
answers of the C program. A file imports only files before it in this order: text, results, facts,
comparable, rows, statistics, documents, options, comparison, comparison_answer, compare, accept,
repeat, charts, timeline, plots, heat_map, report, host_values, findings, examine, main.
"""
