/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "dry_run/dry_run.h"
#include "job/placement.h"
#include "job/world.h"

static const char *const keys[] = { "ranks",    "nodes", "path", "mem", "bound",  "start",
                                    "protocol", "mpi",   "init", "gpu", "device", NULL };

static bool is_key(const char *const *list, const char *text, size_t n)
{
    for (; list != NULL && *list != NULL; list++)
        if (strlen(*list) == n && strncmp(text, *list, n) == 0)
            return true;
    return false;
}

const char *identity_wrong(const char *text, const char *const *more)
{
    const size_t n = strcspn(text, "=");

    if (text[n] != '=' || text[n + 1] == '\0')
        return "is not KEY=VALUE";
    if (is_key(keys, text, n) || is_key(more, text, n))
        return NULL;
    if (more != NULL)
        return "is no key of the header line or of the line of findings";
    return "is no key of the header line; keys are ranks, nodes, path, mem, "
           "bound, start, protocol, mpi, init, gpu and device";
}

/* Copy the value that stands after " KEY=" and before ';'.  The line leaves out how ranks
   start if that is the default, and what there is none of. */
static void look_up(const char *line, const char *key, size_t n, char *found, size_t room)
{
    const char *at = line;

    while ((at = strchr(at, ' ')) != NULL) {
        at++;
        if (strncmp(at, key, n) == 0 && at[n] == '=') {
            at += n + 1;
            snprintf(found, room, "%.*s", (int)strcspn(at, ";"), at);
            return;
        }
    }
    snprintf(found, room, "%s",
             n == strlen("start") && strncmp(key, "start", n) == 0 ? "dissemination" : "none");
}

/* Do all names of "mlx5_0+mlx5_1" begin so?  A number is not cut. */
static bool all_begin(const char *value, const char *found)
{
    const size_t n = strlen(value);

    for (const char *name = found;; name++) {
        if (strncmp(name, value, n) != 0 ||
            (isdigit((unsigned char)value[n - 1]) && isdigit((unsigned char)name[n])))
            return false;
        name += strcspn(name, "+");
        if (*name == '\0')
            return true;
    }
}

/* Of a library and of devices the beginning is enough. */
static bool holds(const char *text, const char *value, const char *found)
{
    const bool cut = strncmp(text, "mpi=", 4) == 0 || strncmp(text, "device=", 7) == 0;

    return strcmp(found, value) == 0 ||
           (cut && strcmp(found, "none") != 0 && all_begin(value, found));
}

int identity_unmet(const char *line, const char *const text[], int n, char *words, size_t room)
{
    size_t at = 0;
    int unmet = 0;

    words[0] = '\0';
    for (int i = 0; i < n; i++) {
        const size_t key = strcspn(text[i], "=");
        char found[160];

        look_up(line, text[i], key, found, sizeof found);
        if (holds(text[i], text[i] + key + 1, found))
            continue;
        unmet++;
        if (at < room)
            at += (size_t)snprintf(words + at, room - at, "%sexpected %s; found %.*s=%s;",
                                   at > 0 ? " " : "", text[i], (int)key, text[i], found);
    }
    return unmet;
}

/* --- What is asked for ------------------------------------------------------------ */

static const char *parse(void *field, const char *text)
{
    struct expect_asked *asked = field;

    if (asked->n == EXPECT_MAX)
        return "is one too many: at most 16 are allowed";
    asked->text[asked->n++] = text;
    return identity_wrong(text, asked->more);
}

static const struct option_row rows[] = {
    { 0, "expect", "KEY=VALUE", .group = OPTIONS_RUN, .common = true,
      .help = "stop (E35) if the header line differs; for example path=inter-node, mpi=OpenMPI-5, "
              "device=mlx5, gpu=own, init=none; repeatable",
      .kind = OPTION_SPECIAL, .parse = parse, MOOT_IN_PLAN },
    { 0 },
};

static void begin(void *asked, const struct bench *b, const struct settings *s)
{
    ((struct expect_asked *)asked)->more = bench_plan(b, s).expects;
}

const struct option_part expect_options = { .rows = rows,
                                            .size = sizeof(struct expect_asked),
                                            .begin = begin };

/* --- Does it hold? ---------------------------------------------------------------- */

