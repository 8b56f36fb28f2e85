/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/proc_file.h"
#include "base/simulation.h"
#include "progress.h"

/* --- What the launcher says -------------------------------------------------------------- */

/* What the library is: "OpenMPI-4.1.4", "SimGrid-3.32". */
static void name_library(char name[64])
{
    /* What comes before its version. */
    static const struct {
        const char *says, *brand;
    } known[] = {
        { "Open MPI", "OpenMPI" },
        { "MVAPICH2", "MVAPICH2" },
        { "MVAPICH", "MVAPICH" },
        { "Intel(R) MPI", "IntelMPI" },
        { "MPICH", "MPICH" },
        { "SMPI", "SimGrid" },
        { "", "MPI" },
    };
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    const char *version;
    int length, i = 0;

    PMPI_Get_library_version(text, &length);
    while (strstr(text, known[i].says) == NULL)
        i++;
    version = strstr(text, known[i].says) + strlen(known[i].says);
    version += strcspn(version, "0123456789");
    snprintf(name, 64, "%s-%.*s", known[i].brand, (int)strspn(version, "0123456789."), version);
}

/* The major version of the library, if that is its name; else 0. */
static int version_of(const char *brand)
{
    const size_t n = strlen(brand);
    char name[64] = "";

    if (!SIMULATED)
        name_library(name);
    return strncmp(name, brand, n) == 0 ? number_of_variable(name + n, 0, INT_MAX, 0) : 0;
}

int launch_openmpi(void)
{
    return version_of("OpenMPI-");
}

/* Intel MPI runs programs that were built for MPICH, and MPICH those that were built for it. */
static bool is_intel(void)
{
    return version_of("IntelMPI-") > 0;
}

static const bool built_for_intel =
#ifdef I_MPI_VERSION
    true;
#else
    false;
#endif

/* The first that is there counts: those of another launcher may be left from an outer
   job, so the own one of this MPI comes before them: Open MPI's is not Hydra's.  Without a size:
   Cray's PALS gives each process its number, but not how many there are. */
static const struct {
    const char *size, *rank;
} launcher[] = {
    { "PMI_SIZE", "PMI_RANK" },
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "PMI_SIZE", "PMI_RANK" },
    { "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
    { "FLUX_JOB_SIZE", "FLUX_TASK_RANK" },
    { "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK" },
    { NULL, "PALS_RANKID" },
};
enum { LAUNCHERS = sizeof launcher / sizeof *launcher, FIRST_WORD_US = 100000 };

static int first_launcher(void)
{
    return launch_openmpi() > 0;
}

static int number_from(const char *variable)
{
    return number_of_variable(getenv(variable), 0, INT_MAX, 0);
}

/* What the launcher says: so many processes, or at least so many, by that variable, and the number
   of this one.  Of no launcher: 0 and 0. */
struct said {
    const char *variable;
    bool at_least;
    int processes, rank;
};

static struct said said(void)
{
    for (int i = first_launcher(); i < LAUNCHERS; i++) {
        const bool alone = launcher[i].size == NULL;
        const char *const by = alone ? launcher[i].rank : launcher[i].size;

        if (getenv(by) != NULL)
            return (struct said){ by, alone, number_from(by) + alone,
                                  number_from(launcher[i].rank) };
    }
    return (struct said){ .variable = NULL };
}

int launch_rank(void)
{
    return said().rank;
}

int launch_promised(void)
{
    return said().processes;
}

int launch_leave(int code)
{
    if (code != 0 && launch_rank() > 0)
        usleep(FIRST_WORD_US);
    return code;
}

