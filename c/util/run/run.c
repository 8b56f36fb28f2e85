/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "command_line.h"
#include "job.h"
#include "job/launch.h"
#include "job/progress.h"
#include "job/world.h"
#include "machine/hardware.h"
#include "machine/interference.h"
#include "measure_rows.h"
#include "memory/gpu.h"
#include "rows_list.h"
#include "timing/clock.h"
#include "watch.h"

/* --- Before MPI runs ---------------------------------------------------------------------- */

unsigned run_how(const struct bench *b, const struct settings *s)
{
    return (s->session ? STARTUP_BY_SESSION : 0) |
           (b->takes & TAKES_STEPS ? STARTUP_BARRIERS : 0) |
           (bench_is_threaded(b, s) ? STARTUP_THREADS : 0);
}

enum exit_code run_read_sizes(const char *program, struct settings *s,
                              const struct world *world)
{
    const char *const path = s->sizes.file, *why;
    char host[HOST_NAME_MAX + 1] = "", *text;

    if (path == NULL)
        return EXIT_OK;
    text = world == NULL ? proc_text(path) : world_read_file(path, world->comm);
    why = text != NULL ? sizes_take_list(text, &s->sizes) : strerror(errno);
    free(text);
    if (why == NULL)
        return EXIT_OK;
    gethostname(host, sizeof host);
    if (world != NULL ? world->rank == 0 : launch_rank() == 0)
        message_print(E12_USAGE, program,
                      "--sizes=@%.1000s: %s (read on host=%s;)", path, why,
                      host);
    return EXIT_USAGE;
}

/* --- Where the ranks are, by which clock they measure, and what surrounds them ------------ */

/* What the family refuses on these nodes. */
static enum exit_code check_nodes(const struct context *c)
{
    struct refusal refusal = { .why = "" };

    bench_refuse(c, &refusal);
    return refusal_print(&refusal, c->bench->name, c->world->rank == 0);
}

static enum exit_code choose_clock(const struct context *c)
{
    if (clock_choose(c->settings->clock, c->world->comm, c->placement->node))
        return EXIT_OK;
    return world_refuse(c->world, E23_NO_TSC, c->bench->name,
                        "--clock=tsc: the kernel of a node does not use the "
                        "time stamp counter as its clock");
}

static void warn_of_binding(const struct context *c)
{
    const struct placement *at = c->placement;
    const struct binding_threads *t = &at->threads;

    if (at->shared.n > 0)
        message_print(W07_BINDING, c->bench->name,
                      "ranks share cores (ranks=%s; CPUs=%s; host=%s;)",
                      at->shared.ranks, at->shared.cpus, at->shared.host);
    else if (at->drifting > 0)
        message_print(W07_BINDING, c->bench->name,
                      "ranks are not bound, and may move among the NUMA nodes "
                      "of their node (ranks=%d of %d;)",
                      at->drifting, c->world->size);
    if (t->threads > 0 && t->rank >= 0)
        message_print(W37_THREADS, c->bench->name,
                      "more threads than CPUs (rank=%d; threads=%d; CPUs=%d; "
                      "host=%s;)",
                      t->rank, t->threads, t->cpus, t->host);
    else if (t->threads > 0)
        message_print(W37_THREADS, c->bench->name,
                      "more threads than CPUs (threads of all ranks=%d; usable "
                      "CPUs=%d; host=%s;)",
                      t->threads, t->cpus, t->host);
}

/* Does something else run on the CPUs of ranks that have one each?  Collective. */
static void warn_of_load(const struct context *c, double share)
{
    static const double MUCH = 0.8;
    const struct placement *at = c->placement;
    const bool alone = !at->lacks_cpus && !at->oversubscribed &&
                       at->shared.n == 0 && at->threads.threads == 0;
    const int first = world_first(c->world, alone && share < MUCH);
    char host[HOST_NAME_MAX + 1] = "";

    gethostname(host, sizeof host);
    if (first == c->world->rank)
        message_print(W40_FOREIGN_LOAD, c->bench->name,
                      "other processes use the CPUs of the ranks (rank=%d; "
                      "its share of the CPU=%.2f; host=%s;)",
                      first, share, host);
}

