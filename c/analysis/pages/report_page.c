/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "plot.h"
#include "results/differences.h"
#include "text/markup.h"

static void figure(FILE *to, const struct table_cell *cell)
{
    const double width = cell != NULL ? cell->high - cell->low : 0;

    if (cell == NULL || cell->runs == 0) {
        fputs("<td>-</td>", to);
        return;
    }
    fputs("<td>", to);
    page_number(to, cell->figure, width);
    if (width > 0) {
        fputs(" <small>", to);
        page_range(to, cell->figure, cell->low, cell->high);
        fputs("</small>", to);
    }
    if (cell->doubtful != NULL)
        markup_print(to,
                     " <abbr title=\"%s in half of the runs or more\">?</abbr>",
                     cell->doubtful);
    fputs("</td>", to);
}

static void tails(FILE *to, const struct table_cell *cell)
{
    fputs("<td>", to);
    for (int k = 0; k < TABLE_TAILS; k++) {
        fputs(k > 0 ? " / " : "", to);
        if (cell->runs > 0 && cell->tail[k] > 0)
            fprintf(to, cell->tail[k] < 10 ? "%.2f" : "%.0f", cell->tail[k]);
        else
            fputc('-', to);
    }
    if (2 * cell->drifting > cell->runs) {
        fputc(' ', to);
        page_word(to, "drifts");
    }
    fputs("</td>", to);
}

/* Does any row from first to end have a percentile of the variant? */
static bool has_tails(const struct row_table *t, size_t first, size_t end,
                      int variant)
{
    for (size_t i = first; i < end; i++)
        if (t->row[i].cell[variant].tail[0] > 0 ||
            2 * t->row[i].cell[variant].drifting > t->row[i].cell[variant].runs)
            return true;
    return false;
}

void report_page_ratio(FILE *to, const struct time_ratio *ratio)
{
    page_number(to, ratio->value,
                ratio->has_interval ? ratio->high - ratio->low : 0);
    if (!ratio->has_interval)
        return;
    fputs(" <small>", to);
    page_range(to, ratio->value, ratio->low, ratio->high);
    fputs("</small>", to);
}

static void ratio_of_row(FILE *to, const struct comparison *with,
                         const struct row_id *id)
{
    const struct comparison_row *row = comparison_row_of(with, id);

    fputs("<td>", to);
    if (row != NULL)
        report_page_ratio(to, &row->ratio);
    else
        fputc('-', to);
    fputs("</td>", to);
}

static void table_head(FILE *to, const struct row_table *t, size_t first,
                       size_t end, const struct comparison *with)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>Row</th>", to);
    for (int k = 0; k < t->variants; k++) {
        markup_print(to, "<th>%s<br>", t->variant[k].name);
        page_word(to, "median");
        fputs(", ", to);
        page_word(to, t->row[first].id.unit);
        fputs("</th>", to);
    }
    for (int k = 1; k < t->variants; k++)
        if (with[k - 1].rows > 0) {
            markup_print(to, "<th>%s<br>", t->variant[k].name);
            page_word(to, "Ratio");
            fputs("</th>", to);
        }
    for (int k = 0; k < t->variants; k++)
        if (has_tails(t, first, end, k)) {
            markup_print(to, "<th>%s<br>", t->variant[k].name);
            page_word(to, "P90 / P99 / P99.9");
            fputs("</th>", to);
        }
    fputs("</tr></thead>\n<tbody>\n", to);
}

