/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_environment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "environment/environment.h"
#include "gpu/gpu_use.h"
#include "memory/memory.h"
#include "report/result.h"
#include "timing/clock_sync.h"

/* Of the run, on rank 0. */
static struct environment environment;
static struct gpu_rank *gpus; /* of all ranks; NULL: no GPU is used */

extern char **environ;

static void variables(struct fields to)
{
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        const size_t n = strcspn(*entry, "=");

        if (n >= sizeof name || (*entry)[n] != '=' ||
            !environment_allowed(*entry))
            continue;
        memcpy(name, *entry, n);
        name[n] = '\0';
        fields_text(to, name, *entry + n + 1);
    }
}

static void ranks_of(const struct environment *e, struct fields list)
{
    for (int i = 0; i < e->nranks; i++) {
        const struct fields rank = fields_object(list, NULL);

        fields_int(rank, "rank", i);
        fields_text(rank, "host", e->rank[i].host);
        fields_int(rank, "node", e->rank[i].node);
        fields_int(rank, "pid", e->rank[i].pid);
        fields_int(rank, "cpu", e->rank[i].cpu);
        fields_text(rank, "cpus_allowed", e->rank[i].cpus);
    }
}

static void libraries_of(const struct environment *e, struct fields list)
{
    for (int i = 0; i < e->nlibraries; i++) {
        const struct library *l = &e->library[i];
        const struct fields library = fields_object(list, NULL);

        fields_text(library, "name", l->name);
        fields_text(library, "file", l->file);
        fields_text(library, "version",
                    l->version[0] != '\0' ? l->version : NULL);
    }
}

static void clock_of(const struct clock_facts *clock, struct fields to)
{
    fields_text(to, "name", clock->name);
    fields_real(to, "resolution_ns", 1e9 * clock->resolution_s);
    fields_real(to, "tick_ns", 1e9 * clock->tick_s);
    fields_real(to, "cost_ns", 1e9 * clock->cost_s);
    fields_real(to, "cost_p99_ns", 1e9 * clock->cost_p99_s);
}

void record_synchronisation(const struct context *c, struct fields to)
{
    static const struct clock_sync_facts none;
    const struct clock_sync_facts *f =
        c->sync != NULL ? &c->sync->facts : &none;

    to = fields_known(to, "synchronization", c->sync != NULL);
    fields_text(to, "method", f->method);
    fields_int(to, "levels", f->levels);
    fields_int(to, "ranks_apart", f->apart);
    fields_us(to, "bound_us", f->bound_s);
    fields_real(to, "drift_min_ppm", 1e6 * f->slope_min);
    fields_real(to, "drift_max_ppm", 1e6 * f->slope_max);
    fields_real(to, "took_s", f->took_s);
}

/* In MB/s, or null where it is unknown. */
static void rate(struct fields to, const char *name, double bytes_per_s)
{
    fields_real(to, name, bytes_per_s > 0 ? 1e-6 * bytes_per_s : NAN);
}

static void frequency_of(const struct environment *e, struct fields to)
{
    fields_text(to, "driver", e->frequency.driver);
    fields_text(to, "min_khz", e->frequency.min);
    fields_text(to, "max_khz", e->frequency.max);
    fields_text(to, "now_khz", e->frequency.now);
    fields_text(to, "boost", e->frequency.boost);
}

static void hardware_of(const struct environment *e, const struct hardware *h,
                        struct fields to)
{
    fields_text(to, "processor", e->processor);
    fields_text(to, "cpu_family", e->cpu.family);
    fields_text(to, "cpu_model", e->cpu.model);
    fields_text(to, "cpu_stepping", e->cpu.stepping);
    fields_text(to, "cpu_microcode", e->cpu.microcode);
    fields_text(to, "cpu_flags", e->cpu.flags);
    fields_int(to, "cpus_online", e->cpus_online);
    fields_int(to, "cores", h->cores);
    fields_int(to, "packages", h->packages);
    fields_int(to, "numa_nodes", h->numas);
    fields_int(to, "l2_bytes", (long long)h->l2_bytes);
    fields_int(to, "l3_bytes", (long long)h->l3_bytes);
    fields_text(to, "governor", e->governor);
}

