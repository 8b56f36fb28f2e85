/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * document.c - results out of a fuzzer: read, and compared with themselves and with a
 *              good one.  Whatever it is, nothing may crash, leak or print a figure
 *              that is none.  By libFuzzer: make fuzz.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static FILE *nowhere;
    struct document d[2];
    char why[400];
    const struct comparison_options how = { .margin = 0.03 };
    struct comparison c;

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL)
        abort();
    if (!document_of(&d[0], "fuzz", (const char *)data, n, why, sizeof why))
        return 0;
    if (!document_of(&d[1], "fuzz", (const char *)data, n, why, sizeof why))
        abort(); /* it was good the first time */
    struct subject a = { .name = "a", .document = d, .n = 1 };
    struct subject b = { .name = "b", .document = d + 1, .n = 1 };

    if (comparison_make(&c, &a, &b, &how, why, sizeof why)) {
        for (size_t i = 0; i < c.rows; i++)
            if (!(fabs(c.row[i].is.ratio - 1) < 1e300))
                abort();
        comparison_text(nowhere, &c);
        comparison_markdown(nowhere, &c);
        comparison_junit(nowhere, &c, 1);
        comparison_json(nowhere, &c, 1);
        comparison_release(&c);
    }
    document_release(&d[0]);
    document_release(&d[1]);
    return 0;
}
