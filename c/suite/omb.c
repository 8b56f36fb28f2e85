/* SPDX-License-Identifier: BSD-3-Clause */
#include "omb.h"

#include <stdlib.h>

#include "job/world.h"

static const struct {
    const char *name, *folders;
} launcher[] = { { "omb_pt2pt", "pt2pt congestion" },
                 { "omb_coll", "collective" },
                 { "omb_one_sided", "one-sided" } };

static const char *domain_of(const char *file)
{
    const char *slash = strrchr(file, '/');

    for (size_t i = 0; i < sizeof launcher / sizeof *launcher; i++)
        if (strcmp(slash != NULL ? slash + 1 : file, launcher[i].name) == 0)
            return launcher[i].folders;
    return NULL;
}

const char *omb_translate(int *argc, char ***argv)
{
    static char all[] = "all", end[] = "--";
    const char *domain = *argc > 0 ? domain_of((*argv)[0]) : NULL;
    char **line;
    int n = 0, words = 1;

    if (domain == NULL)
        return NULL;
    line = calloc((size_t)*argc + 3, sizeof *line);
    if (line == NULL)
        world_no_memory("options");
    while (words < *argc && strcmp((*argv)[words], end) != 0)
        words++;
    line[n++] = (*argv)[0];
    for (int i = words + 1; i < *argc; i++)
        line[n++] = (*argv)[i];
    if (n == 1)
        line[n++] = all;
    line[n++] = end;
    for (int i = 1; i < words; i++)
        line[n++] = (*argv)[i];
    *argc = n;
    *argv = line;
    return domain;
}

bool omb_has(const char *domain, const struct program *p)
{
    int n;
    const char *folder = programs_folder(p, &n);
    char own[32];

    snprintf(own, sizeof own, "%.*s", n, folder);
    return domain == NULL ||
           (bench_is_of_omb(p->bench) && strstr(domain, own) != NULL);
}

const char *omb_question(const char *domain, const char *word)
{
    static char text[80];

    if (domain == NULL)
        return programs_question(word);
    snprintf(text, sizeof text, " that OMB has in: %s", domain);
    return text;
}

char *omb_file(const char *domain, const char *suite, const struct program *p)
{
    const char *slash = strrchr(suite, '/');
    const int folder = slash != NULL ? (int)(slash - suite) + 1 : 0;
    const size_t room = strlen(suite) + strlen(p->path) + 8;
    char *file = malloc(room);

    if (file == NULL)
        world_no_memory("options");
    snprintf(file, room, "%.*s%s%s", folder, suite,
             domain != NULL ? "osu_" : "",
             domain != NULL || slash == NULL ? p->bench->name
                                             : strchr(p->path, '/') + 1);
    return file;
}
