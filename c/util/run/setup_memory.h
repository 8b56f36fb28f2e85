/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup_memory.h - how much memory a run needs, and of what kind; the rest of
 *                  it stands in setup.h.
 */
#ifndef SETUP_MEMORY_H
#define SETUP_MEMORY_H

#include "setup.h"

/* Blocks of the send buffer: none where the family provides it, one where one
   serves the whole window of messages; and of the receive buffer. */
size_t setup_send_blocks(const struct setup *p, const struct context *c);
size_t setup_recv_blocks(const struct setup *p, const struct context *c);

#endif
