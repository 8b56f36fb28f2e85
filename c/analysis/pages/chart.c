/* SPDX-License-Identifier: BSD-3-Clause */
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer_size.h"
#include "text/markup.h"
#include "text/page.h"
#include "text/text.h"

/* Of the drawing, which the page scales. */
enum { WIDTH = 560, HEIGHT = 300, LEFT = 52, RIGHT = 32, TOP = 8, BOTTOM = 28 };
enum { TICKS = 7, TICKS_MOST = 40 };

struct axis {
    double from, to;
    bool logarithmic, of_sizes;
};

/* Where the points of curve k end. */
static size_t end_of(const struct chart *c, int k)
{
    return k + 1 < c->curves ? c->curve[k + 1].first : c->points;
}

static void drop_empty_curve(struct chart *c)
{
    if (c->curves > 0 && c->curve[c->curves - 1].first == c->points)
        c->curves--;
}

bool chart_curve(struct chart *c, const char *name, int color, int dash)
{
    drop_empty_curve(c);
    if (c->curves == CHART_CURVES)
        return false;
    c->curve[c->curves].color = color % CHART_COLORS;
    c->curve[c->curves].dash = dash % CHART_DASHES;
    c->curve[c->curves].first = c->points;
    snprintf(c->curve[c->curves++].name, CHART_NAME, "%s", name);
    return true;
}

void chart_add(struct chart *c, struct chart_point point)
{
    c->point =
        given_memory(realloc(c->point, (c->points + 1) * sizeof *c->point));
    c->point[c->points++] = point;
}

/* Where the value is: 0 at the begin of the axis, 1 at its end. */
static double place_of(const struct axis *a, double value)
{
    return a->logarithmic ? log(value / a->from) / log(a->to / a->from)
                          : (value - a->from) / (a->to - a->from);
}

static double across(const struct axis *a, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * place_of(a, x);
}

static double down(const struct axis *a, double y)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * place_of(a, y);
}

/* 1, 2 or 5 times a power of ten, such that about TICKS steps make the whole. */
static double round_step(double whole)
{
    const double power = pow(10, floor(log10(whole / TICKS)));
    const double part = whole / TICKS / power;

    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Powers of two for sizes; 1, 2 and 5 of each decade, or only decades; else equal steps. */
static int ticks_of(const struct axis *a, double tick[TICKS_MOST])
{
    static const double part[] = { 1, 2, 5 };
    const double ratio = a->logarithmic ? a->to / a->from : 1;
    int n = 0;

    if (a->of_sizes) {
        const int step = (int)ceil(log2(ratio) / TICKS);
        const int first = (int)ceil(log2(a->from) / step) * step;

        for (int e = first; e <= log2(a->to) && n < TICKS_MOST; e += step)
            tick[n++] = ldexp(1, e);
    } else if (ratio >= 10) {
        for (double decade = pow(10, floor(log10(a->from))); decade <= a->to;
             decade *= 10)
            for (int k = 0; k < (ratio > 1000 ? 1 : 3); k++)
                if (decade * part[k] >= a->from && decade * part[k] <= a->to &&
                    n < TICKS_MOST)
                    tick[n++] = decade * part[k];
    } else {
        const double step = round_step(a->to - a->from);

        for (int k = (int)ceil(a->from / step);
             k * step <= a->to && n < TICKS_MOST; k++)
            tick[n++] = k * step;
    }
    return n;
}

static void print_axes(FILE *to, const struct axis *x, const struct axis *y)
{
    double tick[TICKS_MOST];
    char words[32];
    int n = ticks_of(x, tick);

    fprintf(to, "<path class=\"grid\" d=\"");
    for (int i = 0; i < n; i++)
        fprintf(to, "M%.1f %dV%d", across(x, tick[i]), TOP, HEIGHT - BOTTOM);
    fputs("\"/>\n<g text-anchor=\"middle\">", to);
    for (int i = 0; i < n; i++) {
        snprintf(words, sizeof words, "%g", tick[i]);
        fprintf(to, "<text x=\"%.1f\" y=\"%d\">%s</text>", across(x, tick[i]),
                HEIGHT - BOTTOM + 18,
                x->of_sizes ? size_words(tick[i], words) : words);
    }
    n = ticks_of(y, tick);
    fputs("</g>\n<path class=\"grid\" d=\"", to);
    for (int i = 0; i < n; i++)
        fprintf(to, "M%d %.1fH%d", LEFT, down(y, tick[i]), WIDTH - RIGHT);
    fputs("\"/>\n<g text-anchor=\"end\">", to);
    for (int i = 0; i < n; i++)
        fprintf(to, "<text x=\"%d\" y=\"%.1f\">%g%s</text>", LEFT - 6,
                down(y, tick[i]) + 5, tick[i] / (tick[i] < 10000 ? 1 : 1000),
                tick[i] < 10000 ? "" : "k");
    fputs("</g>\n", to);
}

/* "new, 8B: 1.20 us (1.19 to 1.22)" */
static void print_point(FILE *to, const struct chart *c, int k,
                        const struct chart_point *p, const struct axis *x,
                        const struct axis *y)
{
    char words[PAGE_NUMBER];

    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>",
            across(x, p->x), down(y, p->y));
    markup_print(to, "%s, ", c->curve[k].name);
    if (c->x_unit == NULL)
        fputs(size_words(p->x, words), to);
    else
        fprintf(to, "%.3g %s", p->x, c->x_unit);
    fputs(": ", to);
    markup_print(to, "%s %s (",
                 page_number(words, p->y, (p->high - p->low) / 2), c->unit);
    fputs(page_range(words, p->y, p->low, p->high), to);
    fputs(")</title></circle>\n", to);
}

