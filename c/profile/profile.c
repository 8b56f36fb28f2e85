/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.c - which calls of MPI an application makes, how often, and how long they take
 *
 * A library that alidade record preloads.  Each rank adds up its calls in one table of fixed size:
 * an entry for each function, power of two of bytes, and size of the communicator in ranks and
 * nodes.  MPI_Finalize merges the tables along a binary tree, and rank 0 writes one JSON file.
 *
 * Between MPI_Init and MPI_Finalize nothing is allocated.  What MPI itself calls, and what its
 * callbacks call, is part of the call that the application made.
 *
 * A job that does not reach MPI_Finalize leaves a file, too, which says why it is not complete:
 * that which rank 0 wrote in MPI_Init, or what one rank could write down as it ended.
 *
 * ALIDADE_RECORD: the file; without it nothing is recorded.
 */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "timing/clock.h"

/* Hidden is what the suite's own programs have as well. */
#pragma GCC visibility push(default)

/* --- The table of a rank ------------------------------------------------------------- */

enum {
    SECONDS_TO_BEGIN = 60, /* until all ranks have */
    CELLS = 4096,          /* of a rank; a power of two */
    PLACES = 256,          /* sizes of communicators, in ranks and nodes */
    HANDLES = 1024 /* communicators and windows of which the place is known; a power of two */
};

/* call: its number, by name_of.  step: 0 for 0 bytes, else 1 + the power of two.  place: index of
   its ranks and nodes.  ticks: of the clock, all calls together; shortest:
   one of them. */
struct cell {
    bool is_used;
    uint8_t step, place;
    uint16_t call;
    uint64_t count, bytes;
    clock_ticks ticks, shortest;
};

/* What rank and nodes of a communicator are; 0 where there is none. */
struct place {
    int ranks, nodes;
};

/* Handles are integers or pointers. */
struct known {
    uint64_t handle;
    bool is_window, is_used;
    uint8_t place;
};

/*
 * recording: between MPI_Init and MPI_Finalize, but where MPI_Pcontrol(0) was called.  ended: the
 * file is written, or this is the end.  node_of: of each rank of MPI_COMM_WORLD.  lost: calls that
 * found the table full.
 */
static struct {
    bool recording, begun, ended, locks;
    char file[PATH_MAX], library[128];
    ino_t first_file; /* of rank 0, from MPI_Init */
    int rank, ranks, nodes;
    int *node_of, *members, *numbers;
    bool *is_node;
    MPI_Comm comm;
    MPI_Group world;
    clock_ticks begin;
    struct cell cell[CELLS];
    struct place place[PLACES];
    int places;
    struct known known[HANDLES];
    uint64_t lost;
    pthread_mutex_t lock;
} own = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Calls within calls; initial-exec, since it is read twice a call. */
static __thread int depth __attribute__((tls_model("initial-exec")));

static const char *name_of(int call);

/* Several threads may call at once only if the application asked for that. */
static void lock(void)
{
    if (own.locks)
        pthread_mutex_lock(&own.lock);
}

static void unlock(void)
{
    if (own.locks)
        pthread_mutex_unlock(&own.lock);
}

static int step_of(uint64_t bytes)
{
    return bytes == 0 ? 0 : 64 - __builtin_clzll(bytes);
}

static void add(int call, uint64_t bytes, int place, clock_ticks ticks)
{
    const int step = step_of(bytes);
    unsigned at = (call * 2654435761u ^ step * 40503u ^ place * 9973u) % CELLS;

    for (int tried = 0; tried < CELLS; tried++, at = (at + 1) % CELLS) {
        struct cell *cell = &own.cell[at];
        if (!cell->is_used)
            *cell = (struct cell){
                .is_used = true, .step = step, .place = place, .call = call, .shortest = ticks
            };
        if (cell->call == call && cell->step == step && cell->place == place) {
            cell->count++;
            cell->bytes += bytes;
            cell->ticks += ticks;
            if (ticks < cell->shortest)
                cell->shortest = ticks;
            return;
        }
    }
    own.lost++;
}

