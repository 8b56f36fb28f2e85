/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.h - what nas.h has to know of IS and of FT.
 */
#ifndef APPLICATION_H
#define APPLICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "call_times.h"
#include "loop.h"
#include "specification.h"

struct application {
    const char *calls[PARTS_MAX]; /* names of the parts: MPI calls */

    /* Can so many ranks run it?  If not, why[] says what the number must be. */
    bool (*divides)(enum nas_class class, int ranks, char *why, size_t room);
    size_t (*bytes)(enum nas_class class, int ranks); /* on a rank, at most */
    int (*iterations)(enum nas_class class);
    double (*operations)(enum nas_class class); /* of a run, for Mop/s */
    void (*describe)(enum nas_class class, char *text, size_t room);

    /* Memory and what else is untimed; false: out of memory.  end in any
       case. */
    bool (*begin)(struct bench_run *r, enum nas_class class);
    void (*end)(struct bench_run *r);
    /* After a run of all iterations: is the outcome right?  If not, why[] says
       what is wrong.  Collective; alike on all ranks. */
    bool (*verify)(struct bench_run *r, char *why, size_t room);
};

extern const struct application application_is, application_ft;

#endif
