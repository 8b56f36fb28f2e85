/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.h - what nas.c has to know of IS and of FT, and what their
 *                 families take from it.
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

/* What both families have in common: the first fields of each; defaults, and what
   else it has, follow. */
#define NAS_FAMILY                                                             \
    .name = "nas", .settings = sizeof(struct nas_settings),                    \
    .misfit = nas_misfit, .example.options = "--class=S",                      \
    .state = sizeof(struct nas), .end = nas_end, .method = nas_method,         \
    .record_row = nas_record_row, .run = nas_run, .dry_run = nas_dry_run

extern const struct option_row nas_is_options[], nas_ft_options[];
enum message_id nas_misfit(const struct bench *b, const struct settings *s,
                           int ranks, char *why, size_t room);
void nas_end(const struct context *c);
void nas_method(const struct context *c, struct fields *to);
void nas_record_row(const struct context *c, const struct result *result,
                    struct fields *to);
enum exit_code nas_run(const struct context *c, struct measure *m,
                       struct output *o);
bool nas_dry_run(const struct context *c, double available);

#endif
