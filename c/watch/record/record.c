/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "commit.h"
#include "counters/counters.h"
#include "drawings/graph.h"
#include "dry_run/dry_run.h"
#include "environment/environment.h"
#include "fields.h"
#include "fresh_file.h"
#include "gpu/gpu_use.h"
#include "job/launch.h"
#include "job/progress.h"
#include "memory/memory.h"
#include "report/result.h"
#include "timing/clock_sync.h"

enum { SCHEMA = 2 };

static struct {
    const struct context *context;
    const struct record_asked *asked;
    struct fields head, document; /* before and after the rows */
    struct fresh_file file;
    long head_end, rows_end; /* of the file: before and after its rows */
    bool ready, complete;    /* the context is; every row was measured */
} record;

/* --- What is asked for ------------------------------------------------------------ */

#define FIELD(name) .offset = offsetof(struct record_asked, name)

static const char *parse_file(void *field, const char *text)
{
    *(const char **)field = fresh_file_of(text);
    return text[0] == '\0' ? "is empty" : NULL;
}

static const struct option_row option_rows[] = {
    { 0, "json", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write results and environment as JSON; -: to standard output, "
              "instead of the table",
      .kind = OPTION_SPECIAL, .parse = parse_file, FIELD(json), MOOT_IN_PLAN },
    { 0, "csv", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write the rows as CSV; -: likewise", .kind = OPTION_SPECIAL,
      .parse = parse_file, FIELD(csv), MOOT_IN_PLAN },
    { 0, "raw", NULL, .group = OPTIONS_OUTPUT, TIMED,
      .help = "with --json: also write the samples, up to 131,072 per row",
      .kind = OPTION_FLAG, FIELD(raw) },
    { 0 },
};

bool record_takes_output(const struct settings *s)
{
    const struct record_asked *asked = record_asked(s);

    return fresh_file_is_output(asked->json) ||
           fresh_file_is_output(asked->csv) ||
           fresh_file_is_output(counters_asked(s)->file);
}

static const char *conflict(const struct settings *s)
{
    const struct record_asked *asked = record_asked(s);

    if (asked->raw && asked->json == NULL)
        return "--raw requires --json FILE";
    if (fresh_file_is_output(asked->json) && fresh_file_is_output(asked->csv))
        return "--json=- and --csv=- exclude each other: standard output has "
               "room for one";
    if (record_takes_output(s) && (graph_asked(s) & GRAPH_TTY) != 0)
        return "-G tty needs standard output, which --json=- and --csv=- take";
    return NULL;
}

const struct option_part record_options = { .rows = option_rows,
                                            .size = sizeof(struct record_asked),
                                            .conflict = conflict };

const struct record_asked *record_asked(const struct settings *s)
{
    return settings_asked(s, &record_options);
}

/* --- The environment and the method -------------------------------------------------- */

/* Collected on rank 0. */
static struct environment environment;
static struct gpu_rank *gpus; /* of all ranks; NULL: no GPU is used */

extern char **environ;

static void variables(struct fields to)
{
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        const size_t n = strcspn(*entry, "=");

        if (n >= sizeof name || (*entry)[n] != '=' ||
            !environment_allowed(*entry))
            continue;
        memcpy(name, *entry, n);
        name[n] = '\0';
        fields_text(to, name, *entry + n + 1);
    }
}

static void ranks_of(const struct environment *e, struct fields list)
{
    for (int i = 0; i < e->nranks; i++) {
        const struct fields rank = fields_object(list, NULL);

        fields_int(rank, "rank", i);
        fields_text(rank, "host", e->rank[i].host);
        fields_int(rank, "node", e->rank[i].node);
        fields_int(rank, "pid", e->rank[i].pid);
        fields_int(rank, "cpu", e->rank[i].cpu);
        fields_text(rank, "cpus_allowed", e->rank[i].cpus);
    }
}

static void libraries_of(const struct environment *e, struct fields list)
{
    for (int i = 0; i < e->nlibraries; i++) {
        const struct library *l = &e->library[i];
        const struct fields library = fields_object(list, NULL);

        fields_text(library, "name", l->name);
        fields_text(library, "file", l->file);
        fields_text(library, "version",
                    l->version[0] != '\0' ? l->version : NULL);
    }
}

