/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <string.h>

#include "bench.h"
#include "extra_columns.h"

static void add(struct report_table *t, const struct column *column)
{
    /* Reports have at most REPORT_OWN columns: test_report looks at all. */
    if (t->n < REPORT_COLUMNS)
        t->column[t->n++] = *column;
}

static const struct report_column *base_columns(const struct report_table *t)
{
    return t->settings->full && t->report->full != NULL ? t->report->full
                                                        : t->report->headline;
}

static bool is_dropped(const struct report_table *t,
                       const struct report_column *c)
{
    return c->rate && !t->settings->print_rate;
}

void report_table(struct report_table *t, const struct bench *b,
                  const struct settings *s)
{
    const bool bandwidth = b->report->is_rate;

    *t = (struct report_table){ .report = b->report,
                                .settings = s,
                                .check = s->check && (b->takes & TAKES_CHECK) };
    for (const struct report_column *c = base_columns(t); c && c->value; c++)
        if (!is_dropped(t, c))
            add(t, &c->column);
    if (t->check)
        add(t, &(struct column){ "validation", "Validation", 0 });
    for (int i = 0; i < s->npercentiles; i++) {
        const char *what = bandwidth ? " Tail BW(MB/s)" : " Tail Lat(us)";
        /* As in OMB, the blanks in front of two digits stay where there are
           more, and the heading of P100 is 19 wide above values of 18. */
        const int blanks = TABLE_FIELD_WIDTH - (int)strlen(what) - 3;

        snprintf(t->key[i], sizeof t->key[i], "p%g", s->percentiles[i]);
        snprintf(t->text[i], sizeof t->text[i], "%*sP%g%s", blanks, "",
                 s->percentiles[i], what);
        add(t, &(struct column){ t->key[i], t->text[i], 0 });
    }
    if (s->derived.kind != TYPEMAP_WHOLE)
        add(t, &(struct column){ "transmit_bytes", "Transmit Size", 0 });
    for (int i = 0; i < s->ncolumns; i++) {
        const struct extra_column *extra = &extra_columns[s->columns[i]];

        add(t, &(struct column){ extra->name,
                                 bandwidth ? extra->bandwidth : extra->latency,
                                 0 });
    }
}

void report_cells(const struct report_table *t, const struct result *r,
                  struct cell *cells)
{
    for (const struct report_column *c = base_columns(t); c && c->value; c++)
        if (!is_dropped(t, c))
            *cells++ = c->value(r);
    if (t->check)
        *cells++ =
            cell_word(result_verdict_word(r->verdict, t->report->one_sided));
    for (int i = 0; i < t->settings->npercentiles; i++)
        *cells++ = cell_real(result_percentile(r, t->settings->percentiles[i]));
    if (t->settings->derived.kind != TYPEMAP_WHOLE)
        *cells++ = cell_count(r->moved);
    for (int i = 0; i < t->settings->ncolumns; i++)
        *cells++ = extra_column_value(r, t->settings->columns[i]);
}

/* As OMB has it: managed memory shows in the titles of non-blocking collectives
   only. */
static const char *title_mark(const struct bench *b, const struct settings *s)
{
    if (!settings_on_gpu(s))
        return "";
    if (s->device != DEVICE_MANAGED || bench_has_sides(b))
        return "-CUDA";
    return b->report->managed_in_title ? "-MANAGED" : "";
}

void report_plain_title(const struct bench *b, const struct settings *s,
                        char text[120])
{
    const int before = (int)strcspn(b->title, "@");

    snprintf(text, 120, "%.*s%s%s", before, b->title,
             b->title[before] == '@' ? title_mark(b, s) : "",
             b->title[before] == '@' ? b->title + before + 1 : "");
}

void report_title(FILE *to, const struct context *c)
{
    const struct report *report = c->bench->report;
    char title[120];

    if (report->before != NULL)
        report->before(to, c->run, c->settings);
    if (!report->compact)
        fputc('\n', to);
    report_plain_title(c->bench, c->settings, title);
    fprintf(to, "# %s%s\n", title, report->own ? "" : " v7.4");
    if (report->preamble != NULL)
        report->preamble(to, c->run, c->settings);
}

void report_heading(FILE *to, const struct context *c,
                    const struct report_table *t, enum element type,
                    const char *first, int operation, long parameter)
{
    const struct parameter *p = bench_parameter(c->bench, c->settings);
    const char *name = c->bench->operations[operation].name;
    const struct row_lines *lines = bench_lines(c->bench, c->settings);

    if (p->name != NULL)
        fprintf(to, "# %s: %ld.\n", p->name, parameter);
    if (name != NULL)
        fprintf(to, "# Operation: %s.\n", name);
    else if (!t->report->no_type_line || t->settings->ntypes > 1)
        fprintf(to, "# Datatype: %s.\n", element_name(type));
    if (lines != NULL)
        lines->heading(to);
    else
        table_print_heading(to, t->column, t->n, first);
}
