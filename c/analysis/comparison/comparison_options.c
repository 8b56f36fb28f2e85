/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comparison_classes.h"

enum { ALLOW = 1024, ASKED, CLASSES, FAILED, LOOK, LOOKS_MAX = 1000 };

static const struct argp_option options[] = {
    { "margin", 'm', "PERCENT", 0, NULL, 0 },
    { "classes", CLASSES, "SIZES", 0, NULL, 0 },
    { "allow", ALLOW, "FIELD", 0, NULL, 0 },
    { "asked", ASKED, "PROGRAM", 0, NULL, 0 },
    { "failed", FAILED, "NAME: WHY", 0, NULL, 0 },
    { "look", LOOK, "N", 0, NULL, 0 },
    { NULL, 0, NULL, 0, NULL, 0 }
};

/* One more in a list of n texts that has room for so many. */
static void add(const char **list, int *n, int most, const char *text,
                const char *what, struct argp_state *state)
{
    if (*n == most)
        argp_failure(state, EXIT_FAILURE, 0, "%s: at most %d", what, most);
    list[(*n)++] = text;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct comparison_words *words = state->input;
    const char *wrong;
    char *end, why[WHY];

    switch (key) {
    case 'm':
        words->how.margin = percentage(text);
        if (isnan(words->how.margin))
            argp_failure(state, EXIT_FAILURE, 0,
                         "--margin %s is not a percentage", text);
        return 0;
    case CLASSES:
        wrong = size_limits_read(&words->how.sizes, text);
        if (wrong != NULL)
            argp_failure(state, EXIT_FAILURE, 0, "--classes '%s' %s", text,
                         wrong);
        return 0;
    case ALLOW:
        if (!may_differ_add(&words->how.may, text, why))
            argp_failure(state, EXIT_FAILURE, 0, "%s", why);
        return 0;
    case ASKED:
        add(words->how.asked, &words->how.askeds, ASKED_MOST, text, "--asked",
            state);
        return 0;
    case FAILED:
        add(words->how.left_out, &words->how.left_outs, FAILED_MOST,
            given_memory(utf8_repaired(text)), "--failed", state);
        return 0;
    case LOOK:
        words->how.look = (int)strtol(text, &end, 10);
        if (end == text || *end != '\0' || words->how.look < 1 ||
            words->how.look > LOOKS_MAX)
            argp_failure(state, EXIT_FAILURE, 0,
                         "--look %s is not a number from 1 to %d", text,
                         LOOKS_MAX);
        return 0;
    case ARGP_KEY_ARG:
        add(words->word, &words->n, COMPARISON_WORDS, text, "files or folders",
            state);
        return 0;
    case ARGP_KEY_END:
        if (words->n < words->least)
            argp_failure(state, EXIT_FAILURE, 0,
                         words->least > 1
                             ? "two variants are needed: the first "
                               "is the baseline"
                             : "results are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp comparison_argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };

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

bool variants_read(struct variants *s, const struct comparison_words *words,
                   char why[WHY])
{
    const struct may_differ *may = &words->how.may;

    s->n = 0;
    for (int i = 0; i < words->n; i++)
        if (!read_word(s, words->word[i], why))
            return false;
    if (!may_differ_is_met(may, s->variant, s->n, why))
        return false;
    for (int i = 0; i < s->n; i++)
        if (!variant_is_of_one_mpi(&s->variant[i], why) ||
            !comparable_runs(&s->variant[i], &s->variant[i], may, why))
            return false;
    return s->n >= words->least ||
           refuse(why, "all results belong to one variant, %s",
                  s->variant[0].name);
}

void variants_release(struct variants *s)
{
    for (int i = 0; i < s->n; i++)
        variant_release(&s->variant[i]);
}
