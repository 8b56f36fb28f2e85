/* SPDX-License-Identifier: BSD-3-Clause */
#include "where.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sizes.h"
#include "bench.h"
#include "expect/expect.h"
#include "gpu/gpu_map.h"
#include "job/launch.h"
#include "job/world.h"
#include "memory/gpu.h"
#include "report/output.h"
#include "sampling/over_ranks.h"

struct where_settings {
    int threads; /* 0: as OMP_NUM_THREADS says */
};

static const struct option_row options[] = {
    { 0, "threads", "N", .group = OPTIONS_SIDES, .common = true,
      .help = "threads per rank; those of your application, compared with the "
              "CPUs of the rank",
      .fallback = "OMP_NUM_THREADS, or 1", .kind = OPTION_INT,
      .offset = offsetof(struct where_settings, threads), .min = 1,
      .max = 1 << 20 },
    { 0 },
};
static const struct where_settings defaults = { .threads = 0 };

/* --- What is found -------------------------------------------------------------- */

/* A list, "4,2", is of nested loops: the first number is that of a rank's threads. */
static int threads_of(const struct settings *s)
{
    const struct where_settings *w = s->family;

    return w->threads > 0
               ? w->threads
               : number_of_variable(getenv("OMP_NUM_THREADS"), 1, INT_MAX, 1);
}

/* The GPU in use or, where none is asked for, that which would be. */
static bool find_gpu(struct gpu_facts *facts, const struct context *c)
{
    const struct gpu_runtime *gpu;
    char why[200];
    int device, visible;

    if (this_gpu.used) {
        *facts = this_gpu.facts;
        return true;
    }
    gpu_choose(DEVICE_HOST);
    gpu = gpu_runtime();
    visible = gpu != NULL ? gpu->count() : 0;
    if (visible == 0)
        return false;
    device = gpu_map_device(gpu_map_asked(c->settings), launch_local_rank(),
                            visible, why, sizeof why);
    return device != GPU_REFUSED && gpu->use(device) && gpu->facts(facts);
}

static void find_all(struct where *w, const struct context *c)
{
    const size_t ranks = (size_t)c->world->size;
    struct where_rank mine;
    struct preflight preflight;

    memset(&mine, 0, sizeof mine);
    memset(&preflight, 0, sizeof preflight);
    mine.place = c->placement->place;
    mine.has_gpu = find_gpu(&mine.gpu, c);
    preflight_look(&preflight, c->placement, threads_of(c->settings));
    environment_collect(&w->environment, c->world, c->placement);
    if (c->world->rank == 0) {
        w->rank = world_room(ranks, sizeof *w->rank, "the places of all ranks");
        w->preflight =
            world_room(ranks, sizeof *w->preflight, "the places of all ranks");
        w->bad_on =
            world_room(ranks, sizeof *w->bad_on, "the places of all ranks");
    }
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, w->rank, sizeof mine, MPI_BYTE, 0,
                c->world->comm);
    PMPI_Gather(&preflight, sizeof preflight, MPI_BYTE, w->preflight,
                sizeof preflight, MPI_BYTE, 0, c->world->comm);
    if (c->world->rank == 0)
        preflight_judge(w->preflight, c->world->size, &w->environment,
                        w->bad_on, w->finding);
}

/* --- What is printed ------------------------------------------------------------- */

/* A number, or "-" for none. */
static const char *number(int value, char text[16])
{
    if (value < 0)
        return "-";
    snprintf(text, 16, "%d", value);
    return text;
}

/* Of a cell with a text, if none is longer: a terminal has 80 columns. */
enum { HOST_ROOM = 8, CPUS_ROOM = 6, GPU_ROOM = 15 };

struct columns {
    int host, cpus, gpu; /* width of each; gpu 0: no rank has one */
};

static void widen(int *width, const char *text)
{
    const int length = (int)strlen(text);

    *width = length > *width ? length : *width;
}

static struct columns columns_of(const struct where *w, int ranks)
{
    struct columns c = { HOST_ROOM, CPUS_ROOM, 0 };

