/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/progress.h"
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

static int count(const struct part *part, int n, enum part_state state)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += part[i].state == state;
    return found;
}

/* What was verified of it; "": nothing was. */
static const char *checks(const struct verified *v, char text[80])
{
    text[0] = '\0';
    if (v->checked > 0)
        snprintf(text, 80, " checked=%ld; wrong=%ld;", v->checked, v->wrong);
    return text;
}

static void print_part(FILE *to, const struct part *part)
{
    char verified[80];
    const char *name = part->program->bench->name;
    const char *number = part->said.why[0] != '\0'
                             ? messages[part->said.id].number
                             : "no message";

    if (part->state == PART_RAN)
        fprintf(to, "# suite: %s: run; seconds=%.2f;%s\n", name, part->seconds,
                checks(&part->verified, verified));
    else if (part->state == PART_SKIPPED)
        fprintf(to, "# suite: %s: skipped; %s\n", name, part->why);
    else if (part->state == PART_FAILED)
        fprintf(to, "# suite: %s: failed; %s: %s; seconds=%.2f;%s\n", name,
                number, part->why, part->seconds,
                checks(&part->verified, verified));
}

void summary_show(const struct part *part, int n, double seconds)
{
    struct verified all = { .checked = 0 };
    char verified[80];
    int late = 0;

    for (int i = 0; i < n; i++) {
        print_part(stdout, &part[i]);
        late += part[i].soak_over && part[i].state == PART_RAN;
        all.checked += part[i].verified.checked;
        all.wrong += part[i].verified.wrong;
    }
    if (late > 0)
        printf("# suite: the time of --verify was over before %d of the "
               "programs: each of their rows was verified once;\n",
               late);
    printf("# suite: programs=%d; run=%d; skipped=%d; failed=%d; "
           "seconds=%.2f;%s\n",
           n, count(part, n, PART_RAN), count(part, n, PART_SKIPPED),
           count(part, n, PART_FAILED), seconds, checks(&all, verified));
}

void summary_last_words(const struct part *part, int n, int at, double seconds,
                        bool leads)
{
    static char *text;
    size_t bytes;
    FILE *to;

    progress.last_words = NULL;
    free(text);
    to = open_memstream(&text, &bytes);
    if (to == NULL)
        return;
    for (int i = 0; leads && i < at; i++)
        print_part(to, &part[i]);
    fprintf(to,
            "# suite: ended in %s, number=%d; of programs=%d; run=%d; "
            "skipped=%d; failed=%d; not begun=%d; seconds before=%.2f;\n",
            part[at].program->bench->name, at + 1, n, count(part, at, PART_RAN),
            count(part, at, PART_SKIPPED), count(part, at, PART_FAILED),
            n - at - 1, seconds);
    if (fclose(to) == 0)
        progress.last_words = text;
}

enum exit_code summary_code(const struct part *part, int n)
{
    enum exit_code worst = EXIT_OK;

    for (int i = 0; i < n; i++)
        if (part[i].state == PART_FAILED && part[i].code > worst)
            worst = part[i].code;
    return worst == EXIT_OK && count(part, n, PART_SKIPPED) == n
               ? EXIT_CANNOT_RUN
               : worst;
}
