/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsers of the OPTION_SPECIAL rows, and what adds a choice of OPTION_LIST; each
   returns NULL or what is wrong. */
#ifndef SETTINGS_PARSE_H
#define SETTINGS_PARSE_H

#include "settings_words.h"

/* For rows of families: up, down, random or random:SEED; and "S:R", numbers of the
   sender's side and the receiver's, or one of them: the index in side, or -1 if that is
   for both.  NULL, or what is wrong. */
const char *settings_parse_order(const char *text, enum order *order,
                                 unsigned long *seed);
const char *settings_parse_sides(const char *text, int least, int most,
                                 int alone, int side[2]);

const char *parse_sizes(void *settings, const char *text);
const char *parse_parameter(void *settings, const char *text);
const char *parse_check(void *settings, const char *text);
const char *parse_derived(void *settings, const char *text);
const char *parse_percentiles(void *settings, const char *text);
const char *parse_columns(void *settings, const char *text);
const char *parse_order(void *settings, const char *text);
const char *parse_use(void *settings, const char *text);
const char *parse_root(void *settings, const char *text);
const char *parse_fixed_root(void *settings, const char *text);
const char *parse_events(void *settings, const char *text);
const char *parse_gpu_map(void *settings, const char *text);
const char *parse_expect(void *settings, const char *text);
const char *parse_refine(void *settings, const char *text);
const char *add_types(void *settings, int types);
const char *add_graph(void *settings, int kind);

#endif
