/* SPDX-License-Identifier: BSD-3-Clause */
#include "impact_options.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/element.h"
#include "base/shuffle.h"
#include "base/sizes.h"
#include "bench.h"

/* --- Sides --------------------------------------------------------------------- */

/* The units, in random order; how many there are. */
static int draw(const int *unit, int ranks, unsigned long seed, int *order)
{
    uint64_t state = seed;
    int units = 0;

    for (int i = 0; i < ranks; i++)
        if (unit[i] == i)
            order[units++] = i;
    shuffle(order, units, &state);
    return units;
}

int sides_deal(const int *unit, int ranks, double share, unsigned long seed,
               int *order, bool *congests)
{
    int *const size = order + ranks;
    int units, n = 0, taken = 0;

    for (int i = 0; i < ranks; i++) {
        congests[i] = false;
        size[i] = 0;
    }
    for (int i = 0; i < ranks; i++)
        size[unit[i]]++;
    units = draw(unit, ranks, seed, order);
    while (taken < units && (taken < lround(share * units) || n < SIDES_LEAST))
        n += size[order[taken++]];
    while (taken > 0 && ranks - n < SIDES_LEAST)
        n -= size[order[--taken]];
    for (int i = 0; i < taken; i++)
        congests[order[i]] = true;
    for (int i = 0; i < ranks; i++) /* the lowest of a unit comes first */
        congests[i] = congests[unit[i]];
    return n < SIDES_LEAST ? 0 : n;
}

/* --- Options ------------------------------------------------------------------- */

enum { EACH = -1 }; /* all words of a list */

static const struct choice victim_words[] = {
    { "all", EACH, "each of these" },
    { "latency", VICTIM_LATENCY, "pairs of ranks, one message at a time" },
    { "bw", VICTIM_BW, "pairs of ranks, a window of messages (-W)" },
    { "allreduce", VICTIM_ALLREDUCE, "MPI_Allreduce of all victims" },
    { "ring", VICTIM_RING, "MPI_Sendrecv with the next victim" },
    { 0 },
};

const struct choice congestor_words[] = {
    { "incast", CONGESTOR_INCAST, "all congestors send to one of them" },
    { "outcast", CONGESTOR_OUTCAST, "one congestor sends to all others" },
    { "alltoall", CONGESTOR_ALLTOALL, "MPI_Alltoall of all congestors" },
    { "put", CONGESTOR_PUT, "incast with MPI_Put" },
    { "none", CONGESTOR_NONE, "nothing; every impact must then be 1" },
    { 0 },
};

static const char *add_victim(void *settings, int victim)
{
    struct impact_settings *s = settings;
    const unsigned more = victim == EACH ? ~0U : 1U << victim,
                   known = s->victims & more;

    s->victims |= more;
    return known == more ? "names a victim twice" : NULL;
}

static void record_victims(struct fields to, const char *name,
                           const void *settings)
{
    const unsigned asked = ((const struct impact_settings *)settings)->victims;
    const struct fields list = fields_list(to, name);

    for (const struct choice *c = victim_words; c->word != NULL; c++)
        if (c->value != EACH && (asked == 0 || (asked >> c->value & 1) != 0))
            fields_text(list, NULL, c->word);
}

static void record_share(struct fields to, const char *name, const void *share)
{
    fields_real(to, name, 100 * *(const double *)share);
}

static bool is_alone(const struct settings *s)
{
    return impact_settings(s)->congestor == CONGESTOR_NONE;
}

#define FIELD(name) .offset = offsetof(struct impact_settings, name)

const struct option_row impact_options[] = {
    { 0, "victim", "WHAT[,WHAT...]", .group = OPTIONS_FLIGHT, .common = true,
      .help = "what victims do; for each a section of the table; repeatable",
      .fallback = "all", .kind = OPTION_LIST, .choices = victim_words,
      .add = add_victim, .json = "victim", .record = record_victims },
    { 0, "congestor", "WHAT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "what congestors do; victims are measured meanwhile",
      .fallback = "incast", .kind = OPTION_CHOICE, .choices = congestor_words,
      FIELD(congestor), .json = "congestor" },
    { 0, "congestors", "PERCENT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "share of nodes or groups that congest; either side "
              "has at least two ranks",
      .fallback = "80%", .kind = OPTION_PERCENT, FIELD(share),
      .json = "congestors_percent", .record = record_share },
    { 0, "congestor-size", "SIZE", .group = OPTIONS_FLIGHT, .common = true,
      .help = "size of a message of congestors", .fallback = "64K",
      .kind = OPTION_SIZE, FIELD(bytes), .min = 4, .max = 1 << 30,
      .json = "congestor_bytes", .moot = is_alone,
      .moot_because = "--congestor=none sends nothing" },
    { 0, "congestor-window", "N", .group = OPTIONS_FLIGHT,
      .help = "messages between two congestors in flight", .fallback = "8",
      .kind = OPTION_INT, FIELD(window), .min = 1, .max = 1 << 16,
      .json = "congestor_window", .moot = is_alone,
      .moot_because = "--congestor=none sends nothing" },
    { 0, "groups", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "groups of consecutive ranks; they take the place of nodes; "
              "without it on one node each rank is a group",
      .fallback = "one per node", .kind = OPTION_INT, FIELD(groups), .min = 2,
      .max = 1 << 30 },
    { 0, "seed", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "seed of the random choice of victims; the same seed gives the "
              "same victims",
      .fallback = "1", .kind = OPTION_INT, FIELD(seed), .min = 1,
      .max = INT_MAX, .json = "pattern_seed" },
    { 0 },
};
const struct impact_settings impact_defaults = {
    .share = 0.8, .bytes = 64 * KiB, .window = 8, .seed = 1
};

void impact_refuse(const struct context *c, struct refusal *r)
{
    const struct impact_settings *own = impact_settings(c->settings);

    if (own->bytes % element_size(c->bench->element) != 0)
        refusal_because(r, E12_USAGE,
                        "--congestor-size must be a multiple of 4, the bytes "
                        "of an MPI_INT");
    if (c->world == NULL)
        return;
    if (own->groups > 0 && c->world->size % own->groups != 0)
        refusal_because(r, E02_WRONG_RANKS,
                        "groups must be of equal size; ranks=%d; groups=%d;",
                        c->world->size, own->groups);
    if (!flow_is_countable(c->world->size, own->window))
        refusal_because(r, E12_USAGE,
                        "--congestor-window: more messages than MPI can count");
}

const char *impact_lacks_row(const struct context *c, const struct row *row)
{
    const unsigned asked = impact_settings(c->settings)->victims;

    return asked == 0 || (asked >> row->operation & 1) != 0 ? NULL
                                                            : row_unasked;
}
