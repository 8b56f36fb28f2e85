/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo.h"

#include <errno.h>
#include <string.h>

#include "base/buffer_size.h"
#include "bench.h"
#include "halo_messages.h"
#include "halo_options.h"
#include "job/launch.h"
#include "job/mpi_features.h"
#include "job/world.h"
#include "report/report_kinds.h"
#include "sampling/measure.h"
#include "side_by_side/side_by_side.h"

static struct block block_of(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = halo_settings(s);
    const int axes = set->grid.axes;

    return lattice_block(axes, lattice_edge(axes, bytes), set->width);
}

/* --- What the program can do here ----------------------------------------------- */

/* Open MPI 5.0.7 and 6.0.0rc2 do not complete all partitioned messages of a small
   periodic grid (doc/known-issues.md): no section is better than one that hangs. */
static bool completes_partitioned(void)
{
    return launch_openmpi() != 5 && launch_openmpi() != 6;
}

/* Why this operation cannot be measured; NULL: it can. */
static const char *obstacle(const struct context *c, int exchange)
{
    const bool far = c->side[0] == &memory_device;

    if (far &&
        (exchange == EXCHANGE_PACKED || exchange == EXCHANGE_PARTITIONED))
        return "the program packs on the CPU, which cannot read device memory";
    if (SIMULATED && exchange == EXCHANGE_NEIGHBOR)
        return "this MPI library has no distributed graphs "
               "(MPI_Dist_graph_create_adjacent)";
    if (exchange == EXCHANGE_PARTITIONED && FEATURE_PARTITIONED == NULL)
        return "this MPI library has no partitioned communication (MPI-4 "
               "MPI_Psend_init)";
    if (exchange == EXCHANGE_PARTITIONED && !completes_partitioned())
        return "this MPI library has no partitioned communication that always "
               "completes (Open MPI 5 and 6)";
    return NULL;
}

static bool uses(const struct context *c, int exchange)
{
    return halo_has(c->settings, exchange) && obstacle(c, exchange) == NULL;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const char *why = NULL;

    halo_refuse(c, r);
    if (c->operation != NULL && halo_has(c->settings, *c->operation))
        why = obstacle(c, *c->operation);
    if (why != NULL)
        refusal_because(r, W31_LEFT_OUT, "section=%s; %s",
                        c->bench->operations[*c->operation].name, why);
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    if (!halo_has(c->settings, row->operation))
        return row_unasked;
    return halo_has_block(c->settings, row->bytes)
               ? NULL
               : "no block of whole cells has a face of that size and is as "
                 "long as --width";
}

/* --- State -------------------------------------------------------------------------- */

static void describe(const struct context *c)
{
    const struct halo_settings *s = halo_settings(c->settings);
    struct halo *h = halo_of(c->run);

    h->grid = s->grid;
    h->faces = s->faces;
    h->width = s->width;
    h->graph = MPI_COMM_NULL;
    h->win = MPI_WIN_NULL;
    h->targets = h->origins = MPI_GROUP_NULL;
    for (int i = 0; i < LATTICE_SIDES; i++)
        h->counts[i] = 1;
}

static enum exit_code begin(const struct context *c)
{
    struct halo *h = halo_of(c->run);
    const char *why = NULL;
    bool any = false;

    for (int i = 0; i < EXCHANGES; i++) {
        any = any || uses(c, i);
        if (halo_has(c->settings, i) && why == NULL)
            why = obstacle(c, i);
    }
    if (!any)
        return world_refuse(c->world, E18_MPI_LACKS, c->bench->name, "%s", why);
    if (lattice_ranks(&h->grid) == 0)
        PMPI_Dims_create(c->world->size, h->grid.axes,
                         h->grid.extent + LATTICE_AXES - h->grid.axes);
    lattice_place(&h->grid, c->world->rank);
    halo_messages_begin(h);
    if (uses(c, EXCHANGE_NEIGHBOR))
        halo_graph_begin(h, c->world->all);
    return EXIT_OK;
}

static size_t array_bytes(const struct settings *s, size_t bytes)
{
    const struct block b = block_of(s, bytes);

    return size_sum(size_product(lattice_all_entries(&b), sizeof(double)),
                    BUFFER_GUARD);
}

/* Messages in both directions. */
static size_t packed_bytes(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = halo_settings(s);
    const struct block b = block_of(s, bytes);
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(set->grid.axes, set->faces, step);
    size_t cells = 0;

    for (int i = 0; i < n; i++) {
        const struct box box = lattice_halo(&b, step[i]);

        cells = size_sum(cells, lattice_cells(&box));
    }
    return size_product(2 * sizeof(double), cells);
}

