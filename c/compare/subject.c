/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Under whatever name: it is one launch. */
static bool is_there(const struct subject *s, const struct stat *about)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->document[i].device == about->st_dev &&
            s->document[i].inode == about->st_ino)
            return true;
    return false;
}

static bool add_file(struct subject *s, const char *path, char *why,
                     size_t room)
{
    struct stat about = { .st_ino = 0 };

    s->met++;
    if (stat(path, &about) == 0 && is_there(s, &about))
        return true;
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
    s->document[s->n].device = about.st_dev;
    s->document[s->n].inode = about.st_ino;
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

/* scripts/compare leaves a file "asked", a folder for each subject, and perhaps one of its
   second look. */
static bool is_of_compare(struct dirent **entry, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(entry[i]->d_name, "asked") == 0)
            return true;
    return false;
}

/* In alphabetical order, so that the same folder always gives the same. */
static bool add_folder(struct subject *s, const char *path, char *why,
                       size_t room)
{
    struct dirent **entry;
    const int n = scandir(path, &entry, is_wanted, alphasort);
    bool good = n >= 0, of_compare;
    int folders = 0;

    if (!good)
        snprintf(why, room, "%s: %s", path, strerror(errno));
    of_compare = good && is_of_compare(entry, n);
    for (int i = 0; i < n; i++) {
        char *full = malloc(strlen(path) + strlen(entry[i]->d_name) + 2);
        struct stat about;

        if (good && full == NULL) {
            snprintf(why, room, "%s: %s", path, strerror(ENOMEM));
            good = false;
        }
        if (good) {
            sprintf(full, "%s/%s", path, entry[i]->d_name);
            if (stat(full, &about) == 0 && S_ISDIR(about.st_mode)) {
                const bool again =
                    of_compare && strcmp(entry[i]->d_name, "again") == 0;

                folders += !again;
                good = again || add_folder(s, full, why, room);
                if (good && of_compare && folders > 1) {
                    snprintf(why, room,
                             "%s: has a folder for each of several subjects: "
                             "name them one by one, as %s",
                             path, full);
                    good = false;
                }
            } else if (ends_in_json(full))
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
    const size_t before = s->met;
    struct stat about;

    if (stat(path, &about) != 0) {
        snprintf(why, room, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(about.st_mode))
        return add_file(s, path, why, room);
    if (!add_folder(s, path, why, room))
        return false;
    if (s->met == before)
        snprintf(why, room, "%s: no file in it ends in .json", path);
    return s->met > before;
}

void subject_release(struct subject *s)
{
    for (size_t i = 0; i < s->n; i++)
        document_release(&s->document[i]);
    free(s->document);
    *s = (struct subject){ .name = "" };
}
