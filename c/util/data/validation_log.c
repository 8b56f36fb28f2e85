/* SPDX-License-Identifier: BSD-3-Clause */
#include "validation_log.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0, or what is wrong. */
static int make_folder(const char *folder)
{
    /* Another rank may have made it, on the same file system. */
    return mkdir(folder, 0777) == 0 ||
                   (errno == EEXIST && access(folder, W_OK | X_OK) == 0)
               ? 0
               : errno;
}

enum exit_code validation_log_begin(struct validation_log *log,
                                    const char *folder,
                                    const struct world *world,
                                    const char *program)
{
    struct stat there;
    int error, first;

    *log = (struct validation_log){ .folder = folder, .rank = world->rank };
    if (folder == NULL)
        return EXIT_OK;
    /* Every rank looks, before any rank makes it: nodes may have files of their own. */
    error = lstat(folder, &there) == 0 ? EEXIST : 0;
    first = world_first(world, error != 0);
    if (first == world->size) {
        error = make_folder(folder);
        first = world_first(world, error != 0);
    }
    if (first == world->size)
        return EXIT_OK;
    PMPI_Bcast(&error, 1, MPI_INT, first, world->comm);
    return world_refuse(world, E17_FILE, program, "-clog: %s on rank=%d; %s",
                        folder, first, strerror(error));
}

static void open_file(struct validation_log *log)
{
    char path[4200];

    snprintf(path, sizeof path, "%s/log-%d.log", log->folder, log->rank);
    log->file = fopen(path, "a");
    if (log->file == NULL) /* the folder went away: the error is said anyway */
        log->folder = NULL;
    log->headed = -1;
}

static void head(struct validation_log *log, size_t bytes, const char *type)
{
    fprintf(log->file,
            "Size: %zu, Iteration:%ld, Datatype: %s\n%-10s%18s%18s\n", bytes,
            log->iteration, type, "Position", "Expected", "Actual");
    log->headed = log->iteration;
}

void validation_log_add(struct validation_log *log, size_t bytes,
                        const char *type, size_t position, const char *expected,
                        const char *got)
{
    if (log->folder != NULL && log->file == NULL)
        open_file(log);
    if (log->file == NULL || log->lines++ >= VALIDATION_LOG_LINES)
        return;
    if (log->headed != log->iteration)
        head(log, bytes, type);
    fprintf(log->file, "%-10zu %17s %17s\n", position, expected, got);
}

void validation_log_row_end(struct validation_log *log)
{
    if (log->file == NULL)
        return;
    if (log->lines > VALIDATION_LOG_LINES)
        fprintf(log->file, "# %zu more differ\n",
                log->lines - VALIDATION_LOG_LINES);
    fclose(log->file);
    log->file = NULL;
    log->lines = 0;
}
