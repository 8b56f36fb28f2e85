/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that are no UTF-8, and where text may be cut. */
#include "unit.h"

#include "base/utf8.h"

#define U UTF8_UNKNOWN

TEST(bytes_of_no_character_are_replaced)
{
    static const struct {
        const char *text, *expected;
    } row[] = {
        { "", "" },
        { "plain \x01\n\x7f", "plain \x01\n\x7f" },
        { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
          "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\xf4\x8f\xbf\xbf\xed\x9f\xbf", "\xf4\x8f\xbf\xbf\xed\x9f\xbf" },
        { "f\xfcr", "f" U "r" },
        { "cut \xe2\x82", "cut " U U },
        { "\xe2\x82x", U U "x" },
        { "\x80\xbf\xff\xfe", U U U U },
        { "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf",
          U U U U U U U U U },     /* overlong */
        { "\xed\xa0\x80", U U U }, /* surrogate */
        { "\xf4\x90\x80\x80\xf8\x88\x80\x80\x80", U U U U U U U U U },
        { "\xef\xbf\xbe\xef\xbf\xbf", U U U U U U }, /* not in XML */
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *const repaired = utf8_repaired(row[i].text);

        assert_string_equal(repaired, row[i].expected);
        free(repaired);
    }
}

TEST(a_cut_is_within_no_character)
{
    static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    static const int cut[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };

    for (size_t most = 0; most < sizeof cut / sizeof *cut; most++)
        assert_int_equal(utf8_within(text, most), cut[most]);
    /* What is no UTF-8 loses no more than the cut. */
    assert_int_equal(utf8_within("\x80\x80\x80\x80\x80\x80\x80\x80", 6), 6);
}
