/* SPDX-License-Identifier: BSD-3-Clause */
#include "drawing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gnuplot.h"

/* Into path by that terminal; *drawn: there was something to draw. */
static bool draw(const char *path, const char *terminal, drawing_script *write,
                 const void *what, bool *drawn, char *why, size_t room)
{
    FILE *script = tmpfile(), *said = tmpfile();
    bool good = script != NULL && said != NULL;

    *drawn = false;
    if (good) {
        fprintf(script, "set encoding utf8\nset terminal %s\nset output ",
                terminal);
        gnuplot_quote(script, path);
        fputc('\n', script);
        *drawn = write(script, what);
        fputs("unset output\n", script);
        good = !*drawn || gnuplot_run(script, said, why, room);
    } else {
        snprintf(why, room, "a temporary file: %s", strerror(errno));
    }
    if (script != NULL)
        fclose(script);
    if (said != NULL)
        fclose(said);
    return good;
}

/* From its element on: what stands before it belongs to a document of its own. */
static bool copy_svg(FILE *to, const char *path)
{
    FILE *from = fopen(path, "r");
    char line[4096];
    bool within = false;

    if (from == NULL)
        return false;
    while (fgets(line, sizeof line, from) != NULL) {
        const char *begin = within ? line : strstr(line, "<svg");

        if (begin != NULL)
            fputs(begin, to);
        within = within || begin != NULL;
    }
    fclose(from);
    return within;
}

bool drawing_svg(FILE *to, const char *name, drawing_script *write,
                 const void *what, char *why, size_t room)
{
    const char *folder = getenv("TMPDIR");
    char path[4096], terminal[200];
    bool drawn, good;
    int file;

    snprintf(path, sizeof path, "%s/alidade.XXXXXX",
             folder != NULL ? folder : "/tmp");
    file = mkstemp(path);
    if (file < 0) {
        snprintf(why, room, "a temporary file: %s", strerror(errno));
        return false;
    }
    close(file);
    snprintf(terminal, sizeof terminal,
             "svg size 860,460 dynamic noenhanced font 'sans-serif,14' "
             "background 'white' name '%s'",
             name);
    good = draw(path, terminal, write, what, &drawn, why, room);
    if (good && drawn && !copy_svg(to, path)) {
        snprintf(why, room, "gnuplot wrote no SVG");
        good = false;
    }
    unlink(path);
    return good;
}

bool drawing_file(const char *path, drawing_script *write, const void *what,
                  char *why, size_t room)
{
    const char *form = strrchr(path, '.');
    const char *terminal =
        form == NULL                ? ""
        : strcmp(form, ".png") == 0 ? "pngcairo size 1200,640 noenhanced"
        : strcmp(form, ".pdf") == 0 ? "pdfcairo size 24cm,13cm noenhanced"
                                    : "svg size 860,460 noenhanced";
    bool drawn;

    return draw(path, terminal, write, what, &drawn, why, room);
}

void drawing_style(FILE *script)
{
    fputs("set grid lc rgb '#dddddd'\nset tics nomirror\nset border 3\n"
          "set key left top reverse Left noenhanced\n",
          script);
}
