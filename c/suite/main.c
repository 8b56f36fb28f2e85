/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite - many programs in one MPI job: MPI starts once, and each program prints what it
 *         prints alone.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "commit.h"
#include "counters/counters.h"
#include "drawings/graph.h"
#include "dry_run/dry_run.h"
#include "hang/hang.h"
#include "job/progress.h"
#include "record/fresh_file.h"
#include "record/record.h"
#include "report/report.h"
#include "screen/screen.h"
#include "suite.h"
#include "timing/clock.h"

static const char help[] =
    "Usage: %s -n N suite [OPTION...] WORD... [-- PROGRAM-OPTION...]\n"
    "Run many programs in one MPI job, each as it runs alone.\n"
    "\n"
    "Examples:\n"
    "  %s -n 2 suite latency bw allreduce -- -m 8:64K\n"
    "  %s -n 2 suite collective --json=results/ --total=10m\n"
    "  %s -n 2 suite --from=lines\n"
    "  suite all -- --dry-run --ranks 64\n"
    "\n"
    "WORD is the name of a program, a folder of mpi/ such as pt2pt, all, or a group of\n"
    "the OSU Micro-Benchmarks 8.0b: s:standard, s:persistent, s:congestion, s:blocking,\n"
    "s:non_blocking, s:neighborhood, s:rma, s:startup. ^WORD leaves out what it names\n"
    "of the words before it: all ^scatter_persistent.\n"
    "\n"
    "PROGRAM-OPTION is for all programs. A program that does not take it is skipped.\n"
    "Options whose value is attached with = may also stand before --.\n"
    "  --json=FOLDER/    write FOLDER/NAME.json for each program; --csv=FOLDER/ likewise\n"
    "  --total=TIME      share this time among the programs; --verify=soak:TIME likewise\n"
    "  --dry-run         print the plan of each program, and the sum\n"
    "\n"
    "Options:\n"
    "      --from=FILE   run the lines of FILE: a program and its own options in each,\n"
    "                    with blanks between them; lines that begin with # are skipped\n"
    "      --list        print name, folder, group and purpose of each program\n"
    "  -h, --help        print this help\n"
    "  -v, --version     print the version\n"
    "\n"
    "After the last table a line for each program says: run, skipped or failed, and why.\n"
    "Programs that need another start of MPI are skipped, with the command for them.\n"
    "\n"
    "Exit codes: 0 success, 1 usage, 2 a program failed, 3 wrong data, 77 nothing ran.\n"
    "An MPI error ends the job; the last line says how far it came.\n";

static bool speaks(void)
{
    return launch_rank() == 0;
}

static enum exit_code __attribute__((format(printf, 1, 2))) refuse(const char *format, ...)
{
    struct refusal reason = { .id = E12_USAGE };
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason.why, sizeof reason.why, format, arguments);
    va_end(arguments);
    return refusal_print(&reason, speaks());
}

/* --- What programs of one job write must not be written by two of them -------------- */

static bool draws(const struct part *part)
{
    return (ASKED(graph, &part->settings)->forms & ~(unsigned)GRAPH_TTY) != 0;
}

/* Does an option write files whose names do not tell programs apart? */
static enum exit_code refuse_files_of_one(const struct part *part, int n)
{
    for (int i = 0; i < n; i++) {
        const struct settings *s = &part[i].settings;

        if (record_takes_output(s))
            return refuse("--json=- and --csv=- take standard output, where "
                          "each program has its table: name a folder, as in "
                          "--json=results/");
        if (n > 1 && (s->log != NULL || ASKED(counters, s)->n > 0))
            return refuse("%s writes files of one program: name one program",
                          s->log != NULL ? "-clog" : "-P");
        for (int k = 0; k < i; k++)
            if (part[k].program == part[i].program && draws(&part[k]) && draws(&part[i]))
                return refuse("-G: two runs of %s would draw the same files; "
                              "name each program once",
                              part[i].program->bench->name);
    }
    return EXIT_OK;
}

/* The folder of a file; false: it is the current one, or there is no file. */
static bool folder_of(const char *file, char folder[FRESH_PATH])
{
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;

    if (slash != NULL)
        snprintf(folder, FRESH_PATH, "%.*s", (int)(slash - file), file);
    return slash != NULL;
}

/* Make the folders of the result files.  Would two programs write one file, by whatever names?
   On one rank. */
static enum exit_code refuse_files_twice(const struct part *part, int n)
{
    const char **const path = world_room(2 * (size_t)n, sizeof *path, "options");
    bool *const made = world_room(2 * (size_t)n, sizeof *made, "options");
    char folder[FRESH_PATH];
    enum exit_code code = EXIT_OK;
    int twice;

