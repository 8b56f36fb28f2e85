/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include <stdlib.h>

#include "job/progress.h"

static int count(const struct part *part, int n, enum part_state state)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += part[i].state == state;
    return found;
}

/* What was verified of it; "": nothing was. */
static const char *checks(const struct verified *v, char text[80])
{
    text[0] = '\0';
    if (v->checked > 0)
        snprintf(text, 80, " checked=%ld; wrong=%ld;", v->checked, v->wrong);
    return text;
}

static void print_part(FILE *to, const struct part *part)
{
    char verified[80];
    const char *name = part->program->bench->name;
    const char *number = part->said.why[0] != '\0'
                             ? messages[part->said.id].number
                             : "no message";

    if (part->state == PART_RAN)
        fprintf(to, "# suite: %s: run; seconds=%.2f;%s\n", name, part->seconds,
                checks(&part->verified, verified));
    else if (part->state == PART_SKIPPED)
        fprintf(to, "# suite: %s: skipped; %s\n", name, part->why);
    else if (part->state == PART_FAILED)
        fprintf(to, "# suite: %s: failed; %s: %s; seconds=%.2f;%s\n", name,
                number, part->why, part->seconds,
                checks(&part->verified, verified));
}

void summary_show(const struct part *part, int n, double seconds)
{
    struct verified all = { .checked = 0 };
    char verified[80];
    int late = 0;

    for (int i = 0; i < n; i++) {
        print_part(stdout, &part[i]);
        late += part[i].soak_over && part[i].state == PART_RAN;
        all.checked += part[i].verified.checked;
        all.wrong += part[i].verified.wrong;
    }
    if (late > 0)
        printf("# suite: the time of --verify was over before %d of the "
               "programs: each of their rows was verified once;\n",
               late);
    printf("# suite: programs=%d; run=%d; skipped=%d; failed=%d; "
           "seconds=%.2f;%s\n",
           n, count(part, n, PART_RAN), count(part, n, PART_SKIPPED),
           count(part, n, PART_FAILED), seconds, checks(&all, verified));
}

void summary_last_words(const struct part *part, int n, int at, double seconds,
                        bool leads)
{
    static char *text;
    size_t bytes;
    FILE *to;

    progress.last_words = NULL;
    free(text);
    to = open_memstream(&text, &bytes);
    if (to == NULL)
        return;
    for (int i = 0; leads && i < at; i++)
        print_part(to, &part[i]);
    fprintf(to,
            "# suite: ended in %s, number=%d; of programs=%d; run=%d; "
            "skipped=%d; failed=%d; not begun=%d; seconds before=%.2f;\n",
            part[at].program->bench->name, at + 1, n, count(part, at, PART_RAN),
            count(part, at, PART_SKIPPED), count(part, at, PART_FAILED),
            n - at - 1, seconds);
    if (fclose(to) == 0)
        progress.last_words = text;
}

enum exit_code summary_code(const struct part *part, int n)
{
    enum exit_code worst = EXIT_OK;

    for (int i = 0; i < n; i++)
        if (part[i].state == PART_FAILED && part[i].code > worst)
            worst = part[i].code;
    return worst == EXIT_OK && count(part, n, PART_SKIPPED) == n
               ? EXIT_CANNOT_RUN
               : worst;
}
