/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "summary.h"

#include <stdlib.h>

enum { FORM = 1 /* number of this form */ };

static json_t *text_or_null(const char *text)
{
    return json_text(text[0] != '\0' ? text : NULL);
}

static json_t *json_finding(const struct summary *s, const struct finding *one)
{
    static const char *const kind[] = { "network", "within", "noise",
                                        "value",   "fact",   "failed" };
    char again[SUMMARY_COMMAND], look[SUMMARY_COMMAND];

    return given_memory(json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "kind",
        kind[one->kind], "host", text_or_null(one->host), "partner",
        text_or_null(one->partner), "benchmark", text_or_null(one->benchmark),
        "what", one->what, "evidence", one->evidence, "on_most_hosts",
        one->on_most_hosts, "ratio",
        one->ratio > 0 ? json_real(one->ratio) : json_null(), "runs",
        one->of > 0 ? json_integer(one->runs) : json_null(), "of_runs",
        one->of > 0 ? json_integer(one->of) : json_null(), "again",
        text_or_null(summary_again(s, one, again)), "look",
        text_or_null(summary_look(s, one, look))));
}

static json_t *json_values(const struct host_series *series)
{
    json_t *hosts = given_memory(json_array());

    for (size_t i = 0; i < series->hosts; i++) {
        const struct host_values *v = &series->host[i];

        json_array_append_new(
            hosts,
            given_memory(json_pack(
                "{s:s, s:i, s:f, s:o}", "host", v->host, "runs", (int)v->n,
                "median", v->median, "ratio",
                series->margin > 0 ? json_real(v->ratio) : json_null())));
    }
    return given_memory(json_pack("{s:s, s:s, s:o}", "what", series->label,
                                  "unit", series->unit, "hosts", hosts));
}

bool summary_json(FILE *to, const void *summary)
{
    const struct summary *s = summary;
    const struct findings *f = s->of;
    json_t *hosts = given_memory(json_array()), *odd, *values, *left_out, *all;

    odd = given_memory(json_array());
    values = given_memory(json_array());
    left_out = given_memory(json_array());
    for (size_t i = 0; i < f->hosts; i++)
        json_array_append_new(hosts, json_string(f->host[i]));
    for (size_t i = 0; i < f->n; i++)
        json_array_append_new(odd, json_finding(s, &f->odd[i]));
    for (size_t i = 0; i < f->values.n; i++)
        json_array_append_new(values, json_values(&f->values.series[i]));
    for (size_t i = 0; i < f->parts_left_out; i++)
        json_array_append_new(
            left_out,
            given_memory(json_pack(
                "{s:s, s:i, s:s, s:o}", "part", f->left_out[i].part, "exit",
                f->left_out[i].status, "reason", f->left_out[i].reason,
                "command", text_or_null(f->left_out[i].command))));
    all = given_memory(json_pack("{s:s, s:i, s:s, s:o, s:i, s:o, s:o, s:o}",
                                 "suite", "Alidade", "examination", FORM,
                                 "version", PACKAGE_VERSION, "hosts", hosts,
                                 "runs", (int)f->of->n, "findings", odd,
                                 "values", values, "not_measured", left_out));
    return json_print(to, all);
}
