/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nas.h - programs that run once, like an application: NAS IS and FT, a family each.
 *
 * An iteration is a whole run.  The file of the program has the loop over iterations
 * with its MPI calls; is.c and ft.c have the computation between them, without MPI.  The family
 * runs one iteration untimed, then all of them timed.  It verifies the outcome and reports where
 * the time went.
 */
#ifndef NAS_H
#define NAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/memory.h"
#include "family.h"
#include "job/progress.h"
#include "loop.h"
#include "options/settings.h"
#include "record/fields.h"
#include "report/report.h"
#include "timing/clock.h"

/* --- What the specification fixes ---------------------------------------------------- */

/* NAS report RNR-94-007 and its successors (NAS-95-020): the problem is specified, with its random
   numbers, classes, and the values that a right run must find; not the program. */

enum nas_class { NAS_S, NAS_W, NAS_A, NAS_B, NAS_C, NAS_CLASSES };

/*
 * Random numbers: state = 5^13 state mod 2^46.  A number is the state after
 * the step, in units of 2^-46, so that it lies between 0 and 1.
 */
enum { NAS_SEED = 314159265 };

static inline double nas_random(uint64_t *state)
{
    *state = *state * UINT64_C(1220703125) & ((UINT64_C(1) << 46) - 1);
    return (double)*state * 0x1p-46;
}

/* The state after n numbers, in time of the order of log n. */
uint64_t nas_random_skip(uint64_t state, uint64_t n);

/* --- IS: rank integer keys --------------------------------------------------- */

enum { NAS_IS_ITERATIONS = 10, NAS_IS_TESTS = 5 };

/* One key of the partial verification: the key at index has, in
   iteration i, rank + slope * (i - late) keys below it. */
struct nas_is_test {
    int32_t index, rank;
    int slope, late;
};

struct nas_is {
    int32_t keys, values; /* how many keys; they are 0 ... values - 1 */
    struct nas_is_test test[NAS_IS_TESTS];
};

extern const struct nas_is nas_is[NAS_CLASSES];

/* Keys ranked in a run of all iterations. */
double nas_is_operations(enum nas_class class);

/* --- FT: a partial differential equation by 3-D Fourier transforms ------------ */

enum { NAS_FT_ITERATIONS = 20, NAS_FT_TERMS = 1024 };

struct nas_ft {
    int n[3]; /* points in x, y and z */
    int iterations;
    /* Of each iteration: real and imaginary part */
    double checksum[NAS_FT_ITERATIONS][2];
};

extern const struct nas_ft nas_ft[NAS_CLASSES];

/* Floating point operations of a run, as NAS counts them. */
double nas_ft_operations(enum nas_class class);

/* Is it, to the specified accuracy, the checksum of iteration i, from 1? */
bool nas_ft_is_right(enum nas_class class, int i, const double sum[2]);

/* --- What one rank does in IS between the exchanges with others ---------------------- */

/*
 * The rank of a key is the number of keys below it.  Values are divided into
 * buckets, and buckets among the ranks, so that each rank gets about the same
 * number of keys.  A rank then counts the keys of its own values:
 *
 *     change   two keys, as the specification wants it in each iteration
 *     count    how many own keys fall into each bucket
 *       ... the sum over ranks of mine is all ...
 *     deal     buckets to ranks, and own keys into the order of buckets
 *       ... how many keys go to each rank, then the keys themselves ...
 *     expect   make room for the keys that will come
 *     rank     count the keys below each own value
 *     check    the keys of the partial verification
 */
enum { KEYS_RANKS_MOST = 1024 }; /* one bucket each */

struct keys {
    const struct nas_is *is;
    int rank, ranks;
    int first, n; /* own keys: the first one's index, their number */
    int room;     /* room for received keys */
    int32_t *key; /* own keys, as generated and changed */
    /* The same in the order of buckets; has room for received keys */
    int32_t *sorted;
    int32_t *received;
    int32_t *below; /* number of keys below each value; own values only */

