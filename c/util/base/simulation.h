/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulation.h - is this built for a simulator of MPI (SimGrid's SMPI)?
 *
 * All ranks are then parts of one process on one machine, and the clock is the
 * simulated one: it moves inside MPI calls only, possibly never.  So no timer
 * may watch the ranks, the machine says nothing about the simulated hosts, and
 * every loop that waits for time to pass must end without it.
 */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "config.h"

#ifdef HAVE_SIMULATED_MPI
enum { SIMULATED = 1 };
#else
enum { SIMULATED = 0 };
#endif

#endif
