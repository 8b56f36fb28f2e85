/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_halo.h"

#include "halo.h"
#include "report/report_kinds.h"

static void figure(const struct context *c, struct result *result)
{
    result->payload = halo_payload(halo_of(c->run), result->row->bytes);
}

static struct cell rate(const struct result *r)
{
    return cell_real(r->mean > 0 ? 1e-6 * r->payload / r->mean : 0);
}

static struct cell of_full(const struct result *r)
{
    const struct halo *h = r->family;

    return cell_real(r->mean > 0 ? 100 * h->overlap.parts.pure / r->mean : 100);
}

/* Without a computation the exchange itself is the full one. */
static bool computes_nothing(const struct settings *s)
{
    return !halo_computes(s);
}

#define COLUMNS                                                                \
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },                   \
        { { "rank_mb_per_s", "Rank (MB/s)", 0 }, rate },                       \
    {                                                                          \
        { "of_full_percent", "Of Full(%)", 0 }, of_full,                       \
            .empty = computes_nothing                                          \
    }

static const struct report_column columns[] = { COLUMNS, { .value = NULL } };
static const struct report_column full[] = {
    COLUMNS,
    { { "latency_min_us", "Min Latency(us)", 0 }, report_mean_min },
    { { "latency_max_us", "Max Latency(us)", 0 }, report_mean_max },
    { { "iterations", "Iterations", TABLE_COUNT_WIDTH }, report_laps },
    { .value = NULL },
};

static void grid_lines(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    const struct halo *h = halo_of(r);
    const int axes = h->grid.axes;
    int step[LATTICE_SIDES][LATTICE_AXES];

    (void)s;
    fputs("# Grid: ", to);
    for (int i = LATTICE_AXES - axes; i < LATTICE_AXES; i++)
        fprintf(to, "%d%s", h->grid.extent[i], i < LATTICE_AXES - 1 ? "x" : "");
    fprintf(to, " ranks, %s; halo: %s, width %d, messages to %d sides\n",
            h->grid.bounded ? "bounded" : "periodic",
            h->faces ? "faces" : "full box", h->width,
            lattice_sides(axes, h->faces, step));
    fprintf(to,
            "# Block: L^%d doubles; Size: bytes of one layer of a face, 8 "
            "L%s\n",
            axes, axes == 2 ? "" : "^2");
}

const struct report report_halo = {
    .unit = "us",
    .sample = "one exchange with all neighbors, on every rank, after all ranks "
              "were synchronized; with --compute the computation too",
    .printed = "us, mean over iterations, then over ranks; MB/s (10^6 bytes of "
               "payload per second) that a rank sends, payload / that time; "
               "and that rate in percent of the one without computation",
    .figure = figure,
    .headline = columns,
    .full = full,
    .preamble = grid_lines,
};
