/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - what the results of an examination of hosts say: what is odd, what the
 *              values were, and what was not measured.
 *
 * There are three kinds of evidence:
 *
 *   values    latency and bw within each host, and noise: a host is compared with its like
 *             (host_series.h).
 *   runs      what runs name themselves: outliers of pair_matrix and pair_bw, values that
 *             cannot be right (named_by_runs.h).
 *   facts     what where found to hinder MPI, hosts that differ in kernel, processor or MPI,
 *             and programs that failed.
 *
 * What is measured while ranks share CPUs is listed, and makes nothing odd.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "host_series.h"
#include "results/variant.h"

enum { FINDING_TEXT = 480 };

enum finding_kind {
    FINDING_NETWORK, /* a host, or a pair of them, is slow to others */
    FINDING_WITHIN,  /* a host is slow by itself */
    FINDING_NOISE,
    FINDING_VALUE, /* that cannot be right */
    FINDING_FACT,  /* a host is set up in another way */
    FINDING_FAILED
};

struct finding {
    enum finding_kind kind;
    char host[HOST_NAME], partner[HOST_NAME]; /* "": of all, none */
    const char *benchmark; /* of the results; "": of several */
    char what[FINDING_TEXT], evidence[FINDING_TEXT]; /* a sentence each */
    double ratio;       /* to typical; 0: unknown */
    int runs, of;       /* that name it; of 0: a fact */
    bool on_most_hosts; /* so that none is odd among its like */
};

/* A part that has no result. */
struct left_out {
    const char *part, *reason, *command;
    const char
        *host; /* why it has none; "": not a host's fault, as far as is known */
    int status; /* exit code; 0: it was not started; 124: its time was over */
};

struct findings {
    const struct variant *of;
    struct host_series_list values;
    struct finding *odd; /* the greatest first; what most hosts have last */
    size_t n;
    char (*host)[HOST_NAME]; /* in order of appearance */
    size_t hosts;
    struct left_out *left_out;
    size_t parts_left_out;
    size_t verified; /* number of rows with verified data */
    char *text;      /* of the file of parts */
};

/*
 * Read the results of s, which must live longer, and the file of parts without results
 * (NULL: none): a line for each, of name, exit code, reason, command and host with tabs between.
 * False: why[] says what is wrong; release it all the same.
 */
bool findings_make(struct findings *f, const struct variant *s,
                   const char *left_out, char why[WHY]);
void findings_release(struct findings *f);

/* A host that is examined, once. */
void findings_host(struct findings *f, const char *host);

/* One more in a list of n, empty. */
struct finding *findings_add(struct finding **list, size_t *n);

/* Was anything measured but how hosts are set up? */
bool findings_measured(const struct findings *f);

/* How many runs of some part can be compared between all of its hosts; RUNS_AGREE of them find
   a host that is worse than others. */
size_t findings_runs(const struct findings *f);

/* Number of findings by which something is odd. */
size_t findings_odd(const struct findings *f);

#endif
