/* SPDX-License-Identifier: BSD-3-Clause */
#include "application.h"

#include <math.h>
#include <stdio.h>

#include "job/launch.h"
#include "base/buffer_size.h"

const char *application_class_name(enum nas_class class)
{
    static const char *const names[NAS_CLASSES] = {
        [NAS_S] = "S", [NAS_W] = "W", [NAS_A] = "A",
        [NAS_B] = "B", [NAS_C] = "C",
    };

    return names[class];
}

enum exit_code application_check_ranks(const struct application *a,
                                       const char *program,
                                       const char *started_as,
                                       enum nas_class class, int ranks,
                                       bool speaks)
{
    char needs[80];
    int fewer = ranks;

    while (!a->divides(class, fewer, needs, sizeof needs))
        fewer--;
    if (fewer == ranks)
        return EXIT_OK;
    if (speaks)
        message_print(E02_WRONG_RANKS, program,
                      "class %s needs %s; started: %d. For example: %s "
                      "-n %d %s",
                      application_class_name(class), needs, ranks,
                      launch_command(), fewer, started_as);
    return messages[E02_WRONG_RANKS].code;
}

void application_print_plan(const struct application *a, enum nas_class class,
                            int ranks, double available)
{
    const size_t need = a->bytes(class, ranks);
    char size[100], text[2][32];

    a->describe(class, size, sizeof size);
    printf("# class=%s; %s iterations=%d;\n"
           "# memory of each rank=%s; ranks fitting here=%.0f; memory free "
           "here=%s;\n",
           application_class_name(class), size, a->iterations(class),
           size_words((double)need, text[0]), floor(available / (double)need),
           size_words(available, text[1]));
}