    for (int i = 0; i < n; i++)
        if (part[i].state == PART_WAITS) {
            path[2 * i] = ASKED(record, &part[i].settings)->json;
            path[2 * i + 1] = ASKED(record, &part[i].settings)->csv;
        }
    /* Where it cannot be made, the program says that it has no file. */
    for (int i = 0; i < 2 * n; i++)
        made[i] = folder_of(path[i], folder) && mkdir(folder, 0777) == 0;
    twice = fresh_files_twice(path, 2 * n);
    for (int i = 0; twice < 2 * n && i < 2 * n; i++)
        if (made[i] && folder_of(path[i], folder))
            rmdir(folder);
    if (twice < 2 * n) {
        const char *const option = twice % 2 == 0 ? "--json" : "--csv";

        code = refuse("%s: '%s' would be written twice; name a folder, as in "
                      "%s=results/, and each program once",
                      option, path[twice], option);
    }
    free(path);
    free(made);
    return code;
}

/* --- What became of each part, in lines that begin with "# suite: " ---------------- */

static int count(const struct part *part, int n, enum part_state state)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += part[i].state == state;
    return found;
}

/* What was verified of it; "": nothing was. */
static const char *checks(const struct verified *v, char text[80])
{
    text[0] = '\0';
    if (v->checked > 0)
        snprintf(text, 80, " checked=%ld; wrong=%ld;", v->checked, v->wrong);
    return text;
}

static void print_part(FILE *to, const struct part *part)
{
    static const char *const outcome[] = {
        [PART_RAN] = "run", [PART_SKIPPED] = "skipped", [PART_FAILED] = "failed"
    };
    char verified[80];

    if (part->state == PART_WAITS || part->state == PART_SAID)
        return;
    fprintf(to, "# suite: %s: %s;", part->program->bench->name, outcome[part->state]);
    if (part->state == PART_FAILED)
        fprintf(to, " %s: %s;",
                part->said.why[0] != '\0' ? messages[part->said.id].number : "no message",
                part->why);
    if (part->state == PART_SKIPPED)
        fprintf(to, " %s\n", part->why);
    else
        fprintf(to, " seconds=%.2f;%s\n", part->seconds, checks(&part->verified, verified));
}

/* A line for each part, and their sum. */
static void summary_show(const struct part *part, int n, double seconds)
{
    struct verified all = { .checked = 0 };
    char verified[80];
    int late = 0;

    for (int i = 0; i < n; i++) {
        print_part(stdout, &part[i]);
        late += part[i].soak_over && part[i].state == PART_RAN;
        all.checked += part[i].verified.checked;
        all.wrong += part[i].verified.wrong;
    }
    if (late > 0)
        printf("# suite: the time of --verify was over before %d of the "
               "programs: each of their rows was verified once;\n",
               late);
    printf("# suite: programs=%d; run=%d; skipped=%d; failed=%d; "
           "seconds=%.2f;%s\n",
           n, count(part, n, PART_RAN), count(part, n, PART_SKIPPED), count(part, n, PART_FAILED),
           seconds, checks(&all, verified));
}

/* How far the job came, where it ends in part number at (from 0): a line of the rank that
   dies and, of the one that leads, those of the parts before it too.  They are said by
   whatever ends the job, until progress.last_words is NULL. */
static void summary_last_words(const struct part *part, int n, int at, double seconds, bool leads)
{
    static char *text;
    size_t bytes;
    FILE *to;

    progress.last_words = NULL;
    free(text);
    to = open_memstream(&text, &bytes);
    if (to == NULL)
        return;
    for (int i = 0; leads && i < at; i++)
        print_part(to, &part[i]);
    fprintf(to,
            "# suite: ended in %s, number=%d; of programs=%d; run=%d; "
            "skipped=%d; failed=%d; not begun=%d; seconds before=%.2f;\n",
            part[at].program->bench->name, at + 1, n, count(part, at, PART_RAN),
            count(part, at, PART_SKIPPED), count(part, at, PART_FAILED), n - at - 1, seconds);
    if (fclose(to) == 0)
        progress.last_words = text;
}

/* That of the worst failure; EXIT_CANNOT_RUN: nothing ran. */
static enum exit_code summary_code(const struct part *part, int n)
{
    enum exit_code worst = EXIT_OK;

    for (int i = 0; i < n; i++)
        if (part[i].state == PART_FAILED && part[i].code > worst)
            worst = part[i].code;
    return worst == EXIT_OK && count(part, n, PART_SKIPPED) == n ? EXIT_CANNOT_RUN : worst;
}

