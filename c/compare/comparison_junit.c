/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for a CI job: comparison_print.h. */
#include "comparison_print.h"
#include "markup.h"

static void junit_suite(FILE *to, const struct comparison *c)
{
    const struct comparison_sum sum = comparison_sum_of(c);
    char text[48];

    fputs("<testsuite name=\"", to);
    markup_text(to, c->subject[1]->name);
    fputs(" against ", to);
    markup_text(to, c->subject[0]->name);
    fprintf(to,
            "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
            c->rows, sum.of[JUDGED_SLOWER], sum.of[JUDGED_UNDECIDED]);
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        const bool slower = row->is.verdict == JUDGED_SLOWER;
        const bool undecided = row->is.verdict == JUDGED_UNDECIDED;

        fprintf(to, "  <testcase classname=\"%s\" name=\"", row->benchmark);
        markup_text(to, row->place);
        fputs(": ", to);
        markup_text(to, row->key);
        if (!slower && !undecided) {
            fputs("\"/>\n", to);
            continue;
        }
        fprintf(to, "\"><%s message=\"%s: times %.3f, 95 %% interval %s",
                slower ? "failure" : "skipped", judged_word(row->is.verdict),
                row->is.ratio, comparison_interval(&row->is, text));
        if (row->again == COMPARISON_NOT_SEEN)
            fputs("; not seen again", to);
        else if (row->again != COMPARISON_ONCE)
            fprintf(to, "; measured again: times %.3f", row->ratio_again);
        fputs("\"/></testcase>\n", to);
    }
    fputs("</testsuite>\n", to);
}

void comparison_junit(FILE *to, const struct comparison *c, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    for (int i = 0; i < n; i++)
        junit_suite(to, &c[i]);
    fputs("</testsuites>\n", to);
}
