/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * version.h - which sources this program was built from.
 */
#ifndef VERSION_H
#define VERSION_H

/* The commit that was the last to change what programs are built from, with a + if they were
   changed after it; NULL: neither git nor the tarball says so. */
const char *version_commit(void);

/* Print how every answer to --version begins, for the program of that name. */
void version_print(const char *program);

#endif
