/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_overlap.h"

#include "collective/flow_collective.h"
#include "overlap.h"
#include "report/report_kinds.h"

/* --- How much of the processor is left ----------------------------------------- */

/* Parts of a row: its share of the bandwidth without computation, and the
   computation's share of the time. */
enum { OF_FULL, LEFT };

static const double FULL = 0.99; /* of the bandwidth */

/* So many times the bandwidth without computation cannot be: that pass was disturbed. */
static const double DISTURBED = 1.25;

void processor_left_note(const struct overlap_parts *parts,
                         struct result *result)
{
    result->part[OF_FULL] = parts->pure / result->mean;
    result->part[LEFT] = parts->compute / result->mean;
}

static double left_between(const struct result *before,
                           const struct result *after)
{
    const double fall = before->part[OF_FULL] - after->part[OF_FULL];
    const double way = fall > 0 ? (before->part[OF_FULL] - FULL) / fall : 1;

    return before->part[LEFT] +
           (way > 0 ? way : 0) * (after->part[LEFT] - before->part[LEFT]);
}

int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct result *result[PARAMETER_MAX])
{
    int n = 0;

    for (int i = 0; i < rows->n && n < PARAMETER_MAX; i++) {
        const struct row *next = &rows->row[i];
        int at = n;

        if (next->element != like->element || next->bytes != like->bytes ||
            result_mean(&rows->result[i]) <= 0)
            continue;
        for (; at > 0 && result[at - 1]->row->parameter > next->parameter; at--)
            result[at] = result[at - 1];
        result[at] = &rows->result[i];
        n++;
    }
    return n;
}

static void print_left(FILE *to, const struct rows *rows,
                       const struct row *like)
{
    const struct result *last = NULL, *next = NULL, *result[PARAMETER_MAX];
    const int n = rows_by_parameter(rows, like, result);
    bool disturbed = false;

    for (int i = 0; i < n; i++)
        disturbed = disturbed || result[i]->part[OF_FULL] > DISTURBED;
    for (int i = 0; i < n && next == NULL; i++) {
        /* Without any computation the bandwidth is full, whatever noise says. */
        if (result[i]->part[OF_FULL] >= FULL || result[i]->row->parameter == 0)
            last = result[i];
        else if (last != NULL)
            next = result[i];
    }
    fprintf(to, "# CPU left: size=%zu; ", like->bytes);
    if (disturbed)
        fputs("unknown: the pass without computation was disturbed, repeat "
              "the run;\n",
              to);
    else if (last == NULL)
        fputs("unknown: no value of --compute reaches 99% of the bandwidth;\n",
              to);
    else if (next == NULL)
        fprintf(to, "%.0f%% or more;\n", 100 * last->part[LEFT]);
    else
        fprintf(to, "%.0f%% at 99%% of the bandwidth;\n",
                100 * left_between(last, next));
}

enum exit_code processor_left_print(FILE *to, const struct context *c,
                                    const struct rows *rows)
{
    (void)c;
    fputc('\n', to);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].parameter == rows->row[0].parameter &&
            result_mean(&rows->result[i]) > 0)
            print_left(to, rows, &rows->row[i]);
    return EXIT_OK;
}

/* --- Figures ------------------------------------------------------------------- */

static const struct overlap_parts *parts(const struct result *r)
{
    const struct overlap *o = r->family;

    return &o->parts;
}

/* What a lap with a computation would take without the operation: the computation
   less the time in MPI_Test; of a GPU's, what it lasts alone, as it goes on
   meanwhile. */
static double computation_s(const struct result *r)
{
    const struct overlap *o = r->family;

    return o->computation.target != COMPUTE_ON_CPU
               ? o->computation.alone_s
               : o->parts.compute - o->parts.test;
}

double overlap_percent(const struct result *r)
{
    return 100 - 100 * (r->scale * r->mean - computation_s(r)) / parts(r)->pure;
}

/* --- Columns ------------------------------------------------------------------ */

static struct cell computation(const struct result *r)
{
    return cell_real(1e6 * computation_s(r));
}

static struct cell hidden(const struct result *r)
{
    const double overlap = overlap_percent(r);

    return cell_real(overlap > 0 ? overlap : 0);
}

static struct cell of_full(const struct result *r)
{
    return cell_real(100 * parts(r)->pure / r->mean);
}

static struct cell left(const struct result *r)
{
    return cell_real(100 * parts(r)->compute / r->mean);
}

static struct cell receiver(const struct result *r)
{
    return cell_real(1e6 *
                     (parts(r)->receiving.start + parts(r)->receiving.wait));
}

static struct cell half_pure(const struct result *r)
{
    return cell_real(1e6 * parts(r)->pure / 2);
}

/* --- Non-blocking collectives --------------------------------------------------- */