int launch_local_rank(void)
{
    /* The last is that of Slurm, within whose jobs others start ranks too. */
    static const char *const names[] = {
        "MPI_LOCALRANKID",    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
        "PALS_LOCAL_RANKID",  "MV2_COMM_WORLD_LOCAL_RANK",  "MVP_COMM_WORLD_LOCAL_RANK",
        "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK",   "PMI_LOCAL_RANK",
        "SLURM_LOCALID",
    };
    for (size_t i = (size_t)first_launcher(); i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return number_from(names[i]);
    return launch_promised() > 1 ? -1 : 0;
}

static const char *launch_command(void)
{
    if (SIMULATED)
        return "smpirun";
#ifdef BUILD_LAUNCHER
    if (is_intel() == built_for_intel)
        return BUILD_LAUNCHER;
#endif
    return launch_openmpi() || is_intel() ? "mpirun" : "mpiexec";
}

/* MPI sees so many ranks: are they what the launcher promised?  EXIT_OK, or the code to leave with;
   one process says why, which knows it. */
static enum exit_code check_launch(int ranks, char library[64])
{
    const struct said launcher_says = said();

    name_library(library);
    if (ranks > 1 || launcher_says.processes <= 1)
        return EXIT_OK;
    /* Rank 0 says it; where the launcher gives ranks alone, rank 1, the first that knows. */
    if (launcher_says.rank == launcher_says.at_least)
        message_print(E01_NOT_ONE_JOB,
                      "the launcher started %s%d processes, but MPI sees 1 (%s=%s;). This program "
                      "is linked with %s, whose launcher is %s. Nothing was measured.",
                      launcher_says.at_least ? "at least " : "", launcher_says.processes,
                      launcher_says.variable, getenv(launcher_says.variable), library,
                      launch_command());
    return EXIT_RUN;
}

const char *launch_name(void)
{
    const char *const slash = strrchr(launch_command(), '/');

    return slash != NULL ? slash + 1 : launch_command();
}

const char *launch_root(void)
{
    /* Other launchers than an MPI's have other options. */
    return geteuid() == 0 && launch_openmpi() && strncmp(launch_name(), "mpi", 3) == 0
               ? " --allow-run-as-root"
               : "";
}

const char *launch_word(const char *word, char text[LAUNCH_WORD])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./:=,+@%-";
    size_t n = 0;

    if (*word != '\0' && word[strspn(word, plain)] == '\0')
        return word;
    text[n++] = '\'';
    for (; *word != '\0' && n < LAUNCH_WORD - 6; word++) {
        if (*word == '\'')
            n += (size_t)sprintf(text + n, "'\\'");
        text[n++] = *word;
    }
    text[n++] = '\'';
    text[n] = '\0';
    return text;
}

void launch_example(char *text, size_t room, int ranks, const char *program)
{
    const char *const command = launch_command(), *place = "";
    char words[2][LAUNCH_WORD];

    /* Other launchers, srun and smpirun, have other options. */
    if (strncmp(launch_name(), "mpi", 3) == 0) {
        if (launch_openmpi())
            place = " --oversubscribe";
        if (ranks <= sysconf(_SC_NPROCESSORS_ONLN))
            place = " --bind-to core";
    }
    snprintf(text, room, "%s%s -n %d%s %s", launch_word(command, words[0]), launch_root(), ranks,
             place, launch_word(program, words[1]));
}

/* --- MPI is started and ended, and each step is timed, as far as a program can see it ------- */

/* How long this process has been there; NAN: the kernel does not say. */
static double age(void)
{
    char text[1024];
    const char *at;
    unsigned long long ticks;
    struct timespec time;

    if (SIMULATED || !proc_line("/proc/self", "stat", "", text, sizeof text))
        return NAN;
    at = strrchr(text, ')'); /* the name before it may hold anything */
    /* The 22nd field; the state is the third. */
    if (at == NULL || sscanf(at + 1,
                             "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %*s %*s %*s %*s %*s %llu",
                             &ticks) != 1)
        return NAN;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return fmax(0, (double)time.tv_sec + 1e-9 * (double)time.tv_nsec -
                       (double)ticks / (double)sysconf(_SC_CLK_TCK));
}

/* Simulated time begins with MPI_Init, at 0. */
static clock_ticks now(void)
{
    return SIMULATED ? 0 : clock_now();
}

static void init(struct world_start *s, bool threads, int *argc, char ***argv)
{
    const clock_ticks before = now();
    int level = MPI_THREAD_SINGLE;

    if (threads)
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(argc, argv);
    s->step_s[STARTUP_INIT] = clock_seconds(clock_now() - before);
    s->all = MPI_COMM_WORLD;
    if (threads)
        MPI_Query_thread(&level);
    s->threads = level == MPI_THREAD_MULTIPLE;
}

#ifdef HAVE_MPI_SESSION_INIT
/* What the session came to. */
static bool has_threads(MPI_Session session)
{
    char level[64] = "";
    MPI_Info info;
    int room = sizeof level, found;

    PMPI_Session_get_info(session, &info);
    PMPI_Info_get_string(info, "thread_level", &room, level, &found);
    PMPI_Info_free(&info);
    return strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

static void open_session(struct world_start *s, bool threads)
{
    clock_ticks at[4];
    MPI_Group group;
    MPI_Info info = MPI_INFO_NULL;

    if (threads) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    }

    at[0] = clock_now();
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &s->session);
    at[1] = clock_now();
    MPI_Group_from_session_pset(s->session, "mpi://WORLD", &group);
    at[2] = clock_now();
    MPI_Comm_create_from_group(group, "alidade", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s->all);
    at[3] = clock_now();
    MPI_Group_free(&group);
    if (threads) {
        MPI_Info_free(&info);
        s->threads = has_threads(s->session);
    }
    for (int i = 0; i < 3; i++)
        s->step_s[STARTUP_SESSION + i] = clock_seconds(at[i + 1] - at[i]);
    s->step_s[STARTUP_INIT] = clock_seconds(at[3] - at[0]);
}

