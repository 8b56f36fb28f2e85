/* SPDX-License-Identifier: BSD-3-Clause */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t slips_between(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[LONGEST + 1][LONGEST + 1]; /* of the first i and j letters */

    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            d[i][j] = i + j;
            if (i > 0 && j > 0)
                d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], 1 + d[i - 2][j - 2]);
        }
    return d[n][m];
}

void nearest_offer(struct nearest *near, const char *word)
{
    const size_t n = near->length, m = strlen(word);
    const size_t slips = n <= LONGEST && m <= LONGEST
                             ? slips_between(near->text, n, word, m)
                             : LONGEST;

    if (3 * slips <= n && (near->word == NULL || slips < near->slips)) {
        near->word = word;
        near->slips = slips;
    }
}

const char *nearest_question(struct nearest *near, const char *prefix)
{
    if (near->word != NULL)
        snprintf(near->question, sizeof near->question, " (did you mean %s%s?)",
                 prefix, near->word);
    return near->question;
}
