/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep.h"

#include <stdlib.h>

#include "stats/jump.h"
#include "report/side_by_side.h"
#include "sampling/subset.h"
#include "report/window_columns.h"
#include "job/watchdog.h"

/* Nodes of the ranks that take part in the row. */
static int count_nodes(const struct sweep *s)
{
    int nodes = s->placement.node_rank == 0 && !subset_waits(&s->prepared.run);

    MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, s->world->comm);
    return nodes;
}

/* sweep_choose has left no row that cannot be expressed. */
void sweep_set_up(struct sweep *s, const struct row *row)
{
    if (row->window > 0)
        s->prepared.run.window = row->window;
    s->prepared.run.level = row->level;
    if (row->ranks > 0) /* who takes part, before what is sent to whom */
        s->prepared.run.nranks = row->ranks;
    if (!prepare_row(&s->prepared, s->bench, s->settings, row->element,
                     row->bytes))
        abort();
    s->measure.loop = s->bench->run;
    if (s->bench->run == NULL)
        s->measure.loop = s->bench->operations[row->operation].run;
    s->subset = row->ranks > 0;
    if (s->subset)
        subset_begin(&s->prepared.run, s->world, row->ranks, s->settings->start,
                     s->measure.sync, s->measure.clock.resolution_s);
}

void sweep_row_end(struct sweep *s)
{
    prepare_row_end(&s->prepared);
    if (s->subset)
        subset_end(&s->prepared.run);
}

static void fill_result(const struct sweep *s, const struct row *row,
                        struct result *result)
{
    const struct bench_run *r = &s->prepared.run;
    const struct report *report = s->bench->report;
    const int pairs = s->bench->levels.kind == LEVELS_OF_RANKS ? (int)row->level
                      : s->bench->timed == TIMED_SENDERS       ? r->pairs
                                                               : 1;
    const size_t moved = s->bench->takes & TAKES_STRIPES
                             ? row->bytes
                             : typemap_bytes(&s->prepared.pieces);

    *result = (struct result){
        .bytes = row->bytes,
        .count = row->bytes / element_size(row->element),
        .moved = moved,
        .type = row->element,
        .operation = s->bench->operations[row->operation].name,
        .level = row->level,
        .nodes = row->ranks > 0 ? count_nodes(s) : s->placement.nodes,
        .verdict = row->verdict,
        .warmup.first_s = row->first_s,
        .scale = report->scale * (rma_takes_turns(r) ? 0.5 : 1) /
                 (s->bench->levels.kind == LEVELS_OF_RANKS ? pairs
                  : r->matrix != NULL                      ? r->nranks - 1
                                                           : 1),
        .is_rate = report->directions > 0,
        .payload = report->directions * (double)moved * r->window * pairs,
        .messages = (double)r->window * pairs *
                    (report->directions > 1 ? report->directions : 1),
    };
}

static bool is_late(const struct sweep *s)
{
    int late = s->settings->total_s > 0 &&
               clock_seconds(clock_now() - s->begun) > s->settings->total_s;

    MPI_Bcast(&late, 1, MPI_INT, 0, s->world->comm);
    return late;
}

/* Measure and print a row; the code to leave with, if its data is wrong. */
static enum exit_code measure_one(struct sweep *s, struct row *row)
{
    struct result result;

    sweep_set_up(s, row);
    watchdog_phase("measuring");
    fill_result(s, row, &result);
    measure_row(&s->measure, &result);
    matrix_report_row(&s->pairs, &s->prepared.run, &s->placement, &result);
    counters_row(&s->counters, s->world, sweep_is_sized(s), &result);
    row->median_s = result.over_laps.median;
    row->error_s = result.over_laps.has_interval
                       ? stats_half_width(&result.over_laps) * row->median_s
                       : row->median_s;
    if (s->world->rank == 0)
        sweep_print_row(s, row, &result);
    row->shown = s->world->rank == 0 ? result_figure(&result, result.mean) : 0;
    row->of_full = result.parts.pure / result.mean;
    row->left = result.parts.compute / result.mean;
    sweep_row_end(s);
    return row->verdict == VERDICT_FAIL ? messages[E14_WRONG_DATA].code
                                        : EXIT_OK;
}

/* Where the curve of a type jumps most, as far as rank 0 has measured it; the
   rows of the type begin at first. */
