/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches in the order of time: report_page.h. */
#include "markup.h"
#include "report_page.h"
#include "timeline.h"

static void trends(FILE *to, const struct survey *s, const struct timeline *t)
{
    for (int k = 0; k < s->subjects; k++) {
        const struct timeline_trend *trend = &t->trend[k];

        if (!trend->known)
            continue;
        fputs("<p><strong>", to);
        markup_text(to, s->subject[k].name);
        fprintf(
            to,
            "</strong>: the last third of the launches took %.3f times what "
            "the first did (p = %.2g)%s</p>\n",
            trend->ratio, trend->p,
            timeline_drifts(t, k)
                ? ": <strong>the machine changed meanwhile</strong>."
                : ".");
    }
}

bool report_page_timeline(FILE *to, const struct survey *s, bool draws,
                          char *why, size_t room)
{
    struct timeline t;
    bool good = timeline_make(&t, s->subject, s->subjects);

    if (!good) {
        snprintf(why, room, "memory is short");
    } else if (t.n > 2) {
        fputs(
            "<section>\n<h2>Over time</h2>\n<p class=\"note\">Each point is a "
            "launch: how long its rows took, to what is usual of the "
            "subject.</p>\n",
            to);
        if (draws) {
            fputs("<figure role=\"img\" aria-label=\"launches over time\">\n",
                  to);
            good = timeline_svg(to, &t, s->subject, why, room);
            fputs("</figure>\n", to);
        }
        trends(to, s, &t);
        fputs("</section>\n", to);
    }
    timeline_release(&t);
    return good;
}