/* The samples of the row that has the fewest. */
static long fewest_samples(const struct settings *s)
{
    size_t bytes = s->sizes.min;
    long fewest = sizes_count(&s->iterations, bytes);

    while (sizes_next(&s->sizes, &bytes)) {
        const long n = sizes_count(&s->iterations, bytes);

        fewest = n < fewest ? n : fewest;
    }
    return fewest;
}

static void warn_of_percentiles(const char *program, const struct settings *s)
{
    const long iterations =
        s->iterations.steps > 0 ? fewest_samples(s) : LONG_MAX;

    for (int i = 0; i < s->npercentiles; i++) {
        const double needed = 1 / (1 - s->percentiles[i] / 100);

        if (isfinite(needed) && needed > (double)iterations + 1e-6) {
            message_print(W22_FEW_SAMPLES, program,
                          "percentile=%g; needs samples=%.0f; there are=%ld; "
                          "the slowest is printed",
                          s->percentiles[i], ceil(needed - 1e-6), iterations);
            return;
        }
    }
}

static void warn(const struct context *c)
{
    const struct settings *s = c->settings;
    const struct placement *at = c->placement;

    if (c->world->rank != 0)
        return;
    warn_of_binding(c);
    if (at->lacks_cpus)
        message_print(W08_OVERSUBSCRIBED, c->bench->name,
                      "more ranks than CPUs (ranks per node=%d; usable "
                      "CPUs=%d;)",
                      at->max_node_size, at->usable_cpus);
    /* Other patterns of pairs cross the machine as they are meant to. */
    if (c->bench->takes & TAKES_PAIRING && at->within_nodes > 0 &&
        at->between_nodes > 0)
        message_print(W03_MIXED_PAIRS, c->bench->name,
                      "pairs on one node=%d; pairs between nodes=%d;",
                      at->within_nodes, at->between_nodes);
    if (at->mpi_nodes != at->nodes && getenv("ALIDADE_NODE_ID") == NULL)
        message_print(W21_SHARED_MEMORY, c->bench->name,
                      "nodes by their kernel=%d; by MPI=%d;", at->nodes,
                      at->mpi_nodes);
    warn_of_percentiles(c->bench->name, s);
}

/* Programs in which several ranks time an iteration that they begin together. */
static bool is_concerted(const struct bench *b)
{
    return bench_has_rows(b) && !(b->loop & (BACK_TO_BACK | SUMS_UP)) &&
           b->timed != TIMED_RANK_0;
}

/* Global time, where it says something.  Its clock must not be another later. */
static void synchronise(struct job *job)
{
    struct context *c = &job->context;
    const bool skew = is_concerted(c->bench) && c->world->size > 1;

    if (!skew &&
        (c->settings->start != START_CLOCK || !bench_has_rows(c->bench)))
        return;
    progress_phase("synchronizing clocks");
    /* All simulated nodes have one clock. */
    job->sync = clock_sync_begin(
        c->world->comm, SIMULATED ? c->world->comm : job->placement.node);
    clock_sync_fit(&job->sync);
    c->sync = &job->sync;
    c->skewed = skew;
}

/* What a bandwidth can be at most.  What one node sends to all others, or receives, its own
   links carry; what goes one way leaves half of the nodes; what goes both ways, all. */
static double best_of(const struct context *c,
                      const struct plausible_limits *limits, bool star)
{
    const char *path = c->placement->path;

    if (strcmp(path, "inter-node") == 0)
        return star ? limits->link / c->placement->nodes
               : c->bench->report->both_ways ? limits->link
                                             : limits->link / 2;
    /* A GPU's memory is faster than what ranks copy. */
    return strcmp(path, "mixed") == 0 || c->side[0]->on_gpu ||
                   c->side[1]->on_gpu
               ? 0
               : limits->copy;
}

