/* SPDX-License-Identifier: BSD-3-Clause */
#include "programs.h"

#include <string.h>

#include "base/nearest.h"

/* By the bench_main below, which stands for that of alone started programs. */
static const struct bench *handed;

int bench_main(const struct bench *b, int argc, char **argv)
{
    (void)argc;
    (void)argv;
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

const char *programs_folder(const struct program *p, int *n)
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

const char *programs_group(const struct program *p)
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

    *exactly = strcmp(p->bench->name, bare) == 0;
    if (strncmp(word, "s:", 2) == 0)
        return strcmp(programs_group(p), word + 2) == 0 && word[2] != '\0';
    return *exactly || strcmp(word, "all") == 0 || is_in(p, word);
}

const char *programs_question(const char *word)
{
    static struct nearest near;

    near = (struct nearest){ .text = word, .length = strlen(word) };
    for (const struct program *p = programs; p->path != NULL; p++)
        nearest_offer(&near, p->bench->name);
    return nearest_question(&near, "");
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
