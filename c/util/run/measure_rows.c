/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure_rows.h"

#include "job/progress.h"
#include "job/world.h"
#include "machine/placement.h"
#include "sampling/start.h"
#include "verify_rows.h"
#include "watch.h"

/* Nodes of the ranks that take part in the row. */
static int count_nodes(const struct context *c)
{
    int nodes = c->placement->node_rank == 0 && !subset_waits(c->run);

    PMPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, c->world->comm);
    return nodes;
}

/* What is known of a row before it is measured, besides its verification. */
static void begin_result(struct job *job, struct result *result)
{
    const struct context *c = &job->context;
    const struct row *row = result->row;

    result->moved = c->bench->flow->message_bytes != NULL
                        ? row->bytes
                        : typemap_bytes(&job->setup.pieces);
    result->nodes = row->ranks > 0 ? count_nodes(c) : c->placement->nodes;
    result->family = c->run->family;
    report_figure(c, result);
}

/* What is reduced while it is timed: all there is or, of a row, what its verification
   left.  Zeros stay zeros under every operation, however often a result is an operand
   again.  Others would become infinite, and arithmetic on that takes another time. */
static void clear_operands(const struct setup *p, const struct context *c,
                           bool of_row)
{
    const struct buffer_pool_side *side[] = { &p->pool.send, &p->pool.recv };

    for (int i = 0; i < 2 && c->bench->flow->sum; i++) {
        const struct buffer *all = side[i]->buffer;

        if (of_row && side[i]->bytes > 0)
            all->kind->set(side[i]->place, 0, side[i]->bytes);
        else if (!of_row && all->base != NULL)
            all->kind->set(all->base, 0, all->bytes);
    }
}

/* EXIT_OK, or the code to leave with in the end, if the row's data is wrong. */
static enum exit_code measure_one(struct job *job, struct result *result)
{
    const struct context *c = &job->context;

    setup_row(&job->setup, c, result->row);
    verify_row(job, result);
    if (!verify_ends(c, result)) {
        clear_operands(&job->setup, c, true);
        setup_whole_window(&job->setup, c, result->row);
        progress_phase("measuring");
        begin_result(job, result);
        watch_batch(BATCH_ROW);
        measure_row(&job->measure, result);
        output_row(&job->output, c, result);
        watch_measured(c, result);
        result->series = NULL; /* the next row needs its memory */
    }
    setup_row_end(&job->setup, result->row);
    return result->verified.wrong > 0 ? messages[E14_WRONG_DATA].code : EXIT_OK;
}

/* Is there time for another row, as rank 0 sees it? */
static bool has_time(const struct context *c, const struct rows *rows)
{
    const double most_s = c->settings->total_s;
    int past = most_s > 0 && clock_seconds(clock_now() - rows->begun) > most_s;

    if (most_s > 0)
        PMPI_Bcast(&past, 1, MPI_INT, 0, c->world->comm);
    return !past;
}

/* The rows from number first to last - 1, which stand under one heading.  The first of all
   is measured whatever --total says. */
static enum exit_code measure_block(struct job *job, int first, int last)
{
    struct rows *rows = &job->rows;
    const struct context *c = &job->context;
    enum exit_code code = EXIT_OK, one;
    int i = first;

    for (; i < last && (code == EXIT_OK || c->settings->verify.given); i++) {
        if (i > 0 && !has_time(c, rows)) {
            rows->left_out = rows->n - i;
            break;
        }
        if (i == first)
            output_heading(&job->output, c, &rows->row[first]);
        one = measure_one(job, &rows->result[i]);
        code = one != EXIT_OK ? one : code;
    }
    if (code != EXIT_OK && !c->settings->verify.given)
        rows->n = i; /* the table ends with the row that failed */
    if (i > first)
        output_block(&job->output, c, rows, first, i);
    return code;
}

enum exit_code measure_rows(struct job *job)
{
    struct rows *rows = &job->rows;
    const struct context *c = &job->context;
    enum exit_code code = EXIT_OK, one;

    clear_operands(&job->setup, c, false);
    rows->begun = clock_now();
    for (int i = 0, last; i < rows->n && rows->left_out == 0; i = last) {
        last = rows_block_end(rows, i);
        one = measure_block(job, i, last);
        code = one != EXIT_OK ? one : code;
    }
    return output_after(&job->output, c, rows, code);
}
