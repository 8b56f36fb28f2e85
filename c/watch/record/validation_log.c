/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "data/verify.h"
#include "job/world.h"

enum { LINES = 1000 }; /* at most so many for a row */

static struct {
    const char *folder; /* NULL: no log */
    const struct bench_run *run;
    int rank;
    FILE *file;      /* of the row under way, if something was wrong */
    size_t lines;    /* of that row, with those that are left out */
    unsigned before; /* iterations that were verified in the rows before it */
    unsigned headed; /* the last iteration that has a line of its own */
} state;

static enum exit_code open_folder(const struct context *c)
{
    const struct world *world = c->world;
    struct stat there;
    int error, first;

    memset(&state, 0, sizeof state);
    state.folder = c->settings->log;
    state.run = c->run;
    state.rank = world->rank;
    if (state.folder == NULL)
        return EXIT_OK;
    /* Every rank looks, before any rank makes it: nodes may have files of their own. */
    error = lstat(state.folder, &there) == 0 ? EEXIST : 0;
    first = world_first(world, error != 0);
    if (first == world->size) {
        /* Another rank may have made it, on the same file system. */
        error = mkdir(state.folder, 0777) == 0 ||
                        (errno == EEXIST && access(state.folder, W_OK | X_OK) == 0)
                    ? 0
                    : errno;
        first = world_first(world, error != 0);
    }
    if (first == world->size)
        return EXIT_OK;
    PMPI_Bcast(&error, 1, MPI_INT, first, world->comm);
    return world_refuse(world, E17_FILE, "-clog: %s on rank=%d; %s", state.folder, first,
                        strerror(error));
}

static void noted(const struct verify *v, size_t position, const char *expected, const char *got)
{
    const unsigned checks = v->run->checks;
    char path[4200];

    if (state.folder != NULL && state.file == NULL) {
        snprintf(path, sizeof path, "%s/log-%d.log", state.folder, state.rank);
        state.file = fopen(path, "a");
        if (state.file == NULL) /* the folder went away: the error is said anyway */
            state.folder = NULL;
    }
    if (state.file == NULL || state.lines++ >= LINES)
        return;
    if (state.headed != checks)
        fprintf(state.file, "Size: %zu, Iteration:%u, Datatype: %s\n%-10s%18s%18s\n", v->run->bytes,
                checks - state.before - 1, element_name(v->element), "Position", "Expected",
                "Actual");
    state.headed = checks;
    fprintf(state.file, "%-10zu %17s %17s\n", position, expected, got);
}

static void placed(const struct context *c, struct surroundings *around)
{
    around->noted = state.folder != NULL ? noted : NULL;
}

/* The row, or the run, is verified. */
static void end_row(void)
{
    if (state.folder == NULL)
        return;
    if (state.file != NULL) {
        if (state.lines > LINES)
            fprintf(state.file, "# %zu more differ\n", state.lines - LINES);
        fclose(state.file);
    }
    state.file = NULL;
    state.lines = 0;
    state.before = state.run->checks;
}

static void batch(enum batch_moment moment)
{
    if (moment == BATCH_ROW)
        end_row();
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    end_row();
    memset(&state, 0, sizeof state); /* what it points to is this run's */
    return ending->code;
}

const struct watcher validation_log_watcher = {
    .open = open_folder, .placed = placed, .batch = batch, .end = end
};
