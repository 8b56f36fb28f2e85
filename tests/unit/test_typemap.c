/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bytes move: specs, files, and the cover of gaps against a map of
   single bytes. */
#include "unit.h"

#include <stdlib.h>

#include "base/typemap.h"

enum { MOST = 4096 };

/* 1 for every byte that moves, found block by block. */
static size_t map_of(const struct typemap *p, unsigned char map[MOST])
{
    size_t moved = 0;

    memset(map, 0, MOST);
    for (size_t i = 0; i < p->n; i++) {
        const struct piece piece = typemap_at(p, i);

        for (size_t j = 0; j < piece.length * p->unit; j++)
            map[piece.at * p->unit + j]++;
    }
    for (size_t i = 0; i < MOST; i++) {
        assert_true(map[i] <= 1);
        moved += map[i];
    }
    return moved;
}

static void covers_what_does_not_move(const struct typemap *p)
{
    static const size_t chunks[] = { 1, 7, 64, MOST };
    const size_t bytes = p->elements * p->unit;
    unsigned char map[MOST], chunk[MOST];

    assert_int_equal(typemap_bytes(p), map_of(p, map));
    for (size_t c = 0; c < LENGTH(chunks); c++)
        for (size_t done = 0; done < bytes; done += chunks[c]) {
            const size_t left = bytes - done;
            const size_t n = left < chunks[c] ? left : chunks[c];

            memset(chunk, 1, sizeof chunk);
            typemap_cover(p, chunk, done, n, 0);
            assert_memory_equal(chunk, map + done, n);
            assert_true(n == MOST || chunk[n] == 1); /* no more than n */
        }
}

static struct typemap of(const char *text, const struct typemap_list *list,
                         size_t unit, size_t bytes)
{
    struct typemap_spec spec;

    assert_null(typemap_parse(text, &spec));
    return typemap_of(&spec, list, unit, bytes);
}

TEST(specs_are_read)
{
    static const char *const wrong[] = { "",
                                         "con",
                                         "vect:",
                                         "vect:8",
                                         "vect:0:1",
                                         "vect:8:0",
                                         "vect:1:2",
                                         "vect:8:-1",
                                         "vect:8:4x",
                                         "vect:-8:-9",
                                         "vect:3000000000:1",
                                         "indx",
                                         "indx:",
                                         "vect:8:4:1" };
    struct typemap_spec spec;

    for (size_t i = 0; i < LENGTH(wrong); i++)
        assert_non_null(typemap_parse(wrong[i], &spec));
    assert_null(typemap_parse("VECT", &spec));
    assert_int_equal(spec.stride, 8);
    assert_int_equal(spec.block, 4);
    assert_null(typemap_parse("indx:a:b", &spec));
    assert_string_equal(spec.path, "a:b");
}

TEST(strides_and_whole_messages)
{
    static const size_t sizes[] = { 0, 4, 8, 24, 28, 32, 1000, 1024, MOST };
    struct typemap_spec none = { .kind = TYPEMAP_WHOLE };

    for (size_t i = 0; i < LENGTH(sizes); i++) {
        struct typemap p = typemap_of(&none, NULL, 4, sizes[i]);

        assert_int_equal(typemap_bytes(&p), sizes[i]);
        covers_what_does_not_move(&p);
        p = of("cont", NULL, 4, sizes[i]);
        assert_int_equal(typemap_bytes(&p), sizes[i]);
        p = of("vect:7:3", NULL, 4, sizes[i]);
        assert_int_equal(p.n, sizes[i] / 28);
        covers_what_does_not_move(&p);
        p = of("vect:3:3", NULL, 1, sizes[i]);
        covers_what_does_not_move(&p);
    }
}

TEST(a_file_to_its_last_block)
{
    char text[] = "# blocks\n0,2\n\n 2 , 1 # touching\r\n10,5\n20,4";
    struct typemap_list list;
    char why[100];

    assert_true(typemap_read(text, &list, why, sizeof why));
    assert_int_equal(list.n, 4);
    struct typemap p = of("indx:x", &list, 8, 8 * 24);
    assert_int_equal(p.n, 4);
    assert_int_equal(typemap_bytes(&p), 8 * 12);
    covers_what_does_not_move(&p);
    p = of("indx:x", &list, 8, 8 * 23);
    assert_int_equal(p.n, 3);
    covers_what_does_not_move(&p);
    p = of("indx:x", &list, 8, 8);
    assert_int_equal(p.n, 0);
    covers_what_does_not_move(&p);
    typemap_release(&list);
}

TEST(files_that_make_no_sense)
{
    static const char *const wrong[] = { "",
                                         "# none\n",
                                         "0,2\n1,2",
                                         "5,1\n0,1",
                                         "0 2",
                                         "0,0",
                                         "-1,2",
                                         "0,2,3",
                                         "0,3000000000",
                                         "a,b",
                                         "0,1\n300000000000000000,1" };

    for (size_t i = 0; i < LENGTH(wrong); i++) {
        struct typemap_list list;
        char why[100] = "", text[100];

        snprintf(text, sizeof text, "%s", wrong[i]);
        assert_false(typemap_read(text, &list, why, sizeof why));
        assert_true(why[0] != '\0');
        typemap_release(&list);
    }
}
