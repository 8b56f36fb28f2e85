/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum {
    FIRST =
        8, /* of the first column, whose cells are left-justified: "16777216" */
    OMB_FIRST = 10, /* as wide as it is in OMB's tables */
    FEWEST = 10     /* of others: "1234567.89" */
};

size_t fit_append(char *shown, size_t room, size_t n, const char *text,
                  size_t bytes)
{
    const size_t most = n < room ? room - n : 0;

    memcpy(shown + n, text, bytes < most ? bytes : most);
    return n + (bytes < most ? bytes : most);
}

/* --- Sentences ------------------------------------------------------------------------ */

static size_t lead_of(const char *line, size_t bytes)
{
    size_t n = 0;

    while (n < bytes && (line[n] == '#' || line[n] == ' '))
        n++;
    return n;
}

/* Columns have several blanks in a row between them. */
static bool has_columns(const char *line, size_t bytes)
{
    const size_t lead = lead_of(line, bytes);

    return memmem(line + lead, bytes - lead, "  ", 2) != NULL;
}

/* Later lines are indented, and comments if the first is one. */
static size_t fold(char *shown, size_t room, const char *line, size_t bytes,
                   size_t width)
{
    const char *const further = *line == '#' ? "\n#   " : "\n    ";
    const size_t indent = strlen(further) - 1;
    size_t lead = lead_of(line, bytes), n = 0, left = width, end;

    while (bytes > left) {
        for (end = left; end > lead && line[end] != ' ';)
            end--;
        /* A word that is wider than the terminal stays whole. */
        if (end <= lead)
            for (end = left; end < bytes && line[end] != ' ';)
                end++;
        if (end == bytes)
            break;
        n = fit_append(shown, room, n, line, end);
        n = fit_append(shown, room, n, further, indent + 1);
        line += end + 1;
        bytes -= end + 1;
        left = width - indent;
        lead = 0;
    }
    return fit_append(shown, room, n, line, bytes);
}

/* --- Tables --------------------------------------------------------------------------- */

/* The columns of a heading, which several blanks separate: where their words begin and end. */
static int split(const char *line, size_t bytes, size_t begin[FIT_COLUMNS],
                 size_t end[FIT_COLUMNS])
{
    size_t at = 0;
    int n = 0;

    while (at < bytes && n < FIT_COLUMNS) {
        const char *const gap = memmem(line + at, bytes - at, "  ", 2);

        begin[n] = at;
        end[n++] = at = gap != NULL ? (size_t)(gap - line) : bytes;
        while (at < bytes && line[at] == ' ')
            at++;
    }
    return n;
}

/* Leave out what is not needed if so many blanks are kept before each heading. */
static size_t squeeze(struct fit *table, const size_t begin[FIT_COLUMNS],
                      size_t blanks)
{
    size_t total = table->end[0];

    table->drop[0] = 0;
    for (int i = 1; i < table->n; i++) {
        const size_t now = table->end[i] - table->end[i - 1];
        size_t needed = table->end[i] - begin[i] + blanks;

        needed = needed < FEWEST ? FEWEST : needed;
        table->drop[i] = now > needed ? now - needed : 0;
        total += now - table->drop[i];
    }
    return total;
}

static void learn(struct fit *table, const char *line, size_t bytes,
                  size_t width)
{
    size_t begin[FIT_COLUMNS];

    table->n = split(line, bytes, begin, table->end);
    /* "# Rank  Node": all cells are left-justified. */
    if (table->n > 1 && table->end[0] > 1 && begin[1] < OMB_FIRST)
        table->n = 0;
    if (table->n > 1 && table->end[0] < FIRST)
        table->end[0] = begin[1] > FIRST ? FIRST : begin[1];
    if (bytes <= width ||
        (squeeze(table, begin, 2) > width && squeeze(table, begin, 1) > width))
        table->n = 0;
}

static size_t row(const struct fit *table, char *shown, size_t room,
                  const char *line, size_t bytes)
{
    size_t n = 0, at = 0;

    for (int i = 0; i < table->n && at < bytes; i++) {
        const size_t end = table->end[i] < bytes ? table->end[i] : bytes;

        for (size_t drop = table->drop[i];
             drop > 0 && at < end && line[at] == ' '; drop--)
            at++;
        n = fit_append(shown, room, n, line + at, end - at);
        at = end;
    }
    return fit_append(shown, room, n, line + at, bytes - at);
}

size_t fit_line(struct fit *table, char *shown, size_t room, const char *line,
                size_t bytes, size_t width)
{
    const bool is_table = has_columns(line, bytes),
               is_heading = is_table && *line == '#';

    if (is_heading)
        learn(table, line, bytes, width);
    if (is_heading || (is_table && (isdigit(*line) || *line == ' ')))
        return row(table, shown, room, line, bytes);
    return is_table ? fit_append(shown, room, 0, line, bytes)
                    : fold(shown, room, line, bytes, width);
}
