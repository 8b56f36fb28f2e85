/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_report.h"

#include <stdlib.h>

/* What a line is about, and of which row. */
static void begin_line(const struct matrix_report *m, const char *about,
                       const struct result *result)
{
    fprintf(m->to, "# %s: size=%zu; ", about, result->bytes);
    if (m->types > 1)
        fprintf(m->to, "type=%s; ", element_name(result->type));
}

static void say_path(const struct matrix_report *m, const struct result *result,
                     int kind)
{
    const struct pairwise_path *p = &m->judged.path[kind];

    if (p->pairs == 0)
        return;
    begin_line(m, "Pairs", result);
    fprintf(m->to, "path=%s; pairs=%ld; usual=%.2f us;\n", path_names[kind],
            p->pairs, 1e6 * p->usual);
}

static void say_slow(const struct matrix_report *m, const struct result *result,
                     const struct pairwise_slow *s)
{
    char(*host)[64] = m->times.host;

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

static void say_row(const struct matrix_report *m, const struct result *result,
                    bool good)
{
    const struct pairwise *judged = &m->judged;

    for (int kind = 0; kind < PATHS; kind++)
        say_path(m, result, kind);
    for (int i = 0; i < judged->found; i++)
        say_slow(m, result, &judged->slow[i]);
    if (good && judged->found > 0 && judged->left_over == 0)
        return;
    begin_line(m, "Slow", result);
    if (!good)
        fputs("unknown: memory is short;\n", m->to);
    else if (judged->found == 0)
        fputs("none;\n", m->to);
    else
        fprintf(m->to, "and %ld more;\n", judged->left_over);
}

void matrix_report_row(struct matrix_report *m, const struct bench_run *r,
                       const struct placement *placement, struct result *result)
{
    if (r->matrix == NULL)
        return;
    matrix_release(&m->times);
    m->judged = (struct pairwise){ 0 };
    /* Of a round trip half is the figure. */
    bool good = matrix_gather(r->matrix, r->comm, 0.5, placement, &m->times);

    if (r->rank > 0)
        return;
    good = good && pairwise_judge(r->nranks, m->times.time, m->times.path,
                                  m->times.node, &m->judged);
    if (m->to == NULL)
        m->to = open_memstream(&m->text, &m->size);
    if (m->to != NULL)
        say_row(m, result, good);
    m->by_chance = placement->oversubscribed;
    if (good) {
        result->judged = &m->judged;
        result->times = &m->times;
    }
}

void matrix_report_print(struct matrix_report *m, FILE *to)
{
    matrix_release(&m->times);
    if (m->to == NULL)
        return;
    fclose(m->to);
    if (m->text != NULL)
        fprintf(to, "\n%s%s", m->text,
                m->by_chance ? "# W08: more ranks than CPUs, so that who is "
                               "slow may be so by chance;\n"
                             : "");
    free(m->text);
    m->to = NULL;
    m->text = NULL;
}
