/* SPDX-License-Identifier: BSD-3-Clause */
#include "markup.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

void markup_text(FILE *to, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const name[] = { "amp", "lt", "gt", "quot" };

    for (size_t n; *text != '\0'; text += n > 0 ? n : 1) {
        const char *found = strchr(special, *text);

        n = utf8_length(text);
        if (found != NULL)
            fprintf(to, "&%s;", name[found - special]);
        else if (n == 0)
            fputs(UTF8_UNKNOWN, to);
        else if (n == 1 && *text < ' ')
            fputc(' ', to);
        else
            fwrite(text, 1, n, to);
    }
}

void markup_print(FILE *to, const char *form, ...)
{
    va_list list;

    va_start(list, form);
    for (; *form != '\0'; form++)
        if (form[0] == '%' && form[1] == 's') {
            markup_text(to, va_arg(list, const char *));
            form++;
        } else {
            fputc(*form, to);
        }
    va_end(list);
}
