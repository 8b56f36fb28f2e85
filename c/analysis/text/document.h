/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * document.h - an answer, made once: headings, sentences, lists and tables.  Writers print it
 *              as text, as Markdown, or as a part of a page in HTML.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum document_kind {
    DOCUMENT_TITLE,   /* of the whole document */
    DOCUMENT_HEADING, /* of what follows */
    DOCUMENT_ANSWER, /* what the reader wants to know: Markdown has it below the title */
    DOCUMENT_ADVICE, /* what to do about it, a line of its own */
    DOCUMENT_NOTE,
    DOCUMENT_ITEM, /* of a list: whose it is, and what */
    DOCUMENT_DETAIL, /* of the item before it: a sentence, or a command after its name */
    DOCUMENT_TABLE
};

struct document_column {
    char heading[48];
    int width; /* least one in text */
    /* LEFT: words.  MINOR: not of a page.  JOINED: of a page in small
       letters in the cell before it. */
    enum { COLUMN_LEFT = 1, COLUMN_MINOR = 2, COLUMN_JOINED = 4 } kind;
};

struct document_cell {
    char *text;       /* NULL: none, in the row of a group */
    size_t main;      /* bytes of it before the aside */
    const char *mark; /* class of a page: "slower"; NULL: none */
};

struct document_part {
    enum document_kind kind;
    char *lead, *text; /* lead: of an item or a detail; NULL: none */
    struct document_column *column;
    size_t columns, cells;
    struct document_cell *cell; /* row by row */
};

/* All bytes zero before the first part. */
struct document {
    struct document_part *part;
    size_t n;
};

/* Add a part that is a sentence; an empty one is left out. */
void document_add(struct document *d, enum document_kind kind, const char *form,
                  ...) __attribute__((format(printf, 3, 4)));

/* Add an item or a detail with what stands before it, such as a host or "Look". */
void document_lead(struct document *d, enum document_kind kind,
                   const char *lead, const char *form, ...)
    __attribute__((format(printf, 4, 5)));

/* Begin a table, which the rows that follow belong to. */
void document_table(struct document *d, const struct document_column *column,
                    size_t columns);

/* Begin rows of the table that have this in common. */
void document_group(struct document *d, const char *text);

/* The next cell of the table: rows are filled from left to right. */
void document_cell(struct document *d, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* Add " (aside)" to the cell that was added last; nothing if it is empty. */
void document_aside(struct document *d, const char *aside);

/* How the cell that was added last looks on a page: "slower" is what the reader looks for. */
void document_mark(struct document *d, const char *mark);

/* Add a note for each line of a text, and free it. */
void document_lines(struct document *d, char *lines);

void document_release(struct document *d);

/* Print it as text; begin comes before each line but rows of tables: "# " or "". */
void document_text(FILE *to, const struct document *d, const char *begin);
void document_markdown(FILE *to, const struct document *d);
void document_html(FILE *to, const struct document *d);

/* For the writers: is it the row of a group, not of cells?  Is the column one of words?  Are
   there groups that must be told apart? */
bool document_is_group(const struct document_part *table, size_t row);
bool document_is_left(const struct document_part *table, size_t column);
bool document_has_groups(const struct document_part *table);

#endif
