/* SPDX-License-Identifier: BSD-3-Clause */
#include "fresh_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool fresh_file_begin(struct fresh_file *f, const char *path)
{
    struct stat there;

    f->to = NULL;
    if (path == NULL)
        return true;
    if (strlen(path) >= sizeof f->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(f->path, path);
    snprintf(f->fresh, sizeof f->fresh, "%s.new", path);
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        f->fresh[0] = '\0';
    f->to = fopen(f->fresh[0] != '\0' ? f->fresh : path, "w");
    return f->to != NULL;
}

bool fresh_file_end(struct fresh_file *f, bool good)
{
    if (f->to == NULL)
        return good;
    good = good && !ferror(f->to);
    if (fclose(f->to) != 0)
        good = false;
    f->to = NULL;
    if (f->fresh[0] == '\0')
        return good;
    if (good && rename(f->fresh, f->path) != 0)
        good = false;
    if (!good)
        remove(f->fresh);
    return good;
}
