/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_MAX = 1 << 30 };

const struct choice pairing_words[] = {
    { "auto", PAIRING_AUTO, "rank i with rank i + pairs, as in OMB" },
    { "inter", PAIRING_INTER, "partners on different nodes" },
    { "intra", PAIRING_INTRA, "partners on the same node" },
    { "cyclic", PAIRING_CYCLIC, "neighbors, such as 0 with 1, 2 with 3" },
    { "0-4,1-5,...", PAIRING_LIST, "these pairs; the first rank sends first" },
    { 0 },
};

/* --- A list: "0-4,1-5" ------------------------------------------------------- */

/* A rank at *text, which moves after it; -1: there is none. */
static int read_rank(const char **text)
{
    char *end;
    long rank;

    if (**text < '0' || **text > '9')
        return -1;
    rank = strtol(*text, &end, 10);
    *text = end;
    return rank <= RANK_MAX ? (int)rank : -1;
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

const char *pairing_parse(const char *text, struct pairing *p)
{
    const struct choice *word = choice_of(pairing_words, text, strlen(text));

    *p = (struct pairing){ .kind = PAIRING_LIST, .text = text };
    if (word == NULL || word->value == PAIRING_LIST)
        return parse_list(text, p);
    p->kind = (enum pairing_kind)word->value;
    return NULL;
}

/* --- Partners ---------------------------------------------------------------- */

bool pairing_needs_nodes(const struct pairing *p)
{
    return p->kind == PAIRING_INTER || p->kind == PAIRING_INTRA;
}

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

/* --- By node ----------------------------------------------------------------- */

struct member {
    int rank, home; /* home: the first rank of its node */
};

static int by_home(const void *a, const void *b)
{
    const struct member *m = a, *n = b;

    return m->home != n->home ? m->home - n->home : m->rank - n->rank;
}

/* The ranks from number i on that are on one node. */
static int run_of(const struct member *member, int i, int ranks)
{
    int end = i;

    while (end < ranks && member[end].home == member[i].home)
        end++;
    return end - i;
}

static void join(struct partner *partner, int first, int second)
{
    partner[first] = (struct partner){ second, true };
    partner[second] = (struct partner){ first, false };
}

static int inside(const struct member *member, int ranks, int most,
                  struct partner *partner)
{
    int pairs = 0;

    for (int i = 0, n; i < ranks; i += n) {
        n = run_of(member, i, ranks);
        for (int k = 0; k < n / 2 && pairs < most; k++, pairs++)
            join(partner, member[i + k].rank, member[i + k + n / 2].rank);
    }
    return pairs;
}

/* Node after node, two ranks that are half of all apart are on different nodes, unless a
   node has more than half: that one lends only as many as the others have. */
static int between(struct member *member, int ranks, int most,
                   struct partner *partner)
{
    int largest = 0, size = 0, half, kept = 0;

    for (int i = 0, n; i < ranks; i += n) {
        n = run_of(member, i, ranks);
        if (n > size) {
            largest = i;
            size = n;
        }
    }
    half = ranks - size < ranks / 2 ? ranks - size : ranks / 2;
    for (int i = 0; i < ranks && kept < 2 * half; i++)
        if (i < largest || i >= largest + size || i - largest < half)
            member[kept++] = member[i];
    half = half < kept / 2 ? half : kept / 2;
    for (int i = 0; i < half && i < most; i++)
        join(partner, member[i].rank, member[i + half].rank);
    return half < most ? half : most;
}

/* Why there are not as many pairs as there should be. */
static void explain(enum pairing_kind kind, int pairs, int wanted, int ranks,
                    char *why, size_t room)
{
    const char *word = kind == PAIRING_INTER ? "inter" : "intra";

    if (pairs == 0)
        snprintf(why, room, "--pairs=%s: %s", word,
                 kind == PAIRING_INTER ? "all ranks are on one node"
                                       : "no two ranks are on one node");
    else
        snprintf(why, room,
                 "--pairs=%s makes only pairs=%d of %d; ranks=%d; start %s "
                 "ranks on %s node, or list the pairs",
                 word, pairs, wanted, ranks,
                 kind == PAIRING_INTER ? "as many" : "an even number of",
                 kind == PAIRING_INTER ? "each" : "every");
}

int pairing_by_node(enum pairing_kind kind, const int *home, int ranks,
                    int pairs, struct partner *partner, char *why, size_t room)
{
    struct member *member = malloc((size_t)ranks * sizeof *member);
    const int wanted = pairs > 0 ? pairs : ranks / 2;
    int made = 0;

    for (int i = 0; i < ranks; i++)
        partner[i] = (struct partner){ -1, false };
    if (member == NULL)
        snprintf(why, room, "--pairs: there is no memory for all ranks");
    else {
        for (int i = 0; i < ranks; i++)
            member[i] = (struct member){ i, home[i] };
        qsort(member, (size_t)ranks, sizeof *member, by_home);
        made = kind == PAIRING_INTER ? between(member, ranks, wanted, partner)
                                     : inside(member, ranks, wanted, partner);
        if (made < wanted)
            explain(kind, made, wanted, ranks, why, room);
    }
    free(member);
    return made == wanted ? made : 0;
}
