/* SPDX-License-Identifier: BSD-3-Clause */
#include "crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "messages.h"
#include "signal_text.h"
#include "start.h"
#include "watchdog.h"

/* The last: a library that has seen for itself that it cannot go on. */
static const struct {
    int number;
    const char *name;
} signals[] = { { SIGSEGV, "SIGSEGV" },
                { SIGBUS, "SIGBUS" },
                { SIGABRT, "SIGABRT" } };
enum { SIGNALS = sizeof signals / sizeof *signals };

enum { FRAMES = 64, STACK = 128 << 10, TURNS = 3, TURN_S = 2 };

static struct {
    int rank;
    const char *kinds;
    struct sigaction before[SIGNALS];
    stack_t stack;
} watched;

/* The MPI function that the program called: the outermost on the stack. */
static const char *mpi_call(void)
{
    void *frame[FRAMES];
    const int n = backtrace(frame, FRAMES);
    const char *call = NULL;
    Dl_info at;

    for (int i = 0; i < n; i++)
        if (dladdr(frame[i], &at) != 0 && at.dli_sname != NULL &&
            strncmp(at.dli_sname + (at.dli_sname[0] == 'P'), "MPI", 3) == 0 &&
            strchr("X_", at.dli_sname[3 + (at.dli_sname[0] == 'P')]) != NULL)
            call = at.dli_sname + (at.dli_sname[0] == 'P');
    return call;
}

static const char *name_of(int number)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "a signal";
}

static void say(int number)
{
    const struct message *m = &messages[E04_CRASH];
    const char *call = mpi_call();
    char line[800] = "# alidade: error E04: ", where[200] = "";

    signal_append(line, sizeof line, watchdog_program());
    signal_append(line, sizeof line, ": crash (");
    signal_append(line, sizeof line, name_of(number));
    signal_append(line, sizeof line, ") in ");
    signal_append(line, sizeof line, call != NULL ? call : "no MPI function");
    if (start_is_in_barrier())
        signal_append(line, sizeof line,
                      " between laps, serving what another rank began,");
    signal_append(line, sizeof line, " on a buffer of a GPU; mem=");
    signal_append(line, sizeof line, watched.kinds);
    signal_append(line, sizeof line, "; ");
    signal_append_field(line, sizeof line, "rank=", watched.rank);
    watchdog_describe(where, sizeof where);
    signal_append(line, sizeof line, where);
    signal_append(line, sizeof line, "\n#   ");
    signal_append(line, sizeof line, m->advice);
    signal_append(line, sizeof line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return;
}

/* Ranks that crash in one call do so at once: the first one speaks, and the launcher
   ends the others while they wait: Open MPI's takes a second. */
static void wait_for_others(void)
{
    const int turns = watched.rank < TURNS ? watched.rank : TURNS;
    const struct timespec turn = { .tv_sec = TURN_S };

    for (int i = 0; i < turns; i++)
        nanosleep(&turn, NULL);
}

static void on_crash(int number)
{
    wait_for_others();
    say(number);
    _exit(messages[E04_CRASH].code);
}

void crash_watch(int rank, const char *kinds)
{
    struct sigaction action = { .sa_handler = on_crash,
                                .sa_flags = SA_ONSTACK | SA_RESETHAND };
    void *first[1];

    watched.rank = rank;
    watched.kinds = kinds;
    /* The first call loads a library, which a handler could not. */
    backtrace(first, 1);
    watched.stack = (stack_t){ .ss_sp = malloc(STACK), .ss_size = STACK };
    if (watched.stack.ss_sp != NULL)
        sigaltstack(&watched.stack, NULL);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &action, &watched.before[i]);
}

void crash_unwatch(void)
{
    const stack_t none = { .ss_flags = SS_DISABLE };

    if (watched.kinds == NULL)
        return;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &watched.before[i], NULL);
    sigaltstack(&none, NULL);
    free(watched.stack.ss_sp);
    watched.kinds = NULL;
}
