/* SPDX-License-Identifier: BSD-3-Clause */
#include "second_look.h"

#include <string.h>

static const struct subject *named(const struct comparison_options *options,
                                   const char *name)
{
    for (int i = 0; i < options->agains; i++)
        if (strcmp(options->again[i].name, name) == 0)
            return &options->again[i];
    return NULL;
}

static void decide(struct comparison_row *row, const struct comparison *second)
{
    const struct comparison_row *other =
        comparison_row_of(second, row->benchmark, row->place, row->key);

    row->again = COMPARISON_NOT_SEEN;
    if (other == NULL)
        return;
    row->ratio_again = other->is.ratio;
    if (other->is.verdict == JUDGED_SLOWER) {
        row->again = COMPARISON_AGAIN;
    } else if (judgement_can_tell(other->launches[0], other->launches[1],
                                  second->rows, second->level)) {
        row->again = COMPARISON_NOT_AGAIN;
        row->is.verdict = JUDGED_UNDECIDED;
    }
}

bool second_look(struct comparison *c, const struct comparison_options *options,
                 char *why, size_t room)
{
    const struct comparison_options once = { .margin = options->margin,
                                             .may = options->may };
    const struct subject *side[2];
    struct comparison second;
    size_t slower = 0;

    for (size_t i = 0; i < c->rows; i++)
        slower += c->row[i].is.verdict == JUDGED_SLOWER;
    if (options->agains == 0 || slower == 0)
        return true;
    for (int k = 0; k < 2; k++) {
        side[k] = named(options, c->subject[k]->name);
        if (side[k] == NULL) {
            snprintf(why, room, "%s was not measured again",
                     c->subject[k]->name);
            return false;
        }
    }
    if (!comparison_make(&second, side[0], side[1], &once, why, room))
        return false;
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].is.verdict == JUDGED_SLOWER)
            decide(&c->row[i], &second);
    comparison_release(&second);
    return true;
}

void second_look_print(FILE *to, const struct comparison *c, const char *begin)
{
    static const char *const word[] = {
        [COMPARISON_AGAIN] = "slower again",
        [COMPARISON_NOT_AGAIN] = "not again",
        [COMPARISON_NOT_SEEN] = "slower, and not seen again",
    };

    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];

        if (row->again == COMPARISON_ONCE)
            continue;
        fprintf(to, "%s%s: %s %s %s", begin, word[row->again],
                c->subject[1]->name, row->benchmark, row->key);
        if (row->again != COMPARISON_NOT_SEEN)
            fprintf(to, " (times %.3f)", row->ratio_again);
        fputc('\n', to);
    }
}
