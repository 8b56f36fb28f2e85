/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * typemap.h - which bytes of a message move, where its derived type (-D) has
 *            gaps.
 *
 *   cont               all of them, as one element of a contiguous type;
 *   vect:STRIDE:BLOCK  of every full STRIDE elements the first BLOCK;
 *   indx:FILE          the blocks of a file with lines "DISPLACEMENT,LENGTH",
 *                      in elements, ascending and apart; # begins a comment.
 *
 * The size of a message is the extent of its type.  Blocks that would end
 * after it are left out.
 */
#ifndef TYPEMAP_H
#define TYPEMAP_H

#include <stdbool.h>
#include <stddef.h>

enum typemap_kind { TYPEMAP_WHOLE, TYPEMAP_CONT, TYPEMAP_VECT, TYPEMAP_INDX };

/* What was asked for; TYPEMAP_WHOLE: no derived type. */
struct typemap_spec {
    enum typemap_kind kind;
    const char *text;     /* the words themselves */
    size_t stride, block; /* for vect, elements */
    const char *path;     /* for indx */
};

/* One block, in elements. */
struct piece {
    size_t at, length;
};

/* The blocks of a file. */
struct typemap_list {
    struct piece *piece;
    size_t n;
};

/* The blocks of one message. */
struct typemap {
    enum typemap_kind kind;
    size_t unit;               /* bytes of an element */
    size_t elements;           /* their number in the extent */
    size_t n;                  /* blocks; 0: nothing moves */
    size_t stride, block;      /* elements, unless there is a list */
    const struct piece *piece; /* the list of indx */
};

/* "cont", "vect", "vect:8:4", "indx:FILE"; NULL, or what is wrong. */
const char *typemap_parse(void *spec, const char *text);

/* Blocks out of the text of a file, which is changed.  false: why (room
   bytes) says what is wrong. */
bool typemap_read(char *text, struct typemap_list *list, char *why,
                  size_t room);
void typemap_release(struct typemap_list *list);

/* The blocks of a message of so many bytes, with elements of unit bytes; of a file
   that was not read (NULL) one, of all of it. */
struct typemap typemap_of(const struct typemap_spec *spec,
                          const struct typemap_list *list, size_t unit,
                          size_t bytes);

/* Block i, in elements. */
struct piece typemap_at(const struct typemap *p, size_t i);

/* Bytes that move. */
size_t typemap_bytes(const struct typemap *p);

/* chunk has n bytes of a message, from byte from on: overwrite what does not move. */
void typemap_cover(const struct typemap *p, void *chunk, size_t from, size_t n,
                   int gap);

#endif
