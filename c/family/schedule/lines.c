/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include <stdlib.h>

#include "family.h"
#include "job/world.h"
#include "options/settings.h"

FILE *lines_about(struct lines *lines, const struct context *c,
                  const char *about, const struct result *result)
{
    if (lines->to == NULL)
        lines->to = open_memstream(&lines->text, &lines->size);
    if (lines->to == NULL)
        world_no_memory("the lines after the table");
    fprintf(lines->to, "# %s: size=%zu; ", about, result->row->bytes);
    if (c->settings->ntypes > 1)
        fprintf(lines->to, "type=%s; ", element_name(result->row->element));
    return lines->to;
}

void lines_print(struct lines *lines, FILE *to)
{
    if (lines->to != NULL)
        fclose(lines->to);
    lines->to = NULL;
    fprintf(to, "\n%s", lines->text != NULL ? lines->text : "");
}

void lines_end(struct lines *lines)
{
    if (lines->to != NULL)
        fclose(lines->to);
    free(lines->text);
    *lines = (struct lines){ .to = NULL };
}
