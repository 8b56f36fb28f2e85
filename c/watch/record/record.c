/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "counters/counters.h"
#include "devices/devices.h"
#include "drawings/graph.h"
#include "dry_run/dry_run.h"
#include "environment/environment.h"
#include "fields.h"
#include "fresh_file.h"
#include "job/progress.h"
#include "job/world.h"
#include "report/report.h"
#include "report/result.h"

enum { SCHEMA = 2 };

static struct {
    const struct context *context;
    const struct record_asked *asked;
    struct fields head, document; /* before and after the rows */
    struct fresh_file file;
    long head_end, rows_end; /* of the file: before and after its rows */
    bool ready, complete;    /* the context is; every row was measured */
    struct fresh_file csv;   /* from the first row on */
    bool csv_is_ready, csv_has_begun;
} kept;

/* --- What is asked for ------------------------------------------------------------ */

#define FIELD(name) .offset = offsetof(struct record_asked, name)

static const char *parse_file(void *field, const char *text)
{
    *(const char **)field = fresh_file_of(text);
    return text[0] == '\0' ? "is empty" : NULL;
}

static const struct option_row option_rows[] = {
    { 0, "json", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write results and environment as JSON; -: to standard output, instead of the table",
      .kind = OPTION_SPECIAL, .parse = parse_file, FIELD(json), MOOT_IN_PLAN },
    { 0, "csv", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write the rows as CSV; -: likewise", .kind = OPTION_SPECIAL, .parse = parse_file,
      FIELD(csv), MOOT_IN_PLAN },
    { 0, "raw", NULL, .group = OPTIONS_OUTPUT, TIMED,
      .help = "with --json: also write the samples, up to 131,072 per row", .kind = OPTION_FLAG,
      FIELD(raw) },
    { 0 },
};

bool record_takes_output(const struct settings *s)
{
    const struct record_asked *asked = ASKED(record, s);

    return fresh_file_is_output(asked->json) || fresh_file_is_output(asked->csv) ||
           fresh_file_is_output(ASKED(counters, s)->file);
}

static const char *conflict(const struct settings *s)
{
    const struct record_asked *asked = ASKED(record, s);

    if (asked->raw && asked->json == NULL)
        return "--raw requires --json FILE";
    if (fresh_file_is_output(asked->json) && fresh_file_is_output(asked->csv))
        return "--json=- and --csv=- exclude each other: standard output has room for one";
    if (record_takes_output(s) && (ASKED(graph, s)->forms & GRAPH_TTY) != 0)
        return "-G tty needs standard output, which --json=- and --csv=- take";
    return NULL;
}

const struct option_part record_options = { .rows = option_rows,
                                            .size = sizeof(struct record_asked),
                                            .conflict = conflict };

/* --- The method ------------------------------------------------------------------- */

/* An option by the name that its row gives it. */
static void record_option(const struct option_row *row, struct fields to)
{
    const void *const field = (const char *)row->base + row->offset;
    const char *word = row->given;
    struct fields list;

    if (row->record != NULL) {
        row->record(to, row->json, field);
        return;
    }
    switch (row->kind) {
    case OPTION_FLAG:
        fields_flag(to, row->json, *(const bool *)field);
        return;
    case OPTION_INT:
    case OPTION_CHOICE:
        word = row->choices != NULL ? choice_word(row->choices, *(const int *)field) : NULL;
        if (word == NULL && row->kind == OPTION_INT)
            fields_int(to, row->json, *(const int *)field);
        break;
    case OPTION_SIDES:
        list = fields_list(to, row->json);
        for (int i = 0; i < 2; i++)
            fields_int(list, NULL, ((const int *)field)[i]);
        return;
    case OPTION_SIZE:
        fields_int(to, row->json, (long long)*(const size_t *)field);
        return;
    case OPTION_SECONDS:
    case OPTION_PERCENT:
        fields_real(to, row->json, *(const double *)field);
        return;
    case OPTION_TEXT:
        word = *(const char *const *)field;
        break;
    default:
        break;
    }
    if (word != NULL)
        fields_text(to, row->json, word);
}

