/* SPDX-License-Identifier: BSD-3-Clause */
/* Which GPU a rank gets: every policy, for nodes of 0 to 8 of them. */
#include "unit.h"

#include "options/gpu_map.h"

static const struct mapping {
    const char *text;
    int visible, ranks;
    int device[8]; /* of local ranks 0, 1, ... */
} mappings[] = {
    { "auto", 1, 1, { 0 } },
    { "auto",
      1,
      4,
      { 0, 0, 0, 0 } }, /* a mask of its own, or the same: later */
    { "auto", 2, 4, { 0, 1, GPU_REFUSED, GPU_REFUSED } },
    { "auto", 4, 4, { 0, 1, 2, 3 } },
    { "auto", 4, 2, { 0, 1 } },
    { "strict", 1, 2, { 0, GPU_REFUSED } },
    { "strict", 2, 2, { 0, 1 } },
    { "modulo", 1, 4, { 0, 0, 0, 0 } },
    { "modulo", 2, 4, { 0, 1, 0, 1 } },
    { "modulo", 4, 8, { 0, 1, 2, 3, 0, 1, 2, 3 } },
    { "none", 4, 2, { GPU_ANY, GPU_ANY } },
    { "3,1", 4, 3, { 3, 1, GPU_REFUSED } },
    { "3,1", 2, 2, { GPU_REFUSED, 1 } },
    { "0,0", 1, 2, { 0, 0 } },
    { "MODULO", 2, 3, { 0, 1, 0 } },
};

TEST_ROWS(mappings, mapping_is)
{
    struct gpu_map map;

    assert_null(gpu_map_parse(row->text, &map));
    for (int i = 0; i < row->ranks; i++) {
        char why[200] = "";

        assert_int_equal(gpu_map_device(&map, i, row->visible, why, sizeof why),
                         row->device[i]);
        assert_int_equal(why[0] != '\0', row->device[i] == GPU_REFUSED);
    }
}

/* Whose words the sentence is made of: word for word. */
TEST(refusals_say_why)
{
    struct gpu_map map;
    char why[200];

    assert_null(gpu_map_parse("auto", &map));
    gpu_map_device(&map, 4, 2, why, sizeof why);
    assert_string_equal(why,
                        "local rank 4, but 2 visible GPUs: start fewer ranks "
                        "per node, or let them share with --gpu-map=modulo");
    gpu_map_device(&map, -1, 2, why, sizeof why);
    assert_string_equal(
        why, "the launcher does not set a local rank, so none of 2 GPUs "
             "can be chosen; --gpu-map=none leaves the choice to the "
             "environment");
    assert_null(gpu_map_parse("strict", &map));
    gpu_map_device(&map, 1, 1, why, sizeof why);
    assert_string_equal(
        why, "local rank 1, but 1 visible GPU: start fewer ranks per "
             "node, or let them share with --gpu-map=modulo");
    assert_null(gpu_map_parse("0", &map));
    gpu_map_device(&map, 1, 1, why, sizeof why);
    assert_string_equal(why, "local rank 1, but --gpu-map names 1 device");
    assert_null(gpu_map_parse("7", &map));
    gpu_map_device(&map, 0, 2, why, sizeof why);
    assert_string_equal(why,
                        "--gpu-map names device 7, but only 2 are visible");
}

TEST(no_local_rank_is_needed_where_nothing_is_chosen)
{
    struct gpu_map map;
    char why[200];

    assert_null(gpu_map_parse("none", &map));
    assert_int_equal(gpu_map_device(&map, -1, 4, why, sizeof why), GPU_ANY);
    assert_null(gpu_map_parse("auto", &map));
    assert_int_equal(gpu_map_device(&map, -1, 1, why, sizeof why), 0);
}

TEST(other_words_are_refused)
{
    static const char *const texts[] = { "",    "automatic", "1,",
                                         ",1",  "1,,2",      "-1",
                                         "1 2", "0x1",       "99999" };
    struct gpu_map map;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_non_null(gpu_map_parse(texts[i], &map));
}