enum exit_code expect_line(const struct context *c, const char *line)
{
    const struct expect_asked *asked = ASKED(expect, c->settings);
    char unmet[1000];

    return identity_unmet(line, asked->text, asked->n, unmet, sizeof unmet) > 0
               ? message_print(E35_UNEXPECTED, "%s", unmet)
               : EXIT_OK;
}

/* A family with further keys asks itself, once it has found what they are of. */
static enum exit_code ready(const struct context *c)
{
    return c->world->rank == 0 && ASKED(expect, c->settings)->more == NULL
               ? expect_line(c, c->identity)
               : EXIT_OK;
}

/* --- What lets figures say little ------------------------------------------------- */

static void warn_of_binding(const struct context *c)
{
    const struct placement *at = c->placement;
    const struct binding_threads *t = &at->threads;

    if (at->shared.n > 0)
        message_print(W07_BINDING, "ranks share cores (ranks=%s; CPUs=%s; host=%s;)",
                      at->shared.ranks, at->shared.cpus, at->shared.host);
    else if (at->drifting > 0)
        message_print(W07_BINDING,
                      "ranks are not bound, and may move among the NUMA nodes "
                      "of their node (ranks=%d of %d;)",
                      at->drifting, c->world->size);
    if (t->threads > 0 && t->rank >= 0)
        message_print(W37_THREADS,
                      "more threads than CPUs (rank=%d; threads=%d; CPUs=%d; host=%s;)", t->rank,
                      t->threads, t->cpus, t->host);
    else if (t->threads > 0)
        message_print(W37_THREADS,
                      "more threads than CPUs (threads of all ranks=%d; usable CPUs=%d; host=%s;)",
                      t->threads, t->cpus, t->host);
}

/* The samples of the row that has the fewest. */
static long fewest_samples(const struct settings *s)
{
    size_t bytes = s->sizes.min;
    long fewest = sizes_count(&s->iterations, bytes);

    while (sizes_next(&s->sizes, &bytes)) {
        const long n = sizes_count(&s->iterations, bytes);

        fewest = n < fewest ? n : fewest;
    }
    return fewest;
}

static void warn_of_percentiles(const struct settings *s)
{
    const long iterations = s->iterations.steps > 0 ? fewest_samples(s) : LONG_MAX;

    for (int i = 0; i < s->npercentiles; i++) {
        const double needed = 1 / (1 - s->percentiles[i] / 100);

        if (isfinite(needed) && needed > (double)iterations + 1e-6) {
            message_print(W22_FEW_SAMPLES,
                          "percentile=%g; needs samples=%.0f; there are=%ld; "
                          "the slowest is printed",
                          s->percentiles[i], ceil(needed - 1e-6), iterations);
            return;
        }
    }
}

static void placed(const struct context *c, struct surroundings *around)
{
    const struct settings *s = c->settings;
    const struct placement *at = c->placement;

    if (c->world->rank != 0)
        return;
    warn_of_binding(c);
    if (at->lacks_cpus)
        message_print(W08_OVERSUBSCRIBED,
                      "more ranks than CPUs (ranks per node=%d; usable CPUs=%d;)",
                      at->max_node_size, at->usable_cpus);
    /* Other patterns of pairs cross the machine as they are meant to. */
    if (c->bench->takes & TAKES_PAIRING && at->within_nodes > 0 && at->between_nodes > 0)
        message_print(W03_MIXED_PAIRS, "pairs on one node=%d; pairs between nodes=%d;",
                      at->within_nodes, at->between_nodes);
    if (at->mpi_nodes != at->nodes && getenv("ALIDADE_NODE_ID") == NULL)
        message_print(W21_SHARED_MEMORY, "nodes by their kernel=%d; by MPI=%d;", at->nodes,
                      at->mpi_nodes);
    warn_of_percentiles(s);
    if (at->foreign.share > 0)
        message_print(W40_FOREIGN_LOAD,
                      "other processes use the CPUs of the ranks (rank=%d; "
                      "its share of the CPU=%.2f; host=%s;)",
                      at->foreign.rank, at->foreign.share, at->foreign.host);
}

const struct watcher expect_watcher = { .placed = placed, .ready = ready };
