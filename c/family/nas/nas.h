/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nas.h - programs that run once, like an application: NAS IS (is.h) and FT
 *         (ft.h), a family each.
 *
 * A lap is a whole run.  The file of the program has the loop over iterations
 * with its MPI calls; is_kernel.h and ft_kernel.h have the computation between
 * them.  The family runs one iteration untimed, then all of them timed.  It
 * verifies the outcome and reports where the time went (whole.h).
 */
#ifndef NAS_H
#define NAS_H

#include "call_times.h"
#include "family.h"
#include "ft_kernel.h"
#include "is_kernel.h"
#include "job/watchdog.h"
#include "loop.h"
#include "memory/memory.h"
#include "options/settings.h"
#include "whole.h"

struct application;

struct nas {
    int iterations; /* iterations of this lap */
    struct parts parts;
    struct keys keys;        /* IS */
    struct grid grid;        /* FT */
    struct buffer buffer[3]; /* memory of the grid */
    struct whole whole;      /* results of the run */
};

static inline struct nas *nas_of(const struct bench_run *r)
{
    return r->family;
}

struct nas_settings {
    int class;                             /* enum nas_class */
    const struct application *application; /* constant: IS, or FT */
};

static inline const struct nas_settings *nas_settings(const struct settings *s)
{
    return s->family;
}

/* Loop control: does iteration i run?  The first is 1. */
static inline bool nas_goes_on(const struct nas *nas, int i)
{
    watchdog_moved();
    return i <= nas->iterations;
}

#endif
