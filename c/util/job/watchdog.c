/* SPDX-License-Identifier: BSD-3-Clause */
#include "watchdog.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/simulation.h"
#include "board.h"
#include "launch.h"
#include "signal_text.h"
#include "stack.h"

enum {
    LOOKS = 8,    /* within one timeout */
    IDLE = 10,    /* timeouts that a waiting rank waits */
    START_S = 30, /* at least, for the start of all ranks */
    STARTERS = 4, /* of a host that speak then: they do not know each other */
};

/* Written by the program, read by the handler that interrupts it. */
static struct {
    const char *program;
    char host[HOST_NAME_MAX + 1];
    int rank, local; /* local: of the ranks of the host; negative: unknown */
    double timeout_s;
    const char *volatile phase;
    volatile size_t bytes;
    const volatile struct laps *volatile laps;
    const clock_ticks *volatile first; /* of laps */
    volatile long before,
        batch;           /* iterations of earlier batches; of this one */
    int sends, receives; /* messages of an iteration */
    volatile long moves; /* phases and rows begun */
    volatile bool starting, ending, waiting, slow;
    volatile pthread_t reporter;
    long last; /* what moves and iterations added up to at the last look */
    int still; /* looks since something moved */
    bool running;
    timer_t timer;
} dog = { .program = "alidade", .phase = "start" };

const char *watchdog_last_words;

static const struct fresh_file *volatile rescued[WATCHDOG_FILES];

void watchdog_rescue(int number, const struct fresh_file *file)
{
    rescued[number] = file;
}

void watchdog_say_last_words(void)
{
    const char *const text = watchdog_last_words;

    watchdog_last_words = NULL;
    for (int i = 0; i < WATCHDOG_FILES; i++)
        if (rescued[i] != NULL && rescued[i]->to != NULL)
            fresh_file_rescue(rescued[i]);
    if (text != NULL && write(STDOUT_FILENO, text, strlen(text)) < 0)
        return; /* nobody is left to be told */
}

const char *watchdog_program(void)
{
    return dog.program;
}

void watchdog_set_rank(int rank)
{
    dog.rank = rank;
}

/* Iterations of this batch that have ended. */
static long made(const volatile struct laps *l)
{
    const long samples = l->next - dog.first - 1;

    return samples < 0 ? 0 : samples * l->stride + l->stride - l->until_mark;
}

void watchdog_describe(char *text, size_t room)
{
    const volatile struct laps *laps = dog.laps;
    long iterations;

    text[0] = '\0';
    signal_append(text, room, "phase=");
    signal_append(text, room, dog.phase);
    signal_append(text, room, dog.waiting ? ", waiting for other ranks" : "");
    signal_append(text, room, "; ");
    if (laps == NULL)
        return;
    signal_append_field(text, room, "size=", (long)dog.bytes);
    iterations = dog.before + made(laps);
    signal_append_field(text, room, "iterations=", iterations);
    if (dog.sends == 0 && dog.receives == 0)
        return;
    signal_append_field(text, room, "sent=", iterations * dog.sends);
    signal_append_field(text, room, "received=", iterations * dog.receives);
}

void watchdog_phase(const char *phase)
{
    dog.laps = NULL;
    dog.moves += dog.before + dog.batch + 1;
    dog.before = dog.batch = 0;
    dog.starting = dog.ending = dog.waiting = false;
    dog.phase = phase;
}

void watchdog_start(const char *phase)
{
    watchdog_phase(phase);
    dog.starting = true;
}

void watchdog_reporter(pthread_t thread)
{
    dog.reporter = thread;
}

void watchdog_finish(void)
{
    watchdog_phase("MPI_Finalize; results are complete");
    dog.ending = true;
}

void watchdog_slow(bool slow)
{
    dog.slow = slow;
}

void watchdog_moved(void)
{
    dog.moves++;
}

void watchdog_wait(void)
{
    dog.waiting = true;
}

void watchdog_laps(const struct laps *laps)
{
    dog.laps = NULL;
    dog.first = laps->next;
    dog.laps = laps;
    dog.moves++;
}

void watchdog_row(size_t bytes, const struct laps *laps, int sends,
                  int receives)
{
    dog.waiting = false;
    dog.before += dog.batch;
    dog.batch = (laps->end - laps->next - 1) * laps->stride;
    dog.bytes = bytes;
    dog.sends = sends;
    dog.receives = receives;
    watchdog_laps(laps);
}

/* The first line of a message, and the second. */
static void say(enum message_id id, const char *text)
{
    char line[2000] = "alidade: error ";
    const char *const part[] = {
        messages[id].number, ": ", dog.program, ": ", text, "\n"
    };

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        signal_append(line, sizeof line, part[i]);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        _exit(messages[id].code);
}

