/* SPDX-License-Identifier: BSD-3-Clause */
#include "steps.h"

#include <math.h>

#include "sampling/over_ranks.h"

/* The steps that there were, over the ranks; their number. */
static int over_ranks_steps(const struct sweep *s, struct step *step)
{
    int n = 0;

    for (int i = 0; i < STARTUP_STEPS; i++) {
        const double mine = s->world->startup.step_s[i];
        const struct spread spread =
            over_ranks_spread(s->world->comm, mine, isfinite(mine));

        if (spread.ranks > 0)
            step[n++] = (struct step){ startup_names[i], spread.mean,
                                       spread.min, spread.max };
    }
    return n;
}

void steps_print(struct sweep *s)
{
    const struct spread spread = over_ranks_spread(
        s->world->comm, s->world->startup.step_s[STARTUP_INIT], 1);
    struct result result = { .mean = spread.mean,
                             .mean_min = spread.min,
                             .mean_max = spread.max,
                             .ranks = spread.ranks,
                             .nodes = s->placement.nodes,
                             .laps = 1,
                             .stride = 1,
                             .precise = true,
                             .scale = s->bench->report->scale };
    struct step step[STARTUP_STEPS];
    struct cell cells[1];

    if (s->bench->report->steps) {
        result.step = step;
        result.nsteps = over_ranks_steps(s, step);
        result.tick_s = startup_tick_s();
    }
    if (s->world->rank == 0) {
        report_title(stdout, s->bench, &s->prepared.run, s->settings);
        s->bench->report->line(stdout, &result);
        if (s->settings->full && result.nsteps > 0)
            report_steps(stdout, &result);
        fflush(stdout);
        record_row(&s->record, &s->context, &s->table, &result, cells);
    }
}
