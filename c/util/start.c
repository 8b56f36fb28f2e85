/* SPDX-License-Identifier: BSD-3-Clause */
#include "start.h"

#include "run.h"

enum { TAG = 7 };

static void own(const struct start *s)
{
    for (int distance = 1; distance < s->nranks; distance *= 2)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, (s->rank + distance) % s->nranks, TAG,
                     NULL, 0, MPI_BYTE,
                     (s->rank - distance + s->nranks) % s->nranks, TAG, s->comm,
                     MPI_STATUS_IGNORE);
}

static void library(const struct start *s)
{
    MPI_Barrier(s->comm);
}

struct start start_begin(MPI_Comm comm, enum start_kind kind)
{
    struct start s = {
        .name = settings_word_of(settings_start_words, kind),
        .together = kind == START_LIBRARY ? library : own,
    };

    MPI_Comm_dup(comm, &s.comm);
    MPI_Comm_rank(s.comm, &s.rank);
    MPI_Comm_size(s.comm, &s.nranks);
    return s;
}

void bench_sync(struct bench_run *r)
{
    r->start->together(r->start);
}

void start_end(struct start *start)
{
    MPI_Comm_free(&start->comm);
}
