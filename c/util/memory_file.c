/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a file: mapped, shared, in a folder to be named.  The file has no name,
   so that nothing is left behind, however the process ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

/* Not every file system makes files without a name. */
static int open_file(const char *folder)
{
    char name[4096];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return file;
    if (snprintf(name, sizeof name, "%s/alidade.XXXXXX", folder) >=
        (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    return file;
}

static void *allocate(size_t bytes, const struct memory_options *options,
                      void **block, size_t *mapped)
{
    const int file = open_file(options->folder);
    int error;

    *block = NULL;
    *mapped = memory_round_up(bytes + options->align_offset,
                              (size_t)sysconf(_SC_PAGESIZE));
    if (file < 0)
        return NULL;
    /* All of it: a page that finds no room when it is written ends the process. */
    error = posix_fallocate(file, 0, (off_t)*mapped);
    if (error == 0) {
        *block =
            mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        error = *block == MAP_FAILED ? errno : 0;
    }
    close(file);
    if (error != 0) {
        *block = NULL;
        errno = error;
        return NULL;
    }
    memory_touch(*block, *mapped);
    return (char *)*block + options->align_offset;
}

const struct memory_kind memory_file = {
    .name = "file",
    .letter = "F",
    .lacks = "no file could be made or filled in the folder of --file-dir",
    .allocate = allocate,
    .release = memory_unmap,
    .copy_in = memory_copy,
    .copy_out = memory_copy,
    .set = memory_set,
    .rewrite = memory_rewrite,
};
