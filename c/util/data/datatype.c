/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "job/mpi_features.h"
#include "job/world.h"

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
    const MPI_Aint place[2] = { 0, (MPI_Aint)blocks * CHUNK * (MPI_Aint)size };
    const int length[2] = { 1, rest };
    MPI_Datatype chunk, part[2], whole;

    if (count <= INT_MAX) {
        MPI_Type_contiguous((int)count, base, &whole);
        return whole;
    }
    MPI_Type_contiguous(CHUNK, base, &chunk);
    MPI_Type_contiguous(blocks, chunk, &part[0]);
    part[1] = base;
    MPI_Type_create_struct(rest > 0 ? 2 : 1, length, place, part, &whole);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&chunk);
    return whole;
}

static bool indexed(MPI_Datatype base, const struct typemap *p,
                    MPI_Datatype *type)
{
    int *length = malloc(p->n * sizeof *length);
    MPI_Aint *place = malloc(p->n * sizeof *place);
    const bool good = length != NULL && place != NULL;

    for (size_t i = 0; good && i < p->n; i++) {
        length[i] = (int)p->piece[i].length;
        place[i] = (MPI_Aint)(p->piece[i].at * p->unit);
    }
    if (good)
        MPI_Type_create_hindexed((int)p->n, length, place, base, type);
    free(length);
    free(place);
    return good;
}

/* A committed type of those pieces, whose extent is that of the message: blocks
   of a collective lie side by side.  False: MPI cannot count them, or no memory. */
static bool derive(const struct typemap *p, MPI_Datatype base,
                   MPI_Datatype *type)
{
    MPI_Datatype part;

    if (p->n > INT_MAX || p->elements / CHUNK > INT_MAX)
        return false;
    if (p->kind == TYPEMAP_VECT)
        MPI_Type_create_hvector((int)p->n, (int)p->block,
                                (MPI_Aint)(p->stride * p->unit), base, &part);
    else if (p->kind != TYPEMAP_INDX)
        part = contiguous(base, p->unit, p->elements);
    else if (!indexed(base, p, &part))
        return false;
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

/* MPICH has a handle for each type; one that it was built without has no name. */
static bool has_name(MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;

    PMPI_Type_get_name(type, name, &length);
    return length > 0;
}

const char *datatype_missing(const enum element *types, int n, bool runs)
{
    for (int i = 0; i < n; i++) {
        const MPI_Datatype type = datatype_of(types[i]);

        if (type == MPI_DATATYPE_NULL || (runs && !has_name(type)))
            return element_name(types[i]);
    }
    return NULL;
}

bool datatype_message(enum element element, const struct typemap *pieces,
                      bool sum, struct message_type *message)
{
    *message = (struct message_type){ .type = datatype_of(element) };
    if (pieces->kind == TYPEMAP_WHOLE &&
        (pieces->elements <= INT_MAX || LARGE_COUNTS)) {
        message->count = (bench_count)pieces->elements;
        return true;
    }
    message->count = 1;
    message->derived = !sum && derive(pieces, message->type, &message->type);
    return message->derived;
}

void datatype_release(struct message_type *message)
{
    if (message->derived)
        MPI_Type_free(&message->type);
    message->derived = false;
}

bool derived_read(const struct typemap_spec *spec, MPI_Comm comm,
                  struct typemap_list *list, char *why, size_t room)
{
    char *text, wrong[120] = "cannot be read";
    bool good;

    if (spec->kind != TYPEMAP_INDX)
        return true;
    text = world_read_file(spec->path, comm);
    good = text != NULL && typemap_read(text, list, wrong, sizeof wrong);
    if (!good)
        snprintf(why, room, "-D indx:%.120s: %s", spec->path, wrong);
    free(text);
    return good;
}
