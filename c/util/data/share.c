/* SPDX-License-Identifier: BSD-3-Clause */
#include "share.h"

__extension__ typedef unsigned __int128 wide;

size_t share_of(const struct share *s, size_t count)
{
    const wide whole = (wide)s->blocks * count;

    if (s->of == 0)
        return 0;
    return (size_t)(whole * s->until / s->of - whole * s->before / s->of);
}

double share_messages(const struct share *s)
{
    return s->of == 0 ? 0
                      : (double)s->blocks * (double)(s->until - s->before) /
                            (double)s->of;
}
