/* SPDX-License-Identifier: BSD-3-Clause */
#include "iterations.h"

void iterations_pause(struct iterations *l)
{
    l->between(l->owner);
}