/* How is measured. */
static void method_of(const struct context *c, struct fields to)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    const bool fixed = settings_fixed(s);
    const struct option_row *row;
    char option[40];
    struct fields ignored;

    fields_text(to, "title", c->table->title);
    fields_text(to, "sample", b->report->sample);
    fields_text(to, "printed", b->report->printed);
    fields_text(to, "start", choice_word(settings_start_words, (int)s->start));
    fields_flag(to, "fixed_counts", fixed);
    if (b->takes & TAKES_ITERATIONS)
        fields_text(to, "disturbed",
                    choice_word(settings_disturbed_words, (int)settings_disturbed(s)));
    fields_flag(to, "each_iteration", s->npercentiles > 0);
    row = option_moot(s, NULL);
    if (row != NULL || s->stray[0] != '\0')
        ignored = fields_list(to, "ignored");
    if (s->stray[0] != '\0')
        fields_text(ignored, NULL, s->stray);
    for (; row != NULL; row = option_moot(s, row))
        fields_text(ignored, NULL, option_spelling(row, option));
    fields_flag(to, "verified", bench_is_verified(b, s));
    if (!fixed) {
        fields_real(to, "precision", s->precision);
        fields_real(to, "budget_s", settings_budget(s));
    }
    if (bench_is_sized(b)) { /* whether options can change them or not */
        fields_known_int(to, "seed", c->seed > 0, (long long)c->seed);
        fields_text(to, "order", choice_word(settings_order_words, (int)s->order));
        fields_text(to, "buffers", choice_word(settings_use_words, (int)s->use));
        fields_flag(to, "touch", s->touch);
    }
    if (s->use == BUFFERS_ROTATE)
        fields_int(to, "pool_bytes", (long long)c->pool);
    if (b->timed == TIMED_SENDERS)
        fields_int(to, "pairs", c->run->pairs);
    if (settings_as_omb(s))
        fields_text(to, "protocol", "omb");
    for (row = s->rows; row->name != NULL; row++)
        if (row->json != NULL && row->taken)
            record_option(row, to);
    record_of_family(c, (struct recorded){ .part = RECORDED_METHOD }, to);
}

/* --- The file: head, rows, and a tail that the next row overwrites ---------------- */

/* After the rows so far: another one, unless it is NULL, and a tail with that exit code. */
static void write_on(const struct fields *row, enum exit_code code, bool complete)
{
    const struct fields leave = fields_object(kept.document, "exit");
    FILE *const to = kept.file.to;

    if (to == NULL)
        return;
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    fresh_file_grow(&kept.file);
    fseek(to, kept.rows_end, SEEK_SET);
    if (row != NULL) {
        fputs(kept.rows_end > kept.head_end ? ",\n  " : "\n  ", to);
        fields_write(*row, to, FIELDS_LINE);
        kept.rows_end = ftell(to);
    }
    fputs(kept.rows_end > kept.head_end ? "\n ]," : "],", to);
    fields_write(kept.document, to, FIELDS_INSIDE);
    fputs("}\n", to);
    if (fflush(to) != 0 || ftruncate(fileno(to), ftell(to)) != 0)
        kept.file.error = errno;
    fresh_file_flush(&kept.file);
}

static void begin_file(void)
{
    FILE *to;

    if (kept.file.to != NULL || !fresh_file_begin(&kept.file, kept.asked->json, FRESH_DOCUMENT))
        return;
    to = kept.file.to;
    fputs("{", to);
    fields_write(kept.head, to, FIELDS_INSIDE);
    fseek(to, -1, SEEK_CUR); /* the end of a line */
    fputs(",\n \"rows\": [", to);
    kept.head_end = kept.rows_end = ftell(to);
    write_on(NULL, EXIT_RUN, false);
}

static void forget(void)
{
    fresh_file_drop(&kept.file);
    fields_release(kept.head);
    fields_release(kept.document);
    kept.head.inside = kept.document.inside = NULL;
}

/* --- The document ----------------------------------------------------------------- */

static void begin_document(void)
{
    const struct context *c = kept.context;
    struct fields head, command;
    char started[32];
    const time_t now = time(NULL);

    if (kept.asked->json == NULL || kept.asked->json[0] == '\0')
        return;
    head = kept.head = fields_document();
    kept.document = fields_document();
    if (head.inside == NULL)
        return;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fields_int(head, "schema", SCHEMA);
    fields_text(head, "suite", "Alidade");
    fields_text(head, "version", PACKAGE_VERSION);
    fields_text(head, "benchmark", c->bench->name);
    fields_text(head, "about", c->bench->about);
    fields_text(head, "started", started);
    command = fields_list(head, "command");
    for (int i = 0; i < c->argc; i++)
        fields_text(command, NULL, c->argv[i]);
    /* Before the first row a file of an earlier run is worth more. */
    if (fresh_file_is_new(kept.asked->json))
        begin_file();
}

