/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"

const char choice_none[] = "is none of the choices";

const struct choice *choice_of(const struct choice *choices, const char *text,
                               size_t n)
{
    while (choices->word != NULL && (strcspn(choices->word, ":") != n ||
                                     strncasecmp(choices->word, text, n) != 0))
        choices++;
    return choices->word != NULL ? choices : NULL;
}

const struct choice *choice_before_colon(const struct choice *choices,
                                         const char *text,
                                         const char **argument)
{
    const size_t n = strcspn(text, ":");

    *argument = text[n] == ':' ? text + n + 1 : NULL;
    return choice_of(choices, text, n);
}

const char *choice_word(const struct choice *choices, int value)
{
    while (choices->word != NULL && choices->value != value)
        choices++;
    return choices->word;
}

const char *choice_refused(const struct choice *choices, const char *text,
                           size_t length, char why[CHOICE_WHY])
{
    struct nearest near = { .text = text, .length = length };
    size_t n = (size_t)snprintf(why, CHOICE_WHY, "is not one of");

    for (const struct choice *c = choices; c->word != NULL; c++) {
        nearest_offer(&near, c->word);
        if (c->meaning != NULL && n < CHOICE_WHY)
            n += (size_t)snprintf(why + n, CHOICE_WHY - n, "%s %s",
                                  c == choices ? "" : ",", c->word);
    }
    if (n + sizeof near.question >= CHOICE_WHY)
        n = (size_t)snprintf(why, CHOICE_WHY,
                             "is not one of the words that --help explains");
    snprintf(why + n, CHOICE_WHY - n, "%s", nearest_question(&near, ""));
    return why;
}
