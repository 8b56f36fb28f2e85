/* SPDX-License-Identifier: BSD-3-Clause */
#include "hang.h"

#include "board.h"
#include "crash.h"
#include "machine/placement.h"
#include "options/settings.h"
#include "watchdog.h"

static enum exit_code begin(const struct context *c)
{
    watchdog_begin(c->settings->timeout_s);
    return EXIT_OK;
}

/* MPI has set handlers of its own. */
static enum exit_code open(const struct context *c)
{
    (void)c;
    crash_begin();
    return EXIT_OK;
}

static void placed(const struct context *c, struct surroundings *around)
{
    (void)around;
    board_begin(c->placement->node, c->world->rank);
}

static enum exit_code finish(const struct context *c, enum exit_code code)
{
    (void)c;
    crash_end();
    watchdog_end();
    return code;
}

const struct watcher hang_watcher = {
    .begin = begin, .open = open, .placed = placed, .close = finish
};