/* What the ranks of this job, and links, can move at most; all ranks ask. */
static struct plausible_limits find_limits(const struct context *c, double link,
                                           bool star)
{
    double most[2] = { capacity_copy(), link };
    int silent = c->placement->node_rank == 0 && link == 0;

    PMPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_SUM, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &silent, 1, MPI_INT, MPI_MAX, c->world->comm);
    struct plausible_limits limits = {
        .copy = most[0],
        .link = !silent && strcmp(c->placement->path, "inter-node") == 0
                    ? most[1]
                    : 0,
    };
    limits.best = best_of(c, &limits, star);
    return limits;
}

/* One line of key=value; pairs and never a bare number before a blank, which
   known readers of the table would take for a result. */
static void identify(struct job *job)
{
    const struct context *c = &job->context;
    /* The default is not named: only what differs from it is worth a look. */
    const bool as_usual = c->settings->start == START_DISSEMINATION &&
                          !settings_as_omb(c->settings);

    snprintf(
        job->identity, sizeof job->identity,
        "Alidade %s: ranks=%d; nodes=%d; path=%s; mem=%s-%s; bound=%s; "
        "%s%s%s%smpi=%s;%s%s%s%s%s",
        PACKAGE_VERSION, c->world->size, job->placement.nodes,
        job->placement.path, c->side[0]->letter, c->side[1]->letter,
        job->placement.bound, as_usual ? "" : "start=",
        as_usual ? "" : choice_word(settings_start_words, c->settings->start),
        as_usual ? "" : "; ",
        settings_as_omb(c->settings) ? "protocol=omb; " : "", c->world->library,
        c->world->startup->sessions ? " init=session;" : "",
        !this_gpu.used    ? ""
        : this_gpu.shared ? " gpu=shared;"
                          : " gpu=own;",
        c->device[0] != '\0' ? " device=" : "", c->device,
        c->device[0] != '\0' ? ";" : "");
}

/* Place the ranks, choose and synchronise clocks, collect the environment, and let job->context
   lead to all of it; warn of what can be known beforehand.  Partners are known.  Collective;
   EXIT_OK, or the code to leave with, said why, alike on all ranks. */
static enum exit_code look_around(struct job *job)
{
    struct context *c = &job->context;
    struct setup *p = &job->setup;
    const struct cpu_share share = interference_share(false);
    enum exit_code code;

    progress_phase("placement");
    /* With those of the MPI library that poll. */
    job->talk.threads =
        share.polling + (job->talk.threads > 1 ? job->talk.threads : 1);
    job->talk.peer = c->run->peer;
    placement_find(&job->placement, c->world, &job->talk);
    c->known = KNOWN_NODES;
    code = check_nodes(c);
    if (code == EXIT_OK)
        code = choose_clock(c);
    if (code != EXIT_OK)
        return code;
    warn(c);
    warn_of_load(c, share.own);
    watch_placed(c, &job->around);
    job->clock = clock_describe();
    synchronise(job);
    job->limits = find_limits(c, job->around.link, job->talk.star);
    /* Where ranks share few of the caches, pools are larger than need be. */
    p->cache_ranks = (job->placement.node_size + job->placement.caches - 1) /
                     job->placement.caches;
    p->cache_bytes = job->placement.cache_bytes;
    c->pool = buffer_pool_bytes(c->settings, p->cache_bytes, p->cache_ranks);
    c->seed = rows_seed(c);
    identify(job);
    return EXIT_OK;
}

/* Of what is not known, nothing. */
static void look_around_end(struct job *job)
{
    if (job->context.sync != NULL)
        clock_sync_end(&job->sync);
    if (job->placement.node != MPI_COMM_NULL)
        placement_release(&job->placement);
}

/* --- The run -------------------------------------------------------------------------------- */

/* Before any other process waits for this one. */
static enum exit_code start_mpi(struct job *job, struct startup *startup,
                                int *argc, char ***argv)
{
    const struct bench *b = job->context.bench;
    const struct settings *s = job->context.settings;
    enum exit_code code;

    progress_begin(b->name, launch_rank());
    code = watch_begin(&job->context);
    if (code == EXIT_OK)
        return world_begin(&job->world, startup, b->name, run_how(b, s), argc,
                           argv);
    return code;
}

/* Does what was asked for go with what was started, and can it be written?  Errors of the
   user come before any work. */
