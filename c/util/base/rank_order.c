/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_order.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "shuffle.h"

/* A whole number above 0; *end after it, NULL: there is none. */
static long number(const char *text, char **end)
{
    const long n = isdigit((unsigned char)text[0]) ? strtol(text, end, 10) : 0;

    if (n < 1 || n > INT_MAX)
        *end = NULL;
    return n;
}

const char *rank_order_parse(const char *text, struct rank_order *order)
{
    static const char word[] = "random:";
    char *end;

    *order = (struct rank_order){ .text = text };
    if (strncmp(text, word, sizeof word - 1) == 0) {
        order->seed = (uint64_t)number(text + sizeof word - 1, &end);
        return end != NULL && *end == '\0'
                   ? NULL
                   : "has a seed that is not a whole number above 0";
    }
    order->rows = (int)number(text, &end);
    if (end != NULL && *end == 'x') {
        order->columns = (int)number(end + 1, &end);
        if (end != NULL && *end == '\0')
            return NULL;
    }
    return "is neither random:SEED nor PxQ";
}

int rank_order_place(const struct rank_order *order, int ranks, int rank)
{
    uint64_t state = order->seed;
    int *number, place;

    if (order->text == NULL)
        return rank;
    if (order->seed == 0)
        return (long)order->rows * order->columns == ranks
                   ? rank % order->rows * order->columns + rank / order->rows
                   : -1;
    number = malloc((size_t)ranks * sizeof *number);
    if (number == NULL)
        return -1;
    for (int i = 0; i < ranks; i++)
        number[i] = i;
    shuffle(number, ranks, &state);
    place = number[rank];
    free(number);
    return place;
}
