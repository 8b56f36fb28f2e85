/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include "base/simulation.h"
#include "data/gpu.h"
#include "job/interference.h"
#include "job/progress.h"
#include "timing/clock.h"

/* --- Who looks on, called one after the other at a moment: the first code that is not EXIT_OK
   counts, that of before included -------------------------------------------------------- */

/* Rank 0's code, on all ranks.  Collective. */
static enum exit_code told(const struct world *world, enum exit_code code)
{
    int of_all = code;

    PMPI_Bcast(&of_all, 1, MPI_INT, 0, world->comm);
    return (enum exit_code)of_all;
}

static enum exit_code first(enum exit_code code, enum exit_code next)
{
    return code == EXIT_OK ? next : code;
}

static enum exit_code watch_begin(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    EACH_WATCHER (w, begin)
        code = first(code, (*w)->begin(c));
    return code;
}

static enum exit_code watch_close(const struct context *c, enum exit_code code)
{
    EACH_WATCHER (w, close)
        code = first(code, (*w)->close(c, code));
    return code;
}

/* --- Where the ranks are, by which clock they measure, and what surrounds them ------------ */

/* Whose paths are meant, where the family does not say it. */
static struct placement_talk who_talks(const struct context *c)
{
    const struct plan plan = bench_plan(c->bench, c->settings);
    const bool hot = c->bench->parameter.kind == PARAMETER_PARTNERS;

    return (struct placement_talk){
        .among = hot || c->bench->timed == TIMED_ALL ? c->world->comm : MPI_COMM_NULL,
        .star = hot,
        .threads = plan.threads[c->run->sender ? 0 : 1],
    };
}

/* MPICH has a handle for each type; one that it was built without has no name. */
static bool has_name(MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;

    PMPI_Type_get_name(type, name, &length);
    return SIMULATED || length > 0;
}

/* The name of the first type of -T that this library has not, or declares but was built without;
   NULL: it has all. */
static const char *missing_type(const struct settings *s)
{
    for (int i = 0; i < s->ntypes; i++) {
        const MPI_Datatype type = datatype_of(s->types[i]);

        if (type == MPI_DATATYPE_NULL || !has_name(type))
            return element_name(s->types[i]);
    }
    return NULL;
}

/* What the command line leaves open: the file of -D, threads, the family's partners.  Collective;
   EXIT_OK, or the code to leave with, said why, alike on all ranks. */
static enum exit_code find_partners(struct setup *p, const struct context *c)
{
    const struct family *family = bench_family(c->bench);
    const struct settings *s = c->settings;
    const char *missing = missing_type(s);
    char why[300] = "";

    if (missing != NULL)
        return world_refuse(c->world, E18_MPI_LACKS, "-T: this MPI library has no type %s",
                            missing);
    if (bench_is_threaded(c->bench, c->settings) &&
        world_first(c->world, !c->world->startup->threads) < c->world->size)
        return world_refuse(c->world, E18_MPI_LACKS,
                            "this MPI library does not give MPI_THREAD_MULTIPLE");
    if (!derived_read(&s->derived, c->world->comm, &p->blocks, why, sizeof why))
        return world_refuse(c->world, E12_USAGE, "%s", why);
    *c->talk = who_talks(c);
    return family->begin != NULL ? family->begin(c) : EXIT_OK;
}

/* What the family refuses on these nodes. */
static enum exit_code check_nodes(const struct context *c)
{
    struct refusal refusal = { .why = "" };

    bench_refuse(c, &refusal);
    return refusal_print(&refusal, c->world->rank == 0);
}

static enum exit_code choose_clock(const struct context *c)
{
    if (clock_choose(c->settings->clock, c->world->comm, c->placement->node))
        return EXIT_OK;
    return world_refuse(c->world, E23_NO_TSC,
                        "--clock=tsc: the kernel of a node does not use the "
                        "time stamp counter as its clock");
}

/* Programs in which several ranks time an iteration that they begin together. */
static bool is_concerted(const struct bench *b)
{
    return bench_has_rows(b) && !(b->loop & (BACK_TO_BACK | SUMS_UP)) && b->timed != TIMED_RANK_0;
}

/* Global time, where it says something.  Its clock must not be another later. */
static void synchronise(struct job *job)
{
    struct context *c = &job->context;
    const bool skew = is_concerted(c->bench) && c->world->size > 1;

    if (!skew && (c->settings->start != START_CLOCK || !bench_has_rows(c->bench)))
        return;
    progress_phase("synchronizing clocks");
    /* All simulated nodes have one clock. */
    job->sync = clock_sync_begin(c->world->comm, SIMULATED ? c->world->comm : job->placement.node);
    c->sync = &job->sync;
    c->skewed = skew;
}

