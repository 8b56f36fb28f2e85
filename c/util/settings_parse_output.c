/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose values are lists of what shall be printed, drawn or counted. */
#include "settings_parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "result.h"
#include "settings.h"

const char *parse_percentiles(void *settings, const char *text)
{
    struct settings *s = settings;

    s->npercentiles = 0;
    if (text == NULL)
        text = "50,90,99";
    while (*text != '\0') {
        char *end;
        const double p = strtod(text, &end);

        if (end == text || (*end != ',' && *end != '\0'))
            return "is not a list of percentiles (example: -z50,99.9; the "
                   "list is attached to -z)";
        if (!(p >= 0 && p <= 100))
            return "has a percentile outside 0 to 100";
        for (int i = 0; i < s->npercentiles; i++)
            if (s->percentiles[i] == p)
                return "names a percentile twice";
        if (s->npercentiles == PERCENTILES_MAX)
            return "has more than 16 percentiles";
        s->percentiles[s->npercentiles++] = p;
        text = end + (*end == ',');
    }
    return s->npercentiles > 0 ? NULL : "is empty";
}

const char *parse_columns(void *settings, const char *text)
{
    struct settings *s = settings;

    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        int id = 0;

        while (id < EXTRA_COUNT &&
               (strlen(extra_columns[id].name) != n ||
                strncmp(text, extra_columns[id].name, n) != 0))
            id++;
        if (id == EXTRA_COUNT)
            return "names an unknown column; --list names them";
        for (int i = 0; i < s->ncolumns; i++)
            if (s->columns[i] == id)
                return "names a column twice";
        s->columns[s->ncolumns++] = id;
        text += n + (text[n] == ',');
    }
    return s->ncolumns > 0 ? NULL : "is empty";
}

const char *parse_graphs(void *settings, const char *text)
{
    struct settings *s = settings;

    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        const struct choice *c = settings_graph_words;

        while (c->word != NULL &&
               (strlen(c->word) != n || strncasecmp(text, c->word, n) != 0))
            c++;
        if (c->word == NULL)
            return "is not a list of tty, png, pdf, svg";
        s->graphs |= (unsigned)c->value;
        text += n + (text[n] == ',');
    }
    return s->graphs != 0 ? NULL : "is empty";
}

/* Where :FILE begins.  Names of native events have colons themselves: there a
   FILE is known by a dot or a slash. */
static const char *end_of_events(const char *text)
{
    const char *const last = strrchr(text, ','),
                      *const event = last != NULL ? last + 1 : text,
                      *const colon = strrchr(event, ':');

    return colon != NULL && (strncmp(event, "PAPI_", 5) == 0 ||
                             strpbrk(colon, "./") != NULL)
               ? colon
               : text + strlen(text);
}

const char *parse_events(void *settings, const char *text)
{
    struct settings *s = settings;
    const char *const end = end_of_events(text);
    char list[EVENTS_MAX * EVENT_ROOM];

    if (*end == ':') {
        s->events_file = end + 1;
        if (end[1] == '\0')
            return "names no file behind the colon";
    }
    if ((size_t)(end - text) >= sizeof list)
        return "is too long";
    snprintf(list, sizeof list, "%.*s", (int)(end - text), text);
    for (char *rest, *name = strtok_r(list, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        if (strlen(name) >= EVENT_ROOM)
            return "has a name that is too long";
        for (int i = 0; i < s->nevents; i++)
            if (strcmp(s->event[i], name) == 0)
                return "names an event twice";
        if (s->nevents == EVENTS_MAX)
            return "has more than 16 events";
        strcpy(s->event[s->nevents++], name);
    }
    return s->nevents > 0 ? NULL : "is empty";
}
