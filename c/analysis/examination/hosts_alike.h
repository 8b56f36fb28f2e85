/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_alike.h - facts about hosts: what where found to hinder MPI, and hosts that differ
 *                 in kernel, processor, memory or MPI.
 *
 * A run on one host tells about that host.  Which of several kernels is the right one
 * nobody says.
 */
#ifndef HOSTS_ALIKE_H
#define HOSTS_ALIKE_H

#include "findings.h"

/* Append what the runs of s tell to list, of which there are n. */
void hosts_alike(const struct variant *s, struct finding **list, size_t *n);

#endif
