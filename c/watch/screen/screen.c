/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "job/progress.h"
#include "job/world.h"
#include "timing/clock.h"

/* Widths of columns. */
enum {
    FIRST = 8,      /* whose cells are left-justified: "16777216" */
    OMB_FIRST = 10, /* as wide as it is in OMB's tables */
    OTHERS = 10     /* "1234567.89" */
};

/* Append bytes to the n in shown; returns how many there are then. */
static size_t fit_append(char *shown, size_t room, size_t n, const char *text, size_t bytes)
{
    const size_t most = n < room ? room - n : 0;

    memcpy(shown + n, text, bytes < most ? bytes : most);
    return n + (bytes < most ? bytes : most);
}

/* --- Sentences ------------------------------------------------------------------------ */

static size_t lead_of(const char *line, size_t bytes)
{
    size_t n = 0;

    while (n < bytes && (line[n] == '#' || line[n] == ' '))
        n++;
    return n;
}

/* Columns have several blanks in a row between them. */
static bool has_columns(const char *line, size_t bytes)
{
    const size_t lead = lead_of(line, bytes);

    return memmem(line + lead, bytes - lead, "  ", 2) != NULL;
}

/* Later lines are indented, and comments if the first is one. */
static size_t fold(char *shown, size_t room, const char *line, size_t bytes, size_t width)
{
    const char *const further = *line == '#' ? "\n#   " : "\n    ";
    const size_t indent = strlen(further) - 1;
    size_t lead = lead_of(line, bytes), n = 0, left = width, end;

    while (bytes > left) {
        for (end = left; end > lead && line[end] != ' ';)
            end--;
        /* A word that is wider than the terminal stays whole. */
        if (end <= lead)
            for (end = left; end < bytes && line[end] != ' ';)
                end++;
        if (end == bytes)
            break;
        n = fit_append(shown, room, n, line, end);
        n = fit_append(shown, room, n, further, indent + 1);
        line += end + 1;
        bytes -= end + 1;
        left = width - indent;
        lead = 0;
    }
    return fit_append(shown, room, n, line, bytes);
}

/* --- Tables --------------------------------------------------------------------------- */

/* The columns of a heading, which several blanks separate: where their words begin and end. */
static int split(const char *line, size_t bytes, size_t begin[FIT_COLUMNS], size_t end[FIT_COLUMNS])
{
    size_t at = 0;
    int n = 0;

    while (at < bytes && n < FIT_COLUMNS) {
        const char *const gap = memmem(line + at, bytes - at, "  ", 2);

        begin[n] = at;
        end[n++] = at = gap != NULL ? (size_t)(gap - line) : bytes;
        while (at < bytes && line[at] == ' ')
            at++;
    }
    return n;
}

/* Leave out what is not needed if so many blanks are kept before each heading. */
static size_t squeeze(struct fit *table, const size_t begin[FIT_COLUMNS], size_t blanks)
{
    size_t total = table->end[0];

    table->drop[0] = 0;
    for (int i = 1; i < table->n; i++) {
        const size_t now = table->end[i] - table->end[i - 1];
        size_t needed = table->end[i] - begin[i] + blanks;

        needed = needed < OTHERS ? OTHERS : needed;
        table->drop[i] = now > needed ? now - needed : 0;
        total += now - table->drop[i];
    }
    return total;
}

static void learn(struct fit *table, const char *line, size_t bytes, size_t width)
{
    size_t begin[FIT_COLUMNS];

    table->n = split(line, bytes, begin, table->end);
    /* "# Rank  Node": all cells are left-justified. */
    if (table->n > 1 && table->end[0] > 1 && begin[1] < OMB_FIRST)
        table->n = 0;
    if (table->n > 1 && table->end[0] < FIRST)
        table->end[0] = begin[1] > FIRST ? FIRST : begin[1];
    if (bytes <= width || (squeeze(table, begin, 2) > width && squeeze(table, begin, 1) > width))
        table->n = 0;
}

