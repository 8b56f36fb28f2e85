/* SPDX-License-Identifier: BSD-3-Clause */
#include "crash.h"

#include <signal.h>
#include <unistd.h>

#include "base/messages.h"
#include "base/signal_text.h"
#include "job/watchdog.h"

/* The last: a library that has seen for itself that it cannot go on. */
static const struct {
    int number;
    const char *name;
} signals[] = { { SIGSEGV, "SIGSEGV" },
                { SIGBUS, "SIGBUS" },
                { SIGABRT, "SIGABRT" } };
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct {
    int rank;
    const char *kinds;
    struct sigaction before[SIGNALS];
} watched;

static const char *name_of(int number)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "a signal";
}

static void on_crash(int number)
{
    char text[600] = "crash (", where[200];
    const size_t room = sizeof text;

    signal_append(text, room, name_of(number));
    signal_append(text, room, ") on a buffer of a GPU; mem=");
    signal_append(text, room, watched.kinds);
    signal_append(text, room, "; ");
    signal_append_field(text, room, "rank=", watched.rank);
    watchdog_describe(where, sizeof where);
    signal_append(text, room, where);
    _exit(watchdog_message(E04_CRASH, text));
}

void crash_watch(int rank, const char *kinds)
{
    struct sigaction action = { .sa_handler = on_crash,
                                .sa_flags = SA_RESETHAND };

    watched.rank = rank;
    watched.kinds = kinds;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &action, &watched.before[i]);
}

void crash_unwatch(void)
{
    if (watched.kinds == NULL)
        return;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &watched.before[i], NULL);
    watched.kinds = NULL;
}
