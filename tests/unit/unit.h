/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.h - the common part of all unit tests: cmocka, tests made of table rows, and
 *          printed text as a string.
 */
#ifndef UNIT_H
#define UNIT_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* cmocka 2 has it for each kind of number, and warns of the old name. */
#ifdef assert_int_in_range
#    undef assert_in_range
#    define assert_in_range assert_int_in_range
#endif

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* An initializer: its values are set out as the arguments of a call are. */
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* cmocka compares floats only roughly. */
#define assert_near(got, expected, within)                                                         \
    do {                                                                                           \
        const double got_ = (got), expected_ = (expected);                                         \
                                                                                                   \
        if (!(isnan(got_) && isnan(expected_)) && !(fabs(got_ - expected_) <= (within)))           \
            fail_msg("%s is %.17g, not %.17g", #got, got_, expected_);                             \
    } while (0)

/*
 * Tests name themselves; main is here.
 *
 *     TEST(sums_are_exact)
 *     {
 *         assert_int_equal(sum(1, 2), 3);
 *     }
 *
 *     TEST_ROWS(cases, case_is)       // once for each row, under the row's name
 *     {
 *         assert_int_equal(sum(row->a, row->b), row->sum);
 *     }
 *
 * The rows of a table are structs that begin with the name of the case.
 */
enum { UNIT_TESTS = 500 };

static struct CMUnitTest unit_tests[UNIT_TESTS];
static size_t unit_n;

static inline void unit_add(const char *name, CMUnitTestFunction function, const void *row)
{
    if (unit_n == UNIT_TESTS)
        abort();
    unit_tests[unit_n++] = (struct CMUnitTest){
        .name = name,
        .test_func = function,
        .initial_state = (void *)(uintptr_t)row,
    };
}

#define TEST(title)                                                                                \
    static void title(void);                                                                       \
    static void title##_run(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        title();                                                                                   \
    }                                                                                              \
    static void __attribute__((constructor)) title##_add(void)                                     \
    {                                                                                              \
        unit_add(#title, title##_run, NULL);                                                       \
    }                                                                                              \
    static void title(void)

#define TEST_ROWS(table, title)                                                                    \
    static void title(const __typeof__(*(table)) *row);                                            \
    static void title##_run(void **state)                                                          \
    {                                                                                              \
        title(*state);                                                                             \
    }                                                                                              \
    static void __attribute__((constructor)) title##_add(void)                                     \
    {                                                                                              \
        for (size_t i = 0; i < LENGTH(table); i++)                                                 \
            unit_add(*(const char *const *)(const void *)&(table)[i], title##_run, &(table)[i]);   \
    }                                                                                              \
    static void title(const __typeof__(*(table)) *row)

/* What is done before the first test. */
#define BEFORE_TESTS static void __attribute__((constructor)) before_tests(void)

int main(void)
{
    return _cmocka_run_group_tests(program_invocation_short_name, unit_tests, unit_n, NULL, NULL);
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

/* All that is in the stream, from its beginning, to be freed; closes it. */
static inline char *unit_text_of(FILE *from)
{
    struct unit_text text;
    int c;

    assert_non_null(from);
    rewind(from);
    unit_text_open(&text);
    while ((c = fgetc(from)) != EOF)
        fputc(c, text.to);
    fclose(from);
    return unit_text_close(&text);
}

/* What is written to a file descriptor from now on is kept, until unit_caught gives it,
   to be freed. */
struct unit_catch {
    int descriptor, saved;
    FILE *to;
};

static inline struct unit_catch unit_catch(int descriptor)
{
    struct unit_catch c = { descriptor, dup(descriptor), tmpfile() };

    assert_non_null(c.to);
    fflush(NULL);
    dup2(fileno(c.to), descriptor);
    return c;
}

static inline char *unit_caught(const struct unit_catch *c)
{
    fflush(NULL);
    dup2(c->saved, c->descriptor);
    close(c->saved);
    return unit_text_of(c->to);
}

/* A file of the source tree, to be freed; NULL: there is none. */
static inline char *unit_source_file(const char *name)
{
    const char *source = getenv("ALIDADE_SOURCE");
    char path[4096];
    FILE *from;

    snprintf(path, sizeof path, "%s/%s", source != NULL ? source : ".", name);
    from = fopen(path, "r");
    return from != NULL ? unit_text_of(from) : NULL;
}

#endif