static void memory(const struct context *c, struct buffers *b)
{
    struct halo *h = halo_of(c->run);

    buffers_add(b, &h->array, b->kind, array_bytes(c->settings, b->bytes));
    buffers_add(b, &h->packed, &memory_host,
                packed_bytes(c->settings, b->bytes));
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct halo *h = halo_of(c->run);

    (void)b;
    h->base = h->array.base;
    if (uses(c, EXCHANGE_FENCE) || uses(c, EXCHANGE_PSCW))
        halo_window_begin(h, c->run->comm, h->array.bytes);
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct halo *h = halo_of(c->run);

    halo_window_end(h);
    halo_types_end(h);
    if (h->graph != MPI_COMM_NULL)
        MPI_Comm_free(&h->graph);
}

static void row(const struct context *c)
{
    struct bench_run *r = c->run;
    struct halo *h = halo_of(r);

    h->shape = block_of(c->settings, r->bytes);
    halo_messages_row(h);
    r->send = r->recv = h->base;
}

/* --- Measuring and output ------------------------------------------------------------- */

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    static const struct parameter none = { .key = "compute_percent" };

    (void)b;
    if (!halo_computes(s))
        plan->parameter = &none;
}

static void measure(struct measure *m, struct result *result)
{
    struct overlap *o = overlap_of(m->context->run);

    if (m->context->run->parameter > 0) {
        overlap_measure_by_parameter(m, result);
        return;
    }
    /* As long as with a computation, which takes two. */
    measure_pass(m, result, measure_budget(m) / 2);
    o->parts = (struct overlap_parts){ .pure = result->mean };
}

double halo_payload(const struct halo *h, size_t bytes)
{
    const int axes = h->grid.axes;
    const struct block b =
        lattice_block(axes, lattice_edge(axes, bytes), h->width);
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(axes, h->faces, step);
    double all = 0;

    for (int i = 0; i < n; i++) {
        const struct box box = lattice_sent(&b, step[i]);

        all += (double)lattice_ranks_with(&h->grid, step[i]) *
               (double)lattice_cells(&box);
    }
    return sizeof(double) * all / (double)lattice_ranks(&h->grid);
}

static void record_grid(const struct halo *h, struct fields to)
{
    const struct fields list = fields_list(to, "grid");

    for (int i = LATTICE_AXES - h->grid.axes; i < LATTICE_AXES; i++)
        fields_int(list, NULL, h->grid.extent[i]);
}

static void record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    const struct halo *h = halo_of(c->run);
    int step[LATTICE_SIDES][LATTICE_AXES];

    if (recorded_is_method(what))
        record_grid(h, *to);
    if (what->result == NULL)
        return;
    const struct fields object = fields_object(*to, "halo");

    fields_int(object, "edge", h->shape.cells[LATTICE_AXES - 1]);
    fields_int(object, "messages", lattice_sides(h->grid.axes, h->faces, step));
    fields_real(object, "payload_bytes",
                halo_payload(h, what->result->row->bytes));
    if (what->result->row->parameter > 0)
        overlap_record_parts(c, what, to);
}

/* One comparison for each length of the computation. */
static enum exit_code print(FILE *to, const struct context *c,
                            const struct rows *rows)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;

    /* One operation alone has nothing beside it. */
    if (rows->n == 0 ||
        rows->row[0].operation == rows->row[rows->n - 1].operation)
        return EXIT_OK;
    for (int v = 0; v < rows->values; v++) {
        if (p->name != NULL)
            fprintf(to, "\n# %s: %ld.", p->name, rows->value[v]);
        side_by_side(to, c, rows, rows->value[v]);
    }
    return EXIT_OK;
}

const struct family halo_family = {
    .name = "halo",
    .options = halo_options,
    .defaults = &halo_defaults,
    .settings = sizeof(struct halo_settings),
    .plan = plan,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct halo),
    .describe = describe,
    .begin = begin,
    .memory = memory,
    .ready = ready,
    .end = end,
    .row = row,
    .forget = overlap_forget,
    .measure = measure,
    .print = print,
    .record = record,
};

/* --- The table ----------------------------------------------------------------- */

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

static const struct report_column columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { { "rank_mb_per_s", "Rank (MB/s)", 0 }, rate },
    { { "of_full_percent", "Of Full(%)", 0 },
      of_full,
      .empty = computes_nothing },
    REPORT_EXTREMES,
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
    .preamble = grid_lines,
};
