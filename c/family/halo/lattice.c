/* SPDX-License-Identifier: BSD-3-Clause */
#include "lattice.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/sizes.h"

const char *lattice_parse(void *field, const char *text)
{
    struct lattice *g = field;
    static const char wrong[] = "is none of 2, 3, PxQ and PxQxR (example: 4x2)";
    int n[LATTICE_AXES] = { 0 };
    const char *at = text;

    g->axes = strcmp(text, "2") == 0 ? 2 : strcmp(text, "3") == 0 ? 3 : 0;
    for (int i = 0; g->axes == 0; i++) {
        const char *end;
        const long value = number_whole(at, &end);

        if (i == LATTICE_AXES || end == at || value < 1 || value > INT_MAX)
            return wrong;
        n[i] = (int)value;
        if (*end == '\0')
            g->axes = i + 1;
        else if (*end != 'x')
            return wrong;
        at = end + 1;
    }
    if (g->axes == 1)
        return wrong;
    for (int i = 0; i < LATTICE_AXES; i++)
        g->extent[i] = i < LATTICE_AXES - g->axes ? 1 : n[i - (LATTICE_AXES - g->axes)];
    return NULL;
}

long lattice_ranks(const struct lattice *g)
{
    const double all = (double)g->extent[0] * (double)g->extent[1] * (double)g->extent[2];

    return all < 1e15 ? (long)all : (long)1e15;
}

void lattice_locate(struct lattice *g, int rank)
{
    for (int i = LATTICE_AXES - 1; i >= 0; i--) {
        g->coordinate[i] = rank % g->extent[i];
        rank /= g->extent[i];
    }
}

int lattice_neighbor(const struct lattice *g, const int step[LATTICE_AXES])
{
    int rank = 0;

    for (int i = 0; i < LATTICE_AXES; i++) {
        const int n = g->extent[i], at = g->coordinate[i] + step[i];

        if (g->bounded && (at < 0 || at >= n))
            return -1;
        rank = rank * n + (at + n) % n;
    }
    return rank;
}

static int steps(const int step[LATTICE_AXES])
{
    return (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
}

int lattice_sides(int axes, bool faces, int step[LATTICE_SIDES][LATTICE_AXES])
{
    int n = 0;

    for (int i = 0; i < 27; i++) {
        const int s[LATTICE_AXES] = { i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1 };

        if (steps(s) == 0 || (faces && steps(s) > 1) || (axes == 2 && s[0] != 0))
            continue;
        memcpy(step[n++], s, sizeof s);
    }
    return n;
}

long lattice_ranks_with(const struct lattice *g, const int step[LATTICE_AXES])
{
    long n = 1;

    for (int i = 0; i < LATTICE_AXES; i++)
        n *= g->extent[i] - (g->bounded && step[i] != 0);
    return n;
}

int lattice_number(int axes, const int step[LATTICE_AXES])
{
    return (axes == 2 ? 0 : 9 * (step[0] + 1)) + 3 * (step[1] + 1) + step[2] + 1;
}

size_t lattice_layer(int axes, long edge)
{
    const size_t row = size_product((size_t)edge, sizeof(double));

    return axes == 2 ? row : size_product(row, (size_t)edge);
}

long lattice_edge(int axes, size_t bytes)
{
    const size_t most = SIZE_MAX / 2; /* products that are too large are SIZE_MAX */
    const size_t cells = (bytes < most ? bytes : most) / sizeof(double);
    long edge = axes == 2 ? (long)cells : (long)sqrt((double)cells);

    /* A root is rounded. */
    while (edge > 0 && lattice_layer(axes, edge) > bytes)
        edge--;
    while (lattice_layer(axes, edge + 1) <= bytes && lattice_layer(axes, edge + 1) <= most)
        edge++;
    return edge;
}

struct block lattice_block(int axes, long edge, int width)
{
    struct block b;

    for (int i = 0; i < LATTICE_AXES; i++) {
        const bool used = i >= LATTICE_AXES - axes;

        b.cells[i] = !used ? 1 : edge < LATTICE_EDGE_MOST ? (int)edge : LATTICE_EDGE_MOST;
        b.halo[i] = used ? width : 0;
    }
    return b;
}

size_t lattice_all_entries(const struct block *b)
{
    return size_product(size_product((size_t)lattice_entries(b, 0), (size_t)lattice_entries(b, 1)),
                        (size_t)lattice_entries(b, 2));
}

struct box lattice_sent(const struct block *b, const int step[LATTICE_AXES])
{
    struct box box;

    for (int i = 0; i < LATTICE_AXES; i++) {
        box.at[i] = step[i] > 0 ? b->cells[i] : b->halo[i];
        box.length[i] = step[i] != 0 ? b->halo[i] : b->cells[i];
    }
    return box;
}

/* As far outside as the halo is wide. */
struct box lattice_halo(const struct block *b, const int step[LATTICE_AXES])
{
    struct box box = lattice_sent(b, step);

    for (int i = 0; i < LATTICE_AXES; i++)
        box.at[i] += step[i] * b->halo[i];
    return box;
}