static enum exit_code check_job(struct job *job, struct settings *s)
{
    const struct context *c = &job->context;
    const char *name = c->bench->name;
    enum exit_code code = run_read_sizes(name, s, &job->world);

    if (code == EXIT_OK)
        code = command_line_check_ranks(c->bench, c->settings, job->world.size,
                                        job->world.rank == 0);
    if (code == EXIT_OK)
        code = watch_open(c);
    return code;
}

static enum exit_code set_up(struct job *job)
{
    const struct context *c = &job->context;
    enum exit_code code;

    progress_phase("memory");
    code = setup_memory(&job->setup, c, rows_largest(&job->rows));
    if (code == EXIT_OK)
        code = world_agree_memory(c->world, c->bench->name,
                                  measure_begin(&job->measure),
                                  "buffers or samples");
    return code == EXIT_OK ? setup_loop(&job->setup, c) : code;
}

/* List, set up, measure: what a program with a table does. */
static enum exit_code run_rows(struct job *job)
{
    enum exit_code code =
        rows_list_fitting(&job->rows, &job->setup, &job->context);

    if (code == EXIT_OK)
        code = set_up(job);
    if (code == EXIT_OK) {
        output_title(&job->context);
        slots_say(&job->setup, &job->context, &job->rows);
        code = measure_rows(job);
    }
    return code;
}

/* Some families have one figure in place of a table. */
static enum exit_code run_whole(struct job *job)
{
    const struct context *c = &job->context;
    enum exit_code code = bench_has_loop(c->bench) ? set_up(job) : EXIT_OK;

    return code == EXIT_OK ? c->bench->family->run(c, &job->measure) : code;
}

/* It leads to the parts of the job, which are filled later. */
static void begin_context(struct job *job, const struct bench *b,
                          const struct settings *s, int argc, char **argv)
{
    job->context = (struct context){ .bench = b,
                                     .settings = s,
                                     .argc = argc,
                                     .argv = argv,
                                     .known = KNOWN_OPTIONS,
                                     .world = &job->world,
                                     .run = &job->setup.run,
                                     .side = job->setup.side,
                                     .talk = &job->talk,
                                     .placement = &job->placement,
                                     .clock = &job->clock,
                                     .limits = &job->limits,
                                     .device = job->around.device,
                                     .identity = job->identity,
                                     .table = &job->table };
}

enum exit_code run_program(const struct bench *b, struct settings *s,
                           struct startup *startup, int argc, char **argv,
                           struct verified *sum)
{
    struct job job = { .placement.node = MPI_COMM_NULL,
                       .measure.context = &job.context };
    struct context *c = &job.context;
    enum exit_code code;

    begin_context(&job, b, s, argc, argv);
    message_printed = false; /* by a program before it in the job */
    code = start_mpi(&job, startup, &argc, &argv);
    if (code != EXIT_OK)
        return watch_close(c, code);
    c->known = KNOWN_RANKS;
    setup_describe(&job.setup, c);

    code = check_job(&job, s);
    if (code == EXIT_OK)
        code = setup_partners(&job.setup, c);
    if (code == EXIT_OK)
        code = look_around(&job);
    if (code == EXIT_OK) {
        report_table(&job.table, b, s);
        code = watch_ready(c);
    }
    if (code == EXIT_OK)
        code = bench_family(b)->run != NULL ? run_whole(&job) : run_rows(&job);

    code = world_conclude(&job.world, b->name, code);
    const struct ending ending = {
        .code = code,
        .complete = code == EXIT_OK && job.rows.left_out == 0,
        .rows = job.rows.begun != 0 ? &job.rows : NULL,
    };
    code = output_close(c, &ending);
    /* What families record is in their state until here. */
    measure_end(&job.measure);
    setup_release(&job.setup, c);
    if (sum != NULL)
        rows_add_up(&job.rows, sum);
    rows_release(&job.rows);
    look_around_end(&job);
    /* Rank 0 goes on after MPI_Finalize, as MPI grants it: nobody waits. */
    return watch_close(c, world_end(&job.world, code));
}