/* --- The job ------------------------------------------------------------------------ */

/* What is asked for instead of a job. */
static bool answer(const char *word)
{
    const char *const launcher = launch_name();
    const bool helps = strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0,
               lists = strcmp(word, "--list") == 0,
               names = strcmp(word, "-v") == 0 || strcmp(word, "--version") == 0;

    if (speaks() && helps)
        printf(help, launcher, launcher, launcher, launcher);
    if (speaks() && lists)
        programs_list(stdout);
    if (speaks() && names)
        puts("suite (Alidade) " BUILD_VERSION);
    return helps || lists || names;
}

struct lot {
    const char *from; /* the file of command lines; NULL: none */
    char *lines;      /* what it has */
    struct part *part;
    int n, room;
    struct world_start mpi;
    bool leads; /* this rank speaks for the job */
};

/* Once more, or unless it is there. */
static void add(struct lot *job, const struct program *p, bool again)
{
    for (int i = 0; !again && i < job->n; i++)
        if (job->part[i].program == p)
            return;
    if (job->n == job->room) {
        job->room = 2 * job->room + 16;
        job->part = realloc(job->part, (size_t)job->room * sizeof *job->part);
        if (job->part == NULL)
            world_no_memory("options");
    }
    job->part[job->n++] = (struct part){ .program = p };
}

/* A name is a program each time it is given; those of a group are there once. */
static bool choose(struct lot *job, const char *word)
{
    bool found = false, exactly;

    for (const struct program *p = programs; p->path != NULL; p++) {
        if (!programs_match(p, word, &exactly))
            continue;
        found = true;
        add(job, p, exactly);
    }
    return found;
}

/* The program of a line of the file. */
static enum exit_code add_line(struct lot *job, int number, char *text)
{
    char *name = text + strspn(text, PART_BLANKS);
    char *rest = name + strcspn(name, PART_BLANKS);
    bool exactly;

    if (rest[0] != '\0')
        *rest++ = '\0';
    if (name[0] == '\0' || name[0] == '#')
        return EXIT_OK;
    for (const struct program *p = programs; p->path != NULL; p++)
        if (programs_match(p, name, &exactly) && exactly) {
            add(job, p, true);
            part_take_line(&job->part[job->n - 1], number, rest);
            return EXIT_OK;
        }
    return refuse("%s: line %d: '%s' is not the name of a program%s; --list "
                  "names them",
                  job->from, number, name, programs_question(name));
}

/* Before the first program: then all ranks read and refuse the same. */
static void begin_mpi(struct lot *job)
{
    enum { PATIENCE_S = 60 };
    int rank;

    job->mpi.kept = true;
    progress_begin(launch_rank());
    watchdog_begin(PATIENCE_S);
    world_start_begin(&job->mpi, 0, NULL, NULL);
    watchdog_end();
    PMPI_Comm_rank(job->mpi.all, &rank);
    job->leads = rank == 0;
}

static enum exit_code end_mpi(struct lot *job, enum exit_code code)
{
    const bool begun = job->mpi.begun;

    job->mpi.kept = job->mpi.begun = false;
    return begun ? world_start_end(&job->mpi, code) : code;
}

/* The first rank reads: nodes may lack the file. */
static enum exit_code add_file(struct lot *job)
{
    const int before = job->n;
    char *next, *line, host[HOST_NAME_MAX + 1] = "";
    enum exit_code code = EXIT_OK;

    if (launch_promised() <= 1) {
        job->lines = proc_text(job->from);
    } else {
        begin_mpi(job);
        job->lines = world_read_file(job->from, job->mpi.all);
    }
    if (job->lines == NULL) {
        const char *const why = strerror(errno);

        gethostname(host, sizeof host);
        return refuse("--from=%s cannot be read: %s (read on host=%s;)", job->from, why, host);
    }
    next = job->lines;
    for (int i = 1; code == EXIT_OK && (line = strsep(&next, "\n")) != NULL; i++)
        code = add_line(job, i, line);
    if (code == EXIT_OK && job->n == before)
        code = refuse("--from=%s names no program", job->from);
    return code;
}

/* Take those of a word out again. */
static bool leave_out(struct lot *job, const char *word)
{
    const int all = job->n;
    bool exactly;

    job->n = 0;
    for (int i = 0; i < all; i++)
        if (!programs_match(job->part[i].program, word, &exactly))
            job->part[job->n++] = job->part[i];
    return job->n < all;
}

static int waiting(const struct lot *job, int from)
{
    int n = 0;

    for (int i = from; i < job->n; i++)
        n += job->part[i].state == PART_WAITS;
    return n;
}

