/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_pending.h - do calls of MPI return before the GPU has done what they asked of it?
 *
 * By the standard what a call was to do is done when it returns, and a lap ends there.
 * A library that leaves a copy to the GPU's queue gives its figure less than the
 * operation takes, and verification, whose copies wait, does not see it.
 */
#ifndef GPU_PENDING_H
#define GPU_PENDING_H

#include "measure.h"

/*
 * Run a few laps of the row, untimed and each by itself.  After each the rank waits for
 * its GPU; and a millisecond later again, when there is nothing to wait for.  What the
 * first wait takes longer than the longest of those in vain was left.  Certain: after
 * every lap it was as much again as such a wait and 5 us, and 5 % of a lap, of which
 * lap_s (rank 0's counts) is the usual time.  Collective; the same on all ranks.
 */
struct gpu_pending gpu_pending_look(struct measure *m, double lap_s);

#endif
