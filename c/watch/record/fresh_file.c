/* SPDX-License-Identifier: BSD-3-Clause */
#include "fresh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fresh_file *volatile begun; /* those that have a part */
static volatile sig_atomic_t growing, deferred;

static bool are_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Standard output or standard error, if that is the file; else -1. */
static int output_to(const struct stat *file)
{
    struct stat output;

    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
        if (fstat(i, &output) == 0 && are_one(file, &output))
            return i;
    return -1;
}

static const char standard_output[] = "/dev/stdout";

const char *fresh_file_of(const char *text)
{
    return strcmp(text, "-") == 0 ? standard_output : text;
}

bool fresh_file_is_output(const char *path)
{
    return path == standard_output;
}

bool fresh_file_is_stream(const char *path)
{
    struct stat there;

    return path != NULL && stat(path, &there) == 0 && !S_ISDIR(there.st_mode) &&
           (!S_ISREG(there.st_mode) || output_to(&there) >= 0);
}

/* What standard output goes to has one place at which both go on. */
static FILE *open_stream(const char *path)
{
    struct stat there = { .st_mode = 0 };
    const int output = stat(path, &there) == 0 ? output_to(&there) : -1;

    /* A reader that leaves is a failure to write, and does not end the process. */
    if (output < 0 && S_ISFIFO(there.st_mode))
        signal(SIGPIPE, SIG_IGN);
    if (output < 0)
        return fopen(path, "w");
    return fflush(stdout) == 0 ? fdopen(dup(output), "w") : NULL;
}

/* The name in a path; its folder into folder[]. */
static const char *split(const char *path, char folder[FRESH_PATH])
{
    const char *const slash = strrchr(path, '/');

    if (slash == NULL)
        strcpy(folder, ".");
    else
        snprintf(folder, FRESH_PATH, "%.*s", (int)(slash - path) + 1, path);
    return slash == NULL ? path : slash + 1;
}

/* What a path leads to by symbolic links, of which the last may lead to nothing yet. */
static bool follow(const char *path, char real[FRESH_PATH])
{
    enum { LINKS = 40 };
    char target[FRESH_PATH], folder[FRESH_PATH];
    int length = snprintf(real, FRESH_PATH, "%s", path);

    for (int i = 0; i < LINKS && length < FRESH_PATH; i++) {
        const ssize_t n = readlink(real, target, sizeof target);

        if (n < 0)
            return true; /* it is no link, or to open it says what is wrong */
        split(real, folder);
        length = snprintf(real, FRESH_PATH, "%s%s%.*s", target[0] == '/' ? "" : folder,
                          target[0] == '/' ? "" : "/", (int)n, target);
    }
    errno = length < FRESH_PATH ? ELOOP : ENAMETOOLONG;
    return false;
}

/* Is the new file still there under its name? */
static bool is_ours(const struct fresh_file *f)
{
    struct stat there, ours;

    return lstat(f->part, &there) == 0 && fstat(fileno(f->to), &ours) == 0 &&
           are_one(&there, &ours);
}

/* What path leads to, and its part; false: errno says why no file can have the name. */
static bool find(struct fresh_file *f, const char *path)
{
    struct stat there;

    if (!follow(path, f->path))
        return false;
    snprintf(f->part, sizeof f->part, "%s.part", f->path);
    if (stat(f->path, &there) != 0)
        return true;
    if (S_ISDIR(there.st_mode))
        errno = EISDIR;
    return !S_ISDIR(there.st_mode) && access(f->path, W_OK) == 0;
}

