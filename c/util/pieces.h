/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - which bytes of a message move, where its derived type (-D) has
 *            gaps.
 *
 *   cont               all of them, as one element of a contiguous type;
 *   vect:STRIDE:BLOCK  of every full STRIDE elements the first BLOCK;
 *   indx:FILE          the blocks of a file with lines "DISPLACEMENT,LENGTH",
 *                      in elements, ascending and apart; # begins a comment.
 *
 * The size of a message is the extent of its type.  Blocks that would end
 * behind it are left out.
 */
#ifndef PIECES_H
#define PIECES_H

#include <stdbool.h>
#include <stddef.h>

enum pieces_kind { PIECES_WHOLE, PIECES_CONT, PIECES_VECT, PIECES_INDX };

/* What was asked for; PIECES_WHOLE: no derived type. */
struct pieces_spec {
    enum pieces_kind kind;
    const char *text;     /* the words themselves */
    size_t stride, block; /* of vect, in elements */
    const char *path;     /* of indx */
};

/* One block, in elements. */
struct piece {
    size_t at, length;
};

/* The blocks of a file. */
struct pieces_list {
    struct piece *piece;
    size_t n;
};

/* Those of one message. */
struct pieces {
    enum pieces_kind kind;
    size_t unit;               /* bytes of an element */
    size_t elements;           /* in the extent */
    size_t n;                  /* blocks; 0: nothing moves */
    size_t stride, block;      /* in elements, unless there is a list */
    const struct piece *piece; /* of indx */
};

/* "cont", "vect", "vect:8:4", "indx:FILE"; NULL, or what is wrong. */
const char *pieces_parse(const char *text, struct pieces_spec *spec);

/* Blocks out of the text of a file, which is changed.  false: why (room
   bytes) says what is wrong. */
bool pieces_read(char *text, struct pieces_list *list, char *why, size_t room);
void pieces_release(struct pieces_list *list);

/* Of a message of so many bytes, of elements of unit bytes. */
struct pieces pieces_of(const struct pieces_spec *spec,
                        const struct pieces_list *list, size_t unit,
                        size_t bytes);

/* Block i, in elements. */
struct piece pieces_at(const struct pieces *p, size_t i);

/* Bytes that move. */
size_t pieces_bytes(const struct pieces *p);

/* chunk holds the n bytes of a message from the byte from on: overwrite with
   gap what does not move. */
void pieces_cover(const struct pieces *p, void *chunk, size_t from, size_t n,
                  int gap);

#endif
