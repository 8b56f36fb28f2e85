/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo.h"

#include <string.h>

#include "base/sizes.h"
#include "bench.h"
#include "data/verify.h"
#include "job/world.h"
#include "record/fields.h"
#include "run/measure.h"
#include "side_by_side/side_by_side.h"

/* --- Options ------------------------------------------------------------------- */

struct halo_settings {
    struct lattice grid; /* axes, extent, bounded */
    int width;
    bool faces;
    unsigned exchanges; /* bits 1 << enum exchange; 0: all */
};

/* Is no computation asked for?  --compute=0 alone is the default.  The exchange itself is then
   the full one. */
static bool computes_nothing(const struct settings *s)
{
    for (int i = 0; i < s->nparameters; i++)
        if (s->parameter[i] > 0)
            return false;
    return true;
}

/* Is that operation asked for? */
static bool is_asked(const struct settings *s, int exchange)
{
    const struct halo_settings *set = s->family;

    return set->exchanges == 0 || (set->exchanges >> exchange & 1) != 0;
}

enum { EACH = -1 }; /* all words of a list */

static const struct choice exchange_words[] = {
    { "all", EACH, "each of these" },
    { "subarray", EXCHANGE_SUBARRAY, "isend and irecv of subarray datatypes" },
    { "packed", EXCHANGE_PACKED, "isend and irecv, packed by the program" },
    { "neighbor", EXCHANGE_NEIGHBOR, "MPI_Neighbor_alltoallw" },
    { "persistent", EXCHANGE_PERSISTENT, "as subarray, persistent requests" },
    { "partitioned", EXCHANGE_PARTITIONED, "partitioned, packed in parts" },
    { 0 },
};

static const char *add_exchange(void *settings, int exchange)
{
    unsigned *const asked = &((struct halo_settings *)settings)->exchanges;
    const unsigned before = *asked;

    *asked |= exchange == EACH ? ~0U : 1U << exchange;
    return *asked == before ? "names a way twice" : NULL;
}

static const struct option_row options[] = {
    { 0, "grid", "2|3|PxQ|PxQxR", .group = OPTIONS_DATA, .common = true,
      .help = "dimensions of the grid of ranks; 2, 3: MPI_Dims_create chooses "
              "the ranks along each; PxQ, PxQxR: these",
      .fallback = "3", .kind = OPTION_SPECIAL, .offset = offsetof(struct halo_settings, grid),
      .parse = lattice_parse },
    { 0, "faces", NULL, .group = OPTIONS_DATA, .common = true,
      .help = "exchange faces only; without it also edges and corners", .kind = OPTION_FLAG,
      .offset = offsetof(struct halo_settings, faces), .json = "faces" },
    { 0, "width", "CELLS", .group = OPTIONS_DATA, .common = true,
      .help = "width of the halo; smaller blocks are left out", .fallback = "1", .kind = OPTION_INT,
      .offset = offsetof(struct halo_settings, width), .min = 1, .max = 1024, .json = "width" },
    { 0, "bounded", NULL, .group = OPTIONS_DATA,
      .help = "bounded grid: its first and last ranks are not neighbors", .fallback = "periodic",
      .kind = OPTION_FLAG, .offset = offsetof(struct halo_settings, grid.bounded),
      .json = "bounded" },
    { 0, "exchange", "HOW[,HOW...]", .group = OPTIONS_DATA, .common = true,
      .help = "ways of the exchange; for each a section of the table; repeatable",
      .fallback = "all", .kind = OPTION_LIST, .choices = exchange_words, .add = add_exchange },
    { 0 },
};
static const struct halo_settings defaults = { .grid = { .axes = 3 }, .width = 1 };

/* Is there a block of whole cells with a face of so many bytes, and is it as long as
   its halo is wide? */
static bool is_block(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = s->family;
    const long edge = lattice_edge(set->grid.axes, bytes);

    return bytes > 0 && lattice_layer(set->grid.axes, edge) == bytes && edge >= set->width &&
           edge <= LATTICE_EDGE_MOST;
}

/* Has the layer of a block one of the sizes? */
static bool has_block(const struct settings *s)
{
    size_t bytes = s->sizes.min;

    do
        if (is_block(s, bytes))
            return true;
    while (sizes_next(&s->sizes, &bytes));
    return false;
}

static struct block block_of(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = s->family;
    const int axes = set->grid.axes;

    return lattice_block(axes, lattice_edge(axes, bytes), set->width);
}

/* --- What the program can do here ----------------------------------------------- */

