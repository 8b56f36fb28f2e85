/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

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

enum verdict result_verdict(const struct result *r)
{
    return r->verified.checked == 0 ? VERDICT_NOT_CHECKED
           : r->verified.wrong == 0 ? VERDICT_PASS
                                    : VERDICT_FAIL;
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

const char *result_verdict_word(enum verdict verdict, bool one_sided)
{
    static const char *const word[2][3] = { { "-", "Pass", "Fail" },
                                            { "skipped", "passed", "failed" } };

    return word[one_sided][verdict];
}
