/* SPDX-License-Identifier: BSD-3-Clause */
#include "distribution.h"

#include <math.h>

#include "results/result_file.h"
#include "text/markup.h"
#include "text/page.h"

/* Of the drawing, which the page scales. */
enum { WIDTH = 560, HEIGHT = 200, LEFT = 8, RIGHT = 8, TOP = 8, BOTTOM = 28 };
enum { BARS = 80, LEAST_SAMPLES = 10 };

struct bars {
    double from, to; /* us */
    size_t n[BARS], most;
};

/* Where the time is, in the drawing. */
static double across(const struct bars *b, double us)
{
    return LEFT +
           (WIDTH - LEFT - RIGHT) * log(us / b->from) / log(b->to / b->from);
}

/* Only positive times have a place. */
static double sample_of(const json_t *samples, size_t i)
{
    const double us = json_number_value(json_array_get(samples, i));

    return us > 0 ? us : NAN;
}

/* Count the samples; false: they are too few, or all equal. */
static bool count(struct bars *b, const json_t *samples)
{
    const size_t n = json_array_size(samples);

    b->from = INFINITY;
    for (size_t i = 0; i < n; i++) {
        b->from = fmin(b->from, sample_of(samples, i));
        b->to = fmax(b->to, sample_of(samples, i));
    }
    if (n < LEAST_SAMPLES || !(b->from < b->to))
        return false;
    for (size_t i = 0; i < n; i++) {
        const double at =
            log(sample_of(samples, i) / b->from) / log(b->to / b->from) * BARS;
        const size_t k = at < BARS - 1 ? (size_t)at : BARS - 1;

        if (isfinite(at) && ++b->n[k] > b->most)
            b->most = b->n[k];
    }
    return true;
}

static void print_bars(FILE *to, const struct bars *b)
{
    const double width = (double)(WIDTH - LEFT - RIGHT) / BARS;

    fputs("<g class=\"c0\"><path fill=\"currentColor\" d=\"", to);
    for (int k = 0; k < BARS; k++)
        if (b->n[k] > 0)
            fprintf(to, "M%.1f %dV%.1fh%.1fV%dZ", LEFT + k * width,
                    HEIGHT - BOTTOM,
                    HEIGHT - BOTTOM -
                        (HEIGHT - TOP - BOTTOM) * log1p((double)b->n[k]) /
                            log1p((double)b->most),
                    width * 0.85, HEIGHT - BOTTOM);
    fputs("\"/></g>\n", to);
}

/* A line at the time, of that color and dash. */
static void print_line(FILE *to, const struct bars *b, double us, int color,
                       int dash)
{
    if (us >= b->from && us <= b->to)
        fprintf(
            to,
            "<g class=\"c%d\"><path class=\"line d%d\" d=\"M%.1f %dV%d\"/></g>\n",
            color, dash, across(b, us), TOP, HEIGHT - BOTTOM);
}

static void print_legend(FILE *to, const char *what, double us, int color,
                         int dash)
{
    char words[PAGE_NUMBER];

    fprintf(to,
            "<span class=\"c%d\"><svg class=\"key\" viewBox=\"0 0 30 8\"><path "
            "class=\"line d%d\" d=\"M0 4H30\"/></svg>%s %s us</span> ",
            color, dash, what, page_number(words, us, us / 100));
}

void distribution(FILE *to, const struct row_id *id,
                  const struct table_cell *cell, const char *name)
{
    const json_t *row = cell->runs > 0 ? cell->run[0].row : NULL;
    const json_t *samples = json_object_get(row, "raw_us");
    const json_t *over = json_object_get(row, "over_iterations");
    const json_t *ends = json_object_get(over, "ci95_us");
    const double mean = number_in(over, "mean_us");
    const double median = number_in(over, "median_us");
    struct bars b = { .most = 0 };

    if (!count(&b, samples))
        return;
    markup_print(
        to,
        "<figure>\n<svg class=\"chart\" role=\"img\" aria-label=\"Samples of %s\" ",
        id->key);
    fprintf(to, "viewBox=\"0 0 %d %d\">\n", WIDTH, HEIGHT);
    if (json_array_size(ends) == 2)
        fprintf(to, "<path class=\"margin\" d=\"M%.1f %dH%.1fV%dH%.1fZ\"/>\n",
                across(&b, json_number_value(json_array_get(ends, 0))) - 2, TOP,
                across(&b, json_number_value(json_array_get(ends, 1))) + 2,
                HEIGHT - BOTTOM,
                across(&b, json_number_value(json_array_get(ends, 0))) - 2);
    print_bars(to, &b);
    print_line(to, &b, median, 2, 0);
    print_line(to, &b, mean, 1, 1);
    fprintf(to,
            "<text x=\"%d\" y=\"%d\">%.*f us</text><text x=\"%d\" y=\"%d\" "
            "text-anchor=\"end\">%.*f us</text>\n</svg>\n",
            LEFT, HEIGHT - BOTTOM + 18, b.from < 10 ? 2 : 0, b.from,
            WIDTH - RIGHT, HEIGHT - BOTTOM + 18, b.to < 10 ? 2 : 0, b.to);
    markup_print(to, "<figcaption>%s: the samples of %s", name, id->key);
    fprintf(to,
            " (%zu), both axes logarithmic; grey: 95%% interval of the "
            "median.",
            json_array_size(samples));
    print_legend(to, "Median", median, 2, 0);
    print_legend(to, "Mean", mean, 1, 1);
    fputs("</figcaption>\n</figure>\n", to);
}