static void gpu_of_rank(const struct gpu_rank *g, struct fields to)
{
    const struct gpu_facts *f = &g->facts;

    fields_text(to, "name", f->name);
    fields_text(to, "uuid", f->uuid);
    fields_text(to, "pci", f->pci);
    fields_flag(to, "mig", f->mig);
    fields_text(to, "compute_mode", f->compute_mode);
    fields_int(to, "ranks_on_it", g->ranks);
    fields_int(to, "device", f->device);
    fields_int(to, "visible", f->visible);
    fields_int(to, "bytes", (long long)f->bytes);
    fields_int(to, "bytes_free", (long long)f->free);
    fields_known_int(to, "numa_node", g->numa >= 0, g->numa);
    fields_flag(to, "peermem", g->peermem);
}

/* "gpu"; null: none is used. */
static void gpu_of(const struct context *c, struct fields to)
{
    struct fields ranks;

    to = fields_known(to, "gpu", gpus != NULL);
    if (gpus == NULL)
        return;
    fields_text(to, "runtime", gpu_runtime()->name);
    fields_int(to, "driver_version", gpus[0].facts.driver);
    fields_int(to, "runtime_version", gpus[0].facts.runtime);
    fields_flag(to, "shared", this_gpu.shared);
    fields_flag(to, "takes_turns", this_gpu.turns);
    fields_int(to, "unseen_by_ranks", this_gpu.unseen);
    ranks = fields_list(to, "ranks");
    for (int i = 0; i < c->world->size; i++) {
        const struct fields rank = fields_object(ranks, NULL);

        fields_int(rank, "rank", i);
        gpu_of_rank(&gpus[i], rank);
    }
}

/* What warnings W03, W07 and W37 are printed of. */
static void placement_of(const struct placement *p, struct fields to)
{
    struct fields part;

    fields_text(to, "path", p->path);
    fields_text(to, "bound", p->bound);
    part = fields_object(to, "pair_paths");
    fields_int(part, "within_nodes", p->within_nodes);
    fields_int(part, "between_nodes", p->between_nodes);
    part = fields_known(to, "sharing_cores", p->shared.n > 0);
    fields_text(part, "ranks", p->shared.ranks);
    fields_text(part, "cpus", p->shared.cpus);
    fields_text(part, "host", p->shared.host);
    fields_int(to, "ranks_across_numa_nodes", p->drifting);
    part = fields_known(to, "excess_threads", p->threads.threads > 0);
    fields_known_int(part, "rank", p->threads.rank >= 0, p->threads.rank);
    fields_int(part, "threads", p->threads.threads);
    fields_int(part, "cpus", p->threads.cpus);
    fields_text(part, "host", p->threads.host);
    fields_flag(to, "oversubscribed", p->oversubscribed);
}

void record_collect(const struct context *c)
{
    environment_collect(&environment, c->world, c->placement);
    gpus = gpu_use_collect(c->world);
}

void record_release(void)
{
    environment_release(&environment);
    free(gpus);
    gpus = NULL;
}

void record_environment(const struct context *c, struct fields to)
{
    const struct environment *e = &environment;
    const struct placement *p = c->placement;
    struct fields limits, build;
    char memory[32];

    snprintf(memory, sizeof memory, "%s-%s", c->side[0]->letter,
             c->side[1]->letter);
    fields_text(to, "mpi", c->world->library);
    fields_text(to, "mpi_text", e->mpi_text);
    fields_text(to, "mpi_file", e->mpi_file[0] != '\0' ? e->mpi_file : NULL);
    fields_text(to, "mpi_abi", e->mpi_abi[0] != '\0' ? e->mpi_abi : NULL);
    fields_text(to, "kernel", e->kernel);
    fields_text(to, "model",
                c->world->startup->sessions ? "sessions" : "world");
    fields_real(to, "mpi_init_s", c->world->startup->step_s[STARTUP_INIT]);
    fields_int(to, "ranks", c->world->size);
    fields_int(to, "nodes", p->nodes);
    fields_int(to, "ranks_per_node", p->max_node_size);
    fields_text(to, "device", c->device[0] != '\0' ? c->device : NULL);
    fields_text(to, "memory", memory);
    placement_of(p, to);
    gpu_of(c, to);
    hardware_of(e, &p->hardware, fields_object(to, "hardware"));
    frequency_of(e, fields_object(to, "frequency"));
    fields_real(to, "cpu_quota", e->quota > 0 ? e->quota : NAN);
    clock_of(c->clock, fields_object(to, "clock"));
    record_synchronisation(c, to);
    limits = fields_object(to, "limits");
    rate(limits, "copy_mb_per_s", c->limits->copy);
    rate(limits, "link_mb_per_s", c->limits->link);
    libraries_of(e, fields_list(to, "libraries"));
    variables(fields_object(to, "variables"));
    build = fields_object(to, "build");
    fields_text(build, "mpi", BUILD_MPI);
    fields_text(build, "compiler", BUILD_CC);
    fields_text(build, "compiler_version", __VERSION__);
    fields_text(build, "flags", BUILD_CFLAGS);
    ranks_of(e, fields_list(to, "rank"));
}

