/* SPDX-License-Identifier: BSD-3-Clause */
#include "startup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "launch.h"
#include "progress.h"
#include "timing/clock.h"

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

static void init(struct startup *s, bool threads, int *argc, char ***argv)
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

static void open_session(struct startup *s, bool threads)
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

static int close_session(struct startup *s)
{
    MPI_Comm_free(&s->all);
    return MPI_Session_finalize(&s->session);
}
#else
static void open_session(struct startup *s, bool threads)
{
    /* Refused before: FEATURE_SESSIONS. */
}

static int close_session(struct startup *s)
{
    return MPI_SUCCESS;
}
#endif

void startup_begin(struct startup *s, unsigned how, int *argc, char ***argv)
{
    if (s->begun)
        return;
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

enum exit_code startup_end(struct startup *s, enum exit_code code)
{
    const int error = s->kept ? MPI_SUCCESS : s->sessions ? close_session(s) : MPI_Finalize();

    if (error != MPI_SUCCESS)
        message_print(E16_MPI_ERROR, "%s returned the error code=%d (rank=%d;)",
                      s->sessions ? "MPI_Session_finalize" : "MPI_Finalize", error, launch_rank());
    return error != MPI_SUCCESS && code == EXIT_OK ? EXIT_RUN : code;
}
