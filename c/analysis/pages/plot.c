/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/gnuplot.h"

static const char WIDE[] = "860,460"; /* pixels */

/* A script for the file at path, of the form that its name says; NULL: for an SVG within a
   page, whose parts have that name.  NULL: why[] says why there is none. */
static FILE *begin(const char *path, const char *name, const char *pixels,
                   char why[WHY])
{
    FILE *script = gnuplot_begin();

    if (script == NULL) {
        refuse(why, "a temporary file: %s", strerror(errno));
    } else if (path == NULL) {
        fprintf(script,
                "set terminal svg size %s dynamic noenhanced font "
                "'sans-serif,14' background 'white' name '%s'\n",
                pixels, name);
    } else {
        const char *form = strrchr(path, '.');
        const bool png = form != NULL && strcmp(form, ".png") == 0;

        gnuplot_terminal(script, form != NULL ? form + 1 : "svg",
                         png ? "1200,640" : pixels, "24cm,13cm");
        fputs("set output ", script);
        gnuplot_quote(script, path);
        fputc('\n', script);
    }
    return script;
}

/* From its element on: what stands before it belongs to a document of its own. */
static bool copy_svg(FILE *to, FILE *from)
{
    char line[4096];
    bool within = false;

    rewind(from);
    while (fgets(line, sizeof line, from) != NULL) {
        const char *begin = within ? line : strstr(line, "<svg");

        if (begin != NULL)
            fputs(begin, to);
        within = within || begin != NULL;
    }
    return within;
}

/* Have a script drawn that is worth it, into the page unless it names a file. */
static bool draw(FILE *script, bool worth, FILE *page, char why[WHY])
{
    FILE *said = tmpfile();
    bool good =
        said != NULL || refuse(why, "a temporary file: %s", strerror(errno));

    if (good && worth) {
        good = gnuplot_run(script, said, "", why, WHY);
        if (good && page != NULL && !copy_svg(page, said))
            good = refuse(why, "gnuplot wrote no SVG");
    }
    fclose(script);
    if (said != NULL)
        fclose(said);
    return good;
}

/* Grid, borders and the place of the key, alike in all drawings. */
static void set_style(FILE *script)
{
    fputs("set grid lc rgb '#dddddd'\nset tics nomirror\nset border 3\n"
          "set key left top reverse Left noenhanced\n",
          script);
}

/* What tells a row from others of its size: the key without the size. */
static const char *level_of(const struct table_row *row)
{
    const char *blank = strchr(row->id.key, ' ');

    return row->id.bytes < 0 || blank == NULL ? row->id.key : blank + 1;
}

static bool is_first_of_level(const struct row_table *t, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (strcmp(level_of(&t->row[k]), level_of(&t->row[i])) == 0)
            return false;
    return true;
}

static bool has_point(const struct table_row *row, int variant)
{
    return row->id.bytes > 0 && row->cell[variant].runs > 0 &&
           row->cell[variant].low > 0;
}

/* Points of a variant at the level of row i. */
static size_t write_data(FILE *script, const struct row_table *t, size_t i,
                         size_t end, int variant, int number)
{
    const char *level = level_of(&t->row[i]);
    size_t points = 0;

    fprintf(script, "$d%d << EOD\n", number);
    for (; i < end; i++)
        if (has_point(&t->row[i], variant) &&
            strcmp(level_of(&t->row[i]), level) == 0) {
            const struct table_cell *cell = &t->row[i].cell[variant];

            fprintf(script, "%.0f %.9g %.9g %.9g\n", t->row[i].id.bytes,
                    cell->figure, cell->low, cell->high);
            points++;
        }
    fputs("EOD\n", script);
    return points;
}

/* At 1, 4, 16, ..., 1K, ...: as sizes are written everywhere else. */
static void write_ticks(FILE *script)
{
    static const char unit[] = " KMGT";

    fputs("set xtics (", script);
    for (int k = 0; k < 50; k += 2) {
        fprintf(script, "%s'%d", k > 0 ? ", " : "", 1 << k % 10);
        if (k >= 10)
            fputc(unit[k / 10], script);
        fprintf(script, "' %llu", 1ULL << k);
    }
    fputs(")\n", script);
}

