/* SPDX-License-Identifier: BSD-3-Clause */
/* What fields write into a JSON document, and that they write nothing where
   there is none. */
#include "unit.h"

#include "record/fields.h"

static void written(struct fields document, enum fields_form form, const char *expected)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const to = open_memstream(&text, &n);

    assert_non_null(to);
    fields_write(document, to, form);
    fclose(to);
    assert_string_equal(text, expected);
    free(text);
}

/* In one line, in the order in which it was written; and that is the end of it. */
static void is(struct fields document, const char *expected)
{
    written(document, FIELDS_LINE, expected);
    fields_release(document);
}

TEST(values_have_their_types)
{
    const struct fields to = fields_document();

    fields_real(to, "real", 0.5);
    fields_us(to, "us", 2.5e-6);
    fields_int(to, "int", -9007199254740993);
    fields_text(to, "text", "a \"b\"");
    fields_flag(to, "yes", true);
    fields_flag(to, "no", false);
    fields_text(to, "null", NULL);
    is(to, "{\"real\":0.5,\"us\":2.5,\"int\":-9007199254740993,"
           "\"text\":\"a \\\"b\\\"\",\"yes\":true,\"no\":false,"
           "\"null\":null}");
}

TEST(what_is_no_value_is_null)
{
    const struct fields to = fields_document();

    fields_real(to, "nan", NAN);
    fields_real(to, "inf", INFINITY);
    fields_us(to, "us", -INFINITY);
    fields_text(to, "text", NULL);
    fields_known_int(to, "no", false, 3);
    fields_known_int(to, "yes", true, 3);
    is(to, "{\"nan\":null,\"inf\":null,\"us\":null,\"text\":null,"
           "\"no\":null,\"yes\":3}");
}

TEST(a_number_has_a_point_or_an_exponent)
{
    static const double values[] = { 1,    -0.0,  1.0 / 3, 123456789012, 1234567890123,
                                     1e20, -1e-7, 5e-324,  1.5e300,      999999999999.95 };
    const struct fields to = fields_document();
    const struct fields list = fields_list(to, "a");

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        fields_real(list, NULL, values[i]);
    is(to, "{\"a\":[1.0,-0.0,0.333333333333,123456789012.0,1.23456789012e12,"
           "1e20,-1e-7,4.94065645841e-324,1.5e300,1e12]}");
}

/* Stands for each byte that is of no character. */
#define U "\xEF\xBF\xBD"

TEST(bytes_of_no_character_are_replaced)
{
    static const struct {
        const char *text, *expected;
    } row[] = {
        { "", "" },
        { "plain \"\\/\b\f\n\r\t\x01\x1f\x7f", "plain \\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\x7f" },
        { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\xf4\x8f\xbf\xbf\xed\x9f\xbf", "\xf4\x8f\xbf\xbf\xed\x9f\xbf" },
        { "f\xfcr", "f" U "r" },
        { "cut \xe2\x82", "cut " U U },
        { "\xe2\x82x", U U "x" },
        { "\x80\xbf\xff\xfe", U U U U },
        { "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", U U U U U U U U U }, /* overlong */
        { "\xed\xa0\x80", U U U },                                     /* surrogate */
        { "\xf4\x90\x80\x80\xf8\x88\x80\x80\x80", U U U U U U U U U },
        { "\xef\xbf\xbe\xef\xbf\xbf", U U U U U U }, /* not in XML */
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct fields to = fields_document();
        char *expected = NULL;

        fields_text(to, row[i].text, row[i].text);
        assert_true(asprintf(&expected, "{\"%s\":\"%s\"}", row[i].expected, row[i].expected) > 0);
        is(to, expected);
        free(expected);
    }
}

TEST(the_last_of_one_name_counts)
{
    const struct fields to = fields_document();

    fields_int(to, "a", 1);
    fields_int(fields_list(to, "c"), NULL, 1);
    fields_text(to, "a", "b");
    fields_object(to, "c");
    fields_list(to, "d");
    fields_int(to, "d", 2);
    assert_null(fields_get(to, "e").inside);
    fields_int(fields_get(to, "c"), "in", 3);
    is(to, "{\"a\":\"b\",\"c\":{\"in\":3},\"d\":2}");
}

TEST(what_is_inside_has_a_line_each)
{
    const struct fields to = fields_document();
    const struct fields list = fields_list(to, "b");

    written(to, FIELDS_INSIDE, "\n \"b\": []\n");
    fields_int(to, "a", 1);
    fields_int(list, NULL, 2);
    fields_object(list, NULL);
    fields_flag(fields_object(list, NULL), "c", true);
    written(to, FIELDS_INSIDE,
            "\n \"b\": [\n  2,\n  {},\n  {\n   \"c\": true\n  }\n ],"
            "\n \"a\": 1\n");
    fields_release(to);
    written((struct fields){ NULL }, FIELDS_LINE, "");
}

TEST(objects_and_lists_nest)
{
    const struct fields to = fields_document();
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
    is(to, "{\"object\":{\"list\":[1,0.25,null,\"x\",{\"a\":2},[3,[]]],"
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
    fields_text(none, "a", NULL);
    fields_real(none, NULL, 1);
    fields_int(none, NULL, 1);
    fields_text(none, NULL, "b");
    assert_null(fields_object(none, "a").inside);
    assert_null(fields_list(none, "a").inside);
    assert_null(fields_object(none, NULL).inside);
    assert_null(fields_list(none, NULL).inside);
    /* Nor further down. */
    fields_int(fields_object(fields_list(none, "a"), "b"), "c", 1);
}
