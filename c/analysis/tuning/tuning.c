/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/result_file.h"

const struct tune_row *tune_row_of(const struct tune_trial *t, double bytes)
{
    for (size_t i = 0; i < t->rows; i++)
        if (t->row[i].bytes == bytes)
            return &t->row[i];
    return NULL;
}

/* How much a row speaks against its algorithm. */
static int against(enum verdict_is is)
{
    return is == VERDICT_FASTER ? 0 : is == VERDICT_SLOWER ? 2 : 1;
}

static bool speaks_more(const struct tune_row *a, const struct tune_row *b)
{
    return against(a->is) != against(b->is) ? against(a->is) > against(b->is)
                                            : a->ratio > b->ratio;
}

void tune_row_add(struct tune_trial *t, const struct tune_row *row)
{
    size_t i = t->rows;

    for (size_t k = 0; k < t->rows; k++)
        if (t->row[k].bytes == row->bytes) {
            if (speaks_more(row, &t->row[k]))
                t->row[k] = *row;
            return;
        }
    for (; i > 0 && t->row[i - 1].bytes > row->bytes; i--)
        t->row[i] = t->row[i - 1];
    t->row[i] = *row;
    t->rows++;
}

static bool verdict_of_word(const char *word, enum verdict_is *is)
{
    for (int v = VERDICT_UNDECIDED; v <= VERDICT_SLOWER; v++)
        if (word != NULL &&
            strcmp(word, verdict_word((enum verdict_is)v)) == 0) {
            *is = (enum verdict_is)v;
            return true;
        }
    return false;
}

/* Its verdict is that of its class. */
static bool row_read(struct tune_row *row, json_t *from, json_t *classes)
{
    json_t *class, *number = json_object_get(from, "class");
    json_t *interval = json_object_get(from, "ci95"),
           *bytes = json_object_get(from, "bytes");
    const char *word;

    class = json_is_integer(number)
                ? json_array_get(classes, (size_t)json_integer_value(number))
                : NULL;
    word = text_in(class, "verdict");
    *row = (struct tune_row){ .bytes = json_is_number(bytes)
                                           ? json_number_value(bytes)
                                           : -1 };
    row->has_interval =
        json_unpack(interval, "[F, F]", &row->low, &row->high) == 0;
    return json_unpack(from, "{s:[F, F], s:F}", "values", &row->us[0],
                       &row->us[1], "ratio", &row->ratio) == 0 &&
           row->ratio > 0 && verdict_of_word(word, &row->is);
}

/* One comparison; what is its own name is the second of two. */
static bool trial_read(struct tune_trial *t, json_t *from, double *margin)
{
    const char *name, *baseline;
    json_t *rows = json_object_get(from, "rows"), *each,
           *classes = json_object_get(from, "classes");
    struct tune_row row;
    size_t i;

    *t = (struct tune_trial){ .rows = 0 };
    if (json_unpack(from, "{s:[s, s], s:F}", "variants", &baseline, &name,
                    "margin", margin) != 0 ||
        !json_is_array(rows) || strlen(name) >= sizeof t->name)
        return false;
    memcpy(t->name, name, strlen(name));
    t->row = given_memory(calloc(json_array_size(rows) + 1, sizeof *t->row));
    json_array_foreach(rows, i, each)
    {
        if (!row_read(&row, each, classes))
            return false;
        tune_row_add(t, &row);
    }
    return true;
}

/* All comparisons of a file; *trial is to be released also where it fails. */
static bool file_read(const char *path, struct tune_trial **trial, size_t *n,
                      double *margin, char why[WHY])
{
    json_t *root = result_json_read(path, why),
           *all = json_object_get(root, "comparisons"), *each;
    const char *suite = text_in(root, "suite");
    bool good =
        json_is_array(all) && suite != NULL && strcmp(suite, "Alidade") == 0;
    size_t i;

    *n = 0;
    *trial = given_memory(calloc(json_array_size(all) + 1, sizeof **trial));
    if (root == NULL)
        return false;
    json_array_foreach(all, i, each) good =
        good && trial_read(&(*trial)[(*n)++], each, margin);
    json_decref(root);
    return good ||
           refuse(why, "%s is not what scripts/compare --json writes", path);
}

void tune_trial_release(struct tune_trial *t)
{
    free(t->row);
    *t = (struct tune_trial){ .rows = 0 };
}

void tune_place_release(struct tune_place *p)
{
    for (size_t i = 0; i < p->trials; i++)
        tune_trial_release(&p->trial[i]);
    free(p->trial);
    free(p->choice);
    p->trial = NULL;
    p->choice = NULL;
    p->trials = p->sizes = 0;
}

void tune_place_sizes(struct tune_place *p)
{
    struct tune_trial all = { .rows = 0 };
    size_t room = 1;

    for (size_t i = 0; i < p->trials; i++)
        room += p->trial[i].rows;
    all.row = given_memory(calloc(room, sizeof *all.row));
    for (size_t i = 0; i < p->trials; i++)
        for (size_t k = 0; k < p->trial[i].rows; k++)
            tune_row_add(&all, &p->trial[i].row[k]);
    p->sizes = all.rows;
    p->choice = given_memory(calloc(room, sizeof *p->choice));
    for (size_t k = 0; k < p->sizes; k++)
        p->choice[k] = (struct tune_choice){ .bytes = all.row[k].bytes,
                                             .first = -1,
                                             .trial = -1 };
    free(all.row);
}

bool tune_place_read(struct tune_place *p, char why[WHY])
{
    char path[4096];

    snprintf(path, sizeof path, "%s/comparison.json", p->folder);
    if (!file_read(path, &p->trial, &p->trials, &p->margin, why)) {
        tune_place_release(p);
        return false;
    }
    tune_place_sizes(p);
    return true;
}

bool tune_confirm_read(struct tune_trial *t, const struct tune_place *p,
                       char why[WHY])
{
    struct tune_trial *all;
    char path[4096];
    double margin;
    size_t n;
    bool good;

    snprintf(path, sizeof path, "%s/confirm/comparison.json", p->folder);
    if (access(path, F_OK) != 0)
        return refuse(why, "%s with %d ranks is not confirmed yet: --next",
                      p->operation, p->ranks);
    good = file_read(path, &all, &n, &margin, why);
    *t = n > 0 && good ? all[0] : (struct tune_trial){ .rows = 0 };
    for (size_t i = good; i < n; i++)
        tune_trial_release(&all[i]);
    free(all);
    return good;
}
