/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids of ranks: what a rank sends to a side is what the halo there must hold, down
   to the corners, on grids of every small extent. */
#include "unit.h"

#include "halo/lattice.h"

static const struct parse_row {
    const char *name;
    int axes, extent[LATTICE_AXES]; /* axes 0: refused */
} parse_rows[] = {
    { "2", 2, { 1, 0, 0 } },     { "3", 3, { 0, 0, 0 } },
    { "4x2", 2, { 1, 4, 2 } },   { "1x5", 2, { 1, 1, 5 } },
    { "2x3x4", 3, { 2, 3, 4 } }, { "", 0, { 0 } },
    { "1", 0, { 0 } },           { "4", 0, { 0 } },
    { "12", 0, { 0 } },          { "2x", 0, { 0 } },
    { "x2", 0, { 0 } },          { "0x2", 0, { 0 } },
    { "-1x2", 0, { 0 } },        { "2x3z", 0, { 0 } },
    { "2x 3", 0, { 0 } },        { "2x2x2x2", 0, { 0 } },
    { "2x2x", 0, { 0 } },        { "9999999999x2", 0, { 0 } },
};

TEST_ROWS(parse_rows, grids_are_read)
{
    struct lattice g = { .axes = 0 };
    const char *why = lattice_parse(row->name, &g);

    assert_int_equal(why == NULL, row->axes > 0);
    if (why != NULL)
        return;
    assert_int_equal(g.axes, row->axes);
    assert_memory_equal(g.extent, row->extent, sizeof g.extent);
}

/* The cell of the whole grid that entry i of an axis stands for. */
static int whole(const struct lattice *g, const struct block *b, int axis,
                 int i)
{
    const int all = g->extent[axis] * b->cells[axis];

    return (g->place[axis] * b->cells[axis] + i - b->halo[axis] + all) % all;
}

/* Entry for entry, what the rank on that side sends back is what belongs here. */
static void check_side(const struct lattice *g, const struct block *b,
                       const int step[LATTICE_AXES])
{
    const int back[] = { -step[0], -step[1], -step[2] };
    const int rank = lattice_neighbor(g, step);
    const struct box here = lattice_halo(b, step);
    const struct box there = lattice_sent(b, back);
    struct lattice other = *g;

    if (rank < 0)
        return;
    lattice_place(&other, rank);
    assert_memory_equal(here.length, there.length, sizeof here.length);
    for (int axis = 0; axis < LATTICE_AXES; axis++) {
        assert_in_range(here.at[axis] + here.length[axis], 1,
                        lattice_entries(b, axis));
        for (int i = 0; i < here.length[axis]; i++)
            assert_int_equal(whole(g, b, axis, here.at[axis] + i),
                             whole(&other, b, axis, there.at[axis] + i));
    }
}

static void check_rank(const struct lattice *g, const struct block *b,
                       long with[LATTICE_SIDES])
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(g->axes, false, step);
    size_t cells = 1;

    for (int i = 0; i < LATTICE_AXES; i++)
        cells *= (size_t)b->cells[i];
    for (int i = 0; i < n; i++) {
        const struct box box = lattice_halo(b, step[i]);

        check_side(g, b, step[i]);
        with[i] += lattice_neighbor(g, step[i]) >= 0;
        cells += lattice_cells(&box);
    }
    /* The sides and the own cells are the whole array. */
    assert_int_equal(cells, lattice_all_entries(b));
}

static void check_grid(struct lattice g, const struct block *b)
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(g.axes, false, step);
    long with[LATTICE_SIDES] = { 0 };

    for (int rank = 0; rank < lattice_ranks(&g); rank++) {
        lattice_place(&g, rank);
        assert_int_equal(lattice_neighbor(&g, (int[]){ 0, 0, 0 }), rank);
        check_rank(&g, b, with);
    }
    for (int i = 0; i < n; i++)
        assert_int_equal(with[i], lattice_ranks_with(&g, step[i]));
}

TEST(halos_hold_what_neighbors_send)
{
    for (int i = 0; i < 2 * 2 * 4 * 4 * 4; i++) {
        const bool open = i & 1, flat = i & 2;
        const int axes = flat ? 2 : 3;
        const struct lattice g = { .axes = axes,
                                   .extent = { flat ? 1 : 1 + i / 4 % 4,
                                               1 + i / 16 % 4, 1 + i / 64 % 4 },
                                   .bounded = open };

        for (int width = 1; width <= 3; width++) {
            const struct block b = lattice_block(axes, 3, width);

            check_grid(g, &b);
        }
    }
}

TEST(sides_have_numbers)
{
    int step[LATTICE_SIDES][LATTICE_AXES];

    assert_int_equal(lattice_sides(2, true, step), 4);
    assert_int_equal(lattice_sides(3, true, step), 6);
    assert_int_equal(lattice_sides(2, false, step), 8);
    assert_int_equal(lattice_number(2, step[0]), 0);
    assert_int_equal(lattice_number(2, step[7]), 8);
    assert_int_equal(lattice_number(2, (int[]){ 0, 0, 0 }), 4);
    assert_int_equal(lattice_sides(3, false, step), 26);
    for (int i = 0; i < 26; i++)
        assert_int_equal(lattice_number(3, step[i]), i + (i >= 13));
}

TEST(edges_follow_from_sizes)
{
    assert_int_equal(lattice_edge(2, 8), 1);
    assert_int_equal(lattice_edge(2, 1000), 125);
    assert_int_equal(lattice_edge(3, 8), 1);
    assert_int_equal(lattice_edge(3, 31), 1);
    assert_int_equal(lattice_edge(3, 32), 2);
    assert_int_equal(lattice_edge(3, 0), 0);
    /* What no memory holds does not look small. */
    for (int axes = 2; axes <= 3; axes++) {
        const struct block b =
            lattice_block(axes, lattice_edge(axes, SIZE_MAX), 1);

        assert_int_equal(b.cells[2], LATTICE_EDGE_MOST);
        assert_true(lattice_all_entries(&b) > (size_t)1 << 57);
    }
    for (long edge = 1; edge < 3000; edge++) {
        const size_t bytes = lattice_layer(3, edge);

        assert_int_equal(lattice_edge(3, bytes), edge);
        assert_int_equal(lattice_edge(3, bytes - 1), edge - 1);
    }
}
