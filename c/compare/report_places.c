/* SPDX-License-Identifier: BSD-3-Clause */
/* A benchmark in all its places side by side: report_page.h. */
#include <string.h>

#include "markup.h"
#include "report_page.h"

enum { PLACES_MAX = 64 };

/* The first row of each place. */
struct places {
    size_t first[PLACES_MAX];
    int n;
};

static void find_places(const struct survey *s, size_t first, size_t end,
                        struct places *p)
{
    p->n = 0;
    for (size_t i = first; i < end && p->n < PLACES_MAX; i = survey_next(s, i))
        p->first[p->n++] = i;
}

static bool has_figures(const struct survey *s, size_t first, int subject)
{
    const size_t end = survey_next(s, first);

    for (size_t i = first; i < end; i++)
        if (s->row[i].cell[subject].launches > 0)
            return true;
    return false;
}

/* The row with that key that begins or follows at first in its place. */
static const struct survey_row *row_with(const struct survey *s, size_t first,
                                         const char *key)
{
    const size_t end = survey_next(s, first);

    for (size_t i = first; i < end; i++)
        if (strcmp(s->row[i].key, key) == 0)
            return &s->row[i];
    return NULL;
}

/* The place behind what all places begin with, so that columns are narrow. */
static const char *own_part(const struct survey *s, const struct places *p,
                            int k)
{
    const char *one = s->row[p->first[0]].place;
    size_t common = strlen(one), begin = 0;

    for (int i = 1; i < p->n; i++) {
        const char *other = s->row[p->first[i]].place;
        size_t alike = 0;

        while (alike < common && other[alike] == one[alike])
            alike++;
        common = alike;
    }
    for (size_t i = 0; i + 1 < common; i++)
        if (one[i] == ',' && one[i + 1] == ' ')
            begin = i + 2;
    return s->row[p->first[k]].place + begin;
}

static void figure(FILE *to, const struct survey_cell *cell)
{
    if (cell == NULL || cell->launches == 0)
        fputs("<td>-</td>", to);
    else
        fprintf(to, "<td>%.2f</td>", cell->figure);
}

static void matrix(FILE *to, const struct survey *s, const struct places *p,
                   int subject)
{
    fputs("<div class=\"wide\"><table class=\"places\">\n<thead><tr><th>", to);
    markup_text(to, s->subject[subject].name);
    fputs(" (", to);
    markup_text(to, s->row[p->first[0]].unit);
    fputs(")</th>", to);
    for (int k = 0; k < p->n; k++) {
        if (!has_figures(s, p->first[k], subject))
            continue;
        fputs("<th>", to);
        markup_text(to, own_part(s, p, k));
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
    /* Rows that the first places lack are those of a place of its own. */
    for (int of = 0; of < p->n; of++)
        for (size_t i = p->first[of]; i < survey_next(s, p->first[of]); i++) {
            bool shown = false;

            for (int k = 0; k < of; k++)
                shown =
                    shown || row_with(s, p->first[k], s->row[i].key) != NULL;
            if (shown)
                continue;
            fputs("<tr><td>", to);
            markup_text(to, s->row[i].key);
            fputs("</td>", to);
            for (int k = 0; k < p->n; k++) {
                const struct survey_row *row =
                    row_with(s, p->first[k], s->row[i].key);

                if (has_figures(s, p->first[k], subject))
                    figure(to, row != NULL ? &row->cell[subject] : NULL);
            }
            fputs("</tr>\n", to);
        }
    fputs("</tbody></table></div>\n", to);
}

void report_page_places(FILE *to, const struct survey *s, size_t first,
                        size_t end)
{
    struct places places;

    find_places(s, first, end, &places);
    if (places.n < 2)
        return;
    fputs("<section>\n<h2>", to);
    markup_text(to, s->row[first].benchmark);
    fputs(" <small>(by place)</small></h2>\n", to);
    for (int k = 0; k < s->subjects; k++) {
        int with = 0;

        for (int i = 0; i < places.n; i++)
            with += has_figures(s, places.first[i], k);
        if (with > 1)
            matrix(to, s, &places, k);
    }
    fputs("</section>\n", to);
}
