/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drawing.h - what gnuplot draws, within a page or as a file.
 */
#ifndef DRAWING_H
#define DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What gnuplot is to do behind "set terminal" and "set output".  False: there is nothing
   to draw. */
typedef bool drawing_script(FILE *script, const void *what);

/* As an SVG element within an HTML page; name tells its parts from those of the page's
   other ones.  With nothing to draw nothing is written, and true.  False: why[] says why
   gnuplot drew nothing. */
bool drawing_svg(FILE *to, const char *name, drawing_script *write,
                 const void *what, char *why, size_t room);

/* The same into a file whose name says the form: ".png", ".pdf", ".svg". */
bool drawing_file(const char *path, drawing_script *write, const void *what,
                  char *why, size_t room);

/* Grid, borders and the place of the key, alike in all drawings. */
void drawing_style(FILE *script);

#endif
