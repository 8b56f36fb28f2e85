/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: each rank measures with each other rank, and slow ranks
 *            are found.
 *
 *   matrix_family     times: pair_matrix
 *   bandwidth_family  bandwidths: pair_bw, with --every, --ways, --alone, --rounds, -W
 *   hosts_family      times of hosts, within each and with others: hosts (hosts.c)
 *
 * An iteration has one meeting with each partner (schedule.h).  The loop
 * marks where the timed part of a meeting begins and ends (schedule.h).  After a
 * row rank 0 collects the times of all pairs and judges them.
 * After the rows there is a line for each kind of path, and for each rank, node
 * or pair that is slow, by size.  Each row in JSON has the same.
 *
 * The bandwidth of a pair is the payload of a window in one direction by its time, which
 * the rank that sends first measures.  With --ways=both both ranks send a window at the
 * same time, and both measure; the value is still of one direction, so that a link that
 * carries both at full rate shows the same value as with --ways=one.
 *
 * In an iteration each rank adds up the times of its pairs.  The mean of that is the mean
 * time of a pair, times the mean number of partners: with --rounds and an odd number of
 * ranks some ranks have one partner fewer.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "data/flow.h"
#include "data/memory.h"
#include "family.h"
#include "job/placement.h"
#include "loop.h"
#include "record/fields.h"
#include "report/report.h"
#include "run/measure.h"
#include "schedule/schedule.h"

/* --- The times of all pairs, and the places of the ranks ----------------------- */

/* On rank 0; elsewhere all is 0. */
struct all_pairs {
    int ranks;
    /* At all_pairs_at(i, j): the median that rank i measured with rank j, in s, and their
       enum path; PATHS: the two did not meet.  Of a rank with itself: undefined */
    double *time;
    unsigned char *path;
    int *node;    /* node of each rank; numbered in the order of ranks */
    struct home { /* the place of each rank */
        struct spot spot;
        int rank; /* in the job */
        char host[HOST_NAME_MAX + 1];
    } * home;
};

static inline size_t all_pairs_at(const struct all_pairs *all, int i, int j)
{
    return (size_t)i * (size_t)all->ranks + (size_t)j;
}

/* --- Who is slow ----------------------------------------------------------------- */

/*
 * Pairs are compared only with pairs of the same path (same NUMA domain, ...,
 * between nodes).  The time of a rank is the lower median of its pairs: one
 * slow partner would spoil a mean, and of two pairs the slow one must not
 * count.  The typical time is the median of the ranks' times.  A rank with two
 * pairs or more is slow if its time is above typical by 10%, or by four
 * standard deviations of the ranks where these vary more (estimated as 1.4826
 * times the median absolute deviation).  If a node has several ranks and all
 * are slow, the node is slow.  A pair is slow if its time is above typical by
 * 50%, or by six deviations of the pairs, and its two ranks do not explain it:
 * the product of their multiples of the typical time is allowed for.
 */

enum {
    STRAGGLERS_KEPT = 16 /* the worst ones, which are kept */
};

/* The times of one kind of path. */
struct straggler_path {
    long pairs;   /* pairs with this kind of path; 0: it does not occur */
    double usual; /* typical time, in s */
    double slow;  /* limit of a rank, as a multiple of the typical time */
};

struct straggler {
    int rank, partner; /* partner -1: the rank with all of its partners */
    /* 0: a rank or a pair; otherwise the number of ranks of the node, the first
       of which is rank */
    int node;
    int path;
    double times;     /* its time, as a multiple of the typical time */
    int above, pairs; /* its pairs above the limit of a rank; all its pairs */
};

struct stragglers {
    struct straggler_path path[PATHS];
    /* Ranks and nodes, then pairs; the worst of each first. */
    struct straggler slow[STRAGGLERS_KEPT];
    int found;      /* number that is kept */
    long left_over; /* number that is not kept */
};

/* Judge the times of all pairs, of which the mean of both directions counts. */
void stragglers_find(const struct all_pairs *all, struct stragglers *out);

/*
 * Which ranks take part, and who meets whom when: --every, --rounds,
 * --alone, --seed.
 *
 * The ranks that take part play a tournament (schedule.h): in its rounds each of
 * them meets each other one once.  With fewer rounds the ranks are first put into a
 * random order, so that each round is a random matching and no pair meets twice.  A
 * meeting is a round or, with --alone, a single pair of a round; the pairs of a round
 * are then numbered, and take turns.
 *
 *   number   of a rank among those that take part, in the order of ranks
 *   place    of that rank in the tournament: its number, or random
 *
 * Each round is verified by itself, so that no window overwrites another.
 */

