/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gnuplot.h"

enum { COLUMNS = 120, ROWS = 40, LEAST = 20, MOST = 1000, MARK = 2 };

enum exit_code graph_open(struct graph *g, const char *name,
                          const struct settings *s)
{
    *g = (struct graph){ .settings = s, .name = name };
    if (s->graphs == 0)
        return EXIT_OK;
    if (!gnuplot_is_there())
        return message_print(E24_NO_GNUPLOT, name,
                             "-G draws with gnuplot, which is not in PATH");
    if (s->graphs != GRAPH_TTY && access(".", W_OK) != 0)
        return message_print(E17_FILE, name, "-G: the current directory: %s",
                             strerror(errno));
    g->script = gnuplot_begin();
    if (g->script == NULL)
        return message_print(E17_FILE, name, "-G: a temporary file: %s",
                             strerror(errno));
    fputs("set grid\nset tics nomirror\n", g->script);
    return EXIT_OK;
}

/* Characters of the terminal: two variables of OMB's, then Slurm's. */
static int extent(const char *ours, const char *slurm, int otherwise)
{
    const char *text = getenv(ours) != NULL ? getenv(ours) : getenv(slurm);
    const int n = text != NULL ? atoi(text) : 0;

    return n >= LEAST && n <= MOST ? n : otherwise;
}

static void set_terminal(const struct graph *g, const struct choice *form)
{
    if (form->value == GRAPH_TTY)
        fprintf(g->script, "set terminal dumb %d %d noenhanced\n",
                extent("OMB_COL_SIZE", "SLURM_PTY_WIN_COL", COLUMNS) - MARK,
                extent("OMB_ROW_SIZE", "SLURM_PTY_WIN_ROW", ROWS));
    else
        gnuplot_terminal(g->script, form->word, "960,640", "24cm,16cm");
}

/* Add words in small letters; what is no letter or digit is left out. */
static void add_word(char *stem, size_t room, const char *word)
{
    size_t n = strlen(stem);

    if (*word != '\0' && n + 1 < room)
        stem[n++] = '-';
    for (; *word != '\0' && n + 1 < room; word++)
        if (isalnum((unsigned char)*word) || *word == '_')
            stem[n++] = (char)tolower((unsigned char)*word);
        else if (*word == ' ')
            stem[n++] = '-';
    stem[n] = '\0';
}

/* The file of a row, or of all: NAME, NAME-8, NAME-mpi_int-8, NAME-peers2-8; less its
   ending. */
static void stem_of(const struct graph *g, const struct graph_point *p,
                    char *stem, size_t room)
{
    char bytes[32] = "";

    snprintf(stem, room, "%s", g->name);
    if (p == NULL)
        return;
    if (g->facts.sized) {
        snprintf(bytes, sizeof bytes, "%zu", p->bytes);
        add_word(stem, room,
                 g->settings->ntypes > 1 ? element_name(p->type) : "");
    }
    add_word(stem, room, p->kind);
    add_word(stem, room, bytes);
}

/* One drawing in all the forms that were asked for and that suit it. */
static void draw(const struct graph *g, const struct graph_point *p,
                 const char *heading, const char *plot)
{
    const bool main_one = p == NULL || !g->facts.sized;
    char stem[160];

    stem_of(g, p, stem, sizeof stem);
    fputs("set title ", g->script);
    gnuplot_quote(g->script, heading);
    fputs(".\"\\n\".", g->script);
    gnuplot_quote(g->script, g->facts.identity);
    fputc('\n', g->script);
    for (const struct choice *c = settings_graph_words; c->word != NULL; c++) {
        if ((g->settings->graphs & (unsigned)c->value) == 0 ||
            (c->value == GRAPH_TTY && !main_one))
            continue;
        set_terminal(g, c);
        if (c->value == GRAPH_TTY)
            fprintf(g->script, "set output\n%s\n", plot);
        else
            fprintf(g->script, "set output '%s.%s'\n%s\nunset output\n", stem,
                    c->word, plot);
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
            fprintf(g->script, "%zu %.6g\n", (i + 1) * (size_t)r->stride,
                    figure);
    }
    fputs("END\n", g->script);
    return n;
}

static void draw_samples(const struct graph *g, const struct result *r,
                         const struct graph_point *p)
{
    char heading[300], plot[300];
    int n = snprintf(heading, sizeof heading, "%s: %s%s", g->name, p->kind,
                     p->kind[0] != '\0' ? ", " : "");

    if (write_samples(g, r) == 0)
        return;
    if (g->facts.sized)
        n += snprintf(heading + n, sizeof heading - (size_t)n, "size %zu, %s, ",
                      p->bytes, element_name(p->type));
    if (r->series->n > r->series->kept)
        n += snprintf(heading + n, sizeof heading - (size_t)n, "the first ");
    n += snprintf(heading + n, sizeof heading - (size_t)n, "%zu ",
                  r->series->kept);
    if (r->series->n > r->series->kept)
        n += snprintf(heading + n, sizeof heading - (size_t)n, "of %zu ",
                      r->series->n);
    snprintf(heading + n, sizeof heading - (size_t)n,
             "samples, each of iterations=%ld; %s", r->stride,
             g->facts.population);
    snprintf(plot, sizeof plot,
             "plot $s using 1:2 with points pt 7 ps 0.3 title 'sample', "
             "%.6g with lines lw 2 title 'median'",
             p->median);
    fprintf(g->script,
            "unset logscale\nset logscale y\nset format x '%%g'\n"
            "set key top right\nset xlabel 'iteration'\n"
            "set ylabel '%s of a sample'\n",
            r->is_rate ? "MB/s" : "us");
    draw(g, p, heading, plot);
}

