/* SPDX-License-Identifier: BSD-3-Clause */
#include "heat_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "text/markup.h"
#include "text/page.h"

enum {
    RUNS = 256,    /* that are drawn, the first ones */
    NUMBERS = 8,   /* ranks, up to which cells have values */
    LABELS = 8,    /* on each side, at most */
    HEIGHT = 30,   /* of all cells, in heights of a letter */
    SHADES = 9,    /* of the style of the page */
    SLOWEST = 5,   /* pairs in the list */
    OUTLIERS = 16, /* different ones in the list */
};

static const double LEAST_RANGE = 1.25;
/* The part of a value that is shown in a cell. */
static const double KNOWN = 0.005;

/* The values of all pairs. */
struct map {
    const json_t *run[RUNS]; /* "pairs" of each */
    size_t runs;
    size_t n;      /* ranks */
    bool rates;    /* MB/s; else us */
    double *value; /* from line to column; NAN: unknown */
    double fast, slow;
};

/* --- What is known ----------------------------------------------------------------- */

static const json_t *matrix_of(const json_t *pairs, bool rates)
{
    return json_object_get(pairs, rates ? "matrix_mb_per_s" : "matrix_us");
}

/* Of runs of other numbers of ranks only those like the first are taken. */
static void add_run(struct map *m, const json_t *pairs)
{
    const bool rates = matrix_of(pairs, true) != NULL;
    const size_t n = json_array_size(matrix_of(pairs, rates));

    if (n < 2 || m->runs == RUNS)
        return;
    if (m->runs == 0) {
        m->n = n;
        m->rates = rates;
    }
    if (n == m->n && rates == m->rates)
        m->run[m->runs++] = pairs;
}

static double one_value(const json_t *matrix, size_t i, size_t j)
{
    const json_t *value = json_array_get(json_array_get(matrix, i), j);

    return json_is_number(value) && json_number_value(value) > 0
               ? json_number_value(value)
               : NAN;
}

/* The median over runs. */
static double value_of(const struct map *m, size_t i, size_t j)
{
    double list[RUNS];
    size_t n = 0;

    for (size_t k = 0; k < m->runs; k++) {
        const double value = one_value(matrix_of(m->run[k], m->rates), i, j);

        if (i != j && isfinite(value))
            list[n++] = value;
    }
    return n > 0 ? stats_median(list, n) : NAN;
}

/* Values of all pairs, and their range; false: there is none. */
static bool fill(struct map *m)
{
    double low = INFINITY, high = 0;

    m->value = given_memory(malloc(m->n * m->n * sizeof *m->value));
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            const double value = value_of(m, i, j);

            m->value[i * m->n + j] = value;
            if (isfinite(value)) {
                low = fmin(low, value);
                high = fmax(high, value);
            }
        }
    m->fast = m->rates ? high : low;
    m->slow = m->rates ? fmin(low, high / LEAST_RANGE)
                       : fmax(high, low * LEAST_RANGE);
    return high > 0;
}

/* The number of the i-th rank, and its host; NULL: unknown. */
static long long rank_of(const struct map *m, size_t i)
{
    const json_t *rank = json_array_get(json_object_get(m->run[0], "ranks"), i);

    return json_is_integer(rank) ? json_integer_value(rank) : (long long)i;
}

static const char *host_of(const struct map *m, size_t i)
{
    return json_string_value(
        json_array_get(json_object_get(m->run[0], "hosts"), i));
}

/* --- The table --------------------------------------------------------------------- */

/* The shade of a value: 0 is as fast as the fastest, the last one as slow as the slowest. */
static int shade_of(const struct map *m, double value)
{
    return (int)lround((SHADES - 1) * log(value / m->fast) /
                       log(m->slow / m->fast));
}

static void print_rank(FILE *to, const struct map *m, size_t i)
{
    const char *host = host_of(m, i);

    fprintf(to, "rank %lld", rank_of(m, i));
    if (host != NULL)
        markup_print(to, " (%s)", host);
}

static void print_pair(FILE *to, const struct map *m, size_t i, size_t j)
{
    const double value = m->value[i * m->n + j];

    print_rank(to, m, i);
    fputs(" to ", to);
    print_rank(to, m, j);
    if (isfinite(value))
        fprintf(to, ": %.2f %s", value, m->rates ? "MB/s" : "us");
    else
        fputs(": not measured", to);
}

static void cell(FILE *to, const struct map *m, size_t i, size_t j)
{
    const double value = m->value[i * m->n + j];
    char text[PAGE_NUMBER];

    if (i == j) {
        fputs("<td></td>", to);
        return;
    }
    if (isfinite(value))
        fprintf(to, "<td class=\"s%d\" title=\"", shade_of(m, value));
    else
        fputs("<td class=\"none\" title=\"", to);
    print_pair(to, m, i, j);
    fputs("\">", to);
    if (isfinite(value) && m->n <= NUMBERS)
        fputs(page_number(text, value, KNOWN * value), to);
    fputs("</td>", to);
}

/* The number of a rank, or of every second, ... */
static void label(FILE *to, const struct map *m, size_t i)
{
    if (i % ((m->n + LABELS - 1) / LABELS) == 0)
        fprintf(to, "<th>%lld</th>", rank_of(m, i));
    else
        fputs("<th></th>", to);
}