enum every { EVERY_RANK, EVERY_NODE, EVERY_GPU };

struct meetings_spec {
    int every;
    int fewest; /* who must take part */
    int rounds; /* 0: all */
    int seed;
    bool alone;
};

/* A meeting as this rank sees it. */
struct meeting {
    int rank;   /* the partner; -1: none, and nothing below is set */
    int number; /* its number */
    bool first; /* this rank sends first */
};

struct meetings {
    MPI_Comm comm; /* the ranks that take part, in the order of their numbers */
    int number, n; /* of this rank, -1: it takes no part; how many do */
    int place;     /* of this rank, or -1 */
    int rounds;
    int turns; /* meetings of a round */
    int *rank; /* by number, the rank in the job */
    int *seat; /* by place, the number */
};

/* Find out who takes part, and who meets whom.  Collective; all ranks get the same code. */
enum exit_code meetings_begin(struct meetings *m, const struct meetings_spec *spec,
                              const struct context *c);
void meetings_end(struct meetings *m);

/* Who meets whom, by other rounds or another seed. */
void meetings_arrange(struct meetings *m, const struct meetings_spec *spec);

/* Number i of the meetings of all rounds. */
struct meeting meetings_get(const struct meetings *m, int i);

/* Meetings of this rank; 0: it takes no part. */
int meetings_own(const struct meetings *m);

/* --- The family ------------------------------------------------------------------ */

struct matrix {
    struct part_times times;  /* of this rank with its partners */
    struct meetings meetings; /* of pair_bw */
    bool both;                /* windows go both ways at the same time */
    /* That a pair moves in its time, for a bandwidth; 0: half of the time is printed */
    int messages;
    double bytes; /* of these messages */

    /* Of the row under way; on rank 0 */
    bool judged;          /* false: the others say nothing of it */
    struct buffer memory; /* of pairs */
    struct all_pairs pairs;
    struct stragglers slow;
    struct extreme pair;                  /* the slowest pair, in one direction; ranks in the job */
    struct extreme tenth;                 /* the slowest tenth of the row, of any pair */
    double pair_mb_per_s, tenth_mb_per_s; /* of these two; NAN: not known */
    struct lines lines;                   /* of all rows so far */
};

FAMILY_OF(bench_run, struct matrix, matrix_of)

/* The rounds of an iteration: all, or the one that a turn of the verification has, whose
   messages each have memory of their own. */
static inline int matrix_first(const struct bench_run *r)
{
    return r->turn > 0 ? r->turn - 1 : 0;
}

static inline int matrix_end(const struct bench_run *r, int rounds)
{
    return r->turn > 0 ? r->turn : rounds;
}

extern const struct family matrix_family, bandwidth_family;

/* Each rank sends a block to each other rank, or a window. */
extern const struct flow flow_every_pair, flow_windows_of_pairs;

/* An iteration is a round trip with each partner; half of one is printed.  Or windows. */
extern const struct report report_pair_matrix, report_pair_bandwidth;

/* --- Hosts --------------------------------------------------------------------- */

/*
 * Round trips of the first two ranks of each node, or of the first ranks of the
 * nodes in rounds, on all nodes at the same time: hosts.
 *
 * A row has so many rounds; of no rounds it is within nodes, one meeting of two ranks.  The
 * time of a node is the lower median of its meetings, each of which is the median over
 * iterations, as the first rank of the node measured it.  Nothing is judged here: JSON has all of
 * it, and in what hosts should not differ, for each set of hosts that are alike
 * (environment_host).
 */

enum { HOSTS_FACTS = 8000 };

struct host {
    char name[HOST_NAME_MAX + 1];
    char facts[HOSTS_FACTS]; /* in which hosts should not differ, as JSON has it */
    double median;           /* of the row; NAN: it has none */
};

struct hosts {
    struct part_times times;  /* of this rank, by round */
    struct meetings meetings; /* of the first ranks of the nodes */
    struct meeting within;    /* of this rank and another of its node */
    double *own;              /* their medians */

    /* On rank 0 */
    struct host *host; /* each node */
    double *time;      /* of the row: of each node in each round, in s; below 0: none */
    double slowest_s;  /* the largest of all medians; NAN: not known */
};

FAMILY_OF(bench_run, struct hosts, hosts_of)

/* Rounds of the row; and whom this rank meets in one of them. */
int hosts_rounds(const struct bench_run *r);
struct meeting hosts_meeting(const struct bench_run *r, int round);

extern const struct family hosts_family;
extern const struct flow flow_hosts;
extern const struct report report_hosts;

#endif
