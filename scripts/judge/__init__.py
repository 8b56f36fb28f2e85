# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results, which the commands (scripts/runner) call.

It answers compare, accept, repeat, report, history, examine, tune, doctor, guidelines and price;
tests/run/answers holds it to answers that are written down. A file imports only files before it in
this order: screen, text, words, results, facts, comparable, statistics, groups, rows, timeline,
documents, junit, comparison, ranking, comparison_answer, compare, limits, accept, repeat, drawings,
charts, plots, figure, racks, heat_map, report, history, host_values, findings, examine, tuning,
algorithms, tune, doctor, guidelines, record, price.
"""