/* Through the points' values, or their lows or highs, onward or backward. */
static void print_path(FILE *to, const struct axis *x, const struct axis *y,
                       const struct chart_point *p, size_t n, int side)
{
    for (size_t i = 0; i < n; i++) {
        const struct chart_point *at = side < 0 ? &p[n - 1 - i] : &p[i];
        const double value = side < 0 ? at->low : side > 0 ? at->high : at->y;

        fprintf(to, "%s%.1f %.1f", i == 0 && side >= 0 ? "M" : "L",
                across(x, at->x), down(y, value));
    }
}

static void print_curve(FILE *to, const struct chart *c, int k,
                        const struct axis *x, const struct axis *y)
{
    const struct chart_point *p = &c->point[c->curve[k].first];
    const size_t n = end_of(c, k) - c->curve[k].first;

    fprintf(to, "<g class=\"c%d\">", c->curve[k].color);
    if (c->joined) {
        fputs("<path class=\"band\" d=\"", to);
        print_path(to, x, y, p, n, 1);
        print_path(to, x, y, p, n, -1);
        fprintf(to, "Z\"/><path class=\"line d%d\" d=\"", c->curve[k].dash);
        print_path(to, x, y, p, n, 0);
        fputs("\"/>\n", to);
    }
    for (size_t i = 0; i < n; i++)
        print_point(to, c, k, &p[i], x, y);
    fputs("</g>\n", to);
}

static void print_legend(FILE *to, const struct chart *c)
{
    markup_print(to, "<figcaption>%s ", c->about);
    for (int k = 0; k < c->curves; k++) {
        fprintf(to,
                "<span class=\"c%d\"><svg class=\"key\" viewBox=\"0 0 30 8\">"
                "<path class=\"line d%d\" d=\"M0 4H30\"/></svg>",
                c->curve[k].color, c->curve[k].dash);
        markup_print(to, "%s</span> ", c->curve[k].name);
    }
    fputs("</figcaption>\n", to);
}

void chart_print(FILE *to, struct chart *c)
{
    struct axis x = { INFINITY, 0, c->x_unit == NULL, c->x_unit == NULL };
    struct axis y = { c->low > 0 ? c->low : INFINITY, c->high, true, false };

    drop_empty_curve(c);
    for (size_t i = 0; i < c->points; i++) {
        x.from = fmin(x.from, c->point[i].x);
        x.to = fmax(x.to, c->point[i].x);
        y.from = fmin(y.from, c->point[i].low);
        y.to = fmax(y.to, c->point[i].high);
    }
    if (x.from < x.to) {
        y.from /= 1.03;
        y.to *= 1.03;
        markup_print(
            to,
            "<figure>\n<svg class=\"chart\" role=\"img\" aria-label=\"%s\" ",
            c->about);
        fprintf(to, "viewBox=\"0 0 %d %d\">\n", WIDTH, HEIGHT);
        if (c->low > 0)
            fprintf(to, "<path class=\"margin\" d=\"M%d %.1fH%dV%.1fH%dZ\"/>\n",
                    LEFT, down(&y, c->low), WIDTH - RIGHT, down(&y, c->high),
                    LEFT);
        print_axes(to, &x, &y);
        for (int k = 0; k < c->curves; k++)
            print_curve(to, c, k, &x, &y);
        fputs("</svg>\n", to);
        print_legend(to, c);
        fputs("</figure>\n", to);
    }
    free(c->point);
}