/* Read all command lines; the code with which to leave, if there is nothing to run.  An option
   that a line has itself is wrong; one that all have may suit other programs. */
static enum exit_code read_lines(struct lot *job, const char *suite, int options, char **option)
{
    for (int i = 0; i < job->n; i++)
        part_read(&job->part[i], programs_file(suite, job->part[i].program), options, option);

    const bool none_waits = waiting(job, 0) == 0;

    for (int i = 0; i < job->n; i++) {
        const struct part *part = &job->part[i];

        if (part_is_wrong(part))
            return refuse("%s: line %d: %s: %s", job->from, part->line, part->program->bench->name,
                          part->why);
        if (part->code == EXIT_USAGE && none_waits) {
            if (speaks())
                message_print(part->said.id, "no program can run with these options: %s",
                              part->why);
            return EXIT_USAGE;
        }
    }
    return refuse_files_of_one(job->part, job->n);
}

static enum exit_code run(struct lot *job, double begun_s)
{
    enum exit_code code;
    bool plans = false;
    int rows = 0;

    for (int i = 0; i < job->n; i++) {
        struct part *part = &job->part[i];
        const double gone_s = clock_witness_s() - begun_s;

        if (part->state != PART_WAITS)
            continue;
        if (dry_run_is_wanted(&part->settings)) {
            plans = true;
            part_plan(part, &rows);
            continue;
        }
        summary_last_words(job->part, job->n, i, gone_s, job->leads);
        part_run(part, &job->mpi, gone_s, waiting(job, i));
    }
    progress.last_words = NULL;
    code = end_mpi(job, EXIT_OK);
    if (plans && job->leads)
        printf("# suite: rows=%d;\n", rows);
    return code;
}

/* Of programs that will run.  The file system of the first rank knows. */
static enum exit_code agree_on_files(struct lot *job)
{
    int code = EXIT_OK;

    for (int i = 0; i < job->n; i++)
        if (job->part[i].state == PART_WAITS && !dry_run_is_wanted(&job->part[i].settings)) {
            begin_mpi(job);
            if (speaks())
                code = (int)refuse_files_twice(job->part, job->n);
            PMPI_Bcast(&code, 1, MPI_INT, 0, job->mpi.all);
            break;
        }
    return (enum exit_code)code;
}

/* Read, run, sum up. */
static enum exit_code conduct(struct lot *job, const char *suite, int options, char **option)
{
    const double begun_s = clock_witness_s();
    enum exit_code code = read_lines(job, suite, options, option);

    if (code == EXIT_OK)
        code = agree_on_files(job);
    if (code != EXIT_OK)
        return code;
    const enum exit_code ended = run(job, begun_s);

    if (job->leads)
        summary_show(job->part, job->n, clock_witness_s() - begun_s);
    code = output_flush(summary_code(job->part, job->n));
    return code == EXIT_OK ? ended : code;
}

int main(int argc, char **argv)
{
    struct lot job = { .leads = speaks() };
    char **option = world_room((size_t)argc, sizeof *option, "options");
    int options = 0, i;
    enum exit_code code = EXIT_OK;

    message_program = "suite";
    clock_anchor();
    screen_begin();
    programs_load();
    omb_translate(&argc, &argv);
    for (i = 1; code == EXIT_OK && i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (answer(argv[i]))
            return output_flush(EXIT_OK);
        if (strncmp(argv[i], "--from=", 7) == 0 && job.from == NULL)
            job.from = argv[i] + 7;
        else if (strncmp(argv[i], "--from", 6) == 0)
            code = refuse("--from takes one file, as in --from=FILE");
        else if (argv[i][0] == '-')
            option[options++] = argv[i];
        else if (argv[i][0] == '^' && !leave_out(&job, argv[i] + 1))
            code = refuse("'%s' names nothing of the words before it", argv[i]);
        else if (argv[i][0] != '^' && !choose(&job, argv[i]))
            code = refuse("'%s' is neither a program nor a group%s; --list "
                          "names them, and options of programs follow --",
                          argv[i], programs_question(argv[i]));
    }
    for (i++; i < argc; i++)
        option[options++] = argv[i];
    if (code == EXIT_OK && job.from != NULL)
        code = add_file(&job);
    if (code == EXIT_OK && job.n == 0)
        code = refuse("no program is named; --help explains");
    if (code == EXIT_OK)
        code = conduct(&job, argv[0], options, option);
    code = end_mpi(&job, code);
    for (i = 0; i < job.n; i++)
        part_release(&job.part[i]);
    free(job.part);
    free(job.lines);
    free(option);
    return launch_leave(code);
}