/* One line of key=value; pairs and never a bare number before a blank, which
   known readers of the table would take for a result. */
static void identify(struct job *job)
{
    const struct context *c = &job->context;
    /* The default is not named: only what differs from it is worth a look. */
    const bool as_usual =
        c->settings->start == START_DISSEMINATION && !settings_as_omb(c->settings);

    snprintf(job->identity, sizeof job->identity,
             "Alidade %s: ranks=%d; nodes=%d; path=%s; mem=%s-%s; bound=%s; "
             "%s%s%s%smpi=%s;%s%s%s%s%s",
             PACKAGE_VERSION, c->world->size, job->placement.nodes, job->placement.path,
             c->side[0]->letter, c->side[1]->letter, job->placement.bound, as_usual ? "" : "start=",
             as_usual ? "" : choice_word(settings_start_words, c->settings->start),
             as_usual ? "" : "; ", settings_as_omb(c->settings) ? "protocol=omb; " : "",
             c->world->library, c->world->startup->sessions ? " init=session;" : "",
             !this_gpu.used    ? ""
             : this_gpu.shared ? " gpu=shared;"
                               : " gpu=own;",
             c->device[0] != '\0' ? " device=" : "", c->device, c->device[0] != '\0' ? ";" : "");
}

/* The seed of --order=random: the one that was named, or any; 0: no random order.  Collective. */
static unsigned long seed_of(const struct context *c)
{
    const struct settings *s = c->settings;
    unsigned long seed = 0;

    if (!(c->bench->takes & TAKES_SIZES) || s->order != ORDER_RANDOM)
        return 0;
    seed = s->seed != 0 ? s->seed : (unsigned long)clock_now() % 1000000 + 1;
    PMPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG, 0, c->world->comm);
    return seed;
}

/* Place the ranks, choose and synchronise clocks, collect the environment, and let job->context
   lead to all of it.  Partners are known.  Collective; EXIT_OK, or the code to leave with, said
   why, alike on all ranks. */
static enum exit_code look_around(struct job *job)
{
    struct context *c = &job->context;
    const struct cpu_share share = interference_share(false);
    enum exit_code code;

    progress_phase("placement");
    /* With those of the MPI library that poll. */
    job->talk.threads = share.polling + (job->talk.threads > 1 ? job->talk.threads : 1);
    job->talk.cpu_share = share.own;
    job->talk.peer = c->run->peer;
    placement_find(&job->placement, c->world, &job->talk);
    c->known = KNOWN_NODES;
    code = check_nodes(c);
    if (code == EXIT_OK)
        code = choose_clock(c);
    if (code != EXIT_OK)
        return code;
    EACH_WATCHER (w, placed)
        (*w)->placed(c, &job->around);
    job->clock = clock_describe();
    synchronise(job);
    /* Where ranks share few of the caches, pools are larger than need be. */
    c->pool = buffer_pool_bytes(c->settings, job->placement.cache_bytes,
                                (job->placement.node_size + job->placement.caches - 1) /
                                    job->placement.caches);
    c->seed = seed_of(c);
    identify(job);
    return EXIT_OK;
}

/* Of what is not known, nothing. */
static void look_around_end(struct job *job)
{
    if (job->context.sync != NULL)
        clock_sync_end(&job->sync);
    if (job->placement.node != MPI_COMM_NULL) {
        hardware_release(&job->placement.hardware);
        PMPI_Comm_free(&job->placement.node);
    }
}

/* --- The run -------------------------------------------------------------------------------- */

enum exit_code run_refused(const struct bench *b, const struct settings *s, int argc, char **argv,
                           enum exit_code code)
{
    const struct context c = { .bench = b, .settings = s, .argc = argc, .argv = argv };

    if (code != EXIT_OK) {
        watch_begin(&c);
        code = watch_close(&c, code);
    }
    return launch_leave(code);
}

static enum exit_code end_mpi(struct job *job, enum exit_code code)
{
    progress_phase("MPI_Finalize; results are complete");
    progress.ending = true;
    PMPI_Comm_free(&job->world.comm);
    return world_start_end(job->world.startup, code);
}