static void clock_of(const struct clock_facts *clock, struct fields to)
{
    fields_text(to, "name", clock->name);
    fields_real(to, "resolution_ns", 1e9 * clock->resolution_s);
    fields_real(to, "tick_ns", 1e9 * clock->tick_s);
    fields_real(to, "cost_ns", 1e9 * clock->cost_s);
    fields_real(to, "cost_p99_ns", 1e9 * clock->cost_p99_s);
}

/* "synchronization": the global clock as it is now; null: there is none. */
static void synchronisation_of(const struct context *c, struct fields to)
{
    static const struct clock_sync_facts none;
    const struct clock_sync_facts *f =
        c->sync != NULL ? &c->sync->facts : &none;

    to = fields_known(to, "synchronization", c->sync != NULL);
    fields_text(to, "method", f->method);
    fields_int(to, "levels", f->levels);
    fields_int(to, "ranks_apart", f->apart);
    fields_us(to, "bound_us", f->bound_s);
    fields_real(to, "drift_min_ppm", 1e6 * f->slope_min);
    fields_real(to, "drift_max_ppm", 1e6 * f->slope_max);
    fields_real(to, "took_s", f->took_s);
}

/* In MB/s, or null where it is unknown. */
static void rate(struct fields to, const char *name, double bytes_per_s)
{
    fields_real(to, name, bytes_per_s > 0 ? 1e-6 * bytes_per_s : NAN);
}

static void frequency_of(const struct environment *e, struct fields to)
{
    fields_text(to, "driver", e->frequency.driver);
    fields_text(to, "min_khz", e->frequency.min);
    fields_text(to, "max_khz", e->frequency.max);
    fields_text(to, "now_khz", e->frequency.now);
    fields_text(to, "boost", e->frequency.boost);
}

static void hardware_of(const struct environment *e, const struct hardware *h,
                        struct fields to)
{
    fields_text(to, "processor", e->processor);
    fields_text(to, "cpu_family", e->cpu.family);
    fields_text(to, "cpu_model", e->cpu.model);
    fields_text(to, "cpu_stepping", e->cpu.stepping);
    fields_text(to, "cpu_microcode", e->cpu.microcode);
    fields_text(to, "cpu_flags", e->cpu.flags);
    fields_int(to, "cpus_online", e->cpus_online);
    fields_int(to, "cores", h->cores);
    fields_int(to, "packages", h->packages);
    fields_int(to, "numa_nodes", h->numas);
    fields_int(to, "l2_bytes", (long long)h->l2_bytes);
    fields_int(to, "l3_bytes", (long long)h->l3_bytes);
    fields_text(to, "governor", e->governor);
}

static void gpu_of_rank(const struct gpu_rank *g, struct fields to)
{
    const struct gpu_facts *f = &g->facts;

    fields_text(to, "name", f->name);
    fields_text(to, "uuid", f->uuid);
    fields_text(to, "pci", f->pci);
    fields_flag(to, "mig", f->mig);
    fields_text(to, "compute_mode", f->compute_mode);
    fields_int(to, "ranks_on_it", g->ranks);
    fields_int(to, "device", f->device);
    fields_int(to, "visible", f->visible);
    fields_int(to, "bytes", (long long)f->bytes);
    fields_int(to, "bytes_free", (long long)f->free);
    fields_known_int(to, "numa_node", g->numa >= 0, g->numa);
    fields_flag(to, "peermem", g->peermem);
}

/* "gpu"; null: none is used. */
static void gpu_of(const struct context *c, struct fields to)
{
    struct fields ranks;

    to = fields_known(to, "gpu", gpus != NULL);
    if (gpus == NULL)
        return;
    fields_text(to, "runtime", gpu_runtime()->name);
    fields_int(to, "driver_version", gpus[0].facts.driver);
    fields_int(to, "runtime_version", gpus[0].facts.runtime);
    fields_flag(to, "shared", this_gpu.shared);
    fields_flag(to, "takes_turns", this_gpu.turns);
    fields_int(to, "unseen_by_ranks", this_gpu.unseen);
    ranks = fields_list(to, "ranks");
    for (int i = 0; i < c->world->size; i++) {
        const struct fields rank = fields_object(ranks, NULL);

        fields_int(rank, "rank", i);
        gpu_of_rank(&gpus[i], rank);
    }
}

