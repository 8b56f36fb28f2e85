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

static void check_mapping(void **state)
{
    const struct mapping *m = *state;
    struct gpu_map map;

    assert_null(gpu_map_parse(m->text, &map));
    for (int i = 0; i < m->ranks; i++) {
        char why[200] = "";

        assert_int_equal(gpu_map_device(&map, i, m->visible, why, sizeof why),
                         m->device[i]);
        assert_int_equal(why[0] != '\0', m->device[i] == GPU_REFUSED);
    }
}

/* Whose words the sentence is made of: word for word. */
static void refusals_say_why(void **state)
{
    struct gpu_map map;
    char why[200];

    (void)state;
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

static void no_local_rank_is_needed_where_nothing_is_chosen(void **state)
{
    struct gpu_map map;
    char why[200];

    (void)state;
    assert_null(gpu_map_parse("none", &map));
    assert_int_equal(gpu_map_device(&map, -1, 4, why, sizeof why), GPU_ANY);
    assert_null(gpu_map_parse("auto", &map));
    assert_int_equal(gpu_map_device(&map, -1, 1, why, sizeof why), 0);
}

static void other_words_are_refused(void **state)
{
    static const char *const texts[] = { "",    "automatic", "1,",
                                         ",1",  "1,,2",      "-1",
                                         "1 2", "0x1",       "99999" };
    struct gpu_map map;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_non_null(gpu_map_parse(texts[i], &map));
}

int main(void)
{
    struct unit_list list = { .n = 0 };
    char name[LENGTH(mappings)][64];

    for (size_t i = 0; i < LENGTH(mappings); i++) {
        snprintf(name[i], sizeof name[i], "%s, %d visible, %d ranks",
                 mappings[i].text, mappings[i].visible, mappings[i].ranks);
        unit_add(&list, name[i], check_mapping, &mappings[i]);
    }
    UNIT_ADD(&list, refusals_say_why);
    UNIT_ADD(&list, no_local_rank_is_needed_where_nothing_is_chosen);
    UNIT_ADD(&list, other_words_are_refused);
    return unit_run("gpu_map", &list);
}