static void advise(enum message_id id)
{
    const char *const advice = id == E15_NO_PROGRESS && dog.starting
                                   ? message_at_start
                               : dog.ending ? message_at_end
                                            : messages[id].advice;
    char line[500] = "    ";

    signal_append(line, sizeof line, advice);
    signal_append(line, sizeof line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        _exit(messages[id].code);
}

enum exit_code watchdog_say(enum message_id id, const char *text)
{
    say(id, text);
    advise(id);
    watchdog_say_last_words();
    return messages[id].code;
}

/* "host=...; phase=...; ... stack=...;" */
static void append_state(char *text, size_t room)
{
    char where[200];

    watchdog_describe(where, sizeof where);
    signal_append(text, room, where);
    stack_describe(text, room);
}

static void append_who(char *text, size_t room, const char *who)
{
    signal_append(text, room, strpbrk(who, ",-") != NULL ? "ranks=" : "rank=");
    signal_append(text, room, who);
    signal_append(text, room, "; host=");
    signal_append(text, room, dog.host);
    signal_append(text, room, "; ");
}

void watchdog_locate(char *text, size_t room)
{
    char rank[24] = "";

    signal_append_number(rank, sizeof rank, dog.rank);
    append_who(text, room, rank);
    append_state(text, room);
}

/* Looks without any move after which the job ends. */
static double patience(void)
{
    const double start = LOOKS * START_S / dog.timeout_s;

    if (dog.waiting || dog.slow)
        return IDLE * LOOKS;
    return dog.starting && start > LOOKS ? start : LOOKS;
}

/* Of one rank or of several. */
static void say_still(const char *who, const char *state)
{
    char text[1800] = "no progress for ";

    signal_append_number(text, sizeof text,
                         (long)(dog.timeout_s * patience() / LOOKS + 0.5));
    signal_append(text, sizeof text, " s; ");
    append_who(text, sizeof text, who);
    signal_append(text, sizeof text, state);
    say(E15_NO_PROGRESS, text);
}

/* Say where this rank is to the one that speaks for all of the node, if one asks. */
static void answer(void)
{
    char state[1000] = "";

    if (!board_is_asked())
        return;
    append_state(state, sizeof state);
    board_post(dog.rank, state);
}

static void give_up(void)
{
    const struct itimerspec never = { { 0, 0 }, { 0, 0 } };
    /* The other ranks notice within one look.  Let them speak as well before the launcher
       ends them. */
    const unsigned rest = (unsigned)(dog.timeout_s / LOOKS) + 2;
    char who[400] = "";
    const char *state;

    timer_settime(dog.timer, 0, &never, NULL);
    board_ask();
    answer();
    if (board_reads(rest) && (!dog.starting || dog.local < STARTERS)) {
        while ((state = board_next(who, sizeof who)) != NULL)
            say_still(who, state);
        advise(E15_NO_PROGRESS);
        board_read();
    }
    watchdog_say_last_words();
    sleep(rest);
    _exit(messages[E15_NO_PROGRESS].code);
}

static void on_timer(int signal_number)
{
    const volatile struct laps *const laps = dog.laps;
    const long progress =
        dog.moves + dog.before + (laps != NULL ? made(laps) : 0);

    /* Whichever thread is interrupted, also one of the MPI library. */
    if (!pthread_equal(dog.reporter, pthread_self())) {
        pthread_kill(dog.reporter, signal_number);
        return;
    }
    answer();
    dog.still = progress == dog.last ? dog.still + 1 : 0;
    dog.last = progress;
    if (dog.still >= patience())
        give_up();
}

void watchdog_begin(const char *program, int rank, double timeout_s)
{
    const double step = timeout_s / LOOKS;
    const struct timespec interval = {
        (time_t)step, (long)((step - (double)(time_t)step) * 1e9)
    };
    const struct itimerspec every = { interval, interval };
    struct sigaction action = { .sa_handler = on_timer,
                                .sa_flags = SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
                              .sigev_signo = SIGRTMIN + 3 };

    dog.program = program;
    dog.reporter = pthread_self();
    dog.rank = rank;
    dog.local = launch_local_rank();
    dog.timeout_s = timeout_s;
    gethostname(dog.host, sizeof dog.host);
    stack_prepare();
    /* A signal would reach whichever simulated rank is running. */
    if (timeout_s <= 0 || SIMULATED)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(event.sigev_signo, &action, NULL);
    dog.running = timer_create(CLOCK_MONOTONIC, &event, &dog.timer) == 0 &&
                  timer_settime(dog.timer, 0, &every, NULL) == 0;
}

void watchdog_end(void)
{
    if (dog.running)
        timer_delete(dog.timer);
    dog.running = false;
}
