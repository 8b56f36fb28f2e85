/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread.h"

#include <signal.h>
#include <stdlib.h>

#include "watchdog.h"
#include "world.h"

void thread_refused(void)
{
    message_print(E20_OUT_OF_MEMORY, watchdog_program(),
                  "the system refused a thread, or memory for one");
    world_abort(messages[E20_OUT_OF_MEMORY].code);
    exit(messages[E20_OUT_OF_MEMORY].code);
}

void thread_make(pthread_t *thread, void *(*work)(void *), void *argument)
{
    sigset_t all, before;

    /* The watchdog's signal is for the main thread, which has time. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(thread, NULL, work, argument) != 0)
        thread_refused();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