/* Why this operation cannot be measured; NULL: it can. */
static const char *obstacle(const struct context *c, int exchange)
{
    const bool far = memory_is_far(c->side[0]);
    const int openmpi = launch_openmpi();

    if (far && (exchange == EXCHANGE_PACKED || exchange == EXCHANGE_PARTITIONED))
        return "the program packs on the CPU, which cannot read device memory";
    if (SIMULATED && exchange == EXCHANGE_NEIGHBOR)
        return "this MPI library has no distributed graphs (MPI_Dist_graph_create_adjacent)";
    if (exchange == EXCHANGE_PARTITIONED && FEATURE_PARTITIONED == NULL)
        return "this MPI library has no partitioned communication (MPI-4 MPI_Psend_init)";
    /* Open MPI 5.0.7 and 6.0.0rc2 do not complete all partitioned messages of a small
       periodic grid (doc/known-issues.md): no section is better than one that hangs. */
    if (exchange == EXCHANGE_PARTITIONED && (openmpi == 5 || openmpi == 6))
        return "this MPI library has no partitioned communication that always "
               "completes (Open MPI 5 and 6)";
    return NULL;
}

static bool uses(const struct context *c, int exchange)
{
    return is_asked(c->settings, exchange) && obstacle(c, exchange) == NULL;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const struct halo_settings *own = c->settings->family;
    const long needed = lattice_ranks(&own->grid);
    const char *why = NULL;

    if (!has_block(c->settings))
        refusal_because(r, E12_USAGE,
                        own->grid.axes == 3
                            ? "-m: no size is 8 L^2 bytes, the layer of a face of a block "
                              "of L^3 cells with L >= --width; for example 8, 32, 128, 512"
                            : "-m: no size is 8 L bytes, the layer of a face of a block of "
                              "L^2 cells with L >= --width; for example 8, 16, 24, 32");
    if (c->known >= KNOWN_RANKS && needed > 0 && needed != c->world->size)
        refusal_because(r, E02_WRONG_RANKS, "--grid needs %ld ranks; given: %d", needed,
                        c->world->size);
    if (c->known == KNOWN_OPERATION && is_asked(c->settings, c->operation))
        why = obstacle(c, c->operation);
    if (why != NULL)
        refusal_because(r, W31_LEFT_OUT, "section=%s; %s", c->bench->operations[c->operation].name,
                        why);
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    if (!is_asked(c->settings, row->operation))
        return row_unasked;
    return is_block(c->settings, row->bytes)
               ? NULL
               : "no block of whole cells has a face of that size and is as long as --width";
}

/* --- Messages ------------------------------------------------------------------ */

enum { MOST_PARTS = 8 };

/* A message that is sent towards a side is received on the opposite side; its number
   is that of the side it was sent to. */
static void add(struct halo_message *list, int *n, int peer, int number,
                const int step[LATTICE_AXES])
{
    if (peer < 0)
        return;
    list[*n] = (struct halo_message){ .peer = peer, .tag = BENCH_ACK_TAG + 1 + number };
    memcpy(list[*n].step, step, sizeof list[*n].step);
    (*n)++;
}

static void list_peers(struct halo_peers *peers, const struct halo_message *list, int n)
{
    for (int i = 0; i < n; i++) {
        int k = 0;

        while (k < peers->n && peers->rank[k] != list[i].peer)
            k++;
        peers->rank[k] = list[i].peer;
        peers->n += k == peers->n;
    }
}

/* Who sends to whom, once the grid knows its ranks.  What a rank sends and what it receives
   are listed in the same order of sides: so the k-th message to a rank is the k-th that the
   rank receives from here. */
static void list_messages(struct halo *h)
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(h->grid.axes, h->faces, step);

    for (int i = 0; i < n; i++) {
        const int back[] = { -step[i][0], -step[i][1], -step[i][2] };

        add(h->out, &h->nout, lattice_neighbor(&h->grid, step[i]), i, step[i]);
        add(h->in, &h->nin, lattice_neighbor(&h->grid, back), i, back);
    }
    list_peers(&h->to, h->out, h->nout);
    list_peers(&h->from, h->in, h->nin);
}

/* Parts along the first axis on which the box is longer than a cell: each is then
   contiguous in the packed message. */
static void divide(struct halo_message *m)
{
    m->part_axis = 0;
    while (m->part_axis < LATTICE_AXES - 1 && m->box.length[m->part_axis] == 1)
        m->part_axis++;
    m->parts = MOST_PARTS;
    while (m->box.length[m->part_axis] % m->parts != 0)
        m->parts /= 2;
}

