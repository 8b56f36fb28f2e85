/* SPDX-License-Identifier: BSD-3-Clause */
#include "parameter.h"

#include <stdio.h>

static int own_values(const struct parameter *p, long most,
                      long value[PARAMETER_MAX])
{
    int n = 0;

    for (; n < PARAMETER_MAX && (n == 0 || p->value[n] > 0); n++) {
        value[n] = p->value[n] < most ? p->value[n] : most;
        if (p->value[n] >= most)
            return n + 1;
    }
    return n;
}

int parameter_values(const struct parameter *p, const struct settings *s,
                     int ranks, long value[PARAMETER_MAX], char *why,
                     size_t room)
{
    const long most = p->kind == PARAMETER_PARTNERS    ? ranks - 1
                      : p->kind == PARAMETER_IN_FLIGHT ? settings_window(s)
                      : p->kind == PARAMETER_SUBSETS   ? ranks
                                                       : p->most;

    value[0] = 0;
    if (p->name == NULL)
        return 1;
    if (s->nparameters == 0 || s->parameter[0] == PARAMETER_OWN)
        return own_values(p, most, value);
    for (int i = 0; i < s->nparameters; i++) {
        value[i] = s->parameter[i];
        if (value[i] < p->least || value[i] > most) {
            const bool small = value[i] < p->least;

            snprintf(why, room, "--%s %ld is too %s; the %s is %ld%s",
                     p->option, value[i], small ? "small" : "large",
                     small ? "least" : "most", small ? p->least : most,
                     small || most == p->most ? ""
                     : p->kind == PARAMETER_IN_FLIGHT
                         ? " with this -W"
                         : " with this number of ranks");
            return -1;
        }
    }
    return s->nparameters;
}