/* An option by the name that its row gives it. */
static void record_option(const struct option_row *row, struct fields to)
{
    const void *const field = (const char *)row->base + row->offset;
    const char *word = row->given;
    struct fields list;

    if (row->record != NULL) {
        row->record(to, row->json, field);
        return;
    }
    switch (row->kind) {
    case OPTION_FLAG:
        fields_flag(to, row->json, *(const bool *)field);
        return;
    case OPTION_INT:
    case OPTION_CHOICE:
        word = row->choices != NULL
                   ? choice_word(row->choices, *(const int *)field)
                   : NULL;
        if (word == NULL)
            fields_int(to, row->json, *(const int *)field);
        break;
    case OPTION_SIDES:
        list = fields_list(to, row->json);
        for (int i = 0; i < 2; i++)
            fields_int(list, NULL, ((const int *)field)[i]);
        return;
    case OPTION_SIZE:
        fields_int(to, row->json, (long long)*(const size_t *)field);
        return;
    case OPTION_SECONDS:
    case OPTION_PERCENT:
        fields_real(to, row->json, *(const double *)field);
        return;
    case OPTION_TEXT:
        word = *(const char *const *)field;
        break;
    default:
        break;
    }
    if (word != NULL)
        fields_text(to, row->json, word);
}

void record_method(const struct context *c, struct fields to)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    const bool fixed = settings_fixed(s);
    const struct option_row *row;
    char title[120], option[40];
    struct fields ignored;

    report_plain_title(b, s, title);
    fields_text(to, "title", title);
    fields_text(to, "sample", b->report->sample);
    fields_text(to, "printed", b->report->printed);
    fields_text(to, "start", choice_word(settings_start_words, (int)s->start));
    fields_flag(to, "fixed_counts", fixed);
    if (b->takes & TAKES_ITERATIONS)
        fields_text(
            to, "disturbed",
            choice_word(settings_disturbed_words, (int)settings_disturbed(s)));
    fields_flag(to, "each_iteration", s->npercentiles > 0);
    row = option_moot(s, NULL);
    if (row != NULL || s->stray[0] != '\0')
        ignored = fields_list(to, "ignored");
    if (s->stray[0] != '\0')
        fields_text(ignored, NULL, s->stray);
    for (; row != NULL; row = option_moot(s, row))
        fields_text(ignored, NULL, option_spelling(row, option));
    fields_flag(to, "verified", bench_is_verified(b, s));
    if (!fixed) {
        fields_real(to, "precision", settings_precision(s));
        fields_real(to, "budget_s", settings_budget(s));
    }
    if (bench_is_sized(b)) { /* whether options can change them or not */
        fields_known_int(to, "seed", c->seed > 0, (long long)c->seed);
        fields_text(to, "order",
                    choice_word(settings_order_words, (int)s->order));
        fields_text(to, "buffers",
                    choice_word(settings_use_words, (int)s->use));
        fields_flag(to, "touch", s->touch);
    }
    if (s->use == BUFFERS_ROTATE)
        fields_int(to, "pool_bytes", (long long)c->pool);
    if (b->timed == TIMED_SENDERS)
        fields_int(to, "pairs", c->run->pairs);
    if (settings_as_omb(s))
        fields_text(to, "protocol", "omb");
    for (row = s->rows; row->name != NULL; row++)
        if (row->json != NULL && row->taken)
            record_option(row, to);
    if (bench_family(b)->record != NULL)
        b->family->record(c, &(struct recorded){ .part = RECORDED_METHOD },
                          &to);
}
