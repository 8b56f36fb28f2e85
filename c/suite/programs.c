/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "options/option.h"

/* Folders of mpi/ from which words choose, where a launcher of OMB's is asked for, which has
   nothing but programs of OMB's; NULL: all. */
static const char *domain;

/* By the bench_main below, which stands for that of alone started programs. */
static const struct bench *handed;

int bench_main(const struct bench *b, int argc, char **argv)
{
    handed = b;
    return EXIT_OK;
}

void programs_load(void)
{
    for (struct program *p = programs; p->path != NULL; p++) {
        p->main(0, NULL);
        p->bench = handed;
    }
}

/* "pt2pt", of n characters. */
static const char *programs_folder(const struct program *p, int *n)
{
    const char *folder = strchr(p->path, '/') + 1;

    *n = (int)strcspn(folder, "/");
    return folder;
}

static bool is_in(const struct program *p, const char *folder)
{
    int n;
    const char *own = programs_folder(p, &n);

    return strlen(folder) == (size_t)n && strncmp(own, folder, (size_t)n) == 0;
}

/* OMB's group: "standard", "persistent", ...; "" if OMB has no such program. */
static const char *programs_group(const struct program *p)
{
    const char *name = p->bench->name, *end = strstr(name, "_persistent");

    if (!bench_is_of_omb(p->bench))
        return "";
    if (is_in(p, "one-sided"))
        return "rma";
    if (is_in(p, "congestion"))
        return "congestion";
    if (is_in(p, "startup"))
        return "startup";
    return end != NULL                         ? "persistent"
           : is_in(p, "pt2pt")                 ? "standard"
           : strstr(name, "neighbor_") != NULL ? "neighborhood"
           : name[0] == 'i'                    ? "non_blocking"
                                               : "blocking";
}

bool programs_match(const struct program *p, const char *word, bool *exactly)
{
    const char *bare = strncmp(word, "osu_", 4) == 0 ? word + 4 : word;
    int n;
    const char *const folder = programs_folder(p, &n);

    *exactly = false;
    if (domain != NULL &&
        (!bench_is_of_omb(p->bench) || memmem(domain, strlen(domain), folder, (size_t)n) == NULL))
        return false;
    *exactly = strcmp(p->bench->name, bare) == 0;
    if (strncmp(word, "s:", 2) == 0)
        return strcmp(programs_group(p), word + 2) == 0 && word[2] != '\0';
    return *exactly || strcmp(word, "all") == 0 || is_in(p, word);
}

const char *programs_question(const char *word)
{
    static struct nearest near;
    static char text[80];

    if (domain != NULL) {
        snprintf(text, sizeof text, " that OMB has in: %s", domain);
        return text;
    }
    near = (struct nearest){ .text = word, .length = strlen(word), .prefix = "" };
    for (const struct program *p = programs; p->path != NULL; p++)
        nearest_offer(&near, p->bench->name);
    return near.question;
}

void programs_list(FILE *to)
{
    for (const struct program *p = programs; p->path != NULL; p++) {
        int n;
        const char *folder = programs_folder(p, &n);
        const char *group = programs_group(p);

        fprintf(to, "%-32s %-12.*s %s%-14s %s\n", p->bench->name, n, folder,
                group[0] != '\0' ? "s:" : "  ", group, p->bench->about);
    }
}

static const struct {
    const char *name, *folders;
} launcher[] = { { "omb_pt2pt", "pt2pt congestion" },
                 { "omb_coll", "collective" },
                 { "omb_one_sided", "one-sided" } };

void omb_translate(int *argc, char ***argv)
{
    static char all[] = "all", end[] = "--";
    const char *const file = *argc > 0 ? (*argv)[0] : "", *const slash = strrchr(file, '/');
    char **line;
    int n = 0, words = 1;

    for (size_t i = 0; i < sizeof launcher / sizeof *launcher; i++)
        if (strcmp(slash != NULL ? slash + 1 : file, launcher[i].name) == 0)
            domain = launcher[i].folders;
    if (domain == NULL)
        return;
    line = world_room((size_t)*argc + 3, sizeof *line, "options");
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
}

char *programs_file(const char *suite, const struct program *p)
{
    const char *slash = strrchr(suite, '/');
    const int folder = slash != NULL ? (int)(slash - suite) + 1 : 0;
    const char *const name =
        domain != NULL || slash == NULL ? p->bench->name : strchr(p->path, '/') + 1;
    char *file;

    if (asprintf(&file, "%.*s%s%s", folder, suite, domain != NULL ? "osu_" : "", name) < 0)
        world_no_memory("options");
    return file;
}
