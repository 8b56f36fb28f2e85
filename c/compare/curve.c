/* SPDX-License-Identifier: BSD-3-Clause */
#include "curve.h"

#include <string.h>

#include "base/gnuplot.h"
#include "drawing.h"

/* Rows of a survey. */
struct part {
    const struct survey *survey;
    size_t first, end;
};

/* What tells a row from others of its size: the key without the size. */
static const char *level_of(const struct survey_row *row)
{
    const char *blank = strchr(row->key, ' ');

    return row->bytes < 0 || blank == NULL ? row->key : blank + 1;
}

static bool is_first_of_level(const struct survey *s, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (strcmp(level_of(&s->row[k]), level_of(&s->row[i])) == 0)
            return false;
    return true;
}

static size_t levels_of(const struct survey *s, size_t first, size_t end)
{
    size_t n = 0;

    for (size_t i = first; i < end; i++)
        n += is_first_of_level(s, first, i);
    return n;
}

static bool has_point(const struct survey_row *row, int subject)
{
    return row->bytes > 0 && row->cell[subject].launches > 0 &&
           row->cell[subject].low > 0;
}

/* Points of a subject at the level of row i. */
static size_t write_data(FILE *script, const struct survey *s, size_t i,
                         size_t end, int subject, int number)
{
    const char *level = level_of(&s->row[i]);
    size_t points = 0;

    fprintf(script, "$d%d << EOD\n", number);
    for (; i < end; i++)
        if (has_point(&s->row[i], subject) &&
            strcmp(level_of(&s->row[i]), level) == 0) {
            const struct survey_cell *cell = &s->row[i].cell[subject];

            fprintf(script, "%.0f %.9g %.9g %.9g\n", s->row[i].bytes,
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
static bool write_script(FILE *script, const void *what)
{
    enum { LINES_MAX = 40 };
    const struct part *part = what;
    const struct survey *s = part->survey;
    const size_t first = part->first, end = part->end;
    const bool named = levels_of(s, first, end) > 1;
    char title[LINES_MAX][COMPARISON_NAME + COMPARISON_KEY + 2];
    size_t points = 0;
    int lines = 0;

    for (size_t i = first; i < end; i++) {
        if (!is_first_of_level(s, first, i))
            continue;
        for (int k = 0; k < s->subjects && lines < LINES_MAX; k++) {
            const size_t own = write_data(script, s, i, end, k, lines);

            if (own == 0)
                continue;
            points = own > points ? own : points;
            snprintf(title[lines], sizeof title[lines], "%s%s%s",
                     s->subject[k].name, named ? ": " : "",
                     named ? level_of(&s->row[i]) : "");
            lines++;
        }
    }
    if (points < 2)
        return false;
    write_ticks(script);
    drawing_style(script);
    fputs("set logscale x 2\nset logscale y 10\n"
          "set xlabel 'Size (bytes)'\nset ylabel ",
          script);
    gnuplot_quote(script, s->row[first].unit);
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

bool curve_svg(FILE *to, const struct survey *s, size_t first, size_t end,
               char *why, size_t room)
{
    const struct part part = { s, first, end };
    char name[32];

    snprintf(name, sizeof name, "c%zu", first);
    return drawing_svg(to, name, write_script, &part, why, room);
}

bool curve_file(const char *path, const struct survey *s, size_t first,
                size_t end, char *why, size_t room)
{
    const struct part part = { s, first, end };

    return drawing_file(path, write_script, &part, why, room);
}
