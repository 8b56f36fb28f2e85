/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of the two sides, of levels, and of what a job has to be. */
#include <limits.h>
#include <stdlib.h>

#include "expect.h"
#include "settings.h"
#include "settings_parse.h"

/* "S:R", numbers for the sender's side and the receiver's, or one of them: the
   index in side, or -1 if that is for both. */
static const char *two_sides(const char *text, int least, int most, int alone,
                             int side[2])
{
    char *end;
    long first = strtol(text, &end, 10), second = first;
    const bool two = end != text && *end == ':';

    if (two) {
        text = end + 1;
        second = strtol(text, &end, 10);
    }
    if (end == text || *end != '\0')
        return "is not a number, or two as in 2:4, sender and receiver";
    if (first < least || second < least || first > most || second > most)
        return "is out of range";
    if (two || alone != 1)
        side[0] = (int)first;
    if (two || alone != 0)
        side[1] = (int)second;
    return NULL;
}

const char *parse_threads(void *settings, const char *text)
{
    struct settings *s = settings;

    s->threads[0] = 1;
    return two_sides(text, 1, SIDES_MOST, 1, s->threads);
}

const char *parse_processes(void *settings, const char *text)
{
    return two_sides(text, 0, SIDES_MOST, -1,
                     ((struct settings *)settings)->processes);
}

/* In the order in which they are named, and each once. */
static void add_level(struct settings *s, long value)
{
    for (int i = 0; i < s->nlevels; i++)
        if (s->level[i] == value)
            return;
    s->level[s->nlevels++] = value;
}

const char *parse_levels(void *settings, const char *text)
{
    struct settings *s = settings;
    char *end;

    for (s->nlevels = 0; s->nlevels < LEVELS_MAX; text = end + 1) {
        const long value = strtol(text, &end, 10);

        if (end == text || value < 0 || value >= INT_MAX)
            break;
        add_level(s, value);
        if (*end == '\0')
            return NULL;
        if (*end != ',')
            break;
    }
    return "is not a list of up to 32 whole numbers";
}

const char *parse_expect(void *settings, const char *text)
{
    struct settings *s = settings;

    if (s->nexpect == EXPECT_MAX)
        return "is one too many: 16 are the most";
    s->expect[s->nexpect++] = text;
    return expect_wrong(text);
}

const char *parse_gpu_map(void *settings, const char *text)
{
    return gpu_map_parse(text, &((struct settings *)settings)->gpu_map);
}