static MPI_Datatype type_of(const struct halo *h, const struct box *box)
{
    const int first = LATTICE_AXES - h->grid.axes;
    int entries[LATTICE_AXES];
    MPI_Datatype type;

    for (int i = 0; i < LATTICE_AXES; i++)
        entries[i] = lattice_entries(&h->shape, i);
    MPI_Type_create_subarray(h->grid.axes, entries + first, box->length + first, box->at + first,
                             MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static double *set_box(const struct halo *h, struct halo_message *m, struct box box, double *packed)
{
    m->box = box;
    m->type = type_of(h, &box);
    m->cells = (int)lattice_cells(&box);
    m->packed = packed;
    divide(m);
    return packed + m->cells;
}

/* One type for all messages of two ranks, so that no library must tell apart several
   neighbors that are the same rank (doc/known-issues.md). */
static void join_types(struct halo_peers *peers, const struct halo_message *list, int n)
{
    for (int k = 0; k < peers->n; k++) {
        MPI_Datatype part[LATTICE_SIDES];
        MPI_Aint at[LATTICE_SIDES] = { 0 };
        int one[LATTICE_SIDES], parts = 0;

        for (int i = 0; i < n; i++)
            if (list[i].peer == peers->rank[k]) {
                one[parts] = 1;
                part[parts++] = list[i].type;
            }
        if (parts == 1)
            MPI_Type_dup(part[0], &peers->type[k]);
        else
            MPI_Type_create_struct(parts, one, at, part, &peers->type[k]);
        MPI_Type_commit(&peers->type[k]);
    }
}

static void release_types(struct halo *h)
{
    if (!h->typed)
        return;
    for (int i = 0; i < h->nout; i++)
        MPI_Type_free(&h->out[i].type);
    for (int i = 0; i < h->nin; i++)
        MPI_Type_free(&h->in[i].type);
    for (int k = 0; k < h->to.n; k++)
        MPI_Type_free(&h->to.type[k]);
    for (int k = 0; k < h->from.n; k++)
        MPI_Type_free(&h->from.type[k]);
    h->typed = false;
}

/* Which cells, once h->shape is that of a row: boxes, packed messages, datatypes.  What an
   earlier row had is released. */
static void describe_messages(struct halo *h)
{
    double *packed = h->packed.base;

    release_types(h);
    h->typed = true;
    for (int i = 0; i < h->nout; i++)
        packed = set_box(h, &h->out[i], lattice_sent(&h->shape, h->out[i].step), packed);
    for (int i = 0; i < h->nin; i++)
        packed = set_box(h, &h->in[i], lattice_halo(&h->shape, h->in[i].step), packed);
    join_types(&h->to, h->out, h->nout);
    join_types(&h->from, h->in, h->nin);
}

/* --- State -------------------------------------------------------------------------- */

static void describe(const struct context *c)
{
    const struct halo_settings *s = c->settings->family;
    struct halo *h = halo_of(c->run);

    h->grid = s->grid;
    h->faces = s->faces;
    h->width = s->width;
    h->graph = MPI_COMM_NULL;
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
        if (is_asked(c->settings, i) && why == NULL)
            why = obstacle(c, i);
    }
    if (!any)
        return world_refuse(c->world, E18_MPI_LACKS, "%s", why);
    if (lattice_ranks(&h->grid) == 0)
        PMPI_Dims_create(c->world->size, h->grid.axes,
                         h->grid.extent + LATTICE_AXES - h->grid.axes);
    lattice_locate(&h->grid, c->world->rank);
    list_messages(h);
    if (uses(c, EXCHANGE_NEIGHBOR))
        MPI_Dist_graph_create_adjacent(c->world->all, h->from.n, h->from.rank, MPI_UNWEIGHTED,
                                       h->to.n, h->to.rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &h->graph);
    return EXIT_OK;
}

/* Messages in both directions. */
static size_t packed_bytes(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = s->family;
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
    const struct block shape = block_of(c->settings, b->bytes);
    const size_t bytes = size_product(lattice_all_entries(&shape), sizeof(double));
    struct halo *h = halo_of(c->run);

    buffers_add(b, &h->array, b->kind, size_sum(bytes, BUFFER_GUARD));
    buffers_add(b, &h->packed, &memory_host, packed_bytes(c->settings, b->bytes));
}

static void end(const struct context *c)
{
    struct halo *h = halo_of(c->run);

    release_types(h);
    if (h->graph != MPI_COMM_NULL)
        MPI_Comm_free(&h->graph);
}

static void row(const struct context *c)
{
    struct bench_run *r = c->run;
    struct halo *h = halo_of(r);

    h->shape = block_of(c->settings, r->bytes);
    describe_messages(h);
    r->send = r->recv = h->array.base;
}

/* --- What every cell holds ----------------------------------------------------- */

enum { CHUNK = VERIFY_CHUNK / (int)sizeof(double) };

/* An exchange (halo.h). */
enum when { BEFORE, AFTER };

/* -1: in the halo on the low side; 0: an own cell; 1: on the high side. */
static int zone(const struct block *b, int axis, int i)
{
    return i < b->halo[axis] ? -1 : i >= b->halo[axis] + b->cells[axis];
}

static bool is_moved(const struct halo *h, const int step[LATTICE_AXES])
{
    const int steps = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);

    return (steps == 1 || !h->faces) && lattice_neighbor(&h->grid, step) >= 0;
}