    int buckets, shift; /* bucket of a key: key >> shift */
    int counts;         /* length of mine and all: buckets, and keys to test */
    int *mine, *all;    /* keys in each bucket; value of each key to test */
    int *end;           /* for each rank, one past its last bucket */
    /* Arguments of MPI_Alltoallv */
    int *sends, *send_at, *receives, *receive_at;
    int come;      /* number of received keys */
    int base;      /* number of keys on lower ranks */
    int low, high; /* own values: from low to below high */
    int passed;    /* keys of the partial verification found right */
};

/* The memory that a rank needs, in bytes. */
size_t keys_bytes(enum nas_class class, int ranks);

/* Allocate memory, until the program ends, and generate the own keys, for 1 to KEYS_RANKS_MOST
   ranks. */
void keys_begin(struct keys *k, enum nas_class class, int rank, int ranks);

void keys_change(struct keys *k, int iteration);
void keys_count(struct keys *k);
void keys_deal(struct keys *k);
void keys_expect(struct keys *k);
void keys_rank(struct keys *k);
void keys_check(struct keys *k, int iteration);

/* The result of the full verification on one rank. */
struct keys_order {
    int wrong;            /* adjacent pairs out of order, and misplaced keys */
    int least, most;      /* the smallest and the largest key; 0, -1: none */
    uint64_t before, now; /* fingerprints of the own and of the received keys */
};

/* Move each key to the place that its rank gives, and check that the keys are
   then sorted.  The ranks are overwritten. */
struct keys_order keys_sort(struct keys *k);

/* --- What one rank does in FT between the exchanges with others ---------------------- */

/*
 * A grid of complex numbers, transformed and back.  In space a rank has planes
 * of all x and y for some z, in the spectrum columns of all z for some y:
 *
 *     fill     space with random numbers
 *     leave    transform along x and y, and pack blocks: one for each rank
 *       ... MPI_Alltoall from other to spectrum ...
 *     enter    transform along z
 *
 *     evolve   the spectrum at a later time, transformed back along z
 *       ... MPI_Alltoall from space to other ...
 *     arrive   unpack, and transform back along x and y
 *     sum      this rank's part of the checksum
 *
 * x runs fastest, then y; blocks need packing on the side of space only.  The
 * transforms are FFTW's, chosen by measuring when the grid is made; a build
 * without FFTW has none, and grid_is_built says so.
 */
enum grid_plan {
    GRID_PLANE_THERE,
    GRID_PLANE_BACK,
    GRID_COLUMN_THERE,
    GRID_COLUMN_BACK,
    GRID_PLANS
};

struct grid {
    enum nas_class class;
    int rank, ranks;
    int nx, ny, nz;
    int own_y, own_z; /* columns of so many y, planes of so many z */
    int block;        /* complex numbers that go to each rank */
    double _Complex *space, *other, *spectrum;
    double *decay;                          /* nx, ny and nz factors of the time under way */
    void *plan[GRID_PLANS];                 /* plans of FFTW */
    double _Complex part;                   /* this rank's part of the checksum */
    double _Complex sum[NAS_FT_ITERATIONS]; /* checksums over all ranks */
};

bool grid_is_built(void);

/* Can so many ranks run it?  They must divide planes and columns evenly. */
bool grid_divides(enum nas_class class, int ranks);

/* The size in bytes of each of the three arrays on a rank. */
size_t grid_bytes(enum nas_class class, int ranks);

/* The caller provides the three arrays, which are overwritten.  false: no
   memory for the rest.  Call grid_end in any case. */
bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks, void *space, void *other,
                void *spectrum);
void grid_end(struct grid *g);

void grid_fill(struct grid *g);
void grid_leave(struct grid *g);
void grid_enter(struct grid *g);
void grid_evolve(struct grid *g, int iteration);
void grid_arrive(struct grid *g);
void grid_sum(struct grid *g);

/* One plane, or the columns of one y, in place (ft.c). */
void grid_transform(const struct grid *g, enum grid_plan plan, double _Complex *at);

