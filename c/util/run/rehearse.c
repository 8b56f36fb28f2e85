/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row once, untimed and verified: sweep_rehearse of sweep.h. */
#include "gpu/crash.h"
#include "sampling/start.h"
#include "sampling/subset.h"
#include "sweep.h"
#include "data/verify.h"
#include "job/watchdog.h"

enum { ROOTS = 8 };

/* What the lowest rank that is wrong has found, said by rank 0. */
static bool report_mismatch(const struct sweep *s, const struct row *row,
                            struct mismatch *mine)
{
    struct {
        int wrong, rank;
    } first = { mine->wrong > 0 ? 0 : 1, s->world->rank };
    int ranks_wrong = mine->wrong > 0;
    char root[32] = "";

    MPI_Allreduce(MPI_IN_PLACE, &ranks_wrong, 1, MPI_INT, MPI_SUM,
                  s->world->comm);
    if (ranks_wrong == 0)
        return false;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_2INT, MPI_MINLOC,
                  s->world->comm);
    MPI_Bcast(mine, sizeof *mine, MPI_BYTE, first.rank, s->world->comm);
    if (s->bench->takes & TAKES_ROOT)
        snprintf(root, sizeof root, "root=%d; ", s->prepared.run.root);
    if (s->world->rank == 0)
        message_print(E14_WRONG_DATA, s->bench->name,
                      "wrong data; size=%zu; type=%s; %srank=%d; block=%d; "
                      "%s=%zu%s; expected=%g; got=%g; wrong on this rank=%zu; "
                      "ranks wrong=%d of %d;",
                      row->bytes, element_name(row->element), root, first.rank,
                      mine->block, s->bench->flow->sum ? "element" : "byte",
                      mine->element,
                      mine->behind ? " (behind the end)"
                      : mine->gap  ? " (in a gap)"
                                   : "",
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

/* Roots that a row is rehearsed with: of many ranks a few, spread over them. */
static int roots_of(const struct bench_run *r)
{
    if (!r->root_rotates)
        return 1;
    return r->nranks < ROOTS ? r->nranks : ROOTS;
}

static void rehearse(struct sweep *s, struct row *row, int number)
{
    struct prepared *p = &s->prepared;
    const struct verify verify = {
        .run = &p->run,
        .flow = s->bench->flow,
        .send_kind = p->kind,
        .recv_kind = p->kind,
        .pieces = &p->pieces,
        .element = row->element,
        .send = p->rotation.send.place,
        .recv = p->rotation.recv.place,
        .distinct_sends = p->run.send_stride > 0,
        .salt = number,
        .log = &s->log,
    };
    const bool checks = sweep_is_sized(s) && !s->settings->verify_off;
    struct mismatch mismatch = { 0 };

    if (sweep_is_sized(s)) {
        verify_fill(&verify);
        settle_window(s);
    }
    row->first_s = measure_once(&s->measure);
    if (!checks)
        return;
    if (!subset_waits(&p->run))
        start_batch(&p->run); /* put is complete at the target only now */
    settle_window(s);
    verify_check(&verify, &mismatch);
    validation_log_row_end(&s->log);
    row->verdict =
        report_mismatch(s, row, &mismatch) ? VERDICT_FAIL : VERDICT_PASS;
}

static enum exit_code rehearse_rows(struct sweep *s, int first)
{
    for (int i = first; i < s->rows; i++) {
        struct bench_run *r = &s->prepared.run;

        sweep_set_up(s, &s->row[i]);
        for (int k = 0; k < roots_of(r) && s->row[i].verdict != VERDICT_FAIL;
             k++) {
            if (r->root_rotates)
                buffer_pool_root(r, (int)((long)k * r->nranks / roots_of(r)));
            rehearse(s, &s->row[i], i);
        }
        sweep_row_end(s);
        if (s->row[i].verdict != VERDICT_FAIL)
            continue;
        if (!s->settings->check)
            return messages[E14_WRONG_DATA].code;
        s->rows = i + 1; /* -c: the table ends with the row that failed */
    }
    return EXIT_OK;
}

/* It is here that MPI is given these buffers for the first time. */
enum exit_code sweep_rehearse(struct sweep *s, int first)
{
    enum exit_code code;
    char kinds[16];

    watchdog_phase("verification");
    snprintf(kinds, sizeof kinds, "%s-%s", s->prepared.side[0]->letter,
             s->prepared.side[1]->letter);
    if (s->gpu->used && first == 0)
        crash_watch(s->world->rank, kinds);
    code = rehearse_rows(s, first);
    crash_unwatch();
    return code;
}
