/* SPDX-License-Identifier: BSD-3-Clause */
#include "watchdog.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/simulation.h"
#include "board.h"
#include "job/launch.h"
#include "job/progress.h"
#include "job/signal_text.h"
#include "screen/screen.h"
#include "stack.h"

enum {
    LOOKS = 8,    /* within one timeout */
    IDLE = 10,    /* timeouts that a waiting rank waits */
    START_S = 30, /* at least, for the start of all ranks */
    STARTERS = 4, /* of a host that speak then: they do not know each other */
};

static struct {
    int local; /* of the ranks of the host; negative: unknown */
    double timeout_s;
    long last; /* what had been made at the last look */
    int still; /* looks since something moved */
    bool running;
    timer_t timer;
} dog;

const char watchdog_at_start[] =
    "The processes do not reach each other. Check whether all hosts started theirs, whether "
    "launcher and MPI library belong together, and whether a firewall or a wrong network "
    "interface separates the hosts. Try one host, then two. Of each host at most four ranks say this.";
const char watchdog_at_end[] =
    "The table is not affected. Look for a rank that has crashed or that reports another phase. "
    "If there is none, try another transport of the MPI library, and host memory: the library "
    "waits for the network or the GPU.";

/* The first line of a message, and the second. */
static void say(enum message_id id, const char *text)
{
    char line[2000] = "alidade: error ";
    const char *const part[] = {
        messages[id].number, ": ", progress.program, ": ", text, "\n"
    };

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        signal_append(line, sizeof line, part[i]);
    if (screen_say(line) < 0)
        _exit(messages[id].code);
}

static void advise(enum message_id id)
{
    const char *const advice = id == E15_NO_PROGRESS && progress.starting
                                   ? watchdog_at_start
                               : progress.ending ? watchdog_at_end
                                                 : messages[id].advice;
    char line[500] = "    ";

    signal_append(line, sizeof line, advice);
    signal_append(line, sizeof line, "\n");
    if (screen_say(line) < 0)
        _exit(messages[id].code);
}

enum exit_code watchdog_say(enum message_id id, const char *text)
{
    say(id, text);
    advise(id);
    progress_say_last_words();
    return messages[id].code;
}

/* Looks without any move after which the job ends. */
static double patience(void)
{
    const double start = LOOKS * START_S / dog.timeout_s;

    if (progress.waiting || progress.slow)
        return IDLE * LOOKS;
    return progress.starting && start > LOOKS ? start : LOOKS;
}

/* Of one rank or of several. */
static void say_still(const char *who, const char *state)
{
    char text[1800] = "no progress for ";

    signal_append_number(text, sizeof text,
                         (long)(dog.timeout_s * patience() / LOOKS + 0.5));
    signal_append(text, sizeof text, " s; ");
    progress_append_who(text, sizeof text, who);
    signal_append(text, sizeof text, state);
    say(E15_NO_PROGRESS, text);
}

/* Say where this rank is to the one that speaks for all of the node, if one asks. */
static void answer(void)
{
    char state[1000] = "";

    if (!board_is_asked())
        return;
    progress_describe(state, sizeof state);
    stack_describe(state, sizeof state);
    board_post(progress.rank, state);
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
    if (board_reads(rest) && (!progress.starting || dog.local < STARTERS)) {
        while ((state = board_next(who, sizeof who)) != NULL)
            say_still(who, state);
        advise(E15_NO_PROGRESS);
        board_read();
    }
    progress_say_last_words();
    sleep(rest);
    _exit(messages[E15_NO_PROGRESS].code);
}

static void on_timer(int signal_number)
{
    const long made = progress_made();

    /* Whichever thread is interrupted, also one of the MPI library. */
    if (!pthread_equal(progress.reporter, pthread_self())) {
        pthread_kill(progress.reporter, signal_number);
        return;
    }
    answer();
    dog.still = made == dog.last ? dog.still + 1 : 0;
    dog.last = made;
    if (dog.still >= patience())
        give_up();
}

void watchdog_begin(double timeout_s)
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

    dog.local = launch_local_rank();
    dog.timeout_s = timeout_s;
    dog.last = dog.still = 0;
    stack_prepare();
    progress.append_call = stack_describe;
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
