/* SPDX-License-Identifier: BSD-3-Clause */
#include "typemap.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"

/* Elements in front of a block: bytes of them still fit into an address. */
static const long FARTHEST = 1l << 48;

const char *typemap_parse(void *field, const char *text)
{
    struct typemap_spec *const spec = field;
    const char *const all = "is not cont, vect:STRIDE:BLOCK or indx:FILE";
    long part[2];

    *spec = (struct typemap_spec){ .kind = TYPEMAP_CONT, .text = text };
    if (strcasecmp(text, "cont") == 0)
        return NULL;
    if (strncasecmp(text, "indx:", 5) == 0 && text[5] != '\0') {
        spec->kind = TYPEMAP_INDX;
        spec->path = text + 5;
        return NULL;
    }
    spec->kind = TYPEMAP_VECT;
    spec->stride = 8;
    spec->block = 4;
    if (strcasecmp(text, "vect") == 0)
        return NULL;
    if (strncasecmp(text, "vect:", 5) != 0 || !number_pair(text + 5, ':', part))
        return all;
    if (part[1] < 1 || part[0] > INT_MAX)
        return "has no block of at least one element, or a stride above "
               "2147483647";
    if (part[1] > part[0])
        return "has blocks longer than their stride, so that they overlap";
    spec->stride = (size_t)part[0];
    spec->block = (size_t)part[1];
    return NULL;
}

/* A block of a line; NULL, or what is wrong with it. */
static const char *read_line(const char *line, struct typemap_list *list)
{
    const struct piece *last = list->n > 0 ? &list->piece[list->n - 1] : NULL;
    long part[2];

    if (!number_pair(line, ',', part) || part[0] < 0 || part[0] > FARTHEST ||
        part[1] < 1 || part[1] > INT_MAX)
        return "is not DISPLACEMENT,LENGTH in elements";
    if (last != NULL && (size_t)part[0] < last->at + last->length)
        return "begins before the end of the block above it";
    /* Room doubles whenever the number is a power of two. */
    if ((list->n & (list->n - 1)) == 0) {
        struct piece *longer = realloc(
            list->piece, (list->n > 0 ? 2 * list->n : 1) * sizeof *list->piece);

        if (longer == NULL)
            return "is one too many for the memory";
        list->piece = longer;
    }
    list->piece[list->n++] = (struct piece){ (size_t)part[0], (size_t)part[1] };
    return NULL;
}

bool typemap_read(char *text, struct typemap_list *list, char *why, size_t room)
{
    int line = 0;

    *list = (struct typemap_list){ 0 };
    for (char *next, *at = text; at != NULL && *at != '\0'; at = next) {
        const char *wrong = NULL;

        next = strchr(at, '\n');
        if (next != NULL)
            *next++ = '\0';
        line++;
        at[strcspn(at, "#\r")] = '\0';
        if (at[strspn(at, " \t")] != '\0')
            wrong = read_line(at, list);
        if (wrong != NULL) {
            snprintf(why, room, "line %d %s: '%.40s'", line, wrong, at);
            return false;
        }
    }
    if (list->n == 0)
        snprintf(why, room, "the file has no blocks");
    return list->n > 0;
}

void typemap_release(struct typemap_list *list)
{
    free(list->piece);
    *list = (struct typemap_list){ 0 };
}

struct typemap typemap_of(const struct typemap_spec *spec,
                          const struct typemap_list *list, size_t unit,
                          size_t bytes)
{
    struct typemap p = { .kind = spec->kind,
                         .unit = unit,
                         .elements = bytes / unit,
                         .n = 1,
                         .stride = bytes / unit,
                         .block = bytes / unit };

    if (spec->kind == TYPEMAP_VECT) {
        p.n = p.elements / spec->stride;
        p.stride = spec->stride;
        p.block = spec->block;
    }
    if (spec->kind == TYPEMAP_INDX && list != NULL) {
        p.piece = list->piece;
        for (p.n = 0; p.n < list->n; p.n++)
            if (p.piece[p.n].at + p.piece[p.n].length > p.elements)
                break;
    }
    return p;
}

struct piece typemap_at(const struct typemap *p, size_t i)
{
    return p->piece != NULL ? p->piece[i]
                            : (struct piece){ i * p->stride, p->block };
}

size_t typemap_bytes(const struct typemap *p)
{
    size_t elements = 0;

    if (p->piece == NULL)
        return p->n * p->block * p->unit;
    for (size_t i = 0; i < p->n; i++)
        elements += p->piece[i].length;
    return elements * p->unit;
}

/* The first block that ends after an element; n: none. */
static size_t first_after(const struct typemap *p, size_t element)
{
    size_t low = 0, high = p->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct piece piece = typemap_at(p, middle);

        if (piece.at + piece.length > element)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void typemap_cover(const struct typemap *p, void *chunk, size_t from, size_t n,
                   int gap)
{
    const size_t end = from + n;
    size_t i = first_after(p, from / p->unit), at = from;

    while (at < end) {
        size_t begin = end, after = end;

        if (i < p->n) {
            const struct piece piece = typemap_at(p, i++);

            begin = piece.at * p->unit;
            after = begin + piece.length * p->unit;
        }
        if (begin > at)
            memset((char *)chunk + (at - from), gap,
                   (begin < end ? begin : end) - at);
        at = after;
    }
}
