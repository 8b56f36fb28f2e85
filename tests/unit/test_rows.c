/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of rows: it grows, knows its largest row, and finds the rows of one
   size by rising parameter. */
#include "unit.h"

#include "overlap/processor_left.h"
#include "report/result.h"

enum { MANY = 1000 };

static void measure_all(struct rows *rows)
{
    rows_complete(rows);
    for (int i = 0; i < rows->n; i++)
        rows->result[i].mean = rows->result[i].scale = 1;
}

TEST(the_list_grows_and_keeps_its_rows)
{
    struct rows rows = { .row = NULL };

    for (int i = 0; i < MANY; i++) {
        rows_add(&rows, &(struct row){ .bytes = (size_t)i, .parameter = -i });
        assert_int_equal(rows.n, i + 1);
        assert_true(rows.room >= rows.n);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(rows.row[i].bytes, i);
        assert_int_equal(rows.row[i].parameter, -i);
    }
    rows_release(&rows);
    assert_null(rows.row);
    assert_int_equal(rows.n, 0);
    assert_int_equal(rows.room, 0);
}

TEST(the_largest_row_is_found_wherever_it_is)
{
    struct rows rows = { .row = NULL };

    assert_int_equal(rows_largest(&rows), 0);
    rows_add(&rows, &(struct row){ .bytes = 8 });
    assert_int_equal(rows_largest(&rows), 8);
    rows_add(&rows, &(struct row){ .bytes = 4096 });
    rows_add(&rows, &(struct row){ .bytes = 0 });
    assert_int_equal(rows_largest(&rows), 4096);
    rows_release(&rows);
}

TEST(blocks_differ_by_type_operation_and_parameter)
{
    const struct row a = { .bytes = 1 }, size = { .bytes = 2 };
    const struct row type = { .element = ELEMENT_INT },
                     operation = { .operation = 1 },
                     parameter = { .parameter = 1 };

    assert_true(row_same_block(&a, &size));
    assert_false(row_same_block(&a, &type));
    assert_false(row_same_block(&a, &operation));
    assert_false(row_same_block(&a, &parameter));
}

/* Rows of two types, two sizes and several parameters, in no order; one was not
   measured. */
TEST(by_parameter_means_rising_and_measured)
{
    static const struct row in[] = {
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 16 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 2 },
        { .element = ELEMENT_CHAR, .bytes = 4, .parameter = 3 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 4 },
        { .element = ELEMENT_INT, .bytes = 8, .parameter = 5 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 8 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 1 },
    };
    enum { LEFT_OUT = 3 };
    static const long expected[] = { 1, 2, 8, 16 };
    const struct result *found[PARAMETER_MAX];
    struct rows rows = { .row = NULL };

    for (size_t i = 0; i < LENGTH(in); i++)
        rows_add(&rows, &in[i]);
    measure_all(&rows);
    rows.result[LEFT_OUT].mean = 0;
    /* Whichever of them it is asked for. */
    for (size_t like = 0; like < 2; like++) {
        assert_int_equal(rows_by_parameter(&rows, &rows.row[like], found),
                         LENGTH(expected));
        for (size_t i = 0; i < LENGTH(expected); i++) {
            assert_int_equal(found[i]->row->parameter, expected[i]);
            assert_int_equal(found[i]->row->element, ELEMENT_CHAR);
            assert_int_equal(found[i]->row->bytes, 8);
        }
    }
    assert_int_equal(rows_by_parameter(&rows, &rows.row[4], found), 1);
    assert_ptr_equal(found[0], &rows.result[4]);
    rows_release(&rows);
}

/* More than PARAMETER_MAX are never written. */
TEST(no_more_are_found_than_there_is_room)
{
    const struct result *found[PARAMETER_MAX + 1];
    struct rows rows = { .row = NULL };

    found[PARAMETER_MAX] = NULL;
    for (int i = 0; i < 2 * PARAMETER_MAX; i++)
        rows_add(&rows, &(struct row){ .parameter = i });
    measure_all(&rows);
    assert_int_equal(rows_by_parameter(&rows, &rows.row[0], found),
                     PARAMETER_MAX);
    assert_null(found[PARAMETER_MAX]);
    rows_release(&rows);
}
