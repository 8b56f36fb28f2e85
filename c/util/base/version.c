/* SPDX-License-Identifier: BSD-3-Clause */
#include "version.h"

#include <stdio.h>

#include "commit.h"
#include "config.h"

const char *version_commit(void)
{
    return COMMIT[0] != '\0' ? COMMIT : NULL;
}

void version_print(const char *program)
{
    printf("%s (Alidade) %s%s, built for %s", program, PACKAGE_VERSION,
           COMMIT[0] != '\0' ? ", commit " COMMIT : "", BUILD_MPI);
}
