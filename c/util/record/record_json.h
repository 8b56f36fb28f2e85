/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_json.h - the JSON half of record.h: record.c calls it.  Without jansson
 *                 record_json_open fails with ENOSYS, and the rest is not called.
 */
#ifndef RECORD_JSON_H
#define RECORD_JSON_H

#include "record.h"

bool record_json_open(struct record *record, const char *path);
void record_json_begin(struct record *record, const struct context *c);
void record_json_row(struct record *record, const struct context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells);
void record_json_jump(struct record *record, const struct jump *jump,
                      const struct row *row, const char *operation);
bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete);

#endif
