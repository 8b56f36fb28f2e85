/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the sampling engine: measure_begin and measure_end. */
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "memory.h"

enum { LEAST = 1024 }; /* samples in a batch */

static const double SHARE = 0.1; /* of the memory of a node, at most */

/* Zeroed and so touched. */
static void *zeroed(size_t n, size_t size, bool *good)
{
    void *block = calloc(n, size);

    if (block == NULL)
        *good = false;
    else
        memset(block, 0, n * size);
    return block;
}

/* What all ranks of the fullest node need. */
static double need(const struct measure *m)
{
    return 3.0 * (double)m->batch * sizeof *m->mine * m->node_ranks +
           2.0 * SERIES_ROOM * sizeof *m->mine +
           3.0 * HISTOGRAM_COUNTERS * sizeof(uint64_t);
}

bool measure_begin(struct measure *m)
{
    const size_t ranks = (size_t)m->world->size;
    bool good = true;
    size_t room;

    m->batch = MEASURE_BATCH;
    while (m->batch > LEAST && need(m) > SHARE * (double)memory_available())
        m->batch /= 2;
    MPI_Allreduce(MPI_IN_PLACE, &m->batch, 1, MPI_LONG, MPI_MIN,
                  m->world->comm);
    room = (size_t)m->batch;
    m->ticks = zeroed(room + 2, sizeof *m->ticks, &good);
    m->begun = zeroed(room + 2, sizeof *m->begun, &good);
    m->mine = zeroed(room, sizeof *m->mine, &good);
    if (m->world->rank != 0)
        return good;
    m->blame_slowest = zeroed(ranks, sizeof *m->blame_slowest, &good);
    m->blame_start = zeroed(ranks, sizeof *m->blame_start, &good);
    return series_begin(&m->series) && histogram_begin(&m->completion) &&
           histogram_begin(&m->skew) && good;
}

void measure_end(struct measure *m)
{
    free(m->ticks);
    free(m->begun);
    free(m->mine);
    free(m->blame_slowest);
    free(m->blame_start);
    series_end(&m->series);
    if (m->completion.count != NULL)
        histogram_end(&m->completion);
    if (m->skew.count != NULL)
        histogram_end(&m->skew);
    m->ticks = m->begun = NULL;
    m->mine = NULL;
    m->blame_slowest = m->blame_start = NULL;
}