    for (int i = 0; i < ranks; i++) {
        if (w->rank[i].has_gpu)
            c.gpu = GPU_ROOM;
        if (i < WHERE_ROWS) {
            widen(&c.host, w->environment.rank[i].host);
            widen(&c.cpus, w->environment.rank[i].cpus);
        }
    }
    return c;
}

static void print_rank(FILE *to, const struct where *w, int rank,
                       const struct columns *c)
{
    const struct environment_rank *e = &w->environment.rank[rank];
    const struct where_rank *r = &w->rank[rank];
    const struct network *n = &w->preflight[rank].network;
    char core[16], numa[16], socket[16], gpu[32] = "-";

    if (r->has_gpu)
        snprintf(gpu, sizeof gpu, "%d@%s", r->gpu.device, r->gpu.pci);
    fprintf(to, "%-7d %-5d %-*s %-*s %-7d %-5s %-5s %-7s ", rank, e->node,
            c->host, e->host, c->cpus, e->cpus[0] != '\0' ? e->cpus : "-",
            w->preflight[rank].polling, number(r->place.core, core),
            number(r->place.numa, numa), number(r->place.package, socket));
    if (c->gpu > 0)
        fprintf(to, "%-*s ", c->gpu, gpu);
    if (n->distance == DISTANCE_NONE)
        fputs("-\n", to);
    else
        fprintf(to, "%s (%s)\n", n->names, distance_names[n->distance]);
}

static void print_findings(FILE *to, const struct finding *finding)
{
    char line[300];
    bool good = true;

    preflight_line(finding, line, sizeof line);
    fprintf(to, "# Preflight: %s\n", line);
    for (int i = 0; i < FINDINGS; i++) {
        good = good && !finding[i].bad;
        if (finding[i].bad)
            fprintf(to, "# %s=%s: %s\n#   %s\n", finding_keys[i],
                    finding[i].word, finding[i].why, finding_remedies[i]);
    }
    if (good)
        fputs("# These checks found no problem.\n", to);
}

/* What windows of one-sided programs and large jobs have room in. */
static void print_shared(FILE *to, const struct where *w, int ranks)
{
    const int least = preflight_least_shared(w->preflight, ranks);
    const struct preflight *p = &w->preflight[least];
    char free_bytes[32], size[32];

    if (isfinite(p->shm_free))
        fprintf(to, "# /dev/shm: size=%s; free=%s; host=%s;\n",
                size_words(p->shm_size, size),
                size_words(p->shm_free, free_bytes),
                w->environment.rank[least].host);
}

static void print_all(FILE *to, const struct where *w, int ranks)
{
    const struct columns c = columns_of(w, ranks);

    fprintf(to, "%-7s %-5s %-*s %-*s %-7s %-5s %-5s %-7s ", "# Rank", "Node",
            c.host, "Host", c.cpus, "CPUs", "Polling", "Core", "NUMA",
            "Socket");
    if (c.gpu > 0)
        fprintf(to, "%-*s ", c.gpu, "GPU");
    fputs("Nearest network\n", to);
    for (int i = 0; i < ranks && i < WHERE_ROWS; i++)
        print_rank(to, w, i, &c);
    if (ranks > WHERE_ROWS)
        fprintf(to, "# Ranks not shown: %d; --json=FILE has all;\n",
                ranks - WHERE_ROWS);
    if (w->environment.mpi_abi[0] != '\0')
        fprintf(to, "# abi=%s;\n", w->environment.mpi_abi);
    print_shared(to, w, ranks);
    print_findings(to, w->finding);
    fflush(to);
}

/* --- The family ------------------------------------------------------------------ */

/* The header line and the findings are one. */
static enum exit_code check(const struct context *c, const struct where *w)
{
    char findings[300], line[600];

    preflight_line(w->finding, findings, sizeof findings);
    snprintf(line, sizeof line, "%s %s", c->identity, findings);
    return expect_line(c, line);
}

