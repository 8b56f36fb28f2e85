/* SPDX-License-Identifier: BSD-3-Clause */
#include "variant.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Under whatever name: it is one run. */
static bool is_there(const struct variant *s, const struct stat *about)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->file[i].device == about->st_dev &&
            s->file[i].inode == about->st_ino)
            return true;
    return false;
}

/* Room for one more file, which is not counted yet. */
static struct result_file *room_for_one(struct variant *s)
{
    if (s->n == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 16;
        s->file = given_memory(realloc(s->file, s->room * sizeof *s->file));
    }
    return &s->file[s->n];
}

/* Count the file that was just read, unless it is a run that is there: once in a file of
   scripts/repeat, and once as a file of its own. */
static void count_file(struct variant *s)
{
    struct result_file *f = &s->file[s->n];

    for (size_t i = 0; i < s->n; i++)
        if ((f->inside || s->file[i].inside) &&
            json_equal(s->file[i].root, f->root)) {
            result_file_release(f);
            return;
        }
    s->n++;
}

static bool add_runs(struct variant *s, const char *path, json_t *runs,
                     char why[WHY])
{
    for (size_t i = 0; i < json_array_size(runs); i++) {
        if (!result_file_take_run(room_for_one(s), path, runs, i, why))
            return false;
        count_file(s);
    }
    return json_array_size(runs) > 0 || refuse(why, "%s: has no runs", path);
}

static bool add_file(struct variant *s, const char *path, char why[WHY])
{
    struct stat about = { .st_ino = 0 };
    json_t *root;
    bool good;

    s->met++;
    if (stat(path, &about) == 0 && is_there(s, &about))
        return true;
    root = result_json_read(path, why);
    if (root == NULL)
        return false;
    if (result_runs(root) != NULL) {
        good = add_runs(s, path, result_runs(root), why);
    } else {
        good = result_file_take(room_for_one(s), path, root, why);
        if (good) {
            s->file[s->n].device = about.st_dev;
            s->file[s->n].inode = about.st_ino;
            count_file(s);
        }
    }
    json_decref(root);
    return good;
}

/* What is no result is named, and does not hide the others, if that is wanted. */
static bool go_on(struct variant *s, const char *why)
{
    struct unread *all = s->unread;

    if (all == NULL)
        return false;
    all->why = given_memory(realloc(all->why, (all->n + 1) * sizeof *all->why));
    memcpy(all->why[all->n++], why, WHY);
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

static char *in_folder(const char *path, const char *name)
{
    char *full;

    if (asprintf(&full, "%s/%s", path, name) < 0)
        memory_is_short();
    return full;
}

static bool add_folder(struct variant *s, const char *path, char why[WHY]);

static bool has_some(struct variant *s, const char *path, char why[WHY])
{
    const size_t before = s->met;

    return add_folder(s, path, why) &&
           (s->met > before ||
            refuse(why, "%s: no file in it ends in .json", path));
}

/* Something in a folder; *folders counts the folders in it. */
static bool add_entry(struct variant *s, const char *full, int *folders,
                      char why[WHY])
{
    struct stat about;

    if (stat(full, &about) != 0 || !S_ISDIR(about.st_mode))
        return !ends_in_json(full) || add_file(s, full, why) || go_on(s, why);
    ++*folders;
    /* A node's folder without results is what accept must not pass over. */
    return s->unread == NULL ? add_folder(s, full, why)
                             : has_some(s, full, why) || go_on(s, why);
}

/* scripts/compare has a folder for each variant, and this file. */
static bool is_of_compare(const char *path)
{
    char *mark = in_folder(path, ".variants");
    const bool there = access(mark, F_OK) == 0;

    free(mark);
    return there;
}

/* In alphabetical order, so that the same folder always gives the same. */
static bool add_folder(struct variant *s, const char *path, char why[WHY])
{
    struct dirent **entry;
    const int n = scandir(path, &entry, is_wanted, alphasort);
    bool good = n >= 0 || refuse(why, "%s: %s", path, strerror(errno));
    int folders = 0;

    for (int i = 0; i < n; i++) {
        char *full = in_folder(path, entry[i]->d_name);

        good = good && add_entry(s, full, &folders, why);
        free(full);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return good &&
           (folders < 2 || !is_of_compare(path) ||
            refuse(
                why,
                "%s: has a folder for each variant of scripts/compare: name one of them",
                path));
}

static bool add_path(struct variant *s, const char *path, char why[WHY])
{
    struct stat about;

    if (stat(path, &about) != 0)
        return refuse(why, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return add_file(s, path, why);
    return has_some(s, path, why);
}

bool variant_add(struct variant *s, const char *path, char why[WHY])
{
    return add_path(s, path, why) || go_on(s, why);
}

void variant_release(struct variant *s)
{
    for (size_t i = 0; i < s->n; i++)
        result_file_release(&s->file[i]);
    free(s->file);
    *s = (struct variant){ .name = "" };
}

size_t variant_crowded(const struct variant *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += json_is_true(
            json_object_get(s->file[i].environment, "oversubscribed"));
    return n;
}

static const char *mpi_of(const struct result_file *f)
{
    return text_in(f->environment, "mpi");
}

bool variant_is_of_one_mpi(const struct variant *s, char why[WHY])
{
    for (size_t i = 1; i < s->n; i++)
        if (strcmp(mpi_of(&s->file[i]), mpi_of(&s->file[0])) != 0)
            return refuse(
                why,
                "%s: %s is from %.60s, %s from %.60s: name results of one MPI; report and compare take two MPIs, as NAME=FILE NAME=FILE",
                s->name, s->file[0].path, mpi_of(&s->file[0]), s->file[i].path,
                mpi_of(&s->file[i]));
    return true;
}

/* The number of run i: of its name, as in "latency-3.json", or i + 1. */
static int number_of(const struct result_file *f, size_t i)
{
    static const char END[] = ".json";
    const char *end = f->path + strlen(f->path);
    const char *from;

    if (f->run > 0)
        return f->run;
    if (end - f->path <= (long)strlen(END))
        return (int)i + 1;
    end -= strlen(END);
    for (from = end; from > f->path && isdigit((unsigned char)from[-1]);)
        from--;
    return from < end && end - from < 8 && from > f->path && from[-1] == '-'
               ? atoi(from)
               : (int)i + 1;
}

static int by_number(const void *a, const void *b)
{
    const struct result_file *x = a, *y = b;

    return x->run != y->run ? (x->run > y->run ? 1 : -1)
                            : strcmp(x->path, y->path);
}

void variant_number_runs(struct variant *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->file[i].run = number_of(&s->file[i], i);
    qsort(s->file, s->n, sizeof *s->file, by_number);
}
