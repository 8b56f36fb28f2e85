/* SPDX-License-Identifier: BSD-3-Clause */
#include "markup.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

void markup_text(FILE *to, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const name[] = { "amp", "lt", "gt", "quot" };

    for (size_t n; *text != '\0'; text += n > 0 ? n : 1) {
        const char *found = strchr(special, *text);

        n = utf8_length(text);
        if (found != NULL)
            fprintf(to, "&%s;", name[found - special]);
        else if (n == 0)
            fputs(UTF8_UNKNOWN, to);
        else if (n == 1 && *text < ' ')
            fputc(' ', to);
        else
            fwrite(text, 1, n, to);
    }
}

void markup_print(FILE *to, const char *form, ...)
{
    va_list list;

    va_start(list, form);
    for (; *form != '\0'; form++)
        if (form[0] == '%' && form[1] == 's') {
            markup_text(to, va_arg(list, const char *));
            form++;
        } else {
            fputc(*form, to);
        }
    va_end(list);
}

void markup_word(FILE *to, const char *word)
{
    static const struct {
        const char *word, *means;
    } known[] = {
        { "us", "microseconds" },
        { "MB/s", "millions of bytes per second" },
        { "Messages/s", "messages per second" },
        { "Ratio", "time relative to the baseline, the first variant: above 1 "
                   "is slower, for bandwidth rows as well; of a size class "
                   "the geometric mean over its rows" },
        { "95% interval", "the ratio lies in it with a probability of 95%" },
        { "Sizes", "a size class: the rows of message sizes up to this one, "
                   "judged together" },
        { "faster", "it takes less time than the baseline, by more than the "
                    "margin; holds after correction for the number of classes "
                    "(Holm)" },
        { "slower", "it takes more time than the baseline, by more than the "
                    "margin; holds after correction for the number of classes "
                    "(Holm)" },
        { "same", "the difference is within the margin" },
        { "undecided", "more runs or a quieter machine are needed" },
        { "P90 / P99 / P99.9",
          "how many times longer than the median the slowest tenth, hundredth "
          "and thousandth of the iterations take, as median over runs; a dash "
          "where in some run iterations were timed several at a time (-z99 "
          "times each), or fewer than ten took longer" },
        { "drifts", "in most runs the iterations became slower or faster" },
        { "median", "each run gives the median over its iterations; this is "
                    "the median over runs, and the range of the runs" },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i].word) == 0) {
            markup_print(to, "<abbr title=\"%s\">%s</abbr>", known[i].means,
                         word);
            return;
        }
    markup_text(to, word);
}
