/* SPDX-License-Identifier: BSD-3-Clause */
#include "laps.h"

void laps_pause(struct laps *l)
{
    l->between(l->owner);
}
