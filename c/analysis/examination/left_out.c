/* SPDX-License-Identifier: BSD-3-Clause */
#include "left_out.h"

#include <stdlib.h>
#include <string.h>

/* Cut the next word off a line. */
static char *word_of(char **line)
{
    char *word = *line, *end = word + strcspn(word, "\t");

    *line = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

bool left_out_read(struct findings *f, const char *path, char why[WHY])
{
    size_t n = 0;
    char *raw, *line, *next;

    if (path == NULL)
        return true;
    f->text = result_file_text(path, &n, why);
    if (f->text == NULL)
        return false;
    f->text[n] = '\0';
    raw = f->text;
    f->text = given_memory(utf8_repaired(raw));
    free(raw);
    for (line = f->text; *line != '\0'; line = next) {
        struct left_out *one;

        next = line + strcspn(line, "\n");
        if (*next != '\0')
            *next++ = '\0';
        f->left_out = given_memory(realloc(
            f->left_out, (f->parts_left_out + 1) * sizeof *f->left_out));
        one = &f->left_out[f->parts_left_out++];
        one->part = word_of(&line);
        one->status = (int)strtol(word_of(&line), NULL, 10);
        one->reason = word_of(&line);
        one->command = word_of(&line);
        one->host = word_of(&line);
        if (one->host[0] != '\0')
            findings_host(f, one->host);
    }
    return true;
}

enum { TIME_IS_OVER = 124, WRONG_DATA = 3, CANNOT_RUN = 77 };

static bool has_failed(const struct left_out *part)
{
    return part->status != 0 && part->status != TIME_IS_OVER &&
           part->status != CANNOT_RUN;
}

/* The first part that failed on each host. */
static void add_failed_on(struct findings *f, const struct left_out *part)
{
    struct finding *one;

    for (size_t i = 0; i < f->n; i++)
        if (f->odd[i].kind == FINDING_FAILED &&
            strcmp(f->odd[i].host, part->host) == 0)
            return;
    one = findings_add(&f->odd, &f->n);
    one->kind = FINDING_FAILED;
    text_add(one->host, HOST_NAME, "%s", part->host);
    text_add(one->what, sizeof one->what, "%s failed: %.*s.", part->part,
             utf8_within(part->reason, 300), part->reason);
    text_add(one->evidence, sizeof one->evidence,
             "The command is under Not measured.");
}

static void add_wrong_data(struct findings *f, const struct left_out *part)
{
    struct finding *one = findings_add(&f->odd, &f->n);

    one->kind = FINDING_FAILED;
    text_add(one->what, sizeof one->what, "%s received wrong data: %.*s.",
             part->part, utf8_within(part->reason, 300), part->reason);
    text_add(one->evidence, sizeof one->evidence, "It exited with code %d.",
             part->status);
}

void left_out_judge(struct findings *f)
{
    const struct left_out *first = NULL;
    struct finding *one;
    size_t n = 0;

    for (size_t i = 0; i < f->parts_left_out; i++) {
        const struct left_out *part = &f->left_out[i];

        if (part->status == WRONG_DATA) {
            add_wrong_data(f, part);
        } else if (has_failed(part) && part->host[0] != '\0') {
            add_failed_on(f, part);
        } else if (has_failed(part)) {
            first = n++ == 0 ? part : first;
        }
    }
    if (n == 0)
        return;
    one = findings_add(&f->odd, &f->n);
    one->kind = FINDING_FAILED;
    text_add(one->what, sizeof one->what,
             "%zu part%s, and the first is %s: %.*s (exit code %d).", n,
             n == 1 ? "" : "s", first->part, utf8_within(first->reason, 200),
             first->reason, first->status);
    text_add(one->evidence, sizeof one->evidence,
             "The reasons and commands are under Not measured.");
}
