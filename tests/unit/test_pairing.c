/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks are partners: every --pairs, on nodes of any number of ranks. */
#include "unit.h"

#include "options/pairing.h"
#include "unit_random.h"

enum { RANKS = 10 };

static const struct pairing_row {
    const char *name, *text;
    int pairs;
    int partner[6]; /* of ranks 0 to 5; -1: none */
    unsigned first; /* bits */
} pairing_rows[] = {
    { "auto", "auto", 3, { 3, 4, 5, 0, 1, 2 }, 0x07 },
    { "auto, one pair", "auto", 1, { 1, 0, -1, -1, -1, -1 }, 0x01 },
    { "auto, two pairs", "AUTO", 2, { 2, 3, 0, 1, -1, -1 }, 0x03 },
    { "cyclic", "cyclic", 3, { 1, 0, 3, 2, 5, 4 }, 0x15 },
    { "cyclic, one pair", "cyclic", 1, { 1, 0, -1, -1, -1, -1 }, 0x01 },
    { "a list", "5-0,1-4", 2, { 5, 4, -1, -1, 1, 0 }, 0x22 },
    { "a list of one", "2-3", 1, { -1, -1, 3, 2, -1, -1 }, 0x04 },
};

TEST_ROWS(pairing_rows, partners_are_as_the_words_say)
{
    struct pairing p;

    assert_null(pairing_parse(row->text, &p));
    for (int i = 0; i < 6; i++) {
        const struct partner partner = pairing_partner(&p, row->pairs, i);

        assert_int_equal(partner.number, row->partner[i]);
        assert_int_equal(partner.first, row->first >> i & 1);
    }
    if (p.kind == PAIRING_LIST)
        assert_int_equal(p.n, row->pairs);
}

static const struct node_row {
    const char *name;
    enum pairing_kind kind;
    const char *nodes; /* of each rank, a letter */
    int asked, pairs;
    int partner[RANKS];
    const char *why;
} node_rows[] = {
    { "blocks between", PAIRING_INTER, "aabb", 0, 2, { 2, 3, 0, 1 }, "" },
    { "in turn between", PAIRING_INTER, "abab", 0, 2, { 1, 0, 3, 2 }, "" },
    { "names that sort unlike ranks",
      PAIRING_INTER,
      "bbaa",
      0,
      2,
      { 2, 3, 0, 1 },
      "" },
    { "three nodes", PAIRING_INTER, "aabbcc", 0, 3, { 3, 4, 5, 0, 1, 2 }, "" },
    { "a large node", PAIRING_INTER, "aaabbc", 0, 3, { 3, 4, 5, 0, 1, 2 }, "" },
    { "blocks within", PAIRING_INTRA, "aabb", 0, 2, { 1, 0, 3, 2 }, "" },
    { "in turn within", PAIRING_INTRA, "abab", 0, 2, { 2, 3, 0, 1 }, "" },
    { "four of a node",
      PAIRING_INTRA,
      "aaaabb",
      0,
      3,
      { 2, 3, 0, 1, 5, 4 },
      "" },
    { "too large a node",
      PAIRING_INTER,
      "aaab",
      0,
      0,
      { 3, -1, -1, 0 },
      "--pairs=inter makes only pairs=1 of 2; ranks=4; start as many ranks on "
      "each node, or list the pairs" },
    { "as many as asked for",
      PAIRING_INTER,
      "aaab",
      1,
      1,
      { 3, -1, -1, 0 },
      "" },
    { "odd nodes",
      PAIRING_INTRA,
      "aaab",
      0,
      0,
      { 1, 0, -1, -1 },
      "--pairs=intra makes only pairs=1 of 2; ranks=4; start an even number of "
      "ranks on every node, or list the pairs" },
    { "one node",
      PAIRING_INTER,
      "aaaa",
      0,
      0,
      { -1, -1, -1, -1 },
      "--pairs=inter: all ranks are on one node" },
    { "one rank each",
      PAIRING_INTRA,
      "abcd",
      0,
      0,
      { -1, -1, -1, -1 },
      "--pairs=intra: no two ranks are on one node" },
};

TEST_ROWS(node_rows, partners_are_where_the_words_say)
{
    const int n = (int)strlen(row->nodes);
    struct partner partner[RANKS];
    int home[RANKS] = { 0 };
    char why[300] = "";

    for (int i = 0; i < n; i++)
        home[i] = (int)(strchr(row->nodes, row->nodes[i]) - row->nodes);
    assert_int_equal(pairing_by_node(row->kind, home, n, row->asked, partner,
                                     why, sizeof why),
                     row->pairs);
    assert_string_equal(why, row->why);
    for (int i = 0; i < n; i++)
        assert_int_equal(partner[i].number, row->partner[i]);
}

/* The most pairs there can be, and each as it should be. */
TEST(any_nodes_are_paired_as_far_as_possible)
{
    unit_random_state = 1;
    for (int round = 0; round < 20000; round++) {
        const int n = 1 + (int)(unit_uniform() * RANKS);
        const int nodes = 1 + (int)(unit_uniform() * 4);
        const bool inter = round % 2;
        struct partner partner[RANKS];
        int home[RANKS], node[RANKS], ranks_of[4] = { 0 }, largest = 0,
                                      most = 0, paired = 0;
        char why[300] = "";

        for (int i = 0; i < n; i++) {
            node[i] = (int)(unit_uniform() * nodes);
            ranks_of[node[i]]++;
            for (home[i] = 0; node[home[i]] != node[i];)
                home[i]++;
        }
        for (int i = 0; i < 4; i++) {
            largest = ranks_of[i] > largest ? ranks_of[i] : largest;
            most += ranks_of[i] / 2;
        }
        if (inter)
            most = n - largest < n / 2 ? n - largest : n / 2;
        const int made = pairing_by_node(inter ? PAIRING_INTER : PAIRING_INTRA,
                                         home, n, 0, partner, why, sizeof why);

        assert_int_equal(made, most == n / 2 ? most : 0);
        for (int i = 0; i < n; i++) {
            const int other = partner[i].number;

            if (other < 0)
                continue;
            paired++;
            assert_int_equal(partner[other].number, i);
            assert_int_equal(partner[other].first, !partner[i].first);
            assert_int_equal(node[other] != node[i], inter);
        }
        assert_int_equal(paired, 2 * most);
    }
}

TEST(other_words_are_refused)
{
    static const char *const texts[] = {
        "",        "block",   "1",     "0-",
        "-1",      "0-1,",    ",0-1",  "0-0",
        "0-1,1-2", "0-1 2-3", "0--1",  "0-1,,2-3",
        "0:1",     "0-1;2-3", "0x0-1", "0-99999999999999999999",
    };
    struct pairing p;

    for (size_t i = 0; i < LENGTH(texts); i++)
        if (pairing_parse(texts[i], &p) == NULL)
            fail_msg("accepted: %s", texts[i]);
    assert_string_equal(pairing_parse("0-1,2-0", &p), "names a rank twice");
    assert_null(pairing_parse("0-7,3-1", &p));
    assert_int_equal(p.last, 7);
}
