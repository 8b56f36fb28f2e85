/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_alike.h - facts about hosts: what where found to hinder MPI, and hosts that differ
 *                 from most others in kernel, processor, memory or MPI.
 *
 * A run on one host tells about that host.  If no value is that of more than half of the
 * hosts, of three or more, no host is called different.  Of two that differ both are named.
 */
#ifndef HOSTS_ALIKE_H
#define HOSTS_ALIKE_H

#include "findings.h"

/* Append what the runs of s tell to list, of which there are n. */
void hosts_alike(const struct subject *s, struct finding **list, size_t *n);

#endif
