/* SPDX-License-Identifier: BSD-3-Clause */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/world.h"
#include "record/fresh_file.h"

static bool draws(const struct part *part)
{
    return (part->settings.graphs & ~(unsigned)GRAPH_TTY) != 0;
}

bool files_of_one(const struct part *part, int n, char why[FILES_WHY])
{
    for (int i = 0; i < n; i++) {
        const struct settings *s = &part[i].settings;

        if (s->no_table) {
            snprintf(why, FILES_WHY,
                     "--json=- and --csv=- take standard output, where each "
                     "program has its table: name a folder, as in "
                     "--json=results/");
            return true;
        }
        if (n > 1 && (s->log != NULL || s->nevents > 0)) {
            snprintf(why, FILES_WHY,
                     "%s writes files of one program: name one program",
                     s->log != NULL ? "-clog" : "-P");
            return true;
        }
        for (int k = 0; k < i; k++)
            if (part[k].program == part[i].program && draws(&part[k]) &&
                draws(&part[i])) {
                snprintf(why, FILES_WHY,
                         "-G: two runs of %s would draw the same files; name "
                         "each program once",
                         part[i].program->bench->name);
                return true;
            }
    }
    return false;
}

/* The folder of a file; false: it is the current one, or there is no file. */
static bool folder_of(const char *file, char folder[FRESH_PATH])
{
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;

    if (slash != NULL)
        snprintf(folder, FRESH_PATH, "%.*s", (int)(slash - file), file);
    return slash != NULL;
}

bool files_twice(const struct part *part, int n, char why[FILES_WHY])
{
    const char **const path =
        world_room(2 * (size_t)n, sizeof *path, "options");
    bool *const made = world_room(2 * (size_t)n, sizeof *made, "options");
    char folder[FRESH_PATH];
    int twice;

    for (int i = 0; i < n; i++)
        if (part[i].state == PART_WAITS) {
            path[2 * i] = part[i].settings.json;
            path[2 * i + 1] = part[i].settings.csv;
        }
    /* Where it cannot be made, the program says that it has no file. */
    for (int i = 0; i < 2 * n; i++)
        made[i] = folder_of(path[i], folder) && mkdir(folder, 0777) == 0;
    twice = fresh_files_twice(path, 2 * n);
    for (int i = 0; twice < 2 * n && i < 2 * n; i++)
        if (made[i] && folder_of(path[i], folder))
            rmdir(folder);
    if (twice < 2 * n)
        snprintf(why, FILES_WHY,
                 "%s: '%s' would be written twice; name a folder, as in "
                 "%s=results/, and each program once",
                 twice % 2 == 0 ? "--json" : "--csv", path[twice],
                 twice % 2 == 0 ? "--json" : "--csv");
    free(path);
    free(made);
    return twice < 2 * n;
}
