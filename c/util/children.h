/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * children.h - processes forked by a rank after MPI_Init, which only exist:
 *              the state of a library in a process that has forked.
 *
 * They call neither MPI nor anything else, live until children_end, and die
 * with their parent, however it ends.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

struct children {
    int n;
    pid_t *pid;
};

/* Fork n of them; false: the system refused (children_end ends the others). */
bool children_begin(struct children *c, int n);

/* End and reap them. */
void children_end(struct children *c);

#endif