static bool begin(struct fresh_file *f, const char *path, enum fresh_kind kind)
{
    struct stat before;
    int file;

    if (fresh_file_is_stream(path)) {
        if (kind == FRESH_DOCUMENT)
            snprintf(f->path, sizeof f->path, "%s", path);
        f->to = kind == FRESH_DOCUMENT ? tmpfile() : open_stream(path);
        return f->to != NULL;
    }
    if (!find(f, path))
        return false;
    unlink(f->part); /* of a process that was killed */
    file = open(f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    f->to = file >= 0 ? fdopen(file, "w+") : NULL;
    if (f->to == NULL)
        return false;
    if (stat(f->path, &before) == 0 && fchmod(fileno(f->to), before.st_mode & 07777) != 0)
        errno = 0; /* some file systems have no modes */
    f->next = begun;
    begun = f;
    return true;
}

bool fresh_file_begin(struct fresh_file *f, const char *path, enum fresh_kind kind)
{
    *f = (struct fresh_file){ .name = path };
    if (path != NULL && !begin(f, path, kind))
        f->error = errno;
    return f->error == 0;
}

/* Without a change of a part that a killed process left. */
static bool can_begin(const char *path)
{
    struct fresh_file f;
    bool left;
    int file;

    if (path == NULL)
        return true;
    if (fresh_file_is_stream(path))
        return access(path, W_OK) == 0;
    if (!find(&f, path))
        return false;
    left = access(f.part, F_OK) == 0;
    file = open(f.part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    close(file);
    if (!left)
        unlink(f.part);
    return true;
}

bool fresh_file_is_new(const char *path)
{
    char part[FRESH_PATH + sizeof ".part"];

    snprintf(part, sizeof part, "%s.part", path);
    return access(path, F_OK) != 0 && access(part, F_OK) != 0;
}

/* Do both names mean one file or, where it is not there yet, one name in one folder?  Not so if it
   is /dev/null, where what many write is not mixed. */
static bool are_same(const char *a, const char *b)
{
    char real[2][FRESH_PATH], folder[FRESH_PATH];
    const char *name[2];
    struct stat file[2], null;
    const int there = (stat(a, &file[0]) == 0) + (stat(b, &file[1]) == 0);

    if (there == 2)
        return are_one(&file[0], &file[1]) &&
               (stat("/dev/null", &null) != 0 || !are_one(&file[0], &null));
    if (there > 0 || !follow(a, real[0]) || !follow(b, real[1]))
        return false;
    for (int i = 0; i < 2; i++) {
        name[i] = split(real[i], folder);
        if (stat(folder, &file[i]) != 0)
            return false;
    }
    return are_one(&file[0], &file[1]) && strcmp(name[0], name[1]) == 0;
}

/* Is it PATH.part of that file? */
static bool is_part_of(const char *file, const char *path)
{
    char part[FRESH_PATH + sizeof ".part"];

    snprintf(part, sizeof part, "%s.part", path);
    return !fresh_file_is_stream(path) && are_same(file, part);
}

int fresh_files_twice(const char *const *path, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (path[i] != NULL && path[k] != NULL &&
                (are_same(path[i], path[k]) || is_part_of(path[i], path[k]) ||
                 is_part_of(path[k], path[i])))
                return i;
    return n;
}

int fresh_files_wrong(const char *const *path, int n)
{
    const int twice = fresh_files_twice(path, n);

    for (int i = 0; i < twice; i++)
        if (!can_begin(path[i]))
            return i;
    errno = 0;
    return twice;
}

void fresh_file_grow(struct fresh_file *f)
{
    f->whole = false;
    growing = 1;
}

void fresh_file_flush(struct fresh_file *f)
{
    if (f->to != NULL && fflush(f->to) != 0 && f->error == 0)
        f->error = errno;
    f->whole = f->to != NULL && f->error == 0 && !ferror(f->to);
    growing = 0;
    if (deferred != 0)
        raise(deferred);
}

/* Was all of it taken?  Network file systems say so no sooner than when it is closed. */
static bool is_taken(struct fresh_file *f)
{
    fresh_file_flush(f);
    errno = f->error != 0 ? f->error : EIO; /* of what was written unnoticed */
    return f->whole && close(dup(fileno(f->to))) == 0;
}

/* All of it to the stream that path is. */
static bool pass_on(FILE *from, const char *path)
{
    FILE *const to = open_stream(path);
    char block[1 << 14];
    bool good = to != NULL;
    size_t n;

    rewind(from);
    while (good && (n = fread(block, 1, sizeof block, from)) > 0)
        good = fwrite(block, 1, n, to) == n;
    return to != NULL && fclose(to) == 0 && good && !ferror(from);
}

/* What another process took away is not there to be named. */
static bool put(struct fresh_file *f)
{
    if (f->part[0] == '\0')
        return f->path[0] == '\0' || pass_on(f->to, f->path);
    if (is_ours(f))
        return rename(f->part, f->path) == 0;
    errno = EBUSY;
    return false;
}

/* It is not open any more. */
static bool close_it(struct fresh_file *f)
{
    struct fresh_file *volatile *place = &begun;

    while (*place != NULL && *place != f)
        place = &(*place)->next;
    if (*place == f)
        *place = f->next;
    const bool good = fclose(f->to) == 0;

    f->to = NULL;
    return good;
}

enum exit_code fresh_file_end(struct fresh_file *f, const char *option, enum exit_code code)
{
    int error = f->error;

    if (f->to != NULL) {
        error = is_taken(f) && put(f) ? 0 : errno;
        if (!close_it(f) && error == 0)
            error = errno;
    }
    return error == 0
               ? code
               : message_print(E21_NOT_WRITTEN, "%s %s: %s", option, f->name, strerror(error));
}

void fresh_file_drop(struct fresh_file *f)
{
    if (f->to == NULL)
        return;
    if (f->part[0] != '\0' && is_ours(f))
        unlink(f->part);
    close_it(f);
}

bool fresh_files_defer(int signal_number)
{
    if (growing)
        deferred = signal_number;
    return growing;
}

void fresh_files_rescue(void)
{
    for (const struct fresh_file *f = begun; f != NULL; f = f->next)
        if (f->whole)
            rename(f->part, f->path);
}
