/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_page.h"

#include <stdlib.h>
#include <string.h>

#include "markup.h"

/* What stands in the first table: a label, and where it is in a document. */
static const struct fact {
    const char *label, *path[3];
} facts[] = {
    { "MPI", { "environment", "mpi", NULL } },
    { "Ranks", { "environment", "ranks", NULL } },
    { "Nodes", { "environment", "nodes", NULL } },
    { "Path", { "environment", "path", NULL } },
    { "Bound to", { "environment", "bound", NULL } },
    { "Memory of both sides", { "environment", "memory", NULL } },
    { "Start of a lap", { "method", "start", NULL } },
    { "Buffers", { "method", "buffers", NULL } },
    { "Verified", { "method", "verified", NULL } },
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
    { "First launch", { "started", NULL, NULL } },
};

/* To be freed. */
static char *value_of(const struct document *d, const struct fact *fact)
{
    json_t *value = d->root;

    for (int i = 0; i < 3 && fact->path[i] != NULL; i++)
        value = json_object_get(value, fact->path[i]);
    if (value == NULL || json_is_null(value))
        return strdup("");
    if (json_is_string(value))
        return strdup(json_string_value(value));
    if (json_is_boolean(value))
        return strdup(json_is_true(value) ? "yes" : "no");
    return json_dumps(value,
                      JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
}

/* As its launches say; "..." behind it where they differ. */
static char *value_of_all(const struct subject *s, const struct fact *fact)
{
    char *first = value_of(&s->document[0], fact), *longer;
    bool same = first != NULL;

    for (size_t i = 1; i < s->n && same; i++) {
        char *other = value_of(&s->document[i], fact);

        same = other != NULL && strcmp(first, other) == 0;
        free(other);
    }
    if (same || first == NULL || strcmp(fact->label, "First launch") == 0)
        return first;
    longer = malloc(strlen(first) + sizeof ", ...");
    if (longer != NULL)
        sprintf(longer, "%s, ...", first);
    free(first);
    return longer;
}

static void fact_row(FILE *to, const struct survey *s, const struct fact *fact)
{
    char *value[SURVEY_SUBJECTS];
    bool differs = false, any = false;

    for (int k = 0; k < s->subjects; k++) {
        value[k] = value_of_all(&s->subject[k], fact);
        if (value[k] == NULL)
            value[k] = strdup("?");
        any = any || (value[k] != NULL && value[k][0] != '\0');
        differs = differs || (k > 0 && value[k] != NULL && value[0] != NULL &&
                              strcmp(value[k], value[0]) != 0);
    }
    if (any) {
        /* Of a launch's time it is plain that it differs. */
        differs = differs && strcmp(fact->label, "First launch") != 0;
        fprintf(to, "<tr%s><td>%s%s</td>", differs ? " class=\"differs\"" : "",
                fact->label, differs ? " &ne;" : "");
        for (int k = 0; k < s->subjects; k++) {
            fputs("<td class=\"word\">", to);
            markup_text(to, value[k] != NULL ? value[k] : "");
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    for (int k = 0; k < s->subjects; k++)
        free(value[k]);
}

void report_page_subjects(FILE *to, const struct survey *s)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th></th>", to);
    for (int k = 0; k < s->subjects; k++) {
        fputs("<th class=\"word\">", to);
        markup_text(to, s->subject[k].name);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n<tr><td>Documents</td>", to);
    for (int k = 0; k < s->subjects; k++)
        fprintf(to, "<td class=\"word\">%zu</td>", s->subject[k].n);
    fputs("</tr>\n", to);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        fact_row(to, s, &facts[i]);
    fputs("</tbody></table></div>\n", to);
}

/* The row of a comparison; NULL: it has none. */
static const struct comparison_row *row_in(const struct comparison *c,
                                           const struct survey_row *row)
{
    for (size_t i = 0; i < c->rows; i++)
        if (strcmp(c->row[i].benchmark, row->benchmark) == 0 &&
            strcmp(c->row[i].key, row->key) == 0 &&
            strcmp(c->row[i].place, row->place) == 0)
            return &c->row[i];
    return NULL;
}

static void figures(FILE *to, const struct survey_cell *cell)
{
    if (cell->launches == 0) {
        fputs("<td>-</td><td>-</td><td>-</td>", to);
        return;
    }
    fprintf(to, "<td>%.2f</td><td>%.2f&ndash;%.2f</td><td>", cell->figure,
            cell->low, cell->high);
    for (int k = 0; k < SURVEY_TAILS; k++) {
        fputs(k > 0 ? " / " : "", to);
        if (cell->tail[k] > 0)
            fprintf(to, "%.3g", cell->tail[k]);
        else
            fputc('-', to);
    }
    fprintf(to, "%s</td>", cell->drifting > 0 ? " drifts" : "");
}

static void verdict(FILE *to, const struct comparison_row *row)
{
    if (row == NULL) {
        fputs("<td>-</td><td>-</td>", to);
        return;
    }
    fprintf(to, "<td>%.3f", row->is.ratio);
    if (row->is.has_interval)
        fprintf(to, " (%.3f&ndash;%.3f)", row->is.low, row->is.high);
    fprintf(to, "</td><td class=\"word %s\">%s", judged_word(row->is.verdict),
            judged_word(row->is.verdict));
    if (row->is.further > 0)
        fprintf(to, " (%d more)", row->is.further);
    fputs("</td>", to);
}

void report_page_table(FILE *to, const struct survey *s, size_t first,
                       size_t end, const struct comparison *with)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>Row</th>", to);
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
        fprintf(
            to,
            "<br>%s</th><th>least&ndash;greatest</th><th>P90 / P99 / P99.9<br>to the median</th>",
            s->row[first].unit);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t i = first; i < end; i++) {
        fputs("<tr><td>", to);
        markup_text(to, s->row[i].key);
        fputs("</td>", to);
        for (int k = 1; k < s->subjects; k++)
            verdict(to, row_in(&with[k - 1], &s->row[i]));
        for (int k = 0; k < s->subjects; k++)
            figures(to, &s->row[i].cell[k]);
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
    fputs("</p>\n", to);
}

static const char reading[] =
    "<h2>How to read this</h2>\n<p>Each launch gives one figure for each row, its "
    "median over laps. Figures are medians over launches, bands and "
    "<em>least&ndash;greatest</em> are those of the launches. <em>P90 / P99 / "
    "P99.9</em>: how much longer than the median lap the slowest of ten, of a hundred, of "
    "a thousand takes; <em>drifts</em>: laps became slower or quicker within a launch. <em>times</em>: what a subject takes for what "
    "the first does in 1, with its 95&nbsp;% interval; faster and slower hold for all "
    "rows together (Holm), beyond the margin. &ne; marks what differs.</p>\n";

void report_page_reading(FILE *to)
{
    fputs(reading, to);
}
