/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints doc/messages.md from the catalogue: make doc. */
#include "base/messages.h"

int main(void)
{
    messages_document(stdout);
    return 0;
}
