/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts.h - round trips of the first two ranks of each node, or of the first ranks of the nodes in
 *           rounds, on all nodes at the same time: hosts.
 *
 * A row has so many rounds; of no rounds it is within nodes, one meeting of two ranks.  The time of
 * a node is the lower median of its meetings, each of which is the median over iterations, as the
 * first rank of the node measured it.  Nothing is judged here: JSON has all of it, and in what
 * hosts should not differ, for each set of hosts that are alike (environment_host).
 */
#ifndef HOSTS_H
#define HOSTS_H

#include "data/flow.h"
#include "family.h"
#include "meetings.h"
#include "report/report.h"
#include "schedule/schedule.h"

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
