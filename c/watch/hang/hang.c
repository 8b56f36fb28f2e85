/* SPDX-License-Identifier: BSD-3-Clause */
#include "hang.h"

#include "board.h"
#include "crash.h"
#include "machine/placement.h"
#include "watchdog.h"

/* --- What is asked for ------------------------------------------------------------ */

static const struct option_row rows[] = {
    { 0, "timeout", "TIME", .group = OPTIONS_RUN,
      .help = "abort a run without progress for this long; MPI_Init gets at "
              "least 30s; 0: never",
      .fallback = "60s", .kind = OPTION_SECONDS },
    { 0 },
};

static void begin_options(void *timeout_s, const struct bench *b,
                          const struct settings *s)
{
    (void)b;
    (void)s;
    *(double *)timeout_s = 60;
}

static const char *conflict(const struct settings *s)
{
    const double timeout_s = hang_timeout(s);

    return timeout_s > 0 && (timeout_s < 0.1 || timeout_s > 1e6)
               ? "--timeout must be 0 (never) or between 0.1 s and 1e6 s"
               : NULL;
}

const struct option_part hang_options = { .rows = rows,
                                          .size = sizeof(double),
                                          .begin = begin_options,
                                          .conflict = conflict };

double hang_timeout(const struct settings *s)
{
    return *(const double *)settings_asked(s, &hang_options);
}

/* --- The moments ------------------------------------------------------------------ */

static enum exit_code begin(const struct context *c)
{
    watchdog_begin(hang_timeout(c->settings));
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
