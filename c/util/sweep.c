/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep.h"

#include <stdlib.h>

#include "verify.h"
#include "watchdog.h"

static bool is_sized(const struct sweep *s)
{
    return s->bench->takes & TAKES_SIZES;
}

/* sweep_choose has left no row that cannot be expressed. */
static void set_up(struct sweep *s, const struct row *row)
{
    if (!prepare_row(&s->prepared, s->bench, s->settings, row->element,
                     row->bytes))
        abort();
}

/* What the lowest rank that is wrong has found, said by rank 0. */
static bool report_mismatch(const struct sweep *s, const struct row *row,
                            struct mismatch *mine)
{
    struct {
        int wrong, rank;
    } first = { mine->wrong > 0 ? 0 : 1, s->world->rank };
    int ranks_wrong = mine->wrong > 0;

    MPI_Allreduce(MPI_IN_PLACE, &ranks_wrong, 1, MPI_INT, MPI_SUM,
                  s->world->comm);
    if (ranks_wrong == 0)
        return false;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_2INT, MPI_MINLOC,
                  s->world->comm);
    MPI_Bcast(mine, sizeof *mine, MPI_BYTE, first.rank, s->world->comm);
    if (s->world->rank == 0)
        message_print(E14_WRONG_DATA, s->bench->name,
                      "wrong data; size=%zu; type=%s; rank=%d; block=%d; "
                      "%s=%zu%s; expected=%g; got=%g; wrong on this rank=%zu; "
                      "ranks wrong=%d of %d;",
                      row->bytes, element_name(row->element), first.rank,
                      mine->block, s->bench->flow->sum ? "element" : "byte",
                      mine->element,
                      mine->element >= row->bytes ? " (behind the end)" : "",
                      mine->expected, mine->got, mine->wrong, ranks_wrong,
                      s->world->size);
    return true;
}

/* Window memory and what the processor sees of it need not be the same. */
static void settle_window(const struct sweep *s)
{
    const struct bench_run *r = &s->prepared.run;

    if (r->rma != NULL)
        rma_settle(r->rma, r->rank);
}

static void rehearse(struct sweep *s, struct row *row, int number)
{
    struct prepared *p = &s->prepared;
    const struct verify verify = {
        .run = &p->run,
        .flow = s->bench->flow,
        .send_kind = &memory_host,
        .recv_kind = &memory_host,
        .element = row->element,
        .in_place = p->in_place,
        .distinct_sends = p->run.send_stride > 0,
        .salt = number,
    };
    const bool checks = is_sized(s) && !s->settings->verify_off;
    struct mismatch mismatch = { 0 };

    if (is_sized(s)) {
        verify_fill(&verify);
        settle_window(s);
    }
    measure_once(&s->measure);
    if (!checks)
        return;
    bench_sync(&p->run); /* put is complete at the target only now */
    settle_window(s);
    verify_check(&verify, &mismatch);
    row->verdict =
        report_mismatch(s, row, &mismatch) ? VERDICT_FAIL : VERDICT_PASS;
}

enum exit_code sweep_rehearse(struct sweep *s)
{
    watchdog_phase("verification");
    for (int i = 0; i < s->rows; i++) {
        set_up(s, &s->row[i]);
        rehearse(s, &s->row[i], i);
        prepare_row_end(&s->prepared);
        if (s->row[i].verdict != VERDICT_FAIL)
            continue;
        if (!s->settings->check)
            return messages[E14_WRONG_DATA].code;
        s->rows = i + 1; /* -c: the table ends with the row that failed */
    }
    return EXIT_OK;
}

static void fill_result(const struct sweep *s, const struct row *row,
                        struct result *result)
{
    const struct bench_run *r = &s->prepared.run;
    const struct report *report = s->bench->report;
    const int pairs = s->bench->timed == TIMED_SENDERS ? r->pairs : 1;

    *result = (struct result){
        .bytes = row->bytes,
        .count = row->bytes / element_size(row->element),
        .type = row->element,
        .verdict = row->verdict,
        .scale = rma_takes_turns(r) ? 0.5 * report->scale : report->scale,
        .is_rate = report->directions > 0,
        .payload = report->directions * (double)row->bytes * r->window * pairs,
        .messages = (double)r->window * pairs,
    };
}

static void print_row(struct sweep *s, const struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    report_cells(&s->table, result, cells);
    table_print_row(stdout, s->table.column, cells, s->table.n, is_sized(s),
                    result->bytes);
    record_row(&s->record, &s->context, &s->table, result, cells);
}

enum exit_code sweep_measure(struct sweep *s)
{
    const bool root = s->world->rank == 0;
    const clock_ticks begun = clock_now();
    struct result result;

    for (int i = 0; i < s->rows; i++) {
        const struct row *row = &s->row[i];
        int late = s->settings->total_s > 0 &&
                   clock_seconds(clock_now() - begun) > s->settings->total_s;

        MPI_Bcast(&late, 1, MPI_INT, 0, s->world->comm);
        if (late) {
            s->complete = false;
            break;
        }
        if (root && (i == 0 || row->element != s->row[i - 1].element))
            report_heading(stdout, s->bench, &s->table, row->element);
        set_up(s, row);
        watchdog_phase("measuring");
        fill_result(s, row, &result);
        measure_row(&s->measure, &result);
        if (root)
            print_row(s, &result);
        prepare_row_end(&s->prepared);
        if (row->verdict == VERDICT_FAIL) {
            if (root)
                printf("DATA VALIDATION ERROR: %s exited with status %d on "
                       "message size %zu.\n",
                       s->bench->name, messages[E14_WRONG_DATA].code,
                       row->bytes);
            return messages[E14_WRONG_DATA].code;
        }
    }
    return EXIT_OK;
}
