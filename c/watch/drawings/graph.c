/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "bench.h"
#include "dry_run/dry_run.h"
#include "job/world.h"
#include "report/report.h"
#include "report/result.h"
#include "screen/screen.h"

enum { COLUMNS = 120, ROWS = 40, LEAST = 20, MOST = 1000, MARK = 2 };

/* --- What is asked for ------------------------------------------------------------ */

static const struct choice form_words[] = {
    { "tty", GRAPH_TTY, "after the table, as text" },
    { "png", GRAPH_PNG, "PNG file" },
    { "pdf", GRAPH_PDF, "PDF file" },
    { "svg", GRAPH_SVG, "SVG file" },
    { 0 },
};

static const char *add(void *asked, int kind)
{
    ((struct graph_asked *)asked)->forms |= (unsigned)kind;
    return NULL;
}

static const struct option_row options[] = {
    { 'G', "graph", "KIND[,KIND...]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "plot values against size, and the samples of each row; "
              "requires gnuplot; writes to the current directory; repeatable",
      .kind = OPTION_LIST, .choices = form_words, .add = add, MOOT_IN_PLAN },
    { 0 },
};

const struct option_part graph_options = { .rows = options, .size = sizeof(struct graph_asked) };

/* --- Gnuplot ---------------------------------------------------------------------- */

static bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    char file[4096];

    for (; path != NULL; path = strchr(path, ':')) {
        path += *path == ':';
        const int n = (int)strcspn(path, ":");

        snprintf(file, sizeof file, "%.*s/gnuplot", n, n > 0 ? path : ".");
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* A single-quoted string of gnuplot's, in which nothing but a quote has a meaning. */
static void quote(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', to);
        if (*text >= ' ' || (signed char)*text < 0) /* no line ends within a string */
            fputc(*text, to);
    }
    fputc('\'', to);
}

/* What gnuplot draws in characters, each line after "# ", so that readers of the table skip it: its
   drawing begins with a form feed, and its lines end in blanks. */
static void print_marked(FILE *from)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, from) >= 0) {
        size_t n = strlen(line), skip = strspn(line, "\f\r\n");

        while (n > skip && strchr(" \f\r\n", line[n - 1]) != NULL)
            n--;
        printf("# %.*s\n", (int)(n - skip), line + skip);
    }
    free(line);
    fflush(stdout);
}

/* Have gnuplot carry out the script, up to the first error, which it prints itself, without the
   user's own settings.  It reads a file: from a pipe it would go on after an error.  False: why[]
   says how it ended. */