/* Not without two points. */
static bool write_curves(FILE *script, const struct row_table *t, size_t first,
                         size_t end)
{
    enum { LINES_MAX = 40 };
    bool named = false;
    char title[LINES_MAX][VARIANT_NAME + ROW_KEY + 2];
    size_t points = 0;
    int lines = 0;

    for (size_t i = first; i < end; i++)
        named = named ||
                strcmp(level_of(&t->row[i]), level_of(&t->row[first])) != 0;
    for (size_t i = first; i < end; i++) {
        if (!is_first_of_level(t, first, i))
            continue;
        for (int k = 0; k < t->variants && lines < LINES_MAX; k++) {
            const size_t own = write_data(script, t, i, end, k, lines);

            if (own == 0)
                continue;
            points = own > points ? own : points;
            snprintf(title[lines], sizeof title[lines], "%s%s%s",
                     t->variant[k].name, named ? ": " : "",
                     named ? level_of(&t->row[i]) : "");
            lines++;
        }
    }
    if (points < 2)
        return false;
    write_ticks(script);
    set_style(script);
    fputs("set logscale x 2\nset logscale y 10\n"
          "set xlabel 'Size (bytes)'\nset ylabel ",
          script);
    gnuplot_quote(script, t->row[first].id.unit);
    fputs("\nplot ", script);
    for (int i = 0; i < lines; i++) {
        fprintf(script,
                "%s$d%d using 1:3:4 with filledcurves fs transparent solid 0.2 "
                "noborder lc %d notitle, $d%d using 1:2 with linespoints lc %d "
                "lw 2 pt %d dt %d title ",
                i > 0 ? ", " : "", i, i + 1, i, i + 1, i + 4, i % 5 + 1);
        gnuplot_quote(script, title[i]);
    }
    fputc('\n', script);
    return true;
}

bool plot_curves(FILE *page, const char *path, const struct row_table *t,
                 size_t first, size_t end, char why[WHY])
{
    char name[32];
    FILE *script;

    snprintf(name, sizeof name, "c%zu", first);
    script = begin(path, name, WIDE, why);
    return script != NULL &&
           draw(script, write_curves(script, t, first, end), page, why);
}

/* What a curve of ratios comes to. */
struct ratios {
    size_t points;
    bool once; /* each size is there once, so that a line makes sense */
    double low, high;
};

/* The rows of a table that have a size, from first to end. */
static struct ratios write_ratios(FILE *script, const struct comparison *c,
                                  size_t first, size_t end, int number)
{
    struct ratios r = { .once = true, .low = HUGE_VAL };
    double last = 0;

    fprintf(script, "$r%d << EOD\n", number);
    for (size_t i = first; i < end; i++) {
        const struct time_ratio *ratio = &c->row[i].ratio;
        const double bytes = c->row[i].id.bytes,
                     low = ratio->has_interval ? ratio->low : ratio->value,
                     high = ratio->has_interval ? ratio->high : ratio->value;

        if (bytes <= 0)
            continue;
        r.once = r.once && bytes > last;
        r.low = fmin(r.low, low);
        r.high = fmax(r.high, high);
        r.points++;
        last = bytes;
        fprintf(script, "%.0f %.6g %.6g %.6g\n", bytes, ratio->value, low,
                high);
    }
    fputs("EOD\n", script);
    return r;
}

/* From low to high, and the margin at least, as a band. */
static void write_ratio_axis(FILE *script, double margin, double low,
                             double high)
{
    const double edge = 1 + margin;

    low = fmin(low, 1 / edge) / 1.03;
    high = fmax(high, edge) * 1.03;
    fprintf(script,
            "set logscale y 2\nset yrange [%.6g:%.6g]\nset ylabel 'ratio'\n"
            "set ytics %s\n"
            "set object rectangle from graph 0, first %.6g to graph 1, first "
            "%.6g fc rgb '#dddddd' fs solid noborder back\n",
            low, high,
            high / low < 2 ? "(0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.6)"
                           : "2",
            1 / edge, edge);
}

