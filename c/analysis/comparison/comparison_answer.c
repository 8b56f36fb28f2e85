/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_classes.h"

static const struct row_id *id_of(const struct comparison *c, size_t k)
{
    return c->row[c->class[k].first].id;
}

static bool has_places(const struct comparison *c)
{
    for (size_t k = 1; k < c->classes; k++)
        if (strcmp(id_of(c, k)->place, id_of(c, 0)->place) != 0)
            return true;
    return false;
}

/* Rows that their class says little of: on the other side of 1, or more than one and a half times as far from it (as
   logarithms), beyond the margin and with 95% confidence each. */
struct unlike {
    size_t n;
    double least, most; /* ratios */
    size_t furthest;    /* the row with that farthest from the class's */
};

static double far_from(double ratio, double other)
{
    return fabs(log(ratio / other));
}

static struct unlike unlike_rows(const struct comparison *c,
                                 const struct comparison_class *of)
{
    const double ratio = of->verdict.ratio.value, far = pow(ratio, 1.5);
    const double low = fmin(1, far) / (1 + c->margin),
                 high = fmax(1, far) * (1 + c->margin);
    struct unlike u = { .least = HUGE_VAL };

    for (size_t i = of->first; i < of->end; i++) {
        const struct time_ratio *r = &c->row[i].ratio;

        if (!r->has_interval || (r->low <= high && r->high >= low))
            continue;
        if (u.n++ == 0 || far_from(r->value, ratio) >
                              far_from(c->row[u.furthest].ratio.value, ratio))
            u.furthest = i;
        u.least = fmin(u.least, r->value);
        u.most = fmax(u.most, r->value);
    }
    return u;
}

const char *comparison_class_note(const struct comparison *c,
                                  const struct comparison_class *of,
                                  char text[CLASS_NOTE])
{
    const struct unlike unlike = unlike_rows(c, of);
    const struct doubtful doubtful = comparison_class_doubtful(c, of);
    const int more = of->verdict.further;

    text[0] = '\0';
    if (more != 0)
        text_add(text, CLASS_NOTE, "%s %d more run%s",
                 more < 0 ? "over" : "about",
                 more < 0 ? VERDICT_FURTHER_MAX : more, more == 1 ? "" : "s");
    if (of->incomplete > 0)
        text_add(text, CLASS_NOTE, "%s%zu run%s rows; judged by %zu",
                 text[0] != '\0' ? "; " : "", of->incomplete,
                 of->incomplete == 1 ? " lacks" : "s lack", of->judged);
    if (unlike.n > 0)
        text_add(text, CLASS_NOTE, "%s%zu of its rows: ratio %.3g",
                 text[0] != '\0' ? "; " : "", unlike.n, unlike.least);
    if (unlike.n > 1)
        text_add(text, CLASS_NOTE, " to %.3g", unlike.most);
    if (doubtful.n > 0 && text[0] != '\0')
        text_add(text, CLASS_NOTE, "; ");
    if (doubtful.n > 0 && !c->sizes.rows)
        text_add(text, CLASS_NOTE, "%zu of its rows: ", doubtful.n);
    if (doubtful.n > 0)
        text_add(text, CLASS_NOTE, "%s", doubtful.why);
    return text;
}

/* "25%", "3.4%" */
static void print_percent(FILE *to, double share)
{
    fprintf(to, share < 0.1 ? "%.1f%%" : "%.0f%%", 100 * share);
}

/* Tables, a benchmark in a place each, of which classes of the same sizes have a verdict. */
struct group {
    char names[200], sizes[200];
    size_t tables, classes;
    double least, most; /* ratios */
    bool unlike;        /* a class has rows that it says little of */
};

/* By how much classes are faster or slower, the least and the greatest ratio: "(3.4% to 25% longer)", "(1.4 to 2.6 times
   as long on average)". */
