/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libraries.h - the communication libraries that are loaded in this process: transports
 *               below MPI, and those of GPUs.  What the kernel maps counts
 *               (/proc/self/maps), not what a build asked for.
 */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include <stddef.h>

enum { LIBRARIES_MAX = 32 };

struct library {
    char name[24];    /* "libucp" */
    char file[64];    /* "libucp.so.0.0.0" */
    char version[64]; /* what the library itself says: "1.13.1"; "": nothing */
};

/* The library of a mapped file; 0: it is none of those that are known.  *l has no version yet. */
int libraries_match(const char *path, struct library *l);

/* Those of this process, each once, into list[LIBRARIES_MAX]; returns their number. */
int libraries_find(struct library list[LIBRARIES_MAX]);

#endif