static bool find_jump(const struct sweep *s, int first, size_t unit,
                      struct jump *jump)
{
    struct jump_point point[3 * SWEEP_SIZES + REFINE_MAX];
    int n = 0;

    for (int i = first; i < s->rows; i++)
        if (row_same_block(&s->row[i], &s->row[first]) &&
            s->row[i].median_s > 0) /* else all its laps were late */
            point[n++] =
                (struct jump_point){ s->row[i].bytes, s->row[i].median_s,
                                       s->row[i].error_s };
    jump_sort(point, n);
    return jump_find(point, n, unit, jump);
}

/* Add the row that tells more of where it jumps; false: there is none. */
static bool add_refinement(struct sweep *s, int first)
{
    const enum element element = s->row[first].element;
    const size_t unit = bench_unit(s->bench, s->settings, element);
    struct jump jump;
    size_t bytes = 0;

    if (s->world->rank == 0 && find_jump(s, first, unit, &jump))
        bytes = jump_middle(&jump, unit);
    MPI_Bcast(&bytes, sizeof bytes, MPI_BYTE, 0, s->world->comm);
    if (bytes > 0)
        s->row[s->rows++] = (struct row){ .element = element,
                                          .operation = s->row[first].operation,
                                          .level = s->row[first].level,
                                          .ranks = s->row[first].ranks,
                                          .bytes = bytes };
    return bytes > 0;
}

/* Rows of one type that were not in the sweep, behind it. */
static enum exit_code refine(struct sweep *s, int first)
{
    const int rows = s->rows;
    enum exit_code code = EXIT_OK;
    struct jump jump;

    for (int n = 0; n < s->settings->refine && code == EXIT_OK; n++) {
        if (is_late(s)) {
            s->complete = false;
            break;
        }
        if (!add_refinement(s, first))
            break;
        code = sweep_rehearse(s, s->rows - 1);
        if (code == EXIT_OK) {
            code = measure_one(s, &s->row[s->rows - 1]);
            sweep_print_wrong(s, &s->row[s->rows - 1]);
        }
    }
    if (s->settings->refine > 0 && s->world->rank == 0 &&
        find_jump(s, first, 0, &jump))
        record_jump(&s->record, &jump, s->row[first].element,
                    s->bench->operations[s->row[first].operation].name,
                    s->row[first].level);
    s->rows = rows;
    return code;
}

/* The rows from number first on that stand under one heading; *end: behind the
   last of them. */
static enum exit_code measure_block(struct sweep *s, int first, int *end)
{
    const bool root = s->world->rank == 0;
    const struct row *head = &s->row[first];
    enum exit_code code = EXIT_OK;
    int i = first;

    *end = first;
    while (*end < s->rows && row_same_block(&s->row[*end], head))
        ++*end;
    for (; i < *end && code == EXIT_OK; i++) {
        if (is_late(s)) {
            s->complete = false;
            break;
        }
        if (i == first && root)
            report_heading(stdout, s->bench, &s->table, head->element,
                           sweep_first_column(s), head->operation, head->level);
        code = measure_one(s, &s->row[i]);
    }
    if (i == first)
        return code;
    if (s->settings->vary_window && root)
        window_columns_end(s, first, i);
    sweep_print_wrong(s, &s->row[i - 1]);
    return code == EXIT_OK && s->complete ? refine(s, first) : code;
}

enum exit_code sweep_measure(struct sweep *s)
{
    const bool root = s->world->rank == 0;
    enum exit_code code = EXIT_OK;
    struct crossover crossover;

    s->begun = clock_now();
    s->pairs.types = s->settings->ntypes;
    for (int i = 0; i < s->rows && code == EXIT_OK && s->complete;)
        code = measure_block(s, i, &i);
    if (root && sweep_is_sized(s) && bench_operations(s->bench) > 0)
        side_by_side(stdout, s);
    if (root && s->bench->takes & TAKES_STAGING &&
        crossover_find(s, &crossover)) {
        crossover_print(stdout, &crossover);
        record_crossover(&s->record, &crossover);
    }
    if (root && s->bench->levels.left)
        side_by_side_left(stdout, s);
    matrix_report_print(&s->pairs, stdout);
    MPI_Bcast(&s->printed, 1, MPI_INT, 0, s->world->comm);
    if (code == EXIT_OK && s->printed == 0) {
        code = messages[E19_EMPTY].code;
        if (root)
            message_print(E19_EMPTY, s->bench->name,
                          "no row had a figure that can be");
    }
    return code;
}
