/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result_file.c - result files made by a fuzzer (libFuzzer; make fuzz): they are read, and
 *              compared with themselves and with a good one.  None of them may
 *              cause a crash, a leak or an invalid value.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison/comparison_classes.h"
#include "comparison/comparison_export.h"
#include "comparison/comparison_print.h"

static void expect(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort(); /* libFuzzer keeps what led here */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static FILE *nowhere;
    struct result_file d[2];
    char why[WHY];
    const struct comparison_options how = { .margin = 0.03,
                                            .sizes = SIZE_LIMITS_DEFAULT };
    struct comparison c;

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    expect(nowhere != NULL, "/dev/null cannot be opened");
    if (!result_file_of(&d[0], "fuzz", (const char *)data, n, why))
        return 0;
    expect(result_file_of(&d[1], "fuzz", (const char *)data, n, why),
           "refused, and taken before");
    const struct variant pair[] = { { .name = "a", .file = d, .n = 1 },
                                    { .name = "b", .file = d + 1, .n = 1 } };
    struct row_table table;

    row_table_make(&table, pair, 2, &how.may);
    if (comparison_make(&c, &table, 1, &how, why)) {
        for (size_t i = 0; i < c.rows; i++)
            expect(fabs(c.row[i].ratio.value - 1) < 1e300,
                   "a ratio that is none");
        for (size_t k = 0; k < c.classes; k++)
            expect(fabs(c.class[k].verdict.ratio.value - 1) < 1e300,
                   "a ratio of a class that is none");
        const struct comparisons all = { .with = { c }, .n = 1 };

        struct document document = { .n = 0 };

        comparisons_add(&document, &all, true);
        document_text(nowhere, &document, "# ");
        document_markdown(nowhere, &document);
        document_html(nowhere, &document);
        document_release(&document);
        comparison_junit(nowhere, &all);
        comparison_json(nowhere, &all);
        comparison_release(&c);
    }
    row_table_release(&table);
    result_file_release(&d[0]);
    result_file_release(&d[1]);
    return 0;
}
