/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON document of record.h, by jansson; stand-ins without it. */
#include "record.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_JANSSON
#    include <jansson.h>

bool record_json_open(struct record *record, const char *path)
{
    char part[4096];
    struct stat there;

    snprintf(part, sizeof part, "%s.part", path);
    /* The document replaces the file: never a device, a pipe or a folder. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = S_ISDIR(there.st_mode) ? EISDIR : ENOTSUP;
        return false;
    }
    record->part = fopen(part, "w");
    record->root = record->part != NULL ? json_object() : NULL;
    return record->part != NULL;
}

/* Not a number has no place in JSON. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *time_us(double seconds)
{
    return number(1e6 * seconds);
}

/* One line of the journal. */
static void journal(struct record *record, const char *key, json_t *value)
{
    json_t *line = json_pack("{s:O}", key, value);

    json_dumpf(line, record->part, JSON_COMPACT | JSON_REAL_PRECISION(12));
    fputc('\n', record->part);
    fflush(record->part);
    json_decref(line);
}

void record_json_begin(struct record *record, const struct record_context *c)
{
    json_t *root = record->root, *head, *command = json_array();
    char started[32];
    const time_t now = time(NULL);

    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    for (int i = 0; i < c->argc; i++)
        json_array_append_new(command, json_string(c->argv[i]));
    head =
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "schema",
                  RECORD_SCHEMA, "suite", "Alidade", "version", PACKAGE_VERSION,
                  "benchmark", record->bench->name, "about",
                  record->bench->about, "started", started, "command", command,
                  "method", record_method(record->bench, c, record->settings),
                  "environment", record_environment(c));
    json_object_update(root, head);
    journal(record, "head", head);
    json_decref(head);
    json_object_set_new(root, "rows", json_array());
}

static json_t *columns_of(const struct report_table *table,
                          const struct cell *cells)
{
    json_t *columns = json_object();

    for (int i = 0; i < table->n; i++)
        json_object_set_new(columns, table->column[i].key,
                            cells[i].kind == CELL_REAL ? number(cells[i].real)
                            : cells[i].kind == CELL_COUNT
                                ? json_integer((json_int_t)cells[i].count)
                            : strcmp(cells[i].word, "-") == 0
                                ? json_null()
                                : json_string(cells[i].word));
    return columns;
}

/* Times of a lap, and the figures made of them, over the laps. */
static json_t *over_laps(const struct record *record, const struct result *r)
{
    static const double shown[] = { 1, 5, 25, 50, 75, 90, 95, 99, 99.9 };
    const struct stats *s = &r->over_laps;
    json_t *percentiles = json_object(), *object;
    char name[16];

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        snprintf(name, sizeof name, "%g", shown[i]);
        json_object_set_new(
            percentiles, name,
            time_us(stats_quantile(r->sorted, s->n, shown[i] / 100)));
    }
    object = json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "population",
                       record->bench->timed == TIMED_RANK_0 ? "rank 0"
                                                            : "slowest rank",
                       "n", (json_int_t)s->n, "mean_us", time_us(s->mean),
                       "stddev_us", time_us(s->stddev), "median_us",
                       time_us(s->median), "min_us", time_us(s->min), "max_us",
                       time_us(s->max), "percentiles_us", percentiles);
    json_object_set_new(object, "tau", number(s->tau));
    json_object_set_new(object, "n_effective", number((double)s->n / s->tau));
    json_object_set_new(object, "half_width", number(stats_half_width(s)));
    json_object_set_new(
        object, "ci95_us",
        s->has_interval
            ? json_pack("[o, o]", time_us(s->ci_low), time_us(s->ci_high))
            : json_null());
    return object;
}

