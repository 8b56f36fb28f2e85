/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manycpus.c - a kernel with so many possible CPUs that it refuses to say, in
 *              fewer than FAULT_BYTES bytes, where a process may run.
 */
#include <errno.h>
#include <sched.h>

#include "fault.h"

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    int (*next)(pid_t, size_t, cpu_set_t *);

    if (bytes < (size_t)fault_number("FAULT_BYTES", 1000)) {
        errno = EINVAL;
        return -1;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "sched_getaffinity");
    return next(pid, bytes, set);
}
