/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOKS_MAX = 1000 };

bool comparison_option_classes(const struct tool_option *option,
                               const char *text, char why[WHY])
{
    const char *wrong = size_limits_read(option->to, text);

    return wrong == NULL || refuse(why, "--classes '%s' %s", text, wrong);
}

bool comparison_option_allow(const struct tool_option *option, const char *text,
                             char why[WHY])
{
    return may_differ_add(option->to, text, why);
}

bool comparison_option_look(const struct tool_option *option, const char *text,
                            char why[WHY])
{
    int *look = option->to;
    char *end;
    const long number = strtol(text, &end, 10);

    *look = (int)number;
    return (end > text && *end == '\0' && number >= 1 && number <= LOOKS_MAX) ||
           refuse(why, "--look %s is not a number from 1 to %d", text,
                  LOOKS_MAX);
}

/* The name in NAME=PATH, or the last part of PATH; returns PATH.  A name has no slash, and
   a path that is there may have an equals sign. */
static const char *split(const char *text, char name[VARIANT_NAME])
{
    const char *word_end = access(text, F_OK) == 0 ? NULL : strpbrk(text, "=/");
    const char *equals = word_end != NULL && *word_end == '=' ? word_end : NULL;
    const char *path = equals != NULL ? equals + 1 : text;
    char *raw, *all;
    size_t end = strlen(path), from;

    while (end > 1 && path[end - 1] == '/')
        end--;
    for (from = end; from > 0 && path[from - 1] != '/'; from--)
        continue;
    if (equals != NULL) {
        end = (size_t)(equals - text);
    } else {
        text = path + from;
        end -= from;
    }
    raw = given_memory(strndup(text, end));
    all = given_memory(utf8_repaired(raw));
    name[0] = '\0';
    text_add(name, VARIANT_NAME, "%s", all);
    free(raw);
    free(all);
    return path;
}

static bool read_word(struct variants *s, const char *text, char why[WHY])
{
    char name[VARIANT_NAME];
    const char *path = split(text, name);
    int k = 0;

    /* scripts/compare keeps its own files under names with a dot; a folder that is named
       alone may be ".". */
    if (name[0] == '\0' ||
        (name[0] == '.' && strcspn(text, "=") < strcspn(text, "/")) ||
        strcspn(name, "\"'|\n") != strlen(name))
        return refuse(why, "'%s' names no variant; write NAME=RESULTS", text);
    while (k < s->n && strcmp(s->variant[k].name, name) != 0)
        k++;
    if (k == VARIANTS)
        return refuse(why, "at most %d variants", VARIANTS);
    if (k == s->n) {
        s->variant[k] = (struct variant){ .name = "" };
        memcpy(s->variant[k].name, name, sizeof name);
        s->n++;
    }
    return variant_add(&s->variant[k], path, why);
}

/* Do the runs of each variant belong together? */
static bool belong_together(const struct variants *v,
                            const struct may_differ *may, char why[WHY])
{
    if (!may_differ_is_met(may, v->variant, v->n, why))
        return false;
    for (int i = 0; i < v->n; i++)
        if (!variant_is_of_one_mpi(&v->variant[i], why) ||
            !comparable_runs(&v->variant[i], &v->variant[i], may, why))
            return false;
    return true;
}

bool variants_read(struct variants *v, const char *const *word, size_t words,
                   int least, const struct may_differ *may, char why[WHY])
{
    v->n = 0;
    if (words < (size_t)least)
        return refuse(why, least > 1 ? "two variants are needed: the first "
                                       "is the baseline"
                                     : "results are needed");
    for (size_t i = 0; i < words; i++)
        if (!read_word(v, word[i], why))
            return false;
    if (!belong_together(v, may, why))
        return false;
    return v->n >= least || refuse(why, "all results belong to one variant, %s",
                                   v->variant[0].name);
}

bool variants_read_one(struct variants *v, struct unread *unread,
                       const char *const *word, size_t words, const char *name,
                       const struct may_differ *may, char why[WHY])
{
    v->n = 1;
    v->variant[0] = (struct variant){ .unread = unread };
    text_add(v->variant[0].name, VARIANT_NAME, "%s", name);
    if (words == 0)
        return refuse(why, "results are needed");
    for (size_t i = 0; i < words; i++)
        if (!variant_add(&v->variant[0], word[i], why))
            return false;
    if (unread != NULL && v->variant[0].n == 0)
        return refuse(why, "%s", unread->why[0]);
    return belong_together(v, may, why);
}

void variants_release(struct variants *v)
{
    for (int i = 0; i < v->n; i++)
        variant_release(&v->variant[i]);
}
