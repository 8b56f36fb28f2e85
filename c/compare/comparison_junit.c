/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for a CI job: comparison_print.h. */
#include "comparison_print.h"
#include "markup.h"

/* Rows that the first has and the other lacks were not measured: an error. */
static size_t junit_lacking(FILE *to, const struct comparison *c, bool prints)
{
    size_t n = 0;

    for (size_t i = 0; i < c->lones; i++) {
        const struct comparison_lone *row = &c->lone[i];

        if (row->of != 0)
            continue;
        n++;
        if (!prints)
            continue;
        fprintf(to, "  <testcase classname=\"%s\" name=\"", row->benchmark);
        markup_text(to, row->place);
        fputs(": ", to);
        markup_text(to, row->key);
        fputs("\"><error message=\"lacking: ", to);
        markup_text(to, c->subject[1]->name);
        fputs(" has no such row\"/></testcase>\n", to);
    }
    return n;
}

static void junit_suite(FILE *to, const struct comparison *c)
{
    const struct comparison_sum sum = comparison_sum_of(c);
    const size_t errors = junit_lacking(to, c, false);
    char text[48];

    fputs("<testsuite name=\"", to);
    markup_text(to, c->subject[1]->name);
    fputs(" against ", to);
    markup_text(to, c->subject[0]->name);
    fprintf(
        to,
        "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
        c->rows + errors, sum.of[JUDGED_SLOWER], errors,
        sum.of[JUDGED_UNDECIDED]);
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
    junit_lacking(to, c, true);
    fputs("</testsuite>\n", to);
}

void comparison_junit(FILE *to, const struct comparison *c, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    for (int i = 0; i < n; i++)
        junit_suite(to, &c[i]);
    fputs("</testsuites>\n", to);
}
