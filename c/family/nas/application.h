/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.h - what nas.c knows about IS and FT, and what their families use
 *                 of nas.c.
 */
#ifndef APPLICATION_H
#define APPLICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "call_times.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "specification.h"

struct application {
    const char *calls[PARTS_MAX]; /* names of the parts: MPI calls */

    /* Can so many ranks run it?  If not, why[] says what the number must be. */
    bool (*divides)(enum nas_class class, int ranks, char *why, size_t room);
    /* The most that a rank needs */
    size_t (*bytes)(enum nas_class class, int ranks);
    int (*iterations)(enum nas_class class);
    /* Operations of a run, for Mop/s */
    double (*operations)(enum nas_class class);
    void (*describe)(enum nas_class class, char *text, size_t room);

    /* Allocate memory and do other untimed work.  false: out of memory.  Call
       end in any case. */
    bool (*begin)(struct bench_run *r, enum nas_class class);
    void (*end)(struct bench_run *r);
    /* After a run of all iterations: is the outcome right?  If not, why[] says
       what is wrong.  Collective; the same on all ranks. */
    bool (*verify)(struct bench_run *r, char *why, size_t room);
};

/* The first fields of both families; each adds its defaults and its own
   fields. */
#define NAS_FAMILY                                                             \
    .name = "nas", .settings = sizeof(struct nas_settings),                    \
    .example.options = "--class=S", .state = sizeof(struct nas),               \
    .end = nas_end, .record = nas_record, .run = nas_run

extern const struct option_row nas_is_options[], nas_ft_options[];
void nas_refuse(const struct context *c, struct refusal *r);
void nas_end(const struct context *c);
void nas_record(const struct context *c, const struct recorded *what,
                struct fields *to);
enum exit_code nas_run(const struct context *c, struct measure *m,
                       struct output *o);

#endif
