/* SPDX-License-Identifier: BSD-3-Clause */
/* settings_parse.h - parsers of the OPTION_SPECIAL rows. */
#ifndef SETTINGS_PARSE_H
#define SETTINGS_PARSE_H

#include "settings.h"

/* For rows of families: up, down, random or random:SEED; "S:R", numbers of the
   sender's side and the receiver's, or one of them: the index in side, or -1 if that is
   for both, and both in JSON; and "N,N,...", each once, as they are named.  NULL, or what is wrong. */
const char *settings_parse_order(const char *text, enum order *order,
                                 unsigned long *seed);
const char *settings_parse_sides(const char *text, int least, int most,
                                 int alone, int side[2]);
void settings_record_sides(struct fields to, const char *name,
                           const void *side);
const char *settings_parse_numbers(const char *list, long values[PARAMETER_MAX],
                                   int *n);

/* Each returns NULL or what is wrong; so do those that add a choice of OPTION_LIST. */
typedef const char *settings_parser(void *settings, const char *text);
settings_parser parse_sizes, parse_size_list, parse_parameter, parse_check,
    parse_verify, parse_derived, parse_percentiles, parse_order, parse_use,
    parse_root, parse_fixed_root, parse_events, parse_gpu_map, parse_expect,
    parse_pairing;
const char *add_types(void *settings, int types);
const char *add_graph(void *settings, int kind);
const char *add_column(void *settings, int number);

#endif