static int close_session(struct world_start *s)
{
    MPI_Comm_free(&s->all);
    return MPI_Session_finalize(&s->session);
}
#else
static void open_session(struct world_start *s, bool threads)
{
    /* Refused before: FEATURE_SESSIONS. */
}

static int close_session(struct world_start *s)
{
    return MPI_SUCCESS;
}
#endif

void world_start_begin(struct world_start *s, unsigned how, int *argc, char ***argv)
{
    if (s->begun)
        return;
    progress_phase(how & STARTUP_BY_SESSION ? "MPI_Session_init" : "MPI_Init");
    progress.starting = true;
    s->begun = true;
    s->sessions = how & STARTUP_BY_SESSION;
    for (int i = 0; i < STARTUP_STEPS; i++)
        s->step_s[i] = NAN;
    s->step_s[STARTUP_BEFORE] = age();
    if (s->sessions)
        open_session(s, how & STARTUP_THREADS);
    else
        init(s, how & STARTUP_THREADS, argc, argv);
    for (int i = STARTUP_FIRST; how & STARTUP_BARRIERS && i <= STARTUP_SECOND; i++) {
        const clock_ticks before = clock_now();

        MPI_Barrier(s->all);
        s->step_s[i] = clock_seconds(clock_now() - before);
    }
}

/* What world_keep gave, the last first. */
static struct kept {
    struct kept *before;
    void *room;
} * kept;

enum exit_code world_start_end(struct world_start *s, enum exit_code code)
{
    /* Simulated ranks are parts of one process, and others may not have ended. */
    for (struct kept *one; !SIMULATED && (one = kept) != NULL; free(one)) {
        kept = one->before;
        free(one->room);
    }
    const int error = s->kept ? MPI_SUCCESS : s->sessions ? close_session(s) : MPI_Finalize();

    if (error != MPI_SUCCESS)
        message_print(E16_MPI_ERROR, "%s returned the error code=%d (rank=%d;)",
                      s->sessions ? "MPI_Session_finalize" : "MPI_Finalize", error, launch_rank());
    return error != MPI_SUCCESS && code == EXIT_OK ? EXIT_RUN : code;
}

/* --- What the harness asks of it --------------------------------------------------------- */

enum { FORWARDING_US = 100000 };

/* For the error handlers, which are told no more than the code. */
static MPI_Comm all_ranks;
static bool in_session;

void world_abort(enum exit_code code)
{
    progress_say_last_words();
    /* Some launchers kill before they have read what was said last. */
    usleep(FORWARDING_US);
    /* MPICH 4.0's MPI_Abort stops at an assertion where there is no
       MPI_COMM_WORLD; launchers end a job when one process ends so. */
    if (in_session)
        _exit(code);
    MPI_Abort(all_ranks, code);
    _exit(code); /* MPICH 4.2's may return before the launcher ends the job */
}

static void end_by_error(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "", where[1000] = "";
    int length;

    PMPI_Error_string(code, text, &length);
    progress_locate(where, sizeof where);
    message_print(E16_MPI_ERROR, "%s %s", where, text);
    world_abort(EXIT_RUN);
}

static void on_comm_error(MPI_Comm *comm, int *code, ...)
{
    end_by_error(*code);
}

static void on_window_error(MPI_Win *win, int *code, ...)
{
    end_by_error(*code);
}

void world_guard_window(MPI_Win win)
{
    MPI_Errhandler handler;

    PMPI_Win_create_errhandler(on_window_error, &handler);
    PMPI_Win_set_errhandler(win, handler);
    PMPI_Errhandler_free(&handler);
}

enum exit_code world_begin(struct world *world, struct world_start *startup)
{
    MPI_Errhandler handler;
    enum exit_code code;

    world->startup = startup;
    world->all = all_ranks = startup->all;
    in_session = startup->sessions;
    PMPI_Comm_create_errhandler(on_comm_error, &handler);
    PMPI_Comm_set_errhandler(world->all, handler);
    PMPI_Comm_rank(world->all, &world->rank);
    PMPI_Comm_size(world->all, &world->size);
    progress.rank = world->rank;
    code = check_launch(world->size, world->library);
    PMPI_Comm_dup(world->all, &world->comm);
    PMPI_Comm_set_errhandler(world->comm, handler);
    PMPI_Errhandler_free(&handler);
    return code;
}

