/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowded.c - no fault: a program finds that it has hardly waited for a CPU so far.
 *
 * Else it looks at what others take from it, on each rank, for up to 62 ms in which it computes
 * (interference_share).  Tests run next to each other and know the answer; these
 * looks were a third of the CPU time of a start.
 *
 * Loaded with every test.  FAULT_CROWDED=0: the program looks.
 */
#include <errno.h>
#include <stdio.h>

#include "fault.h"

FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*next)(const char *, const char *);

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    if (strcmp(path, "/proc/self/schedstat") == 0 && fault_number("FAULT_CROWDED", 1) != 0) {
        errno = ENOENT;
        return NULL;
    }
    return next(path, mode);
}