/* --- How much of a run is spent in each MPI call ------------------------------- */

/*
 *     part_begin(p);
 *     MPI_Alltoall(...);
 *     part_end(p, EXCHANGE);
 *
 * The clock is read twice for each call, so this is for calls that take long.
 */

enum { PARTS_MAX = 4 };

struct parts {
    clock_ticks mark; /* when the call under way began */
    clock_ticks spent[PARTS_MAX];
    long calls[PARTS_MAX];
};

static inline void part_begin(struct parts *p)
{
    p->mark = clock_now();
}

static inline void part_end(struct parts *p, int part)
{
    p->spent[part] += clock_now() - p->mark;
    p->calls[part]++;
}

/* --- What differs between IS and FT -------------------------------------------- */

/* What a class is for so many ranks. */
struct problem {
    bool divides;   /* can they run it? */
    char needs[80]; /* what their number must be */
    char size[100]; /* "keys=8388608; ..." */
    int iterations;
    double operations; /* of a run, for Mop/s */
    size_t bytes;      /* the most that a rank needs */
};

struct application {
    const char *calls[PARTS_MAX]; /* names of the parts: MPI calls */
    void (*describe)(enum nas_class class, int ranks, struct problem *p);

    /* Allocate memory and do other untimed work.  false: out of memory. */
    bool (*begin)(struct bench_run *r, enum nas_class class);
    void (*end)(struct bench_run *r); /* in any case; NULL: nothing is to be done */
    /* After a run of all iterations: is the outcome right?  If not, why[] says
       what is wrong.  Collective; the same on all ranks. */
    bool (*verify)(struct bench_run *r, char *why, size_t room);
};

/* --- Results of a run ---------------------------------------------------------- */

/* The time of a part in seconds, over the ranks. */
struct share {
    const char *name;
    long calls; /* 0: not an MPI call */
    double mean, max;
    int slowest; /* the rank that has max */
};

struct whole {
    const char *class; /* "A" */
    struct problem problem;
    double mop_per_s; /* of the slowest rank */
    /* The whole run; inside MPI; outside MPI */
    struct share run, inside, outside;
    struct share call[PARTS_MAX]; /* time inside MPI, by call */
    int calls;
};

/* A row of the run, and the parts of its time below it. */
extern const struct report report_whole;

/* --- The state of a run -------------------------------------------------------- */

struct nas {
    int iterations; /* iterations of this iteration */
    struct parts parts;
    struct keys keys;        /* IS */
    struct grid grid;        /* FT */
    struct buffer buffer[3]; /* memory of the grid */
    struct whole whole;      /* results of the run */
};

FAMILY_OF(bench_run, struct nas, nas_of)

struct nas_settings {
    int class;                             /* enum nas_class */
    const struct application *application; /* constant: IS, or FT */
};

FAMILY_OF(settings, const struct nas_settings, nas_settings)

/* Loop control: does iteration i run?  The first is 1. */
static inline bool nas_goes_on(const struct nas *nas, int i)
{
    progress_moved();
    return i <= nas->iterations;
}

/* The first fields of both families; each adds its defaults and its own
   fields. */
#define NAS_FAMILY                                                                                 \
    .name = "nas", .settings = sizeof(struct nas_settings), .example.options = "--class=S",        \
    .state = sizeof(struct nas), .end = nas_end, .record = nas_record, .run = nas_run

extern const struct family nas_is_family, nas_ft_family;

/* The parts of the time: one for each MPI call. */
enum { IS_ALLREDUCE, IS_ALLTOALL, IS_ALLTOALLV };
enum { FT_ALLTOALL, FT_ALLREDUCE };

/* --- For the two ---------------------------------------------------------------- */

extern const struct option_row nas_is_options[], nas_ft_options[];
void nas_refuse(const struct context *c, struct refusal *r);
void nas_end(const struct context *c);
void nas_record(const struct context *c, const struct recorded *what, struct fields *to);
enum exit_code nas_run(const struct context *c, struct measure *m);

#endif