/* The curve that a point belongs to: one that is there, or a new one. */
static int curve_of(struct graph *g, const struct graph_point *p)
{
    for (int i = 0; i < g->points; i++)
        if (g->point[i].type == p->type &&
            strcmp(g->point[i].kind, p->kind) == 0)
            return g->point[i].curve;
    return g->curves++;
}

void graph_row(struct graph *g, const struct result *r, const char *kind)
{
    const struct stats *s = &r->over_laps;
    struct graph_point p = { .type = r->type,
                             .bytes = r->bytes,
                             .figure = result_figure(r, r->mean),
                             .median = result_figure(r, s->median) },
                       *more;

    if (g->script == NULL || r->series == NULL)
        return;
    snprintf(p.kind, sizeof p.kind, "%s", kind);
    p.low = result_figure(r, s->has_interval ? s->ci_low : s->median);
    p.high = result_figure(r, s->has_interval ? s->ci_high : s->median);
    if (!g->facts.sized || g->settings->graphs != GRAPH_TTY)
        draw_samples(g, r, &p);
    if (!g->facts.sized || !(p.figure > 0 && p.median > 0) ||
        !isfinite(p.figure + p.median + p.low + p.high))
        return; /* no place on a logarithmic axis */
    more = realloc(g->point, (size_t)(g->points + 1) * sizeof *more);
    if (more == NULL)
        return;
    g->point = more;
    p.curve = curve_of(g, &p);
    g->point[g->points++] = p;
}

/* Two curves for each type and kind. */
static void draw_overview(const struct graph *g)
{
    char *plot = graph_curves(g), heading[300];

    if (plot == NULL)
        return;
    snprintf(heading, sizeof heading, "%s: %s", g->name, g->facts.about);
    fprintf(g->script,
            "set logscale x 2\nset logscale y\nset format x '%%.0b%%B'\n"
            "set xtics add ('0' 0.5)\nset key top left\n"
            "set xlabel 'message size (bytes)'\nset ylabel '%s'\n",
            g->facts.axis + strspn(g->facts.axis, " "));
    draw(g, NULL, heading, plot);
    free(plot);
}

void graph_finish(struct graph *g)
{
    char why[300] = "";

    if (g->script == NULL)
        return;
    if (g->points > 0)
        draw_overview(g);
    if (!gnuplot_run(g->script, stdout, "# ", why, sizeof why))
        message_print(W25_NO_GRAPH, g->name, "gnuplot: %s", why);
    fclose(g->script);
    free(g->point);
}

static int by_curve_and_size(const void *a, const void *b)
{
    const struct graph_point *p = a, *q = b;

    if (p->curve != q->curve)
        return p->curve - q->curve;
    return p->bytes < q->bytes ? -1 : p->bytes > q->bytes;
}

/* The two curves of points that begin at p. */
static void add_curves(FILE *plot, const struct graph_point *p)
{
    char name[80];

    snprintf(name, sizeof name, "%s%s%s", p->kind,
             p->kind[0] != '\0' ? ", " : "", element_name(p->type));
    fprintf(
        plot,
        "%s$t%d using 1:3:4:5 with yerrorbars lc %d pt 6 title '%s "
        "median, 95%% interval', $t%d using 1:2 with linespoints lc %d pt 7 "
        "ps 0.6 title '%s as in the table'",
        p->curve == 0 ? "plot " : ", ", p->curve, p->curve + 1, name, p->curve,
        p->curve + 1, name);
}

char *graph_curves(const struct graph *g)
{
    char *text = NULL;
    size_t size;
    FILE *plot = open_memstream(&text, &size);

    if (plot == NULL)
        return NULL;
    qsort(g->point, (size_t)g->points, sizeof *g->point, by_curve_and_size);
    for (int i = 0; i < g->points; i++) {
        const struct graph_point *p = &g->point[i];

        if (i == 0 || p[-1].curve != p->curve) {
            fprintf(g->script, "$t%d << END\n", p->curve);
            add_curves(plot, p);
        }
        /* Nothing has no logarithm either: one half stands for it. */
        fprintf(g->script, "%.15g %.6g %.6g %.6g %.6g\n",
                p->bytes > 0 ? (double)p->bytes : 0.5, p->figure, p->median,
                fmin(p->low, p->high), fmax(p->low, p->high));
        if (i + 1 == g->points || p[1].curve != p->curve)
            fputs("END\n", g->script);
    }
    fclose(plot);
    return text;
}
