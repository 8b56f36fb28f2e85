/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.h - the common part of all unit tests: cmocka, tests made of table rows, and
 *          printed text as a string.
 */
#ifndef UNIT_H
#define UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* cmocka compares floats only roughly. */
#define assert_near(got, expected, within)                                     \
    do {                                                                       \
        const double got_ = (got), expected_ = (expected);                     \
                                                                               \
        if (!(fabs(got_ - expected_) <= (within)))                             \
            fail_msg("%s is %.17g, not %.17g", #got, got_, expected_);         \
    } while (0)

enum { UNIT_TESTS = 500 };

struct unit_list {
    struct CMUnitTest test[UNIT_TESTS];
    size_t n;
};

static inline void unit_add(struct unit_list *list, const char *name,
                            CMUnitTestFunction function, const void *row)
{
    if (list->n == UNIT_TESTS)
        abort();
    list->test[list->n++] = (struct CMUnitTest){
        .name = name,
        .test_func = function,
        .initial_state = (void *)(uintptr_t)row,
    };
}

/* Add one test for every row of a table.  A row begins with the test's name,
   and *state points to it. */
static inline void unit_add_rows(struct unit_list *list, const void *table,
                                 size_t rows, size_t row_size,
                                 CMUnitTestFunction function)
{
    for (size_t i = 0; i < rows; i++) {
        const char *row = (const char *)table + i * row_size;

        unit_add(list, *(const char *const *)(const void *)row, function, row);
    }
}

#define UNIT_ADD(list, function) unit_add(list, #function, function, NULL)
#define UNIT_ADD_ROWS(list, table, function)                                   \
    unit_add_rows(list, table, LENGTH(table), sizeof *(table), function)

static inline int unit_run(const char *name, const struct unit_list *list)
{
    return _cmocka_run_group_tests(name, list->test, list->n, NULL, NULL);
}

/* A stream whose contents are in text.data once it is closed. */
struct unit_text {
    FILE *to;
    char *data;
    size_t size;
};

static inline void unit_text_open(struct unit_text *text)
{
    *text = (struct unit_text){ .to = NULL };
    text->to = open_memstream(&text->data, &text->size);
    assert_non_null(text->to);
}

/* Close the stream; returns its contents, to be freed. */
static inline char *unit_text_close(struct unit_text *text)
{
    assert_int_equal(fclose(text->to), 0);
    return text->data;
}

static inline void unit_text_is(struct unit_text *text, const char *expected)
{
    char *got = unit_text_close(text);

    assert_string_equal(got, expected);
    free(got);
}

/* A file of the source tree, to be freed; NULL: there is none. */
static inline char *unit_source_file(const char *name)
{
    const char *source = getenv("ALIDADE_SOURCE");
    struct unit_text text;
    char path[4096];
    FILE *from;
    int c;

    snprintf(path, sizeof path, "%s/%s", source != NULL ? source : ".", name);
    from = fopen(path, "r");
    if (from == NULL)
        return NULL;
    unit_text_open(&text);
    while ((c = fgetc(from)) != EOF)
        fputc(c, text.to);
    fclose(from);
    return unit_text_close(&text);
}

#endif