static json_t *parts_of(const struct result *r)
{
    const struct overlap_parts *p = &r->parts;

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "start_us",
                     time_us(p->start), "compute_us", time_us(p->compute),
                     "test_us", time_us(p->test), "wait_us", time_us(p->wait),
                     "pure_us", time_us(p->pure), "pure_min_us",
                     time_us(p->pure_min), "pure_max_us", time_us(p->pure_max),
                     "overlap_percent", number(result_overlap(r)));
}

static json_t *raw_of(const struct result *r)
{
    json_t *raw = json_array();

    for (size_t i = 0; i < r->over_laps.n; i++)
        json_array_append_new(raw, time_us(r->series[i]));
    return raw;
}

void record_json_row(struct record *record, const struct record_context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells)
{
    static const char *const verdict[] = { "not checked", "pass", "fail" };
    const bool sized = record->bench->takes & TAKES_SIZES;
    const char *const unit = record->bench->report->unit;
    json_t *row = json_pack(
        "{s:s, s:i, s:i, s:i, s:s, s:s, s:o, s:s?, s:o, s:I, s:I, s:I, s:s, "
        "s:b, s:o, s:s}",
        "benchmark", record->bench->name, "ranks", c->world->size, "nodes",
        c->placement->nodes, "window", c->run->window, "source", "H",
        "destination", "H", "value",
        unit != NULL ? number(result_figure(r, r->mean)) : json_null(), "unit",
        unit, "columns", columns_of(table, cells), "laps", (json_int_t)r->laps,
        "warmup_laps", (json_int_t)r->warmup, "stride", (json_int_t)r->stride,
        "stop", result_stop_word(r->stop), "precise", r->precise, "elapsed_s",
        number(r->elapsed_s), "verified", verdict[r->verdict]);

    json_object_set_new(
        row, "bytes", sized ? json_integer((json_int_t)r->bytes) : json_null());
    json_object_set_new(
        row, "count", sized ? json_integer((json_int_t)r->count) : json_null());
    json_object_set_new(row, "datatype",
                        sized ? json_string(element_name(r->type))
                              : json_null());
    json_object_set_new(row, "over_ranks",
                        json_pack("{s:i, s:o, s:o, s:o}", "n", r->ranks,
                                  "mean_us", time_us(r->mean), "min_us",
                                  time_us(r->mean_min), "max_us",
                                  time_us(r->mean_max)));
    if (r->sorted != NULL)
        json_object_set_new(row, "over_laps", over_laps(record, r));
    if (c->run->overlap != NULL)
        json_object_set_new(row, "overlap", parts_of(r));
    if (record->settings->raw)
        json_object_set_new(row, "raw_us", raw_of(r));
    journal(record, "row", row);
    json_array_append_new(json_object_get(record->root, "rows"), row);
}

bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete)
{
    const char *path = record->settings->json;
    char fresh[4096], part[4096];
    bool good;

    snprintf(part, sizeof part, "%s.part", path);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    if (json_object_get(record->root, "rows") == NULL) {
        /* Refused before anything was measured: there is nothing to keep. */
        fclose(record->part);
        unlink(part);
        json_decref(record->root);
        return true;
    }
    json_object_set_new(record->root, "exit",
                        json_pack("{s:i, s:s, s:b}", "code", (int)code,
                                  "reason", message_reason(code), "complete",
                                  complete));
    good = json_dump_file(record->root, fresh,
                          JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0 &&
           rename(fresh, path) == 0;
    fclose(record->part);
    if (good)
        unlink(part);
    json_decref(record->root);
    return good;
}
#else
bool record_json_open(struct record *record, const char *path)
{
    (void)record;
    (void)path;
    errno = ENOSYS; /* configure found no jansson */
    return false;
}

void record_json_begin(struct record *record, const struct record_context *c)
{
    (void)record;
    (void)c;
}

void record_json_row(struct record *record, const struct record_context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells)
{
    (void)record;
    (void)c;
    (void)table;
    (void)r;
    (void)cells;
}

bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete)
{
    (void)record;
    (void)code;
    (void)complete;
    return true;
}
#endif
