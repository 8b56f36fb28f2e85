/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "launch.h"
#include "progress.h"

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

enum exit_code world_begin(struct world *world, struct startup *startup, unsigned how, int *argc,
                           char ***argv)
{
    MPI_Errhandler handler;
    enum exit_code code;

    progress_phase(how & STARTUP_BY_SESSION ? "MPI_Session_init" : "MPI_Init");
    progress.starting = true;
    startup_begin(startup, how, argc, argv);
    world->startup = startup;
    world->all = all_ranks = world->startup->all;
    in_session = world->startup->sessions;
    PMPI_Comm_create_errhandler(on_comm_error, &handler);
    PMPI_Comm_set_errhandler(world->all, handler);
    PMPI_Comm_rank(world->all, &world->rank);
    PMPI_Comm_size(world->all, &world->size);
    progress.rank = world->rank;
    code = launch_check(world->size, world->library);
    PMPI_Comm_dup(world->all, &world->comm);
    PMPI_Comm_set_errhandler(world->comm, handler);
    PMPI_Errhandler_free(&handler);
    return code == EXIT_OK ? EXIT_OK : world_end(world, code);
}

enum exit_code world_end(struct world *world, enum exit_code code)
{
    progress_phase("MPI_Finalize; results are complete");
    progress.ending = true;
    PMPI_Comm_free(&world->comm);
    return startup_end(world->startup, code);
}

enum exit_code world_told(const struct world *world, enum exit_code code)
{
    int told = code;

    PMPI_Bcast(&told, 1, MPI_INT, 0, world->comm);
    return (enum exit_code)told;
}

/* Gathered, not reduced: what no rank has cannot come of it. */
enum exit_code world_conclude(const struct world *world, enum exit_code code)
{
    const int mine[] = { code, message_printed };
    const int ranks = world->rank == 0 ? world->size : 0;
    int(*const of)[2] = world_room((size_t)ranks, sizeof *of, "exit codes");
    int worst = 0, printed = 0;

    PMPI_Gather(mine, 2, MPI_INT, of, 2, MPI_INT, 0, world->comm);
    for (int i = 0; i < ranks; i++) {
        worst = of[i][0] > of[worst][0] ? i : worst;
        printed |= of[i][1];
    }
    code = (enum exit_code)of[worst][0];
    if (ranks > 0 && code != EXIT_OK && !printed)
        code = message_print(E41_WRONG_RESULT,
                             "no rank says why rank=%d ends with exit code=%d "
                             "(%s)",
                             worst, code, message_reason(code));
    free(of);
    return world_told(world, code);
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
                      "MPI_Allreduce says that the minimum is %d; own number "
                      "of rank=%d: %d",
                      first, world->rank, own);
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
