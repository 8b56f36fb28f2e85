/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs of the ranks, in the head of the JSON document, and what a row says of them. */
#include "record.h"

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#ifdef HAVE_JANSSON
#    include <jansson.h>

static json_t *networks_of(const struct gpu_place *p)
{
    json_t *networks = json_array();

    for (int i = 0; i < p->networks; i++)
        json_array_append_new(networks, json_pack("{s:s, s:s}", "name",
                                                  p->network[i].name, "by",
                                                  p->network[i].by));
    return networks;
}

static json_t *one(int rank, const struct gpu_rank *g)
{
    const struct gpu_facts *f = &g->facts;

    return json_pack(
        "{s:i, s:s, s:s, s:s, s:b, s:s, s:i, s:i, s:i, s:I, s:I, s:o, s:o, "
        "s:b}",
        "rank", rank, "name", f->name, "uuid", f->uuid, "pci", f->pci, "mig",
        f->mig, "compute_mode", f->compute_mode, "ranks_on_it", g->ranks,
        "device", f->device, "visible", f->visible, "bytes",
        (json_int_t)f->bytes, "bytes_free", (json_int_t)f->free, "numa_node",
        g->place.numa >= 0 ? json_integer(g->place.numa) : json_null(),
        "networks", networks_of(&g->place), "peermem", g->place.peermem);
}

void *record_row_gpu(const struct result *r)
{
    if (!r->gpu.known)
        return json_null();
    return json_pack("{s:f}", "left_us", 1e6 * r->gpu.left_s);
}

void *record_gpu(const struct record_context *c)
{
    json_t *ranks;

    if (c->gpus == NULL)
        return json_null();
    ranks = json_array();
    for (int i = 0; i < c->world->size; i++)
        json_array_append_new(ranks, one(i, &c->gpus[i]));
    return json_pack("{s:s, s:i, s:i, s:b, s:i, s:o}", "runtime",
                     gpu_runtime()->name, "driver_version",
                     c->gpus[0].facts.driver, "runtime_version",
                     c->gpus[0].facts.runtime, "shared", c->gpu->shared,
                     "unseen_by_ranks", c->gpu->unseen, "ranks", ranks);
}
#endif
