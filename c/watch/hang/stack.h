/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack.h - which functions a thread is in, for the last message of a process.
 */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>

/* Load what stack_describe needs, since a signal handler may not.  Once, early. */
void stack_prepare(void);

/* Append "call=MPI_Send; stack=poll < opal_progress;" to text: the MPI call that the
   interrupted thread is in, and the functions that it called from there, innermost first.
   Without an MPI call only the functions; nothing where the system cannot tell.  For a
   signal handler of a process that is about to end: it asks the dynamic linker for
   names, which is allowed there in practice only. */
void stack_describe(char *text, size_t room);

#endif
