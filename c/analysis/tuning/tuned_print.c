/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuned_print.h"

#include <jansson.h>
#include <string.h>

#include "choice.h"
#include "tuned_rules.h"

/* "-" for a row without a size. */
static const char *size_text(double bytes, char text[32])
{
    snprintf(text, 32, bytes < 0 ? "-" : "%.0f", bytes);
    return text;
}

/* Sizes first to end - 1, with one algorithm. */
static void print_range(FILE *to, const struct tune_place *p, size_t first,
                        size_t end)
{
    const struct tune_row *least = &p->choice[first].row;
    char from[32], last[32], interval[48] = "-";

    for (size_t k = first; k < end; k++)
        if (p->choice[k].row.ratio > least->ratio)
            least = &p->choice[k].row;
    if (least->has_interval)
        snprintf(interval, sizeof interval, "%.3f to %.3f", least->low,
                 least->high);
    fprintf(to, "%-16s %5d %9s %9s %12.2f %12.2f  %-28s %6.3f  %s\n",
            p->operation, p->ranks, size_text(p->choice[first].bytes, from),
            size_text(p->choice[end - 1].bytes, last), least->us[0],
            least->us[1], p->trial[p->choice[first].trial].name, least->ratio,
            interval);
}

static void print_place(FILE *to, const struct tune_place *p)
{
    for (size_t k = 0, end; k < p->sizes; k = end) {
        end = k + 1;
        if (p->choice[k].trial < 0)
            continue;
        while (end < p->sizes && p->choice[end].trial == p->choice[k].trial)
            end++;
        print_range(to, p, k, end);
    }
}

/* How many sizes lost their algorithm, for this reason. */
static size_t dropped(const struct tune_place *place, size_t n,
                      enum tune_why why)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < place[i].sizes; k++)
            count += place[i].choice[k].first >= 0 &&
                     place[i].choice[k].trial < 0 &&
                     place[i].choice[k].why == why;
    return count;
}

static void print_dropped(FILE *to, size_t n, const char *why)
{
    if (n > 0)
        fprintf(to,
                "# %zu size%s: an algorithm was faster, but %s; the default "
                "is kept.\n",
                n, n == 1 ? "" : "s", why);
}

void tuned_table(FILE *to, const struct tune_place *place, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= choice_any(&place[i]);
    if (any)
        fprintf(to, "%-16s %5s %9s %9s %12s %12s  %-28s %6s  %s\n",
                "# Operation", "Ranks", "From", "To", "Default(us)",
                "Tuned(us)", "Algorithm", "Ratio", "95% interval");
    for (size_t i = 0; i < n; i++)
        print_place(to, &place[i]);
    print_dropped(to, dropped(place, n, TUNE_NOT_CONFIRMED),
                  "new runs do not confirm it");
    print_dropped(
        to, dropped(place, n, TUNE_SLOWER),
        "new runs were slower than the default, there or at another size");
    fputs(
        any ? "# Times, ratio and interval are those of new runs, of the size "
              "in the line that gains least; below 1 is faster.\n"
            : "# Nothing is faster than the default beyond the margin, decided "
              "and confirmed; no file is written.\n",
        to);
}

static json_t *name_of(const struct tune_place *p, int trial)
{
    return trial >= 0 ? json_string(p->trial[trial].name) : json_null();
}

/* New runs; null: none have the size. */
static json_t *new_runs_of(const struct tune_choice *c)
{
    if (!c->is_new)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:o, s:s}", "default_us", c->row.us[0],
                     "tuned_us", c->row.us[1], "ratio", c->row.ratio, "ci95",
                     c->row.has_interval
                         ? json_pack("[f, f]", c->row.low, c->row.high)
                         : json_null(),
                     "verdict", verdict_word(c->row.is));
}

static json_t *size_object(const struct tune_place *p,
                           const struct tune_choice *c,
                           enum tune_library library)
{
    static const char *const why[] = { [TUNE_NOT_FASTER] = "not faster",
                                       [TUNE_NOT_CONFIRMED] = "not confirmed",
                                       [TUNE_SLOWER] = "slower in new runs",
                                       [TUNE_CONFIRMED] = "confirmed" };
    char control[TUNE_CONTROL];

    if (c->trial >= 0)
        tuned_control(control, library, p->operation, p->trial[c->trial].name);
    return json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:o, s:s, s:o}", "operation", p->operation,
        "ranks", p->ranks, "bytes",
        c->bytes < 0 ? json_null() : json_integer((json_int_t)c->bytes),
        "algorithm", name_of(p, c->trial), "control",
        c->trial >= 0 ? json_string(control) : json_null(), "fastest_at_first",
        name_of(p, c->first), "why", why[c->why], "new_runs", new_runs_of(c));
}

bool tuned_json(FILE *to, enum tune_library library,
                const struct tune_place *place, size_t n, const char *output)
{
    json_t *rows = given_memory(json_array()), *all;
    double margin = 0;

    for (size_t i = 0; i < n; i++) {
        margin = place[i].margin > 0 ? place[i].margin : margin;
        for (size_t k = 0; k < place[i].sizes; k++)
            json_array_append_new(
                rows, given_memory(size_object(&place[i], &place[i].choice[k],
                                               library)));
    }
    all = given_memory(
        json_pack("{s:s, s:i, s:s, s:f, s:o, s:o}", "suite", "Alidade", "tune",
                  1, "mpi", library == TUNE_MPICH ? "mpich" : "openmpi",
                  "margin", margin, "output", json_text(output), "rows", rows));
    return json_print(to, all);
}
