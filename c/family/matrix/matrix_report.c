/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_report.h"

#include <math.h>
#include <stdlib.h>

#include "family.h"
#include "loop.h"
#include "options/settings.h"

enum { WHOLE_MATRIX = 64 }; /* ranks; a larger matrix needs --raw */

/* Begin a line: what it is about, and the row that it belongs to. */
static void begin_line(const struct matrix_report *m, const char *about,
                       const struct result *result)
{
    fprintf(m->to, "# %s: size=%zu; ", about, result->bytes);
    if (m->several_types)
        fprintf(m->to, "type=%s; ", element_name(result->type));
}

static void say_path(const struct matrix_report *m, const struct result *result,
                     int kind)
{
    const struct straggler_path *p = &m->slow.path[kind];

    if (p->pairs == 0)
        return;
    begin_line(m, "Pairs", result);
    fprintf(m->to, "path=%s; pairs=%ld; usual=%.2f us;\n", path_names[kind],
            p->pairs, 1e6 * p->usual);
}

static void say_slow(const struct matrix_report *m, const struct result *result,
                     const struct straggler *s)
{
    char(*host)[64] = m->pairs.host;

    begin_line(m, "Slow", result);
    if (s->partner >= 0)
        fprintf(m->to, "ranks=%d,%d; hosts=%s,%s; ", s->rank, s->partner,
                host[s->rank], host[s->partner]);
    else if (s->node > 0)
        fprintf(m->to, "host=%s; all its ranks=%d; ", host[s->rank], s->node);
    else
        fprintf(m->to, "rank=%d; host=%s; ", s->rank, host[s->rank]);
    fprintf(m->to, "path=%s; %.2f times usual, ", path_names[s->path],
            s->times);
    if (s->partner >= 0)
        fputs("this pair alone;\n", m->to);
    else
        fprintf(m->to, "in %d of %d pairs%s;\n", s->above, s->pairs,
                s->node > 0 ? " of the first" : "");
}

static void say_row(const struct matrix_report *m, const struct result *result)
{
    const struct stragglers *slow = &m->slow;

    for (int kind = 0; kind < PATHS; kind++)
        say_path(m, result, kind);
    for (int i = 0; i < slow->found; i++)
        say_slow(m, result, &slow->slow[i]);
    if (m->judged && slow->found > 0 && slow->left_over == 0)
        return;
    begin_line(m, "Slow", result);
    if (!m->judged)
        fputs("unknown: memory is short;\n", m->to);
    else if (slow->found == 0)
        fputs("none;\n", m->to);
    else
        fprintf(m->to, "and %ld more;\n", slow->left_over);
}

void matrix_report_row(struct matrix_report *m, const struct context *c,
                       const struct pair_times *times,
                       const struct result *result)
{
    bool good;

    all_pairs_release(&m->pairs);
    m->slow = (struct stragglers){ 0 };
    m->several_types = c->settings->ntypes > 1;
    /* The printed value is half a round trip. */
    good = all_pairs_gather(times, c->run->comm, 0.5, c->placement, &m->pairs);
    if (c->run->rank > 0)
        return;
    m->judged = good && stragglers_find(c->run->nranks, m->pairs.time,
                                        m->pairs.path, m->pairs.node, &m->slow);
    if (m->to == NULL)
        m->to = open_memstream(&m->text, &m->size);
    if (m->to != NULL)
        say_row(m, result);
}

/* --- JSON ---------------------------------------------------------------------- */

static void record_paths(const struct stragglers *slow, struct fields to)
{
    const struct fields paths = fields_list(to, "paths");

    for (int kind = 0; kind < PATHS; kind++) {
        const struct straggler_path *p = &slow->path[kind];

        if (p->pairs == 0)
            continue;
        const struct fields path = fields_object(paths, NULL);

        fields_text(path, "path", path_names[kind]);
        fields_int(path, "pairs", p->pairs);
        fields_us(path, "usual_us", p->usual);
        fields_us(path, "slow_from_us", p->usual * p->slow);
    }
}

static void record_slow(const struct matrix_report *m, struct fields to)
{
    const struct fields found = fields_list(to, "slow");

    for (int i = 0; i < m->slow.found; i++) {
        const struct straggler *s = &m->slow.slow[i];
        const struct fields one = fields_object(found, NULL);

        fields_int(one, "rank", s->rank);
        fields_text(one, "host", m->pairs.host[s->rank]);
        if (s->partner >= 0)
            fields_int(one, "partner", s->partner);
        else
            fields_null(one, "partner");
        fields_flag(one, "whole_node", s->node > 0);
        fields_text(one, "path", path_names[s->path]);
        fields_real(one, "times", s->times);
        fields_int(one, "above", s->above);
        fields_int(one, "of_pairs", s->pairs);
    }
}

/* A value that is not a number becomes null, such as that of a rank with
   itself. */
static void record_all(const struct all_pairs *all, struct fields to)
{
    const struct fields rows = fields_list(to, "matrix_us");

    for (int i = 0; i < all->ranks; i++) {
        const struct fields row = fields_list(rows, NULL);

        for (int j = 0; j < all->ranks; j++)
            fields_real(row, NULL,
                        i == j ? NAN : 1e6 * all->time[i * all->ranks + j]);
    }
}

void matrix_report_record(const struct matrix_report *m, bool all,
                          struct fields to)
{
    if (!m->judged)
        return;
    const struct fields pairs = fields_object(to, "pairs");

    record_paths(&m->slow, pairs);
    record_slow(m, pairs);
    fields_int(pairs, "left_out", m->slow.left_over);
    if (m->pairs.ranks <= WHOLE_MATRIX || all)
        record_all(&m->pairs, pairs);
    else
        fields_null(pairs, "matrix_us");
}

/* --- After the rows ------------------------------------------------------------- */

void matrix_report_print(struct matrix_report *m, FILE *to, bool by_chance)
{
    if (m->to == NULL)
        return;
    fclose(m->to);
    m->to = NULL;
    if (m->text != NULL)
        fprintf(to, "\n%s%s", m->text,
                by_chance ? "# W08: more ranks than CPUs, so that who is "
                            "slow may be so by chance;\n"
                          : "");
}

void matrix_report_end(struct matrix_report *m)
{
    if (m->to != NULL)
        fclose(m->to);
    free(m->text);
    all_pairs_release(&m->pairs);
    *m = (struct matrix_report){ 0 };
}