/* What warnings W03, W07 and W37 are printed of. */
static void placement_of(const struct placement *p, struct fields to)
{
    struct fields part;

    fields_text(to, "path", p->path);
    fields_text(to, "bound", p->bound);
    part = fields_object(to, "pair_paths");
    fields_int(part, "within_nodes", p->within_nodes);
    fields_int(part, "between_nodes", p->between_nodes);
    part = fields_known(to, "sharing_cores", p->shared.n > 0);
    fields_text(part, "ranks", p->shared.ranks);
    fields_text(part, "cpus", p->shared.cpus);
    fields_text(part, "host", p->shared.host);
    fields_int(to, "ranks_across_numa_nodes", p->drifting);
    part = fields_known(to, "excess_threads", p->threads.threads > 0);
    fields_known_int(part, "rank", p->threads.rank >= 0, p->threads.rank);
    fields_int(part, "threads", p->threads.threads);
    fields_int(part, "cpus", p->threads.cpus);
    fields_text(part, "host", p->threads.host);
    fields_flag(to, "oversubscribed", p->oversubscribed);
}

/* Where is measured. */
static void environment_of(const struct context *c, struct fields to)
{
    const struct environment *e = &environment;
    const struct placement *p = c->placement;
    struct fields limits, build;
    char memory[32];

    snprintf(memory, sizeof memory, "%s-%s", c->side[0]->letter,
             c->side[1]->letter);
    fields_text(to, "mpi", c->world->library);
    fields_text(to, "mpi_text", e->mpi_text);
    fields_text(to, "mpi_file", e->mpi_file[0] != '\0' ? e->mpi_file : NULL);
    fields_text(to, "mpi_abi", e->mpi_abi[0] != '\0' ? e->mpi_abi : NULL);
    fields_text(to, "kernel", e->kernel);
    fields_text(to, "model",
                c->world->startup->sessions ? "sessions" : "world");
    fields_real(to, "mpi_init_s", c->world->startup->step_s[STARTUP_INIT]);
    fields_int(to, "ranks", c->world->size);
    fields_int(to, "nodes", p->nodes);
    fields_int(to, "ranks_per_node", p->max_node_size);
    fields_text(to, "device", c->device[0] != '\0' ? c->device : NULL);
    fields_text(to, "memory", memory);
    placement_of(p, to);
    gpu_of(c, to);
    hardware_of(e, &p->hardware, fields_object(to, "hardware"));
    frequency_of(e, fields_object(to, "frequency"));
    fields_real(to, "cpu_quota", e->quota > 0 ? e->quota : NAN);
    clock_of(c->clock, fields_object(to, "clock"));
    synchronisation_of(c, to);
    limits = fields_object(to, "limits");
    rate(limits, "copy_mb_per_s", c->limits->copy);
    rate(limits, "link_mb_per_s", c->limits->link);
    libraries_of(e, fields_list(to, "libraries"));
    variables(fields_object(to, "variables"));
    build = fields_object(to, "build");
    fields_text(build, "commit", BUILD_COMMIT);
    fields_text(build, "mpi", BUILD_MPI);
    fields_text(build, "compiler", BUILD_CC);
    fields_text(build, "compiler_version", __VERSION__);
    fields_text(build, "flags", BUILD_CFLAGS);
    ranks_of(e, fields_list(to, "rank"));
}

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
        word = row->choices != NULL
                   ? choice_word(row->choices, *(const int *)field)
                   : NULL;
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
    char title[120], option[40];
    struct fields ignored;

    report_plain_title(b, s, title);
    fields_text(to, "title", title);
    fields_text(to, "sample", b->report->sample);
    fields_text(to, "printed", b->report->printed);
    fields_text(to, "start", choice_word(settings_start_words, (int)s->start));
    fields_flag(to, "fixed_counts", fixed);
    if (b->takes & TAKES_ITERATIONS)
        fields_text(
            to, "disturbed",
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
        fields_text(to, "order",
                    choice_word(settings_order_words, (int)s->order));
        fields_text(to, "buffers",
                    choice_word(settings_use_words, (int)s->use));
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
    if (bench_family(b)->record != NULL)
        b->family->record(c, &(struct recorded){ .part = RECORDED_METHOD },
                          &to);
}

/* --- The file: head, rows, and a tail that the next row overwrites ---------------- */