static bool run_gnuplot(FILE *script, char *why, size_t room)
{
    FILE *drawing = NULL;
    char command[60];
    int status;

    if (fflush(script) == 0 && !ferror(script)) {
        snprintf(command, sizeof command, "exec gnuplot -d /dev/stdin </dev/fd/%d", fileno(script));
        drawing = popen(command, "r");
    }
    if (drawing == NULL) {
        snprintf(why, room, "it could not be started: %s", strerror(errno));
        return false;
    }
    print_marked(drawing);
    status = pclose(drawing);
    snprintf(why, room, "its exit status=%d;",
             WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return status == 0;
}

struct graph_point {
    int curve; /* points of one type and one kind; numbered as they come up */
    enum element type;
    char kind[48]; /* "others=2", "window=64": what a row has besides; "": nothing */
    size_t bytes;
    double figure, median, low, high;
};

struct graph {
    const struct context *context;
    FILE *script;   /* NULL: no -G */
    unsigned forms; /* those that were asked for */
    struct graph_point *point;
    int points, curves;
};

/* --- The drawing ------------------------------------------------------------------ */

/* The drawing of the run, on rank 0. */
static struct graph drawing;

static enum exit_code open(const struct context *c)
{
    const unsigned forms = ASKED(graph, c->settings)->forms;

    drawing = (struct graph){ .context = c, .forms = forms };
    if (forms == 0 || c->world->rank > 0)
        return EXIT_OK;
    if (!gnuplot_is_there())
        return message_print(E24_NO_GNUPLOT, "-G draws with gnuplot, which is not in PATH");
    if (forms != GRAPH_TTY && access(".", W_OK) != 0)
        return message_print(E17_FILE, "-G: the current directory: %s", strerror(errno));
    drawing.script = tmpfile();
    if (drawing.script == NULL)
        return message_print(E17_FILE, "-G: a temporary file: %s", strerror(errno));
    fputs("set encoding utf8\nset grid\nset tics nomirror\n", drawing.script);
    return EXIT_OK;
}

bool graph_names(const struct settings *s, const char *path)
{
    const char *const ending = path != NULL ? strrchr(path, '.') : NULL;

    for (const struct choice *f = form_words; f->word != NULL; f++)
        if (ending != NULL && (ASKED(graph, s)->forms & (unsigned)f->value) != 0 &&
            strcmp(ending + 1, f->word) == 0)
            return true;
    return false;
}

static bool is_sized(const struct graph *g)
{
    return bench_is_sized(g->context->bench);
}

/* Characters of the terminal, by a variable of OMB's. */
static int extent(const char *variable, int otherwise)
{
    return number_of_variable(getenv(variable), LEAST, MOST, otherwise);
}

static void set_terminal(const struct graph *g, int form)
{
    static const char *const of_files[] = {
        [GRAPH_PNG] =
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 960,640 "
            "noenhanced } else { set terminal png size 960,640 noenhanced }\n",
        [GRAPH_PDF] = "set terminal pdfcairo size 24cm,16cm noenhanced\n",
        [GRAPH_SVG] = "set terminal svg size 960,640 noenhanced\n",
    };
    const int columns = screen_columns() > 0 ? (int)screen_columns() : COLUMNS;

    if (form != GRAPH_TTY)
        fputs(of_files[form], g->script);
    else
        fprintf(g->script, "set output\nset terminal dumb %d %d noenhanced\n",
                extent("OMB_COL_SIZE", columns) - MARK, extent("OMB_ROW_SIZE", ROWS));
}

/* The file of a row, or of all: NAME, NAME-8, NAME-mpi_int-8, NAME-peers2-8; less its
   ending.  In small letters; what is no letter or digit is left out. */
static void stem_of(const struct graph *g, const struct graph_point *p, char *stem, size_t room)
{
    const bool row = p != NULL && is_sized(g);
    const bool typed = row && g->context->settings->ntypes > 1;
    const char *const type = typed ? element_name(p->type) : "";
    const char *const kind = p != NULL ? p->kind : "";
    char bytes[32] = "";
    size_t n = 0;

    if (row)
        snprintf(bytes, sizeof bytes, "-%zu", p->bytes);
    snprintf(stem, room, "%s%s%s%s%s%s", g->context->bench->name, type[0] != '\0' ? "-" : "", type,
             kind[0] != '\0' ? "-" : "", kind, bytes);
    for (const char *c = stem; *c != '\0'; c++)
        if (isalnum((unsigned char)*c) || *c == '_' || *c == '-')
            stem[n++] = (char)tolower((unsigned char)*c);
        else if (*c == ' ')
            stem[n++] = '-';
    stem[n] = '\0';
}

/* Begin a drawing with this title, which goes nowhere yet: without a terminal gnuplot warns. */
static void begin(const struct graph *g, const char *heading)
{
    fputs("set terminal dumb\nset output \"/dev/null\"\nset title ", g->script);
    quote(g->script, heading);
    fputs(".\"\\n\".", g->script);
    quote(g->script, g->context->identity);
    fputc('\n', g->script);
}

/* Draw what was plotted in all the forms that were asked for and that suit it. */
static void draw(const struct graph *g, const struct graph_point *p)
{
    const bool main_one = p == NULL || !is_sized(g);
    char stem[160];

    stem_of(g, p, stem, sizeof stem);
    for (const struct choice *c = form_words; c->word != NULL; c++) {
        const bool tty = c->value == GRAPH_TTY;

        if ((g->forms & (unsigned)c->value) == 0 || (tty && !main_one))
            continue;
        set_terminal(g, c->value);
        if (!tty)
            fprintf(g->script, "set output '%s.%s.part'\n", stem, c->word);
        fputs("replot\nset output\n", g->script);
    }
}

/* Returns how many there are to see. */
static size_t write_samples(const struct graph *g, const struct result *r)
{
    size_t n = 0;

    fputs("$s << END\n", g->script);
    for (size_t i = 0; i < r->series->kept; i++) {
        const double figure = result_figure(r, r->series->value[i]);

        if (isfinite(figure) && figure > 0 && ++n > 0)
            fprintf(g->script, "%zu %.6g\n", (i + 1) * (size_t)r->stride, figure);
    }
    fputs("END\n", g->script);
    return n;
}

static void draw_samples(const struct graph *g, const struct result *r, const struct graph_point *p)
{
    const struct bench *b = g->context->bench;
    const bool some = r->series->n > r->series->kept;
    char size[80] = "", of[40] = "", heading[400];

    if (write_samples(g, r) == 0)
        return;
    if (is_sized(g))
        snprintf(size, sizeof size, "size %zu, %s, ", p->bytes, element_name(p->type));
    if (some)
        snprintf(of, sizeof of, "of %zu ", r->series->n);
    snprintf(heading, sizeof heading, "%s: %s%s%s%s%zu %ssamples, each of iterations=%ld; %s",
             b->name, p->kind, p->kind[0] != '\0' ? ", " : "", size, some ? "the first " : "",
             r->series->kept, of, r->stride, b->timed == TIMED_RANK_0 ? "rank 0" : "slowest rank");
    begin(g, heading);
    fprintf(g->script,
            "unset logscale\nset logscale y\nset format x '%%g'\n"
            "set key top right\nset xlabel 'iteration'\n"
            "set ylabel '%s of a sample'\n"
            "plot $s using 1:2 with points pt 7 ps 0.3 title 'sample', "
            "%.6g with lines lw 2 title 'median'\n",
            r->is_rate ? "MB/s" : "us", p->median);
    draw(g, p);
}

/* The curve that a point belongs to: one that is there, or a new one. */
static int curve_of(struct graph *g, const struct graph_point *p)
{
    for (int i = 0; i < g->points; i++)
        if (g->point[i].type == p->type && strcmp(g->point[i].kind, p->kind) == 0)
            return g->point[i].curve;
    return g->curves++;
}

/* What a row has besides its type and size, in words: "put others=2". */
static void kind_of(const struct context *c, const struct result *r, char *kind, size_t room)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const bool windows = c->settings->vary_window;
    const char *operation = c->bench->operations[r->row->operation].name;
    const char *key = p->name != NULL              ? p->key
                      : windows                    ? "window"
                      : p->kind == PARAMETER_RANKS ? "ranks"
                                                   : NULL;
    const long value = p->name != NULL ? r->row->parameter
                       : windows       ? c->run->window
                                       : c->run->nranks;

    if (operation == NULL)
        operation = "";
    if (key == NULL)
        snprintf(kind, room, "%s", operation);
    else
        snprintf(kind, room, "%s%s%s=%ld", operation, operation[0] != '\0' ? " " : "", key, value);
}

