/* SPDX-License-Identifier: BSD-3-Clause */
/* What this build, or the number of ranks, makes impossible. */
#include <stdio.h>

#include "nas/application.h"
#include "command_line.h"
#include "machine/counters.h"
#include "gpu/gpu.h"
#include "groups/groups.h"
#include "job/launch.h"
#include "base/simulation.h"
#include "transport/transport.h"

/* What this MPI library has not, of what is needed; NULL: nothing. */
static const char *lacks(enum needs needs)
{
    switch (needs) {
    case NEEDS_PERSISTENT_COLLECTIVES:
        return FEATURE_PERSISTENT_COLLECTIVES != NULL
                   ? NULL
                   : "persistent collectives (MPI-4 MPI_Allreduce_init, or the "
                     "extension MPIX_Allreduce_init)";
    case NEEDS_PARTITIONED:
        return FEATURE_PARTITIONED != NULL
                   ? NULL
                   : "partitioned communication (MPI-4 MPI_Psend_init)";
    case NEEDS_PROCESSES:
        return SIMULATED ? "processes of their own for its ranks" : NULL;
    case NEEDS_THREADS: /* known when MPI runs */
    case NEEDS_NOTHING:
        break;
    }
    return NULL;
}

/* The library that this build has not, of what is needed; NULL: none. */
static const char *missing(const struct bench *b)
{
    if (b->transport != NULL)
        return b->transport->missing;
    return b->application != NULL && b->application->is_built != NULL &&
                   !b->application->is_built()
               ? b->application->missing
               : NULL;
}

enum exit_code command_line_check(const struct bench *b,
                                  const struct settings *s)
{
    const bool speaks = launch_rank() == 0;
    const bool built = gpu_runtime() != NULL && s->device != DEVICE_OPENACC &&
                       s->device != DEVICE_ROCM;

    if (s->device != DEVICE_HOST && !built) {
        if (speaks)
            message_print(E05_NO_GPU_SUPPORT, b->name,
                          gpu_runtime() == NULL
                              ? "-d: this build has no GPU support"
                              : "-d: this build has GPU support by CUDA only");
        return messages[E05_NO_GPU_SUPPORT].code;
    }
    if (s->target != 0 && gpu_runtime() == NULL) {
        if (speaks)
            message_print(E05_NO_GPU_SUPPORT, b->name,
                          "-r: this build has no GPU support");
        return messages[E05_NO_GPU_SUPPORT].code;
    }
    if (s->array > 0 && speaks)
        message_print(W05_HOST_MEASURED, b->name,
                      "-a: computation has no array here: it is calibrated by "
                      "its duration");
    if (lacks(b->needs) != NULL) {
        if (speaks)
            message_print(E18_MPI_LACKS, b->name, "this MPI library has no %s",
                          lacks(b->needs));
        return messages[E18_MPI_LACKS].code;
    }
    if (missing(b) != NULL) {
        if (speaks)
            message_print(E29_LIBRARY, b->name, "this build has no %s",
                          missing(b));
        return messages[E29_LIBRARY].code;
    }
    if (s->session && !FEATURE_SESSIONS) {
        if (speaks)
            message_print(E18_MPI_LACKS, b->name,
                          "-I: this MPI library has no sessions (MPI-4 "
                          "MPI_Session_init)");
        return messages[E18_MPI_LACKS].code;
    }
    if (s->nevents > 0 && !counters_are_built()) {
        if (speaks)
            message_print(E26_CANNOT_COUNT, b->name,
                          "-P: this build has no PAPI");
        return messages[E26_CANNOT_COUNT].code;
    }
    if (settings_device_words(s) && gpu_runtime() == NULL && speaks)
        message_print(
            W05_HOST_MEASURED, b->name,
            "this build has no GPU support: D, M, MD and MH are taken "
            "for H, and host memory is measured");
    return EXIT_OK;
}

void command_line_warn(const struct bench *b, const struct settings *s)
{
    if (s->device != DEVICE_HOST && bench_has_sides(b) &&
        !settings_device_words(s))
        message_print(W05_HOST_MEASURED, b->name,
                      "-d is given, but both buffers are in host memory; for "
                      "device memory add D D");
}

/* What does not go with so many ranks, though programs run on as many: why[]
   says so, "" if all does. */
static enum message_id misfit(const struct bench *b, const struct settings *s,
                              int ranks, char *why, size_t room)
{
    long level[LEVELS_MAX];

    why[0] = '\0';
    if (s->root >= ranks)
        snprintf(why, room, "-k fixed:%d needs more than %d ranks", s->root,
                 ranks);
    else if (s->pairs > ranks / 2)
        snprintf(why, room, "-p %d needs %d ranks; started: %d", s->pairs,
                 2 * s->pairs, ranks);
    else if (s->groups > 0 && !groups_divide(s->groups, ranks, why, room))
        return E02_WRONG_RANKS;
    else if (s->groups == 0 ||
             groups_countable(s->groups, settings_window(s), why, room))
        levels_choose(bench_levels(b, s), s, ranks, level, why, room);
    return E12_USAGE;
}

enum exit_code command_line_check_ranks(const struct bench *b,
                                        const struct settings *s, int ranks,
                                        bool speaks)
{
    const int min = b->ranks.min, max = b->ranks.max;
    const bool odd = b->ranks.even && ranks % 2 != 0;
    enum message_id wrong;
    char needs[64], why[120];

    if (b->application != NULL && ranks >= min)
        return application_check_ranks(
            b->application, b->name, s->started_as,
            application_class(b->application, s->class), ranks, speaks);
    if (ranks >= min && (max == 0 || ranks <= max) && !odd) {
        wrong = misfit(b, s, ranks, why, sizeof why);
        if (why[0] == '\0')
            return EXIT_OK;
        if (speaks)
            message_print(wrong, b->name, "%s", why);
        return messages[wrong].code;
    }
    snprintf(needs, sizeof needs, "%s%d",
             max == min               ? "exactly "
             : max > 0 && ranks > max ? "at most "
                                      : "at least ",
             max > 0 && ranks > max ? max : min);
    if (speaks)
        message_print(E02_WRONG_RANKS, b->name,
                      "needs %s ranks; started: %d. For example: %s -n %d %s",
                      b->ranks.even ? "an even number of" : needs, ranks,
                      launch_command(),
                      ranks < min              ? min
                      : max > 0 && ranks > max ? max
                                               : ranks + 1,
                      s->started_as);
    return messages[E02_WRONG_RANKS].code;
}
