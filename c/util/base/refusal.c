/* SPDX-License-Identifier: BSD-3-Clause */
#include "refusal.h"

#include <stdarg.h>

void refusal_because(struct refusal *r, enum message_id id, const char *format,
                     ...)
{
    va_list arguments;

    if (r->why[0] != '\0')
        return;
    r->id = id;
    va_start(arguments, format);
    vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
}

enum exit_code refusal_print(const struct refusal *r, const char *program,
                             bool speaks)
{
    if (r->why[0] == '\0')
        return EXIT_OK;
    if (speaks)
        message_print(r->id, program, "%s", r->why);
    return messages[r->id].code;
}