static void list_left_out(const struct context *c, const struct row *row, int n, struct fields list)
{
    for (; n > 0; n--, row++) {
        const struct fields one = fields_object(list, NULL);

        fields_text(one, "because", row->lacks != NULL ? row->lacks : "--total was over");
        record_which(c, row, row->ranks > 0 ? row->ranks : c->world->size, row->window, one);
    }
}

static void say_left_out(const struct rows *rows)
{
    const struct fields list = fields_list(kept.document, "left_out");

    list_left_out(kept.context, rows->absent, rows->nabsent, list);
    list_left_out(kept.context, rows->row + rows->n - rows->left_out, rows->left_out, list);
}

/* --- --csv --------------------------------------------------------------------------- */

/* What a row of the document of --json is and then the columns of the table, by RFC 4180; their
   names where row is NULL. */
static void csv_line(const struct context *c, const struct fields *row)
{
    enum { FIXED = 7, MORE = 2 };
    const char *key[FIXED + MORE + REPORT_COLUMNS] = { "benchmark", "ranks", "nodes",   "window",
                                                       "bytes",     "count", "datatype" };
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    int of_row = FIXED, n;

    if (c->bench->operations[0].name != NULL)
        key[of_row++] = "operation";
    if (p->name != NULL)
        key[of_row++] = p->key;
    for (n = of_row; n < of_row + c->table->n; n++)
        key[n] = c->table->column[n - of_row].key;
    for (int i = 0; i < n; i++) {
        if (row == NULL)
            fputs(key[i], kept.csv.to);
        else
            fields_write_csv(i < of_row ? *row : fields_get(*row, "columns"), key[i], kept.csv.to);
        fputs(i + 1 < n ? "," : "\r\n", kept.csv.to);
    }
}

static void begin_csv(const struct context *c)
{
    kept.csv_has_begun = true;
    progress_phase("opening the file of --csv"); /* a pipe waits for a reader */
    if (fresh_file_begin(&kept.csv, kept.asked->csv, FRESH_ROWS))
        csv_line(c, NULL);
    progress_phase("writing results");
}

static void csv_row(const struct context *c, struct fields row)
{
    if (!kept.csv_has_begun)
        begin_csv(c);
    if (kept.csv.to == NULL)
        return;
    fresh_file_grow(&kept.csv);
    csv_line(c, &row);
    fresh_file_flush(&kept.csv);
}

/* Of a run that was refused a file is written only if nothing is lost.  An older one does not hide
   that data were wrong in the first row. */
static bool is_due(const char *path, bool begun, enum exit_code code)
{
    return begun || fresh_file_is_new(path) ||
           (kept.ready &&
            (code == EXIT_OK || code == EXIT_WRONG_DATA || fresh_file_is_stream(path)));
}

static enum exit_code csv_end(const struct context *c, enum exit_code code)
{
    const bool due = kept.csv_is_ready && is_due(kept.asked->csv, kept.csv_has_begun, code);

    if (due && !kept.csv_has_begun)
        begin_csv(c);
    kept.csv_is_ready = kept.csv_has_begun = false;
    return due ? fresh_file_end(&kept.csv, "--csv", code) : code;
}

/* --- The moments ------------------------------------------------------------------ */

/* What is known without MPI, on the process that the launcher calls rank 0. */
static enum exit_code begin(const struct context *c)
{
    FILE *nowhere;

    memset(&kept, 0, sizeof kept);
    kept.context = c;
    kept.asked = ASKED(record, c->settings);
    /* All that is printed goes nowhere, and the file of standard output is free. */
    if (record_takes_output(c->settings) && (nowhere = fopen("/dev/null", "w")) != NULL)
        stdout = nowhere; /* as the manual of glibc allows */
    progress.rescue = fresh_files_rescue;
    if (launch_rank() == 0)
        begin_document();
    return EXIT_OK;
}

/* Can every file that the settings name be written?  None of it is changed before the first
   row, so a run that is refused leaves older ones as they are. */
