/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_options.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { ALLOW = 1024, AGAIN, LOOK, LOOKS_MAX = 30 };

static const struct argp_option options[] = {
    { "margin", 'm', "PERCENT", 0,
      "differences that nobody cares about (default: 3)", 0 },
    { "allow", ALLOW, "FIELD", 0,
      "that may differ, as method.start; may be given again", 0 },
    { "look", LOOK, "NUMBER", 0,
      "from 1 on: launches go on until the verdicts are there, and this is that look at "
      "them; the level is 5 % / 2^NUMBER, so that all looks have 5 % together",
      0 },
    { "again", AGAIN, "NAME=RESULTS", 0,
      "launches of that subject made again: a row that was slower and is not by them is "
      "undecided; may be given again",
      0 },
    { NULL, 0, NULL, 0, NULL, 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct comparison_words *words = state->input;
    char *end;

    switch (key) {
    case 'm':
        words->margin = strtod(text, &end) / 100;
        if (end == text || (*end != '\0' && strcmp(end, "%") != 0) ||
            !(words->margin >= 0 && words->margin < 10))
            argp_error(state, "--margin %s is no percentage", text);
        return 0;
    case ALLOW:
        if (words->allowed == COMPARISON_ALLOW)
            argp_error(state, "--allow: at most %d", COMPARISON_ALLOW);
        words->allow[words->allowed++] = text;
        return 0;
    case LOOK:
        words->look = (int)strtol(text, &end, 10);
        if (end == text || *end != '\0' || words->look < 1 ||
            words->look > LOOKS_MAX)
            argp_error(state, "--look %s is no number from 1 to %d", text,
                       LOOKS_MAX);
        return 0;
    case AGAIN:
        if (words->agains == COMPARISON_WORDS)
            argp_error(state, "--again: at most %d", COMPARISON_WORDS);
        words->again[words->agains++] = text;
        return 0;
    case ARGP_KEY_ARG:
        if (words->n == COMPARISON_WORDS)
            argp_error(state, "at most %d files or folders", COMPARISON_WORDS);
        words->word[words->n++] = text;
        return 0;
    case ARGP_KEY_END:
        if (words->n < words->least)
            argp_error(state, words->least > 1
                                  ? "two subjects are needed: the first is "
                                    "what the others are compared with"
                                  : "results are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp comparison_argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };

struct comparison_options
comparison_options_of(const struct comparison_words *words)
{
    return (
        struct comparison_options){ .margin = words->margin,
                                    .look = words->look,
                                    .may = { words->allow, words->allowed } };
}

/* The name in NAME=PATH, or the last part of PATH; returns PATH. */
static const char *split(const char *text, char name[COMPARISON_NAME])
{
    const char *equals = strchr(text, '=');
    const char *path = equals != NULL ? equals + 1 : text;
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
    snprintf(
        name, COMPARISON_NAME, "%.*s",
        utf8_within(text, end < COMPARISON_NAME ? end : COMPARISON_NAME - 1),
        text);
    return path;
}

static const char *mpi_of(const struct document *d)
{
    return json_string_value(json_object_get(d->environment, "mpi"));
}

bool subject_is_of_one_mpi(const struct subject *s, char *why, size_t room)
{
    for (size_t i = 1; i < s->n; i++)
        if (strcmp(mpi_of(&s->document[i]), mpi_of(&s->document[0])) != 0) {
            snprintf(why, room,
                     "%s: %s is of %.60s, %s of %.60s: name each a subject, as "
                     "NAME=FILE",
                     s->name, s->document[0].path, mpi_of(&s->document[0]),
                     s->document[i].path, mpi_of(&s->document[i]));
            return false;
        }
    return true;
}

static bool read_word(struct subject *subject, int *n, const char *text,
                      char *why, size_t room)
{
    char name[COMPARISON_NAME];
    const char *path = split(text, name);
    int k = 0;

    if (name[0] == '\0' || strcspn(name, "\"'|\n") != strlen(name)) {
        snprintf(why, room, "'%s' names no subject", text);
        return false;
    }
    while (k < *n && strcmp(subject[k].name, name) != 0)
        k++;
    if (k == COMPARISON_SUBJECTS) {
        snprintf(why, room, "at most %d subjects", COMPARISON_SUBJECTS);
        return false;
    }
    if (k == *n) {
        subject[k] = (struct subject){ .name = "" };
        memcpy(subject[k].name, name, sizeof name);
        ++*n;
    }
    return subject_add(&subject[k], path, why, room);
}

static bool read_words(struct subject *subject, int *n, const char *const *word,
                       int words, const struct allowance *may, char *why,
                       size_t room)
{
    *n = 0;
    for (int i = 0; i < words; i++)
        if (!read_word(subject, n, word[i], why, room))
            return false;
    for (int i = 0; i < *n; i++)
        if (!subject_is_of_one_mpi(&subject[i], why, room) ||
            !comparison_alike(&subject[i], &subject[i], may, why, room))
            return false;
    return true;
}

bool comparison_read_again(struct subject *subject, int *n,
                           const struct comparison_words *words, char *why,
                           size_t room)
{
    const struct allowance may = { words->allow, words->allowed };

    return read_words(subject, n, words->again, words->agains, &may, why, room);
}

bool comparison_read_subjects(struct subject *subject, int *n,
                              const struct comparison_words *words, char *why,
                              size_t room)
{
    const struct allowance may = { words->allow, words->allowed };

    if (!read_words(subject, n, words->word, words->n, &may, why, room))
        return false;
    if (*n < words->least) {
        snprintf(why, room, "all results are of one subject, %s",
                 subject[0].name);
        return false;
    }
    return true;
}
