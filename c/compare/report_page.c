/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_page.h"

#include <stdlib.h>

#include "markup.h"

static void figure(FILE *to, const struct survey_cell *cell)
{
    if (cell->launches == 0)
        fputs("<td>-</td>", to);
    else
        fprintf(to, "<td>%.2f</td>", cell->figure);
}

static void spread(FILE *to, const struct survey_cell *cell)
{
    if (cell->launches == 0) {
        fputs("<td>-</td><td>-</td>", to);
        return;
    }
    fprintf(to, "<td>%.2f&ndash;%.2f</td><td>", cell->low, cell->high);
    for (int k = 0; k < SURVEY_TAILS; k++) {
        fputs(k > 0 ? " / " : "", to);
        if (cell->tail[k] > 0)
            fprintf(to, cell->tail[k] < 10 ? "%.2f" : "%.0f", cell->tail[k]);
        else
            fputc('-', to);
    }
    fprintf(to, "%s</td>",
            2 * cell->drifting > cell->launches ? " drifts" : "");
}

static void verdict(FILE *to, const struct comparison *c,
                    const struct comparison_row *row)
{
    if (row == NULL) {
        fputs("<td>-</td><td>-</td>", to);
        return;
    }
    fprintf(to, "<td>%.3f", row->is.ratio);
    if (row->is.has_interval)
        fprintf(to, " (%.3f&ndash;%.3f)", row->is.low, row->is.high);
    fprintf(to, "</td><td class=\"word %s\">%s</td>",
            judged_word(row->is.verdict), comparison_outcome(row, c->margin));
}

void report_page_table(FILE *to, const struct survey *s, size_t first,
                       size_t end, const struct comparison *with)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>Row</th>", to);
    for (int k = 0; k < s->subjects; k++) {
        fputs("<th>", to);
        markup_text(to, s->subject[k].name);
        fputs("<br>", to);
        markup_text(to, s->row[first].unit);
        fputs("</th>", to);
    }
    for (int k = 1; k < s->subjects; k++) {
        fputs("<th>times<br>of ", to);
        markup_text(to, s->subject[0].name);
        fputs("</th><th class=\"word\">", to);
        markup_text(to, s->subject[k].name);
        fputs("<br>is</th>", to);
    }
    for (int k = 0; k < s->subjects; k++) {
        fputs("<th>", to);
        markup_text(to, s->subject[k].name);
        fputs("<br>least&ndash;greatest</th><th>P90 / P99 / P99.9<br>to the "
              "median</th>",
              to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t i = first; i < end; i++) {
        fputs("<tr><td>", to);
        markup_text(to, s->row[i].key);
        fputs("</td>", to);
        for (int k = 0; k < s->subjects; k++)
            figure(to, &s->row[i].cell[k]);
        for (int k = 1; k < s->subjects; k++)
            verdict(to, &with[k - 1],
                    comparison_row_of(&with[k - 1], s->row[i].benchmark,
                                      s->row[i].place, s->row[i].key));
        for (int k = 0; k < s->subjects; k++)
            spread(to, &s->row[i].cell[k]);
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

void report_page_sum(FILE *to, const struct comparison *c, const char *subject,
                     const char *why)
{
    const struct comparison_sum sum = comparison_sum_of(c);

    fputs("<p><strong>", to);
    markup_text(to, subject);
    fputs("</strong>: ", to);
    if (c->row == NULL)
        markup_text(to, why);
    else
        fprintf(to,
                "faster in %zu rows, slower in %zu, the same in %zu, %zu "
                "undecided",
                sum.of[JUDGED_FASTER], sum.of[JUDGED_SLOWER],
                sum.of[JUDGED_SAME], sum.of[JUDGED_UNDECIDED]);
    fputs("</p>\n<ul>\n", to);
    for (size_t i = 0, end; i < c->rows; i = end) {
        end = comparison_table_end(c, i);
        fputs("<li>", to);
        markup_text(to, c->row[i].benchmark);
        fputs(", ", to);
        markup_text(to, c->row[i].place);
        fputs(": ", to);
        comparison_print_outcomes(to, c, i, end);
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
}

static const char reading[] =
    "<h2>How to read this</h2>\n<p>Each launch gives one figure for each row, its "
    "median over laps. Figures are medians over launches, bands and "
    "<em>least&ndash;greatest</em> are those of the launches. <em>P90 / P99 / "
    "P99.9</em>: how much longer than the median lap the slowest of ten, of a hundred, "
    "of a thousand takes; <em>drifts</em>: laps became slower or quicker in most "
    "launches.</p>\n<p><em>times</em>: what a subject takes for what the first does in "
    "1, the median of all pairs of launches (not the quotient of the figures), with its "
    "95&nbsp;% interval. <em>faster</em> and <em>slower</em> are beyond the margin, and "
    "hold for all rows together (adjusted by Holm's method); <em>by itself</em>: the "
    "row's own interval says so, but among so many rows that is not enough; "
    "<em>open</em>: neither. &ne; marks what differs.</p>\n";

void report_page_reading(FILE *to)
{
    fputs(reading, to);
}
