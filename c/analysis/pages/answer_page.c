/* SPDX-License-Identifier: BSD-3-Clause */
#include "answer_page.h"

#include <stdlib.h>

#include "comparison/comparison_answer.h"
#include "comparison/comparison_classes.h"
#include "page.h"
#include "plot.h"
#include "report_page.h"
#include "text/markup.h"

static const struct row_id *id_of(const struct comparison *c, size_t k)
{
    return &c->row[c->class[k].first].id;
}

/* The first column: the benchmark, once for all its classes. */
static void benchmark_cell(FILE *to, const struct comparison *c, size_t k)
{
    const size_t end = comparison_classes_end(c, k);

    if (k > 0 && comparison_classes_end(c, k - 1) == end)
        return;
    fprintf(to, "<td class=\"word of\" rowspan=\"%zu\">", end - k);
    markup_text(to, id_of(c, k)->benchmark);
    if (comparison_has_places(c))
        markup_print(to, "<br><small>%s</small>", id_of(c, k)->place);
    fputs("</td>", to);
}

static void class_row(FILE *to, const struct comparison *c, size_t k)
{
    const struct comparison_class *of = &c->class[k];
    char label[CLASS_LABEL], note[CLASS_NOTE];

    fputs("<tr>", to);
    benchmark_cell(to, c, k);
    fprintf(to, "<td class=\"word\">%s</td><td>",
            comparison_class_label(c, of, label));
    report_page_ratio(to, &of->verdict.ratio);
    fprintf(to, "</td><td class=\"word %s\">", verdict_word(of->verdict.is));
    page_word(to, verdict_word(of->verdict.is));
    if (comparison_class_note(c, of, note)[0] != '\0')
        markup_print(to, "<span class=\"more\"> (%s)</span>", note);
    fputs("</td></tr>\n", to);
}

static void class_table(FILE *to, const struct comparison *c)
{
    fputs("<div class=\"wide\"><table class=\"classes\">\n<thead><tr>"
          "<th class=\"word\">Benchmark</th><th class=\"word\">",
          to);
    page_word(to, "Sizes");
    fputs("</th><th>", to);
    page_word(to, "Ratio");
    fputs(" <small>", to);
    page_word(to, "95% interval");
    markup_print(to,
                 "</small></th>"
                 "<th class=\"word\">%s is</th></tr></thead>\n<tbody>\n",
                 c->variant[1]->name);
    for (size_t k = 0; k < c->classes; k++)
        class_row(to, c, k);
    fputs("</tbody></table></div>\n", to);
}

static void say(void *to, const char *sentence)
{
    markup_print(to, "<p class=\"note\">%s</p>\n", sentence);
}

void answer_page(FILE *to, const struct row_table *t,
                 const struct comparison *c)
{
    char *answer = comparison_answer(c), *advice = comparison_advice(c);

    markup_print(to, "<p class=\"answer\">%s</p>\n", answer);
    if (advice[0] != '\0')
        markup_print(to, "<p class=\"advice\">%s</p>\n", advice);
    free(answer);
    free(advice);
    comparison_remarks(c, say, to);
    fputs("<div class=\"first\">\n", to);
    class_table(to, c);
    plot_ratios(to, t, c);
    fputs("</div>\n", to);
}