static void legend(FILE *to, const struct map *m)
{
    fprintf(to, "<table class=\"heat\"><tr><th>%s</th>",
            m->rates ? "MB/s" : "us");
    for (int i = 0; i < SHADES; i++) {
        const double value =
            m->fast * pow(m->slow / m->fast, (double)i / (SHADES - 1));
        char text[PAGE_NUMBER];

        fprintf(to, "<td class=\"s%d\">%s</td>", i,
                page_number(text, value, KNOWN * value));
    }
    fputs("</tr></table>\n<p class=\"note\">Lines: from rank; columns: to "
          "rank. Darker is slower; hatched: not measured.</p>\n",
          to);
}

static void draw(FILE *to, const struct map *m)
{
    fputs("<table class=\"heat\">\n<tr><th></th>", to);
    for (size_t i = 0; i < m->n; i++)
        label(to, m, i);
    fputs("</tr>\n", to);
    for (size_t i = 0; i < m->n; i++) {
        fprintf(to, "<tr style=\"height:%.3gem\">", HEIGHT / (double)m->n);
        label(to, m, i);
        for (size_t j = 0; j < m->n; j++)
            cell(to, m, i, j);
        fputs("</tr>\n", to);
    }
    fputs("</table>\n", to);
    legend(to, m);
}

/* --- In words ---------------------------------------------------------------------- */

/* Is pair a slower than b, or as slow and before it? */
static bool is_slower(const struct map *m, size_t a, size_t b)
{
    const double x = m->value[a], y = m->value[b];

    return x == y ? a < b : m->rates ? x < y : x > y;
}

static void slowest(FILE *to, const struct map *m)
{
    const size_t all = m->n * m->n;
    size_t last = all;

    fputs("<p>Slowest pairs:</p>\n<ul>\n", to);
    for (int k = 0; k < SLOWEST; k++) {
        size_t next = all;

        for (size_t i = 0; i < all; i++)
            if (isfinite(m->value[i]) &&
                (last == all || is_slower(m, last, i)) &&
                (next == all || is_slower(m, i, next)))
                next = i;
        if (next == all)
            break;
        fputs("<li>", to);
        print_pair(to, m, next / m->n, next % m->n);
        fputs("</li>\n", to);
        last = next;
    }
    fputs("</ul>\n", to);
}

/* Do they name the same rank, node or pair? */
static bool is_same(const json_t *a, const json_t *b)
{
    static const char *const key[] = { "rank", "partner", "whole_node" };

    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (!json_equal(json_object_get(a, key[i]), json_object_get(b, key[i])))
            return false;
    return true;
}

static void outlier(FILE *to, const struct map *m, const json_t *one, int times)
{
    const json_t *partner = json_object_get(one, "partner");
    const double ratio = number_in(one, "ratio");
    const char *host = text_in(one, "host");

    fprintf(to, "<li><strong>%s%lld",
            json_is_integer(partner) ? "ranks " : "rank ",
            whole_in(one, "rank"));
    if (json_is_integer(partner))
        fprintf(to, " and %lld", (long long)json_integer_value(partner));
    fputs("</strong>", to);
    if (host != NULL)
        markup_print(to,
                     json_is_true(json_object_get(one, "whole_node"))
                         ? " and all ranks of %s"
                         : " (%s)",
                     host);
    if (ratio > 0)
        fprintf(to, ": %.2f times typical", m->rates ? 1 / ratio : ratio);
    fprintf(to, ", in %d of %zu run%s</li>\n", times, m->runs,
            m->runs == 1 ? "" : "s");
}

static void outliers(FILE *to, const struct map *m)
{
    const json_t *seen[OUTLIERS], *one;
    int times[OUTLIERS], n = 0;
    size_t i;

    for (size_t k = 0; k < m->runs; k++)
        json_array_foreach(json_object_get(m->run[k], "slow"), i, one)
        {
            int at = 0;

            while (at < n && !is_same(seen[at], one))
                at++;
            if (at == OUTLIERS)
                continue;
            if (at == n) {
                seen[n] = one;
                times[n++] = 0;
            }
            times[at]++;
        }
    fputs(n > 0 ? "<p>Outliers:</p>\n<ul>\n" : "<p>No outliers.</p>\n", to);
    for (int k = 0; k < n; k++)
        outlier(to, m, seen[k], times[k]);
    if (n > 0)
        fputs("</ul>\n", to);
}

void heat_map(FILE *to, const struct row_id *id, const struct table_cell *cell,
              const char *name)
{
    struct map m = { .runs = 0 };

    for (size_t i = 0; i < cell->runs; i++)
        add_run(&m, json_object_get(cell->run[i].row, "pairs"));
    if (m.runs == 0)
        return;
    markup_print(to, "<h3>All pairs: %s <small>(%s)</small></h3>\n", name,
                 id->key);
    if (m.n > HEAT_MAP_RANKS)
        fprintf(to,
                "<p class=\"note\">%zu ranks: pairs of at most %d are "
                "drawn.</p>\n",
                m.n, HEAT_MAP_RANKS);
    else if (fill(&m)) {
        draw(to, &m);
        outliers(to, &m);
        slowest(to, &m);
    }
    free(m.value);
}