/* Where an entry lies on an axis of the whole grid of cells. */
static double global(const struct halo *h, int axis, int i)
{
    const double cells = h->shape.cells[axis];
    const double all = cells * h->grid.extent[axis];
    const double at = cells * h->grid.coordinate[axis] + (double)(i - h->shape.halo[axis]);

    return at < 0 ? at + all : at >= all ? at - all : at;
}

/* So many cells along an axis. */
static double extent(const struct halo *h, int axis)
{
    return (double)h->shape.cells[axis] * h->grid.extent[axis];
}

/* n entries of a row of the array, from that one on.  The number of a cell counts all
   cells of the grid, with the last axis fastest; in each iteration from another number on. */
static void expect(const struct verify *v, enum when when, const int at[LATTICE_AXES], int n,
                   double *to)
{
    const struct halo *h = halo_of(v->run);
    const double row =
        (global(h, 0, at[0]) * extent(h, 1) + global(h, 1, at[1])) * extent(h, 2) + v->run->checks;
    double poison;
    bool moved[3];

    memset(&poison, verify_poison(v), sizeof poison);
    for (int side = -1; side <= 1; side++) {
        const int step[] = { zone(&h->shape, 0, at[0]), zone(&h->shape, 1, at[1]), side };
        const bool own = step[0] == 0 && step[1] == 0 && side == 0;

        moved[side + 1] = own || (when == AFTER && is_moved(h, step));
    }
    for (int i = 0; i < n; i++)
        to[i] = moved[zone(&h->shape, 2, at[2] + i) + 1] ? row + global(h, 2, at[2] + i) : poison;
}

/* The next entries: within a row of the array, and no more than a chunk.  at[] is
   where they begin; returns how many, 0 after the last. */
static int next_entries(const struct block *b, int at[LATTICE_AXES], int before)
{
    int left;

    at[2] += before;
    for (int i = LATTICE_AXES - 1; i > 0; i--)
        if (at[i] == lattice_entries(b, i)) {
            at[i] = 0;
            at[i - 1]++;
        }
    left = lattice_entries(b, 2) - at[2];
    if (at[0] == lattice_entries(b, 0))
        return 0;
    return left < CHUNK ? left : CHUNK;
}

static void fill(const struct verify *v)
{
    const struct halo *h = halo_of(v->run);
    const size_t bytes = lattice_all_entries(&h->shape) * sizeof(double);
    struct mirror to_fill;
    int at[LATTICE_AXES] = { 0 }, n = 0;
    size_t done = 0;

    mirror_open(&to_fill, v->recv_kind, h->array.base, bytes);
    while ((n = next_entries(&h->shape, at, n)) > 0) {
        const size_t part = (size_t)n * sizeof(double);

        expect(v, BEFORE, at, n, mirror_write(&to_fill, done, part));
        done += part;
    }
    mirror_close(&to_fill);
    v->recv_kind->set((char *)h->array.base + bytes, verify_poison(v), BUFFER_GUARD);
}

/* Entries that differ: the block is the number of the side, the element that in the array. */
static void compare(const struct verify *v, const int at[LATTICE_AXES], int n, size_t number,
                    const double *right, const double *got, struct mismatch *first)
{
    const struct halo *h = halo_of(v->run);

    for (int i = 0; i < n; i++) {
        const int step[] = { zone(&h->shape, 0, at[0]), zone(&h->shape, 1, at[1]),
                             zone(&h->shape, 2, at[2] + i) };

        if (memcmp(&got[i], &right[i], sizeof *got) != 0)
            verify_note(v, first, true, lattice_number(h->grid.axes, step), number + (size_t)i,
                        ELEMENT_DOUBLE, &right[i], &got[i]);
    }
}

