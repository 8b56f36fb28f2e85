/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lacks.h - why a row that was asked for cannot be measured.
 *
 * Each reason is one text, the end of a sentence about rows; its address tells it from others.
 */
#ifndef LACKS_H
#define LACKS_H

#include "report/rows.h"

struct context;

/* Their counts are more than an int: of the MPI library, so that E11 says it. */
extern const char lacks_countable[];

/* Why the program, or that section of its table, has no such size: of the type, of partitions,
   of its family, which may say row_unasked.  NULL: it has. */
const char *lacks_size(const struct context *c, const struct row *row);

/* Why so many elements cannot be communicated here; blocks are those of -D indx, NULL: not
   known.  NULL: they can. */
const char *lacks_elements(const struct context *c,
                           const struct typemap_list *blocks,
                           const struct row *row);

#endif
