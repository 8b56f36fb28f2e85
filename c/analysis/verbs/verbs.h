/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verbs.h - the questions that alidade-analysis answers.  Results are there: scripts make
 *           them.
 */
#ifndef VERBS_H
#define VERBS_H

#include "text/tool_options.h"

extern const struct tool_verb verb_compare, verb_accept, verb_repeat,
    verb_report, verb_examine, verb_tune;

#endif
