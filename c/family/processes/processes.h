/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - processes forked by a rank after MPI_Init, which only exist:
 *              the state of a library in a process that has forked.
 *
 * They call neither MPI nor anything else, live until processes_end, and die
 * with their parent, however it ends.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

struct processes {
    int n;
    pid_t *pid;
};

/* Fork n of them; false: the system refused (processes_end ends the others). */
bool processes_begin(struct processes *c, int n);

/* End and reap them. */
void processes_end(struct processes *c);

#endif
