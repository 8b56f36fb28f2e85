/* SPDX-License-Identifier: BSD-3-Clause */
/* A measured row in the table, in the files, and in the picture. */
#include "sweep.h"
#include "vary.h"

/* What cannot be is said in front of the row, or in its place. */
static void say_suspect(const struct sweep *s, const struct result *result)
{
    char words[200];

    if (result->suspect == 0)
        return;
    plausible_words(result->suspect, words, sizeof words);
    printf("# suspect: ");
    if (s->settings->vary_window)
        printf("window=%d; ", s->prepared.run.window);
    if (sweep_is_sized(s))
        printf("size=%zu; ", result->bytes);
    if (s->bench->by_ranks)
        printf("ranks=%d; ", result->ranks);
    printf("figure=%g; %s;\n", result_figure(result, result->mean), words);
    fflush(stdout);
}

void sweep_print_row(struct sweep *s, struct row *row, struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    result->suspect = plausible_check(result, &s->measure.clock, &s->limits);
    report_cells(&s->table, result, cells);
    say_suspect(s, result);
    if (s->settings->vary_window) {
        vary_print(s, row, result);
    } else if (!plausible_is_nonsense(result->suspect)) {
        table_print_row(stdout, s->table.column, cells, s->table.n,
                        sweep_first_column(s) != NULL,
                        s->bench->by_ranks ? (size_t)result->ranks
                                           : result->bytes);
        s->printed++;
    }
    record_row(&s->record, &s->context, &s->table, result, cells);
    graph_row(&s->graph, result);
}
