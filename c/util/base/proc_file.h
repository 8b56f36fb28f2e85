/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_file.h - what the kernel says in the files of a folder of /proc or /sys, and what users
 *               say in theirs.
 */
#ifndef PROC_FILE_H
#define PROC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The rest, into text, of the first line that begins with key; "" is the first
   line.  False, and an empty text: there is none. */
bool proc_line(const char *folder, const char *name, const char *key, char *text, size_t room);

/* The number there; NAN: there is none. */
double proc_number(const char *folder, const char *name, const char *key);

/* Has the folder files or folders of that name?  It may be a pattern, "lower_*". */
bool proc_has(const char *folder, const char *name);

/* All of a file or a pipe, to be freed; NULL: it cannot be read, and errno says why. */
char *proc_text(const char *path);

/* Where /sys is: ALIDADE_SYSFS, by which tests put other devices into its place, or "/sys". */
const char *proc_sys(void);

#endif
