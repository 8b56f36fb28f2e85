/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_environment.h"

#include <string.h>

#include "bench.h"
#include "gpu/gpu_use.h"
#include "machine/environment.h"
#include "memory/memory.h"
#include "report/plausible.h"
#include "timing/clock_sync.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

extern char **environ;

static json_t *variables(void)
{
    json_t *object = json_object();

    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        const size_t n = strcspn(*entry, "=");

        if (n >= sizeof name || (*entry)[n] != '=' ||
            !environment_allowed(*entry))
            continue;
        memcpy(name, *entry, n);
        name[n] = '\0';
        json_object_set_new(object, name, json_string(*entry + n + 1));
    }
    return object;
}

static json_t *ranks_of(const struct environment *e)
{
    json_t *ranks = json_array();

    for (int i = 0; i < e->nranks; i++)
        json_array_append_new(
            ranks, json_pack("{s:i, s:s, s:i, s:i, s:i, s:s}", "rank", i,
                             "host", e->rank[i].host, "node", e->rank[i].node,
                             "pid", e->rank[i].pid, "cpu", e->rank[i].cpu,
                             "cpus_allowed", e->rank[i].cpus));
    return ranks;
}

static json_t *clock_of(const struct clock_facts *clock)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:f}", "name", clock->name,
                     "resolution_ns", 1e9 * clock->resolution_s, "tick_ns",
                     1e9 * clock->tick_s, "cost_ns", 1e9 * clock->cost_s,
                     "cost_p99_ns", 1e9 * clock->cost_p99_s);
}

void *record_synchronisation(const struct context *c)
{
    const struct clock_sync_facts *f;

    if (c->sync == NULL)
        return json_null();
    f = &c->sync->facts;
    return json_pack("{s:s, s:i, s:i, s:f, s:f, s:f, s:f}", "method", f->method,
                     "levels", f->levels, "ranks_apart", f->apart, "bound_us",
                     1e6 * f->bound_s, "drift_min_ppm", 1e6 * f->slope_min,
                     "drift_max_ppm", 1e6 * f->slope_max, "took_s", f->took_s);
}

/* MB/s, or null where it is unknown. */
static json_t *rate(double bytes_per_s)
{
    return bytes_per_s > 0 ? json_real(1e-6 * bytes_per_s) : json_null();
}

static json_t *frequency_of(const struct environment *e)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "driver", e->frequency.driver,
                     "min_khz", e->frequency.min, "max_khz", e->frequency.max,
                     "now_khz", e->frequency.now, "boost", e->frequency.boost);
}

static json_t *hardware_of(const struct environment *e,
                           const struct hardware *h)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:s}", "processor",
                     e->processor, "cpus_online", e->cpus_online, "cores",
                     h->cores, "packages", h->packages, "numa_nodes", h->numas,
                     "l2_bytes", (json_int_t)h->l2_bytes, "l3_bytes",
                     (json_int_t)h->l3_bytes, "governor", e->governor);
}

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

/* Null: none is used. */
static json_t *gpu_of(const struct context *c)
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

void *record_environment(const struct context *c)
{
    const struct placement *p = c->placement;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:s, s:s, s:s++, s:b}", "mpi",
        c->world->library, "mpi_text", c->environment->mpi_text, "kernel",
        c->environment->kernel, "model",
        c->world->startup.sessions ? "sessions" : "world", "mpi_init_s",
        c->world->startup.step_s[STARTUP_INIT], "ranks", c->world->size,
        "nodes", p->nodes, "ranks_per_node", p->max_node_size, "path", p->path,
        "bound", p->bound, "memory", c->side[0]->letter, "-",
        c->side[1]->letter, "oversubscribed", p->oversubscribed);

    json_object_set_new(object, "gpu", gpu_of(c));
    json_object_set_new(object, "hardware",
                        hardware_of(c->environment, &p->hardware));
    json_object_set_new(object, "frequency", frequency_of(c->environment));
    json_object_set_new(object, "cpu_quota",
                        c->environment->quota > 0
                            ? json_real(c->environment->quota)
                            : json_null());
    json_object_set_new(object, "clock", clock_of(c->clock));
    json_object_set_new(object, "synchronisation", record_synchronisation(c));
    json_object_set_new(object, "limits",
                        json_pack("{s:o, s:o}", "copy_mb_per_s",
                                  rate(c->limits->copy), "link_mb_per_s",
                                  rate(c->limits->link)));
    json_object_set_new(object, "variables", variables());
    json_object_set_new(object, "build",
                        json_pack("{s:s, s:s, s:s, s:s}", "mpi", BUILD_MPI,
                                  "compiler", BUILD_CC, "compiler_version",
                                  __VERSION__, "flags", BUILD_CFLAGS));
    json_object_set_new(object, "rank", ranks_of(c->environment));
    return object;
}

void *record_method(const struct context *c)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    const bool fixed = settings_fixed(s);
    json_t *object = json_object();
    const struct fields to = { object };
    char title[120];

    report_plain_title(b, s, title);
    fields_text(to, "title", title);
    fields_text(to, "sample", b->report->sample);
    fields_text(to, "printed", b->report->printed);
    fields_text(to, "start",
                settings_word_of(settings_start_words, (int)s->start));
    fields_flag(to, "fixed_counts", fixed);
    fields_flag(to, "verified", bench_is_sized(b) && !s->verify_off);
    if (!fixed) {
        fields_real(to, "precision", settings_precision(s));
        fields_real(to, "budget_s", settings_budget(s));
    }
    if (bench_is_sized(b) && c->seed > 0)
        fields_int(to, "seed", (long long)c->seed);
    else if (bench_is_sized(b))
        fields_null(to, "seed");
    if (s->use == BUFFERS_ROTATE)
        fields_int(to, "pool_bytes", (long long)c->pool);
    if (b->timed == TIMED_SENDERS)
        fields_int(to, "pairs", c->run->pairs);
    settings_record(s, bench_takes(b), to);
    if (b->family != NULL && b->family->method != NULL)
        b->family->method(c, &(struct fields){ object });
    return object;
}
#endif