static void check(const struct verify *v, struct mismatch *first)
{
    const struct halo *h = halo_of(v->run);
    const size_t bytes = lattice_all_entries(&h->shape) * sizeof(double);
    struct mirror received;
    double right[CHUNK];
    int at[LATTICE_AXES] = { 0 }, n = 0;
    size_t done = 0;

    mirror_open(&received, v->recv_kind, h->array.base, bytes);
    while ((n = next_entries(&h->shape, at, n)) > 0) {
        const size_t part = (size_t)n * sizeof(double);
        const double *got = mirror_read(&received, done, part);

        expect(v, AFTER, at, n, right);
        if (memcmp(got, right, part) != 0)
            compare(v, at, n, done / sizeof(double), right, got, first);
        done += part;
    }
    mirror_close(&received);
    verify_check_untouched(v, (const char *)h->array.base + bytes, BUFFER_GUARD,
                           lattice_number(h->grid.axes, (int[]){ 1, 1, 1 }),
                           lattice_all_entries(&h->shape), first);
}

const struct flow flow_halo = {
    .sends = flow_no_block,
    .to = flow_anyone,
    .receives = flow_no_block,
    .from = flow_anyone,
    .elsewhere = FLOW_SENDS | FLOW_RECEIVES,
    .counted = "cell",
    .fill = fill,
    .check = check,
};

/* --- Measuring and output ------------------------------------------------------------- */

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    static const struct parameter none = { .key = "compute_percent" };

    if (computes_nothing(s))
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
    measure_pass(m, result, settings_budget(m->context->settings) / 2);
    o->parts = (struct overlap_parts){ .pure = result->mean };
}

/* Bytes that a rank sends in a row of so many, mean over ranks. */
static double payload(const struct halo *h, size_t bytes)
{
    const int axes = h->grid.axes;
    const struct block b = lattice_block(axes, lattice_edge(axes, bytes), h->width);
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(axes, h->faces, step);
    double all = 0;

    for (int i = 0; i < n; i++) {
        const struct box box = lattice_sent(&b, step[i]);

        all += (double)lattice_ranks_with(&h->grid, step[i]) * (double)lattice_cells(&box);
    }
    return sizeof(double) * all / (double)lattice_ranks(&h->grid);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct halo *h = halo_of(c->run);
    int step[LATTICE_SIDES][LATTICE_AXES];

    if (what->part == RECORDED_METHOD) {
        const struct fields list = fields_list(*to, "grid");

        for (int i = LATTICE_AXES - h->grid.axes; i < LATTICE_AXES; i++)
            fields_int(list, NULL, h->grid.extent[i]);
    }
    if (what->result == NULL)
        return;
    const struct fields object = fields_object(*to, "halo");

    fields_int(object, "edge", h->shape.cells[LATTICE_AXES - 1]);
    fields_int(object, "messages", lattice_sides(h->grid.axes, h->faces, step));
    fields_real(object, "payload_bytes", payload(h, what->result->row->bytes));
    if (what->result->row->parameter > 0)
        overlap_record_parts(c, what, to);
}

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;

    /* One operation alone has nothing beside it. */
    if (rows->n == 0 || rows->row[0].operation == rows->row[rows->n - 1].operation)
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
    FAMILY_OPTIONS(options, defaults),
    .plan = plan,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct halo),
    .describe = describe,
    .begin = begin,
    .memory = memory,
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
    result->payload = payload(halo_of(c->run), result->row->bytes);
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

static const struct report_column columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { { "rank_mb_per_s", "Rank (MB/s)", 0 }, rate },
    { { "of_full_percent", "Of Full(%)", 0 }, of_full, .empty = computes_nothing },
    REPORT_EXTREMES,
    { .value = NULL },
};

static void grid_lines(FILE *to, const struct bench_run *r, const struct settings *s)
{
    const struct halo *h = halo_of(r);
    const int axes = h->grid.axes;
    int step[LATTICE_SIDES][LATTICE_AXES];

    fputs("# Grid: ", to);
    for (int i = LATTICE_AXES - axes; i < LATTICE_AXES; i++)
        fprintf(to, "%d%s", h->grid.extent[i], i < LATTICE_AXES - 1 ? "x" : "");
    fprintf(to, " ranks, %s; halo: %s, width %d, messages to %d sides\n",
            h->grid.bounded ? "bounded" : "periodic", h->faces ? "faces" : "full box", h->width,
            lattice_sides(axes, h->faces, step));
    fprintf(to, "# Block: L^%d doubles; Size: bytes of one layer of a face, 8 L%s\n", axes,
            axes == 2 ? "" : "^2");
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