static void print_amount(FILE *to, const struct group *g)
{
    const double least = g->least, most = g->most;
    const bool faster = most < 1, one = most - least < 0.005;
    const char *end = g->unlike ? " on average)" : ")";

    fputs(" (", to);
    if (most >= 2) {
        fprintf(to, "%.1f", least);
        if (!one)
            fprintf(to, " to %.1f", most);
        fprintf(to, " times as long%s", end);
        return;
    }
    print_percent(to, faster ? 1 - most : least - 1);
    if (!one) {
        fputs(" to ", to);
        print_percent(to, faster ? 1 - least : most - 1);
    }
    fprintf(to, " %s%s", faster ? "shorter" : "longer", end);
}

/* Of the classes of a table, from first to end, those with the verdict; false: none. */
static bool group_of_table(const struct comparison *c, size_t first, size_t end,
                           enum verdict_is is, struct group *g)
{
    char range[CLASS_LABEL];

    *g = (struct group){ .tables = 1, .least = HUGE_VAL };
    for (size_t k = first, next; k < end; k = next) {
        for (next = k; next < end && c->class[next].verdict.is == is; next++) {
            g->least = fmin(g->least, c->class[next].verdict.ratio.value);
            g->most = fmax(g->most, c->class[next].verdict.ratio.value);
            g->unlike |= unlike_rows(c, &c->class[next]).n > 0;
            g->classes++;
        }
        if (next > k)
            text_add_word(g->sizes, sizeof g->sizes, " and ",
                          comparison_class_sizes(c, k, next - 1, range), 80);
        else
            next++;
    }
    text_add(g->names, sizeof g->names, "%s", id_of(c, first)->benchmark);
    if (has_places(c))
        text_add(g->names, sizeof g->names, " (%s)", id_of(c, first)->place);
    return g->classes > 0;
}

static void join(struct group *g, const struct group *other)
{
    text_add(g->names, sizeof g->names, ", %s", other->names);
    g->tables++;
    g->classes += other->classes;
    g->least = fmin(g->least, other->least);
    g->most = fmax(g->most, other->most);
    g->unlike |= other->unlike;
}

/* The greatest difference first, then the most classes. */
static int by_weight(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    const double of_x = fmax(fabs(log(x->least)), fabs(log(x->most))),
                 of_y = fmax(fabs(log(y->least)), fabs(log(y->most)));

    return of_x != of_y ? (of_x < of_y) - (of_x > of_y)
                        : (x->classes < y->classes) - (x->classes > y->classes);
}

/* All groups with the verdict into group[], which has room for every class; *tables becomes
   how many tables there are. */
static size_t groups_of(const struct comparison *c, enum verdict_is is,
                        struct group *group, size_t *tables)
{
    size_t n = 0, k;

    *tables = 0;
    for (size_t first = 0, end; first < c->classes; first = end, ++*tables) {
        end = comparison_classes_end(c, first);
        if (!group_of_table(c, first, end, is, &group[n]))
            continue;
        for (k = 0; k < n && strcmp(group[k].sizes, group[n].sizes) != 0; k++)
            continue;
        if (k < n)
            join(&group[k], &group[n]);
        else
            n++;
    }
    qsort(group, n, sizeof *group, by_weight);
    return n;
}

/* The classes with a verdict, in few words: the first groups, and how many others. */
static void print_classes(FILE *to, const struct comparison *c,
                          enum verdict_is is)
{
    enum { GROUPS = 3, NAMES = 4 };
    struct group *group =
        given_memory(malloc((c->classes + 1) * sizeof *group));
    size_t tables, others = 0;
    const size_t n = groups_of(c, is, group, &tables);