static bool write_ratio_plot(FILE *script, const struct comparison *c)
{
    enum { CURVES_MAX = 8 };
    struct ratios of[CURVES_MAX];
    const char *name[CURVES_MAX];
    double low = HUGE_VAL, high = 0;
    int n = 0;

    for (size_t i = 0, end; i < c->rows && n < CURVES_MAX; i = end) {
        end = comparison_table_end(c, i);
        of[n] = write_ratios(script, c, i, end, n);
        name[n] = c->row[i].id.benchmark;
        if (of[n].points < 2)
            continue;
        low = fmin(low, of[n].low);
        high = fmax(high, of[n].high);
        n++;
    }
    if (n == 0)
        return false;
    write_ticks(script);
    set_style(script);
    write_ratio_axis(script, c->margin, low, high);
    fputs("set logscale x 2\nset key outside center top horizontal\n"
          "set xlabel 'Size (bytes)'\nset xrange [*:*] noextend\n"
          "plot 1 lc rgb '#888888' notitle",
          script);
    for (int k = 0; k < n; k++) {
        fprintf(script,
                ", $r%d using 1:2:3:4 with yerrorbars lc %d pt %d notitle, "
                "$r%d using 1:2 with %s lc %d lw 2 pt %d title ",
                k, k + 1, k + 4, k, of[k].once ? "linespoints" : "points",
                k + 1, k + 4);
        gnuplot_quote(script, name[k]);
    }
    fputc('\n', script);
    return true;
}

bool plot_ratios(FILE *page, const struct comparison *c, int number,
                 char why[WHY])
{
    char name[32];
    FILE *script;

    snprintf(name, sizeof name, "q%d", number);
    script = begin(NULL, name, "560,360", why);
    return script != NULL &&
           draw(script, write_ratio_plot(script, c), page, why);
}

/* The unit in which the time is short to read. */
static const char *unit_of(double seconds, double *unit)
{
    static const struct {
        double from, seconds;
        const char *name;
    } units[] = { { 3 * 86400, 86400, "days" },
                  { 3 * 3600, 3600, "hours" },
                  { 180, 60, "minutes" },
                  { 0, 1, "s" } };
    size_t i = 0;

    while (seconds < units[i].from)
        i++;
    *unit = units[i].seconds;
    return units[i].name;
}

static bool write_timeline(FILE *script, const struct timeline *t,
                           const struct variant *variant)
{
    double last = 0, least = HUGE_VAL, most = 0, unit;
    bool has[VARIANTS] = { false };
    const char *name;

    for (size_t i = 0; i < t->n; i++) {
        has[t->run[i].variant] = true;
        last = fmax(last, t->run[i].seconds);
        least = fmin(least, t->run[i].ratio);
        most = fmax(most, t->run[i].ratio);
    }
    if (t->n < PLOT_RUNS || !(last > 0))
        return false;
    for (int k = 0; k < t->variants; k++) {
        fprintf(script, "$t%d << EOD\n", k);
        for (size_t i = 0; i < t->n; i++)
            if (t->run[i].variant == k)
                fprintf(script, "%.0f %.6f\n", t->run[i].seconds,
                        t->run[i].ratio);
        fputs("EOD\n", script);
    }
    set_style(script);
    name = unit_of(last, &unit);
    fprintf(
        script,
        "%sset xlabel 'Time since the first run (%s)'\n"
        "set ylabel 'ratio to the typical run'\nset xrange [0:*]\nset key outside\n"
        "plot 1 lc rgb '#888888' notitle",
        most > 4 * least ? "set logscale y 2\n" : "", name);
    for (int k = 0; k < t->variants; k++) {
        if (!has[k])
            continue;
        fprintf(script, ", $t%d using ($1/%g):2 with points lc %d pt %d title ",
                k, unit, k + 1, k + 4);
        gnuplot_quote(script, variant[k].name);
    }
    fputc('\n', script);
    return true;
}

bool plot_timeline(FILE *page, const struct timeline *t,
                   const struct variant *variant, char why[WHY])
{
    FILE *script = begin(NULL, "t", WIDE, why);

    return script != NULL &&
           draw(script, write_timeline(script, t, variant), page, why);
}