static size_t row(const struct fit *table, char *shown, size_t room, const char *line, size_t bytes)
{
    size_t n = 0, at = 0;

    for (int i = 0; i < table->n && at < bytes; i++) {
        const size_t end = table->end[i] < bytes ? table->end[i] : bytes;

        for (size_t drop = table->drop[i]; drop > 0 && at < end && line[at] == ' '; drop--)
            at++;
        n = fit_append(shown, room, n, line + at, end - at);
        at = end;
    }
    return fit_append(shown, room, n, line + at, bytes - at);
}

size_t fit_line(struct fit *table, char *shown, size_t room, const char *line, size_t bytes,
                size_t width)
{
    const bool is_table = has_columns(line, bytes), is_heading = is_table && *line == '#';

    if (is_heading)
        learn(table, line, bytes, width);
    if (is_heading || (is_table && (isdigit(*line) || *line == ' ')))
        return row(table, shown, room, line, bytes);
    return is_table ? fit_append(shown, room, 0, line, bytes)
                    : fold(shown, room, line, bytes, width);
}

enum {
    LINK = 300,  /* room for what a link of /proc leads to */
    LINE = 4000, /* bytes of a line; a longer one is folded as several */
    FEWEST = 40, /* columns: in less nothing is folded */
    EVERY_S = 30,
};

/* Of standard output, and of standard error. */
static struct screen {
    int file;
    size_t columns; /* 0: no terminal shows it */
    struct fit table;
    char line[LINE]; /* that has begun: MPICH has stdout write every word at once */
    size_t held;     /* bytes of it */
} screens[2] = { { .file = STDOUT_FILENO }, { .file = STDERR_FILENO } };

static bool colored;

/* --- Which terminal shows what is written ------------------------------------------- */

