/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

#include <math.h>

#include "base/simulation.h"

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
    return r->own_headline || r->series == NULL
               ? result_headline(r)
               : result_figure(r, r->over_iterations.median);
}

double result_messages_per_s(const struct result *r)
{
    return r->mean > 0 ? r->messages / r->mean : 0;
}

bool result_is_straggler(const struct blame *blame, int ranks)
{
    const double chance = 1.0 / ranks;

    return blame->rank >= 0 && ranks > 1 &&
           blame->share - chance > 0.5 * (1 - chance);
}

double result_percentile(const struct result *r, double p)
{
    return result_figure(r, series_quantile(r->series, p / 100));
}

const char *result_stop_word(enum stop_reason stop)
{
    static const char *const word[] = { "count", "precision", "budget",
                                        "enough" };

    return word[stop];
}

const char *result_verdict(const struct result *r, bool one_sided)
{
    static const char *const word[2][3] = { { "-", "Pass", "Fail" },
                                            { "skipped", "passed", "failed" } };

    return word[one_sided][r->verified.checked == 0 ? 0
                           : r->verified.wrong == 0 ? 1
                                                    : 2];
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
                 v->wrong, v->checked, v->iteration, v->rank, from,
                 v->ranks_wrong, v->ranks);
        return text;
    }
    if (v->host[0] != '\0')
        snprintf(hosts, sizeof hosts, " host=%s; from host=%s;", v->host,
                 m->from >= 0 ? v->from_host : "-");
    snprintf(text, RESULT_WRONG_ROOM,
             "wrong=%ld of %ld; first: iteration=%ld; type=%s; %s%srank=%d; "
             "block=%d; %s=%zu%s; %sexpected=%s; got=%s; wrong on this "
             "rank=%zu; ranks wrong=%d of %d;%s",
             v->wrong, v->checked, v->iteration, element_name(r->row->element),
             operation, root, v->rank, m->block, v->counted, m->element,
             m->after  ? " (after the end)"
             : m->gap  ? " (in a gap)"
             : m->sent ? " (of what was sent)"
                       : "",
             from, m->expected, m->got, m->wrong, v->ranks_wrong, v->ranks,
             hosts);
    return text;
}

/* --- What cannot be ---------------------------------------------------------------- */

/* Clocks of links and cores are not exact, and turbo comes and goes. */
static const double ALLOWANCE = 1.25;

/* In the order of enum suspect. */
static const char *const reasons[] = {
    "not a positive number",
    "shorter than the clock can resolve",
    "faster than the links between the nodes",
    "faster than the ranks can copy",
    "finished before the GPU was done",
    "measured while the clock stepped",
};

unsigned plausible_check(const struct result *r, const struct clock_facts *c,
                         const struct plausible_limits *limits)
{
    const double time = r->is_rate ? r->mean : r->mean * r->scale;
    const double moved = r->is_rate ? r->payload : (double)r->moved;
    const double sample = r->over_iterations.median * (double)r->stride;
    const double rate = time > 0 ? moved / time : 0;
    unsigned suspect = 0;

    if (r->stepped)
        suspect |= SUSPECT_STEP;
    /* Simulated networks may be free of cost. */
    if (!isfinite(time) || time < 0 || (time == 0 && !SIMULATED))
        return suspect | SUSPECT_NO_NUMBER;
    if (r->over_iterations.n > 0 && sample < 2 * c->resolution_s)
        suspect |= SUSPECT_CLOCK;
    if (limits->link > 0 && rate > ALLOWANCE * limits->link)
        suspect |= SUSPECT_LINK;
    if (limits->copy > 0 && rate > ALLOWANCE * limits->copy)
        suspect |= SUSPECT_MEMORY;
    if (r->gpu.certain)
        suspect |= SUSPECT_UNFINISHED;
    return suspect;
}

double plausible_share(const struct result *r,
                       const struct plausible_limits *limits)
{
    return r->is_rate && limits->best > 0
               ? 1e6 * result_headline(r) / limits->best
               : NAN;
}

const char *plausible_words(unsigned suspect, char *text, size_t room)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((suspect >> i & 1) != 0 && n < room)
            n += (size_t)snprintf(text + n, room - n, "%s%s", n > 0 ? ", " : "",
                                  reasons[i]);
    return text;
}

/* --- What says little of the machine ------------------------------------------------ */

static const struct {
    const char *word;   /* in the JSON file, and in the line after the table */
    const char *reason; /* the rest of that line */
    const char *advice;
} words[DOUBTS] = {
    [DOUBT_DISTURBED] = { "disturbed", "the kernel took the CPU from a rank",
                          "keep other work off these CPUs and run again, or "
                          "read medians (--columns=median)" },
    [DOUBT_FEW] = { "few iterations",
                    "fewer than 20 were undisturbed before the time was over",
                    "raise --budget" },
    [DOUBT_SPEED] = { "speed changed", "a core changed its speed",
                      "fix the CPU frequency, or let the machine warm up" },
    [DOUBT_TESTS] = { "many tests",
                      "the computation between two calls of MPI_Test is so "
                      "short that the cost of the calls decides Overlap",
                      "lower -t, or leave it out for such sizes" },
};

const char *doubt_word(enum doubt doubt)
{
    return words[doubt].word;
}

unsigned doubt_of(const struct result *r)
{
    const struct disturbance *d = &r->disturbed;
    const struct stats *s = &r->over_iterations;
    unsigned doubts = r->doubts;

    if (d->found > d->left_out &&
        fabs(s->mean - s->median) > DOUBT_MARGIN * s->median)
        doubts |= 1U << DOUBT_DISTURBED;
    if (d->found > 0 && r->stop == STOP_BUDGET && r->iterations < DOUBT_FEWEST)
        doubts |= 1U << DOUBT_FEW;
    if (!SIMULATED && r->steady.speed > 0 &&
        fabs(r->steady.speed - 1) > DOUBT_MARGIN)
        doubts |= 1U << DOUBT_SPEED;
    return doubts;
}

/* The rest of the line for one reason, if there is cause. */
static void print_doubt(FILE *to, const struct rows *rows, int doubt)
{
    size_t size[DOUBT_NAMED + 1]; /* one after the other that differ */
    int measured = 0, doubted = 0, sizes = 0;

    for (int i = 0; i < rows->n; i++) {
        const struct result *const r = &rows->result[i];

        if (r->iterations == 0)
            continue;
        measured++;
        if ((doubt_of(r) >> doubt & 1) == 0)
            continue;
        doubted++;
        if (sizes == 0 ||
            (sizes <= DOUBT_NAMED && size[sizes - 1] != r->row->bytes))
            size[sizes++] = r->row->bytes;
    }
    if (doubted == 0)
        return;
    fprintf(to, " %s: %d of %d rows", words[doubt].word, doubted, measured);
    if (sizes > 1 || size[0] > 0) /* else rows have none */
        for (int i = 0; i < sizes && i < DOUBT_NAMED; i++)
            fprintf(to, "%s %zu", i == 0 ? ", at" : ",", size[i]);
    fprintf(to, "%s; %s; %s;", sizes > DOUBT_NAMED ? ", ..." : "",
            words[doubt].reason, words[doubt].advice);
}

void doubts_print(FILE *to, const struct rows *rows)
{
    for (int i = 0; i < DOUBTS; i++)
        print_doubt(to, rows, i);
}
