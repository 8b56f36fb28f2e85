/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.h - what the launcher says about this process, before MPI is asked.
 *
 * Known launchers: Open MPI's mpirun, Hydra (MPICH, Intel MPI), MVAPICH, srun.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>

/* Rank the launcher gave this process; 0 if it was not launched. */
int launch_rank(void);

/* Leave before MPI is started, with that exit code, which is returned: where it is not 0,
   rank 0 has said why or will, and the others give it a moment, since launchers end the
   whole job when one process has failed. */
int launch_leave(int code);

/* Its number among the ranks of its node, -1 if the launcher does not say; never
   a rank of the job taken for it.  0 if it was not launched. */
int launch_local_rank(void);

/* Number of processes the launcher promised, 0 if it does not say, and the variable it
   said so by.  Not asked: SLURM_NTASKS, which a batch script hands on to an mpirun of
   its own, and PMIX_NAMESPACE, which Open MPI sets without a launcher too. */
int launch_promised(const char **variable);

/* What starts processes under this MPI: found by configure, else its usual name. */
const char *launch_command(void);

#endif
