/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints doc/messages.md from the catalogue: make doc. */
#include "base/messages.h"

static void print_page(FILE *to)
{
    fputs(
        "# Messages\n\n"
        "This page lists every message that a program can print on stderr, by "
        "number. An error (E) ends the run with the exit code given; after a "
        "warning (W) the run continues. The lines of a warning begin with #, "
        "those of an error do not. `make doc` writes this page from "
        "`c/util/base/messages.c`; do not edit it.\n",
        to);
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        fprintf(to, "\n## %s\n%s", messages[i].number, messages[i].meaning);
        if (messages[i].number[0] == 'E')
            fprintf(to, " Exit code %d.", messages[i].code);
        fprintf(to, "\nWhat to do: %s\n", messages[i].advice);
        if (i == E15_NO_PROGRESS)
            fprintf(to, "In MPI_Init: %s\nIn MPI_Finalize: %s\n",
                    message_at_start, message_at_end);
    }
}

int main(void)
{
    print_page(stdout);
    return 0;
}
