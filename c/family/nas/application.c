/* SPDX-License-Identifier: BSD-3-Clause */
#include "application.h"

#include <complex.h>
#include <stdio.h>

#include "nas.h"

/* --- IS ------------------------------------------------------------------------ */

static bool is_divides(enum nas_class class, int ranks, char *why, size_t room)
{
    (void)class;
    snprintf(why, room, "at most %d ranks", KEYS_RANKS_MOST);
    return ranks <= KEYS_RANKS_MOST;
}

static int is_iterations(enum nas_class class)
{
    (void)class;
    return NAS_IS_ITERATIONS;
}

static void is_describe(enum nas_class class, char *text, size_t room)
{
    snprintf(text, room, "keys=%d; values=%d;", nas_is[class].keys,
             nas_is[class].values);
}

static bool is_begin(struct bench_run *r, enum nas_class class)
{
    struct nas *a = nas_of(r);

    return keys_begin(&a->keys, class, r->rank, r->nranks);
}

static void is_end(struct bench_run *r)
{
    keys_end(&nas_of(r)->keys);
}

/* Keys that the largest one of the ranks before is above. */
static int misplaced(const struct bench_run *r, const struct keys_order *o)
{
    int before = -1;

    MPI_Exscan(&o->most, &before, 1, MPI_INT, MPI_MAX, r->comm);
    return r->rank > 0 && o->most >= 0 && before > o->least;
}

static bool is_verify(struct bench_run *r, char *why, size_t room)
{
    const struct keys *k = &nas_of(r)->keys;
    const int tests = NAS_IS_TESTS * NAS_IS_ITERATIONS, passed = k->passed;
    const struct keys_order o = keys_sort(&nas_of(r)->keys);
    int64_t found[] = { passed, o.wrong + misplaced(r, &o), k->come };
    uint64_t sum[] = { o.before, o.now };

    MPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_INT64_T, MPI_SUM, r->comm);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_UINT64_T, MPI_SUM, r->comm);
    snprintf(why, room,
             "ranks of keys tested=%d; right=%d; keys out of order=%lld; "
             "keys=%lld of %d; %s",
             tests, (int)found[0], (long long)found[1], (long long)found[2],
             k->is->keys, sum[0] == sum[1] ? "" : "other keys than were sent;");
    return found[0] == tests && found[1] == 0 && found[2] == k->is->keys &&
           sum[0] == sum[1];
}

const struct application application_is = {
    .calls = { [IS_ALLREDUCE] = "MPI_Allreduce",
               [IS_ALLTOALL] = "MPI_Alltoall",
               [IS_ALLTOALLV] = "MPI_Alltoallv" },
    .divides = is_divides,
    .bytes = keys_bytes,
    .iterations = is_iterations,
    .operations = nas_is_operations,
    .describe = is_describe,
    .begin = is_begin,
    .end = is_end,
    .verify = is_verify,
};

/* --- FT ------------------------------------------------------------------------ */

enum { ARRAYS = 3 };

static bool ft_divides(enum nas_class class, int ranks, char *why, size_t room)
{
    snprintf(why, room, "a number of ranks that divides %d and %d",
             nas_ft[class].n[1], nas_ft[class].n[2]);
    return grid_divides(class, ranks);
}

static size_t ft_bytes(enum nas_class class, int ranks)
{
    return ARRAYS * grid_bytes(class, ranks);
}

static int ft_iterations(enum nas_class class)
{
    return nas_ft[class].iterations;
}

static void ft_describe(enum nas_class class, char *text, size_t room)
{
    const int *n = nas_ft[class].n;

    snprintf(text, room, "grid=%dx%dx%d;", n[0], n[1], n[2]);
}

static bool ft_begin(struct bench_run *r, enum nas_class class)
{
    struct nas *a = nas_of(r);
    bool good = true;

    for (int i = 0; i < ARRAYS; i++)
        good = good && buffer_allocate(&a->buffer[i], &memory_host,
                                       grid_bytes(class, r->nranks), 0);
    return good &&
           grid_begin(&a->grid, class, r->rank, r->nranks, a->buffer[0].base,
                      a->buffer[1].base, a->buffer[2].base);
}

static void ft_end(struct bench_run *r)
{
    struct nas *a = nas_of(r);

    grid_end(&a->grid);
    for (int i = 0; i < ARRAYS; i++)
        buffer_release(&a->buffer[i]);
}

static bool ft_verify(struct bench_run *r, char *why, size_t room)
{
    const struct grid *g = &nas_of(r)->grid;
    int wrong = 0, any;

    for (int i = nas_ft[g->class].iterations; i > 0; i--) {
        const double sum[2] = { creal(g->sum[i - 1]), cimag(g->sum[i - 1]) };

        if (!nas_ft_is_right(g->class, i, sum))
            wrong = i;
    }
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, r->comm);
    snprintf(why, room, "checksum of iteration=%d; on some rank", any);
    if (wrong > 0)
        snprintf(why, room,
                 "iteration=%d; checksum=%.12g,%.12g; expected=%.12g,%.12g;",
                 wrong, creal(g->sum[wrong - 1]), cimag(g->sum[wrong - 1]),
                 nas_ft[g->class].checksum[wrong - 1][0],
                 nas_ft[g->class].checksum[wrong - 1][1]);
    return any == 0;
}

const struct application application_ft = {
    .calls = { [FT_ALLTOALL] = "MPI_Alltoall",
               [FT_ALLREDUCE] = "MPI_Allreduce" },
    .divides = ft_divides,
    .bytes = ft_bytes,
    .iterations = ft_iterations,
    .operations = nas_ft_operations,
    .describe = ft_describe,
    .begin = ft_begin,
    .end = ft_end,
    .verify = ft_verify,
};
