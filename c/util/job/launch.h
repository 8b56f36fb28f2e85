/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.h - what the launcher says about this process, before MPI is asked.
 *
 * Known launchers: Open MPI's mpirun, Hydra (MPICH, Intel MPI), MVAPICH, srun, Flux,
 * jsrun (LSF), PALS (Cray).
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>

#include "base/messages.h"

/* Open MPI's major version where that is the library, 0 with any other: asked at run time,
   because a program built with the ABI of MPI 5 runs with each. */
int launch_openmpi(void);

/* The rank that the launcher gave this process; 0 if no launcher started it. */
int launch_rank(void);

/* Leave before MPI is started, and return that exit code.  If the code is not 0, rank 0
   prints the reason.  The other ranks wait a moment before they leave, because launchers
   end the whole job when one process has failed. */
int launch_leave(int code);

/* The number of this process among the ranks of its node.  -1 if the launcher does not
   say; the rank in the job is never used instead.  0 if no launcher started it. */
int launch_local_rank(void);

/*
 * The number of processes that the launcher promised, 0 if it does not say.  Two
 * variables are not read: SLURM_NTASKS, which a batch script passes on to its own
 * mpirun, and PMIX_NAMESPACE, which Open MPI sets itself in a process without a
 * launcher.  PALS gives ranks alone: the number is then one more than the rank.
 */
int launch_promised(void);

/* MPI sees so many ranks: are they what the launcher promised?  EXIT_OK, or the code to leave
   with; one process says why, which knows it.  library becomes what the library is:
   "OpenMPI-4.1.4", "SimGrid-3.32". */
enum exit_code launch_check(int ranks, char library[64]);

/* The launcher of the MPI that this program runs with, without a folder, as it is in PATH where
   an MPI is used: the one that configure found or was given, or else its usual name. */
const char *launch_name(void);

/* " --allow-run-as-root" where the user is root, and this launcher refuses root; else "". */
const char *launch_root(void);

/* A word of a command that is printed, as a shell takes it: in quotes if it has a blank or
   another sign of the shell, in text then. */
enum { LAUNCH_WORD = 400 };
const char *launch_word(const char *word, char text[LAUNCH_WORD]);

/* Write into text a command line that starts the program on so many ranks, also as root,
   bound to cores if there are enough. */
void launch_example(char *text, size_t room, int ranks, const char *program);

#endif
