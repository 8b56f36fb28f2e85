/* SPDX-License-Identifier: BSD-3-Clause */
/* A measured row in the table, in the files, and in the picture. */
#include "sweep.h"

#include <string.h>

#include "machine/capacity.h"
#include "report/window_columns.h"

/* Is a row's time that in which its data moved?  Not that inside calls, nor that
   after which the origin may go on. */
static bool times_data(const struct sweep *s)
{
    const struct bench *b = s->bench;

    return !b->apart && !(b->flow != NULL && b->flow->rma == FLOW_INTO_WINDOW &&
                          s->settings->sync == RMA_FLUSH_LOCAL);
}

/* Of these, what a row of the program may not exceed. */
static struct plausible_limits limits_of_rows(const struct sweep *s)
{
    struct plausible_limits limits = s->limits;

    if (!times_data(s))
        return (struct plausible_limits){ 0 };
    /* A GPU's memory is faster than what the ranks copy by themselves. */
    if (s->prepared.side[0]->on_gpu || s->prepared.side[1]->on_gpu)
        limits.copy = 0;
    return limits;
}

struct plausible_limits sweep_limits(const struct sweep *s)
{
    const bool leads = s->placement.node_rank == 0;
    double most[2] = { capacity_copy(), leads ? capacity_link() : 0 };
    int silent = leads && most[1] == 0;

    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_SUM, s->world->comm);
    MPI_Allreduce(MPI_IN_PLACE, &silent, 1, MPI_INT, MPI_MAX, s->world->comm);
    return (struct plausible_limits){
        .copy = most[0],
        .link = !silent && strcmp(s->placement.path, "inter-node") == 0
                    ? most[1]
                    : 0,
    };
}

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

/* What a row has besides its type and size, in words: "others=2". */
static void kind_of(const struct sweep *s, const struct result *r, char *kind,
                    size_t room)
{
    const struct levels *levels = bench_levels(s->bench, s->settings);
    const char *const operation = r->operation != NULL ? r->operation : "";
    const char *const between = r->operation != NULL ? " " : "";

    if (levels->name != NULL)
        snprintf(kind, room, "%s%s%s=%ld", operation, between, levels->key,
                 r->level);
    else if (s->settings->vary_window)
        snprintf(kind, room, "%s%swindow=%d", operation, between,
                 s->prepared.run.window);
    else if (s->bench->by_ranks)
        snprintf(kind, room, "%s%sranks=%d", operation, between,
                 s->prepared.run.nranks);
    else
        snprintf(kind, room, "%s", operation);
}

void sweep_print_row(struct sweep *s, struct row *row, struct result *result)
{
    const struct plausible_limits limits = limits_of_rows(s);
    struct cell cells[REPORT_COLUMNS];
    char kind[48];

    result->suspect = plausible_check(result, &s->measure.clock, &limits);
    report_cells(&s->table, result, cells);
    say_suspect(s, result);
    if (s->settings->vary_window) {
        window_columns_print(s, row, result);
    } else if (!plausible_is_nonsense(result->suspect)) {
        table_print_row(stdout, s->table.column, cells, s->table.n,
                        sweep_first_column(s) != NULL,
                        s->bench->by_ranks ? (size_t)result->ranks
                                           : result->bytes);
        s->printed++;
    }
    record_row(&s->record, &s->context, &s->table, result, cells);
    kind_of(s, result, kind, sizeof kind);
    graph_row(&s->graph, result, kind);
}

void sweep_print_wrong(const struct sweep *s, const struct row *row)
{
    if (row->verdict == VERDICT_FAIL && s->world->rank == 0)
        printf("DATA VALIDATION ERROR: %s exited with status %d on message "
               "size %zu.\n",
               s->bench->name, messages[E14_WRONG_DATA].code, row->bytes);
}