const struct report_column report_overlap_columns[] = {
    { { "overall_us", "Overall(us)", 0 }, report_mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "init_us", "Coll. Init(us)", 0 },
      COLUMN_US(struct overlap, parts.start),
      .full = true },
    { { "test_us", "MPI_Test(us)", 0 },
      COLUMN_US(struct overlap, parts.test),
      .full = true },
    { { "wait_us", "MPI_Wait(us)", 0 },
      COLUMN_US(struct overlap, parts.wait),
      .full = true },
    { { "pure_us", "Pure Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure) },
    { { "pure_min_us", "Min Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure_min),
      .full = true },
    { { "pure_max_us", "Max Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure_max),
      .full = true },
    { { "overlap_percent", "Overlap(%)", 0 }, hidden },
    COLLECTIVE_COLUMNS,
    { .value = NULL },
};

void report_overall_line(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    collective_operation_line(to, r, s);
    if (overlap_computes(s))
        fputs("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n", to);
}

static struct cell bandwidth(const struct bench *b, const struct result *r,
                             int column)
{
    return bus_cell(b, r, parts(r)->pure, column);
}

const struct report report_overlap = { REPORT_OVERLAP, .more = bus_columns,
                                       .more_value = bandwidth,
                                       .more_help = bus_help };
const struct report report_overlap_alone = { REPORT_OVERLAP,
                                             .no_type_line = true };

/* --- Persistent ones: as above with --compute, else as other collectives ---------------- */

const struct report_column *report_persistent_columns(const struct bench *b,
                                                      const struct settings *s)
{
    (void)b;
    return overlap_computes(s) ? report_overlap_columns : NULL;
}

static struct cell persistent_bandwidth(const struct bench *b,
                                        const struct result *r, int column)
{
    return bus_cell(b, r, parts(r)->pure > 0 ? parts(r)->pure : r->mean,
                    column);
}

const struct report report_persistent = { REPORT_PERSISTENT,
                                          .more = bus_columns,
                                          .more_value = persistent_bandwidth,
                                          .more_help = bus_help };
const struct report report_persistent_alone = { REPORT_PERSISTENT,
                                                .no_type_line = true };

/* The same where an iteration is a round trip. */
const struct report report_persistent_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by rank 0; with --compute a computation of "
              "both ranks during either message",
    .printed = "half of it, in us, mean over iterations",
    .scale = 0.5,
    .headline = report_latency_columns,
    .columns = report_persistent_columns,
    .preamble = report_overall_line,
};

/* --- Bandwidth during a computation --------------------------------------------- */

static const struct report_column bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "of_full_percent", "Of Full(%)", 0 }, of_full },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "left_percent", "CPU Left(%)", 0 }, left },
    { .value = NULL },
};

const struct report report_overlap_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages, a computation and the acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time; its share of "
                        "that without computation; and the computation's "
                        "share of the time",
    .is_rate = true,
    .headline = bandwidth_columns,
};

/* --- A message whose sender computes ------------------------------------------------ */

/* More than all of the message is left: the computation delayed something else, such as
   the acknowledgement of a rank that had to wait for long. */
static const double DELAYED = 1.5; /* of the message alone */

static struct cell progress(const struct result *r)
{
    const double left = (r->mean - computation_s(r)) / parts(r)->pure;

    return left > DELAYED ? cell_word("-") : hidden(r);
}

static const struct report_column progress_columns[] = {
    { { "overall_us", "Overall(us)", 0 }, report_mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "wait_us", "MPI_Wait(us)", 0 }, COLUMN_US(struct overlap, parts.wait) },
    { { "pure_us", "Pure Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure) },
    { { "progress_percent", "Progress(%)", 0 }, progress },
    { .value = NULL },
};

const struct report report_progress = {
    .unit = "us",
    .sample = "one message, the computation of its sender and the "
              "acknowledgement, seen by rank 0",
    .printed =
        "us, means over iterations; and the percent of a message without "
        "computation that the computation hid",
    .headline = progress_columns,
};

/* --- Time inside calls ------------------------------------------------------------ */

static const struct report_column overhead_columns[] = {
    { { "send_overhead_us", "Send(us)", 0 }, report_mean },
    { { "recv_overhead_us", "Receive(us)", 0 }, receiver },
    { { "latency_us", "Latency(us)", 0 }, half_pure },
    { { "isend_us", "MPI_Isend(us)", 0 },
      COLUMN_US(struct overlap, parts.sending.start),
      .full = true },
    { { "send_wait_us", "its Wait(us)", 0 },
      COLUMN_US(struct overlap, parts.sending.wait),
      .full = true },
    { { "irecv_us", "MPI_Irecv(us)", 0 },
      COLUMN_US(struct overlap, parts.receiving.start),
      .full = true },
    { { "recv_wait_us", "its Wait(us)", 0 },
      COLUMN_US(struct overlap, parts.receiving.wait),
      .full = true },
    { { "compute_us", "Compute(us)", 0 }, computation, .full = true },
    { .value = NULL },
};

const struct report report_overhead = {
    .unit = "us",
    .sample = "the calls of one message, seen by rank 0, which sends",
    .printed =
        "us inside the calls, mean over iterations, of the sender and of the "
        "receiver; and half a round trip without computation",
    .headline = overhead_columns,
};
