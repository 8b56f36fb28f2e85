/* SPDX-License-Identifier: BSD-3-Clause */
#include "watchdog.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "messages.h"

/*
 * Written by the main thread, read by the watcher.  Volatile suffices: a value
 * seen a moment late only delays the report by that moment.
 */
static struct {
    const char *program;
    int rank;
    double timeout_s;
    const char *volatile phase;
    volatile size_t bytes;
    const volatile struct laps *volatile laps;
    volatile long moves; /* phases and rows begun */
    bool running;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool stop;
} dog = { .program = "alidade",
          .phase = "start",
          .mutex = PTHREAD_MUTEX_INITIALIZER };

/* Where the loop is; differs whenever a lap has ended. */
struct position {
    long moves, until_mark;
    const clock_ticks *next;
};

static struct position position_now(void)
{
    const volatile struct laps *laps = dog.laps;
    struct position p = { .moves = dog.moves };

    if (laps != NULL) {
        p.until_mark = laps->until_mark;
        p.next = laps->next;
    }
    return p;
}

const char *watchdog_program(void)
{
    return dog.program;
}

void watchdog_describe(char *text, size_t room)
{
    const volatile struct laps *laps = dog.laps;
    int n = snprintf(text, room, "phase=%s;", dog.phase);

    if (laps != NULL && n > 0 && (size_t)n < room)
        snprintf(text + n, room - (size_t)n,
                 " size=%zu; samples to go=%ld; laps in a sample=%ld;",
                 dog.bytes, (long)(laps->end - laps->next), laps->stride);
}

void watchdog_phase(const char *phase)
{
    dog.laps = NULL;
    dog.phase = phase;
    dog.moves++;
}

void watchdog_row(size_t bytes, const struct laps *laps)
{
    dog.bytes = bytes;
    dog.laps = laps;
    dog.moves++;
}

static void give_up(void)
{
    char host[128] = "?", where[200];

    gethostname(host, sizeof host - 1);
    watchdog_describe(where, sizeof where);
    message_print(E15_NO_PROGRESS, dog.program,
                  "no progress for %g s; rank=%d; host=%s; %s", dog.timeout_s,
                  dog.rank, host, where);
    /* Let the other ranks say where they are before the launcher ends them. */
    sleep(1);
    _exit(EXIT_RUN);
}

/* Sleep until told to stop; true if told. */
static bool doze(double seconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&dog.mutex);
    while (!dog.stop &&
           pthread_cond_timedwait(&dog.wake, &dog.mutex, &until) == 0)
        continue;
    const bool stop = dog.stop;
    pthread_mutex_unlock(&dog.mutex);
    return stop;
}

static void *watch(void *unused)
{
    const double step = dog.timeout_s < 4 ? dog.timeout_s / 4 : 1;
    struct position last = position_now();
    double still = 0;

    (void)unused;
    while (!doze(step)) {
        const struct position now = position_now();

        still = now.moves == last.moves && now.next == last.next &&
                        now.until_mark == last.until_mark
                    ? still + step
                    : 0;
        last = now;
        if (still >= dog.timeout_s)
            give_up();
    }
    return NULL;
}

void watchdog_begin(const char *program, int rank, double timeout_s)
{
    pthread_condattr_t attributes;

    dog.program = program;
    dog.rank = rank;
    dog.timeout_s = timeout_s;
    if (timeout_s <= 0)
        return;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&dog.wake, &attributes);
    dog.running = pthread_create(&dog.thread, NULL, watch, NULL) == 0;
}

void watchdog_end(void)
{
    if (!dog.running)
        return;
    pthread_mutex_lock(&dog.mutex);
    dog.stop = true;
    pthread_cond_signal(&dog.wake);
    pthread_mutex_unlock(&dog.mutex);
    pthread_join(dog.thread, NULL);
    dog.running = false;
}
