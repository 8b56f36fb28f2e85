/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

#include <math.h>

#include "base/simulation.h"
#include "bench.h"

double result_figure(const struct result *r, double seconds)
{
    if (r->is_rate)
        return seconds > 0 ? r->payload / seconds / 1e6 : 0;
    return seconds * r->scale * 1e6;
}

double result_headline(const struct result *r)
{
    return result_figure(r, r->own_headline ? r->headline_s : r->mean);
}

double result_mean(const struct result *r)
{
    return result_figure(r, r->mean);
}

double result_median(const struct result *r)
{
    return r->own_headline || r->series == NULL ? result_headline(r)
                                                : result_figure(r, r->over_iterations.median);
}

double result_messages_per_s(const struct result *r)
{
    return r->mean > 0 ? r->messages / r->mean : 0;
}

bool result_is_straggler(const struct blame *blame, int ranks)
{
    const double chance = 1.0 / ranks;

    return blame->rank >= 0 && ranks > 1 && blame->share - chance > 0.5 * (1 - chance);
}

const char *result_stop_word(enum stop_reason stop)
{
    static const char *const word[] = { "count", "precision", "budget", "enough" };

    return word[stop];
}

const char *result_verdict(const struct result *r, bool one_sided)
{
    static const char *const word[2][3] = { { "-", "Pass", "Fail" },
                                            { "skipped", "passed", "failed" } };

    return word[one_sided][r->verified.checked == 0 ? 0 : r->verified.wrong == 0 ? 1 : 2];
}

const char *result_wrong(const struct result *r, char text[RESULT_WRONG_ROOM])
{
    const struct verified *v = &r->verified;
    const struct mismatch *m = &v->first;
    char operation[64] = "", root[32] = "", from[32] = "", hosts[160] = "";

    if (v->operation != NULL)
        snprintf(operation, sizeof operation, "operation=%s; ", v->operation);
    if (v->root >= 0)
        snprintf(root, sizeof root, "root=%d; ", v->root);
    if (m->from >= 0)
        snprintf(from, sizeof from, "from rank=%d; ", m->from);
    if (m->early) {
        snprintf(text, RESULT_WRONG_ROOM,
                 "wrong=%ld of %ld; first: iteration=%ld; rank=%d; %swas left "
                 "before that rank had begun; ranks wrong=%d of %d;",
                 v->wrong, v->checked, v->iteration, v->rank, from, v->ranks_wrong, v->ranks);
        return text;
    }
    if (v->host[0] != '\0')
        snprintf(hosts, sizeof hosts, " host=%s; from host=%s;", v->host,
                 m->from >= 0 ? v->from_host : "-");
    snprintf(text, RESULT_WRONG_ROOM,
             "wrong=%ld of %ld; first: iteration=%ld; type=%s; %s%srank=%d; block=%d; %s=%zu%s; "
             "%sexpected=%s; got=%s; wrong on this rank=%zu; ranks wrong=%d of %d;%s",
             v->wrong, v->checked, v->iteration, element_name(r->row->element), operation, root,
             v->rank, m->block, v->counted, m->element,
             m->after  ? " (after the end)"
             : m->gap  ? " (in a gap)"
             : m->sent ? " (of what was sent)"
                       : "",
             from, m->expected, m->got, m->wrong, v->ranks_wrong, v->ranks, hosts);
    return text;
}

/* --- What cannot be ---------------------------------------------------------------- */

/* In the order of enum suspect. */
static const char *const reasons[] = {
    "not a positive number",
    "shorter than the clock can resolve",
    "faster than the links between the nodes",
    "faster than the ranks can copy",
    "finished before the GPU was done",
    "measured while the clock stepped",
};

const char *plausible_words(unsigned suspect, char *text, size_t room)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((suspect >> i & 1) != 0 && n < room)
            n += (size_t)snprintf(text + n, room - n, "%s%s", n > 0 ? ", " : "", reasons[i]);
    return text;
}

/* --- What says little of the machine ------------------------------------------------ */

const struct doubt_words doubt_words[DOUBTS] = {
    [DOUBT_DISTURBED] = { "disturbed", "the kernel took the CPU from a rank",
                          "keep other work off these CPUs and run again, or "
                          "read medians (--columns=median)" },
    [DOUBT_FEW] = { "few iterations", "fewer than 20 were undisturbed before the time was over",
                    "raise --budget" },
    [DOUBT_SPEED] = { "speed changed", "a core changed its speed",
                      "fix the CPU frequency, or let the machine warm up" },
    [DOUBT_TESTS] = { "many tests",
                      "the computation between two calls of MPI_Test is so "
                      "short that the cost of the calls decides Overlap",
                      "lower -t, or leave it out for such sizes" },
};

unsigned doubt_of(const struct result *r)
{
    const struct disturbance *d = &r->disturbed;
    const struct stats *s = &r->over_iterations;
    unsigned doubts = r->doubts;

    if (d->found > d->left_out && fabs(s->mean - s->median) > DOUBT_MARGIN * s->median)
        doubts |= 1U << DOUBT_DISTURBED;
    if (d->found > 0 && r->stop == STOP_BUDGET && r->iterations < DOUBT_FEWEST)
        doubts |= 1U << DOUBT_FEW;
    if (!SIMULATED && r->steady.speed > 0 && fabs(r->steady.speed - 1) > DOUBT_MARGIN)
        doubts |= 1U << DOUBT_SPEED;
    return doubts;
}

/* --- The rows of a run -------------------------------------------------------------- */

const char row_unasked[] = "";

void rows_add_up(const struct rows *rows, struct verified *sum)
{
    for (int i = 0; i < rows->n; i++) {
        sum->checked += rows->result[i].verified.checked;
        sum->wrong += rows->result[i].verified.wrong;
    }
}

int rows_block_end(const struct rows *rows, int first)
{
    int end = first;

    while (end < rows->n && row_same_block(&rows->row[end], &rows->row[first]))
        end++;
    return end;
}

/* What stands above its block. */
static void name_block(FILE *to, const struct context *c, const struct row *row)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const char *name = c->bench->operations[row->operation].name;

    if (c->settings->ntypes > 1)
        fprintf(to, " datatype=%s;", element_name(row->element));
    if (name != NULL)
        fprintf(to, " operation=%s;", name);
    if (p->name != NULL)
        fprintf(to, " %s=%ld;", p->key, row->parameter);
}

void rows_name(FILE *to, const struct context *c, const struct row *row, int n)
{
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;

    for (int i = 0; i < n; i++) {
        const bool begins = i == 0 || !row_same_block(&row[i], &row[i - 1]);

        if (begins)
            name_block(to, c, &row[i]);
        if (by_ranks)
            fprintf(to, "%s%d", begins ? " ranks=" : ",", row[i].ranks);
        else if (bench_is_sized(c->bench) &&
                 (begins || row[i].bytes != row[i - 1].bytes)) /* -V: often */
            fprintf(to, "%s%zu", begins ? " size=" : ",", row[i].bytes);
        if (i + 1 == n || !row_same_block(&row[i], &row[i + 1]))
            fputc(';', to);
    }
}