/* After the rows so far: another one, unless it is NULL, and a tail with that exit code. */
static void write_on(const struct fields *row, enum exit_code code,
                     bool complete)
{
    const struct fields leave = fields_object(record.document, "exit");
    FILE *const to = record.file.to;

    if (to == NULL)
        return;
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    fresh_file_grow(&record.file);
    fseek(to, record.rows_end, SEEK_SET);
    if (row != NULL) {
        fputs(record.rows_end > record.head_end ? ",\n  " : "\n  ", to);
        fields_write(*row, to, FIELDS_LINE);
        record.rows_end = ftell(to);
    }
    fputs(record.rows_end > record.head_end ? "\n ]," : "],", to);
    fields_write(record.document, to, FIELDS_INSIDE);
    fputs("}\n", to);
    if (fflush(to) != 0 || ftruncate(fileno(to), ftell(to)) != 0)
        record.file.error = errno;
    fresh_file_flush(&record.file);
}

static void begin_file(void)
{
    FILE *to;

    if (record.file.to != NULL ||
        !fresh_file_begin(&record.file, record.asked->json, FRESH_DOCUMENT))
        return;
    to = record.file.to;
    fputs("{", to);
    fields_write(record.head, to, FIELDS_INSIDE);
    fseek(to, -1, SEEK_CUR); /* the end of a line */
    fputs(",\n \"rows\": [", to);
    record.head_end = record.rows_end = ftell(to);
    write_on(NULL, EXIT_RUN, false);
}

/* MPI_Finalize may not return: until then a process that dies is one that failed.  Where it
   has failed, a launcher may kill this rank then. */
static bool end_file(enum exit_code code, bool complete)
{
    const bool now =
        code != EXIT_OK || fresh_file_is_stream(record.asked->json);

    begin_file();
    progress_phase("writing the file of --json");
    record.complete = complete;
    write_on(NULL, now ? code : EXIT_RUN, complete);
    errno = record.file.error;
    return !now && record.file.whole ? true
                                     : fresh_file_end(&record.file, true);
}

static void forget(void)
{
    fresh_file_drop(&record.file);
    fields_release(record.head);
    fields_release(record.document);
    record.head.inside = record.document.inside = NULL;
}

/* --- The document ----------------------------------------------------------------- */

static void begin_document(void)
{
    const struct context *c = record.context;
    struct fields head, command;
    char started[32];
    const time_t now = time(NULL);

    if (record.asked->json == NULL || record.asked->json[0] == '\0')
        return;
    head = record.head = fields_document();
    record.document = fields_document();
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
    if (fresh_file_is_new(record.asked->json))
        begin_file();
}

static void left_out(const struct context *c, const struct row *row, int n,
                     struct fields list)
{
    for (; n > 0; n--, row++) {
        const struct fields one = fields_object(list, NULL);

        fields_text(one, "because",
                    row->lacks != NULL ? row->lacks : "--total was over");
        fields_int(one, "ranks", row->ranks > 0 ? row->ranks : c->world->size);
        fields_int(one, "window",
                   row->window > 0 ? row->window : c->run->window);
        fields_known_int(one, "bytes", bench_is_sized(c->bench),
                         (long long)row->bytes);
        fields_text(one, "datatype",
                    bench_is_sized(c->bench) ? element_name(row->element)
                                             : NULL);
        record_block(c, row, one);
    }
}

static void say_left_out(const struct rows *rows)
{
    const struct fields list = fields_list(record.document, "left_out");

    left_out(record.context, rows->absent, rows->nabsent, list);
    left_out(record.context, rows->row + rows->n - rows->left_out,
             rows->left_out, list);
}

/* --- The moments ------------------------------------------------------------------ */

/* All that is printed goes nowhere, and the file behind standard output is free. */
static void silence(void)
{
    FILE *const nowhere = fopen("/dev/null", "w");

    if (nowhere != NULL)
        stdout = nowhere; /* as the manual of glibc allows */
}

/* What is known without MPI, on the process that the launcher calls rank 0. */
static enum exit_code begin(const struct context *c)
{
    memset(&record, 0, sizeof record);
    record.context = c;
    record.asked = record_asked(c->settings);
    if (record_takes_output(c->settings))
        silence();
    progress.rescue = fresh_files_rescue;
    if (launch_rank() == 0)
        begin_document();
    return EXIT_OK;
}

