/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

enum { NAMED, GOOD, REST }; /* in which order hosts are listed */
enum { AGAIN_HOSTS = 4, PAIRS_NEED = 3, SHOWN_HOSTS = 8 };

/* --- What to type next ------------------------------------------------------------- */

static bool is_suspect(const struct findings *f, const char *host)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->odd[i].host, host) == 0 ||
            strcmp(f->odd[i].partner, host) == 0)
            return true;
    return false;
}

/* The host, its partner, and others that nothing is known against, as many as a
   comparison takes. */
static void hosts_again(const struct findings *f, const struct finding *one,
                        char *text, size_t room)
{
    int n = 0;

    if (f->hosts < 2)
        return;
    for (int turn = NAMED; turn <= REST; turn++)
        for (size_t i = 0; i < f->hosts; i++) {
            const bool named = strcmp(f->host[i], one->host) == 0 ||
                               strcmp(f->host[i], one->partner) == 0;
            const bool good = !is_suspect(f, f->host[i]);

            if (turn == NAMED  ? named
                : turn == GOOD ? !named && good && n < AGAIN_HOSTS
                               : !named && !good && n < PAIRS_NEED)
                text_add(text, room, "%s%s", n++ > 0 ? " " : "", f->host[i]);
        }
}

const char *summary_again(const struct summary *s, const struct finding *one,
                          char text[SUMMARY_COMMAND])
{
    const char *at = s->again != NULL ? strstr(s->again, "{hosts}") : NULL;

    text[0] = '\0';
    if (at == NULL || (one->kind == FINDING_FAILED && one->host[0] == '\0'))
        return text;
    text_add(text, SUMMARY_COMMAND, "%.*s", (int)(at - s->again), s->again);
    hosts_again(s->of, one, text, SUMMARY_COMMAND);
    text_add(text, SUMMARY_COMMAND, "%s", at + strlen("{hosts}"));
    return text;
}

const char *summary_look(const struct summary *s, const struct finding *one,
                         char text[SUMMARY_COMMAND])
{
    static const char *const look[] = {
        [FINDING_NETWORK] = "ip -s link; dmesg | tail -n 40",
        [FINDING_WITHIN] = "lscpu; uptime; dmesg | tail -n 40",
        [FINDING_NOISE] = "ps -eLo psr,pcpu,comm --sort=-pcpu | head -n 20",
        [FINDING_FACT] = "uname -a; lscpu; ulimit -a",
        [FINDING_FAILED] = "uptime; df; dmesg | tail -n 40",
    };

    text[0] = '\0';
    if (one->kind == FINDING_VALUE ||
        (one->kind == FINDING_FAILED && one->host[0] == '\0'))
        return text;
    if (s->of->hosts > 1 && one->host[0] != '\0')
        text_add(text, SUMMARY_COMMAND, "ssh %s '%s'", one->host,
                 look[one->kind]);
    else
        text_add(text, SUMMARY_COMMAND, "%s", look[one->kind]);
    return text;
}

/* --- The sentences ----------------------------------------------------------------- */

/* Hosts with findings, each once: "h2, h5". */
static size_t odd_hosts(const struct findings *f, char *text, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < f->hosts; i++) {
        bool odd = false;

        for (size_t k = 0; k < f->n; k++)
            odd = odd || (!f->odd[k].on_most_hosts &&
                          (strcmp(f->odd[k].host, f->host[i]) == 0 ||
                           strcmp(f->odd[k].partner, f->host[i]) == 0));
        if (odd && n < SHOWN_HOSTS)
            text_add(text, room, "%s%s", n > 0 ? ", " : "", f->host[i]);
        n += odd;
    }
    if (n > SHOWN_HOSTS)
        text_add(text, room, " and %zu more", n - SHOWN_HOSTS);
    return n;
}

