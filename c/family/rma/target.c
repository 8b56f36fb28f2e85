/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/simulation.h"
#include "rma_window.h"
#include "sampling/measure.h"

enum { TAG = 4, DEFAULT_US = 1000, MOST_US = 10000000 };

const char *target_parse(const char *text, int *target, long *us)
{
    static const struct {
        const char *word;
        enum rma_target target;
        bool timed;
    } words[] = {
        { "in-mpi", TARGET_IN_MPI, false },
        { "asleep", TARGET_ASLEEP, true },
        { "computing", TARGET_COMPUTING, true },
    };
    const size_t n = strcspn(text, ":");
    char *end;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != n || strncmp(text, words[i].word, n) != 0)
            continue;
        *target = words[i].target;
        *us = DEFAULT_US;
        if (text[n] == '\0')
            return NULL;
        *us = strtol(text + n + 1, &end, 10);
        if (words[i].timed && end != text + n + 1 && *end == '\0' && *us > 0 &&
            *us <= MOST_US)
            return NULL;
        return "needs whole us from 1 to 10000000 after the colon";
    }
    return "is not in-mpi, asleep:US or computing:US";
}

static void pass_time(const struct rma *rma)
{
    const double seconds = 1e-6 * (double)rma->target_us;
    const clock_ticks begun = clock_now();
    const struct timespec rest = { rma->target_us / 1000000,
                                   1000 * (rma->target_us % 1000000) };

    if (rma->target == TARGET_ASLEEP)
        nanosleep(&rest, NULL);
    else
        while (!SIMULATED && clock_seconds(clock_now() - begun) < seconds)
            continue;
}

void target_away(struct bench_run *r)
{
    MPI_Request request;
    int done = 0;

    MPI_Irecv(NULL, 0, MPI_BYTE, r->peer, TAG, r->comm, &request);
    while (!done) {
        pass_time(rma_of(r));
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

void target_call(struct bench_run *r)
{
    MPI_Send(NULL, 0, MPI_BYTE, r->peer, TAG, r->comm);
}

void target_measure(struct measure *m, struct result *result)
{
    struct rma *rma = rma_of(m->context->run);

    measure_pass(m, result, measure_budget(m));
    if (rma->target == TARGET_IN_MPI)
        return;
    const bool precise = result->precise;

    rma->in_mpi_s = result->mean;
    rma->away = true;
    measure_pass(m, result, measure_budget(m));
    rma->away = false; /* verify the operation alone */
    result->precise = result->precise && precise;
}

static const struct rma *state_of(const struct result *r)
{
    return r->family;
}

struct cell target_in_mpi(const struct result *r)
{
    return cell_real(result_figure(r, state_of(r)->in_mpi_s));
}

struct cell target_ratio(const struct result *r)
{
    const double in_mpi = result_figure(r, state_of(r)->in_mpi_s);

    return in_mpi > 0 ? cell_real(result_figure(r, r->mean) / in_mpi)
                      : cell_word("-");
}