/* The next finished row; its samples are read. */
static void add_row(struct graph *g, const struct result *r, const char *kind)
{
    const struct stats *s = &r->over_iterations;
    struct graph_point p = { .type = r->row->element,
                             .bytes = r->row->bytes,
                             .figure = result_headline(r),
                             .median = result_median(r) },
                       *more;

    if (g->script == NULL || r->series == NULL)
        return;
    snprintf(p.kind, sizeof p.kind, "%s", kind);
    p.low = result_figure(r, s->has_interval ? s->ci_low : s->median);
    p.high = result_figure(r, s->has_interval ? s->ci_high : s->median);
    if (!is_sized(g) || g->forms != GRAPH_TTY)
        draw_samples(g, r, &p);
    if (!is_sized(g) || !(p.figure > 0 && p.median > 0) ||
        !isfinite(p.figure + p.median + p.low + p.high))
        return; /* no place on a logarithmic axis */
    more = realloc(g->point, (size_t)(g->points + 1) * sizeof *more);
    if (more == NULL)
        return;
    g->point = more;
    p.curve = curve_of(g, &p);
    g->point[g->points++] = p;
}

static void measured(const struct context *c, const struct result *r)
{
    char kind[48];

    if (drawing.script == NULL || r->row == NULL)
        return;
    kind_of(c, r, kind, sizeof kind);
    add_row(&drawing, r, kind);
}