static enum exit_code run(const struct context *c, struct measure *m,
                          struct output *o)
{
    struct where *w = c->run->family;
    const struct spread spread = over_ranks_spread(
        c->world->comm, c->world->startup->step_s[STARTUP_INIT], 1);
    const struct result result =
        output_result(c, spread.ranks, spread.mean, spread.min, spread.max);
    enum exit_code code = EXIT_OK;

    (void)o;
    (void)m;
    find_all(w, c);
    output_title(c);
    if (c->world->rank == 0)
        print_all(stdout, w, c->world->size);
    output_record(c, &result);
    if (c->world->rank == 0)
        code = check(c, w);
    return code;
}

static void record_rank(const struct where *w, int rank, struct fields to)
{
    const struct where_rank *r = &w->rank[rank];
    const struct preflight *p = &w->preflight[rank];
    const struct network *n = &p->network;
    struct fields part;

    fields_int(to, "rank", rank);
    fields_int(to, "node", w->environment.rank[rank].node);
    fields_text(to, "host", w->environment.rank[rank].host);
    fields_text(to, "cpus_allowed", w->environment.rank[rank].cpus);
    fields_known_int(to, "core", r->place.core >= 0, r->place.core);
    fields_known_int(to, "numa_node", r->place.numa >= 0, r->place.numa);
    fields_known_int(to, "socket", r->place.package >= 0, r->place.package);
    part = fields_known(to, "gpu", r->has_gpu);
    fields_int(part, "device", r->gpu.device);
    fields_text(part, "name", r->gpu.name);
    fields_text(part, "uuid", r->gpu.uuid);
    fields_text(part, "pci", r->gpu.pci);
    part = fields_known(to, "network", n->distance != DISTANCE_NONE);
    fields_text(part, "nearest", n->names);
    fields_text(part, "by", distance_names[n->distance]);
    fields_real(to, "shm_free_bytes", p->shm_free);
    fields_real(to, "shm_size_bytes", p->shm_size);
    fields_real(to, "memlock_bytes", p->memlock);
    fields_known_int(to, "vm_read_errno", p->vm_error != PREFLIGHT_ALONE,
                     p->vm_error);
    fields_int(to, "threads", p->threads);
    fields_int(to, "polling_threads", p->polling);
}

/* Hosts where the finding is bad.  Nodes are numbered as their first ranks are. */
static void record_hosts(const struct where *w, int ranks, int finding,
                         struct fields to)
{
    const struct fields hosts = fields_list(to, "hosts");
    int node = 0;

    for (int i = 0; i < ranks; i++) {
        const struct environment_rank *e = &w->environment.rank[i];

        if (e->node != node)
            continue;
        if ((w->bad_on[node] >> finding & 1) != 0)
            fields_text(hosts, NULL, e->host);
        node++;
    }
}

static void record_all(const struct context *c, const struct recorded *what,
                       struct fields *to)
{
    const struct where *w = c->run->family;

    if (what->result == NULL)
        return;
    const struct fields ranks = fields_list(*to, "placement");
    const struct fields findings = fields_object(*to, "preflight");

    for (int i = 0; i < c->world->size; i++)
        record_rank(w, i, fields_object(ranks, NULL));
    for (int i = 0; i < FINDINGS; i++) {
        const struct fields one = fields_object(findings, finding_keys[i]);

        fields_text(one, "value", w->finding[i].word);
        fields_text(one, "why", w->finding[i].bad ? w->finding[i].why : NULL);
        record_hosts(w, c->world->size, i, one);
    }
}

static void end(const struct context *c)
{
    struct where *w = c->run->family;

    environment_release(&w->environment);
    free(w->rank);
    free(w->preflight);
    free(w->bad_on);
}

const struct report report_where = {
    .sample = "none",
    .printed = "where each rank runs, and what of its node may hinder MPI",
    .compact = true,
};

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    (void)b;
    (void)s;
    plan->expects = finding_keys;
}

const struct family where_family = {
    .name = "where",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .plan = plan,
    .state = sizeof(struct where),
    .run = run,
    .record = record_all,
    .end = end,
};