static enum exit_code check_files(const struct context *c)
{
    const struct counters_asked *counted = ASKED(counters, c->settings);
    enum { FILES = 3 };
    static const char *const option[FILES] = { "--json", "--csv", "-P" };
    const char *const path[FILES] = { kept.asked->json, kept.asked->csv,
                                      counted->n > 0 ? counted->file : NULL };
    const int wrong = fresh_files_wrong(path, FILES);

    if (wrong < FILES)
        return message_print(errno == 0 ? E12_USAGE : E17_FILE, "%s %s: %s", option[wrong],
                             path[wrong],
                             errno == 0 ? "another option names the same file" : strerror(errno));
    for (int i = 0; i < FILES; i++)
        if (graph_names(c->settings, path[i]))
            return message_print(E12_USAGE, "%s %s: -G gives this ending to drawings", option[i],
                                 path[i]);
    return EXIT_OK;
}

static enum exit_code open(const struct context *c)
{
    if (c->world->rank > 0) { /* the launcher counts otherwise */
        forget();
        return EXIT_OK;
    }
    if (kept.asked->json != NULL && kept.document.inside == NULL)
        begin_document();
    return check_files(c);
}

static void placed(const struct context *c, struct surroundings *around)
{
    if (kept.asked->json != NULL)
        carriers_begin(c);
}

static enum exit_code ready(const struct context *c)
{
    kept.ready = true;
    kept.csv_is_ready = kept.asked->csv != NULL && c->world->rank == 0;
    if (kept.asked->json == NULL)
        return EXIT_OK;
    if (kept.document.inside != NULL)
        method_of(c, fields_object(kept.document, "method"));
    environment_record(c, fields_object(kept.document, "environment"));
    links_record(fields_get(kept.document, "environment"));
    write_on(NULL, EXIT_RUN, false);
    return EXIT_OK;
}

static void row_measured(const struct context *c, const struct result *r)
{
    struct fields row;

    if (!kept.csv_is_ready && kept.document.inside == NULL)
        return;
    row = fields_document();
    record_row_fields(c, r, kept.asked->raw, row);
    if (kept.csv_is_ready)
        csv_row(c, row);
    if (kept.document.inside != NULL) {
        begin_file();
        /* As they are after this row. */
        record_of_family(c, (struct recorded){ .part = RECORDED_METHOD },
                         fields_get(kept.document, "method"));
        environment_synchronisation(c, fields_get(kept.document, "environment"));
        write_on(&row, EXIT_RUN, false); /* of a process that dies */
    }
    fields_release(row);
}

static bool document_is_due(enum exit_code code)
{
    return kept.document.inside != NULL && is_due(kept.asked->json, kept.file.to != NULL, code);
}

/* FILE gets its name and its exit code.  Where it is too early for that, the run was refused
   before end. */
static enum exit_code finish(const struct context *c, enum exit_code code)
{
    if (!kept.ready && document_is_due(code))
        begin_file();
    if (kept.file.to != NULL) {
        write_on(NULL, code, kept.complete && code == EXIT_OK);
        code = fresh_file_end(&kept.file, "--json", code);
    }
    forget();
    return code;
}

/* MPI_Finalize may not return: until then a process that dies is one that failed.  Where it
   has failed, a launcher may kill this rank then. */
static enum exit_code end_run(const struct context *c, const struct ending *ending)
{
    const enum exit_code of_csv = csv_end(c, ending->code);
    enum exit_code code = ending->code;
    bool now;

    if (!kept.ready)
        return finish(c, code);
    if (ending->rows != NULL && kept.document.inside != NULL) {
        say_left_out(ending->rows);
        record_of_family(c, (struct recorded){ .part = RECORDED_HEAD, .rows = ending->rows },
                         kept.document);
    }
    if (document_is_due(code)) {
        now = code != EXIT_OK || fresh_file_is_stream(kept.asked->json);
        begin_file();
        progress_phase("writing the file of --json");
        kept.complete = ending->complete;
        write_on(NULL, now ? code : EXIT_RUN, kept.complete);
        if (now || !kept.file.whole)
            code = fresh_file_end(&kept.file, "--json", code);
    }
    return code != EXIT_OK ? code : of_csv;
}

const struct watcher record_watcher = { .begin = begin,
                                        .open = open,
                                        .placed = placed,
                                        .ready = ready,
                                        .measured = row_measured,
                                        .end = end_run,
                                        .close = finish };
