/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport.h"

#include "bench.h"
#include "job/progress.h"
#include "record/fields.h"

enum exit_code transport_connect(const struct context *c, const struct buffer *send,
                                 transport_connection *connection)
{
    char why[400] = "";

    progress_phase("connecting");
    const bool good = connection(c, send, why, sizeof why);

    return world_refuse_first(c->world, !good, E30_NO_CONNECTION, "%s", why);
}

void transport_lost(const char *why)
{
    char where[200] = "";

    progress_describe(where, sizeof where);
    message_print(E31_CONNECTION_LOST, "%s; %s", why, where);
    world_abort(messages[E31_CONNECTION_LOST].code);
}

void transport_plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->send_memory = &memory_host;
}

void transport_record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct transport *t = transport_of(c->run);

    if (what->part == RECORDED_METHOD && t->over[0] != '\0')
        fields_text(*to, "over", t->over);
}

/* --- What is printed --------------------------------------------------------- */

static void over_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    fprintf(to, "# Over: %s.\n", transport_of(r)->over);
}

#define WITHOUT_MPI .no_type_line = true, .preamble = over_line, .without_mpi = true

const struct report report_transport_latency = {
    REPORT_ROUND_TRIP,
    .sample = "one round trip, seen by rank 0",
    WITHOUT_MPI,
};
const struct report report_transport_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .is_rate = true,
    .headline = report_bandwidth_columns,
    WITHOUT_MPI,
};