static int by_curve_and_size(const void *a, const void *b)
{
    const struct graph_point *p = a, *q = b;

    if (p->curve != q->curve)
        return p->curve - q->curve;
    return p->bytes < q->bytes ? -1 : p->bytes > q->bytes;
}

static bool begins_curve(const struct graph *g, int i)
{
    return i == 0 || g->point[i - 1].curve != g->point[i].curve;
}

/* All points, curve after curve, as the indices of one data block. */
static void write_points(const struct graph *g)
{
    qsort(g->point, (size_t)g->points, sizeof *g->point, by_curve_and_size);
    fputs("$t << END\n", g->script);
    for (int i = 0; i < g->points; i++) {
        const struct graph_point *p = &g->point[i];

        /* Nothing has no logarithm either: one half stands for it. */
        fprintf(g->script, "%s%.15g %.6g %.6g %.6g %.6g\n",
                i > 0 && begins_curve(g, i) ? "\n\n" : "", p->bytes > 0 ? (double)p->bytes : 0.5,
                p->figure, p->median, fmin(p->low, p->high), fmax(p->low, p->high));
    }
    fputs("END\n", g->script);
}

/* Two curves for each type and kind. */
static void draw_overview(const struct graph *g)
{
    const char *axis = g->context->table->column[0].heading;
    char heading[300];

    snprintf(heading, sizeof heading, "%s: %s", g->context->bench->name, g->context->bench->about);
    write_points(g);
    begin(g, heading);
    fprintf(g->script,
            "set logscale x 2\nset logscale y\nset format x '%%.0b%%B'\n"
            "set xtics add ('0' 0.5)\nset key top left\n"
            "set xlabel 'message size (bytes)'\nset ylabel '%s'\n",
            axis + strspn(axis, " "));
    for (int i = 0; i < g->points; i++) {
        const struct graph_point *p = &g->point[i];
        const int k = p->curve;
        char name[80];

        if (!begins_curve(g, i))
            continue;
        snprintf(name, sizeof name, "%s%s%s", p->kind, p->kind[0] != '\0' ? ", " : "",
                 element_name(p->type));
        fprintf(g->script,
                "%s$t index %d using 1:3:4:5 with yerrorbars lc %d pt 6 title "
                "'%s median, 95%% interval', $t index %d using 1:2 with "
                "linespoints lc %d pt 7 ps 0.6 title '%s as in the table'",
                k == 0 ? "plot " : ", ", k, k + 1, name, k, k + 1, name);
    }
    fputc('\n', g->script);
    draw(g, NULL);
}

/* What was drawn gets its name when all of it is there. */
static bool name_drawings(FILE *script, char *why, size_t room)
{
    static const char begins[] = "set output '";
    char *line = NULL;
    size_t length = 0;
    bool good = true;

    rewind(script);
    while (good && getline(&line, &length, script) >= 0)
        if (strncmp(line, begins, sizeof begins - 1) == 0) {
            char *const part = line + sizeof begins - 1;
            char name[200];

            part[strcspn(part, "'")] = '\0';
            snprintf(name, sizeof name, "%.*s", (int)(strlen(part) - strlen(".part")), part);
            good = rename(part, name) == 0;
            snprintf(why, room, "%s: %s", name, strerror(errno));
        }
    free(line);
    return good;
}

/* Draw, when no rank waits for another any more: what goes wrong is a warning, since the
   figures have been printed. */
static enum exit_code finish(const struct context *c, enum exit_code code)
{
    struct graph *const g = &drawing;
    char why[300] = "";

    if (g->script == NULL)
        return code;
    if (g->points > 0)
        draw_overview(g);
    if (!run_gnuplot(g->script, why, sizeof why) || !name_drawings(g->script, why, sizeof why))
        message_print(W25_NO_GRAPH, "gnuplot: %s", why);
    fclose(g->script);
    free(g->point);
    drawing = (struct graph){ .script = NULL };
    return code;
}

const struct watcher graph_watcher = { .open = open, .measured = measured, .close = finish };
