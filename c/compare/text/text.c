/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool refuse(char why[WHY], const char *form, ...)
{
    va_list list;

    va_start(list, form);
    vsnprintf(why, WHY, form, list);
    va_end(list);
    return false;
}

void text_add(char *to, size_t room, const char *form, ...)
{
    const size_t at = strlen(to);
    va_list list;

    va_start(list, form);
    vsnprintf(to + at, room - at, form, list);
    va_end(list);
}

int utf8_within(const char *text, size_t most)
{
    size_t n = strnlen(text, most + 1);

    if (n <= most)
        return (int)n;
    /* The cut must not be within a character. */
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
        n--;
    return (int)n;
}

void text_add_word(char *to, size_t room, const char *separator,
                   const char *word, size_t most)
{
    if (word != NULL)
        text_add(to, room, "%s%.*s", to[0] != '\0' ? separator : "",
                 utf8_within(word, most), word);
}

double percentage(const char *text)
{
    char *end;
    const double part = strtod(text, &end) / 100;

    return end > text && (*end == '\0' || strcmp(end, "%") == 0) && part >= 0 &&
                   part < 10
               ? part
               : NAN;
}

void memory_is_short(void)
{
    fprintf(stderr, "%s: memory is short\n", program_invocation_short_name);
    exit(EXIT_FAILURE);
}

void *given_memory(void *memory)
{
    if (memory == NULL)
        memory_is_short();
    return memory;
}

void print_and_exit(const char *text)
{
    puts(text);
    exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