static void answer(const struct findings *f, char text[FINDING_TEXT])
{
    const size_t odd = findings_odd(f);
    const char *s = f->hosts == 1 ? "" : "s";
    char hosts[FINDING_TEXT] = "";

    text[0] = '\0';
    if (f->n == 0 && !findings_measured(f))
        text_add(text, FINDING_TEXT,
                 "Nothing is known: no latency, bandwidth or noise was "
                 "measured.");
    else if (odd == 0 && findings_runs(f) < RUNS_AGREE)
        text_add(
            text, FINDING_TEXT,
            "Nothing is known of %zu host%s: it takes %d runs on %d hosts with "
            "a CPU for each rank, and %zu counted.",
            f->hosts, s, RUNS_AGREE, HOST_SERIES_HOSTS, findings_runs(f));
    else if (odd == 0)
        text_add(text, FINDING_TEXT, "Nothing is odd on %zu hosts.", f->hosts);
    else if (odd_hosts(f, hosts, sizeof hosts) > 0)
        text_add(text, FINDING_TEXT, "Odd: %s, of %zu host%s.", hosts, f->hosts,
                 s);
    else
        text_add(text, FINDING_TEXT,
                 "Odd: %zu finding%s of no single host, of %zu host%s.", odd,
                 odd == 1 ? "" : "s", f->hosts, s);
    if (f->n > odd)
        text_add(text, FINDING_TEXT, " What most hosts have is not odd.");
    if (f->parts_left_out > 0)
        text_add(text, FINDING_TEXT, " %zu part%s not measured.",
                 f->parts_left_out, f->parts_left_out == 1 ? " was" : "s were");
}

/* "h2", "h1 and h3", or "all hosts" */
static const char *whose(const struct finding *one, char text[FINDING_TEXT])
{
    text[0] = '\0';
    text_add(text, FINDING_TEXT, "%s",
             one->host[0] != '\0'          ? one->host
             : one->kind == FINDING_FAILED ? "Failed"
             : one->on_most_hosts          ? "Most hosts"
                                           : "All hosts");
    if (one->partner[0] != '\0')
        text_add(text, FINDING_TEXT, " and %s", one->partner);
    return text;
}

/* What was measured with, in one line. */
static void circumstances(const struct findings *f, char text[FINDING_TEXT])
{
    const json_t *root = f->of->file[0].root;
    const json_t *all = f->of->file[0].environment;
    const char *started = text_in(root, "started");
    const char *mpi = text_in(all, "mpi");
    const char *cpu = text_in(json_object_get(all, "hardware"), "processor");
    const char *kernel = text_in(all, "kernel");

    text[0] = '\0';
    text_add(text, FINDING_TEXT,
             "%.10s; %zu run%s; %zu rows verified; %s; %s; %s",
             started != NULL ? started : "", f->of->n, f->of->n == 1 ? "" : "s",
             f->verified, mpi != NULL ? mpi : "", cpu != NULL ? cpu : "",
             kernel != NULL ? kernel : "");
}

/* --- Values ------------------------------------------------------------------------ */

/* The best and the worst host, and the median over hosts. */
struct range {
    const struct host_values *best, *worst;
    double typical;
    bool odd;
};

static struct range range_of(const struct host_series *s)
{
    double *figure = given_memory(malloc(s->hosts * sizeof *figure));
    struct range r = { .best = &s->host[0], .worst = &s->host[0] };

    for (size_t i = 0; i < s->hosts; i++) {
        const struct host_values *v = &s->host[i];
        const bool more = strcmp(s->unit, "MB/s") == 0;

        figure[i] = v->median;
        if (more ? v->median > r.best->median : v->median < r.best->median)
            r.best = v;
        if (more ? v->median < r.worst->median : v->median > r.worst->median)
            r.worst = v;
        r.odd = r.odd || v->worse;
    }
    r.typical = stats_median(figure, s->hosts);
    free(figure);
    return r;
}

/* With four digits, and without an exponent. */
static const char *number(double value, char text[32])
{
    snprintf(text, 32, value >= 1000 ? "%.0f" : "%.4g", value);
    return text;
}

