/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuned_print.h"

#include <jansson.h>

#include "choice.h"
#include "tuned_rules.h"

static void add_size(struct document *d, double bytes)
{
    document_cell(d, bytes < 0 ? "-" : "%.0f", bytes);
}

/* Sizes first to end - 1, with one algorithm. */
static void add_range(struct document *d, const struct tune_place *p,
                      size_t first, size_t end)
{
    const struct tune_row *least = &p->choice[first].row;

    for (size_t k = first; k < end; k++)
        if (p->choice[k].row.ratio > least->ratio)
            least = &p->choice[k].row;
    document_cell(d, "%s", p->operation);
    document_cell(d, "%d", p->ranks);
    add_size(d, p->choice[first].bytes);
    add_size(d, p->choice[end - 1].bytes);
    document_cell(d, "%.2f", least->us[0]);
    document_cell(d, "%.2f", least->us[1]);
    document_cell(d, "%s", p->trial[p->choice[first].trial].name);
    document_cell(d, "%.3f", least->ratio);
    document_cell(d, least->has_interval ? "%.3f to %.3f" : "-", least->low,
                  least->high);
}

static void add_place(struct document *d, const struct tune_place *p)
{
    for (size_t k = 0, end; k < p->sizes; k = end) {
        end = k + 1;
        if (p->choice[k].trial < 0)
            continue;
        while (end < p->sizes && p->choice[end].trial == p->choice[k].trial)
            end++;
        add_range(d, p, k, end);
    }
}

/* How many sizes lost their algorithm for this reason, in a sentence. */
static void add_dropped(struct document *d, const struct tune_place *place,
                        size_t n, enum tune_why why, const char *words)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < place[i].sizes; k++)
            count += place[i].choice[k].first >= 0 &&
                     place[i].choice[k].trial < 0 &&
                     place[i].choice[k].why == why;
    if (count > 0)
        document_add(d, DOCUMENT_NOTE,
                     "%zu size%s: an algorithm was faster, but %s; the default "
                     "is kept.",
                     count, count == 1 ? "" : "s", words);
}

void tuned_add(struct document *d, const struct tune_place *place, size_t n)
{
    static const struct document_column column[] = {
        { "Operation", 16, COLUMN_LEFT },
        { "Ranks", 5, 0 },
        { "From", 9, 0 },
        { "To", 9, 0 },
        { "Default(us)", 12, 0 },
        { "Tuned(us)", 12, 0 },
        { "Algorithm", 28, COLUMN_LEFT },
        { "Ratio", 6, 0 },
        { "95% interval", 0, COLUMN_LEFT },
    };
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= choice_any(&place[i]);
    if (any)
        document_table(d, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < n; i++)
        add_place(d, &place[i]);
    add_dropped(d, place, n, TUNE_NOT_CONFIRMED, "new runs do not confirm it");
    add_dropped(d, place, n, TUNE_SLOWER,
                "new runs were slower than the default, there or at another "
                "size");
    document_add(d, DOCUMENT_NOTE, "%s",
                 any ? "Times, ratio and interval are those of new runs, of "
                       "the size in the line that gains least; below 1 is "
                       "faster."
                     : "No algorithm was confirmed to be faster than the "
                       "default by more than the margin; no file was "
                       "written.");
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
