/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_lines.h"

#include "topology.h"

static void pairs_and_window(FILE *to, const struct bench_run *r,
                             const struct settings *s, const char *direction)
{
    if (s->vary_window)
        fprintf(to,
                "# [ pairs: %d ] [ window size: varied ]\n\n"
                "# %s-directional Bandwidth (MB/sec)\n",
                r->pairs, direction);
    else
        fprintf(to, "# [ pairs: %d ] [ window size: %d ]\n", r->pairs,
                r->window);
}

void report_pairs_line(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    pairs_and_window(to, r, s, "Uni");
}

void report_pairs_line_both_ways(FILE *to, const struct bench_run *r,
                                 const struct settings *s)
{
    pairs_and_window(to, r, s, "Bi");
}

void report_overall_line(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)r;
    (void)s;
    fputs("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n", to);
}

void report_thread_lines(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)r;
    fprintf(to,
            "# Number of Sender threads: %d \n"
            "# Number of Receiver threads: %d\n",
            s->threads[0], s->threads[1]);
}

void report_process_lines(FILE *to, const struct bench_run *r,
                          const struct settings *s)
{
    (void)r;
    fprintf(to,
            "# Number of forked processes in sender: %d\n"
            "# Number of forked processes in receiver: %d\n",
            s->processes[0], s->processes[1]);
}

void report_topology_lines(FILE *to, const struct bench_run *r,
                           const struct settings *s)
{
    const struct topology *t = r->topology;

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

void report_init_line(FILE *to, const struct result *r)
{
    fprintf(to, "nprocs: %d, min: %.0f ms, max: %.0f ms, avg: %.0f ms\n",
            r->ranks, 1e3 * r->mean_min, 1e3 * r->mean_max, 1e3 * r->mean);
}

void report_steps(FILE *to, const struct result *r)
{
    fprintf(to, "# before_init: in steps of %.0fms;\n", 1e3 * r->tick_s);
    fprintf(to, "%-16s%18s%18s%18s\n", "# Step", "Mean(us)", "Min(us)",
            "Max(us)");
    for (int i = 0; i < r->nsteps; i++)
        fprintf(to, "%-16s%18.2f%18.2f%18.2f\n", r->step[i].name,
                1e6 * r->step[i].mean, 1e6 * r->step[i].min,
                1e6 * r->step[i].max);
}

void report_hello_line(FILE *to, const struct result *r)
{
    fprintf(to, "This is a test with %d processes\n", r->ranks);
}
