/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slots.h - how many messages of a window have memory of their own: -b.
 *
 *   auto      one buffer serves all messages to send.  Each message is received in a slot
 *             of its own, as long as the windows of a rank take 1 GiB at most.
 *   single    one buffer for all, each way, as in OMB
 *   multiple  a slot for each message, each way
 *
 * What finds no room shares the slots in turn.  To be verified a row has only as many messages
 * under way as it has slots.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "setup.h"

/* -b, as it holds; and does one buffer to send serve all messages of a window? */
enum slots slots_kind(const struct context *c);
bool slots_sends_one(const struct context *c);

/* Blocks of the send buffer, or of the receive buffer, with a window of so many slots: none
   where the family provides the buffer. */
size_t slots_blocks(const struct context *c, int window, bool sending);

/* Bytes that the slots of one window may take on this rank; and let p->window_bytes be
   the least of all ranks, collective. */
size_t slots_limit(const struct context *c);
void slots_agree(struct setup *p, const struct context *c);

/* Messages of the row's window, once there is memory; and slots of a window of so many
   messages. */
int slots_window(const struct setup *p, const struct row *row);
int slots_of(const struct setup *p, int window, size_t bytes);

/* Below the title, on rank 0: from which size on messages share slots without being told. */
void slots_say(const struct setup *p, const struct context *c,
               const struct rows *rows);

#endif
