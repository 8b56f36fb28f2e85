/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ucx.h - tagged messages of UCX between two processes: ucp_tag_send_nbx and ucp_tag_recv_nbx.
 *
 * Message i of a window is under way from ucx_send or ucx_recv on, until ucx_wait has seen it done.
 * UCX chooses its transports itself, or follows UCX_TLS and UCX_NET_DEVICES in the environment, as
 * it does for an MPI library.  If configure did not find UCX, the family only reports that.
 */
#ifndef UCX_H
#define UCX_H

#include "transport.h"

extern const struct family transport_ucx_family;

struct ucx;

FAMILY_OF(bench_run, struct ucx, ucx_of)

/* i: from 0 to r->window, which is one more than a window has. */
void ucx_send(struct ucx *u, int i, const void *message, size_t bytes);
void ucx_recv(struct ucx *u, int i, void *to, size_t bytes);

/* Wait for n messages, from number first on. */
void ucx_wait(struct ucx *u, int first, int n);

#endif
