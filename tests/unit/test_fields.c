/* SPDX-License-Identifier: BSD-3-Clause */
/* What fields write into a JSON document, and that they write nothing where
   there is none. */
#include "unit.h"

#include <jansson.h>

#include "base/fields.h"

/* As text, in the order in which it was written; and that is the end of it. */
static void is(json_t *object, const char *expected)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(object);
}

TEST(values_have_their_types)
{
    const struct fields to = { json_object() };

    fields_real(to, "real", 0.5);
    fields_us(to, "us", 2.5e-6);
    fields_int(to, "int", -9007199254740993);
    fields_text(to, "text", "a \"b\"");
    fields_flag(to, "yes", true);
    fields_flag(to, "no", false);
    fields_null(to, "null");
    is(to.object, "{\"real\":0.5,\"us\":2.5,\"int\":-9007199254740993,"
                  "\"text\":\"a \\\"b\\\"\",\"yes\":true,\"no\":false,"
                  "\"null\":null}");
}

TEST(what_is_no_value_is_null)
{
    const struct fields to = { json_object() };

    fields_real(to, "nan", NAN);
    fields_real(to, "inf", INFINITY);
    fields_us(to, "us", -INFINITY);
    fields_text(to, "text", NULL);
    fields_known_int(to, "no", false, 3);
    fields_known_int(to, "yes", true, 3);
    is(to.object, "{\"nan\":null,\"inf\":null,\"us\":null,\"text\":null,"
                  "\"no\":null,\"yes\":3}");
}

TEST(the_last_of_one_name_counts)
{
    const struct fields to = { json_object() };

    fields_int(to, "a", 1);
    fields_text(to, "a", "b");
    is(to.object, "{\"a\":\"b\"}");
}

TEST(objects_and_lists_nest)
{
    const struct fields to = { json_object() };
    const struct fields inner = fields_object(to, "object");
    const struct fields list = fields_list(inner, "list");
    struct fields last;

    fields_int(list, NULL, 1);
    fields_real(list, NULL, 0.25);
    fields_real(list, NULL, NAN);
    fields_text(list, NULL, "x");
    fields_int(fields_object(list, NULL), "a", 2);
    last = fields_list(list, NULL);
    fields_int(last, NULL, 3);
    fields_list(last, NULL);
    fields_object(to, "empty");
    fields_int(inner, "after", 4); /* what was put somewhere can still grow */
    is(to.object, "{\"object\":{\"list\":[1,0.25,null,\"x\",{\"a\":2},[3,[]]],"
                  "\"after\":4},\"empty\":{}}");
}

TEST(nothing_is_written_to_nothing)
{
    const struct fields none = { NULL };

    fields_real(none, "a", 1);
    fields_us(none, "a", 1);
    fields_int(none, "a", 1);
    fields_text(none, "a", "b");
    fields_flag(none, "a", true);
    fields_null(none, "a");
    fields_real(none, NULL, 1);
    fields_int(none, NULL, 1);
    fields_text(none, NULL, "b");
    assert_null(fields_object(none, "a").object);
    assert_null(fields_list(none, "a").object);
    assert_null(fields_object(none, NULL).object);
    assert_null(fields_list(none, NULL).object);
    /* Nor further down. */
    fields_int(fields_object(fields_list(none, "a"), "b"), "c", 1);
}
