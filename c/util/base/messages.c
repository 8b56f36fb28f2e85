/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include <stdarg.h>
#include <string.h>

enum { ADVICE = 300 }; /* room kept for the second line */

const struct message messages[MESSAGE_COUNT] = {
#define MESSAGE(number, what, code, advice) [number##_##what] = { #number, code, advice },
#include "catalogue.def"
#undef MESSAGE
};

const char *message_reason(enum exit_code code)
{
    return code == EXIT_OK           ? "ok"
           : code == EXIT_USAGE      ? "usage"
           : code == EXIT_WRONG_DATA ? "wrong data"
           : code == EXIT_CANNOT_RUN ? "cannot run here"
                                     : "run-time failure";
}

const char *message_program = "alidade";
bool message_printed;
struct refusal *message_kept;

enum exit_code message_print(enum message_id id, const char *format, ...)
{
    const struct message *m = &messages[id];
    const bool error = m->number[0] == 'E';
    char line[2048];
    const char *text;
    va_list arguments;
    size_t n;

    n = (size_t)snprintf(line, sizeof line, "%salidade: %s %s: %s: ", error ? "" : "# ",
                         error ? "error" : "warning", m->number, message_program);
    text = line + n;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - n - ADVICE, format, arguments);
    va_end(arguments);
    /* Texts of MPI libraries may have lines of their own. */
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    message_printed |= error;
    if (error && message_kept != NULL) {
        refusal_because(message_kept, id, "%s", text);
        if (m->code == EXIT_USAGE || m->code == EXIT_CANNOT_RUN)
            return m->code;
    }
    n = strlen(line);
    snprintf(line + n, sizeof line - n, "\n%s   %s\n", error ? " " : "#", m->advice);
    fflush(stdout);
    fputs(line, stderr);
    fflush(stderr);
    return m->code;
}

void refusal_because(struct refusal *r, enum message_id id, const char *format, ...)
{
    va_list arguments;

    if (r->why[0] != '\0')
        return;
    r->id = id;
    va_start(arguments, format);
    vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
}

enum exit_code refusal_print(const struct refusal *r, bool speaks)
{
    if (r->why[0] == '\0')
        return EXIT_OK;
    if (speaks)
        message_print(r->id, "%s", r->why);
    return messages[r->id].code;
}
