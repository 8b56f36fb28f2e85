/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport.h"

#include <stdlib.h>

#include "job/watchdog.h"

enum exit_code transport_begin(const struct transport *t, struct bench_run *r,
                               const struct buffer *send,
                               const struct world *world, bool one_node,
                               const char *program)
{
    char why[400] = "";
    int speaker;

    watchdog_phase("connecting");
    speaker = t->begin(r, send, world->comm, one_node, why, sizeof why)
                  ? world->size
                  : world->rank;
    MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, world->comm);
    if (speaker == world->size)
        return EXIT_OK;
    if (speaker == world->rank)
        message_print(E30_NO_CONNECTION, program, "%s (rank=%d;)", why,
                      world->rank);
    return messages[E30_NO_CONNECTION].code;
}

void transport_lost(const char *why)
{
    char where[200];

    watchdog_describe(where, sizeof where);
    message_print(E31_CONNECTION_LOST, watchdog_program(), "%s; %s", why,
                  where);
    world_abort(messages[E31_CONNECTION_LOST].code);
    abort();
}