/* Before any other process waits for this one. */
static enum exit_code start_mpi(struct job *job, struct world_start *startup, int *argc,
                                char ***argv)
{
    const struct bench *b = job->context.bench;
    const struct settings *s = job->context.settings;
    enum exit_code code;

    progress_begin(launch_rank());
    code = watch_begin(&job->context);
    if (code != EXIT_OK)
        return code;
    world_start_begin(startup, run_how(b, s), argc, argv);
    code = world_begin(&job->world, startup);
    return code == EXIT_OK ? EXIT_OK : end_mpi(job, code);
}

/* Does what was asked for go with what was started, and can it be written?  Errors of the
   user come before any work. */
static enum exit_code check_job(struct job *job, struct settings *s)
{
    const struct context *c = &job->context;
    enum exit_code code = command_line_check_ranks(c->bench, s, job->world.size, job->world.comm,
                                                   job->world.rank == 0);

    EACH_WATCHER (w, open)
        if (code == EXIT_OK)
            code = told(c->world, (*w)->open(c));
    return code;
}

/* List, set up, measure: what a program with a table does. */
static enum exit_code run_rows(struct job *job)
{
    enum exit_code code = rows_list(&job->rows, &job->setup, &job->context);

    if (code == EXIT_OK)
        code = setup_loop(&job->setup, &job->context, &job->rows, &job->measure);
    if (code == EXIT_OK) {
        output_title(&job->context);
        code = measure_rows(job);
    }
    return code;
}

/* Some families have one figure in place of a table. */
static enum exit_code run_whole(struct job *job)
{
    const struct context *c = &job->context;
    enum exit_code code =
        bench_has_loop(c->bench) ? setup_loop(&job->setup, c, &job->rows, &job->measure) : EXIT_OK;

    return code == EXIT_OK ? c->bench->family->run(c, &job->measure) : code;
}

/* It leads to the parts of the job, which are filled later. */
static void begin_context(struct job *job, const struct bench *b, const struct settings *s,
                          int argc, char **argv)
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

/* The largest code of all ranks, with which every rank will leave.  If it is not EXIT_OK, and no
   rank has printed an error since message_printed was cleared, it is that of E41.  Gathered, not
   reduced: what no rank has cannot come of it. */
static enum exit_code conclude(const struct world *world, enum exit_code code)
{
    const int mine[] = { code, message_printed };
    const int ranks = world->rank == 0 ? world->size : 0;
    int(*const of)[2] = world_gather(world->comm, mine, sizeof mine, "exit codes");
    int worst = 0, printed = 0;

    for (int i = 0; i < ranks; i++) {
        worst = of[i][0] > of[worst][0] ? i : worst;
        printed |= of[i][1];
    }
    code = of != NULL ? (enum exit_code)of[worst][0] : code;
    if (ranks > 0 && code != EXIT_OK && !printed)
        code =
            message_print(E41_WRONG_RESULT, "no rank says why rank=%d ends with exit code=%d (%s)",
                          worst, code, message_reason(code));
    return told(world, code);
}

enum exit_code run_program(const struct bench *b, struct settings *s, struct world_start *startup,
                           int argc, char **argv, struct verified *sum)
{
    struct job job = { .placement.node = MPI_COMM_NULL,
                       .around.limits = &job.limits,
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
    if (code == EXIT_OK) {
        placement_split(&job.placement, job.world.comm);
        code = find_partners(&job.setup, c);
    }
    if (code == EXIT_OK)
        code = look_around(&job);
    if (code == EXIT_OK) {
        report_table(&job.table, b, s);
        EACH_WATCHER (w, ready)
            code = first(code, (*w)->ready(c));
        code = told(&job.world, code);
    }
    if (code == EXIT_OK)
        code = bench_family(b)->run != NULL ? run_whole(&job) : run_rows(&job);

    code = conclude(&job.world, code);
    const struct ending ending = {
        .code = code,
        .complete = code == EXIT_OK && job.rows.left_out == 0,
        .rows = job.rows.begun != 0 ? &job.rows : NULL,
    };
    EACH_WATCHER (w, end)
        code = first(code, (*w)->end(c, &ending));
    if (job.world.rank == 0)
        code = output_flush(code);
    code = told(&job.world, code);
    setup_release(&job.setup, c);
    if (sum != NULL)
        rows_add_up(&job.rows, sum);
    look_around_end(&job);
    /* Rank 0 goes on after MPI_Finalize, as MPI grants it: nobody waits. */
    return watch_close(c, end_mpi(&job, code));
}
