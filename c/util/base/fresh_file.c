/* SPDX-License-Identifier: BSD-3-Clause */
#include "fresh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        length = snprintf(real, FRESH_PATH, "%s%s%.*s",
                          target[0] == '/' ? "" : folder,
                          target[0] == '/' ? "" : "/", (int)n, target);
    }
    errno = length < FRESH_PATH ? ELOOP : ENAMETOOLONG;
    return false;
}

/* A new file of that name.  What a process left that was killed makes room. */
static FILE *create(const char *path)
{
    int file;

    unlink(path);
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file >= 0 ? fdopen(file, "w+") : NULL;
}

/* Is the new file still there under its name? */
static bool is_ours(const struct fresh_file *f)
{
    struct stat there, ours;

    return lstat(f->fresh, &there) == 0 && fstat(fileno(f->to), &ours) == 0 &&
           are_one(&there, &ours);
}

static bool begin_new(struct fresh_file *f, const struct stat *before)
{
    char folder[FRESH_PATH];
    const char *const name = split(f->path, folder);
    const int length =
        f->kind == FRESH_PART
            ? snprintf(f->fresh, sizeof f->fresh, "%s.part", f->path)
            : snprintf(f->fresh, sizeof f->fresh, "%.*s.alidade-%.240s",
                       (int)(name - f->path), f->path, name);

    f->to = length < (int)sizeof f->fresh ? create(f->fresh) : NULL;
    if (f->to == NULL) {
        f->fresh[0] = '\0';
        f->copies = true;
        f->to = before != NULL ? tmpfile() : NULL;
    } else if (before != NULL) {
        f->copies =
            before->st_nlink > 1 ||
            fchown(fileno(f->to), before->st_uid, before->st_gid) != 0 ||
            fchmod(fileno(f->to), before->st_mode & 07777) != 0;
    }
    return f->to != NULL;
}

static bool begin(struct fresh_file *f, const char *path)
{
    struct stat there;
    bool exists;

    if (fresh_file_is_stream(path)) {
        f->to = open_stream(path);
        return f->to != NULL;
    }
    if (!follow(path, f->path))
        return false;
    exists = stat(f->path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return false;
    }
    return (!exists || access(f->path, W_OK) == 0) &&
           begin_new(f, exists ? &there : NULL);
}

bool fresh_file_begin(struct fresh_file *f, const char *path,
                      enum fresh_kind kind)
{
    *f = (struct fresh_file){ .kind = kind };
    if (path != NULL && !begin(f, path))
        f->error = errno;
    return f->error == 0;
}

static bool can_begin(const char *path)
{
    struct fresh_file f;

    if (fresh_file_is_stream(path))
        return access(path, W_OK) == 0;
    if (!fresh_file_begin(&f, path, FRESH_WHOLE))
        return false;
    fresh_file_drop(&f);
    return true;
}

/* Do two names mean one file, be it there or not?  A device takes what both write. */
static bool are_same(const char *a, const char *b)
{
    char real[2][FRESH_PATH], folder[2][FRESH_PATH];
    struct stat x, y;

    if (a == NULL || b == NULL)
        return false;
    if (stat(a, &x) == 0 && stat(b, &y) == 0)
        return are_one(&x, &y) && !S_ISCHR(x.st_mode);
    return follow(a, real[0]) && follow(b, real[1]) &&
           strcmp(split(real[0], folder[0]), split(real[1], folder[1])) == 0 &&
           stat(folder[0], &x) == 0 && stat(folder[1], &y) == 0 &&
           are_one(&x, &y);
}

int fresh_files_wrong(const char *const *path, int n)
{
    for (int i = 0; i < n; i++) {
        if (!can_begin(path[i]))
            return i;
        for (int k = 0; k < i; k++)
            if (are_same(path[k], path[i])) {
                errno = 0;
                return i;
            }
    }
    return n;
}

/* The contents into the file that is there, which is not cut before all is in it. */
static bool copy(FILE *from, const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    FILE *const to = file >= 0 ? fdopen(file, "w") : NULL;
    char block[1 << 14];
    size_t n;
    bool good;

    if (to == NULL)
        return false;
    good = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, ftello(from) + 1) == 0 ||
           errno != ENOSPC;
    rewind(from);
    while (good && (n = fread(block, 1, sizeof block, from)) > 0)
        good = fwrite(block, 1, n, to) == n;
    good = good && !ferror(from) && fflush(to) == 0 &&
           ftruncate(file, ftello(to)) == 0;
    return fclose(to) == 0 && good;
}

/* Give the name to the new file, or the contents to the file that has the name. */
static bool put(struct fresh_file *f)
{
    const bool there = f->fresh[0] != '\0' && is_ours(f);

    if (there && !f->copies && rename(f->fresh, f->path) == 0)
        return true;
    if (!copy(f->to, f->path))
        return false;
    if (there)
        unlink(f->fresh);
    return true;
}

void fresh_file_flush(struct fresh_file *f)
{
    if (f->to != NULL && fflush(f->to) != 0 && f->error == 0)
        f->error = errno;
}

/* Was all of it taken?  Network file systems say so no sooner than when it is closed. */
static bool is_taken(struct fresh_file *f)
{
    fresh_file_flush(f);
    errno = f->error != 0 ? f->error : EIO; /* of what was written unnoticed */
    return f->error == 0 && !ferror(f->to) && close(dup(fileno(f->to))) == 0;
}

bool fresh_file_end(struct fresh_file *f, bool good)
{
    int error;

    if (f->to == NULL) {
        errno = f->error;
        return good && f->error == 0;
    }
    good = good && is_taken(f) && (f->path[0] == '\0' || put(f));
    error = errno;
    if (!good && f->kind != FRESH_PART) {
        fresh_file_drop(f);
    } else if (fclose(f->to) != 0) {
        error = good ? errno : error;
        good = false;
    }
    f->to = NULL;
    errno = error;
    return good;
}

void fresh_file_rescue(const struct fresh_file *f)
{
    if (f->fresh[0] != '\0' && !f->copies)
        rename(f->fresh, f->path);
}

void fresh_file_drop(struct fresh_file *f)
{
    if (f->to == NULL)
        return;
    if (f->fresh[0] != '\0' && is_ours(f))
        unlink(f->fresh);
    fclose(f->to);
    f->to = NULL;
}
