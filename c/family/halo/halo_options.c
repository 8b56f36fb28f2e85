/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo_options.h"

#include <stdio.h>

#include "base/sizes.h"
#include "bench.h"

enum { EACH = -1 }; /* all words of a list */

static const struct choice exchange_words[] = {
    { "all", EACH, "each of these" },
    { "subarray", EXCHANGE_SUBARRAY, "isend and irecv of subarray datatypes" },
    { "packed", EXCHANGE_PACKED, "isend and irecv, packed by the program" },
    { "neighbor", EXCHANGE_NEIGHBOR, "MPI_Neighbor_alltoallw" },
    { "persistent", EXCHANGE_PERSISTENT, "as subarray, persistent requests" },
    { "fence", EXCHANGE_FENCE, "MPI_Put between two fences" },
    { "pscw", EXCHANGE_PSCW, "MPI_Put; post, start, complete, wait" },
    { "partitioned", EXCHANGE_PARTITIONED, "partitioned, packed in parts" },
    { 0 },
};

static const char *add_exchange(void *settings, int exchange)
{
    struct halo_settings *s = settings;
    const unsigned more = exchange == EACH ? ~0U : 1U << exchange,
                   known = s->exchanges & more;

    s->exchanges |= more;
    return known == more ? "names a way twice" : NULL;
}

#define FIELD(name) .offset = offsetof(struct halo_settings, name)

const struct option_row halo_options[] = {
    { 0, "grid", "2|3|PxQ|PxQxR", .group = OPTIONS_DATA, .common = true,
      .help = "dimensions of the grid of ranks; 2, 3: MPI_Dims_create chooses "
              "the ranks along each; PxQ, PxQxR: these",
      .fallback = "3", .kind = OPTION_SPECIAL, FIELD(grid),
      .parse = lattice_parse },
    { 0, "faces", NULL, .group = OPTIONS_DATA, .common = true,
      .help = "exchange faces only; without it also edges and corners",
      .kind = OPTION_FLAG, FIELD(faces), .json = "faces" },
    { 0, "width", "CELLS", .group = OPTIONS_DATA, .common = true,
      .help = "width of the halo; smaller blocks are left out", .fallback = "1",
      .kind = OPTION_INT, FIELD(width), .min = 1, .max = 1024,
      .json = "width" },
    { 0, "bounded", NULL, .group = OPTIONS_DATA,
      .help = "bounded grid: its first and last ranks are not neighbors",
      .fallback = "periodic", .kind = OPTION_FLAG, FIELD(grid.bounded),
      .json = "bounded" },
    { 0, "exchange", "HOW[,HOW...]", .group = OPTIONS_DATA, .common = true,
      .help = "ways of the exchange; for each a section of the table; "
              "repeatable",
      .fallback = "all", .kind = OPTION_LIST, .choices = exchange_words,
      .add = add_exchange },
    { 0 },
};
const struct halo_settings halo_defaults = { .grid = { .axes = 3 },
                                             .width = 1 };

bool halo_has_block(const struct settings *s, size_t bytes)
{
    const struct halo_settings *set = halo_settings(s);
    const long edge = lattice_edge(set->grid.axes, bytes);

    return bytes > 0 && lattice_layer(set->grid.axes, edge) == bytes &&
           edge >= set->width && edge <= LATTICE_EDGE_MOST;
}

/* Has the layer of a block one of the sizes? */
static bool has_block(const struct settings *s)
{
    size_t bytes = s->sizes.min;

    do
        if (halo_has_block(s, bytes))
            return true;
    while (sizes_next(&s->sizes, &bytes));
    return false;
}

void halo_refuse(const struct context *c, struct refusal *r)
{
    const struct halo_settings *own = halo_settings(c->settings);
    const long needed = lattice_ranks(&own->grid);

    if (!has_block(c->settings))
        refusal_because(
            r, E12_USAGE,
            own->grid.axes == 3
                ? "-m: no size is 8 L^2 bytes, the layer of a face of a block "
                  "of L^3 cells with L >= --width; for example 8, 32, 128, 512"
                : "-m: no size is 8 L bytes, the layer of a face of a block of "
                  "L^2 cells with L >= --width; for example 8, 16, 24, 32");
    if (c->world != NULL && needed > 0 && needed != c->world->size)
        refusal_because(r, E02_WRONG_RANKS,
                        "--grid needs %ld ranks; started: %d", needed,
                        c->world->size);
}
