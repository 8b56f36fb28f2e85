/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_table.h"

#include <stdlib.h>
#include <string.h>

#include "results/doubtful.h"
#include "stats/stats.h"

static const struct {
    const char *name;
    double beyond; /* the share of the iterations that take longer */
} tails[TABLE_TAILS] = { { "90", 0.1 }, { "99", 0.01 }, { "99.9", 0.001 } };

/* A percentile divided by the median, for one run; 0: unknown.  Where a sample is the
   mean of several iterations it says nothing of single ones, and with fewer than ten
   samples beyond it a few of them decide. */
static double tail_of(const json_t *row, int k)
{
    const json_t *iterations = json_object_get(row, "over_iterations");
    const double median = number_in(iterations, "median_us");
    const double tail =
        number_in(json_object_get(iterations, "percentiles_us"), tails[k].name);

    if (number_in(row, "stride") > 1 || !(median > 0) ||
        number_in(iterations, "n") * tails[k].beyond < 10 - 1e-6)
        return 0;
    return tail / median;
}

static bool drifts(const json_t *row)
{
    return json_is_true(json_object_get(
        json_object_get(json_object_get(row, "shape"), "drift"), "drifts"));
}

/* The cell of n runs of a variant; values is scratch space for them. */
static struct table_cell cell_of(const struct run_row *seen, size_t n,
                                 double *values)
{
    struct table_cell cell = { .runs = n, .doubtful = doubtful_row(seen, n) };
    struct stats stats;

    for (size_t i = 0; i < n; i++) {
        values[i] = result_row_figure(seen[i].row);
        cell.drifting += drifts(seen[i].row);
    }
    stats = stats_of(values, n);
    cell.figure = stats.median;
    cell.low = stats.min;
    cell.high = stats.max;
    for (int k = 0; k < TABLE_TAILS; k++) {
        size_t known = 0;

        for (size_t i = 0; i < n; i++) {
            values[known] = tail_of(seen[i].row, k);
            known += values[known] > 0;
        }
        /* Runs that have this percentile may be unlike those that lack it. */
        cell.tail[k] = known < n ? 0 : stats_of(values, n).median;
    }
    return cell;
}

void row_table_make(struct row_table *t, const struct variant *variant, int n,
                    const struct may_differ *may)
{
    size_t count, row_end;
    struct run_row *seen = run_rows_of(variant, n, may, &count);
    double *values = given_memory(malloc((count + 1) * sizeof *values));

    *t = (struct row_table){ .variant = variant, .variants = n };
    t->row = given_memory(calloc(count + 1, sizeof *t->row));
    for (size_t i = 0; i < count; i = row_end) {
        struct table_row *row = &t->row[t->rows++];

        row->id = seen[i].id;
        row_end = run_rows_end(seen, i, count);
        for (size_t k = i, end; k < row_end; k = end) {
            end = run_rows_end_of_variant(seen, k, count);
            row->cell[seen[k].variant] = cell_of(seen + k, end - k, values);
        }
    }
    free(seen);
    free(values);
}

void row_table_release(struct row_table *t)
{
    free(t->row);
    *t = (struct row_table){ .rows = 0 };
}

size_t row_table_next(const struct row_table *t, size_t i)
{
    size_t end = i + 1;

    while (end < t->rows && row_id_same_table(&t->row[end].id, &t->row[i].id))
        end++;
    return end;
}

size_t row_table_next_benchmark(const struct row_table *t, size_t i)
{
    const char *benchmark = t->row[i].id.benchmark;

    do
        i++;
    while (i < t->rows && strcmp(t->row[i].id.benchmark, benchmark) == 0);
    return i;
}