/* Can every file that the settings name be written?  None of it is changed before the first
   row, so a run that is refused leaves older ones as they are. */
static enum exit_code check_files(const struct context *c)
{
    const struct counters_asked *counted = counters_asked(c->settings);
    enum { FILES = 3 };
    static const char *const option[FILES] = { "--json", "--csv", "-P" };
    const char *const path[FILES] = { record.asked->json, record.asked->csv,
                                      counted->n > 0 ? counted->file : NULL };
    const int wrong = fresh_files_wrong(path, FILES);

    if (wrong < FILES)
        return message_print(errno == 0 ? E12_USAGE : E17_FILE, "%s %s: %s",
                             option[wrong], path[wrong],
                             errno == 0 ? "another option names the same file"
                                        : strerror(errno));
    for (int i = 0; i < FILES; i++)
        if (graph_names(c->settings, path[i]))
            return message_print(E12_USAGE,
                                 "%s %s: -G gives this ending to drawings",
                                 option[i], path[i]);
    return EXIT_OK;
}

static enum exit_code open(const struct context *c)
{
    if (c->world->rank > 0) { /* the launcher counts otherwise */
        forget();
        return EXIT_OK;
    }
    if (record.asked->json != NULL && record.document.inside == NULL)
        begin_document();
    return check_files(c);
}

static void placed(const struct context *c, struct surroundings *around)
{
    if (record.asked->json == NULL)
        return;
    environment_collect(&environment, c->world, c->placement);
    gpus = gpu_use_collect(c->world);
}

static enum exit_code ready(const struct context *c)
{
    record.ready = true;
    if (record.document.inside == NULL)
        return EXIT_OK;
    method_of(c, fields_object(record.document, "method"));
    environment_of(c, fields_object(record.document, "environment"));
    write_on(NULL, EXIT_RUN, false);
    return EXIT_OK;
}

static void measured(const struct context *c, const struct result *r)
{
    const struct fields row = fields_document();
    struct fields method = fields_get(record.document, "method");

    if (record.document.inside != NULL) {
        begin_file();
        record_row_fields(c, r, row);
        /* As they are after this row. */
        if (bench_family(c->bench)->record != NULL)
            c->bench->family->record(
                c, &(struct recorded){ .part = RECORDED_METHOD }, &method);
        synchronisation_of(c, fields_get(record.document, "environment"));
        write_on(&row, EXIT_RUN, false); /* of a process that dies */
    }
    fields_release(row);
}

/* Of a run that was refused a file is written only if nothing is lost. */
static bool is_due(const char *file, enum exit_code code)
{
    return record.document.inside != NULL &&
           (record.file.to != NULL || fresh_file_is_new(file) ||
            (record.ready && (code == EXIT_OK || fresh_file_is_stream(file))));
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    const char *const file = record.asked->json;
    enum exit_code code = ending->code;

    if (ending->rows != NULL && record.document.inside != NULL) {
        say_left_out(ending->rows);
        if (bench_family(c->bench)->record != NULL)
            c->bench->family->record(c,
                                     &(struct recorded){ .part = RECORDED_HEAD,
                                                         .rows = ending->rows },
                                     &record.document);
    }
    if (is_due(file, code) && !end_file(code, ending->complete) &&
        record.ready) /* else why it cannot be written is said */
        code = message_print(E21_NOT_WRITTEN, "--json %s: %s", file,
                             strerror(errno));
    if (!record.ready)
        forget();
    return code;
}

/* FILE gets its name and its exit code.  Where it is too early for that, the run was refused
   before end. */
static enum exit_code finish(const struct context *c, enum exit_code code)
{
    if (!record.ready && is_due(record.asked->json, code))
        end_file(code, false);
    else if (record.file.to != NULL) {
        write_on(NULL, code, record.complete && code == EXIT_OK);
        if (!fresh_file_end(&record.file, true))
            code = message_print(E21_NOT_WRITTEN, "--json %s: %s",
                                 record.asked->json, strerror(errno));
    }
    forget();
    environment_release(&environment);
    free(gpus);
    gpus = NULL;
    return code;
}

const struct watcher record_watcher = { .begin = begin,
                                        .open = open,
                                        .placed = placed,
                                        .ready = ready,
                                        .measured = measured,
                                        .end = end,
                                        .close = finish };