void report_page_table(FILE *to, const struct row_table *t, size_t first,
                       size_t end, const struct comparison *with)
{
    table_head(to, t, first, end, with);
    for (size_t i = first; i < end; i++) {
        markup_print(to, "<tr><td>%s</td>", t->row[i].id.key);
        for (int k = 0; k < t->variants; k++)
            figure(to, &t->row[i].cell[k]);
        for (int k = 1; k < t->variants; k++)
            if (with[k - 1].rows > 0)
                ratio_of_row(to, &with[k - 1], &t->row[i].id);
        for (int k = 0; k < t->variants; k++)
            if (has_tails(t, first, end, k))
                tails(to, &t->row[i].cell[k]);
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

enum { PLACES_MAX = 64, TIMELINE_RUNS = 3 /* the least to show */ };

/* The first row of each place. */
struct places {
    size_t first[PLACES_MAX];
    int n;
};

/* The row with that key that begins or follows at first in its place. */
static const struct table_row *row_with(const struct row_table *t, size_t first,
                                        const char *key)
{
    const size_t end = row_table_next(t, first);

    for (size_t i = first; i < end; i++)
        if (strcmp(t->row[i].id.key, key) == 0)
            return &t->row[i];
    return NULL;
}

/* The place behind what all places begin with, so that columns are narrow. */
static const char *own_part(const struct row_table *t, const struct places *p,
                            int k)
{
    const char *one = t->row[p->first[0]].id.place;
    size_t common = strlen(one), begin = 0;

    for (int i = 1; i < p->n; i++) {
        const char *other = t->row[p->first[i]].id.place;
        size_t alike = 0;

        while (alike < common && other[alike] == one[alike])
            alike++;
        common = alike;
    }
    for (size_t i = 0; i + 1 < common; i++)
        if (one[i] == ',' && one[i + 1] == ' ')
            begin = i + 2;
    return t->row[p->first[k]].id.place + begin;
}

/* Is row i the first with its key, from the row first on? */
static bool is_first_of_key(const struct row_table *t, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (strcmp(t->row[k].id.key, t->row[i].id.key) == 0)
            return false;
    return true;
}

static void matrix(FILE *to, const struct row_table *t, const struct places *p,
                   size_t end, int variant)
{
    markup_print(to, "<div class=\"wide\"><table>\n<thead><tr><th>%s (%s)</th>",
                 t->variant[variant].name, t->row[p->first[0]].id.unit);
    for (int k = 0; k < p->n; k++)
        markup_print(to, "<th>%s</th>", own_part(t, p, k));
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t i = p->first[0]; i < end; i++) {
        if (!is_first_of_key(t, p->first[0], i))
            continue;
        markup_print(to, "<tr><td>%s</td>", t->row[i].id.key);
        for (int k = 0; k < p->n; k++) {
            const struct table_row *row =
                row_with(t, p->first[k], t->row[i].id.key);

            figure(to, row != NULL ? &row->cell[variant] : NULL);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

void report_page_places(FILE *to, const struct row_table *t, size_t first,
                        size_t end)
{
    struct places places = { .n = 0 };

    for (size_t i = first; i < end && places.n < PLACES_MAX;
         i = row_table_next(t, i))
        places.first[places.n++] = i;
    if (places.n < 2)
        return;
    markup_print(to, "<section>\n<h2>%s <small>(by placement)</small></h2>\n",
                 t->row[first].id.benchmark);
    for (int k = 0; k < t->variants; k++)
        matrix(to, t, &places, end, k);
    fputs("</section>\n", to);
}

/* What stands in the first table: a label, and where it is in a document. */
static const struct fact {
    const char *label, *path[3];
    bool plain; /* that it differs: it is not marked */
    bool data;  /* only of programs whose messages have data */
} facts[] = {
    { "MPI", { "environment", "mpi", NULL } },
    { "Ranks", { "environment", "ranks", NULL } },
    { "Nodes", { "environment", "nodes", NULL } },
    { "Path", { "environment", "path", NULL } },
    { "Bound to", { "environment", "bound", NULL } },
    { "Memory of sender and receiver", { "environment", "memory", NULL } },
    { "Start of an iteration", { "method", "start", NULL } },
    { "Buffers", { "method", "buffers", NULL } },
    { "Verified", { "method", "verified", NULL }, .data = true },
    { "Processor", { "environment", "hardware", "processor" } },
    { "CPUs", { "environment", "hardware", "cpus_online" } },
    { "NUMA nodes", { "environment", "hardware", "numa_nodes" } },
    { "Governor", { "environment", "hardware", "governor" } },
    { "Oversubscribed", { "environment", "oversubscribed", NULL } },
    { "Kernel", { "environment", "kernel", NULL } },
    { "Clock", { "environment", "clock", "name" } },
    { "GPU", { "environment", "gpu", "runtime" } },
    { "Compiler", { "environment", "build", "compiler_version" } },
    { "Flags", { "environment", "build", "flags" } },
    { "Alidade", { "version", NULL, NULL } },
    { "First run", { "started", NULL, NULL }, true },
};

/* "": it has none.  To be freed. */
static char *value_of(const struct result_file *f, const struct fact *fact)
{
    const json_t *value = f->root, *method = json_object_get(value, "method");

    if (fact->data && json_is_null(json_object_get(method, "buffers")))
        return given_memory(strdup(""));
    for (int i = 0; i < 3 && fact->path[i] != NULL; i++)
        value = json_object_get(value, fact->path[i]);
    if (json_is_string(value))
        return given_memory(strdup(json_string_value(value)));
    if (value == NULL || json_is_null(value) || json_is_boolean(value))
        return given_memory(strdup(json_is_true(value)    ? "yes"
                                   : json_is_false(value) ? "no"
                                                          : ""));
    return given_memory(json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
                                              JSON_REAL_PRECISION(6)));
}

/* As those of its runs say that have it; "..." after it where they differ; to be
   freed. */
static char *value_of_all(const struct variant *s, const struct fact *fact)
{
    char *first = value_of(&s->file[0], fact), *longer;
    bool same = true;

    for (size_t i = 1; i < s->n && same; i++) {
        char *other = value_of(&s->file[i], fact);

        if (first[0] == '\0') {
            free(first);
            first = other;
            continue;
        }
        same = other[0] == '\0' || strcmp(first, other) == 0;
        free(other);
    }
    if (same || fact->plain)
        return first;
    if (asprintf(&longer, "%s, ...", first) < 0)
        memory_is_short();
    free(first);
    return longer;
}

static void fact_row(FILE *to, const struct row_table *t,
                     const struct fact *fact)
{
    char *value[VARIANTS];
    bool differs = false, any = false;

    for (int k = 0; k < t->variants; k++) {
        value[k] = value_of_all(&t->variant[k], fact);
        any = any || value[k][0] != '\0';
        differs = differs || (!fact->plain && strcmp(value[k], value[0]) != 0);
    }
    if (any) {
        fprintf(to, "<tr%s><td>%s%s</td>", differs ? " class=\"differs\"" : "",
                fact->label, differs ? " &ne;" : "");
        for (int k = 0; k < t->variants; k++)
            markup_print(to, "<td class=\"word\">%s</td>", value[k]);
        fputs("</tr>\n", to);
    }
    for (int k = 0; k < t->variants; k++)
        free(value[k]);
}

/* What else differs from the first variant: variables and library files, too. */
static void differences(FILE *to, const struct row_table *t, int k)
{
    char *text = NULL, *rest, *line;
    size_t length;
    FILE *lines = given_memory(open_memstream(&text, &length));

    environment_diff(lines, &t->variant[0], &t->variant[k], "");
    same_library(lines, &t->variant[0], &t->variant[k], "");
    fclose(lines);
    if (length > 0)
        markup_print(to, "<p>%s, compared with %s:</p>\n<ul>\n",
                     t->variant[k].name, t->variant[0].name);
    rest = text;
    while (length > 0 && (line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '\0')
            markup_print(to, "<li><code>%s</code></li>\n", line);
    if (length > 0)
        fputs("</ul>\n", to);
    free(text);
}

void report_page_variants(FILE *to, const struct row_table *t)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th></th>", to);
    for (int k = 0; k < t->variants; k++)
        markup_print(to, "<th class=\"word\">%s</th>", t->variant[k].name);
    fputs("</tr></thead>\n<tbody>\n<tr><td>Result files</td>", to);
    for (int k = 0; k < t->variants; k++)
        fprintf(to, "<td class=\"word\">%zu</td>", t->variant[k].n);
    fputs("</tr>\n", to);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        fact_row(to, t, &facts[i]);
    fputs("</tbody></table></div>\n", to);
    for (int k = 1; k < t->variants; k++)
        differences(to, t, k);
}

static void trends(FILE *to, const struct row_table *t,
                   const struct timeline *over)
{
    for (int k = 0; k < t->variants; k++) {
        const struct timeline_trend *trend = &over->trend[k];

        if (!trend->known)
            continue;
        markup_print(to, "<p><strong>%s", t->variant[k].name);
        fprintf(to,
                "</strong>: the last third of the runs took %.3f times as long "
                "as the first (p = %.2g)%s</p>\n",
                trend->ratio, trend->p,
                timeline_drifts(over, k)
                    ? ": <strong>the machine changed meanwhile</strong>."
                    : ".");
    }
}

void report_page_timeline(FILE *to, const struct row_table *t)
{
    struct timeline over;
    double last = 0;

    timeline_make(&over, t->variant, t->variants);
    for (size_t i = 0; i < over.n; i++)
        last = fmax(last, over.run[i].seconds);
    if (over.n >= TIMELINE_RUNS && last > 0) {
        fputs("<section>\n<h2>Over time</h2>\n", to);
        plot_timeline(to, &over, t->variant);
        trends(to, t, &over);
        fputs("</section>\n", to);
    }
    timeline_release(&over);
}
