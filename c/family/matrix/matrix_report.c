/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_report.h"

#include <math.h>
#include <stdlib.h>

#include "family.h"
#include "job/world.h"
#include "loop.h"
#include "options/settings.h"

enum { WHOLE_MATRIX = 64 }; /* ranks; a larger matrix needs --raw */

/* A time of a pair as it is printed; not a number: it was not measured. */
static double value_of(const struct matrix_report *m, double time)
{
    if (m->messages == 0)
        return 1e6 * time;
    return time > 0 ? m->bytes / time / 1e6 : NAN;
}

static void say_path(struct matrix_report *m, const struct context *c,
                     const struct result *result, int kind)
{
    const struct straggler_path *p = &m->slow.path[kind];

    if (p->pairs == 0)
        return;
    fprintf(lines_about(&m->lines, c, "Pairs", result),
            "path=%s; pairs=%ld; typical=%.2f %s;\n", path_names[kind],
            p->pairs, value_of(m, p->usual), m->messages > 0 ? "MB/s" : "us");
}

static void say_slow(struct matrix_report *m, const struct context *c,
                     const struct result *result, const struct straggler *s)
{
    const struct home *first = &m->pairs.home[s->rank];
    const struct home *second = &m->pairs.home[s->partner < 0 ? 0 : s->partner];
    FILE *const to = lines_about(&m->lines, c, "Outliers", result);

    if (s->partner >= 0)
        fprintf(to, "ranks=%d,%d; hosts=%s,%s; ", first->rank, second->rank,
                first->host, second->host);
    else if (s->node > 0)
        fprintf(to, "host=%s; all its ranks=%d; ", first->host, s->node);
    else
        fprintf(to, "rank=%d; host=%s; ", first->rank, first->host);
    fprintf(to, "path=%s; %.2f times typical, ", path_names[s->path],
            m->messages > 0 ? 1 / s->times : s->times);
    if (s->partner >= 0)
        fputs("only this pair;\n", to);
    else
        fprintf(to, "in %d of %d pairs%s;\n", s->above, s->pairs,
                s->node > 0 ? " of its first rank" : "");
}

static void say_row(struct matrix_report *m, const struct context *c,
                    const struct result *result)
{
    const struct stragglers *slow = &m->slow;
    FILE *to;

    for (int kind = 0; kind < PATHS; kind++)
        say_path(m, c, result, kind);
    for (int i = 0; i < slow->found; i++)
        say_slow(m, c, result, &slow->slow[i]);
    if (m->judged && slow->found > 0 && slow->left_over == 0)
        return;
    to = lines_about(&m->lines, c, "Outliers", result);
    if (!m->judged)
        fputs("unknown: not enough memory;\n", to);
    else if (slow->found == 0)
        fputs("none;\n", to);
    else
        fprintf(to, "and %ld more;\n", slow->left_over);
}

/* Ranks that do not meet are on no path: not judged.  Find the slowest pair too. */
static void look_at_pairs(struct matrix_report *m)
{
    struct all_pairs *all = &m->pairs;

    for (int i = 0; i < all->ranks; i++)
        for (int j = 0; j < all->ranks; j++) {
            const size_t at = all_pairs_at(all, i, j);

            if (i == j)
                continue;
            if (m->messages > 0 && !(all->time[at] > 0))
                all->path[at] = PATHS;
            if (all->time[at] > m->pair.time)
                m->pair = (struct extreme){ all->time[at], all->home[i].rank,
                                            all->home[j].rank };
        }
}

/* The slowest tenth of all pairs, on all ranks. */
static void find_tenth(struct matrix_report *m, MPI_Comm comm,
                       const struct part_times *times)
{
    const struct home *home = m->pairs.home;
    double longest = 0;
    int partner = 0;

    for (int i = 0; i < times->parts; i++) {
        const double time = part_times_slowest_tenth(times, i);

        if (time > longest) {
            longest = time;
            partner = i;
        }
    }
    m->tenth = over_ranks_longest(comm, longest, partner);
    if (m->pairs.ranks > 0) {
        m->tenth.rank = home[m->tenth.rank].rank;
        m->tenth.partner = home[m->tenth.partner].rank;
    }
}

void matrix_report_row(struct matrix_report *m, const struct context *c,
                       MPI_Comm comm, struct part_times *times,
                       const struct result *result)
{
    const bool known = part_times_agree(times, comm) > 0;

    m->slow = (struct stragglers){ 0 };
    m->pair = m->tenth = (struct extreme){ 0 };
    m->bytes = (double)m->messages * (double)result->moved;
    m->judged = false;
    all_pairs_gather(times, comm, m->messages > 0 ? 1 : 0.5, c->placement,
                     c->world->rank, &m->pairs);
    if (m->messages > 0)
        find_tenth(m, comm, times);
    m->pair_mb_per_s = NAN;
    m->tenth_mb_per_s = value_of(m, m->tenth.time);
    if (m->pairs.ranks == 0 || !known)
        return;
    look_at_pairs(m);
    m->pair_mb_per_s = value_of(m, m->pair.time);
    m->judged = stragglers_find(&m->pairs, &m->slow);
    say_row(m, c, result);
}

