/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include <math.h>
#include <string.h>

struct cell cell_real(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

struct cell cell_count(size_t count)
{
    return (struct cell){ .kind = CELL_COUNT, .count = count };
}

struct cell cell_word(const char *word)
{
    struct cell cell = { .kind = CELL_WORD };

    snprintf(cell.word, sizeof cell.word, "%s", word);
    return cell;
}

static int width_of(const struct column *column, int first_without_size)
{
    if (first_without_size)
        return 2 + (int)strlen(column->heading);
    return column->width != 0 ? column->width : TABLE_FIELD_WIDTH;
}

void table_print_heading(FILE *to, const struct column *columns, int n,
                         const char *first)
{
    if (first != NULL)
        fprintf(to, "# %-*s", TABLE_SIZE_WIDTH - 2, first);
    for (int i = 0; i < n; i++)
        if (i == 0 && first == NULL)
            fprintf(to, "# %s", columns[i].heading);
        else if (!columns[i].hidden)
            fprintf(to, "%*s", width_of(&columns[i], 0), columns[i].heading);
    fputc('\n', to);
    fflush(to);
}

void table_print_row(FILE *to, const struct column *columns,
                     const struct cell *cells, int n, int with_size,
                     size_t size)
{
    if (with_size)
        fprintf(to, "%-*zu", TABLE_SIZE_WIDTH, size);
    for (int i = 0; i < n; i++) {
        const int width = width_of(&columns[i], i == 0 && !with_size);

        if (columns[i].hidden)
            continue;
        if (cells[i].kind == CELL_REAL && isfinite(cells[i].real))
            fprintf(to, "%*.*f", width,
                    columns[i].decimals > 0 ? columns[i].decimals : 2,
                    cells[i].real);
        else if (cells[i].kind == CELL_COUNT)
            fprintf(to, "%*zu", width, cells[i].count);
        else
            fprintf(to, "%*s", width,
                    cells[i].kind == CELL_WORD ? cells[i].word : "-");
    }
    fputc('\n', to);
    fflush(to);
}