    for (size_t i = 0; i < n; i++) {
        const struct group *g = &group[i];

        if (i >= GROUPS) {
            others += g->classes;
            continue;
        }
        fputs(i > 0 ? ", " : "", to);
        if (g->tables == tables && tables > 2)
            fprintf(to, "all %zu benchmarks", tables);
        else if (g->tables > NAMES)
            fprintf(to, "%zu benchmarks", g->tables);
        else
            fputs(g->names, to);
        fprintf(to, "%s%s", g->sizes[0] != '\0' ? " " : "", g->sizes);
        if (is == VERDICT_FASTER || is == VERDICT_SLOWER)
            print_amount(to, g);
    }
    if (others > 0)
        fprintf(to, ", and %zu other size class%s", others,
                others == 1 ? "" : "es");
    free(group);
}

/* What it would take to decide what is undecided. */
static void print_needed(FILE *to, const struct verdict_sum *sum)
{
    const char *what = sum->of[VERDICT_UNDECIDED] == 1
                           ? "the undecided class"
                           : "half of the undecided classes";

    if (sum->callable == 0)
        fprintf(to,
                "%zu run%s of a variant cannot show a difference, however "
                "large it is; each needs at least %d.",
                sum->runs, sum->runs == 1 ? "" : "s", sum->needed);
    else if (sum->further > 0)
        fprintf(to,
                "About %d more run%s of each variant would probably decide %s.",
                sum->further, sum->further == 1 ? "" : "s", what);
    else if (sum->further < 0)
        fprintf(to,
                "Over %d more runs of each variant would probably be needed "
                "to decide %s.",
                VERDICT_FURTHER_MAX, what);
}

/* A class is an average: of which row does it say least? */
static void print_unlike(FILE *to, const struct comparison *c)
{
    const struct comparison_row *worst = NULL;
    double most = 0;

    for (size_t k = 0; k < c->classes; k++) {
        const struct unlike u = unlike_rows(c, &c->class[k]);
        const struct comparison_row *row = &c->row[u.furthest];
        const double far =
            far_from(row->ratio.value, c->class[k].verdict.ratio.value);

        if (u.n > 0 && far > most) {
            worst = row;
            most = far;
        }
    }
    if (worst != NULL)
        fprintf(to,
                "%sA class is an average: in %s %s the ratio is %.3g. "
                "--classes rows judges each row.",
                ftell(to) > 0 ? " " : "", worst->id->benchmark, worst->id->key,
                worst->ratio.value);
}

char *comparison_advice(const struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const int later = comparison_later(c);
    char *text = NULL;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    if (sum.of[VERDICT_UNDECIDED] > 0)
        print_needed(to, &sum);
    print_unlike(to, c);
    /* Runs in turn meet the same machine; others need not. */
    if (later >= 0)
        fprintf(to,
                "%sAll runs of %s were made after those of %s: a difference "
                "may be the machine's. Measure both in one command to be sure.",
                ftell(to) > 0 ? " " : "", c->variant[later]->name,
                c->variant[1 - later]->name);
    fclose(to);
    return given_memory(text);
}

char *comparison_answer(const struct comparison *c)
{
    static const struct {
        enum verdict_is is;
        const char *word;
    } clause[] = { { VERDICT_FASTER, "faster" },
                   { VERDICT_SLOWER, "slower" },
                   { VERDICT_SAME, "the same" } };
    const struct verdict_sum sum = comparison_sum_of(c);
    const char *separator = "";
    char *text = NULL;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    for (size_t i = 0; i < sizeof clause / sizeof *clause; i++) {
        if (sum.of[clause[i].is] == 0)
            continue;
        if (ftell(to) == 0)
            fprintf(to, "%s is ", c->variant[1]->name);
        fprintf(to, "%s%s in ", separator, clause[i].word);
        separator = "; ";
        print_classes(to, c, clause[i].is);
    }
    if (sum.of[VERDICT_UNDECIDED] > 0) {
        fputs(ftell(to) > 0 ? ". Not decided: " : "Not decided: ", to);
        print_classes(to, c, VERDICT_UNDECIDED);
    }
    fputc('.', to);
    fclose(to);
    return given_memory(text);
}
