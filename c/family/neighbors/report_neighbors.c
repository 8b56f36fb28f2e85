/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_neighbors.h"

#include "neighbors.h"
#include "report/report_kinds.h"

static void topology_lines(FILE *to, const struct bench_run *r,
                           const struct settings *s)
{
    const struct topology *t = &neighbors_of(r)->topology;

    (void)s;
    if (t->dimensions > 0) {
        fputs("Dimensions size = ", to);
        for (int d = 0; d < t->dimensions; d++)
            fprintf(to, "%d ", t->dim[d]);
        fputc('\n', to);
    }
    fprintf(to, "Time took to create topology graph:%.2f us.\n",
            1e6 * t->create_s);
}

const struct report report_neighbors = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .headline = collective_headline,
    .full = collective_full,
    .before = topology_lines,
};
const struct report report_neighbors_overlap = { REPORT_OVERLAP,
                                                 .before = topology_lines };
const struct report report_neighbors_persistent = { REPORT_PERSISTENT,
                                                    .before = topology_lines };
