/* SPDX-License-Identifier: BSD-3-Clause */
#include "crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/simulation.h"
#include "job/progress.h"
#include "job/signal_text.h"
#include "record/fresh_file.h"
#include "watchdog.h"

/* The first: a launcher ends the other ranks, which are not to blame; or the user ends all of
   them.  The last: a library
   that has seen for itself that it cannot go on. */
static const struct {
    int number;
    const char *name; /* NULL: nothing is said */
} crashes[] = { { SIGTERM, NULL },
                { SIGINT, NULL },
                { SIGHUP, NULL },
                { SIGSEGV, "crash (SIGSEGV)" },
                { SIGBUS, "crash (SIGBUS)" },
                { SIGFPE, "crash (SIGFPE)" },
                { SIGILL, "crash (SIGILL)" },
                { SIGABRT, "crash (SIGABRT)" } };
enum { CRASHES = sizeof crashes / sizeof *crashes };

static struct {
    bool watched;
    struct sigaction before[CRASHES];
} crash;

/* A stack that has overflowed has no room for the handler. */
static char own_stack[64 * 1024];

static enum exit_code say(const char *what)
{
    char text[1500] = "";
    const size_t room = sizeof text;

    signal_append(text, room, what);
    if (progress.mem != NULL) {
        signal_append(text, room, " on a buffer of a GPU; mem=");
        signal_append(text, room, progress.mem);
        signal_append(text, room, "; ");
    } else
        signal_append(text, room, "; ");
    progress_locate(text, room);
    if (progress.mem != NULL)
        _exit(watchdog_say(E04_CRASH, text));
    return watchdog_say(E38_SIGNAL, text);
}

/* Launchers may take a rank that leaves with 0 for one that has done its work. */
static void on_exit_by_others(void)
{
    if (crash.watched && !progress.spoken)
        _exit(say("something called exit"));
}

static void on_crash(int number)
{
    int i = 0;

    while (i < CRASHES - 1 && crashes[i].number != number)
        i++;
    if (crashes[i].name == NULL && fresh_files_defer(number))
        return;
    if (crashes[i].name != NULL)
        say(crashes[i].name);
    else
        progress_say_last_words();
    sigaction(number, &crash.before[i], NULL);
    raise(number); /* waits until this handler has returned */
}

void crash_begin(void)
{
    const stack_t stack = { .ss_sp = own_stack, .ss_size = sizeof own_stack };
    struct sigaction action = { .sa_handler = on_crash };

    /* A signal would reach whichever simulated rank is running. */
    if (SIMULATED)
        return;
    sigaltstack(&stack, NULL);
    for (int i = 0; i < CRASHES; i++) {
        action.sa_flags =
            SA_ONSTACK |
            (crashes[i].name != NULL ? (int)SA_RESETHAND : SA_RESTART);
        sigaction(crashes[i].number, &action, &crash.before[i]);
        if (crash.before[i].sa_handler == SIG_IGN) /* as nohup wants it */
            sigaction(crashes[i].number, &crash.before[i], NULL);
    }
    crash.watched = true;
    atexit(on_exit_by_others);
}

void crash_end(void)
{
    for (int i = 0; crash.watched && i < CRASHES; i++)
        sigaction(crashes[i].number, &crash.before[i], NULL);
    crash.watched = false;
}