static bool link_of(const char *path, char to[LINK])
{
    const ssize_t n = readlink(path, to, LINK - 1);

    to[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Columns of a terminal that has a width; launchers make some without. */
static size_t width_of(const char *path)
{
    const int terminal = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    struct winsize size = { .ws_col = 0 };

    if (terminal >= 0) {
        ioctl(terminal, TIOCGWINSZ, &size);
        close(terminal);
    }
    return size.ws_col;
}

/* Is that file of a process the end at which a pipe is read, or by which a launcher has the
   terminal /dev/pts/N that it made? */
static bool is_other_end(long process, const char *file, const char *written)
{
    char path[64 + NAME_MAX], to[LINK];
    struct stat about;

    snprintf(path, sizeof path, "/proc/%ld/fd/%s", process, file);
    if (!link_of(path, to))
        return false;
    if (strncmp(written, "/dev/pts/", 9) != 0)
        return strcmp(to, written) == 0 && lstat(path, &about) == 0 &&
               (about.st_mode & (S_IRUSR | S_IWUSR)) == S_IRUSR;
    snprintf(path, sizeof path, "/proc/%ld/fdinfo", process);
    return strstr(to, "ptmx") != NULL && proc_number(path, file, "tty-index:") == atoi(written + 9);
}

static bool passes_on(long process, const char *written)
{
    char path[64];
    struct dirent *entry;
    bool found = false;
    DIR *files;

    snprintf(path, sizeof path, "/proc/%ld/fd", process);
    files = opendir(path);
    if (files == NULL)
        return false;
    while (!found && (entry = readdir(files)) != NULL)
        found = is_other_end(process, entry->d_name, written);
    closedir(files);
    return found;
}

/* 0: none, or not known. */
static long parent_of(long process)
{
    char folder[64];

    snprintf(folder, sizeof folder, "/proc/%ld", process);
    return (long)fmax(0, proc_number(folder, "status", "PPid:"));
}

/* A launcher's own standard error is where it writes that of its ranks. */
static size_t columns_of(int file)
{
    char path[64], written[LINK];
    size_t columns;

    for (long process = getpid(); process > 1;) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", process, file);
        if (!link_of(path, written))
            return 0;
        if (strncmp(written, "/dev/", 5) == 0 && (columns = width_of(path)) > 0)
            return columns;
        if (strncmp(written, "pipe:", 5) != 0 && strncmp(written, "/dev/pts/", 9) != 0)
            return 0;
        do
            process = parent_of(process);
        while (process > 1 && !passes_on(process, written));
    }
    return 0;
}

/* --- Lines as a terminal shows them -------------------------------------------------- */

static const struct {
    const char *begins, *color;
} colors[] = {
    { "alidade: error ", "\033[1;31m" }, { "DATA VALIDATION ERROR", "\033[1;31m" },
    { "# wrong data", "\033[1;31m" },    { "# alidade: warning ", "\033[33m" },
    { "# suspect", "\033[33m" },
};

/* The part of a line that has a color: up to the colon that ends what it begins with. */
static size_t colored_part(const char *line, size_t bytes, const char **color)
{
    for (size_t i = 0; colored && i < sizeof colors / sizeof *colors; i++) {
        const size_t n = strlen(colors[i].begins);
        const char *const end = bytes > n && memcmp(line, colors[i].begins, n) == 0
                                    ? memchr(line + n, ':', bytes - n)
                                    : NULL;

        *color = colors[i].color;
        if (end != NULL)
            return (size_t)(end - line);
    }
    return 0;
}

static size_t show_line(struct screen *to, char *shown, size_t room, const char *line, size_t bytes)
{
    static const char plain[] = "\033[0m";
    char text[2 * LINE];
    const char *color = "";
    const size_t part = colored_part(line, bytes, &color);
    size_t n = bytes, all = 0;

    if (to->columns < FEWEST)
        return fit_append(shown, room, 0, line, bytes);
    n = fit_line(&to->table, text, sizeof text, line, bytes, to->columns);
    if (part > 0) {
        all = fit_append(shown, room, all, color, strlen(color));
        all = fit_append(shown, room, all, text, part);
        all = fit_append(shown, room, all, plain, sizeof plain - 1);
    }
    return fit_append(shown, room, all, text + part, n - part);
}

static int write_all(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t n = write(file, text, bytes);

        if (n < 0)
            return -1;
        text += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* All of it in one write, so that lines of several ranks do not mix, unless it is very long. */
static int show(struct screen *to, const char *text, size_t bytes)
{
    char shown[3 * LINE];
    size_t n = 0;

    if (to->columns == 0)
        return write_all(to->file, text, bytes);
    while (bytes > 0) {
        const size_t most = bytes < LINE ? bytes : LINE;
        const char *const end = memchr(text, '\n', most);
        const size_t line = end != NULL ? (size_t)(end - text) : most;

        if (n > LINE && write_all(to->file, shown, n) < 0)
            return -1;
        n = n > LINE ? 0 : n;
        n += show_line(to, shown + n, sizeof shown - n - 1, text, line);
        if (end != NULL)
            shown[n++] = '\n';
        text += line + (end != NULL);
        bytes -= line + (end != NULL);
    }
    return write_all(to->file, shown, n);
}

void screen_say(const char *lines)
{
    show(&screens[1], lines, strlen(lines));
}

static int show_held(struct screen *to, size_t bytes)
{
    const int code = show(to, to->line, bytes);

    to->held -= bytes;
    memmove(to->line, to->line + bytes, to->held);
    return code;
}

static ssize_t take(void *screen, const char *text, size_t bytes)
{
    struct screen *const to = screen;
    const char *end;

    if (to->held + bytes > LINE)
        return show_held(to, to->held) == 0 && show(to, text, bytes) == 0 ? (ssize_t)bytes : 0;
    memcpy(to->line + to->held, text, bytes);
    to->held += bytes;
    end = memrchr(to->line, '\n', to->held);
    return end == NULL || show_held(to, (size_t)(end - to->line) + 1) == 0 ? (ssize_t)bytes : 0;
}

/* A line without an end. */
static void show_rest(void)
{
    fflush(NULL);
    for (int i = 0; i < 2; i++)
        show_held(&screens[i], screens[i].held);
}

/* What goes to that file is from now on as so many columns show it; 0: no terminal does. */
static void begin_screen(int i, size_t columns)
{
    const char *const none = getenv("NO_COLOR"), *const kind = getenv("TERM");
    const cookie_io_functions_t functions = { .write = take };
    FILE **const stream[2] = { &stdout, &stderr };
    FILE *shown;

    if (columns == 0 || screens[i].columns > 0)
        return;
    shown = fopencookie(&screens[i], "w", functions);
    if (shown == NULL)
        return;
    /* A message is one write, and one call of take. */
    setvbuf(shown, NULL, i == 0 ? _IOFBF : _IONBF, BUFSIZ);
    *stream[i] = shown; /* as the manual of glibc allows */
    screens[i].columns = columns;
    colored = (none == NULL || *none == '\0') && kind != NULL && strcmp(kind, "dumb") != 0;
    atexit(show_rest); /* it may do so twice */
}

size_t screen_columns(void)
{
    return screens[0].columns;
}

void screen_begin(void)
{
    static bool has_looked;

    if (has_looked || launch_rank() != 0)
        return;
    has_looked = true;
    for (int i = 0; i < 2; i++)
        begin_screen(i, columns_of(screens[i].file));
}

/* --- How far the run is --------------------------------------------------------------- */

/* Only where a terminal shows standard error: in a file it would stand within the table, since
   batch systems merge both. */
static struct {
    double begun_s, next_s; /* next_s: of the next line; INFINITY: there is none */
} run = { .next_s = INFINITY };

/* Rows differ, and the last are often the longest. */
static void say_how_far(double gone_s)
{
    const int done = progress.row - 1, left = progress.rows - done;
    char to_go[40] = "";

    if (done > 0)
        snprintf(to_go, sizeof to_go, "; about %.0f s to go", gone_s / done * left);
    fprintf(stderr, "# %s: row %d of %d after %.0f s%s\n", message_program, progress.row,
            progress.rows, gone_s, to_go);
}

/* Between batches: nothing is timed, and it is known what the last one is worth. */
static void batch(enum batch_moment moment)
{
    double s;

    if ((moment != BATCH_ROW && moment != BATCH_KEEP) || isinf(run.next_s) || progress.rows == 0)
        return;
    s = clock_witness_s();
    if (s < run.next_s)
        return;
    run.next_s = s + EVERY_S;
    say_how_far(s - run.begun_s);
}

/* The launcher passes on the standard error of all ranks to one place. */
static enum exit_code open_run(const struct context *c)
{
    unsigned long columns = screens[1].columns;
    struct stat own;

    PMPI_Bcast(&columns, 1, MPI_UNSIGNED_LONG, 0, c->world->comm);
    if (c->world->rank > 0 && fstat(STDERR_FILENO, &own) == 0 && !S_ISREG(own.st_mode))
        begin_screen(1, columns);
    run.begun_s = clock_witness_s();
    run.next_s = c->world->rank == 0 && screens[1].columns > 0 ? run.begun_s + EVERY_S : INFINITY;
    return EXIT_OK;
}

/* --- The moments ---------------------------------------------------------------------- */

/* Nothing is asked for, but this is before the first message: those on options. */
static const struct option_row rows[] = { { 0 } };

static void begin_options(void *asked, const struct bench *b, const struct settings *s)
{
    screen_begin();
}

const struct option_part screen_options = { .rows = rows, .begin = begin_options };

const struct watcher screen_watcher = { .open = open_run, .batch = batch };
