/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fresh_file.h"

static void append(char *to, size_t room, const char *form, va_list list)
{
    const size_t at = strlen(to);
    char *all;

    if (vasprintf(&all, form, list) < 0)
        memory_is_short();
    snprintf(to + at, room - at, "%.*s", utf8_within(all, room - at - 1), all);
    free(all);
}

bool refuse(char why[WHY], const char *form, ...)
{
    va_list list;

    va_start(list, form);
    why[0] = '\0';
    append(why, WHY, form, list);
    va_end(list);
    return false;
}

void text_add(char *to, size_t room, const char *form, ...)
{
    va_list list;

    va_start(list, form);
    append(to, room, form, list);
    va_end(list);
}

void text_add_word(char *to, size_t room, const char *separator,
                   const char *word, size_t most)
{
    if (word != NULL)
        text_add(to, room, "%s%.*s", to[0] != '\0' ? separator : "",
                 utf8_within(word, most), word);
}

json_t *json_text(const char *text)
{
    char *const valid = text != NULL ? given_memory(utf8_repaired(text)) : NULL;
    json_t *const value =
        given_memory(valid != NULL ? json_string(valid) : json_null());

    free(valid);
    return value;
}

bool json_print(FILE *to, json_t *document)
{
    const bool good = given_memory(document) != NULL &&
                      json_dumpf(document, to, JSON_INDENT(1)) == 0 &&
                      fputc('\n', to) != EOF;

    json_decref(document);
    return good;
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

bool can_be_written(const char *const *path, int n, char why[WHY])
{
    const int wrong = fresh_files_wrong(path, n);

    return wrong == n ||
           refuse(why, "'%s' could not be written: %s", path[wrong],
                  errno == 0 ? "another option names the same file"
                             : strerror(errno));
}

bool write_file(const char *path, bool (*write)(FILE *to, const void *what),
                const void *what, char why[WHY])
{
    struct fresh_file file;

    if (path == NULL || (fresh_file_begin(&file, path, FRESH_DOCUMENT) &&
                         fresh_file_end(&file, write(file.to, what))))
        return true;
    refuse(why, "'%s' could not be written: %s", path, strerror(errno));
    unlink(file.part); /* what is missing can be written again */
    return false;
}

int leave(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "%s: standard output could not be written\n",
            program_invocation_short_name);
    return EXIT_FAILURE;
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
    exit(leave(EXIT_SUCCESS));
}
