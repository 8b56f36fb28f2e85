/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsers of the OPTION_SPECIAL rows; each returns NULL or what is wrong. */
#ifndef SETTINGS_PARSE_H
#define SETTINGS_PARSE_H

const char *parse_sizes(void *settings, const char *text);
const char *parse_levels(void *settings, const char *text);
const char *parse_check(void *settings, const char *text);
const char *parse_types(void *settings, const char *text);
const char *parse_derived(void *settings, const char *text);
const char *parse_whole_types(void *settings, const char *text);
const char *parse_percentiles(void *settings, const char *text);
const char *parse_columns(void *settings, const char *text);
const char *parse_validation_warmup(void *settings, const char *text);
const char *parse_order(void *settings, const char *text);
const char *parse_use(void *settings, const char *text);
const char *parse_ready(void *settings, const char *text);
const char *parse_threads(void *settings, const char *text);
const char *parse_processes(void *settings, const char *text);
const char *parse_root(void *settings, const char *text);
const char *parse_graphs(void *settings, const char *text);
const char *parse_events(void *settings, const char *text);
const char *parse_gpu_map(void *settings, const char *text);
const char *parse_expect(void *settings, const char *text);
const char *parse_refine(void *settings, const char *text);

#endif