/* "0.34 (h0) to 0.37 (h3)", or the name of what all values are of */
static void range_words(const struct host_series *s, const struct range *r,
                        char text[FINDING_TEXT])
{
    char best[32], worst[32];

    text[0] = '\0';
    if (s->hosts == 1)
        text_add(text, FINDING_TEXT, "%s", r->best->host);
    else
        text_add(text, FINDING_TEXT, "%s (%s) to %s (%s)",
                 number(r->best->median, best), r->best->host,
                 number(r->worst->median, worst), r->worst->host);
}

/* --- The document ------------------------------------------------------------------ */

static void add_finding(struct document *d, const struct summary *s,
                        const struct finding *one)
{
    char text[FINDING_TEXT], command[SUMMARY_COMMAND];

    document_lead(d, DOCUMENT_ITEM, whose(one, text), "%s", one->what);
    document_lead(d, DOCUMENT_DETAIL, "", "%s", one->evidence);
    if (summary_again(s, one, command)[0] != '\0')
        document_lead(d, DOCUMENT_DETAIL, "Again", "%s", command);
    if (summary_look(s, one, command)[0] != '\0')
        document_lead(d, DOCUMENT_DETAIL, "Look", "%s", command);
}

static void add_values(struct document *d, const struct findings *f)
{
    static const struct document_column column[] = {
        { "What", 52, COLUMN_LEFT },
        { "Typical host", 12, 0 },
        { "Best to worst host", 0, COLUMN_LEFT }
    };
    char text[FINDING_TEXT], typical[32];

    document_add(d, DOCUMENT_HEADING, "Values");
    document_table(d, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < f->values.n; i++) {
        const struct host_series *series = &f->values.series[i];
        const struct range r = range_of(series);

        range_words(series, &r, text);
        document_cell(d, "%s", series->label);
        document_cell(d, "%s %s", number(r.typical, typical), series->unit);
        document_cell(d, r.odd ? "%s  ODD" : "%s", text);
        if (r.odd)
            document_mark(d, "slower");
    }
}

void summary_add(struct document *d, const struct summary *s)
{
    const struct findings *f = s->of;
    char text[FINDING_TEXT];

    answer(f, text);
    document_add(d, DOCUMENT_ANSWER, "%s", text);
    document_add(d, DOCUMENT_NOTE, "%s", s->note != NULL ? s->note : "");
    circumstances(f, text);
    document_add(d, DOCUMENT_NOTE, "%s", text);
    for (size_t i = 0; i < f->n; i++)
        add_finding(d, s, &f->odd[i]);
    if (findings_measured(f))
        add_values(d, f);
    if (f->parts_left_out > 0)
        document_add(d, DOCUMENT_HEADING, "Not measured");
    for (size_t i = 0; i < f->parts_left_out; i++) {
        const struct left_out *part = &f->left_out[i];

        document_lead(d, DOCUMENT_ITEM, part->part, "%s", part->reason);
        if (part->command[0] != '\0')
            document_lead(d, DOCUMENT_DETAIL, "Command", "%s", part->command);
    }
}

void summary_rules(struct document *d)
{
    document_add(d, DOCUMENT_HEADING, "When a host is odd");
    document_add(
        d, DOCUMENT_NOTE,
        "Latency and bandwidth within hosts, and noise, were measured in "
        "several runs. A run names a host whose value is worse than the median "
        "of all hosts by 10%% (noise: 1%%, in a fixed period 0.5%%; speed of a "
        "CPU: 3%%) and by four standard deviations, 1.4826 times the median "
        "absolute deviation each. Runs of pair_matrix and pair_bw name hosts "
        "and pairs themselves. A finding is what at least %d runs name, and "
        "three quarters of all. What was measured while ranks shared CPUs "
        "makes nothing odd.",
        RUNS_AGREE);
}
