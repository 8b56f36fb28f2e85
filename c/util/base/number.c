/* SPDX-License-Identifier: BSD-3-Clause */
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

long number_whole(const char *text, const char **end)
{
    char *after;
    long value;

    errno = 0;
    *end = text;
    if (!isdigit((unsigned char)text[*text == '-']))
        return 0;
    value = strtol(text, &after, 10);
    *end = after;
    return value;
}

bool number_is(const char *text, long least, long most, long *value)
{
    const char *end;
    const long n = number_whole(text, &end);

    if (end == text || *end != '\0' || errno != 0 || n < least || n > most)
        return false;
    *value = n;
    return true;
}

bool number_pair(const char *text, char between, long pair[2])
{
    const char *const blanks = between == ',' ? " \t" : "", *end;

    text += strspn(text, blanks);
    pair[0] = number_whole(text, &end);
    if (end == text)
        return false;
    end += strspn(end, blanks);
    if (*end != between)
        return false;
    text = end + 1 + strspn(end + 1, blanks);
    pair[1] = number_whole(text, &end);
    return end != text && end[strspn(end, blanks)] == '\0';
}

int number_of_variable(const char *text, int least, int most, int otherwise)
{
    const char *end = text;
    const long n = text != NULL ? number_whole(text, &end) : 0;

    return end != text && n >= least && n <= most ? (int)n : otherwise;
}

double number_real(const char *text, const char **end)
{
    char *after;
    const double value = strtod(text, &after);
    const bool decimal = strspn(text, "+-.0123456789eE") >= (size_t)(after - text);

    *end = decimal && isfinite(value) ? after : text;
    return value;
}