enum exit_code world_refuse(const struct world *world, enum message_id id, const char *format, ...)
{
    va_list arguments;
    char why[1500];

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (world->rank == 0)
        message_print(id, "%s", why);
    return messages[id].code;
}

int world_first(const struct world *world, bool mine)
{
    const int own = mine ? world->rank : world->size;
    int first = own;

    PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, world->comm);
    if (first > own || first < 0) {
        message_print(E41_WRONG_RESULT,
                      "MPI_Allreduce says that the minimum is %d; own number of rank=%d: %d", first,
                      world->rank, own);
        world_abort(EXIT_RUN);
    }
    return first;
}

enum exit_code world_refuse_first(const struct world *world, bool wrong, enum message_id id,
                                  const char *format, ...)
{
    const int speaker = world_first(world, wrong);
    int code = messages[id].code;
    va_list arguments;
    char why[1500];

    if (speaker == world->size)
        return EXIT_OK;
    PMPI_Bcast(&code, 1, MPI_INT, speaker, world->comm);
    va_start(arguments, format);
    if (speaker == world->rank) {
        vsnprintf(why, sizeof why, format, arguments);
        message_print(id, "%s (rank=%d;)", why, speaker);
    }
    va_end(arguments);
    return (enum exit_code)code;
}

enum exit_code world_agree_memory(const struct world *world, bool good, const char *what)
{
    return world_first(world, !good) == world->size
               ? EXIT_OK
               : world_refuse(world, E20_OUT_OF_MEMORY, "memory for %s could not be allocated",
                              what);
}

/* The job, or a program that has not started MPI. */
static _Noreturn void end_alone(enum exit_code code)
{
    int running;

    PMPI_Initialized(&running);
    if (running)
        world_abort(code);
    exit(code);
}

void world_no_memory(const char *what)
{
    end_alone(message_print(E20_OUT_OF_MEMORY, "memory for %s could not be allocated", what));
}

void *world_room(size_t n, size_t size, const char *what)
{
    void *room = calloc(n + 1, size);

    if (room == NULL)
        world_no_memory(what);
    return room;
}

void *world_keep(size_t n, size_t size, const char *what)
{
    struct kept *const one = world_room(1, sizeof *one, what);

    *one = (struct kept){ kept, world_room(n, size, what) };
    kept = one;
    return one->room;
}

void *world_gather(MPI_Comm comm, const void *mine, size_t size, const char *what)
{
    void *all = NULL;
    int rank, ranks;

    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    if (rank == 0)
        all = world_keep((size_t)ranks, size, what);
    PMPI_Gather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, 0, comm);
    return all;
}

const char *world_limit(const char *call, int error, char text[WORLD_LIMIT_ROOM])
{
    struct rlimit limit = { .rlim_cur = RLIM_INFINITY };
    char processes[32] = "unlimited";

    getrlimit(RLIMIT_NPROC, &limit);
    if (limit.rlim_cur != RLIM_INFINITY)
        snprintf(processes, sizeof processes, "%ju", (uintmax_t)limit.rlim_cur);
    snprintf(text, WORLD_LIMIT_ROOM, "%s: %s; ulimit -u=%s;", call, strerror(error), processes);
    return text;
}

void world_thread(pthread_t *thread, void *(*work)(void *), void *argument)
{
    const int error = pthread_create(thread, NULL, work, argument);
    char text[WORLD_LIMIT_ROOM];

    if (error != 0)
        end_alone(message_print(E42_LIMIT, "%s", world_limit("pthread_create", error, text)));
}

char *world_read_file(const char *path, MPI_Comm comm)
{
    char *text = NULL;
    long size = -1;
    int rank, all_have, error = 0;

    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        text = proc_text(path);
        error = errno;
    }
    if (text != NULL && strlen(text) < INT_MAX)
        size = (long)strlen(text);
    PMPI_Bcast(&size, 1, MPI_LONG, 0, comm);
    if (rank > 0 && size >= 0)
        text = calloc((size_t)size + 1, 1);
    all_have = size >= 0 && text != NULL;
    PMPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, comm);
    if (!all_have) {
        free(text);
        errno = error;
        return NULL;
    }
    PMPI_Bcast(text, (int)size, MPI_CHAR, 0, comm);
    return text;
}
