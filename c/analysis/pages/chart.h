/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chart.h - curves as an SVG element within a page, and below them a legend in HTML.
 *
 * Points have titles, so that hovering shows their values.  Colors and fonts are those of the
 * page (page.h), so that the chart follows its light and its dark form.
 */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>
#include <stdio.h>

enum {
    CHART_CURVES = 40,
    CHART_NAME = 300,
    CHART_COLORS = 8,
    CHART_DASHES = 5
};

struct chart_point {
    double x, y;      /* y > 0 */
    double low, high; /* of the band; both y: there is none */
};

struct chart {
    const char *about; /* what it shows, above the legend */
    const char *unit;  /* of y, in titles of points */
    const char
        *x_unit; /* of x; NULL: x is a size in bytes, on a logarithmic axis */
    bool joined; /* points by lines, in the order of chart_add */
    double low, high; /* what the y axis has at least, as a band; 0: nothing */
    /* The rest is of chart_curve and chart_add. */
    struct {
        char name[CHART_NAME];
        int color, dash;
        size_t first; /* of its points */
    } curve[CHART_CURVES];
    struct chart_point *point;
    size_t points;
    int curves;
};

/* Begin a curve: points that follow are its own.  One without points is no curve.  color and
   dash say how it looks, from 0.  False: there is no room for one more. */
bool chart_curve(struct chart *c, const char *name, int color, int dash);

/* Add a point. */
void chart_add(struct chart *c, struct chart_point point);

/* Print the chart as a figure of HTML, unless all points have the same x, and release its
   memory. */
void chart_print(FILE *to, struct chart *c);

#endif
