/* SPDX-License-Identifier: BSD-3-Clause */
#include "portion.h"

__extension__ typedef unsigned __int128 wide;

size_t portion_of(const struct portion *s, size_t count)
{
    const wide whole = (wide)s->blocks * count;

    if (s->of == 0)
        return 0;
    return (size_t)(whole * s->until / s->of - whole * s->before / s->of);
}

double portion_messages(const struct portion *s)
{
    return s->of == 0 ? 0
                      : (double)s->blocks * (double)(s->until - s->before) /
                            (double)s->of;
}