/* --- Where a call happens ------------------------------------------------------------ */

enum { nowhere };

static uint8_t place_of(int ranks, int nodes)
{
    for (int i = 0; i < own.places; i++)
        if (own.place[i].ranks == ranks && own.place[i].nodes == nodes)
            return i;
    /* The last one has all others. */
    if (own.places == PLACES)
        return PLACES - 1;
    own.place[own.places] = (struct place){ ranks, nodes };
    return own.places++;
}

/* Ranks of other jobs, which an intercommunicator or MPI_Comm_spawn brings, count as one node. */
static int nodes_of(MPI_Group group, int ranks)
{
    int nodes = 0;

    if (ranks > own.ranks)
        return own.nodes + 1;
    PMPI_Group_translate_ranks(group, ranks, own.numbers, own.world, own.members);
    memset(own.is_node, 0, own.ranks + 1);
    for (int i = 0; i < ranks; i++) {
        const int node = own.members[i] == MPI_UNDEFINED ? own.ranks : own.node_of[own.members[i]];
        nodes += !own.is_node[node];
        own.is_node[node] = true;
    }
    return nodes;
}

static uint8_t place_of_group(MPI_Group *group)
{
    int ranks;

    PMPI_Group_size(*group, &ranks);
    const uint8_t place = place_of(ranks, nodes_of(*group, ranks));
    PMPI_Group_free(group);
    return place;
}

static struct known *known_of(uint64_t handle, bool is_window)
{
    return &own.known[((handle >> 4 ^ handle) * 2654435761u + is_window) % HANDLES];
}

static uint64_t number_of(const void *handle, size_t size)
{
    uint64_t number = 0;

    memcpy(&number, handle, size);
    return number;
}

/* The ranks of an intercommunicator are those that messages go to. */
static int comm(MPI_Comm of)
{
    const uint64_t handle = number_of(&of, sizeof of);
    struct known *known = known_of(handle, false);
    int is_inter;
    MPI_Group group;

    /* MPI itself says that this is an error. */
    if (of == MPI_COMM_NULL)
        return 0;
    lock();
    if (!known->is_used || known->handle != handle || known->is_window) {
        PMPI_Comm_test_inter(of, &is_inter);
        is_inter ? PMPI_Comm_remote_group(of, &group) : PMPI_Comm_group(of, &group);
        *known = (struct known){ handle, false, true, place_of_group(&group) };
    }
    const int place = known->place;
    unlock();
    return place;
}

/* What is sent to MPI_PROC_NULL goes nowhere. */
static int to(int rank, MPI_Comm of)
{
    return rank == MPI_PROC_NULL ? nowhere : comm(of);
}

static int window(MPI_Win of)
{
    const uint64_t handle = number_of(&of, sizeof of);
    struct known *known = known_of(handle, true);
    MPI_Group group;

    if (of == MPI_WIN_NULL)
        return 0;
    lock();
    if (!known->is_used || known->handle != handle || !known->is_window) {
        PMPI_Win_get_group(of, &group);
        *known = (struct known){ handle, true, true, place_of_group(&group) };
    }
    const int place = known->place;
    unlock();
    return place;
}

/* A handle that is freed may come back with other ranks. */
static int freed(void)
{
    lock();
    memset(own.known, 0, sizeof own.known);
    unlock();
    return nowhere;
}

/* --- How many bytes it moves --------------------------------------------------------- */

