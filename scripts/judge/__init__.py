# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results, which the commands (scripts/runner) call.

It answers compare, accept, repeat, report, history, examine, tune, doctor, guidelines and price;
tests/run/answers holds it to answers that are written down. A file imports only files before it in
this order: screen, text, results, facts, comparable, statistics, rows, groups, documents,
comparison, comparison_answer, compare, limits, accept, repeat, charts, plots, host_values,
heat_map, report, history, findings, examine, tuning, algorithms, tune, doctor, guidelines, price.
"""