/* --- JSON ---------------------------------------------------------------------- */

static void record_value(const struct matrix_report *m, struct fields to,
                         const char *time, const char *rate, double value)
{
    fields_real(to, m->messages > 0 ? rate : time, value_of(m, value));
}

static void record_paths(const struct matrix_report *m, struct fields to)
{
    const struct fields paths = fields_list(to, "paths");

    for (int kind = 0; kind < PATHS; kind++) {
        const struct straggler_path *p = &m->slow.path[kind];

        if (p->pairs == 0)
            continue;
        const struct fields path = fields_object(paths, NULL);

        fields_text(path, "path", path_names[kind]);
        fields_int(path, "pairs", p->pairs);
        record_value(m, path, "typical_us", "typical_mb_per_s", p->usual);
        record_value(m, path, "slow_from_us", "slow_below_mb_per_s",
                     p->usual * p->slow);
    }
}

static void record_slow(const struct matrix_report *m, struct fields to)
{
    const struct fields found = fields_list(to, "slow");
    const struct home *home = m->pairs.home;

    for (int i = 0; i < m->slow.found; i++) {
        const struct straggler *s = &m->slow.slow[i];
        const struct fields one = fields_object(found, NULL);

        fields_int(one, "rank", home[s->rank].rank);
        fields_text(one, "host", home[s->rank].host);
        fields_known_int(one, "partner", s->partner >= 0,
                         home[s->partner < 0 ? 0 : s->partner].rank);
        fields_flag(one, "whole_node", s->node > 0);
        fields_text(one, "path", path_names[s->path]);
        fields_real(one, "ratio", s->times);
        fields_int(one, "above", s->above);
        fields_int(one, "of_pairs", s->pairs);
    }
}

static const char *name_of_matrix(const struct matrix_report *m)
{
    return m->messages > 0 ? "matrix_mb_per_s" : "matrix_us";
}

/* A value that is not a number becomes null, such as that of a rank with
   itself. */
static void record_all(const struct matrix_report *m, struct fields to)
{
    const struct all_pairs *all = &m->pairs;
    const struct fields ranks = fields_list(to, "ranks");
    const struct fields hosts = fields_list(to, "hosts");
    const struct fields rows = fields_list(to, name_of_matrix(m));

    for (int i = 0; i < all->ranks; i++) {
        const struct fields row = fields_list(rows, NULL);

        fields_int(ranks, NULL, all->home[i].rank);
        fields_text(hosts, NULL, all->home[i].host);
        for (int j = 0; j < all->ranks; j++)
            fields_real(
                row, NULL,
                i == j ? NAN : value_of(m, all->time[all_pairs_at(all, i, j)]));
    }
}

static void record_extreme(const struct matrix_report *m, struct fields to,
                           const char *name, const struct extreme *what)
{
    const struct fields one = fields_object(to, name);

    fields_real(one, "mb_per_s", value_of(m, what->time));
    fields_int(one, "rank", what->rank);
    fields_int(one, "partner", what->partner);
}

void matrix_report_record(const struct matrix_report *m, bool all,
                          struct fields to)
{
    if (!m->judged)
        return;
    const struct fields pairs = fields_object(to, "pairs");

    record_paths(m, pairs);
    record_slow(m, pairs);
    fields_int(pairs, "left_out", m->slow.left_over);
    if (m->messages > 0) {
        record_extreme(m, pairs, "slowest_pair", &m->pair);
        record_extreme(m, pairs, "slowest_tenth", &m->tenth);
    }
    if (m->pairs.ranks <= WHOLE_MATRIX || all) {
        record_all(m, pairs);
        return;
    }
    fields_null(pairs, "ranks");
    fields_null(pairs, "hosts");
    fields_null(pairs, name_of_matrix(m));
}

/* --- After the rows ------------------------------------------------------------- */

void matrix_report_print(struct matrix_report *m, FILE *to, bool by_chance)
{
    if (m->lines.to == NULL)
        return;
    lines_print(&m->lines, to);
    if (by_chance)
        fputs("# W08: more ranks than CPUs: outliers may be due to chance;\n",
              to);
}

void matrix_report_end(struct matrix_report *m)
{
    lines_end(&m->lines);
    *m = (struct matrix_report){ 0 };
}