static uint64_t bytes(int64_t count, MPI_Datatype type)
{
    MPI_Count size = 0;

    if (count <= 0 || type == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size_x(type, &size);
    return (uint64_t)count * (size > 0 ? size : 0);
}

/* Counts are int, or MPI_Count in functions of large counts. */
static int64_t count_at(const void *counts, bool are_large, int i)
{
    return are_large ? ((const MPI_Count *)counts)[i] : ((const int *)counts)[i];
}

static uint64_t total(const void *counts, bool are_large, int n, MPI_Datatype type)
{
    int64_t all = 0;

    for (int i = 0; i < n; i++)
        all += count_at(counts, are_large, i);
    return bytes(all, type);
}

static uint64_t total_of(const void *counts, bool are_large, int n, const MPI_Datatype *types)
{
    uint64_t all = 0;

    for (int i = 0; i < n; i++)
        all += bytes(count_at(counts, are_large, i), types[i]);
    return all;
}

static uint64_t total_of_f(const int *counts, int n, const MPI_Fint *types)
{
    uint64_t all = 0;

    for (int i = 0; i < n; i++)
        all += bytes(counts[i], MPI_Type_f2c(types[i]));
    return all;
}

/* How many neighbors this rank sends to. */
static int neighbors(MPI_Comm of)
{
    int kind, in, out, weighted;

    PMPI_Topo_test(of, &kind);
    if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(of, &in, &out, &weighted);
    } else if (kind == MPI_CART) {
        PMPI_Cartdim_get(of, &out);
        out *= 2;
    } else {
        PMPI_Comm_rank(of, &in);
        PMPI_Graph_neighbors_count(of, in, &out);
    }
    return out;
}

/* What stands in the table of calls; place is that of the call. */
#define ARE_LARGE(counts)  _Generic((counts), const MPI_Count * : true, default : false)
#define RANKS_THERE        own.place[place].ranks
#define sum(counts, type)  total(counts, ARE_LARGE(counts), RANKS_THERE, type)
#define all(count, type)   (bytes(count, type) * RANKS_THERE)
#define mean(counts, type) (sum(counts, type) / (RANKS_THERE > 0 ? RANKS_THERE : 1))
#define mean_of(counts, types)                                                                     \
    (total_of(counts, ARE_LARGE(counts), RANKS_THERE, types) / (RANKS_THERE > 0 ? RANKS_THERE : 1))
#define mean_of_f(counts, types)                                                                   \
    (total_of_f(counts, RANKS_THERE, types) / (RANKS_THERE > 0 ? RANKS_THERE : 1))
#define to_each(counts, type, of) each_of(counts, ARE_LARGE(counts), type, neighbors(of))

static uint64_t each_of(const void *counts, bool are_large, MPI_Datatype type, int n)
{
    return n > 0 ? total(counts, are_large, n, type) / n : 0;
}

static bool in_place(const void *buffer)
{
    return buffer == MPI_IN_PLACE;
}

/* MPI_IN_PLACE of Fortran is the address of a variable, or what a pointer of MPICH holds. */
extern int mpi_fortran_in_place_ __attribute__((weak));
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));

static bool in_place_f(const void *buffer)
{
    return buffer == &mpi_fortran_in_place_ ||
           (&MPIR_F_MPI_IN_PLACE != NULL && buffer == MPIR_F_MPI_IN_PLACE);
}

/* --- The tables of all ranks --------------------------------------------------------- */

/* to has room for CELLS entries: those of this rank, in the order of their keys.  Returns how
   many. */
