/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { RANK_MAX = 1 << 30 };

const struct choice pairing_words[] = {
    { "auto", PAIRING_AUTO, "rank i with rank i + pairs, as in OMB" },
    { "cyclic", PAIRING_CYCLIC, "neighbors, such as 0 with 1, 2 with 3" },
    { "0-4,1-5,...", PAIRING_LIST, "these pairs; the first rank sends first" },
    { 0 },
};

/* --- A list: "0-4,1-5" ------------------------------------------------------- */

/* A rank at *text, which moves after it; -1: there is none. */
static int read_rank(const char **text)
{
    const char *const begin = *text;
    const long rank = number_whole(begin, text);

    return *text > begin && rank >= 0 && rank <= RANK_MAX ? (int)rank : -1;
}

/* The next pair of a list; false: the list is over, or wrong, where *text stays. */
static bool next_pair(const char **text, int pair[2])
{
    const char *at = *text;

    for (int i = 0; i < 2; i++) {
        pair[i] = read_rank(&at);
        if (pair[i] < 0 || (i == 0 && *at++ != '-'))
            return false;
    }
    if (*at != '\0' && (*at != ',' || at[1] == '\0'))
        return false;
    *text = at + (*at == ',');
    return true;
}

static int by_number(const void *a, const void *b)
{
    const int *m = a, *n = b;

    return (*m > *n) - (*m < *n);
}

/* What is wrong with the ranks of a list of that many pairs; NULL: nothing. */
static const char *wrong_ranks(const char *list, int pairs)
{
    const size_t n = 2 * (size_t)pairs;
    int *rank = malloc(n * sizeof *rank);
    bool twice = false;

    if (rank == NULL)
        return "needs more memory than there is";
    for (size_t i = 0; i < n; i += 2)
        next_pair(&list, &rank[i]);
    qsort(rank, n, sizeof *rank, by_number);
    for (size_t i = 1; i < n; i++)
        twice = twice || rank[i] == rank[i - 1];
    free(rank);
    return twice ? "names a rank twice" : NULL;
}

static const char *parse_list(const char *text, struct pairing *p)
{
    int pair[2];

    for (; next_pair(&text, pair); p->n++)
        for (int i = 0; i < 2; i++)
            if (pair[i] > p->last)
                p->last = pair[i];
    return *text == '\0' && p->n > 0 ? wrong_ranks(p->text, p->n) : choice_none;
}

const char *pairing_parse(void *field, const char *text)
{
    struct pairing *const p = field;
    const struct choice *word = choice_of(pairing_words, text, strlen(text));

    *p = (struct pairing){ .kind = PAIRING_LIST, .text = text };
    if (word == NULL || word->value == PAIRING_LIST)
        return parse_list(text, p);
    p->kind = (enum pairing_kind)word->value;
    return NULL;
}

/* --- Partners ---------------------------------------------------------------- */

static struct partner of_list(const char *list, int rank)
{
    int pair[2];

    while (next_pair(&list, pair))
        for (int i = 0; i < 2; i++)
            if (pair[i] == rank)
                return (struct partner){ pair[!i], i == 0 };
    return (struct partner){ -1, false };
}

struct partner pairing_partner(const struct pairing *p, int pairs, int rank)
{
    if (p->kind == PAIRING_LIST)
        return of_list(p->text, rank);
    if (rank / 2 >= pairs)
        return (struct partner){ -1, false };
    if (p->kind == PAIRING_CYCLIC)
        return (struct partner){ rank ^ 1, rank % 2 == 0 };
    return rank < pairs ? (struct partner){ rank + pairs, true }
                        : (struct partner){ rank - pairs, false };
}
