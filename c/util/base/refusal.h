/* SPDX-License-Identifier: BSD-3-Clause */
/* refusal.h - a reason that is kept, until who asked says it. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include <stdbool.h>

#include "messages.h"

/* Why something cannot be done; why[0] is '\0' where it can. */
struct refusal {
    enum message_id id;
    char why[1500]; /* has room for an example's command line */
};

/* Refuse it, unless it was refused before: the first reason holds. */
void refusal_because(struct refusal *r, enum message_id id, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* Print it, if this rank speaks.  Returns the exit code; EXIT_OK where nothing is refused. */
enum exit_code refusal_print(const struct refusal *r, const char *program,
                             bool speaks);

#endif