static int list(struct entry *to)
{
    int n = 0;

    for (const struct cell *cell = own.cell; cell < own.cell + CELLS; cell++) {
        const struct place at = own.place[cell->place];
        const double seconds = clock_seconds(cell->ticks);
        if (cell->is_used)
            to[n++] = (struct entry){
                cell->call,  cell->step, at.ranks,
                at.nodes,    1,          cell->count,
                cell->bytes, seconds,    clock_seconds(cell->shortest),
                seconds,     seconds,
            };
    }
    qsort(to, n, sizeof *to, entry_by_key);
    return n;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fprintf(stderr, "# record: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

/* --- An end without MPI_Finalize ----------------------------------------------------- */

/* What all records of this job have in common is added. */
static bool write_down(struct record *record)
{
    record->file = own.file;
    record->library = own.library;
    record->rank = own.rank;
    record->ranks = own.ranks;
    record->nodes = own.nodes;
    record->name_of = name_of;
    return record_write(record);
}

static ino_t number_of_file(void)
{
    struct stat file;

    return stat(own.file, &file) == 0 ? file.st_ino : 0;
}

/* Of this rank alone: the others may be anywhere.  Rank 0, which ends because another did, leaves
   what that one wrote. */
static void write_alone(const char *why)
{
    static struct entry entry[CELLS];

    if (!own.begun || own.ended)
        return;
    own.ended = true;
    own.recording = false;
    if (own.rank == 0 && number_of_file() != own.first_file)
        return;
    const int n = list(entry);
    write_down(&(struct record){ .why = why,
                                 .recorded = 1,
                                 .seconds = clock_seconds(clock_now() - own.begin),
                                 .lost = own.lost,
                                 .entry = entry,
                                 .n = n });
}

static void without_finalize(void)
{
    if (own.rank == 0)
        write_alone("the program ended without MPI_Finalize");
}

/* A fault is that of one rank; other signals reach all of them. */
static void on_signal(int number)
{
    const bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                          number == SIGILL || number == SIGABRT;
    char why[64];

    if (is_fault || own.rank == 0) {
        snprintf(why, sizeof why, "signal %d ended rank %d", number, own.rank);
        write_alone(why);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_the_end(void)
{
    const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGSEGV,
                            SIGBUS,  SIGFPE, SIGILL, SIGABRT };
    struct sigaction action;

    atexit(without_finalize);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        /* The application's own handlers stay. */
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            signal(numbers[i], on_signal);
}

/* --- Begin and end ------------------------------------------------------------------- */

static void count_nodes(void)
{
    MPI_Comm node;
    int first = own.rank;

    PMPI_Comm_split_type(own.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    /* A node is called by its first rank. */
    PMPI_Allgather(&first, 1, MPI_INT, own.node_of, 1, MPI_INT, own.comm);
    for (int i = 0; i < own.ranks; i++)
        own.nodes += own.node_of[i] == i;
}

static void keep_library(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;

    PMPI_Get_library_version(version, &n);
    snprintf(own.library, sizeof own.library, "%.*s", (int)strcspn(version, "\n,"), version);
}

/*
 * Makes own.comm, with which all ranks of the job add up their tables.  A rank that alidade record
 * has not started never takes part, and is not waited for without end.
 */
static void make_comm(void)
{
    const clock_ticks begin = clock_now();
    MPI_Request request;
    int is_made = 0;

    PMPI_Comm_idup(MPI_COMM_WORLD, &own.comm, &request);
    while (!is_made && clock_seconds(clock_now() - begin) < SECONDS_TO_BEGIN)
        PMPI_Test(&request, &is_made, MPI_STATUS_IGNORE);
    if (is_made)
        return;
    say("%d s passed, and some ranks have not begun: start all of the job with alidade record",
        SECONDS_TO_BEGIN);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

static void begin_record(void)
{
    const char *file = getenv("ALIDADE_RECORD");
    MPI_Comm parent;
    int level;

    if (own.begun || file == NULL || *file == '\0')
        return;
    /* What MPI_Comm_spawn starts is a job of its own, while the file is that of its parents. */
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return;
    depth++;
    own.begun = true;
    snprintf(own.file, sizeof own.file, "%s", file);
    PMPI_Query_thread(&level);
    own.locks = level == MPI_THREAD_MULTIPLE;
    make_comm();
    PMPI_Comm_group(own.comm, &own.world);
    PMPI_Comm_rank(own.comm, &own.rank);
    PMPI_Comm_size(own.comm, &own.ranks);
    own.node_of = malloc(own.ranks * sizeof *own.node_of);
    own.members = malloc(own.ranks * sizeof *own.members);
    own.numbers = malloc(own.ranks * sizeof *own.numbers);
    own.is_node = malloc((own.ranks + 1) * sizeof *own.is_node);
    if (own.node_of == NULL || own.members == NULL || own.numbers == NULL || own.is_node == NULL) {
        say("memory is short on rank %d", own.rank);
        PMPI_Abort(own.comm, 1);
    }
    for (int i = 0; i < own.ranks; i++)
        own.numbers[i] = i;
    count_nodes();
    place_of(0, 0); /* nowhere */
    clock_choose(CLOCK_AUTO, own.comm, MPI_COMM_SELF);
    own.begin = clock_now();
    keep_library();
    struct record record = { .why = "the program has not reached MPI_Finalize" };
    if (own.rank == 0 && !write_down(&record)) {
        say("cannot write %s: %s", own.file, strerror(errno));
        PMPI_Abort(own.comm, 1);
    }
    own.first_file = number_of_file();
    watch_the_end();
    own.recording = true;
    depth--;
}

/* Rank 0 has the entries of all in the end.  Returns how many there are here. */
static int gather(struct entry **entry, int n)
{
    for (int mask = 1; mask < own.ranks; mask <<= 1) {
        if (own.rank & mask) {
            PMPI_Send(&n, 1, MPI_INT, own.rank - mask, 0, own.comm);
            PMPI_Send(*entry, n * (int)sizeof **entry, MPI_BYTE, own.rank - mask, 0, own.comm);
            break;
        }
        if (own.rank + mask >= own.ranks)
            continue;
        int m;
        PMPI_Recv(&m, 1, MPI_INT, own.rank + mask, 0, own.comm, MPI_STATUS_IGNORE);
        struct entry *theirs = malloc((m + 1) * sizeof *theirs);
        struct entry *both = malloc((n + m + 1) * sizeof *both);
        if (theirs == NULL || both == NULL) {
            say("memory is short on rank %d", own.rank);
            PMPI_Abort(own.comm, 1);
        }
        PMPI_Recv(theirs, m * (int)sizeof *theirs, MPI_BYTE, own.rank + mask, 0, own.comm,
                  MPI_STATUS_IGNORE);
        n = entry_merge(both, *entry, n, theirs, m);
        free(theirs);
        free(*entry);
        *entry = both;
    }
    return n;
}

static void say_what_was_long(const struct record *record)
{
    const struct entry *first = record->entry;
    char text[16];

    say("%s: %d rank%s, on average %.3g s of %.3g s in MPI", own.file, own.ranks,
        own.ranks == 1 ? "" : "s", record_seconds_in_mpi(record), record->seconds);
    if (record->n > 0)
        say("most of it, %.3g s, in %s from %s", first->seconds / own.ranks, name_of(first->call),
            entry_size(first->step, text));
}

static void end_record(void)
{
    double seconds = clock_seconds(clock_now() - own.begin);
    uint64_t lost = 0;

    if (!own.begun || own.ended)
        return;
    depth++;
    own.recording = false;
    struct entry *entry = malloc(CELLS * sizeof *entry);
    if (entry == NULL) {
        say("memory is short on rank %d", own.rank);
        PMPI_Abort(own.comm, 1);
    }
    const int n = gather(&entry, list(entry));
    PMPI_Reduce(&own.lost, &lost, 1, MPI_UINT64_T, MPI_SUM, 0, own.comm);
    PMPI_Reduce(own.rank == 0 ? MPI_IN_PLACE : &seconds, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0,
                own.comm);
    own.ended = true;
    if (own.rank == 0) {
        qsort(entry, n, sizeof *entry, entry_by_seconds);
        struct record record = {
            .recorded = own.ranks, .seconds = seconds, .lost = lost, .entry = entry, .n = n
        };
        if (write_down(&record))
            say_what_was_long(&record);
        else
            say("cannot write %s: %s", own.file, strerror(errno));
    }
    free(entry);
    PMPI_Group_free(&own.world);
    PMPI_Comm_free(&own.comm);
    depth--;
}

int MPI_Init(int *argc, char ***argv)
{
    clock_anchor();
    const int code = PMPI_Init(argc, argv);

    begin_record();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    clock_anchor();
    const int code = PMPI_Init_thread(argc, argv, required, provided);

    begin_record();
    return code;
}

int MPI_Finalize(void)
{
    end_record();
    return PMPI_Finalize();
}

static void abort_record(int code)
{
    char why[64];

    snprintf(why, sizeof why, "rank %d called MPI_Abort with code %d", own.rank, code);
    write_alone(why);
}

int MPI_Abort(MPI_Comm of, int code)
{
    abort_record(code);
    return PMPI_Abort(of, code);
}

/* Level 0 stops recording, so that an application can leave out a part of itself. */
int MPI_Pcontrol(const int level, ...)
{
    own.recording = own.begun && !own.ended && level != 0;
    return MPI_SUCCESS;
}

/* No header declares what Fortran calls. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* As mpif.h and the module mpi call them, and as mpi_f08 does.  What takes a buffer comes from the
   mpi_f08 of MPICH by the function in C, under a name of its own. */
#ifdef OPEN_MPI
#    define P_F08(name) pmpi_##name##_f08_
#else
#    define P_F08(name) pmpir_##name##_f08_
#endif
#define P_F(name) pmpi_##name##_
#define OF_FORTRAN(suffix, below)                                                                  \
    __attribute__((weak)) void below(init)(void *);                                                \
    __attribute__((weak)) void below(init_thread)(void *, void *, void *);                         \
    __attribute__((weak)) void below(finalize)(void *);                                            \
    __attribute__((weak)) void below(abort)(void *, void *, void *);                               \
    void mpi_init##suffix(void *code)                                                              \
    {                                                                                              \
        clock_anchor();                                                                            \
        below(init)(code);                                                                         \
        begin_record();                                                                            \
    }                                                                                              \
    void mpi_init_thread##suffix(void *required, void *provided, void *code)                       \
    {                                                                                              \
        clock_anchor();                                                                            \
        below(init_thread)(required, provided, code);                                              \
        begin_record();                                                                            \
    }                                                                                              \
    void mpi_finalize##suffix(void *code)                                                          \
    {                                                                                              \
        end_record();                                                                              \
        below(finalize)(code);                                                                     \
    }                                                                                              \
    void mpi_abort##suffix(void *of, void *number, void *code)                                     \
    {                                                                                              \
        abort_record(*(MPI_Fint *)number);                                                         \
        below(abort)(of, number, code);                                                            \
    }                                                                                              \
    void mpi_pcontrol##suffix(void *level)                                                         \
    {                                                                                              \
        MPI_Pcontrol(*(MPI_Fint *)level);                                                          \
    }
OF_FORTRAN(_, P_F)
OF_FORTRAN(_f08_, P_F08)

/* --- The calls ----------------------------------------------------------------------- */

static void finish(int call, uint64_t moved, int place, clock_ticks ticks)
{
    lock();
    add(call, moved, place, ticks);
    unlock();
    depth--;
}

/* The body of a function: its number, where it happens, what it moves, and the call of MPI. */
#define RECORDED(call, where, moves, made)                                                         \
    if (depth > 0 || !own.recording)                                                               \
        return made;                                                                               \
    depth++;                                                                                       \
    const int place = where;                                                                       \
    const uint64_t moved = moves;                                                                  \
    const clock_ticks begin = clock_now();                                                         \
    const int code_of_call = made;                                                                 \
    finish(call, moved, place, clock_now() - begin);                                               \
    return code_of_call;

#define RECORDED_F(call, where, moves, made)                                                       \
    if (depth > 0 || !own.recording) {                                                             \
        made;                                                                                      \
        return;                                                                                    \
    }                                                                                              \
    depth++;                                                                                       \
    const int place = where;                                                                       \
    const uint64_t moved = moves;                                                                  \
    const clock_ticks begin = clock_now();                                                         \
    made;                                                                                          \
    finish(call, moved, place, clock_now() - begin);

#include "wrappers.h"

static const char *name_of(int call)
{
    return call_names[call];
}
