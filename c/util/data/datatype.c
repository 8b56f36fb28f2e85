/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "job/world.h"

/* --- Which bytes of a message move ------------------------------------------------- */

/* Elements in front of a block: bytes of them still fit into an address. */
static const long FARTHEST = 1l << 48;

/* A block of a line; NULL, or what is wrong with it. */
static const char *read_line(const char *line, struct typemap_list *list)
{
    const struct piece *last = list->n > 0 ? &list->piece[list->n - 1] : NULL;
    long part[2];

    if (!number_pair(line, ',', part) || part[0] < 0 || part[0] > FARTHEST || part[1] < 1 ||
        part[1] > INT_MAX)
        return "is not DISPLACEMENT,LENGTH in elements";
    if (last != NULL && (size_t)part[0] < last->at + last->length)
        return "begins before the end of the block above it";
    /* Room doubles whenever the number is a power of two. */
    if ((list->n & (list->n - 1)) == 0) {
        struct piece *longer =
            realloc(list->piece, (list->n > 0 ? 2 * list->n : 1) * sizeof *list->piece);

        if (longer == NULL)
            return "is one too many for the memory";
        list->piece = longer;
    }
    list->piece[list->n++] = (struct piece){ (size_t)part[0], (size_t)part[1] };
    return NULL;
}

/* Blocks out of the text of a file, which is changed.  false: why (room bytes) says what is
   wrong. */
static bool read_blocks(char *text, struct typemap_list *list, char *why, size_t room)
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

bool derived_read(const struct typemap_spec *spec, MPI_Comm comm, struct typemap_list *list,
                  char *why, size_t room)
{
    char *text, wrong[120] = "cannot be read";
    bool good;

    if (spec->kind != TYPEMAP_INDX)
        return true;
    text = world_read_file(spec->path, comm);
    good = text != NULL && read_blocks(text, list, wrong, sizeof wrong);
    if (!good)
        snprintf(why, room, "-D indx:%.120s: %s", spec->path, wrong);
    free(text);
    return good;
}

struct typemap typemap_of(const struct typemap_spec *spec, const struct typemap_list *list,
                          size_t unit, size_t bytes)
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

size_t typemap_bytes(const struct typemap *p)
{
    size_t elements = 0;

    if (p->piece == NULL)
        return p->n * p->block * p->unit;
    for (size_t i = 0; i < p->n; i++)
        elements += p->piece[i].length;
    return elements * p->unit;
}

/* --- The type of them -------------------------------------------------------------- */

/* Extensions of MPICH. */
#ifndef MPIX_C_FLOAT16
#    define MPIX_C_FLOAT16 MPI_DATATYPE_NULL
#endif
#ifndef MPIX_BFLOAT16
#    define MPIX_BFLOAT16 MPI_DATATYPE_NULL
#endif

enum { CHUNK = 1 << 20 }; /* elements in one block of a very large message */

/* Contiguous; beyond an int as blocks of CHUNK elements and the rest. */
static MPI_Datatype contiguous(MPI_Datatype base, size_t size, size_t count)
{
    const int blocks = (int)(count / CHUNK), rest = (int)(count % CHUNK);
    const MPI_Aint displacement[2] = { 0, (MPI_Aint)blocks * CHUNK * (MPI_Aint)size };
    const int length[2] = { 1, rest };
    MPI_Datatype chunk, part[2], whole;

    if (count <= INT_MAX) {
        MPI_Type_contiguous((int)count, base, &whole);
        return whole;
    }
    MPI_Type_contiguous(CHUNK, base, &chunk);
    MPI_Type_contiguous(blocks, chunk, &part[0]);
    part[1] = base;
    MPI_Type_create_struct(rest > 0 ? 2 : 1, length, displacement, part, &whole);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&chunk);
    return whole;
}

static MPI_Datatype indexed(MPI_Datatype base, const struct typemap *p)
{
    int *const length = world_room(p->n, sizeof *length, "a datatype");
    MPI_Aint *const displacement = world_room(p->n, sizeof *displacement, "a datatype");
    MPI_Datatype type;

    for (size_t i = 0; i < p->n; i++) {
        length[i] = (int)p->piece[i].length;
        displacement[i] = (MPI_Aint)(p->piece[i].at * p->unit);
    }
    MPI_Type_create_hindexed((int)p->n, length, displacement, base, &type);
    free(length);
    free(displacement);
    return type;
}

/* A committed type of those pieces, whose extent is that of the message: blocks
   of a collective lie side by side.  False: MPI cannot count them. */
static bool derive(const struct typemap *p, MPI_Datatype base, MPI_Datatype *type)
{
    MPI_Datatype part;

    if (p->n > INT_MAX || p->elements / CHUNK > INT_MAX)
        return false;
    if (p->kind == TYPEMAP_VECT)
        MPI_Type_create_hvector((int)p->n, (int)p->block, (MPI_Aint)(p->stride * p->unit), base,
                                &part);
    else
        part = p->kind == TYPEMAP_INDX ? indexed(base, p) : contiguous(base, p->unit, p->elements);
    MPI_Type_create_resized(part, 0, (MPI_Aint)(p->elements * p->unit), type);
    MPI_Type_commit(type);
    MPI_Type_free(&part);
    return true;
}

MPI_Datatype datatype_of(enum element element)
{
    const MPI_Datatype types[ELEMENT_COUNT] = {
        [ELEMENT_CHAR] = MPI_CHAR,
        [ELEMENT_SIGNED_CHAR] = MPI_SIGNED_CHAR,
        [ELEMENT_INT] = MPI_INT,
        [ELEMENT_FLOAT] = MPI_FLOAT,
        [ELEMENT_DOUBLE] = MPI_DOUBLE,
        [ELEMENT_INT64] = MPI_INT64_T,
        [ELEMENT_UINT8] = MPI_UINT8_T,
        [ELEMENT_UINT64] = MPI_UINT64_T,
        [ELEMENT_COMPLEX] = MPI_C_FLOAT_COMPLEX,
        [ELEMENT_FLOAT16] = MPIX_C_FLOAT16,
        [ELEMENT_BFLOAT16] = MPIX_BFLOAT16,
    };

    return types[element];
}

bool datatype_message(enum element element, const struct typemap *pieces, bool sum,
                      struct message_type *message)
{
    *message = (struct message_type){ .type = datatype_of(element) };
    if (pieces->kind == TYPEMAP_WHOLE && (pieces->elements <= INT_MAX || LARGE_COUNTS)) {
        message->count = (bench_count)pieces->elements;
        return true;
    }
    message->count = 1;
    message->derived = !sum && derive(pieces, message->type, &message->type);
    return message->derived;
}
