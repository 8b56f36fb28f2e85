/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured, where and with what: report_page.h. */
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "report_page.h"

/* What stands in the first table: a label, and where it is in a document. */
static const struct fact {
    const char *label, *path[3];
} facts[] = {
    { "MPI", { "environment", "mpi", NULL } },
    { "Ranks", { "environment", "ranks", NULL } },
    { "Nodes", { "environment", "nodes", NULL } },
    { "Path", { "environment", "path", NULL } },
    { "Bound to", { "environment", "bound", NULL } },
    { "Memory of both sides", { "environment", "memory", NULL } },
    { "Start of a lap", { "method", "start", NULL } },
    { "Buffers", { "method", "buffers", NULL } },
    { "Verified", { "method", "verified", NULL } },
    { "Processor", { "environment", "hardware", "processor" } },
    { "CPUs", { "environment", "hardware", "cpus_online" } },
    { "NUMA nodes", { "environment", "hardware", "numa_nodes" } },
    { "Governor", { "environment", "hardware", "governor" } },
    { "Oversubscribed", { "environment", "oversubscribed", NULL } },
    { "Kernel", { "environment", "kernel", NULL } },
    { "Clock", { "environment", "clock", "name" } },
    { "GPU", { "environment", "gpu", "runtime" } },
    { "Compiler", { "environment", "build", "compiler_version" } },
    { "Flags", { "environment", "build", "flags" } },
    { "Alidade", { "version", NULL, NULL } },
    { "First launch", { "started", NULL, NULL } },
};

/* To be freed. */
static char *value_of(const struct document *d, const struct fact *fact)
{
    json_t *value = d->root;

    for (int i = 0; i < 3 && fact->path[i] != NULL; i++)
        value = json_object_get(value, fact->path[i]);
    if (value == NULL || json_is_null(value))
        return strdup("");
    if (json_is_string(value))
        return strdup(json_string_value(value));
    if (json_is_boolean(value))
        return strdup(json_is_true(value) ? "yes" : "no");
    return json_dumps(value,
                      JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
}

/* As its launches say; "..." behind it where they differ. */
static char *value_of_all(const struct subject *s, const struct fact *fact)
{
    char *first = value_of(&s->document[0], fact), *longer;
    bool same = first != NULL;

    for (size_t i = 1; i < s->n && same; i++) {
        char *other = value_of(&s->document[i], fact);

        same = other != NULL && strcmp(first, other) == 0;
        free(other);
    }
    if (same || first == NULL || strcmp(fact->label, "First launch") == 0)
        return first;
    longer = malloc(strlen(first) + sizeof ", ...");
    if (longer != NULL)
        sprintf(longer, "%s, ...", first);
    free(first);
    return longer;
}

static void fact_row(FILE *to, const struct survey *s, const struct fact *fact)
{
    char *value[COMPARISON_SUBJECTS];
    bool differs = false, any = false;

    for (int k = 0; k < s->subjects; k++) {
        value[k] = value_of_all(&s->subject[k], fact);
        if (value[k] == NULL)
            value[k] = strdup("?");
        any = any || (value[k] != NULL && value[k][0] != '\0');
        differs = differs || (k > 0 && value[k] != NULL && value[0] != NULL &&
                              strcmp(value[k], value[0]) != 0);
    }
    if (any) {
        /* Of a launch's time it is plain that it differs. */
        differs = differs && strcmp(fact->label, "First launch") != 0;
        fprintf(to, "<tr%s><td>%s%s</td>", differs ? " class=\"differs\"" : "",
                fact->label, differs ? " &ne;" : "");
        for (int k = 0; k < s->subjects; k++) {
            fputs("<td class=\"word\">", to);
            markup_text(to, value[k] != NULL ? value[k] : "");
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    for (int k = 0; k < s->subjects; k++)
        free(value[k]);
}

void report_page_subjects(FILE *to, const struct survey *s)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th></th>", to);
    for (int k = 0; k < s->subjects; k++) {
        fputs("<th class=\"word\">", to);
        markup_text(to, s->subject[k].name);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n<tr><td>Documents</td>", to);
    for (int k = 0; k < s->subjects; k++)
        fprintf(to, "<td class=\"word\">%zu</td>", s->subject[k].n);
    fputs("</tr>\n", to);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        fact_row(to, s, &facts[i]);
    fputs("</tbody></table></div>\n", to);
}
