/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool add_file(struct subject *s, const char *path, char *why,
                     size_t room)
{
    if (s->n == s->room) {
        const size_t more = s->room > 0 ? 2 * s->room : 16;
        struct document *grown =
            realloc(s->document, more * sizeof *s->document);

        if (grown == NULL) {
            snprintf(why, room, "%s: %s", path, strerror(errno));
            return false;
        }
        s->document = grown;
        s->room = more;
    }
    if (!document_read(&s->document[s->n], path, why, room))
        return false;
    s->n++;
    return true;
}

static int is_wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool ends_in_json(const char *name)
{
    const size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* In alphabetical order, so that the same folder always gives the same. */
static bool add_folder(struct subject *s, const char *path, char *why,
                       size_t room)
{
    struct dirent **entry;
    const int n = scandir(path, &entry, is_wanted, alphasort);
    bool good = n >= 0;

    if (!good)
        snprintf(why, room, "%s: %s", path, strerror(errno));
    for (int i = 0; i < n; i++) {
        char *full = malloc(strlen(path) + strlen(entry[i]->d_name) + 2);
        struct stat about;

        if (good && full == NULL) {
            snprintf(why, room, "%s: %s", path, strerror(ENOMEM));
            good = false;
        }
        if (good) {
            sprintf(full, "%s/%s", path, entry[i]->d_name);
            if (stat(full, &about) == 0 && S_ISDIR(about.st_mode))
                good = add_folder(s, full, why, room);
            else if (ends_in_json(full))
                good = add_file(s, full, why, room);
        }
        free(full);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return good;
}

bool subject_add(struct subject *s, const char *path, char *why, size_t room)
{
    const size_t before = s->n;
    struct stat about;

    if (stat(path, &about) != 0) {
        snprintf(why, room, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(about.st_mode))
        return add_file(s, path, why, room);
    if (!add_folder(s, path, why, room))
        return false;
    if (s->n == before)
        snprintf(why, room, "%s: no file in it ends in .json", path);
    return s->n > before;
}

void subject_release(struct subject *s)
{
    for (size_t i = 0; i < s->n; i++)
        document_release(&s->document[i]);
    free(s->document);
    *s = (struct subject){ .name = "" };
}
